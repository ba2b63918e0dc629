"""What the compiled forecasters have in common: where their numbers lie, how they draw, how they add up weights.

Few arrays with many rows, because a compiled call pays for every array it passes. The rows named here mean the same for
every forecaster, so the adversaries in `opponents` read them without asking who plays.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from klcal._kernels.compiling import Reals, Whole, inlined

# What the learners are fed: the mixture's weights, or the drawn forecast (`reduction`, `pair`).
EXPECTED, REALISED = 0, 1

# Slots of `control`: the mixture of the round lives on the first SIZE entries of MEMBER. Others are free.
SIZE, FEEDBACK = 0, 2

# Rows of `reals`, one column per grid point: the point itself, the weights received with outcome y (SUM + y, and what
# their sum has lost to rounding in CARRY + y), where its learner leans to, the probabilities of the members.
POINT, SUM, CARRY, LEANING, MIXTURE = 0, 2, 4, 6, 9

# Rows of `whole`: the last grid point below the leaning, kept up to date by those who need it and a first guess for
# others; the draws with outcome y (COUNT + y); the members in increasing order.
CELL, COUNT, MEMBER = 0, 1, 3

_ROWS_REAL = 10


class Bank(NamedTuple):
    """The state of a compiled forecaster: rows and slots as above, and room for an elimination."""

    reals: Reals
    whole: Whole
    control: Whole
    rates: Reals


def new_bank(
    points: Reals, leanings: Reals | float, feedback: int, *, rows: int = 4, slots: int = 4, room: int = 0
) -> Bank:
    """Return the state before the first round, with `rows` of whole numbers, `slots` of control and `room` squared.

    The room is never touched beyond the largest class that occurs, so most of it stays an unused promise of memory.
    """
    reals = np.zeros((_ROWS_REAL, len(points)))
    reals[POINT] = points
    reals[LEANING] = leanings
    control = np.zeros(slots, dtype=np.int64)
    control[FEEDBACK] = feedback
    return Bank(reals, np.zeros((rows, len(points)), dtype=np.int64), control, np.empty((room, room)))


@inlined
def draw(reals: Reals, whole: Whole, size: int, uniform: float) -> int:
    """Return the first grid index whose cumulative probability exceeds `uniform`; twin of `rounds.select`."""
    cumulative = 0.0
    for s in range(size - 1):
        cumulative += reals[MIXTURE, s]
        if uniform < cumulative:
            return whole[MEMBER, s]  # type: ignore[no-any-return]
    return whole[MEMBER, size - 1]  # type: ignore[no-any-return]


@inlined
def mix_one(reals: Reals, whole: Whole, control: Whole, i: int) -> None:
    """Make grid point i the mixture of the round."""
    control[SIZE] = 1
    whole[MEMBER, 0] = i
    reals[MIXTURE, 0] = 1.0


@inlined
def mix_two(reals: Reals, whole: Whole, control: Whole, i: int, low: float, high: float) -> None:
    """Make the grid points i and i + 1, in the proportion of `low` and `high`, the mixture of the round."""
    total = low + high
    control[SIZE] = 2
    whole[MEMBER, 0] = i
    whole[MEMBER, 1] = i + 1
    reals[MIXTURE, 0] = low / total
    reals[MIXTURE, 1] = high / total


@inlined
def cell_of(reals: Reals, w: float, guess: int) -> int:
    """Return the last grid point that is not above w, -1 if there is none; the search starts at `guess`."""
    last, j = reals.shape[1] - 1, guess
    while j < last and w >= reals[POINT, j + 1]:
        j += 1
    while j >= 0 and w < reals[POINT, j]:
        j -= 1
    return j


@inlined
def add_weight(reals: Reals, i: int, outcome: int, weight: float) -> None:
    """Add to a compensated sum (Kahan); twin of `rounds.Sums.update`."""
    corrected = weight - reals[CARRY + outcome, i]
    total = reals[SUM + outcome, i] + corrected
    reals[CARRY + outcome, i] = (total - reals[SUM + outcome, i]) - corrected
    reals[SUM + outcome, i] = total
