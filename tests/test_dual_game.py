"""The dual game: answers, announcers, two engines and an oracle, expectations."""

from __future__ import annotations

import math

import naive_dual_game as naive
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from klcal import bounds, kl_calibration, minimax
from klcal.games import dual_game
from klcal.games.dual_game import (
    ANNOUNCERS,
    NEAREST,
    Greedy,
    announcer_costs,
    answers,
    borders,
    expected_kl_calibration,
    play,
)
from klcal.grids import Grid, full_grid, inner_grid, uniform_grid

RULES = pytest.mark.parametrize("nearest", NEAREST)
unit = st.floats(0.0, 1.0)
resolutions = st.integers(2, 12)


def probabilities(size):
    return st.lists(unit, min_size=1, max_size=size)


# ----- answers ---------------------------------------------------------------------------------------------
@RULES
@given(K=resolutions, p=unit)
@example(K=2, p=0.0)
@example(K=7, p=1.0)
def test_the_answer_is_the_nearest_point(nearest, K, p):
    points = inner_grid(K).points.tolist()
    if K == 2 or naive.margin(p, points, nearest) > 1e-12:
        assert int(answers(p, inner_grid(K), nearest)) == naive.answer(p, points, nearest)


@RULES
@given(K=st.integers(3, 40))
def test_a_border_is_equally_far_from_both_neighbours_and_lies_between_them(nearest, K):
    points = inner_grid(K).points
    inner = borders(inner_grid(K), nearest)
    assert np.all((points[:-1] < inner) & (inner < points[1:]))
    for x, low, high in zip(inner.tolist(), points[:-1].tolist(), points[1:].tolist(), strict=True):
        distance = naive.DISTANCES[nearest]
        assert distance(x, low) == pytest.approx(distance(x, high), rel=1e-9)


@RULES
def test_symmetric_grids_have_symmetric_borders(nearest):
    inner = borders(inner_grid(9), nearest)
    np.testing.assert_allclose(inner + inner[::-1], 1.0, atol=1e-15)


def test_borders_by_hand():
    # Standard deviations 2/5 and 1/2: the chi-square border divides [0.2, 0.5] in the ratio 4 to 5.
    grid = Grid([0.2, 0.5])
    assert borders(grid, "euclid")[0] == 0.35
    assert borders(grid, "chi-square")[0] == pytest.approx(0.2 + 0.3 * 4 / 9, rel=1e-15)
    assert borders(grid, "kl")[0] == pytest.approx(math.log(1.6) / math.log(4), rel=1e-15)


def test_outside_the_middle_the_three_borders_differ_and_are_ordered():
    grid = inner_grid(8)
    chi, kl, euclid = (borders(grid, rule)[:3] for rule in ("chi-square", "kl", "euclid"))
    assert np.all(chi < kl) and np.all(kl < euclid)


@RULES
def test_ties_go_to_the_lower_point(nearest):
    grid = inner_grid(3)
    assert answers([0.5, np.nextafter(0.5, 1)], grid, nearest).tolist() == [0, 1]


@RULES
def test_a_single_point_answers_everything(nearest):
    assert borders(inner_grid(2), nearest).shape == (0,)
    assert answers([0.0, 0.3, 1.0], inner_grid(2), nearest).tolist() == [0, 0, 0]


@RULES
@given(K=resolutions, p=unit)
def test_no_answer_is_farther_than_the_end_of_the_grid(nearest, K, p):
    grid = inner_grid(K)
    z = grid.points[answers(p, grid, nearest)]
    assert naive.kl(p, float(z)) <= bounds.comparator_error_inner(K) * (1 + 1e-12)


@pytest.mark.parametrize(("T", "K"), [(1, 2), (2, 2), (1005, 2), (1006, 3), (10**6, 12)])
def test_resolution_is_the_power_of_theorem_1_rounded_up(T, K):
    assert dual_game.resolution(T) == K
    if T > 1:
        assert max(2, math.ceil(T ** (1 / 3) / math.log(T) ** (5 / 6))) == K


@pytest.mark.parametrize("grid", [uniform_grid(4), Grid([0.5, 1.0])])
def test_points_0_and_1_are_refused(grid):
    with pytest.raises(ValueError, match=r"grid must have its points strictly inside \(0, 1\); got"):
        borders(grid)


def test_unknown_rules_and_bad_announcements_are_refused():
    with pytest.raises(ValueError, match=r"nearest must be one of 'euclid', 'kl', 'chi-square'; got 'l1'"):
        borders(inner_grid(3), "l1")
    with pytest.raises(ValueError, match=r"announcer must lie in \[0, 1\]; got 1.5 at index 1"):
        play([0.5, 1.5], inner_grid(3))
    with pytest.raises(ValueError, match="announcer must not be empty"):
        play([], inner_grid(3))
    with pytest.raises(ValueError, match="games must be an integer that is at least 1; got 0"):
        play([0.5], inner_grid(3), games=0)
    with pytest.raises(ValueError, match="engine must be one of 'fast', 'reference'; got 'slow'"):
        play([0.5], inner_grid(3), engine="slow")
    with pytest.raises(ValueError, match="horizon must be an integer that is at least 1; got 0"):
        Greedy(0)
    with pytest.raises(ValueError, match="T must be an integer that is at least 1; got 0"):
        dual_game.resolution(0)


