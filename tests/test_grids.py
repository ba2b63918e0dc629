"""Grids: exact points, symmetry, order, radius; the four roundings."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.special import rel_entr

from klcal.grids import (
    ROUNDINGS,
    Grid,
    full_grid,
    inner_grid,
    linear_rounding,
    log_odds_rounding,
    log_rounding,
    nearest_rounding,
    random_borders,
    resolution,
    uniform_grid,
)

SIZES = st.integers(2, 400)
POINTS = st.floats(0, 1)
EVERY_SCHEME = pytest.mark.parametrize("scheme", ROUNDINGS.values(), ids=ROUNDINGS)


def nearest_float(number):
    """The float nearest to a number of mpmath, through an exact fraction."""
    return float(Fraction(int(mpmath.floor(number * mpmath.mpf(2) ** 300)), 2**300))


@given(SIZES)
@example(6)  # 1/4, 1/2 and 3/4 are among its points
def test_full_grid_is_the_sine_grid_correctly_rounded(K):
    with mpmath.workprec(400):
        exact = [mpmath.sin(mpmath.pi * i / (2 * K)) ** 2 for i in range(K + 1)]
        exact[0] = mpmath.sin(mpmath.pi / (4 * K)) ** 2
        exact[K] = mpmath.cos(mpmath.pi / (4 * K)) ** 2
        nearest = [nearest_float(z) for z in exact]
    assert full_grid(K).points.tolist() == nearest


@given(SIZES)
def test_inner_grid_is_the_full_grid_without_its_ends(K):
    assert np.array_equal(inner_grid(K).points, full_grid(K).points[1:-1])


def test_points_are_read_only_and_copied():
    source = np.array([0.2, 0.8])
    grid = Grid(source)
    source[0] = 0.5
    assert grid.points[0] == 0.2
    with pytest.raises(ValueError, match="read-only"):
        grid.points[0] = 0.1


def test_equal_points_make_equal_grids_and_hashes_and_survive_pickling():
    assert full_grid(5) == full_grid(5)
    assert full_grid(5) != full_grid(6)
    assert full_grid(5) != "grid"
    assert hash(full_grid(5)) == hash(full_grid(5))
    assert pickle.loads(pickle.dumps(full_grid(5))) == full_grid(5)


@given(st.integers(2, 10**12))
def test_resolution_is_the_smallest_integer_above_the_real_number(T):
    K = resolution(T)
    with mpmath.workdps(40):
        real = mpmath.cbrt(mpmath.mpf(T) / mpmath.log(T))
    assert max(2, real) <= K < max(2, real) + 1


@pytest.mark.parametrize("make", [full_grid, inner_grid, uniform_grid])
def test_a_grid_needs_an_integer_of_at_least_two(make):
    with pytest.raises(ValueError, match=r"K must be an integer that is at least 2; got 1"):
        make(1)


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([], r"points must not be empty"),
        ([0.2, 0.2], r"points must increase strictly; got 0.2 at index 1"),
        ([0.2, 1.2], r"points must lie in \[0, 1\]; got 1.2 at index 1"),
        ([[0.2]], r"points must have 1 dimension"),
    ],
)
def test_bad_points_are_refused_with_their_place(points, message):
    with pytest.raises(ValueError, match=message):
        Grid(points)


# --- rounding ---------------------------------------------------------------------------------------------


@EVERY_SCHEME
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


def test_log_rounding_by_hand_in_exact_fractions():
    low = (Fraction(1, 2) - Fraction(3, 8)) / Fraction(1, 4)
    high = (Fraction(3, 8) - Fraction(1, 4)) / Fraction(3, 16)
    expected = [float(low / (low + high)), float(high / (low + high)), 0.0]
    assert log_rounding(0.375, Grid([0.25, 0.5, 0.75])).tolist() == pytest.approx(expected, abs=1e-16)


def test_log_odds_rounding_by_hand():
    # The odds 1/3, 1, 3 of 1/4, 1/2, 3/4 and 9 of 9/10: log-odds -1, 0, 1, 2 in units of log 3.
    found = log_odds_rounding([0.5, 0.75, 0.1, 0.95], Grid([0.25, 0.9]))
    np.testing.assert_allclose(found, [[2 / 3, 1 / 3], [1 / 3, 2 / 3], [1, 0], [0, 1]], rtol=1e-15)


CUSTOM = st.lists(st.floats(1e-6, 1 - 1e-6), min_size=1, max_size=6, unique=True).map(sorted)


@given(points=CUSTOM, w=st.floats(0, 1, exclude_min=True, exclude_max=True))
@example(points=[0.25, 0.75], w=0.5)
@example(points=[1e-300, np.nextafter(1e-300, 1)], w=1e-300)
def test_log_odds_rounding_costs_the_same_for_both_outcomes_and_at_most_the_radius(points, w):
    grid = Grid(points)
    q = log_odds_rounding(w, grid)
    one, zero = -(q @ np.log(points)) + math.log(w), -(q @ np.log1p(-grid.points)) + math.log1p(-w)
    assert max(one, zero) <= grid.radius() + 1e-12
    if points[0] <= w <= points[-1] and points[0] > 1e-9:
        assert one == pytest.approx(zero, abs=1e-9)


def test_random_borders_by_hand_and_as_often_as_the_rounding():
    # Log-odds -1, 1 and 2 in units of log 3, and U = 1/2, 3/4.
    class Given(np.random.Generator):
        def random(self, size):
            assert size == 2
            return np.array([0.5, 0.75])

    odds = random_borders([0.25, 0.75, 0.9], Given(np.random.PCG64()))
    np.testing.assert_allclose(odds / (1 - odds), [1, 3**1.75], rtol=1e-14)
    grid, forecasts, rng = full_grid(3), np.array([0.01, 0.2, 0.5, 0.7, 0.99]), np.random.default_rng(4)
    bins = [np.searchsorted(random_borders(grid, rng), forecasts, side="right") for _ in range(10_000)]
    shares = [np.mean(np.array(bins) == i, axis=0) for i in range(4)]
    np.testing.assert_allclose(np.transpose(shares), log_odds_rounding(forecasts, grid), atol=0.02)
    assert np.array_equal(random_borders(grid, 7), random_borders(grid, 7))
    assert len(random_borders([0.3])) == 0
    with pytest.raises(ValueError, match="strictly inside"):
        random_borders(uniform_grid(2))


@given(points=CUSTOM)
def test_the_radius_is_the_largest_divergence_from_the_nearest_point(points):
    radius, rates = Grid(points).radius(), np.linspace(0, 1, 20_001)
    far = (rel_entr(rates, p) + rel_entr(1 - rates, 1 - p) for p in points)
    found = np.min(list(far), axis=0).max()
    assert found <= radius * (1 + 1e-9) + 1e-13
    assert found >= radius - 2e-3


def test_the_radius_by_hand():
    assert Grid([0.25, 0.75]).radius() == pytest.approx(math.log(4 / 3), rel=1e-15)
    assert Grid([0.5]).radius() == math.log(2)
    # The middle cell of four points, 1/4 to 3/4, is worst; of three points it is the two ends.
    assert full_grid(3).radius() == pytest.approx(math.log(4 / 3) / 2, rel=1e-14)
    assert full_grid(2).radius() == pytest.approx(-2 * math.log(math.cos(math.pi / 8)), rel=1e-15)
    with pytest.raises(ValueError, match=r"strictly inside \(0, 1\); got 0.0 at index 0"):
        uniform_grid(2).radius()


@given(K=st.integers(3, 300))
@example(K=512)
def test_the_radius_of_the_sine_grid_is_about_half_of_what_algorithm_4_costs(K):
    secant = -math.log(math.cos(math.pi / (2 * K)))
    assert secant * (1 - 1e-9) <= full_grid(K).radius() <= 1.0132 * secant


@EVERY_SCHEME
@pytest.mark.parametrize("K", [2, 3, 7, 12])
def test_a_grid_point_is_rounded_to_itself_exactly(scheme, K):
    grid = full_grid(K)
    assert np.array_equal(scheme(grid.points, grid), np.eye(K + 1))


@EVERY_SCHEME
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


def test_log_rounding_takes_points_from_the_least_whose_products_are_floats():
    assert log_rounding(0.0, [1e-150, 0.5]).tolist() == [1.0, 0.0]
    with pytest.raises(ValueError, match="have no points below 1e-150; got 1e-151 at index 0"):
        log_rounding(0.0, [1e-151, 0.5])


def test_between_two_points_nearest_rounding_takes_the_lower():
    assert nearest_rounding([0.5, 0.75], [0.25, 0.75]).tolist() == [[1.0, 0.0], [0.0, 1.0]]


@EVERY_SCHEME
def test_many_points_are_rounded_row_by_row(scheme):
    grid = full_grid(9)
    w = np.linspace(0, 1, 57)
    together = scheme(w, grid)
    assert together.shape == (57, 10)
    assert np.array_equal(together, np.array([scheme(x, grid) for x in w]))


def test_a_grid_of_one_point_takes_everything():
    assert log_rounding([0.0, 0.5, 0.9], inner_grid(2)).tolist() == [[1.0], [1.0], [1.0]]


@EVERY_SCHEME
@pytest.mark.parametrize(
    ("w", "message"),
    [
        (1.5, r"w must lie in \[0, 1\]; got 1.5"),
        ([0.5, -0.1], r"w must lie in \[0, 1\]; got -0.1 at index 1"),
        ([[0.5]], r"w must have 0 or 1 dimension"),
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
