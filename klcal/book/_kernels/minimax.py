"""Backward induction over count vectors, one layer of states at a time (`minimax`).

A state holds d = 2m counts that add up to the number t of rounds played: zeros and ones of grid point 0, of grid point
1, and so on. The states of a layer are numbered in colexicographic order,

    rank(c) = sum over j < d - 1 of binomial(s_j + j, j + 1),   s_j = c_0 + ... + c_j,

which does not mention t. Raising coordinate k by one therefore raises the rank by the sum of binomial(s_j + j, j) over
k <= j < d - 1, and never lowers it: a layer can be overwritten by the one before it, in increasing order.
"""

from __future__ import annotations

import numpy as np

from klcal._kernels import blum_mansour, tree
from klcal._kernels.bank import Records
from klcal._kernels.compiling import Reals, Whole, compiled, engine, inlined


@inlined
def _start(counts: Whole, offsets: Whole, t: int) -> None:
    """Go to the state of rank 0: all rounds in the last coordinate."""
    d = len(counts)
    for k in range(d):
        counts[k] = 0
        offsets[k] = d - 1 - k
    counts[d - 1] = t


@inlined
def _next(counts: Whole, offsets: Whole, steps: Whole) -> None:
    """Go to the state of the next rank; of the offsets only the first few change. The last state stays."""
    d = len(counts)
    k = 1
    while k < d and counts[k] == 0:
        k += 1
    if k < d:
        moved = counts[0] + 1
        counts[0] = 0
        counts[k] -= 1
        counts[k - 1] = moved
        offsets[k - 1] = offsets[k] + steps[k - 1, moved]
        for i in range(k - 2, -1, -1):
            offsets[i] = offsets[i + 1] + 1


@engine
def list_states(counts: Whole, offsets: Whole, steps: Whole, states: Whole) -> None:
    """Write the counts from here on into the rows of `states`, and go past them."""
    for r in range(len(states)):
        for k in range(len(counts)):
            states[r, k] = counts[k]
        _next(counts, offsets, steps)


@compiled
def first_state(d: int, t: int) -> tuple[Whole, Whole]:
    """Return counts and offsets of the state of rank 0."""
    counts, offsets = np.empty(d, np.int64), np.empty(d, np.int64)
    _start(counts, offsets, t)
    return counts, offsets


@compiled
def terminal(costs: Reals, T: int, steps: Whole, values: Reals) -> None:
    """Fill the layer after the last round: `costs[i, zeros, ones]` summed over the grid points, in their order."""
    m = len(costs)
    counts, offsets = first_state(2 * m, T)
    for r in range(len(values)):
        total = costs[0, counts[0], counts[1]]
        for i in range(1, m):
            total += costs[i, counts[2 * i], counts[2 * i + 1]]
        values[r] = total
        _next(counts, offsets, steps)


@engine
def matrix_game(payoff: Reals) -> tuple[float, int, int, float]:
    """Solve a game with two columns whose rows are played by the minimiser: value, two rows, weight of the first.

    A row with an infinite entry has weight 0 in every mixture of finite cost; if all rows have one, the value is
    infinite, and row 0 stands for all. A single row i is returned as i, i with weight 1.
    """
    value, low, high, weight = np.inf, 0, 0, 1.0
    for i in range(len(payoff)):
        worse = max(payoff[i, 0], payoff[i, 1])
        if worse < value:
            value, low, high = worse, i, i
    for i in range(len(payoff)):
        rise = payoff[i, 1] - payoff[i, 0]
        if not (0.0 < rise < np.inf):
            continue
        for j in range(len(payoff)):
            fall = payoff[j, 0] - payoff[j, 1]
            if not (0.0 < fall < np.inf):
                continue
            total = rise + fall
            mixed = (fall * payoff[i, 0] + rise * payoff[j, 0]) / total
            if mixed < value:
                value, low, high, weight = mixed, i, j, fall / total
    return value, low, high, weight


