r"""How far from the diagonal a cell of a calibrated forecaster may lie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import bdtr

from klcal import _checks
from klcal._checks import FloatArray, IntArray
from klcal.measures.cells import Cells


@dataclass(frozen=True, eq=False)
class Band:
    """Between which frequencies of ones a forecast is consistent with its outcomes.

    Parameters
    ----------
    lower, upper : ndarray, shape (n,)
        Ends of the interval of each cell.
    """

    lower: FloatArray
    upper: FloatArray


def consistency_band(cells: Cells, level: float = 0.95) -> Band:
    r"""Return for each cell the central interval of :math:`\mathrm{Bin}(n_p, p)/n_p`.

    If each of the :math:`n_p` outcomes were a coin flip with bias p, the frequency of ones would lie in the interval
    with probability at least `level`, and beyond either end with at most half of the rest. The interval is
    that of one cell with a given count, not of all cells at once.

    Parameters
    ----------
    cells : Cells
        Realised cells: every mass is a whole number.
    level : float
        Probability of the interval, strictly between 0 and 1.

    Returns
    -------
    Band
        Both ends are possible frequencies :math:`k/n_p`; a cell without mass has [0, 1].

    Examples
    --------
    Ten fair coins show fewer than two ones with probability 11/1024, fewer than three with 56/1024, which is over 5%:

    >>> band = consistency_band(Cells([0.5], [10], [0]), 0.9)
    >>> band.lower, band.upper
    (array([0.2]), array([0.8]))
    """
    share = _checks.probability("level", level)
    if share in (0.0, 1.0):
        raise ValueError(f"level must lie strictly between 0 and 1; got {level!r}")
    _checks.whole("mass", cells.mass)
    tail = (1.0 - share) / 2.0
    seen = cells.mass > 0.0
    n, p = cells.mass[seen].astype(np.int64), cells.points[seen]
    lower, upper = np.zeros(len(cells)), np.ones(len(cells))
    lower[seen] = _binomial_quantile(tail, n, p) / n
    # The upper end by symmetry: zeros of bias 1 - p.
    upper[seen] = (n - _binomial_quantile(tail, n, 1.0 - p)) / n
    return Band(lower, upper)


def _binomial_quantile(tail: float, n: IntArray, p: FloatArray) -> IntArray:
    """Return the largest k with P(Bin(n, p) < k) <= tail, by bisection on the distribution function."""
    low, high = np.zeros_like(n), n.copy()
    while (low < high).any():
        middle = (low + high + 1) // 2
        # P(X < k) = P(X <= k - 1) increases with k; k = 0 always qualifies. Cells that are done ask about k = 0 or n.
        rare = bdtr(np.maximum(middle - 1, 0), n, p) <= tail
        rare |= middle == 0
        low, high = np.where(rare, middle, low), np.where(rare, high, middle - 1)
    return low
