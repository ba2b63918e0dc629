"""Every algorithm by its name, and forecasters as streams: ask for a forecast, tell the outcome, repeat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray
from klcal.forecasters.algorithm_1 import FEEDBACK, HALF_COUNTS, FastBlumMansour, compiled_if_known
from klcal.forecasters.pair import PAIRS, FastPair
from klcal.forecasters.rounds import Reduction, fresh_copy
from klcal.forecasters.tree import TREES, FastTree
from klcal.grids import Grid, as_grid, full_grid, inner_grid, log_odds_rounding, resolution
from klcal.measures.cells import Cells

#: Every algorithm on one grid, with that grid as a function of K.
ALGORITHMS: Mapping[str, Callable[[int], Grid]] = MappingProxyType(
    {**dict.fromkeys((*FEEDBACK, HALF_COUNTS), full_grid), **dict.fromkeys(PAIRS, inner_grid)}
)
#: The algorithms on one grid, and the tree, which makes its grid as it plays.
EVERY_ALGORITHM = (*ALGORITHMS, *TREES)
#: What can be played: a name, a reduction before its first round, or a function that makes one for a grid.
Algorithm = str | Reduction | Callable[[Grid], Reduction]


def reduction_for(
    algorithm: Algorithm,
    K: int | None,
    default_K: int,
    grid: Grid | npt.ArrayLike | None = None,
) -> Reduction:
    """Return the reduction of a game, on `grid`, or on `K` cells if its algorithm has a choice.

    Parameters
    ----------
    algorithm : str, Reduction or callable
        One of `EVERY_ALGORITHM`, a reduction before its first round, or a function of a grid that returns one.
    K : int or None
        Number of cells; the tree takes none.
    default_K : int
        What K is if nobody says.
    grid : Grid or array_like, optional
        In place of the grid with K cells.

    Returns
    -------
    Reduction
        A reduction before its first round.

    Examples
    --------
    >>> (
    ...     reduction_for("pair", None, 5).grid,
    ...     reduction_for("tree", None, 5).grid,
    ... )
    (Grid(4 points, 'inner, K=5'), Grid(1 points, 'tree, active nodes'))
    >>> from klcal import BlumMansour
    >>> type(reduction_for(BlumMansour, None, 5, [0.2, 0.8])).__name__
    'FastBlumMansour'
    """
    if grid is not None and K is not None:
        raise ValueError(f"K must be None when a grid is given; got {K!r}")
    own = None if grid is None else as_grid(grid)
    chosen = K if own is None else own
    if isinstance(algorithm, Reduction):
        if chosen is not None:
            raise ValueError(f"grid and K must be None for an algorithm on a grid; got {chosen!r}")
        return compiled_if_known(fresh_copy(algorithm, "algorithm"))
    if isinstance(algorithm, str):
        _checks.choice("algorithm", algorithm, EVERY_ALGORITHM)
    if algorithm in TREES:
        if chosen is not None:
            name = "K" if own is None else "grid"
            raise ValueError(
                f"{name} must be None for the algorithm {algorithm!r}, which makes its own cells; got {chosen!r}"
            )
        return FastTree(algorithm)
    size = default_K if K is None else K
    if isinstance(algorithm, str):
        where = ALGORITHMS[algorithm](size) if own is None else own
        if algorithm == HALF_COUNTS:
            return FastBlumMansour(where, rounding=log_odds_rounding, prior=0.5)
        return FastPair(where, algorithm) if algorithm in PAIRS else FastBlumMansour(where, algorithm)
    made: Any = algorithm
    if callable(algorithm):
        made = algorithm(full_grid(size) if own is None else own)
    if not isinstance(made, Reduction):
        rule = "be a name, a reduction such as BlumMansour(grid), or a function of a grid that returns one"
        raise _checks.complaint("algorithm", rule, made)
    return compiled_if_known(made)


def name_of(algorithm: Algorithm, reduction: Reduction) -> str:
    """Return what an algorithm is called: its name, or that of its class."""
    return algorithm if isinstance(algorithm, str) else type(reduction).__name__.removeprefix("Fast")


class GridForecaster:
    """Any forecaster on one grid as a stream: `klcal.Forecaster` for reductions that it does not know.

    Parameters
    ----------
    reduction : Reduction
        Who forecasts.
    rng : None, int, Generator, ...
        Source of the draws, one uniform number per round. A number seeds a stream of its own; a generator is used as
        it is.

    Examples
    --------
    >>> from klcal import BlumMansour
    >>> forecaster = GridForecaster(BlumMansour(full_grid(2)), rng=0)
    >>> forecaster.predict(), forecaster.update(1), forecaster.realised.ones
    (0.5, None, array([0., 1., 0.]))
    """

    #: Whether it starts afresh after 1, 2, 4, ... rounds.
    doubles = False

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

    def is_plain(self) -> bool:
        """Whether it does nothing but draw from one reduction, also as a subclass that changes no verb."""
        mine = Forecaster if isinstance(self, Forecaster) else GridForecaster
        verbs = ("grid", "mixture", "predict", "update")
        return not self.doubles and all(getattr(type(self), verb) is getattr(mine, verb) for verb in verbs)

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
    algorithm : {"paper", "realised", "half-counts", "pair", "pair-expected", "tree", ...}, or your own, optional
        By default "tree" if neither horizon nor K is given, and "paper" otherwise. "paper" is Algorithm 1, which
        controls pseudo KL-calibration; "half-counts" is the same with two lines changed, which halves both terms of
        the guarantee on any grid; "realised" feeds each learner the rounds in which its own point was drawn,
        which controls the expected KL-calibration of the drawn forecasts. "pair" controls the KL-calibration of the
        drawn forecasts with high probability, and "pair-expected" pseudo KL-calibration; see
        `klcal.forecasters.pair`. The tree needs neither horizon nor K, and refuses K; see `klcal.forecasters.tree`.
        Your own is a reduction such as ``BlumMansour(grid, rounding=f)``, or a function of a grid that returns one.
    rng : None, int, Generator, ...
        Source of the draws, one uniform number per round. A number seeds a stream of its own; a generator is used as
        it is.
    grid : Grid or array_like, optional
        The forecasts, in place of a grid with K cells.

    Notes
    -----
    An algorithm on a grid that is named without `horizon`, `K` and `grid` plays the doubling trick: epoch r lasts
    :math:`2^r` rounds and starts afresh on the grid of ``resolution(2**r)``. `expected` and `realised` then collect the
    cells of all epochs.

    A forecaster can be pickled at any moment, between `predict` and `update` too, and goes on with the same draws.
    It is for one thread at a time.

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
        algorithm: Algorithm | None = None,
        rng: np.random.Generator | int | None = None,
        *,
        grid: Grid | npt.ArrayLike | None = None,
    ) -> None:
        if horizon is not None:
            horizon = _checks.integer("horizon", horizon, least=1)
        unknown = K is None and horizon is None and grid is None
        if algorithm is None:
            algorithm = "tree" if unknown else "paper"
        self.doubles = unknown and not isinstance(algorithm, Reduction) and algorithm not in TREES
        self._algorithm = algorithm
        self._epoch = 0
        self._left = 1
        self._finished: list[Reduction] = []
        default_K = 2 if horizon is None else resolution(horizon)
        super().__init__(reduction_for(algorithm, K, default_K, grid), rng)

    def __repr__(self) -> str:
        rounds, name = int(self.realised.total), name_of(self._algorithm, self.reduction)
        return f"Forecaster(algorithm={name!r}, after {rounds} rounds, {self.grid!r})"

    def update(self, outcome: int) -> None:
        """End the round with the outcome 0 or 1; the doubling trick may start its next epoch."""
        super().update(outcome)
        if self.doubles:
            self._left -= 1
            if self._left == 0:
                self._start_epoch()

    def _start_epoch(self) -> None:
        self._epoch += 1
        self._left = 2**self._epoch
        self._finished.append(self.reduction)
        self.reduction = reduction_for(self._algorithm, None, resolution(self._left))

    @property
    def expected(self) -> Cells:
        """Expected cells of all rounds so far, over all epochs."""
        return Cells.merged(*(part.expected for part in (*self._finished, self.reduction)))

    @property
    def realised(self) -> Cells:
        """Realised cells of all rounds so far, over all epochs."""
        return Cells.merged(*(part.realised for part in (*self._finished, self.reduction)))
