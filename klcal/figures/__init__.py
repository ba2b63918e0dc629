"""Results become pictures; the only room that imports matplotlib.

Every function takes numbers, draws on `ax` (a new one by default) and returns it. Nothing here computes a quantity of
the theory, shows a window or saves a file, except `save_reliability` for the command line.
"""

from __future__ import annotations

from klcal.figures.amounts import plot_bars, plot_histogram, plot_two_ways
from klcal.figures.arena import plot_standings
from klcal.figures.canvas import BOUND, HIGHLIGHT, MEASURED, REFERENCE, panels, use_style
from klcal.figures.chains import plot_chain
from klcal.figures.curves import plot_curves, plot_levels, plot_multiples, plot_paths, plot_spikes
from klcal.figures.existence import plot_dual_game, plot_two_cells
from klcal.figures.forecasts import (
    plot_divergence,
    plot_grids,
    plot_landscape,
    plot_over_cells,
    plot_reliability,
    save_reliability,
)
from klcal.figures.games import plot_counts, plot_matrix_game
from klcal.figures.grids import plot_round, plot_semicircle
from klcal.figures.high_probability import plot_ranges, plot_steps
from klcal.figures.losses import plot_below, plot_profile, plot_rungs
from klcal.figures.lower import plot_boards, plot_truths
from klcal.figures.pair import plot_balance, plot_spreads
from klcal.figures.rates import plot_rates, plot_tradeoff
from klcal.figures.real_data import plot_record, plot_reliabilities
from klcal.figures.tables import table
from klcal.figures.tree import plot_nodes, plot_tree

__all__ = [
    "BOUND",
    "HIGHLIGHT",
    "MEASURED",
    "REFERENCE",
    "panels",
    "plot_balance",
    "plot_bars",
    "plot_below",
    "plot_boards",
    "plot_chain",
    "plot_counts",
    "plot_curves",
    "plot_divergence",
    "plot_dual_game",
    "plot_grids",
    "plot_histogram",
    "plot_landscape",
    "plot_levels",
    "plot_matrix_game",
    "plot_multiples",
    "plot_nodes",
    "plot_over_cells",
    "plot_paths",
    "plot_profile",
    "plot_ranges",
    "plot_rates",
    "plot_record",
    "plot_reliabilities",
    "plot_reliability",
    "plot_round",
    "plot_rungs",
    "plot_semicircle",
    "plot_spikes",
    "plot_spreads",
    "plot_standings",
    "plot_steps",
    "plot_tradeoff",
    "plot_tree",
    "plot_truths",
    "plot_two_cells",
    "plot_two_ways",
    "save_reliability",
    "table",
    "use_style",
]
