"""Models of the weather: they never look ahead, and they are what their formulas say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from klcal.book.experiments.datasets import Series, seattle_rain
from klcal.book.experiments.models import climatology, online_logistic, sharpened, weather_features

RNG = np.random.default_rng(1)


def some_days(T: int, rng: np.random.Generator) -> Series:
    steps = rng.integers(1, 40, size=T)
    dates = np.datetime64("2011-11-20") + np.cumsum(steps)
    return Series("", dates, rng.integers(0, 2, size=T))


def test_the_calendar_is_a_circle():
    series = Series("", ["2012-12-31", "2013-01-01"], [1, 1])
    assert climatology(series, 1).tolist() == [1 / 2, 2 / 3]
    assert climatology(series, 0).tolist() == [1 / 2, 1 / 2]


def test_features_hold_the_outcome_of_the_day_before_and_never_that_of_the_day():
    series = some_days(50, RNG)
    features = weather_features(series, waves=2)
    assert features.shape == (50, 6)
    assert features[0, 1] == 0.0
    np.testing.assert_array_equal(features[1:, 1], series.outcomes[:-1])
    np.testing.assert_allclose(features[:, 2] ** 2 + features[:, 3] ** 2, 1.0, rtol=1e-14)
    angle = 2 * np.pi * series.calendar_days / 366
    np.testing.assert_allclose(features[:, 5], np.sin(2 * angle), atol=1e-15)


def test_each_block_is_forecast_by_the_fit_of_scikit_learn_to_all_days_before_it():
    series = seattle_rain()
    features, y, months = weather_features(series), series.outcomes, series.months
    forecasts = online_logistic(features, y, months)
    assert set(forecasts[months == 0]) == {0.5}
    for month in (1, 7, 47):
        before, now = months < month, months == month
        theirs = LogisticRegression(C=1.0, fit_intercept=False, tol=1e-10, max_iter=1000)
        theirs.fit(features[before], y[before])
        np.testing.assert_allclose(forecasts[now], theirs.predict_proba(features[now])[:, 1], atol=1e-6)


@settings(max_examples=20)
@given(st.integers(1, 399), st.integers(0, 2**32 - 1))
def test_no_forecast_depends_on_its_own_outcome_or_a_later_one(cut, seed):
    rng = np.random.default_rng(seed)
    whole = seattle_rain()
    changed = np.concatenate([whole.outcomes[:cut], rng.integers(0, 2, size=400 - cut)])
    pair = [Series("", whole.dates[:400], y) for y in (whole.outcomes[:400], changed)]
    seasonal = [climatology(series) for series in pair]
    fitted = [online_logistic(weather_features(series), series.outcomes, series.months) for series in pair]
    for first, second in (seasonal, fitted):
        np.testing.assert_array_equal(first[: cut + 1], second[: cut + 1])


def test_sharpening_multiplies_the_odds_ratio_exponent():
    assert sharpened([0.0, 0.5, 1.0]).tolist() == [0.0, 0.5, 1.0]
    odds = sharpened([0.2])[0] / (1 - sharpened([0.2])[0])
    assert odds == pytest.approx((0.2 / 0.8) ** 2, rel=1e-12)
    np.testing.assert_allclose(sharpened(sharpened([0.3, 0.9]), 0.5), [0.3, 0.9], rtol=1e-12)
    with pytest.raises(ValueError, match=r"factor must be greater than 0.0; got 0"):
        sharpened([0.5], 0)
