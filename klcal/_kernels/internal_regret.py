"""Exponential weights on internal regrets, round by round.

Weights of pairs differ by factors beyond the range of floats. So the stationary distribution is computed with their
logarithms: the elimination of Grassmann, Taksar and Heyman adds, multiplies and divides positive numbers, and all three
have a counterpart there that neither underflows nor cancels.
"""

from __future__ import annotations

from klcal._kernels import bank
from klcal._kernels.bank import EXPECTED, Bank, Records, add_weight, loop
from klcal._kernels.compiling import Reals, engine, inlined
from klcal._kernels.elementary import exp, ln


class Learner(bank.Learner):
    """It leans to the mean outcome of its point, weighted."""

    log_weight: float  # logarithm of its stationary weight


class Control(bank.Control):
    """What is there once."""

    rate: float  # the learning rate, which multiplies regrets in the exponent


def new_bank(points: Reals, rate: float) -> Bank:
    """Return the state before the first round; everybody leans to the own point."""
    new = bank.new_bank(points, points, EXPECTED, learner=Learner, control=Control, room=len(points))
    new.control["rate"] = rate
    return new


@inlined
def _log_sum(a: float, b: float) -> float:
    """Return log(exp(a) + exp(b))."""
    return max(a, b) + ln(1.0 + exp(-abs(a - b)))


@inlined
def _log_weight(learner: Learner, other: float, rate: float) -> float:
    """Return the rate times the regret for not having said `other` whenever z was said, under the squared loss."""
    z = learner.point
    with_ones = (1.0 - z) ** 2 - (1.0 - other) ** 2
    with_zeros = z**2 - other**2
    regret = learner.weight[1] * with_ones + learner.weight[0] * with_zeros
    return rate * regret  # type: ignore[no-any-return]


@engine
def solve(learners: Records, mixture: Records, now: Control, rates: Reals) -> None:
    """Make the mixture of the round."""
    n = len(learners)
    for i in range(n):
        for j in range(n):
            rates[i, j] = _log_weight(learners[i], learners[j].point, now.rate)
    for k in range(n - 1, 0, -1):
        leaving = rates[k, 0]
        for j in range(1, k):
            leaving = _log_sum(leaving, rates[k, j])
        for i in range(k):
            rates[i, k] -= leaving
            for j in range(k):
                if j != i:
                    rates[i, j] = _log_sum(rates[i, j], rates[i, k] + rates[k, j])
    learners[0].log_weight = 0.0
    total = 0.0
    for k in range(1, n):
        weight = rates[0, k]
        for i in range(1, k):
            weight = _log_sum(weight, learners[i].log_weight + rates[i, k])
        learners[k].log_weight = weight
        total = _log_sum(total, weight)
    now.members = 0
    for k in range(n):
        share = exp(learners[k].log_weight - total)
        if share > 0.0:
            mixture[now.members].member = k
            mixture[now.members].share = share
            now.members += 1


@engine
def advance(learners: Records, mixture: Records, now: Control, index: int, outcome: int) -> bool:
    """Feed one round to the regrets of all pairs."""
    for s in range(now.members):
        learner = learners[mixture[s].member]
        add_weight(learner, outcome, mixture[s].share)
        learner.leaning = learner.weight[1] / (learner.weight[1] + learner.weight[0])
    learners[index].count[outcome] += 1
    return False


begin, end, play_rounds = loop(solve, advance, Learner, control=Control)
