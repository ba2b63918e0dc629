r"""Exact worst cases of small games, as balls: explicit forecasters, the dual game, both sides of the value.

Each number is computed once, with 128 bits, whatever precision is in force.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np
from flint import arb

from klcal import _checks, grids, minimax
from klcal.exact.arithmetic import Exact, Mixture
from klcal.exact.balls import ball, precision
from klcal.exact.cells import Cost, Counts, kl_cost, no_counts
from klcal.exact.forecasters import Rule, algorithm_1, pair
from klcal.exact.grids import borders, full_grid, inner_grid
from klcal.exact.induction import (
    announcement_against,
    backward,
    multiplied,
    outcome_against,
    point_against,
    summed,
)

BITS = 128

#: The grids by name, in balls.
GRIDS = MappingProxyType({"inner": inner_grid, "full": full_grid})

# The grid and the rule of each algorithm, as in `klcal.minimax.RULES`.
_RULES: dict[str, tuple[Callable[[int], tuple[arb, ...]], Callable[[Sequence[Exact]], Rule]]] = {
    "realised": (full_grid, algorithm_1),
    "pair": (inner_grid, pair),
}


def worst_expectation(
    rule: Rule, points: int, T: int, final: Callable[[Counts], Any], *, sees_draw: bool = False
) -> Any:
    """Return the largest expectation of a function of the final counts over all adaptive adversaries.

    Parameters
    ----------
    rule : callable
        The forecaster: from counts to mixtures.
    points : int
        How many grid points there are.
    T : int
        Number of rounds.
    final : callable
        The function of the counts.
    sees_draw : bool
        Whether the outcome may also depend on the draw of its own round, which no theorem allows.

    Returns
    -------
    Fraction or arb

    Examples
    --------
    >>> from klcal.exact.cells import square_cost
    >>> from klcal.exact.forecasters import two_neighbours
    >>> from klcal.exact.grids import uniform_grid
    >>> grid = uniform_grid(2)
    >>> worst_expectation(two_neighbours(grid), 3, 2, summed(grid, square_cost))
    Fraction(5, 4)
    """
    step = outcome_against(rule, sees_draw=sees_draw)
    return backward(T, final, step)(no_counts(points))


@cache
def worst_case(K: int, T: int, algorithm: str = "realised") -> arb:
    r"""Return the worst case of E[KLCal] of an explicit forecaster over all adaptive adversaries.

    Parameters
    ----------
    K, T : int
        Resolution and horizon; both small.
    algorithm : {"realised", "pair"}
        Algorithm 1 fed with its own draws, on the full grid, or PAIR, on the inner grid.

    Returns
    -------
    arb
        The twin of `klcal.minimax.worst_case`.

    Examples
    --------
    >>> (
    ...     worst_case(2, 1).overlaps(arb(2).log()),
    ...     worst_case(3, 1, "pair").overlaps(arb(4).log()),
    ... )
    (True, True)
    """
    grid, rule = _RULES[_checks.choice("algorithm", algorithm, _RULES)]
    with precision(BITS):
        points = grid(K)
        return ball(worst_expectation(rule(points), len(points), T, summed(points)))


def dual_expectation(points: Sequence[Exact], T: int, nearest: str, final: Callable[[Counts], Any]) -> Any:
    """Return the largest expectation of a function of the final counts in the dual game of Section 4.

    Parameters
    ----------
    points : sequence of Fraction or arb
        The grid.
    T : int
        Number of rounds.
    nearest : {"euclid", "kl", "chi-square"}
        How the forecaster answers an announced probability; see `klcal.exact.grids.border`.
    final : callable
        The function of the counts.

    Returns
    -------
    Fraction or arb

    Examples
    --------
    >>> points = Fraction(1, 4), Fraction(3, 4)
    >>> dual_expectation(points, 2, "kl", lambda counts: counts[0][1])  # ones at 1/4
    Fraction(1, 1)
    """
    step = announcement_against(borders(points, nearest))
    return backward(T, final, step)(no_counts(len(points)))


@cache
def dual_worst_case(kind: str, K: int, T: int, nearest: str = "kl", cost: Cost = kl_cost) -> arb:
    r"""Return the worst case of E[KLCal], or of another error, in the dual game of Section 4.

    Parameters
    ----------
    kind : {"inner", "full"}
        The grid.
    K, T : int
        Resolution and horizon; both small.
    nearest : {"euclid", "kl", "chi-square"}
        How the forecaster answers.
    cost : callable
        What a cell costs; see `klcal.exact.cells.error`.

    Returns
    -------
    arb
        The twin of `klcal.minimax.dual_worst_case`.

    Examples
    --------
    >>> dual_worst_case("inner", 2, 3).overlaps(3 * arb(2).log())
    True
    """
    with precision(BITS):
        points = GRIDS[_checks.choice("kind", kind, GRIDS)](K)
        return ball(dual_expectation(points, T, nearest, summed(points, cost)))


@cache
def dual_moment(K: int, T: int, nearest: str = "chi-square") -> arb:
    r"""Return the largest :math:`\mathbb E\exp\frac12(\mathsf{KLCal} - \sum_i\log(1+n_i))` in the dual game.

    Parameters
    ----------
    K, T : int
        Resolution of the inner grid, and horizon; both small.
    nearest : {"euclid", "kl", "chi-square"}
        How the forecaster answers.

    Returns
    -------
    arb
        At most :math:`\cos^{-T}\frac\pi{2K}` for the last rule (``new:dual-game-tail``).

    Examples
    --------
    >>> dual_moment(2, 2).overlaps(2 / arb(3).sqrt())
    True
    """

    def factor(z: Exact, zeros: Exact, ones: Exact) -> arb:
        return (kl_cost(z, zeros, ones) / 2).exp() / ball(1 + zeros + ones).sqrt()

    with precision(BITS):
        points = inner_grid(K)
        return ball(dual_expectation(points, T, nearest, multiplied(points, factor)))


@cache
def value_enclosure(kind: str, K: int, T: int) -> tuple[arb, arb]:
    """Return balls below and above the value of the game for KLCal: what both float players guarantee.

    Whatever mixtures a forecaster uses, the worst outcomes against them cost at least the value, and whatever chances
    an adversary uses, the cheapest points against them earn at most the value. The moves come from `klcal.minimax`;
    what they guarantee is computed in balls.

    Parameters
    ----------
    kind : {"inner", "full"}
        The grid.
    K, T : int
        Resolution and horizon; both small.

    Returns
    -------
    arb, arb
        Below and above.

    Examples
    --------
    >>> low, high = value_enclosure("inner", 2, 3)
    >>> low.overlaps(3 * arb(2).log()), high.overlaps(3 * arb(2).log())
    (True, True)
    """
    floats = {"inner": grids.inner_grid, "full": grids.full_grid}[_checks.choice("kind", kind, GRIDS)]
    solution = minimax.solve(floats(K), T)

    def mixture(counts: Counts) -> Mixture:
        shares = solution.mixture(np.transpose(counts))
        drawn = [int(i) for i in np.flatnonzero(shares)]
        # The floats need not add up to 1; the last share is what the first leaves.
        first = Fraction(float(shares[drawn[0]]))
        return {drawn[0]: 1} if len(drawn) == 1 else {drawn[0]: first, drawn[1]: 1 - first}

    def chance(counts: Counts) -> Fraction:
        return Fraction(solution.outcome_probability(np.transpose(counts)))

    with precision(BITS):
        points = GRIDS[kind](K)
        final, empty = summed(points), no_counts(len(points))
        low = backward(T, final, point_against(chance))(empty)
        high = backward(T, final, outcome_against(mixture))(empty)
        return ball(low), ball(high)


def pair_worst_cases(rounds: Iterable[int], *, sees_draw: bool = False) -> list[float]:
    """Return the largest E[KLCal] of PAIR at K = 3 for each number of rounds, to float precision.

    At K = 3 the points are 1/4 and 3/4 and all shares are fractions.

    Parameters
    ----------
    rounds : iterable of int
        Numbers of rounds, each at least 1 and not far above 12.
    sees_draw : bool
        Whether the outcome may also depend on the draw of its own round, which no theorem allows.

    Returns
    -------
    list of float

    Examples
    --------
    >>> [round(value, 6) for value in pair_worst_cases([1, 2])]
    [1.386294, 2.772589]
    """
    points = Fraction(1, 4), Fraction(3, 4)
    with precision(BITS):
        rule, final = pair(points), summed(points)
        worst = [worst_expectation(rule, 2, T, final, sees_draw=sees_draw) for T in rounds]
    return [float(value.mid()) for value in worst]
