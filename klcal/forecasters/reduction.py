r"""Blum-Mansour for the log loss: learners, rounding and a stationary mixture become a forecaster.

`BlumMansour` follows Algorithm 1 (``alg:BM_log_loss``) line by line; `FastBlumMansour` is its compiled twin with the
same verbs. `Forecaster` adds the random draws and the choice of the grid.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from klcal import _checks
from klcal._checks import FloatArray, IntArray, OutcomeArray
from klcal._kernels import blum_mansour
from klcal._kernels.bank import EXPECTED, REALISED
from klcal.forecasters.learners import Ewoo
from klcal.forecasters.markov import stationary
from klcal.forecasters.pair import PAIRS, FastPair, Pair
from klcal.forecasters.rounds import CompiledReduction, Reduction, select
from klcal.grids import Grid, full_grid, inner_grid, resolution
from klcal.grids.rounding import log_rounding
from klcal.measures.cells import Cells

# What Blum-Mansour feeds its learners: the mixture's weights (the paper) or the drawn forecast.
FEEDBACK = {"paper": EXPECTED, "realised": REALISED}
# Every algorithm, with the grid on which it plays.
ALGORITHMS: Mapping[str, Callable[[int], Grid]] = MappingProxyType(
    {**dict.fromkeys(FEEDBACK, full_grid), **dict.fromkeys(PAIRS, inner_grid)}
)
ENGINES = ("fast", "reference")

__all__ = [
    "ALGORITHMS",
    "ENGINES",
    "BlumMansour",
    "CompiledReduction",
    "FastBlumMansour",
    "Forecaster",
    "Reduction",
    "new_grid",
    "new_reduction",
    "select",
]


class BlumMansour(Reduction):
    r"""Algorithm 1 in plain NumPy, one method per line of pseudo-code.

    Parameters
    ----------
    grid : Grid
        Where forecasts live; one learner per point.
    algorithm : {"paper", "realised"}
        "paper" feeds learner i the weight :math:`p_{t,i}`; "realised" feeds the drawn learner the weight 1.

    Examples
    --------
    >>> reduction = BlumMansour(full_grid(2))
    >>> reduction.mixture()
    array([0., 1., 0.])
    >>> reduction.update(1, 1)
    >>> reduction.leanings()
    array([0.5       , 0.66666667, 0.5       ])
    """

    def __init__(self, grid: Grid, algorithm: str = "paper") -> None:
        _checks.choice("algorithm", algorithm, FEEDBACK)
        self.grid = grid
        self.learns_from_draws = FEEDBACK[algorithm] == REALISED
        self._by_mixture = Ewoo(len(grid))
        self._by_draw = Ewoo(len(grid))
        self._learners = self._by_draw if self.learns_from_draws else self._by_mixture
        self._mixture: FloatArray | None = None

    def leanings(self) -> FloatArray:
        """Return the point :math:`w_{t,i}` of each learner."""
        return self._learners.predict()

    def mixture(self) -> FloatArray:
        """Return the stationary distribution of the matrix whose row i is learner i's rounded point."""
        if self._mixture is None:
            self._mixture = stationary(self._advice())
        return self._mixture.copy()

    def _advice(self) -> FloatArray:
        """Return the matrix Q: row i is learner i's point, rounded to the grid."""
        return log_rounding(self.leanings(), self.grid)

    def draw(self, uniform: float) -> int:
        """Return the grid index that `uniform` selects from the mixture."""
        return select(self.mixture(), uniform)

    def update(self, index: int, outcome: int) -> None:
        """End the round: feed the outcome to the learners."""
        drawn = np.zeros(len(self.grid))
        drawn[index] = 1.0
        self._by_mixture.update(self.mixture(), outcome)
        self._by_draw.update(drawn, outcome)
        self._mixture = None

    def weights(self) -> FloatArray:
        """Return the expected mass by outcome and grid point."""
        return np.stack([self._by_mixture.zeros, self._by_mixture.ones])

    def counts(self) -> FloatArray:
        """Return the drawn forecasts by outcome and grid point."""
        return np.stack([self._by_draw.zeros, self._by_draw.ones])


class FastBlumMansour(CompiledReduction):
    """The compiled twin of `BlumMansour`: same verbs, same numbers to the last bit.

    What makes it fast: a learner's point is a Beta mean; each learner touches two grid points; the closed class has a
    handful of members and can change only when a member's rounding cell does, because all others stand still.

    Parameters
    ----------
    grid : Grid
        Where forecasts live; one learner per point.
    algorithm : {"paper", "realised"}
        See `BlumMansour`.

    Examples
    --------
    >>> FastBlumMansour(full_grid(2)).mixture()
    array([0., 1., 0.])
    """

    def __init__(self, grid: Grid, algorithm: str = "paper") -> None:
        _checks.choice("algorithm", algorithm, FEEDBACK)
        log_rounding(0.5, grid)  # the one place that knows which grids the rounding accepts
        self.grid = grid
        self.learns_from_draws = FEEDBACK[algorithm] == REALISED
        self.bank: blum_mansour.Bank = blum_mansour.new_bank(grid.points, FEEDBACK[algorithm])
        self._solved = False

    def _solve(self) -> None:
        if not self._solved:
            blum_mansour.solve(*self.bank)
            self._solved = True

    def update(self, index: int, outcome: int) -> None:
        """End the round: feed the outcome to the learners."""
        self._solve()
        blum_mansour.advance(self.bank.reals, self.bank.whole, self.bank.control, index, outcome)
        self._solved = False

    def play_rounds(
        self,
        outcomes: OutcomeArray,
        uniforms: FloatArray,
        adversary: int,
        draws: IntArray,
        mixtures: FloatArray,
    ) -> None:
        """Play many rounds in one compiled call."""
        blum_mansour.play_rounds(*self.bank, outcomes, uniforms, adversary, draws, mixtures)
        self._solved = False


