r"""What the claims on Section 6 share: games replayed many times, and exact binomial thresholds.

A statement "with probability at least :math:`1 - \delta`" is checked by counting failures among independent
replicates. If it is true, more than `allowed_failures` of them happen with a probability of at most one in a
million.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

import numpy as np
import numpy.typing as npt

from klcal import adversaries
from klcal.claims._evidence import Evidence
from klcal.forecasters.baselines import FastSquaredBlumMansour
from klcal.games import replay
from klcal.games.deviations import Draws, rerun
from klcal.grids import resolution, uniform_grid

CHAPTER = "07_high_probability"
SEED = 2025
T, REPLICATES = 10_000, 400
DELTAS = (Fraction(1, 2), Fraction(1, 5), Fraction(1, 20))
ONE_IN_A_MILLION = Fraction(1, 10**6)

Failing = Callable[[Draws, float], npt.NDArray[np.bool_]]


@cache
def allowed_failures(trials: int, delta: Fraction, tests: int = 1) -> int:
    """Return the smallest k such that more than k failures have probability at most 1e-6 / `tests`, exactly.

    Parameters
    ----------
    trials : int
        Number of independent replicates, at least 1.
    delta : Fraction
        Probability with which each may fail, between 0 and 1.
    tests : int
        How many counts share the million.

    Returns
    -------
    int
        From the binomial distribution, in integers.

    Examples
    --------
    >>> allowed_failures(100, Fraction(1, 20)), [allowed_failures(n, Fraction(1, 2)) for n in (19, 20)]
    (18, [19, 19])
    """
    hits, misses = delta.numerator, delta.denominator - delta.numerator
    limit = ONE_IN_A_MILLION * Fraction(delta.denominator) ** trials / tests
    # The chances of k failures, times the common denominator, from the rarest on.
    chance, tail = hits**trials, 0
    for k in range(trials, 0, -1):
        tail += chance
        if tail > limit:
            return k
        chance = chance * k * misses // ((trials - k + 1) * hits)
    return 0


@cache
def played(adversary: str, algorithm: str = "paper") -> Draws:
    """Return replicates of one game against an oblivious adversary, of Algorithm 1 or the squared-loss algorithm."""
    outcomes = adversaries.OBLIVIOUS[adversary](T, SEED)
    reduction = FastSquaredBlumMansour(uniform_grid(resolution(T))) if algorithm == "squared" else None
    return Draws.of(replay(outcomes, replicates=REPLICATES, reduction=reduction, rng=SEED))


@cache
def replayed(adversary: str, algorithm: str, replicates: int = 60) -> Draws:
    """Return replicates of a game in which mixtures or outcomes depend on the draws: every one is played anew."""
    oblivious = adversary in adversaries.OBLIVIOUS
    opponent = adversaries.OBLIVIOUS[adversary](T, SEED) if oblivious else adversaries.ADAPTIVE[adversary](T)
    return rerun(opponent, None, algorithm, replicates, rng=SEED)


def covered(
    text: str, games: Sequence[Draws], failing: Failing, deltas: Sequence[Fraction] = DELTAS
) -> Evidence:
    """Count failures in every game, for every delta and column; report the worst count over what chance allows.

    Parameters
    ----------
    text : str
        The inequality, in words.
    games : sequence of Draws
        The replicates.
    failing : callable
        (Draws, delta) -> which replicates fail, shape (R,), or (R, m) for m inequalities of their own.
    deltas : sequence of Fraction
        Failure probabilities.
    """
    counts = {}
    for number, game in enumerate(games):
        for delta in deltas:
            columns = failing(game, float(delta)).reshape(len(game), -1)
            counts[number, delta] = (len(game), int(columns.sum(axis=0).max()), columns.shape[1])
    tests = sum(columns for _, _, columns in counts.values())
    ratio, share, delta = max(
        (failures / allowed_failures(trials, delta, tests), failures / trials, delta)
        for (_, delta), (trials, failures, _) in counts.items()
    )
    return Evidence(
        ratio,
        1,
        "<=",
        f"{text}: failures among replicates, over what chance allows one time in a million",
        {
            "T": T,
            "replicates": len(games[0]),
            "seed": SEED,
            "counts": tests,
            "worst share": f"{share:.4g} at delta = {delta}",
        },
    )


def all_oblivious(algorithm: str = "paper") -> list[Draws]:
    """Return the replicates of every oblivious adversary."""
    return [played(name, algorithm) for name in adversaries.OBLIVIOUS]
