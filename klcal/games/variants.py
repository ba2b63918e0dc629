"""Algorithm 1 with one part exchanged: the rounding of its learners (``rem:rounding``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray, IntArray, OutcomeArray
from klcal.adversaries import Greedy, Oppose, View
from klcal.forecasters import markov
from klcal.forecasters.learners import Ewoo
from klcal.grids import Grid, full_grid, resolution
from klcal.grids.rounding import linear_rounding, log_rounding, nearest_rounding
from klcal.measures.cells import Cells

SCHEMES: dict[str, Callable[[npt.ArrayLike, Grid], FloatArray]] = {
    "log": log_rounding,
    "linear": linear_rounding,
    "nearest": nearest_rounding,
}


@dataclass(frozen=True, eq=False)
class RoundedRun:
    """A game of Algorithm 1 with some rounding scheme.

    Parameters
    ----------
    grid : Grid
        The forecasts.
    scheme : str
        How the learners' points were rounded.
    outcomes : ndarray of uint8, shape (T,)
        What happened, read-only.
    expected : Cells
        Cells of the mixtures.
    """

    grid: Grid
    scheme: str
    outcomes: OutcomeArray
    expected: Cells


class _Solver:
    """Stationary distributions of a changing matrix; which classes are closed depends on its zeros alone."""

    def __init__(self) -> None:
        self._lowest: dict[bytes, IntArray] = {}

    def mixture(self, Q: FloatArray) -> FloatArray:
        """Return the stationary distribution on the lowest closed class; the same as `markov.stationary`."""
        pattern = (Q > 0.0).tobytes()
        if pattern not in self._lowest:
            self._lowest[pattern] = markov.closed_classes(Q)[0]
        members = self._lowest[pattern]
        p = np.zeros(len(Q))
        p[members] = markov._irreducible(Q[np.ix_(members, members)])
        return p


def run_rounded(
    outcomes: npt.ArrayLike | Oppose | Greedy, K: int | None = None, *, scheme: str = "log"
) -> RoundedRun:
    """Play Algorithm 1 with the rounding of Algorithm 4, with linear rounding, or with the nearest point.

    Parameters
    ----------
    outcomes : array_like of {0, 1}, or an adversary that looks at the mixtures only
        The sequence to forecast, or `adversaries.Oppose` or `adversaries.Greedy` on expected cells.
    K : int, optional
        Number of cells, at least 2; ``resolution(T)`` by default.
    scheme : {"log", "linear", "nearest"}
        The rounding; outside the grid all three move to the end point, and ties of "nearest" go down.

    Returns
    -------
    RoundedRun
        With "log" the cells are those of ``klcal.run``. This is plain NumPy, ten thousand rounds a second or so.

    Examples
    --------
    With the nearest point, a learner that leans to 2/3 on the grid 0.15, 1/2, 0.85 stays at 1/2:

    >>> run_rounded([1, 1], K=2, scheme="nearest").expected.mass
    array([0., 2., 0.])
    >>> run_rounded([1, 1], K=2, scheme="linear").expected.mass.round(4)
    array([0.    , 1.6796, 0.3204])
    """
    rounding = SCHEMES[_checks.choice("scheme", scheme, SCHEMES)]
    if isinstance(outcomes, Greedy) and outcomes.cells != "expected":
        raise ValueError(f"outcomes must not depend on draws, as there are none; got {outcomes!r}")
    adversary: Oppose | Greedy | None = None
    if isinstance(outcomes, Oppose | Greedy):
        adversary, sequence = outcomes, np.zeros(outcomes.horizon, dtype=np.uint8)
    else:
        sequence = _checks.outcomes("outcomes", outcomes).copy()
    grid = full_grid(resolution(len(sequence)) if K is None else K)
    learners, solver = Ewoo(len(grid)), _Solver()
    for t in range(len(sequence)):
        leanings = learners.predict()
        mixture = solver.mixture(rounding(leanings, grid))
        if adversary is not None:
            weights = np.stack([learners.zeros, learners.ones])
            sequence[t] = adversary.choose(View(grid, mixture, leanings, weights, np.zeros_like(weights)))
        learners.update(mixture, int(sequence[t]))
    cells = Cells(grid.points, learners.ones + learners.zeros, learners.ones)
    return RoundedRun(grid, scheme, _checks.frozen(sequence), cells)
