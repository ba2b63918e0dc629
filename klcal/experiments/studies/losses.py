"""Swap regret of many losses at once, and of the worst loss."""

from __future__ import annotations

from klcal.experiments.game import games
from klcal.experiments.regrets import measure_regrets
from klcal.experiments.studies._common import EVERYONE, ROOT, repetitions
from klcal.experiments.study import Study

STUDIES = (
    Study(
        "losses",
        "Swap and external regret of many losses, and of the worst one, in the same games, both algorithms.",
        tuple(
            game
            for T in (10**2, 10**3, 10**4, 10**5, 10**6)
            for game in games(algorithm=["paper", "realised"], adversary=EVERYONE, T=T, seed=repetitions(T))
        ),
        ROOT,
        measure_regrets,
    ),
)
