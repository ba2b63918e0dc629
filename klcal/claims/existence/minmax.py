r"""Equation 5: the players may be exchanged, and a mixed adversary, once fixed, announces probabilities."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np
from flint import arb

from klcal.claims._combinators import jointly, none_of, worst
from klcal.claims._evidence import Evidence, cases
from klcal.claims._ledger import Chapter
from klcal.exact.arithmetic import Mixture
from klcal.exact.balls import precision
from klcal.exact.cells import error, square_cost
from klcal.exact.normal_form import History, counted, expected_cost, strategies, value_between
from klcal.exact.worst_cases import dual_worst_case

chapter = Chapter("04_existence")

POINTS = (Fraction(1, 4), Fraction(3, 4))
# Number of rounds, and whether strategies look at everything or at the opponent's moves only.
GAMES = ((1, True), (2, True), (1, False), (2, False), (3, False))

chapter.cited(
    "thm:von_neumann",
    "Theorem 4",
    "von Neumann's minimax theorem",
    r"For every real matrix $M$, $\min_p\max_q p^\top Mq = \max_q\min_p p^\top Mq$, where $p$ and $q$ range over the "
    "distributions on its rows and on its columns.",
    "A classical theorem. Small instances of the game for which it is used are solved from both sides in eq:minmax.",
    rows=(35,),
)


@chapter.claim(
    "eq:minmax",
    "Equation 5",
    "the players may be exchanged",
    kind="exact",
    scope=cases("forecasts 1/4 and 3/4, T = 1, 2, 3"),
    controls={
        "0.99 of the worst case of the dual game": {"share": 0.99},
        "nobody may mix": {"mixed": False},
    },
    proof="Section 4; Chapter 4",
    steps=("thm:von_neumann", "the game is a finite matrix", "eq:minmax/announced"),
    rows=(36,),
)
def players_exchanged(mixed: bool = True, share: float = 1.0) -> Evidence:
    r"""Let some deterministic rule answer the announcements of the dual game by forecasts in a finite set inside
    $(0, 1)$, such that $\mathbb E[\mathsf{KLCal}] \le B$ against every adversary of the dual game. Then in the original
    game some mixed forecaster has $\mathbb E[\mathsf{KLCal}] \le B$ against every adversary. (The paper's maps are
    numbered from 0 in one place and from 1 in another.)
    """

    def gap(game: tuple[int, bool]) -> arb:
        low, high = value_between(game[0], whole=game[1], mixed=mixed)
        return high - low

    def forms(T: int) -> arb:
        return abs(value_between(T, whole=True, mixed=mixed)[1] - value_between(T, mixed=mixed)[1])

    with precision(128):
        return jointly(
            worst(
                "what the forecaster pays at most minus what the adversary earns at least, mixtures in fractions and "
                "costs in balls",
                GAMES,
                gap,
                1e-9,
            ),
            worst("the value with strategies that see everything or the opponent only", (1, 2), forms, 1e-9),
            worst(
                "value of the game over the worst case of the dual game",
                (1, 2, 3),
                lambda T: value_between(T, mixed=mixed)[1] / dual_worst_case("inner", 3, T),
                share + 1e-9,
            ),
        )


def random_mixture(strategies: int, seed: int) -> list[Fraction]:
    """Return a random distribution, on few or on many strategies; the first is on the last strategy alone."""
    generator = np.random.default_rng(seed)
    used = generator.random(strategies) < seed % 5 / 10
    weights = generator.integers(1, 20, size=strategies) * used
    weights[-1 if seed == 0 else generator.integers(strategies)] += 1
    return [Fraction(int(w), int(weights.sum())) for w in weights]


@chapter.claim(
    "eq:minmax/announced",
    "Equation 5, right side",
    "a mixed adversary, once fixed, announces probabilities",
    kind="exact",
    scope=cases("forecasts 1/4 and 3/4, T = 3, 20 random mixtures of the adversary's 128 strategies"),
    controls={"what happened so far not taken into account": {"conditional": False}},
    proof="Chapter 4",
    rows=(36,),
)
def answering_a_mixture(conditional: bool = True) -> Evidence:
    r"""A forecaster who knows the adversary's distribution over its deterministic strategies knows the probability
    $\tilde p$ of the next outcome given the moves so far. If it answers $\tilde p$ by a fixed rule, the expected error
    is that of the dual game in which these $\tilde p$ are announced.
    """
    T, table = 3, list(strategies(2, 2, 3))

    def says(strategy: dict[tuple[int, ...], int], history: History) -> int:
        return strategy[tuple(i for i, _ in history)]

    def agrees(strategy: dict[tuple[int, ...], int], history: History) -> bool:
        return all(says(strategy, history[:t]) == y for t, (_, y) in enumerate(history))

    def cost(game: History) -> Fraction:
        return Fraction(error(POINTS, counted(2, game), square_cost))

    def differs(seed: int) -> bool:
        weighted = [(w, dict(a)) for w, a in zip(random_mixture(len(table), seed), table, strict=True) if w]

        def chance(history: History) -> Fraction:
            left = [(w, a) for w, a in weighted if not conditional or agrees(a, history)]
            return sum((w for w, a in left if says(a, history)), Fraction(0)) / sum(w for w, _ in left)

        def answer(history: History) -> Mixture:
            return {int(chance(history) > Fraction(1, 2)): 1}

        drawn = sum(w * expected_cost(answer, partial(says, a), T, cost) for w, a in weighted)
        return bool(drawn != expected_cost(answer, chance, T, cost))

    return none_of(
        r"mixtures for which the mean $\mathsf{Cal}_2$ over the strategies is not that of the dual game, in fractions",
        range(20),
        differs,
    )
