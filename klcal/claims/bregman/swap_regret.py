"""Claims on Proposition 1, its two examples, and pseudo against expected swap regret."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial

from klcal import losses, measures
from klcal.claims._combinators import closed, jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.bregman._common import CHAPTER, HALF, ExactLoss, exact_losses
from klcal.claims.losses_and_calibration.calibration import as_cells, realised_cells
from klcal.exact.counterexamples import DrawTree, ExactCells, Mixture, point_masses, two_round_tree

Swap = Mapping[Fraction, Fraction]
Rounds = tuple[tuple[Mixture, ...], tuple[int, ...]]

_POINTS = (Fraction(1, 4), HALF)
_TARGETS = (*_POINTS, Fraction(0), Fraction(5, 7), Fraction(1))


def _drawn(T: int) -> Iterator[Rounds]:
    """Yield all sequences of forecasts out of two points, with all outcomes."""
    for forecasts in itertools.product(_POINTS, repeat=T):
        for outcomes in itertools.product((0, 1), repeat=T):
            yield point_masses(*forecasts), outcomes


def _mixed(T: int) -> Iterator[Rounds]:
    """Yield all sequences of mixtures of two points with weights 0, 1/3, 1, with all outcomes."""
    for weights in itertools.product((Fraction(0), Fraction(1, 3), Fraction(1)), repeat=T):
        mixtures = tuple({_POINTS[0]: 1 - weight, _POINTS[1]: weight} for weight in weights)
        for outcomes in itertools.product((0, 1), repeat=T):
            yield mixtures, outcomes


def _regret(loss: ExactLoss, rounds: Rounds, swap: Swap) -> Fraction:
    """Return the (pseudo) swap regret against one swap function, from its definition."""
    total = Fraction(0)
    for mixture, y in zip(*rounds, strict=True):
        for p, weight in mixture.items():
            if weight > 0:
                total += weight * (loss(p, y) - loss(swap[p], y))
    return total


def _bregman_form(loss: ExactLoss, cells: ExactCells, swap: Swap, flipped: bool) -> Fraction:
    """Return the right side of Proposition 1; `flipped` exchanges the two arguments of the divergence."""
    total = Fraction(0)
    for p, mass, rho in cells:
        pairs = [(p, rho), (swap[p], rho)] if flipped else [(rho, p), (rho, swap[p])]
        total += mass * (loss.divergence(*pairs[0]) - loss.divergence(*pairs[1]))
    return total


def _swaps(targets: Sequence[Fraction]) -> Iterator[Swap]:
    for images in itertools.product(targets, repeat=len(_POINTS)):
        yield dict(zip(_POINTS, images, strict=True))


def _identity(pseudo: bool, flipped: bool = False) -> Evidence:
    """Count swap functions for which regret and Bregman form differ, over small instances and exact losses.

    The mean of l(p, y) - l(sigma, y) over y ~ rho is f(p) + g_p(rho - p) - f(sigma) - g_sigma(rho - sigma) by
    Lemma 1; add and subtract f(rho).
    """
    known, wrong, tried = exact_losses(), 0, 0
    for rounds in _mixed(2) if pseudo else _drawn(2):
        cells = ExactCells.from_rounds(*rounds)
        for loss, swap in itertools.product(known, _swaps((*_POINTS, Fraction(5, 7)))):
            wrong += _regret(loss, rounds, swap) != _bregman_form(loss, cells, swap, flipped)
            tried += 1
    name = "pseudo-swap-regret-cell" if pseudo else "swap-regret-cell"
    return jointly(
        Evidence(wrong, 0, "==", "both sides in fractions, five losses", {"instances": tried}),
        closed(name),
    )


def _supremum_is_attained(with_means: bool = True) -> Evidence:
    """Count instances in which the best swap function found does not reach the sum of mass BREG(rho, p).

    Divergences are never negative and BREG(rho, rho) = 0, so no swap function does better than sigma(p) =
    rho_p; `with_means` says whether the functions tried may map to the means.
    """
    targets = _TARGETS if with_means else _POINTS
    known, wrong, tried = exact_losses(), 0, 0
    for rounds in itertools.chain(_drawn(2), _mixed(2)):
        cells = ExactCells.from_rounds(*rounds)
        means = [rho for _, _, rho in cells] if with_means else []
        swaps = list(_swaps((*targets, *means)))
        for loss in known:
            best = max(_regret(loss, rounds, swap) for swap in swaps)
            wrong += best != cells.swap_regret(loss.divergence)
            tried += 1
    return jointly(
        Evidence(wrong, 0, "==", "best swap function against the Bregman sum", {"instances": tried}),
        closed("swap-regret-best"),
    )


def _kl_sum(cells: ExactCells) -> float:
    """Return KLCal from its definition, with 0 log 0 = 0."""
    terms = []
    for p, mass, rho in cells:
        for share, chance in ((rho, p), (1 - rho, 1 - p)):
            if share > 0:
                terms.append(float(mass * share) * math.log(share / chance))
    return math.fsum(terms)


def _regret_of(name: str, factor: Fraction | int = 1) -> Evidence:
    """Close form and divergence of a named loss, and compare its swap regret with the calibration measure."""
    drift = 0.0
    for exact in realised_cells((Fraction(1, 8), Fraction(1, 4), HALF), 3):
        cells = as_cells(exact)
        if name == "log":
            error, measure = _kl_sum(exact), measures.kl_calibration(cells)
        else:
            error, measure = float(exact.calibration_error(2)), measures.calibration_error(cells, 2)
        regret = measures.swap_regret(cells, losses.LOSSES[name])
        drift = max(drift, abs(regret - error), abs(measure - error))
    return jointly(
        closed(f"{name}-divergence", factor=factor),
        closed(f"{name}-univariate", f"{name}-loss"),
        Evidence(drift, 2e-15, "<=", "klcal.swap_regret and the calibration measure against the definition"),
    )


def _pseudo_below_expected(sample_dependent: bool = False) -> Evidence:
    """Compare PSReg with E[SReg] for the squared loss over all small forecasters of a kind.

    If the mixtures are a function of the outcomes alone, PSReg_sigma = E[SReg_sigma] for every fixed sigma,
    and the expectation of a supremum is at least the supremum of expectations. (Cell by cell: mass
    BREG(ones/mass, p) is jointly convex in (mass, ones), being the perspective of a convex function; apply
    Jensen.) If they depend on the draws, PSReg_sigma is itself random, and the first equality is lost.
    """
    low, high = HALF, Fraction(51, 100)
    gaps = []
    for weights in itertools.product((Fraction(0), Fraction(1, 3), HALF, Fraction(1)), repeat=3):

        def rule(drawn: tuple[Fraction, ...], weights: tuple[Fraction, ...] = weights) -> Mixture:
            if sample_dependent and drawn:
                return {drawn[-1]: Fraction(1)}
            return {low: 1 - weights[len(drawn)], high: weights[len(drawn)]}

        for outcomes in itertools.product((0, 1), repeat=3):
            tree = DrawTree.grow(rule, outcomes)
            gaps.append(tree.expected_swap_regret() - tree.expected_pseudo_swap_regret())
    method = "smallest E[SReg] - E[PSReg] over all draws of all small forecasters"
    return Evidence(min(gaps), 0, ">=", method, {"instances": len(gaps), "T": 3})


def _tree_refutes() -> Evidence:
    tree = two_round_tree()
    return Evidence(
        tree.expected_pseudo_swap_regret(),
        tree.expected_swap_regret(),
        ">",
        "E[PSReg] against E[SReg] over both branches of a two-round tree, in fractions",
        counterexample=(
            "T = 2, y = (1, 0), squared loss, p_1 uniform on {1/2, 51/100}, p_2 = p_1:"
            " E[SReg] = 1/10000, E[PSReg] = 5003/30000"
        ),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="prop:swap_reg_breg_div/realised",
        number="Proposition 1, first display",
        title="swap regret against one swap function",
        kind="symbolic",
        chapter=CHAPTER,
        statement=(
            "SReg_sigma is the sum over cells of n_p (BREG(rho_p, p) - BREG(rho_p, sigma(p))), for every "
            "proper loss."
        ),
        uses=("lem:characterization_proper_loss",),
        check=partial(_identity, pseudo=False),
        spoil=(partial(_identity, pseudo=False, flipped=True),),
        rows=(12,),
    ),
    Claim(
        label="prop:swap_reg_breg_div/pseudo",
        number="Proposition 1, second display",
        title="pseudo swap regret against one swap function",
        kind="symbolic",
        chapter=CHAPTER,
        statement="PSReg_sigma has the same form with expected masses and means.",
        uses=("lem:characterization_proper_loss",),
        check=partial(_identity, pseudo=True),
        spoil=(partial(_identity, pseudo=True, flipped=True),),
        rows=(13,),
    ),
    Claim(
        label="prop:swap_reg_breg_div",
        number="Proposition 1",
        title="swap regret is a sum of Bregman divergences",
        kind="exact",
        chapter=CHAPTER,
        statement=(
            "SReg and PSReg are the sums of mass times BREG(rho_p, p): the supremum is attained at"
            " sigma(p) = rho_p, for every proper loss, kinks included (Appendix C.4 cites Proposition 2 for"
            " this and means this one)."
        ),
        uses=("prop:swap_reg_breg_div/realised", "prop:swap_reg_breg_div/pseudo"),
        check=_supremum_is_attained,
        spoil=(partial(_supremum_is_attained, with_means=False),),
        rows=(14, 93),
    ),
    Claim(
        label="sec3:squared_loss",
        number="Section 3, first example",
        title="squared loss and l_2-calibration",
        kind="symbolic",
        chapter=CHAPTER,
        statement="For the squared loss BREG(rho, p) = (rho - p)^2, so SReg = Cal_2 and PSReg = PCal_2.",
        uses=("prop:swap_reg_breg_div", "eq:ell_2_cal", "eq:pseudo_ell_2_cal"),
        check=partial(_regret_of, "squared"),
        spoil=(partial(_regret_of, "squared", factor=2),),
        rows=(15,),
    ),
    Claim(
        label="sec3:log_loss",
        number="Section 3, second example",
        title="log loss and KL-calibration",
        kind="symbolic",
        chapter=CHAPTER,
        statement="For the log loss BREG(rho, p) = KL(rho, p), so SReg = KLCal and PSReg = PKLCal.",
        uses=("prop:swap_reg_breg_div", "eq:KLCal_PKLCal_def"),
        check=partial(_regret_of, "log"),
        spoil=(partial(_regret_of, "log", factor=2),),
        rows=(16,),
    ),
    Claim(
        label="sec3:pseudo_below_expected",
        number="Section 3, after Proposition 1",
        title="pseudo swap regret is the weaker notion",
        kind="exact",
        chapter=CHAPTER,
        statement="PSReg <= E[SReg].",
        uses=("prop:swap_reg_breg_div",),
        check=_pseudo_below_expected,
        spoil=(partial(_pseudo_below_expected, sample_dependent=True),),
        refute=_tree_refutes,
        severity="statement",
        repair=(
            "PSReg <= E[SReg] if the outcomes are fixed in advance and the mixtures P_t are determined by them, "
            "not by earlier draws."
        ),
        rows=(17,),
    ),
)
