"""The other forecasters straight from their descriptions, slow and independent: imports nothing from klcal."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np


def grid(K):
    """K + 1 equally spaced points."""
    return [i / K for i in range(K + 1)]


def round_to(points, w):
    """The two neighbours of w, with the probabilities that keep its mean."""
    q = [0.0] * len(points)
    i = max(j for j, z in enumerate(points) if z <= w)
    if points[i] == w:
        q[i] = 1.0
    else:
        q[i + 1] = (w - points[i]) / (points[i + 1] - points[i])
        q[i] = 1.0 - q[i + 1]
    return q


def stationary(Q):
    """A fixed point on the closed class with the lowest member, by least squares."""
    n = len(Q)
    reach = np.linalg.matrix_power(np.eye(n) + (np.asarray(Q) > 0), n) > 0
    closed = [i for i in range(n) if all(reach[j, i] for j in range(n) if reach[i, j])]
    members = [j for j in range(n) if reach[closed[0], j]]
    block = np.asarray(Q)[np.ix_(members, members)]
    equations = np.vstack([block.T - np.eye(len(members)), np.ones(len(members))])
    target = np.append(np.zeros(len(members)), 1.0)
    p = np.zeros(n)
    p[members] = np.linalg.lstsq(equations, target, rcond=None)[0]
    return p


def play(outcomes, points):
    """Mixtures and learners' points, round by round; every mean is recomputed from the whole history."""
    mixtures, plays = [], []
    for t in range(len(outcomes)):
        w = []
        for i in range(len(points)):
            weights = [row[i] for row in mixtures]
            ones = math.fsum(p for p, y in zip(weights, outcomes[:t], strict=True) if y == 1)
            mass = math.fsum(weights)
            w.append(ones / mass if mass > 0 else 0.5)
        plays.append(w)
        mixtures.append(stationary([round_to(points, x) for x in w]))
    return np.array(mixtures), np.array(plays)


def descend(weights, outcomes):
    """One learner's points by literal gradient steps of length 1/(2 S), projected to [0, 1]."""
    w, mass, plays = 0.5, 0.0, []
    for p, y in zip(weights, outcomes, strict=True):
        plays.append(w)
        if p > 0:
            mass += p
            gradient = 2 * p * (w - y)
            w = min(1.0, max(0.0, w - gradient / (2 * mass)))
    return plays


def nearest_miss(plays, points):
    """How close a learner came to a grid point without standing on it: there rounding errors decide."""
    gaps = np.abs(np.asarray(plays)[:, :, None] - np.asarray(points))
    return gaps[gaps > 0].min(initial=1.0)


def regret(weights, plays, outcomes):
    """What one learner lost to the best fixed point, from the definition."""
    mass = math.fsum(weights)
    if mass == 0:
        return 0.0
    mean = math.fsum(p * y for p, y in zip(weights, outcomes, strict=True)) / mass
    spent = math.fsum(p * (w - y) ** 2 for p, w, y in zip(weights, plays, outcomes, strict=True))
    return spent - math.fsum(p * (mean - y) ** 2 for p, y in zip(weights, outcomes, strict=True))


def pseudo_cal2(mixtures, outcomes, points):
    """PCal_2 from its definition."""
    total = 0.0
    for i, z in enumerate(points):
        mass = math.fsum(row[i] for row in mixtures)
        if mass > 0:
            mean = math.fsum(row[i] * y for row, y in zip(mixtures, outcomes, strict=True)) / mass
            total += mass * (z - mean) ** 2
    return total


def two_neighbours(counts):
    """Foster's rule in fractions: {grid index: probability} for counts [(zeros, ones), ...]."""
    K = len(counts) - 1
    gaps = []
    for i, (zeros, ones) in enumerate(counts):
        n = zeros + ones
        gaps.append(Fraction(ones, n) - Fraction(i, K) if n else Fraction(0))
    for i, gap in enumerate(gaps):
        if gap == 0:
            return {i: Fraction(1)}
    for i in range(K):
        if gaps[i] > 0 > gaps[i + 1]:
            spread = gaps[i] - gaps[i + 1]
            return {i: -gaps[i + 1] / spread, i + 1: gaps[i] / spread}
    raise AssertionError("the gap of 0 is never negative, that of 1 never positive")


def internal_regret_mixture(mixtures, outcomes, points, rate):
    """The balanced distribution from the whole history: a null vector of the generator of the pairs."""
    n = len(points)
    regret = [[0.0] * n for _ in range(n)]
    for p, y in zip(mixtures, outcomes, strict=True):
        for i in range(n):
            for j in range(n):
                regret[i][j] += p[i] * ((points[i] - y) ** 2 - (points[j] - y) ** 2)
    generator = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i != j:
                generator[i, j] = math.exp(rate * regret[i][j])
        generator[i, i] = -generator[i].sum()
    equations = np.vstack([generator.T, np.ones(n)])
    return np.linalg.lstsq(equations, np.append(np.zeros(n), 1.0), rcond=None)[0]


def nearest(points, w):
    """The nearest point, the lower one on a tie."""
    q = [0.0] * len(points)
    q[min(range(len(points)), key=lambda i: (abs(points[i] - w), i))] = 1.0
    return q


def clamped(points, w):
    """Linear rounding, the end point outside the grid."""
    return round_to(points, min(max(w, points[0]), points[-1]))


def play_laplace(outcomes, points, rounding):
    """Algorithm 1 with some rounding: learners at (ones + 1)/(mass + 2), whole history every time."""
    mixtures, plays = [], []
    for t in range(len(outcomes)):
        w = []
        for i in range(len(points)):
            weights = [row[i] for row in mixtures]
            ones = math.fsum(p for p, y in zip(weights, outcomes[:t], strict=True) if y == 1)
            w.append((ones + 1) / (math.fsum(weights) + 2))
        plays.append(w)
        mixtures.append(stationary([rounding(points, x) for x in w]))
    return np.array(mixtures), np.array(plays)


def calibeat(forecasts, outcomes, bin_of, prior):
    """The mean of the outcomes of earlier rounds in the same bin."""
    new = []
    for t, p in enumerate(forecasts):
        before = [y for q, y in zip(forecasts[:t], outcomes[:t], strict=True) if bin_of(q) == bin_of(p)]
        mass = len(before) + 2 * prior
        new.append((sum(before) + prior) / mass if mass else p)
    return new
