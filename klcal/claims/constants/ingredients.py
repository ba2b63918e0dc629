r"""What right-hand sides are made of, from the grid itself or from the displays of the paper's proofs.

Nothing here calls `klcal.bounds`: a bound and what it is compared with must not share a mistake.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

from flint import arb

from klcal.claims._combinators import equal
from klcal.claims._evidence import Evidence
from klcal.exact.certificates import disagreements
from klcal.exact.grids import full_grid, inner_grid, steepest_cell, worst_divergence

RESOLUTIONS = (2, 3, 4, 5, 16, 42)
#: Horizon and resolution; beside balls a horizon may be any real number.
GAMES = tuple(product((1, math.e, 131, 10**6 + 0.25), RESOLUTIONS))
DELTAS = (1, 0.3, 1e-6)


def recomputed(
    text: str,
    bound: Callable[..., Any],
    formula: Callable[..., Any],
    cases: Iterable[tuple[Any, ...]] = GAMES,
) -> Evidence:
    """Count the cases in which a bound is not the formula to 58 digits.

    Examples
    --------
    >>> recomputed("T/K", lambda T, K: T / K, lambda T, K: T * (1 / K)).holds
    True
    """
    listed = list(cases)
    missed = disagreements(bound, formula, listed)
    return equal(len(missed), 0, f"is not {text} to 58 digits", cases=len(listed), missed=missed[:1])


def integer(K: arb) -> int:
    """Return the integer that a ball of radius 0 holds.

    Examples
    --------
    >>> integer(arb(3))
    3
    """
    return int(K.unique_fmpz())


def angle(K: arb) -> arb:
    r"""Return :math:`\theta = \pi/2K`."""
    return arb.pi() / (2 * K)


def learning(T: Any, learners: Any) -> arb:
    r"""Return the largest :math:`\sum\log(1 + S_i)` over masses with :math:`\sum S_i = T`: at equal masses.

    Examples
    --------
    >>> learning(arb(6), 3).overlaps(3 * arb(3).log())
    True
    """
    return learners * ((learners + T) / learners).log()


def printed_steepness(K: arb) -> arb:
    r"""Return the display behind Lemmas 6 (b) and 7, :math:`4\sin^2\theta(1 + \sin\theta/\sin2\theta)^2`."""
    theta = angle(K)
    return (2 * theta.sin() * (1 + theta.sin() / (2 * theta).sin())) ** 2


def printed_inverse_variances(K: arb) -> arb:
    r"""Return the display behind Lemma 6 (c), :math:`8(\csc^2x + \cot x/x)` at :math:`x = \pi/K`."""
    x = 2 * angle(K)
    return 8 * (x.csc() ** 2 + x.cot() / x)


def printed_inverse_deviations(K: arb) -> arb:
    r"""Return the display behind Lemma 6 (d), :math:`4(\csc x + \log(\csc x + \cot x)/x)`, same x."""
    x = 2 * angle(K)
    return 4 * (x.csc() + (x.csc() + x.cot()).log() / x)


def loss_range(K: arb) -> arb:
    r"""Return the largest log loss on the inner grid, :math:`-\log z_1`."""
    return -inner_grid(integer(K))[0].log()


def rounding(K: arb, version: str) -> arb:
    """Return the bound on the cost of rounding of each version, from the cells of the full grid.

    Examples
    --------
    >>> rounding(arb(3), "best").overlaps((arb(4) / 3).log())
    True
    """
    if version == "paper":
        return printed_steepness(K)
    steepest = steepest_cell(full_grid(integer(K)))
    return steepest if version == "sharpened" else (1 + steepest).log()


def inner_error(K: arb) -> arb:
    """Return the largest KL of a number from the nearest point of the inner grid."""
    return worst_divergence(inner_grid(integer(K)))


def full_error(K: arb, version: str) -> arb:
    """Return that of the full grid: as the paper cites it, by the inner grid, or cell by cell."""
    if version == "paper":
        return (2 - arb(2).sqrt()) * (arb.pi() / K) ** 2
    return inner_error(K) if version == "sharpened" else worst_divergence(full_grid(integer(K)))


def theorem_2(T: arb, K: arb, version: str) -> arb:
    """Return Theorem 2's right-hand side: the learners' regrets, the rounding, in print also the comparator."""
    if version != "paper":
        return learning(T, K + 1) + T * rounding(K, version)
    return (K + 1) * (T + 1).log() + T * (rounding(K, version) + full_error(K, version))


def printed_equation_8(T: arb, K: arb, L: arb) -> arb:
    """Return Equation 8 with its constants: the gaps, Term II and Term I; L = log(2/delta)."""
    many = 8 * L * (angle(K) * printed_inverse_variances(K) + (K - 1))
    few = L * (8 * loss_range(K)).sqrt() * printed_inverse_deviations(K)
    return 2 * T * printed_steepness(K) + many + few


def printed_theorem_1(T: arb, K: arb, power: Any = 2) -> arb:
    """Return Theorem 1's right-hand side: Equation 8 at delta = 1/T^power, and K T delta times T R."""
    return printed_equation_8(T, K, (2 * T**power).log()) + K * T ** (2 - power) * loss_range(K)
