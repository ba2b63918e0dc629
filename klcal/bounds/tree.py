r"""The tree: one forecaster without a horizon, with a bound on KLCal and one on the swap regret of all bounded losses.

All bounds hold for every T at once, against outcomes that may depend on everything but the present draw. The nodes of
level l have cells of the angular width :math:`w_l = \pi/2^{l+1}` and the capacities :math:`N_0 = 1`,
:math:`N_l = (l+1)4^{l-1}`; the coin is weighted by wealths (`klcal.forecasters.tree`).
"""

from __future__ import annotations

import numpy as np

from klcal import _checks
from klcal.bounds._arguments import Argument, Checked, Value, accepts_balls, integers, nonnegative, plain
from klcal.bounds._elementary import number, pi, tail_term, where_at_most
from klcal.bounds.rates import _rate


def _two_over_delta(delta: Argument | None, factor: float, beside: Checked) -> Checked:
    """Return factor * log(2 / delta), with delta = 1 for a bound on the expectation."""
    return factor * np.log(number(2, beside)) + tail_term(delta, factor)


@accepts_balls
def tree_from_counts(counts: Argument, levels: Argument, delta: Argument | None = None) -> Value:
    r"""Return the bound on KLCal of the tree for given counts of its nodes (``new:tree``).

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


@accepts_balls
def tree_expected_from_masses(masses: Argument, levels: Argument) -> Value:
    r"""Return the bound on PKLCal of the tree with expected feedback, for given masses (``new:tree/expected``).

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


@accepts_balls
def tree(T: Argument, delta: Argument | None = None) -> Value:
    r"""Return :math:`11\,T^{1/3}(\log T)^{2/3} + 2\log\frac2\delta`, a bound on KLCal of the tree (``new:tree``).

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
    return plain(11.0 * _rate(rounds) + _two_over_delta(delta, 2.0, rounds))


@accepts_balls
def tree_expected(T: Argument) -> Value:
    r"""Return :math:`17.4\,T^{1/3}(\log T)^{2/3} + 2\log2`, a bound on PKLCal (``new:tree/expected-rate``).

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
    return plain(number("17.4", rounds) * _rate(rounds) + 2.0 * np.log(number(2, rounds)))


@accepts_balls
def tree_swap(T: Argument, delta: Argument | None = None, *, version: str = "proved") -> Value:
    r"""Return the bound on the swap regret of the tree for all bounded proper losses at once (``new:tree/swap``).

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
        (``new:tree/swap-constant``).

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


@accepts_balls
def tree_expected_swap(T: Argument) -> Value:
    r"""Return :math:`62\sqrt{T\log T}`, a bound on all swap regrets of mixtures (``new:tree/expected-swap``).

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
