r"""Rounding a number :math:`w \in [0, 1]` to a distribution over a grid: three schemes.

`log_rounding` is the paper's Algorithm 4 (``alg:rounding_alg``), repaired at the ends; the other two are the schemes
of Remark 1 (``rem:rounding``).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray
from klcal.grids.points import Grid, require_interior
from klcal.losses import log

# From numbers and the grid points left and right of them to the shares of both.
Shares = Callable[[FloatArray, FloatArray, FloatArray], tuple[FloatArray, FloatArray]]


def _spread(w: npt.ArrayLike, grid: Grid, shares_of: Shares) -> FloatArray:
    """Put the shares of the two neighbours of each w into a (..., n) array; outside the grid, the end takes all."""
    values = _checks.probabilities("w", w, ndim=(0, 1))
    points = grid.points
    flat = values.reshape(-1)
    # i with z_i <= w < z_{i+1}; -1 below the first point, n - 1 from the last point on
    cell = np.searchsorted(points, flat, side="right") - 1
    shares = np.zeros((len(flat), len(points)))
    shares[cell < 0, 0] = 1.0
    shares[cell == len(points) - 1, -1] = 1.0
    inside = np.flatnonzero((cell >= 0) & (cell < len(points) - 1))
    i = cell[inside]
    low, high = shares_of(flat[inside], points[i], points[i + 1])
    shares[inside, i] = low
    shares[inside, i + 1] = high
    return shares.reshape(*values.shape, len(points))


def _log_shares(w: FloatArray, left: FloatArray, right: FloatArray) -> tuple[FloatArray, FloatArray]:
    low = (right - w) * (left * (1.0 - left))
    high = (w - left) * (right * (1.0 - right))
    total = low + high
    return low / total, high / total


def _linear_shares(w: FloatArray, left: FloatArray, right: FloatArray) -> tuple[FloatArray, FloatArray]:
    width = right - left
    return (right - w) / width, (w - left) / width


def _nearest_shares(w: FloatArray, left: FloatArray, right: FloatArray) -> tuple[FloatArray, FloatArray]:
    to_left = w - left <= right - w
    return np.where(to_left, 1.0, 0.0), np.where(to_left, 0.0, 1.0)


def log_rounding(w: npt.ArrayLike, grid: Grid) -> FloatArray:
    r"""Return RROUND of `w`, the randomised rounding for the log loss (``alg:rounding_alg``).

    For :math:`z_i \le w < z_{i+1}` the two neighbours get

    .. math:: q_i \propto \frac{z_{i+1} - w}{z_{i+1}(1 - z_{i+1})}, \qquad
              q_{i+1} \propto \frac{w - z_i}{z_i(1 - z_i)},

    computed after multiplying both by :math:`z_i(1-z_i)z_{i+1}(1-z_{i+1})`, which saves two divisions.

    Parameters
    ----------
    w : float or array_like, shape (m,)
        Numbers in [0, 1].
    grid : Grid
        Points strictly inside (0, 1).

    Returns
    -------
    ndarray, shape (n,) or (m, n)
        Distributions over the grid. A `w` on a grid point gives exactly that point.

    Notes
    -----
    The paper leaves the rounding undefined below the first point and from the last point on. EWOO does go there, so
    those `w` are rounded to the end point; the extra cost is at most :math:`-2\log\cos\frac{\pi}{4K}` on the grid of
    Section 5.

    Examples
    --------
    >>> from klcal.grids import Grid
    >>> log_rounding(0.5, Grid([0.25, 0.5, 0.75]))
    array([0., 1., 0.])
    >>> log_rounding([0.1, 0.625], Grid([0.25, 0.5, 0.75]))
    array([[1.        , 0.        , 0.        ],
           [0.        , 0.57142857, 0.42857143]])
    """
    require_interior(grid)
    return _spread(w, grid, _log_shares)


def linear_rounding(w: npt.ArrayLike, grid: Grid) -> FloatArray:
    r"""Return the mean-preserving rounding of `w` to its two neighbours (scheme (b) of ``rem:rounding``).

    .. math:: q_i = \frac{z_{i+1} - w}{z_{i+1} - z_i}, \qquad q_{i+1} = \frac{w - z_i}{z_{i+1} - z_i}

    Parameters
    ----------
    w : float or array_like, shape (m,)
        Numbers in [0, 1]; outside the grid the end point takes all.
    grid : Grid
        Any grid.

    Returns
    -------
    ndarray, shape (n,) or (m, n)
        Distributions over the grid.

    Examples
    --------
    >>> from klcal.grids import Grid
    >>> linear_rounding(0.625, Grid([0.25, 0.5, 1.0]))
    array([0.  , 0.75, 0.25])
    """
    return _spread(w, grid, _linear_shares)


def nearest_rounding(w: npt.ArrayLike, grid: Grid) -> FloatArray:
    """Return all mass on the grid point nearest to `w` (scheme (a) of ``rem:rounding``); ties go to the lower point.

    Parameters
    ----------
    w : float or array_like, shape (m,)
        Numbers in [0, 1].
    grid : Grid
        Any grid.

    Returns
    -------
    ndarray, shape (n,) or (m, n)
        Distributions over the grid.

    Examples
    --------
    >>> from klcal.grids import Grid
    >>> nearest_rounding([0.375, 0.8], Grid([0.25, 0.5, 0.75]))
    array([[1., 0., 0.],
           [0., 0., 1.]])
    """
    return _spread(w, grid, _nearest_shares)


_ROUNDINGS = {"log": log_rounding, "linear": linear_rounding, "nearest": nearest_rounding}


def rounding_change(
    w: npt.ArrayLike, grid: Grid, outcome: npt.ArrayLike, *, scheme: str = "log"
) -> float | FloatArray:
    r"""Return :math:`\mathbb E\,\ell(q, y) - \ell(w, y)` of the log loss, q being `w` rounded (``lem:rounding``).

    Parameters
    ----------
    w : float or array_like, shape (m,)
        Numbers in [0, 1].
    grid : Grid
        Where to round to.
    outcome : {0, 1} or array_like, shape (m,)
        The outcome y, one for all or one for each `w`.
    scheme : {"log", "linear", "nearest"}
        Algorithm 4 with clamped ends, or one of the two schemes of ``rem:rounding``.

    Returns
    -------
    float or ndarray, shape (m,)
        Positive where rounding costs, negative where it gains; exactly 0 on grid points. Minus infinity where `w` is
        infinitely wrong and the rounding is not, plus infinity where it is the other way round.

    Examples
    --------
    >>> from klcal.grids import full_grid
    >>> round(rounding_change(0.5, full_grid(3), 1), 6), round(np.log(4 / 3) / 2, 6)
    (0.143841, np.float64(0.143841))
    >>> rounding_change([0.25, 0.0], full_grid(3), 1)
    array([  0., -inf])
    """
    rounding = _ROUNDINGS[_checks.choice("scheme", scheme, _ROUNDINGS)]
    values = _checks.probabilities("w", w, ndim=(0, 1))
    flat = values.reshape(-1)
    if np.ndim(outcome) == 0:
        y = np.full(len(flat), _checks.outcome("outcome", outcome))
    else:
        y = _checks.outcomes("outcome", outcome).astype(np.int64)
        _checks.same_length("outcome", y, "w", flat)
    shares, column = rounding(flat, grid), y[:, np.newaxis]
    # Left out are differences that no draw shows, among them infinity minus infinity on a grid point 0 or 1.
    moved = (shares > 0.0) & (grid.points != flat[:, np.newaxis])
    excess = np.zeros(shares.shape)
    np.subtract(log(grid.points, column), log(flat[:, np.newaxis], column), out=excess, where=moved)
    change = np.sum(shares * excess, axis=1)
    return float(change[0]) if values.ndim == 0 else change
