"""The loop over rounds: a forecaster against outcomes; and any forecaster against any opponent."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray, IntArray, OutcomeArray
from klcal._kernels import opponents
from klcal.adversaries import Adaptive, View
from klcal.adversaries.adaptive import compiled_code
from klcal.adversaries.oblivious import Seed
from klcal.forecasters.algorithm_1 import FastBlumMansour
from klcal.forecasters.baselines import OneForecast, Plain, RunningMean, Streaming
from klcal.forecasters.rounds import NO_DRAWS, NO_MIXTURES, CompiledReduction, Reduction
from klcal.forecasters.stream import ALGORITHMS, Algorithm, GridForecaster, name_of, reduction_for
from klcal.forecasters.tree import Growing, most_nodes
from klcal.grids import ROUNDINGS, Grid, full_grid, resolution
from klcal.measures import kl_calibration
from klcal.measures.cells import Cells

# Uniform draws are made in pieces, so that memory beyond the outcomes does not grow with T.
_PIECE = 1 << 14

DrawArray = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Run:
    """One game, played to its end.

    Parameters
    ----------
    grid : Grid
        The forecasts; of the tree, all that have been active.
    outcomes : ndarray of uint8, shape (T,)
        What happened, read-only; a copy, unless the array that was given is read-only itself.
    expected : Cells
        Cells of the mixtures: their measures are the pseudo measures.
    realised : Cells
        Cells of the drawn forecasts.
    algorithm : str
        What was run: a name, and "fast" or "reference".
    mixtures : ndarray, shape (T, n), or None
        Every round's mixture, when recorded.
    draws : ndarray of int32, shape (T,), or None
        Grid index of every drawn forecast, when recorded.
    """

    grid: Grid
    outcomes: OutcomeArray
    expected: Cells
    realised: Cells
    algorithm: str
    mixtures: FloatArray | None = None
    draws: DrawArray | None = None

    @property
    def horizon(self) -> int:
        """Number of rounds T."""
        return len(self.outcomes)

    @property
    def forecasts(self) -> FloatArray:
        """The drawn forecast of every round, when draws were recorded."""
        if self.draws is None:
            raise ValueError("record must be True or 'draws' for a run with forecasts; got False")
        return self.grid.points[self.draws]

    def __repr__(self) -> str:
        errors = [f"{kl_calibration(cells):.4g}" for cells in (self.expected, self.realised)]
        return (
            f"Run({self.algorithm!r}, T={self.horizon}, {self.grid!r})\n"
            f"    KL-calibration {errors[0]} of the mixtures (.expected), {errors[1]} of the draws (.realised)"
        )

    def __eq__(self, other: object) -> bool:
        """Whether both games are the same in every field, arrays entry by entry."""
        if not isinstance(other, Run):
            return NotImplemented
        pairs = ((getattr(self, field.name), getattr(other, field.name)) for field in fields(self))
        return all(np.array_equal(a, b) if isinstance(a, np.ndarray) else a is b or a == b for a, b in pairs)

    __hash__ = None  # type: ignore[assignment]


def run(
    outcomes: npt.ArrayLike | Adaptive,
    K: int | None = None,
    algorithm: Algorithm = "paper",
    rng: Seed = None,
    record: bool | str = "draws",
    *,
    grid: Grid | npt.ArrayLike | None = None,
) -> Run:
    """Play a whole game with one grid.

    Parameters
    ----------
    outcomes : array_like of {0, 1}, or an adaptive adversary
        The sequence to forecast, or an object with ``horizon`` and ``choose(view)``. An adaptive adversary sees the
        round's mixture but never its draw.
    K : int, optional
        Number of cells, at least 2; ``resolution(T)`` by default. The tree refuses it.
    algorithm : {"paper", "realised", "half-counts", "pair", "pair-expected", "tree", ...}, or your own
        Algorithm 1 (``alg:BM_log_loss``), the variant whose learners are fed the drawn forecasts, or the one with half
        counts and rounding that keeps the log-odds (``half-counts``), all on ``full_grid(K)``; or PAIR, fed its draws
        or its mixtures, on ``inner_grid(K)``; or the tree, also as "tree-plain" or "tree-expected", whose cells split
        as it plays (`klcal.forecasters.tree`). Your own is a reduction before its first round, such as
        ``BlumMansour(grid, rounding=f)``, or a function of a grid that returns one; a copy of it is played.
    rng : None, int, Generator, ...
        Source of the draws. A number seeds a stream of its own; a generator is used as it is.
    record : bool or "draws"
        True stores every mixture and draw, "draws" the draws alone, False neither.
    grid : Grid or array_like, optional
        The forecasts, in place of the grid with K cells.

    Returns
    -------
    Run
        Expected and realised cells, and what was recorded.

    Examples
    --------
    >>> game = run([1, 1, 0, 1], K=2, rng=0)
    >>> game.expected.mass.sum(), game.realised.total
    (np.float64(4.0), 4.0)
    >>> run([1], K=2, rng=0)  # the first forecast is 1/2
    Run('paper', T=1, Grid(3 points, 'full, K=2'))
        KL-calibration 0.6931 of the mixtures (.expected), 0.6931 of the draws (.realised)
    >>> run([1, 1, 0, 1], grid=[0.1, 0.5, 0.9]).grid
    Grid(3 points, 'custom')
    """
    adversary, sequence = opponent_of(outcomes)
    reduction = reduction_for(algorithm, K, resolution(len(sequence)), grid)
    return _game(reduction, adversary, sequence, name_of(algorithm, reduction), rng, record)


def run_rounded(
    outcomes: npt.ArrayLike | Adaptive,
    K: int | None = None,
    *,
    rng: Seed = None,
    record: bool | str = "draws",
    scheme: str = "log",
) -> Run:
    """Play Algorithm 1 with the rounding of Algorithm 4 or with another one.

    Parameters
    ----------
    outcomes, K, rng, record
        As for `run`.
    scheme : {"log", "log-odds", "linear", "nearest"}
        The rounding: that of Algorithm 4, one that keeps the log-odds, one that keeps the mean, or the nearest point;
        outside the grid all move to the end point, and ties of "nearest" go down.

    Returns
    -------
    Run
        With "log" the game of ``klcal.run``.

    Examples
    --------
    With the nearest point, a learner that leans to 2/3 on the grid 0.15, 1/2, 0.85 stays at 1/2:

    >>> run_rounded([1, 1], K=2, scheme="nearest").expected.mass
    array([0., 2., 0.])
    >>> run_rounded([1, 1], K=2, scheme="linear").expected.mass.round(4)
    array([0.    , 1.6796, 0.3204])
    """
    adversary, sequence = opponent_of(outcomes)
    rounding = ROUNDINGS[_checks.choice("scheme", scheme, ROUNDINGS)]
    grid = full_grid(resolution(len(sequence)) if K is None else K)
    reduction = FastBlumMansour(grid, rounding=rounding)
    return _game(reduction, adversary, sequence, f"paper, {scheme} rounding", rng, record)


def _game(
    reduction: Reduction,
    adversary: Adaptive | None,
    sequence: OutcomeArray,
    algorithm: str,
    rng: Seed,
    record: bool | str,
) -> Run:
    """Play all rounds and collect what is asked for."""
    _check_record(record)
    generator = _checks.draws(rng)
    width = most_nodes(len(sequence)) if isinstance(reduction, Growing) else len(reduction.grid)
    mixtures = np.zeros((len(sequence), width) if record is True else (0, 0))
    draws = np.zeros(0 if record is False else len(sequence), dtype=np.int32)
    piece = NO_DRAWS if record is False else np.zeros(_PIECE, dtype=np.int64)
    for start in range(0, len(sequence), _PIECE):
        part = slice(start, min(start + _PIECE, len(sequence)))
        uniforms = generator.random(part.stop - start)
        drawn = piece[: len(uniforms)]
        play_piece(reduction, adversary, sequence[part], uniforms, drawn, mixtures[part])
        draws[part] = drawn
    grid = reduction.grid
    if isinstance(reduction, Growing):
        grid, mixtures, draws = _in_order(reduction, mixtures, draws)
    sequence.flags.writeable = False
    return Run(
        grid=grid,
        outcomes=sequence,
        expected=reduction.expected,
        realised=reduction.realised,
        algorithm=algorithm,
        mixtures=mixtures if record is True else None,
        draws=None if record is False else draws,
    )


def _check_record(record: bool | str) -> None:
    if record is not True and record is not False and record != "draws":
        raise ValueError(f"record must be True, False or 'draws'; got {record!r}")


def _in_order(
    reduction: Growing, mixtures: FloatArray, draws: DrawArray
) -> tuple[Grid, FloatArray, DrawArray]:
    """Return the grid of all forecasts so far, and what was recorded by their numbers on it."""
    points = reduction.everything().points
    order = np.argsort(points)
    if len(mixtures):
        mixtures = mixtures[:, order]
    if len(draws):
        draws = np.argsort(order).astype(np.int32)[draws]
    return Grid(points[order], "tree, all nodes"), mixtures, draws


@dataclass(frozen=True)
class DoublingRun:
    """A game of unknown length: epochs of 1, 2, 4, ... rounds, each a `Run` of its own.

    Parameters
    ----------
    epochs : tuple of Run
        The games, in order.
    expected, realised : Cells
        Cells of all epochs together.
    """

    epochs: tuple[Run, ...]
    expected: Cells
    realised: Cells

    @property
    def forecasts(self) -> FloatArray:
        """The drawn forecast of every round, when draws were recorded."""
        return np.concatenate([epoch.forecasts for epoch in self.epochs])


def run_doubling(
    outcomes: npt.ArrayLike,
    algorithm: Algorithm = "paper",
    rng: Seed = None,
    record: bool | str = "draws",
) -> DoublingRun:
    """Play without knowing the horizon: in epochs whose length doubles, each on its own grid.

    Parameters
    ----------
    outcomes : array_like of {0, 1}
        The sequence to forecast.
    algorithm, rng, record
        As for `run`; the tree needs no doubling and is refused, and your own is a function of a grid.

    Returns
    -------
    DoublingRun
        The epochs and their cells together. The streaming `Forecaster` without a horizon gives the same numbers if
        the algorithm is named.

    Examples
    --------
    >>> [epoch.horizon for epoch in run_doubling([1] * 10, rng=0).epochs]
    [1, 2, 4, 3]
    """
    if isinstance(algorithm, str):
        _checks.choice("algorithm", algorithm, ALGORITHMS)
    sequence = _checks.outcomes("outcomes", outcomes)
    generator = _checks.draws(rng)
    epochs = []
    start, length = 0, 1
    while start < len(sequence):
        part = sequence[start : start + length]
        epochs.append(run(part, resolution(length), algorithm, generator, record))
        start, length = start + length, 2 * length
    return DoublingRun(
        tuple(epochs),
        Cells.merged(*(epoch.expected for epoch in epochs)),
        Cells.merged(*(epoch.realised for epoch in epochs)),
    )


def opponent_of(outcomes: Any, name: str = "outcomes") -> tuple[Adaptive | None, OutcomeArray]:
    """Return the adaptive adversary, if there is one, and the outcomes, given or still to be chosen."""
    chooses = hasattr(outcomes, "choose") and not hasattr(outcomes, "__array__")
    if isinstance(outcomes, type) or (callable(outcomes) and not chooses):
        called = getattr(outcomes, "__name__", repr(outcomes))
        raise ValueError(f"{name} must be outcomes or an adversary, as made by {called}(T); got {outcomes!r}")
    if chooses and not hasattr(outcomes, "horizon"):
        raise ValueError(f"{name} must say its number of rounds as .horizon; got {outcomes!r} without one")
    if isinstance(outcomes, Adaptive):
        horizon = _checks.integer(f"{name}.horizon", outcomes.horizon, least=1)
        return outcomes, np.zeros(horizon, dtype=np.uint8)
    sequence = _checks.outcomes(name, outcomes)
    # What nobody can change any more need not be copied; a read-only view of something else might.
    frozen = sequence.base is None and not sequence.flags.writeable
    return None, sequence if frozen or not np.may_share_memory(sequence, outcomes) else sequence.copy()


def play_piece(
    reduction: Reduction,
    adversary: Adaptive | None,
    outcomes: OutcomeArray,
    uniforms: FloatArray,
    draws: IntArray = NO_DRAWS,
    mixtures: FloatArray = NO_MIXTURES,
) -> None:
    """Play ``len(uniforms)`` rounds; outcomes of an adaptive adversary, draws and mixtures are filled in."""
    code = opponents.GIVEN if adversary is None else compiled_code(adversary)
    if isinstance(reduction, CompiledReduction) and code is not None:
        # A fresh piece has one memory layout, whatever the caller's array looked like: one compilation serves all.
        piece = outcomes.copy()
        reduction.play_rounds(piece, uniforms, code, draws, mixtures)
        if adversary is not None:
            outcomes[:] = piece
        return
    for t, uniform in enumerate(uniforms.tolist()):
        if adversary is not None:
            outcomes[t] = _chosen(adversary, reduction)
        index = reduction.draw(uniform)
        if len(draws):
            draws[t] = reduction.numbers()[index] if isinstance(reduction, Growing) else index
        if len(mixtures):
            columns = reduction.numbers() if isinstance(reduction, Growing) else slice(None)
            mixtures[t, columns] = reduction.mixture()
        reduction.update(index, int(outcomes[t]))


def _chosen(adversary: Adaptive, reduction: Reduction) -> int:
    """Return the outcome that the adversary chooses against a reduction."""
    seen = reduction.mixture(), reduction.leanings(), reduction.weights(), reduction.counts()
    return _checks.outcome("outcome chosen by the adversary", adversary.choose(View(reduction.grid, *seen)))


def play_match(
    forecaster: Streaming | Plain, opponent: npt.ArrayLike | Adaptive, record: bool | str = "draws"
) -> Run:
    """Let any forecaster play, on a grid or not.

    Parameters
    ----------
    forecaster : Streaming or Plain
        Before its first round; it is played on. One that has `predict` and `update` only is taken to be deterministic.
    opponent : array_like of {0, 1}, or an adaptive adversary
        As for `klcal.run`, and ``play_match(klcal.Forecaster(...), opponent)`` is its game. For forecasts that are on
        no grid, an adaptive adversary sees the possible forecasts of this round, and what happened in earlier rounds
        with equal ones.
    record : bool or "draws"
        As for `klcal.run`; mixtures are over all forecasts that occurred.

    Returns
    -------
    Run
        Its `grid` holds all forecasts that were possible in some round; equal numbers share a cell.

    Examples
    --------
    >>> game = play_match(RunningMean(), [1, 1, 0])
    >>> game.realised
    Cells(points=array([0.5, 1. ]), mass=array([1., 2.]), ones=array([1., 1.]))
    >>> game.forecasts
    array([0.5, 1. , 1. ])
    """
    adversary, outcomes = opponent_of(opponent, "opponent")
    _check_record(record)
    called = type(forecaster).__name__
    if isinstance(forecaster, GridForecaster) and forecaster.is_plain():
        return _game(forecaster.reduction, adversary, outcomes, called, forecaster.rng, record)
    if isinstance(forecaster, RunningMean) and adversary is None and record is not True:
        forecasts = forecaster.forecasts(outcomes)
        cells = Cells.from_forecasts(forecasts, outcomes)
        return _match(outcomes, cells, cells, called, forecasts, None, record)
    stream = forecaster if isinstance(forecaster, Streaming) else OneForecast(forecaster)
    return _play_stream(stream, adversary, outcomes, called, record)


def _match(
    outcomes: OutcomeArray,
    expected: Cells,
    realised: Cells,
    algorithm: str,
    forecasts: FloatArray,
    mixtures: list[tuple[FloatArray, FloatArray]] | None,
    record: bool | str,
) -> Run:
    """Return a game whose forecasts were on no common grid, on that of all of them."""
    grid = Grid(expected.points, "all forecasts")
    draws = None if record is False else np.searchsorted(grid.points, forecasts).astype(np.int32)
    dense = None if mixtures is None else np.zeros((len(outcomes), len(grid)))
    for t, (points, weights) in enumerate(mixtures or ()):
        dense[t, np.searchsorted(grid.points, points)] = weights  # type: ignore[index]
    outcomes.flags.writeable = False
    return Run(grid, outcomes, expected, realised, algorithm, dense, draws)


class _Tally:
    """Mass by outcome of every forecast that occurred."""

    def __init__(self) -> None:
        self._mass: dict[float, list[float]] = defaultdict(lambda: [0.0, 0.0])

    def add(self, point: float, outcome: int, weight: float) -> None:
        self._mass[point][outcome] += weight

    def at(self, points: list[float]) -> FloatArray:
        return np.array([self._mass.get(point, (0.0, 0.0)) for point in points]).T

    def cells(self) -> Cells:
        points = sorted(self._mass)
        return Cells.from_weights(points, self.at(points))


def _play_stream(
    forecaster: Streaming, adversary: Adaptive | None, outcomes: OutcomeArray, called: str, record: bool | str
) -> Run:
    expected, realised = _Tally(), _Tally()
    forecasts, mixtures = np.zeros(len(outcomes)), []
    for t in range(len(outcomes)):
        grid, mixture = forecaster.grid, forecaster.mixture()
        points = grid.points.tolist()
        if adversary is not None and isinstance(forecaster, GridForecaster):
            outcomes[t] = _chosen(adversary, forecaster.reduction)
        elif adversary is not None:
            view = View(grid, mixture, grid.points, expected.at(points), realised.at(points))
            outcomes[t] = _checks.outcome("outcome chosen by the adversary", adversary.choose(view))
        y = int(outcomes[t])
        for point, weight in zip(points, mixture.tolist(), strict=True):
            expected.add(point, y, weight)
        forecasts[t] = forecaster.predict()
        realised.add(float(forecasts[t]), y, 1.0)
        if record is True:
            mixtures.append((grid.points, mixture))
        forecaster.update(y)
    recorded = mixtures if record is True else None
    return _match(outcomes, expected.cells(), realised.cells(), called, forecasts, recorded, record)
