r"""Explicit algorithms for KLCal: two neighbouring points that balance, with bounds that hold for all t at once.

The algorithm ``"pair"`` plays on the inner grid. Bucket i has the mean :math:`w_i = (k_i+\frac12)/(n_i+1)` of
Krichevsky and Trofimov and the cell between the boundaries
:math:`m_i = \sin a\,\sin b/\cos(b-a)` of neighbouring points :math:`\sin^2a, \sin^2b`. If some mean lies in
its cell, its point is played; else two neighbours whose means balance at their common boundary.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from klcal import _checks, grids
from klcal._checks import FloatArray
from klcal.bounds._common import (
    Value,
    failure_probability,
    horizon,
    integers,
    log_secant_squared,
    plain,
    resolution,
)
from klcal.bounds.rounding_costs import rounding_cost


def _tail(delta: npt.ArrayLike | None, factor: float) -> FloatArray:
    """Return factor * log(1 / delta), and 0 for a bound on the expectation."""
    return np.zeros(()) if delta is None else -factor * np.log(failure_probability(delta))


def _grid_cost(K: npt.ArrayLike) -> FloatArray:
    """Return 2 log sec(pi / 2K), what one round costs by the grid."""
    return log_secant_squared(math.pi / (2.0 * resolution(K)))


def _bets(T: FloatArray, buckets: FloatArray) -> FloatArray:
    """Return N log(4T / N) with N = min(T, buckets): the largest sum of log(4 n_i) over counts that add up to T."""
    used = np.minimum(T, buckets)
    return np.asarray(used * np.log(4.0 * T / used))


def pair_from_counts(counts: npt.ArrayLike, K: int, delta: npt.ArrayLike | None = None) -> Value:
    r"""Return the bound on KLCal of the pair algorithm for given counts (``new:pair``).

    .. math:: \sum_{i:\,n_i\ge1}\log(4n_i) + 2t\log\sec\frac{\pi}{2K} + 2\log\frac1\delta,
              \qquad t = \sum_i n_i

    Parameters
    ----------
    counts : array_like of int, shape (..., K - 1)
        How often each point was played; they add up to t.
    K : int
        Resolution of the inner grid, at least 2.
    delta : array_like or None
        Probability, in (0, 1], that the bound fails at some t; None for the bound without the last term, which holds
        for the means of both sides.

    Returns
    -------
    float or ndarray, shape (...)

    Notes
    -----
    The quotients of the mean and of the mean clipped to its cell multiply to a martingale with mean 1, whose
    logarithm is at least :math:`\sum_i n_i\mathsf{KL}(\rho_i, C_i) - \frac12\sum\log(4n_i)`. From the cell to its
    point the divergence at most doubles and grows by :math:`2\log\sec\frac\pi{2K}`.

    Examples
    --------
    >>> pair_from_counts([0, 0], 3)
    0.0
    >>> round(pair_from_counts([2, 2], 3), 12) == round(6 * math.log(2) + 4 * math.log(4 / 3), 12)
    True
    >>> round(pair_from_counts([2, 2], 3, 0.5) - pair_from_counts([2, 2], 3), 12) == round(2 * math.log(2), 12)
    True
    """
    K = _checks.integer("K", K, least=2)
    array = integers("counts", counts, least=0)
    if array.ndim == 0 or array.shape[-1] != K - 1:
        raise ValueError(
            f"counts must have K - 1 = {K - 1} entries, one per grid point; got shape {array.shape}"
        )
    bets = np.log(np.where(array > 0.0, 4.0 * array, 1.0)).sum(axis=-1)
    return plain(bets + array.sum(axis=-1) * _grid_cost(K) + _tail(delta, 2.0))


def pair(T: npt.ArrayLike, K: npt.ArrayLike, delta: npt.ArrayLike | None = None) -> Value:
    r"""Return the bound on KLCal of the pair algorithm, for all t up to T at once (``new:pair``).

    .. math:: N\log\frac{4T}N + 2T\log\sec\frac{\pi}{2K} + 2\log\frac1\delta, \qquad N = \min(T, K-1)

    Parameters
    ----------
    T : array_like of int
        Rounds, at least 1.
    K : array_like of int
        Resolution of the inner grid, at least 2.
    delta : array_like or None
        Failure probability, in (0, 1]; None for the bound on E[KLCal], which has no last term.

    Returns
    -------
    float or ndarray

    Notes
    -----
    `pair_from_counts` at equal counts of N buckets: the logarithm is concave, and :math:`N\log\frac{4T}N` increases
    up to :math:`N = 4T/e`, hence for all :math:`N \le T`. The outcomes may depend on everything but the present draw.

    Examples
    --------
    >>> round(pair(1, 2) / math.log(2), 12), round(pair(10**6, 42), 3), round(pair(10**6, 42, 1e-6), 3)
    (3.0, 1870.097, 1897.728)
    """
    rounds, cells = horizon(T), resolution(K)
    return plain(_bets(rounds, cells - 1.0) + rounds * _grid_cost(K) + _tail(delta, 2.0))


def pair_rate(T: npt.ArrayLike, delta: npt.ArrayLike | None = None) -> Value:
    r"""Return :math:`3.52\,T^{1/3}(\log T)^{2/3} + 2\log\frac1\delta`, at least `pair` at K = ``klcal.resolution(T)``.

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 2.
    delta : array_like or None
        Failure probability, in (0, 1]; None for the expectation.

    Returns
    -------
    float or ndarray

    Notes
    -----
    The largest ratio of the first terms is 3.5121, at T = 2; from T = 3 on it is below 3.49, and it tends to
    :math:`\frac23 + \frac{\pi^2}4`.

    Examples
    --------
    >>> round(pair(2, 2) / pair_rate(2) * 3.52, 4)
    3.5121
    """
    rounds = integers("T", T, least=2)
    return plain(3.52 * np.cbrt(rounds * np.log(rounds) ** 2) + _tail(delta, 2.0))


def pair_experts(T: npt.ArrayLike, K: npt.ArrayLike, delta: npt.ArrayLike | None = None) -> Value:
    r"""Return the bound on KLCal of the pair algorithm that bets with experts (``new:pair-experts``).

    .. math:: 4(K-1)\bigl(\tfrac12 + \log(3+\log_2T')\bigr) + 2T\log\sec\frac{\pi}{2K} + 4\log\frac1\delta,
              \qquad T' = \max(T, K^2)

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 1; the bound holds for all rounds up to it at once.
    K : array_like of int
        Resolution of the inner grid, at least 2.
    delta : array_like or None
        Failure probability, in (0, 1]; None for E[KLCal], and for PKLCal on every path when the experts are fed with
        expected rounds.

    Returns
    -------
    float or ndarray

    Notes
    -----
    Each bucket owns at most :math:`3+\log_2T'` experts, laid out for the horizon :math:`T' \ge K^2`. Their mean
    wealth W has :math:`\log W \ge \frac12n\mathsf{KL}(\rho, C) - \frac12 - \log(3+\log_2T')`, and the product
    over buckets is a supermartingale. Of order :math:`T^{1/3}(\log\log T)^{2/3}`, but at the best K it is the
    smaller one of the two bounds only from T of about :math:`2\cdot10^9` on.

    Examples
    --------
    >>> round(pair_experts(16, 2), 12) == round(4 * (0.5 + math.log(7)) + 16 * math.log(2), 12)
    True
    """
    rounds, cells = horizon(T), resolution(K)
    laid_out = np.maximum(rounds, cells**2)
    bets = 4.0 * (cells - 1.0) * (0.5 + np.log(3.0 + np.log2(laid_out)))
    return plain(bets + rounds * _grid_cost(K) + _tail(delta, 4.0))


def pair_expected(T: npt.ArrayLike, K: npt.ArrayLike) -> Value:
    r"""Return the bound on PKLCal of the pair algorithm with expected feedback, on every path (``new:pair-expected``).

    .. math:: 2(K-1)\log\Bigl(1 + \frac T{K-1}\Bigr) + 2T\log\sec\frac{\pi}{2K}

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 1.
    K : array_like of int
        Resolution of the inner grid, at least 2.

    Returns
    -------
    float or ndarray

    Notes
    -----
    Both points of a pair learn, with their probabilities as weights, and the means are
    :math:`(A_i+1)/(S_i+2)`. The logarithm is concave, so the weighted logarithms of the two quotients add up to
    at most :math:`\log 1 = 0`. EWOO's regret :math:`\log(1+S_i)` takes the place of :math:`\frac12\log(4n_i)`.

    Examples
    --------
    >>> round(pair_expected(1, 2) / math.log(2), 12)
    3.0
    """
    rounds, cells = horizon(T), resolution(K)
    return plain(2.0 * (cells - 1.0) * np.log1p(rounds / (cells - 1.0)) + rounds * _grid_cost(K))


def pair_anytime(T: npt.ArrayLike, delta: npt.ArrayLike | None = None) -> Value:
    r"""Return the bound on KLCal of the pair algorithm that does not know the horizon (``new:pair-anytime``).

    .. math:: \log2 + \sum_{j=1}^{J}\texttt{pair}(T_j, \texttt{resolution}(2^j)) + 2\log\frac1\delta,
              \qquad T_j = 2^j\ (j < J),\ 1 + \sum_jT_j = T

    Parameters
    ----------
    T : array_like of int
        Rounds played so far, at least 1.
    delta : array_like or None
        Probability, in (0, 1], that the bound fails at some T; None for E[KLCal].

    Returns
    -------
    float or ndarray

    Notes
    -----
    Fresh counts for phases of 1, 2, 4, ... rounds. KLCal is at most its sum over the phases, as merging cells of
    the same point never adds to it. The martingales of the phases multiply to one, so
    :math:`2\log\frac1\delta` is paid once. The first phase says 1/2, which costs log 2 at most.

    Examples
    --------
    >>> pair_anytime(1) == math.log(2), round(pair_anytime(3) - pair(2, 2), 12) == round(math.log(2), 12)
    (True, True)
    """
    integers("T", T, least=1)
    played = np.asarray(T, dtype=np.int64)
    phases = np.array([_over_phases(int(t)) for t in played.ravel()]).reshape(played.shape)
    return plain(phases + _tail(delta, 2.0))


def _over_phases(T: int) -> float:
    """Return log 2 plus the sum of `pair` over the phases of 2, 4, 8, ... rounds, the last one cut short."""
    total, left, length = math.log(2.0), T - 1, 2
    while left > 0:
        total += pair(min(length, left), grids.resolution(length))
        left, length = left - length, 2 * length
    return total


def pair_anytime_rate(T: npt.ArrayLike, delta: npt.ArrayLike | None = None) -> Value:
    r"""Return :math:`17.1\,T^{1/3}(\log T)^{2/3} + \log2 + 2\log\frac1\delta`, never less than `pair_anytime`.

    Parameters
    ----------
    T : array_like of int
        Rounds played so far, at least 2.
    delta : array_like or None
        Failure probability, in (0, 1]; None for the expectation.

    Returns
    -------
    float or ndarray

    Notes
    -----
    Each phase is at most `pair_rate`, and the phases up to :math:`2^J \le T` are a geometric sum:
    :math:`3.52/(1-2^{-1/3}) < 17.1`.

    Examples
    --------
    >>> pair_anytime_rate(2) > pair_anytime(3)
    True
    """
    rounds = integers("T", T, least=2)
    return plain(17.1 * np.cbrt(rounds * np.log(rounds) ** 2) + math.log(2.0) + _tail(delta, 2.0))


def realised_kt(T: npt.ArrayLike, K: npt.ArrayLike, *, version: str = "sharpened") -> Value:
    r"""Return the bound on E[KLCal] of Algorithm 1 with realised feedback and the means of Krichevsky and Trofimov.

    .. math:: \frac N2\log\frac{4T}N + T\tan^2\frac{\pi}{2K}, \qquad N = \min(T, K+1)

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 1.
    K : array_like of int
        Resolution of the full grid, at least 2.
    version : {"sharpened", "best"}
        Version of `rounding_cost`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    The proof of `realised_in_expectation` with :math:`w_i = (k_i+\frac12)/(n_i+1)`, whose regret on a bucket is
    :math:`\frac12\log(4n_i)` in place of :math:`\log(1+n_i)` (``new:realised-kt``).

    Examples
    --------
    >>> round(realised_kt(16, 3) - 16 / 3, 12) == round(2 * math.log(16), 12)
    True
    """
    version = _checks.choice("version", version, ("sharpened", "best"))
    rounds, cells = horizon(T), resolution(K)
    return plain(0.5 * _bets(rounds, cells + 1.0) + rounds * rounding_cost(K, version=version))
