"""Results become pictures; the only room that imports matplotlib.

Every function takes numbers, draws on `ax` (a new one by default) and returns it. Nothing here computes a quantity of
the theory, shows a window or saves a file, except `save_reliability` for the command line.
"""

from __future__ import annotations

from klcal.figures.amounts import plot_bars, plot_histogram, plot_two_ways
from klcal.figures.canvas import BOUND, HIGHLIGHT, MEASURED, REFERENCE, panels, use_style
from klcal.figures.curves import plot_curves, plot_levels, plot_multiples, plot_paths, plot_spikes
from klcal.figures.forecasts import (
    plot_divergence,
    plot_grids,
    plot_landscape,
    plot_over_cells,
    plot_reliability,
    save_reliability,
)

__all__ = [
    "BOUND",
    "HIGHLIGHT",
    "MEASURED",
    "REFERENCE",
    "panels",
    "plot_bars",
    "plot_curves",
    "plot_divergence",
    "plot_grids",
    "plot_histogram",
    "plot_landscape",
    "plot_levels",
    "plot_multiples",
    "plot_over_cells",
    "plot_paths",
    "plot_reliability",
    "plot_spikes",
    "plot_two_ways",
    "save_reliability",
    "use_style",
]
