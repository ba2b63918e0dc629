"""Who forecasts: Algorithm 1, PAIR, the tree, all of them as streams, and the baselines."""

from __future__ import annotations

from klcal.forecasters.algorithm_1 import Learners as Learners
from klcal.forecasters.algorithm_1 import beta_mean as beta_mean
from klcal.forecasters.algorithm_1 import stationary as stationary
from klcal.forecasters.pair import kt_means as kt_means
from klcal.forecasters.pair import pair_boundaries as pair_boundaries
from klcal.forecasters.tree import tree_nodes as tree_nodes
