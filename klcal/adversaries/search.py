r"""Bad outcomes for Algorithm 1: how large can a sequence make :math:`\mathsf{PKLCal}`.

The mixtures of Algorithm 1 depend on the outcomes alone, so :math:`\mathsf{PKLCal}` is a function on sequences of zeros
and ones. `exhaustive` looks at all of them, `greedy` builds one round by round, `local_search` improves one by flips.
All values are float64 numbers of the compiled engine, and only `exhaustive` knows that nothing is worse.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray, OutcomeArray
from klcal._kernels.bank import Bank
from klcal._kernels.opponents import GIVEN
from klcal.adversaries import Seed
from klcal.forecasters.reduction import FastBlumMansour
from klcal.grids import full_grid
from klcal.measures import cell_regrets

GOALS = ("error", "class")

# 2^16 games take about a second; every further round doubles that.
_LONGEST = 16
_LONGEST_FLIP = 8


@dataclass(frozen=True, eq=False)
class BadSequence:
    r"""A sequence of outcomes and what it does to Algorithm 1.

    Parameters
    ----------
    K : int
        Resolution of the full grid.
    outcomes : ndarray of uint8, shape (T,)
        The sequence, read-only.
    value : float
        What was to be large: :math:`\mathsf{PKLCal}` after the last round, or the size of a closed class.
    games : int
        How many games were looked at.

    Examples
    --------
    >>> found = exhaustive(2, 3)
    >>> found.text, found.horizon, found.games
    ('000', 3, 8)
    """

    K: int
    outcomes: OutcomeArray
    value: float
    games: int

    @property
    def text(self) -> str:
        """The outcomes as a string of 0 and 1."""
        return "".join("01"[y] for y in self.outcomes.tolist())

    @property
    def horizon(self) -> int:
        """Number of rounds T."""
        return len(self.outcomes)


class _Game(FastBlumMansour):
    """Algorithm 1 in the middle of a game."""

    def __init__(self, K: int) -> None:
        super().__init__(full_grid(K))

    def play(self, outcomes: OutcomeArray) -> None:
        """Play on; the draws, which change no mixture, are all the lowest."""
        self.play_rounds(outcomes, np.zeros(len(outcomes)), GIVEN)

    def class_size(self) -> int:
        """Return the number of grid points in the next mixture."""
        return int(np.count_nonzero(self.mixture()))

    def errors(self, weights: FloatArray) -> FloatArray:
        """Return PKLCal from weights of shape (..., 2, n)."""
        return np.asarray(cell_regrets(self.grid.points, weights[..., 1, :], weights[..., 0, :]).sum(axis=-1))


_ONE_ROUND = np.array([[0], [1]], dtype=np.uint8)


def _all_games(game: _Game, depth: int, past: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Yield the outcomes of every game that goes on for 1 to `depth` rounds, the game being at its end each time.

    Games that begin alike share their beginning; those of one length come in lexicographic order.
    """
    state = game.state()
    for outcome in (0, 1):
        game.restore(state)
        game.play(_ONE_ROUND[outcome])
        yield (*past, outcome)
        if depth > 1:
            yield from _all_games(game, depth - 1, (*past, outcome))
    game.restore(state)


def _worst(game: _Game, depth: int, goal: str) -> list[tuple[tuple[int, ...], float]]:
    """Return for 1 to `depth` more rounds the first outcomes with the largest goal, and that goal."""
    games, raw = [], []
    for outcomes in _all_games(game, depth):
        games.append(outcomes)
        raw.append(game.weights() if goal == "error" else game.class_size())
    values = game.errors(np.array(raw)) if goal == "error" else np.array(raw, dtype=np.float64)
    lengths = np.array([len(outcomes) for outcomes in games])
    best = []
    for t in range(1, depth + 1):
        place = np.flatnonzero(lengths == t)
        first = int(place[np.argmax(values[place])])
        best.append((games[first], float(values[first])))
    return best


def _depth(name: str, value: int) -> int:
    depth = _checks.integer(name, value, least=1)
    if depth > _LONGEST:
        raise ValueError(f"{name} must be at most {_LONGEST}, as all sequences are looked at; got {depth}")
    return depth


def _sequence(K: int, outcomes: npt.ArrayLike, value: float, games: int) -> BadSequence:
    return BadSequence(K, _checks.frozen(np.asarray(outcomes, dtype=np.uint8)), value, games)


