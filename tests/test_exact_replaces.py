"""The functions of klcal.exact give what the functions in klcal.claims give that they replace; goes with those."""

from __future__ import annotations

from fractions import Fraction as F
from functools import partial
from itertools import product

import numpy as np
import pytest
from flint import arb
from klcal.claims.algorithm.learner import nearest_rounded
from scipy.stats import binom

from klcal.claims.algorithm import _games as old_games
from klcal.claims.constants import _common as ingredients
from klcal.claims.constants import algorithm as constants_algorithm
from klcal.claims.constants import existence as constants_existence
from klcal.claims.constants import fine_print
from klcal.claims.constants import high_probability as constants_high
from klcal.claims.exact_games import enclosures, matrix_games, realised
from klcal.claims.exact_games import pair as old_pair
from klcal.claims.existence import _common as existence
from klcal.claims.existence import freedman, minmax
from klcal.claims.grids import _common as old_grids
from klcal.claims.grids import comparator, discretization, ewoo
from klcal.claims.high_probability import _common as thresholds
from klcal.claims.losses_and_calibration import calibration
from klcal.exact import binomial, cells, grids, learners, markov, normal_form, positions, rounding
from klcal.exact.balls import ball, precision
from klcal.exact.forecasters import algorithm_1, pair
from klcal.exact.induction import multiplied, summed
from klcal.exact.saddle_points import best_chance, best_rows, squared_game
from klcal.exact.worst_cases import (
    dual_expectation,
    dual_worst_case,
    value_enclosure,
    worst_case,
    worst_expectation,
)

TINY = 1e-30


@pytest.fixture(autouse=True)
def _bits():
    with precision(128):
        yield


def near(new, old, width=TINY):
    """Tell whether two balls overlap and are both as narrow as `width`."""
    return new.overlaps(old) and abs(new - old) < width


def all_near(new, old):
    return all(near(arb(x), y) for x, y in zip(new, old, strict=True))


# --- grids and borders ------------------------------------------------------------------------------------


@pytest.mark.parametrize("K", range(2, 30))
def test_grids(K):
    assert all_near(grids.sine_points(K), old_grids.inner_points(K))
    assert all_near(grids.inner_grid(K), existence.inner(K))
    assert all_near(grids.full_grid(K), old_grids.full_points(K))
    assert all_near(grids.full_grid(K), old_games.exact_points(K))
    exact = [z.is_exact() for z in old_games.exact_points(K)]
    assert [z.is_exact() for z in grids.full_grid(K)] == exact
    assert all_near(
        grids.steepness(grids.sine_points(K)), discretization.steepness(old_grids.inner_points(K))
    )


@pytest.mark.parametrize("K", range(2, 20))
def test_borders(K):
    for rule in grids.NEAREST:
        old = existence.regions(existence.inner(K), rule)
        assert all_near(grids.borders(grids.inner_grid(K), rule), [old[0][0], *(high for _, high in old)])
    assert all_near(grids.borders(grids.inner_grid(K), "chi-square"), old_pair.boundaries(K))
    euclid = grids.borders(grids.inner_grid(K), "euclid")
    for i, (z, low, high) in enumerate(constants_existence.regions(K)):
        assert all_near((grids.inner_grid(K)[i], euclid[i], euclid[i + 1]), (z, low, high))


@pytest.mark.parametrize("K", [2, 3, 4, 5, 16, 42])
def test_worst_divergence_and_steepest_cell(K):
    assert near(grids.worst_divergence(grids.full_grid(K)), comparator.worst_on_full_grid(K))
    assert near(grids.worst_divergence(grids.inner_grid(K)), ingredients.inner_error(K))
    assert near(grids.steepest_cell(grids.full_grid(K)), ingredients.steepest_cell(K))


# --- cells ------------------------------------------------------------------------------------------------


def test_costs_of_cells():
    pairs = (
        (cells.kl_cost, existence.kl_cost),
        (cells.square_cost, existence.square_cost),
        (cells.absolute_cost, existence.absolute_cost),
    )
    for z, zeros, ones in product(grids.full_grid(5), range(6), range(6)):
        assert all(near(ball(new(z, zeros, ones)), old(z, zeros, ones)) for new, old in pairs)


def test_divergence():
    for rho, p in product([arb(k) / 7 for k in range(1, 7)] + [arb(0), arb(1)], grids.full_grid(4)):
        assert near(cells.divergence(rho, p), old_grids.divergence(rho, p))


def test_weights_in_balls():
    for position in old_games.all_positions(3, 4):
        weights = tuple(zip(position.zeros, position.ones, strict=True))
        assert near(cells.error(grids.full_grid(3), weights), position.error(old_games.exact_points(3)))


def test_exact_cells():
    points = (F(1, 4), F(1, 2), F(1))
    for new, old in zip(
        cells.all_realised_cells(points, 2), calibration.realised_cells(points, 2), strict=True
    ):
        assert new == old
        assert new.as_floats().points.tolist() == calibration.as_cells(old).points.tolist()
    ends = F(1, 4), F(3, 4)
    assert list(cells.all_expected_cells(*ends, 2)) == list(calibration.expected_cells(*ends, 2))


