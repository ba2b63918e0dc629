"""The tree straight from its definition, everything recomputed from the history: imports nothing from klcal.

Counts are exact fractions; cells, wealths and coins are plain floats.
"""

from __future__ import annotations

import math
from fractions import Fraction

# Closer than this is equal: 1/2, the one boundary that a mean can meet, is computed as a sine.
SAME = 1e-12


def capacity(level):
    return 1 if level == 0 else (level + 1) * 4 ** (level - 1)


def prior(level):
    return 1 / (2**level * (level + 1) * (level + 2))


def cell(node):
    level, j = node
    return tuple(math.sin(k * math.pi / 2 ** (level + 1)) ** 2 for k in (j, j + 1))


def forecast(node):
    return sum(cell(node)) / 2


class Game:
    """The rounds so far: for each its mixture {node: probability}, its drawn node and its outcome."""

    def __init__(self, algorithm):
        self.algorithm = algorithm
        self.rounds = []
        # The smallest distance of a mean from an end of its cell, or of a mass from a capacity, ties left out.
        self.narrowest = 1.0

    def weights(self, node, rounds):
        """Weight and outcome of each round for this node."""
        if self.algorithm == "tree-expected":
            return [(p.get(node, 0.0), y) for p, _, y in rounds]
        return [(Fraction(int(drawn == node)), y) for _, drawn, y in rounds]

    def mean(self, node, rounds):
        weights = self.weights(node, rounds)
        a = 1 if self.algorithm == "tree-expected" else Fraction(1, 2)
        ones = sum(v for v, y in weights if y == 1)
        return (ones + a) / (sum(v for v, _ in weights) + 2 * a)

    def mass(self, node):
        return sum(v for v, _ in self.weights(node, self.rounds))

    def below(self, node):
        """The active nodes at or below this one, from left to right."""
        self.note(self.mass(node) - capacity(node[0]))
        if self.mass(node) < capacity(node[0]):
            return [node]
        level, j = node
        return self.below((level + 1, 2 * j)) + self.below((level + 1, 2 * j + 1))

    def note(self, gap):
        if abs(gap) > SAME:
            self.narrowest = min(self.narrowest, abs(gap))

    def wealth(self, node):
        """Product over its own rounds of mean against clipped mean."""
        low, high = cell(node)
        product = 1.0
        for t, (weight, y) in enumerate(self.weights(node, self.rounds)):
            if weight > 0:
                m = float(self.mean(node, self.rounds[:t]))
                q = min(max(m, low), high)
                product *= ((m if y else 1 - m) / (q if y else 1 - q)) ** float(weight)
        return product

    def used(self):
        return {node for p, _, _ in self.rounds for node in p}

    def stake(self, node):
        if self.algorithm == "tree-plain":
            return 1.0
        return math.prod(self.wealth(each) for each in self.used()) + prior(node[0]) * self.wealth(node)

    def mixture(self):
        active = self.below((0, 0))
        means = [float(self.mean(node, self.rounds)) for node in active]
        for node, m in zip(active, means, strict=True):
            for end in cell(node):
                self.note(m - end)
        for node, m in zip(active, means, strict=True):
            low, high = cell(node)
            if low - SAME <= m <= high + SAME:
                return {node: 1.0}
        for i in range(len(active) - 1):
            c = cell(active[i])[1]
            if means[i] > c > means[i + 1]:
                a = self.stake(active[i]) * (means[i] - c)
                b = self.stake(active[i + 1]) * (c - means[i + 1])
                return {active[i]: b / (a + b), active[i + 1]: a / (a + b)}
        raise AssertionError("no mean in its cell, and no pair around a boundary")

    def play(self, uniform, outcome):
        p = self.mixture()
        first, last = next(iter(p)), list(p)[-1]
        drawn = first if uniform < p[first] else last
        self.rounds.append((p, drawn, outcome))


def play(outcomes, uniforms, algorithm):
    """The game of these outcomes and uniform numbers."""
    game = Game(algorithm)
    for y, u in zip(outcomes, uniforms, strict=True):
        game.play(u, y)
    return game