@compiled
def play_back(values: Reals, t: int, m: int, steps: Whole, before: Reals) -> None:
    """Fill layer t from `values`, layer t + 1: the value of the matrix game at every state; both may be one array."""
    counts, offsets = first_state(2 * m, t)
    payoff = np.empty((m, 2))
    for r in range(len(before)):
        for i in range(m):
            payoff[i, 0] = values[r + offsets[2 * i]]
            payoff[i, 1] = values[r + offsets[2 * i + 1]]
        before[r] = matrix_game(payoff)[0]
        _next(counts, offsets, steps)


@compiled
def respond_back(values: Reals, t: int, cells: Reals, steps: Whole, before: Reals) -> None:
    """Fill layer t when the conditional probability is announced and point i answers all of ``cells[i]``.

    Given the point, the mean is linear in the probability, so an end of the cell is worst.
    """
    m = len(cells)
    counts, offsets = first_state(2 * m, t)
    for r in range(len(before)):
        worst = -np.inf
        for i in range(m):
            zero, one = values[r + offsets[2 * i]], values[r + offsets[2 * i + 1]]
            for side in range(2):
                p = cells[i, side]
                mean = 0.0
                if p < 1.0:
                    mean += (1.0 - p) * zero
                if p > 0.0:
                    mean += p * one
                worst = max(worst, mean)
        before[r] = worst
        _next(counts, offsets, steps)


@engine
def average_back(
    values: Reals, start: int, states: Whole, mixtures: Reals, steps: Whole, before: Reals
) -> None:
    """Fill ranks `start`, ... of a layer from the one after it, with the worse outcome for each mixture."""
    d = states.shape[1]
    for r in range(len(states)):
        rounds = 0
        for k in range(d - 1):
            rounds += states[r, k]
        child = start + r
        mean_zero = mean_one = 0.0
        for k in range(d - 1, -1, -1):
            if k < d - 1:
                child += steps[k, rounds]
                rounds -= states[r, k]
            p = mixtures[r, k // 2]
            if p > 0.0 and k % 2 == 1:
                mean_one += p * values[child]
            elif p > 0.0:
                mean_zero += p * values[child]
        before[start + r] = max(mean_zero, mean_one)


@engine
def stationary_mixtures(
    states: Whole,
    cells: Whole,
    low: Reals,
    high: Reals,
    learners: Records,
    mixture: Records,
    control: Records,
    rates: Reals,
    mixtures: Reals,
) -> None:
    """Fill the mixtures of realised feedback; twin of `algorithm_1.BlumMansour.mixture`.

    A learner with a zeros and b ones rounds to grid point ``cells[a, b]`` or the next, with the probabilities `low` and
    `high`. The other arrays are a `bank.Bank` of `blum_mansour`, whose search starts anew at every state.
    """
    n, now = mixtures.shape[1], control[0]
    for r in range(len(states)):
        for i in range(n):
            a, b = states[r, 2 * i], states[r, 2 * i + 1]
            learners[i].cell, learners[i].low, learners[i].high = cells[a, b], low[a, b], high[a, b]
            mixtures[r, i] = 0.0
        now.stale, now.classes = True, 0
        blum_mansour.solve(learners, mixture, now, rates)
        for s in range(now.members):
            mixtures[r, mixture[s].member] = mixture[s].share


@engine
def pair_mixtures(
    states: Whole,
    means: Reals,
    learners: Records,
    mixture: Records,
    control: Records,
    rates: Reals,
    mixtures: Reals,
) -> None:
    """Fill the mixtures of PAIR.

    A bucket with a zeros and b ones leans to ``means[a, b]``. The other arrays are a `bank.Bank` of `tree`,
    surveyed anew at every state.
    """
    for r in range(len(states)):
        for i in range(mixtures.shape[1]):
            learners[i].leaning = means[states[r, 2 * i], states[r, 2 * i + 1]]
            mixtures[r, i] = 0.0
        tree.survey(learners, control)
        tree.solve(learners, mixture, control[0], rates)
        for s in range(control[0].members):
            mixtures[r, mixture[s].member] = mixture[s].share
