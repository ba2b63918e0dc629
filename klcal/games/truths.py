"""Games in which the adversary sets a probability before each round and is told forecast and outcome after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from klcal import _checks
from klcal._checks import FloatArray, OutcomeArray
from klcal.forecasters.baselines import Plain
from klcal.measures.cells import Cells


class TruthAdversary(Protocol):
    """An adversary with a truth; `klcal.adversaries.Staircase` is one."""

    truth: float

    def update(self, forecast: float, outcome: int) -> None:
        """End the round."""


@dataclass(frozen=True)
class TruthGame:
    """A finished game: truth, forecast and outcome of every round.

    Parameters
    ----------
    truths, forecasts : ndarray, shape (T,)
        In [0, 1].
    outcomes : ndarray of uint8, shape (T,)
        Zeros and ones.
    """

    truths: FloatArray
    forecasts: FloatArray
    outcomes: OutcomeArray

    @property
    def cells(self) -> Cells:
        """Realised cells: one per forecast that was made."""
        return Cells.from_forecasts(self.forecasts, self.outcomes)


def play_against_truths(
    forecaster: Plain, adversary: TruthAdversary, T: int, *, rng: np.random.Generator | int | None = None
) -> TruthGame:
    """Play T rounds; the outcome is 1 if a uniform number lies below the truth.

    Parameters
    ----------
    forecaster : object
        With ``predict()`` and ``update(outcome)``.
    adversary : object
        With ``truth`` and ``update(forecast, outcome)``. The truth is read before the forecast is made.
    T : int
        Number of rounds, at least 1.
    rng : None, int, Generator, ...
        Source of the outcomes, for ``numpy.random.default_rng``; it must not be the forecaster's.

    Returns
    -------
    TruthGame
        Truths, forecasts, outcomes.

    Examples
    --------
    >>> from klcal import Forecaster
    >>> from klcal.adversaries import Constants, Staircase
    >>> adversary = Staircase(
    ...     Constants(k=1, windows=2, theta=1.0, patience=8, freeze=2)
    ... )
    >>> game = play_against_truths(
    ...     Forecaster(algorithm="tree", rng=0), adversary, 5, rng=1
    ... )
    >>> game.truths.tolist(), adversary.state
    ([0.625, 0.625, 0.625, 0.625, 0.625], 'running')
    """
    T = _checks.integer("T", T, least=1)
    uniforms = np.random.default_rng(rng).random(T).tolist()
    truths, forecasts, outcomes = np.empty(T), np.empty(T), np.empty(T, dtype=np.uint8)
    for t, uniform in enumerate(uniforms):
        truth = adversary.truth
        forecast = forecaster.predict()
        outcome = int(uniform < truth)
        forecaster.update(outcome)
        adversary.update(forecast, outcome)
        truths[t], forecasts[t], outcomes[t] = truth, forecast, outcome
    return TruthGame(truths, forecasts, outcomes)
