"""The claims of chapter 4 are built of parts, and the small computations under them are right."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import naive_dual_game as naive
import numpy as np
import pytest
from flint import arb, ctx
from scipy import stats

from klcal import bounds, minimax
from klcal.claims.existence import CLAIMS, _common, dual, freedman, minmax, parts, parts_table, printed, steps
from klcal.claims.existence._common import inner, most_failures, regions, states, worst_case
from klcal.exact.balls import lower, precision, upper
from klcal.games import dual_game
from klcal.grids import inner_grid

BY_LABEL = {claim.label: claim for claim in CLAIMS}
ROWS = {31, 35, 36, 37, 41, 46, 56, 94}


def test_labels_are_unique_and_belong_to_one_chapter() -> None:
    assert len(BY_LABEL) == len(CLAIMS)
    assert {claim.chapter for claim in CLAIMS} == {"04_existence"}


def test_the_claims_answer_for_their_rows_of_the_inventory() -> None:
    assert {row for claim in CLAIMS for row in claim.rows} == ROWS


def test_checking_leaves_the_global_precision_as_it_was() -> None:
    before = ctx.prec
    BY_LABEL["new:dual-game-rate"].verify()
    assert ctx.prec == before


# ----- the dual game in balls ------------------------------------------------------------------------------
def test_states_are_all_counts_with_the_right_sum() -> None:
    found = list(states(2, 3))
    assert len(found) == len(set(found)) == math.comb(6, 3)
    assert all(sum(state) == 3 and min(state) >= 0 for state in found)
    assert list(states(2, 0)) == [(0, 0, 0, 0)]


@pytest.mark.parametrize("nearest", dual_game.NEAREST)
def test_regions_cover_the_unit_interval_and_hold_their_points(nearest: str) -> None:
    points = inner(6)
    found = regions(points, nearest)
    assert found[0][0].is_zero() and (found[-1][1] - 1).is_zero()
    assert all(low < z < high for z, (low, high) in zip(points, found, strict=True))
    floats = dual_game.borders(inner_grid(6), nearest)
    assert [float(high.mid()) for _, high in found[:-1]] == pytest.approx(floats.tolist(), rel=1e-14)


@pytest.mark.parametrize(("K", "T"), [(2, 4), (3, 4), (4, 3)])
@pytest.mark.parametrize("nearest", dual_game.NEAREST)
def test_the_worst_case_in_balls_is_the_recursion_over_histories(K: int, T: int, nearest: str) -> None:
    grid = inner_grid(K)
    slow = naive.worst_case(grid.points.tolist(), T, dual_game.borders(grid, nearest).tolist())
    with precision(128):
        assert float(worst_case(inner(K), nearest, T).mid()) == pytest.approx(slow, rel=1e-12)


@pytest.mark.parametrize(("K", "T"), [(3, 9), (4, 5), (5, 3)])
@pytest.mark.parametrize("nearest", ["euclid", "kl"])
def test_the_worst_case_in_balls_is_that_of_the_minimax_module(K: int, T: int, nearest: str) -> None:
    with precision(128):
        found = float(worst_case(inner(K), nearest, T).mid())
    assert found == pytest.approx(minimax.dual_worst_case(inner_grid(K), T, nearest), rel=1e-12)


def test_costs_of_a_bucket_by_hand() -> None:
    z = arb(0.25)
    assert _common.kl_cost(z, 1, 1).overlaps((arb(4) / 3).log())
    assert _common.kl_cost(z, 2, 0).overlaps(2 * (arb(4) / 3).log())
    assert _common.square_cost(z, 1, 1).overlaps(arb(1) / 8)
    assert _common.absolute_cost(z, 1, 1).overlaps(arb(1) / 2)
    assert _common.square_cost(z, 0, 0).is_zero() and _common.absolute_cost(z, 0, 0).is_zero()


@pytest.mark.parametrize(("trials", "chance"), [(1, "1/2"), (50, "1/3"), (400, "1/20"), (300, "1/1000")])
def test_the_threshold_is_the_quantile_of_the_binomial_law(trials: int, chance: str) -> None:
    limit = most_failures(trials, Fraction(chance))
    p = float(Fraction(chance))
    assert stats.binom.sf(limit, trials, p) < 1e-6 <= stats.binom.sf(limit - 1, trials, p)


# ----- Freedman --------------------------------------------------------------------------------------------
def test_the_best_martingale_of_two_steps_is_found_by_trying_all() -> None:
    """Going through all pairs of first and second steps by hand gives the same probability."""
    mu, level = Fraction(1, 2), Fraction(3, 4)

    def steps_of(a: int, b: int) -> list[tuple[Fraction, Fraction]]:
        return [(Fraction(a, 4), Fraction(b, a + b)), (Fraction(-b, 4), Fraction(a, a + b))]

    best = Fraction(0)
    for first, up, down in itertools.product(freedman.STEPS, repeat=3):
        total = Fraction(0)
        for (move, chance), second in zip(steps_of(*first), (up, down), strict=True):
            spent = Fraction(first[0] * first[1], 16)
            if move - mu * spent >= level:
                total += chance
                continue
            spent += Fraction(second[0] * second[1], 16)
            total += chance * sum(q for m, q in steps_of(*second) if move + m - mu * spent >= level)
        best = max(best, total)
    assert freedman.best_chance(2, mu, Fraction(1), level) == best


def test_more_steps_never_hurt_and_a_smaller_constant_helps() -> None:
    quarter = Fraction(1, 4)
    chances = [freedman.best_chance(n, Fraction(1), Fraction(1), quarter) for n in range(1, 5)]
    assert chances == sorted(chances)
    assert freedman.best_chance(3, Fraction(1), Fraction(1, 2), quarter) > chances[2]


@pytest.mark.parametrize(("n", "p", "k"), [(10, "1/2", 7), (1000, "1/10", 150), (5000, "1/100", 40)])
def test_binomial_tails_are_those_of_scipy(n: int, p: str, k: int) -> None:
    with precision(128):
        tail = freedman.binomial_tail(n, Fraction(p), k)
    assert float(tail.mid()) == pytest.approx(stats.binom.sf(k - 1, n, float(Fraction(p))), rel=1e-10)
    assert upper(tail) - lower(tail) < 1e-15


def test_the_rational_stand_in_lies_below_e_minus_2() -> None:
    assert float(freedman.KAPPA) < math.e - 2 < float(freedman.KAPPA) + 1e-5


@pytest.mark.parametrize("version", ["paper", "sharpened", "best"])
def test_exact_tails_stay_below_what_lemma_8_promises(version: str) -> None:
    deltas = [1.0, 0.1, 1e-3, 1e-6]
    found = freedman.tail_curve(300, Fraction(1, 10), deltas, version)
    assert all(0 < chance <= delta for chance, delta in zip(found, deltas, strict=True))
    law = stats.binom(300, 0.1)
    constant = {"paper": 1.0, "sharpened": math.e - 2, "best": 0.5}[version]
    threshold = bounds.freedman(27.0, math.sqrt(math.log(20) / (27 * constant)), 0.1, version=version)
    both = law.sf(math.floor(30 + threshold)) + law.cdf(math.ceil(30 - threshold) - 1)
    assert found[1] == pytest.approx(both, rel=1e-9)


# ----- steps -----------------------------------------------------------------------------------------------
def test_the_parts_of_theorem_1_add_up() -> None:
    for T, K in ((2, 2), (1000, 5), (10**6, 12)):
        total = sum(parts(T, K, T**-2.0).values())
        assert total == pytest.approx(bounds.theorem_1(T, K, version="paper"), rel=1e-12)


def test_the_table_of_parts_ends_with_the_sum_and_the_trivial_cost() -> None:
    rows = {row[0]: row[1:] for row in parts_table([10**3, 10**6]).rows}
    assert rows["always 1/2: T log 2"] == ("693", "693,147")
    assert rows["sum"][1] == f"{bounds.theorem_1(10**6, 12, version='paper'):,.0f}"


def test_the_last_horizon_of_a_resolution() -> None:
    for K in (2, 3, 8):
        last = printed.last_horizon(K)
        assert (dual_game.resolution(last), dual_game.resolution(last + 1)) == (K, K + 1)


def test_the_largest_excess_is_found_over_all_prefixes() -> None:
    grid = inner_grid(3)
    games = dual_game.play([0.5, 0.5, 0.9], grid, "euclid", games=5, rng=2, record=True)
    for g, excess in enumerate(steps._largest_excess(games, 3, 0.1)):
        worst = 0.0
        for i, z in enumerate(grid.points.tolist()):
            sums, count = 0.0, 0
            for t in range(3):
                if games.answers[g, t] == i:
                    sums += games.announcements[g, t] - games.outcomes[g, t]
                    count += 1
                worst = max(worst, abs(sums) / bounds.deviation(count, z, 3, 0.1))
        assert excess == pytest.approx(worst, rel=1e-12)
    with pytest.raises(ValueError, match="games must be recorded"):
        steps._largest_excess(dual_game.play([0.5], grid), 3, 0.1)


# ----- the minimax step ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("T", "whole", "size"), [(1, True, 2), (2, True, 32), (2, False, 8), (3, False, 128)]
)
def test_the_normal_form_has_one_row_per_forecaster(T: int, whole: bool, size: int) -> None:
    table = minmax.normal_form(T, whole=whole)
    assert len(table) == size and {len(row) for row in table} == {size}


@pytest.mark.parametrize("T", [1, 2])
def test_both_guarantees_are_those_of_the_minimax_module(T: int) -> None:
    low, high = minmax.value_between(T)
    found = minimax.normal_form_value(inner_grid(3), T)
    assert float(high.mid()) == pytest.approx(found.forecaster, abs=1e-9)
    assert float(low.mid()) == pytest.approx(found.adversary, abs=1e-9)


def test_conditional_probabilities_follow_bayes() -> None:
    # Two adversaries of two rounds: always 1 with weight 1/4; first 0, then 1 after forecast 0 only, with weight 3/4.
    table = [{(): 1, (0,): 1, (1,): 1}, {(): 0, (0,): 1, (1,): 0}]
    weights = [Fraction(1, 4), Fraction(3, 4)]
    assert minmax._conditional(weights, table, (), ()) == Fraction(1, 4)
    assert minmax._conditional(weights, table, (0,), (1,)) == 1
    assert minmax._conditional(weights, table, (1,), (0,)) == 0


def test_mixtures_are_distributions() -> None:
    for seed in range(12):
        weights = minmax._mixture(16, seed)
        assert sum(weights) == 1 and min(weights) >= 0
    assert minmax._mixture(16, 0)[-1] == 1


# ----- answers ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("K", [3, 4, 9])
def test_the_euclid_nearest_point_costs_most_at_the_middle_of_the_first_cell(K: int) -> None:
    points = inner_grid(K).points.tolist()
    middles = dual_game.borders(inner_grid(K), "euclid").tolist()
    costs = [
        max(naive.kl(x, a), naive.kl(x, b))
        for x, (a, b) in zip(middles, itertools.pairwise(points), strict=True)
    ]
    assert costs[0] == pytest.approx(max(costs), rel=1e-12)
    assert costs[0] < naive.kl(0.0, points[0])


def test_the_exponential_moment_attains_its_bound_at_four_cells() -> None:
    with precision(128):
        moment = worst_case(inner(4), "chi-square", 2, _common.exponential_cost, multiplied=True)
        assert (moment * (arb.pi() / 8).cos() ** 2).overlaps(arb(1))


def test_the_exponential_moment_bounds_every_announcer() -> None:
    """In a larger game the mean of the exponential stays below its bound for sequences written beforehand."""
    K, T = 6, 400
    grid = inner_grid(K)
    for make in dual_game.ANNOUNCERS.values():
        played = dual_game.play(make(grid, T, "chi-square"), grid, "chi-square", games=500, rng=5)
        excess = played.kl_calibration() - np.log1p(played.mass).sum(axis=1)
        assert np.mean(np.exp((excess - T * bounds.comparator_error_inner(K)) / 2)) < 1


def test_small_games_cover_all_rules_and_both_grids() -> None:
    games = list(dual.small_games())
    assert {rule for _, rule, *_ in games} == set(dual_game.NEAREST)
    assert {name for name, *_ in games} == {"inner", "full"}
