"""Rounding: the formula of Algorithm 4, its repaired ends, and the two schemes of Remark 1."""

from __future__ import annotations

import math
from fractions import Fraction

import naive_engine
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from klcal.grids import Grid, full_grid, inner_grid, uniform_grid
from klcal.grids.rounding import linear_rounding, log_rounding, nearest_rounding

SCHEMES = [log_rounding, linear_rounding, nearest_rounding]
POINTS = st.floats(0, 1)


@pytest.mark.parametrize("scheme", SCHEMES)
@given(w=POINTS, K=st.integers(2, 60))
@example(w=0.0, K=2)
@example(w=1.0, K=2)
@example(w=0.5, K=2)
def test_a_rounding_is_a_distribution_on_the_two_neighbours(scheme, w, K):
    grid = full_grid(K)
    q = scheme(w, grid)
    assert np.all(q >= 0)
    assert q.sum() == pytest.approx(1.0, abs=4e-16)
    support = np.flatnonzero(q)
    assert 1 <= len(support) <= 2
    if len(support) == 2:
        assert support[1] == support[0] + 1
        assert grid.points[support[0]] <= w <= grid.points[support[1]]


@given(w=POINTS, K=st.integers(2, 60))
def test_log_rounding_agrees_with_the_printed_formula(w, K):
    np.testing.assert_allclose(
        log_rounding(w, full_grid(K)), naive_engine.round_to(full_grid(K).points.tolist(), w), atol=1e-14
    )


def test_log_rounding_by_hand_in_exact_fractions():
    low = (Fraction(1, 2) - Fraction(3, 8)) / Fraction(1, 4)
    high = (Fraction(3, 8) - Fraction(1, 4)) / Fraction(3, 16)
    expected = [float(low / (low + high)), float(high / (low + high)), 0.0]
    assert log_rounding(0.375, Grid([0.25, 0.5, 0.75])).tolist() == pytest.approx(expected, abs=1e-16)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("K", [2, 3, 7, 12])
def test_a_grid_point_is_rounded_to_itself_exactly(scheme, K):
    grid = full_grid(K)
    assert np.array_equal(scheme(grid.points, grid), np.eye(K + 1))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_outside_the_grid_the_end_takes_all(scheme):
    grid = full_grid(4)
    assert scheme(0.0, grid).tolist() == [1, 0, 0, 0, 0]
    assert scheme(np.nextafter(grid.points[0], 0), grid).tolist() == [1, 0, 0, 0, 0]
    assert scheme(1.0, grid).tolist() == [0, 0, 0, 0, 1]


@given(w=POINTS, K=st.integers(2, 60))
def test_linear_rounding_keeps_the_mean_inside_the_grid(w, K):
    grid = full_grid(K)
    inside = min(max(w, grid.points[0]), grid.points[-1])
    assert linear_rounding(w, grid) @ grid.points == pytest.approx(inside, abs=1e-15)


@given(w=POINTS, K=st.integers(2, 60))
def test_nearest_rounding_picks_a_nearest_point(w, K):
    points = full_grid(K).points
    chosen = points[np.argmax(nearest_rounding(w, full_grid(K)))]
    assert abs(w - chosen) == np.min(np.abs(w - points))


def test_nearest_rounding_breaks_ties_downwards():
    assert nearest_rounding(0.375, Grid([0.25, 0.5])).tolist() == [1.0, 0.0]


@given(w=st.floats(0.001, 0.999), K=st.integers(2, 60), y=st.integers(0, 1))
def test_expected_log_loss_grows_by_at_most_the_squared_tangent(w, K, y):
    grid = full_grid(K)
    q = log_rounding(w, grid)
    losses = -np.log(grid.points if y else 1 - grid.points)
    change = q @ losses + math.log(w if y else 1 - w)
    bound = math.tan(math.pi / (2 * K)) ** 2 if K > 2 else math.tan(math.pi / 8) ** 2
    assert change <= bound + 1e-13


@pytest.mark.parametrize("scheme", SCHEMES)
def test_many_points_are_rounded_row_by_row(scheme):
    grid = full_grid(9)
    w = np.linspace(0, 1, 57)
    together = scheme(w, grid)
    assert together.shape == (57, 10)
    assert np.array_equal(together, np.array([scheme(x, grid) for x in w]))


def test_a_grid_of_one_point_takes_everything():
    assert log_rounding([0.0, 0.5, 0.9], inner_grid(2)).tolist() == [[1.0], [1.0], [1.0]]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    ("w", "message"),
    [
        (1.5, r"w must lie in \[0, 1\]; got 1.5"),
        ([0.5, -0.1], r"w must lie in \[0, 1\]; got -0.1 at index 1"),
        (math.nan, r"w must not be NaN"),
        ([[0.5]], r"w must have 0 or 1 dimension"),
        ("half", r"w must hold real numbers"),
    ],
)
def test_bad_points_are_refused(scheme, w, message):
    with pytest.raises(ValueError, match=message):
        scheme(w, full_grid(3))


def test_log_rounding_refuses_a_grid_with_an_end_at_zero_or_one():
    with pytest.raises(ValueError, match=r"grid must have its points strictly inside .* got 0.0 at index 0"):
        log_rounding(0.5, uniform_grid(3))
    with pytest.raises(ValueError, match=r"got 1.0 at index 1"):
        log_rounding(0.5, Grid([0.5, 1.0]))
