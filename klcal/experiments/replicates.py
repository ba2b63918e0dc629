"""One game, drawn many times: how Cal_2 of the draws is spread around PCal_2 of the mixtures."""

from __future__ import annotations

from typing import Any

import numpy as np

from klcal.adversaries import OBLIVIOUS
from klcal.experiments.game import Game
from klcal.forecasters.baselines import FastSquaredBlumMansour
from klcal.forecasters.rounds import Reduction
from klcal.games import replay
from klcal.games.deviations import Draws, deviation_ratios, printed_steps, rerun, sharper_steps
from klcal.grids import uniform_grid

#: Failure probability at which the lines of the proofs are evaluated.
DELTA = 0.05
#: How often a game is drawn if its mixtures are known in advance, and how often it is played anew if they are not.
REPLAYED, RERUN = 1000, 200

# Short names of the lines between Cal_2 and the bound.
_PRINTED = ("square", "eq15", "eq16", "cells", "theorem")
_SHARPER = ("square", "half", "deviations", "theorem")


def measure_replicates(game: Game) -> list[dict[str, Any]]:
    r"""Draw a game many times; for an oblivious adversary of Algorithm 1, the squared-loss algorithm as well.

    Parameters
    ----------
    game : Game
        Not a doubling game.

    Returns
    -------
    list of dict
        One row per forecaster ("Algorithm 1", "squared loss", "realised feedback"): the number of ``replicates``,
        ``points`` of the grid and how many were ``used``; the mean of ``pcal2``; mean, standard deviation, quantiles
        and maximum of ``cal2`` and of its ``excess`` over PCal_2; medians of the lines of the ``printed`` and the
        ``sharper`` proof at :math:`\delta = 0.05`; quantiles of the largest deviation of a ``count``, of ``ones`` and
        of a ``rate`` over its bound.

    Examples
    --------
    >>> rows = measure_replicates(Game("paper", "alternating", 50))
    >>> [(row["forecaster"], row["replicates"]) for row in rows]
    [('Algorithm 1', 1000), ('squared loss', 1000)]
    >>> measure_replicates(Game("realised", "zeros", 20))[0]["replicates"]
    200
    """
    if game.algorithm == "paper" and game.adversary in OBLIVIOUS:
        squared = FastSquaredBlumMansour(uniform_grid(_cells(game)))
        return [_row("Algorithm 1", _replay(game, None)), _row("squared loss", _replay(game, squared))]
    name = "Algorithm 1" if game.algorithm == "paper" else "realised feedback"
    return [_row(name, rerun(game.opponent(), game.K, game.algorithm, RERUN, rng=game.streams()[0]))]


def _cells(game: Game) -> int:
    if game.K is None:
        raise ValueError(f"game must not be a doubling game; got {game}")
    return game.K


def _replay(game: Game, reduction: Reduction | None) -> Draws:
    """Draw from the mixtures of Algorithm 1, or of another forecaster; one thread, as sweeps use processes."""
    forecaster, adversary = game.streams()
    outcomes = OBLIVIOUS[game.adversary](game.T, adversary)
    K = _cells(game) if reduction is None else None
    return Draws.of(replay(outcomes, K, REPLAYED, reduction=reduction, rng=forecaster, threads=1))


def _row(forecaster: str, draws: Draws) -> dict[str, Any]:
    cal2, excess = draws.cal2, draws.cal2 - draws.pcal2
    row: dict[str, Any] = {
        "forecaster": forecaster,
        "replicates": len(draws),
        "points": len(draws.points),
        "used": int((draws.mass > 0.0).any(axis=0).sum()),
        "pcal2": float(draws.pcal2.mean()),
        "cal2_mean": float(cal2.mean()),
        "cal2_sd": float(cal2.std()),
    }
    for name, values in (("cal2", cal2), ("excess", excess)):
        for percent in (5, 50, 95, 99):
            row[f"{name}_q{percent:02}"] = float(np.quantile(values, percent / 100))
        row[f"{name}_max"] = float(values.max())
    for name, steps, lines in (
        ("printed", printed_steps(draws, DELTA), _PRINTED),
        ("sharper", sharper_steps(draws, DELTA), _SHARPER),
    ):
        medians = [float(np.median(value)) for value in steps.values()]
        row |= {f"{name}_{line}": value for line, value in zip(lines, medians[1:], strict=True)}
    for name, ratios in deviation_ratios(draws, DELTA).items():
        row[f"{name}_q95"] = float(np.quantile(ratios.max(axis=1), 0.95))
    return row
