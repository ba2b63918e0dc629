"""The bounds of chapter 3 as the package computes them, against their formulas and against the grids themselves."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import arb

from klcal.claims._combinators import add_formulas
from klcal.claims._ledger import Chapter
from klcal.exact.arithmetic import maximum, total
from klcal.exact.cells import divergence
from klcal.exact.grids import full_grid, gaps, inner_grid, sine_points, steepness, variance, worst_divergence

chapter = Chapter("03_grids")

# Numbers without a pattern: two formulas that agree there to 58 digits are the same.
REAL = ((3,), (Fraction(22, 7),), (Fraction(355, 113),), (Fraction(10001, 17),))
WHOLE = tuple((K,) for K in range(2, 33))
CELLS = (
    (Fraction(3, 11), Fraction(2, 7)),
    (Fraction(1, 97), Fraction(9, 10)),
    (Fraction(1, 3), Fraction(5, 7)),
)
PAIRS = (*CELLS, (Fraction(2, 7), Fraction(3, 11)), (0, Fraction(1, 97)))
MASSES = ((10, Fraction(22, 7)), (10**6, Fraction(355, 113)))


def theta(K: arb) -> arb:
    """Return pi/2K."""
    return arb.pi() / (2 * K)


def widest(K: arb) -> arb:
    """Return the largest angle between neighbours of the full grid: pi/2K, but pi/8 at K = 2."""
    return arb.pi() / 8 if K == 2 else theta(K)


def on_grids(of_integer: Callable[[int], Any]) -> Callable[[arb], Any]:
    """Return a function of integers K as one of balls that hold an integer."""
    return lambda K: of_integer(int(float(K)))


def cell_ratios(K: int) -> list[arb]:
    """Return d^2/(z(1-z)) at both ends of all cells of the full grid, the first cell first."""
    z = full_grid(K)
    return [gap**2 / variance(z[i + end]) for i, gap in enumerate(gaps(z)) for end in (0, 1)]


def printed_steepness(K: arb) -> arb:
    """Return the bound that the proof of Lemma 6 (b) displays."""
    return (2 * theta(K).sin() * (1 + 1 / (2 * theta(K).cos()))) ** 2


def printed_sum_c(K: arb) -> arb:
    """Return the bound that the proof of Lemma 6 (c) displays."""
    x = arb.pi() / K
    return 8 * (x.csc() ** 2 + x.cot() / x)


def printed_sum_d(K: arb) -> arb:
    """Return the bound that the proof of Lemma 6 (d) displays."""
    x = arb.pi() / K
    return 4 * (x.csc() + (x.csc() + x.cot()).log() / x)


def first_middle(K: int, *, linear: bool) -> arb:
    """Return what it costs at y = 1 to round the middle of the first cell to its lower end, or to both evenly."""
    low, high, *_ = full_grid(K)
    middle = ((low + high) / 2).log()
    return middle - (low.log() + high.log()) / 2 if linear else middle - low.log()


def cell_cost(low: arb, high: arb) -> arb:
    """Return d^2/(sqrt A + sqrt B)^2, A and B the variances of the ends."""
    ratio: arb = (high - low) / (variance(low).sqrt() + variance(high).sqrt())
    return ratio**2


# Claim -> function of `klcal.bounds`, version, formula, arguments.
FORMULAS = {
    "lem:discretization/a": (
        ("lemma_6a", "paper", theta, REAL),
        ("lemma_6a", "sharpened", on_grids(lambda K: maximum(gaps(sine_points(K)))), WHOLE),
    ),
    "lem:discretization/b": (
        ("lemma_6b", "paper", printed_steepness, REAL),
        ("lemma_6b", "sharpened", lambda K: 9 * theta(K) ** 2, REAL),
        ("lemma_6b", "best", on_grids(lambda K: maximum(steepness(sine_points(K)))), WHOLE),
    ),
    "lem:discretization/c": (
        ("lemma_6c", "sharpened", on_grids(lambda K: total(1 / variance(z) for z in inner_grid(K))), WHOLE),
    ),
    "lem:discretization/c-display": (("lemma_6c", "paper", printed_sum_c, REAL),),
    "lem:discretization/d": (
        ("lemma_6d", "sharpened", lambda K: 2 / theta(K) * (arb.const_euler() - theta(K).log()), REAL),
    ),
    "lem:discretization/d-display": (("lemma_6d", "paper", printed_sum_d, REAL),),
    "lem:discretization_II": (
        ("lemma_7_ends", "paper", lambda K: 4 * theta(K).sin() ** 2, REAL),
        ("lemma_7_ends", "sharpened", on_grids(lambda K: maximum(cell_ratios(K)[:2])), WHOLE),
    ),
    "lem:discretization_II/a": (
        ("lemma_7", "paper", printed_steepness, REAL),
        ("lemma_7", "sharpened", lambda K: 9 * theta(K) ** 2, REAL),
        ("lemma_7", "best", on_grids(lambda K: maximum(cell_ratios(K)[1::2])), WHOLE),
    ),
    "pinsker": (
        ("pinsker", "paper", lambda rho, p: (rho - p) ** 2, PAIRS),
        ("pinsker", "sharpened", lambda rho, p: 2 * (rho - p) ** 2, PAIRS),
    ),
    "thm:log_loss_swap_reg/chi-square": (
        ("chi_square", "", lambda rho, p: (rho - p) ** 2 / variance(p), PAIRS),
        ("log_chi_square", "", lambda rho, p: (rho**2 / p + (1 - rho) ** 2 / (1 - p)).log(), PAIRS),
    ),
    "eq:range_log_loss": (
        ("log_loss_range", "", on_grids(lambda K: maximum(-z.log() for z in inner_grid(K))), WHOLE),
    ),
    "eq:psreg_[0,1]_to_psreg_Z": (
        ("comparator_error", "paper", lambda K: (2 - arb(2).sqrt()) * arb.pi() ** 2 / K**2, REAL),
    ),
    "new:comparator-log-secant": (
        ("comparator_error", "sharpened", lambda K: -2 * theta(K).cos().log(), REAL),
        ("comparator_error_inner", "", on_grids(lambda K: divergence(arb(0), inner_grid(K)[0])), WHOLE),
    ),
    "new:comparator-constant": (
        ("comparator_error", "best", on_grids(lambda K: worst_divergence(full_grid(K))), WHOLE),
    ),
    "lem:rounding": (
        ("rounding_cost", "paper", printed_steepness, REAL),
        ("rounding_cost", "sharpened", lambda K: widest(K).tan() ** 2, WHOLE),
    ),
    "new:rounding-log-secant": (("rounding_cost", "best", lambda K: -2 * widest(K).cos().log(), WHOLE),),
    "lem:rounding/supremum": (
        ("rounding_cost_cell", "paper", lambda z, x: (x - z) ** 2 / variance(z).min(variance(x)), CELLS),
        ("rounding_cost_cell", "sharpened", cell_cost, CELLS),
        ("rounding_cost_cell", "best", lambda z, x: (1 + cell_cost(z, x)).log(), CELLS),
    ),
    "alg:rounding_alg/clamped": (
        ("clamp_cost", "", on_grids(lambda K: -(1 - full_grid(K)[0]).log()), WHOLE),
    ),
    "rem:rounding/a": (("remark_1_nearest", "", on_grids(lambda K: first_middle(K, linear=False)), WHOLE),),
    "rem:rounding/b": (("remark_1_linear", "", on_grids(lambda K: first_middle(K, linear=True)), WHOLE),),
    "lem:EWOO_regret_bound": (("ewoo_regret", "paper", lambda T, _: (1 + T).log(), MASSES),),
    "lem:EWOO_regret_bound/sharp": (("ewoo_regret", "sharpened", lambda _, S: (1 + S).log(), MASSES),),
}

for _label, _entries in FORMULAS.items():
    add_formulas(chapter, _label, *_entries)
