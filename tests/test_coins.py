"""The coin and the loss that defeat a fixed set of forecasts."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from klcal import full_grid, uniform_grid
from klcal.exact.counterexamples import unlucky_coin

sets = st.lists(st.integers(0, 60), min_size=1, max_size=8, unique=True).map(sorted)


@given(sets)
@example([0])
@example([30])
@example([60])
@example([0, 60])
@example([0, 15, 30, 45, 60])
def test_coin_costs_at_least_one_over_twice_the_number_less_one(numbers):
    points = np.array(numbers) / 60
    coin = unlucky_coin(points)
    assert coin.per_round >= 1 / (2 * len(points) - 1) * (1 - 1e-14)
    assert max(-coin.loss.lower, coin.loss.upper) <= 1 + 1e-15
    # What the forecast z costs more than the coin's own probability, from the loss itself.
    p = coin.probability
    excess = [
        p * (coin.loss(z, 1) - coin.loss(p, 1)) + (1 - p) * (coin.loss(z, 0) - coin.loss(p, 0))
        for z in points
    ]
    assert min(excess) == pytest.approx(coin.per_round, abs=1e-14)


@given(sets)
def test_no_other_gap_does_better(numbers):
    points = np.array(numbers) / 60
    gaps = [(b - a) / max(a + b, 2 - a - b) for a, b in pairwise(points)]
    ends = [2 * e / max(e, 1 - e) for e in (points[0], 1 - points[-1])]
    assert unlucky_coin(points).per_round == pytest.approx(max(gaps + ends), rel=1e-13)


@pytest.mark.parametrize("K", [3, 7, 21, 43])
def test_on_a_full_grid_with_odd_resolution_the_coin_is_fair(K):
    coin = unlucky_coin(full_grid(K))
    assert coin.probability == pytest.approx(0.5, abs=1e-15)
    assert coin.per_round == pytest.approx(np.sin(np.pi / (2 * K)), rel=1e-13)


@pytest.mark.parametrize("K", [4, 8, 22, 42])
def test_on_a_full_grid_with_even_resolution_the_coin_lies_beside_one_half(K):
    coin, x = unlucky_coin(full_grid(K)), np.sin(np.pi / K) / 2
    assert abs(coin.probability - 0.5) == pytest.approx(x / 2, rel=1e-12)
    assert coin.per_round == pytest.approx(x / (1 + x), rel=1e-12)


def test_ends_of_the_set_may_be_its_weakest_part():
    coin = unlucky_coin([0.5, 0.6, 0.7])
    assert coin.probability == 0.0 and coin.loss.form.kinks == (0.5,) and coin.per_round == 2.0
    assert unlucky_coin([0.3, 0.4, 0.5]).probability == 1.0


def test_uniform_grid_has_its_worst_coin_beside_one_half():
    assert unlucky_coin(uniform_grid(10)).per_round == pytest.approx(1 / 11, rel=1e-13)


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([], "points must not be empty"),
        ([0.5, 0.5], r"points must increase; got \[0.5, 0.5\]"),
        ([0.5, 1.5], r"points must lie in \[0, 1\]; got 1.5 at index 1"),
    ],
)
def test_impossible_sets_are_refused(points, message):
    with pytest.raises(ValueError, match=message):
        unlucky_coin(points)
