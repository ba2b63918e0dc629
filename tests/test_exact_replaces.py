"""The functions of klcal.exact give what the functions in klcal.claims give that they replace; goes with those."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from flint import arb
from klcal.claims.algorithm.learner import nearest_rounded
from scipy.stats import binom

from klcal.claims.algorithm import _games as old_games
from klcal.claims.comparisons import neighbours
from klcal.claims.constants import _common as ingredients
from klcal.claims.constants import algorithm as constants_algorithm
from klcal.claims.constants import existence as constants_existence
from klcal.claims.constants import fine_print
from klcal.claims.constants import high_probability as constants_high
from klcal.claims.explicit import _common as explicit
from klcal.claims.explicit import betting
from klcal.claims.explicit import games as pair_games
from klcal.claims.grids import _common as old_grids
from klcal.claims.grids import comparator, discretization, ewoo
from klcal.claims.losses_and_calibration import calibration
from klcal.exact import binomial, cells, grids, learners, markov, normal_form, positions, rounding
from klcal.exact.arithmetic import minimum
from klcal.exact.balls import ball, precision
from klcal.exact.forecasters import pair, two_neighbours
from klcal.exact.induction import over_orders, summed
from klcal.exact.saddle_points import squared_game
from klcal.exact.worst_cases import (
    pair_worst_cases,
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
    assert all_near(grids.full_grid(K), old_grids.full_points(K))
    assert all_near(grids.full_grid(K), old_games.exact_points(K))
    exact = [z.is_exact() for z in old_games.exact_points(K)]
    assert [z.is_exact() for z in grids.full_grid(K)] == exact
    assert all_near(
        grids.steepness(grids.sine_points(K)), discretization.steepness(old_grids.inner_points(K))
    )


@pytest.mark.parametrize("K", range(2, 20))
def test_borders(K):
    assert all_near(grids.borders(grids.inner_grid(K), "chi-square"), explicit.boundaries(K))
    euclid = grids.borders(grids.inner_grid(K), "euclid")
    for i, (z, low, high) in enumerate(constants_existence.regions(K)):
        assert all_near((grids.inner_grid(K)[i], euclid[i], euclid[i + 1]), (z, low, high))


@pytest.mark.parametrize("K", [2, 3, 4, 5, 16, 42])
def test_worst_divergence_and_steepest_cell(K):
    assert near(grids.worst_divergence(grids.full_grid(K)), comparator.worst_on_full_grid(K))
    assert near(grids.worst_divergence(grids.inner_grid(K)), ingredients.inner_error(K))
    assert near(grids.steepest_cell(grids.full_grid(K)), ingredients.steepest_cell(K))


# --- cells ------------------------------------------------------------------------------------------------


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
        assert learners.beta_mean(zeros, ones, learners.KT) == pair_games.mean(zeros, ones)
        assert learners.beta_mean(zeros, ones) == pair_games.mean(zeros, ones, F(1))
        assert learners.sequence_probability(zeros, ones, learners.KT) == explicit.kt_probability(ones, zeros)
        assert learners.sequence_probability(zeros, ones) == constants_existence._laplace(ones, zeros)


# --- Algorithm 1 ------------------------------------------------------------------------------------------


def same_mixture(new, old, width=TINY):
    return set(new) == set(old) and all(near(ball(new[i]), old[i], width) for i in new)


def test_rounding():
    for K, w in product(range(2, 9), [F(k, 60) for k in range(61)]):
        old, points = old_games.exact_points(K), grids.full_grid(K)
        assert same_mixture(rounding.log_rounding(w, points), old_games.log_rounded(ball(w), old))


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
    assert abs(worst_case(K, T) - constants_algorithm.worst_expectation(K, T)[-1]) < 1e-13


@pytest.mark.parametrize("sees_draw", [False, True])
def test_pair_in_fractions(sees_draw):
    rounds = range(1, 8)
    assert pair_worst_cases(rounds, sees_draw=sees_draw) == pair_games.worst_calibration(
        rounds, sees_draw=sees_draw
    )
    rule = pair(pair_games.POINTS)
    for state in product(range(3), repeat=4):
        shares = rule((state[:2], state[2:]))
        assert [(i, p) for i, p, _ in pair_games.moves(state)] == list(shares.items())


def test_pair_with_expected_feedback():
    rule = pair(pair_games.POINTS, prior=learners.LAPLACE)
    for outcomes in product((0, 1), repeat=6):
        weights = cells.no_counts(2)
        for y, (error, masses) in zip(outcomes, pair_games._expected_game(outcomes), strict=True):
            weights = cells.add_mixture(weights, rule(weights), y)
            assert tuple(sum(cell) for cell in weights) == masses
            assert near(cells.error(pair_games.POINTS, weights), error)


@pytest.mark.parametrize(("K", "T"), [(2, 8), (3, 6)])
def test_two_neighbours(K, T):
    grid = grids.uniform_grid(K)
    new = worst_expectation(two_neighbours(grid), K + 1, T, summed(grid, cells.square_cost))
    assert new == neighbours.worst(K, T)[0]


def test_extreme_paths_of_one_learner():
    low, high = arb(0), arb(0.5)

    def wealth(zeros, ones, y):
        w = ball(learners.beta_mean(zeros, ones, learners.KT))
        q = explicit.clipped(w, low, high)
        return (w / q).log() if y else ((1 - w) / (1 - q)).log()

    promised = list(betting._least_wealth(low, high, F(1, 2), arb(2)))
    found = []
    for n, sums in enumerate(over_orders(betting._LONGEST, wealth, minimum), start=1):
        for k, least in sorted(sums.items(), reverse=True):
            room = (2 * arb(n).sqrt()).log()
            found.append(least - n * explicit.to_cell(ball(F(k, n)), low, high) + room)
    assert all_near(found, promised)


# --- matrix games, normal forms ---------------------------------------------------------------------------


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


def test_thresholds_of_scipy():
    assert binomial.allowed_failures(60, F(1, 20), 3) == int(binom.isf(1e-6 / 3, 60, 0.05))


def test_tails():
    for n in (1, 7, 60):
        new = binomial.binomial_expectation(n, F(1, 2), lambda k, n=n: abs(2 * k - n) > 2.5)
        assert new == constants_high.tail(n, 2.5)
