r"""One run's mixtures, many independent realisations of its draws, and how far these stray.

For fixed outcomes the mixtures of Algorithm 1 do not depend on its draws: its learners are fed the mixtures. So they
are computed once, and every replicate only draws from them. That is the probability space of the high-probability bound
(``thm:high_prob_bound``) with an oblivious adversary. `Draws` evaluates the steps of Section 6 on many replicates: the
printed ones are those of Appendix D, the sharper ones those behind ``bounds.theorem_3``; both end in a bound on Cal_2.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from klcal import _checks, bounds
from klcal._checks import FloatArray, IntArray, OutcomeArray
from klcal.adversaries import Adaptive
from klcal.adversaries.oblivious import Seed
from klcal.book._kernels import watching as kernels
from klcal.forecasters.algorithm_1 import BlumMansour, compiled_if_known
from klcal.forecasters.rounds import Reduction, fresh_copy
from klcal.forecasters.stream import Algorithm
from klcal.forecasters.tree import Growing
from klcal.games.play import play_piece, run
from klcal.grids import full_grid, resolution

# Rounds whose mixtures are held at once, fewer on grids of more than 64 points: memory does not grow with T, and the
# part of a piece that is read stays in the cache.
_PIECE, _ROOM = 1 << 13, 1 << 19


class _Piece(NamedTuple):
    """Mixtures of consecutive rounds, a column per round and a row per point of the largest support.

    A slot is the place of outcome and grid point in a flat (2, n) array of counts. From the last point of a support on,
    the cumulative probability is replaced by infinity, which no uniform number reaches.
    """

    slots: IntArray
    cumulative: FloatArray


def replay(
    outcomes: npt.ArrayLike, reduction: Reduction | None = None, replicates: int = 1000, rng: Seed = None
) -> Draws:
    """Play one game against fixed outcomes and draw its forecasts `replicates` times.

    Parameters
    ----------
    outcomes : array_like of {0, 1}
        The sequence, fixed in advance.
    reduction : Reduction, optional
        A forecaster on one grid, such as ``BlumMansour(grid)``, before its first round, whose mixtures do not depend on
        its draws; a copy of it plays. If not given, Algorithm 1 as `klcal.run` plays it.
    replicates : int
        Number of independent replicates, at least 1.
    rng : None, int, Generator, ...
        Root of the seeds, for ``numpy.random.default_rng``; every replicate gets a stream of its own. The same seed
        may be given to an adversary: its outcomes stay independent of all draws.

    Returns
    -------
    Draws
        Common weights, and counts by replicate, outcome and grid point.

    Notes
    -----
    A replicate uses one uniform number per round from its own generator, as `klcal.run` does: the two agree draw by
    draw. If the mixtures did depend on the draws, playing once would not do; so a `reduction` that learns from its
    draws is refused.

    Examples
    --------
    >>> draws = replay([1, 0, 1, 1], replicates=2, rng=0)
    >>> draws.counts.sum(axis=2), draws.mass.sum()
    (array([[1., 3.],
           [1., 3.]]), np.float64(4.0))
    """
    sequence = _checks.outcomes("outcomes", outcomes)
    number = _checks.integer("replicates", replicates, least=1)
    if reduction is None:
        reduction = BlumMansour(full_grid(resolution(len(sequence))))
    if getattr(reduction, "learns_from_draws", True) or isinstance(reduction, Growing):
        raise ValueError(
            "reduction must play on one grid, with mixtures that do not depend on its draws; "
            f"got {type(reduction).__name__}"
        )
    player = compiled_if_known(fresh_copy(reduction, "reduction"))
    # Random adversaries use the first child of the seed, so replicates descend from the second.
    generators = np.random.default_rng(rng).spawn(2)[1].spawn(number)
    counts = np.zeros((number, 2, len(player.grid)), dtype=np.int64)
    for piece in _pieces(player, sequence):
        rounds = piece.slots.shape[1]
        uniforms, drawn = np.empty(rounds), np.empty(rounds, dtype=np.int64)
        for generator, count in zip(generators, counts, strict=True):
            generator.random(out=uniforms)
            kernels.count_draws(*piece, uniforms, drawn, count.reshape(-1))
    cells = player.expected
    weights = np.stack([cells.mass - cells.ones, cells.ones])[np.newaxis]
    return Draws(player.grid.points, weights, counts.astype(np.float64))


def _pieces(reduction: Reduction, outcomes: OutcomeArray) -> Iterator[_Piece]:
    """Advance the forecaster and yield its mixtures piece by piece."""
    points = len(reduction.grid)
    length = max(1, min(_PIECE, _ROOM // points))
    for start in range(0, len(outcomes), length):
        part = outcomes[start : start + length]
        # Which forecasts are drawn makes no difference to the mixtures.
        mixtures = np.zeros((len(part), points))
        play_piece(reduction, None, part, np.zeros(len(part)), mixtures=mixtures)
        slots = np.zeros((points, len(part)), dtype=np.int64)
        cumulative = np.full((points, len(part)), np.inf)
        largest = kernels.pack(mixtures, part, slots, cumulative)
        yield _Piece(slots[:largest], cumulative[:largest])


# Freedman's inequality holds with e - 2 in place of 1.
_KAPPA = math.e - 2.0


@dataclass(frozen=True, eq=False)
class Draws:
    r"""Expected and realised weights of R replicates of a game.

    Parameters
    ----------
    points : ndarray, shape (n,)
        The grid.
    weights : ndarray, shape (1, 2, n) or (R, 2, n)
        Expected mass by outcome and point: one for all replicates, or one each where mixtures depend on draws.
    counts : ndarray, shape (R, 2, n)
        How often each point was drawn, by outcome.

    Examples
    --------
    >>> draws = Draws(
    ...     np.array([0.5, 1.0]),
    ...     np.array([[[1.0, 0.0], [0.5, 0.5]]]),
    ...     np.array([[[1.0, 0.0], [0.0, 1.0]]]),
    ... )
    >>> draws.mass, draws.count
    (array([[1.5, 0.5]]), array([[1., 1.]]))
    >>> draws.cal2, draws.pcal2.round(6)
    (array([0.25]), array([0.041667]))
    """

    points: FloatArray
    weights: FloatArray
    counts: FloatArray

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def mass(self) -> FloatArray:
        r"""Expected mass :math:`S_i` of every point."""
        return np.asarray(self.weights.sum(axis=1))

    @property
    def count(self) -> FloatArray:
        r"""Number :math:`n_i` of draws of every point."""
        return np.asarray(self.counts.sum(axis=1))

    @property
    def expected_rate(self) -> FloatArray:
        r"""Expected frequency :math:`\tilde\rho_i`; 0 without mass, the paper's convention."""
        return _ratio(self.weights[:, 1], self.mass)

    @property
    def rate(self) -> FloatArray:
        r"""Realised frequency :math:`\rho_i`; 0 for a point that was never drawn."""
        return _ratio(self.counts[:, 1], self.count)

    @property
    def pcal2(self) -> FloatArray:
        r"""PCal_2 of every replicate (one number, if the mixtures are common)."""
        return np.asarray((self.mass * (self.points - self.expected_rate) ** 2).sum(axis=1))

    @property
    def cal2(self) -> FloatArray:
        r"""Cal_2 of every replicate."""
        return np.asarray((self.count * (self.points - self.rate) ** 2).sum(axis=1))


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    part, whole = np.broadcast_arrays(part, whole)
    return np.divide(part, whole, out=np.zeros(whole.shape), where=whole > 0.0)


