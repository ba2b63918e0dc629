r"""The tree: one forecaster without a horizon, with a bound on KLCal and one on the swap regret of all bounded losses.

All bounds hold for every T at once, against outcomes that may depend on everything but the present draw. The nodes of
level l have cells of the angular width :math:`w_l = \pi/2^{l+1}` and the capacities :math:`N_0 = 1`,
:math:`N_l = (l+1)4^{l-1}`; the coin is weighted by wealths (`klcal.forecasters.tree`).
"""

from __future__ import annotations

import numpy as np

from klcal.bounds._arguments import Argument, Checked, Value, accepts_balls, integers, plain
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
    >>> round(tree_from_counts([1, 0], [0, 1]), 12) == round(3 * math.log(2) + 2 * math.log(2), 12)
    True
    >>> round(tree_from_counts([1, 2], [0, 1], 0.5) - tree_from_counts([1, 2], [0, 1]), 12) == round(math.log(4), 12)
    True
    """
    rounds = np.asarray(integers("counts", counts, least=0))
    depths = np.asarray(integers("levels", levels, least=0))
    if depths.ndim != 1 or rounds.ndim == 0 or rounds.shape[-1] != len(depths):
        raise ValueError(
            f"counts must have one entry per level ({depths.shape}) in their last dimension; got shape {rounds.shape}"
        )
    widths = pi(rounds) / 2.0 ** (depths + 1.0)
    bets = np.log(where_at_most(rounds, 0.0, 1.0, 4.0 * rounds))
    costs = bets + rounds * np.log1p(np.sin(widths) ** 2)
    return plain(costs.sum(axis=-1) + _two_over_delta(delta, 2.0, rounds))


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
    >>> round(tree(10**6), 3), round(tree(2, 0.5) - tree(2), 12) == round(math.log(4), 12)
    (6334.792, True)
    """
    rounds = integers("T", T, least=2)
    return plain(11.0 * _rate(rounds) + _two_over_delta(delta, 2.0, rounds))


@accepts_balls
def tree_swap(T: Argument, delta: Argument | None = None) -> Value:
    r"""Return the bound on the swap regret of the tree for all bounded proper losses at once (``new:tree-swap``).

    .. math:: \mathsf{Msr}_T \le 90\sqrt{\frac T{\log T}}\,\log\frac T\delta, \qquad
              \mathbb E[\mathsf{Msr}_T] \le 90\sqrt{\frac T{\log T}}\,(\log T + \log 2)

    Parameters
    ----------
    T : array_like of int
        Rounds played so far, at least 2.
    delta : array_like or None
        Probability, in (0, 1], that the bound fails at some T; None for the expectation.

    Returns
    -------
    float or ndarray

    Notes
    -----
    For :math:`\delta \ge 1/T` it is at most :math:`180\sqrt{T\log T}`. Losses with values in [-1, 1] have a regret of
    at most 2T: below :math:`T = 20{,}000` the bound says nothing. Machine-checked for all :math:`T \ge 2`.

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
    return plain(90.0 * np.sqrt(rounds / logarithm) * (logarithm + tail))
