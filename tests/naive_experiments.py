"""Costs of a game straight from their definitions, in plain Python: no import from klcal."""

from __future__ import annotations

import math
from collections.abc import Sequence


def loss(p: float, y: int) -> float:
    """Return the log loss."""
    return -math.log(p if y == 1 else 1.0 - p)


def entropy(rho: float) -> float:
    """Return the entropy of a coin, with 0 log 0 = 0."""
    return -sum(x * math.log(x) for x in (rho, 1.0 - rho) if x > 0.0)


def decomposition(
    points: Sequence[float],
    weights: Sequence[Sequence[float]],
    mixtures: Sequence[Sequence[float]],
    outcomes: Sequence[int],
) -> tuple[float, float, float]:
    """Return regret of the learners, mean cost of rounding, and what the fed weights paid above it.

    Learner i hears outcome y_t with weight ``weights[t][i]`` and says (ones + 1)/(ones + zeros + 2). Its regret is its
    weighted loss less that of the best fixed forecast, the mean of what it heard.
    """
    n = len(points)
    ones, heard, own, grid_mean, grid_fed = [0.0] * n, [0.0] * n, [0.0] * n, [], []
    for weight, mixture, y in zip(weights, mixtures, outcomes, strict=True):
        says = [(ones[i] + 1.0) / (heard[i] + 2.0) for i in range(n)]
        extra = [loss(points[i], y) - loss(says[i], y) for i in range(n)]
        grid_mean.append(math.fsum(mixture[i] * extra[i] for i in range(n)))
        grid_fed.append(math.fsum(weight[i] * extra[i] for i in range(n)))
        for i in range(n):
            own[i] += weight[i] * loss(says[i], y)
            ones[i] += weight[i] * y
            heard[i] += weight[i]
    best = [heard[i] * entropy(min(ones[i] / heard[i], 1.0)) if heard[i] > 0.0 else 0.0 for i in range(n)]
    regret = math.fsum(own) - math.fsum(best)
    return regret, math.fsum(grid_mean), math.fsum(grid_fed) - math.fsum(grid_mean)


def laplace_regret(n: int, k: int) -> float:
    """Return the regret of Laplace's rule after k ones in n rounds, in any order: log((n+1) C(n,k)) - n H(k/n)."""
    return math.log((n + 1) * math.comb(n, k)) - (n * entropy(k / n) if n else 0.0)
