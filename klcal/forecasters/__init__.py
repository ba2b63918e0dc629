"""Who forecasts: learners, Markov chains, Algorithm 1, PAIR and the baselines."""

from __future__ import annotations

from klcal.forecasters.learners import Ewoo, beta_density, beta_mean, ewoo_plays, ewoo_regret_path
from klcal.forecasters.markov import closed_classes, gth, stationary
from klcal.forecasters.pair import FastPair, Pair, kt_means, pair_boundaries, pair_mixture, pair_rule
from klcal.forecasters.reduction import (
    ALGORITHMS,
    ENGINES,
    BlumMansour,
    FastBlumMansour,
    Forecaster,
    GridForecaster,
    new_grid,
    new_reduction,
)
from klcal.forecasters.rounds import CompiledReduction, CountingReduction, Reduction, select

__all__ = [
    "ALGORITHMS",
    "ENGINES",
    "BlumMansour",
    "CompiledReduction",
    "CountingReduction",
    "Ewoo",
    "FastBlumMansour",
    "FastPair",
    "Forecaster",
    "GridForecaster",
    "Pair",
    "Reduction",
    "beta_density",
    "beta_mean",
    "closed_classes",
    "ewoo_plays",
    "ewoo_regret_path",
    "gth",
    "kt_means",
    "new_grid",
    "new_reduction",
    "pair_boundaries",
    "pair_mixture",
    "pair_rule",
    "select",
    "stationary",
]
