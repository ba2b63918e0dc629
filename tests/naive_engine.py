"""Section 5 straight from the definitions, slow and independent: imports nothing from klcal."""

from __future__ import annotations

import math

import numpy as np


def grid(K):
    """The K + 1 points of Section 5."""
    points = [math.sin(math.pi * i / (2 * K)) ** 2 for i in range(K + 1)]
    points[0] = math.sin(math.pi / (4 * K)) ** 2
    points[K] = math.cos(math.pi / (4 * K)) ** 2
    for i in range(1, K):
        for numerator, value in ((1, 0.25), (2, 0.75)):
            if 3 * i == numerator * K:
                points[i] = value
        if 2 * i == K:
            points[i] = 0.5
    return points


def round_to(points, w):
    """Algorithm 4 as printed; outside the grid the end point takes all."""
    q = [0.0] * len(points)
    if w < points[0]:
        q[0] = 1.0
    elif w >= points[-1]:
        q[-1] = 1.0
    else:
        i = max(j for j, z in enumerate(points) if z <= w)
        below, above = points[i], points[i + 1]
        low = (above - w) / (above * (1 - above))
        high = (w - below) / (below * (1 - below))
        q[i], q[i + 1] = low / (low + high), high / (low + high)
    return q


def closed_classes(Q):
    """Sets of states that reach each other and nothing else, by transitive closure."""
    n = len(Q)
    reach = [[i == j or Q[i][j] > 0 for j in range(n)] for i in range(n)]
    for k in range(n):
        for i in range(n):
            if reach[i][k]:
                for j in range(n):
                    reach[i][j] = reach[i][j] or reach[k][j]
    classes = []
    for i in range(n):
        members = [j for j in range(n) if reach[i][j]]
        if all(reach[j][i] for j in members) and members not in classes:
            classes.append(members)
    return sorted(classes)


def stationary(Q):
    """The fixed point on the lowest closed class, by least squares."""
    Q = np.asarray(Q)
    members = closed_classes(Q.tolist())[0]
    block = Q[np.ix_(members, members)]
    equations = np.vstack([block.T - np.eye(len(members)), np.ones(len(members))])
    target = np.zeros(len(members) + 1)
    target[-1] = 1.0
    solution = np.linalg.lstsq(equations, target, rcond=None)[0]
    p = np.zeros(len(Q))
    p[members] = solution
    return p


def play(outcomes, uniforms, K, algorithm):
    """Algorithm 1, or its variant fed with draws; every sum is recomputed from the whole history."""
    points = grid(K)
    mixtures, draws = [], []
    for t in range(len(outcomes)):
        leanings = []
        for i in range(K + 1):
            if algorithm == "paper":
                weights = [mixtures[s][i] for s in range(t)]
            else:
                weights = [1.0 if draws[s] == i else 0.0 for s in range(t)]
            ones = math.fsum(w for w, y in zip(weights, outcomes[:t], strict=True) if y == 1)
            zeros = math.fsum(w for w, y in zip(weights, outcomes[:t], strict=True) if y == 0)
            leanings.append((ones + 1) / (ones + zeros + 2))
        p = stationary([round_to(points, w) for w in leanings])
        mixtures.append(p)
        cumulative, index = 0.0, max(i for i in range(K + 1) if p[i] > 0)
        for i in range(K + 1):
            cumulative += p[i]
            if uniforms[t] < cumulative:
                index = i
                break
        draws.append(index)
    return np.array(mixtures), np.array(draws)


def pseudo_kl(mixtures, outcomes, points):
    """PKLCal from its definition, over rounds and points."""
    total = 0.0
    for i, z in enumerate(points):
        mass = math.fsum(row[i] for row in mixtures)
        if mass <= 0:
            continue
        mean = math.fsum(row[i] * y for row, y in zip(mixtures, outcomes, strict=True)) / mass
        kl = (mean * math.log(mean / z) if mean > 0 else 0.0) + (
            (1 - mean) * math.log((1 - mean) / (1 - z)) if mean < 1 else 0.0
        )
        total += mass * kl
    return total
