r"""The right-hand sides that are not in the paper: half counts, PAIR, tails of KLCal, the tree, and recalibration.

PAIR plays on the inner grid. Bucket i has the mean :math:`w_i = (k_i+\frac12)/(n_i+1)` of Krichevsky and Trofimov and
the cell between the boundaries :math:`m_i = \sin a\,\sin b/\cos(b-a)` of neighbouring points
:math:`\sin^2a, \sin^2b`. If some mean lies in its cell, its point is played; else two neighbours whose means balance at
their common boundary.

The nodes of level l of the tree have cells of the angular width :math:`w_l = \pi/2^{l+1}` and the capacities
:math:`N_0 = 1`, :math:`N_l = (l+1)4^{l-1}`; the coin is weighted by wealths (`klcal.forecasters.tree`). Its bounds hold
for every T at once, against outcomes that may depend on everything but the present draw.
"""

from __future__ import annotations

import numpy as np

from klcal import _checks
from klcal.bounds._balls import (
    Argument,
    Checked,
    Value,
    angle,
    bound,
    ceiling_of_log2,
    failure_probability,
    horizon,
    integer,
    integers,
    log_secant_squared,
    nonnegative,
    number,
    pi,
    plain,
    rate,
    resolution,
    smaller,
    tail_term,
    where_at_most,
    whole,
)
from klcal.bounds.paper import theorem_2
from klcal.grids import Grid, as_grid, full_grid


