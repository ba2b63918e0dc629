"""The claims of Section 6: exact thresholds, steps of the proofs, and what turns them red."""

from __future__ import annotations

import math
from fractions import Fraction as F

import numpy as np
import pytest
from scipy import stats

from klcal import bounds
from klcal.claims import REGISTRY, high_probability
from klcal.claims.high_probability import _common, allowed_failures, corollary, equations, theorem
from klcal.games.deviations import Draws

CLAIMS = {claim.label: claim for claim in high_probability.CLAIMS}
ROWS = set(range(95, 102))


def test_the_rows_of_the_inventory_and_all_equations_of_appendix_d_are_covered():
    assert {row for claim in CLAIMS.values() for row in claim.rows} == ROWS
    numbers = {claim.number for claim in CLAIMS.values()}
    assert {f"Equation {n}" for n in range(11, 18)} <= numbers
    assert any("Theorem 3" in n and "Theorem 4" in n for n in numbers)


def test_every_use_names_an_entry_of_the_ledger():
    assert {use for claim in CLAIMS.values() for use in claim.uses} <= CLAIMS.keys() | set(REGISTRY)


# ----- thresholds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("trials", [1, 7, 60, 400])
@pytest.mark.parametrize("delta", [F(1, 2), F(1, 5), F(1, 20), F(1, 1000)])
@pytest.mark.parametrize("tests", [1, 480])
def test_thresholds_are_binomial_quantiles(trials, delta, tests):
    k = allowed_failures(trials, delta, tests)
    law = stats.binom(trials, float(delta))
    assert law.sf(k) <= 1e-6 / tests
    assert k == 0 or law.sf(k - 1) > 1e-6 / tests


def test_the_threshold_of_two_fair_trials_allows_both():
    assert allowed_failures(2, F(1, 2)) == 2
    # Two failures or more: 3e-6 - 2e-9, above a millionth. Three: 1e-9.
    assert allowed_failures(3, F(1, 1000)) == 2


def sample(failing):
    """Replicates of which the given number has Cal_2 = 1 and the others 0; PCal_2 = 0."""
    counts = np.array([[[0.0], [2.0]]] * failing + [[[1.0], [1.0]]] * (400 - failing)) * 2
    return Draws(np.array([0.5]), np.array([[[2.0], [2.0]]]), counts)


@pytest.mark.parametrize(("failing", "holds"), [(0, True), (44, True), (45, False), (400, False)])
def test_coverage_is_rejected_exactly_beyond_the_threshold(failing, holds):
    assert allowed_failures(400, F(1, 20), 1) == 44
    evidence = _common.covered("test", [sample(failing)], lambda draws, _: draws.cal2 > 0.5, [F(1, 20)])
    assert evidence.holds is holds
    assert evidence.measured == failing / 44


def test_each_column_is_counted_on_its_own_and_shares_the_million():
    draws = sample(40)

    def two_columns(draws, _):
        fails = draws.cal2 > 0.5
        return np.stack([fails, ~fails], axis=1)

    evidence = _common.covered("test", [draws], two_columns, [F(1, 20)])
    assert not evidence.holds and evidence.parameters["counts"] == 2
    assert evidence.measured == 360 / allowed_failures(400, F(1, 20), 2)


# ----- the repaired theorem ----------------------------------------------------------------------------------


@pytest.mark.parametrize("T", [1, 2, 5, 64, 1000, 10**6])
def test_the_proof_of_the_repaired_bound_holds_at_every_mass(T):
    """For each S up to T some rate of the list gives the deviation that the proof uses; then the cell is cheap."""
    kappa, L = math.e - 2, math.log(4 * (1 + math.ceil(math.log2(T) / 2)))
    rates = 2.0 ** -np.arange(1 + math.ceil(math.log2(T) / 2))
    for S in np.geomspace(1e-3, T, 400):
        width = (kappa * rates * S + L / rates).min()
        if 18 * kappa * L <= S:
            assert width <= S / 2 * (1 + 1e-12) and 6 * width**2 / S <= 27 * kappa * L * (1 + 1e-12)
        else:
            assert S + width <= 27 * kappa * L * (1 + 1e-12)


def test_one_rate_fewer_would_not_reach_the_largest_mass():
    assert theorem.rates_suffice().holds and not theorem.rates_suffice(1).holds


