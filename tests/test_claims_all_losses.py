"""The claims on all losses at once: rows, their exact ingredients, and mutations that must turn them red."""

from __future__ import annotations

import itertools
from fractions import Fraction as F

import numpy as np
import pytest

from klcal import adversaries, bounds, measures
from klcal.claims import REGISTRY, all_losses
from klcal.claims.all_losses import _common, corollary, grid, ladder, smooth
from klcal.claims.all_losses._common import Kink, loss_of, optimum, profile, regret_of, small_games
from klcal.exact.counterexamples import ExactCells

CLAIMS = {claim.label: claim for claim in all_losses.CLAIMS}
FOUR_CELLS = ExactCells(
    tuple(F(k, 8) for k in (1, 3, 5, 7)), (F(8),) * 4, tuple(map(F, (3, 2, 7, 4)))
)  # the example of the chapter


def test_every_claim_is_of_this_chapter_and_in_the_ledger_and_the_rows_are_covered():
    assert {claim.chapter for claim in CLAIMS.values()} == {"06_all_losses_at_once"}
    assert CLAIMS.keys() <= REGISTRY.keys() and len(CLAIMS) == len(all_losses.CLAIMS)
    assert {row for claim in CLAIMS.values() for row in claim.rows} == {60, 88, 89, 91}
    assert {use for claim in CLAIMS.values() for use in claim.uses} <= REGISTRY.keys()


def test_the_refutation_of_the_print_names_its_counterexample():
    assert (
        "T/K for every forecaster on the grid"
        in CLAIMS["cor:simultaneous_bounds_psreg"].refute().counterexample
    )


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
    monkeypatch.setitem(all_losses.envelope._MAXIMA, "swap", measures.max_swap_regret)
    monkeypatch.setitem(all_losses.envelope._MAXIMA, "external", measures.max_external_regret)
    for label in MUTATED_MEASURES[name]:
        assert CLAIMS[label].verify().status == "fails"


@pytest.mark.parametrize("factor", [0.999, 1.001])
@pytest.mark.parametrize("name", ["proposition_2", "proposition_3_from_kl", "corollary_2"])
def test_a_changed_constant_in_the_bounds_turns_corollary_2_red(monkeypatch, name, factor):
    original = getattr(bounds, name)
    monkeypatch.setattr(bounds, name, lambda *a, **k: factor * original(*a, **k))
    assert CLAIMS["cor:simultaneous_bounds_psreg"].verify().status == "fails"


@pytest.mark.parametrize("factor", [0.999, 1.001])
def test_a_changed_rate_of_theorem_2_turns_the_rates_red(monkeypatch, factor):
    original = bounds.theorem_2_rate
    monkeypatch.setattr(bounds, "theorem_2_rate", lambda T: factor * original(T))
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
    assert best.value == 2 * sum(best.ends) == value
    assert sorted(kink.place * 8 for kink in best.kinks) == kinks
    assert best.ranges == (2, 2) and best.excess == 0
    assert regret_of(FOUR_CELLS, best.kinks, regret) == value


def test_a_corner_at_one_half_is_supported_by_a_line():
    cells = ExactCells((F(1, 2), F(3, 4)), (F(6), F(4)), (F(5), F(3)))
    best = optimum(cells, "swap")
    assert [kink.place for kink in best.kinks] == [F(1, 2)]
    assert best.value == 4 * 2 == 2 * sum(best.ends) and best.excess == 0 and min(best.ends) >= 0


def test_away_from_one_half_the_chord_gives_a_loss_that_does_not_fit():
    assert max(optimum(FOUR_CELLS, "swap", F(9, 20)).ranges) > 2


def test_the_small_games_hold_forecasts_at_zero_at_one_half_and_fractional_masses():
    games = small_games()
    assert len(set(games)) == len(games)
    assert any(F(0) in cells.points for cells in games) and any(F(1, 2) in cells.points for cells in games)
    assert any(mass.denominator > 1 for cells in games for mass in cells.mass)
    assert max(len(_common.break_points(cells)) for cells in games) >= 6


# --- the ingredients of the other claims ------------------------------------------------------------------


def test_smooth_twin_lies_in_the_class_and_beside_the_kinks():
    best, w = optimum(FOUR_CELLS, "swap"), F(1, 100)
    loss = smooth.smooth_twin(best.kinks, w)
    assert loss.curvature(F(1, 8) + w) == F(1) / w / (1 + 2 * w)  # mass 1, scaled, over the half-width
    assert loss.curvature(F(1, 8) - w) == 0
    assert max(abs(loss(F(k, 40), y)) for k in range(41) for y in (0, 1)) <= 1
    # On both tents the profile falls or is level: 11 - w * 8 of slope on the left tent, all over 1 + 2w.
    assert FOUR_CELLS.swap_regret(loss.divergence) == (11 - 8 * w) / (1 + 2 * w)


def test_one_cell_of_the_capped_program_by_hand():
    assert smooth._one_cell(F(64, 5), F(3, 4)) == (F(6, 5), F(6, 5))
    with pytest.raises(ValueError, match="x must use up the range exactly"):
        smooth._one_cell(F(64, 5), F(4, 5))


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
    assert ladder._straddling(FOUR_CELLS) == 16
    assert ladder._straddling(ExactCells((F(1, 2),), (F(2),), (F(1),))) == 0


def test_costs_of_coins_by_hand():
    coins = dict(grid._coins((F(1, 4), F(3, 4))))
    assert set(coins) == {F(1, 2), F(0), F(1)}
    assert [grid._divergence(coins[F(1, 2)], F(1, 2), z) for z in (F(1, 4), F(3, 4), F(1))] == [F(1, 2)] * 3
    assert [grid._divergence(coins[F(0)], F(0), z) for z in (F(0), F(1, 4))] == [0, F(2, 3)]
    assert not any(grid._outside(kinks) for kinks in coins.values())
    assert grid._outside([Kink(F(1, 2), F(5))])


def test_no_adaptive_forecaster_does_better_than_the_cheapest_forecast():
    """Backward induction over all outcomes: at every state the forecaster picks its best forecast."""
    points = (F(1, 10), F(3, 5), F(9, 10))
    coin, kinks = max(
        grid._coins(points), key=lambda each: min(grid._divergence(each[1], each[0], z) for z in points)
    )
    T, fixed = 3, (*points, coin)

    def lowest(t, mine, paid):
        if t == T:
            return mine - min(paid)
        options = []
        for z in points:
            total = F(0)
            for y, chance in ((0, 1 - coin), (1, coin)):
                after = tuple(cost + loss_of(kinks, q, y) for cost, q in zip(paid, fixed, strict=True))
                total += chance * lowest(t + 1, mine + loss_of(kinks, z, y), after)
            options.append(total)
        return min(options)

    assert lowest(0, F(0), (F(0),) * len(fixed)) == grid.exact_worst_game().measured


def test_the_lower_bound_overtakes_the_print_and_not_yet_at_small_horizons():
    assert grid.beats_the_print().holds
    assert not grid.beats_the_print(T=10**12).holds
    assert grid.beats_the_print(T=10**3, constant=1).holds


def test_games_of_the_corollary_are_those_of_all_adversaries():
    games = corollary.played(50)
    assert games.keys() == {*adversaries.OBLIVIOUS, *adversaries.ADAPTIVE}
    assert {game.horizon for game in games.values()} == {50}
