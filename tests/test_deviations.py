"""Draws against their mixtures: cells by hand, the lines of both proofs, and games played anew."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from klcal import adversaries, bounds, calibration_error, run, uniform_grid
from klcal.forecasters.baselines import FastSquaredBlumMansour
from klcal.games import replay
from klcal.games.deviations import Draws, deviation_ratios, printed_steps, rerun, sharper_steps

KAPPA = math.e - 2


def one_cell(zeros, ones, drawn_zeros, drawn_ones, z=0.5):
    """One grid point, one replicate."""
    return Draws(np.array([z]), np.array([[[zeros], [ones]]]), np.array([[[drawn_zeros], [drawn_ones]]]))


@pytest.fixture(scope="module")
def coins():
    return Draws.of(replay(adversaries.bernoulli(3000, 0.4, rng=1), replicates=50, rng=1))


def test_measures_are_those_of_the_cells(coins):
    copies = replay(adversaries.bernoulli(3000, 0.4, rng=1), replicates=50, rng=1)
    assert len(coins) == 50
    assert coins.pcal2 == pytest.approx([calibration_error(copies.expected)])
    assert coins.cal2 == pytest.approx([calibration_error(copies.cells(r)) for r in range(50)])
    assert coins.mass.sum() == pytest.approx(3000) and (coins.count.sum(axis=1) == 3000).all()


def test_a_point_without_mass_or_draws_has_rate_zero_and_adds_nothing():
    draws = Draws(
        np.array([0.25, 0.5]), np.array([[[1.0, 0.0], [1.0, 0.0]]]), np.array([[[0.0, 2.0], [0.0, 0.0]]])
    )
    assert draws.expected_rate.tolist() == [[0.5, 0]] and draws.rate.tolist() == [[0, 0]]
    assert draws.pcal2.tolist() == [0.125] and draws.cal2.tolist() == [0.5]
    ratios = deviation_ratios(draws, 0.5)
    assert all(ratio[0, 1] == 0 for ratio in ratios.values())
    assert all(np.isfinite(ratio).all() for ratio in ratios.values())


def test_deviations_over_their_bounds_by_hand():
    draws, L = one_cell(8.0, 8.0, 10.0, 2.0), math.log(4 / 0.5)
    ratios = deviation_ratios(draws, 0.5, 0.25)
    limit = 0.25 * 16 + L / 0.25
    assert ratios["ones"][0, 0] == pytest.approx(6 / limit)
    assert ratios["count"][0, 0] == pytest.approx(4 / limit)
    assert ratios["rate"][0, 0] == pytest.approx((1 / 2 - 1 / 6) / (2 * limit / 16))
    tuned = deviation_ratios(draws, 0.5)
    assert tuned["count"][0, 0] == pytest.approx(4 / (2 * math.sqrt(16 * L)))
    # Below the mass L the best rate is 1.
    assert deviation_ratios(one_cell(1.0, 0.0, 4.0, 0.0), 0.5)["count"][0, 0] == pytest.approx(3 / (1 + L))


def test_tuned_deviations_are_equations_15_and_16(coins):
    ratios = deviation_ratios(coins, 0.1)
    heavy = coins.mass[0] >= math.log(4 * 8 / 0.1)
    size = len(coins.points)
    square = (coins.rate - coins.expected_rate) ** 2 / bounds.rate_deviation(coins.mass, size, 0.1)
    np.testing.assert_allclose(ratios["rate"][:, heavy] ** 2, square[:, heavy])
    count = np.abs(coins.mass - coins.count) / bounds.count_deviation(coins.mass, size, 0.1)
    np.testing.assert_allclose(ratios["count"], count)


@pytest.mark.parametrize("delta", [1.0, 0.05])
def test_both_chains_start_at_cal2_and_end_at_their_theorem(coins, delta):
    size = len(coins.points)
    for steps, version in (
        (printed_steps(coins, delta), "paper"),
        (sharper_steps(coins, delta), "sharpened"),
    ):
        lines = list(steps.values())
        assert all(line.shape == (50,) for line in lines)
        np.testing.assert_allclose(lines[0], coins.cal2)
        np.testing.assert_allclose(lines[-1], bounds.theorem_3(coins.pcal2[0], size, delta, version=version))
        assert all((b >= a * (1 - 1e-12)).all() for a, b in pairwise(lines))


def test_a_line_falls_below_the_one_before_when_a_deviation_is_too_large():
    """Mass 40 but 4000 draws, all of outcome 1: Equation 16 fails, and so does the line that uses it."""
    strayed = one_cell(20.0, 20.0, 0.0, 4000.0)
    steps = printed_steps(strayed, 1.0)
    assert steps["Eq. 16"][0] < steps["Eq. 15"][0]
    assert sharper_steps(strayed, 1.0)["deviations"][0] < strayed.cal2[0]


def test_the_printed_lines_of_one_large_cell_by_hand():
    steps = {name: float(v[0]) for name, v in printed_steps(one_cell(15.0, 5.0, 9.0, 9.0), 1.0).items()}
    L = math.log(4)
    assert steps["Cal_2"] == 0
    assert steps["square of a sum"] == pytest.approx(2 * 18 * (1 / 16 + 1 / 16))
    assert steps["Eq. 15"] == pytest.approx(2 * 18 * (1 / 16 + 16 * L / 20))
    assert steps["Eq. 16"] == pytest.approx(2 * (20 + 2 * math.sqrt(20 * L)) * (1 / 16 + 16 * L / 20))
    assert steps["cell by cell"] == steps["Theorem 3"] == pytest.approx(6 * 20 / 16 + 96 * L)


def test_the_lines_of_one_small_cell_by_hand():
    draws, L = one_cell(1.0, 0.0, 0.0, 1.0), math.log(4)
    printed = printed_steps(draws, 1.0)
    assert printed["Eq. 16"][0] == pytest.approx(2 * (2 + L) * (1 / 4 + 1))
    assert printed["cell by cell"][0] == pytest.approx(2 * (2 / 4 + 4 * L))
    sharper = sharper_steps(draws, 1.0)
    assert sharper["square of a sum"][0] == 0.25 and sharper["at least half the mass"][0] == 1
    assert sharper["deviations"][0] == pytest.approx(1 + KAPPA + math.log(3))


@pytest.mark.parametrize(("share", "large"), [(0.999, False), (1.001, True)])
def test_cells_are_large_from_sixteen_kappa_l_on(share, large):
    """A large cell pays 3A^2/S + 24 kappa L, a small one its largest likely count; both meet at the border."""
    L = math.log(3)
    mass = share * 16 * KAPPA * L
    steps = sharper_steps(one_cell(mass / 2, mass / 2, 5.0, 4.0), 1.0)
    assert steps["at least half the mass"][0] == pytest.approx(6 * 0.5**2 / mass if large else 9.0)
    likely = mass + 2 * math.sqrt(KAPPA * mass * L)
    assert steps["deviations"][0] == pytest.approx(24 * KAPPA * L if large else likely, rel=1e-12)
    assert likely == pytest.approx(24 * KAPPA * L, rel=2e-3)


@given(
    mass=st.floats(0.01, 1e5),
    bias=st.floats(-1, 1),
    moves=st.tuples(st.floats(-1, 1), st.floats(-1, 1)),
    delta=st.floats(0.01, 1),
)
def test_lines_are_in_order_whenever_the_deviations_hold(mass, bias, moves, delta):
    """Any mass, any count and ones within the deviations that each proof assumes."""
    ones = mass * (1 + bias) / 2
    reach = bounds.count_deviation(mass, 1, delta)
    count = max(0.0, mass + moves[0] * reach)
    drawn = min(count, max(0.0, ones + moves[1] * reach))
    steps = printed_steps(one_cell(mass - ones, ones, count - drawn, drawn), delta)
    lines = [float(v[0]) for v in steps.values()]
    # What a mean may do is a consequence of the two sums only where both stay within reach.
    if count > 0 and abs(drawn - ones) <= reach:
        assert all(b >= a * (1 - 1e-9) - 1e-12 for a, b in pairwise(lines))


def test_games_played_anew_are_runs_with_streams_of_their_own(seed):
    outcomes = adversaries.blocks(200, 10)
    draws = rerun(outcomes, 4, "realised", 3, rng=seed)
    streams = np.random.default_rng(seed).spawn(2)[1].spawn(3)
    for r, stream in enumerate(streams):
        game = run(outcomes, 4, "realised", rng=stream)
        np.testing.assert_allclose(draws.mass[r], game.expected.mass)
        assert draws.cal2[r] == pytest.approx(calibration_error(game.realised))
        assert draws.pcal2[r] == pytest.approx(calibration_error(game.expected))
    assert not np.array_equal(draws.counts[0], draws.counts[1])


def test_even_mixtures_are_drawn_round_by_round_from_uniform_numbers(seed):
    points, T = [0.4, 0.5, 0.6], 20
    draws = Draws.of_even_mixtures(points, T, 4, rng=seed)
    uniforms, counts = np.random.default_rng(seed).random((4, T)).tolist(), np.zeros((4, 2, 3))
    for r in range(4):
        for t in range(T):
            counts[r, t % 2, int(3 * uniforms[r][t])] += 1
    assert np.array_equal(draws.counts, counts)
    assert draws.weights.tolist() == [[[T / 6] * 3] * 2]


@pytest.mark.parametrize(("T", "replicates"), [(3, 1), (0, 1), (2, 0)])
def test_even_mixtures_need_an_even_number_of_rounds_and_a_game(T, replicates):
    with pytest.raises(ValueError, match="must be"):
        Draws.of_even_mixtures([0.5], T, replicates)


def test_mixtures_of_algorithm_1_are_common_and_those_of_realised_feedback_are_not():
    outcomes = adversaries.bernoulli(500, 0.4, rng=0)
    common = rerun(outcomes, 5, "paper", 3, rng=1)
    assert np.array_equal(common.weights[0], common.weights[2])
    copies = Draws.of(replay(outcomes, 5, 3, rng=1))
    assert np.array_equal(copies.counts, common.counts)
    own = rerun(outcomes, 5, "realised", 3, rng=1)
    assert not np.array_equal(own.weights[0], own.weights[2])
    assert own.pcal2.shape == (3,) and common.weights.shape == own.weights.shape == (3, 2, 6)


def test_adaptive_adversaries_can_be_played_anew():
    draws = rerun(adversaries.Greedy(100, "realised"), 3, "paper", 2, rng=0)
    assert (draws.count.sum(axis=1) == 100).all()


def test_the_squared_loss_algorithm_can_be_watched_too():
    outcomes = adversaries.sinusoid(1000, rng=0)
    draws = Draws.of(
        replay(outcomes, replicates=20, reduction=FastSquaredBlumMansour(uniform_grid(6)), rng=0)
    )
    lines = list(sharper_steps(draws, 0.05).values())
    assert all((b >= a * (1 - 1e-12)).all() for a, b in pairwise(lines))


@pytest.mark.parametrize("replicates", [0, 1.5])
def test_bad_numbers_of_replicates_are_named(replicates):
    with pytest.raises(ValueError, match="replicates must"):
        rerun([0, 1], replicates=replicates)


def test_a_bad_rate_or_delta_is_named(coins):
    with pytest.raises(ValueError, match=r"mu must be at most 1"):
        deviation_ratios(coins, 0.5, 2.0)
    with pytest.raises(ValueError, match=r"delta must be .*greater than 0"):
        printed_steps(coins, 0.0)
