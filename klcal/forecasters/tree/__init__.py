r"""The tree: one forecaster without a horizon, for KL-calibration and for all bounded proper losses together.

PAIR on cells that split. A node of the binary tree over [0, 1] has a cell, forecasts its midpoint and keeps a smoothed
mean of the outcomes it met. A round forecasts a node whose mean lies in its cell or, if there is none, one of two
neighbours whose means lie beyond their common boundary on either side, drawn by a coin that their wealths weigh. When a
node has had its capacity of rounds, its two children take its place.
"""

from __future__ import annotations

from klcal.forecasters.tree.compiled import FastTree
from klcal.forecasters.tree.growing import TREES, Everything, Growing, Version
from klcal.forecasters.tree.nodes import (
    TreeNode,
    most_nodes,
    tree_capacity,
    tree_levels,
    tree_node,
    tree_nodes,
)
from klcal.forecasters.tree.readable import Tree

__all__ = [
    "TREES",
    "Everything",
    "FastTree",
    "Growing",
    "Tree",
    "TreeNode",
    "Version",
    "most_nodes",
    "tree_capacity",
    "tree_levels",
    "tree_node",
    "tree_nodes",
]
