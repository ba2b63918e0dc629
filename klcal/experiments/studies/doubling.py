"""What not knowing the horizon costs."""

from __future__ import annotations

from klcal.adversaries import OBLIVIOUS
from klcal.experiments.game import games
from klcal.experiments.studies._common import ROOT, half_decades, repetitions
from klcal.experiments.study import Study

STUDIES = (
    Study(
        "doubling",
        "Algorithm 1 with known horizon and with the doubling trick, on the same outcomes.",
        tuple(
            game
            for T in half_decades(2, 7)
            for game in games(adversary=OBLIVIOUS, T=T, doubling=[False, True], seed=repetitions(T))
        ),
        ROOT,
    ),
)
