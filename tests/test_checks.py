"""Input checks: every message names the argument, the rule, the value and the place; nothing is repaired."""

from __future__ import annotations

import inspect
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import klcal
import klcal.measures
from klcal import _checks, bounds
from klcal.book import minimax
from klcal.book.exact.stopping import failure_table
from klcal.book.experiments import sweep
from klcal.book.replays import replay
from klcal.forecasters import stationary
from klcal.forecasters.baselines import calibeat
from klcal.measures import Coins, cell_regrets
from klcal.measures.cells import bin_places

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
    for call, name in (
        (lambda: klcal.run(masked, K=2), "outcomes"),
        (lambda: klcal.Cells.from_forecasts(masked, [0, 1, 1]), "forecasts"),
        (lambda: bounds.theorem_2(masked + 100, 6), "T"),
        (lambda: bounds.freedman(masked, 0.5, 0.1), "variance"),
        (lambda: cell_regrets([0.5] * 3, masked, [1, 1, 1]), "ones"),
    ):
        with pytest.raises(ValueError, match=f"{name} must have no mask"):
            call()


def test_two_columns_of_pandas_must_have_one_index():
    p, y = pd.Series([0.25, 0.5, 0.75], index=[4, 5, 6]), pd.Series([0, 1, 1], index=[6, 5, 4])
    measures = [value for value in vars(klcal.measures).values() if hasattr(value, "__wrapped__")]
    assert len(measures) >= 9
    for measure in [*measures, klcal.measure, klcal.Cells.from_forecasts, calibeat]:
        more = ["log"] if "loss" in inspect.signature(measure).parameters else []
        with pytest.raises(ValueError, match="outcomes must have the index of forecasts, in the same order"):
            measure(p, y, *more)
        for told, same in ((y.loc[p.index], [1, 1, 0]), (y.to_numpy(), [0, 1, 1])):
            assert repr(measure(p, told, *more)) == repr(measure(p.to_list(), same, *more))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cell_regrets([1.5], [1], [1]), r"points must lie in \[0, 1\]; got 1.5 at index 0"),
        (lambda: cell_regrets([np.nan], [1], [1]), "points must not be NaN"),
        (lambda: cell_regrets([0.5], [-1], [1]), "ones must be finite and at least 0; got -1.0"),
        (lambda: cell_regrets([0.5], [1], [np.inf]), "zeros must be finite"),
        (lambda: cell_regrets(["0.5"], [1], [1]), "points must hold real numbers"),
        (lambda: cell_regrets([0.5], [1, 1], [1] * 3), r"fit together; got \(1,\), \(2,\) and \(3,\)"),
        (lambda: bounds.theorem_2([100, 0], 6), r"T\[1\] must be an integer that is at least 1; got 0"),
        (lambda: bounds.theorem_2([[100, 2.0]], 6), r"T\[0, 0\] must be an integer .*; got 100.0"),
        (lambda: bounds.theorem_2([10**400], 6), "T must hold numbers that a float can hold"),
        (lambda: bounds.doubling_trick(10**400), "T must hold numbers that a float can hold"),
        (lambda: klcal.resolution(10**400), "T must hold numbers that a float can hold"),
        (lambda: bounds.freedman(4.0, 0.5, 1e-310), "delta must be .* at least 1e-280; got 1e-310"),
        (lambda: klcal.log_rounding(0.0, [1e-170, 2e-170, 0.5]), "grid must have no points below 1e-150"),
        (lambda: klcal.log_rounding(0.5, [0.0, 0.5]), r"grid must have its points strictly inside \(0, 1\)"),
        (lambda: bin_places([], 3, "quantile"), "forecasts must not be empty"),
        (lambda: Coins.from_forecasts([], []), "forecasts must not be empty"),
        (lambda: Coins.of_cells(klcal.Cells([0.5], [0], [0])), "cells with mass must not be empty"),
        (lambda: Coins.of_cells(klcal.Cells([0.5], [1e18], [0])), "mass must be at most 10"),
        (lambda: replay([0, 1], 3), "reduction must play on one grid.*; got int"),
        (lambda: sweep([1]), r"games must hold at least one Game, and nothing else; got \[1\]"),
        (lambda: failure_table(8, 0.25), "constant must be a fraction"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_integers_of_any_size_and_lists_of_points_are_taken():
    assert bounds.theorem_2([10**30, 100], 6)[1] == bounds.theorem_2(100, 6)
    assert bounds.theorem_2([10**30], 6) == bounds.theorem_2(np.array([10**30], dtype=object), 6)
    for rounding in klcal.grids.ROUNDINGS.values():
        assert (rounding(0.25, [0.25, 0.8]) == [1, 0]).all()
    assert minimax.value([0.5], 3) == minimax.solve([0.5], 3).value == pytest.approx(3 * np.log(2))


@pytest.mark.parametrize("tiny", [1e-160, 1e-200, 5e-324])
def test_a_chain_that_hardly_moves_has_its_stationary_distribution_still(tiny):
    found = stationary([[1, tiny, 0], [0, 1, tiny], [tiny, 0, 1]])
    np.testing.assert_allclose(found, 1 / 3, rtol=1e-15)


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
