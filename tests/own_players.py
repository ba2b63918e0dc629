"""Players that are not of the package: workers of sweeps import them by name."""

from __future__ import annotations

import numpy as np


class Mean:
    """Says the mean of all outcomes so far, and has nothing but the two verbs."""

    def __init__(self, T: int, _rng: np.random.Generator) -> None:
        self.seen = [T >= 0, False]

    def predict(self) -> float:
        return sum(self.seen) / len(self.seen)

    def update(self, outcome: int) -> None:
        self.seen.append(outcome)


class Recent(Mean):
    """Says the mean of the last outcomes only."""

    def __init__(self, T: int, rng: np.random.Generator, days: int = 7) -> None:
        super().__init__(T, rng)
        self.days = days

    def predict(self) -> float:
        return sum(self.seen[-self.days :]) / len(self.seen[-self.days :])


class Low:
    """Says 1 while the mean forecast is at most 0.3."""

    def __init__(self, T: int, _rng: np.random.Generator) -> None:
        self.horizon = T

    def choose(self, view: object) -> int:
        return int(view.mixture @ view.grid.points <= 0.3)


class Indecisive(Low):
    """Chooses something that is no outcome."""

    def choose(self, _view: object) -> int:
        return 2


class Brief(Low):
    """Plays three rounds, whatever it is asked for."""

    def __init__(self, _T: int, rng: np.random.Generator) -> None:
        super().__init__(3, rng)


def coins(T: int, rng: np.random.Generator) -> np.ndarray:
    return rng.integers(0, 2, T)


def biased(T: int, rng: np.random.Generator, b: float = 0.5) -> np.ndarray:
    return (rng.random(T) < b).astype(int)


def thirty(_T: int, rng: np.random.Generator) -> np.ndarray:
    return rng.integers(0, 2, 30)


def halves(T: int, _rng: np.random.Generator) -> list[float]:
    return [0.5] * T
