"""Every drawing of the book: those of the library, and those that one page needs."""

from __future__ import annotations

from klcal import _checks
from klcal.figures import *  # noqa: F403

with _checks.extra("figures"):
    from klcal.book.figures.forecasts import plot_cells, plot_profile, plot_round
    from klcal.book.figures.games import (
        plot_boards,
        plot_counts,
        plot_matrix_game,
        plot_spreads,
        plot_standings,
    )
