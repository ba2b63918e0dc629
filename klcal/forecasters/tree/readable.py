"""The tree in plain Python: one method per line of the algorithm."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from klcal import _checks
from klcal._checks import FloatArray, IntArray
from klcal._kernels.bank import REALISED
from klcal._kernels.elementary import exp, ln
from klcal.forecasters.learners import Ewoo
from klcal.forecasters.rounds import select
from klcal.forecasters.tree.growing import TREES, Everything, Growing, _active_grid
from klcal.forecasters.tree.nodes import TreeNode, tree_node


@dataclass
class _Bucket:
    """A node in a game: its rounds and its wealth."""

    node: TreeNode
    number: int
    by_mixture: Ewoo = field(default_factory=lambda: Ewoo(1))
    by_draw: Ewoo = field(default_factory=lambda: Ewoo(1))
    log_wealth: float = 0.0


def _both(learner: Ewoo) -> tuple[float, float]:
    return float(learner.zeros[0]), float(learner.ones[0])


class Tree(Growing):
    r"""The tree in plain Python, one method per line of the algorithm.

    Parameters
    ----------
    algorithm : {"tree", "tree-plain", "tree-expected"}
        "tree" counts drawn forecasts, leans to :math:`(k + \frac12)/(n + 1)` and weighs its coin by wealths. The coin
        of "tree-plain" has no weights. "tree-expected" gives each node its probability as weight and leans to
        :math:`(A + 1)/(S + 2)`.

    Examples
    --------
    >>> tree = Tree()
    >>> tree.grid.points, tree.mixture()
    (array([0.5]), array([1.]))
    >>> tree.update(0, 1)
    >>> tree.grid.points, tree.mixture(), tree.leanings()
    (array([0.25, 0.75]), array([1., 0.]), array([0.5, 0.5]))
    """

    def __init__(self, algorithm: str = "tree") -> None:
        self.version = TREES[_checks.choice("algorithm", algorithm, TREES)]
        self.learns_from_draws = self.version.feedback == REALISED
        self._active = [_Bucket(tree_node(0, 0), 0)]
        self._full: list[_Bucket] = []
        self._log_total = 0.0
        self._mixture: FloatArray | None = None
        self.grid = _active_grid([self._active[0].node.point])

    def mixture(self) -> FloatArray:
        """Return one active node, or two neighbours."""
        if self._mixture is None:
            self._mixture = self._new_mixture()
        return self._mixture.copy()

    def _new_mixture(self) -> FloatArray:
        mixture = np.zeros(len(self._active))
        means = self.leanings().tolist()
        cells = [(bucket.node.lower, bucket.node.upper) for bucket in self._active]
        for i, (lower, upper) in enumerate(cells):
            if lower <= means[i] <= upper:
                mixture[i] = 1.0
                return mixture
        i = next(j for j, (_, end) in enumerate(cells) if means[j] > end > means[j + 1])
        boundary = cells[i][1]
        stake, next_stake = self._stakes(i)
        down = (means[i] - boundary) * stake
        up = (boundary - means[i + 1]) * next_stake
        mixture[i], mixture[i + 1] = up / (up + down), down / (up + down)
        return mixture

    def _stakes(self, i: int) -> tuple[float, float]:
        r"""Return the weights :math:`A_b = \Pi + \pi_bW_b` of nodes i and i + 1, both divided by the same number."""
        if not self.version.weighted:
            return 1.0, 1.0
        below, above = (bucket.node.log_prior + bucket.log_wealth for bucket in self._active[i : i + 2])
        top = max(self._log_total, below, above)
        shared = exp(self._log_total - top)
        return shared + exp(below - top), shared + exp(above - top)

    def draw(self, uniform: float) -> int:
        """Return the grid index that `uniform` selects from the mixture."""
        return select(self.mixture(), uniform)

    def update(self, index: int, outcome: int) -> None:
        """End the round: bet, count the drawn forecast and the mixture, split full nodes."""
        mixture = self.mixture()
        drawn = np.zeros(len(mixture))
        drawn[index] = 1.0
        self._bet(drawn if self.learns_from_draws else mixture, outcome)
        for i in np.flatnonzero(mixture).tolist():
            self._active[i].by_mixture.update(mixture[i : i + 1], outcome)
        self._active[index].by_draw.update([1.0], outcome)
        self._split()
        self._mixture = None

    def _bet(self, weights: FloatArray, outcome: int) -> None:
        """Multiply the wealths of a pair by mean over boundary, to the power of their weights."""
        pair = np.flatnonzero(self.mixture())
        if len(pair) < 2:
            return
        boundary, means = self._active[pair[0]].node.upper, self.leanings()
        for i in pair.tolist():
            mean = float(means[i])
            quotient = mean / boundary if outcome == 1 else (1.0 - mean) / (1.0 - boundary)
            gain = float(weights[i]) * ln(quotient)
            self._active[i].log_wealth += gain
            self._log_total += gain

    def _split(self) -> None:
        """Replace every full node by its children."""
        masses = (self.counts() if self.learns_from_draws else self.weights()).sum(axis=0)
        full = [
            bucket for bucket, mass in zip(self._active, masses, strict=True) if mass >= bucket.node.capacity
        ]
        for bucket in full:
            at, new = self._active.index(bucket), len(self._active) + len(self._full)
            left, right = bucket.node.children()
            self._active[at : at + 1] = [_Bucket(left, new), _Bucket(right, new + 1)]
            self._full.append(bucket)
        if full:
            self.grid = _active_grid([bucket.node.point for bucket in self._active])

    def leanings(self) -> FloatArray:
        """Return the mean of each active node."""
        prior = 0.5 if self.learns_from_draws else 1.0
        zeros, ones = self.counts() if self.learns_from_draws else self.weights()
        return np.asarray((ones + prior) / ((ones + zeros) + 2.0 * prior))

    def weights(self) -> FloatArray:
        """Return the expected mass by outcome and active node."""
        return np.array([_both(bucket.by_mixture) for bucket in self._active]).T

    def counts(self) -> FloatArray:
        """Return the drawn forecasts by outcome and active node."""
        return np.array([_both(bucket.by_draw) for bucket in self._active]).T

    def numbers(self) -> IntArray:
        """Return the number of each active node."""
        return np.array([bucket.number for bucket in self._active])

    def everything(self) -> Everything:
        """Return all nodes so far."""
        buckets = sorted([*self._active, *self._full], key=lambda bucket: bucket.number)
        return Everything(
            np.array([bucket.node.point for bucket in buckets]),
            np.array([_both(bucket.by_mixture) for bucket in buckets]).T,
            np.array([_both(bucket.by_draw) for bucket in buckets]).T,
            np.array([bucket.log_wealth for bucket in buckets]),
        )

    def log_wealths(self) -> FloatArray:
        """Return the logarithms of the wealths of the active nodes."""
        return np.array([bucket.log_wealth for bucket in self._active])

    def log_total_wealth(self) -> float:
        """Return the logarithm of the product of all wealths."""
        return self._log_total

    def nodes(self) -> list[TreeNode]:
        """Return the active nodes from left to right."""
        return [bucket.node for bucket in self._active]
