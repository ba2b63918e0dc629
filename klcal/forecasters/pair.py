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
from klcal.forecasters.rounds import CompiledReduction
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


@cache
def _inner_grid(K: int) -> Grid:
    return inner_grid(K)


def _boundaries_of(grid: Grid) -> FloatArray:
    K = len(grid) + 1
    if grid != _inner_grid(K):
        raise ValueError(f"grid must be inner_grid({K}), if it has {K - 1} points; got {grid!r}")
    return pair_boundaries(K)


class FastPair(CompiledReduction):
    r"""PAIR, compiled: the lowest point whose mean lies in its cell or, if there is none, the lowest pair.

    What makes it fast: one bucket or two change in a round, and the next forecast is found next to them.

    Parameters
    ----------
    grid : Grid
        ``inner_grid(K)``.
    algorithm : {"pair", "pair-expected"}
        "pair" counts the drawn forecasts and leans to :math:`(k + \frac12)/(n + 1)`. "pair-expected" gives each
        point its probability as weight and leans to :math:`(A + 1)/(S + 2)`.

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
