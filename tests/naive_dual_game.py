"""The dual game of Section 4 straight from its definition, slow and independent: imports nothing from klcal."""

from __future__ import annotations

import itertools
import math


def kl(p, z):
    """KL between Bernoulli distributions, with 0 log 0 = 0."""
    total = p * math.log(p / z) if p > 0 else 0.0
    return total + ((1 - p) * math.log((1 - p) / (1 - z)) if p < 1 else 0.0)


DISTANCES = {
    "euclid": lambda p, z: abs(p - z),
    "kl": kl,
    "chi-square": lambda p, z: (p - z) ** 2 / (z * (1 - z)),
}


def answer(p, points, nearest):
    """The lowest of the points with the smallest distance."""
    distances = [DISTANCES[nearest](p, z) for z in points]
    return distances.index(min(distances))


def margin(p, points, nearest):
    """How much nearer the nearest point is than the second: where it is tiny, rounding may decide."""
    first, second = sorted(DISTANCES[nearest](p, z) for z in points)[:2]
    return second - first


def klcal(forecasts, outcomes):
    """KLCal of a game, from all rounds with the same forecast."""
    total = 0.0
    for z in set(forecasts):
        hits = [y for p, y in zip(forecasts, outcomes, strict=True) if p == z]
        total += len(hits) * kl(sum(hits) / len(hits), z)
    return total


def play(announcements, uniforms, points, nearest):
    """Forecasts and outcomes of one game."""
    forecasts = [points[answer(p, points, nearest)] for p in announcements]
    return forecasts, [int(u < p) for u, p in zip(uniforms, announcements, strict=True)]


def expected(announcements, points, nearest):
    """E[KLCal] by going through all outcome sequences."""
    forecasts = [points[answer(p, points, nearest)] for p in announcements]
    total = 0.0
    for outcomes in itertools.product((0, 1), repeat=len(announcements)):
        chance = math.prod(p if y else 1 - p for p, y in zip(announcements, outcomes, strict=True))
        if chance > 0:
            total += chance * klcal(forecasts, outcomes)
    return total


def greedy(forecasts, outcomes, points, menu, nearest):
    """Expected gain in KLCal of every announcement on the menu."""
    now = klcal(forecasts, outcomes)
    gains = []
    for p in menu:
        z = points[answer(p, points, nearest)]
        up, down = (klcal([*forecasts, z], [*outcomes, y]) - now for y in (1, 0))
        gains.append(p * up + (1 - p) * down)
    return gains


def worst_case(points, T, borders):
    """Largest E[KLCal] over all adversaries, by recursion over histories; both ends of every region are tried."""
    ends = [0.0, *borders, 1.0]

    def value(forecasts, outcomes):
        if len(forecasts) == T:
            return klcal(forecasts, outcomes)
        best = -math.inf
        for i, z in enumerate(points):
            up = value([*forecasts, z], [*outcomes, 1])
            down = value([*forecasts, z], [*outcomes, 0])
            best = max(best, *(p * up + (1 - p) * down for p in ends[i : i + 2]))
        return best

    return value([], [])
