"""Exponential weights on internal regrets, round by round; twin of `baselines.InternalRegret`.

Weights of pairs differ by factors beyond the range of floats. So the stationary distribution is computed with their
logarithms: the elimination of Grassmann, Taksar and Heyman adds, multiplies and divides positive numbers, and all three
have a counterpart there that neither underflows nor cancels.
"""

from __future__ import annotations

from klcal._kernels import bank
from klcal._kernels.bank import (
    COUNT,
    EXPECTED,
    LEANING,
    MEMBER,
    MIXTURE,
    POINT,
    SIZE,
    SUM,
    Bank,
    add_weight,
    draw,
)
from klcal._kernels.compiling import Reals, Whole, engine, inlined
from klcal._kernels.elementary import exp, ln
from klcal._kernels.rounds import Game, outcome_and_draw

# Rows of `reals`: the learning rate, which multiplies regrets in the exponent, and the logarithms of the stationary
# weights.
LEARNING_RATE, LOG_WEIGHT = 1, 7


def new_bank(points: Reals, rate: float) -> Bank:
    """Return the state before the first round; LEANING is the mean outcome of each point, weighted."""
    new = bank.new_bank(points, points, EXPECTED, room=len(points))
    new.reals[LEARNING_RATE] = rate
    return new


@inlined
def _log_sum(a: float, b: float) -> float:
    """Return log(exp(a) + exp(b))."""
    return max(a, b) + ln(1.0 + exp(-abs(a - b)))


@inlined
def _log_weight(reals: Reals, i: int, j: int) -> float:
    """Return the learning rate times the regret for not having said j whenever i was said, under the squared loss."""
    z, other = reals[POINT, i], reals[POINT, j]
    with_ones = (1.0 - z) ** 2 - (1.0 - other) ** 2
    with_zeros = z**2 - other**2
    regret = reals[SUM + 1, i] * with_ones + reals[SUM + 0, i] * with_zeros
    return reals[LEARNING_RATE, i] * regret  # type: ignore[no-any-return]


@engine
def solve(reals: Reals, whole: Whole, control: Whole, rates: Reals) -> None:
    """Put the mixture of the round into MIXTURE; twin of `baselines.balanced_mixture`."""
    n = reals.shape[1]
    for i in range(n):
        for j in range(n):
            rates[i, j] = _log_weight(reals, i, j)
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
        share = exp(reals[LOG_WEIGHT, k] - total)
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
def begin(reals: Reals, whole: Whole, control: Whole, rates: Reals, uniform: float) -> int:
    """Solve the round and return the grid index that `uniform` draws: for streams, one call from Python, not two."""
    solve(reals, whole, control, rates)
    return draw(reals, whole, control[SIZE], uniform)


@engine
def play_rounds(state: Bank, game: Game) -> None:
    """Play all rounds of the game."""
    reals, whole, control, rates = state
    for t in range(len(game.uniforms)):
        solve(reals, whole, control, rates)
        index = outcome_and_draw(reals, whole, control, game, t)
        advance(reals, whole, control, index, int(game.outcomes[t]))
