r"""Equation 5: the game is finite, its players may be exchanged, and a fixed adversary announces probabilities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import product

import numpy as np
from flint import arb
from scipy.optimize import linprog

from klcal import bounds, minimax
from klcal._checks import FloatArray
from klcal.claims._combinators import jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.existence._common import BITS, CHAPTER, kl_cost, worst_case
from klcal.exact.balls import ball, lower, precision, upper
from klcal.grids import Grid

# A strategy names a move after each history; what a history is differs between the two normal forms below.
Strategy = Mapping[tuple[int, ...], int]
Game = tuple[int, ...]

POINTS = (Fraction(1, 4), Fraction(3, 4))


def strategies(moves: int, seen: int, T: int) -> Iterator[Strategy]:
    """Yield all deterministic strategies with so many moves per round that see one of `seen` things after each round.

    Examples
    --------
    >>> len(list(strategies(2, 2, 2)))  # 2 first moves, and 2 x 2 ways to go on
    8
    """
    histories = [h for t in range(T) for h in product(range(seen), repeat=t)]
    for choice in product(range(moves), repeat=len(histories)):
        yield dict(zip(histories, choice, strict=True))


def _play(forecaster: Strategy, adversary: Strategy, T: int, whole: bool) -> Game:
    """Return forecast and outcome of every round; with `whole` histories hold both, else only the opponent's moves."""
    forecasts: list[int] = []
    outcomes: list[int] = []
    for _ in range(T):
        both = tuple(2 * i + y for i, y in zip(forecasts, outcomes, strict=True))
        i = forecaster[both if whole else tuple(outcomes)]
        y = adversary[both if whole else tuple(forecasts)]
        forecasts.append(i)
        outcomes.append(y)
    return tuple(2 * i + y for i, y in zip(forecasts, outcomes, strict=True))


@cache
def _cost(game: Game) -> arb:
    """Return KLCal of a game on the grid {1/4, 3/4}."""
    counts = [(game.count(2 * i), game.count(2 * i + 1)) for i in range(len(POINTS))]
    return sum((kl_cost(ball(z), *pair) for z, pair in zip(POINTS, counts, strict=True)), arb(0))


def normal_form(T: int, *, whole: bool = False) -> list[list[Game]]:
    """Return which game each forecaster (row) plays with each adversary (column) on {1/4, 3/4}.

    With `whole` histories strategies look at everything, as in the paper; otherwise only at the opponent's moves, which
    with one's own strategy determine the rest.

    Examples
    --------
    >>> [len(normal_form(2, whole=whole)) for whole in (False, True)]
    [8, 32]
    """
    seen = 4 if whole else 2
    adversaries = list(strategies(2, seen, T))
    return [[_play(f, a, T, whole) for a in adversaries] for f in strategies(len(POINTS), seen, T)]


def _rational(weights: FloatArray) -> list[Fraction]:
    """Return a distribution in fractions near the floats."""
    whole = [max(0, round(w * 2**50)) for w in weights.tolist()]
    return [Fraction(w, sum(whole)) for w in whole]


