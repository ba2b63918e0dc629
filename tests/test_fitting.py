"""A fitted power: exact on powers, Student's interval by hand on three points, and nonsense refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from klcal.experiments.fitting import fit_power


@given(power=st.floats(-3, 3), factor=st.floats(0.01, 100))
def test_a_power_is_found_exactly(power, factor):
    T = np.array([10.0, 50.0, 300.0, 1e4])
    fit = fit_power(T, factor * T**power)
    assert fit.slope == pytest.approx(power, abs=1e-10)
    assert np.exp(fit.intercept) == pytest.approx(factor, rel=1e-8)
    assert fit.upper - fit.lower == pytest.approx(0, abs=1e-6)


def test_three_points_by_hand():
    # log T = 0, 1, 2 and log value = 0, 0, 3: slope 3/2, residuals 1/2, -1, 1/2, so the error is sqrt(3/2 / 2).
    fit = fit_power(np.exp([0, 1, 2]), np.exp([0, 0, 3]), level=0.95)
    assert fit.slope == pytest.approx(1.5)
    # With one degree of freedom the quantile is tan(pi 0.475) = 12.7062.
    assert fit.upper - fit.slope == pytest.approx(np.tan(np.pi * 0.475) * np.sqrt(0.75))
    assert fit.slope - fit.lower == pytest.approx(fit.upper - fit.slope)
    assert (fit.points, fit.level) == (3, 0.95)


def test_the_interval_has_its_level_under_its_assumptions():
    rng = np.random.default_rng(0)
    x = np.geomspace(10, 1e6, 8)
    noise = rng.normal(size=(2000, 8))
    hits = sum((f := fit_power(x, x**0.5 * np.exp(e), level=0.8)).lower <= 0.5 <= f.upper for e in noise)
    # 1600 expected, standard deviation 18.
    assert abs(hits - 1600) < 5 * 18


def test_the_text_shows_slope_and_interval():
    assert str(fit_power([1, 10, 100], [1, 10, 100])) == "1.000 (1.000 to 1.000)"


@pytest.mark.parametrize(
    ("T", "value", "level", "message"),
    [
        ([1, 2], [1, 2], 0.9, "T must have at least three points"),
        ([1, 2, 3], [1, 2], 0.9, "value must have the length of T"),
        ([1, 2, 3], [1, 0, 2], 0.9, "value must be positive; got 0.0 at index 1"),
        ([1, 0, 3], [1, 1, 2], 0.9, "T must be positive; got 0.0 at index 1"),
        ([5, 5, 5], [1, 1, 2], 0.9, "T must not be the same number throughout"),
        ([1, 2, 3], [1, 1, 2], 1.0, "level must lie strictly between 0 and 1"),
    ],
)
def test_what_has_no_slope_is_refused(T, value, level, message):
    with pytest.raises(ValueError, match=message):
        fit_power(T, value, level=level)
