"""klcal: the computations behind the companion of "Simultaneous Swap Regret Minimization via KL-Calibration"."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what the table below says, for type checkers
    from klcal import adversaries, book, bounds
    from klcal.forecasters.algorithm_1 import BlumMansour
    from klcal.forecasters.stream import Forecaster
    from klcal.games.play import DoublingRun, Run, run, run_doubling
    from klcal.grids import (
        Grid,
        full_grid,
        inner_grid,
        linear_rounding,
        log_rounding,
        nearest_rounding,
        resolution,
        uniform_grid,
    )
    from klcal.losses import LOSSES, ProperLoss, tsallis, v_shaped
    from klcal.measures import (
        calibration_error,
        external_regret,
        kl_calibration,
        max_external_regret,
        max_swap_regret,
        measure,
        swap_regret,
    )
    from klcal.measures.cells import Cells

__version__ = "0.1.0"

#: The rooms of the house and what lives in each. A room imports only from rooms before it; the import rule, the pages
#: about the code and their order follow from this list.
ROOMS = {
    "losses": "what a forecast costs: proper losses, univariate forms, divergences",
    "grids": "where forecasts live, and how a number is rounded to them",
    "bounds": "every right-hand side of the theory",
    "measures": "cells, and every function of cells",
    "forecasters": "Algorithm 1, PAIR, the tree, all of them as streams, and the baselines",
    "adversaries": "who chooses outcomes",
    "games": "the loop over rounds",
    "figures": "everything with a colour",
    "book": "what only the pages of the book use",
}

# Where the names of the package live. They are loaded when they are asked for, because the compiler and SciPy take most
# of a second.
_HOMES = {
    "forecasters.algorithm_1": ("BlumMansour",),
    "forecasters.stream": ("Forecaster",),
    "games.play": ("DoublingRun", "Run", "run", "run_doubling"),
    "grids": (
        "Grid",
        "full_grid",
        "inner_grid",
        "linear_rounding",
        "log_rounding",
        "nearest_rounding",
        "resolution",
        "uniform_grid",
    ),
    "losses": ("LOSSES", "ProperLoss", "tsallis", "v_shaped"),
    "measures": (
        "calibration_error",
        "external_regret",
        "kl_calibration",
        "max_external_regret",
        "max_swap_regret",
        "measure",
        "swap_regret",
    ),
    "measures.cells": ("Cells",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "LOSSES",
    "BlumMansour",
    "Cells",
    "DoublingRun",
    "Forecaster",
    "Grid",
    "ProperLoss",
    "Run",
    "adversaries",
    "book",
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
    "measure",
    "nearest_rounding",
    "resolution",
    "run",
    "run_doubling",
    "swap_regret",
    "tsallis",
    "uniform_grid",
    "v_shaped",
]


def __getattr__(name: str) -> Any:
    """Load a room, or the home of a name, when it is asked for first."""
    if name in ROOMS:
        return import_module(f"{__name__}.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *ROOMS})
