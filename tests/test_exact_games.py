"""Worst cases of small games: klcal.exact against klcal.minimax, brute force, and values worked out by hand."""

from __future__ import annotations

import math
from fractions import Fraction as F
from itertools import product

import pytest
from flint import arb
from scipy.stats import binom

import klcal
from klcal import grids, minimax
from klcal.exact import binomial, normal_form
from klcal.exact.balls import ball, precision
from klcal.exact.cells import error, kl_cost, no_counts, square_cost
from klcal.exact.forecasters import algorithm_1, pair, two_neighbours
from klcal.exact.grids import NEAREST, full_grid, inner_grid, uniform_grid
from klcal.exact.induction import backward, multiplied, outcome_against, point_against, summed
from klcal.exact.saddle_points import best_chance, best_rows, saddle, squared_game
from klcal.exact.worst_cases import (
    dual_expectation,
    dual_worst_case,
    pair_worst_cases,
    value_enclosure,
    worst_case,
    worst_expectation,
)

QUARTERS = F(1, 4), F(3, 4)
FLOATS = {"inner": grids.inner_grid, "full": grids.full_grid}


# --- the induction ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("sees_draw", [False, True])
def test_induction_is_the_worst_of_all_adversaries(sees_draw):
    """An adversary is an outcome, or one per draw, after every history; the expectation is taken path by path."""
    points, T = (F(1, 4), F(1, 2)), 2
    answers = list(product((0, 1), repeat=2)) if sees_draw else [(0, 0), (1, 1)]
    histories = [h for t in range(T) for h in product(range(2), range(2), repeat=t)]
    worst = []
    for plan in product(answers, repeat=len(histories)):
        chosen = dict(zip(histories, plan, strict=True))

        def after(history, chosen=chosen):
            if len(history) == 2 * T:
                return error(points, tally(history), square_cost)
            mixture = both_points(tally(history))
            return sum(p * after((*history, i, chosen[history][i])) for i, p in mixture.items())

        worst.append(after(()))
    found = worst_expectation(both_points, 2, T, summed(points, square_cost), sees_draw=sees_draw)
    assert found == max(worst)


def both_points(counts):
    """Mix both points in a way that depends on all counts."""
    first = F(1 + counts[0][0] + 2 * counts[1][1], 2 + sum(map(sum, counts)) * 2)
    return {0: first, 1: 1 - first}


def tally(history):
    return normal_form.counted(2, tuple(zip(history[::2], history[1::2], strict=True)))


def test_final_may_be_a_product():
    points = inner_grid(3)
    final = multiplied(points, lambda z, zeros, ones: z**ones * (1 - z) ** zeros)
    likelihood = backward(4, final, outcome_against(lambda counts: {0: 1}))(no_counts(2))
    assert likelihood.overlaps(ball(F(3, 4) ** 4))


# --- explicit forecasters ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("K", "T", "algorithm"), [(2, 5, "realised"), (3, 3, "realised"), (3, 6, "pair"), (4, 4, "pair")]
)
def test_worst_cases_are_those_of_the_package(K, T, algorithm):
    assert float(worst_case(K, T, algorithm)) == pytest.approx(minimax.worst_case(K, T, algorithm), rel=1e-12)
    points = full_grid(K) if algorithm == "realised" else inner_grid(K)
    rule = algorithm_1(points) if algorithm == "realised" else pair(points)
    squares = worst_expectation(rule, len(points), T, summed(points, square_cost))
    assert float(ball(squares)) == pytest.approx(minimax.worst_case(K, T, algorithm, "squared"), rel=1e-12)


def test_first_rounds_by_hand():
    assert worst_case(2, 1).overlaps(arb(2).log())
    assert worst_case(3, 1, "pair").overlaps(arb(4).log())
    # PAIR at K = 3 says 1/4 first. After a one the mean of 1/4 is 3/4, too high, and that of 3/4 is 1/2, in its cell; a
    # zero there costs another log 4.
    assert pair_worst_cases([1, 2]) == pytest.approx([math.log(4), 2 * math.log(4)])


def test_an_adversary_that_sees_the_draw_earns_more():
    assert pair_worst_cases([4], sees_draw=True) > pair_worst_cases([4])


def test_pair_in_fractions_is_pair_in_balls():
    for T, value in enumerate(pair_worst_cases(range(1, 7)), start=1):
        assert value == pytest.approx(float(worst_case(3, T, "pair")), rel=1e-15)


def test_two_neighbours_by_hand():
    grid = uniform_grid(2)
    value = [worst_expectation(two_neighbours(grid), 3, T, summed(grid, square_cost)) for T in (1, 2)]
    # The first forecast is 0 and a one costs 1. Then 1/2 is calibrated and costs 1/4.
    assert value == [1, F(5, 4)]


# --- the value and the dual game --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "K", "T"), [("inner", 3, 6), ("inner", 4, 4), ("full", 2, 3), ("full", 3, 3)]
)
def test_value_lies_between_its_two_sides(kind, K, T):
    low, high = value_enclosure(kind, K, T)
    value = minimax.value(FLOATS[kind](K), T)
    assert abs(high - low) < 1e-12
    assert abs(low - value) < 1e-12


