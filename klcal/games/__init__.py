"""The loop over rounds: `run`, and any forecaster against any opponent."""

from __future__ import annotations

from klcal.games.play import DoublingRun as DoublingRun
from klcal.games.play import Run as Run
from klcal.games.play import play_match as play_match
from klcal.games.play import run as run
from klcal.games.play import run_doubling as run_doubling
from klcal.games.play import run_rounded as run_rounded
