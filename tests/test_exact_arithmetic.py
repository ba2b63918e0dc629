"""Fractions and balls in one arithmetic: what is certain is returned, what is not raises Undecided."""

from __future__ import annotations

from fractions import Fraction as F

from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from klcal.exact.arithmetic import compare, expectation, maximum, minimum, product, quotient, total
from klcal.exact.balls import Undecided, ball

numbers = st.fractions(-3, 3, max_denominator=50)


@given(numbers, numbers)
def test_comparison_of_balls_agrees_with_fractions_or_is_undecided(x, y):
    truth = (x > y) - (x < y)
    for a, b in ((x, ball(y)), (ball(x), y), (ball(x), ball(y))):
        try:
            assert compare(a, b) == truth
        except Undecided:
            assert truth == 0
    assert compare(x, y) == truth


@given(numbers, numbers.filter(bool))
def test_quotient_and_product_hold_the_truth(x, y):
    assert (quotient(x, y), product(x, y)) == (x / y, x * y)
    for a, b in ((x, ball(y)), (ball(x), y), (ball(x), ball(y))):
        assert quotient(a, b).overlaps(ball(x / y))
        assert product(a, b).overlaps(ball(x * y))


def test_quotient_of_integers_is_no_float():
    assert quotient(1, 3) == F(1, 3)


@given(st.lists(numbers, min_size=1, max_size=6), st.integers(0, 5))
def test_sums_and_extrema_become_balls_with_the_first_ball(values, place):
    mixed = [ball(x) if i == place else x for i, x in enumerate(values)]
    for exact, found in (
        (sum(values), total(mixed)),
        (max(values), maximum(mixed)),
        (min(values), minimum(mixed)),
    ):
        assert found == exact or found.overlaps(ball(exact))
    assert expectation((F(1, 2), x) for x in values) == sum(values) / 2


def test_extremum_of_overlapping_balls_holds_both():
    wide, narrow = arb(1, 0.5), arb(1.25)
    for pair in ([wide, narrow], [narrow, wide]):
        assert maximum(pair).contains(arb(1.5))
        assert minimum(pair).contains(arb(0.5))
