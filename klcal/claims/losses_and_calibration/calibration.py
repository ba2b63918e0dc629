"""Claims of Sections 1 and 2 about calibration errors."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

import sympy as sp

from klcal.claims._combinators import add_formulas, below, closed, none_of, vanishing, worst
from klcal.claims._evidence import Evidence, cases, step
from klcal.claims._ledger import Chapter
from klcal.exact.cells import ExactCells, all_expected_cells, all_realised_cells, point_masses
from klcal.exact.counterexamples import SIGNED_CANCELLATION

chapter = Chapter("01_losses_and_calibration")

HALF = Fraction(1, 2)
QUARTERS = tuple(Fraction(k, 4) for k in range(5))


def _misjudged(name: str, cells: Iterable[ExactCells], signed: bool) -> Evidence:
    """Count the cells for which "the error of order 1 is 0" and "they are calibrated" do not coincide."""

    def fails(entry: ExactCells) -> bool:
        error = entry.signed_error(1) if signed else entry.calibration_error(1)
        return (error == 0) != all(p == rho for p, _, rho in entry)

    return none_of(f"cells for which ${name}_1 = 0$ and calibration do not go together", cells, fails)


def _cancelled(cells: ExactCells, order: int) -> Evidence:
    return below(
        cells.signed_error(order),
        cells.calibration_error(order),
        "the printed sum against that of absolute values",
    )


@chapter.claim(
    "eq:ell_2_cal",
    "Equation 1",
    "l_q-calibration error",
    kind="exact",
    scope=cases("three rounds, forecasts 1/4, 1/2, 1"),
    controls={"the absolute value dropped": {"signed": True}},
    repair=(
        r"$\mathsf{Cal}_q = \sum_t |p_t - \rho_{p_t}|^q$, which is 0 exactly for calibrated forecasts. Only even $q$, "
        "such as the paper's 2, need no absolute value."
    ),
    severity="misprint",
    proof="Chapter 1",
    rows=(1,),
)
def realised_error_detects(signed: bool = False) -> Evidence:
    r"""$\mathsf{Cal}_q = \sum_t (p_t - \rho_{p_t})^q$ measures how far forecasts are from calibrated, for $q \ge 1$."""
    return _misjudged(r"\mathsf{Cal}", all_realised_cells((Fraction(1, 4), HALF, Fraction(1)), 3), signed)


@chapter.refutation("eq:ell_2_cal", kind="exact", controls={"order 2 in place of 1": {"order": 2}})
def signed_sum_cancels(order: int = 1) -> Evidence:
    """The printed sum with q = 1 can vanish while the forecasts are not calibrated."""
    forecasts, outcomes = SIGNED_CANCELLATION
    return _cancelled(ExactCells.from_rounds(point_masses(*forecasts), outcomes), order).against(
        "Forecasts 1/5, 1/5, 4/5, 4/5 with outcomes 0, 1, 0, 1: the printed $\\mathsf{Cal}_1$ is 0, the error 6/5."
    )


@chapter.claim(
    "eq:pseudo_ell_2_cal",
    "Equation 2",
    "pseudo l_q-calibration error",
    kind="exact",
    scope=cases("three rounds, mixtures of 1/4 and 3/4 with weights 0, 1/3, 1/2, 1"),
    controls={"the absolute value dropped": {"signed": True}},
    repair=r"$\mathsf{PCal}_q = \mathbb E\sum_t |p_t - \tilde\rho_{p_t}|^q$.",
    severity="misprint",
    proof="Chapter 1",
    uses=("eq:ell_2_cal",),
    rows=(2,),
)
def expected_error_detects(signed: bool = False) -> Evidence:
    r"""$\mathsf{PCal}_q = \mathbb E\sum_t (p_t - \tilde\rho_{p_t})^q$ measures how far mixtures are from calibrated."""
    return _misjudged(r"\mathsf{PCal}", all_expected_cells(Fraction(1, 4), Fraction(3, 4), 3), signed)


@chapter.refutation("eq:pseudo_ell_2_cal", kind="exact", controls={"order 2 in place of 1": {"order": 2}})
def signed_mixtures_cancel(order: int = 1) -> Evidence:
    """The printed sum with q = 1 can vanish while the mixtures are not calibrated."""
    mixture = {Fraction(1, 5): HALF, Fraction(4, 5): HALF}
    return _cancelled(ExactCells.from_rounds([mixture] * 2, (0, 1)), order).against(
        "1/5 and 4/5 with probability 1/2 each, outcomes 0, 1: the printed $\\mathsf{PCal}_1$ is 0, the error 3/5."
    )


@chapter.claim(
    "eq:KLCal_PKLCal_def",
    "Equation 3",
    "KL-calibration",
    kind="symbolic",
    controls={r"$0\log0$ read as 1": {"convention": 1}},
    rows=(3,),
)
def kl_at_the_edges(convention: int = 0) -> Evidence:
    r"""$\mathsf{KL}(q, p)$ is continuous up to $q = 0$ and $q = 1$, for $p \in (0, 1)$, when $0\log0$ is read as 0, as
    is usual (the paper does not say so).
    """
    q, p = sp.symbols("q p", positive=True)
    kl = q * (sp.log(q) - sp.log(p)) + (1 - q) * (sp.log(1 - q) - sp.log(1 - p))
    remainders = [
        sp.limit(kl, q, 0, "+") - (convention - sp.log(1 - p)),
        sp.limit(kl, q, 1, "-") - (convention - sp.log(p)),
    ]
    return vanishing(r"sympy takes the limits of $\mathsf{KL}(q, p)$ at $q = 0$ and $q = 1$", remainders)


chapter.statement(
    "sec1:kl_bounds_cal2",
    "Section 1, after Equation 3",
    "KLCal is stronger than Cal_2",
    r"$\mathsf{KL}(\rho, p) \ge (\rho - p)^2$, hence $\mathsf{KLCal} \ge \mathsf{Cal}_2$ and "
    r"$\mathsf{PKLCal} \ge \mathsf{PCal}_2$; the sharp form is $\mathsf{KLCal} \ge 2\,\mathsf{Cal}_2$.",
    steps=("pinsker",),
    uses=("eq:ell_2_cal", "eq:KLCal_PKLCal_def"),
    rows=(4, 5),
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

    A calibrated sequence is constant on the blocks of a partition of the rounds, with the mean outcome as value.

    Examples
    --------
    >>> distance_to_calibration([Fraction(1, 2), Fraction(3, 4)], [0, 1])
    Fraction(1, 4)
    """

    def from_block(block: list[int]) -> Fraction:
        mean = Fraction(sum(outcomes[t] for t in block), len(block))
        return sum((abs(forecasts[t] - mean) for t in block), Fraction(0))

    every = _set_partitions(tuple(range(len(outcomes))))
    return min(sum(map(from_block, partition), Fraction(0)) for partition in every)


