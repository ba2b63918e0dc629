"""The loop over rounds: `run`, replays of its draws, the dual game, and the work that a game takes."""

from __future__ import annotations

from klcal.games.play import DoublingRun, Run, log_spaced_rounds, run, run_doubling

__all__ = ["DoublingRun", "Run", "log_spaced_rounds", "run", "run_doubling"]
