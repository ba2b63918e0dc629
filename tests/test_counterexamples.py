"""The counterexamples, each derived a second time from its definition."""

from __future__ import annotations

import dataclasses
import itertools
import math
from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klcal.exact.counterexamples import (
    SIGNED_CANCELLATION,
    BoundaryLoss,
    DrawTree,
    ExactCells,
    SharpV,
    Tent,
    TentLoss,
    mean_absolute_deviation,
    point_masses,
    slow_loss,
    slow_loss_regret,
    smoothed_v,
    spike_loss,
    two_round_tree,
)

unit = st.integers(0, 840).map(lambda k: F(k, 840))
# The slow loss has 10^n-digit denominators at its n-th spike, 1/(n+1): stay right of the fourth.
inside = st.integers(189, 840).map(lambda k: F(k, 840))
far_down = st.integers(1, 10**9).map(lambda k: F(1, k))
FAMILIES = {"spike": spike_loss(), "blunt": spike_loss(2), "slow": slow_loss(), "v": smoothed_v(F(1, 7))}


def simpson(density, left, right):
    """Return the exact integral of a polynomial of degree at most 3."""
    return (right - left) / 6 * (density(left) + 4 * density((left + right) / 2) + density(right))


def pieces(tent, p):
    """Return the intervals right of p on which the tent is linear."""
    knots = sorted({p, *(max(p, knot) for knot in (tent.left, tent.centre, tent.right))})
    return itertools.pairwise(knots)


@given(p=unit, centre=st.integers(10, 30).map(lambda k: F(k, 40)), width=st.integers(4, 60))
def test_a_tents_integrals_are_those_of_its_density(p, centre, width):
    tent = Tent(centre, F(1, width), F(2, 3))
    mass = sum(simpson(tent.density, a, b) for a, b in pieces(tent, p))
    excess = sum(simpson(lambda u: (u - p) * tent.density(u), a, b) for a, b in pieces(tent, p))
    assert tent.mass_above(p) == mass
    assert tent.excess_above(p) == excess
    assert tent.mass_above(F(0)) == F(2, 3)


@pytest.mark.parametrize(
    ("centre", "width", "mass", "message"),
    [
        (F(1, 2), F(0), F(1), "half_width must be positive"),
        (F(1, 2), F(1, 4), F(0), "mass must be positive"),
        (F(1, 8), F(1, 4), F(1), "centre must lie"),
        (F(7, 8), F(1, 4), F(1), "centre must lie"),
    ],
)
def test_a_tent_must_have_width_and_mass_and_fit_into_the_unit_interval(centre, width, mass, message):
    with pytest.raises(ValueError, match=message):
        Tent(centre, width, mass)


@pytest.mark.parametrize("name", FAMILIES)
@given(p=inside, q=inside)
def test_a_tent_loss_is_proper(name, p, q):
    loss = FAMILIES[name]
    assert loss.entropy(p) == p * loss(p, 1) + (1 - p) * loss(p, 0)
    assert loss.entropy(p) <= p * loss(q, 1) + (1 - p) * loss(q, 0)
    assert loss.divergence(p, q) == p * (loss(q, 1) - loss(p, 1)) + (1 - p) * (loss(q, 0) - loss(p, 0))


@pytest.mark.parametrize("name", FAMILIES)
@given(p=inside)
def test_a_tent_loss_stays_between_minus_one_and_one(name, p):
    assert all(-1 <= FAMILIES[name](p, y) <= 1 for y in (0, 1))


@given(p=far_down)
def test_the_spike_loss_stays_between_minus_a_sixth_and_a_half(p):
    loss = spike_loss()
    assert 0 <= loss(p, 0) <= F(1, 3)
    assert F(-1, 6) <= loss(p, 1) <= F(1, 2)
    assert abs(loss.slope(p)) <= F(1, 2)


@pytest.mark.parametrize("name", FAMILIES)
@given(p=inside, q=inside)
def test_slope_is_the_integral_of_curvature_and_entropy_that_of_the_slope(name, p, q):
    loss, (p, q) = FAMILIES[name], sorted((p, q))
    knots = {p, q}
    for tent in loss.tents_above(p):
        knots |= {min(q, max(p, knot)) for knot in (tent.left, tent.centre, tent.right)}
    steps = list(itertools.pairwise(sorted(knots)))
    assert loss.slope(p) - loss.slope(q) == sum(simpson(loss.curvature, a, b) for a, b in steps)
    assert loss.entropy(q) - loss.entropy(p) == sum(simpson(loss.slope, a, b) for a, b in steps)


@pytest.mark.parametrize(("name", "spikes"), [("spike", 40), ("blunt", 40), ("slow", 4)])
def test_neighbouring_tents_are_disjoint(name, spikes):
    tents = [FAMILIES[name].tent(n) for n in range(1, spikes + 1)]
    assert all(right.left > left.right for right, left in itertools.pairwise(tents))
    assert tents[0].right < 1


