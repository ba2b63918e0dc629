"""Forecasters that forecast and learn round by round, on a grid or not."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray
from klcal.grids import Grid


@runtime_checkable
class Streaming(Protocol):
    """A forecaster in one round: a distribution over `grid`, a forecast drawn from it, then the outcome."""

    @property
    def grid(self) -> Grid:
        """The forecasts that are possible in this round."""

    def mixture(self) -> FloatArray:
        """Return the distribution of this round's forecast over `grid`."""

    def predict(self) -> float:
        """Return this round's forecast; asking again gives the same."""

    def update(self, outcome: int) -> None:
        """End the round with the outcome 0 or 1."""


@runtime_checkable
class Plain(Protocol):
    """The least that a forecaster of your own must do: say a number in [0, 1], and be told the outcome."""

    def predict(self) -> float:
        """Return this round's forecast; asking again gives the same."""

    def update(self, outcome: int) -> None:
        """End the round with the outcome 0 or 1."""


class Deterministic(ABC):
    """A forecaster without chance: its grid has a single point in each round."""

    #: What its grid is called.
    _called: str

    @abstractmethod
    def predict(self) -> float:
        """Return this round's forecast; asking again gives the same."""

    @property
    def grid(self) -> Grid:
        """The one forecast of this round."""
        return Grid([self.predict()], self._called)

    def mixture(self) -> FloatArray:
        """Return probability 1 for the one forecast of this round."""
        return np.ones(1)


class OneForecast(Deterministic):
    """A forecaster with `predict` and `update` only, as one whose grid has a single point in each round.

    Parameters
    ----------
    forecaster : Plain
        Who forecasts, without chance.

    Examples
    --------
    >>> OneForecast(RunningMean()).grid.points
    array([0.5])
    """

    _called = "one forecast"

    def __init__(self, forecaster: Plain) -> None:
        if not isinstance(forecaster, Plain):
            raise ValueError(f"forecaster must have the methods predict and update; got {forecaster!r}")
        self.forecaster = forecaster

    def predict(self) -> float:
        """Return this round's forecast."""
        return _checks.probability(f"forecast of {self.forecaster!r}", self.forecaster.predict())

    def update(self, outcome: int) -> None:
        """End the round with the outcome 0 or 1."""
        self.forecaster.update(outcome)


class RunningMean(Deterministic):
    r"""Forecast the mean of all outcomes so far, perhaps smoothed: :math:`(k + a)/(n + 2a)`.

    Parameters
    ----------
    prior : float
        The number a of imaginary ones, and of imaginary zeros. 0 is follow-the-leader, 1 is Laplace's rule.

    Notes
    -----
    Follow-the-leader has an external regret of at most :math:`1 + \log T` under the squared loss, but an infinite one
    under the log loss (outcomes 0, 1). Laplace's rule has at most :math:`\log(T + 1)` under the log loss. Neither is
    calibrated, and neither means to be: nearly every forecast is a new number, so that nearly every round is a cell
    of its own.

    Examples
    --------
    >>> mean, laplace = RunningMean(), RunningMean(prior=1)
    >>> mean.update(1), laplace.update(1)
    (None, None)
    >>> mean.predict(), laplace.predict()
    (1.0, 0.6666666666666666)
    """

    _called = "the mean so far"

    def __init__(self, prior: float = 0.0) -> None:
        self._prior = _checks.real("prior", prior, least=0.0)
        self._zeros = self._ones = 0

    def __repr__(self) -> str:
        return f"RunningMean(prior={self._prior:g}, after {self._zeros + self._ones} rounds)"

    def predict(self) -> float:
        """Return the mean of the outcomes so far, and 1/2 before the first if nothing is added to them."""
        return smoothed_mean(self._ones, self._zeros, self._prior, empty=0.5)

    def update(self, outcome: int) -> None:
        """End the round with the outcome 0 or 1."""
        if _checks.outcome("outcome", outcome):
            self._ones += 1
        else:
            self._zeros += 1

    def forecasts(self, outcomes: npt.ArrayLike) -> FloatArray:
        """Return the forecasts of a whole game that starts now, without playing it; the same bits as round by round.

        Parameters
        ----------
        outcomes : array_like of {0, 1}, shape (T,)
            What will happen.

        Returns
        -------
        ndarray, shape (T,)
            Forecast t uses the outcomes before t only.

        Examples
        --------
        >>> RunningMean(prior=1).forecasts([1, 1, 0])
        array([0.5       , 0.66666667, 0.75      ])
        """
        y = _checks.outcomes("outcomes", outcomes)
        ones = self._ones + np.cumsum(y, dtype=np.int64) - y
        mass = (self._ones + self._zeros + np.arange(len(y))) + 2.0 * self._prior
        return np.asarray(np.divide(ones + self._prior, mass, out=np.full(len(y), 0.5), where=mass > 0.0))


def smoothed_mean(ones: int, zeros: int, prior: float, *, empty: float) -> float:
    """Return the mean of some outcomes with `prior` ones and `prior` zeros added.

    Parameters
    ----------
    ones, zeros : int
        How many outcomes were 1, and 0.
    prior : float
        How many of each are added.
    empty : float
        What to return if there is nothing to average.

    Returns
    -------
    float

    Examples
    --------
    >>> smoothed_mean(1, 3, 0.0, empty=0.5), smoothed_mean(0, 0, 0.0, empty=0.25)
    (0.25, 0.25)
    """
    mass = (ones + zeros) + 2.0 * prior
    return (ones + prior) / mass if mass > 0.0 else empty


class Given(Deterministic):
    """Somebody else's forecasts, read out one by one.

    Parameters
    ----------
    forecasts : array_like, shape (T,)
        Numbers in [0, 1].

    Examples
    --------
    >>> given = Given([0.25, 0.75])
    >>> given.predict(), given.update(1), given.predict()
    (0.25, None, 0.75)
    """

    _called = "given"

    def __init__(self, forecasts: npt.ArrayLike) -> None:
        self._forecasts = _checks.probabilities("forecasts", forecasts, ndim=1)
        _checks.nonempty("forecasts", self._forecasts)
        self._round = 0

    def __repr__(self) -> str:
        return f"Given({len(self._forecasts)} forecasts, after {self._round} rounds)"

    def predict(self) -> float:
        """Return this round's forecast."""
        if self._round >= len(self._forecasts):
            raise ValueError(f"forecasts must reach to this round; got {len(self._forecasts)} of them")
        return float(self._forecasts[self._round])

    def update(self, outcome: int) -> None:
        """End the round; given forecasts do not learn."""
        _checks.outcome("outcome", outcome)
        self.predict()
        self._round += 1