def _optimal(payoff: FloatArray) -> list[Fraction]:
    """Return a mixture of the rows that keeps the largest column small; how good it is, others must check."""
    rows, columns = payoff.shape
    found = linprog(
        np.append(np.zeros(rows), 1.0),
        A_ub=np.column_stack([payoff.T, -np.ones(columns)]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[np.newaxis],
        b_eq=[1.0],
        bounds=[(0.0, None)] * rows + [(None, None)],
    )
    return _rational(found.x[:rows])


def _mean(weights: Sequence[Fraction], costs: Sequence[arb]) -> arb:
    return sum((ball(w) * cost for w, cost in zip(weights, costs, strict=True) if w), arb(0))


def _pure(payoff: FloatArray) -> list[Fraction]:
    """Return the row with the smallest largest entry, as a mixture."""
    best = int(payoff.max(axis=1).argmin())
    return [Fraction(int(i == best)) for i in range(len(payoff))]


@cache
def value_between(T: int, *, whole: bool = False, mixed: bool = True) -> tuple[arb, arb]:
    """Return what the adversary certainly earns and what the forecaster certainly pays at most.

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
    tuple of arb
        Lower and upper bound on the value.

    Examples
    --------
    >>> low, high = value_between(1)
    >>> (high - low) < 1e-9, low < high or low.overlaps(high)
    (True, True)
    >>> low, high = value_between(1, mixed=False)
    >>> high - low > 0.6
    True
    """
    best = _optimal if mixed else _pure
    with precision(BITS):
        table = [[_cost(game) for game in row] for row in normal_form(T, whole=whole)]
        floats = np.array([[float(cost.mid()) for cost in row] for row in table])
        forecaster, adversary = best(floats), best(-floats.T)
        high, low = arb("-inf"), arb("inf")
        for column in zip(*table, strict=True):
            high = high.max(_mean(forecaster, column))
        for row in table:
            low = low.min(_mean(adversary, row))
    return low, high


def _counted(points: int, T: int) -> tuple[int, int]:
    """Return the numbers of forecasters and adversaries by the exponent of their histories."""
    histories = sum((2 * points) ** t for t in range(T))
    return points**histories, 2**histories


@precision(BITS)
def players_exchanged(mixed: bool = True, gap: float = 1e-9) -> Evidence:
    """Check Equation 5 on {1/4, 3/4}: both players guarantee the same, in the paper's form and in the reduced one.

    Also: the numbers of strategies, and that the value is at most the dual game's worst case, hence below Theorem 1.

    Parameters
    ----------
    mixed : bool
        Whether the players may mix; if not, it matters who moves first.
    gap : float
        How far two numbers may be apart that should be equal.
    """
    games = ((1, True), (2, True), (1, False), (2, False), (3, False))
    values = {(T, whole): value_between(T, whole=whole, mixed=mixed) for T, whole in games}
    apart = sum(not high - low < gap for low, high in values.values())
    forms = max(upper(abs(values[T, True][1] - values[T, False][1])) for T in (1, 2))
    dual = {T: worst_case([ball(z) for z in POINTS], "kl", T) for T in (1, 2, 3)}
    above = max(upper(values[T, False][0] - dual[T]) for T in dual)
    bound = max(upper(dual[T]) - bounds.theorem_1(T, 3) for T in dual)
    wrong = sum(
        (sum(1 for _ in strategies(m, 2 * m, T)), sum(1 for _ in strategies(2, 2 * m, T))) != _counted(m, T)
        for m, T in ((1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1))
    )
    grid = Grid([float(z) for z in POINTS])
    drift = max(abs(minimax.value(grid, T) - float(values[T, False][1].mid())) for T in dual)
    return jointly(
        Evidence(apart, 0, "==", "normal forms whose two guarantees differ by 1e-9, T = 1, 2, 3, in balls"),
        Evidence(forms, gap, "<=", "strategies that look at everything or at the opponent only: same value"),
        Evidence(above, gap, "<=", "value minus worst case of the dual game"),
        Evidence(bound, 0, "<", "worst case of the dual game minus Theorem 1, sharpened"),
        Evidence(wrong, 0, "==", "forecasters and adversaries counted: m^N and 2^N, N = sum of (2m)^t"),
        Evidence(drift, gap, "<=", "klcal.minimax.value has the same value"),
    )


# ----- a fixed mixed adversary ------------------------------------------------------------------------------


def _mixture(adversaries: int, seed: int) -> list[Fraction]:
    """Return a random distribution over adversaries, on few or on many of them; the first is on the last alone."""
    generator = np.random.default_rng(seed)
    used = generator.random(adversaries) < seed % 5 / 10
    weights = generator.integers(1, 20, size=adversaries) * used
    weights[-1 if seed == 0 else generator.integers(adversaries)] += 1
    return [Fraction(int(w), int(weights.sum())) for w in weights]


def _conditional(
    weights: Sequence[Fraction], table: Sequence[Strategy], forecasts: Game, outcomes: Game
) -> Fraction:
    """Return the probability that the outcome is 1, given all moves so far: Bayes' rule over the adversaries."""
    agree = [
        (w, a[forecasts])
        for w, a in zip(weights, table, strict=True)
        if w and all(a[forecasts[:t]] == y for t, y in enumerate(outcomes))
    ]
    return sum((w for w, y in agree if y), Fraction(0)) / sum((w for w, _ in agree), Fraction(0))


def _expected(
    weights: Sequence[Fraction],
    table: Sequence[Strategy],
    T: int,
    *,
    blind: bool = False,
    forecasts: Game = (),
    outcomes: Game = (),
) -> arb:
    """Return E[KLCal] of the forecaster who answers the conditional probability with the nearest point."""
    if len(forecasts) == T:
        return _cost(tuple(2 * i + y for i, y in zip(forecasts, outcomes, strict=True)))
    p = _conditional(weights, table, forecasts, outcomes)
    answer = 0 if blind or p <= Fraction(1, 2) else 1
    total = arb(0)
    for y, chance in ((0, 1 - p), (1, p)):
        if chance:
            later = _expected(
                weights, table, T, blind=blind, forecasts=(*forecasts, answer), outcomes=(*outcomes, y)
            )
            total += ball(chance) * later
    return total


@precision(BITS)
def answering_a_mixture(blind: bool = False, T: int = 3, mixtures: int = 40) -> Evidence:
    """Check that against a mixed adversary known in advance the nearest point stays within the dual worst case.

    The adversary is a distribution over its 128 deterministic strategies for three rounds; the forecaster computes the
    probability of the next outcome given the moves so far, in fractions.

    Parameters
    ----------
    blind : bool
        Answer 1/4 always, without looking at the probability: a control.
    T, mixtures : int
        Rounds, and number of random adversaries.
    """
    table = list(strategies(2, 2, T))
    worst = max(upper(_expected(_mixture(len(table), s), table, T, blind=blind)) for s in range(mixtures))
    dual = lower(worst_case([ball(z) for z in POINTS], "kl", T))
    text = "largest E[KLCal] of the nearest answer to random mixed adversaries, against the dual worst case"
    return Evidence(worst, dual, "<=", text, {"T": T, "mixtures": mixtures})


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="thm:von_neumann",
        number="Theorem 4",
        title="von Neumann's minimax theorem",
        kind="cited",
        chapter=CHAPTER,
        statement="For every real matrix M the least over mixed rows p of the largest p'Mq over mixed columns q equals "
        "the largest over q of the least over p.",
        reason="A classical theorem; the two instances in use are small linear programs and are checked as eq:minmax.",
        rows=(35,),
    ),
    Claim(
        label="eq:minmax",
        number="Equation 5",
        title="the players may be exchanged",
        kind="certified",
        chapter=CHAPTER,
        statement="Both players have finitely many deterministic strategies, so Theorem 4 applies (the paper's maps "
        "are numbered from 0 in one place and from 1 in another). On {1/4, 3/4} and up to three rounds both guarantee "
        "the same number to 1e-9; it is at most the worst case of the dual game, and that is below Theorem 1.",
        uses=("thm:von_neumann", "new:theorem-1-sharpened"),
        check=players_exchanged,
        spoil=(partial(players_exchanged, False),),
        rows=(36,),
    ),
    Claim(
        label="eq:minmax/announced",
        number="Equation 5, right side",
        title="a mixed adversary, once fixed, announces probabilities",
        kind="certified",
        chapter=CHAPTER,
        statement="The forecaster who knows the adversary's distribution over its strategies knows the probability of "
        "the next outcome given the moves so far. Answering it with the nearest point of {1/4, 3/4} keeps E[KLCal] "
        "within the worst case of the dual game, for forty random mixtures of the 128 strategies of three rounds.",
        uses=("eq:minmax",),
        check=answering_a_mixture,
        spoil=(partial(answering_a_mixture, True),),
        rows=(36,),
    ),
)