def test_bad_players_guarantee_less():
    points, T = inner_grid(3), 3
    low, high = value_enclosure("inner", 3, T)
    with precision(128):
        lazy = backward(T, summed(points), outcome_against(lambda counts: {0: 1}))(no_counts(2))
        sure = backward(T, summed(points), point_against(lambda counts: F(0)))(no_counts(2))
    assert lazy > high
    assert sure < low


@pytest.mark.parametrize(
    ("kind", "K", "T"), [("inner", 2, 40), ("inner", 3, 6), ("inner", 5, 3), ("full", 3, 3)]
)
@pytest.mark.parametrize("nearest", ["kl", "euclid"])
def test_dual_game_is_that_of_the_package(kind, K, T, nearest):
    for cost, measure in ((kl_cost, "kl"), (square_cost, "squared")):
        expected = minimax.dual_worst_case(FLOATS[kind](K), T, nearest, measure)
        assert float(dual_worst_case(kind, K, T, nearest, cost)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("nearest", NEAREST)
def test_dual_game_by_hand(nearest):
    # One round on {1/4, 3/4}: an announcement of 1/2 costs half of each side.
    assert dual_expectation(QUARTERS, 1, nearest, summed(QUARTERS, square_cost)) == F(5, 16)
    assert dual_worst_case("inner", 2, 5, nearest).overlaps(5 * arb(2).log())


# --- matrix games -----------------------------------------------------------------------------------------


def test_two_rows_reach_what_the_best_chance_earns():
    rows = [(F(a), F(b)) for a, b in product((0, 1, 3), repeat=2)]
    for game in product(rows, repeat=3):
        solution = saddle(game)
        assert solution.value == best_chance(game)[0]
        mixed = [sum(p * game[i][y] for i, p in solution.shares.items()) for y in (0, 1)]
        assert max(mixed) == solution.value
    assert best_rows([(F(0), F(2)), (F(1), F(0))], support=1)[0] == 1


@pytest.mark.parametrize("points", [QUARTERS, (F(1, 4), F(1, 2), F(3, 4)), (F(0), F(1, 2), F(1))])
def test_squared_game_is_the_value_of_the_package(points):
    for T in (1, 2, 3):
        exact = squared_game(points, T)(no_counts(len(points))).value
        found = minimax.value(grids.Grid([float(z) for z in points]), T, "squared")
        assert found == pytest.approx(float(exact), rel=1e-13)


def test_squared_game_of_one_point_by_hand():
    assert [squared_game([F(1, 2)], T)(((0, 0),)).value for T in (1, 2, 3)] == [F(1, 4), F(1, 2), F(3, 4)]


# --- normal forms -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("T", [1, 2])
def test_normal_form_has_the_value_of_the_induction(T):
    value = minimax.value(grids.Grid([0.25, 0.75]), T)
    for whole in (False, True):
        low, high = normal_form.value_between(T, whole=whole)
        assert high - low < 1e-9
        assert abs(low - value) < 1e-9


def test_without_mixing_it_matters_who_moves_first():
    low, high = normal_form.value_between(2, mixed=False)
    assert high - low > 0.5


# --- binomial ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "delta"), [(1, F(1, 2)), (60, F(1, 20)), (400, F(1, 5)), (400, F(1, 20))])
def test_allowed_failures_is_the_first_count_that_chance_hardly_exceeds(n, delta):
    for tests in (1, 30):
        k = binomial.allowed_failures(n, delta, tests)
        level = F(1, 10**6) / tests
        more = [binomial.binomial_expectation(n, delta, lambda j, c=c: j > c) for c in (k, k - 1)]
        assert more[0] <= level
        assert k == 0 or more[1] > level


def test_tails_and_expectations_are_those_of_scipy():
    for n, p, k in ((10, F(1, 3), 3), (300, F(1, 7), 60)):
        tail = binom.sf(k - 1, n, float(p))
        assert float(binomial.binomial_tail(n, p, k)) == pytest.approx(tail, rel=1e-10)
        assert float(binomial.binomial_expectation(n, p, lambda j, k=k: j >= k)) == pytest.approx(
            tail, rel=1e-10
        )
    assert binomial.binomial_expectation(5, F(1, 5), lambda j: j) == 1


def test_binomial_tail_beyond_exact_sums_is_enclosed():
    with precision(128):
        tail = binomial.binomial_tail(80_000, F(1, 200), 500)
    assert float(tail) == pytest.approx(binom.sf(499, 80_000, 1 / 200), rel=1e-9)
    assert tail.rad() < tail * 1e-30


def test_failures_of_freedmans_inequality_are_both_tails_of_the_binomial():
    n, p = 100, F(1, 10)
    # Variance 9 and delta = 1/5 at the best rate of the printed version: log(10)/9 has a root below 1.
    mu = math.sqrt(math.log(10.0) / 9.0)
    bound = F(klcal.bounds.freedman(9.0, mu, 0.2, version="paper"))
    exact = binomial.binomial_expectation(n, p, lambda k: abs(k - n * p) > bound)
    assert binomial.freedman_failures(n, p, [0.2], "paper") == pytest.approx([float(exact)])


def test_failures_of_freedmans_inequality_stay_below_their_delta():
    deltas = [0.5, 0.05, 0.001]
    for version in ("paper", "sharpened", "best"):
        failures = binomial.freedman_failures(200, F(1, 10), deltas, version)
        assert all(0 < chance <= delta for chance, delta in zip(failures, deltas, strict=True))
