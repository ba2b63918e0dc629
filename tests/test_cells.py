"""Cells: exact grouping of forecasts, summed mixtures, unions, and what is refused."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError
from fractions import Fraction

import naive_measures as naive
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from klcal.grids import Grid, full_grid
from klcal.measures.cells import Cells

GRAIN = 16
forecast = st.one_of(
    st.integers(0, GRAIN).map(lambda k: k / GRAIN),
    st.floats(0.0, 1.0),
    st.sampled_from([0.0, -0.0, 5e-324, 0.1, 0.1 + 0.2 - 0.2, 0.5, 1 - 2.0**-53, 1.0]),
)
rounds = st.lists(st.tuples(forecast, st.integers(0, 1)), min_size=1, max_size=40)


def columns(pairs):
    return [p for p, _ in pairs], [y for _, y in pairs]


def as_fractions(cells: Cells) -> list[tuple[Fraction, ...]]:
    return [tuple(map(Fraction, row)) for row in zip(cells.points, cells.mass, cells.ones, strict=True)]


# --- realised cells ---------------------------------------------------------------------------------------


@given(rounds)
@example([(0.5, 1)])
@example([(-0.0, 1), (0.0, 0)])
@example([(1.0, 0), (0.0, 1), (1.0, 0)])
@example([(0.1, 1), (np.nextafter(0.1, 1.0), 1), (0.1, 0)])
def test_forecasts_are_grouped_exactly_as_by_hand(pairs):
    forecasts, outcomes = columns(pairs)
    cells = Cells.from_forecasts(forecasts, outcomes)
    assert as_fractions(cells) == naive.cells(naive.realised(forecasts, outcomes))


def shapes_of_sequences() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    n = 70_000
    different, few = rng.random(n), rng.integers(0, 43, n) / 42
    return {
        "few": few,
        "all different": different,
        "zeros of both signs": np.where(few < 0.5, rng.choice([0.0, -0.0], n), different),
    }


SHAPES = shapes_of_sequences()


@pytest.mark.parametrize("shape", SHAPES)
def test_grouping_agrees_with_unique_and_bincount(shape):
    forecasts = SHAPES[shape]
    outcomes = np.random.default_rng(1).integers(0, 2, len(forecasts))
    points, place = np.unique(forecasts, return_inverse=True)
    cells = Cells.from_forecasts(forecasts, outcomes)
    np.testing.assert_array_equal(cells.points, points)
    np.testing.assert_array_equal(cells.mass, np.bincount(place))
    np.testing.assert_array_equal(cells.ones, np.bincount(place, outcomes))
    assert not np.signbit(cells.points).any()


def test_arguments_are_neither_changed_nor_shared():
    forecasts, outcomes = np.array([0.5, 0.25]), np.array([1, 0], np.uint8)
    cells = Cells.from_forecasts(forecasts, outcomes)
    assert (forecasts.tolist(), outcomes.tolist()) == ([0.5, 0.25], [1, 0])
    points = np.array([0.25, 0.5])
    built = Cells(points, [1, 1], [0, 1])
    points[0] = 0.125
    assert built == cells


# --- expected cells ---------------------------------------------------------------------------------------


def test_mixtures_add_up_point_by_point():
    cells = Cells.from_mixtures([0.25, 0.5, 0.75], [[0.5, 0.5, 0], [0.25, 0.75, 0]], [1, 0])
    assert cells == Cells([0.25, 0.5, 0.75], [0.75, 1.25, 0], [0.5, 0.5, 0])


def test_a_grid_and_its_points_give_the_same_cells():
    grid = full_grid(3)
    mixtures = np.full((5, len(grid)), 1 / len(grid))
    outcomes = [0, 1, 1, 0, 1]
    from_points = Cells.from_mixtures(grid.points, mixtures, outcomes)
    assert Cells.from_mixtures(grid, mixtures, outcomes) == from_points


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1)), min_size=1, max_size=30))
def test_certain_mixtures_give_the_realised_cells(pairs):
    points = np.array([0.0, 0.2, 0.5, 1.0])
    index, outcomes = (np.array(column) for column in columns(pairs))
    expected = Cells.from_mixtures(points, np.eye(4)[index], outcomes)
    assert expected.restricted() == Cells.from_forecasts(points[index], outcomes)


def random_mixtures(seed: int, T: int = 200, n: int = 5):
    rng = np.random.default_rng(seed)
    weights = rng.gamma(0.05, size=(T, n)) + 1e-300
    return np.sort(rng.random(n)), weights / weights.sum(axis=1, keepdims=True), rng.integers(0, 2, T)


def test_mixtures_agree_with_exact_sums(seed):
    points, mixtures, outcomes = random_mixtures(seed)
    cells = Cells.from_mixtures(points, mixtures, outcomes)
    exact = naive.cells(naive.expected(points, mixtures, outcomes))
    np.testing.assert_allclose(cells.mass, [float(mass) for _, mass, _ in exact], rtol=1e-13)
    np.testing.assert_allclose(cells.ones, [float(ones) for _, _, ones in exact], rtol=1e-13)


@pytest.mark.parametrize("outcome", [0, 1])
def test_constant_outcomes_have_means_exactly_zero_or_one(outcome, seed):
    points, mixtures, outcomes = random_mixtures(seed)
    cells = Cells.from_mixtures(points, mixtures, np.full_like(outcomes, outcome))
    assert set(cells.means.tolist()) == {float(outcome)}


# --- cells as values --------------------------------------------------------------------------------------


def test_means_of_empty_cells_are_zero():
    cells = Cells([0.0, 0.5, 1.0], [0, 4, 0], [0, 1, 0])
    assert cells.means.tolist() == [0.0, 0.25, 0.0]
    assert cells.zeros.tolist() == [0.0, 3.0, 0.0]
    assert (cells.total, cells.base_rate, len(cells)) == (4.0, 0.25, 3)
    assert cells.restricted() == Cells([0.5], [4], [1])


def test_no_cells_are_cells():
    nothing = Cells([], [], [])
    assert (len(nothing), nothing.total, nothing.base_rate, nothing.means.size) == (0, 0.0, 0.0, 0)
    assert Cells([0.5], [0], [0]).restricted() == nothing == Cells.merged()


@given(st.lists(rounds, max_size=4))
def test_merging_games_is_playing_them_in_a_row(games):
    merged = Cells.merged(*(Cells.from_forecasts(*columns(game)) for game in games))
    in_a_row = columns([pair for game in games for pair in game])
    assert as_fractions(merged) == naive.cells(naive.realised(*in_a_row))


def test_merging_keeps_ones_within_mass(seed):
    rng = np.random.default_rng(seed)
    parts = []
    for _ in range(50):
        mass = rng.random(4)
        parts.append(Cells([0.1, 0.2, 0.3, 0.4], mass, mass * rng.choice([0.3, 1.0], 4)))
    full = [Cells(part.points, part.mass, part.mass) for part in parts]
    assert (Cells.merged(*parts).ones <= Cells.merged(*parts).mass).all()
    assert set(Cells.merged(*full).means.tolist()) == {1.0}


def test_equality_compares_all_three_arrays():
    cells = Cells([0.25, 0.5], [1, 2], [0, 1])
    assert cells == Cells([0.25, 0.5], [1, 2], [0, 1])
    assert hash(cells) == hash(Cells([0.25, 0.5], [1, 2], [0, 1]))
    for other in (
        Cells([0.25, 0.75], [1, 2], [0, 1]),
        Cells([0.25, 0.5], [1, 3], [0, 1]),
        Cells([0.25, 0.5], [1, 2], [0, 2]),
        Cells([0.25], [1], [0]),
        "cells",
    ):
        assert cells != other


def test_minus_zero_is_zero():
    assert hash(Cells([-0.0], [-0.0], [-0.0])) == hash(Cells([0.0], [0.0], [0.0]))


@pytest.mark.parametrize(
    "cells",
    [
        Cells([0.25], [1], [1]),
        Cells.from_forecasts([0.25], [1]),
        Cells.from_mixtures(Grid([0.25]), [[1.0]], [1]),
        Cells.merged(Cells([0.25], [1], [1])),
        pickle.loads(pickle.dumps(Cells([0.25], [1], [1]))),
    ],
    ids=["constructor", "forecasts", "mixtures", "merged", "pickle"],
)
def test_cells_cannot_be_changed(cells):
    assert cells == Cells([0.25], [1], [1])
    for array in (cells.points, cells.mass, cells.ones):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.5
    with pytest.raises(FrozenInstanceError):
        cells.mass = np.array([2.0])


# --- what is refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "arguments", "message"),
    [
        (Cells, ([0.5, 0.5], [1, 1], [0, 0]), r"points must increase strictly; got 0\.5 at index 1"),
        (Cells, ([0.5, 1.5], [1, 1], [0, 0]), r"points must lie in \[0, 1\]; got 1\.5 at index 1"),
        (Cells, ([[0.5]], [1], [0]), r"points must have 1 dimension\(s\); got \(1, 1\)"),
        (Cells, ([0.5], [-1], [0]), r"mass must be finite and at least 0; got -1\.0 at index 0"),
        (Cells, ([0.5], [1, 1], [0]), r"mass must have the length of points \(1\); got 2"),
        (Cells, ([0.5], [1], [0, 0]), r"ones must have the length of points \(1\); got 2"),
        (Cells, ([0.5], [1], [-1]), r"ones must be finite and at least 0; got -1\.0 at index 0"),
        (Cells, ([0.1, 0.5], [1, 1], [1, 1.5]), r"ones must not exceed mass \(1\.0\); got 1\.5 at index 1"),
        (Cells.from_forecasts, ([0.5, 1.5], [0, 1]), r"forecasts must lie in \[0, 1\]; got 1\.5 at index 1"),
        (Cells.from_forecasts, ([[0.5]], [0]), r"forecasts must have 1 dimension\(s\); got \(1, 1\)"),
        (Cells.from_forecasts, ([0.5, 0.5], [0, 2]), "outcomes must be 0 or 1; got 2 at index 1"),
        (Cells.from_forecasts, ([0.5], [0, 1]), r"outcomes must have the length of forecasts \(1\); got 2"),
        (Cells.from_forecasts, ([], []), r"outcomes must not be empty; got \(0,\)"),
        (
            Cells.from_mixtures,
            ([0.5, 0.25], [[1, 0]], [0]),
            r"grid must increase strictly; got 0\.25 at index 1",
        ),
        (Cells.from_mixtures, ([0.5, 2], [[1, 0]], [0]), r"grid must lie in \[0, 1\]; got 2\.0 at index 1"),
        (Cells.from_mixtures, ([0.5], [[1, 0]], [0]), r"mixtures must have 1 columns, .*; got \(1, 2\)"),
        (Cells.from_mixtures, ([0.2, 0.5], [[1, 1]], [0]), "every row sum of mixtures must be 1; got 2"),
        (
            Cells.from_mixtures,
            ([0.5], [[1]], [0, 1]),
            r"outcomes must have the length of mixtures \(1\); got 2",
        ),
        (Cells.from_mixtures, ([0.5], [[1]], [0.5]), r"outcomes must be 0 or 1; got 0\.5 at index 0"),
    ],
)
def test_impossible_cells_are_refused(make, arguments, message):
    with pytest.raises(ValueError, match=message):
        make(*arguments)
