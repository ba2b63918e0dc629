"""The adversary of the lower bound, straight from its rules: everything is summed anew from the whole history.

Imports nothing from klcal. Windows and blocks are counted from 0; a cell is a pair of ends, the upper one excluded.
"""

from __future__ import annotations

from itertools import pairwise


class Naive:
    """Truths against a list of (forecast, outcome)."""

    def __init__(self, k, windows, theta, patience, freeze):
        self.k, self.windows, self.theta, self.patience, self.freeze = k, windows, theta, patience, freeze
        self.kappa = theta * theta / (2 * patience)
        n = k * windows
        ends = [0.25 + j / (4 * n) for j in range(2 * n + 1)]
        self.first, self.last = (0.0, ends[0]), (ends[-1], 2.0)
        self.halves = list(pairwise(ends))  # halves[2i], halves[2i + 1]: left and right half of window i
        self.history, self.pluses, self.minuses = [], [], []
        self.block, self.epochs, self.state = 0, 0, "running"
        self.start_window(windows - 1)

    def visits(self, cell, since=0):
        return [(p, y) for p, y in self.history[since:] if cell[0] <= p < cell[1]]

    def bias(self, cell):
        total = 0.0
        for p, y in self.visits(cell):
            total += y - p
        return total

    def cost(self, cell):
        return self.bias(cell) ** 2 / len(self.visits(cell)) if self.visits(cell) else 0.0

    def left(self, window):
        return self.halves[2 * window]

    def right(self, window):
        return self.halves[2 * window + 1]

    def start_window(self, window):
        """Go left from `window` to a usable one, or give up at the end of the block."""
        while window >= self.block * self.windows:
            few = all(len(self.visits(c)) <= self.theta**2 for c in (self.left(window), self.right(window)))
            if (
                few
                and self.bias(self.left(window)) >= -self.theta / 2
                and self.bias(self.right(window)) <= self.theta
            ):
                self.window, self.begun = window, len(self.history)
                self.truth = 0.25 + (window + 0.5) / (2 * self.k * self.windows)
                return
            window -= 1
        self.state, self.truth = "gave up", 0.5

    def after_window(self):
        self.epochs += 1
        if self.epochs == 2 * self.k:
            self.state, self.truth = "gave up", 0.5
        else:
            self.start_window(self.window - 1)

    def update(self, p, y):
        self.history.append((p, y))
        if self.state != "running":
            return
        below = sum(self.cost(c) for c in (*self.halves, self.last) if self.bias(c) < 0)
        above = sum(self.cost(c) for c in (self.first, *self.halves) if self.bias(c) > 0)
        if below >= self.freeze or above >= self.freeze:
            self.state, self.truth = "frozen", 0.0 if below >= self.freeze else 1.0
            return
        in_block = self.halves[2 * self.block * self.windows : 2 * self.window + 1]
        rising = [c for c in in_block if self.bias(c) >= self.theta and self.cost(c) >= self.kappa]
        if rising:
            self.pluses.append(rising[0])
            if len(self.pluses) == self.k:
                self.state, self.truth = "finished", 0.75
                return
            self.block, self.epochs, self.minuses = self.block + 1, 0, []
            self.start_window((self.block + 1) * self.windows - 1)
        elif self.bias(self.right(self.window)) <= -self.theta:
            self.minuses.append(self.right(self.window))
            if len(self.pluses) + len(self.minuses) == self.k:
                self.state, self.truth = "finished", self.left(self.window)[0]
                return
            self.after_window()
        elif (
            sum(len(self.visits(c, self.begun)) for c in (self.left(self.window), self.right(self.window)))
            >= self.patience
        ):
            self.after_window()
