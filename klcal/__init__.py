"""klcal: the computations behind the companion of "Simultaneous Swap Regret Minimization via KL-Calibration"."""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

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

# Where the names of the package live, as ``__init__.pyi`` says. They are loaded when they are asked for, because the
# compiler and SciPy take most of a second.
_STUB = ast.parse(Path(__file__).with_suffix(".pyi").read_bytes())
_HOME_OF = {
    alias.name: node.module
    for node in _STUB.body
    if isinstance(node, ast.ImportFrom) and str(node.module).startswith(__name__)
    for alias in node.names
}

# Without scikit-learn there is no Recalibrator, and a star must not fail for it.
__all__ = sorted(_HOME_OF.keys() - {"Recalibrator"})

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
    found = getattr(import_module(str(_HOME_OF[name])), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *ROOMS})
