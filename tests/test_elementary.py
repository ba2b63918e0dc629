"""The package's own logarithm and exponential: how far they are off, and that Python and machine code agree."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from klcal._kernels import elementary
from klcal._kernels.elementary import exp, ln


def plain(function):
    """The function as Python runs it."""
    return getattr(function, "py_func", function)


def units_off(got, true):
    """How many units in the last place `got` lies from a ball."""
    return abs(float((arb(got) - true) / arb(math.ulp(float(true)))))


def positive_numbers(seed):
    rng = np.random.default_rng(seed)
    fractions = rng.integers(1, 10_000, 2000) / rng.integers(1, 10_000, 2000)
    near_one = 1.0 + rng.uniform(-1, 1, 2000) * 2.0 ** rng.uniform(-52, -1, 2000)
    # Where the exponent changes the terms cancel most.
    seam = np.concatenate([rng.uniform(0.69, 0.73, 1000), rng.uniform(1.39, 1.43, 1000)])
    return np.concatenate([fractions, near_one, seam, 2.0 ** rng.uniform(-1074, 1023, 2000)]).tolist()


def any_numbers(seed):
    rng = np.random.default_rng(seed)
    small = rng.uniform(-1, 1, 2000) * 2.0 ** rng.uniform(-60, 0, 2000)
    return np.concatenate([rng.uniform(-745, 709.7, 3000), small, -rng.exponential(5.0, 2000)]).tolist()


def test_logarithms_are_off_by_less_than_a_unit_in_the_last_place(seed):
    with ctx.workprec(200):
        assert max(units_off(ln(x), arb(x).log()) for x in positive_numbers(seed) if x != 1.0) < 0.9


def test_exponentials_are_off_by_less_than_a_unit_in_the_last_place(seed):
    with ctx.workprec(200):
        assert max(units_off(exp(x), arb(x).exp()) for x in any_numbers(seed)) < 0.9


@given(st.floats(min_value=0.0, allow_nan=False), st.floats(allow_nan=False))
def test_python_and_machine_code_give_the_same_bits(positive, number):
    assert ln(positive) == plain(ln)(positive)
    assert exp(number) == plain(exp)(number)


@pytest.mark.parametrize(
    ("x", "value"),
    [(1.0, 0.0), (0.0, -math.inf), (-0.0, -math.inf), (math.inf, math.inf), (5e-324, -744.4400719213812)],
)
def test_logarithms_at_the_ends(x, value):
    assert ln(x) == plain(ln)(x) == value


def test_what_has_no_value_is_nan():
    assert all(math.isnan(f(x)) for f in (ln, plain(ln)) for x in (-1.0, math.nan, -math.inf))
    assert math.isnan(exp(math.nan)) and math.isnan(plain(exp)(math.nan))


@pytest.mark.parametrize(
    ("x", "value"),
    [(0.0, 1.0), (-math.inf, 0.0), (math.inf, math.inf), (-746.0, 0.0), (-745.0, 5e-324), (709.9, math.inf)],
)
def test_exponentials_at_the_ends(x, value):
    assert exp(x) == plain(exp)(x) == value


def test_no_kernel_that_plays_asks_the_mathematical_library():
    """Machines round its functions differently; `klcal.book` may ask it where games are over."""
    library = re.compile(
        r"\b(?:math|np)\.(?:log\w*|exp\w*|sin\w*|cos\w*|tan\w*|pow|power|cbrt|hypot|\w*gamma)\b"
    )
    kernels = {path.name: path.read_text() for path in Path(elementary.__file__).parent.glob("*.py")}
    assert [name for name, source in kernels.items() if library.search(source)] == []
