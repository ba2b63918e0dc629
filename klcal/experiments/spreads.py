"""How KL-calibration of the drawn forecasts spreads over many games."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from klcal.experiments.game import Game, seeds
from klcal.measures import kl_calibration

#: Games per row, by horizon.
RUNS = {10**4: 2000, 10**5: 100, 10**6: 10}


def spread_of_games(game: Game) -> dict[str, Any]:
    """Play a game with many seeds spawned from its own and return the spread of KLCal of the draws.

    Parameters
    ----------
    game : Game
        What to play; the horizon decides how often (`RUNS`).

    Returns
    -------
    dict
        ``runs``, ``mean``, ``deviation`` (standard deviation), ``least``, ``median``, ``q90``, ``q99``, ``q999``
        (values that occurred) and ``largest``.

    Examples
    --------
    >>> RUNS[10**4]
    2000
    """
    runs = RUNS.get(game.T, 2)
    values = [_kl(replace(game, seed=seed)) for seed in seeds(runs, root=game.seed)]
    levels = {"least": 0.0, "median": 0.5, "q90": 0.9, "q99": 0.99, "q999": 0.999, "largest": 1.0}
    quantiles = np.quantile(values, list(levels.values()), method="higher").tolist()
    return {
        "runs": runs,
        "mean": float(np.mean(values)),
        "deviation": float(np.std(values)),
        **dict(zip(levels, quantiles, strict=True)),
    }


def _kl(game: Game) -> float:
    return kl_calibration(game.play().realised)
