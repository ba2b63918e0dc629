r"""One run's mixtures, many independent realisations of its draws.

For fixed outcomes the mixtures of Algorithm 1 do not depend on its draws: its learners are fed the mixtures. So they
are computed once, and every replicate only draws from them. That is the probability space of the high-probability bound
(``thm:high_prob_bound``) with an oblivious adversary.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray, IntArray, OutcomeArray
from klcal._kernels import opponents
from klcal._kernels import replay as kernels
from klcal.adversaries import Seed
from klcal.forecasters.reduction import FastBlumMansour
from klcal.forecasters.rounds import CompiledReduction, Reduction
from klcal.forecasters.tree import Growing
from klcal.grids import Grid, full_grid, resolution
from klcal.measures.cells import Cells

# Rounds whose mixtures are held at once, fewer on grids of more than 64 points: memory does not grow with T, and the
# part of a piece that is read stays in the cache.
_PIECE, _ROOM = 1 << 13, 1 << 19


@dataclass(frozen=True)
class Replicates:
    """Realised counts of many independent replicates of one game.

    Parameters
    ----------
    grid : Grid
        The forecasts.
    expected : Cells
        Cells of the mixtures, the same for every replicate.
    counts : ndarray of int64, shape (R, 2, n)
        ``counts[r, y, i]``: how often replicate r drew point i in a round with outcome y.
    seeds : tuple of SeedSequence
        Seed of each replicate: ``klcal.run(outcomes, K, rng=default_rng(seed))`` makes the same draws.
    """

    grid: Grid
    expected: Cells
    counts: IntArray
    seeds: tuple[np.random.SeedSequence, ...]

    def __len__(self) -> int:
        return len(self.counts)

    def cells(self, replicate: int) -> Cells:
        """Return the realised cells of one replicate."""
        return Cells.from_weights(self.grid.points, self.counts[replicate])


class _Piece(NamedTuple):
    """Mixtures of consecutive rounds, a column per round and a row per point of the largest support.

    A slot is the place of outcome and grid point in a flat (2, n) array of counts. From the last point of a support on,
    the cumulative probability is replaced by infinity, which no uniform number reaches.
    """

    slots: IntArray
    cumulative: FloatArray


def replay(
    outcomes: npt.ArrayLike,
    K: int | None = None,
    replicates: int = 1000,
    *,
    reduction: Reduction | None = None,
    rng: Seed = None,
    threads: int = 2,
) -> Replicates:
    """Play one game against fixed outcomes and draw its forecasts `replicates` times.

    Parameters
    ----------
    outcomes : array_like of {0, 1}
        The sequence, fixed in advance.
    K : int, optional
        Number of cells of Algorithm 1 (``alg:BM_log_loss``), ``resolution(T)`` by default.
    replicates : int
        Number of independent replicates, at least 1.
    reduction : Reduction, optional
        Another forecaster, before its first round, whose mixtures do not depend on its draws. It is left as it is.
    rng : None, int, Generator, ...
        Root of the seeds, for ``numpy.random.default_rng``; every replicate gets a stream of its own. The same seed
        may be given to an adversary: its outcomes stay independent of all draws.
    threads : int
        How many threads draw. The numbers do not depend on it.

    Returns
    -------
    Replicates
        Counts by replicate, outcome and grid point.

    Notes
    -----
    Replicate r uses one uniform number per round from its own generator, as `klcal.run` does: the two agree draw by
    draw. If the mixtures did depend on the draws, playing once would not do; so a `reduction` that learns from its
    draws is refused.

    Examples
    --------
    >>> copies = replay([1, 0, 1, 1], K=3, replicates=2, rng=0)
    >>> copies.counts.sum(axis=2)
    array([[1, 3],
           [1, 3]])
    >>> copies.expected.total, copies.cells(1).total
    (4.0, 4.0)
    """
    sequence = _checks.outcomes("outcomes", outcomes)
    number = _checks.integer("replicates", replicates, least=1)
    workers = _checks.integer("threads", threads, least=1)
    if reduction is not None and K is not None:
        raise ValueError(f"K must be None when a reduction is given; got {K!r}")
    if reduction is None:
        reduction = FastBlumMansour(full_grid(resolution(len(sequence)) if K is None else K))
    else:
        reduction = _fresh_copy(reduction)
    if isinstance(reduction, Growing):
        raise ValueError(f"reduction must play on one grid; got {type(reduction).__name__}")
    if reduction.learns_from_draws:
        raise ValueError(
            f"reduction must have mixtures that do not depend on its draws; got {type(reduction).__name__}"
        )
    # Random adversaries use the first child of the seed, so replicates descend from the second.
    seeds = tuple(_seed_sequence(rng).spawn(2)[1].spawn(number))
    generators = [np.random.default_rng(seed) for seed in seeds]
    counts = np.zeros((number, 2, len(reduction.grid)), dtype=np.int64)
    shares = [range(start, number, workers) for start in range(min(workers, number))]
    with ThreadPoolExecutor(workers) as pool:
        for piece in _pieces(reduction, sequence):
            # list() waits for all threads and passes on what they raise.
            list(pool.map(partial(_draw_share, piece, generators, counts), shares))
    return Replicates(reduction.grid, reduction.expected, counts, seeds)


def _fresh_copy(reduction: Reduction) -> Reduction:
    """Return a copy to play with, if no round has been played yet."""
    rounds = round(reduction.weights().sum())
    if rounds > 0:
        raise ValueError(f"reduction must be before its first round; got one after {rounds}")
    return deepcopy(reduction)


def _seed_sequence(rng: Seed) -> np.random.SeedSequence:
    seed = np.random.default_rng(rng).bit_generator.seed_seq
    if not isinstance(seed, np.random.SeedSequence):
        raise ValueError(f"rng must have a SeedSequence to spawn from; got {type(seed).__name__}")
    return seed


def _draw_share(piece: _Piece, generators: list[np.random.Generator], counts: IntArray, share: range) -> None:
    """Draw one piece for the replicates of one thread."""
    rounds = piece.slots.shape[1]
    uniforms, drawn = np.empty(rounds), np.empty(rounds, dtype=np.int64)
    for replicate in share:
        generators[replicate].random(out=uniforms)
        kernels.count_draws(*piece, uniforms, drawn, counts[replicate].reshape(-1))


def _pieces(reduction: Reduction, outcomes: OutcomeArray) -> Iterator[_Piece]:
    """Advance the forecaster and yield its mixtures piece by piece."""
    points = len(reduction.grid)
    length = max(1, min(_PIECE, _ROOM // points))
    for start in range(0, len(outcomes), length):
        part = outcomes[start : start + length].copy()
        mixtures = _mixtures(reduction, part)
        slots, cumulative = (
            np.zeros((points, len(part)), dtype=np.int64),
            np.full((points, len(part)), np.inf),
        )
        largest = kernels.pack(mixtures, part, slots, cumulative)
        yield _Piece(slots[:largest], cumulative[:largest])


def _mixtures(reduction: Reduction, outcomes: OutcomeArray) -> FloatArray:
    """Play the outcomes and return the mixtures; which forecasts are drawn makes no difference to them."""
    mixtures = np.zeros((len(outcomes), len(reduction.grid)))
    if isinstance(reduction, CompiledReduction):
        uniforms = np.zeros(len(outcomes))
        reduction.play_rounds(outcomes, uniforms, opponents.GIVEN, mixtures=mixtures)
        return mixtures
    for t, outcome in enumerate(outcomes.tolist()):
        mixtures[t] = reduction.mixture()
        reduction.update(int(np.argmax(mixtures[t])), outcome)
    return mixtures
