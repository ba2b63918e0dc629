"""The loop over rounds: a forecaster against outcomes, in either engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray, IntArray, OutcomeArray
from klcal._kernels import opponents
from klcal.adversaries import Adaptive, Seed, View, compiled_code
from klcal.forecasters.baselines import FastRoundedBlumMansour
from klcal.forecasters.reduction import ALGORITHMS, reduction_for
from klcal.forecasters.rounds import NO_DRAWS, NO_MIXTURES, CompiledReduction, Reduction
from klcal.forecasters.tree import Growing, most_nodes
from klcal.grids import Grid, full_grid, resolution
from klcal.measures.cells import Cells

# Uniform draws are made in pieces, so that memory beyond the outcomes does not grow with T.
_PIECE = 1 << 14


@dataclass(frozen=True)
class Snapshot:
    """The cells after `round` rounds.

    Parameters
    ----------
    round : int
        Number of rounds played.
    expected, realised : Cells
        Cells of these rounds.
    """

    round: int
    expected: Cells
    realised: Cells


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
    algorithm, engine : str
        What was run.
    mixtures : ndarray, shape (T, n), or None
        Every round's mixture, when recorded.
    draws : ndarray of int64, shape (T,), or None
        Grid index of every drawn forecast, when recorded.
    history : tuple of Snapshot
        Cells at log-spaced rounds, when recorded.
    """

    grid: Grid
    outcomes: OutcomeArray
    expected: Cells
    realised: Cells
    algorithm: str
    engine: str
    mixtures: FloatArray | None = None
    draws: IntArray | None = None
    history: tuple[Snapshot, ...] = ()

    @property
    def horizon(self) -> int:
        """Number of rounds T."""
        return len(self.outcomes)

    @property
    def forecasts(self) -> FloatArray:
        """The drawn forecast of every round, when draws were recorded."""
        if self.draws is None:
            raise ValueError("record must be True or 'draws' for a run with forecasts; got False or 'log'")
        return self.grid.points[self.draws]

    def __eq__(self, other: object) -> bool:
        """Whether both games are the same in every field, arrays entry by entry."""
        if not isinstance(other, Run):
            return NotImplemented
        pairs = ((getattr(self, field.name), getattr(other, field.name)) for field in fields(self))
        return all(np.array_equal(a, b) if isinstance(a, np.ndarray) else a is b or a == b for a, b in pairs)

    __hash__ = None  # type: ignore[assignment]


def log_spaced_rounds(T: int, per_decade: int = 20) -> IntArray:
    """Return increasing round numbers up to T, about `per_decade` per factor of ten.

    Parameters
    ----------
    T : int
        Last round, always included.
    per_decade : int
        How many rounds per factor of ten, where there are that many.

    Returns
    -------
    ndarray of int64
        The rounds.

    Examples
    --------
    >>> log_spaced_rounds(20, 4)
    array([ 1,  2,  3,  6, 10, 18, 20])
    """
    T = _checks.integer("T", T, least=1)
    per_decade = _checks.integer("per_decade", per_decade, least=1)
    exponents = np.arange(0, int(np.ceil(np.log10(T) * per_decade)) + 1) / per_decade
    rounds = np.unique(np.rint(10.0**exponents).astype(np.int64))
    return np.append(rounds[rounds < T], T)


def run(
    outcomes: npt.ArrayLike | Adaptive,
    K: int | None = None,
    algorithm: str = "paper",
    engine: str = "fast",
    rng: Seed = None,
    record: bool | str = False,
) -> Run:
    """Play a whole game with one grid.

    Parameters
    ----------
    outcomes : array_like of {0, 1}, or an adaptive adversary
        The sequence to forecast, or an object with ``horizon`` and ``choose(view)``. An adaptive adversary sees the
        round's mixture but never its draw.
    K : int, optional
        Number of cells, at least 2; ``resolution(T)`` by default. The tree refuses it.
    algorithm : {"paper", "realised", "pair", "pair-expected", "tree", "tree-plain", "tree-expected"}
        Algorithm 1 (``alg:BM_log_loss``), or the variant whose learners are fed the drawn forecasts, both on
        ``full_grid(K)``; or PAIR, fed its draws or its mixtures, on ``inner_grid(K)``; or the tree, whose cells
        split as it plays (`klcal.forecasters.tree`).
    engine : {"fast", "reference"}
        Compiled, or plain NumPy. Both use one uniform number per round and give the same bits.
    rng : None, int, Generator, ...
        Source of the draws. A number seeds a stream of its own; a generator is used as it is.
    record : bool, "draws" or "log"
        True stores every mixture and draw, "draws" the draws alone; "log" stores the cells at log-spaced rounds.

    Returns
    -------
    Run
        Expected and realised cells, and what was recorded.

    Examples
    --------
    >>> game = run([1, 1, 0, 1], K=2, rng=0)
    >>> game.expected.mass.sum(), game.realised.total
    (np.float64(4.0), 4.0)
    >>> game.grid
    Grid(3 points, 'full, K=2')
    """
    adversary, sequence = _opponent(outcomes)
    reduction = reduction_for(algorithm, engine, K, resolution(len(sequence)))
    return _game(reduction, adversary, sequence, algorithm, engine, rng, record)