def rerun(
    outcomes: npt.ArrayLike | Adaptive,
    K: int | None = None,
    algorithm: Algorithm = "realised",
    replicates: int = 100,
    *,
    rng: Seed = None,
) -> Draws:
    """Play a whole game many times: for mixtures, or outcomes, that depend on the draws.

    Parameters
    ----------
    outcomes : array_like of {0, 1}, or an adaptive adversary
        As for `klcal.run`.
    K : int, optional
        Number of cells, ``resolution(T)`` by default.
    algorithm : str, or your own
        As for `klcal.run`.
    replicates : int
        Number of independent games, at least 1.
    rng : None, int, Generator, ...
        Root of the seeds; every game gets a stream of its own. An adversary may use the same seed.

    Returns
    -------
    Draws
        With weights of their own for every replicate.

    Examples
    --------
    >>> rerun([1, 0, 1, 1], K=3, replicates=2, rng=0).weights.shape
    (2, 2, 4)
    """
    number = _checks.integer("replicates", replicates, least=1)
    # As in `replay`: random adversaries use the first child of the seed.
    streams = np.random.default_rng(rng).spawn(2)[1].spawn(number)
    games = [run(outcomes, K, algorithm, rng=stream) for stream in streams]
    cells = [[(c.mass - c.ones, c.ones) for c in (game.expected, game.realised)] for game in games]
    weights, counts = np.moveaxis(np.array(cells), 1, 0)
    return Draws(games[0].grid.points, weights, counts)


