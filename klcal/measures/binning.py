"""Forecasts that are moved before they are measured: to the points of a grid, or to the means of bins."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray
from klcal.grids import Grid


def round_to_grid(forecasts: npt.ArrayLike, grid: Grid) -> FloatArray:
    r"""Move each forecast to the grid point whose angle :math:`\arcsin\sqrt p` is nearest.

    Parameters
    ----------
    forecasts : array_like, shape (T,)
        Numbers in [0, 1].
    grid : Grid
        Where they go. On the sine grids the angles are equally spaced, and so are the bins.

    Returns
    -------
    ndarray, shape (T,)
        Points of the grid.

    Examples
    --------
    >>> round_to_grid([0.0, 0.3, 1.0], Grid([0.25, 0.5]))
    array([0.25, 0.25, 0.5 ])
    """
    p = _checks.probabilities("forecasts", forecasts, ndim=1)
    angles = np.arcsin(np.sqrt(grid.points))
    middles = (angles[1:] + angles[:-1]) / 2.0
    return np.asarray(grid.points[np.searchsorted(middles, np.arcsin(np.sqrt(p)))])


def move_to_bin_means(forecasts: npt.ArrayLike, bins: int) -> FloatArray:
    r"""Sort forecasts into bins, and move each to the mean forecast of its bin.

    Parameters
    ----------
    forecasts : array_like, shape (T,)
        Numbers in [0, 1].
    bins : int
        How many bins, at least 1; they are equally wide in the angle :math:`\arcsin\sqrt p`, so finer near 0 and 1.

    Returns
    -------
    ndarray, shape (T,)
        At most `bins` different numbers. The mean of all forecasts is kept, so calibrated forecasts stay so.

    Examples
    --------
    Two bins meet at 1/2.

    >>> move_to_bin_means([0.25, 0.75, 0.125, 1.0], 2)
    array([0.1875, 0.875 , 0.1875, 0.875 ])
    """
    p = _checks.probabilities("forecasts", forecasts, ndim=1)
    number = _checks.integer("bins", bins, least=1)
    places = np.minimum((np.arcsin(np.sqrt(p)) * (2.0 * number / np.pi)).astype(np.int64), number - 1)
    mass = np.bincount(places, minlength=number)
    lowest, highest = np.ones(number), np.zeros(number)
    np.minimum.at(lowest, places, p)
    np.maximum.at(highest, places, p)
    means = np.bincount(places, p, number) / np.maximum(mass, 1)
    # A mean lies between the forecasts; its rounded sum may miss that by a last digit.
    return np.asarray(np.minimum(np.maximum(means, lowest), highest)[places])
