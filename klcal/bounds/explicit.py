r"""Explicit algorithms for KLCal: two neighbouring points that balance, with bounds that hold for all t at once.

The algorithm ``"pair"`` plays on the inner grid. Bucket i has the mean :math:`w_i = (k_i+\frac12)/(n_i+1)` of
Krichevsky and Trofimov and the cell between the boundaries
:math:`m_i = \sin a\,\sin b/\cos(b-a)` of neighbouring points :math:`\sin^2a, \sin^2b`. If some mean lies in
its cell, its point is played; else two neighbours whose means balance at their common boundary.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from klcal import _checks, grids
from klcal.bounds._arguments import (
    Argument,
    Checked,
    Value,
    accepts_balls,
    exactly,
    holds_balls,
    horizon,
    integer,
    integers,
    plain,
    resolution,
    whole,
)
from klcal.bounds._elementary import (
    angle,
    larger,
    log2,
    log_secant_squared,
    number,
    smaller,
    tail_term,
    where_at_most,
)
from klcal.bounds.rounding_costs import rounding_cost


def _grid_cost(K: Argument) -> Checked:
    """Return 2 log sec(pi / 2K), what one round costs by the grid."""
    return log_secant_squared(angle(resolution(K)))


def _bets(T: Checked, buckets: Checked) -> Checked:
    """Return N log(4T / N) with N = min(T, buckets): the largest sum of log(4 n_i) over counts that add up to T."""
    used = smaller(T, buckets)
    return used * np.log(4.0 * T / used)


@accepts_balls
def pair_from_counts(counts: Argument, K: int, delta: Argument | None = None) -> Value:
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
    >>> import math
    >>> pair_from_counts([0, 0], 3)
    0.0
    >>> bound = 6 * math.log(2) + 4 * math.log(4 / 3)
    >>> round(pair_from_counts([2, 2], 3), 12) == round(bound, 12)
    True
    >>> price = pair_from_counts([2, 2], 3, 0.5) - pair_from_counts([2, 2], 3)
    >>> round(price, 12) == round(2 * math.log(2), 12)
    True
    """
    points = integer("K", K, least=2) - 1
    array = np.asarray(integers("counts", counts, least=0))
    if array.ndim == 0 or array.shape[-1] != points:
        raise ValueError(
            f"counts must have K - 1 = {points} entries, one per grid point; got shape {array.shape}"
        )
    bets = np.log(where_at_most(array, 0.0, 1.0, 4.0 * array)).sum(axis=-1)
    return plain(bets + array.sum(axis=-1) * _grid_cost(K) + tail_term(delta, 2.0))


@accepts_balls
def pair(T: Argument, K: Argument, delta: Argument | None = None) -> Value:
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
    >>> import math
    >>> (
    ...     round(pair(1, 2) / math.log(2), 12),
    ...     round(pair(10**6, 42), 3),
    ...     round(pair(10**6, 42, 1e-6), 3),
    ... )
    (3.0, 1870.097, 1897.728)
    """
    rounds, cells = horizon(T), resolution(K)
    return plain(_bets(rounds, cells - 1.0) + rounds * _grid_cost(K) + tail_term(delta, 2.0))


@accepts_balls
def pair_experts(T: Argument, K: Argument, delta: Argument | None = None) -> Value:
    r"""Return the bound on KLCal of the pair algorithm that bets with experts (``new:pair-experts``).

    .. math:: 4(K-1)\bigl(\tfrac12 + \log(3+\log_2T')\bigr) + 2T\log\sec\frac{\pi}{2K} + 4\log\frac1\delta

    with :math:`T' = \max(T, K^2)`.

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
    >>> import math
    >>> bound = 4 * (0.5 + math.log(7)) + 16 * math.log(2)
    >>> round(pair_experts(16, 2), 12) == round(bound, 12)
    True
    """
    rounds, cells = horizon(T), resolution(K)
    laid_out = larger(rounds, cells**2)
    bets = 4.0 * (cells - 1.0) * (0.5 + np.log(3.0 + log2(laid_out)))
    return plain(bets + rounds * _grid_cost(K) + tail_term(delta, 4.0))


@accepts_balls
def pair_expected(T: Argument, K: Argument) -> Value:
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
    >>> import math
    >>> round(pair_expected(1, 2) / math.log(2), 12)
    3.0
    """
    rounds, cells = horizon(T), resolution(K)
    return plain(2.0 * (cells - 1.0) * np.log1p(rounds / (cells - 1.0)) + rounds * _grid_cost(K))


@accepts_balls
def pair_anytime(T: Argument, delta: Argument | None = None) -> Value:
    r"""Return the bound on KLCal of the pair algorithm that does not know the horizon (``new:pair-anytime``).

    .. math:: \log2 + \sum_{j=1}^{J}\texttt{pair}(T_j, \texttt{resolution}(2^j)) + 2\log\frac1\delta

    with :math:`T_j = 2^j` for :math:`j < J`, and :math:`1 + \sum_jT_j = T`.

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
    :math:`2\log\frac1\delta` is paid once. The first phase, j = 0 with K = 2, says 1/2, which costs log 2 at most.

    Examples
    --------
    >>> import math
    >>> (
    ...     pair_anytime(1) == math.log(2),
    ...     round(pair_anytime(3) - pair(2, 2), 12) == round(math.log(2), 12),
    ... )
    (True, True)
    """
    as_given = exactly if holds_balls(T) else int
    phases = np.frompyfunc(lambda rounds: _over_phases(rounds, as_given), 1, 1)(whole("T", T, least=1))
    return plain(phases + tail_term(delta, 2.0))


def _over_phases(T: int, as_given: Callable[[int], Any]) -> Value:
    """Return log 2 plus the sum of `pair` over the phases of 2, 4, 8, ... rounds, the last one cut short."""
    total, left, length = np.log(number(2, as_given(2))), T - 1, 2
    while left > 0:
        total += pair(as_given(min(length, left)), grids.resolution(length))
        left, length = left - length, 2 * length
    return total


@accepts_balls
def realised_kt(T: Argument, K: Argument, *, version: str = "sharpened") -> Value:
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
    >>> import math
    >>> round(realised_kt(16, 3) - 16 / 3, 12) == round(2 * math.log(16), 12)
    True
    """
    version = _checks.choice("version", version, ("sharpened", "best"))
    rounds, cells = horizon(T), resolution(K)
    return plain(0.5 * _bets(rounds, cells + 1.0) + rounds * rounding_cost(K, version=version))
