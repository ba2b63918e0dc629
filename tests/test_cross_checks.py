"""The measures against software that knows nothing of this book: scikit-learn, and the reliability decomposition."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss, log_loss

from klcal import LOSSES, Cells, calibration_error, external_regret, kl_calibration, run, swap_regret
from klcal.adversaries import OBLIVIOUS

POINTS = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.7, 1.0])
INNER = st.sampled_from([0.01, 0.1, 0.25, 0.5, 0.7, 0.99])


def games(points):
    rounds = st.lists(st.tuples(points, st.integers(0, 1)), min_size=2, max_size=40)
    return rounds.filter(lambda rounds: len({y for _, y in rounds}) == 2)


def told(rounds):
    forecasts, outcomes = np.array([p for p, _ in rounds]), np.array([y for _, y in rounds])
    return forecasts, outcomes, Cells.from_forecasts(forecasts, outcomes)


def refinement(cells, loss):
    """The loss of knowing every cell's mean beforehand."""
    return float((cells.mass * loss.entropy(cells.means)).sum())


def resolution(cells, loss):
    """How far the cells' means are from the overall mean."""
    return float((cells.mass * loss.divergence(cells.means, cells.base_rate)).sum())


@settings(max_examples=40)
@given(rounds=games(POINTS))
def test_the_brier_score_of_scikit_learn_is_cal_2_plus_refinement(rounds):
    forecasts, outcomes, cells = told(rounds)
    ours = (calibration_error(cells) + refinement(cells, LOSSES["squared"])) / len(rounds)
    assert ours == pytest.approx(brier_score_loss(outcomes, forecasts), abs=1e-12)


@settings(max_examples=40)
@given(rounds=games(INNER))
def test_the_log_loss_of_scikit_learn_is_kl_calibration_plus_refinement(rounds):
    forecasts, outcomes, cells = told(rounds)
    ours = kl_calibration(cells) + refinement(cells, LOSSES["log"])
    assert ours == pytest.approx(log_loss(outcomes, forecasts, normalize=False), abs=1e-10)


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


@given(rounds=games(st.sampled_from([0.0, 0.25, 0.5, 1.0])))
def test_the_decomposition_of_the_brier_score_is_exact_in_fractions(rounds):
    n = len(rounds)
    score = sum((Fraction(p) - y) ** 2 for p, y in rounds)
    mean = Fraction(sum(y for _, y in rounds), n)
    reliability = spread = Fraction(0)
    for point in {p for p, _ in rounds}:
        met = [y for p, y in rounds if p == point]
        rho = Fraction(sum(met), len(met))
        reliability += len(met) * (rho - Fraction(point)) ** 2
        spread += len(met) * (rho - mean) ** 2
    assert score == reliability - spread + n * mean * (1 - mean)
    cells = told(rounds)[2]
    assert calibration_error(cells) == pytest.approx(float(reliability), abs=1e-12)
    assert resolution(cells, LOSSES["squared"]) == pytest.approx(float(spread), abs=1e-12)


@given(rounds=games(INNER), name=st.sampled_from(sorted(LOSSES)))
def test_external_regret_is_swap_regret_minus_resolution_for_every_loss(rounds, name):
    cells, loss = told(rounds)[2], LOSSES[name]
    wanted = swap_regret(cells, loss) - resolution(cells, loss)
    assert external_regret(cells, loss) == pytest.approx(wanted, abs=1e-10)


def test_the_reliability_curve_of_scikit_learn_is_ours_when_bins_hold_one_forecast_each():
    forecasts = np.repeat([0.05, 0.35, 0.55, 0.95], 25)
    outcomes = (np.arange(100) * 7 % 11 < 11 * forecasts).astype(int)
    cells = Cells.from_forecasts(forecasts, outcomes)
    means, points = calibration_curve(outcomes, forecasts, n_bins=10)
    assert points == pytest.approx(cells.points) and means == pytest.approx(cells.means)


def test_a_whole_game_of_algorithm_1_agrees_with_scikit_learn(seed):
    outcomes = OBLIVIOUS["random walk"](5000, seed)
    game = run(outcomes, rng=seed, record=True)
    forecasts = game.grid.points[game.draws]
    cells = game.realised
    total = kl_calibration(cells) + refinement(cells.restricted(), LOSSES["log"])
    assert total == pytest.approx(log_loss(outcomes, forecasts, normalize=False), rel=1e-12)
    total = calibration_error(cells) + refinement(cells.restricted(), LOSSES["squared"])
    assert total == pytest.approx(5000 * brier_score_loss(outcomes, forecasts), rel=1e-12)


def test_a_certain_and_wrong_forecast_is_infinite_here_and_clipped_there():
    """The one place where the two differ on purpose: nothing is clipped in this book."""
    forecasts, outcomes = np.array([0.0, 0.5]), np.array([1, 0])
    assert kl_calibration(Cells.from_forecasts(forecasts, outcomes)) == math.inf
    assert math.isfinite(log_loss(outcomes, forecasts))
