"""The Blum-Mansour reduction with follow-the-leader under the squared loss; twin of `baselines.SquaredBlumMansour`.

State, search for the closed class, stationary mixture and draw are those of `blum_mansour`. Only what a learner plays
and how its point is rounded differ.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from klcal._kernels.bank import (
    CELL,
    COUNT,
    EXPECTED,
    LEANING,
    MEMBER,
    MIXTURE,
    POINT,
    SIZE,
    SUM,
    add_weight,
    draw,
)
from klcal._kernels.blum_mansour import HIGH, LOW, STALE, Bank, new_bank, solve
from klcal._kernels.compiling import Reals, Whole, engine, inlined
from klcal._kernels.opponents import GIVEN, choose


def new_squared_bank(points: Reals) -> Bank:
    """Return the state before the first round: every learner leans to 1/2, rounded linearly."""
    bank = new_bank(points, EXPECTED)
    _round_all(bank.reals, bank.whole, bank.control)
    return bank


@engine
def _round_all(reals: Reals, whole: Whole, control: Whole) -> None:
    """Round every learner's leaning."""
    for i in range(reals.shape[1]):
        _round_learner(reals, whole, control, i)


@inlined
def _round_learner(reals: Reals, whole: Whole, control: Whole, i: int) -> None:
    """Round one leaning to its two neighbours, keeping the mean; twin of `rounding.linear_rounding`."""
    last = reals.shape[1] - 1
    w = reals[LEANING, i]
    j = whole[CELL, i]
    while j < last and w >= reals[POINT, j + 1]:
        j += 1
    while j > 0 and w < reals[POINT, j]:
        j -= 1
    if j == last:
        low, high = 1.0, 0.0
    else:
        width = reals[POINT, j + 1] - reals[POINT, j]
        low, high = (reals[POINT, j + 1] - w) / width, (w - reals[POINT, j]) / width
    # Only a change of the pattern of zeros can change which classes are closed.
    if j != whole[CELL, i] or (high > 0.0) != (reals[HIGH, i] > 0.0):
        control[STALE] = 1
    whole[CELL, i] = j
    reals[LOW, i] = low
    reals[HIGH, i] = high


@inlined
def advance(reals: Reals, whole: Whole, control: Whole, index: int, outcome: int) -> None:
    """Feed one round to cells and learners; twin of `baselines.SquaredBlumMansour.update`."""
    for s in range(control[SIZE]):
        weight = reals[MIXTURE, s]
        if weight > 0.0:
            i = whole[MEMBER, s]
            add_weight(reals, i, outcome, weight)
            reals[LEANING, i] = reals[SUM + 1, i] / (reals[SUM + 1, i] + reals[SUM + 0, i])
            _round_learner(reals, whole, control, i)
    whole[COUNT + outcome, index] += 1


@engine
def play_rounds(
    reals: Reals,
    whole: Whole,
    rates: Reals,
    control: Whole,
    outcomes: npt.NDArray[np.uint8],
    uniforms: npt.NDArray[np.float64],
    adversary: int,
    draws: npt.NDArray[np.int64],
    mixtures: npt.NDArray[np.float64],
) -> None:
    """Play ``len(uniforms)`` rounds; twin of the reference loop in `play`, as `blum_mansour.play_rounds`."""
    for t in range(len(uniforms)):
        solve(reals, whole, rates, control)
        if adversary != GIVEN:
            outcomes[t] = choose(reals, whole, control, adversary)
        index = draw(reals, whole, control[SIZE], uniforms[t])
        if len(draws) > 0:
            draws[t] = index
        if len(mixtures) > 0:
            for s in range(control[SIZE]):
                mixtures[t, whole[MEMBER, s]] = reals[MIXTURE, s]
        advance(reals, whole, control, index, int(outcomes[t]))
