"""Where forecasts live, and how a number is rounded to them."""

from __future__ import annotations

from klcal.grids.points import Grid, full_grid, inner_grid, require_interior, resolution, uniform_grid
from klcal.grids.rounding import linear_rounding, log_rounding, nearest_rounding, rounding_change
from klcal.grids.spacing import Spacing, spacing

__all__ = [
    "Grid",
    "Spacing",
    "full_grid",
    "inner_grid",
    "linear_rounding",
    "log_rounding",
    "nearest_rounding",
    "require_interior",
    "resolution",
    "rounding_change",
    "spacing",
    "uniform_grid",
]
