r"""The classic way to calibration: no internal regret under the squared loss, by exponential weights on pairs."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray
from klcal._kernels import internal_regret as kernels
from klcal._kernels.elementary import ln
from klcal.forecasters.baselines.squared import weighted_mean
from klcal.forecasters.rounds import CompiledReduction, CountingReduction
from klcal.grids import Grid


def internal_regrets(weights: npt.ArrayLike, grid: Grid) -> FloatArray:
    r"""Return the regrets :math:`R_{ij} = \sum_t P_{t,i}\bigl((z_i - y_t)^2 - (z_j - y_t)^2\bigr)`.

    Parameters
    ----------
    weights : array_like, shape (2, n)
        Expected mass of each grid point with outcome 0 (first row) and 1 (second row).
    grid : Grid
        The n points.

    Returns
    -------
    ndarray, shape (n, n)
        Row i, column j: what would have been saved by saying j whenever i was said.

    Examples
    --------
    >>> internal_regrets([[1, 0], [0, 2]], Grid([0.0, 1.0]))
    array([[ 0., -1.],
           [-2.,  0.]])
    """
    zeros, ones = _checks.nonnegative("weights", weights, ndim=2)[:, :, None]
    z = grid.points
    with_ones = (1.0 - z)[:, None] ** 2 - (1.0 - z) ** 2
    return np.asarray(ones * with_ones + zeros * (z[:, None] ** 2 - z**2))


def balanced_mixture(log_rates: FloatArray) -> FloatArray:
    r"""Return the distribution p with :math:`p_i \sum_j r_{ij} = \sum_j p_j r_{ji}`, from the logarithms of the rates.

    Parameters
    ----------
    log_rates : ndarray, shape (n, n)
        Logarithms of positive rates; the diagonal is not used.

    Returns
    -------
    ndarray, shape (n,)
        The stationary distribution. This is the elimination of Grassmann, Taksar and Heyman with sums, products and
        quotients of logarithms, so nothing underflows on the way.

    Examples
    --------
    >>> balanced_mixture(np.log([[1.0, 3.0], [1.0, 1.0]]))
    array([0.25, 0.75])
    """
    rates = np.array(log_rates, dtype=np.float64)
    n = len(rates)
    for k in range(n - 1, 0, -1):
        leaving = np.logaddexp.reduce(rates[k, :k])
        rates[:k, k] -= leaving
        rates[:k, :k] = np.logaddexp(rates[:k, :k], rates[:k, k, None] + rates[k, :k])
    logs = np.zeros(n)
    for k in range(1, n):
        logs[k] = np.logaddexp.reduce(logs[:k] + rates[:k, k])
    return np.asarray(np.exp(logs - np.logaddexp.reduce(logs)))


def _learning_rate(horizon: int, points: int) -> float:
    return math.sqrt(8.0 * ln(float(points * (points - 1))) / horizon)


class InternalRegret(CountingReduction):
    r"""Exponential weights on the internal regrets of the squared loss, in plain NumPy.

    Parameters
    ----------
    grid : Grid
        Where forecasts live, at least two points.
    horizon : int
        Number of rounds T that the learning rate is made for.

    Notes
    -----
    With weights :math:`\Delta_{ij} \propto \exp(\eta R_{ij})` on the pairs :math:`i \ne j` the mixture solves
    :math:`p_i \sum_j \Delta_{ij} = \sum_j p_j \Delta_{ji}`, and
    :math:`\eta = \sqrt{8 \log(n(n-1))/T}` for n points. This is the reduction in the manner of Foster and Vohra as
    Stoltz and Lugosi write it. On every path

    .. math:: \max_{i,j} R_{ij} \le \sqrt{\tfrac T2 \log(n(n-1))},

    and since the nearest point of the uniform grid is at most :math:`\frac1{2K}` away, PCal_2 is at most
    :math:`K + 1` times that plus :math:`\frac T{4K^2}`: with :math:`K \approx T^{1/6}` about :math:`T^{2/3}`, while the
    squared-loss algorithm has :math:`T^{1/3}`. The largest regret over pairs is small, but there are as many rows as
    points, and a swap function moves them all. Nothing is promised about PKLCal: 0 and 1 are forecast.

    Examples
    --------
    >>> from klcal.grids import uniform_grid
    >>> algorithm = InternalRegret(uniform_grid(2), horizon=100)
    >>> algorithm.mixture().round(12)
    array([0.33333333, 0.33333333, 0.33333333])
    >>> algorithm.update(2, 0)
    >>> bool(algorithm.mixture()[0] > 1 / 3 > algorithm.mixture()[2])
    True
    """

    learns_from_draws = False

    def __init__(self, grid: Grid, horizon: int) -> None:
        self._rate = _learning_rate(_checks.integer("horizon", horizon, least=1), _several(grid))
        super().__init__(grid)

    def leanings(self) -> FloatArray:
        """Return the mean outcome of each point, weighted, and the point itself before it got any weight."""
        zeros, ones = self.weights()
        return weighted_mean(ones, zeros, empty=self.grid.points)

    def _new_mixture(self) -> FloatArray:
        """Return the distribution under which the weighted pairs balance."""
        return balanced_mixture(self._rate * internal_regrets(self.weights(), self.grid))


def _several(grid: Grid) -> int:
    if len(grid) < 2:
        raise ValueError(f"grid must have at least two points; got {grid!r}")
    return len(grid)


class FastInternalRegret(CompiledReduction):
    """The compiled twin of `InternalRegret`: same verbs, same numbers up to rounding.

    Parameters
    ----------
    grid : Grid
        Where forecasts live, at least two points.
    horizon : int
        Number of rounds that the learning rate is made for.

    Examples
    --------
    >>> from klcal.grids import uniform_grid
    >>> FastInternalRegret(uniform_grid(3), horizon=100).mixture()
    array([0.25, 0.25, 0.25, 0.25])
    """

    learns_from_draws = False
    _kernels = kernels

    def __init__(self, grid: Grid, horizon: int) -> None:
        rate = _learning_rate(_checks.integer("horizon", horizon, least=1), _several(grid))
        super().__init__(grid, kernels.new_bank(grid.points, rate))