def _log_tails(draws: Draws, delta: float, tails: float) -> float:
    return math.log(tails * len(draws.points) / _checks.real("delta", delta, above=0.0))


def deviation_ratios(draws: Draws, delta: float) -> dict[str, FloatArray]:
    r"""Return the deviations of every point over their bounds, ``eq:bounding_diff_p_ind`` and the two beside it.

    Parameters
    ----------
    draws : Draws
        Many replicates.
    delta : float
        Failure probability of all bounds at all points together.

    Returns
    -------
    dict of ndarray, shape (R, n)
        "ones": :math:`|\sum y_t(\mathcal P_{t,i} - 1\{i_t=i\})|` over :math:`\mu_i S_i + L/\mu_i`; "count": the same
        without :math:`y_t`; "rate": :math:`|\rho_i - \tilde\rho_i|` over twice the bound divided by :math:`S_i`. Points
        without mass have 0. Above 1 the bound fails. The rate in Freedman's inequality is the best for each mass,
        :math:`\mu_i = \min(1, \sqrt{L/S_i})`, which is allowed if the masses are known in advance.

    Examples
    --------
    >>> draws = Draws(
    ...     np.array([0.5]), np.array([[[2.0], [2.0]]]), np.array([[[1.0], [3.0]]])
    ... )
    >>> {
    ...     name: ratio.tolist()
    ...     for name, ratio in deviation_ratios(draws, 4 / np.e**4).items()
    ... }
    {'ones': [[0.125]], 'count': [[0.0]], 'rate': [[0.0625]]}
    """
    mass, log_term = draws.mass, _log_tails(draws, delta, 4.0)
    bound = bounds.freedman(
        mass, _best_rate(mass, log_term), delta / (2.0 * len(draws.points)), version="paper"
    )
    used = mass > 0.0
    deviations = {
        "ones": np.abs(draws.weights[:, 1] - draws.counts[:, 1]),
        "count": np.abs(mass - draws.count),
        "rate": np.abs(draws.rate - draws.expected_rate) * mass / 2.0,
    }
    return {name: np.where(used, value / bound, 0.0) for name, value in deviations.items()}