# ----- announcers ------------------------------------------------------------------------------------------
@RULES
@pytest.mark.parametrize("name", ANNOUNCERS)
def test_announcers_announce_one_probability_per_round(name, nearest):
    announced = ANNOUNCERS[name](inner_grid(6), 7, nearest)
    assert announced.shape == (7,)
    assert np.all((announced >= 0) & (announced <= 1))


@RULES
def test_the_worst_cell_has_the_border_farthest_from_its_answer(nearest):
    grid = full_grid(6)
    announced = dual_game.in_worst_cell(grid, 3, nearest).tolist()
    far = {
        x: naive.kl(x, float(grid.points[answers(x, grid, nearest)])) for x in borders(grid, nearest).tolist()
    }
    assert announced == announced[:1] * 3
    # By symmetry two borders may be equally far.
    assert far[announced[0]] >= max(far.values()) * (1 - 1e-12)


@RULES
def test_going_round_the_borders_visits_all_of_them(nearest):
    grid = inner_grid(5)
    announced = dual_game.round_the_borders(grid, 8, nearest)
    assert announced.tolist() == [
        *borders(grid, nearest),
        *borders(grid, nearest),
        *borders(grid, nearest)[:2],
    ]


def test_a_sweep_visits_all_cells_of_a_sine_grid_almost_equally_often():
    mass = play(dual_game.sweep(inner_grid(8), 8000), inner_grid(8), "kl", rng=0).mass[0]
    assert np.all(np.abs(mass[1:-1] - 1000) < 40)


@pytest.mark.parametrize("make", [dual_game.in_worst_cell, dual_game.round_the_borders])
def test_a_grid_of_one_point_has_no_border_to_announce(make):
    with pytest.raises(ValueError, match="grid must have at least two points to have a border; got 1"):
        make(inner_grid(2), 3)


# ----- games -----------------------------------------------------------------------------------------------
@RULES
@given(K=resolutions, announced=probabilities(60), seed=st.integers(0, 99))
def test_both_engines_and_the_oracle_play_the_same_game(nearest, K, announced, seed):
    grid = inner_grid(K)
    fast, slow = (
        play(announced, grid, nearest, games=2, engine=e, rng=seed, record=True)
        for e in ("fast", "reference")
    )
    assert np.array_equal(fast.mass, slow.mass) and np.array_equal(fast.ones, slow.ones)
    assert np.array_equal(fast.answers, slow.answers) and np.array_equal(fast.outcomes, slow.outcomes)
    uniforms = np.random.default_rng(seed).random(len(announced))
    points = grid.points.tolist()
    forecasts, outcomes = naive.play(announced, uniforms, points, nearest)
    assert fast.outcomes[0].tolist() == outcomes
    if K == 2 or all(naive.margin(p, points, nearest) > 1e-12 for p in announced):
        assert grid.points[fast.answers[0]].tolist() == forecasts
        assert fast.kl_calibration()[0] == pytest.approx(naive.klcal(forecasts, outcomes), abs=1e-12)


@RULES
@given(K=resolutions, T=st.integers(1, 60), seed=st.integers(0, 99))
def test_both_engines_let_the_greedy_announcer_play_the_same_game(nearest, K, T, seed):
    grid = inner_grid(K)
    fast, slow = (
        play(Greedy(T), grid, nearest, engine=e, rng=seed, record=True) for e in ("fast", "reference")
    )
    for name in ("mass", "ones", "announcements", "answers", "outcomes"):
        assert np.array_equal(getattr(fast, name), getattr(slow, name))


@RULES
@given(K=st.integers(3, 6), seed=st.integers(0, 50))
def test_the_greedy_announcement_gains_most_in_expectation(nearest, K, seed):
    grid, T = inner_grid(K), 8
    points = grid.points.tolist()
    game = play(Greedy(T), grid, nearest, rng=seed, record=True)
    forecasts, outcomes = grid.points[game.answers[0]].tolist(), game.outcomes[0].tolist()
    # Just inside both ends of every region, where the nearest point is not in doubt.
    inner = borders(grid, nearest)
    menu = np.clip(np.concatenate([[0, 1], inner - 1e-9, inner + 1e-9]), 0, 1).tolist()
    for t in range(T):
        gains = naive.greedy(forecasts[:t], outcomes[:t], points, menu, nearest)
        told, z = float(game.announcements[0, t]), forecasts[t]
        now = naive.klcal(forecasts[:t], outcomes[:t])
        up, down = (naive.klcal([*forecasts[:t], z], [*outcomes[:t], y]) - now for y in (1, 0))
        assert told * up + (1 - told) * down >= max(gains) - 1e-7


