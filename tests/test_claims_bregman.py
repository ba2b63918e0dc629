"""The claims of Section 3: rows of the inventory, mutations of the bounds, and the losses that refute."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from klcal.claims import REGISTRY
from klcal.claims.bregman import growth, slow_loss
from klcal.exact.balls import ball, precision
from klcal.exact.binomial import binomial_expectation
from klcal.exact.counterexamples import (
    Tent,
    TentLoss,
    mean_absolute_deviation,
    mean_absolute_deviation_ball,
    slow_loss_regret,
    spike_loss,
)

CLAIMS = {label: claim for label, claim in REGISTRY.items() if claim.chapter == "02_swap_regret_is_bregman"}
ROWS = {*range(12, 18), *range(19, 31), 57, 59, 60, 90, 92, 93}


def test_the_rows_of_the_inventory_are_covered():
    assert {row for claim in CLAIMS.values() for row in claim.rows} == ROWS


@pytest.mark.parametrize("label", [label for label, claim in CLAIMS.items() if claim.refutations])
def test_a_refutation_names_its_counterexample(label):
    assert any(check.run().counterexample for check in CLAIMS[label].refutations)


def test_the_corollaries_fall_for_one_loss_and_every_power_of_the_logarithm_but_not_for_the_root():
    assert slow_loss.outgrows(F(1, 3), 100).holds
    assert slow_loss.outgrows(F(499, 1000), 0).holds
    assert not slow_loss.outgrows(F(1, 2), 0).holds


@pytest.mark.parametrize(("T", "n"), [(50, 1), (301, 2), (1000, 3)])
def test_the_ball_of_the_slow_losss_regret_holds_the_exact_value(T, n):
    with precision(256):
        ball_of_regret = slow_loss.regret_ball(T, n)
        assert ball_of_regret.contains(ball(slow_loss_regret(T, n)))
        assert float(ball_of_regret.rad()) < 1e-15
        assert mean_absolute_deviation_ball(T, F(1, n + 1)).contains(
            ball(mean_absolute_deviation(T, F(1, n + 1)))
        )


@pytest.mark.parametrize(("T", "p"), [(4, F(1, 2)), (9, F(1, 3)), (40, F(1, 4))])
def test_the_mean_deviation_is_at_least_half_the_standard_deviation(T, p):
    variance = T * p * (1 - p)
    fourth = binomial_expectation(T, p, lambda k: (k - T * p) ** 4)
    assert fourth == 3 * variance**2 + variance * (1 - 6 * p * (1 - p))
    assert mean_absolute_deviation(T, p) ** 2 >= variance**3 / fourth >= variance / 4


def test_the_spike_loss_stays_in_its_class_and_a_heavy_one_does_not():
    heavy = TentLoss(lambda n: Tent(F(1, 2**n), F(1, 2 ** (3 * n + 2)), F(1)), F(-1, 6), F(-1, 2))
    assert growth.outside_the_class(spike_loss(), 20) == 0
    assert growth.outside_the_class(heavy, 20) > 0
