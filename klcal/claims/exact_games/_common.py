r"""What the claims on exact games share: the game over balls or fractions, one dictionary entry per state.

Nothing here calls `klcal.minimax`. Claims may take players' moves from its solutions: whatever float a move is, playing
it is a strategy, and what that strategy guarantees is computed rigorously.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from flint import arb

from klcal.claims.grids._common import divergence, full_points, inner_points
from klcal.exact.balls import ball, precision

CHAPTER = "09_the_game_solved"
BITS = 128

# Zeros and ones of every grid point.
State = tuple[tuple[int, ...], tuple[int, ...]]
# The value of the state that follows forecast i and outcome y.
Follow = Callable[[int, int], Any]


def fed(state: State, i: int, y: int) -> State:
    """Return the state after point i met outcome y.

    Examples
    --------
    >>> fed(((0, 1), (0, 0)), 0, 1)
    ((0, 1), (1, 0))
    """
    rows = [list(row) for row in state]
    rows[y][i] += 1
    return tuple(rows[0]), tuple(rows[1])


def played(
    T: int, final: Callable[[State], Any], step: Callable[[State, Follow], Any]
) -> Callable[[State], Any]:
    """Return the value of every state, given the last ones and how a state follows from its successors.

    Examples
    --------
    >>> worth = played(3, lambda state: sum(state[1]), lambda state, follow: follow(0, 1))
    >>> worth(((0,), (0,)))
    3
    """

    @cache
    def worth(state: State) -> Any:
        if sum(map(sum, state)) == T:
            return final(state)
        return step(state, lambda i, y: worth(fed(state, i, y)))

    return worth


def start(points: int) -> State:
    """Return the state before the first round."""
    return (0,) * points, (0,) * points


def divergence_costs(points: Sequence[arb]) -> Callable[[State], arb]:
    """Return KLCal as a function of the state, in balls.

    Examples
    --------
    >>> divergence_costs([arb(0.5)])(((0,), (2,))).overlaps(2 * arb(2).log())
    True
    """

    @cache
    def of_point(i: int, zeros: int, ones: int) -> arb:
        mass = zeros + ones
        if mass == 0:
            return arb(0)
        return mass * divergence(ball(Fraction(ones, mass)), points[i])

    def cost(state: State) -> arb:
        return sum((of_point(i, a, b) for i, (a, b) in enumerate(zip(*state, strict=True))), arb(0))

    return cost


def square_costs(points: Sequence[Fraction]) -> Callable[[State], Fraction]:
    """Return Cal_2 as a function of the state, exactly.

    Examples
    --------
    >>> square_costs([Fraction(1, 4)])(((1,), (1,)))
    Fraction(1, 8)
    """

    @cache
    def cost(state: State) -> Fraction:
        total = Fraction(0)
        for z, zeros, ones in zip(points, *state, strict=True):
            if zeros + ones:
                total += (zeros + ones) * (Fraction(ones, zeros + ones) - z) ** 2
        return total

    return cost


def _known(i: int, K: int, point: arb) -> arb:
    """Return sin^2(pi i / 2K) exactly where it is 1/4, 1/2 or 3/4, so that a tie with it can be seen."""
    quarters = {Fraction(1, 3): 1, Fraction(1, 2): 2, Fraction(2, 3): 3}
    return arb(quarters[Fraction(i, K)]) / 4 if Fraction(i, K) in quarters else point


@cache
def inner_grid(K: int) -> tuple[arb, ...]:
    """Return the K - 1 points of Section 4 as balls.

    Examples
    --------
    >>> [float(z) for z in inner_grid(3)]
    [0.25, 0.75]
    """
    with precision(BITS):
        return tuple(_known(i, K, inner_points(K)[i]) for i in range(1, K))


@cache
def full_grid(K: int) -> tuple[arb, ...]:
    """Return the K + 1 points of Section 5 as balls.

    Examples
    --------
    >>> [z.is_exact() for z in full_grid(2)]
    [False, True, False]
    """
    with precision(BITS):
        first, *_, last = full_points(K)
        return (first, *inner_grid(K), last)