def test_the_repaired_bound_in_the_ledger_is_that_of_the_package():
    evidence = theorem.repaired()
    constant = float(evidence.measured) * (math.e - 2)
    assert bounds.theorem_3(0.0, 5, 0.1, T=100, version="repaired") == pytest.approx(
        constant * 5 * math.log(4 * 5 * 5 / 0.1)
    )


# ----- the counterexample ----------------------------------------------------------------------------------


def test_the_walk_goes_far_enough_in_each_stretch():
    k = int(theorem.counterexample().parameters["stretches"])
    theta = 6 + 288 * math.log(240)
    assert k == math.floor(128 * theta) + 1
    # In units of 2^j: k stretches of length 1, each moving by 1/2, against 2k rounds.
    assert (k / 2) ** 2 > 16 * theta * 2 * k
    assert ((k - 2) / 2) ** 2 < 16 * theta * 2 * (k - 2)


@pytest.mark.parametrize("pieces", [127, 64])
def test_too_few_stretches_are_noticed(pieces):
    evidence = theorem.counterexample(pieces=pieces)
    assert not evidence.holds and "after a success" in evidence.method


def test_a_smaller_delta_needs_more_stretches():
    few, many = (int(theorem.counterexample(d).parameters["stretches"]) for d in (F(1, 2), F(1, 1000)))
    assert few < many
    assert not theorem.counterexample(F(9, 10)).holds  # 1 - e^-2 is not above 0.9


def test_a_mistake_in_the_formula_for_pseudo_calibration_is_noticed(monkeypatch):
    monkeypatch.setattr(theorem, "stopped_pcal2", lambda T, stop: F(stop, 2 * T**2))
    evidence = theorem.pseudo_is_small()
    assert not evidence.holds and "formula" in evidence.method


def test_the_printed_bound_is_safe_up_to_two_to_the_7382_and_not_proved_beyond():
    assert theorem.feasible(7382).holds and not theorem.feasible(7383).holds


def test_stopping_is_exact():
    evidence = theorem.stopping()
    assert isinstance(evidence.measured, F) and evidence.measured.denominator == 2**63


# ----- coverage --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [1.0, 0.02])
def test_a_changed_bound_changes_coverage(scale, monkeypatch):
    original = bounds.theorem_3
    monkeypatch.setattr(bounds, "theorem_3", lambda *a, **k: scale * original(*a, **k))
    assert theorem.known_in_advance().holds is (scale == 1.0)


def test_a_changed_deviation_is_noticed(monkeypatch):
    original = bounds.count_deviation
    monkeypatch.setattr(bounds, "count_deviation", lambda *a: 0.3 * original(*a))
    assert not equations.equation_16().holds


def test_the_rows_of_the_proof_are_in_order_only_with_the_factor_two():
    assert equations.lines_in_order().holds and not equations.lines_in_order(0.5).holds


def test_the_corollary_is_checked_where_it_says_something():
    T, K = _common.T, 11
    assert bounds.corollary_3(T, K, 0.05) < T / 4 < bounds.corollary_3(T, K, 0.05, version="paper")


@pytest.mark.parametrize("constant", [0.5, 0.499])
def test_half_the_smoothness_is_the_best_constant(constant):
    assert corollary.smooth_losses(constant).holds is (constant == 0.5)


# ----- the squared-loss algorithm --------------------------------------------------------------------------


def test_the_potential_inequality_on_a_grid_of_masses_and_weights():
    S, p = np.meshgrid(np.linspace(0, 3, 301), np.linspace(0.01, 1, 100))

    def h(s):
        return np.where(s <= 1, s, 1 + np.log(np.maximum(s, 1)))

    slack = h(S + p) - h(S) - p**2 / (S + p)
    assert slack.min() >= -1e-15 and slack.min() < 1e-3
    assert not corollary.regret_potential(F(7, 10)).holds


@pytest.mark.parametrize("change", [1.001, 0.999])
def test_a_changed_bound_on_the_squared_loss_algorithm_is_noticed(change, monkeypatch):
    original = bounds.squared_loss_pcal2
    monkeypatch.setattr(bounds, "squared_loss_pcal2", lambda *a: change * original(*a))
    assert not corollary.squared_loss().holds
