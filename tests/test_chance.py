"""What chance does to cells: sums of unequal coins, the mean, the spread and the tail of KLCal, and the bands."""

from __future__ import annotations

import math
from fractions import Fraction
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive_weather import kl_by_chance, kl_of_coins
from oracles import consistency_band

from klcal import Cells
from klcal.measures import Coins
from klcal.measures import chance as chance_room

biases = st.lists(st.floats(0.001, 0.999), min_size=1, max_size=8)
points = st.sampled_from([0.1, 0.5, 0.85])


def unequal(biases: list[float]) -> list[Fraction]:
    """The distribution of the number of ones, in fractions."""
    chances = [Fraction(1)]
    for p in map(Fraction, biases):
        stay, up = [c * (1 - p) for c in [*chances, 0]], [c * p for c in [0, *chances]]
        chances = [a + b for a, b in zip(stay, up, strict=True)]
    return chances


@given(biases, st.data())
def test_mean_spread_and_tail_are_those_of_all_possible_outcomes(biases, data):
    rounded = [data.draw(points) for _ in biases]
    coins = Coins.from_forecasts(biases, rounded)
    games = kl_of_coins(biases, rounded)
    mean = math.fsum(chance * total for chance, total in games.values())
    square = math.fsum(chance * (total - mean) ** 2 for chance, total in games.values())
    assert coins.kl_mean == pytest.approx(mean, rel=1e-10, abs=1e-13)
    assert coins.kl_spread == pytest.approx(math.sqrt(square), rel=1e-7, abs=1e-9)
    outcomes = data.draw(st.sampled_from(sorted(games)))
    seen, cells = games[outcomes][1], Cells.from_forecasts(rounded, outcomes)
    # With steps, each of at most three cells is rounded to 1/2048 of the total.
    for few, apart in ((chance_room._FEW_SUMS, 1e-10), (0, 2 / 1024)):
        with patch.object(chance_room, "_FEW_SUMS", few or 0.5):
            found = coins.kl_tail(cells)
        sure = math.fsum(chance for chance, total in games.values() if total > seen * (1 + apart))
        possible = math.fsum(chance for chance, total in games.values() if total >= seen * (1 - apart))
        assert sure * (1 - 1e-9) <= found <= possible * (1 + 1e-9)


@pytest.mark.parametrize("number", [1, 63, 64, 65, 130])
def test_numbers_of_ones_are_exact_sums_of_unequal_coins(number):
    p = np.random.default_rng(number).beta(0.5, 0.5, number)
    coins = Coins.from_forecasts(p, np.full(number, 0.5))
    wanted = unequal(p.tolist())
    for k, chance in zip(coins.ones.tolist(), coins.chances.tolist(), strict=True):
        assert chance == pytest.approx(float(wanted[k]), rel=1e-11)
    left_out = sum((wanted[k] for k in range(number + 1) if k not in set(coins.ones.tolist())), Fraction(0))
    assert left_out < 1e-26


@pytest.mark.parametrize(("n", "p"), [(1, 0.5), (2, 0.3), (7, 0.01), (30, 0.9), (500, 0.01)])
def test_equal_coins_are_binomial(n, p):
    coins = Coins.of_cells(Cells([p], [n], [0]))
    assert coins.kl_mean == pytest.approx(kl_by_chance(n, p), rel=1e-10)
    apart = Coins.from_forecasts([p] * (n - 1) + [p * (1 + 1e-15)], [p] * n)
    assert apart.kl_mean == pytest.approx(coins.kl_mean, rel=1e-9)


def test_coins_of_many_cells_at_once_are_those_of_each_cell_alone():
    sizes = [1, 2, 3, 5, 8, 63, 64, 65, 127, 128, 129, 200, 4, 1, 300]
    biases = np.random.default_rng(0).random(sum(sizes))
    points = np.repeat(np.linspace(0.0, 1.0, len(sizes)), sizes)
    together = Coins.from_forecasts(biases, points)
    for i, point in enumerate(np.unique(points)):
        alone = Coins.from_forecasts(biases[points == point], points[points == point])
        np.testing.assert_array_equal(together.ones[together.cell == i], alone.ones)
        np.testing.assert_array_equal(together.chances[together.cell == i], alone.chances)


