"""Tests for klcal.bounds: floats against balls, values by hand, orderings."""

from __future__ import annotations

import inspect
import math
from itertools import pairwise, product

import numpy as np
import pytest
from flint import arb
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.special import rel_entr

from klcal import bounds, grids
from klcal.book.exact.balls import hull, precision
from klcal.bounds._balls import exactly, larger, smaller

KAPPA = math.e - 2
RESOLUTIONS = [(2,), (3,), (4,), (7,), (28,), (101,)]
GAMES = [(1, 2), (2, 2), (1000, 3), (131, 3), (10**6, 42)]
HORIZONS = [(2,), (131,), (5 * 10**6,)]
TAILS = [(1000, 6, 0.05), (1, 2, 1.0)]

# For every bound: arguments at which it is computed in floats, in arrays and in balls.
CASES: dict[str, list[tuple]] = {
    **{f"lemma_6{part}": RESOLUTIONS for part in "abcd"},
    "rounding_cost": RESOLUTIONS,
    **dict.fromkeys(["theorem_1", "corollary_1", "theorem_2", "corollary_2"], GAMES),
    "theorem_2_rate": HORIZONS,
    "doubling_trick": [(1,), (3,), (1000,)],
    "freedman": [(4.0, 1.0, 0.1), (1e5, 0.003, 0.01), (0.0, 1e-7, 1.0)],
    "rate_deviation": [(1.0, 3, 0.1), (1000.0, 3, 0.1)],
    "count_deviation": [(0.0, 3, 0.1), (1.0, 3, 0.1), (1000.0, 3, 0.1)],
    "theorem_3": [(10.0, 7, 0.05), (0.0, 1, 1.0)],
    "corollary_3": TAILS,
    "realised_in_expectation": GAMES,
    "pair_from_counts": [([0, 2, 5], 4), ([1], 2)],
    "pair": [(1, 2, 0.1), (1000, 3, 1.0), (10**6, 42, 1e-6)],
    "half_counts": [(1, grids.Grid([0.5])), (1000, grids.full_grid(6)), (10**6, grids.full_grid(42))],
    "half_counts_rate": HORIZONS,
    "pair_expected": GAMES,
    "kl_from_pseudo": [(0.0, 10**4, 11, 1e-3), (7.5, 1, 2, 1.0)],
    "algorithm_1_high_probability": TAILS,
    "realised_high_probability": TAILS,
    "tree_from_counts": [([1, 0, 2], [0, 1, 1]), ([5], [3])],
    "tree_expected_from_masses": [([1.5, 0.0, 2.0], [0, 1, 1]), ([5.25], [3])],
    **dict.fromkeys(["tree", "tree_expected", "tree_swap", "tree_expected_swap"], HORIZONS),
    "recalibration": [(1, 2), (10**6, 100)],
    "recalibration_lower": [(1,), (10**6,)],
}


def versions(name):
    """The versions that the docstring of a bound names."""
    if "version" not in inspect.signature(bounds.BOUNDS[name]).parameters:
        return [None]
    documented = bounds.BOUNDS[name].__doc__.split("version : {")[1].split("}")[0]
    return [word.strip('"') for word in documented.split(", ")]


EVERY = [(name, version) for name in bounds.BOUNDS for version in versions(name)]
every = pytest.mark.parametrize(("name", "version"), EVERY)


def call(name, version, *args):
    options = {} if version is None else {"version": version}
    if version == "repaired" and name == "theorem_3":
        options["T"] = 1000
    return bounds.BOUNDS[name](*args, **options)


def kl(rho, p):
    return rel_entr(rho, p) + rel_entr(1.0 - rho, 1.0 - p)


# ----- every bound at once ---------------------------------------------------------------------------------
def test_every_bound_has_cases_and_is_a_name_of_the_room():
    assert set(CASES) == set(bounds.BOUNDS)
    assert all(getattr(bounds, name) is function for name, function in bounds.BOUNDS.items())


@every
def test_floats_agree_with_balls_of_many_digits_and_scalars_give_a_python_float(name, version):
    for args in CASES[name]:
        value = call(name, version, *args)
        assert type(value) is float
        with precision(120):
            truth = call(name, version, *map(exactly, args))
        assert value == pytest.approx(float(truth), rel=2e-13), args
        assert truth.is_zero() or truth.rel_accuracy_bits() > 80


