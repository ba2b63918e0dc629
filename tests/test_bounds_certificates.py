"""Rates of klcal.bounds for every horizon: the certificates prove them, and refute near misses."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from flint import arb

from klcal import bounds, grids
from klcal.book.exact.balls import Undecided, ball, hull, precision
from klcal.book.exact.certificates import horizons, largest_over_integers, largest_ratio, resolutions


def real_resolution(T: Any) -> Any:
    """The number that ``klcal.resolution`` rounds up."""
    return (T / T.log()).root(3)


def printed_resolution(T: Any) -> Any:
    """The number that the paper's Theorem 1 has for K."""
    return T.root(3) / (T.log() ** 5).root(3).sqrt()


def times_rate(constant: str, power: int = 2) -> Callable[..., Any]:
    return lambda T, **_: ball(Fraction(constant)) * (T * T.log() ** power).root(3)


def over(
    bound: Callable[..., Any], rate: Callable[..., Any], version: str | None = None
) -> Callable[..., Any]:
    options = {} if version is None else {"version": version}
    return lambda T, K: bound(T, K, **options) / rate(T, **options)


# Ratio, resolution, first T, a number above the largest ratio, one below it, and a T with the largest ratio.
RATES = {
    "theorem 2": (over(bounds.theorem_2, bounds.theorem_2_rate), real_resolution, 2, "0.9986", "0.9985", 131),
    "theorem 2, log sec": (
        over(bounds.theorem_2, bounds.theorem_2_rate, "best"), real_resolution, 2, "0.9958", "0.9957", 131
    ),
    "theorem 1": (over(bounds.theorem_1, times_rate("3.28")), real_resolution, 2, "0.9983", "0.9982", 26),
    "theorem 1, printed": (
        over(bounds.theorem_1, times_rate("51", 5), "paper"), printed_resolution, 26, "0.991", "0.9909", 1005
    ),
    "pair": (over(bounds.pair, times_rate("3.52")), real_resolution, 2, "0.9978", "0.9977", 2),
}  # fmt: skip


@pytest.mark.parametrize(
    ("ratio", "resolution", "first", "above", "under", "where"), RATES.values(), ids=RATES
)
def test_every_rate_is_proved_and_its_near_miss_refuted(ratio, resolution, first, above, under, where):
    assert largest_ratio(ratio, resolution, first=first).upper <= 1
    assert largest_ratio(ratio, resolution, first=first, below=Fraction(above)).upper <= float(above)
    refuted = largest_ratio(ratio, resolution, first=first, below=Fraction(under))
    assert refuted.lower > float(under)
    (K,) = resolutions(resolution(arb(where)))
    exact = largest_ratio(ratio, resolution, first=first, tolerance=1e-9)
    assert exact.lower == pytest.approx(float(ratio(arb(where), arb(K))), rel=1e-9) and exact.width <= 1e-9


# ----- where K jumps ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("integer", "real"), [(grids.resolution, real_resolution), (bounds.theorem_1_paper_K, printed_resolution)]
)
def test_the_resolutions_that_are_used_jump_where_the_real_number_passes_an_integer(integer, real):
    for T in range(2, 2000):
        assert list(resolutions(real(arb(T)))) == [integer(T)]


# ----- never a guess ---------------------------------------------------------------------------------------
def test_what_boxes_cannot_decide_stays_open():
    with pytest.raises(Undecided, match="boxes leave the largest value"):
        largest_over_integers(lambda T: hull(0, 2), 1, 10, below=1.0)
    with pytest.raises(Undecided, match="boxes leave the largest value"):
        largest_over_integers(lambda T: T - T + 1, 1, 10**6, below=0.5 + 0.5, limit=1, tolerance=-1.0)


def test_a_violation_beyond_every_horizon_that_was_looked_at_is_not_overlooked():
    def slowly(T: Any, K: Any) -> Any:
        return RATES["theorem 2"][0](T, K) + T ** Fraction(1, 100) / 10**6

    def later(T: Any, K: Any) -> Any:
        return RATES["theorem 2"][0](T, K) + T.log() / 10**6

    for ratio in (slowly, later):
        with pytest.raises(Undecided):
            largest_ratio(ratio, real_resolution, limit=300)


def test_a_function_that_is_undefined_at_an_integer_is_an_error_and_no_cut():
    with pytest.raises(ValueError, match="T must certainly be at least 1"):
        largest_ratio(lambda T, K: bounds.theorem_2(T - 25, K) / T, real_resolution, first=20)


# ----- functions on a half-line ----------------------------------------------------------------------------
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "sum": lambda T: 3 * T + T.log() - 7,
    "quotient": lambda T: (1 - T.log()) / (T + 2),
    "root": lambda T: (T / T.log()).root(3),
    "power": lambda T: (T * T.log()) ** -2.0 + T**0.5,
    "log": lambda T: (4 * T / T.log()).log(),
    "log of a log": lambda T: (2 * T.log()).log() + 3,
    "log1p": lambda T: T.log1p() + (1 / T).log1p() + (arb(1) / 3 + 0 * T).log1p(),
    "log1p of what falls": lambda T: (2 / T.log()).log1p() - T.log() / T,
    "sine": lambda T: (5 / T.log()).sin() * T,
    "tangent": lambda T: (arb.pi() / (2 * T.root(3))).tan() ** 2 * T,
    "cosine": lambda T: 2 - (3 / T).cos(),
    "maximum": lambda T: T.max(T.log() * 5),
    "square root": lambda T: (1 + T.log()).sqrt(),
}


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
@pytest.mark.parametrize("start", [100, 10**6])
def test_a_growth_holds_the_values_of_its_function_at_every_later_point(function, start):
    with precision(100):
        growth = function(horizons(start))
        a, b, d = (ball(power) for power in growth.powers)
        for factor in (1, Fraction(3, 2), 10, 10**5, 10**40, 10**300):
            T = ball(start * factor)
            power = T**a * T.log() ** b * T.log().log() ** d
            assert growth.coefficient.overlaps(function(T) / power)


def test_a_growth_is_sharp_for_single_powers_and_compares_for_all_horizons():
    T = horizons(1000)
    assert bounds.theorem_2_rate(T).coefficient.overlaps(ball(Fraction("3.96")))
    assert bounds.theorem_2_rate(T).powers == (Fraction(1, 3), Fraction(2, 3), 0)
    assert T > 999 and T >= T and T.log() < T and 5 <= T.log() <= T
    assert not T.log() > 7 and not T.log() < 7
    with pytest.raises(Undecided, match="the larger one of two functions"):
        T.log().max(7)
    with pytest.raises(Undecided, match="do not fall"):
        T.bound()
    with pytest.raises(Undecided, match="do not fall from log T"):
        (1 + T.log() ** 30 / T).bound()
    with pytest.raises(Undecided, match="log log log T"):
        T.log().log().log()
    with pytest.raises(ValueError, match="start must be greater than e; got 2"):
        horizons(2)
