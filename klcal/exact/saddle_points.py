r"""Games with two columns over fractions, where two rows are enough, and the finite game for Cal_2 solved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from klcal.exact.cells import Counts, square_cost
from klcal.exact.induction import Follow, backward, summed

#: What a row costs in column 0 and in column 1.
Row = tuple[Fraction, Fraction]


class Saddle(NamedTuple):
    """An exact solution of a game with two columns.

    Parameters
    ----------
    value : Fraction
        What the best mixture of rows costs in its worse column.
    shares : dict
        Such a mixture, by row.
    chance : Fraction
        The column player's chance of column 1.

    Examples
    --------
    >>> print(Saddle(Fraction(1, 2), {0: Fraction(1)}, Fraction(1, 3)))
    value 1/2, row 0: 1, chance 1/3
    """

    value: Fraction
    shares: dict[int, Fraction]
    chance: Fraction

    def __str__(self) -> str:
        shares = ", ".join(f"row {i}: {share}" for i, share in sorted(self.shares.items()))
        return f"value {self.value}, {shares}, chance {self.chance}"


def best_rows(rows: Sequence[Row], support: int = 2) -> tuple[Fraction, dict[int, Fraction]]:
    """Return the smallest worst column over mixtures of at most `support` rows, and such a mixture.

    Two rows are worth mixing only if one costs more in column 1 and the other in column 0; then both columns are made
    equal.

    Parameters
    ----------
    rows : sequence of (Fraction, Fraction)
        What each row costs in the two columns.
    support : {1, 2}
        How many rows may be mixed.

    Returns
    -------
    Fraction, dict

    Examples
    --------
    >>> best_rows([(Fraction(0), Fraction(2)), (Fraction(1), Fraction(0))])
    (Fraction(2, 3), {0: Fraction(1, 3), 1: Fraction(2, 3)})
    """
    value, first = min((max(row), i) for i, row in enumerate(rows))
    shares = {first: Fraction(1)}
    for (i, (u, v)), (j, (s, t)) in product(enumerate(rows), repeat=2):
        if support == 2 and v > u and s > t:
            weight = (s - t) / ((v - u) + (s - t))
            mixed = weight * u + (1 - weight) * s
            if mixed < value:
                value, shares = mixed, {i: weight, j: 1 - weight}
    return value, shares


def best_chance(rows: Sequence[Row]) -> tuple[Fraction, Fraction]:
    """Return the largest cost of the cheapest row over all chances of column 1, and such a chance.

    The cheapest row costs a concave, piecewise linear function of the chance: 0, 1 and the points where two rows cost
    the same are candidates enough.

    Parameters
    ----------
    rows : sequence of (Fraction, Fraction)
        What each row costs in the two columns.

    Returns
    -------
    Fraction, Fraction

    Examples
    --------
    >>> best_chance([(Fraction(0), Fraction(2)), (Fraction(1), Fraction(0))])
    (Fraction(2, 3), Fraction(1, 3))
    """
    candidates = {Fraction(0), Fraction(1)}
    for (u, v), (s, t) in product(rows, repeat=2):
        slopes = (v - u) - (t - s)
        if slopes != 0:
            candidates.add((s - u) / slopes)
    cheapest = {q: min((1 - q) * u + q * v for u, v in rows) for q in sorted(candidates) if 0 <= q <= 1}
    chance = max(cheapest, key=lambda q: cheapest[q])
    return cheapest[chance], chance


def saddle(rows: Sequence[Row]) -> Saddle:
    """Return an exact solution of the game by `best_rows` and `best_chance`.

    Parameters
    ----------
    rows : sequence of (Fraction, Fraction)
        What each row costs in the two columns.

    Returns
    -------
    Saddle
        The value is that of `best_rows`; that `best_chance` has the same is a theorem, not used here.

    Examples
    --------
    >>> print(saddle([(Fraction(0), Fraction(2)), (Fraction(1), Fraction(0))]))
    value 2/3, row 0: 1/3, row 1: 2/3, chance 1/3
    """
    (value, shares), (_, chance) = best_rows(rows), best_chance(rows)
    return Saddle(value, shares, chance)


def squared_game(points: Sequence[Fraction], T: int) -> Callable[[Counts], Saddle]:
    r"""Return the exact solution of every state of the game for Cal_2 on a rational grid.

    Parameters
    ----------
    points : sequence of Fraction
        The grid.
    T : int
        Number of rounds.

    Returns
    -------
    callable
        From counts, zeros and ones of every point, to the solution of that state.

    Examples
    --------
    >>> quarters = Fraction(1, 4), Fraction(3, 4)
    >>> print(squared_game(quarters, 2)(((0, 0), (0, 0))))
    value 11/24, row 0: 1/2, row 1: 1/2, chance 1/2
    """
    cost = summed(points, square_cost)

    def step(counts: Counts, follow: Follow) -> Saddle:
        return saddle([(follow(i, 0).value, follow(i, 1).value) for i in range(len(counts))])

    return backward(T, lambda counts: Saddle(cost(counts), {}, Fraction(0)), step)