@bound
def realised_in_expectation(T: Argument, K: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound on E[KLCal] of Algorithm 1 with realised feedback, against adaptive outcomes.

    .. math:: (K+1)\log\Bigl(1 + \frac{T}{K+1}\Bigr) + T\tan^2\frac{\pi}{2K},

    at K = 2 with :math:`\tan^2\frac\pi8`.

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 1.
    K : array_like of int
        Resolution of the full grid, at least 2.
    version : {"sharpened", "best"}
        Version of `rounding_cost`; the paper has no explicit algorithm for KLCal.

    Returns
    -------
    float or ndarray
        The same number as `theorem_2`, for another quantity and in expectation.

    Notes
    -----
    Only the learner of the drawn point learns, with weight 1, so it is Laplace's rule on its bucket and
    :math:`\mathsf{KLCal} \le \sum_i\log(1 + n_i) + \sum_t(\ell(z_{i_t}, y_t) - \ell(w_{t,i_t}, y_t))`. Given
    the past, the draw is independent of :math:`y_t` and its law is stationary, so the bracket's mean is the
    mean cost of rounding, at most `rounding_cost`. Jensen for :math:`\sum n_i = T`.

    Examples
    --------
    >>> realised_in_expectation(1000, 6) == theorem_2(1000, 6)
    True
    """
    version = _checks.choice("version", version, ("sharpened", "best"))
    return theorem_2(T, K, version=version)


@bound
def half_counts(T: Argument, grid: Grid | Argument) -> Value:
    r"""Return the bound on PKLCal of half counts and log-odds, on every path and every grid (``half-counts``).

    .. math:: \frac n2\log\Bigl(1 + \frac{4T}n\Bigr) + T\kappa

    for n points with the radius :math:`\kappa`. Fed with its own draws, the algorithm has the same bound on
    :math:`\mathbb E[\mathsf{KLCal}]`.

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 1.
    grid : Grid or array_like
        The forecasts, strictly inside (0, 1).

    Returns
    -------
    float or ndarray

    Notes
    -----
    As in `theorem_2`, with learners that lose at most :math:`\frac12\log(1 + 4S_i)` (``half-counts-learning``) and a
    rounding that costs at most ``grid.radius()`` a round (``log-odds-rounding``). No forecaster on the grid guarantees
    less than :math:`T\kappa`. The radius is a float, beside balls too.

    Examples
    --------
    >>> import math
    >>> bound = math.log(1 + 2 * 24) + 24 * math.log(4 / 3)
    >>> round(half_counts(24, [0.25, 0.75]) / bound, 12)
    1.0
    """
    rounds, where = horizon(T), as_grid(grid)
    n = len(where)
    return plain(0.5 * n * np.log1p(4.0 * rounds / n) + rounds * where.radius())


@bound
def half_counts_rate(T: Argument) -> Value:
    r"""Return a bound on `half_counts` on ``full_grid(resolution(T))``: :math:`2.4\,T^{1/3}(\log T)^{2/3}`.

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 2.

    Returns
    -------
    float or ndarray

    Notes
    -----
    Machine-checked (``half-counts-rate``); `theorem_2_rate` has 3.56.

    Examples
    --------
    >>> round(half_counts_rate(64) / half_counts_rate(8), 12) == round(
    ...     2 ** (5 / 3), 12
    ... )
    True
    """
    rounds = integers("T", T, least=2)
    return plain(number("2.4", rounds) * rate(rounds))


def _grid_cost(K: Argument) -> Checked:
    """Return 2 log sec(pi / 2K), what one round costs by the grid."""
    return log_secant_squared(angle(resolution(K)))


@bound
def pair_from_counts(counts: Argument, K: int, delta: Argument | None = None) -> Value:
    r"""Return the bound on KLCal of the pair algorithm for given counts (``pair``).

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


@bound
def pair(T: Argument, K: Argument, delta: Argument | None = None) -> Value:
    r"""Return the bound on KLCal of the pair algorithm, for all t up to T at once (``pair``).

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
    used = smaller(rounds, cells - 1.0)
    return plain(used * np.log(4.0 * rounds / used) + rounds * _grid_cost(K) + tail_term(delta, 2.0))


@bound
def pair_expected(T: Argument, K: Argument) -> Value:
    r"""Return the bound on PKLCal of the pair algorithm with expected feedback, on every path (``pair-expected``).

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


@bound
def kl_from_pseudo(pklcal: Argument, T: Argument, K: Argument, delta: Argument) -> Value:
    r"""Return the bound on KLCal from PKLCal, for every algorithm on the full grid (``kl-from-pseudo``).

    .. math:: (e-1)\,\mathsf{PKLCal} &+ (1 + 2\log J)\bigl(8.78(K+1) + 2\log K\bigr) \\
              &+ (7.4 + 4\log K)\log\frac2\delta

    with :math:`J = 3 + \lceil\frac12\log_2(2T)\rceil + \lceil\log_2(X\sqrt{T/2})\rceil` and
    :math:`X = \log\frac{2T^2(K+1)}\delta`.

    Parameters
    ----------
    pklcal : array_like
        PKLCal after t rounds, at least 0.
    T : array_like of int
        Horizon, at least 1. The bound holds for all t up to T at once.
    K : array_like of int
        Resolution of the full grid, at least 2.
    delta : array_like
        Failure probability, in (0, 1].

    Returns
    -------
    float or ndarray

    Notes
    -----
    With :math:`D(k\Vert A) = k\log\frac kA - k + A` for realised and expected ones, and the same for zeros,
    :math:`n\mathsf{KL}(\rho,z) \le (e-1)S\mathsf{KL}(\tilde\rho,z) + (3+\log\frac1z)D + (3+\log\frac1{1-z})D'`
    always. Averages of J exponentials per cell and outcome multiply to supermartingales, which bound the weighted
    sum of all D; the display rounds the sum and the maximum of their weights up.

    Examples
    --------
    >>> round(kl_from_pseudo(0.0, 10**4, 11, 1e-3), 1)
    920.3
    """
    pseudo, rounds, cells = nonnegative("pklcal", pklcal), horizon(T), resolution(K)
    failure = failure_probability(delta)
    # The ceiling of log2(2T) / 2, without rounding.
    halvings = np.frompyfunc(lambda n: ((2 * n - 1).bit_length() + 1) // 2, 1, 1)
    below = np.asarray(halvings(whole("T", T, least=1)), dtype=np.float64)
    widest = np.log(2.0 * rounds**2 * (cells + 1.0) / failure)
    J = 3.0 + below + ceiling_of_log2(widest * np.sqrt(rounds / 2.0))
    logs = np.log(cells)
    total = number("8.78", cells) * (cells + 1.0) + 2.0 * logs
    largest = number("3.7", cells) + 2.0 * logs
    bets, tail = (1.0 + 2.0 * np.log(J)) * total, 2.0 * largest * np.log(2.0 / failure)
    return plain((np.exp(number(1, cells)) - 1.0) * pseudo + bets + tail)


@bound
def algorithm_1_high_probability(T: Argument, K: Argument, delta: Argument) -> Value:
    r"""Return the bound on KLCal of Algorithm 1 itself, with high probability (``algorithm-1-tail``).

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 1; the bound holds for all t up to T at once.
    K : array_like of int
        Resolution of the full grid, at least 2.
    delta : array_like
        Failure probability, in (0, 1].

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
    return kl_from_pseudo(theorem_2(T, K), T, K, delta)


@bound
def realised_high_probability(T: Argument, K: Argument, delta: Argument) -> Value:
    r"""Return the bound on the largest KLCal up to T of Algorithm 1 with realised feedback (``realised-tail``).

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
    rounds, cells = horizon(T), resolution(K)
    mean = realised_in_expectation(T, K)
    factor = 8.0 * (cells + 1.0) * (number("2.7", cells) + 2.0 * np.log(cells)) * (1.0 + np.log(rounds))
    return plain(2.0 * mean + 2.0 - factor * np.log(failure_probability(delta)))


def _two_over_delta(delta: Argument | None, factor: float, beside: Checked) -> Checked:
    """Return factor * log(2 / delta), with delta = 1 for a bound on the expectation."""
    return factor * np.log(number(2, beside)) + tail_term(delta, factor)


def _levels(levels: Argument, beside: Checked, name: str) -> Checked:
    """Return levels as an array, one for each number in the last dimension of what stands beside them."""
    depths, rounds = np.asarray(integers("levels", levels, least=0)), np.asarray(beside)
    if depths.ndim != 1 or rounds.ndim == 0 or rounds.shape[-1] != len(depths):
        raise ValueError(
            f"{name} must have one entry per level ({depths.shape}) in their last dimension; got shape {rounds.shape}"
        )
    return depths


def _widening(depths: Checked, beside: Checked) -> Checked:
    """Return what a round costs for the width of its cell."""
    return np.log1p(np.sin(pi(beside) / 2.0 ** (depths + 1.0)) ** 2)


@bound
def tree_from_counts(counts: Argument, levels: Argument, delta: Argument | None = None) -> Value:
    r"""Return the bound on KLCal of the tree for given counts of its nodes (``tree``).

    .. math:: \sum_{b:\,n_b\ge1}\bigl(\log(4n_b) + n_b\varepsilon_b\bigr) + 2\log\frac2\delta,
              \qquad \varepsilon_b = \log\bigl(1 + \sin^2w_l\bigr) \text{ at level } l

    Parameters
    ----------
    counts : array_like of int, shape (..., n)
        How often each node was forecast.
    levels : array_like of int, shape (n,)
        The level of each node; see `klcal.forecasters.tree_levels`.
    delta : array_like or None
        Probability, in (0, 1], that the bound fails at some t; None for 1, where the means of both sides compare.

    Returns
    -------
    float or ndarray, shape (...)

    Notes
    -----
    Every node bets its mean against the mean clipped to its cell. Its wealth :math:`W_b` has
    :math:`\log W_b \ge n_b\mathsf{KL}(\rho_b, C_b) - \frac12\log(4n_b)`, and the product of all wealths
    exceeds :math:`2/\delta` at some time with probability :math:`\delta` at most. From a cell to its midpoint the
    divergence at most doubles and grows by :math:`\varepsilon_b`.

    Examples
    --------
    >>> import math
    >>> bound = 3 * math.log(2) + 2 * math.log(2)
    >>> round(tree_from_counts([1, 0], [0, 1]), 12) == round(bound, 12)
    True
    >>> bounds = [tree_from_counts([1, 2], [0, 1], delta) for delta in (0.5, None)]
    >>> round(bounds[0] - bounds[1], 12) == round(math.log(4), 12)
    True
    """
    rounds = np.asarray(integers("counts", counts, least=0))
    depths = _levels(levels, rounds, "counts")
    bets = np.log(where_at_most(rounds, 0.0, 1.0, 4.0 * rounds))
    costs = bets + rounds * _widening(depths, rounds)
    return plain(costs.sum(axis=-1) + _two_over_delta(delta, 2.0, rounds))


@bound
def tree_expected_from_masses(masses: Argument, levels: Argument) -> Value:
    r"""Return the bound on PKLCal of the tree with expected feedback, for given masses (``tree-expected``).

    .. math:: \sum_{b:\,S_b>0}\bigl(2\log(1 + S_b) + S_b\varepsilon_b\bigr) + 2\log 2,
              \qquad \varepsilon_b = \log\bigl(1 + \sin^2w_l\bigr) \text{ at level } l

    Parameters
    ----------
    masses : array_like, shape (..., n)
        The sum of the probabilities with which each node was forecast.
    levels : array_like of int, shape (n,)
        The level of each node; see `klcal.forecasters.tree_levels`.

    Returns
    -------
    float or ndarray, shape (...)

    Notes
    -----
    It holds on every path, without a probability: each member of a pair bets with its probability as exponent, and
    the capital that is a martingale for draws never grows.

    Examples
    --------
    >>> import math
    >>> bound = tree_expected_from_masses([1.0, 0.0], [0, 1])
    >>> round(bound, 12) == round(5 * math.log(2), 12)
    True
    """
    rounds = np.asarray(nonnegative("masses", masses))
    depths = _levels(levels, rounds, "masses")
    costs = 2.0 * np.log1p(rounds) + rounds * _widening(depths, rounds)
    return plain(costs.sum(axis=-1) + 2.0 * np.log(number(2, rounds)))


@bound
def tree(T: Argument, delta: Argument | None = None) -> Value:
    r"""Return :math:`11\,T^{1/3}(\log T)^{2/3} + 2\log\frac2\delta`, a bound on KLCal of the tree (``tree``).

    Parameters
    ----------
    T : array_like of int
        Rounds played so far, at least 2.
    delta : array_like or None
        Probability, in (0, 1], that the bound fails at some T; None for E[KLCal], which has :math:`2\log 2` there.

    Returns
    -------
    float or ndarray

    Notes
    -----
    `tree_from_counts` at the dearest counts. A used node of level l costs at most :math:`2.1(l+1)`, and a level is used
    only where the one above it is full: a fractional knapsack, filled from level 0 on. Machine-checked for all
    :math:`T \ge 2`.

    Examples
    --------
    >>> import math
    >>> (
    ...     round(tree(10**6), 3),
    ...     round(tree(2, 0.5) - tree(2), 12) == round(math.log(4), 12),
    ... )
    (6334.792, True)
    """
    rounds = integers("T", T, least=2)
    return plain(11.0 * rate(rounds) + _two_over_delta(delta, 2.0, rounds))


@bound
def tree_expected(T: Argument) -> Value:
    r"""Return :math:`17.4\,T^{1/3}(\log T)^{2/3} + 2\log2`, a bound on PKLCal (``tree-expected``).

    Parameters
    ----------
    T : array_like of int
        Rounds played so far, at least 2.

    Returns
    -------
    float or ndarray

    Notes
    -----
    `tree_expected_from_masses` at the dearest masses, on every path.

    Examples
    --------
    >>> round(tree_expected(10**6), 3)
    10019.683
    """
    rounds = integers("T", T, least=2)
    return plain(number("17.4", rounds) * rate(rounds) + 2.0 * np.log(number(2, rounds)))


@bound
def tree_swap(T: Argument, delta: Argument | None = None, *, version: str = "proved") -> Value:
    r"""Return the bound on the swap regret of the tree for all bounded proper losses at once (``tree-swap``).

    .. math:: \mathsf{Msr}_T \le c\sqrt{\frac T{\log T}}\,\log\frac T\delta, \qquad
              \mathbb E[\mathsf{Msr}_T] \le c\sqrt{\frac T{\log T}}\,(\log T + \log 2)

    Parameters
    ----------
    T : array_like of int
        Rounds played so far, at least 2.
    delta : array_like or None
        Probability, in (0, 1], that the bound fails at some T; None for the expectation.
    version : {"proved", "certified"}
        The constant: 90 is machine-checked as a whole, 48 is certified in balls from the steps of the same proof
        (``tree-swap-constant``).

    Returns
    -------
    float or ndarray

    Notes
    -----
    For :math:`\delta \ge 1/T` it is at most :math:`2c\sqrt{T\log T}`. Losses with values in [-1, 1] have a regret of
    at most 2T: with 48 the bound says nothing below :math:`T \approx 4{,}900`, with 90 below 20,000.

    Examples
    --------
    >>> import math
    >>> round(tree_swap(10**6, 1.0) / (90 * 1000 * math.sqrt(math.log(10**6))), 12)
    1.0
    >>> round(tree_swap(10**6) / tree_swap(10**6, 0.5), 12)
    1.0
    """
    rounds = integers("T", T, least=2)
    logarithm = np.log(rounds)
    tail = np.log(number(2, rounds)) if delta is None else tail_term(delta, 1.0)
    constant = 90.0 if _checks.choice("version", version, ("proved", "certified")) == "proved" else 48.0
    return plain(constant * np.sqrt(rounds / logarithm) * (logarithm + tail))


@bound
def tree_expected_swap(T: Argument) -> Value:
    r"""Return :math:`62\sqrt{T\log T}`, a bound on all swap regrets of mixtures (``tree-expected``).

    Parameters
    ----------
    T : array_like of int
        Rounds played so far, at least 2.

    Returns
    -------
    float or ndarray

    Notes
    -----
    For the tree with expected feedback, on every path: Corollary 2 with the square root of T.

    Examples
    --------
    >>> import math
    >>> round(tree_expected_swap(100) / math.sqrt(100 * math.log(100)), 12)
    62.0
    """
    rounds = integers("T", T, least=2)
    return plain(62.0 * np.sqrt(rounds * np.log(rounds)))


@bound
def recalibration(n: Argument, K: int) -> Value:
    r"""Return the bound on the price of random borders and Laplace's numbers (``random-borders``).

    .. math:: 2\log\Bigl(1 + \frac{K+1}{n+1}\Bigr) + \kappa

    for the radius :math:`\kappa` of ``full_grid(K)``: one logarithm for the KL-calibration error of a day, the rest for
    the log loss that is added. In the mean over rows and borders, for every law of forecasts and outcomes.

    Parameters
    ----------
    n : array_like of int
        Number of rows from which the bins learn, at least 1.
    K : int
        Resolution of the full grid, at least 2.

    Returns
    -------
    float or ndarray

    Notes
    -----
    With :math:`K = \max(2, \lceil n^{1/3}\rceil)` at most :math:`4\,n^{-2/3}`. The radius is a float, beside balls too.

    Examples
    --------
    >>> import math
    >>> bound = 2 * math.log(1 + 4 / 4) + math.log(4 / 3) / 2
    >>> round(recalibration(3, 3) / bound, 12)
    1.0
    """
    rows, cells = integers("n", n, least=1), integer("K", K, least=2)
    learning = 2.0 * np.log(1.0 + (cells + 1.0) / (rows + 1.0))
    return plain(learning + full_grid(cells).radius())


@bound
def recalibration_lower(n: Argument) -> Value:
    r"""Return :math:`\frac1{81}n^{-2/3}`, below the price of every rule on some law (``offline-lower``).

    Parameters
    ----------
    n : array_like of int
        Number of rows from which the rule learns, at least 1.

    Returns
    -------
    float or ndarray

    Examples
    --------
    >>> round(81 * recalibration_lower(1000), 12)
    0.01
    """
    rows = integers("n", n, least=1)
    return plain(rows ** (-number(2, rows) / 3) / 81.0)
