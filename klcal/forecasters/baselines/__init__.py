r"""The other forecasters of the paper's story, with the same verbs as `klcal.Forecaster`.

On a grid, each as a readable class and a compiled twin: the squared-loss algorithm that the paper builds on
(`SquaredBlumMansour`), Algorithm 1 with other roundings (`RoundedBlumMansour`), Foster's two neighbours
(`TwoNeighbours`), and the classic reduction from internal regret (`InternalRegret`). Without a grid: the mean of all
outcomes so far, plain or as Laplace's rule (`RunningMean`), and the recalibration of somebody else's forecasts
(`Calibeating`, `OnePerBin`). ``FORECASTERS`` makes them, and the book's own algorithms, from a horizon and a seed.

Every class says where it comes from, what it promises and what it does not.
"""

from __future__ import annotations

from klcal.forecasters.baselines.calibeating import Calibeating, calibeat
from klcal.forecasters.baselines.internal import (
    FastInternalRegret,
    InternalRegret,
    balanced_mixture,
    internal_regrets,
)
from klcal.forecasters.baselines.neighbours import FastTwoNeighbours, TwoNeighbours, neighbour_mixture
from klcal.forecasters.baselines.per_bin import OnePerBin
from klcal.forecasters.baselines.rounded import FastRoundedBlumMansour, RoundedBlumMansour
from klcal.forecasters.baselines.squared import FastSquaredBlumMansour, SquaredBlumMansour, weighted_mean
from klcal.forecasters.baselines.streaming import Given, Plain, RunningMean, Streaming
from klcal.forecasters.baselines.table import FORECASTERS, internal_resolution

__all__ = [
    "FORECASTERS",
    "Calibeating",
    "FastInternalRegret",
    "FastRoundedBlumMansour",
    "FastSquaredBlumMansour",
    "FastTwoNeighbours",
    "Given",
    "InternalRegret",
    "OnePerBin",
    "Plain",
    "RoundedBlumMansour",
    "RunningMean",
    "SquaredBlumMansour",
    "Streaming",
    "TwoNeighbours",
    "balanced_mixture",
    "calibeat",
    "internal_regrets",
    "internal_resolution",
    "neighbour_mixture",
    "weighted_mean",
]