@chapter.claim(
    "sec1:caldist_below_cal1",
    "Section 1.2",
    "distance to calibration",
    kind="exact",
    scope=cases("three rounds, forecasts in quarters, all outcomes, all calibrated sequences tried"),
    controls={"0.99 of the constant": {"factor": Fraction(99, 100)}},
    proof="Chapter 1",
    uses=("eq:ell_2_cal",),
    rows=(6,),
)
def distance_within(factor: Fraction = Fraction(1)) -> Evidence:
    r"""$\mathsf{CalDist}_1 \le \mathsf{Cal}_1$: replacing every forecast by the mean outcome of its cell calibrates it.

    Cells with equal means merge into one with the same mean, so the new sequence is calibrated, and it is Cal_1 away.
    """
    games = itertools.product(itertools.product(QUARTERS, repeat=3), itertools.product((0, 1), repeat=3))

    def excess(game: tuple[tuple[Fraction, ...], tuple[int, ...]]) -> Fraction:
        error = ExactCells.from_rounds(point_masses(*game[0]), game[1]).calibration_error(1)
        return distance_to_calibration(*game) - factor * error

    return worst(r"largest $\mathsf{CalDist}_1 - \mathsf{Cal}_1$", games, excess, 0)


@chapter.claim(
    "sec1:cal1_below_cal2",
    "Section 1.2; Appendices B.2 and C.4",
    "Cauchy-Schwarz between calibration errors",
    kind="symbolic",
    scope=step("Lagrange's identity for three cells"),
    controls={"0.99 of the constant": {"factor": Fraction(99, 100)}},
    uses=("eq:ell_2_cal", "eq:pseudo_ell_2_cal"),
    rows=(6, 91),
)
def lagrange(factor: Fraction | int = 1) -> Evidence:
    r"""$\mathsf{Cal}_1 \le \sqrt{T\,\mathsf{Cal}_2}$ and $\mathsf{PCal}_1 \le \sqrt{T\,\mathsf{PCal}_2}$, with equality
    if all cells miss by the same amount.

    T Cal_2 - Cal_1^2 is the sum over pairs of cells of m m' (e - e')^2, hence never negative.
    """
    return closed("cauchy-schwarz", factor=factor)


