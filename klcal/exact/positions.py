r"""Algorithm 1 with expected feedback, in balls: every game enclosed from the first mixture to the last logarithm."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from flint import arb

from klcal.exact.arithmetic import Exact, Mixture, expectation, maximum, product, total
from klcal.exact.balls import ball
from klcal.exact.cells import Counts, add_mixture, error, no_counts
from klcal.exact.learners import best_loss, beta_mean, log_loss
from klcal.exact.markov import imbalance, stationary
from klcal.exact.rounding import Rounding, log_rounding

#: From the rows of the learners' rounded points to the mixture that is played.
Mix = Callable[[Sequence[Mixture]], Mixture]


class Round(NamedTuple):
    """What Algorithm 1 does before an outcome is known.

    Parameters
    ----------
    leanings : tuple
        What every learner plays.
    rows : tuple of dict
        These points, rounded to the grid.
    mixture : dict
        The distribution of the forecast.

    Examples
    --------
    >>> from klcal.exact.grids import full_grid
    >>> next_round(no_counts(3), full_grid(2)).mixture == {1: 1}
    True
    """

    leanings: tuple[Any, ...]
    rows: tuple[Mixture, ...]
    mixture: Mixture


def next_round(
    weights: Counts, points: Sequence[Exact], *, rounding: Rounding = log_rounding, mix: Mix = stationary
) -> Round:
    """Return what Algorithm 1 does when its learners have received these weights.

    Parameters
    ----------
    weights : tuple of (weight, weight)
        Of zeros and ones, for every learner.
    points : sequence of Fraction or arb
        The grid.
    rounding : callable
        How a learner's point is rounded.
    mix : callable
        How the mixture follows from the rounded points; anything but a stationary distribution spoils Theorem 2.

    Returns
    -------
    Round

    Examples
    --------
    >>> from klcal.exact.grids import full_grid
    >>> next_round(((0, 0), (0, 1), (0, 0)), full_grid(2)).leanings
    (Fraction(1, 2), Fraction(2, 3), Fraction(1, 2))
    """
    leanings = tuple(beta_mean(zeros, ones) for zeros, ones in weights)
    rows = tuple(rounding(w, points) for w in leanings)
    return Round(leanings, rows, mix(rows))


@dataclass(frozen=True)
class Position:
    """A game of Algorithm 1 after some rounds, with what every learner has received, lost, and paid for rounding.

    Parameters
    ----------
    points : tuple of Fraction or arb
        The grid.
    outcomes : tuple of int
        What happened.
    weights : tuple of (weight, weight)
        Expected weights of zeros and ones at every point.
    lost : tuple of arb
        Sum of p l(w, y): the loss of each EWOO learner.
    paid : tuple of arb
        Sum of p (<q, l> - l(w, y)): what rounding its points cost each learner.
    imbalance : Fraction or arb
        Largest entry of pQ - p over the rounds.

    Examples
    --------
    >>> from klcal.exact.grids import full_grid
    >>> position = play(full_grid(2), (1, 1))
    >>> position.error().overlaps(total((*position.regrets(), *position.paid)))
    True
    """

    points: tuple[Any, ...]
    outcomes: tuple[int, ...]
    weights: Counts
    lost: tuple[arb, ...]
    paid: tuple[arb, ...]
    imbalance: Any = 0

    @classmethod
    def start(cls, points: Sequence[Exact]) -> Position:
        """Return the position before the first round."""
        nothing = (arb(0),) * len(points)
        return cls(tuple(points), (), no_counts(len(points)), nothing, nothing)

    @property
    def mass(self) -> tuple[Any, ...]:
        """Expected number of rounds in which each point is forecast."""
        return tuple(total(pair) for pair in self.weights)

    def regrets(self) -> list[arb]:
        """Regret of every EWOO learner against its best fixed point in [0, 1]."""
        return [lost - best_loss(*pair) for lost, pair in zip(self.lost, self.weights, strict=True)]

    def error(self) -> arb:
        """PKLCal: the KL-calibration of the mixtures."""
        return ball(error(self.points, self.weights))

    def after(self, *, rounding: Rounding = log_rounding, mix: Mix = stationary) -> tuple[Position, Position]:
        """Return the positions after outcome 0 and after outcome 1 of the next round."""
        move = next_round(self.weights, self.points, rounding=rounding, mix=mix)
        moved = maximum((self.imbalance, imbalance(move.mixture, move.rows)))
        return self._after(move, moved, 0), self._after(move, moved, 1)

    def _after(self, move: Round, moved: Any, y: int) -> Position:
        lost, paid = list(self.lost), list(self.paid)
        for i, p in move.mixture.items():
            own = log_loss(move.leanings[i], y)
            drawn = expectation((q, log_loss(self.points[j], y)) for j, q in move.rows[i].items())
            lost[i], paid[i] = lost[i] + product(p, own), paid[i] + product(p, drawn - own)
        weights = add_mixture(self.weights, move.mixture, y)
        return Position(self.points, (*self.outcomes, y), weights, tuple(lost), tuple(paid), moved)


def play(
    points: Sequence[Exact],
    outcomes: Sequence[int],
    *,
    rounding: Rounding = log_rounding,
    mix: Mix = stationary,
) -> Position:
    """Return the position of Algorithm 1 after these outcomes.

    Parameters
    ----------
    points : sequence of Fraction or arb
        The grid.
    outcomes : sequence of {0, 1}
        What happens.
    rounding, mix : callable
        As for `next_round`.

    Returns
    -------
    Position

    Examples
    --------
    >>> from klcal.exact.grids import full_grid
    >>> play(full_grid(2), [0]).error().overlaps(arb(2).log())
    True
    """
    position = Position.start(points)
    for y in outcomes:
        position = position.after(rounding=rounding, mix=mix)[y]
    return position


def all_positions(
    points: Sequence[Exact], T: int, *, rounding: Rounding = log_rounding, mix: Mix = stationary
) -> Iterator[Position]:
    """Yield the ends of all games of 1 to T rounds, each game before those that continue it.

    Parameters
    ----------
    points : sequence of Fraction or arb
        The grid.
    T : int
        Length of the longest games.
    rounding, mix : callable
        As for `next_round`.

    Yields
    ------
    Position

    Examples
    --------
    >>> from klcal.exact.grids import full_grid
    >>> [position.outcomes for position in all_positions(full_grid(2), 2)]
    [(0,), (0, 0), (0, 1), (1,), (1, 0), (1, 1)]
    """

    def walk(position: Position, left: int) -> Iterator[Position]:
        for after in position.after(rounding=rounding, mix=mix):
            yield after
            if left > 1:
                yield from walk(after, left - 1)

    return walk(Position.start(points), T)
