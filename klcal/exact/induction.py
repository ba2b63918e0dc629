r"""One backward induction over counts, and the ways in which a state can depend on the states after it.

A game of T rounds ends in counts, and a function of them is paid. `backward` knows nothing of the players; a *step*
says what a state is worth, given the worth of the states that follow. The steps here are the adversary that answers a
mixture, the adversary that announces a probability and is answered by the nearest point, and the forecaster that
answers a probability.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, reduce
from itertools import pairwise
from typing import Any

from klcal.exact.arithmetic import Exact, expectation, maximum, minimum, product, total
from klcal.exact.cells import Cost, Counts, add_draw, kl_cost
from klcal.exact.forecasters import Rule

#: The worth of the state that follows forecast i and outcome y.
Follow = Callable[[int, int], Any]
#: What a state is worth, given the states that follow.
Step = Callable[[Counts, Follow], Any]


def backward(T: int, final: Callable[[Counts], Any], step: Step) -> Callable[[Counts], Any]:
    """Return the worth of every state of a game of T rounds, each computed once.

    Parameters
    ----------
    T : int
        Number of rounds.
    final : callable
        What the counts are worth after the last round.
    step : callable
        ``step(counts, follow)`` returns what they are worth before; ``follow(i, y)`` is the worth after point i was
        drawn and y happened.

    Returns
    -------
    callable
        From integer counts of at most T rounds to their worth, of whatever kind the two functions return.

    Examples
    --------
    >>> ones = backward(
    ...     3, lambda counts: counts[0][1], lambda counts, follow: follow(0, 1)
    ... )
    >>> ones(((0, 0),)), ones(((2, 0),))
    (3, 1)
    """

    @cache
    def worth(counts: Counts) -> Any:
        if sum(map(sum, counts)) == T:
            return final(counts)
        return step(counts, lambda i, y: worth(add_draw(counts, i, y)))

    return worth


def outcome_against(rule: Rule, *, sees_draw: bool = False) -> Step:
    r"""Return the step of the adversary that chooses the worst outcome against a forecaster.

    .. math:: W(c) = \max_y \sum_i P_i(c)\,W(c + e_{i,y})

    Parameters
    ----------
    rule : callable
        The forecaster: from counts to mixtures.
    sees_draw : bool
        Whether the outcome may also depend on the draw of its own round, which no theorem allows.

    Returns
    -------
    callable
        A step for `backward`.

    Examples
    --------
    >>> step = outcome_against(lambda counts: {0: 1})
    >>> backward(2, lambda counts: abs(counts[0][0] - counts[0][1]), step)(((0, 0),))
    2
    """

    def step(counts: Counts, follow: Follow) -> Any:
        mixture = rule(counts)
        if sees_draw:
            return expectation((p, maximum(follow(i, y) for y in (0, 1))) for i, p in mixture.items())
        return maximum(expectation((p, follow(i, y)) for i, p in mixture.items()) for y in (0, 1))

    return step


def announcement_against(ends: Sequence[Exact]) -> Step:
    r"""Return the step of the adversary that announces the worst probability in the dual game of Section 4.

    As long as the answer stays the same the worth is linear in the announcement, so the ends of the cells suffice. A
    border may be answered by either point, whatever the forecaster's rule for ties.

    Parameters
    ----------
    ends : sequence of Fraction or arb
        Ends of the cells, one more than there are points; see `klcal.exact.grids.borders`.

    Returns
    -------
    callable
        A step for `backward`.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from klcal.exact.cells import square_cost
    >>> step = announcement_against([0, Fraction(1, 2), 1])
    >>> backward(1, summed([Fraction(1, 4), Fraction(3, 4)], square_cost), step)(
    ...     ((0, 0), (0, 0))
    ... )
    Fraction(5, 16)
    """

    def step(_: Counts, follow: Follow) -> Any:
        return maximum(
            expectation(((1 - p, follow(i, 0)), (p, follow(i, 1))))
            for i, cell in enumerate(pairwise(ends))
            for p in cell
        )

    return step


def point_against(chance: Callable[[Counts], Exact]) -> Step:
    """Return the step of the forecaster that plays the cheapest point against an adversary's chances.

    Parameters
    ----------
    chance : callable
        The adversary: from counts to the probability of outcome 1.

    Returns
    -------
    callable
        A step for `backward`.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from klcal.exact.cells import square_cost
    >>> step = point_against(lambda counts: Fraction(1, 2))
    >>> backward(1, summed([Fraction(1, 4), Fraction(1, 2)], square_cost), step)(
    ...     ((0, 0), (0, 0))
    ... )
    Fraction(1, 4)
    """

    def step(counts: Counts, follow: Follow) -> Any:
        q = chance(counts)
        return minimum(expectation(((1 - q, follow(i, 0)), (q, follow(i, 1)))) for i in range(len(counts)))

    return step


def summed(points: Sequence[Exact], cost: Cost = kl_cost) -> Callable[[Counts], Any]:
    """Return the error of counts on a grid, a sum over cells, each cell computed once.

    Parameters
    ----------
    points : sequence of Fraction or arb
        The grid.
    cost : callable
        What a cell costs; see `klcal.exact.cells.error`.

    Returns
    -------
    callable
        From counts to a number; a `final` for `backward`.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from klcal.exact.cells import square_cost
    >>> summed([Fraction(1, 4)], square_cost)(((1, 1),))
    Fraction(1, 8)
    """
    cells = _remembered(points, cost)
    return lambda counts: total(cells(i, *cell) for i, cell in enumerate(counts))


def multiplied(points: Sequence[Exact], factor: Cost) -> Callable[[Counts], Any]:
    """Return the product over cells of a function of the cell, each cell computed once.

    Parameters
    ----------
    points : sequence of Fraction or arb
        The grid.
    factor : callable
        A function of point, zeros and ones.

    Returns
    -------
    callable
        From counts to a number; a `final` for `backward`.

    Examples
    --------
    >>> multiplied([1, 2], lambda z, zeros, ones: z * ones)(((0, 3), (0, 5)))
    30
    """
    cells = _remembered(points, factor)
    return lambda counts: reduce(product, (cells(i, *cell) for i, cell in enumerate(counts)))


def _remembered(points: Sequence[Exact], cost: Cost) -> Callable[[int, int, int], Any]:
    """Return a function of a cell by its index: balls, which points may be, cannot be keys of a cache."""
    return cache(lambda i, zeros, ones: cost(points[i], zeros, ones))
