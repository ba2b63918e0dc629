r"""The squared-loss algorithm of Fishelson and others, which the paper builds on.

Section 6 says that Algorithm 1 *or* this algorithm has a small Cal_2 with high probability. It is read from the
paper's description: the reduction of Blum and Mansour on a uniform grid, one learner per point that runs gradient
descent with scaled steps on the squared loss, and a rounding to the two neighbours that keeps the mean.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray
from klcal._kernels import blum_mansour
from klcal._kernels.bank import EXPECTED
from klcal.forecasters.reduction import BlumMansour
from klcal.forecasters.rounds import CompiledReduction
from klcal.grids import Grid
from klcal.grids.rounding import linear_rounding


def weighted_mean(ones: npt.ArrayLike, zeros: npt.ArrayLike, *, empty: npt.ArrayLike = 0.5) -> FloatArray:
    r"""Return the point that minimises :math:`\sum_s p_s (w - y_s)^2`.

    Parameters
    ----------
    ones, zeros : array_like
        Weights received with outcome 1 and with outcome 0, at least 0.
    empty : array_like
        What stands in for the mean before the first weight.

    Returns
    -------
    ndarray
        Means in [0, 1].

    Notes
    -----
    This is gradient descent: with :math:`S_t = p_1 + \dots + p_t`,

    .. math:: w_{t+1} = w_t - \frac{1}{2S_t}\,\nabla f_t(w_t), \qquad f_t(w) = p_t\,(w - y_t)^2,

    is the mean of all outcomes so far, weighted, because both sides move by :math:`\frac{p_t}{S_t}(y_t - w_t)`. It
    never leaves [0, 1], so nothing has to be projected.

    Examples
    --------
    >>> weighted_mean([0, 1, 0.5], [0, 0, 1.5])
    array([0.5 , 1.  , 0.25])
    """
    hits, misses = _checks.nonnegative("ones", ones), _checks.nonnegative("zeros", zeros)
    mass = hits + misses
    return np.asarray(np.divide(hits, mass, out=np.full(np.shape(mass), empty), where=mass > 0.0))


def _require_ends(grid: Grid) -> None:
    """Refuse a grid that does not reach from 0 to 1: the rounding would not keep the mean."""
    for index, end in ((0, 0.0), (len(grid) - 1, 1.0)):
        if grid.points[index] != end:
            raise ValueError(
                f"grid must reach from 0 to 1; got {grid.points[index].item()!r} at index {index}"
            )


class SquaredBlumMansour(BlumMansour):
    r"""Blum-Mansour for the squared loss in plain NumPy, the algorithm of Fishelson and others.

    Parameters
    ----------
    grid : Grid
        Where forecasts live, from 0 to 1, usually ``uniform_grid(K)``; one learner per point.

    Notes
    -----
    Learner i receives :math:`p_{t,i}(w - y_t)^2` and plays `weighted_mean`. Its regret is exactly
    :math:`\sum_t \frac{p_{t,i}^2}{S_{t,i}}(w_{t,i} - y_t)^2`, which is at most :math:`h(S_i)` with
    :math:`h(s) = s` up to 1 and :math:`1 + \log s` beyond. Rounding adds the variance of the rounded point, at most
    :math:`\frac{1}{4K^2}` on the uniform grid. Hence, on every path,

    .. math:: \mathsf{PCal}_2 \le \sum_i h(S_i) + \frac{T}{4K^2}.

    It says nothing about :math:`\mathsf{PKLCal}`: it does forecast 0 and 1, and a single wrong one is infinitely bad.
    The paper names no step size; :math:`1/2S_t` is the choice made here.

    Examples
    --------
    >>> from klcal.grids import uniform_grid
    >>> algorithm = SquaredBlumMansour(uniform_grid(2))
    >>> algorithm.mixture()
    array([0., 1., 0.])
    >>> algorithm.update(1, 1)
    >>> algorithm.leanings(), algorithm.mixture()
    (array([0.5, 1. , 0.5]), array([0. , 0.5, 0.5]))
    """

    learns_from_draws = False

    def __init__(self, grid: Grid) -> None:
        _require_ends(grid)
        super().__init__(grid, "paper")

    def leanings(self) -> FloatArray:
        """Return the mean outcome that each learner has seen, weighted."""
        return weighted_mean(self._by_mixture.ones, self._by_mixture.zeros)

    def _advice(self) -> FloatArray:
        """Return the matrix whose row i is learner i's point, rounded so that its mean is kept."""
        return linear_rounding(self.leanings(), self.grid)


class FastSquaredBlumMansour(CompiledReduction):
    """The compiled twin of `SquaredBlumMansour`: same verbs, same numbers to the last bit.

    Parameters
    ----------
    grid : Grid
        Where forecasts live, from 0 to 1.

    Examples
    --------
    >>> from klcal.grids import uniform_grid
    >>> FastSquaredBlumMansour(uniform_grid(2)).mixture()
    array([0., 1., 0.])
    """

    learns_from_draws = False
    _kernels = blum_mansour

    def __init__(self, grid: Grid) -> None:
        _require_ends(grid)
        super().__init__(grid, blum_mansour.new_bank(grid.points, EXPECTED, blum_mansour.LINEAR, prior=0))
