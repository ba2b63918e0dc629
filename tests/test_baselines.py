"""The squared-loss algorithm: naive = reference = compiled, its contract, its regret and what it promises."""

from __future__ import annotations

import math

import naive_baselines as naive
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from klcal import Grid, bounds, calibration_error, full_grid, kl_calibration, linear_rounding, uniform_grid
from klcal.adversaries import ADAPTIVE, OBLIVIOUS
from klcal.forecasters.baselines import FastSquaredBlumMansour, SquaredBlumMansour, weighted_mean
from klcal.forecasters.markov import closed_classes
from klcal.games.play import _play

TWINS = (SquaredBlumMansour, FastSquaredBlumMansour)
BOTH = pytest.mark.parametrize("make", TWINS)
OUTCOMES = st.lists(st.integers(0, 1), min_size=1, max_size=60)


def played(algorithm, outcomes, uniforms=None):
    """Play all rounds; return mixtures, learners' points and draws, one row per round."""
    uniforms = [0.5] * len(outcomes) if uniforms is None else uniforms
    rows = []
    for y, u in zip(outcomes, uniforms, strict=True):
        rows.append((algorithm.mixture(), algorithm.leanings(), algorithm.draw(u)))
        algorithm.update(rows[-1][2], int(y))
    return tuple(np.array(column) for column in zip(*rows, strict=True))


def h(s):
    return np.where(s <= 1, s, 1 + np.log(np.maximum(s, 1)))


@settings(max_examples=40)
@given(outcomes=OUTCOMES, K=st.integers(2, 9))
def test_both_twins_agree_with_the_definitions(outcomes, K):
    mixtures, plays = naive.play(outcomes, naive.grid(K))
    assume(naive.nearest_miss(plays, naive.grid(K)) > 1e-9)
    for make in TWINS:
        ours = played(make(uniform_grid(K)), outcomes)
        np.testing.assert_allclose(ours[1], plays, rtol=0, atol=1e-12)
        np.testing.assert_allclose(ours[0], mixtures, rtol=0, atol=1e-7)


@pytest.mark.parametrize("name", OBLIVIOUS)
@pytest.mark.parametrize("K", [2, 12])
def test_twins_give_the_same_bits_on_every_oblivious_adversary(name, K, seed):
    outcomes, uniforms = OBLIVIOUS[name](200, seed), np.random.default_rng(seed).random(200)
    slow, fast = (make(uniform_grid(K)) for make in TWINS)
    for a, b in zip(played(slow, outcomes, uniforms), played(fast, outcomes, uniforms), strict=True):
        assert np.array_equal(a, b)
    assert slow.expected == fast.expected and slow.realised == fast.realised
    assert np.array_equal(slow.weights(), fast.weights()) and np.array_equal(slow.counts(), fast.counts())


# The others look at the log loss of the forecasts, which is infinite at 0 and 1.
@pytest.mark.parametrize("name", ["oppose", "border", "threshold 0.05"])
def test_twins_give_the_same_bits_against_adaptive_adversaries(name, seed):
    T, uniforms, games = 150, np.random.default_rng(seed).random(150), []
    for make in TWINS:
        algorithm, outcomes = make(uniform_grid(6)), np.zeros(T, dtype=np.uint8)
        draws, mixtures = np.zeros(T, dtype=np.int64), np.zeros((T, 7))
        _play(algorithm, ADAPTIVE[name](T), outcomes, uniforms, draws, mixtures)
        games.append((outcomes, draws, mixtures, algorithm.weights(), algorithm.counts()))
    for slow, fast in zip(*games, strict=True):
        assert np.array_equal(slow, fast)


@BOTH
def test_the_first_forecast_rounds_one_half(make):
    assert make(uniform_grid(2)).mixture().tolist() == [0, 1, 0]
    # One half lies in the middle of the middle cell; every learner leans there.
    assert make(uniform_grid(3)).mixture().tolist() == pytest.approx([0, 0.5, 0.5, 0], abs=1e-15)
    assert make(uniform_grid(3)).leanings().tolist() == [0.5] * 4


@BOTH
def test_after_one_outcome_only_the_learners_with_weight_have_moved(make):
    algorithm = make(Grid([0.0, 0.25, 0.75, 1.0]))
    assert algorithm.mixture().tolist() == [0, 0.5, 0.5, 0]
    algorithm.update(1, 1)
    assert algorithm.leanings().tolist() == [0.5, 1, 1, 0.5]
    # Learners 1 and 2 both send to the point 1, whose own learner still sends back to both of them.
    assert algorithm.mixture().tolist() == [0, 0.25, 0.25, 0.5]
    assert algorithm.weights().tolist() == [[0, 0, 0, 0], [0, 0.5, 0.5, 0]]
    assert algorithm.counts().tolist() == [[0, 0, 0, 0], [0, 1, 0, 0]]


@BOTH
def test_asking_changes_nothing_and_answers_are_copies(make):
    algorithm, twin = make(uniform_grid(5)), make(uniform_grid(5))
    for y in (1, 0, 0, 1, 1):
        for _ in range(3):
            algorithm.mixture()[:] = 7
            algorithm.leanings()[:] = 7
            algorithm.weights()[:] = 7
            algorithm.counts()[:] = 7
            algorithm.draw(0.9)
        assert np.array_equal(algorithm.mixture(), twin.mixture())
        assert algorithm.update(algorithm.draw(0.5), y) is None
        twin.update(twin.draw(0.5), y)
    assert algorithm.expected == twin.expected


