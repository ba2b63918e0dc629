"""Two neighbours, internal regret and other roundings: naive = reference = compiled, and what each promises."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import naive_baselines as naive
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from klcal import Grid, bounds, calibration_error, full_grid, kl_calibration, uniform_grid
from klcal.adversaries import ADAPTIVE, OBLIVIOUS
from klcal.forecasters.baselines import (
    FastInternalRegret,
    FastRoundedBlumMansour,
    FastTwoNeighbours,
    InternalRegret,
    RoundedBlumMansour,
    TwoNeighbours,
    balanced_mixture,
    internal_regrets,
    internal_resolution,
    neighbour_mixture,
)
from klcal.forecasters.markov import stationary
from klcal.games import run_rounded
from klcal.games.play import _play

T = 100
OUTCOMES = st.lists(st.integers(0, 1), min_size=1, max_size=25)
COUNTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=7)


def played(algorithm, outcomes, uniforms):
    rows = []
    for y, u in zip(outcomes, uniforms, strict=True):
        rows.append((algorithm.mixture(), algorithm.leanings(), algorithm.draw(u)))
        assert algorithm.update(rows[-1][2], int(y)) is None
    return tuple(np.array(column) for column in zip(*rows, strict=True))


TWINS = {
    "two neighbours": (lambda: TwoNeighbours(uniform_grid(6)), lambda: FastTwoNeighbours(uniform_grid(6))),
    "linear": (
        lambda: RoundedBlumMansour(full_grid(6), "linear"),
        lambda: FastRoundedBlumMansour(full_grid(6), "linear"),
    ),
    "nearest": (
        lambda: RoundedBlumMansour(full_grid(6), "nearest"),
        lambda: FastRoundedBlumMansour(full_grid(6), "nearest"),
    ),
    "log": (
        lambda: RoundedBlumMansour(full_grid(6), "log"),
        lambda: FastRoundedBlumMansour(full_grid(6), "log"),
    ),
}


@pytest.mark.parametrize("name", TWINS)
@pytest.mark.parametrize("adversary", [*OBLIVIOUS, *ADAPTIVE])
def test_twins_give_the_same_bits(name, adversary, seed):
    uniforms, games = np.random.default_rng(seed).random(T), []
    for make in TWINS[name]:
        algorithm, opponent = make(), None
        outcomes, draws = np.zeros(T, dtype=np.uint8), np.zeros(T, dtype=np.int64)
        mixtures = np.zeros((T, len(algorithm.grid)))
        if adversary in OBLIVIOUS:
            outcomes = OBLIVIOUS[adversary](T, seed)
        else:
            opponent = ADAPTIVE[adversary](T)
        _play(algorithm, opponent, outcomes, uniforms, draws, mixtures)
        games.append(
            (outcomes, draws, mixtures, algorithm.leanings(), algorithm.weights(), algorithm.counts())
        )
    for slow, fast in zip(*games, strict=True):
        assert np.array_equal(slow, fast)


@pytest.mark.parametrize("adversary", [*OBLIVIOUS, "oppose"])
def test_the_twins_of_internal_regret_agree_up_to_rounding(adversary, seed):
    uniforms, games = np.random.default_rng(seed).random(T), []
    for make in (InternalRegret, FastInternalRegret):
        algorithm = make(uniform_grid(5), T)
        outcomes = OBLIVIOUS[adversary](T, seed) if adversary in OBLIVIOUS else np.zeros(T, dtype=np.uint8)
        opponent = None if adversary in OBLIVIOUS else ADAPTIVE[adversary](T)
        mixtures = np.zeros((T, 6))
        _play(algorithm, opponent, outcomes, uniforms, np.zeros(T, dtype=np.int64), mixtures)
        games.append((outcomes, mixtures, algorithm.leanings(), algorithm.weights()))
    for slow, fast in zip(*games, strict=True):
        np.testing.assert_allclose(slow, fast, rtol=1e-9, atol=1e-12)


# --- two neighbours ---------------------------------------------------------------------------------------


@given(counts=COUNTS)
def test_the_two_neighbour_rule_agrees_with_fractions(counts):
    wanted = naive.two_neighbours(counts)
    found = neighbour_mixture(np.array(counts).T)
    assert set(np.flatnonzero(found)) == set(wanted)
    for i, share in wanted.items():
        assert found[i] == pytest.approx(float(share), rel=1e-14)
    assert found.sum() == pytest.approx(1, abs=1e-15)


def test_a_calibrated_point_is_found_without_rounding_errors():
    # 3/10 as a float is not the mean of 3 ones in 10: only whole numbers see that the gap is zero.
    counts = np.zeros((2, 11))
    counts[:, 0], counts[:, 1:] = [0, 1], [[1], [0]]
    counts[:, 3] = [7, 3]
    assert neighbour_mixture(counts)[3] == 1.0


def test_counts_of_the_two_neighbour_rule_are_whole_numbers_in_two_rows():
    with pytest.raises(ValueError, match=r"counts must be whole numbers; got 0.5 at index \(1, 0\)"):
        neighbour_mixture([[1, 0], [0.5, 0]])
    with pytest.raises(ValueError, match="counts must have two rows, one per outcome; got 1"):
        neighbour_mixture([[1, 0]])


@pytest.mark.parametrize("make", [TwoNeighbours, FastTwoNeighbours])
@pytest.mark.parametrize("grid", [full_grid(3), Grid([0.0, 0.4, 1.0]), Grid([0.0, 1.0])])
def test_two_neighbours_live_on_a_uniform_grid(make, grid):
    with pytest.raises(ValueError, match="grid must be uniform from 0 to 1"):
        make(grid)


def h(s):
    return s if s <= 1 else 1 + math.log(s)


def worst_cal2(K, horizon):
    """Largest E[Cal_2] of the two-neighbour rule over all adaptive adversaries, in fractions."""
    known = {}

    def value(counts, left):
        if left == 0:
            return sum(
                (Fraction(k, 1) - Fraction(i, K) * (z + k)) ** 2 / (z + k)
                for i, (z, k) in enumerate(counts)
                if z + k
            )
        if (counts, left) not in known:
            mixture = naive.two_neighbours(counts)
            sides = []
            for y in (0, 1):
                total = Fraction(0)
                for i, share in mixture.items():
                    cell = (counts[i][0] + 1 - y, counts[i][1] + y)
                    total += share * value((*counts[:i], cell, *counts[i + 1 :]), left - 1)
                sides.append(total)
            known[counts, left] = max(sides)
        return known[counts, left]

    return value(((0, 0),) * (K + 1), horizon)


@pytest.mark.parametrize(("K", "horizon"), [(2, 7), (3, 6)])
def test_the_exact_worst_case_of_two_neighbours_obeys_its_bound(K, horizon):
    worst = float(worst_cal2(K, horizon))
    bound = (K + 1) * h(horizon / (K + 1)) + horizon / (4 * K**2)
    assert worst <= bound
    assert worst > 0.25 * bound


@pytest.mark.parametrize("adversary", [*OBLIVIOUS, "oppose", "border", "threshold 0.05"])
def test_two_neighbours_stay_below_their_bound_on_average(adversary):
    rounds, K = 2000, 8
    totals = []
    for seed in range(20):
        algorithm, opponent = FastTwoNeighbours(uniform_grid(K)), None
        outcomes = np.zeros(rounds, dtype=np.uint8)
        if adversary in OBLIVIOUS:
            outcomes = OBLIVIOUS[adversary](rounds, seed)
        else:
            opponent = ADAPTIVE[adversary](rounds)
        nothing = np.zeros(0, dtype=np.int64), np.zeros((0, K + 1))
        _play(algorithm, opponent, outcomes, np.random.default_rng(seed).random(rounds), *nothing)
        totals.append(calibration_error(algorithm.realised))
    assert np.mean(totals) <= bounds.squared_loss_pcal2(rounds, K)


def test_two_neighbours_forecast_zero_first_and_may_be_infinitely_wrong():
    algorithm = FastTwoNeighbours(uniform_grid(4))
    algorithm.update(algorithm.draw(0.5), 1)
    assert kl_calibration(algorithm.realised) == np.inf
    assert calibration_error(algorithm.realised) == 1.0


# --- internal regret --------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(outcomes=OUTCOMES, K=st.integers(2, 5))
def test_internal_regret_agrees_with_its_definition(outcomes, K):
    points, rate = naive.grid(K), math.sqrt(8 * math.log((K + 1) * K) / len(outcomes))
    algorithm, mixtures = FastInternalRegret(uniform_grid(K), len(outcomes)), []
    for t, y in enumerate(outcomes):
        wanted = naive.internal_regret_mixture(mixtures, outcomes[:t], points, rate)
        mixtures.append(algorithm.mixture())
        np.testing.assert_allclose(mixtures[-1], wanted, atol=1e-8)
        algorithm.update(0, y)


@given(
    logs=st.integers(2, 5).flatmap(
        lambda n: st.lists(st.lists(st.floats(-5, 5), min_size=n, max_size=n), min_size=n, max_size=n)
    )
)
def test_the_balanced_mixture_is_the_stationary_distribution_of_its_rates(logs):
    rates = np.exp(np.array(logs))
    np.fill_diagonal(rates, 0.0)
    step = rates / (2 * rates.sum(axis=1).max())
    chain = step + np.diag(1.0 - step.sum(axis=1))
    np.testing.assert_allclose(balanced_mixture(np.array(logs)), stationary(chain), rtol=1e-9)


def test_the_balanced_mixture_survives_rates_beyond_the_range_of_floats():
    # The chain is 0 <-> 1 <-> 2 with rates whose products no float can hold; by hand p is (1, e^2000, e^2100)/sum.
    logs = np.array([[0.0, 1000.0, -5000.0], [-1000.0, 0.0, 50.0], [-9000.0, -50.0, 0.0]])
    assert balanced_mixture(logs) == pytest.approx([0.0, np.exp(-100.0), 1.0], rel=1e-9)


@pytest.mark.parametrize("adversary", OBLIVIOUS)
@pytest.mark.parametrize(("rounds", "K"), [(30, 2), (2000, 4), (2000, 9)])
def test_internal_regret_keeps_its_promise_on_every_path(adversary, rounds, K, seed):
    algorithm = FastInternalRegret(uniform_grid(K), rounds)
    for y in OBLIVIOUS[adversary](rounds, seed):
        algorithm.update(0, int(y))
    largest = internal_regrets(algorithm.weights(), algorithm.grid).max()
    promised = math.sqrt(rounds / 2 * math.log((K + 1) * K))
    assert largest <= promised
    assert calibration_error(algorithm.expected) <= (K + 1) * promised + rounds / (4 * K**2)


def test_a_wrong_learning_rate_breaks_the_promise_of_internal_regret():
    """The check above can fail: made for a thousand times as many rounds, learning is too slow."""
    rounds, K = 2000, 4
    algorithm = FastInternalRegret(uniform_grid(K), 1000 * rounds)
    for _ in range(rounds):
        algorithm.update(0, 0)
    assert internal_regrets(algorithm.weights(), algorithm.grid).max() > math.sqrt(
        rounds / 2 * math.log((K + 1) * K)
    )


def test_internal_regret_needs_two_points_and_a_horizon():
    for make in (InternalRegret, FastInternalRegret):
        with pytest.raises(ValueError, match="grid must have at least two points"):
            make(Grid([0.5]), 10)
        with pytest.raises(ValueError, match="horizon must be an integer that is at least 1; got 0"):
            make(uniform_grid(2), 0)


@pytest.mark.parametrize(
    ("horizon", "K"), [(1, 2), (64, 2), (65, 3), (729, 3), (730, 4), (15625, 5), (15626, 6)]
)
def test_the_resolution_for_internal_regret_is_the_sixth_root_rounded_up(horizon, K):
    assert internal_resolution(horizon) == K


# --- Algorithm 1 with other roundings ---------------------------------------------------------------------


@settings(max_examples=25)
@given(outcomes=OUTCOMES, K=st.integers(2, 6), scheme=st.sampled_from(["linear", "nearest"]))
def test_other_roundings_agree_with_the_definitions(outcomes, K, scheme):
    grid = full_grid(K)
    points = grid.points.tolist()
    rounding = {"linear": naive.clamped, "nearest": naive.nearest}[scheme]
    mixtures, plays = naive.play_laplace(outcomes, points, rounding)
    middles = [(a + b) / 2 for a, b in pairwise(points)]
    assume(naive.nearest_miss(plays, [*points, *(middles if scheme == "nearest" else [])]) > 1e-9)
    ours = played(FastRoundedBlumMansour(grid, scheme), outcomes, [0.5] * len(outcomes))
    np.testing.assert_allclose(ours[1], plays, rtol=0, atol=1e-12)
    np.testing.assert_allclose(ours[0], mixtures, rtol=0, atol=1e-7)


@pytest.mark.parametrize("scheme", ["log", "linear", "nearest"])
@pytest.mark.parametrize("adversary", ["fair coin", "random walk", "blocks"])
def test_other_roundings_give_the_cells_of_the_plain_loop(scheme, adversary, seed):
    outcomes = OBLIVIOUS[adversary](400, seed)
    algorithm = FastRoundedBlumMansour(full_grid(7), scheme)
    for y in outcomes:
        algorithm.update(0, int(y))
    other = run_rounded(outcomes, 7, scheme=scheme).expected
    np.testing.assert_allclose(algorithm.expected.mass, other.mass, rtol=0, atol=1e-9)
    np.testing.assert_allclose(algorithm.expected.ones, other.ones, rtol=0, atol=1e-9)


def test_rounding_to_the_nearest_point_loses_to_opposition():
    rounds = 4000
    opposed = {}
    for scheme in ("log", "nearest"):
        algorithm = FastRoundedBlumMansour(full_grid(8), scheme)
        nothing = np.zeros(0, dtype=np.int64), np.zeros((0, 9))
        outcomes = np.zeros(rounds, dtype=np.uint8)
        _play(algorithm, ADAPTIVE["oppose"](rounds), outcomes, np.full(rounds, 0.5), *nothing)
        opposed[scheme] = kl_calibration(algorithm.expected)
    assert opposed["nearest"] > 0.05 * rounds > 0.01 * rounds > opposed["log"]


@pytest.mark.parametrize("make", [RoundedBlumMansour, FastRoundedBlumMansour])
def test_an_exact_tie_goes_to_the_lower_point(make):
    # The middle points of this grid are 1/4 and 3/4, and every learner starts at 1/2.
    assert make(full_grid(3), "nearest").mixture().tolist() == [0.0, 1.0, 0.0, 0.0]


def test_unknown_schemes_are_refused():
    for make in (RoundedBlumMansour, FastRoundedBlumMansour):
        with pytest.raises(ValueError, match="scheme must be one of 'log', 'linear', 'nearest'; got 'up'"):
            make(full_grid(2), "up")
