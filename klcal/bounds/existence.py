r"""Section 4: an algorithm with small KLCal exists (Theorem 1), and what follows from that (Corollary 1)."""

from __future__ import annotations

import numpy as np

from klcal import _checks
from klcal.bounds._arguments import (
    Argument,
    Value,
    accepts_balls,
    failure_probability,
    horizon,
    nonnegative,
    plain,
    probabilities,
    resolution,
)
from klcal.bounds._elementary import angle, larger
from klcal.bounds.discretization import lemma_6b, lemma_6c, lemma_6d
from klcal.bounds.implications import cal1_from_cal2, cal2_from_kl, swap_regret_from_cal1
from klcal.bounds.rounding_costs import comparator_error, comparator_error_inner


@accepts_balls
def log_loss_range(K: Argument) -> Value:
    r"""Return :math:`-2\log\sin\frac\pi{2K}`, the largest log loss on the inner grid (``eq:range_log_loss``).

    Parameters
    ----------
    K : array_like of int
        At least 2.

    Returns
    -------
    float or ndarray

    Notes
    -----
    The extreme points are :math:`z_1 = \sin^2\frac\pi{2K}` and :math:`1 - z_1`; equality at :math:`z_1` with
    outcome 1. Hence :math:`n_i\mathsf{KL}(\rho_i, z_i)` is at most :math:`n_i` times this, as no comparator
    has negative loss.

    Examples
    --------
    >>> import math
    >>> (
    ...     round(log_loss_range(2) / math.log(2), 12),
    ...     round(log_loss_range(3) / math.log(4), 12),
    ... )
    (1.0, 1.0)
    """
    return plain(-2.0 * np.log(np.sin(angle(resolution(K)))))


@accepts_balls
def deviation(counts: Argument, points: Argument, K: Argument, delta: Argument) -> Value:
    r"""Return the bound of ``eq:hp_bound_sum_X`` on :math:`|\sum_{t: p_t = z_i}(\tilde p_t - y_t)|`.

    With :math:`L = \log\frac2\delta` it is
    :math:`2\sqrt L\,\max(\sqrt{n_i(z_i(1-z_i) + \frac\pi{2K})}, \sqrt L)`.

    Parameters
    ----------
    counts : array_like
        Numbers :math:`n_i` of rounds with forecast :math:`z_i`.
    points : array_like
        The forecasts :math:`z_i`.
    K : array_like of int
        Resolution of the inner grid, at least 2.
    delta : array_like
        In (0, 1]; the bound fails for some i with probability at most :math:`KT\delta`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    `freedman` (constant 1) for every prefix length n and every i, with :math:`\mu` optimised for that n: the
    conditional variance is at most :math:`n(z_i(1-z_i) + \frac\pi{2K})`, a number known in advance, so
    :math:`\mu` may depend on it. The union over (K-1)T pairs lets n be the random :math:`n_i`.

    Examples
    --------
    >>> deviation(0, 0.5, 2, 2 / np.e)
    2.0
    """
    log_term = np.log(2.0 / failure_probability(delta))
    mean = probabilities("points", points)
    spread = mean * (1.0 - mean) + angle(resolution(K))
    variance = nonnegative("counts", counts) * spread
    return plain(2.0 * np.sqrt(log_term) * np.sqrt(larger(variance, log_term)))


@accepts_balls
def theorem_1_high_probability(T: Argument, K: Argument, delta: Argument) -> Value:
    r"""Return ``eq:bound_sreg_minimax`` with its constants: KLCal of the paper's forecaster in the dual game.

    .. math:: 2bT + 8L\bigl(\tfrac{\pi}{2K}c + K - 1\bigr) + \sqrt{8R}\,L\,d, \qquad L = \log\tfrac2\delta,

    b, c, d the paper's versions of `lemma_6b`, `lemma_6c`, `lemma_6d` and R = `log_loss_range`.

    Parameters
    ----------
    T : array_like of int
        Horizon.
    K : array_like of int
        Resolution of the inner grid, at least 2.
    delta : array_like
        In (0, 1]; the bound fails with probability at most :math:`KT\delta`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    Assembled from Steps I to III. Bound KL by :math:`\chi^2` and :math:`(\rho_i - z_i)^2` by twice the
    squared gap plus twice the squared `deviation` over :math:`n_i^2`. The gaps add up to 2bT over all cells.
    Cells with many rounds (Term II) add :math:`8L(\frac\pi{2K}\frac1{z_i(1-z_i)} + 1)` each; cells with few
    (Term I) add :math:`\min(Rn_i, 8L^2/(n_iz_i(1-z_i))) \le L\sqrt{8R/(z_i(1-z_i))}`. Both sums are taken
    over all i.

    Examples
    --------
    >>> round(theorem_1_high_probability(1000, 5, 1e-6), 3)
    4604.046
    """
    rounds, cells = horizon(T), resolution(K)
    log_term = np.log(2.0 / failure_probability(delta))
    gaps = 2.0 * lemma_6b(K, version="paper") * rounds
    many = 8.0 * log_term * (angle(cells) * lemma_6c(K, version="paper") + cells - 1.0)
    few = np.sqrt(8.0 * log_loss_range(K)) * log_term * lemma_6d(K, version="paper")
    return plain(gaps + many + few)