ONE_BY_ONE = {"doubling_trick", "half_counts", "recalibration", "pair_from_counts", "tree_from_counts"}
ONE_BY_ONE |= {"tree_expected_from_masses"}


@every
def test_arrays_give_the_same_numbers_as_scalars(name, version):
    if name in ONE_BY_ONE:
        return
    columns = [np.array(column) for column in zip(*CASES[name], strict=True)]
    together = call(name, version, *columns)
    apart = [call(name, version, *row) for row in CASES[name]]
    assert together.shape == (len(apart),) and together.tolist() == pytest.approx(apart, rel=1e-15)


# Wider than a point, and the rule of no argument is left open at the ends.
WIDE = {"T": (30, 45), "K": (5, 7), "delta": (0.01, 0.04)}
OVER_BOXES = [
    (name, version)
    for name, version in EVERY
    if set(inspect.signature(bounds.BOUNDS[name]).parameters) <= {*WIDE, "version"}
]
# They count with T, or with K.
ONLY_INTEGERS = {("doubling_trick", version) for version in ("paper", "sharpened", "best")}
ONLY_INTEGERS |= {("algorithm_1_high_probability", None), ("corollary_3", "repaired")}
ONLY_INTEGERS |= {("lemma_6a", "sharpened")}


@pytest.mark.parametrize(("name", "version"), OVER_BOXES)
def test_a_bound_over_balls_holds_its_values_at_all_points_in_them(name, version):
    names = [n for n in inspect.signature(bounds.BOUNDS[name]).parameters if n in WIDE]
    box = [hull(*WIDE[n]) for n in names]
    if (name, version) in ONLY_INTEGERS:
        with pytest.raises(ValueError, match=r"[TK] must be an integer that is at least \d; got \["):
            call(name, version, *box)
        return
    value = call(name, version, *box)
    assert value.is_finite()
    for corner in product(*(WIDE[n] for n in names)):
        assert value.contains(call(name, version, *map(exactly, corner)))


def test_a_ball_that_leaves_a_choice_open_holds_both():
    for deviation in (bounds.count_deviation, bounds.rate_deviation):
        either = deviation(hull(1, 100), 3, 0.1)
        assert all(either.contains(deviation(arb(mass), 3, 0.1)) for mass in (1.5, 99))
    either = bounds.pair(hull(2, 60), hull(4, 9))
    corners = product((2.5, 59), (4.5, 8.5))
    assert all(either.contains(bounds.pair(arb(T), arb(K))) for T, K in corners)
    assert larger(hull(0, 3), hull(1, 4)).contains(arb("3.9"))
    assert smaller(hull(1, 4), hull(0, 3)).contains(arb("0.1"))


@pytest.mark.parametrize("T", [1, 2, 4, 5, 16, 17, 2**20, 2**20 + 1, 4**30, 4**30 + 1, 2**474])
def test_powers_of_one_half_are_counted_without_rounding(T):
    J = next(j for j in range(300) if 4**j >= T)
    expected = 6.0 + 27 * KAPPA * 5 * math.log(4 * 5 * (1 + J) / 0.25)
    assert bounds.theorem_3(2.0, 5, 0.25, T=T, version="repaired") == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("T", [1, 2, 3, 8, 9, 100, 513, 10**4, 2**19, 2**19 + 1, 10**9])
def test_the_exponents_of_a_cell_are_counted_as_printed(T):
    K, delta = 11, 1e-3
    X = math.log(2 * T**2 * (K + 1) / delta)
    J = 3 + next(j for j in range(99) if 4**j >= 2 * T) + math.ceil(math.log2(X * math.sqrt(T / 2)))
    expected = (math.e - 1) * 7.5 + (1 + 2 * math.log(J)) * (8.78 * (K + 1) + 2 * math.log(K))
    expected += (7.4 + 4 * math.log(K)) * math.log(2 / delta)
    assert bounds.kl_from_pseudo(7.5, T, K, delta) == pytest.approx(expected, rel=1e-14)


# ----- orderings, monotonicity, limits ---------------------------------------------------------------------


@pytest.mark.parametrize("name", ["theorem_1", "theorem_2", "corollary_1", "corollary_2", "corollary_3"])
@given(T=st.integers(1, 10**9), K=st.integers(2, 3000), delta=st.floats(1e-12, 1.0))
@example(T=1, K=2, delta=1.0)
def test_better_versions_are_smaller_in_every_game(name, T, K, delta):
    args = (T, K, delta) if name == "corollary_3" else (T, K)
    ranks = [v for v in ("best", "sharpened", "repaired", "paper") if v in versions(name)]
    assert all(a <= b for a, b in pairwise(call(name, v, *args) for v in ranks))


