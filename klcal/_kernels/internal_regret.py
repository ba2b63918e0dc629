"""Exponential weights on internal regrets, round by round; twin of `baselines.InternalRegret`.

Weights of pairs differ by factors beyond the range of floats. So the stationary distribution is computed with their
logarithms: the elimination of Grassmann, Taksar and Heyman adds, multiplies and divides positive numbers, and all three
have a counterpart there that neither underflows nor cancels.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from klcal._kernels.bank import (
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
from klcal._kernels.compiling import Reals, Whole, engine, inlined
from klcal._kernels.opponents import GIVEN, choose

_ROWS_REAL, _ROWS_WHOLE = 10, 4

# The row of `reals` with the logarithms of the stationary weights.
LOG_WEIGHT = 7


class RegretBank(NamedTuple):
    """State of the forecaster; rows and slots of the first three are those of `bank`.

    LEANING is the mean outcome of each point, weighted by its probabilities. `rates` is room for the elimination.
    """

    reals: Reals
    whole: Whole
    control: Whole
    rates: Reals
    rate: float


def new_bank(points: Reals, rate: float) -> RegretBank:
    """Return the state before the first round; `rate` multiplies regrets in the exponent."""
    n = len(points)
    reals = np.zeros((_ROWS_REAL, n))
    reals[POINT] = points
    reals[LEANING] = points
    whole = np.zeros((_ROWS_WHOLE, n), dtype=np.int64)
    return RegretBank(reals, whole, np.array([0, 0, EXPECTED, 0], dtype=np.int64), np.zeros((n, n)), rate)


@inlined
def _log_sum(a: float, b: float) -> float:
    """Return log(exp(a) + exp(b))."""
    return max(a, b) + math.log1p(math.exp(-abs(a - b)))


@inlined
def _log_weight(reals: Reals, i: int, j: int, rate: float) -> float:
    """Return rate times the regret for not having said j whenever i was said, under the squared loss."""
    z, other = reals[POINT, i], reals[POINT, j]
    with_ones = (1.0 - z) ** 2 - (1.0 - other) ** 2
    with_zeros = z**2 - other**2
    return rate * (reals[SUM + 1, i] * with_ones + reals[SUM + 0, i] * with_zeros)  # type: ignore[no-any-return]


@engine
def solve(reals: Reals, whole: Whole, control: Whole, rates: Reals, rate: float) -> None:
    """Put the mixture of the round into MIXTURE; twin of `baselines.balanced_mixture`."""
    n = reals.shape[1]
    for i in range(n):
        for j in range(n):
            rates[i, j] = _log_weight(reals, i, j, rate)
    for k in range(n - 1, 0, -1):
        leaving = rates[k, 0]
        for j in range(1, k):
            leaving = _log_sum(leaving, rates[k, j])
        for i in range(k):
            rates[i, k] -= leaving
            for j in range(k):
                if j != i:
                    rates[i, j] = _log_sum(rates[i, j], rates[i, k] + rates[k, j])
    reals[LOG_WEIGHT, 0] = 0.0
    total = 0.0
    for k in range(1, n):
        weight = rates[0, k]
        for i in range(1, k):
            weight = _log_sum(weight, reals[LOG_WEIGHT, i] + rates[i, k])
        reals[LOG_WEIGHT, k] = weight
        total = _log_sum(total, weight)
    size = 0
    for k in range(n):
        share = math.exp(reals[LOG_WEIGHT, k] - total)
        if share > 0.0:
            whole[MEMBER, size] = k
            reals[MIXTURE, size] = share
            size += 1
    control[SIZE] = size


@engine
def advance(reals: Reals, whole: Whole, control: Whole, index: int, outcome: int) -> None:
    """Feed one round to the regrets of all pairs; twin of `baselines.InternalRegret.update`."""
    for s in range(control[SIZE]):
        i = whole[MEMBER, s]
        add_weight(reals, i, outcome, reals[MIXTURE, s])
        reals[LEANING, i] = reals[SUM + 1, i] / (reals[SUM + 1, i] + reals[SUM + 0, i])
    whole[COUNT + outcome, index] += 1


@engine
def play_rounds(
    reals: Reals,
    whole: Whole,
    control: Whole,
    rates: Reals,
    rate: float,
    outcomes: npt.NDArray[np.uint8],
    uniforms: npt.NDArray[np.float64],
    adversary: int,
    draws: npt.NDArray[np.int64],
    mixtures: npt.NDArray[np.float64],
) -> None:
    """Play ``len(uniforms)`` rounds; arguments as for `blum_mansour.play_rounds`, twin of the loop in `play`."""
    for t in range(len(uniforms)):
        solve(reals, whole, control, rates, rate)
        if adversary != GIVEN:
            outcomes[t] = choose(reals, whole, control, adversary)
        index = draw(reals, whole, control[SIZE], uniforms[t])
        if len(draws) > 0:
            draws[t] = index
        if len(mixtures) > 0:
            for s in range(control[SIZE]):
                mixtures[t, whole[MEMBER, s]] = reals[MIXTURE, s]
        advance(reals, whole, control, index, int(outcomes[t]))
