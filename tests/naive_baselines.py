"""The squared-loss algorithm straight from its description, slow and independent: imports nothing from klcal."""

from __future__ import annotations

import math

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
