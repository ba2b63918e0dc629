r"""The tree: one forecaster without a horizon, for KL-calibration and for all bounded proper losses together.

PAIR on cells that split. A node of the binary tree over [0, 1] has a cell, forecasts its midpoint and keeps a smoothed
mean of the outcomes it met. A round forecasts a node whose mean lies in its cell or, if there is none, one of two
neighbours whose means lie beyond their common boundary on either side, drawn by a coin that their wealths weigh. When a
node has had its capacity of rounds, its two children take its place.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray, IntArray, OutcomeArray
from klcal._kernels import bank
from klcal._kernels import tree as kernels
from klcal._kernels.bank import EXPECTED, REALISED, Game
from klcal._kernels.elementary import ln
from klcal.forecasters.rounds import NO_DRAWS, NO_MIXTURES, CompiledReduction, Reduction
from klcal.grids import ONE, Grid, cosine
from klcal.measures.cells import Cells

# A node of this level needs more than a million million rounds, all of them in the cells above it.
_DEEPEST = 20


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
    lower = ONE - cosine(position, 2**level)
    upper = ONE - cosine(position + 1, 2**level)
    ends = lower / (2 * ONE), upper / (2 * ONE), (lower + upper) / (4 * ONE)
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


class Version(NamedTuple):
    """What a version of the tree learns from, and whether wealths weigh its coin."""

    feedback: int
    weighted: bool


#: The versions of the tree under their names.
TREES = {
    "tree": Version(REALISED, weighted=True),
    "tree-plain": Version(REALISED, weighted=False),
    "tree-expected": Version(EXPECTED, weighted=True),
}


class Everything(NamedTuple):
    """All nodes so far, active or not, in the order in which they came; weights and counts by outcome."""

    points: FloatArray
    weights: FloatArray
    counts: FloatArray
    log_wealths: FloatArray


class Growing(Reduction):
    """A reduction whose grid changes between rounds. Its forecasts are numbered in the order in which they come."""

    @abstractmethod
    def numbers(self) -> IntArray:
        """Return the number of each point of `grid`."""

    @abstractmethod
    def everything(self) -> Everything:
        """Return all forecasts so far."""

    @property
    def expected(self) -> Cells:
        """Cells of the mixtures so far, for all forecasts that have been active."""
        every = self.everything()
        return _cells(every.points, every.weights)

    @property
    def realised(self) -> Cells:
        """Cells of the drawn forecasts so far, for all forecasts that have been active."""
        every = self.everything()
        return _cells(every.points, every.counts)


def _cells(points: FloatArray, by_outcome: FloatArray) -> Cells:
    order = np.argsort(points)
    return Cells.from_weights(points[order], by_outcome[:, order])


def _active_grid(points: npt.ArrayLike) -> Grid:
    """Return the grid of the active nodes."""
    return Grid(points, "tree, active nodes")


class FastTree(Growing, CompiledReduction):
    r"""The tree, compiled; every version of it.

    What makes it fast: one node or two change in a round, and the next forecast is found next to them. Splits are rare.

    Parameters
    ----------
    algorithm : {"tree", "tree-plain", "tree-expected"}
        "tree" counts drawn forecasts, leans to :math:`(k + \frac12)/(n + 1)` and weighs its coin by wealths. The coin
        of "tree-plain" has no weights. "tree-expected" gives each node its probability as weight and leans to
        :math:`(A + 1)/(S + 2)`.

    Examples
    --------
    >>> tree = FastTree()
    >>> tree.update(0, 1)
    >>> tree.grid.points, tree.mixture()
    (array([0.25, 0.75]), array([1., 0.]))
    """

    _kernels = kernels

    def __init__(self, algorithm: str = "tree") -> None:
        version = TREES[_checks.choice("algorithm", algorithm, TREES)]
        root = tree_node(0, 0)
        ends = np.array([root.lower, root.upper])
        new = kernels.new_bank(
            np.array([root.point]), ends, version.feedback, bets=True, weighted=version.weighted
        )
        _enter(new.learners[0:1], root, 0)
        super().__init__(_active_grid(new.learners["point"]), new)
        self.learns_from_draws = version.feedback == REALISED
        # The full nodes, as they were when they split.
        self._full = new.learners[:0]

    def play_rounds(
        self,
        outcomes: OutcomeArray,
        uniforms: FloatArray,
        adversary: int,
        draws: IntArray = NO_DRAWS,
        mixtures: FloatArray = NO_MIXTURES,
    ) -> None:
        """Play ``len(uniforms)`` rounds; `draws` and `mixtures` keep nodes by their numbers."""
        start, game = 0, Game(outcomes, uniforms, adversary, draws, mixtures)
        while start < len(uniforms):
            nodes = len(self.bank.learners) + len(self._full)
            if len(mixtures) > 0 and mixtures.shape[1] < nodes:
                raise ValueError(
                    f"mixtures must have a column for each of {nodes} nodes; got {mixtures.shape[1]}"
                )
            start = kernels.play_rounds(self.bank, game, start)
            if self.bank.control["full"]:
                self._split()
        self._solved = False

    def _split(self) -> None:
        """Replace every full node by its children."""
        nodes, control = self.bank.learners, self.bank.control
        rounds = nodes["count" if control["feedback"] == REALISED else "weight"].sum(axis=1)
        full = rounds >= nodes["capacity"]
        number = len(nodes) + len(self._full)
        self._full = np.concatenate([self._full, nodes[full]])
        split = np.repeat(nodes, 1 + full)
        for before, at in enumerate(np.flatnonzero(full).tolist()):
            children = tree_node(int(nodes["level"][at]), int(nodes["position"][at])).children()
            for k, child in enumerate(children):
                _enter(split[at + before + k :][:1], child, number + 2 * before + k)
        kernels.survey(split, control)
        mixture = bank.records(bank.Entry, len(split))
        self._keep(self.bank._replace(learners=split, mixture=mixture))
        self.grid = _active_grid(split["point"])

    def _all(self) -> Any:
        """Return active and full nodes by their numbers."""
        nodes = np.concatenate([self.bank.learners, self._full])
        return nodes[np.argsort(nodes["number"])]

    def numbers(self) -> IntArray:
        """Return the number of each active node."""
        return np.array(self.bank.learners["number"])

    def everything(self) -> Everything:
        """Return all nodes so far."""
        nodes = self._all()
        counts = nodes["count"].T.astype(np.float64)
        return Everything(nodes["point"], nodes["weight"].T, counts, nodes["log_wealth"])

    def log_wealths(self) -> FloatArray:
        """Return the logarithms of the wealths of the active nodes."""
        return np.array(self.bank.learners["log_wealth"])

    def log_total_wealth(self) -> float:
        """Return the logarithm of the product of all wealths."""
        return float(self.bank.control["log_total"].item())

    def nodes(self) -> list[TreeNode]:
        """Return the active nodes from left to right."""
        return [tree_node(*place) for place in self.bank.learners[["level", "position"]].tolist()]


def _enter(learner: Any, node: TreeNode, number: int) -> None:
    """Make a learner, in an array by itself, that of a node before its first round."""
    learner[...] = 0
    learner["number"], learner["leaning"] = number, 0.5
    for name in ("lower", "upper", "point", "capacity", "level", "position", "log_prior"):
        learner[name] = getattr(node, name)