def new_grid(algorithm: str, K: int) -> Grid:
    """Return the grid on which `algorithm` plays.

    Parameters
    ----------
    algorithm : {"paper", "realised", "pair", "pair-expected"}
        The first two play on ``full_grid(K)``, the others on ``inner_grid(K)``.
    K : int
        Number of cells, at least 2.

    Returns
    -------
    Grid
        The grid.

    Examples
    --------
    >>> new_grid("paper", 3), new_grid("pair", 3)
    (Grid(4 points, 'full, K=3'), Grid(2 points, 'inner, K=3'))
    """
    return ALGORITHMS[_checks.choice("algorithm", algorithm, ALGORITHMS)](K)


def new_reduction(grid: Grid, algorithm: str, engine: str) -> Reduction:
    """Return the reduction that `algorithm` and `engine` name.

    Parameters
    ----------
    grid : Grid
        Where forecasts live; see `new_grid`.
    algorithm : {"paper", "realised", "pair", "pair-expected"}
        Blum-Mansour with one of two kinds of feedback, or PAIR with one of two.
    engine : {"fast", "reference"}
        Compiled or plain.

    Returns
    -------
    Reduction
        A reduction before its first round.

    Examples
    --------
    >>> type(new_reduction(full_grid(2), "paper", "reference")).__name__
    'BlumMansour'
    """
    _checks.choice("algorithm", algorithm, ALGORITHMS)
    _checks.choice("engine", engine, ENGINES)
    if algorithm in PAIRS:
        return FastPair(grid, algorithm) if engine == "fast" else Pair(grid, algorithm)
    return FastBlumMansour(grid, algorithm) if engine == "fast" else BlumMansour(grid, algorithm)


class Forecaster:
    r"""A streaming forecaster: ask for a forecast, tell it the outcome, repeat.

    Parameters
    ----------
    horizon : int, optional
        Number of rounds to tune the grid for, ``K = resolution(horizon)``. Playing longer is allowed.
    K : int, optional
        Number of cells, at least 2; overrides `horizon`.
    algorithm : {"paper", "realised", "pair", "pair-expected"}
        "paper" is Algorithm 1, which controls pseudo KL-calibration; "realised" feeds each learner the rounds in which
        its own point was drawn, which controls the expected KL-calibration of the drawn forecasts. "pair" controls
        the KL-calibration of the drawn forecasts with high probability, and "pair-expected" pseudo KL-calibration;
        see `klcal.forecasters.pair`.
    rng : None, int, Generator, ...
        Source of the draws, for ``numpy.random.default_rng``. One uniform number is used per round.
    engine : {"fast", "reference"}
        Compiled, or plain NumPy.

    Notes
    -----
    Without `horizon` and `K` the doubling trick is played: epoch r lasts :math:`2^r` rounds and starts afresh on the
    grid of ``resolution(2**r)``. `expected` and `realised` then collect the cells of all epochs.

    Examples
    --------
    >>> forecaster = Forecaster(K=2, rng=0)
    >>> forecaster.mixture(), forecaster.predict()
    (array([0., 1., 0.]), 0.5)
    >>> forecaster.update(1)
    >>> forecaster.realised
    Cells(points=array([0.14644661, 0.5       , 0.85355339]), mass=array([0., 1., 0.]), ones=array([0., 1., 0.]))
    """

    def __init__(
        self,
        horizon: int | None = None,
        K: int | None = None,
        algorithm: str = "paper",
        rng: np.random.Generator | int | None = None,
        *,
        engine: str = "fast",
    ) -> None:
        if horizon is not None:
            horizon = _checks.integer("horizon", horizon, least=1)
        if K is None and horizon is not None:
            K = resolution(horizon)
        self._doubling = K is None
        self._algorithm, self._engine = algorithm, engine
        self._rng = np.random.default_rng(rng)
        self._epoch = 0
        self._left = 1
        self._finished: list[Reduction] = []
        self._reduction: Reduction = self._new_reduction(2 if K is None else K)
        self._index: int | None = None

    @property
    def grid(self) -> Grid:
        """The grid of the current round."""
        return self._reduction.grid

    def mixture(self) -> FloatArray:
        """Return the distribution of this round's forecast over `grid`."""
        return self._reduction.mixture()

    def predict(self) -> float:
        """Return this round's forecast; the draw is made once, however often it is asked for."""
        return float(self.grid.points[self._drawn()])

    def update(self, outcome: int) -> None:
        """End the round with the outcome 0 or 1."""
        y = _checks.outcome("outcome", outcome)
        self._reduction.update(self._drawn(), y)
        self._index = None
        if self._doubling:
            self._left -= 1
            if self._left == 0:
                self._start_epoch()

    def _drawn(self) -> int:
        if self._index is None:
            self._index = self._reduction.draw(self._rng.random())
        return self._index

    def _start_epoch(self) -> None:
        self._epoch += 1
        self._left = 2**self._epoch
        self._finished.append(self._reduction)
        self._reduction = self._new_reduction(resolution(self._left))

    def _new_reduction(self, K: int) -> Reduction:
        return new_reduction(new_grid(self._algorithm, K), self._algorithm, self._engine)

    @property
    def expected(self) -> Cells:
        """Expected cells of all rounds so far."""
        return Cells.merged(*(part.expected for part in self._parts()))

    @property
    def realised(self) -> Cells:
        """Realised cells of all rounds so far."""
        return Cells.merged(*(part.realised for part in self._parts()))

    def _parts(self) -> list[Reduction]:
        return [*self._finished, self._reduction]
