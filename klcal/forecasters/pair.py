r"""PAIR: a forecaster with a high-probability bound on its own KL-calibration.

It forecasts on the grid of Section 4, without learners, rounding or stationary distributions. Every grid point keeps a
smoothed mean of the outcomes it met, and has a cell around itself where that mean should lie. A round forecasts a point
whose mean does or, if there is none, one of two neighbours whose means lie beyond their common boundary on either side,
drawn such that the two means average to the boundary.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray
from klcal._kernels import tree as kernels
from klcal._kernels.bank import EXPECTED, REALISED
from klcal.forecasters.algorithm_1 import beta_mean
from klcal.forecasters.rounds import CompiledReduction, CountingReduction
from klcal.grids import Grid, cosine, inner_grid

# What each version learns from: the mixture's weights or the drawn forecast.
PAIRS = {"pair": REALISED, "pair-expected": EXPECTED}


def pair_boundaries(K: int) -> FloatArray:
    r"""Return the ends of the cells around the points of ``inner_grid(K)``.

    .. math:: m_i = \frac{z_i s_{i+1} + z_{i+1} s_i}{s_i + s_{i+1}}
              = \frac12 - \frac{\cos(\pi(2i+1)/2K)}{2\cos(\pi/2K)}, \qquad s_i = \sqrt{z_i(1 - z_i)},

    with :math:`m_0 = 0` and :math:`m_{K-1} = 1`. The odds of :math:`m_i` are the geometric mean of the odds of its
    neighbours, and :math:`(m_i - z_i)/s_i = (z_{i+1} - m_i)/s_{i+1} = \tan(\pi/2K)`.

    Parameters
    ----------
    K : int
        Number of cells of the sine grid, at least 2.

    Returns
    -------
    ndarray, shape (K,)
        Increasing from 0 to 1, correctly rounded; exactly 1/2 in the middle if K is odd. The cell of grid point i
        (counted from 0) is closed, from entry i to entry i + 1.

    Examples
    --------
    >>> pair_boundaries(2), pair_boundaries(3)
    (array([0., 1.]), array([0. , 0.5, 1. ]))
    >>> pair_boundaries(4).round(6)
    array([0.      , 0.292893, 0.707107, 1.      ])
    """
    return np.array(_boundaries(_checks.integer("K", K, least=2)))


@cache
def _boundaries(K: int) -> tuple[float, ...]:
    scale = cosine(1, 2 * K)
    return (0.0, *((scale - cosine(2 * i + 1, 2 * K)) / (2 * scale) for i in range(1, K - 1)), 1.0)


def kt_means(counts: npt.ArrayLike) -> FloatArray:
    r"""Return the Krichevsky-Trofimov means :math:`w_i = (k_i + \frac12)/(n_i + 1)`.

    Parameters
    ----------
    counts : array_like, shape (2, n)
        How often each grid point was forecast with outcome 0 (first row) and 1 (second row).

    Returns
    -------
    ndarray, shape (n,)
        Numbers in (0, 1); 1/2 where nothing was counted.

    Examples
    --------
    >>> kt_means([[0, 0, 3], [0, 1, 0]])
    array([0.5  , 0.75 , 0.125])
    """
    zeros, ones = _checks.by_outcome("counts", counts)
    return np.asarray((ones + 0.5) / ((ones + zeros) + 1.0))


def pair_rule(means: FloatArray, boundaries: FloatArray) -> FloatArray:
    r"""Return the mixture that PAIR plays when its buckets have the given means.

    (a) If some :math:`w_i` lies in its cell :math:`[m_{i-1}, m_i]`, the lowest such point has probability 1.
    (b) Otherwise :math:`w_1 > m_1` and :math:`w_{K-1} < m_{K-2}`, so there is a lowest i with
    :math:`w_i > m_i > w_{i+1}`. The points i and i + 1 are mixed with :math:`p\,w_i + (1-p)\,w_{i+1} = m_i`.

    Parameters
    ----------
    means : ndarray, shape (n,)
        The means :math:`w_i`, in [0, 1].
    boundaries : ndarray, shape (n + 1,)
        Ends of the cells, increasing from 0 to 1; see `pair_boundaries`.

    Returns
    -------
    ndarray, shape (n,)
        A distribution on one point or two neighbours.

    Examples
    --------
    >>> pair_rule(np.array([0.5, 0.5]), pair_boundaries(3))
    array([1., 0.])
    >>> pair_rule(np.array([0.75, 0.25]), pair_boundaries(3))
    array([0.5, 0.5])
    """
    mixture = np.zeros(len(means))
    inside = np.flatnonzero((boundaries[:-1] <= means) & (means <= boundaries[1:]))
    if len(inside):
        mixture[inside[0]] = 1.0
        return mixture
    between = boundaries[1:-1]
    i = int(np.flatnonzero((means[:-1] > between) & (between > means[1:]))[0])
    up, down = between[i] - means[i + 1], means[i] - between[i]
    mixture[i], mixture[i + 1] = up / (up + down), down / (up + down)
    return mixture


@cache
def _inner_grid(K: int) -> Grid:
    return inner_grid(K)


def _boundaries_of(grid: Grid) -> FloatArray:
    K = len(grid) + 1
    if grid != _inner_grid(K):
        raise ValueError(f"grid must be inner_grid({K}), if it has {K - 1} points; got {grid!r}")
    return pair_boundaries(K)


class Pair(CountingReduction):
    r"""PAIR in plain NumPy, one method per line of the algorithm.

    Parameters
    ----------
    grid : Grid
        ``inner_grid(K)``.
    algorithm : {"pair", "pair-expected"}
        "pair" counts the drawn forecasts and leans to :math:`(k + \frac12)/(n + 1)`. "pair-expected" gives each
        point its probability as weight and leans to :math:`(A + 1)/(S + 2)`.

    Examples
    --------
    >>> pair = Pair(inner_grid(3))
    >>> pair.mixture()
    array([1., 0.])
    >>> pair.update(0, 1)
    >>> pair.leanings(), pair.mixture()
    (array([0.75, 0.5 ]), array([0., 1.]))
    """

    def __init__(self, grid: Grid, algorithm: str = "pair") -> None:
        _checks.choice("algorithm", algorithm, PAIRS)
        self.boundaries = _boundaries_of(grid)
        super().__init__(grid)
        self.learns_from_draws = PAIRS[algorithm] == REALISED

    def leanings(self) -> FloatArray:
        """Return the mean :math:`w_i` of each bucket."""
        if self.learns_from_draws:
            return kt_means(self.counts())
        zeros, ones = self.weights()
        return beta_mean(ones, zeros)

    def _new_mixture(self) -> FloatArray:
        """Return one point, or two neighbours."""
        return pair_rule(self.leanings(), self.boundaries)


class FastPair(CompiledReduction):
    """The compiled twin of `Pair`: same verbs, same numbers to the last bit.

    What makes it fast: one bucket or two change in a round, and the next forecast is found next to them.

    Parameters
    ----------
    grid : Grid
        ``inner_grid(K)``.
    algorithm : {"pair", "pair-expected"}
        See `Pair`.

    Examples
    --------
    >>> FastPair(inner_grid(3)).mixture()
    array([1., 0.])
    """

    _kernels = kernels

    def __init__(self, grid: Grid, algorithm: str = "pair") -> None:
        _checks.choice("algorithm", algorithm, PAIRS)
        super().__init__(grid, kernels.new_bank(grid.points, _boundaries_of(grid), PAIRS[algorithm]))
        self.learns_from_draws = PAIRS[algorithm] == REALISED
