"""The claims of Section 4: rows of the inventory, mutations, and the small computations under them."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction as F

import naive_dual_game as naive
import numpy as np
import pytest
from flint import ctx
from scipy import stats

from klcal import bounds
from klcal.claims import REGISTRY
from klcal.claims.existence import dual, freedman, minmax, printed
from klcal.exact.balls import ball, precision
from klcal.exact.worst_cases import dual_moment
from klcal.games import dual_game
from klcal.grids import inner_grid

CLAIMS = {label: claim for label, claim in REGISTRY.items() if claim.chapter == "04_existence"}
ROWS = {31, 35, 36, 37, 41, 46, 56, 94}


def test_the_claims_answer_for_their_rows_of_the_inventory():
    assert {row for claim in CLAIMS.values() for row in claim.rows} == ROWS


def test_checking_leaves_the_global_precision_as_it_was():
    before = ctx.prec
    CLAIMS["new:dual-game-bound"].verify()
    assert ctx.prec == before


def test_the_two_rates_of_theorem_1_cross_between_two_and_three():
    rates = {
        T: (3.28 * (T * math.log(T) ** 2) ** (1 / 3), 3.64 * (T * math.log(T) ** 5) ** (1 / 3))
        for T in (2, 3)
    }
    assert rates[2][0] > rates[2][1] and rates[3][0] < rates[3][1]
    assert not printed.within("sharpened", F("3.64"), (F(1, 3), F(107, 60))).holds


# ----- Freedman --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("n", "p", "mu", "k"), [(60, F(1, 10), F(1, 2), 12), (10, F(1, 2), F(1, 4), 8)])
def test_failures_of_freedman_are_counted_on_both_sides(n, p, mu, k):
    law = stats.binom(n, float(p))
    mean = float(n * p)
    both = law.sf(k - 1) + law.cdf(math.floor(2 * mean - k + 1e-12))
    promise = 2 * math.exp(-mu * (k - mean - 0.7 * mu * mean * float(1 - p)))
    with precision(128):
        share = freedman.failure_over_promise((n, p, mu, k), ball(F(7, 10)))
    assert float(share.mid()) == pytest.approx(both / promise, rel=1e-9)


# ----- the minimax step ------------------------------------------------------------------------------------
def test_mixtures_are_distributions():
    for seed in range(12):
        weights = minmax.random_mixture(16, seed)
        assert sum(weights) == 1 and min(weights) >= 0
    assert minmax.random_mixture(16, 0)[-1] == 1


# ----- the dual game ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("K", [3, 4, 9])
def test_the_euclid_nearest_point_costs_most_at_the_middle_of_the_first_cell(K):
    points = inner_grid(K).points.tolist()
    middles = dual_game.borders(inner_grid(K), "euclid").tolist()
    costs = [
        max(naive.kl(x, a), naive.kl(x, b))
        for x, (a, b) in zip(middles, itertools.pairwise(points), strict=True)
    ]
    assert costs[0] == pytest.approx(max(costs), rel=1e-12)
    assert costs[0] < naive.kl(0.0, points[0])


def test_small_games_cover_all_rules_and_both_grids():
    games = list(dual.small_games())
    assert {rule for _, rule, *_ in games} == set(dual_game.NEAREST)
    assert {kind for kind, *_ in games} == {"inner", "full"}


def test_the_exponential_moment_attains_its_bound_at_four_cells():
    assert float(dual_moment(4, 2).mid()) * math.cos(math.pi / 8) ** 2 == pytest.approx(1, rel=1e-14)


def test_the_exponential_moment_bounds_every_announcer():
    """In a larger game the mean of the exponential stays below its bound for sequences written beforehand."""
    K, T = 6, 400
    grid = inner_grid(K)
    for make in dual_game.ANNOUNCERS.values():
        games = dual_game.play(make(grid, T, "chi-square"), grid, "chi-square", games=500, rng=5)
        excess = games.kl_calibration() - np.log1p(games.mass).sum(axis=1)
        assert np.mean(np.exp((excess - T * bounds.comparator_error_inner(K)) / 2)) < 1


def test_in_the_dual_game_no_bucket_of_experts_gains_in_the_mean():
    """The cells of PAIR are those of the chi-square-nearest answer: up bets lose at the upper end or before it."""
    generator = np.random.default_rng(7)
    for low, high in itertools.pairwise([0, *dual_game.borders(inner_grid(5), "chi-square").tolist(), 1]):
        up, down, p = *generator.random(2), generator.uniform(low, high)
        assert p * (up * (1 - high) - down * (1 - low)) + (1 - p) * (-up * high + down * low) <= 1e-15
