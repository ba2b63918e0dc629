r"""The counterexamples: losses made of tents, a tree of draws, cells without rounding, an unlucky coin.

A proper loss is fixed, up to an affine part, by the measure :math:`\mu = -f''` of its univariate form. If the
measure is made of rational tents, then f and its derivatives are rational at rational points, and what the
loss does to a statement of the paper is decided by integer arithmetic alone.
"""

from __future__ import annotations

from klcal.exact.cells import ExactCells, point_masses
from klcal.exact.cells import Forecast as Mixture
from klcal.exact.counterexamples.coins import UnluckyCoin, unlucky_coin
from klcal.exact.counterexamples.games import SIGNED_CANCELLATION, Branch, DrawTree, two_round_tree
from klcal.exact.counterexamples.losses import (
    BoundaryLoss,
    SharpV,
    Tent,
    TentLoss,
    mean_absolute_deviation,
    mean_absolute_deviation_ball,
    slow_loss,
    slow_loss_regret,
    smoothed_v,
    spike_loss,
)

__all__ = [
    "SIGNED_CANCELLATION",
    "BoundaryLoss",
    "Branch",
    "DrawTree",
    "ExactCells",
    "Mixture",
    "SharpV",
    "Tent",
    "TentLoss",
    "UnluckyCoin",
    "mean_absolute_deviation",
    "mean_absolute_deviation_ball",
    "point_masses",
    "slow_loss",
    "slow_loss_regret",
    "smoothed_v",
    "spike_loss",
    "two_round_tree",
    "unlucky_coin",
]
