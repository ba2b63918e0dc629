"""Claims of chapter 3: the grids, the comparator error, the rounding, the learner EWOO, and the bounds as computed."""

from __future__ import annotations

from klcal.claims.grids import comparator, discretization, learner, rounding

# isort: split
from klcal.claims.grids import formulas  # adds evidence to what the others have entered

__all__ = ["comparator", "discretization", "formulas", "learner", "rounding"]
