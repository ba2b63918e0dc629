"""How KL-calibration of the drawn forecasts spreads over many games, for the three explicit algorithms."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from klcal.experiments.game import Game, games, seeds
from klcal.experiments.studies._common import ROOT
from klcal.experiments.study import Study
from klcal.measures import kl_calibration

# Games per row.
RUNS = {10**4: 1000, 10**5: 30, 10**6: 3}
ALGORITHMS = ("paper", "realised", "pair")
ADVERSARIES = (
    *("zeros", "fair coin", "rare events", "random walk", "sinusoid"),
    *(
        "oppose",
        "greedy realised",
        "border",
        "threshold 0.05",
        "greedy exp 0.5",
        "greedy exp 2",
        "push",
        "peak",
    ),
)


def spread_of_games(game: Game) -> dict[str, Any]:
    """Play a game with many seeds spawned from its own and return the spread of KLCal of the draws.

    Parameters
    ----------
    game : Game
        What to play; the horizon decides how often (`RUNS`).

    Returns
    -------
    dict
        ``runs``, ``mean``, ``deviation`` (standard deviation), ``least``, ``median``, ``q99``, ``q999`` (values that
        occurred) and ``largest``.

    Examples
    --------
    >>> RUNS[10**4]
    1000
    """
    runs = RUNS.get(game.T, 2)
    values = [_kl(replace(game, seed=seed)) for seed in seeds(runs, root=game.seed)]
    least, median, q99, q999, largest = np.quantile(
        values, [0.0, 0.5, 0.99, 0.999, 1.0], method="higher"
    ).tolist()
    return {
        "runs": runs,
        "mean": float(np.mean(values)),
        "deviation": float(np.std(values)),
        "least": least,
        "median": median,
        "q99": q99,
        "q999": q999,
        "largest": largest,
    }


def _kl(game: Game) -> float:
    return kl_calibration(game.play().realised)


STUDIES = (
    Study(
        "explicit",
        "KLCal of the draws of three explicit algorithms, over 1000 games of 10^4 rounds, fewer of 10^5 and 10^6.",
        games(algorithm=ALGORITHMS, adversary=ADVERSARIES, T=list(RUNS), seed=(ROOT, 8)),
        ROOT,
        spread_of_games,
    ),
)
