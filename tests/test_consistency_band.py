"""The consistency band is the central binomial interval."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from klcal import Cells
from klcal.measures import consistency_band


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


def test_ten_fair_coins_show_two_to_eight_ones_at_ninety_percent():
    band = consistency_band(Cells([0.5], [10], [3]), 0.9)
    assert (band.lower.tolist(), band.upper.tolist()) == ([0.2], [0.8])


def test_certain_forecasts_allow_nothing_else_and_empty_cells_everything():
    band = consistency_band(Cells([0.0, 0.5, 1.0], [7, 0, 3], [0, 0, 3]))
    assert band.lower.tolist() == [0.0, 0.0, 1.0]
    assert band.upper.tolist() == [0.0, 1.0, 1.0]


def test_one_coin_may_show_either_side_unless_one_is_rare():
    band = consistency_band(Cells([0.01, 0.5, 0.99], [1, 1, 1], [0, 0, 0]), 0.95)
    assert band.lower.tolist() == [0.0, 0.0, 1.0]
    assert band.upper.tolist() == [0.0, 1.0, 1.0]


def test_the_band_is_symmetric_and_narrows_with_the_count():
    band = consistency_band(Cells([0.25, 0.75], [1000, 1000], [0, 0]))
    np.testing.assert_allclose(band.lower, 1 - band.upper[::-1], atol=1e-15)
    wide = consistency_band(Cells([0.25], [100], [0]))
    assert wide.upper[0] - wide.lower[0] > 3 * (band.upper[0] - band.lower[0])


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
