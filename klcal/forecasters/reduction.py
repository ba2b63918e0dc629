r"""Blum-Mansour for the log loss: learners, rounding and a stationary mixture become a forecaster.

`BlumMansour` follows Algorithm 1 (``alg:BM_log_loss``) line by line; `FastBlumMansour` is its compiled twin with the
same verbs. `Forecaster` adds the random draws and the choice of the grid.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from klcal import _checks
from klcal._checks import FloatArray
from klcal._kernels import blum_mansour
from klcal._kernels.bank import EXPECTED, REALISED
from klcal.forecasters.markov import stationary
from klcal.forecasters.pair import PAIRS, FastPair, Pair
from klcal.forecasters.rounds import CompiledReduction, CountingReduction, Reduction
from klcal.forecasters.tree import TREES, FastTree, Growing, Tree
from klcal.grids import Grid, full_grid, inner_grid, resolution
from klcal.grids.points import require_interior
from klcal.grids.rounding import log_rounding
from klcal.measures.cells import Cells

# What Blum-Mansour feeds its learners: the mixture's weights (the paper) or the drawn forecast.
FEEDBACK = {"paper": EXPECTED, "realised": REALISED}
#: Every algorithm on one grid, with that grid as a function of K.
ALGORITHMS: Mapping[str, Callable[[int], Grid]] = MappingProxyType(
    {**dict.fromkeys(FEEDBACK, full_grid), **dict.fromkeys(PAIRS, inner_grid)}
)
#: The algorithms on one grid, and the tree, which makes its grid as it plays.
EVERY_ALGORITHM = (*ALGORITHMS, *TREES)
#: The compiled engine and the readable one; they play the same game bit for bit.
ENGINES = ("fast", "reference")


class BlumMansour(CountingReduction):
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
        super().__init__(grid)
        self.learns_from_draws = FEEDBACK[algorithm] == REALISED

    def leanings(self) -> FloatArray:
        """Return the point :math:`w_{t,i}` of each learner."""
        learners = self._by_draw if self.learns_from_draws else self._by_mixture
        return learners.predict()

    def _new_mixture(self) -> FloatArray:
        """Return the stationary distribution of the matrix whose row i is learner i's rounded point."""
        return stationary(self._advice())

    def _advice(self) -> FloatArray:
        """Return the matrix Q: row i is learner i's point, rounded to the grid."""
        return log_rounding(self.leanings(), self.grid)


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

    _kernels = blum_mansour

    def __init__(self, grid: Grid, algorithm: str = "paper") -> None:
        _checks.choice("algorithm", algorithm, FEEDBACK)
        require_interior(grid)
        super().__init__(grid, blum_mansour.new_bank(grid.points, FEEDBACK[algorithm]))
        self.learns_from_draws = FEEDBACK[algorithm] == REALISED


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


def new_tree(algorithm: str, engine: str) -> Growing:
    """Return the tree that `algorithm` and `engine` name.

    Parameters
    ----------
    algorithm : {"tree", "tree-plain", "tree-expected"}
        See `klcal.forecasters.tree`.
    engine : {"fast", "reference"}
        Compiled or plain.

    Returns
    -------
    Growing
        The tree before its first round.

    Examples
    --------
    >>> type(new_tree("tree", "reference")).__name__
    'Tree'
    """
    _checks.choice("engine", engine, ENGINES)
    return FastTree(algorithm) if engine == "fast" else Tree(algorithm)


def reduction_for(algorithm: str, engine: str, K: int | None, default_K: int) -> Reduction:
    """Return the reduction of a game, on `K` cells if its algorithm has a choice, `default_K` if K is None.

    Parameters
    ----------
    algorithm : str
        One of `EVERY_ALGORITHM`.
    engine : {"fast", "reference"}
        Compiled or plain.
    K : int or None
        Number of cells; the tree takes none.
    default_K : int
        What K is if nobody says.

    Returns
    -------
    Reduction
        A reduction before its first round.

    Examples
    --------
    >>> (
    ...     reduction_for("pair", "fast", None, 5).grid,
    ...     reduction_for("tree", "fast", None, 5).grid,
    ... )
    (Grid(4 points, 'inner, K=5'), Grid(1 points, 'tree, active nodes'))
    """
    _checks.choice("algorithm", algorithm, EVERY_ALGORITHM)
    if algorithm in TREES:
        if K is not None:
            raise ValueError(
                f"K must be None for the algorithm {algorithm!r}, which makes its own cells; got {K!r}"
            )
        return new_tree(algorithm, engine)
    return new_reduction(new_grid(algorithm, default_K if K is None else K), algorithm, engine)


