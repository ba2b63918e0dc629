r"""Blum-Mansour for the log loss: learners, rounding and a stationary mixture become a forecaster.

`BlumMansour` follows Algorithm 1 (``alg:BM_log_loss``) line by line; `FastBlumMansour` is its compiled twin with the
same verbs. `Forecaster` adds the random draws and the choice of the grid.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from klcal import _checks
from klcal._checks import FloatArray
from klcal._kernels import blum_mansour
from klcal.cells import Cells
from klcal.grids import Grid, full_grid, resolution
from klcal.learners import Ewoo
from klcal.markov import stationary
from klcal.rounding import log_rounding

# What each algorithm feeds its learners: the mixture's weights (the paper) or the drawn forecast.
ALGORITHMS = {"paper": blum_mansour.EXPECTED, "realised": blum_mansour.REALISED}
ENGINES = ("fast", "reference")


class Reduction(ABC):
    """What a round needs: a mixture over the grid, then the drawn index and the outcome."""

    grid: Grid

    @abstractmethod
    def mixture(self) -> FloatArray:
        """Return this round's distribution over the grid."""

    @abstractmethod
    def draw(self, uniform: float) -> int:
        """Return the grid index that a uniform number in [0, 1) selects."""

    @abstractmethod
    def update(self, index: int, outcome: int) -> None:
        """End the round: `index` was forecast, `outcome` happened."""

    @abstractmethod
    def leanings(self) -> FloatArray:
        """Return the point each learner leans to."""

    @abstractmethod
    def weights(self) -> FloatArray:
        """Return the (2, n) array of expected mass by outcome and grid point."""

    @abstractmethod
    def counts(self) -> FloatArray:
        """Return the (2, n) array of drawn forecasts by outcome and grid point."""

    @property
    def expected(self) -> Cells:
        """Cells of the mixtures so far."""
        return _cells(self.grid, self.weights())

    @property
    def realised(self) -> Cells:
        """Cells of the drawn forecasts so far."""
        return _cells(self.grid, self.counts())


def _cells(grid: Grid, by_outcome: FloatArray) -> Cells:
    zeros, ones = by_outcome
    return Cells(grid.points, ones + zeros, ones)


def select(mixture: FloatArray, uniform: float) -> int:
    """Return the first index whose cumulative probability exceeds `uniform`.

    Parameters
    ----------
    mixture : ndarray, shape (n,)
        A distribution.
    uniform : float
        A number in [0, 1).

    Returns
    -------
    int
        An index of positive probability, also where the probabilities add up to a little less than one.

    Examples
    --------
    >>> select(np.array([0.25, 0.0, 0.75]), 0.25)
    2
    """
    support = np.flatnonzero(mixture)
    beyond = np.flatnonzero(uniform < np.cumsum(mixture[support]))
    return int(support[beyond[0]] if len(beyond) else support[-1])


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
        _checks.choice("algorithm", algorithm, ALGORITHMS)
        self.grid = grid
        self._by_mixture = Ewoo(len(grid))
        self._by_draw = Ewoo(len(grid))
        self._learners = self._by_mixture if algorithm == "paper" else self._by_draw
        self._mixture: FloatArray | None = None

    def leanings(self) -> FloatArray:
        """Return the point :math:`w_{t,i}` of each learner."""
        return self._learners.predict()

    def mixture(self) -> FloatArray:
        """Return the stationary distribution of the matrix whose row i is learner i's rounded point."""
        if self._mixture is None:
            Q = log_rounding(self.leanings(), self.grid)
            self._mixture = stationary(Q)
        return self._mixture.copy()

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


class FastBlumMansour(Reduction):
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
        _checks.choice("algorithm", algorithm, ALGORITHMS)
        log_rounding(0.5, grid)  # the one place that knows which grids the rounding accepts
        self.grid = grid
        self.bank = blum_mansour.new_bank(grid.points, ALGORITHMS[algorithm])
        self._solved = False

    def leanings(self) -> FloatArray:
        """Return the point of each learner."""
        return np.array(self.bank.reals[blum_mansour.LEANING])

    def mixture(self) -> FloatArray:
        """Return the stationary distribution on the lowest closed class."""
        self._solve()
        size = int(self.bank.control[blum_mansour.SIZE])
        dense = np.zeros(len(self.grid))
        dense[self.bank.whole[blum_mansour.MEMBER, :size]] = self.bank.reals[blum_mansour.MIXTURE, :size]
        return dense

    def draw(self, uniform: float) -> int:
        """Return the grid index that `uniform` selects from the mixture."""
        self._solve()
        size = int(self.bank.control[blum_mansour.SIZE])
        return int(blum_mansour.draw(self.bank.reals, self.bank.whole, size, uniform))

    def update(self, index: int, outcome: int) -> None:
        """End the round: feed the outcome to the learners."""
        self._solve()
        blum_mansour.advance(self.bank.reals, self.bank.whole, self.bank.control, index, outcome)
        self._solved = False

    def _solve(self) -> None:
        if not self._solved:
            blum_mansour.solve(*self.bank)
            self._solved = True

    def weights(self) -> FloatArray:
        """Return the expected mass by outcome and grid point."""
        return self.bank.reals[blum_mansour.SUM : blum_mansour.SUM + 2].copy()

    def counts(self) -> FloatArray:
        """Return the drawn forecasts by outcome and grid point."""
        return self.bank.whole[blum_mansour.COUNT : blum_mansour.COUNT + 2].astype(np.float64)


def new_reduction(grid: Grid, algorithm: str, engine: str) -> Reduction:
    """Return the reduction that `algorithm` and `engine` name.

    Parameters
    ----------
    grid : Grid
        Where forecasts live.
    algorithm : {"paper", "realised"}
        What the learners are fed.
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
    _checks.choice("engine", engine, ENGINES)
    return FastBlumMansour(grid, algorithm) if engine == "fast" else BlumMansour(grid, algorithm)


class Forecaster:
    r"""A streaming forecaster: ask for a forecast, tell it the outcome, repeat.

    Parameters
    ----------
    horizon : int, optional
        Number of rounds to tune the grid for, ``K = resolution(horizon)``. Playing longer is allowed.
    K : int, optional
        Number of cells, at least 2; overrides `horizon`.
    algorithm : {"paper", "realised"}
        "paper" is Algorithm 1, which controls pseudo KL-calibration; "realised" feeds each learner the rounds in which
        its own point was drawn, which controls the expected KL-calibration of the drawn forecasts.
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
        self._reduction: Reduction = new_reduction(full_grid(2 if K is None else K), algorithm, engine)
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
        self._reduction = new_reduction(full_grid(resolution(self._left)), self._algorithm, self._engine)

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
