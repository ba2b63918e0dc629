"""Tests for the bounds on explicit algorithms: 30 digits, exact values, orderings, limits, and games they bound."""

from __future__ import annotations

import math
from itertools import pairwise

import naive_bounds_explicit as naive
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import binom

from klcal import bounds

integers_T = st.integers(1, 10**9)
integers_K = st.integers(2, 500)
deltas = st.floats(1e-12, 1.0)


# ----- exact values by hand --------------------------------------------------------------------------------
def test_values_known_by_hand():
    assert bounds.pair(1, 2) == pytest.approx(3 * math.log(2), rel=1e-15)
    assert bounds.pair(12, 3) == pytest.approx(2 * math.log(24) + 12 * math.log(4 / 3), rel=1e-15)
    assert bounds.pair(12, 3, 1 / math.e) == pytest.approx(bounds.pair(12, 3) + 2, rel=1e-15)
    assert bounds.pair_expected(6, 3) == pytest.approx(4 * math.log(4) + 6 * math.log(4 / 3), rel=1e-15)
    assert bounds.pair_experts(32, 3) == pytest.approx(
        8 * (0.5 + math.log(8)) + 32 * math.log(4 / 3), rel=1e-15
    )
    assert bounds.realised_kt(12, 3) == pytest.approx(2 * math.log(12) + 4, rel=1e-15)
    assert bounds.fixed_grid_lower_bound(10, 1) == pytest.approx(10 * math.log(2), rel=1e-15)
    assert bounds.realised_high_probability(1, 2, 1.0) == pytest.approx(
        2 * bounds.theorem_2(1, 2) + 2, rel=1e-15
    )
    assert bounds.pair_anytime(7) == pytest.approx(
        math.log(2) + bounds.pair(2, 2) + bounds.pair(4, 2), rel=1e-15
    )


def test_unused_points_cost_nothing():
    assert bounds.pair_from_counts([0, 0, 0], 4) == 0.0
    assert bounds.pair_from_counts([5, 0, 0], 4) == pytest.approx(
        math.log(20) + 5 * bounds.comparator_error_inner(4)
    )


@pytest.mark.parametrize(
    ("delta", "halves"), [(1.0, 0), (0.51, 0), (0.5, 1), (0.25, 2), (0.2, 2), (2.0**-40, 40)]
)
def test_fair_coins_count_the_halves_in_delta(delta, halves):
    assert bounds.tail_lower_bound(10**6, delta) == halves * math.log(2)


@pytest.mark.parametrize("T", [1, 2, 8, 9, 32, 33, 2**21, 2**21 + 1, 2**61, 2**61 + 1])
def test_the_number_of_exponents_is_counted_without_rounding(T):
    expected = naive.transfer(0, T, 5, 0.25, "sharpened")
    assert bounds.kl_from_pseudo(0.0, T, 5, 0.25) == pytest.approx(float(expected), rel=1e-13)


# ----- orderings -------------------------------------------------------------------------------------------
@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=30).filter(any), deltas)
@example([1], 1.0)
@example([1, 1, 1], 0.5)
def test_given_counts_are_never_worse_than_equal_ones(counts, delta):
    K = len(counts) + 1
    assert bounds.pair_from_counts(counts, K, delta) <= bounds.pair(sum(counts), K, delta) * (1 + 1e-12)


@given(integers_T, integers_K)
@example(1, 2)
def test_every_bound_for_the_pair_algorithm_grows_with_the_rounds(T, K):
    for bound in (bounds.pair, bounds.pair_expected, bounds.pair_experts):
        assert bound(T, K) <= bound(T + 1, K)


@given(integers_T, integers_K, deltas, deltas)
def test_a_smaller_failure_probability_costs_more(T, K, first, second):
    low, high = sorted((first, second))
    tails = (
        bounds.pair,
        bounds.pair_experts,
        bounds.algorithm_1_high_probability,
        bounds.realised_high_probability,
    )
    for bound in tails:
        assert bound(T, K, low) >= bound(T, K, high)


@given(st.integers(2, 10**9))
@example(2)
@example(3)
def test_the_rate_for_unknown_horizon_is_above_the_phases(T):
    assert bounds.pair_anytime(T) <= bounds.pair_anytime_rate(T)


@given(integers_T, integers_K, deltas)
def test_the_exact_weights_are_never_worse_than_the_rounded_ones(T, K, delta):
    best = bounds.kl_from_pseudo(1.0, T, K, delta, version="best")
    assert best <= bounds.kl_from_pseudo(1.0, T, K, delta)


