"""PAIR, round by round; twin of `pair.Pair`.

A bucket is *up* if its mean lies above its cell, *down* if below, and *inside* otherwise. The first bucket is never
down and the last never up. FRONT is the lowest bucket that is not up, INSIDE the number of buckets inside. If there
is none, FRONT is down and the bucket below it is up: they are the pair. Otherwise the lowest bucket inside is
forecast, and it is FRONT or the next one. This is so at the start, where all means are 1/2: one cell contains 1/2, or
two adjacent ones. Later a bucket moves inside only as a member of a pair, when no other bucket is; a member above
FRONT - 1 is FRONT, and FRONT - 1 becomes the new FRONT when it stops being up.

So a round takes constant time on average: FRONT falls by one at most, and its climbs add up to its falls and the size
of the grid. Both searches would also be right, if slower, in states that no game reaches.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from klcal._kernels.bank import (
    COUNT,
    FEEDBACK,
    LEANING,
    MEMBER,
    MIXTURE,
    POINT,
    REALISED,
    SIZE,
    SUM,
    add_weight,
    draw,
)
from klcal._kernels.compiling import Reals, Whole, engine, inlined
from klcal._kernels.opponents import GIVEN, choose

# Beyond what every bank has (`bank`): slots of `PairBank.control` that the docstring above explains, and the rows of
# `PairBank.reals` with the ends of the cells.
FRONT, INSIDE = 1, 3
LOWER, UPPER = 7, 8

_ROWS_REAL, _ROWS_WHOLE = 10, 4


class PairBank(NamedTuple):
    """State of PAIR; twin of `pair.Pair`. Bucket i has the cell from LOWER to UPPER and leans to its mean."""

    reals: Reals
    whole: Whole
    control: Whole


def new_bank(points: Reals, boundaries: Reals, feedback: int) -> PairBank:
    """Return the state before the first round: every bucket leans to 1/2."""
    n = len(points)
    reals = np.zeros((_ROWS_REAL, n))
    reals[POINT] = points
    reals[LEANING] = 0.5
    reals[LOWER] = boundaries[:-1]
    reals[UPPER] = boundaries[1:]
    whole = np.zeros((_ROWS_WHOLE, n), dtype=np.int64)
    bank = PairBank(reals, whole, np.array([0, 0, feedback, 0], dtype=np.int64))
    survey(bank.reals, bank.control)
    return bank


@inlined
def _side(reals: Reals, i: int) -> int:
    """Return 1 if bucket i is up, -1 if it is down, 0 if it is inside its closed cell."""
    w = reals[LEANING, i]
    return int(w > reals[UPPER, i]) - int(w < reals[LOWER, i])


@engine
def survey(reals: Reals, control: Whole) -> None:
    """Find FRONT and INSIDE from scratch."""
    control[FRONT] = 0
    while _side(reals, control[FRONT]) > 0:
        control[FRONT] += 1
    control[INSIDE] = 0
    for i in range(reals.shape[1]):
        control[INSIDE] += _side(reals, i) == 0


@inlined
def solve(reals: Reals, whole: Whole, control: Whole) -> None:
    """Put the mixture of the round into MIXTURE; twin of `pair.pair_rule`."""
    i = control[FRONT]
    if control[INSIDE] > 0:
        while _side(reals, i) != 0:
            i += 1
        control[SIZE] = 1
        whole[MEMBER, 0] = i
        reals[MIXTURE, 0] = 1.0
    else:
        boundary = reals[LOWER, i]
        up = boundary - reals[LEANING, i]
        down = reals[LEANING, i - 1] - boundary
        total = up + down
        control[SIZE] = 2
        whole[MEMBER, 0] = i - 1
        whole[MEMBER, 1] = i
        reals[MIXTURE, 0] = up / total
        reals[MIXTURE, 1] = down / total


@inlined
def _lean(reals: Reals, control: Whole, i: int, ones: float, zeros: float, prior: float) -> None:
    """Let bucket i lean to its new mean; twin of `pair.kt_means` (prior 1/2) and `learners.beta_mean` (prior 1)."""
    before = _side(reals, i)
    reals[LEANING, i] = (ones + prior) / ((ones + zeros) + 2.0 * prior)
    after = _side(reals, i)
    if after != before:
        control[INSIDE] += int(after == 0) - int(before == 0)
        if after <= 0 and i < control[FRONT]:
            control[FRONT] = i
        while _side(reals, control[FRONT]) > 0:
            control[FRONT] += 1


@inlined
def advance(reals: Reals, whole: Whole, control: Whole, index: int, outcome: int) -> None:
    """Feed one round to cells and buckets; twin of `pair.Pair.update`."""
    for s in range(control[SIZE]):
        weight = reals[MIXTURE, s]
        if weight > 0.0:
            i = whole[MEMBER, s]
            add_weight(reals, i, outcome, weight)
            if control[FEEDBACK] != REALISED:
                _lean(reals, control, i, reals[SUM + 1, i], reals[SUM + 0, i], 1.0)
    whole[COUNT + outcome, index] += 1
    if control[FEEDBACK] == REALISED:
        _lean(reals, control, index, float(whole[COUNT + 1, index]), float(whole[COUNT + 0, index]), 0.5)


@engine
def play_rounds(
    reals: Reals,
    whole: Whole,
    control: Whole,
    outcomes: npt.NDArray[np.uint8],
    uniforms: npt.NDArray[np.float64],
    adversary: int,
    draws: npt.NDArray[np.int64],
    mixtures: npt.NDArray[np.float64],
) -> None:
    """Play ``len(uniforms)`` rounds; arguments as for `blum_mansour.play_rounds`, twin of the loop in `play`."""
    for t in range(len(uniforms)):
        solve(reals, whole, control)
        if adversary != GIVEN:
            outcomes[t] = choose(reals, whole, control, adversary)
        index = draw(reals, whole, control[SIZE], uniforms[t])
        if len(draws) > 0:
            draws[t] = index
        if len(mixtures) > 0:
            for s in range(control[SIZE]):
                mixtures[t, whole[MEMBER, s]] = reals[MIXTURE, s]
        advance(reals, whole, control, index, int(outcomes[t]))
