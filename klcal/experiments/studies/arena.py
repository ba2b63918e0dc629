"""Every forecaster against every adversary that makes sense for all of them."""

from __future__ import annotations

from klcal.adversaries import OBLIVIOUS
from klcal.experiments.arena import RUNS, measure_arena
from klcal.experiments.game import games
from klcal.experiments.studies._common import ROOT, repetitions
from klcal.experiments.study import Study

# The other adaptive adversaries take logarithms of forecasts, or look at learners, which not every forecaster has.
ADAPTIVE = ("oppose", "threshold 0.05", "push")

STUDIES = (
    Study(
        "arena",
        "Calibration errors and regrets of all forecasters against oblivious and adaptive adversaries, medians.",
        tuple(
            game for T in RUNS for game in games(adversary=[*OBLIVIOUS, *ADAPTIVE], T=T, seed=repetitions(T))
        ),
        ROOT,
        measure_arena,
    ),
)