def run_rounded(
    outcomes: npt.ArrayLike | Adaptive,
    K: int | None = None,
    *,
    scheme: str = "log",
    rng: Seed = None,
    record: bool | str = False,
) -> Run:
    """Play Algorithm 1 with the rounding of Algorithm 4, with linear rounding, or with the nearest point.

    Parameters
    ----------
    outcomes, K, rng, record
        As for `run`.
    scheme : {"log", "linear", "nearest"}
        The rounding; outside the grid all three move to the end point, and ties of "nearest" go down.

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
    adversary, sequence = _opponent(outcomes)
    grid = full_grid(resolution(len(sequence)) if K is None else K)
    reduction = FastRoundedBlumMansour(grid, scheme)
    return _game(reduction, adversary, sequence, f"paper, {scheme} rounding", "fast", rng, record)


def _game(
    reduction: Reduction,
    adversary: Adaptive | None,
    sequence: OutcomeArray,
    algorithm: str,
    engine: str,
    rng: Seed,
    record: bool | str,
) -> Run:
    """Play all rounds and collect what is asked for."""
    if record is not True and record is not False and record not in ("draws", "log"):
        raise ValueError(f"record must be True, False, 'draws' or 'log'; got {record!r}")
    draws_wanted = record is True or record == "draws"
    generator = _checks.draws(rng)
    stops = log_spaced_rounds(len(sequence)) if record == "log" else np.array([len(sequence)])
    width = most_nodes(len(sequence)) if isinstance(reduction, Growing) else len(reduction.grid)
    mixtures = np.zeros((len(sequence), width) if record is True else (0, 0))
    draws = np.zeros(len(sequence) if draws_wanted else 0, dtype=np.int64)
    history = []
    for start, stop in _pieces(stops):
        uniforms = generator.random(stop - start)
        part = slice(start, stop)
        _play(reduction, adversary, sequence[part], uniforms, draws[part], mixtures[part])
        if record == "log" and stop in stops:
            history.append(Snapshot(stop, reduction.expected, reduction.realised))
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
        engine=engine,
        mixtures=mixtures if record is True else None,
        draws=draws if draws_wanted else None,
        history=tuple(history),
    )


def _in_order(reduction: Growing, mixtures: FloatArray, draws: IntArray) -> tuple[Grid, FloatArray, IntArray]:
    """Return the grid of all forecasts so far, and what was recorded by their numbers on it."""
    points = reduction.everything().points
    order = np.argsort(points)
    if len(mixtures):
        mixtures = mixtures[:, order]
    if len(draws):
        draws = np.argsort(order)[draws]
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
    algorithm: str = "paper",
    engine: str = "fast",
    rng: Seed = None,
    record: bool | str = False,
) -> DoublingRun:
    """Play without knowing the horizon: restart after 1, 2, 4, ... rounds on the grid of the new epoch's length.

    Parameters
    ----------
    outcomes : array_like of {0, 1}
        The sequence to forecast.
    algorithm, engine, rng, record
        As for `run`; the tree needs no doubling and is refused.

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
    _checks.choice("algorithm", algorithm, ALGORITHMS)
    sequence = _checks.outcomes("outcomes", outcomes)
    generator = _checks.draws(rng)
    epochs = []
    start, length = 0, 1
    while start < len(sequence):
        part = sequence[start : start + length]
        epochs.append(run(part, resolution(length), algorithm, engine, generator, record))
        start, length = start + length, 2 * length
    return DoublingRun(
        tuple(epochs),
        Cells.merged(*(epoch.expected for epoch in epochs)),
        Cells.merged(*(epoch.realised for epoch in epochs)),
    )


def _opponent(
    outcomes: npt.ArrayLike | Adaptive, name: str = "outcomes"
) -> tuple[Adaptive | None, OutcomeArray]:
    """Return the adaptive adversary, if there is one, and the outcomes, given or still to be chosen."""
    if isinstance(outcomes, Adaptive):
        horizon = _checks.integer(f"{name}.horizon", outcomes.horizon, least=1)
        return outcomes, np.zeros(horizon, dtype=np.uint8)
    sequence = _checks.outcomes(name, outcomes)
    # What nobody can change any more need not be copied; a read-only view of something else might.
    frozen = sequence.base is None and not sequence.flags.writeable
    return None, sequence if frozen or not np.may_share_memory(sequence, outcomes) else sequence.copy()


def _pieces(stops: IntArray) -> Iterator[tuple[int, int]]:
    start = 0
    for stop in stops.tolist():
        while start < stop:
            end = min(start + _PIECE, stop)
            yield start, end
            start = end


def _play(
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
    for t, uniform in enumerate(uniforms):
        mixture = reduction.mixture()
        if adversary is not None:
            view = View(
                reduction.grid, mixture, reduction.leanings(), reduction.weights(), reduction.counts()
            )
            outcomes[t] = _checks.outcome("outcome chosen by the adversary", adversary.choose(view))
        index = reduction.draw(float(uniform))
        if len(draws):
            columns = reduction.numbers() if isinstance(reduction, Growing) else np.arange(len(mixture))
            draws[t] = columns[index]
            if len(mixtures):
                mixtures[t, columns] = mixture
        reduction.update(index, int(outcomes[t]))
