"""The claims on all losses at once: their exact ingredients, and mutations that must turn them red."""

from __future__ import annotations

import itertools
from fractions import Fraction as F

import numpy as np
import pytest

from klcal import adversaries, bounds, measures
from klcal.claims import REGISTRY
from klcal.claims.all_losses import corollary, grid, smooth
from klcal.exact import kinks as exact
from klcal.exact.cells import ExactCells
from klcal.exact.kinks import Kink, extents, loss_of, optimum, profile, regret_of, small_games
from klcal.losses import v_shaped

CLAIMS = {label: claim for label, claim in REGISTRY.items() if claim.chapter == "06_all_losses_at_once"}
FOUR_CELLS = ExactCells(
    tuple(F(k, 8) for k in (1, 3, 5, 7)), (F(8),) * 4, tuple(map(F, (3, 2, 7, 4)))
)  # the example of the chapter


def test_the_rows_of_the_inventory_are_covered():
    assert {row for claim in CLAIMS.values() for row in claim.rows} == {60, 88, 89, 91}


def test_corollary_2_is_refuted_by_one_loss_and_quotes_the_papers_disclaimer():
    claim = CLAIMS["cor:simultaneous_bounds_psreg"]
    assert "fails for a single loss" in claim.refutations[0].run().counterexample
    assert "Henceforth, all subsequent results related to (pseudo) swap regret" in claim.repair


# --- a mutated measure or bound is noticed ----------------------------------------------------------------

MUTATED_MEASURES = {
    "max_swap_regret": ("new:msr_is_an_envelope", "new:max_regret_over_L_G/capped"),
    "max_external_regret": ("new:ucal_is_an_envelope",),
    "regret_ladder": ("new:regret_ladder",),
    "swap_regret": ("new:one_game_all_losses", "new:grid_lower_bound/algorithm"),
    "calibration_bounds": ("new:one_game_all_losses",),
}


@pytest.mark.parametrize("name", MUTATED_MEASURES)
def test_a_changed_measure_turns_its_claims_red(monkeypatch, name):
    original = getattr(measures, name)
    factor = 0.9 if name == "calibration_bounds" else 1.1

    def changed(*args, **kwargs):
        value = original(*args, **kwargs)
        if isinstance(value, dict):
            return {key: factor * number for key, number in value.items()}
        return tuple(factor * each for each in value) if isinstance(value, tuple) else factor * value

    monkeypatch.setattr(measures, name, changed)
    for label in MUTATED_MEASURES[name]:
        assert CLAIMS[label].verify().status == "fails"


@pytest.mark.parametrize("factor", [0.99, 1.01])
def test_a_changed_rate_of_theorem_2_turns_the_rates_red(monkeypatch, factor):
    original = bounds.theorem_2_rate
    monkeypatch.setattr(bounds, "theorem_2_rate", lambda *a, **k: factor * original(*a, **k))
    assert CLAIMS["cor:simultaneous_bounds_psreg/rates"].verify().status == "fails"


# --- kinked losses in fractions ---------------------------------------------------------------------------


def test_a_kink_charges_what_lies_above_it():
    kink = Kink(F(1, 4), F(2), F(1, 3))
    assert [kink.loss(F(1, 8), y) for y in (0, 1)] == [0, 0]
    assert [kink.loss(F(1, 2), y) for y in (0, 1)] == [F(1, 2), F(-3, 2)]
    assert [kink.loss(F(1, 4), y) for y in (0, 1)] == [F(1, 6), F(-1, 2)]


@pytest.mark.parametrize("place", [F(0), F(1, 3), F(1)])
def test_a_kinked_loss_is_proper(place):
    kinks = (Kink(place, F(3), F(1, 5)), Kink(F(3, 4), F(1)))
    places = [F(k, 12) for k in range(13)]
    for rho, p in itertools.product(places, repeat=2):
        expected = [rho * loss_of(kinks, q, 1) + (1 - rho) * loss_of(kinks, q, 0) for q in (rho, p)]
        assert expected[0] <= expected[1]


def test_profile_of_four_cells_by_hand():
    # Cells at 1/8, 3/8, 5/8, 7/8 with means 3/8, 1/4, 7/8, 1/2.
    heights = {u: profile(FOUR_CELLS, u, "swap") for u in (F(0), F(1, 8), F(1, 4), F(5, 8), F(7, 8), F(1))}
    assert list(heights.values()) == [0, 2, 1, 3, 3, 0]
    assert profile(FOUR_CELLS, F(5, 8), "swap", F(1)) == 1  # the forecast 5/8 counted above its kink
    assert profile(FOUR_CELLS, F(1, 2), "external") == -3