@pytest.mark.parametrize("spikes", [1, 5, 30])
def test_the_spikes_have_total_mass_one_and_the_form_starts_at_zero_with_slope_one_half(spikes):
    # Left of the first `spikes` tents lie mass 2^-spikes and moment 4^-spikes / 3.
    loss = spike_loss()
    p = loss.tent(spikes).left
    mass_below, moment_below = F(1, 2**spikes), F(1, 3 * 4**spikes)
    assert loss.slope(p) + mass_below == F(1, 2)
    # l(p, 0) = f(0) + integral of u dmu over [0, p].
    assert loss(p, 0) - moment_below == 0


@pytest.mark.parametrize("n", [1, 2, 7, 30, 60])
def test_the_spikes_outgrow_every_multiple_of_one_over_p(n):
    p = F(1, 2**n)
    assert p * spike_loss().curvature(p) == 2 ** (n + 2)
    assert p * spike_loss(2).curvature(p) == 4


@pytest.mark.parametrize("n", [1, 5, 20])
def test_at_a_spike_the_divergence_outgrows_chi_square(n):
    loss, p, w = spike_loss(), F(1, 2**n), F(1, 2 ** (3 * n + 2))
    # Half of a tent, seen from its right end: integral of (w - t)(w - t)/w^2 m dt = m w / 3.
    assert loss.divergence(p + w, p) == p * w / 3
    chi_square = w**2 / (p * (1 - p))
    assert loss.divergence(p + w, p) / chi_square == (1 - p) * 2 ** (n + 2) / 3


def test_infinitely_many_tents_have_no_value_at_zero():
    with pytest.raises(ValueError, match="p must be positive where infinitely many tents"):
        spike_loss().slope(0)
    with pytest.raises(ValueError, match=r"p must lie in \[0, 1\]"):
        spike_loss().slope(F(3, 2))
    with pytest.raises(ValueError, match="y must be 0 or 1"):
        spike_loss()(F(1, 2), 2)
    with pytest.raises(ValueError, match="sharpness must be an integer that is at least 2"):
        spike_loss(1)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_slow_losss_spikes_have_the_stated_place_weight_and_width(n):
    loss = slow_loss()
    left = loss.tent(n).left
    assert loss.slope(left) - loss.slope(1) == 1 - F(1, n + 1)
    assert loss.curvature(F(1, n + 1)) == F(10 ** (10**n), n * (n + 1))


@pytest.mark.parametrize(("T", "n"), [(1, 1), (7, 1), (30, 1), (12, 2), (31, 2), (9, 3)])
def test_the_slow_losss_regret_bound_lies_below_the_expected_divergence(T, n):
    # Dropping tents can only lower a divergence, and a finite family has values down to 0.
    loss, p = dataclasses.replace(slow_loss(), count=n), F(1, n + 1)
    truth = sum(
        math.comb(T, k) * p**k * (1 - p) ** (T - k) * T * loss.divergence(F(k, T), p) for k in range(T + 1)
    )
    assert slow_loss_regret(T, n) <= truth


@pytest.mark.parametrize("T", [1, 2, 9, 30])
def test_the_slow_losss_regret_bound_is_sharp_when_only_one_spike_counts(T):
    loss, half = dataclasses.replace(slow_loss(), count=1), F(1, 2)
    truth = sum(math.comb(T, k) * half**T * T * loss.divergence(F(k, T), half) for k in range(T + 1))
    assert 0 <= truth - slow_loss_regret(T, 1) <= F(T, 4 * 10**10)


@given(T=st.integers(1, 60), p=unit)
def test_de_moivres_formula_is_the_mean_absolute_deviation(T, p):
    naive = sum(math.comb(T, k) * p**k * (1 - p) ** (T - k) * abs(k - T * p) for k in range(T + 1))
    assert mean_absolute_deviation(T, p) == naive


@pytest.mark.parametrize("w", [F(1, 2), F(1, 10), F(1, 10**6)])
def test_the_smoothed_v_is_the_v_outside_its_tent(w):
    loss = smoothed_v(w)
    for p in (F(0), F(1, 2) - w, F(1, 2) + w, F(1)):
        assert loss.entropy(p) == -abs(1 - 2 * p)
    assert loss.entropy(F(1, 2)) == -2 * w / 3
    assert loss.curvature(F(1, 2)) == 4 / w
    assert {loss(F(0), 0), loss(F(0), 1), loss(F(1), 0), loss(F(1), 1)} == {-1, 1}


def test_a_finite_family_may_be_evaluated_at_zero():
    empty = TentLoss(lambda _: Tent(F(1, 2), F(1, 4), F(1)), F(0), F(0), count=0)
    assert empty.entropy(0) == empty.slope(0) == empty.curvature(0) == 0


