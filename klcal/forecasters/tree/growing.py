"""What both engines of the tree have in common: three versions, and a grid that grows."""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from klcal._checks import FloatArray, IntArray
from klcal._kernels.bank import EXPECTED, REALISED
from klcal.forecasters.rounds import Reduction
from klcal.forecasters.tree.nodes import TreeNode
from klcal.grids import Grid
from klcal.measures.cells import Cells


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

    @abstractmethod
    def log_wealths(self) -> FloatArray:
        """Return the logarithms of the wealths of the active nodes."""

    @abstractmethod
    def log_total_wealth(self) -> float:
        """Return the logarithm of the product of all wealths, of active and of full nodes."""

    @abstractmethod
    def nodes(self) -> list[TreeNode]:
        """Return the active nodes from left to right."""

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