@given(integers_T, integers_K)
def test_kt_means_are_better_than_laplace_from_a_few_rounds_per_point_on(T, K):
    if T >= 3 * (K + 1):
        assert bounds.realised_kt(T, K) <= bounds.realised_in_expectation(T, K)


@given(integers_T, st.integers(2, 10**4))
def test_the_lower_bound_for_fixed_grids_is_below_the_upper_one(T, K):
    assert bounds.fixed_grid_lower_bound(T, K - 1) <= bounds.pair(T, K)


def test_the_grid_term_is_right_up_to_a_factor_of_four():
    K = 10**4
    upper = bounds.pair(10**14, K) - (K - 1) * math.log(4 * 10**14 / (K - 1))
    assert upper / bounds.fixed_grid_lower_bound(10**14, K - 1) == pytest.approx(4, rel=1e-3)


def test_the_failure_term_of_the_pair_algorithm_is_within_a_factor_of_the_necessary_one():
    delta = 2.0**-40
    extra = bounds.pair(1000, 5, delta) - bounds.pair(1000, 5)
    assert extra / bounds.tail_lower_bound(1000, delta) == pytest.approx(2, rel=1e-12)


def test_experts_pay_off_for_huge_horizons_only():
    K = np.arange(2, 20000)
    for T, better in ((10**9, False), (10**10, True)):
        assert (bounds.pair_experts(T, K).min() < bounds.pair(T, K).min()) is np.bool_(better)


def test_infinite_pseudo_calibration_bounds_nothing():
    assert bounds.kl_from_pseudo(math.inf, 10, 2, 0.1) == math.inf


# ----- what is bounded -------------------------------------------------------------------------------------
def test_the_boundaries_lie_between_neighbouring_points_at_equal_mean_logit():
    for K in (3, 4, 7, 20):
        z, m = naive.inner(K), naive.boundaries(K)
        assert all(low < end < high for (low, high), end in zip(pairwise(z), m[1:-1], strict=True))
        for (low, high), end in zip(pairwise(z), m[1:-1], strict=True):
            logits = [float(naive.mp.log(p / (1 - p))) for p in (low, end, high)]
            assert logits[1] == pytest.approx((logits[0] + logits[2]) / 2, abs=1e-14)


@pytest.mark.parametrize("rule", ["ones", "low", "against"])
def test_no_more_than_delta_of_the_games_exceed_the_bound(rule):
    K, T, games, delta = 4, 40, 200, 0.05
    rng = np.random.default_rng(8)
    choose = {
        "ones": lambda counts: 1,
        "low": lambda counts: int(rng.random() < 0.2),
        "against": lambda counts: int(naive.pair_mixture(counts, K)[0][0] < (K - 1) / 2),
    }[rule]
    exceeded = 0
    for _ in range(games):
        counts = naive.pair_game(choose, T, K, rng.random)
        bound = bounds.pair_from_counts([sum(pair) for pair in counts], K, delta)
        exceeded += naive.kl_calibration(counts, K) > bound
    assert exceeded <= binom.isf(1e-6, games, delta)


# ----- errors ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bounds.pair(0, 2), r"T must be .* at least 1; got 0"),
        (lambda: bounds.pair(1, 1), r"K must be .* at least 2; got 1"),
        (
            lambda: bounds.pair(1, 2, 0.0),
            r"delta must be .*greater than 0.*got 0\.0|delta must be .*got 0\.0",
        ),
        (lambda: bounds.pair(1, 2, 1.5), r"delta must .*1\.5"),
        (lambda: bounds.pair_rate(1), r"T must be .* at least 2; got 1"),
        (lambda: bounds.pair_from_counts([1, 2], 4), r"counts must have K - 1 = 3 entries.*got shape \(2,\)"),
        (lambda: bounds.pair_from_counts(3, 2), r"counts must have K - 1 = 1 entries.*got shape \(\)"),
        (lambda: bounds.pair_from_counts([-1], 2), r"counts\[0\] must be .* at least 0; got -1"),
        (lambda: bounds.kl_from_pseudo(-1.0, 1, 2, 0.5), r"pklcal must be .*got -1\.0"),
        (lambda: bounds.fixed_grid_lower_bound(1, 0), r"points must be .* at least 1; got 0"),
    ],
)
def test_invalid_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