add_formulas(
    chapter,
    "sec1:cal1_below_cal2",
    ("cal1_from_cal2", "", lambda T, error: (T * error).sqrt(), [(1, 0.25), (7, 1.5), (1e6, 12.3)]),
)


@chapter.claim(
    "sec1:caldist_rate",
    "Section 1.2",
    "rate of the distance to calibration",
    kind="symbolic",
    scope=step("the powers of T and of the logarithms"),
    controls={"exponent of $T$ larger by 1/20": {"power": Fraction(1, 20)}},
    proof="Section 1.2",
    steps=("the powers of T and of the logarithms", "sec1:caldist_below_cal1", "sec1:cal1_below_cal2"),
    uses=("cor:cal_2_hp_bound",),
    rows=(7,),
)
def distance_rate(power: Fraction = Fraction(0)) -> Evidence:
    r"""$\mathsf{Cal}_2 = O(T^{1/3}(\log T)^{-1/3}\log\frac T\delta)$ makes
    $\mathsf{CalDist}_1 = O(T^{2/3}(\log T)^{-1/6}\sqrt{\log\frac T\delta})$.
    """
    T, log, tail = sp.symbols("T L D", positive=True)
    third, shift = sp.Rational(1, 3), sp.Rational(power)
    cal2 = T**third * log**-third * tail
    promised = T ** (2 * third + shift) * log ** -(third / 2) * sp.sqrt(tail)
    return vanishing(
        r"$\sqrt{T\,\mathsf{Cal}_2}$ against the promised rate, with $\log T$ and $\log\frac T\delta$ as symbols",
        [sp.sqrt(T * cal2) - promised],
    )


chapter.cited(
    "sec7:first_bounds",
    "Section 7",
    "who was first",
    r"The paper derives the first high-probability and in-expectation bounds for $\mathsf{Cal}_2$.",
    "A statement about the literature. It contradicts Section 1 of the paper itself, which credits an in-expectation "
    "bound of the same order to Foster and Hart.",
    rows=(102,),
)
chapter.cited(
    "sec1:first_high_probability",
    "Sections 1 and 1.1",
    "first below the square root, efficiently",
    r"Corollary 3 is the first high-probability bound on $\mathsf{Cal}_2$ below $\sqrt T$ by an efficient algorithm.",
    "A statement about the literature up to the paper. Section 1.1 adds that Azuma's inequality would lose; the "
    "sharper proof of Chapter 8 needs no concentration inequality beyond Ville's.",
)
chapter.cited(
    "sec1:cal1_lower_bounds",
    "Sections 1 and 1.2",
    "how small Cal_1 can be",
    r"Some adversary forces $\mathsf{Cal}_1$ to be of order $\sqrt T$, even $T^{0.54389}$, on every forecaster.",
    "Lower bounds proved in the literature (Qiao and Valiant; Dagan et al.). Chapter 9 uses them once, to say that "
    "$\\mathsf{Cal}_2$ cannot stay below the power $2\\cdot0.54389 - 1$ of $T$.",
)
chapter.cited(
    "sec1:rates_of_others",
    "Sections 1 and 1.2",
    "what other forecasters achieve",
    r"$\mathsf{Cal}_1$ of order $T^{2/3}$, $\mathsf{Cal}_2$ and $\mathsf{PCal}_2$ of order $T^{1/3}$, and "
    r"$\mathsf{CalDist}_1$, U-calibration (for more than two outcomes too) and swap regret of bounded losses of order "
    r"$\sqrt T$, all up to logarithms, are achievable by other algorithms; swap omniprediction is a further use.",
    "Results of the works that the paper cites; they are compared with, not built on.",
)
