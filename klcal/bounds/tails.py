r"""KLCal with high probability for algorithms on the full grid, and what no algorithm can avoid."""

from __future__ import annotations

import numpy as np

from klcal import _checks
from klcal._checks import FloatArray, IntArray
from klcal.bounds._arguments import (
    Argument,
    Checked,
    Value,
    accepts_balls,
    extended,
    failure_probability,
    holds_balls,
    horizon,
    integers,
    plain,
    resolution,
    whole,
)
from klcal.bounds._elementary import angle, ceiling, log2, log_secant_squared, number, smaller
from klcal.bounds.algorithm import realised_in_expectation, theorem_2


def _bets_per_cell(T: Argument, K: Checked, delta: Checked) -> Checked:
    """Return J, the number of exponents that a cell bets with: 0, those below and those above it."""
    rounds = horizon(T)
    # The ceiling of log2(2T) / 2, without rounding.
    halvings = np.frompyfunc(lambda n: ((2 * n - 1).bit_length() + 1) // 2, 1, 1)
    below = np.asarray(halvings(whole("T", T, least=1)), dtype=np.float64)
    widest = np.log(2.0 * rounds**2 * (K + 1.0) / delta)
    return 3.0 + below + ceiling(log2(widest * np.sqrt(rounds / 2.0)))


@accepts_balls
def kl_from_pseudo(
    pklcal: Argument,
    T: Argument,
    K: Argument,
    delta: Argument,
    *,
    version: str = "sharpened",
) -> Value:
    r"""Return the bound on KLCal from PKLCal, for every algorithm on the full grid (``new:kl-from-pseudo``).

    .. math:: (e-1)\,\mathsf{PKLCal} &+ (1 + 2\log J)\bigl(8.78(K+1) + 2\log K\bigr) \\
              &+ (7.4 + 4\log K)\log\frac2\delta

    with :math:`J = 3 + \lceil\frac12\log_2(2T)\rceil + \lceil\log_2(X\sqrt{T/2})\rceil` and
    :math:`X = \log\frac{2T^2(K+1)}\delta`.

    Parameters
    ----------
    pklcal : array_like
        PKLCal after t rounds, at least 0; may be infinite.
    T : array_like of int
        Horizon, at least 1. The bound holds for all t up to T at once.
    K : array_like of int
        Resolution of the full grid, at least 2.
    delta : array_like
        Failure probability, in (0, 1].
    version : {"sharpened", "best"}
        As displayed; or with the exact sum and maximum of the weights :math:`3+\log\frac1{z_i}`,
        :math:`3+\log\frac1{1-z_i}`, which the display rounds up.

    Returns
    -------
    float or ndarray

    Notes
    -----
    With :math:`D(k\Vert A) = k\log\frac kA - k + A` for realised and expected ones, and the same for zeros,
    :math:`n\mathsf{KL}(\rho,z) \le (e-1)S\mathsf{KL}(\tilde\rho,z) + (3+\log\frac1z)D + (3+\log\frac1{1-z})D'`
    always. Averages of J exponentials per cell and outcome multiply to supermartingales, which bound the weighted
    sum of all D.

    Examples
    --------
    >>> round(kl_from_pseudo(0.0, 10**4, 11, 1e-3), 1)
    920.3
    >>> round(kl_from_pseudo(0.0, 10**4, 11, 1e-3, version="best"), 1)
    883.6
    """
    version = _checks.choice("version", version, ("sharpened", "best"))
    pseudo, cells = extended("pklcal", pklcal), resolution(K)
    failure = failure_probability(delta)
    logs = np.log(cells)
    if version == "sharpened":
        total, largest = number("8.78", cells) * (cells + 1.0) + 2.0 * logs, number("3.7", cells) + 2.0 * logs
    else:
        ends, log_2 = -4.0 * np.log(np.sin(angle(cells))), np.log(number(2, cells))
        total = (6.0 + 4.0 * log_2) * (cells + 1.0) - 4.0 * log_2 - 2.0 * logs + ends
        largest = 3.0 - 2.0 * np.log(np.sin(angle(2.0 * cells)))
    bets = 1.0 + 2.0 * np.log(_bets_per_cell(T, cells, failure))
    return plain(
        (np.exp(number(1, cells)) - 1.0) * pseudo + bets * total + 2.0 * largest * np.log(2.0 / failure)
    )


@accepts_balls
def algorithm_1_high_probability(
    T: Argument, K: Argument, delta: Argument, *, version: str = "sharpened"
) -> Value:
    r"""Return the bound on KLCal of Algorithm 1 itself, with high probability (``new:algorithm-1-tail``).

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 1; the bound holds for all t up to T at once.
    K : array_like of int
        Resolution of the full grid, at least 2.
    delta : array_like
        Failure probability, in (0, 1].
    version : {"sharpened", "best"}
        Version of `kl_from_pseudo` and of `theorem_2`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    `kl_from_pseudo` with PKLCal bounded by `theorem_2`, which holds on every path, also against adaptive outcomes. At
    K = ``klcal.resolution(T)`` of order :math:`T^{1/3}(\log T)^{2/3} + \log T\log\frac1\delta`.

    Examples
    --------
    >>> round(algorithm_1_high_probability(10**4, 11, 1e-3), 1)
    1414.2
    """
    version = _checks.choice("version", version, ("sharpened", "best"))
    return kl_from_pseudo(theorem_2(T, K, version=version), T, K, delta, version=version)


@accepts_balls
def realised_high_probability(
    T: Argument, K: Argument, delta: Argument, *, version: str = "sharpened"
) -> Value:
    r"""Return the bound on the largest KLCal up to T of Algorithm 1 with realised feedback (``new:realised-tail``).

    .. math:: &2\,\mathtt{realised\_in\_expectation}(T, K) + 2 \\
              &\quad + 8(K+1)(2.7 + 2\log K)(1+\log T)\log\frac1\delta

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 1.
    K : array_like of int
        Resolution of the full grid, at least 2.
    delta : array_like
        Failure probability, in (0, 1].
    version : {"sharpened", "best"}
        Version of `realised_in_expectation`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    The squares of the rounds' costs :math:`X_t = \log(w(y_t)/z(y_t))` add up to at most a multiple of
    :math:`(K+1)\max_t\mathsf{KLCal}_t`; a small enough rate in an exponential supermartingale leaves half of that
    maximum on the right side. The factor K + 1 is large in practice; whether it is needed is open.

    Examples
    --------
    >>> round(realised_high_probability(10**4, 11, 1e-3))
    51330
    """
    version = _checks.choice("version", version, ("sharpened", "best"))
    rounds, cells = horizon(T), resolution(K)
    mean = realised_in_expectation(T, K, version=version)
    rate = 8.0 * (cells + 1.0) * (number("2.7", cells) + 2.0 * np.log(cells)) * (1.0 + np.log(rounds))
    return plain(2.0 * mean + 2.0 - rate * np.log(failure_probability(delta)))


@accepts_balls
def fixed_grid_lower_bound(T: Argument, points: Argument) -> Value:
    r"""Return what E[KLCal] some Bernoulli outcomes force on any algorithm with a fixed grid (``new:fixed-grid``).

    .. math:: 2T\log\sec\frac{\pi}{4N}

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 1.
    points : array_like of int
        Size N of the grid, at least 1; the points may lie anywhere in [0, 1].

    Returns
    -------
    float or ndarray

    Notes
    -----
    Some angle in :math:`[0, \frac\pi2]` is at least :math:`\frac\pi{4N}` away from those of all points; let p be its
    squared sine. Independent Bernoulli(p) outcomes give
    :math:`\mathbb E[\mathsf{KLCal}] \ge T\min_i\mathsf{KL}(p, z_i)`, and KL is at least twice the Bhattacharyya
    distance, :math:`-2\log\cos` of the distance of the angles.

    Examples
    --------
    >>> import math
    >>> round(fixed_grid_lower_bound(8, 1) / math.log(2), 12)
    8.0
    """
    size = integers("points", points, least=1)
    return plain(horizon(T) * log_secant_squared(angle(2.0 * size)))


@accepts_balls
def tail_lower_bound(T: Argument, delta: Argument) -> Value:
    r"""Return what :math:`\max_{t\le T}\mathsf{KLCal}_t` reaches with probability :math:`\delta` (``new:tail``).

    .. math:: m\log2, \qquad m = \min\bigl(T, \lfloor\log_2\tfrac1\delta\rfloor\bigr)

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 1.
    delta : array_like
        Probability, in (0, 1].

    Returns
    -------
    float or ndarray

    Notes
    -----
    For every algorithm, with fair coins as outcomes: with probability :math:`2^{-m}` the first m outcomes are those
    that the forecasts think less likely, or not more likely, and then :math:`\mathsf{KLCal}_m \ge m\log2`. So a
    bound :math:`f(T) + c\log\frac1\delta` with f(T) = o(T) needs :math:`c \ge 1`.

    Examples
    --------
    >>> import math
    >>> (
    ...     tail_lower_bound(100, 2.0**-10) == 10 * math.log(2),
    ...     tail_lower_bound(3, 2.0**-10) == 3 * math.log(2),
    ... )
    (True, True)
    """
    rounds, failure = horizon(T), failure_probability(delta)
    halves = -ceiling(log2(failure)) if holds_balls(failure) else _halves(failure)
    return plain(smaller(rounds, halves) * np.log(number(2, rounds)))


def _halves(delta: FloatArray) -> IntArray:
    """Return floor(log2(1 / delta)) without rounding."""
    # delta = x 2^e with 1/2 <= x < 1, so it is -e, and 1 - e where x = 1/2.
    _, exponent = np.frexp(delta)
    return np.where(np.ldexp(1.0, exponent - 1) == delta, 1 - exponent, -exponent)
