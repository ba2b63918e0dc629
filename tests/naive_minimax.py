"""The game straight from its rules, slow and independent: dictionaries and Fractions, imports nothing from klcal.

A state is a pair of tuples: how often each point met 0, and how often it met 1. Numbers may be Fractions (squared
measure, rational points: everything is exact) or floats.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import product


def squared(z, zeros, ones):
    """N (rho - z)^2."""
    n = zeros + ones
    return n * (z - z + ones * (z - z + 1) / n - z) ** 2 if n else z - z


def kl(z, zeros, ones):
    """N KL(rho, z), with 0 log 0 = 0."""
    n = zeros + ones
    total = 0.0
    for count, chance in ((ones, z), (zeros, 1.0 - z)):
        if count and chance == 0.0:
            return math.inf
        if count:
            total += count * math.log(count / n / chance)
    return total


def matrix_game(rows):
    """Min over mixtures of the rows of the worse column, by the other side: the best weight q on the second column.

    The least cost at q is a concave function made of lines, so it is largest at 0, at 1, or where two lines meet.
    """
    rows = [(u, v) for u, v in rows if u != math.inf and v != math.inf]
    if not rows:
        return math.inf
    meeting = [0, 1]
    for (u, v), (s, t) in product(rows, rows):
        slopes = (v - u) - (t - s)
        if slopes != 0:
            q = (s - u) / slopes
            if 0 < q < 1:
                meeting.append(q)
    return max(min((1 - q) * u + q * v for u, v in rows) for q in meeting)


def after(state, i, y):
    """The state after point i met outcome y."""
    rows = [list(row) for row in state]
    rows[y][i] += 1
    return tuple(rows[0]), tuple(rows[1])


def empty(points):
    """The state before the first round."""
    return (0,) * len(points), (0,) * len(points)


def cost(points, state, measure):
    """What the game pays at the end."""
    return sum(measure(z, a, b) for z, a, b in zip(points, *state, strict=True))


def induction(points, T, measure, step):
    """The value of the game from its start; that of a state is `step` of it and of what comes after point i met y."""

    @cache
    def worth(state, left):
        if left == 0:
            return cost(points, state, measure)
        return step(state, lambda i, y: worth(after(state, i, y), left - 1))

    return worth(empty(points), T)


def value(points, T, measure):
    """The minimax value."""
    everyone = range(len(points))
    return induction(
        points, T, measure, lambda state, then: matrix_game([[then(i, y) for y in (0, 1)] for i in everyone])
    )


def worst_case(points, T, measure, mixture):
    """What a forecaster pays whose mixture is a function of the state, against the worst adversary."""

    def step(state, then):
        shares = [(i, p) for i, p in enumerate(mixture(state)) if p > 0]
        return max(sum(p * then(i, y) for i, p in shares) for y in (0, 1))

    return induction(points, T, measure, step)


def least_gain(points, T, measure, chance):
    """What an adversary earns whose chance of outcome 1 is a function of the state, against the best forecaster."""

    def step(state, then):
        q = chance(state)
        return min((1 - q) * then(i, 0) + q * then(i, 1) for i in range(len(points)))

    return induction(points, T, measure, step)


def both_fixed(points, T, measure, mixture, chance):
    """The expected cost when both play functions of the state."""

    def step(state, then):
        q = chance(state)
        moves = product(enumerate(mixture(state)), ((0, 1 - q), (1, q)))
        return sum(p * r * then(i, y) for (i, p), (y, r) in moves if p * r > 0)

    return induction(points, T, measure, step)


def dual_worst_case(points, T, measure, nearest, announced):
    """The largest cost in the dual game over finitely many announced means, all answered by `nearest(p)`."""
    answers = [(p, nearest(p)) for p in announced]

    def mean(p, zero, one):
        return (zero if p < 1 else 0) * (1 - p) + (one if p > 0 else 0) * p

    return induction(
        points, T, measure, lambda state, then: max(mean(p, then(i, 0), then(i, 1)) for p, i in answers)
    )


def fixed_case(points, outcomes, measure, mixture):
    """The expected cost on outcomes written in advance, forwards: the weights of all states that can be reached."""
    weights = {empty(points): 1}
    for y in outcomes:
        following = {}
        for state, weight in weights.items():
            for i, p in enumerate(mixture(state)):
                if p > 0:
                    next_state = after(state, i, y)
                    following[next_state] = following.get(next_state, 0) + weight * p
        weights = following
    return sum(w * cost(points, state, measure) for state, w in weights.items())


def outcomes_enumerated(points, T, measure, mixture):
    """The largest expected cost over all outcome sequences written in advance, with no induction over states."""
    return max(fixed_case(points, outcomes, measure, mixture) for outcomes in product((0, 1), repeat=T))


def pair_mixture(points):
    """PAIR as a function of the state: KT means, cells around the points, the lowest choice that qualifies."""
    spread = [math.sqrt(z * (1 - z)) for z in points]
    ends = [0.0]
    for i in range(len(points) - 1):
        weighted = points[i] * spread[i + 1] + points[i + 1] * spread[i]
        ends.append(weighted / (spread[i] + spread[i + 1]))
    ends.append(1.0)

    def mixture(state):
        means = [(b + 0.5) / (a + b + 1) for a, b in zip(*state, strict=True)]
        shares = [0.0] * len(points)
        for i, w in enumerate(means):
            if ends[i] <= w <= ends[i + 1]:
                shares[i] = 1.0
                return shares
        for i in range(len(points) - 1):
            if means[i] > ends[i + 1] > means[i + 1]:
                shares[i] = (ends[i + 1] - means[i + 1]) / (means[i] - means[i + 1])
                shares[i + 1] = 1.0 - shares[i]
                return shares
        raise AssertionError("no pair")

    return mixture