# --- learners ---------------------------------------------------------------------------------------------


def test_learners():
    for zeros, ones in product(range(8), range(8)):
        assert learners.sequence_probability(zeros, ones) == constants_existence._laplace(ones, zeros)


# --- Algorithm 1 ------------------------------------------------------------------------------------------


def same_mixture(new, old, width=TINY):
    return set(new) == set(old) and all(near(ball(new[i]), old[i], width) for i in new)


def test_rounding():
    for K, w in product(range(2, 9), [F(k, 60) for k in range(61)]):
        old, points = old_games.exact_points(K), grids.full_grid(K)
        assert same_mixture(rounding.log_rounding(w, points), old_games.log_rounded(ball(w), old))
        assert same_mixture(rounding.log_rounding(w, points), realised.rounded(w, old))


def test_nearest_rounding():
    for K, w in product((2, 3, 4, 5, 8), [arb(k) / 64 for k in range(65)]):
        new = rounding.nearest_rounding(w, grids.full_grid(K))
        assert same_mixture(new, nearest_rounded(w, old_games.exact_points(K)))


@pytest.mark.parametrize("stationary", [True, False])
def test_positions(stationary):
    def uniform(rows):
        return dict.fromkeys(range(len(rows)), F(1, len(rows)))

    mix = markov.stationary if stationary else uniform
    for K in (2, 3, 4, 6):
        new = positions.all_positions(grids.full_grid(K), 5 if stationary else 1, mix=mix)
        old = old_games.all_positions(K, 5 if stationary else 1, stationary)
        for a, b in zip(new, old, strict=True):
            assert a.outcomes == b.outcomes
            assert all_near(map(ball, a.mass), b.mass)
            assert all_near(a.regrets(), b.regrets())
            assert all_near(a.paid, b.paid)
            assert near(a.error(), b.error(old_games.exact_points(K)))
            assert near(ball(a.imbalance), b.unfixed)


def test_chains():
    with precision(256):
        for K, outcomes in (fine_print.TWO_CLASSES, fine_print.PERIODIC):
            position = positions.play(grids.full_grid(K), [int(y) for y in outcomes])
            rows = positions.next_round(position.weights, position.points).rows
            old = fine_print.chain_after(K, outcomes)
            # Every mixture decides what the learners receive, so the balls of both grow from round to round.
            assert all(same_mixture(a, b, 1e-18) for a, b in zip(rows, old, strict=True))
            assert markov.closed_classes(rows) == fine_print._classes(old)
            for members in fine_print._classes(old):
                found = markov.stationary(rows, members)
                fixed = fine_print._fixed_point(old, members)
                assert all(near(ball(found.get(i, 0)), x, 1e-18) for i, x in enumerate(fixed))


def test_first_exit():
    with precision(256):
        points = grids.full_grid(3)
        position, t = positions.Position.start(points), 1
        while not any(
            w < points[0] for w in map(ball, positions.next_round(position.weights, points).leanings)
        ):
            position, t = position.after()[0], t + 1
    assert t == ewoo.first_exit(3)


def test_stationary_fractions():
    rng = np.random.default_rng(3)
    for _ in range(5):
        learned = [[x / sum(row) for x in row] for row in ewoo._random_fractions(rng, 4, 4)]
        rows = [dict(enumerate(row)) for row in learned]
        assert list(markov.stationary(rows).values()) == ewoo._fixed_point(learned)


# --- worst cases ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("K", "T"), [(2, 1), (2, 6), (3, 4)])
def test_realised(K, T):
    assert near(worst_case(K, T), realised.realised(K, T))
    assert abs(worst_case(K, T) - constants_algorithm.worst_expectation(K, T)[-1]) < 1e-13


@pytest.mark.parametrize(("K", "T"), [(3, 8), (4, 6)])
def test_pair(K, T):
    assert near(worst_case(K, T, "pair"), old_pair.worst_case(K, T))


def test_moment_of_pair():
    points = grids.inner_grid(3)
    cost = summed(points)

    def moment(counts):
        old = tuple(tuple(cell[y] for cell in counts) for y in (0, 1))
        return ((cost(counts) - old_pair.bets(old, 3)) / 2).exp()

    assert near(worst_expectation(pair(points), 2, 6, moment), old_pair.moment(3, 6))


@pytest.mark.parametrize(
    ("kind", "K", "T"), [("inner", 2, 80), ("inner", 3, 8), ("inner", 4, 6), ("full", 3, 4)]
)
def test_dual_game(kind, K, T):
    assert near(dual_worst_case(kind, K, T), existence.worst_case(existence.GRIDS[kind](K), "kl", T))
    if T < 80:
        assert near(dual_worst_case(kind, K, T), enclosures.dual(kind, K, T))