class GridForecaster:
    """Any forecaster on one grid as a stream: `klcal.Forecaster` for reductions that it does not know.

    Parameters
    ----------
    reduction : Reduction
        Who forecasts.
    rng : None, int, Generator, ...
        Source of the draws. A number seeds a stream of its own; a generator is used as it is. One uniform number is used per round.

    Examples
    --------
    >>> forecaster = GridForecaster(BlumMansour(full_grid(2)), rng=0)
    >>> forecaster.predict(), forecaster.update(1), forecaster.mixture().round(6)
    (0.5, None, array([0.      , 0.764298, 0.235702]))
    """

    def __init__(self, reduction: Reduction, rng: np.random.Generator | int | None = None) -> None:
        self.reduction = reduction
        self.rng = _checks.draws(rng)
        self._index: int | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({type(self.reduction).__name__}, {self.grid!r})"

    @property
    def grid(self) -> Grid:
        """The grid of this round; only that of the tree changes."""
        return self.reduction.grid

    def mixture(self) -> FloatArray:
        """Return the distribution of this round's forecast over `grid`."""
        return self.reduction.mixture()

    def predict(self) -> float:
        """Return this round's forecast; the draw is made once, however often it is asked for."""
        index = self._draw_once()  # the usual case of a stream takes the shortest way
        return float(self.reduction.grid.points.item(index))

    def update(self, outcome: int) -> None:
        """End the round with the outcome 0 or 1."""
        y = _checks.outcome("outcome", outcome)
        self.reduction.update(self._draw_once() if self._index is None else self._index, y)
        self._index = None

    def _draw_once(self) -> int:
        if self._index is None:
            self._index = self.reduction.draw(self.rng.random())
        return self._index

    @property
    def expected(self) -> Cells:
        """Expected cells of all rounds so far."""
        return self.reduction.expected

    @property
    def realised(self) -> Cells:
        """Realised cells of all rounds so far."""
        return self.reduction.realised


class Forecaster(GridForecaster):
    r"""A streaming forecaster: ask for a forecast, tell it the outcome, repeat.

    Parameters
    ----------
    horizon : int, optional
        Number of rounds to tune the grid for, ``K = resolution(horizon)``. Playing longer is allowed.
    K : int, optional
        Number of cells, at least 2; overrides `horizon`.
    algorithm : {"paper", "realised", "pair", "pair-expected", "tree", "tree-plain", "tree-expected"}, optional
        By default "tree" if neither horizon nor K is given, and "paper" otherwise. "paper" is Algorithm 1, which
        controls pseudo KL-calibration; "realised" feeds each learner the rounds in which its own point was drawn,
        which controls the expected KL-calibration of the drawn forecasts. "pair" controls the KL-calibration of the
        drawn forecasts with high probability, and "pair-expected" pseudo KL-calibration; see
        `klcal.forecasters.pair`. The tree needs neither horizon nor K, and refuses K; see `klcal.forecasters.tree`.
    rng : None, int, Generator, ...
        Source of the draws. A number seeds a stream of its own; a generator is used as it is. One uniform number is used per round.
    engine : {"fast", "reference"}
        Compiled, or plain NumPy.

    Notes
    -----
    An algorithm on a grid that is named without `horizon` and `K` plays the doubling trick: epoch r lasts :math:`2^r`
    rounds and starts afresh on the grid of ``resolution(2**r)``. `expected` and `realised` then collect the cells of
    all epochs.

    A forecaster can be pickled at any moment, between `predict` and `update` too, and goes on with the same draws.

    Examples
    --------
    >>> Forecaster().grid
    Grid(1 points, 'tree, active nodes')
    >>> Forecaster(1000).grid, Forecaster(algorithm="paper").grid
    (Grid(7 points, 'full, K=6'), Grid(3 points, 'full, K=2'))
    >>> forecaster = Forecaster(K=2, rng=0)
    >>> forecaster.mixture(), forecaster.predict()
    (array([0., 1., 0.]), 0.5)
    >>> forecaster.update(1)
    >>> forecaster.realised  # doctest: +NORMALIZE_WHITESPACE
    Cells(points=array([0.14644661, 0.5       , 0.85355339]),
          mass=array([0., 1., 0.]), ones=array([0., 1., 0.]))
    """

    def __init__(
        self,
        horizon: int | None = None,
        K: int | None = None,
        algorithm: str | None = None,
        rng: np.random.Generator | int | None = None,
        *,
        engine: str = "fast",
    ) -> None:
        if horizon is not None:
            horizon = _checks.integer("horizon", horizon, least=1)
        unknown = K is None and horizon is None
        if algorithm is None:
            algorithm = "tree" if unknown else "paper"
        self._doubling = unknown and algorithm not in TREES
        self._algorithm, self._engine = algorithm, engine
        self._epoch = 0
        self._left = 1
        self._finished: list[Reduction] = []
        super().__init__(
            reduction_for(algorithm, engine, K, 2 if horizon is None else resolution(horizon)), rng
        )

    def __repr__(self) -> str:
        rounds = int(self.realised.total)
        return f"Forecaster(algorithm={self._algorithm!r}, after {rounds} rounds, {self.grid!r})"

    def update(self, outcome: int) -> None:
        """End the round with the outcome 0 or 1; the doubling trick may start its next epoch."""
        super().update(outcome)
        if self._doubling:
            self._left -= 1
            if self._left == 0:
                self._start_epoch()

    def _start_epoch(self) -> None:
        self._epoch += 1
        self._left = 2**self._epoch
        self._finished.append(self.reduction)
        self.reduction = reduction_for(self._algorithm, self._engine, None, resolution(self._left))

    @property
    def expected(self) -> Cells:
        """Expected cells of all rounds so far, over all epochs."""
        return Cells.merged(*(part.expected for part in (*self._finished, self.reduction)))

    @property
    def realised(self) -> Cells:
        """Realised cells of all rounds so far, over all epochs."""
        return Cells.merged(*(part.realised for part in (*self._finished, self.reduction)))
