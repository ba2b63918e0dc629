"""One round of Algorithm 1, seen from outside: where its learners lean, and the chain of their advice."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from klcal import _checks
from klcal._checks import FloatArray, IntArray
from klcal.forecasters.learners import beta_mean
from klcal.forecasters.markov import closed_classes, stationary
from klcal.grids import Grid
from klcal.grids.rounding import log_rounding
from klcal.measures.cells import Cells


@dataclass(frozen=True, eq=False)
class Chain:
    r"""The chain whose stationary distribution is the next mixture of Algorithm 1 (``alg:BM_log_loss``).

    The learners have seen the expected cells of all rounds so far and nothing else, so these determine the round.

    Parameters
    ----------
    cells : Cells
        Expected cells, one for each point of the grid.

    Examples
    --------
    After one round with outcome 1 on three points, only the learner in the middle has moved:

    >>> chain = Chain(Cells([0.25, 0.5, 0.75], [0, 1, 0], [0, 1, 0]))
    >>> chain.leanings, chain.classes
    (array([0.5       , 0.66666667, 0.5       ]), (array([1, 2]),))
    >>> chain.Q[1].round(4), chain.mixture.round(4)
    (array([0. , 0.4, 0.6]), array([0.   , 0.625, 0.375]))
    """

    cells: Cells

    @property
    def points(self) -> FloatArray:
        """The grid."""
        return self.cells.points

    @cached_property
    def leanings(self) -> FloatArray:
        """The point :math:`w_{t,i}` of each learner."""
        return beta_mean(self.cells.ones, self.cells.zeros)

    @cached_property
    def Q(self) -> FloatArray:
        """The matrix whose row i is learner i's point, rounded to the grid."""
        return log_rounding(self.leanings, Grid(self.points))

    @cached_property
    def classes(self) -> tuple[IntArray, ...]:
        """The closed classes, lowest first."""
        return closed_classes(self.Q)

    @cached_property
    def mixture(self) -> FloatArray:
        """The stationary distribution on the lowest closed class."""
        return stationary(self.Q)

    def after(self, outcome: int) -> Chain:
        """Return the chain of the next round, if this one ends with `outcome`.

        Parameters
        ----------
        outcome : {0, 1}
            What happens.

        Returns
        -------
        Chain
            Each learner was fed its weight in the mixture.
        """
        y = _checks.outcome("outcome", outcome)
        mass, ones = self.cells.mass + self.mixture, self.cells.ones + y * self.mixture
        return Chain(Cells(self.points, mass, ones))
