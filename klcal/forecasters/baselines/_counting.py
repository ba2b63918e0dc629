"""What the plain forecasters on a grid have in common: sums of their mixtures and counts of their draws."""

from __future__ import annotations

import numpy as np

from klcal._checks import FloatArray
from klcal.forecasters.learners import Ewoo
from klcal.forecasters.rounds import Reduction, select
from klcal.grids import Grid


class CountingReduction(Reduction):
    """A forecaster whose mixture is a function of its weights and counts; subclasses say which.

    Parameters
    ----------
    grid : Grid
        Where forecasts live.
    """

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        # Only their compensated sums are used: weights with outcome 0 and 1 of each grid point.
        self._by_mixture, self._by_draw = Ewoo(len(grid)), Ewoo(len(grid))

    def draw(self, uniform: float) -> int:
        """Return the grid index that `uniform` selects from the mixture."""
        return select(self.mixture(), uniform)

    def update(self, index: int, outcome: int) -> None:
        """End the round: count the drawn forecast, and the mixture."""
        drawn = np.zeros(len(self.grid))
        drawn[index] = 1.0
        self._by_mixture.update(self.mixture(), outcome)
        self._by_draw.update(drawn, outcome)

    def weights(self) -> FloatArray:
        """Return the expected mass by outcome and grid point."""
        return np.stack([self._by_mixture.zeros, self._by_mixture.ones])

    def counts(self) -> FloatArray:
        """Return the drawn forecasts by outcome and grid point."""
        return np.stack([self._by_draw.zeros, self._by_draw.ones])