@pytest.mark.parametrize("rule", grids.NEAREST)
def test_dual_game_with_other_costs(rule):
    points = grids.inner_grid(4)
    new = (cells.square_cost, cells.absolute_cost)
    old = (existence.square_cost, existence.absolute_cost)
    for f, g in zip(new, old, strict=True):
        assert near(
            dual_worst_case("inner", 4, 4, rule, f), existence.worst_case(existence.inner(4), rule, 4, g)
        )

    def factor(z, zeros, ones):
        return (cells.kl_cost(z, zeros, ones) / 2).exp() / arb(1 + zeros + ones).sqrt()

    product_ = dual_expectation(points, 4, rule, multiplied(points, factor))
    assert near(product_, existence.worst_case(points, rule, 4, existence.exponential_cost, multiplied=True))


@pytest.mark.parametrize(
    ("kind", "K", "T"), [("inner", 2, 3), ("inner", 3, 8), ("inner", 5, 4), ("full", 3, 4)]
)
def test_enclosures_of_values(kind, K, T):
    assert all_near(value_enclosure(kind, K, T), enclosures.enclosed(kind, K, T))


# --- matrix games, normal forms ---------------------------------------------------------------------------


def test_saddle_points():
    rows = [(F(a), F(b)) for a, b in product(range(3), repeat=2)]
    for game in product(rows, repeat=3):
        assert best_rows(game) == matrix_games.best_rows(game)
        assert best_chance(game) == matrix_games.best_chance(game)
    for points, T in matrix_games.EXACT_GAMES:
        new = squared_game(points, T)(cells.no_counts(len(points)))
        assert new == matrix_games.solved(points, T)(matrix_games.start(len(points)))


@pytest.mark.parametrize(("T", "whole"), [(1, True), (2, True), (3, False)])
def test_values_of_normal_forms(T, whole):
    assert all_near(normal_form.value_between(T, whole=whole), minmax.value_between(T, whole=whole))
    assert all_near(
        normal_form.value_between(T, whole=whole, mixed=False),
        minmax.value_between(T, whole=whole, mixed=False),
    )


def test_expected_cost_of_a_mixed_adversary():
    table, points = list(minmax.strategies(2, 2, 3)), minmax.POINTS
    for seed in range(6):
        weights = minmax._mixture(len(table), seed)

        def chance(history, weights=weights):
            forecasts, outcomes = tuple(i for i, _ in history), tuple(y for _, y in history)
            return minmax._conditional(weights, table, forecasts, outcomes)

        def answer(history, chance=chance):
            return {int(chance(history) > F(1, 2)): 1}

        new = normal_form.expected_cost(
            answer, chance, 3, lambda game: cells.error(points, normal_form.counted(2, game))
        )
        assert near(new, minmax._expected(weights, table, 3))


def test_expected_cost_against_all_deterministic_opponents():
    points, T = (F(1, 4), F(1, 2)), 2
    solution = squared_game(points, T)
    value = solution(cells.no_counts(2)).value

    def cost(game):
        return cells.error(points, normal_form.counted(2, game), cells.square_cost)

    def draws(history):
        return solution(normal_form.counted(2, history)).shares

    def flips(history):
        return solution(normal_form.counted(2, history)).chance

    def seen(history, side):
        return tuple(pair[side] for pair in history)

    costs = [
        normal_form.expected_cost(draws, lambda h, plan=plan: plan[seen(h, 0)], T, cost)
        for plan in normal_form.strategies(2, 2, T)
    ]
    gains = [
        normal_form.expected_cost(lambda h, plan=plan: {plan[seen(h, 1)]: 1}, flips, T, cost)
        for plan in normal_form.strategies(2, 2, T)
    ]
    assert max(costs) == value == min(gains)


# --- binomial ---------------------------------------------------------------------------------------------


def test_thresholds():
    for n, delta in product((1, 19, 20, 100, 300, 400), (F(1, 2), F(1, 5), F(1, 20))):
        assert binomial.allowed_failures(n, delta) == thresholds.allowed_failures(n, delta)
        assert binomial.allowed_failures(n, delta) == existence.most_failures(n, delta)
    assert binomial.allowed_failures(400, F(1, 20), 30) == thresholds.allowed_failures(400, F(1, 20), 30)


def test_thresholds_of_scipy():
    assert binomial.allowed_failures(60, F(1, 20), 3) == int(binom.isf(1e-6 / 3, 60, 0.05))


def test_tails():
    for n, k in ((10, 3), (200, 120), (80_000, 1087)):
        assert near(binomial.binomial_tail(n, F(1, 3), k), freedman.binomial_tail(n, F(1, 3), k))
    for version in ("paper", "sharpened", "best"):
        arguments = 100, F(1, 10), [0.5, 0.01], version
        assert binomial.freedman_failures(*arguments) == freedman.tail_curve(*arguments)
    for n in (1, 7, 60):
        new = binomial.binomial_expectation(n, F(1, 2), lambda k, n=n: abs(2 * k - n) > 2.5)
        assert new == constants_high.tail(n, 2.5)


def test_partial_rules_are_functions_of_the_grid():
    grid = grids.full_grid(3)
    counts = ((0, 1), (2, 0), (0, 0), (1, 1))
    assert same_mixture(
        algorithm_1(grid)(counts),
        realised.stationary_shares([realised.rounded(F(b + 1, a + b + 2), grid) for a, b in counts]),
    )
    assert partial(pair, prior=F(1))(grids.inner_grid(3))(((0, 0), (0, 0))) == {0: 1}
