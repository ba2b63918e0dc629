"""The finite game written out: all deterministic strategies, expectations over histories, and the value in balls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from flint import arb
from scipy.optimize import linprog

from klcal._checks import FloatArray
from klcal.exact.arithmetic import Exact, Mixture, expectation, maximum, minimum
from klcal.exact.balls import ball, precision
from klcal.exact.cells import Counts, add_draw, error, no_counts

#: Forecast and outcome of every round so far.
History = tuple[tuple[int, int], ...]
#: A move after every history of things seen.
Strategy = Mapping[tuple[int, ...], int]

_POINTS = (Fraction(1, 4), Fraction(3, 4))


def strategies(moves: int, seen: int, T: int) -> Iterator[Strategy]:
    """Yield all deterministic strategies: a move in each of T rounds, after whatever was seen in the rounds before.

    Parameters
    ----------
    moves : int
        How many moves there are in a round.
    seen : int
        How many different things may be seen after a round.
    T : int
        Number of rounds.

    Yields
    ------
    dict
        From the things seen so far to a move.

    Examples
    --------
    >>> len(list(strategies(2, 2, 2)))  # 2 first moves, and 2 x 2 ways to go on
    8
    """
    histories = [h for t in range(T) for h in product(range(seen), repeat=t)]
    for choice in product(range(moves), repeat=len(histories)):
        yield dict(zip(histories, choice, strict=True))


def expected_cost(
    forecaster: Callable[[History], Mixture],
    adversary: Callable[[History], Exact],
    T: int,
    cost: Callable[[History], Any],
) -> Any:
    """Return the expected cost of a game between two players that know the whole history, path by path.

    Parameters
    ----------
    forecaster : callable
        From histories to mixtures.
    adversary : callable
        From histories to the probability of outcome 1.
    T : int
        Number of rounds, small.
    cost : callable
        What a whole game costs.

    Returns
    -------
    Fraction or arb

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> expected_cost(
    ...     lambda history: {0: 1},
    ...     lambda history: half,
    ...     2,
    ...     lambda game: game[0][1] * game[1][1],
    ... )
    Fraction(1, 4)
    """

    def after(history: History) -> Any:
        if len(history) == T:
            return cost(history)
        chance = adversary(history)
        sides = [(y, q) for y, q in ((0, 1 - chance), (1, chance)) if q != 0]
        return expectation(
            (share, expectation((q, after((*history, (i, y)))) for y, q in sides))
            for i, share in forecaster(history).items()
        )

    return after(())


def counted(points: int, game: History) -> Counts:
    """Return zeros and ones of every point in a game.

    Parameters
    ----------
    points : int
        How many grid points there are.
    game : tuple of (int, int)
        Forecast and outcome of every round.

    Returns
    -------
    tuple of (int, int)

    Examples
    --------
    >>> counted(2, ((0, 1), (1, 0), (0, 1)))
    ((0, 2), (1, 0))
    """
    counts = no_counts(points)
    for i, y in game:
        counts = add_draw(counts, i, y)
    return counts


def normal_form(T: int, *, whole: bool = False) -> list[list[History]]:
    """Return which game each forecaster (row) plays with each adversary (column) on the points 1/4 and 3/4.

    Parameters
    ----------
    T : int
        Number of rounds, at most 3.
    whole : bool
        Whether strategies look at everything, as in the paper, or only at the opponent's moves, which with one's own
        strategy determine the rest.

    Returns
    -------
    list of list
        Forecast and outcome of every round.

    Examples
    --------
    >>> [len(normal_form(2, whole=whole)) for whole in (False, True)]
    [8, 32]
    """
    adversaries = list(strategies(2, 4 if whole else 2, T))
    forecasters = strategies(len(_POINTS), 4 if whole else 2, T)
    return [[_game(f, a, T, whole) for a in adversaries] for f in forecasters]


def _game(forecaster: Strategy, adversary: Strategy, T: int, whole: bool) -> History:
    game: History = ()
    for _ in range(T):
        both = tuple(2 * i + y for i, y in game)
        i = forecaster[both if whole else tuple(y for _, y in game)]
        y = adversary[both if whole else tuple(i for i, _ in game)]
        game = (*game, (i, y))
    return game


@cache
def value_between(T: int, *, whole: bool = False, mixed: bool = True) -> tuple[arb, arb]:
    """Return what the adversary certainly earns and what the forecaster certainly pays at most, on 1/4 and 3/4.

    The mixtures come from linear programs in floats, made into fractions; what they guarantee is computed in balls.
    If nobody may mix, the two numbers are far apart.

    Parameters
    ----------
    T : int
        Number of rounds, at most 3.
    whole : bool
        Whether strategies look at the whole history or at the opponent's moves only.
    mixed : bool
        Whether players may mix.

    Returns
    -------
    arb, arb
        Lower and upper bound on the value of the game for KLCal.

    Examples
    --------
    >>> low, high = value_between(1)
    >>> high - low < 1e-9
    True
    >>> low, high = value_between(1, mixed=False)
    >>> high - low > 0.6
    True
    """
    best = _optimal if mixed else _pure
    with precision(128):
        costs = cache(lambda counts: ball(error(_POINTS, counts)))
        table = [[costs(counted(2, game)) for game in row] for row in normal_form(T, whole=whole)]
        floats = np.array([[float(cost.mid()) for cost in row] for row in table])
        forecaster, adversary = best(floats), best(-floats.T)
        high = maximum(_mean(forecaster, column) for column in zip(*table, strict=True))
        low = minimum(_mean(adversary, row) for row in table)
    return ball(low), ball(high)


def _mean(weights: Sequence[Fraction], costs: Sequence[arb]) -> Any:
    return expectation((w, cost) for w, cost in zip(weights, costs, strict=True) if w)


def _optimal(payoff: FloatArray) -> list[Fraction]:
    """Return a mixture of the rows, in fractions, that keeps the largest column small; how good it is, others check."""
    rows, columns = payoff.shape
    solution = linprog(
        np.append(np.zeros(rows), 1.0),
        A_ub=np.column_stack([payoff.T, -np.ones(columns)]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[np.newaxis],
        b_eq=[1.0],
        bounds=[(0.0, None)] * rows + [(None, None)],
    )
    whole = [max(0, round(w * 2**50)) for w in solution.x[:rows].tolist()]
    return [Fraction(w, sum(whole)) for w in whole]


def _pure(payoff: FloatArray) -> list[Fraction]:
    """Return the row with the smallest largest entry, as a mixture."""
    best = int(payoff.max(axis=1).argmin())
    return [Fraction(int(i == best)) for i in range(len(payoff))]
