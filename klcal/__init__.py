"""klcal: the computations behind the companion of "Simultaneous Swap Regret Minimization via KL-Calibration"."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what the table below says, for type checkers
    from klcal import adversaries as adversaries
    from klcal import book as book
    from klcal import bounds as bounds
    from klcal.forecasters.algorithm_1 import BlumMansour as BlumMansour
    from klcal.forecasters.stream import Forecaster as Forecaster
    from klcal.games.play import DoublingRun as DoublingRun
    from klcal.games.play import Run as Run
    from klcal.games.play import run as run
    from klcal.games.play import run_doubling as run_doubling
    from klcal.grids import Grid as Grid
    from klcal.grids import full_grid as full_grid
    from klcal.grids import inner_grid as inner_grid
    from klcal.grids import linear_rounding as linear_rounding
    from klcal.grids import log_odds_rounding as log_odds_rounding
    from klcal.grids import log_rounding as log_rounding
    from klcal.grids import nearest_rounding as nearest_rounding
    from klcal.grids import resolution as resolution
    from klcal.grids import uniform_grid as uniform_grid
    from klcal.losses import LOSSES as LOSSES
    from klcal.losses import ProperLoss as ProperLoss
    from klcal.losses import tsallis as tsallis
    from klcal.losses import v_shaped as v_shaped
    from klcal.measures import calibration_error as calibration_error
    from klcal.measures import external_regret as external_regret
    from klcal.measures import kl_calibration as kl_calibration
    from klcal.measures import max_external_regret as max_external_regret
    from klcal.measures import max_swap_regret as max_swap_regret
    from klcal.measures import swap_regret as swap_regret
    from klcal.measures.cells import Cells as Cells
    from klcal.measures.report import measure as measure

__version__ = "0.1.0"

#: The rooms of the house and what lives in each. A room imports only from rooms before it.
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
    "forecasters.algorithm_1": "BlumMansour",
    "forecasters.stream": "Forecaster",
    "games.play": "DoublingRun Run run run_doubling",
    "grids": "Grid full_grid inner_grid linear_rounding log_odds_rounding log_rounding nearest_rounding resolution "
    "uniform_grid",
    "losses": "LOSSES ProperLoss tsallis v_shaped",
    "measures": "calibration_error external_regret kl_calibration max_external_regret max_swap_regret swap_regret",
    "measures.cells": "Cells",
    "measures.report": "measure",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = sorted([*_HOME_OF, "adversaries", "book", "bounds"])

# What stood somewhere else in 0.1.0, and where it stands now.
_MOVED = {
    f"klcal.{name}": f"klcal.book.{name}"
    for name in ("exact", "experiments", "minimax", "symbolic", "verify")
}
_MOVED |= {"klcal.games.replay": "klcal.book.replays.replay", "klcal.games.replays": "klcal.book.replays"}
_MOVED |= {
    f"klcal.figures.plot_{name}": f"klcal.book.figures.plot_{name}"
    for name in ("cells", "counts", "matrix_game", "profile", "spreads")
}


class _Moved:
    """Asked last of all for a module: says where one that moved is to be found."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        if name in _MOVED:
            raise ModuleNotFoundError(f"{name} is now {_MOVED[name]}")


sys.meta_path.append(_Moved)


def __getattr__(name: str) -> Any:
    """Load a room, or the home of a name, when it is asked for first."""
    if name in ROOMS:
        return import_module(f"{__name__}.{name}")
    if name not in _HOME_OF:
        new = _MOVED.get(f"{__name__}.{name}")
        raise AttributeError(
            f"{__name__}.{name} is now {new}" if new else f"module {__name__!r} has no attribute {name!r}"
        )
    found = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *ROOMS})
