"""The measures against software that knows nothing of this book: scikit-learn, and the reliability decomposition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss, log_loss

from klcal import LOSSES, Cells, calibration_error, external_regret, kl_calibration, swap_regret

INNER = st.sampled_from([0.01, 0.1, 0.25, 0.5, 0.7, 0.99])


def games(points):
    rounds = st.lists(st.tuples(points, st.integers(0, 1)), min_size=2, max_size=40)
    return rounds.filter(lambda rounds: len({y for _, y in rounds}) == 2)


def told(rounds):
    forecasts, outcomes = np.array([p for p, _ in rounds]), np.array([y for _, y in rounds])
    return forecasts, outcomes, Cells.from_forecasts(forecasts, outcomes)


def resolution(cells, loss):
    """How far the cells' means are from the overall mean."""
    return float((cells.mass * loss.divergence(cells.means, cells.base_rate)).sum())


@settings(max_examples=40)
@given(rounds=games(INNER))
def test_the_murphy_decomposition_holds_for_both_scores_of_scikit_learn(rounds):
    """Score = reliability - resolution + uncertainty, per round."""
    forecasts, outcomes, cells = told(rounds)
    n = len(rounds)
    for loss, reliability, score in (
        (LOSSES["squared"], calibration_error(cells), brier_score_loss(outcomes, forecasts)),
        (LOSSES["log"], kl_calibration(cells), log_loss(outcomes, forecasts)),
    ):
        uncertainty = float(loss.entropy(cells.base_rate))
        assert reliability / n - resolution(cells, loss) / n + uncertainty == pytest.approx(score, abs=1e-11)


@given(rounds=games(INNER), name=st.sampled_from(sorted(LOSSES)))
def test_external_regret_is_swap_regret_minus_resolution_for_every_loss(rounds, name):
    cells, loss = told(rounds)[2], LOSSES[name]
    wanted = swap_regret(cells, loss) - resolution(cells, loss)
    assert external_regret(cells, loss) == pytest.approx(wanted, abs=1e-10)


def test_a_certain_and_wrong_forecast_is_infinite_here_and_clipped_there():
    """The one place where the two differ on purpose: nothing is clipped in this book."""
    forecasts, outcomes = np.array([0.0, 0.5]), np.array([1, 0])
    assert kl_calibration(Cells.from_forecasts(forecasts, outcomes)) == math.inf
    assert math.isfinite(log_loss(outcomes, forecasts))