def test_cells_add_up_and_certainty_adds_nothing():
    cells = Cells([0.0, 0.2, 0.4, 0.5, 1.0], [9, 3, 3, 0, 4], [0, 1, 2, 0, 4])
    wanted = kl_by_chance(3, 0.2) + kl_by_chance(3, 0.4)
    assert Coins.of_cells(cells).kl_mean == pytest.approx(wanted, rel=1e-12)
    assert Coins.of_cells(Cells([0.3], [10**8], [0])).kl_mean == pytest.approx(0.5, abs=1e-5)


def test_a_wrong_certainty_is_infinite_and_as_likely_as_it_is():
    impossible = Coins.of_cells(Cells([0.0], [3], [0]))
    assert impossible.kl_tail(Cells([0.0], [3], [1])) == 0.0
    # A forecast of 1/4 that is measured as 0.
    possible = Coins.from_forecasts([0.25, 0.25, 0.5], [0.0, 0.0, 0.5])
    assert possible.kl_mean == possible.kl_spread == math.inf
    assert possible.kl_tail(Cells([0.0, 0.5], [2, 1], [1, 0])) == pytest.approx(7 / 16, rel=1e-14)
    assert possible.kl_tail(Cells([0.0, 0.5], [2, 1], [0, 0])) == 1.0


@pytest.mark.parametrize("few", [1, 2**16])
def test_small_tails_keep_their_digits(few, monkeypatch):
    monkeypatch.setattr(chance_room, "_FEW_SUMS", few)
    coins = Coins.of_cells(Cells([0.5, 0.75], [100, 1], [0, 0]))
    # All coins alike has probability 2^-99, and the fourth coin must be a zero.
    assert coins.kl_tail(Cells([0.5, 0.75], [100, 1], [100, 0])) == pytest.approx(2.0**-101, rel=1e-10)


def test_too_many_cells_for_an_exact_tail_are_refused():
    p = np.linspace(0.2, 0.8, 10_001)
    with pytest.raises(ValueError, match=r"at most 10000 for an exact tail; got 10001\. Use bins"):
        Coins.from_forecasts(p).kl_tail(Cells.from_forecasts(p, np.ones(10_001)))


@given(st.lists(st.floats(0.01, 0.99), min_size=1, max_size=40), st.sampled_from([0.5, 0.9, 0.95]))
def test_the_band_is_the_central_interval_of_unequal_coins(biases, level):
    wanted, tail = unequal(biases), (1 - level) / 2
    band = Coins.from_forecasts(biases, [0.5] * len(biases)).band(level)
    low, high = round(band.lower[0] * len(biases)), round(band.upper[0] * len(biases))
    assert sum(wanted[:low]) <= tail * (1 + 1e-9) and sum(wanted[: low + 1]) >= tail * (1 - 1e-9)
    assert sum(wanted[high + 1 :]) <= tail * (1 + 1e-9) and sum(wanted[high:]) >= tail * (1 - 1e-9)


