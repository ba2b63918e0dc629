"""Algorithm 1 with other roundings: Algorithm 4 is the usual game, the others follow their own definitions."""

from __future__ import annotations

import naive_engine as naive
import numpy as np
import pytest

from klcal import adversaries, kl_calibration, run, uniform_grid
from klcal.forecasters.baselines import FastRoundedBlumMansour
from klcal.games import run_rounded


def naive_cells(outcomes, K, scheme):
    """Masses and ones of Algorithm 1 with a rounding scheme, straight from the definitions."""
    z = naive.grid(K)
    ones, zeros = np.zeros(K + 1), np.zeros(K + 1)
    for y in outcomes:
        w = (ones + 1) / (ones + zeros + 2)
        Q = np.zeros((K + 1, K + 1))
        for i in range(K + 1):
            if w[i] < z[0] or w[i] >= z[K]:
                Q[i, 0 if w[i] < z[0] else K] = 1
                continue
            j = max(k for k in range(K + 1) if z[k] <= w[i])
            up = (w[i] - z[j]) / (z[j + 1] - z[j])
            if scheme == "nearest":
                up = float(w[i] - z[j] > z[j + 1] - w[i])
            Q[i, j], Q[i, j + 1] = 1 - up, up
        p = naive.stationary(Q)
        ones, zeros = ones + y * p, zeros + (1 - y) * p
    return ones + zeros, ones


@pytest.mark.parametrize("K", [2, 3, 8, 12])
def test_with_the_rounding_of_algorithm_4_it_is_the_usual_game(K):
    outcomes = adversaries.sinusoid(400, rng=5)
    game = run_rounded(outcomes, K, scheme="log")
    usual = run(outcomes, K, rng=0)
    np.testing.assert_allclose(game.expected.mass, usual.expected.mass, rtol=0, atol=1e-11)
    assert game.grid == usual.grid and game.algorithm == "paper, log rounding"


@pytest.mark.parametrize("scheme", ["linear", "nearest"])
@pytest.mark.parametrize("K", [2, 4, 7])
def test_the_other_schemes_follow_their_definitions(scheme, K):
    outcomes = adversaries.random_walk(60, 0.2, rng=2)
    cells = run_rounded(outcomes, K, scheme=scheme).expected
    mass, ones = naive_cells(outcomes.tolist(), K, scheme)
    np.testing.assert_allclose(cells.mass, mass, atol=1e-9)
    np.testing.assert_allclose(cells.ones, ones, atol=1e-9)


def test_nearest_rounding_turns_two_learners_into_a_cycle():
    # K = 3, points 0.07, 1/4, 3/4, 0.93. Round 1: 1/2 is a tie and goes down to 1/4. After a one, learner 1 leans to
    # 2/3 and goes up to 3/4, whose learner still goes down to 1/4: both get one half.
    cells = run_rounded([1, 1], 3, scheme="nearest").expected
    assert cells.mass.tolist() == [0, 1.5, 0.5, 0]


def test_opposing_outcomes_make_nearest_rounding_cost_far_more_than_the_other_two():
    error = {
        scheme: kl_calibration(run_rounded(adversaries.Oppose(300), 8, scheme=scheme).expected)
        for scheme in ("log", "linear", "nearest")
    }
    assert error["nearest"] > 300 / 8 > 3 * max(error["log"], error["linear"])


def test_an_adversary_that_sees_the_mixture_plays_as_in_the_usual_game():
    for adversary in (adversaries.Oppose(150), adversaries.Greedy(150)):
        assert np.array_equal(run_rounded(adversary, 5).outcomes, run(adversary, 5, rng=0).outcomes)


def test_the_grid_is_that_of_the_horizon_by_default():
    assert len(run_rounded(np.zeros(100, dtype=int)).grid) == 4


@pytest.mark.parametrize(
    ("outcomes", "scheme", "message"),
    [
        ([0, 1], "up", "scheme must be one of 'log', 'linear', 'nearest'; got 'up'"),
        ([0, 3], "log", "outcomes must be 0 or 1; got 3 at index 1"),
    ],
)
def test_what_cannot_be_played_is_refused(outcomes, scheme, message):
    with pytest.raises(ValueError, match=message):
        run_rounded(outcomes, 2, scheme=scheme)


@pytest.mark.parametrize("scheme", ["log", "linear", "nearest"])
def test_a_grid_that_ends_in_zero_or_one_is_refused(scheme):
    with pytest.raises(ValueError, match=r"grid must have its points strictly inside \(0, 1\); got 0.0"):
        FastRoundedBlumMansour(uniform_grid(3), scheme)
