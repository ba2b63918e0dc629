"""Algorithm 1 with one part exchanged: the rounding of its learners (``rem:rounding``)."""

from __future__ import annotations

from klcal import _checks
from klcal._checks import FloatArray
from klcal._kernels import blum_mansour
from klcal._kernels.bank import EXPECTED
from klcal.forecasters.reduction import BlumMansour
from klcal.forecasters.rounds import CompiledReduction
from klcal.grids import Grid
from klcal.grids.points import require_interior
from klcal.grids.rounding import linear_rounding, log_rounding, nearest_rounding

# Rounding in plain NumPy, and the code of its compiled twin.
_SCHEMES = {
    "log": (log_rounding, blum_mansour.LOG),
    "linear": (linear_rounding, blum_mansour.LINEAR),
    "nearest": (nearest_rounding, blum_mansour.NEAREST),
}


class RoundedBlumMansour(BlumMansour):
    r"""Algorithm 1 (``alg:BM_log_loss``) with another rounding, in plain NumPy.

    Parameters
    ----------
    grid : Grid
        Where forecasts live; one learner per point.
    scheme : {"log", "linear", "nearest"}
        The paper's Algorithm 4; the two neighbours such that the mean is kept; the nearest point.

    Notes
    -----
    Linear rounding still promises :math:`\mathsf{PKLCal} = O(T^{1/3}\log T)`, a factor :math:`(\log T)^{1/3}` above
    Algorithm 4, although a single round can cost a constant. With the nearest point nothing is promised: it
    rounds without chance, so that a loss can be paid again in every round.

    Examples
    --------
    >>> from klcal.grids import full_grid
    >>> algorithm = RoundedBlumMansour(full_grid(2), "nearest")
    >>> algorithm.update(1, 1)
    >>> algorithm.leanings(), algorithm.mixture()
    (array([0.5       , 0.66666667, 0.5       ]), array([0., 1., 0.]))
    """

    def __init__(self, grid: Grid, scheme: str) -> None:
        super().__init__(grid, "paper")
        self._rounding = _SCHEMES[_checks.choice("scheme", scheme, _SCHEMES)][0]

    def _advice(self) -> FloatArray:
        """Return the matrix whose row i is learner i's point, rounded to the grid."""
        return self._rounding(self.leanings(), self.grid)


class FastRoundedBlumMansour(CompiledReduction):
    """The compiled twin of `RoundedBlumMansour`: same verbs, same numbers to the last bit.

    Parameters
    ----------
    grid : Grid
        Where forecasts live; one learner per point.
    scheme : {"log", "linear", "nearest"}
        See `RoundedBlumMansour`.

    Examples
    --------
    >>> from klcal.grids import full_grid
    >>> FastRoundedBlumMansour(full_grid(2), "linear").mixture()
    array([0., 1., 0.])
    """

    learns_from_draws = False
    _kernels = blum_mansour

    def __init__(self, grid: Grid, scheme: str) -> None:
        code = _SCHEMES[_checks.choice("scheme", scheme, _SCHEMES)][1]
        require_interior(grid)
        super().__init__(grid, blum_mansour.new_bank(grid.points, EXPECTED, code))
