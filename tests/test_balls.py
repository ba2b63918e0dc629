"""Ball arithmetic: ends rounded outwards, searches that enclose or say that they cannot."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, ctx
from hypothesis import example, given
from hypothesis import strategies as st

from klcal.book.exact.balls import (
    Undecided,
    ball,
    hull,
    infimum,
    infimum_of_quotient,
    lower,
    precision,
    taylor_start,
    upper,
)

fractions = st.fractions(min_value=-10, max_value=10, max_denominator=1000)
shares = st.fractions(min_value=0, max_value=1, max_denominator=997)


@given(fractions)
@example(Fraction(1, 3))
@example(Fraction(0))
def test_the_ends_of_a_ball_are_rounded_outwards(x: Fraction) -> None:
    for bits in (53, 200):
        with precision(bits):
            assert Fraction(lower(ball(x))) <= x <= Fraction(upper(ball(x)))


@pytest.mark.parametrize("number", [arb.nan(), arb.pos_inf(), arb(0, math.inf)])
def test_a_ball_that_is_not_finite_bounds_nothing(number: arb) -> None:
    assert lower(number) == -math.inf
    assert upper(number) == math.inf


@given(fractions, fractions, shares)
def test_the_hull_holds_everything_between_its_ends(x: Fraction, y: Fraction, share: Fraction) -> None:
    between = x + share * (y - x)
    assert lower(hull(x, y)) <= between <= upper(hull(x, y))


def test_precision_is_put_back_after_an_error() -> None:
    before = ctx.prec
    with pytest.raises(ZeroDivisionError), precision(300):
        _ = 1 // (ctx.prec - 300)
    assert ctx.prec == before


@given(shares, fractions)
@example(Fraction(0), Fraction(0))
@example(Fraction(1), Fraction(1, 3))
def test_the_enclosure_of_a_parabola_holds_its_minimum(place: Fraction, least: Fraction) -> None:
    centre, base = ball(place), ball(least)
    found = infimum(lambda x: (x - centre) * (x - centre) + base, [(0, 1)], tolerance=1e-3)
    assert Fraction(found.lower) <= least <= Fraction(found.upper)
    assert found.width <= 1e-3


@given(shares, shares)
def test_a_dip_of_one_millionth_anywhere_in_the_square_is_found(x: Fraction, y: Fraction) -> None:
    a, b = ball(x), ball(y)
    found = infimum(lambda u, v: (u - a) * (u - a) + (v - b) * (v - b) - 1e-6, [(0, 1), (0, 1)], above=0.0)
    assert found.lower <= -1e-6
    assert found.upper <= 0


def test_a_zero_that_is_only_touched_leaves_the_question_open() -> None:
    with pytest.raises(Undecided, match=r"above 0\.0 or not"):
        infimum(lambda x: (x - 0.3) * (x - 0.3), [(0, 1)], above=0.0, limit=200)


def test_a_function_that_is_nowhere_known_leaves_the_question_open() -> None:
    with pytest.raises(Undecided, match="-inf, inf"):
        infimum(lambda _: arb.nan(), [(0, 1)], above=0.0, limit=50)


@pytest.mark.parametrize(
    ("formula", "order", "coefficient"),
    [
        (lambda x: x - x.sin(), 3, Fraction(1, 6)),
        (lambda x: x.cos() - 1, 2, Fraction(-1, 2)),
        (lambda x: (1 + x).log() - x, 2, Fraction(-1, 2)),
        (lambda x: 3 * x * x.cos() - (3 * x).sin(), 3, Fraction(3)),
    ],
)
def test_the_first_taylor_term_is_exact(formula: Any, order: int, coefficient: Fraction) -> None:
    assert taylor_start(formula) == (order, coefficient)


def test_a_taylor_remainder_of_no_use_is_refused() -> None:
    # x^2 (1 - x)^2 + x^2/100 is positive, but its second derivative is not, near x = 1/2.
    with pytest.raises(Undecided, match="choose a smaller switch"):
        infimum_of_quotient(lambda x: x * x * (1 - x) * (1 - x) + x * x / 100, 1, above=0.0, switch=0.5)
    found = infimum_of_quotient(lambda x: x * x * (1 - x) * (1 - x) + x * x / 100, 1, above=0.0, switch=0.1)
    assert found.lower > 0
