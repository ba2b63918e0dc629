"""The claims of Sections 1 to 3: coverage of the inventory, and mutations of the bounds."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from klcal import bounds
from klcal.claims import _parts, bregman, losses_and_calibration
from klcal.claims.bregman import growth, slow_loss, supremum
from klcal.claims.losses_and_calibration import calibration
from klcal.exact.counterexamples import slow_loss_regret, spike_loss

CLAIMS = {claim.label: claim for claim in (*losses_and_calibration.CLAIMS, *bregman.CLAIMS)}
ROWS = {*range(1, 31), 57, 59, 60, 89, 90, 91, 92, 93, 102}


def test_labels_are_unique_and_the_rows_of_the_inventory_are_covered():
    assert len(CLAIMS) == len(losses_and_calibration.CLAIMS) + len(bregman.CLAIMS)
    assert {row for claim in CLAIMS.values() for row in claim.rows} == ROWS


def test_every_use_names_a_claim_of_these_sections_or_a_statement_of_another():
    elsewhere = {"pinsker", "cor:cal_2_hp_bound"}
    assert {use for claim in CLAIMS.values() for use in claim.uses} <= CLAIMS.keys() | elsewhere


@pytest.mark.parametrize("label", [label for label, claim in CLAIMS.items() if claim.refute])
def test_a_refutation_names_its_counterexample(label):
    assert CLAIMS[label].refute().counterexample


MUTATED = {
    "cal2_from_kl": "sec1:kl_bounds_cal2",
    "cal1_from_cal2": "sec1:cal1_below_cal2",
    "swap_regret_from_cal1": "appB:swap_regret_below_4_cal1",
    "proposition_2": "new:kl_constants",
    "proposition_3": "prop:bound_breg_div_quadratically/sharp",
    "proposition_3_from_kl": "prop:bound_breg_div_quadratically/kl",
}


@pytest.mark.parametrize("factor", [0.999, 1.001])
@pytest.mark.parametrize("name", MUTATED)
def test_a_changed_constant_in_the_bounds_turns_its_claim_red(monkeypatch, name, factor):
    original = getattr(bounds, name)
    monkeypatch.setattr(bounds, name, lambda *a, **k: factor * original(*a, **k))
    assert CLAIMS[MUTATED[name]].verify().status == "fails"


@pytest.mark.parametrize("name", ["cal2_from_kl", "proposition_3", "proposition_3_from_kl"])
def test_a_changed_constant_of_the_papers_version_turns_its_claim_red(monkeypatch, name):
    original = getattr(bounds, name)

    def mutated(*args, version="sharpened"):
        return original(*args, version=version) * (1.001 if version == "paper" else 1.0)

    monkeypatch.setattr(bounds, name, mutated)
    assert CLAIMS[MUTATED[name]].verify().status == "fails"


@pytest.mark.parametrize(
    ("forecasts", "outcomes", "distance"),
    [
        ([F(1, 2)], [1], F(1, 2)),
        ([F(1, 4), F(3, 4)], [0, 1], F(1, 2)),
        # Split the constant forecast 1/2: the calibrated sequence 1/2, 1/2, 0 is only 1/2 away, Cal_1 is 1/2 as well.
        ([F(1, 2)] * 3, [0, 1, 0], F(1, 2)),
        # Here splitting pays: Cal_1 = 4/5, but (1/2, 1/2, 1) is calibrated and closer.
        ([F(2, 5), F(3, 5), F(1)], [0, 1, 1], F(1, 5)),
    ],
)
def test_the_distance_to_calibration_by_hand(forecasts, outcomes, distance):
    assert calibration.distance_to_calibration(forecasts, outcomes) == distance


def test_there_are_as_many_partitions_as_bells_numbers():
    counts = [sum(1 for _ in calibration._set_partitions(tuple(range(n)))) for n in range(6)]
    assert counts == [1, 1, 2, 5, 15, 52]


@pytest.mark.parametrize(("T", "n"), [(50, 1), (301, 2), (1000, 3)])
def test_the_ball_of_the_slow_losss_regret_holds_the_exact_value(T, n):
    with slow_loss.precision(256):
        found = slow_loss.regret_ball(T, n)
        assert found.contains(slow_loss.ball(slow_loss_regret(T, n)))
        assert float(found.rad()) < 1e-40


def test_the_spike_loss_has_no_violation_and_a_heavy_one_has():
    assert growth.violations(spike_loss(), 20) == 0
    assert not growth._spikes_outgrow(heavy=True).holds


@pytest.mark.parametrize("T", [1, 2, 5, 8])
def test_the_regret_of_a_smoothed_v_tends_to_the_mean_excess(T):
    excess = sum(F(abs(2 * sum((m >> t) & 1 for t in range(T)) - T), 2**T) for m in range(2**T))
    assert supremum._mean_excess(T) == excess
    near = supremum._smoothed_regret(T, F(1, 10**9))
    assert excess - F(T, 10**9) <= near <= excess


def test_jointly_reports_the_first_part_that_fails_and_closed_counts_remainders():
    assert _parts.closed("log-divergence", "squared-divergence", factor=2).measured == 2
    fine = _parts.closed("log-divergence")
    assert _parts.jointly(fine, _parts.closed("log-divergence", factor=2), fine).measured == 1
    assert _parts.jointly(fine, fine).parameters["parts"] == 2