def printed_steps(draws: Draws, delta: float) -> dict[str, FloatArray]:
    r"""Return every line of the printed proof of Theorem 3, from Cal_2 to its bound, for each replicate.

    Parameters
    ----------
    draws : Draws
        Many replicates.
    delta : float
        Failure probability.

    Returns
    -------
    dict of ndarray, shape (R,)
        In order; no entry is below the one before it wherever Equations 15 and 16 hold.

    Examples
    --------
    >>> draws = Draws(
    ...     np.array([0.5]), np.array([[[2.0], [2.0]]]), np.array([[[1.0], [3.0]]])
    ... )
    >>> steps = printed_steps(draws, 1.0)
    >>> list(steps)
    ['Cal_2', 'square of a sum', 'Eq. 15', 'Eq. 16', 'cell by cell', 'Theorem 3']
    >>> float(steps["Cal_2"][0]), float(steps["Eq. 16"][0].round(2))
    (0.25, 96.59)
    """
    log_term, mass, size = _log_tails(draws, delta, 4.0), draws.mass, len(draws.points)
    bias = (draws.points - draws.expected_rate) ** 2
    strayed = bounds.rate_deviation(mass, size, delta)
    upper = mass + bounds.count_deviation(mass, size, delta)
    heavy = mass >= log_term
    cells = {
        "Cal_2": draws.count * (draws.points - draws.rate) ** 2,
        "square of a sum": 2.0 * draws.count * (bias + (draws.rate - draws.expected_rate) ** 2),
        "Eq. 15": 2.0 * draws.count * (bias + strayed),
        "Eq. 16": 2.0 * upper * (bias + strayed),
        "cell by cell": 2.0
        * np.where(heavy, 3.0 * mass * bias + 48.0 * log_term, 2.0 * mass * bias + 4.0 * log_term),
        "Theorem 3": bounds.theorem_3(mass * bias, 1, delta / size, version="paper"),
    }
    return _sum_over_grid(draws, cells)


def sharper_steps(draws: Draws, delta: float) -> dict[str, FloatArray]:
    r"""Return every line of the sharper proof, from Cal_2 to its bound, for each replicate.

    Parameters
    ----------
    draws : Draws
        Many replicates.
    delta : float
        Failure probability.

    Returns
    -------
    dict of ndarray, shape (R,)
        In order; no entry is below the one before it wherever the deviations hold. See ``bounds.theorem_3``.

    Examples
    --------
    >>> draws = Draws(
    ...     np.array([0.5]),
    ...     np.array([[[20.0], [20.0]]]),
    ...     np.array([[[17.0], [23.0]]]),
    ... )
    >>> steps = sharper_steps(draws, 1.0)
    >>> list(steps)
    ['Cal_2', 'square of a sum', 'at least half the mass', 'deviations', 'Theorem 3']
    >>> float(steps["square of a sum"][0].round(6))
    0.675
    """
    log_term, mass = _log_tails(draws, delta, 3.0), draws.mass
    bias = mass * (draws.points - draws.expected_rate)
    noise = draws.count * (draws.points - draws.rate) - bias
    heavy = mass >= 16.0 * _KAPPA * log_term
    bound = bounds.theorem_3(_ratio(bias**2, mass), 1, delta / len(draws.points))
    own, squares = draws.count * (draws.points - draws.rate) ** 2, 1.5 * bias**2 + 3.0 * noise**2
    light = bounds.freedman(mass, _best_rate(_KAPPA * mass, log_term), 2.0 * math.exp(-log_term)) + mass
    cells = {
        "Cal_2": own,
        "square of a sum": np.where(heavy, _ratio(squares, draws.count), own),
        "at least half the mass": np.where(heavy, _ratio(2.0 * squares, mass), draws.count),
        "deviations": np.where(heavy, bound, np.where(mass > 0.0, light, 0.0)),
        "Theorem 3": bound,
    }
    return _sum_over_grid(draws, cells)


def _best_rate(mass: FloatArray, log_term: float) -> FloatArray:
    """Return the rate in (0, 1] at which Freedman's bound is smallest."""
    with np.errstate(divide="ignore"):
        return np.minimum(1.0, np.sqrt(log_term / mass))


def _sum_over_grid(draws: Draws, cells: dict[str, FloatArray]) -> dict[str, FloatArray]:
    """Add up each step over the grid, for every replicate."""
    shape = (len(draws), len(draws.points))
    return {name: np.broadcast_to(value, shape).sum(axis=1) for name, value in cells.items()}