@BOTH
def test_mixtures_are_stationary_distributions_on_one_closed_class(make):
    algorithm = make(uniform_grid(10))
    for y in OBLIVIOUS["random walk"](300, 1):
        p, Q = algorithm.mixture(), linear_rounding(algorithm.leanings(), algorithm.grid)
        assert p.min() >= 0 and p.sum() == pytest.approx(1, abs=1e-12)
        assert np.abs(p @ Q - p).sum() <= 1e-12
        assert set(np.flatnonzero(p)) <= set(closed_classes(Q)[0].tolist())
        algorithm.update(0, int(y))


@BOTH
def test_mixtures_do_not_depend_on_the_draws(make):
    outcomes = OBLIVIOUS["fair coin"](200, 2)
    low = played(make(uniform_grid(7)), outcomes, [0.0] * 200)
    high = played(make(uniform_grid(7)), outcomes, [np.nextafter(1.0, 0.0)] * 200)
    assert np.array_equal(low[0], high[0])
    assert not np.array_equal(low[2], high[2])
    assert make.learns_from_draws is False


@BOTH
@pytest.mark.parametrize("points", [[0.0, 0.5], [0.1, 0.5, 1.0], full_grid(4).points])
def test_a_grid_that_does_not_reach_both_ends_is_refused(make, points):
    with pytest.raises(ValueError, match=r"grid must reach from 0 to 1; got .* at index"):
        make(Grid(points))


def test_the_weighted_mean_is_one_half_before_any_weight_and_at_the_ends_after_equal_outcomes():
    assert weighted_mean(0, 0) == 0.5
    assert weighted_mean([0.0, 1e-300, 3.0], [2.0, 0.0, 1.0]).tolist() == [0.0, 1.0, 0.75]
    with pytest.raises(ValueError, match=r"zeros must be .*at least 0"):
        weighted_mean([1.0], [-1.0])


ROUNDS = st.lists(st.tuples(st.sampled_from([0.0, 1e-9, 0.25, 0.5, 1.0]), st.integers(0, 1)), max_size=40)


@given(rounds=ROUNDS)
def test_the_weighted_mean_is_gradient_descent_with_steps_one_over_twice_the_mass(rounds):
    weights, outcomes = [p for p, _ in rounds], [y for _, y in rounds]
    ones = np.cumsum([0, *(p * y for p, y in rounds)])
    zeros = np.cumsum([0, *(p * (1 - y) for p, y in rounds)])
    np.testing.assert_allclose(naive.descend(weights, outcomes), weighted_mean(ones, zeros)[:-1], atol=1e-12)


@given(rounds=ROUNDS)
def test_the_regret_of_one_learner_is_the_sum_in_its_docstring_and_at_most_h(rounds):
    weights, outcomes = [p for p, _ in rounds], [y for _, y in rounds]
    plays, mass = naive.descend(weights, outcomes), np.cumsum(weights)
    terms = [p * p / s * (w - y) ** 2 for (p, y), w, s in zip(rounds, plays, mass, strict=True) if p > 0]
    regret = naive.regret(weights, plays, outcomes)
    assert regret == pytest.approx(math.fsum(terms), abs=1e-12)
    assert regret <= h(math.fsum(weights)) + 1e-12


@pytest.mark.parametrize("name", OBLIVIOUS)
@pytest.mark.parametrize(("T", "K"), [(1, 2), (30, 3), (2000, 2), (2000, 7), (2000, 40)])
def test_pseudo_calibration_stays_below_its_bound(name, T, K, seed):
    algorithm = FastSquaredBlumMansour(uniform_grid(K))
    for y in OBLIVIOUS[name](T, seed):
        algorithm.update(0, int(y))
    pcal2 = calibration_error(algorithm.expected)
    assert pcal2 <= h(algorithm.expected.mass).sum() + T / (4 * K**2)
    assert pcal2 <= bounds.squared_loss_pcal2(T, K)


def test_pseudo_calibration_is_the_definition_and_not_far_below_its_bound():
    """The bound above can fail: half of its rounding part alone is exceeded."""
    T, K = 4000, 2
    outcomes = (np.arange(T) % 4 == 0).astype(np.uint8)
    algorithm = FastSquaredBlumMansour(uniform_grid(K))
    mixtures, _, _ = played(algorithm, outcomes)
    pcal2 = calibration_error(algorithm.expected)
    assert pcal2 == pytest.approx(naive.pseudo_cal2(mixtures, outcomes.tolist(), naive.grid(K)), rel=1e-9)
    assert pcal2 > 0.5 * T / (4 * K**2)


def test_a_wrong_forecast_of_zero_makes_pseudo_kl_calibration_infinite():
    algorithm = FastSquaredBlumMansour(uniform_grid(2))
    for y in (0, 0, 0, 0, 1):
        algorithm.update(0, y)
    assert kl_calibration(algorithm.expected) == np.inf
    assert calibration_error(algorithm.expected) < 5
