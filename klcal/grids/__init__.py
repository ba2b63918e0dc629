"""Where forecasts live, and how a number is rounded to them."""

from __future__ import annotations

from klcal.grids.points import Grid, full_grid, inner_grid, resolution, uniform_grid
from klcal.grids.rounding import linear_rounding, log_rounding, nearest_rounding, rounding_change

__all__ = [
    "Grid",
    "full_grid",
    "inner_grid",
    "linear_rounding",
    "log_rounding",
    "nearest_rounding",
    "resolution",
    "rounding_change",
    "uniform_grid",
]
