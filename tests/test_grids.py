"""Grids: exact points, symmetry, order, and the resolution of Theorem 2."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from flint import ctx
from hypothesis import given
from hypothesis import strategies as st

from klcal.grids import Grid, full_grid, inner_grid, resolution, spacing, uniform_grid

SIZES = st.integers(2, 400)


def nearest_float(number):
    """The float nearest to a number of mpmath, through an exact fraction."""
    return float(Fraction(int(mpmath.floor(number * mpmath.mpf(2) ** 300)), 2**300))


@given(SIZES)
def test_full_grid_is_the_sine_grid_correctly_rounded(K):
    with mpmath.workprec(400):
        exact = [mpmath.sin(mpmath.pi * i / (2 * K)) ** 2 for i in range(K + 1)]
        exact[0] = mpmath.sin(mpmath.pi / (4 * K)) ** 2
        exact[K] = mpmath.cos(mpmath.pi / (4 * K)) ** 2
        nearest = [nearest_float(z) for z in exact]
    assert full_grid(K).points.tolist() == nearest


def test_making_a_grid_leaves_the_precision_of_others_alone():
    before = ctx.prec
    full_grid(7)
    assert ctx.prec == before


@given(SIZES)
def test_full_grid_is_increasing_inside_the_unit_interval_and_symmetric(K):
    points = full_grid(K).points
    assert len(points) == K + 1
    assert points[0] > 0 and points[-1] < 1
    assert np.all(np.diff(points) > 0)
    np.testing.assert_allclose(points, 1 - points[::-1], rtol=0, atol=2**-53)


@pytest.mark.parametrize("K", range(2, 61))
def test_rational_points_are_stored_exactly(K):
    points = full_grid(K).points
    expected = {K // 2: 0.5} if K % 2 == 0 else {}
    if K % 3 == 0:
        expected |= {K // 3: 0.25, 2 * K // 3: 0.75}
    for i, value in expected.items():
        assert points[i] == value
        assert inner_grid(K).points[i - 1] == value


@given(SIZES)
def test_inner_grid_is_the_full_grid_without_its_ends(K):
    assert np.array_equal(inner_grid(K).points, full_grid(K).points[1:-1])


def test_smallest_grids_by_hand():
    assert full_grid(2).points == pytest.approx(
        [(2 - math.sqrt(2)) / 4, 0.5, (2 + math.sqrt(2)) / 4], abs=2e-16
    )
    assert inner_grid(2).points.tolist() == [0.5]
    assert uniform_grid(2).points.tolist() == [0.0, 0.5, 1.0]


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


def test_resolution_of_a_single_round_is_two():
    assert resolution(1) == 2


@pytest.mark.parametrize("make", [full_grid, inner_grid, uniform_grid])
@pytest.mark.parametrize("K", [1, 0, -3, 2.0, "3", True, None, np.nan])
def test_a_grid_needs_an_integer_of_at_least_two(make, K):
    with pytest.raises(ValueError, match=r"K must be an integer that is at least 2; got"):
        make(K)


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([], r"points must not be empty"),
        ([0.2, 0.2], r"points must increase strictly; got 0.2 at index 1"),
        ([0.2, 1.2], r"points must lie in \[0, 1\]; got 1.2 at index 1"),
        ([0.2, np.nan], r"points must not be NaN; got nan at index 1"),
        ([[0.2]], r"points must have 1 dimension"),
        (["a"], r"points must hold real numbers"),
    ],
)
def test_bad_points_are_refused_with_their_place(points, message):
    with pytest.raises(ValueError, match=message):
        Grid(points)


@given(st.sets(st.integers(0, 64), min_size=3, max_size=9))
def test_the_four_numbers_of_a_grid_are_those_of_lemma_6(grains):
    z = [Fraction(k, 64) for k in sorted(grains)]
    gaps = [high - low for low, high in pairwise(z)]
    steep = [max(gaps[i - 1], gaps[i]) ** 2 / (z[i] * (1 - z[i])) for i in range(1, len(z) - 1)]
    bends = [1 / (p * (1 - p)) for p in z[1:-1]]
    exact = [max(gaps), max(steep), sum(bends), sum(math.sqrt(bend) for bend in bends)]
    assert spacing([float(p) for p in z]) == pytest.approx([float(number) for number in exact], rel=1e-12)


def test_two_points_have_no_inner_one():
    with pytest.raises(ValueError, match=r"points must be at least three; got 2"):
        spacing([0.0, 1.0])
