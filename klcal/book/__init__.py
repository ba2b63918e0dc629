"""What only the pages of the book use: evidence, solved games, stored tables, many draws, drawings of one page.

The library never imports from here. A forecaster, a loss or a measure of your own needs none of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from klcal.book import exact, experiments, figures, minimax, replays, symbolic, verify

#: The rooms of the book; each imports from the library and from rooms before it.
ROOMS = {
    "symbolic": "the normal form in which sympy's expressions are compared",
    "replays": "many draws of one game, and the steps of Theorem 3",
    "minimax": "the finite game, solved",
    "exact": "rigorous arithmetic: balls, certificates for all horizons",
    "verify": "the calls that end a check on a page",
    "experiments": "many games, stored tables, real data",
    "figures": "drawings of one page each, beside those of the library",
}
__all__ = ["exact", "experiments", "figures", "minimax", "replays", "symbolic", "verify"]


def __getattr__(name: str) -> Any:
    """Load a room when it is asked for first."""
    if name not in ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return sorted({*globals(), *ROOMS})
