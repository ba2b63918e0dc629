r"""Foster's forecaster: randomise between two neighbouring points of a uniform grid.

PAIR (`klcal.forecasters.pair`) is this idea carried over to the log loss and to the sine grid.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray
from klcal._kernels import two_neighbours as kernels
from klcal.forecasters.baselines.squared import weighted_mean
from klcal.forecasters.rounds import CompiledReduction, CountingReduction
from klcal.grids import Grid, uniform_grid


def neighbour_mixture(counts: npt.ArrayLike) -> FloatArray:
    r"""Return the mixture of Foster's two-neighbour rule, a function of the counts alone.

    Let :math:`g_i = \rho_i - \frac iK` be the gap of point i, and 0 if it was never forecast. If some gap is zero, the
    lowest such point has probability 1. Otherwise :math:`g_0 > 0 > g_K`, so there is a lowest i with
    :math:`g_i > 0 > g_{i+1}`, and these two points are mixed with :math:`P_i g_i + P_{i+1} g_{i+1} = 0`.

    Parameters
    ----------
    counts : array_like, shape (2, K + 1)
        How often each point was forecast with outcome 0 (first row) and 1 (second row): whole numbers.

    Returns
    -------
    ndarray, shape (K + 1,)
        A distribution on one point or two neighbours.

    Examples
    --------
    >>> neighbour_mixture([[0, 0, 0], [0, 0, 0]])
    array([1., 0., 0.])
    >>> neighbour_mixture([[0, 2, 1], [1, 1, 0]]).round(4)  # gaps 1, -1/6, -1
    array([0.1429, 0.8571, 0.    ])
    """
    zeros, ones = _checks.whole("counts", _checks.by_outcome("counts", counts))
    K = len(ones) - 1
    # K k - i n has the sign of the gap, and whole numbers have no rounding errors.
    excess = K * ones - np.arange(K + 1) * (ones + zeros)
    mixture = np.zeros(K + 1)
    calibrated = np.flatnonzero(excess == 0)
    if len(calibrated):
        mixture[calibrated[0]] = 1.0
        return mixture
    gaps = excess / ((ones + zeros) * K)
    i = int(np.flatnonzero(excess < 0)[0]) - 1
    above, below = gaps[i], -gaps[i + 1]
    mixture[i], mixture[i + 1] = below / (above + below), above / (above + below)
    return mixture


def _require_uniform(grid: Grid) -> None:
    K = len(grid) - 1
    if K < 2 or grid != uniform_grid(K):
        raise ValueError(f"grid must be uniform from 0 to 1; got {grid!r}")


class TwoNeighbours(CountingReduction):
    r"""Foster's two-neighbour forecaster in plain NumPy.

    Parameters
    ----------
    grid : Grid
        ``uniform_grid(K)``.

    Notes
    -----
    The idea is that of Foster (1999); the probabilities are those of Foster and Hart's forecast hedging, which compares
    gaps and not gaps times counts. A forecast of i with outcome y changes :math:`n_i g_i^2` by

    .. math:: 2 g_i (y - z_i) - g_i^2 + \frac{(y - \rho_i)^2}{n_i + 1}.

    With :math:`a = g_i` and :math:`b = -g_{i+1}` the first two terms have the conditional mean
    :math:`ab\bigl(\frac{2}{K(a+b)} - 1\bigr) \le \frac1{4K^2}`, whatever y is. Hence, against every adversary that does
    not see the draw,

    .. math:: \mathbb E[\mathsf{Cal}_2] \le (K+1)\,h\Bigl(\frac T{K+1}\Bigr) + \frac T{4K^2}

    with h as in `bounds.squared_loss_pcal2`. Nothing is promised about KLCal: the first forecast is 0, and a wrong one
    is infinitely bad.

    Examples
    --------
    >>> algorithm = TwoNeighbours(uniform_grid(2))
    >>> algorithm.mixture()
    array([1., 0., 0.])
    >>> algorithm.update(0, 1)
    >>> algorithm.leanings(), algorithm.mixture()
    (array([1. , 0.5, 1. ]), array([0., 1., 0.]))
    """

    learns_from_draws = True

    def __init__(self, grid: Grid) -> None:
        _require_uniform(grid)
        super().__init__(grid)

    def leanings(self) -> FloatArray:
        """Return the mean outcome of each point, and the point itself if it was never forecast."""
        zeros, ones = self.counts()
        return weighted_mean(ones, zeros, empty=self.grid.points)

    def _new_mixture(self) -> FloatArray:
        """Return one point, or two neighbours."""
        return neighbour_mixture(self.counts())


class FastTwoNeighbours(CompiledReduction):
    """The compiled twin of `TwoNeighbours`: same verbs, same numbers to the last bit.

    Parameters
    ----------
    grid : Grid
        ``uniform_grid(K)``.

    Examples
    --------
    >>> FastTwoNeighbours(uniform_grid(2)).mixture()
    array([1., 0., 0.])
    """

    learns_from_draws = True
    _kernels = kernels

    def __init__(self, grid: Grid) -> None:
        _require_uniform(grid)
        super().__init__(grid, kernels.new_bank(grid.points))