@given(K=st.integers(2, 300), over=st.integers(0, 10**7))
@example(K=2, over=0)
def test_half_counts_are_below_theorem_2_as_soon_as_the_proof_says(K, over):
    T = 2 * (K + 1) + over
    assert bounds.half_counts(T, grids.full_grid(K)) <= bounds.theorem_2(T, K, version="best")


@given(T=st.integers(2, 10**9))
@example(T=2)
@example(T=131)
def test_half_counts_are_below_their_rate(T):
    assert bounds.half_counts(T, grids.full_grid(grids.resolution(T))) <= bounds.half_counts_rate(T)


@given(n=st.integers(1, 10**9))
@example(n=1)
@example(n=64)
@example(n=10**6)
def test_the_price_of_recalibration_lies_between_its_rates(n):
    K = max(2, math.ceil(np.cbrt(n)))
    assert bounds.recalibration_lower(n) <= bounds.recalibration(n, K) <= 4 * n ** (-2 / 3)


def test_small_angles_lose_no_digits():
    x = math.pi / (2 * 10**7)
    assert bounds.rounding_cost(10**7, version="best") == pytest.approx(x**2 + x**4 / 6, rel=1e-15)


@given(T=st.integers(1, 10**12))
@example(T=1)
@example(T=2)
@example(T=3)
def test_the_best_resolution_beats_all_others_nearby_and_the_papers(T):
    K = bounds.theorem_2_best_K(T)
    others = np.unique(np.r_[np.arange(2, 400), grids.resolution(T), np.arange(max(2, K - 300), K + 300)])
    assert others[np.argmin(bounds.theorem_2(T, others))] == K


def test_a_bound_is_vacuous_up_to_the_last_horizon_and_not_after_it():
    def spent(T, K):
        return 0.0 * K + 100.0 * np.sqrt(T)

    assert bounds.last_vacuous(spent, 2.0) == 2500
    assert bounds.last_vacuous(lambda T, K: 0.0 * T, 1.0) == 0


# ----- errors ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("function", "args", "message"),
    [
        (bounds.theorem_2, (0, 3), "T must be an integer that is at least 1; got 0"),
        (bounds.theorem_2, (10, 1), "K must be an integer that is at least 2; got 1"),
        (bounds.theorem_2, (10, [[2, 3], [4, 1]]), r"K\[1, 1\] must be an integer that is at least 2; got 1"),
        (bounds.theorem_2, (hull(0.5, 2), 3), r"T must certainly be at least 1; got a ball from 0.49\d*"),
        (bounds.theorem_2, (arb.nan(), 3), r"T must certainly be at least 1; got a ball from nan"),
        (bounds.theorem_2_rate, (1,), "T must be an integer that is at least 2; got 1"),
        (bounds.pair, (arb(5), 3, hull(0.5, 2)), r"delta must certainly lie in \(0, 1\]; got"),
        (bounds.pair_from_counts, ([1, 2, 3], 3), r"counts must have K - 1 = 2 entries"),
        (bounds.tree_from_counts, ([1, 2], [0]), r"counts must have one entry per level"),
        (bounds.freedman, (1.0, 1.5, 0.5), r"mu must lie in \(0, 1\]; got 1.5"),
        (bounds.freedman, (-1.0, 1.0, 0.5), "variance must be finite and at least 0; got -1.0"),
        (bounds.freedman, (1.0, 1.0, [0.5, 0.0]), "delta must be greater than 0, .* at least 1e-280; got"),
        (bounds.theorem_3, (1.0, 2, 1.5), r"delta must lie in \[0, 1\]; got 1.5"),
        (bounds.half_counts, (0, [0.5]), "T must be an integer that is at least 1; got 0"),
        (bounds.half_counts, (1, [0.5, 1.0]), r"strictly inside \(0, 1\); got 1.0 at index 1"),
        (bounds.doubling_trick, (hull(2.9, 3.1),), r"T must be an integer that is at least 1; got \["),
    ],
)
def test_bad_arguments_are_named(function, args, message):
    with pytest.raises(ValueError, match=message):
        function(*args)
