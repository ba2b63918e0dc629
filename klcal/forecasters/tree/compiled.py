"""The compiled twin of the tree; its loop over rounds is `klcal._kernels.tree`."""

from __future__ import annotations

import numpy as np

from klcal import _checks
from klcal._checks import FloatArray, IntArray, OutcomeArray
from klcal._kernels import tree as kernels
from klcal._kernels.bank import COUNT, FEEDBACK, LEANING, POINT, REALISED, SUM, Bank
from klcal._kernels.pair import LOWER, UPPER
from klcal._kernels.tree import CAPACITY, LEVEL, LOG_PRIOR, LOG_WEALTH, NUMBER, POSITION
from klcal.forecasters.rounds import NO_DRAWS, NO_MIXTURES, CompiledReduction
from klcal.forecasters.tree.growing import TREES, Everything, Growing, _active_grid
from klcal.forecasters.tree.nodes import TreeNode, tree_node


class FastTree(Growing, CompiledReduction):
    """The compiled twin of `Tree`: same verbs, same numbers to the last bit.

    What makes it fast: one node or two change in a round, and the next forecast is found next to them. Splits are rare.

    Parameters
    ----------
    algorithm : {"tree", "tree-plain", "tree-expected"}
        See `Tree`.

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
        new = kernels.new_bank(version.feedback, version.weighted)
        _enter(new, 0, tree_node(0, 0), 0)
        kernels.survey(new.reals, new.control)
        super().__init__(_active_grid(new.reals[POINT]), new)
        self.learns_from_draws = version.feedback == REALISED
        # The columns of full nodes, as they were when they split.
        self._full = Bank(new.reals[:, :0], new.whole[:, :0], new.control, new.rates)

    def update(self, index: int, outcome: int) -> None:
        """End the round: bet, count the drawn forecast and the mixture, split full nodes."""
        if not self._solved:
            self._solve()
        full = kernels.advance(*self.bank, index, outcome)
        self._solved = False
        if full:
            self._split()

    def play_rounds(
        self,
        outcomes: OutcomeArray,
        uniforms: FloatArray,
        adversary: int,
        draws: IntArray = NO_DRAWS,
        mixtures: FloatArray = NO_MIXTURES,
    ) -> None:
        """Play ``len(uniforms)`` rounds; `draws` and `mixtures` keep nodes by their numbers."""
        start = 0
        while start < len(uniforms):
            nodes = self.bank.reals.shape[1] + self._full.reals.shape[1]
            if len(mixtures) > 0 and mixtures.shape[1] < nodes:
                raise ValueError(
                    f"mixtures must have a column for each of {nodes} nodes; got {mixtures.shape[1]}"
                )
            start = kernels.play_rounds(*self.bank, outcomes, uniforms, start, adversary, draws, mixtures)
            if self.bank.control[kernels.FULL]:
                self._split()
        self._solved = False

    def _split(self) -> None:
        """Replace every full node by its children."""
        reals, whole, control, rates = self.bank
        realised = control[FEEDBACK] == REALISED
        rounds = whole[COUNT] + whole[COUNT + 1] if realised else reals[SUM + 1] + reals[SUM]
        full = rounds >= whole[CAPACITY]
        number = reals.shape[1] + self._full.reals.shape[1]
        self._full = _joined(self._full, Bank(reals[:, full], whole[:, full], control, rates))
        self.bank = Bank(
            np.repeat(reals, 1 + full, axis=1), np.repeat(whole, 1 + full, axis=1), control, rates
        )
        for before, at in enumerate(np.flatnonzero(full).tolist()):
            left, right = tree_node(int(whole[LEVEL, at]), int(whole[POSITION, at])).children()
            _enter(self.bank, at + before, left, number + 2 * before)
            _enter(self.bank, at + before + 1, right, number + 2 * before + 1)
        kernels.survey(self.bank.reals, control)
        self.grid = _active_grid(self.bank.reals[POINT])

    def state(self) -> Bank:
        """Return a copy of everything that a round changes; the full nodes stand behind the active ones."""
        reals, whole, control, rates = _joined(self.bank, self._full)
        return Bank(reals, whole, control.copy(), rates.copy())

    def restore(self, state: Bank) -> None:
        """Go back to a state."""
        control, rates = state.control.copy(), state.rates.copy()
        # Every split replaces one active node by two: there is one more of them than of the full ones.
        active = (state.reals.shape[1] + 1) // 2
        parts = (slice(None, active), slice(active, None))
        self.bank, self._full = (
            Bank(state.reals[:, part].copy(), state.whole[:, part].copy(), control, rates) for part in parts
        )
        self.grid = _active_grid(self.bank.reals[POINT])
        self._solved = False

    def numbers(self) -> IntArray:
        """Return the number of each active node."""
        return np.array(self.bank.whole[NUMBER])

    def everything(self) -> Everything:
        """Return all nodes so far."""
        reals, whole, _, _ = _joined(self.bank, self._full)
        order = np.argsort(whole[NUMBER])
        counts = whole[COUNT : COUNT + 2, order].astype(np.float64)
        return Everything(reals[POINT, order], reals[SUM : SUM + 2, order], counts, reals[LOG_WEALTH, order])

    def log_wealths(self) -> FloatArray:
        """Return the logarithms of the wealths of the active nodes."""
        return np.array(self.bank.reals[LOG_WEALTH])

    def log_total_wealth(self) -> float:
        """Return the logarithm of the product of all wealths."""
        return float(self.bank.rates[0, 0])

    def nodes(self) -> list[TreeNode]:
        """Return the active nodes from left to right."""
        return [tree_node(int(level), int(j)) for level, j in self.bank.whole[LEVEL : POSITION + 1].T]


def _joined(first: Bank, second: Bank) -> Bank:
    """Return the columns of two banks side by side."""
    reals, whole = np.hstack([first.reals, second.reals]), np.hstack([first.whole, second.whole])
    return Bank(reals, whole, first.control, first.rates)


def _enter(new: Bank, column: int, node: TreeNode, number: int) -> None:
    """Make a column that of a node before its first round."""
    reals, whole = new.reals[:, column], new.whole[:, column]
    reals[:] = 0.0
    reals[POINT], reals[LOWER], reals[UPPER] = node.point, node.lower, node.upper
    reals[LEANING], reals[LOG_PRIOR] = 0.5, node.log_prior
    whole[:] = 0
    whole[NUMBER], whole[CAPACITY] = number, node.capacity
    whole[LEVEL], whole[POSITION] = node.level, node.position
