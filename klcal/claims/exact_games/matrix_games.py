r"""Games with two columns, over fractions: two rows are enough. The finite game against all deterministic players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple

from klcal import minimax
from klcal.claims._combinators import jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.exact_games._common import CHAPTER, Follow, State, fed, played, square_costs, start
from klcal.grids import Grid, full_grid, inner_grid

Row = tuple[Fraction, Fraction]
Shares = dict[int, Fraction]


class Saddle(NamedTuple):
    """An exact solution of a game with two columns: its value, the rows' shares, the chance of column 1."""

    value: Fraction
    shares: Shares
    chance: Fraction

    def __str__(self) -> str:
        shares = ", ".join(f"row {i}: {share}" for i, share in sorted(self.shares.items()))
        return f"value {self.value}, {shares}, chance {self.chance}"


def best_rows(rows: Sequence[Row], support: int = 2) -> tuple[Fraction, Shares]:
    """Return the smallest worst column over mixtures of at most `support` rows (1 or 2), and such a mixture.

    Two rows are worth mixing only if one costs more in column 1 and the other in column 0; then both columns are made
    equal.

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
    """Return an exact solution by `best_rows` and `best_chance`, which need not agree unless the lemma is true."""
    (value, shares), (_, chance) = best_rows(rows), best_chance(rows)
    return Saddle(value, shares, chance)


def two_points(support: int = 2, rows: int = 4, entries: int = 3) -> Evidence:
    """Check that two rows reach what no mixture can beat, in all games with up to four rows of the numbers 0, 1, 2.

    A mixture of the rows never costs less than the cheapest row does against a fixed chance, so equality of
    `best_rows` and `best_chance` settles the value over all mixtures, however many rows they use.

    Parameters
    ----------
    support : int
        Rows that may be mixed.
    rows, entries : int
        Which games are tried.
    """
    numbers = [Fraction(k) for k in range(entries)]
    every: list[Row] = [(u, v) for u in numbers for v in numbers]
    games = [game for count in range(1, rows + 1) for game in combinations_with_replacement(every, count)]
    missed = sum(best_rows(game, support)[0] != best_chance(game)[0] for game in games)
    text = "games in which the best two rows cost more than the best chance earns, exactly"
    return Evidence(missed, 0, "==", text, {"games": len(games)})


# ----- the finite game in fractions -------------------------------------------------------------------------


def solved(points: Sequence[Fraction], T: int) -> Callable[[State], Saddle]:
    """Return the exact solution of every state of the game for Cal_2.

    Examples
    --------
    >>> solved(quarters(1, 3), 2)(start(2)).value
    Fraction(11, 24)
    """
    cost = square_costs(points)

    def final(state: State) -> Saddle:
        return Saddle(cost(state), {}, Fraction(0))

    def step(_: State, follow: Follow) -> Saddle:
        return saddle([(follow(i, 0).value, follow(i, 1).value) for i in range(len(points))])

    return played(T, final, step)


# A deterministic player: its first move, and what it does after each answer.
Player = tuple[int, tuple[Any, ...]]


def players(moves: int, answers: int, T: int) -> Iterator[Player | None]:
    """Yield all deterministic players with so many moves against so many answers a round.

    Examples
    --------
    >>> len(list(players(2, 3, 2))), len(list(players(3, 2, 2)))
    (16, 27)
    """
    if T == 0:
        yield None
        return
    later = list(players(moves, answers, T - 1))
    for move in range(moves):
        for plans in product(later, repeat=answers):
            yield move, plans


Moves = Callable[[State], dict[int, Fraction]]


def against_adversary(
    moves: Moves, cost: Callable[[State], Fraction], state: State, adversary: Any
) -> Fraction:
    """Return the expected cost of a mixing forecaster against a deterministic adversary, draw by draw."""
    if adversary is None:
        return cost(state)
    outcome, plans = adversary
    shares = moves(state).items()
    return sum(
        (p * against_adversary(moves, cost, fed(state, i, outcome), plans[i]) for i, p in shares), Fraction(0)
    )


def against_forecaster(
    moves: Moves, cost: Callable[[State], Fraction], state: State, forecaster: Any
) -> Fraction:
    """Return the expected gain of a mixing adversary against a deterministic forecaster, outcome by outcome."""
    if forecaster is None:
        return cost(state)
    i, plans = forecaster
    shares = moves(state).items()
    return sum(
        (p * against_forecaster(moves, cost, fed(state, i, y), plans[y]) for y, p in shares), Fraction(0)
    )


def quarters(*numerators: int) -> tuple[Fraction, ...]:
    """Return fractions with denominator 4."""
    return tuple(Fraction(k, 4) for k in numerators)


EXACT_GAMES: Sequence[tuple[tuple[Fraction, ...], int]] = (
    (quarters(1, 3), 3),
    (quarters(1, 2), 3),
    (quarters(1, 2, 3), 2),
    (quarters(0, 2, 4), 2),
    ((Fraction(1, 5), Fraction(1, 3), Fraction(3, 4)), 2),
)


def von_neumann(tilt: Fraction = Fraction(0), lean: Fraction = Fraction(0)) -> Evidence:
    """Check that induction finds a saddle point of the normal form: no deterministic player does better, exactly.

    The forecaster mixes by the counts alone; the adversaries it is tried against are all functions of the history.
    Likewise the other way round.

    Parameters
    ----------
    tilt : Fraction
        Added to the share of the first point of each mixture, to spoil it.
    lean : Fraction
        Part of the adversary's chance that is moved to 1/2, to spoil it.
    """
    missed = tried = 0
    for points, T in EXACT_GAMES:
        worth, cost, empty = solved(points, T), square_costs(points), start(len(points))
        value = worth(empty).value

        def draws(state: State, worth: Callable[[State], Saddle] = worth) -> dict[int, Fraction]:
            shares = worth(state).shares
            return {i: (1 - tilt) * p + (tilt if i == min(shares) else 0) for i, p in shares.items()}

        def flips(state: State, worth: Callable[[State], Saddle] = worth) -> dict[int, Fraction]:
            chance = (1 - lean) * worth(state).chance + lean / 2
            return {0: 1 - chance, 1: chance}

        costs = [against_adversary(draws, cost, empty, player) for player in players(2, len(points), T)]
        gains = [against_forecaster(flips, cost, empty, player) for player in players(len(points), 2, T)]
        missed += (max(costs) != value) + (min(gains) != value)
        tried += len(costs) + len(gains)
    text = (
        "guarantees of the two players that differ from the value, over all deterministic opponents, exactly"
    )
    return Evidence(missed, 0, "==", text, {"opponents": tried})


def float_agrees(rounds: int = 3) -> Evidence:
    """Check that `klcal.minimax.value` is the exact value for Cal_2 to 1e-13, on four grids."""
    missed = 0
    grids = (quarters(1, 3), quarters(1, 2, 3), quarters(0, 2, 4), (Fraction(3, 8),))
    for points, T in product(grids, range(1, rounds + 1)):
        exact = solved(points, T)(start(len(points))).value
        found = minimax.value(Grid([float(z) for z in points]), T, "squared")
        missed += abs(Fraction(found) - exact) > Fraction(1, 10**13) * exact
    return Evidence(missed, 0, "==", "klcal.minimax.value agrees with the exact value to 1e-13")


LINEAR_PROGRAMS: Sequence[tuple[Grid, int]] = (
    (inner_grid(3), 3),
    (inner_grid(4), 2),
    (full_grid(3), 2),
)
SEQUENCE_FORMS: Sequence[tuple[Grid, int]] = ((inner_grid(3), 4), (inner_grid(4), 3), (full_grid(3), 2))


def linear_programs(measures: Sequence[str] = ("kl", "squared"), rounds: int = 0) -> Evidence:
    """Check that both linear programs of both forms have the value of the induction, to 1e-9; solved by HiGHS.

    Parameters
    ----------
    measures : sequence of str
        Costs of the game.
    rounds : int
        Added to the horizon of the induction, to spoil the comparison.
    """
    missed = programs = 0
    for measure in measures:
        for solver, games in (
            (minimax.normal_form_value, LINEAR_PROGRAMS),
            (minimax.sequence_form_value, SEQUENCE_FORMS),
        ):
            for grid, T in games:
                value = minimax.value(grid, T + rounds, measure)
                missed += sum(abs(side - value) > 1e-9 for side in solver(grid, T, measure))
                programs += 2
    text = "linear programs whose value differs from the induction's by more than 1e-9"
    return Evidence(missed, 0, "==", text, {"programs": programs})


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="new:game-two-points",
        number="new",
        title="two points are enough to mix",
        kind="exact",
        chapter=CHAPTER,
        statement="In a matrix game with two columns the row player has an optimal mixture of at most two rows, and "
        "the value is the largest cost of the cheapest row over the column player's chances; checked in all 714 "
        "games with up to four rows and entries 0, 1, 2.",
        check=two_points,
        spoil=(partial(two_points, 1),),
    ),
    Claim(
        label="new:game-saddle-point",
        number="new",
        title="counts are enough to remember",
        kind="exact",
        chapter=CHAPTER,
        statement="In five games for Cal_2 on rational grids, with two or three rounds, the mixtures and chances that "
        "backward induction over counts finds guarantee its value against every deterministic opponent, functions of "
        "the whole history included; all in fractions.",
        uses=("new:game-two-points",),
        check=lambda: jointly(von_neumann(), float_agrees()),
        spoil=(
            partial(von_neumann, tilt=Fraction(1, 1000)),
            partial(von_neumann, lean=Fraction(1, 1000)),
        ),
        rows=(36,),
    ),
    Claim(
        label="new:game-linear-programs",
        number="new",
        title="von Neumann's theorem on small games",
        kind="numeric",
        chapter=CHAPTER,
        statement="For KLCal and Cal_2 on small sine grids, the linear program of the forecaster, the linear program "
        "of the adversary and backward induction have one value, to 1e-9: in normal form (up to 128 by 128 "
        "deterministic strategies) and in sequence form.",
        uses=("new:game-saddle-point", "thm:von_neumann", "eq:minmax"),
        check=linear_programs,
        spoil=(partial(linear_programs, rounds=1),),
    ),
)
