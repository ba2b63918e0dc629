"""Who forecasts: learners, Markov chains, Algorithm 1, PAIR and the baselines."""

from __future__ import annotations

from klcal.forecasters.reduction import ALGORITHMS, ENGINES, Forecaster

__all__ = ["ALGORITHMS", "ENGINES", "Forecaster"]
