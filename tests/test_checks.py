"""Input checks: every message names the argument, the rule, the value and the place; nothing is repaired."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import klcal
from klcal import _checks

BAD_PROBABILITY = st.one_of(
    st.floats(max_value=0, exclude_max=True), st.floats(min_value=1, exclude_min=True), st.just(float("nan"))
)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.data())
def test_one_bad_probability_is_found_wherever_it_stands(values, data):
    index = data.draw(st.integers(0, len(values) - 1))
    values[index] = data.draw(BAD_PROBABILITY)
    with pytest.raises(ValueError, match=rf"^p must .*; got .* at index {index}$"):
        _checks.probabilities("p", values)


@given(st.lists(st.integers(0, 1), min_size=1, max_size=30), st.data())
def test_one_bad_outcome_is_found_wherever_it_stands(outcomes, data):
    index = data.draw(st.integers(0, len(outcomes) - 1))
    bad = data.draw(st.one_of(st.integers(2, 200), st.integers(-200, -1)))
    outcomes[index] = bad
    with pytest.raises(ValueError, match=rf"^y must be 0 or 1; got {bad} at index {index}$"):
        _checks.outcomes("y", outcomes)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int64, np.float64, np.float32, bool])
def test_outcomes_of_every_number_type_become_uint8(dtype):
    outcomes = _checks.outcomes("y", np.array([0, 1, 1], dtype=dtype))
    assert outcomes.dtype == np.uint8
    assert outcomes.tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], r"y must not be empty"),
        ([[0, 1]], r"y must be one-dimensional; got \(1, 2\)"),
        (1, r"y must be one-dimensional; got \(\)"),
        (["0"], r"y must hold real numbers"),
        ([None], r"y must hold real numbers"),
        ([1j], r"y must hold real numbers"),
        ([float("nan")], r"y must be 0 or 1; got nan at index 0"),
        ([0.5], r"y must be 0 or 1; got 0.5 at index 0"),
        ([[0], [1, 0]], r"y must be a rectangular array of real numbers"),
    ],
)
def test_outcomes_of_wrong_shape_or_type_are_refused(value, message):
    with pytest.raises(ValueError, match=message):
        _checks.outcomes("y", value)


@pytest.mark.parametrize("value", [0, 2.0, "2", None, True, np.True_, np.nan, np.float64(3), [2]])
def test_integers_are_not_floats_booleans_or_too_small(value):
    with pytest.raises(ValueError, match=r"K must be an integer that is at least 1; got"):
        _checks.integer("K", value, least=1)


@given(hnp.arrays(np.float64, (3, 4), elements=st.floats(0.1, 1)), st.integers(0, 2))
def test_a_row_that_does_not_sum_to_one_is_found(rows, index):
    rows /= rows.sum(axis=1, keepdims=True)
    _checks.mixtures("P", rows, 4)
    rows[index] *= 1.0 - 1e-8
    with pytest.raises(ValueError, match=rf"every row sum of P must be 1; got 0\.99\d* at index {index}"):
        _checks.mixtures("P", rows, 4)


def test_mixtures_need_one_column_per_point_and_at_least_one_row():
    with pytest.raises(ValueError, match=r"P must have 3 columns, one per grid point; got \(1, 2\)"):
        _checks.mixtures("P", [[0.5, 0.5]], 3)
    with pytest.raises(ValueError, match=r"P must not be empty"):
        _checks.mixtures("P", np.empty((0, 3)), 3)


@pytest.mark.parametrize("value", [float("inf"), float("nan"), "x", [1.0]])
def test_a_real_number_is_finite_and_scalar(value):
    with pytest.raises(ValueError, match=r"^s must"):
        _checks.real("s", value)


def test_masked_arrays_are_refused_because_their_mask_would_be_lost():
    masked = np.ma.array([0, 1, 1], mask=[False, True, False])
    message = "x must have no mask; got a masked array, 1 of it masked"
    for check in (_checks.outcomes, _checks.probabilities, _checks.real_array):
        with pytest.raises(ValueError, match=message):
            check("x", masked)
    with pytest.raises(ValueError, match="outcomes must have no mask"):
        klcal.run(masked, K=2)
    with pytest.raises(ValueError, match="forecasts must have no mask"):
        klcal.Cells.from_forecasts(np.ma.array([0.5, 0.25]), [0, 1])


@pytest.mark.parametrize(
    "kind", [int, bool, float, Fraction, np.bool_, np.uint8, np.int8, np.int64, np.float64, np.array]
)
def test_a_single_outcome_may_be_a_number_of_any_kind_and_comes_back_as_an_int(kind):
    for y in (0, 1):
        found = _checks.outcome("y", kind(y))
        assert found == y and type(found) is int


@pytest.mark.parametrize(
    "value", [2, -1, np.int64(2), np.uint8(255), 0.5, np.nan, "1", None, [1], Fraction(1, 2)]
)
def test_a_single_outcome_that_is_none_is_refused_in_a_stream_too(value):
    forecaster = klcal.Forecaster(K=3, rng=0)
    forecaster.predict()
    before = forecaster.realised
    with pytest.raises(ValueError, match="outcome must"):
        forecaster.update(value)
    assert forecaster.realised == before  # and nothing was counted
