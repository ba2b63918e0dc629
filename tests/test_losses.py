"""Proper losses: what makes them proper, their digits, their ends, and the two constants of Section 3."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import mpmath
import naive_losses as naive
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from klcal.losses import (
    LOSSES,
    ProperLoss,
    UnivariateForm,
    check,
    log,
    mixture_of_v,
    spherical,
    squared,
    tsallis,
    v_shaped,
)

unit = st.floats(0.0, 1.0)
inside = st.floats(1e-6, 1.0 - 1e-6)
every_loss = pytest.mark.parametrize("name", LOSSES)
SMOOTH = [name for name in LOSSES if not name.startswith("v-")]
MORE_TSALLIS = (1.0000001, 1.2, 2.5, 7.3, 40.0, 1000.0)
ULP = 2.0**-52


def naive_tsallis(alpha):
    return naive.tsallis(mpmath.mpf(alpha), mpmath.mpf(tsallis(alpha).form.scale))


def expectation(mean, if_one, if_zero):
    """Return the mean over outcomes, where what has probability zero costs nothing even if it is infinite."""
    return (mean * if_one if mean > 0.0 else 0.0) + ((1.0 - mean) * if_zero if mean < 1.0 else 0.0)


def digits(*numbers):
    """Return how many digits the definition needs: it cancels down to the square of the smallest term."""
    smallest = min(x for q in numbers for x in (q, 1.0 - q) if x > 0.0)
    return 120 - 2 * math.floor(math.log10(smallest))


def hard_points(generator, size):
    """Return forecasts in the middle, at simple fractions, next to 0 down to the last float, next to 1."""
    uniform = generator.random(size)
    tiny = 10.0 ** (-generator.random(size) * generator.choice([3.0, 17.0, 323.0], size))
    kinds = [uniform, tiny, 1.0 - tiny, np.round(8.0 * uniform) / 8.0, np.ldexp(uniform, -1060)]
    return np.choose(generator.integers(len(kinds), size=size), kinds)


def hard_pairs(generator, size):
    """Return pairs (rho, p); two thirds of them share up to sixteen digits of p or of 1 - p."""
    p = hard_points(generator, size)
    factor = 1.0 + generator.choice([-1.0, 1.0], size) * 10.0 ** (-17.0 * generator.random(size))
    candidates = [hard_points(generator, size), p * factor, 1.0 - (1.0 - p) * factor]
    rho = np.choose(generator.integers(3, size=size), candidates)
    keep = (rho >= 0.0) & (rho <= 1.0)
    return rho[keep], p[keep]


def exact_number(name):
    """Return the exact type for a loss: V-shaped losses compare and divide, all others need functions."""
    return Fraction if name.startswith("v-") else mpmath.mpf


def units_in_the_last_place(value, exact):
    return abs((type(exact)(value) - exact) / exact) / ULP


# --- exact values ---


@pytest.mark.parametrize(
    ("loss", "p", "if_zero", "if_one", "entropy", "slope"),
    [
        (squared, 0.25, 0.0625, 0.5625, 0.1875, 0.5),
        (log, 0.5, math.log(2), math.log(2), math.log(2), 0.0),
        (spherical, 0.5, -math.sqrt(0.5), -math.sqrt(0.5), -math.sqrt(0.5), 0.0),
        (tsallis(1.5), 0.25, 0.0625, -0.6875, -0.125, -0.75),
        (tsallis(2), 0.25, 0.0625, -0.4375, -0.0625, -0.5),
        (tsallis(3), 0.5, 0.125, -0.25, -0.0625, -0.375),
        (v_shaped(0.5), 0.25, -1.0, 1.0, -0.5, 2.0),
        (v_shaped(0.5), 0.75, 1.0, -1.0, -0.5, -2.0),
        (v_shaped(0.25), 0.5, 1.0 / 3.0, -1.0, -1.0 / 3.0, -4.0 / 3.0),
    ],
    ids=lambda value: value.name if isinstance(value, ProperLoss) else "",
)
def test_values_computed_by_hand(loss, p, if_zero, if_one, entropy, slope):
    values = (loss(p, 0), loss(p, 1), loss.entropy(p), loss.slope(p))
    assert values == pytest.approx((if_zero, if_one, entropy, slope), rel=4 * ULP, abs=0.0)


def test_divergences_computed_by_hand():
    assert squared.divergence(0.75, 0.25) == 0.25
    assert log.divergence(0.5, 0.25) == pytest.approx(0.5 * math.log(4.0 / 3.0), rel=4 * ULP)
    assert spherical.divergence(1.0, 0.5) == pytest.approx(1.0 - math.sqrt(0.5), rel=4 * ULP)
    assert tsallis(2).divergence(0.75, 0.25) == pytest.approx(0.25, rel=4 * ULP)
    assert tsallis(3).divergence(1.0, 0.5) == pytest.approx(0.25, rel=4 * ULP)
    assert v_shaped(0.5).divergence(0.75, 0.25) == 1.0
    assert v_shaped(0.5).divergence(0.75, 0.5) == 0.5
    assert v_shaped(0.5).divergence(0.75, 0.625) == 0.0


# --- lem:characterization_proper_loss ---


@given(unit, unit)
@example(0.0, 0.0)
@example(1.0, 0.0)
@example(0.0, 1.0)
@example(1.0, 1.0)
@example(1.0, 5e-324)
@example(5e-324, 1.0)
@example(0.5, 0.5 + 2.0**-53)
def test_divergence_is_the_excess_of_the_expected_loss_and_never_negative_or_nan(rho, p):
    for name, loss in LOSSES.items():
        cost = loss.divergence(rho, p)
        excess = expectation(rho, loss(p, 1), loss(p, 0)) - loss.entropy(rho)
        assert cost >= 0.0, name
        assert cost == pytest.approx(excess, rel=16 * ULP, abs=8 * ULP), name
        assert loss.divergence(p, p) == 0.0, name


@given(st.floats(1.0, 1e6, exclude_min=True), unit, unit)
@example(1.0 + ULP, 1.0, 5e-324)
@example(1e300, 1.0, 0.5)
def test_tsallis_divergence_is_never_negative_or_nan(alpha, rho, p):
    loss = tsallis(alpha)
    assert loss.divergence(rho, p) >= 0.0
    assert loss.divergence(p, p) == 0.0


# --- digits ---


@every_loss
def test_every_divergence_keeps_its_digits_next_to_the_diagonal_and_the_ends(name, seed):
    check_digits(LOSSES[name], naive.LOSSES[name], seed, size=400)


@pytest.mark.parametrize("alpha", MORE_TSALLIS)
def test_tsallis_divergence_keeps_its_digits_for_every_exponent(alpha, seed):
    check_digits(tsallis(alpha), naive_tsallis(alpha), seed, size=150)


@every_loss
def test_a_long_array_of_divergences_is_that_of_its_parts(name):
    rho, p = np.random.default_rng(0).random((2, 40_000))
    parts = [LOSSES[name].divergence(rho[i : i + 999], p[i : i + 999]) for i in range(0, len(p), 999)]
    np.testing.assert_array_equal(LOSSES[name].divergence(rho, p), np.concatenate(parts))


def far_limit(loss, rho, p):
    """Return by how many units the difference that `Tsallis._far` takes may be off; 0 for other formulas.

    Its terms are c rho (rho^h - p^h) and c h p^h (rho - p), with h = alpha - 1. An operation is off by half a unit in
    the last place, a function of a good library by one. The first term has a quotient (at most 3/4 of a unit in the
    logarithm that follows), a logarithm, an expm1, a power and four products: below six units. The second has a power
    and four operations: three units. Their difference keeps these errors, and half a unit is its own.
    """
    if not loss.name.startswith("tsallis"):
        return 0.0
    r, q, h = mpmath.mpf(rho), mpmath.mpf(p), mpmath.mpf(loss.form.alpha) - 1
    if q > 0 and r >= q / 2 and abs(r - q) <= q and abs(r - q) * h <= q:
        return 0.0
    first, second = abs(r * (r**h - q**h)), abs(h * q**h * (r - q))
    return (6 * first + 3 * second) / abs(first - second) + 0.5


def check_digits(loss, definition, seed, size):
    rho, p = hard_pairs(np.random.default_rng(seed), size)
    number = exact_number(loss.name)
    values = loss.divergence(rho, p)
    compared = 0
    for r, q, value in zip(rho.tolist(), p.tolist(), values.tolist(), strict=True):
        with mpmath.workdps(digits(r, q)):
            exact = naive.divergence(definition, number(r), number(q))
            if math.isinf(exact) or exact == 0:
                assert value == exact, (r, q)
            elif exact < 1e-300:
                assert value < 1.01e-300, (r, q)
            else:
                assert units_in_the_last_place(value, exact) < max(8.0, far_limit(loss, r, q)), (r, q)
                compared += 1
    assert compared > size / 10


@every_loss
def test_loss_and_entropy_keep_their_digits(name, seed):
    loss, definition = LOSSES[name], naive.LOSSES[name]
    for p in hard_points(np.random.default_rng(seed), 100).tolist():
        with mpmath.workdps(digits(p)):
            q = exact_number(name)(p)
            pairs = [(loss(p, y), definition(q, y)) for y in (0, 1)]
            pairs.append((loss.entropy(p), naive.expected(definition, q, q)))
            for value, exact in pairs:
                if math.isinf(exact) or abs(exact) < 1e-300:
                    assert value == pytest.approx(float(exact), abs=1.01e-300), p
                else:
                    assert units_in_the_last_place(value, exact) < 6.0, p


@pytest.mark.parametrize("name", SMOOTH)
@given(inside)
@example(0.5)
@example(0.5 + 1e-12)
def test_slope_and_curvature_are_the_derivatives_of_the_univariate_form(name, p):
    loss, definition = LOSSES[name], naive.LOSSES[name]
    with mpmath.workdps(120):
        q, h = mpmath.mpf(p), mpmath.mpf(10) ** -40
        right, left = (naive.expected(definition, q + step, q + step) for step in (h, -h))
        slope = (right - left) / (2 * h)
        assert loss.slope(p) == pytest.approx(float(slope), rel=8 * ULP, abs=1e-60)
        assert loss.curvature(p) == pytest.approx(float(naive.curvature(definition, q)), rel=8 * ULP)


# --- the ends ---


def test_log_loss_of_a_wrong_certainty_is_infinite_and_of_a_right_one_zero():
    assert log([0.0, 1.0], [1, 0]).tolist() == [math.inf, math.inf]
    right = log([0.0, 1.0], [0, 1])
    assert right.tolist() == [0.0, 0.0]
    assert not np.signbit(right).any()
    assert (log.entropy(0.0), log.entropy(1.0)) == (0.0, 0.0)
    assert (log.slope(0.0), log.slope(1.0)) == (math.inf, -math.inf)
    assert log.curvature([0.0, 1.0]).tolist() == [math.inf, math.inf]


def test_kl_divergence_at_the_ends():
    assert log.divergence([0.0, 1.0], [0.0, 1.0]).tolist() == [0.0, 0.0]
    assert log.divergence([5e-324, 0.5, 1.0], 0.0).tolist() == [math.inf] * 3
    assert log.divergence([0.0, 0.5, 1.0 - 2.0**-53], 1.0).tolist() == [math.inf] * 3
    assert log.divergence(0.0, 0.75) == pytest.approx(math.log(4.0), rel=ULP)
    assert log.divergence(1.0, 5e-324) == pytest.approx(1074.0 * math.log(2.0), rel=ULP)


def test_tsallis_slope_is_finite_at_zero_but_its_curvature_is_not_below_exponent_two():
    assert tsallis(1.5).slope(0.0) == 0.0
    assert [tsallis(alpha).curvature(0.0) for alpha in (1.5, 2.0, 3.0)] == [math.inf, 2.0, 0.0]
    assert tsallis(1.5).divergence(0.25, 0.0) == pytest.approx(0.125, rel=4 * ULP)


@every_loss
def test_minus_zero_is_the_forecast_zero(name):
    loss = LOSSES[name]
    for y in (0, 1):
        assert loss(-0.0, y) == loss(0.0, y)
    assert loss.curvature(-0.0) == loss.curvature(0.0)
    assert loss.slope(-0.0) == loss.slope(0.0)
    assert loss.divergence(0.5, -0.0) == loss.divergence(0.5, 0.0)
    assert not np.signbit(loss.divergence(-0.0, 0.0))


# --- bounds ---


BOUNDS = {
    "squared": (0.0, 1.0),
    "log": (0.0, math.inf),
    "spherical": (-1.0, 0.0),
    "tsallis-1.5": (-1.0, 0.5),
    "tsallis-2": (-1.0, 1.0),
    "tsallis-3": (-0.5, 1.0),
    "v-0.25": (-1.0, 1.0),
    "v-0.5": (-1.0, 1.0),
}


@given(unit, st.integers(0, 1))
def test_values_stay_between_lower_and_upper(p, y):
    for name, ends in BOUNDS.items():
        loss = LOSSES[name]
        assert (loss.lower, loss.upper) == ends, name
        assert loss.lower - ULP <= loss(p, y) <= loss.upper + ULP, name


@given(st.floats(1.0, 50.0, exclude_min=True))
@example(2.0)
@example(1.0 + ULP)
def test_the_constant_of_tsallis_is_the_largest_that_keeps_it_within_one(alpha):
    largest = min(1.0, 1.0 / (alpha - 1.0))
    loss = tsallis(alpha)
    assert loss.form.scale == largest
    assert max(-loss.lower, loss.upper) == pytest.approx(1.0, rel=ULP)
    assert loss.lower >= -1.0
    assert loss.upper <= 1.0
    too_large = tsallis(alpha, scale=1.001 * largest)
    assert max(-too_large.lower, too_large.upper) > 1.0005
    assert tsallis(alpha, scale=largest).form == loss.form


# --- constants ---


def cube(alpha):
    return (alpha - 1.0) ** alpha / alpha ** (alpha - 1.0)


CONSTANTS = {
    squared: (0.5, 1.0),
    log: (1.0, math.inf),
    spherical: (math.sqrt(2.0) / 2.0, math.sqrt(2.0)),
    tsallis(1.5): (cube(1.5), math.inf),
    tsallis(2): (0.5, 1.0),
    tsallis(3): (0.5 * 8.0 / 9.0, 1.5),
    tsallis(7.3): (cube(7.3) / 6.3, 7.3 / 2.0),
    v_shaped(0.25): (math.inf, math.inf),
    v_shaped(0.5): (math.inf, math.inf),
}
every_constant = pytest.mark.parametrize("loss", CONSTANTS, ids=lambda loss: loss.name)


@every_constant
def test_constants_have_their_closed_forms(loss):
    assert (loss.kl_constant, loss.quadratic_constant) == pytest.approx(CONSTANTS[loss], rel=8 * ULP)


@pytest.mark.parametrize("name", SMOOTH)
def test_constants_are_the_suprema_of_the_curvature(name):
    loss, definition = LOSSES[name], naive.LOSSES[name]
    with mpmath.workdps(60):
        grid = [mpmath.mpf(i) / 360 for i in range(1, 360)]
        curvature = [naive.curvature(definition, p) for p in grid]
        growth = max(p * (1 - p) * c for p, c in zip(grid, curvature, strict=True))
    assert loss.kl_constant == pytest.approx(float(growth), rel=1e-12)
    if math.isfinite(loss.quadratic_constant):
        half = max(curvature) / 2
        assert float(half) <= loss.quadratic_constant * (1.0 + 1e-12)
        assert float(half) >= loss.quadratic_constant * (1.0 - 1.0 / 180.0)
    else:
        assert max(curvature) == max(curvature[0], curvature[-1])


def test_proposition_3_fails_at_an_end_for_a_supergradient_that_is_not_the_derivative():
    for v, one_sided in ((0.0, 1.0), (1.0, -1.0)):
        kinked, linear = v_shaped(v), v_shaped(v, tie=one_sided)
        assert kinked.kl_constant == linear.kl_constant == 0.0
        assert kinked.divergence(0.5, v) == 0.5
        assert (kinked.divergence(0.5, 0.25), log.divergence(0.5, v)) == (0.0, math.inf)
        assert kinked.quadratic_constant == math.inf
        assert linear.quadratic_constant == 0.0
        assert linear.divergence([0.0, 0.5, 1.0], v).tolist() == [0.0, 0.0, 0.0]
    weightless = mixture_of_v([0.0, 0.5], [1.0, 0.0], ties=[1.0, 0.0])
    assert (weightless.kl_constant, weightless.quadratic_constant) == (0.0, 0.0)
    assert mixture_of_v([0.0, 0.5], [1.0, 1e-9], ties=[1.0, 0.0]).kl_constant == math.inf


# --- kinks ---


@given(unit, unit)
@example(0.75, 0.5)
@example(0.25, 0.5)
def test_the_tie_chooses_the_supergradient_at_the_kink_and_nothing_else(rho, p):
    left, middle, right = (v_shaped(0.5, tie=tie) for tie in (-1.0, 0.0, 1.0))
    if p == 0.5:
        below, above = np.nextafter(0.5, 0.0), np.nextafter(0.5, 1.0)
        assert left.slope(p) == left.slope(below) == 2.0
        assert right.slope(p) == right.slope(above) == -2.0
        both = left.divergence(rho, p) + right.divergence(rho, p)
        assert middle.divergence(rho, p) == both / 2.0
        assert max(left.divergence(rho, p), right.divergence(rho, p)) == 4.0 * abs(rho - 0.5)
    else:
        assert left.divergence(rho, p) == middle.divergence(rho, p) == right.divergence(rho, p)


sixteenths = st.integers(0, 16).map(lambda i: Fraction(i, 16))
interior = st.integers(1, 15).map(lambda i: Fraction(i, 16))
masses = st.integers(1, 8).map(Fraction)


@given(st.lists(st.tuples(interior, masses), min_size=1, max_size=5), sixteenths, sixteenths)
def test_mixtures_agree_with_the_sum_of_their_parts_and_fill_the_room(parts, rho, p):
    kinks, weights = (list(column) for column in zip(*parts, strict=True))
    definition = naive.mixture_of_v(kinks, weights)
    loss = mixture_of_v([float(v) for v in kinks], [float(m) for m in weights])
    assert (loss.lower, loss.upper) == pytest.approx((-1.0, 1.0), rel=8 * ULP)
    for y in (0, 1):
        assert loss(float(p), y) == pytest.approx(float(definition(p, y)), abs=8 * ULP)
    exact = naive.divergence(definition, rho, p)
    assert loss.divergence(float(rho), float(p)) == pytest.approx(float(exact), rel=8 * ULP, abs=0.0)
    assert loss.entropy(float(p)) == pytest.approx(float(naive.expected(definition, p, p)), abs=8 * ULP)
    assert loss.slope(float(p)) == pytest.approx(float(definition(p, 1) - definition(p, 0)), abs=16 * ULP)


def test_a_mixture_of_one_is_the_v_shaped_loss_and_ignores_the_size_of_its_weights():
    assert mixture_of_v([0.25], [3.0]).form == v_shaped(0.25).form
    assert mixture_of_v([0.25, 0.5], [5e-324, 5e-324]).form == mixture_of_v([0.25, 0.5], [1.0, 1.0]).form


# --- losses of one's own ---


@dataclass(frozen=True)
class PlainEntropy(UnivariateForm):
    """The log loss from nothing but its univariate form and slope; the rest are the defaults."""

    kl_constant = 1.0
    quadratic_constant = math.inf

    def entropy(self, p):
        return log.form.entropy(p)

    def slope(self, p):
        return log.form.slope(p)


@given(unit, unit, st.integers(0, 1))
@example(0.0, 0.0, 0)
@example(0.0, 0.0, 1)
@example(1.0, 1.0, 0)
@example(1.0, 1.0, 1)
@example(1.0, 0.0, 1)
@example(0.3, 0.3 + 1e-12, 1)
def test_a_form_and_its_slope_alone_make_a_proper_loss(rho, p, y):
    plain = ProperLoss("plain", PlainEntropy())
    assert plain(p, y) == pytest.approx(log(p, y), rel=8 * ULP, abs=1e-12)
    assert plain.divergence(rho, p) == pytest.approx(log.divergence(rho, p), rel=8 * ULP, abs=1e-12)
    assert plain.divergence(rho, p) >= 0.0
    assert plain.curvature(p) is None
    assert (plain.lower, plain.upper, plain.kl_constant) == (0.0, math.inf, 1.0)


def test_a_form_needs_a_slope_and_its_constants_are_infinite_unless_stated():
    class Unfinished(UnivariateForm):
        def entropy(self, p):
            return 0.0 * p

    class Flat(Unfinished):
        def slope(self, p):
            return 0.0 * p

    with pytest.raises(TypeError, match="slope"):
        Unfinished()
    flat = ProperLoss("flat", Flat())
    assert (flat.kl_constant, flat.quadratic_constant) == (math.inf, math.inf)


class Bent(PlainEntropy):
    """A form that can be spoiled in one place."""

    def __init__(self, **spoiled):
        vars(self).update(spoiled)


def squares(**spoiled):
    functions = {"entropy": lambda p: p * (1 - p), "slope": lambda p: 1 - 2 * p}
    plain = {**functions, "kl_constant": 0.5, "quadratic_constant": 1.0}
    return ProperLoss("mine", Bent(**(plain | spoiled)))


@every_loss
def test_every_loss_of_the_table_passes_its_check(name):
    assert check(LOSSES[name]) is LOSSES[name]


@pytest.mark.parametrize(
    ("spoiled", "message"),
    [
        ({"entropy": lambda p: -p * (1 - p)}, "have a supergradient of a concave form .*; at 1e-06, 0 it"),
        ({"slope": lambda p: 1 - 2.01 * p}, "have a supergradient"),
        ({"slope": lambda p: np.where(p == 0.5, np.nan, 1 - 2 * p)}, r"finite inside \(0, 1\); at 0.5 it"),
        ({"entropy": lambda p: np.where(p == 1, -np.inf, p * (1 - p))}, "finite univariate form; at 1 it"),
        ({"loss": lambda p, y: (p - y) ** 2 + 1e-6 * (p > 0.9) * y}, r"be f\(p\) \+ .*; at 0.90625 it"),
        ({"divergence": lambda rho, p: 2 * (rho - p) ** 2}, "have the divergence .*; at "),
        ({"entropy": lambda p: 0.25}, r"give one number per point; got shapes \(\) and"),
        ({"curvature": lambda p: -2 + 0 * p}, "have a curvature .*, not below 0; at 0 it"),
        ({"kl_constant": 0.49}, "have a divergence of at most 0.49 times that of the log loss; at"),
        ({"quadratic_constant": 0.99}, "have a divergence of at most 0.99 times .* squared loss; at"),
        ({"kl_constant": -1.0}, "have constants that are at least 0; got -1.0"),
    ],
)
def test_a_loss_that_is_improper_or_says_two_things_is_refused_by_name_and_point(spoiled, message):
    with pytest.raises(ValueError, match=f"loss 'mine' must .*{message}"):
        check(squares(**spoiled))


def test_a_convex_form_gets_no_regret_of_zero():
    convex = squares(entropy=lambda p: -p * (1 - p), slope=lambda p: 2 * p - 1)
    with pytest.raises(ValueError, match=r"must be concave.*; the divergence is -0.25 at rho = 1.0, p = 0.5"):
        convex.divergence(1.0, 0.5)
    with pytest.raises(ValueError, match=r"the divergence is -0.0\d+ at rho = 0.75, p = 0.5"):
        convex.divergence([0.5, 0.75], 0.5)


# --- arrays, objects, errors ---


@every_loss
def test_scalars_give_floats_and_arrays_keep_their_shape(name):
    loss = LOSSES[name]
    p, y = np.array([[0.125], [0.5], [1.0]]), np.array([0, 1])
    table = loss(p, y)
    assert table.shape == (3, 2)
    assert table.tolist() == [[loss(q, b) for b in (0, 1)] for q in (0.125, 0.5, 1.0)]
    rho = np.array([0.0, 0.25])
    costs = loss.divergence(rho, p)
    assert costs.tolist() == [[loss.divergence(r, q) for r in (0.0, 0.25)] for q in (0.125, 0.5, 1.0)]
    assert loss.entropy(p).shape == loss.slope(p).shape == (3, 1)
    assert loss.entropy(p)[1, 0] == loss.entropy(0.5)
    assert loss.slope(p)[1, 0] == loss.slope(0.5)
    assert {type(loss(0.5, 1)), type(loss.entropy(1)), type(loss.slope(np.float64(0.5)))} == {float}
    assert type(loss.divergence(0, True)) is float
    assert loss([], 1).shape == loss.divergence(0.5, []).shape == loss.entropy([]).shape == (0,)
    if loss.curvature(0.5) is not None:
        assert type(loss.curvature(0.5)) is float
        assert loss.curvature(p).tolist() == [[loss.curvature(q)] for q in (0.125, 0.5, 1.0)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: log(1.5, 1), r"p must lie in \[0, 1\]; got 1.5$"),
        (lambda: log([0.5, -0.1], 1), r"p must lie in \[0, 1\]; got -0.1 at index 1"),
        (lambda: log(0.5, [0, 2]), "y must be 0 or 1; got 2.0 at index 1"),
        (lambda: log([0.5, 0.5], [1, 1, 1]), r"y must broadcast with p of shape \(2,\); got \(3,\)"),
        (lambda: log.divergence([0.5, 1.5], 0.5), r"rho must lie in \[0, 1\]; got 1.5 at index 1"),
        (lambda: log.divergence([0.5] * 2, [0.5] * 3), r"p must broadcast with rho of shape \(2,\)"),
        (lambda: tsallis(1), "alpha must be greater than 1.0; got 1"),
        (lambda: v_shaped(0.5, tie=1.5), r"tie must lie in \[-1, 1\]; got 1.5"),
        (lambda: mixture_of_v([0.5, 2.0], [1, 1]), r"kinks must lie in \[0, 1\]; got 2.0 at index 1"),
        (lambda: mixture_of_v([0.5], [0]), r"weights must not all be 0; got \[0.0\]"),
        (lambda: mixture_of_v([0.5], [1, 1]), r"weights must have the length of kinks \(1\); got 2"),
    ],
)
def test_errors_name_argument_rule_value_and_place(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_slope_that_is_off_by_a_hundredth_is_no_rounding_error():
    class Tilted(UnivariateForm):
        def entropy(self, p):
            return p * (1.0 - p)

        def slope(self, p):
            return 1.01 - 2.0 * p

    with pytest.raises(ValueError, match="its slope a supergradient"):
        ProperLoss("tilted", Tilted()).divergence(0.499, 0.5)