@accepts_balls
def theorem_1(T: Argument, K: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound on E[KLCal] that some algorithm achieves (``thm:log_loss_swap_reg``).

    .. math:: (K-1)\log\Bigl(1 + \frac{T}{K-1}\Bigr) - 2T\log\cos\frac{\pi}{2K} \qquad\text{(sharpened)}

    Parameters
    ----------
    T : array_like of int
        Horizon.
    K : array_like of int
        Resolution of the inner grid, at least 2.
    version : {"paper", "sharpened"}
        The paper's argument with its constants, of order :math:`T^{1/3}(\log T)^{5/3}` at its best K; or this
        book's, of order :math:`T^{1/3}(\log T)^{2/3}`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    Paper: `theorem_1_high_probability` at :math:`\delta = T^{-2}`, plus the failure probability
    :math:`KT\delta = K/T` times the trivial :math:`TR`, with R = `log_loss_range`. Sharpened: let the forecaster of
    the dual game play the KL-nearest point. Laplace's rule inside each bucket shows
    :math:`\mathsf{KLCal} \le \sum\log(1+n_i) + \sum_t(\ell(z_{i_t},y_t) - \ell(m_t,y_t))`, and given the past
    the last bracket has mean at most :math:`\mathsf{KL}(\tilde p_t, z_{i_t})`, at most
    `comparator_error_inner`. Jensen over the K - 1 counts finishes.

    Examples
    --------
    >>> import math
    >>> round(theorem_1(4, 2) / math.log(80), 12)
    1.0
    >>> round(theorem_1(1000, 5, version="paper"), 3)
    4615.79
    """
    version = _checks.choice("version", version, ("paper", "sharpened"))
    rounds, cells = horizon(T), resolution(K)
    if version == "paper":
        likely = theorem_1_high_probability(T, K, rounds**-2.0)
        return plain(likely + cells * log_loss_range(K))
    buckets = cells - 1.0
    return plain(buckets * np.log1p(rounds / buckets) + rounds * comparator_error_inner(K))


@accepts_balls
def theorem_1_full_grid(T: Argument, K: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound of `theorem_1` when the forecaster uses the K + 1 points of Section 5 instead.

    Parameters
    ----------
    T : array_like of int
        Horizon.
    K : array_like of int
        Resolution of the full grid, at least 2.
    version : {"sharpened", "best"}
        Which `comparator_error` enters.

    Returns
    -------
    float or ndarray
        :math:`(K+1)\log(1 + \frac{T}{K+1})` plus T times the comparator error.

    Notes
    -----
    The proof of `theorem_1` uses the grid only through its size and its worst
    :math:`\min_z\mathsf{KL}(\rho, z)`. Two more points about halve that worst value: the best one is at most
    :math:`1.29457/K^2`.

    Examples
    --------
    >>> (
    ...     round(theorem_1_full_grid(1000, 5), 3),
    ...     round(theorem_1_full_grid(1000, 5, version="best"), 3),
    ... )
    (131.095, 81.235)
    """
    version = _checks.choice("version", version, ("sharpened", "best"))
    rounds, points = horizon(T), resolution(K) + 1.0
    return plain(points * np.log1p(rounds / points) + rounds * comparator_error(K, version=version))


@accepts_balls
def theorem_1_nearest(T: Argument, K: Argument, *, version: str = "best") -> Value:
    r"""Return the bound of `theorem_1` for the paper's own forecaster, which plays the Euclid-nearest point.

    It is the same number, `theorem_1`; this bound says that the better exponent does not need a new forecaster.

    Parameters
    ----------
    T : array_like of int
        Horizon.
    K : array_like of int
        Resolution of the inner grid, at least 2.
    version : {"sharpened", "best"}
        "best", the default, is `theorem_1`; "sharpened" is the larger number of a shorter proof, with
        :math:`\log(1 + \max(\tan^2\theta, \frac{\sin^2 3\theta}{4\cos^2\theta}))`, :math:`\theta = \frac\pi{2K}`, in
        place of :math:`-2\log\cos\theta`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    Same proof; only the KL of the chosen point changes. In the middle of two points it is smaller than
    :math:`\mathsf{KL}(0, z_1)`, the cost at the ends. Sharpened: it is at most :math:`\log(1+\chi^2)`, and the
    nearest point is within half a gap (a quarter of `lemma_6b`), except beyond the first and last point, where the
    distance is at most :math:`z_1` and :math:`\chi^2 \le z_1/(1-z_1) = \tan^2\theta`.

    Examples
    --------
    >>> import math
    >>> round(theorem_1_nearest(4, 2) / math.log(80), 12)
    1.0
    >>> sharpened = theorem_1_nearest(1000, 5, version="sharpened")
    >>> theorem_1_nearest(1000, 5) == theorem_1(1000, 5) < sharpened
    True
    """
    version = _checks.choice("version", version, ("sharpened", "best"))
    if version == "best":
        return theorem_1(T, K)
    rounds, cells = horizon(T), resolution(K)
    worst = larger(np.tan(angle(cells)) ** 2, lemma_6b(K, version="best") / 4.0)
    buckets = cells - 1.0
    return plain(buckets * np.log1p(rounds / buckets) + rounds * np.log1p(worst))


@accepts_balls
def theorem_1_tail(T: Argument, K: Argument, delta: Argument) -> Value:
    r"""Return `theorem_1` plus :math:`2\log\frac1\delta`, exceeded by KLCal with probability at most :math:`\delta`.

    Parameters
    ----------
    T : array_like of int
        Horizon.
    K : array_like of int
        Resolution of the inner grid, at least 2.
    delta : array_like
        Failure probability, in (0, 1].

    Returns
    -------
    float or ndarray

    Notes
    -----
    For the forecaster of the dual game who plays the point with the smallest :math:`\chi^2`, and, by the minimax
    theorem for the payoff :math:`\exp\frac12(\mathsf{KLCal} - \sum\log(1+n_i))`, for some algorithm. Given the past,
    :math:`\sqrt{m_t(y)/z(y)}` has mean at most :math:`\sqrt{1+\chi^2(\tilde p_t, z)}` by Cauchy and Schwarz, hence at
    most :math:`1/\cos\frac\pi{2K}`; Markov's inequality for the product finishes. Not in the paper, whose
    `theorem_1_high_probability` multiplies the logarithm of the failure probability by K.

    Examples
    --------
    >>> theorem_1_tail(1000, 5, 1.0) == theorem_1(1000, 5)
    True
    >>> round(theorem_1_tail(1000, 5, np.exp(-3)) - theorem_1(1000, 5), 12)
    6.0
    """
    return plain(theorem_1(T, K) - 2.0 * np.log(failure_probability(delta)))


@accepts_balls
def corollary_1(T: Argument, K: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound on E[SReg] of all proper losses in [-1, 1] (``cor:simutaneous_bounds_msr``, end).

    .. math:: 4\sqrt{T\,\mathbb E[\mathsf{Cal}_2]}, \qquad
              \mathbb E[\mathsf{Cal}_2] \le \tfrac12\,\mathbb E[\mathsf{KLCal}]

    Parameters
    ----------
    T : array_like of int
        Horizon.
    K : array_like of int
        Resolution of the inner grid, at least 2.
    version : {"paper", "sharpened"}
        Version of `theorem_1` and of `cal2_from_kl`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    `swap_regret_from_cal1` after `cal1_from_cal2` after `cal2_from_kl`; Jensen carries the root through the
    expectation. The bound also holds for the supremum over all these losses, since Cal_1 does not
    depend on the loss. The other parts are `theorem_1`, `proposition_3_from_kl` and, loss by loss,
    `proposition_2` applied to it.

    Examples
    --------
    >>> corollary_1(10**6, 40) == 4 * (10**6 * theorem_1(10**6, 40) / 2) ** 0.5
    True
    """
    cal2 = cal2_from_kl(theorem_1(T, K, version=version), version=version)
    return swap_regret_from_cal1(cal1_from_cal2(T, cal2))
