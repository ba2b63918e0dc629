"""Who forecasts: learners, Markov chains, Algorithm 1, PAIR, the tree and the baselines."""

from __future__ import annotations

from klcal.forecasters.chains import Chain
from klcal.forecasters.learners import Ewoo, beta_mean, ewoo_plays, ewoo_regret_path
from klcal.forecasters.markov import closed_classes, gth, stationary
from klcal.forecasters.pair import FastPair, Pair, kt_means, pair_boundaries, pair_mixture, pair_rule
from klcal.forecasters.reduction import (
    ALGORITHMS,
    ENGINES,
    EVERY_ALGORITHM,
    BlumMansour,
    FastBlumMansour,
    Forecaster,
    GridForecaster,
    new_grid,
    new_reduction,
    new_tree,
    reduction_for,
)
from klcal.forecasters.rounds import CompiledReduction, CountingReduction, Reduction, select
from klcal.forecasters.tree import (
    FastTree,
    Growing,
    Tree,
    TreeNode,
    most_nodes,
    tree_capacity,
    tree_levels,
    tree_node,
    tree_nodes,
)

__all__ = [
    "ALGORITHMS",
    "ENGINES",
    "EVERY_ALGORITHM",
    "BlumMansour",
    "Chain",
    "CompiledReduction",
    "CountingReduction",
    "Ewoo",
    "FastBlumMansour",
    "FastPair",
    "FastTree",
    "Forecaster",
    "GridForecaster",
    "Growing",
    "Pair",
    "Reduction",
    "Tree",
    "TreeNode",
    "beta_mean",
    "closed_classes",
    "ewoo_plays",
    "ewoo_regret_path",
    "gth",
    "kt_means",
    "most_nodes",
    "new_grid",
    "new_reduction",
    "new_tree",
    "pair_boundaries",
    "pair_mixture",
    "pair_rule",
    "reduction_for",
    "select",
    "stationary",
    "tree_capacity",
    "tree_levels",
    "tree_node",
    "tree_nodes",
]
