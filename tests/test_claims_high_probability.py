"""The claims of Section 6: rows of the inventory, steps of the proofs on numbers, and what turns them red."""

from __future__ import annotations

import math
from fractions import Fraction as F

import pytest

from klcal import bounds
from klcal.claims import REGISTRY
from klcal.claims.high_probability import corollary, squared_loss, theorem

CLAIMS = {label: claim for label, claim in REGISTRY.items() if claim.chapter == "07_high_probability"}


def test_the_rows_of_the_inventory_and_all_equations_of_appendix_d_are_covered():
    assert {row for claim in CLAIMS.values() for row in claim.rows} == set(range(95, 102))
    numbers = {claim.number for claim in CLAIMS.values()}
    assert {f"Equation {n}" for n in range(11, 18)} <= numbers
    assert any("Theorem 3" in n and "Theorem 4" in n for n in numbers)


# ----- the repaired theorem --------------------------------------------------------------------------------
def test_the_constants_that_coq_proves_are_those_of_the_package():
    kappa = math.e - 2
    assert bounds.theorem_3(0.0, 5, 0.1) == pytest.approx(24 * kappa * 5 * math.log(3 * 5 / 0.1))
    repaired = bounds.theorem_3(0.0, 5, 0.1, T=100, version="repaired")
    assert repaired == pytest.approx(27 * kappa * 5 * math.log(4 * 5 * 5 / 0.1))


# ----- the counterexample ----------------------------------------------------------------------------------
def test_the_walk_goes_far_enough_in_each_stretch():
    k = int(theorem.counterexample().parameters["stretches"])
    theta = 6 + 288 * math.log(240)
    assert k == math.floor(128 * theta) + 1
    # In units of 2^j: k stretches of length 1, each moving by 1/2, against 2k rounds.
    assert (k / 2) ** 2 > 16 * theta * 2 * k
    assert ((k - 2) / 2) ** 2 < 16 * theta * 2 * (k - 2)


def test_a_smaller_delta_needs_more_stretches():
    few, many = (int(theorem.counterexample(d).parameters["stretches"]) for d in (F(1, 2), F(1, 1000)))
    assert few < many
    assert not theorem.counterexample(F(9, 10)).holds  # 1 - e^-2 is not above 0.9


def test_a_mistake_in_the_formula_for_pseudo_calibration_is_noticed(monkeypatch):
    monkeypatch.setattr(theorem, "stopped_pcal2", lambda T, stop: F(stop, 2 * T**2))
    evidence = theorem.pseudo_is_small()
    assert not evidence.holds and "formula" in evidence.method


def test_stopping_is_exact():
    evidence = theorem.stopping()
    assert isinstance(evidence.measured, F) and evidence.measured.denominator == 2**63


# ----- Corollary 3 -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("T", [2, 3, 5, 100, 10**4, 10**9])
@pytest.mark.parametrize("delta", [1.0, 0.05, 1e-12])
def test_both_versions_of_corollary_3_are_within_their_rate(T, delta):
    K = max(2, math.ceil((T / math.log(T)) ** (1 / 3)))
    rate = (T / math.log(T)) ** (1 / 3) * math.log(T / delta)
    assert bounds.corollary_3(T, K, delta) <= 119 * rate
    assert bounds.corollary_3(T, K, delta, version="repaired") <= 191 * rate
    assert 1 + math.ceil(math.log2(T) / 2) <= T


def test_a_changed_bound_turns_corollary_3_red(monkeypatch):
    original = bounds.corollary_3
    monkeypatch.setattr(bounds, "corollary_3", lambda *a, **k: 1.01 * original(*a, **k))
    assert not corollary.rate_for_all_delta().holds


# ----- the squared-loss algorithm --------------------------------------------------------------------------
@pytest.mark.parametrize("change", [1.001, 0.999])
def test_a_changed_bound_on_the_squared_loss_algorithm_is_noticed(change, monkeypatch):
    original = bounds.squared_loss_pcal2
    monkeypatch.setattr(bounds, "squared_loss_pcal2", lambda *a: change * original(*a))
    assert CLAIMS[squared_loss.LABEL].verify().status == "fails"
