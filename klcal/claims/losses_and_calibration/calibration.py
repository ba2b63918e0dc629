"""Claims of Sections 1 and 2 about calibration errors."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial

import sympy as sp

from klcal import bounds, losses, measures
from klcal.claims._combinators import closed, jointly, misprinted, vanishing
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.exact.counterexamples import (
    SIGNED_CANCELLATION,
    ExactCells,
    point_masses,
)
from klcal.measures.cells import Cells
from klcal.symbolic import SYMBOLIC_LOSSES, rational

CHAPTER = "01_losses_and_calibration"

HALF = Fraction(1, 2)
QUARTERS = tuple(Fraction(k, 4) for k in range(5))


def realised_cells(points: Sequence[Fraction], T: int) -> Iterator[ExactCells]:
    """Yield the cells of every sequence of T forecasts out of `points` with every sequence of outcomes.

    Examples
    --------
    >>> sum(1 for _ in realised_cells((Fraction(0), Fraction(1)), 2))
    16
    """
    for forecasts in itertools.product(points, repeat=T):
        for outcomes in itertools.product((0, 1), repeat=T):
            yield ExactCells.from_rounds(point_masses(*forecasts), outcomes)


def expected_cells(low: Fraction, high: Fraction, T: int) -> Iterator[ExactCells]:
    """Yield the cells of all mixtures of two points with weights 0, 1/3, 1/2, 1, over all outcomes.

    Examples
    --------
    >>> sum(1 for _ in expected_cells(Fraction(0), Fraction(1), 2))
    64
    """
    weights = (Fraction(0), Fraction(1, 3), HALF, Fraction(1))
    for chosen in itertools.product(weights, repeat=T):
        mixtures = [{low: 1 - weight, high: weight} for weight in chosen]
        for outcomes in itertools.product((0, 1), repeat=T):
            yield ExactCells.from_rounds(mixtures, outcomes)


def as_cells(cells: ExactCells) -> Cells:
    """Return the float64 twin of exact cells."""
    return Cells(
        [float(p) for p in cells.points], [float(m) for m in cells.mass], [float(k) for k in cells.ones]
    )


def _misjudged(cells: Iterable[ExactCells], signed: bool) -> Evidence:
    """Count the cells for which "the error of order 1 is 0" and "they are calibrated" do not coincide."""
    wrong = total = 0
    drift = 0.0
    for entry in cells:
        error = entry.signed_error(1) if signed else entry.calibration_error(1)
        wrong += (error == 0) != all(p == rho for p, _, rho in entry)
        total += 1
        for order in (1, 2, 3):
            gap = measures.calibration_error(as_cells(entry), order) - float(entry.calibration_error(order))
            drift = max(drift, abs(gap))
    return jointly(
        Evidence(
            wrong, 0, "==", "Cal_1 = 0 exactly for calibrated cells", {"instances": total, "signed": signed}
        ),
        Evidence(drift, 1e-15, "<=", "klcal.calibration_error agrees for orders 1, 2, 3"),
    )


def _realised_error_detects(signed: bool = False) -> Evidence:
    return _misjudged(realised_cells((Fraction(1, 4), HALF, Fraction(1)), 3), signed)


def _expected_error_detects(signed: bool = False) -> Evidence:
    return _misjudged(expected_cells(Fraction(1, 4), Fraction(3, 4), 3), signed)


def _signed_sum_cancels() -> Evidence:
    forecasts, outcomes = SIGNED_CANCELLATION
    cells = ExactCells.from_rounds(point_masses(*forecasts), outcomes)
    return jointly(
        Evidence(
            cells.signed_error(1),
            cells.calibration_error(1),
            "<",
            "the printed sum with q = 1 against the sum of absolute values",
            counterexample=(
                "forecasts 1/5, 1/5, 4/5, 4/5 with outcomes 0, 1, 0, 1: the printed Cal_1 is 0, the error 6/5"
            ),
        ),
        misprinted("calibration-error-sign"),
    )


def _signed_mixtures_cancel() -> Evidence:
    mixture = {Fraction(1, 5): HALF, Fraction(4, 5): HALF}
    cells = ExactCells.from_rounds([mixture, mixture], (0, 1))
    return Evidence(
        cells.signed_error(1),
        cells.calibration_error(1),
        "<",
        "the printed sum with q = 1 against the sum of absolute values",
        counterexample=(
            "1/5 and 4/5 with probability 1/2 each, outcomes 0, 1: the printed PCal_1 is 0, the error 3/5"
        ),
    )


def _kl_at_the_edges(convention: int = 0) -> Evidence:
    """Compare KL(q, p) at q = 0 and 1, `convention` standing for 0 log 0, with its limits and the package."""
    q, p = sp.symbols("q p", positive=True)
    kl = q * (sp.log(q) - sp.log(p)) + (1 - q) * (sp.log(1 - q) - sp.log(1 - p))
    remainders = [
        sp.limit(kl, q, 0, "+") - (convention - sp.log(1 - p)),
        sp.limit(kl, q, 1, "-") - (convention - sp.log(p)),
    ]
    divergence = losses.log.divergence
    wrong = sum(divergence(q0, p0) != value for q0, p0, value in _KL_VALUES)
    return jointly(
        vanishing("limits of KL(q, p) at q = 0 and q = 1 in sympy", remainders),
        Evidence(wrong, 0, "==", "klcal.losses.log.divergence at the corners, infinities included"),
    )


_KL_VALUES = (
    (0.0, 0.0, 0.0),
    (1.0, 1.0, 0.0),
    (1.0, 0.0, math.inf),
    (0.0, 1.0, math.inf),
    (0.5, 0.0, math.inf),
)


def cal2_within(constant: float) -> Evidence:
    """Compare the largest (rho - p)^2 / KL with `constant`.

    The derivative of KL - 2(rho - p)^2 in p has the sign of p - rho, so that the ratio is at most 1/2
    everywhere; its limit at p = 1/2 shows that 1/2 is the supremum. Summed over cells with their masses,
    Cal_2 <= KLCal / 2.
    """
    d = sp.Symbol("d", positive=True)
    log = SYMBOLIC_LOSSES["log"]
    kl = log.divergence.subs({log.rho: sp.Rational(1, 2) + d, log.p: sp.Rational(1, 2)})
    supremum = rational(sp.limit(d**2 / kl, d, 0, "+"))
    return jointly(
        Evidence(supremum, constant, "<=", "supremum of (rho - p)^2 / KL, a limit at p = 1/2 taken by sympy"),
        closed("pinsker-slope"),
        Evidence(
            supremum, bounds.cal2_from_kl(1.0), "==", "bounds.cal2_from_kl, sharpened, has this constant"
        ),
        Evidence(
            1, bounds.cal2_from_kl(1.0, version="paper"), "==", "bounds.cal2_from_kl, paper, has constant 1"
        ),
    )


def _set_partitions(rounds: tuple[int, ...]) -> Iterator[list[list[int]]]:
    if not rounds:
        yield []
        return
    first, rest = rounds[0], rounds[1:]
    for partition in _set_partitions(rest):
        yield [[first], *partition]
        for k, block in enumerate(partition):
            yield [*partition[:k], [first, *block], *partition[k + 1 :]]


def distance_to_calibration(forecasts: Sequence[Fraction], outcomes: Sequence[int]) -> Fraction:
    """Return the l1 distance to the nearest perfectly calibrated sequence, by trying all of them.

    A calibrated sequence is constant on the blocks of a partition of the rounds, with the mean outcome as
    value.

    Examples
    --------
    >>> distance_to_calibration([Fraction(1, 2), Fraction(3, 4)], [0, 1])
    Fraction(1, 4)
    """
    best = None
    for partition in _set_partitions(tuple(range(len(outcomes)))):
        distance = Fraction(0)
        for block in partition:
            mean = Fraction(sum(outcomes[t] for t in block), len(block))
            distance += sum((abs(forecasts[t] - mean) for t in block), Fraction(0))
        best = distance if best is None else min(best, distance)
    return Fraction(0) if best is None else best


def _distance_within(factor: Fraction = Fraction(1), T: int = 3) -> Evidence:
    """Compare CalDist_1 with factor times Cal_1 over all forecasts in quarters and all outcomes.

    In general: replace every forecast p by the mean rho_p of its cell. Cells with equal means merge into one
    with the same mean, so the new sequence is calibrated, and it is Cal_1 away.
    """
    gaps = [
        distance_to_calibration(forecasts, outcomes)
        - factor * ExactCells.from_rounds(point_masses(*forecasts), outcomes).calibration_error(1)
        for forecasts in itertools.product(QUARTERS, repeat=T)
        for outcomes in itertools.product((0, 1), repeat=T)
    ]
    method = "largest CalDist_1 - Cal_1, all calibrated sequences tried"
    return Evidence(max(gaps), 0, "<=", method, {"T": T, "instances": len(gaps)})


def _cauchy_schwarz(constant: Fraction = Fraction(1)) -> Evidence:
    """Compare the largest Cal_1^2 / (T Cal_2) with `constant`, over realised and expected cells.

    T Cal_2 - Cal_1^2 is the sum over pairs of cells of m m' (e - e')^2 (Lagrange), hence never negative, and
    0 exactly if all cells miss by the same amount.
    """
    worst = Fraction(0)
    for cells in itertools.chain(
        realised_cells((Fraction(0), Fraction(1, 4), HALF), 3),
        expected_cells(Fraction(1, 4), Fraction(3, 4), 3),
    ):
        if cells.calibration_error(2) > 0:
            ratio = cells.calibration_error(1) ** 2 / (sum(cells.mass) * cells.calibration_error(2))
            worst = max(worst, ratio)
    coefficient = Fraction(bounds.cal1_from_cal2(16, 4.0)) ** 2 / 64
    return jointly(
        Evidence(worst, constant, "<=", "largest Cal_1^2 / (T Cal_2) over all small cells"),
        closed("cauchy-schwarz"),
        Evidence(
            worst, coefficient, "==", "equality is attained, with the constant of bounds.cal1_from_cal2"
        ),
    )


def _distance_rate(factor: Fraction | int = 1) -> Evidence:
    return closed("distance-to-calibration-rate", factor=factor)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="eq:ell_2_cal",
        number="Equation 1",
        title="l_q-calibration error",
        kind="exact",
        chapter=CHAPTER,
        statement=(
            "Cal_q, the sum over rounds of (p - rho_p)^q, measures how far forecasts are from calibrated."
        ),
        check=_realised_error_detects,
        spoil=(partial(_realised_error_detects, signed=True),),
        refute=_signed_sum_cancels,
        severity="misprint",
        repair=(
            "Cal_q sums |p - rho_p|^q; it is 0 exactly for calibrated forecasts. Only even q need no "
            "absolute value."
        ),
        rows=(1,),
    ),
    Claim(
        label="eq:pseudo_ell_2_cal",
        number="Equation 2",
        title="pseudo l_q-calibration error",
        kind="exact",
        chapter=CHAPTER,
        statement=(
            "PCal_q, the expected sum of (p - rho~_p)^q, measures how far mixtures are from calibrated."
        ),
        uses=("eq:ell_2_cal",),
        check=_expected_error_detects,
        spoil=(partial(_expected_error_detects, signed=True),),
        refute=_signed_mixtures_cancel,
        severity="misprint",
        repair="PCal_q sums |p - rho~_p|^q.",
        rows=(2,),
    ),
    Claim(
        label="eq:KLCal_PKLCal_def",
        number="Equation 3",
        title="KL-calibration",
        kind="symbolic",
        chapter=CHAPTER,
        statement=(
            "KL(q, p) is continuous up to q = 0 and q = 1 when 0 log 0 is read as 0, which the paper does "
            "not say."
        ),
        check=_kl_at_the_edges,
        spoil=(partial(_kl_at_the_edges, convention=1),),
        rows=(3,),
    ),
    Claim(
        label="sec1:kl_bounds_cal2",
        number="Section 1, after Equation 3",
        title="KL-calibration is stronger than l_2",
        kind="symbolic",
        chapter=CHAPTER,
        statement=(
            "KL >= (rho - p)^2, hence KLCal >= Cal_2 and PKLCal >= PCal_2; the sharp form is KLCal >= 2 "
            "Cal_2."
        ),
        uses=("pinsker", "eq:ell_2_cal", "eq:KLCal_PKLCal_def"),
        check=partial(cal2_within, 1.0),
        spoil=(partial(cal2_within, 0.49),),
        rows=(4, 5),
    ),
    Claim(
        label="sec1:caldist_below_cal1",
        number="Section 1.2",
        title="distance to calibration",
        kind="exact",
        chapter=CHAPTER,
        statement=(
            "CalDist_1 <= Cal_1: replacing every forecast by the mean outcome of its cell calibrates it."
        ),
        uses=("eq:ell_2_cal",),
        check=_distance_within,
        spoil=(partial(_distance_within, factor=Fraction(9, 10)),),
        rows=(6,),
    ),
    Claim(
        label="sec1:cal1_below_cal2",
        number="Section 1.2; Appendices B.2 and C.4",
        title="Cauchy-Schwarz between calibration errors",
        kind="symbolic",
        chapter=CHAPTER,
        statement=(
            "Cal_1 <= sqrt(T Cal_2) and PCal_1 <= sqrt(T PCal_2), with equality if all cells miss by the "
            "same amount."
        ),
        uses=("eq:ell_2_cal", "eq:pseudo_ell_2_cal"),
        check=_cauchy_schwarz,
        spoil=(partial(_cauchy_schwarz, constant=Fraction(99, 100)),),
        rows=(6, 91),
    ),
    Claim(
        label="sec1:caldist_rate",
        number="Section 1.2",
        title="rate of the distance to calibration",
        kind="symbolic",
        chapter=CHAPTER,
        statement=(
            "Cal_2 of order T^(1/3) (log T)^(-1/3) log(T/delta) makes CalDist_1 of order T^(2/3) (log "
            "T)^(-1/6) sqrt(log(T/delta))."
        ),
        uses=("sec1:caldist_below_cal1", "sec1:cal1_below_cal2", "cor:cal_2_hp_bound"),
        check=_distance_rate,
        spoil=(partial(_distance_rate, factor=2),),
        rows=(7,),
    ),
    Claim(
        label="sec7:first_bounds",
        number="Section 7",
        title="who was first",
        kind="cited",
        chapter=CHAPTER,
        statement="The paper derives the first high-probability and in-expectation bounds for Cal_2.",
        reason=(
            "A statement about the literature. It contradicts Section 1 of the paper itself, which credits an"
            " in-expectation bound of the same order to Foster and Hart."
        ),
        rows=(102,),
    ),
    Claim(
        label="sec1:cal1_lower_bounds",
        number="Sections 1 and 1.2",
        title="how small Cal_1 can be",
        kind="cited",
        chapter=CHAPTER,
        statement="Some adversary forces Cal_1 to be of order sqrt(T), even T^0.54389, on every forecaster.",
        reason="Lower bounds proved in the literature (Qiao and Valiant; Dagan et al.); nothing here depends on them.",
    ),
    Claim(
        label="sec1:rates_of_others",
        number="Sections 1 and 1.2",
        title="what other forecasters achieve",
        kind="cited",
        chapter=CHAPTER,
        statement=(
            "Cal_1 of order T^(2/3), Cal_2 and PCal_2 of order T^(1/3), and CalDist_1, U-calibration and swap"
            " regret of bounded losses of order sqrt(T), all up to logarithms, are achievable by other algorithms."
        ),
        reason="Results of the works that the paper cites; they are compared with, not built on.",
    ),
)