def worst_by_length(K: int, T: int, *, goal: str = "error") -> tuple[BadSequence, ...]:
    r"""Return the worst of all sequences of 1, 2, ..., T outcomes.

    Parameters
    ----------
    K : int
        Resolution of the full grid, at least 2.
    T : int
        Length of the longest sequences, from 1 to 16.
    goal : {"error", "class"}
        What "worst" means: the largest :math:`\mathsf{PKLCal}` (``eq:KLCal_PKLCal_def``), or the largest closed
        class of the matrix that Algorithm 1 has to solve next.

    Returns
    -------
    tuple of BadSequence
        One per length; of several worst sequences the first in lexicographic order.

    Notes
    -----
    The games form a binary tree, so fewer than :math:`2^{T+1}` rounds are played, and not :math:`T\,2^T`.

    Examples
    --------
    >>> [found.text for found in worst_by_length(2, 3)]
    ['0', '00', '000']
    >>> [found.value for found in worst_by_length(3, 3, goal="class")]
    [2.0, 2.0, 3.0]
    """
    depth = _depth("T", T)
    goal = _checks.choice("goal", goal, GOALS)
    return tuple(_sequence(K, y, value, 2 ** len(y)) for y, value in _worst(_Game(K), depth, goal))


def exhaustive(K: int, T: int, *, goal: str = "error") -> BadSequence:
    r"""Return the worst of all :math:`2^T` sequences of T outcomes.

    Parameters
    ----------
    K : int
        Resolution of the full grid, at least 2.
    T : int
        Number of rounds, from 1 to 16.
    goal : {"error", "class"}
        As for `worst_by_length`.

    Returns
    -------
    BadSequence

    Examples
    --------
    >>> worst = exhaustive(2, 1)
    >>> worst.games, bool(np.isclose(worst.value, np.log(2)))
    (2, True)
    """
    return worst_by_length(K, T, goal=goal)[-1]


def greedy(K: int, T: int, *, lookahead: int = 1) -> BadSequence:
    r"""Build a bad sequence round by round: every outcome opens the worst continuation of `lookahead` rounds.

    Parameters
    ----------
    K : int
        Resolution of the full grid, at least 2.
    T : int
        Number of rounds, at least 1.
    lookahead : int
        How many rounds the choice looks ahead, from 1 to 16.

    Returns
    -------
    BadSequence
        Ties go to 0.

    Examples
    --------
    >>> greedy(2, 5, lookahead=5).value == exhaustive(2, 5).value
    True
    """
    T, ahead = _checks.integer("T", T, least=1), _depth("lookahead", lookahead)
    game = _Game(K)
    outcomes = np.zeros(T, dtype=np.uint8)
    for t in range(T):
        outcomes[t] = _worst(game, min(ahead, T - t), "error")[-1][0][0]
        game.play(outcomes[t : t + 1].copy())
    return _sequence(
        K, outcomes, float(game.errors(game.weights())), sum(2 ** min(ahead, T - t) for t in range(T))
    )


def local_search(
    K: int,
    T: int,
    *,
    start: npt.ArrayLike | None = None,
    flips: int = 2000,
    rng: Seed = None,
) -> BadSequence:
    r"""Improve a sequence by flipping up to eight neighbouring outcomes at a time, as long as that does no harm.

    Parameters
    ----------
    K : int
        Resolution of the full grid, at least 2.
    T : int
        Number of rounds, at least 1.
    start : array_like of {0, 1}, shape (T,), optional
        Where to begin; fair coin flips by default.
    flips : int
        How many flips to try, at least 0.
    rng : None, int, Generator, ...
        For ``numpy.random.default_rng``.

    Returns
    -------
    BadSequence
        With :math:`\mathsf{PKLCal}` at least that of the start; a local maximum at best.

    Examples
    --------
    >>> local_search(2, 6, flips=200, rng=0).value == exhaustive(2, 6).value
    True
    """
    T = _checks.integer("T", T, least=1)
    flips = _checks.integer("flips", flips, least=0)
    generator = np.random.default_rng(rng)
    if start is None:
        outcomes = generator.integers(0, 2, T).astype(np.uint8)
    else:
        outcomes = _checks.outcomes("start", start).copy()
        if len(outcomes) != T:
            raise ValueError(f"start must have T = {T} outcomes; got {len(outcomes)}")
    # Half of the flips are single ones.
    lengths = np.maximum(1, generator.integers(2 - _LONGEST_FLIP, _LONGEST_FLIP + 1, flips))
    places = generator.integers(0, T, flips)
    game = _Game(K)
    fresh = game.state()
    best = _value(game, fresh, outcomes)
    for place, length in zip(places, lengths, strict=True):
        part = outcomes[place : place + length]
        np.subtract(1, part, out=part)
        value = _value(game, fresh, outcomes)
        if value >= best:
            best = value
        else:
            np.subtract(1, part, out=part)
    return _sequence(K, outcomes, best, 1 + flips)


def _value(game: _Game, fresh: Bank, y: OutcomeArray) -> float:
    """Return PKLCal of a whole game."""
    game.restore(fresh)
    game.play(y)
    return float(game.errors(game.weights()))
