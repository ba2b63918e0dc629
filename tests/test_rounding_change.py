"""What rounding changes in the log loss, and the plays and regrets of EWOO along a game."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from klcal import bounds, kl_calibration, run
from klcal.forecasters.learners import Ewoo, ewoo_plays, ewoo_regret_path
from klcal.grids import Grid, full_grid, uniform_grid
from klcal.grids.rounding import linear_rounding, log_rounding, nearest_rounding, rounding_change

SCHEMES = {"log": log_rounding, "linear": linear_rounding, "nearest": nearest_rounding}
ROUNDS = st.lists(
    st.tuples(st.sampled_from([0.0, 0.125, 0.5, 1.0]), st.integers(0, 1)), min_size=1, max_size=40
)


# --- the change -------------------------------------------------------------------------------------------


def test_change_in_the_middle_of_the_grid_by_hand():
    middle = Grid([0.25, 0.75])
    for y in (0, 1):
        assert rounding_change(0.5, middle, y) == pytest.approx(math.log(4 / 3) / 2, abs=1e-15)
        assert rounding_change(0.5, middle, y, scheme="linear") == pytest.approx(
            math.log(4 / 3) / 2, abs=1e-15
        )
    assert rounding_change(0.5, middle, 1, scheme="nearest") == pytest.approx(math.log(2), abs=1e-15)
    assert rounding_change(0.5, middle, 0, scheme="nearest") == pytest.approx(math.log(2 / 3), abs=1e-15)


@given(
    w=st.floats(0.001, 0.999),
    K=st.integers(2, 40),
    y=st.integers(0, 1),
    scheme=st.sampled_from(list(SCHEMES)),
)
def test_change_is_the_expected_loss_minus_the_loss(w, K, y, scheme):
    grid = full_grid(K)
    expected = math.log(w if y else 1 - w)
    for share, z in zip(SCHEMES[scheme](w, grid), grid.points, strict=True):
        expected -= share * math.log(z if y else 1 - z)
    assert rounding_change(w, grid, y, scheme=scheme) == pytest.approx(expected, abs=1e-12)


@given(w=st.floats(0, 1), K=st.integers(2, 60), y=st.integers(0, 1))
@example(w=0.0, K=2, y=0)
@example(w=1.0, K=2, y=1)
def test_log_rounding_never_costs_more_than_jensens_bound(w, K, y):
    assert rounding_change(w, full_grid(K), y) <= bounds.rounding_cost(K, version="best") + 1e-14


def test_log_rounding_can_gain_a_constant_but_costs_a_constant_over_k_squared():
    for K in (10, 100, 1000):
        first, second = full_grid(K).points[:2]
        change = rounding_change(np.linspace(first, second, 200), full_grid(K), 1)
        assert -0.24 < change.min() < -0.2
        assert change.max() < 3 / K**2


@pytest.mark.parametrize("scheme", SCHEMES)
def test_change_is_exactly_zero_on_grid_points_also_where_the_loss_is_infinite(scheme):
    grid = full_grid(5) if scheme == "log" else uniform_grid(5)
    for y in (0, 1):
        assert not rounding_change(grid.points, grid, y, scheme=scheme).any()


def test_change_is_infinite_where_only_one_side_is():
    assert rounding_change(0.0, full_grid(3), 1) == -math.inf
    assert rounding_change(1.0, full_grid(3), 0) == -math.inf
    assert rounding_change(0.1, uniform_grid(2), 1, scheme="linear") == math.inf
    assert rounding_change(0.1, uniform_grid(2), 0, scheme="nearest") < 0


def test_change_takes_one_outcome_for_all_or_one_for_each():
    grid, w = full_grid(4), np.linspace(0.05, 0.95, 7)
    ones, zeros = rounding_change(w, grid, 1), rounding_change(w, grid, 0)
    y = np.array([1, 0, 0, 1, 1, 0, 1])
    assert np.array_equal(rounding_change(w, grid, y), np.where(y == 1, ones, zeros))
    np.testing.assert_allclose(ones, zeros[::-1], atol=1e-15)
    assert rounding_change([], grid, 1).shape == (0,)


def test_change_refuses_what_it_does_not_understand():
    with pytest.raises(ValueError, match="scheme must be one of"):
        rounding_change(0.5, full_grid(3), 1, scheme="up")
    with pytest.raises(ValueError, match="outcome must"):
        rounding_change(0.5, full_grid(3), 2)
    with pytest.raises(ValueError, match="outcome must"):
        rounding_change([0.5, 0.6], full_grid(3), [1, 0, 1])
    with pytest.raises(ValueError, match=r"w must lie in \[0, 1\]"):
        rounding_change(1.5, full_grid(3), 1)


# --- EWOO along a game ------------------------------------------------------------------------------------


@given(rounds=ROUNDS)
def test_plays_are_those_of_the_learner_fed_round_by_round(rounds):
    bank, plays = Ewoo(1), []
    for weight, y in rounds:
        plays.append(float(bank.predict()[0]))
        bank.update([weight], y)
    weights, outcomes = zip(*rounds, strict=True)
    np.testing.assert_allclose(ewoo_plays(weights, outcomes), plays, rtol=1e-14)


@given(rounds=ROUNDS)
def test_regret_path_is_the_definition_and_stays_below_log_one_plus_mass(rounds):
    weights, outcomes = zip(*rounds, strict=True)
    path = ewoo_regret_path(weights, outcomes)
    ones = zeros = Fraction(0)
    spent = 0.0
    for t, (weight, y) in enumerate(rounds):
        w = float((ones + 1) / (ones + zeros + 2))
        spent -= weight * math.log(w if y else 1 - w)
        ones, zeros = ones + Fraction(weight) * y, zeros + Fraction(weight) * (1 - y)
        mass = ones + zeros
        best = -sum(float(part) * math.log(part / mass) for part in (ones, zeros) if part)
        assert path[t] == pytest.approx(spent - best, abs=1e-12)
        assert path[t] <= math.log1p(mass) + 1e-12


def test_regret_with_constant_outcomes_and_unit_weights_is_exactly_the_bound():
    T = 50
    for y in (0, 1):
        path = ewoo_regret_path(np.ones(T), np.full(T, y))
        np.testing.assert_allclose(path, np.log1p(np.arange(1, T + 1)), rtol=1e-13)


def test_regret_of_weight_four_breaks_the_bound_for_weights_up_to_one():
    assert ewoo_regret_path([4.0, 4.0], [1, 0])[-1] == pytest.approx(4 * math.log(3), rel=1e-14)
    assert 4 * math.log(3) > math.log(9)


def test_rounds_without_weight_change_nothing():
    path = ewoo_regret_path([0.0, 1.0, 0.0], [0, 1, 0])
    assert path.tolist() == [0.0, path[1], path[1]]
    assert path[1] == pytest.approx(math.log(2))
    # After 1e17 ones the next play is 1.0 in float64, and only a round with weight notices.
    assert ewoo_regret_path([1e17, 0.0], [1, 0])[1] == ewoo_regret_path([1e17], [1])[0]


def test_a_bank_is_its_learners_side_by_side():
    rng = np.random.default_rng(7)
    weights, outcomes = rng.random((30, 4)), rng.integers(0, 2, 30)
    plays, path = ewoo_plays(weights, outcomes), ewoo_regret_path(weights, outcomes)
    for i in range(4):
        assert np.array_equal(plays[:, i], ewoo_plays(weights[:, i], outcomes))
        assert np.array_equal(path[:, i], ewoo_regret_path(weights[:, i], outcomes))


def test_pseudo_kl_calibration_is_learners_regret_plus_rounding():
    outcomes = np.random.default_rng(3).integers(0, 2, 400)
    game = run(outcomes, K=6, rng=3, record=True)
    plays = ewoo_plays(game.mixtures, outcomes)
    regret = ewoo_regret_path(game.mixtures, outcomes)[-1].sum()
    changes = np.column_stack([rounding_change(plays[:, i], game.grid, outcomes) for i in range(7)])
    rounding = np.sum(game.mixtures * changes)
    assert kl_calibration(game.expected) == pytest.approx(regret + rounding, abs=1e-10)


def test_paths_refuse_bad_input():
    with pytest.raises(ValueError, match=r"weights must be finite and at least 0; got -1\.0 at index 1"):
        ewoo_plays([1.0, -1.0], [0, 1])
    with pytest.raises(ValueError, match="weights must have"):
        ewoo_regret_path([1.0], [0, 1])
    with pytest.raises(ValueError, match="outcomes must"):
        ewoo_regret_path([1.0], [2])
