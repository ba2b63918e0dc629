"""klcal: the computations behind the companion of "Simultaneous Swap Regret Minimization via KL-Calibration"."""

from __future__ import annotations

from klcal import adversaries, bounds, minimax
from klcal.cells import Cells
from klcal.grids import Grid, full_grid, inner_grid, resolution, uniform_grid
from klcal.losses import LOSSES, ProperLoss, tsallis, v_shaped
from klcal.measures import (
    calibration_error,
    external_regret,
    kl_calibration,
    max_external_regret,
    max_swap_regret,
    swap_regret,
)
from klcal.play import DoublingRun, Run, run, run_doubling
from klcal.reduction import Forecaster
from klcal.rounding import linear_rounding, log_rounding, nearest_rounding

__version__ = "0.1.0"

__all__ = [
    "LOSSES",
    "Cells",
    "DoublingRun",
    "Forecaster",
    "Grid",
    "ProperLoss",
    "Run",
    "adversaries",
    "bounds",
    "calibration_error",
    "external_regret",
    "full_grid",
    "inner_grid",
    "kl_calibration",
    "linear_rounding",
    "log_rounding",
    "max_external_regret",
    "max_swap_regret",
    "minimax",
    "nearest_rounding",
    "resolution",
    "run",
    "run_doubling",
    "swap_regret",
    "tsallis",
    "uniform_grid",
    "v_shaped",
]
