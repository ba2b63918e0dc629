"""Adaptive adversaries: each chooses round by round from a `View` of the game."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from klcal import _checks
from klcal._checks import FloatArray
from klcal._kernels.elementary import ln
from klcal.grids import Grid


@dataclass(frozen=True)
class View:
    """What an adaptive adversary sees before it chooses: everything but the draw of this round.

    Parameters
    ----------
    grid : Grid
        The forecaster's grid.
    mixture : ndarray, shape (n,)
        Distribution of this round's forecast.
    leanings : ndarray, shape (n,)
        The point of each learner.
    weights : ndarray, shape (2, n)
        Expected mass of all rounds before this one, by outcome and grid point.
    counts : ndarray, shape (2, n)
        Drawn forecasts of all rounds before this one, by outcome and grid point.
    """

    grid: Grid
    mixture: FloatArray
    leanings: FloatArray
    weights: FloatArray
    counts: FloatArray


@runtime_checkable
class Adaptive(Protocol):
    """An adversary that chooses round by round; any object with these two names will do."""

    @property
    def horizon(self) -> int:
        """Number of rounds it will play."""

    def choose(self, view: View) -> int:
        """Return the outcome of this round, 0 or 1."""


@dataclass(frozen=True)
class Player:
    """What every adaptive adversary here has: a number of rounds.

    Parameters
    ----------
    horizon : int
        Number of rounds, at least 1.
    """

    horizon: int

    def __post_init__(self) -> None:
        _checks.integer("horizon", self.horizon, least=1)


@dataclass(frozen=True)
class Oppose(Player):
    """Says 1 while the mean forecast is below 1/2, and 0 otherwise.

    Parameters
    ----------
    horizon : int
        Number of rounds.

    Examples
    --------
    >>> Oppose(10).horizon
    10
    """

    def choose(self, view: View) -> int:
        """Return the outcome of this round."""
        return int(mean_forecast(view) < 0.5)


@dataclass(frozen=True)
class Threshold(Player):
    """Says 1 while the mean forecast is below a threshold, and 0 otherwise: `Oppose` away from the middle.

    Parameters
    ----------
    horizon : int
        Number of rounds.
    threshold : float
        In [0, 1]; small by default, where cells are narrow.

    Examples
    --------
    >>> Threshold(10).threshold
    0.05
    """

    threshold: float = 0.05

    def __post_init__(self) -> None:
        super().__post_init__()
        _checks.probability("threshold", self.threshold)

    def choose(self, view: View) -> int:
        """Return the outcome of this round."""
        return int(mean_forecast(view) < self.threshold)


def mean_forecast(view: View) -> float:
    """Return the mean of this round's forecast.

    Parameters
    ----------
    view : View
        The game before the round.

    Returns
    -------
    float
        The sum of probability times grid point.

    Examples
    --------
    >>> empty = np.zeros((2, 2))
    >>> mean_forecast(
    ...     View(Grid([0.25, 0.75]), np.array([0.5, 0.5]), np.zeros(2), empty, empty)
    ... )
    0.5
    """
    support = np.flatnonzero(view.mixture)
    return float(np.cumsum(view.mixture[support] * view.grid.points[support])[-1])


@dataclass(frozen=True)
class Greedy(Player):
    """Says what raises KL-calibration more, in expectation over this round's draw; 0 on a tie.

    It is made for grids inside (0, 1). Where both outcomes cost infinitely much, on a point 0 or 1, it says 0.

    Parameters
    ----------
    horizon : int
        Number of rounds.
    cells : {"expected", "realised"}
        Raise pseudo KL-calibration, or KL-calibration of the drawn forecasts.

    Examples
    --------
    >>> Greedy(10).cells
    'expected'
    """

    cells: str = "expected"

    def __post_init__(self) -> None:
        super().__post_init__()
        _checks.choice("cells", self.cells, ("expected", "realised"))

    def choose(self, view: View) -> int:
        """Return the outcome of this round."""
        expected = self.cells == "expected"
        gain = 0.0
        for i in np.flatnonzero(view.mixture):
            p, z = float(view.mixture[i]), float(view.grid.points[i])
            zeros, ones = (view.weights if expected else view.counts)[:, i].tolist()
            added, weight = (p, 1.0) if expected else (1.0, p)
            gain += weight * (log_regret(z, ones + added, zeros) - log_regret(z, ones, zeros + added))
        return int(gain > 0.0)


def log_regret(point: float, ones: float, zeros: float) -> float:
    r"""Return :math:`n\,\mathsf{KL}(k/n, z)`, the part of one cell.

    Parameters
    ----------
    point : float
        The forecast z, in [0, 1].
    ones, zeros : float
        Mass that met outcome 1, and outcome 0.

    Returns
    -------
    float
        At least 0, up to rounding; infinite if a forecast 0 met a one or a forecast 1 a zero.

    Examples
    --------
    >>> log_regret(0.5, 1.0, 1.0), log_regret(0.5, 1.0, 0.0) == math.log(2)
    (0.0, True)
    >>> log_regret(0.0, 1.0, 5.0), log_regret(0.0, 0.0, 5.0)
    (inf, 0.0)
    """
    if (ones > 0.0 and point == 0.0) or (zeros > 0.0 and point == 1.0):
        return math.inf
    mass = ones + zeros
    value = 0.0
    if ones > 0.0:
        value += ones * ln(ones / (mass * point))
    if zeros > 0.0:
        value += zeros * ln(zeros / (mass * (1.0 - point)))
    return value


def rises(point: float, ones: float, zeros: float) -> tuple[float, float]:
    r"""Return by how much :math:`n\,\mathsf{KL}(k/n, z)` of one cell rises if it is drawn and the outcome is 0, or 1.

    Parameters
    ----------
    point : float
        The forecast z, in [0, 1].
    ones, zeros : float
        Mass that met outcome 1, and outcome 0, before.

    Returns
    -------
    tuple of float
        The rise with outcome 0, then with outcome 1.

    Examples
    --------
    >>> rises(0.5, 0.0, 0.0) == (math.log(2), math.log(2))
    True
    """
    before = log_regret(point, ones, zeros)
    return log_regret(point, ones, zeros + 1.0) - before, log_regret(point, ones + 1.0, zeros) - before


@dataclass(frozen=True)
class Border(Player):
    """Pushes the learner of the likeliest forecast across the nearer border of its rounding cell.

    The upper border wins ties; a learner outside the grid is pushed back in.

    Parameters
    ----------
    horizon : int
        Number of rounds.

    Examples
    --------
    >>> Border(10).horizon
    10
    """

    def choose(self, view: View) -> int:
        """Return the outcome of this round."""
        w = view.leanings[int(np.argmax(view.mixture))]
        points = view.grid.points
        if w < points[0] or w >= points[-1]:
            return int(w < points[0])
        j = int(np.searchsorted(points, w, side="right")) - 1
        return int(points[j + 1] - w <= w - points[j])
