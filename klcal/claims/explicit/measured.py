"""The bounds with high probability against what many games showed."""

from __future__ import annotations

from functools import cache, partial

from scipy.stats import binom

from klcal import bounds
from klcal.claims._combinators import jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.explicit._common import CHAPTER
from klcal.experiments import Game, seeds
from klcal.measures import kl_calibration

ROUNDS, CELLS, GAMES, DELTA = 300, 4, 60, 0.05
ADVERSARIES = ("zeros", "random walk", "greedy exp 2")
BOUNDS = {
    "pair": "pair",
    "paper": "algorithm_1_high_probability",
    "realised": "realised_high_probability",
}


@cache
def calibrations(algorithm: str, adversary: str) -> tuple[float, ...]:
    """Return KLCal of the draws in 60 games of 300 rounds at K = 4.

    Examples
    --------
    >>> len(calibrations("pair", "zeros"))
    60
    """
    every = seeds(GAMES, root=(8, 300))
    return tuple(
        kl_calibration(Game(algorithm, adversary, ROUNDS, CELLS, seed).play().realised) for seed in every
    )


def frequency(algorithm: str, share: float = 1.0) -> Evidence:
    """Count the games above the bound; more than the exact binomial threshold at 1e-6 would speak against it.

    Parameters
    ----------
    algorithm : str
        Who forecasts.
    share : float
        Multiplies the bound.

    Returns
    -------
    Evidence
    """
    limit = share * getattr(bounds, BOUNDS[algorithm])(ROUNDS, CELLS, DELTA)
    above = max(sum(value > limit for value in calibrations(algorithm, who)) for who in ADVERSARIES)
    threshold = int(binom.isf(1e-6 / len(ADVERSARIES), GAMES, DELTA))
    return Evidence(
        above,
        threshold,
        "<=",
        f"games of {algorithm} above the bound at delta = {DELTA}, worst of {len(ADVERSARIES)} adversaries",
        {"games": GAMES, "T": ROUNDS, "K": CELLS, "seed": "8/300"},
    )


def frequencies() -> Evidence:
    """Check Theorems A, C and D on games that were played."""
    return jointly(*(frequency(algorithm) for algorithm in BOUNDS))


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="new:explicit-measured",
        number="Theorems A, C and D, played",
        title="how often the bounds are exceeded",
        kind="statistical",
        chapter=CHAPTER,
        statement="In 60 games of 300 rounds at K = 4 against each of three adversaries, no more games exceed the "
        "bounds at delta = 0.05 than a binomial threshold at 1e-6 allows.",
        uses=("new:pair", "new:algorithm-1-tail", "new:realised-tail"),
        check=frequencies,
        spoil=tuple(partial(frequency, name, share) for name, share in (("pair", 0.5), ("paper", 0.02))),
    ),
)