def test_forecasts_that_are_measured_as_they_are_have_the_binomial_band():
    cells = Cells([0.0, 0.01, 0.5, 0.99, 1.0], [4, 700, 33, 70, 2], [0, 0, 0, 0, 2])
    ours, theirs = Coins.of_cells(cells).band(0.9), consistency_band(cells, 0.9)
    assert ours.lower.tolist() == theirs.lower.tolist() and ours.upper.tolist() == theirs.upper.tolist()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Coins.of_cells(Cells([0.5], [1.5], [1])), "mass must be whole numbers; got 1.5 at index 0"),
        (
            lambda: Coins.from_forecasts([0.5], [0.5, 0.5]),
            r"rounded must have the length of forecasts \(1\); got 2",
        ),
        (lambda: Coins.from_forecasts([1.5]), r"forecasts must lie in \[0, 1\]; got 1.5 at index 0"),
        (lambda: Coins.from_forecasts([0.5]).band(1.0), "level must lie strictly between 0 and 1; got 1.0"),
        (lambda: Coins.from_forecasts([0.5]).kl_tail(Cells([0.4], [1], [1])), "cells must have the points"),
    ],
)
def test_coins_that_cannot_be_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_probabilities_of_a_large_cell_add_up_to_one():
    # The logarithm of a million factorial alone is off by more than a billionth.
    assert Coins.of_cells(Cells([0.3], [10**6], [0])).chances.sum() == pytest.approx(1.0, abs=1e-13)


@pytest.mark.parametrize("p", [0.1, 0.3, 1 / 3])
def test_a_single_flip_has_exactly_its_bias(p):
    assert Coins.from_forecasts([p]).chances.tolist() == [1.0 - p, p]


# --- the band of forecasts that are measured as they are ------------------------------------------------------


def below(k, n, p):
    """P(Bin(n, p) < k), exactly."""
    return sum(math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k))


@given(n=st.integers(1, 40), sixteenths=st.integers(1, 15), percent=st.sampled_from([50, 90, 95, 99]))
def test_the_band_is_the_central_interval_by_exact_fractions(n, sixteenths, percent):
    p, tail = Fraction(sixteenths, 16), Fraction(100 - percent, 200)
    band = consistency_band(Cells([float(p)], [n], [0]), percent / 100)
    # Ties of the float level with an exact probability are left to either side.
    lows = {max(k for k in range(n + 1) if below(k, n, p) <= t) for t in (tail - Fraction(1, 10**12), tail)}
    highs = {
        min(k for k in range(n + 1) if 1 - below(k + 1, n, p) <= t)
        for t in (tail - Fraction(1, 10**12), tail)
    }
    assert round(float(band.lower[0]) * n) in lows
    assert round(float(band.upper[0]) * n) in highs


def test_certain_forecasts_allow_nothing_else_and_empty_cells_everything():
    band = consistency_band(Cells([0.0, 0.5, 1.0], [7, 0, 3], [0, 0, 3]))
    assert band.lower.tolist() == [0.0, 0.0, 1.0]
    assert band.upper.tolist() == [0.0, 1.0, 1.0]


def test_one_coin_may_show_either_side_unless_one_is_rare():
    band = consistency_band(Cells([0.01, 0.5, 0.99], [1, 1, 1], [0, 0, 0]), 0.95)
    assert band.lower.tolist() == [0.0, 0.0, 1.0]
    assert band.upper.tolist() == [0.0, 1.0, 1.0]


def test_a_hundred_million_rounds_are_not_too_many():
    band = consistency_band(Cells([0.5], [10**8], [0]), 0.95)
    # 1.959964 standard deviations of 5000.
    assert band.upper[0] - 0.5 == pytest.approx(1.959964 * 5000 / 10**8, rel=1e-3)


@pytest.mark.parametrize(
    ("cells", "level", "message"),
    [
        (Cells([0.25, 0.5], [1, 2.5], [0, 1]), 0.9, r"mass must be whole numbers; got 2.5 at index 1"),
        (Cells([0.5], [1], [0]), 1.0, "level must lie strictly between 0 and 1; got 1.0"),
        (Cells([0.5], [1], [0]), 0.0, "level must lie strictly between 0 and 1; got 0.0"),
        (Cells([0.5], [1], [0]), 1.5, r"level must lie in \[0, 1\]; got 1.5"),
    ],
)
def test_what_has_no_binomial_band_is_refused(cells, level, message):
    with pytest.raises(ValueError, match=message):
        consistency_band(cells, level)