@pytest.mark.parametrize(("regret", "value", "kinks"), [("swap", 11, [1, 5]), ("external", 10, [1, 7])])
def test_optimum_of_four_cells_by_hand(regret, value, kinks):
    best = optimum(FOUR_CELLS, regret)
    assert best.value == value
    assert sorted(kink.place * 8 for kink in best.kinks) == kinks
    assert extents(best.kinks) == (2, 2)
    assert regret_of(FOUR_CELLS, best.kinks, regret) == value


def test_a_corner_at_one_half_is_one_kink():
    cells = ExactCells((F(1, 2), F(3, 4)), (F(6), F(4)), (F(5), F(3)))
    best = optimum(cells, "swap")
    assert [kink.place for kink in best.kinks] == [F(1, 2)]
    assert best.value == 4 * 2


def test_the_small_games_hold_forecasts_at_zero_at_one_half_and_fractional_masses():
    games = small_games()
    assert len(set(games)) == len(games)
    assert any(F(0) in cells.points for cells in games) and any(F(1, 2) in cells.points for cells in games)
    assert any(mass.denominator > 1 for cells in games for mass in cells.mass)
    assert max(len(exact.break_points(cells)) for cells in games) >= 6


# --- the ingredients of the other claims ------------------------------------------------------------------


def test_smooth_twin_lies_in_the_class_and_beside_the_kinks():
    best, w = optimum(FOUR_CELLS, "swap"), F(1, 100)
    loss = exact.smooth_twin(best.kinks, w)
    assert loss.curvature(F(1, 8) + w) == F(1) / w / (1 + 2 * w)  # mass 1, scaled, over the half-width
    assert loss.curvature(F(1, 8) - w) == 0
    assert max(abs(loss(F(k, 40), y)) for k in range(41) for y in (0, 1)) <= 1
    # On both tents the profile falls or is level: 11 - w * 8 of slope on the left tent, all over 1 + 2w.
    assert FOUR_CELLS.swap_regret(loss.divergence) == (11 - 8 * w) / (1 + 2 * w)


def test_a_free_supergradient_at_zero_exceeds_the_maximum_over_the_smooth_class():
    """Why the claim asks for one-sided derivatives at 0 and 1: no cap on the curvature sees the slope at an end."""
    ends = measures.Cells([0.0], [1], [1])
    assert measures.max_swap_regret(ends, smoothness=1) == 0.5
    assert measures.swap_regret(ends, v_shaped(0, tie=-1)) == measures.max_swap_regret(ends) == 2.0


def test_height_of_random_cells_is_their_profile(seed):
    cells = smooth._random_cells(seed)
    exact = measures.v_profile(cells)
    middles = (exact.points[1:] + exact.points[:-1]) / 2
    np.testing.assert_allclose(
        smooth._height(cells, middles), (exact.right[:-1] + exact.left[1:]) / 2, atol=1e-12
    )


@pytest.mark.parametrize("cap", [4.5, 8.0, 40.0])
def test_the_program_and_its_dual_close_in_on_one_value(cap):
    low, high = smooth._sandwich(smooth._random_cells(3), cap, mesh=1200)
    assert low * (1 - 1e-12) <= high <= low * (1 + 2e-4)


def test_straddling_mass_by_hand():
    assert exact.straddling_mass(FOUR_CELLS) == 16
    assert exact.straddling_mass(ExactCells((F(1, 2),), (F(2),), (F(1),))) == 0


def test_costs_of_coins_by_hand():
    coins = dict(exact.unlucky_coins((F(1, 4), F(3, 4))))
    assert set(coins) == {F(1, 2), F(0), F(1)}
    costs = [exact.divergence_of(coins[F(1, 2)], F(1, 2), z) for z in (F(1, 4), F(3, 4), F(1))]
    assert costs == [F(1, 2)] * 3
    assert [exact.divergence_of(coins[F(0)], F(0), z) for z in (F(0), F(1, 4))] == [0, F(2, 3)]
    assert max(max(extents(kinks)) for kinks in coins.values()) == 2


@pytest.mark.parametrize("N", [1, 2, 3, 4])
def test_every_set_of_forecasts_has_a_coin_that_costs_its_share(N):
    for points in itertools.combinations([F(k, 8) for k in range(9)], N):
        assert grid._dearest(points) * (2 * N - 1) >= 1


def test_games_of_the_corollary_are_those_of_all_adversaries():
    games = corollary.games(50)
    assert games.keys() == {*adversaries.OBLIVIOUS, *adversaries.ADAPTIVE}
    assert {game.horizon for game in games.values()} == {50}
