r"""Constants in the bounds of the tree that are certified for every T: balls up to some level, one ball beyond.

Write :math:`L` for the deepest level that T rounds can use, :math:`N_{L-1} < T \le N_L`, and :math:`\Lambda` for the
bound on :math:`n_b\,\mathsf{KL}(\rho_b, C_b)` of every node, with :math:`\delta = 1`. Then the largest swap regret is
at most :math:`4(\frac12 + S_1 + S_2 + S_3)`, where per level three cells pay :math:`\sqrt{\Lambda n_b}`, one cell pays
:math:`\frac12n_bw_l` and the others together :math:`\frac\Lambda{2w_l}H_{F-1}`, F being the number of full parents.
"""

from __future__ import annotations

from functools import cache

from flint import arb

from klcal.exact.balls import Undecided, ball, hull, lower, upper
from klcal.forecasters.tree import tree_capacity

# Up to this level every T is covered by boxes; up to the next the level is exact and closed forms are used; from there
# on one evaluation covers all levels.
_BOXES, _LEVELS = 40, 200
# Boxes are so much longer than where they begin.
_STEP = 1.02
# Up to this level nodes of the knapsack are counted.
_LAST = 29


def deepest_level(T: int) -> int:
    """Return the deepest level that T rounds can use: all its ancestors must be full.

    Parameters
    ----------
    T : int
        Number of rounds.

    Returns
    -------
    int

    Examples
    --------
    >>> [deepest_level(T) for T in (1, 2, 3, 12, 13, 10**6)]
    [0, 1, 2, 2, 3, 10]
    """
    level = 0
    while tree_capacity(level) < T:
        level += 1
    return level


def _allowance(L: int, T: arb, *, expected: bool) -> arb:
    """Return Lambda: the share of the deepest nodes, and what one node's learner loses."""
    share = ball(2 ** (L + 1) * (L + 1) * (L + 2)).log()
    return share + ((1 + T).log() if expected else (4 * T).log() / 2)


@cache
def _harmonic(n: int) -> arb:
    """Return the harmonic number H_n."""
    return arb(n + 1).digamma() + arb.const_euler()


