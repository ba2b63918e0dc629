"""Naive forecasts of a record, day by day from the definitions; imports nothing from klcal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product


def kl(rho: float, p: float) -> float:
    total = 0.0
    for a, b in ((rho, p), (1 - rho, 1 - p)):
        if a > 0:
            total += a * math.log(a / b)
    return total


def kl_by_chance(n: int, p: float) -> float:
    return sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) * n * kl(k / n, p) for k in range(n + 1))


def kl_of_coins(
    biases: Sequence[float], points: Sequence[float]
) -> dict[tuple[int, ...], tuple[float, float]]:
    """For all 2^T outcomes: their probability if each is a coin with its bias, and KLCal of the points."""
    found = {}
    for outcomes in product((0, 1), repeat=len(biases)):
        chance = math.prod(p if y else 1 - p for p, y in zip(biases, outcomes, strict=True))
        total = 0.0
        for z in set(points):
            inside = [y for q, y in zip(points, outcomes, strict=True) if q == z]
            total += len(inside) * kl(sum(inside) / len(inside), z)
        found[outcomes] = chance, total
    return found
