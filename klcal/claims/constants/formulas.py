r"""Right-hand sides computed a second time, from the grid itself or from the displays of the paper's proofs.

The formulas do not call `klcal.bounds`: a bound and what it is compared with must not share a mistake.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb

from klcal.claims._combinators import jointly, recomputed
from klcal.claims._evidence import FORMULA, Evidence
from klcal.claims._ledger import Chapter
from klcal.claims.grids.formulas import printed_steepness, printed_sum_c, printed_sum_d, theta, widest
from klcal.exact.grids import full_grid, inner_grid, worst_divergence

chapter = Chapter("constants")

RESOLUTIONS = (2, 3, 4, 5, 16, 42)
#: Horizon and resolution; beside balls a horizon may be any real number.
GAMES = tuple(product((1, math.e, 131, 10**6 + 0.25), RESOLUTIONS))
DELTAS = (1, 0.3, 1e-6)


def recompute(label: str, *entries: tuple[Any, ...]) -> None:
    """Add to a claim the evidence that bounds are formulas; each entry is what `recomputed` takes."""

    def check(share: Fraction | int = 1) -> Evidence:
        return jointly(*(recomputed(*entry, share=share) for entry in entries))

    near = {"larger by a relative $10^{-50}$": {"share": 1 + Fraction(1, 10**50)}}
    chapter.evidence(label, kind="exact", scope=FORMULA, controls=near)(check)


def integer(K: arb) -> int:
    """Return the integer that a ball of radius 0 holds.

    Examples
    --------
    >>> integer(arb(3))
    3
    """
    return int(float(K))


def learning(T: Any, learners: Any) -> Any:
    r"""Return the largest :math:`\sum\log(1 + S_i)` over masses with :math:`\sum S_i = T`: at equal masses.

    Examples
    --------
    >>> learning(arb(6), 3).overlaps(3 * arb(3).log())
    True
    """
    return learners * ((learners + T) / learners).log()


def loss_range(K: arb) -> arb:
    r"""Return the largest log loss on the inner grid, :math:`-\log z_1`."""
    return -inner_grid(integer(K))[0].log()


def rounding(K: arb, version: str) -> arb:
    """Return what a round of rounding costs at most, by each version.

    Examples
    --------
    >>> rounding(arb(3), "best").overlaps((arb(4) / 3).log())
    True
    """
    if version == "paper":
        return printed_steepness(K)
    return widest(K).tan() ** 2 if version == "sharpened" else -2 * widest(K).cos().log()


def inner_error(K: arb) -> Any:
    """Return the largest KL of a number from the nearest point of the inner grid."""
    return worst_divergence(inner_grid(integer(K)))


def full_error(K: arb, version: str) -> Any:
    """Return that of the full grid: as the paper cites it, by the inner grid, or cell by cell."""
    if version == "paper":
        return (2 - arb(2).sqrt()) * (arb.pi() / K) ** 2
    return inner_error(K) if version == "sharpened" else worst_divergence(full_grid(integer(K)))


def theorem_2(T: arb, K: arb, version: str) -> Any:
    """Return Theorem 2's right-hand side: the learners' regrets, the rounding, in print also the comparator."""
    if version != "paper":
        return learning(T, K + 1) + T * rounding(K, version)
    return (K + 1) * (T + 1).log() + T * (rounding(K, version) + full_error(K, version))


def printed_equation_8(T: arb, K: arb, L: arb) -> arb:
    """Return Equation 8 with its constants: the gaps, Term II and Term I; L = log(2/delta)."""
    many = 8 * L * (theta(K) * printed_sum_c(K) + (K - 1))
    few = L * (8 * loss_range(K)).sqrt() * printed_sum_d(K)
    return 2 * T * printed_steepness(K) + many + few


def printed_theorem_1(T: arb, K: arb, **_: str) -> Any:
    """Return Theorem 1's right-hand side: Equation 8 at delta = 1/T^2, and K T delta times T R."""
    return printed_equation_8(T, K, (2 * T**2).log()) + K * loss_range(K)


def sharpened_theorem_1(T: arb, K: arb, **_: str) -> Any:
    """Return that of the better exponent: learning plus the error of the inner grid."""
    return learning(T, K - 1) + T * inner_error(K)
