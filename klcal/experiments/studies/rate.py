"""How the calibration error grows with the horizon, for both algorithms and every adversary."""

from __future__ import annotations

from klcal.experiments.game import Game, games
from klcal.experiments.measuring import watch_game
from klcal.experiments.studies._common import EVERYONE, ROOT, SLOW, half_decades, repetitions
from klcal.experiments.study import Study


def _growing(algorithm: str, horizons: list[int]) -> tuple[Game, ...]:
    """Return three games per adversary up to a million rounds, then one, then without the slow adversaries."""
    found: list[Game] = []
    for T in horizons:
        names = [name for name in EVERYONE if T <= 10**6 or name not in SLOW]
        n = 3 if T <= 10**6 else 1
        found += games(algorithm=algorithm, adversary=names, T=T, seed=repetitions(T, n))
    return tuple(found)


STUDIES = (
    Study(
        "rate",
        "Algorithm 1 on the grid of Theorem 2 against every adversary, for horizons from 100 to 100 million "
        "(two slow adversaries: to a million).",
        _growing("paper", [*half_decades(2, 7), 10**8]),
        ROOT,
        watch_game,
    ),
    Study(
        "rate-realised",
        "The variant with realised feedback on the same grids and seeds, for horizons up to 10 million "
        "(two slow adversaries: to a million).",
        _growing("realised", half_decades(2, 7)),
        ROOT,
        watch_game,
    ),
)
