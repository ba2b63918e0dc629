"""`play_match`: any forecaster against any opponent, also those of your own."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray, OutcomeArray
from klcal.adversaries import Adaptive, View
from klcal.forecasters import GridForecaster
from klcal.forecasters.baselines import Plain, RunningMean, Streaming
from klcal.forecasters.baselines.streaming import OneForecast
from klcal.games.play import _opponent, _play
from klcal.measures.cells import Cells


@dataclass(frozen=True)
class Match:
    """A game of any forecaster.

    Parameters
    ----------
    outcomes : ndarray of uint8, shape (T,)
        What happened.
    expected, realised : Cells
        Cells of the mixtures, and of the drawn forecasts; equal numbers share a cell.
    """

    outcomes: OutcomeArray
    expected: Cells
    realised: Cells


def play_match(forecaster: Streaming | Plain, opponent: npt.ArrayLike | Adaptive) -> Match:
    """Let any forecaster play, on a grid or not.

    Parameters
    ----------
    forecaster : Streaming or Plain
        Before its first round; it is played on. One that has `predict` and `update` only is taken to be deterministic.
    opponent : array_like of {0, 1}, or an adaptive adversary
        As for `klcal.run`. For forecasts that are on no grid, an adaptive adversary sees the possible forecasts of
        this round, and what happened in earlier rounds with equal ones.

    Returns
    -------
    Match

    Examples
    --------
    >>> play_match(RunningMean(), [1, 1, 0]).realised
    Cells(points=array([0.5, 1. ]), mass=array([1., 2.]), ones=array([1., 1.]))
    """
    adversary, outcomes = _opponent(opponent, "opponent")
    if type(forecaster) is GridForecaster:  # on one grid, not on those of the doubling trick
        _play(forecaster.reduction, adversary, outcomes, forecaster.rng.random(len(outcomes)))
        return Match(outcomes, forecaster.expected, forecaster.realised)
    if isinstance(forecaster, RunningMean) and adversary is None:
        cells = Cells.from_forecasts(forecaster.forecasts(outcomes), outcomes)
        return Match(outcomes, cells, cells)
    stream = forecaster if isinstance(forecaster, Streaming) else OneForecast(forecaster)
    return _play_stream(stream, adversary, outcomes)


class _Tally:
    """Mass by outcome of every forecast that occurred."""

    def __init__(self) -> None:
        self._mass: dict[float, list[float]] = defaultdict(lambda: [0.0, 0.0])

    def add(self, point: float, outcome: int, weight: float) -> None:
        self._mass[point][outcome] += weight

    def at(self, points: list[float]) -> FloatArray:
        return np.array([self._mass.get(point, (0.0, 0.0)) for point in points]).T

    def cells(self) -> Cells:
        points = sorted(self._mass)
        return Cells.from_weights(points, self.at(points))


def _play_stream(forecaster: Streaming, adversary: Adaptive | None, outcomes: OutcomeArray) -> Match:
    expected, realised = _Tally(), _Tally()
    for t in range(len(outcomes)):
        grid, mixture = forecaster.grid, forecaster.mixture()
        points = grid.points.tolist()
        if adversary is not None:
            view = View(grid, mixture, grid.points, expected.at(points), realised.at(points))
            outcomes[t] = _checks.outcome("outcome chosen by the adversary", adversary.choose(view))
        y = int(outcomes[t])
        for point, weight in zip(points, mixture.tolist(), strict=True):
            expected.add(point, y, weight)
        realised.add(forecaster.predict(), y, 1.0)
        forecaster.update(y)
    return Match(outcomes, expected.cells(), realised.cells())
