"""The nodes of the tree: cells, forecasts, capacities and shares, before any round is played."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
from flint import arb, ctx, fmpq

from klcal import _checks
from klcal._checks import IntArray
from klcal._kernels.elementary import ln

# A node of this level needs more than a million million rounds, all of them in the cells above it.
_DEEPEST = 20
# Enough to round correctly to 53 bits after the cancellation in 1 - cos, down to that level.
_BITS = 160


@dataclass(frozen=True)
class TreeNode:
    r"""Node j of level l: what it is before any round.

    Parameters
    ----------
    level, position : int
        The level l, 0 for the root, and the place j from the left, :math:`0 \le j < 2^l`.
    lower, upper : float
        The ends of its closed cell, :math:`\sin^2\frac{j\pi}{2^{l+1}}` and :math:`\sin^2\frac{(j+1)\pi}{2^{l+1}}`.
    point : float
        Its forecast, the midpoint of the cell.
    capacity : int
        After this many rounds it is replaced by its children: :math:`N_0 = 1`, :math:`N_l = (l+1)4^{l-1}`.
    log_prior : float
        Logarithm of its share :math:`\pi = 2^{-l}/((l+1)(l+2))`; over all nodes the shares add up to 1.

    Examples
    --------
    >>> tree_node(0, 0).children()[1] == tree_node(1, 1)
    True
    """

    level: int
    position: int
    lower: float
    upper: float
    point: float
    capacity: int
    log_prior: float

    def children(self) -> tuple[TreeNode, TreeNode]:
        """Return the nodes of the two halves of the cell, halves in the angle."""
        return tree_node(self.level + 1, 2 * self.position), tree_node(self.level + 1, 2 * self.position + 1)


def tree_capacity(level: int) -> int:
    """Return how many rounds a node has before it splits, :math:`N_0 = 1` and :math:`N_l = (l+1)4^{l-1}`.

    Parameters
    ----------
    level : int
        The level l of the node, at least 0.

    Returns
    -------
    int

    Examples
    --------
    >>> [tree_capacity(level) for level in range(5)]
    [1, 2, 12, 64, 320]
    """
    level = _checks.integer("level", level, least=0)
    return 1 if level == 0 else (level + 1) * 4 ** (level - 1)


def tree_node(level: int, position: int) -> TreeNode:
    r"""Return a node of the tree; its cell and its forecast are correctly rounded.

    Parameters
    ----------
    level : int
        The level l, at least 0.
    position : int
        The place j from the left, :math:`0 \le j < 2^l`.

    Returns
    -------
    TreeNode

    Examples
    --------
    >>> node = tree_node(1, 1)
    >>> node.lower, node.upper, node.point, node.capacity
    (0.5, 1.0, 0.75, 2)
    """
    level = _checks.integer("level", level, least=0)
    position = _checks.integer("position", position, least=0)
    if position >= 2**level:
        raise ValueError(f"position must be below 2**level = {2**level}; got {position}")
    return _node(level, position)


@cache
def _node(level: int, position: int) -> TreeNode:
    with ctx.workprec(_BITS):
        lower = (1 - arb.cos_pi_fmpq(fmpq(position, 2**level))) / 2
        upper = (1 - arb.cos_pi_fmpq(fmpq(position + 1, 2**level))) / 2
        ends = float(lower), float(upper), float((lower + upper) / 2)
    share = 2**level * (level + 1) * (level + 2)
    return TreeNode(level, position, *ends, tree_capacity(level), -ln(float(share)))


def tree_levels(forecasts: npt.ArrayLike) -> IntArray:
    """Return the levels of the nodes that make some forecasts; no two nodes make the same.

    Parameters
    ----------
    forecasts : array_like, shape (n,)
        Forecasts of the tree.

    Returns
    -------
    ndarray of int64, shape (n,)

    Examples
    --------
    >>> tree_levels([0.25, 0.5, tree_node(7, 100).point])
    array([1, 0, 7])
    """
    return np.array([node.level for node in tree_nodes(forecasts)], dtype=np.int64)


def tree_nodes(forecasts: npt.ArrayLike) -> list[TreeNode]:
    """Return the nodes that make some forecasts.

    Parameters
    ----------
    forecasts : array_like, shape (n,)
        Forecasts of the tree.

    Returns
    -------
    list of TreeNode

    Examples
    --------
    >>> tree_nodes([0.75]) == [tree_node(1, 1)]
    True
    """
    array = _checks.probabilities("forecasts", forecasts, ndim=1)
    return [_node_of(forecast, index) for index, forecast in enumerate(array.tolist())]


def _node_of(forecast: float, index: int) -> TreeNode:
    node = tree_node(0, 0)
    while node.point != forecast:
        if node.level == _DEEPEST:
            raise ValueError(
                f"forecasts must be midpoints of cells of the tree; got {forecast} at index {index}"
            )
        left, right = node.children()
        node = left if forecast < left.upper else right
    return node


def most_nodes(T: int) -> int:
    """Return a number of nodes that no game of T rounds exceeds: the lowest levels are filled at the least cost.

    Parameters
    ----------
    T : int
        Number of rounds, at least 1.

    Returns
    -------
    int

    Examples
    --------
    >>> [most_nodes(T) for T in (1, 2, 3, 5, 10**6)]
    [3, 3, 5, 7, 283]
    """
    left, level, full = _checks.integer("T", T, least=1), 0, 0
    while left > 0:
        filled = min(2**level, left // tree_capacity(level))
        if filled == 0:
            break
        full += filled
        left -= filled * tree_capacity(level)
        level += 1
    return 1 + 2 * full
