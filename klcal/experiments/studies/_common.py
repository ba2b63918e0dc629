"""What the studies share: the root of all seeds, the horizons, the names of the adversaries."""

from __future__ import annotations

from klcal.adversaries import ADAPTIVE, OBLIVIOUS
from klcal.experiments.game import SeedKey, seeds

ROOT = 20250216
EVERYONE = (*OBLIVIOUS, *ADAPTIVE)
# These compute exponentials of every candidate outcome: the only ones for which a hundred million rounds take minutes.
SLOW = ("greedy exp 0.5", "greedy exp 2")


def half_decades(first: int, last: int) -> list[int]:
    """Return the powers of ten from 10^first to 10^last and, rounded, those of the square root of ten between."""
    return [round(10 ** (k / 2)) for k in range(2 * first, 2 * last + 1)]


def repetitions(T: int, n: int = 1) -> list[SeedKey]:
    """Return the seeds of n repetitions at horizon T."""
    return seeds(n, root=(ROOT, T))