def swap_cost(T: int, *, expected: bool = False) -> arb:
    r"""Return :math:`4(\frac12 + S_1 + S_2 + S_3)` with :math:`\delta = 1`, which grows in T.

    Parameters
    ----------
    T : int
        Number of rounds, at least 2.
    expected : bool
        With expected feedback a learner loses :math:`\log(1+S)`, and a cell may hold one round more.

    Returns
    -------
    arb

    Examples
    --------
    >>> round(float(swap_cost(10**6)) / (10**6 * 13.8155) ** 0.5, 1)
    42.6
    """
    L, room = deepest_level(T), int(expected)
    allowance = _allowance(L, arb(T), expected=expected)
    caps = [tree_capacity(level) + room for level in range(1, L + 1)]
    roots, left = arb(0), arb(T)
    for i, cap in enumerate(caps):
        # Water filling: the smallest cells first, each with its cap or an equal part of what is left.
        part = arb(cap).min(left / (3 * (L - i)))
        roots, left = roots + 3 * part.sqrt(), left - 3 * part
    chain, rest = arb(0), T
    for level, cap in enumerate(caps, start=1):
        chain, rest = chain + min(cap, rest) * arb.pi() / 2 ** (level + 2), rest - min(cap, rest)
    far = arb(0)
    for level in range(1, L + 1):
        parents = min(T // tree_capacity(level - 1), 2 ** (level - 1))
        far += 2**level / arb.pi() * _harmonic(parents - 1)
    return 4 * (arb(1) / 2 + allowance.sqrt() * roots + chain + allowance * far)


def _box_ratio(low: int, high: int, *, expected: bool) -> arb:
    """Bound the smaller of `swap_cost` and 2T over sqrt(T log T), for all T of one level from `low` to `high`."""
    return swap_cost(high, expected=expected).min(arb(2 * high)) / (low * arb(low).log()).sqrt()


def _closed_ratio(u: arb, v: arb, s: arb, *, expected: bool) -> arb:
    r"""Bound `swap_cost` over sqrt(T log T) at :math:`T = \tau N_{L-1}`, u = 1/L, v = log L / L, s = log tau."""
    tau, log2, tiny = s.exp(), arb(2).log(), arb("1e-9")
    log_T = 2 * log2 + v + u * (s - 4 * log2)
    share = log2 + u * log2 + 2 * v + u * ((1 + u) * (1 + 2 * u)).log()
    allowance = (share + (log_T + tiny if expected else log_T / 2 + u * log2)) / log_T
    near = (ball(12).sqrt() + arb("0.75") + tiny) * allowance.sqrt()
    chain = arb.pi() * (1 / (4 * tau.sqrt()) + tau.sqrt() / 16) / log_T.sqrt() + tiny
    parents = _harmonic(int(upper(tau)) - 1) + arb.const_euler() + s + 4 * log2 + 2 * v / (1 - u)
    far = 4 / arb.pi() * allowance * log_T.sqrt() * parents / tau.sqrt()
    return 4 * (tiny + near + chain + far)


def largest_swap_ratio(*, expected: bool = False) -> float:
    r"""Return a number that :math:`\min(2T, \mathtt{swap\_cost}(T))/\sqrt{T\log T}` exceeds for no :math:`T \ge 2`.

    Parameters
    ----------
    expected : bool
        As for `swap_cost`.

    Returns
    -------
    float
        Beyond the boxes the closed form is used, which is larger than `swap_cost`.

    Notes
    -----
    Within a level `swap_cost` grows in T. For other :math:`\delta` the quotient by
    :math:`\sqrt{T/\log T}\,\log(T/\delta)` is smaller, because :math:`\Lambda \ge \log T`.

    Examples
    --------
    >>> 47.0 < largest_swap_ratio() < 48.0
    True
    """
    found = [arb(0)]
    for L in range(1, _BOXES):
        low, last = tree_capacity(L - 1) + 1, tree_capacity(L)
        while low <= last:
            high = min(max(low, int(low * _STEP)), last)
            found.append(_box_ratio(low, high, expected=expected))
            low = high + 1
    for L in range(_BOXES, _LEVELS):
        found += _over_tau(1 / arb(L), arb(L).log() / L, arb(4 * (L + 1)) / L, 40, expected=expected)
    u, v = hull(0, 1 / arb(_LEVELS)), hull(0, arb(_LEVELS).log() / _LEVELS)
    found += _over_tau(u, v, ball(4 * (_LEVELS + 1)) / _LEVELS, 40, expected=expected)
    return max(upper(ratio) for ratio in found)


def _over_tau(u: arb, v: arb, last: arb, boxes: int, *, expected: bool) -> list[arb]:
    """Return the closed form over boxes of log tau that cover all tau from 1 to `last`."""
    step = last.log() / boxes
    ends = [hull(i * step, (i + 1) * step) for i in range(boxes)]
    return [_closed_ratio(u, v, s, expected=expected) for s in ends]


def node_cost(level: int) -> arb:
    """Return the most that a used node of the tree with expected feedback costs.

    Parameters
    ----------
    level : int
        Its level; the root has one round.

    Returns
    -------
    arb

    Examples
    --------
    >>> node_cost(0).overlaps(3 * arb(2).log())
    True
    """
    mass = tree_capacity(level) + (level > 0)
    sine = (arb.pi() / 2 ** (level + 1)).sin()
    cost: arb = 2 * arb(1 + mass).log() + mass * (sine * sine).log1p()
    return cost


def largest_knapsack_ratio() -> float:
    r"""Return a number that the cost of used nodes over :math:`T^{1/3}(\log T)^{2/3}` exceeds for no :math:`T \ge 2`.

    Returns
    -------
    float
        For the tree with expected feedback.

    Notes
    -----
    At most :math:`2F_l` nodes of level l + 1 are used, with :math:`F_l \le 2^l` full parents and
    :math:`\sum_lF_lN_l \le T`: a fractional knapsack, filled from level 0 on, because `node_cost` (l + 1) over
    :math:`N_l` falls. Its value is affine in T between the horizons at which a level is full, and the rate is concave,
    so only these horizons and 2 count. From level 29 on a node costs at most 3.45 (l + 1), and both sides have closed
    forms.

    Examples
    --------
    >>> 17.3 < largest_knapsack_ratio() < 17.4
    True
    """
    values, T, value = [], 1, node_cost(0) + 2 * node_cost(1)
    for level in range(1, _LAST):
        ratios = [node_cost(i + 1) / tree_capacity(i) for i in (level - 1, level)]
        if not (lower(ratios[0] - ratios[1]) > 0 and upper(node_cost(level)) <= 3.45 * (level + 1)):
            raise Undecided(f"the knapsack is not seen to be greedy at level {level}")
        gain = 2 ** (level + 1) * node_cost(level + 1)
        if level == 1:
            values.append(_over_rate(2, value + gain / 4))
        T, value = T + 2**level * tree_capacity(level), value + gain
        values.append(_over_rate(T, value))
    size = (7 - 1 / arb(_LAST)) / 196
    beyond = (arb("6.9") + node_cost(0) / 2**_LAST) / (size * (3 * arb(2).log()) ** 2).root(3)
    return max(upper(value) for value in (*values, beyond))


def _over_rate(T: int, value: arb) -> arb:
    return value / (T * arb(T).log() * arb(T).log()).root(3)
