r"""Values of the game in balls, and what lies above and below them.

A value is enclosed by playing: whatever mixtures a forecaster uses, the worst outcomes against them cost at least the
value, and whatever chances an adversary uses, the best points against them earn at most the value. The float solution
of `klcal.minimax` supplies the moves, balls evaluate them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, partial, reduce
from itertools import pairwise

import numpy as np
from flint import arb

from klcal import grids, minimax
from klcal.claims._combinators import jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.constants._common import full_error, inner_error, learning
from klcal.claims.exact_games._common import (
    BITS,
    CHAPTER,
    Follow,
    State,
    divergence_costs,
    full_grid,
    inner_grid,
    played,
    start,
)
from klcal.exact.balls import ball, lower, precision, upper

# Resolution and longest horizon of the games that are enclosed. The full grid of K = 2 is the inner grid of K = 4.
INNER: Sequence[tuple[int, int]] = ((2, 8), (3, 8), (4, 6), (5, 4))
FULL: Sequence[tuple[int, int]] = ((3, 4),)

POINTS: dict[str, Callable[[int], tuple[arb, ...]]] = {"inner": inner_grid, "full": full_grid}
FLOATS = {"inner": grids.inner_grid, "full": grids.full_grid}


def largest(values: Sequence[arb]) -> arb:
    """Return a ball that holds the largest number."""
    return reduce(arb.max, values)


def smallest(values: Sequence[arb]) -> arb:
    """Return a ball that holds the smallest number."""
    return reduce(arb.min, values)


@cache
def enclosed(kind: str, K: int, T: int) -> tuple[arb, arb]:
    """Return balls below and above the value: what the float solution's adversary and forecaster guarantee.

    Examples
    --------
    >>> low, high = enclosed("inner", 2, 3)
    >>> low.overlaps(3 * arb(2).log()) and high.overlaps(3 * arb(2).log())
    True
    """
    if (kind, K) == ("full", 2):
        return enclosed("inner", 4, T)
    solution = minimax.solve(FLOATS[kind](K), T)
    points = POINTS[kind](K)
    with precision(BITS):
        cost = divergence_costs(points)

        def forecast(state: State, follow: Follow) -> arb:
            shares = np.flatnonzero(mixture := solution.mixture(state))
            first = ball(float(mixture[shares[0]]))
            weights = [arb(1)] if len(shares) == 1 else [first, 1 - first]
            means = [
                sum((w * follow(int(i), y) for w, i in zip(weights, shares, strict=True)), arb(0))
                for y in (0, 1)
            ]
            return largest(means)

        def oppose(state: State, follow: Follow) -> arb:
            chance = ball(solution.outcome_probability(state))
            return smallest([(1 - chance) * follow(i, 0) + chance * follow(i, 1) for i in range(len(points))])

        empty = start(len(points))
        return played(T, cost, oppose)(empty), played(T, cost, forecast)(empty)


def enclosures(digits: int = 13, shift: float = 0.0) -> Evidence:
    """Check that the value is enclosed to `digits` digits in every game of the list, and that the float lies there.

    Parameters
    ----------
    digits : int
        Relative width of the enclosures, as a negative power of ten.
    shift : float
        Added to the float values, to spoil them.
    """
    missed = games = 0
    tolerance = 10.0**-digits
    for kind, K, T in all_games():
        low, high = enclosed(kind, K, T)
        value = minimax.value(FLOATS[kind](K), T) + shift
        games += 1
        missed += not upper(high - low) <= tolerance * value
        missed += not lower(low) - tolerance <= value <= upper(high) + tolerance
    text = f"values not enclosed to {digits} digits, or floats outside; moves from the float solution, played in balls"
    return Evidence(missed, 0, "==", text, {"games": games})


def all_games() -> list[tuple[str, int, int]]:
    """Return kind of grid, resolution and horizon of all games of the lists."""
    return [
        (kind, K, T)
        for kind, games in (("inner", INNER), ("full", FULL))
        for K, longest in games
        for T in range(1, longest + 1)
    ]


# ----- the dual game ----------------------------------------------------------------------------------------


@cache
def dual(kind: str, K: int, T: int) -> arb:
    """Return the worst case of the forecaster that plays the KL-nearest point to the announced mean, as a ball.

    Examples
    --------
    >>> dual("inner", 2, 3).overlaps(3 * arb(2).log())
    True
    """
    points = POINTS[kind](K)
    with precision(BITS):
        borders = [arb(0)]
        for low, high in pairwise(points):
            ones, zeros = (high / low).log(), ((1 - low) / (1 - high)).log()
            borders.append(zeros / (ones + zeros))
        borders.append(arb(1))

        def step(_: State, follow: Follow) -> arb:
            means = []
            for i, ends in enumerate(pairwise(borders)):
                zero, one = follow(i, 0), follow(i, 1)
                means += [(1 - p) * zero + p * one for p in ends]
            return largest(means)

        worst: arb = played(T, divergence_costs(points), step)(start(len(points)))
        return worst


def linear_part(kind: str, K: int) -> arb:
    """Return the largest divergence from a number to its nearest point."""
    with precision(BITS):
        return inner_error(K) if kind == "inner" else full_error(K, "best")


def two_sides(slope: Fraction = Fraction(1), learned: Fraction = Fraction(1)) -> Evidence:
    r"""Check :math:`Tc < V \le` the dual forecaster's worst case :math:`< Tc + m\log(1 + T/m)`, in balls.

    On one point all but the last are equal, so that grid is compared with T log 2 instead.

    Parameters
    ----------
    slope, learned : Fraction
        Factors on the linear part below, and on the logarithms above.
    """
    games = [(kind, K, T) for kind, K, T in all_games() if (kind, K) != ("inner", 2)]
    below = above = between = 0.0
    for kind, K, T in games:
        low = enclosed(kind, K, T)[0]
        line, answer, points = T * linear_part(kind, K), dual(kind, K, T), len(POINTS[kind](K))
        below = max(below, upper(ball(slope) * line / low))
        between = max(between, upper(low / answer))
        above = max(above, upper(answer / (line + ball(learned) * learning(T, points))))
    alone = sum(
        not enclosed("inner", 2, T)[side].overlaps(T * arb(2).log()) for T in range(1, 9) for side in (0, 1)
    )
    floats = sum(
        not abs(minimax.dual_worst_case(FLOATS[k](K), T) - dual(k, K, T)) < 1e-12 for k, K, T in games
    )
    return jointly(
        Evidence(
            above,
            1,
            "<",
            "largest dual worst case over T c + m log(1 + T/m), in balls",
            {"games": len(games)},
        ),
        Evidence(below, 1, "<", "largest T c over the value of the game, in balls"),
        Evidence(between, 1 + 1e-12, "<=", "largest value of the game over the dual worst case, in balls"),
        Evidence(alone, 0, "==", "on the point 1/2 alone the value is T log 2, T = 1..8"),
        Evidence(floats, 0, "==", "klcal.minimax.dual_worst_case agrees with its ball to 1e-12"),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="new:game-values",
        number="new",
        title="values of small games, enclosed",
        kind="certified",
        chapter=CHAPTER,
        statement="On the sine grids of Sections 4 and 5 with up to four points and up to eight rounds, the minimax "
        "value of E[KLCal] is known to 13 digits: the float solution's moves, played in ball arithmetic, guarantee "
        "it from both sides, and klcal.minimax.value has these digits.",
        uses=("new:game-two-points",),
        check=enclosures,
        spoil=(partial(enclosures, digits=25), partial(enclosures, shift=1e-9)),
        rows=(31, 36),
    ),
    Claim(
        label="new:game-two-sides",
        number="new",
        title="a line below, a logarithm per point above",
        kind="certified",
        chapter=CHAPTER,
        statement="On a grid of m points inside (0, 1), with c the largest divergence from a number to its nearest "
        "point, T c <= value <= T c + m log(1 + T/m); the forecaster of the dual game that plays the KL-nearest "
        "point lies between value and upper bound. Proved for every grid; balls decide the strict inequalities in "
        "the games of new:game-values.",
        uses=("new:game-values", "new:game-two-points", "new:laplace-in-buckets", "new:theorem-1-sharpened"),
        check=two_sides,
        spoil=(partial(two_sides, slope=Fraction(2)), partial(two_sides, learned=Fraction(1, 2))),
        rows=(31,),
    ),
)
