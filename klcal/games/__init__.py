"""The loop over rounds: `run`, replays, games against truths, the dual game, and the work that a game takes."""

from __future__ import annotations

from klcal.games.deviations import Draws, deviation_ratios, printed_steps, rerun, sharper_steps
from klcal.games.matches import Match, play_match
from klcal.games.play import DoublingRun, Run, Snapshot, log_spaced_rounds, run, run_doubling, run_rounded
from klcal.games.replays import Replicates, replay
from klcal.games.truths import TruthGame, play_against_truths
from klcal.games.workload import Work, count_work

__all__ = [
    "DoublingRun",
    "Draws",
    "Match",
    "Replicates",
    "Run",
    "Snapshot",
    "TruthGame",
    "Work",
    "count_work",
    "deviation_ratios",
    "log_spaced_rounds",
    "play_against_truths",
    "play_match",
    "printed_steps",
    "replay",
    "rerun",
    "run",
    "run_doubling",
    "run_rounded",
    "sharper_steps",
]