@given(p=unit, q=unit, slope=st.integers(10, 20).map(lambda k: F(k, 20)))
def test_the_boundary_loss_is_proper_and_bounded_for_every_supergradient_at_zero(p, q, slope):
    loss = BoundaryLoss(F(1), slope)
    assert p * loss(q, 1) + (1 - p) * loss(q, 0) >= p * loss(p, 1) + (1 - p) * loss(p, 0)
    assert all(-1 <= loss(q, y) <= 1 for y in (0, 1))
    if q > 0 or slope == F(1, 2):
        assert loss.divergence(p, q) == (p - q) ** 2 / 2


def test_a_noncanonical_supergradient_at_zero_breaks_the_quadratic_bound():
    loss = BoundaryLoss(F(1), F(1))
    p = F(1, 10)
    assert loss.divergence(p, F(0)) == (0 - p * (1 - p) / 2) + 1 * p == F(11, 200)
    with pytest.raises(ValueError, match="slope_at_zero must be at least smoothness / 2"):
        BoundaryLoss(F(1), F(1, 3))


@given(p=unit, q=unit, slope=st.integers(-8, 8).map(lambda k: F(k, 4)))
def test_the_sharp_v_is_proper_and_fills_the_allowed_range(p, q, slope):
    loss = SharpV(slope)
    assert p * loss(q, 1) + (1 - p) * loss(q, 0) >= p * loss(p, 1) + (1 - p) * loss(p, 0) == -abs(1 - 2 * p)
    assert {loss(F(0), 0), loss(F(0), 1), loss(F(1), 0), loss(F(1), 1)} == {-1, 1}
    assert all(-1 <= loss(q, y) <= 1 for y in (0, 1))


def test_the_sharp_v_has_a_supergradient_between_its_two_slopes():
    with pytest.raises(ValueError, match=r"slope_at_kink must lie in \[-2, 2\]"):
        SharpV(F(9, 4))


def test_the_signed_sum_cancels_although_both_cells_are_off():
    forecasts, outcomes = SIGNED_CANCELLATION
    cells = ExactCells.from_rounds(point_masses(*forecasts), outcomes)
    errors = [sum(p - y for p, y in zip(forecasts, outcomes, strict=True) if p == z) for z in set(forecasts)]
    assert sorted(errors) == [F(-3, 5), F(3, 5)]
    assert cells.signed_error(1) == 0
    assert cells.calibration_error(1) == F(6, 5)
    assert cells.signed_error(2) == cells.calibration_error(2) == F(9, 25)


def test_exact_cells_group_points_and_drop_those_without_weight():
    cells = ExactCells.from_rounds(
        [{F(1, 2): F(1), F(1, 3): F(0)}, {F(1, 2): F(1, 4), F(1): F(3, 4)}], [1, 0]
    )
    assert list(cells) == [(F(1, 2), F(5, 4), F(4, 5)), (F(1), F(3, 4), F(0))]
    assert cells.swap_regret(lambda rho, p: (rho - p) ** 2) == cells.calibration_error(2)
    with pytest.raises(ValueError, match=r"mixtures must have the length of outcomes \(1\); got 0"):
        ExactCells.from_rounds([], [1])


def test_the_two_round_tree_has_the_stated_regrets_by_hand():
    tree = two_round_tree()
    near, far = F(1, 2), F(51, 100)
    assert [branch.forecasts for branch in tree.branches] == [(near, near), (far, far)]
    realised = [0, 2 * (far - F(1, 2)) ** 2]
    # The repeated point has mass 3/2 and mean 1/3, the other one mass 1/2 and mean 1.
    expected = [
        F(3, 2) * (repeated - F(1, 3)) ** 2 + F(1, 2) * (other - 1) ** 2
        for repeated, other in ((near, far), (far, near))
    ]
    assert tree.expected_swap_regret() == sum(realised) / 2 == F(1, 10000)
    assert tree.expected_pseudo_swap_regret() == sum(expected) / 2 == F(5003, 30000)


@given(weights=st.lists(st.integers(0, 9), min_size=1, max_size=4), data=st.data())
def test_a_tree_of_independent_draws_is_the_product_measure(weights, data):
    outcomes = data.draw(st.lists(st.integers(0, 1), min_size=len(weights), max_size=len(weights)))
    weights, low, high = [F(w, 9) for w in weights], F(1, 3), F(3, 4)
    tree = DrawTree.grow(lambda drawn: {low: 1 - weights[len(drawn)], high: weights[len(drawn)]}, outcomes)
    assert sum(branch.probability for branch in tree.branches) == 1
    for branch in tree.branches:
        chances = [w if z == high else 1 - w for z, w in zip(branch.forecasts, weights, strict=True)]
        assert branch.probability == math.prod(chances)
    assert tree.expected_pseudo_swap_regret() <= tree.expected_swap_regret()