def test_the_greedy_announcer_alternates_regions_on_the_smallest_grid():
    # At first CE(1/2, 1/4) = log(4/sqrt 3) exceeds CE(0, 1/4) = log(4/3): it announces the border.
    game = play(Greedy(1), inner_grid(3), rng=1, record=True)
    assert game.announcements.tolist() == [[0.5]]


def test_games_are_independent_and_reproducible():
    one = play([0.5] * 50, inner_grid(4), games=3, rng=7, record=True)
    two = play([0.5] * 50, inner_grid(4), games=3, rng=7)
    assert np.array_equal(one.ones, two.ones)
    assert len({tuple(row) for row in one.outcomes.tolist()}) == 3
    assert two.announcements is two.answers is two.outcomes is None
    assert len(two) == 3


def test_certain_announcements_are_kept():
    game = play([0.0, 1.0, 1.0, 0.0], inner_grid(5), games=20, rng=0, record=True)
    assert np.all(game.outcomes == [0, 1, 1, 0])


def test_cells_and_paths_agree_with_the_measures():
    game = play(dual_game.sweep(inner_grid(5), 200), inner_grid(5), games=4, rng=3, record=True)
    for g in range(4):
        assert game.kl_calibration()[g] == pytest.approx(kl_calibration(game.cells(g)), rel=1e-12)
        assert game.kl_path(g)[-1] == pytest.approx(game.kl_calibration()[g], rel=1e-12)
    points = game.grid.points[game.answers[2]].tolist()
    halfway = naive.klcal(points[:100], game.outcomes[2].tolist()[:100])
    assert game.kl_path(2)[99] == pytest.approx(halfway, rel=1e-9)


def test_a_path_needs_a_recorded_game():
    with pytest.raises(ValueError, match="games must be recorded to have a path"):
        play([0.5], inner_grid(3)).kl_path()


# ----- expectations ----------------------------------------------------------------------------------------
@RULES
@given(K=st.integers(2, 6), announced=probabilities(8))
@example(K=3, announced=[0.5, 0.5, 0.0, 1.0, 1e-9])
def test_the_expectation_agrees_with_all_outcome_sequences(nearest, K, announced):
    points = inner_grid(K).points.tolist()
    if K == 2 or all(naive.margin(p, points, nearest) > 1e-12 for p in announced):
        exact = naive.expected(announced, points, nearest)
        assert expected_kl_calibration(announced, inner_grid(K), nearest) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("nearest", NEAREST)
def test_every_announcer_has_the_cost_of_its_announcements(nearest):
    points = inner_grid(4).points.tolist()
    costs = announcer_costs(inner_grid(4), 5, nearest)
    assert list(costs) == list(ANNOUNCERS)
    for name in ("at the end", "sweep"):  # on a border the oracle may break the tie the other way
        told = ANNOUNCERS[name](inner_grid(4), 5, nearest).tolist()
        assert costs[name] == pytest.approx(naive.expected(told, points, nearest), abs=1e-12)


@pytest.mark.parametrize("name", ["in the worst cell", "round the borders", "sweep"])
def test_simulated_games_have_the_expected_mean(name):
    grid, T, games = inner_grid(6), 600, 4000
    announced = ANNOUNCERS[name](grid, T, "kl")
    errors = play(announced, grid, "kl", games=games, rng=11).kl_calibration()
    exact = expected_kl_calibration(announced, grid, "kl")
    assert abs(errors.mean() - exact) < 6 * errors.std() / math.sqrt(games)


@pytest.mark.parametrize(("K", "T"), [(2, 4), (3, 4), (4, 3)])
@pytest.mark.parametrize("nearest", ["euclid", "kl"])
def test_the_worst_case_of_the_dual_game_is_the_recursion_over_histories(K, T, nearest):
    grid = inner_grid(K)
    slow = naive.worst_case(grid.points.tolist(), T, borders(grid, nearest).tolist())
    assert minimax.dual_worst_case(grid, T, nearest) == pytest.approx(slow, rel=1e-12)
    assert slow <= bounds.theorem_1(T, K)


@RULES
@pytest.mark.parametrize("name", ["at the end", "in the worst cell", "sweep"])
def test_no_announcer_beats_the_worst_case(name, nearest):
    grid, T = inner_grid(4), 7
    slow = minimax.dual_worst_case(grid, T, nearest) if nearest != "chi-square" else bounds.theorem_1(T, 4)
    assert expected_kl_calibration(ANNOUNCERS[name](grid, T, nearest), grid, nearest) <= slow + 1e-12


def test_at_the_end_the_grid_term_is_paid_in_full():
    grid = inner_grid(7)
    error = expected_kl_calibration(dual_game.at_end(grid, 50), grid)
    assert error == pytest.approx(50 * bounds.comparator_error_inner(7), rel=1e-12)
