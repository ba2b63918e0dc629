"""The claims of chapter 9 belong to it, and what they are built on is sound."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import naive_engine
import naive_minimax as naive
import numpy as np
import pytest
from flint import arb

from klcal import bounds, minimax
from klcal.claims.exact_games import CLAIMS, enclosures, matrix_games, observed, pair, realised
from klcal.claims.exact_games._common import divergence_costs, full_grid, inner_grid, square_costs, start
from klcal.exact.balls import Undecided, upper
from klcal.forecasters.markov import stationary
from klcal.forecasters.pair import pair_mixture
from klcal.grids import full_grid as float_grid
from klcal.grids import inner_grid as inner_floats
from klcal.grids.rounding import log_rounding

BY_LABEL = {claim.label: claim for claim in CLAIMS}


def test_every_claim_is_of_this_chapter():
    assert {claim.chapter for claim in CLAIMS} == {"09_the_game_solved"}


def test_only_what_balls_or_fractions_decide_is_called_certified_or_exact():
    kinds = {label: claim.kind for label, claim in BY_LABEL.items()}
    assert {label for label, kind in kinds.items() if kind == "numeric"} == {
        "new:game-linear-programs",
        "new:game-growth",
        "new:game-offset",
        "new:game-constant-outcomes",
        "new:game-end-points",
    }


# --- broken on purpose --------------------------------------------------------------------------------------


def test_a_wrong_value_or_worst_case_turns_its_claim_red(monkeypatch):
    for name, label in (
        ("value", "new:game-values"),
        ("value", "new:game-linear-programs"),
        ("worst_case", "new:realised-certified"),
        ("worst_case", "new:game-pair"),
        ("dual_worst_case", "new:game-two-sides"),
    ):
        right = getattr(minimax, name)
        with monkeypatch.context() as patch:
            patch.setattr(minimax, name, lambda *a, right=right, **k: right(*a, **k) * (1 + 1e-8))
            assert BY_LABEL[label].verify().status == "fails", name


@pytest.mark.parametrize(
    ("name", "label"), [("realised_in_expectation", "new:realised-certified"), ("pair", "new:game-pair")]
)
def test_a_bound_that_moved_turns_the_sandwich_red(monkeypatch, name, label):
    right = getattr(bounds, name)
    monkeypatch.setattr(bounds, name, lambda *a, **k: right(*a, **k) * (1 + 1e-9))
    assert BY_LABEL[label].verify().status == "fails"


# --- fractions ----------------------------------------------------------------------------------------------


def test_best_rows_and_best_chance_agree_with_the_naive_game():
    rows = [(Fraction(a), Fraction(b)) for a, b in ((0, 5), (2, 3), (4, 1), (3, 3))]
    value, shares = matrix_games.best_rows(rows)
    assert value == matrix_games.best_chance(rows)[0] == naive.matrix_game(rows)
    assert sum(shares.values()) == 1
    assert matrix_games.best_rows(rows, 1)[0] == 3 > value


@pytest.mark.parametrize(("points", "T"), [((1, 3), 4), ((0, 2, 4), 3), ((1,), 3)])
def test_exact_solution_is_the_naive_value(points, T):
    grid = matrix_games.quarters(*points)
    assert matrix_games.solved(grid, T)(start(len(grid))).value == naive.value(grid, T, naive.squared)


def test_players_are_counted_and_told_apart():
    assert [len(list(matrix_games.players(2, 2, T))) for T in (0, 1, 2, 3)] == [1, 2, 8, 128]
    listed = list(matrix_games.players(3, 2, 2))
    assert len(listed) == len(set(listed)) == 27


def test_a_deterministic_forecaster_is_averaged_over_outcomes_only():
    grid = matrix_games.quarters(1, 3)
    cost = square_costs(grid)
    always_low = (0, ((0, (None, None)), (0, (None, None))))
    fair = {0: Fraction(1, 2), 1: Fraction(1, 2)}
    gain = matrix_games.against_forecaster(lambda state: fair, cost, start(2), always_low)
    # Counts of ones are 0, 1, 2 with chances 1/4, 1/2, 1/4; costs 2/16, 2/16 and 18/16.
    assert gain == Fraction(1, 4) * Fraction(2, 16) + Fraction(1, 2) * Fraction(2, 16) + Fraction(
        1, 4
    ) * Fraction(18, 16)


# --- balls --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("K", [2, 3, 4, 6])
def test_grids_in_balls_hold_the_float_grids_and_know_their_rational_points(K):
    balls = full_grid(K)
    assert all(upper(abs(z - x)) < 1e-15 for z, x in zip(balls, float_grid(K).points.tolist(), strict=True))
    rational = [i for i, x in enumerate(float_grid(K).points) if x in (0.25, 0.5, 0.75)]
    assert [i for i, z in enumerate(balls) if z.is_exact()] == rational
    assert inner_grid(K) == balls[1:-1]


def test_costs_in_balls_are_the_naive_costs():
    points = full_grid(2)
    cost = divergence_costs(points)
    for zeros, ones in product(product(range(3), repeat=3), repeat=2):
        wanted = naive.cost([float(z.mid()) for z in points], (zeros, ones), naive.kl)
        assert float(cost((zeros, ones)).mid()) == pytest.approx(wanted, rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("K", [2, 3, 5])
def test_mixtures_in_balls_hold_the_mixtures_of_the_algorithm(K):
    grid, points = float_grid(K), full_grid(K)
    rng = np.random.default_rng(K)
    for _ in range(30):
        zeros, ones = rng.integers(0, 6, (2, K + 1)).tolist()
        leanings = [Fraction(b + 1, a + b + 2) for a, b in zip(zeros, ones, strict=True)]
        shares = realised.stationary_shares([realised.rounded(w, points) for w in leanings])
        wanted = stationary(log_rounding([float(w) for w in leanings], grid))
        assert sorted(shares) == np.flatnonzero(wanted).tolist()
        assert [float(shares[i].mid()) for i in sorted(shares)] == pytest.approx(
            wanted[wanted > 0], rel=1e-12
        )


def test_a_learner_whose_cell_is_not_certain_is_an_error():
    wide = [arb(0.2, 0.01), arb(0.5, 0.1), arb(0.8, 0.01)]
    with pytest.raises(Undecided, match="cell of 11/20"):
        realised.rounded(Fraction(11, 20), wide)


@pytest.mark.parametrize(("K", "T"), [(2, 4), (3, 3)])
def test_worst_case_in_balls_is_the_naive_one(K, T):
    points = naive_engine.grid(K)

    def mixture(state):
        leanings = [(b + 1) / (a + b + 2) for a, b in zip(*state, strict=True)]
        return naive_engine.stationary([naive_engine.round_to(points, w) for w in leanings])

    wanted = naive.worst_case(points, T, naive.kl, mixture)
    assert float(realised.realised(K, T).mid()) == pytest.approx(wanted, rel=1e-10)


def test_enclosures_hold_the_value_and_are_narrow():
    low, high = enclosures.enclosed("inner", 4, 4)
    value = naive.value(minimax.solve(float_grid(2), 4).grid.points.tolist(), 4, naive.kl)
    assert float(low.mid()) == pytest.approx(value, rel=1e-12)
    assert upper(high - low) < 1e-13


@pytest.mark.parametrize("K", [3, 4, 5])
def test_mixtures_of_pair_in_balls_hold_the_float_ones(K):
    rng = np.random.default_rng(K)
    for _ in range(30):
        counts = rng.integers(0, 6, (2, K - 1))
        state = tuple(tuple(row) for row in counts.tolist())
        shares, wanted = pair.shares(state, K), pair_mixture(counts, inner_floats(K))
        assert sorted(shares) == np.flatnonzero(wanted).tolist()
        assert [float(shares[i].mid()) for i in sorted(shares)] == pytest.approx(
            wanted[wanted > 0], rel=1e-12
        )


def test_a_mean_whose_side_is_not_certain_is_an_error():
    with pytest.raises(Undecided, match="side of 1/3"):
        pair.above(Fraction(1, 3), arb(0.3, 0.1))


def test_exponential_moment_of_one_round_by_hand():
    # At K = 3 the first forecast is 1/4; the outcome 1 costs log 4, the bound is log 4 + log(4/3).
    assert pair.moment(3, 1).overlaps(arb(3).sqrt() / 2)


def test_strictness_fails_in_one_round_where_the_algorithm_is_optimal():
    assert not realised.realised_sandwich(first=1).holds
    assert realised.realised(2, 1).overlaps(arb(2).log())


def test_refining_needs_a_grid_that_contains_the_other():
    assert observed.refining().holds
    assert not observed.refining(((2, 3),)).holds
