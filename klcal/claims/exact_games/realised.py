r"""Algorithm 1 fed with its own draws, in balls: its worst case between value and bound."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise

from flint import arb, arb_mat

from klcal import bounds, minimax
from klcal.claims._combinators import jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.constants._common import learning, rounding
from klcal.claims.exact_games._common import (
    BITS,
    CHAPTER,
    Follow,
    State,
    divergence_costs,
    full_grid,
    played,
    start,
)
from klcal.claims.exact_games.enclosures import enclosed, largest
from klcal.claims.grids._common import variance
from klcal.exact.balls import Undecided, ball, precision, upper


def rounded(w: Fraction, points: Sequence[arb]) -> dict[int, arb]:
    """Return the shares of Algorithm 4, clamped at the ends; where w lies must be certain.

    Examples
    --------
    >>> shares = rounded(Fraction(1, 2), full_grid(3))
    >>> sorted(shares), shares[1].overlaps(arb(0.5))
    ([1, 2], True)
    >>> sorted(rounded(Fraction(1, 2), full_grid(2))), sorted(rounded(Fraction(1, 100), full_grid(2)))
    ([1], [0])
    """
    x = ball(w)
    for i, z in enumerate(points):
        if z.is_exact() and x.is_exact() and (x - z).is_zero():
            return {i: arb(1)}
    if x < points[0] or x > points[-1]:
        return {0 if x < points[0] else len(points) - 1: arb(1)}
    for i, (low, high) in enumerate(pairwise(points)):
        if low < x and x < high:
            down, up = (high - x) * variance(low), (x - low) * variance(high)
            return {i: down / (down + up), i + 1: up / (down + up)}
    raise Undecided(f"the cell of {w} is not certain")


def lowest_class(rows: Sequence[dict[int, arb]]) -> tuple[int, ...]:
    """Return the closed class with the smallest member.

    Examples
    --------
    >>> lowest_class([{1: arb(1)}, {1: arb(1)}, {2: arb(1)}])
    (1,)
    """
    reach = [{i} | set(row) for i, row in enumerate(rows)]
    for _ in rows:
        reach = [ahead.union(*(reach[j] for j in ahead)) for ahead in reach]
    return min(tuple(sorted(ahead)) for ahead in reach if all(reach[j] == ahead for j in ahead))


def stationary_shares(rows: Sequence[dict[int, arb]]) -> dict[int, arb]:
    """Return the stationary distribution on the lowest closed class.

    Examples
    --------
    >>> half = arb(0.5)
    >>> shares = stationary_shares([{0: half, 1: half}, {0: arb(1)}])
    >>> shares[0].overlaps(arb(2) / 3)
    True
    """
    members = lowest_class(rows)
    size = len(members)
    balance = [[rows[j].get(i, arb(0)) - (i == j) for j in members] for i in members[:-1]]
    right = arb_mat([[arb(int(place == size - 1))] for place in range(size)])
    solution = arb_mat([*balance, [arb(1)] * size]).solve(right)
    return {i: solution[place, 0] for place, i in enumerate(members)}


@cache
def realised(K: int, T: int) -> arb:
    """Return the worst case of E[KLCal] of Algorithm 1 fed with its own draws, over all adaptive outcomes, as a ball.

    Examples
    --------
    >>> realised(2, 1).overlaps(arb(2).log())
    True
    """
    points = full_grid(K)
    with precision(BITS):

        @cache
        def row(zeros: int, ones: int) -> dict[int, arb]:
            return rounded(Fraction(ones + 1, zeros + ones + 2), points)

        def step(state: State, follow: Follow) -> arb:
            shares = stationary_shares([row(a, b) for a, b in zip(*state, strict=True)])
            return largest([sum((p * follow(i, y) for i, p in shares.items()), arb(0)) for y in (0, 1)])

        worst: arb = played(T, divergence_costs(points), step)(start(len(points)))
        return worst


REALISED: Sequence[tuple[int, int]] = ((2, 6), (3, 4))


def realised_bound(T: int, K: int) -> arb:
    """Return the bound on E[KLCal] with realised feedback: regrets at equal counts, plus rounding."""
    with precision(BITS):
        return learning(T, K + 1) + T * rounding(K, "best")


def realised_sandwich(scale: Fraction = Fraction(1), first: int = 2) -> Evidence:
    """Check value < worst case < bound for the explicit algorithm, from two rounds on; balls decide.

    Parameters
    ----------
    scale : Fraction
        Factor on the bound.
    first : int
        Shortest horizon; in one round the algorithm is optimal.
    """
    games = [(K, T) for K, longest in REALISED for T in range(first, longest + 1)]
    below = max(upper(enclosed("full", K, T)[1] / realised(K, T)) for K, T in games)
    above, where = max(
        (upper(realised(K, T) / (ball(scale) * realised_bound(T, K))), (K, T)) for K, T in games
    )
    floats = sum(not abs(minimax.worst_case(K, T) - realised(K, T)) < 1e-12 for K, T in games)
    agrees = sum(
        not abs(bounds.realised_in_expectation(T, K, version="best") - realised_bound(T, K)) < 1e-12
        for K, T in games
    )
    return jointly(
        Evidence(above, 1, "<", "largest worst case of E[KLCal] over the bound, in balls", {"K, T": where}),
        Evidence(below, 1, "<", "largest value of the game over the worst case of the algorithm, in balls"),
        Evidence(floats, 0, "==", "klcal.minimax.worst_case agrees with its ball to 1e-12"),
        Evidence(agrees, 0, "==", "klcal.bounds agrees with the bound in balls to 1e-12"),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="new:realised-certified",
        number="new",
        title="the explicit algorithm between value and bound",
        kind="certified",
        chapter=CHAPTER,
        statement="For Algorithm 1 fed with its own draws, the worst case of E[KLCal] over all adaptive adversaries "
        "is strictly below the explicit bound and strictly above the value of the game on its grid, at K = 2 with 2 "
        "to 6 rounds and at K = 3 with 2 to 4; mixtures, costs and maxima in balls.",
        uses=("new:realised", "new:realised-explicit", "new:game-values"),
        check=realised_sandwich,
        spoil=(
            partial(realised_sandwich, scale=Fraction(2, 3)),
            partial(realised_sandwich, first=1),
        ),
    ),
)
