"""Tests for klcal.bounds: exact values, 30 digits, orderings, limits, and the facts that are bounded."""

from __future__ import annotations

import inspect
import math
from fractions import Fraction
from itertools import pairwise, product
from types import SimpleNamespace

import naive_bounds as naive
import naive_bounds_explicit as naive_explicit
import numpy as np
import pytest
from flint import arb
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import rel_entr

from klcal import bounds, grids
from klcal.bounds._arguments import exactly
from klcal.bounds._elementary import larger, smaller
from klcal.exact.balls import hull, precision

KAPPA = math.e - 2
HALF = SimpleNamespace(kl_constant=0.5)
RESOLUTIONS = [(2,), (3,), (4,), (7,), (28,), (101,)]
GAMES = [(1, 2), (2, 2), (1000, 3), (131, 3), (10**6, 42)]

# For every bound: arguments at which it is computed twice.
CASES: dict[str, list[tuple]] = {
    "pinsker": [(0.3, 0.8), (0.0, 1.0), (0.5, 0.5)],
    "cal2_from_kl": [(0.0,), (7.25,)],
    "chi_square": [(0.3, 0.8), (0.0, 1e-9), (1.0, 0.25)],
    "log_chi_square": [(0.3, 0.8), (0.0, 1e-9), (1.0, 0.25)],
    "proposition_2": [(HALF, 3.5)],
    "proposition_3": [(2, 3.5), (0.3, 0.0)],
    "proposition_3_from_kl": [(2, 3.5)],
    "cal1_from_cal2": [(100, 4.5)],
    "swap_regret_from_cal1": [(2.5,)],
    **{f"lemma_6{part}": RESOLUTIONS for part in "abcd"},
    "lemma_7": RESOLUTIONS,
    "lemma_7_ends": RESOLUTIONS,
    "rounding_cost_cell": [(0.25, 0.75), (1e-6, 2e-6), (0.1, 0.9999)],
    "rounding_cost": RESOLUTIONS,
    "clamp_cost": [*RESOLUTIONS, (10**6,)],
    "comparator_error": RESOLUTIONS[:-1],
    "comparator_error_inner": RESOLUTIONS[:-1],
    "remark_1_nearest": RESOLUTIONS,
    "remark_1_linear": RESOLUTIONS,
    "log_loss_range": RESOLUTIONS,
    "deviation": [(0, 0.5, 2, 0.1), (500, 0.01, 20, 1e-6)],
    "theorem_1_high_probability": [(1000, 5, 1e-6), (1, 2, 1.0)],
    "theorem_1": GAMES,
    "theorem_1_full_grid": GAMES,
    "theorem_1_nearest": GAMES,
    "theorem_1_tail": [(1000, 5, 1e-6), (1, 2, 1.0)],
    "corollary_1": GAMES,
    "ewoo_regret": [(10, 0.0), (10, 3.25), (7, 7.0)],
    "initialisation_cost": RESOLUTIONS,
    "theorem_2": GAMES,
    "theorem_2_from_masses": [([0.0, 2.5, 7.5], 2), ([1.0, 0.0, 0.25, 1e5], 3)],
    "theorem_1_paper_K": [(2,), (1005,), (1006,), (10**9,)],
    "theorem_1_rate": [(26,), (131,), (5 * 10**6,)],
    "theorem_2_rate": [(2,), (131,), (5 * 10**6,)],
    "theorem_2_best_K": [(1,), (2,), (7,), (1000,), (10**5,)],
    "realised_in_expectation": GAMES,
    "doubling_trick": [(1,), (3,), (1000,)],
    "corollary_2": GAMES,
    "freedman": [(4.0, 1.0, 0.1), (1e5, 0.003, 0.01), (0.0, 1e-7, 1.0)],
    "rate_deviation": [(1.0, 3, 0.1), (1000.0, 3, 0.1)],
    "count_deviation": [(0.0, 3, 0.1), (1.0, 3, 0.1), (1000.0, 3, 0.1)],
    "theorem_3": [(10.0, 7, 0.05), (0.0, 1, 1.0)],
    "corollary_3": [(1000, 6, 0.05), (1, 2, 1.0)],
    "corollary_3_expectation": [(1000, 6), (1, 2)],
    "squared_loss_pcal2": [*GAMES, (3, 2), (4, 2)],
}
CASES |= naive_explicit.CASES
ORACLES = naive.ORACLES | naive_explicit.ORACLES

integers_T = st.integers(1, 10**9)
integers_K = st.integers(2, 3000)
deltas = st.floats(1e-12, 1.0)
unit = st.floats(0.0, 1.0)


def call(name, version, *args):
    keywords = {} if version is None else {"version": version}
    return bounds.BOUNDS[name](*args, **keywords)


def kl(rho, p):
    return rel_entr(rho, p) + rel_entr(1.0 - rho, 1.0 - p)


# ----- every bound at once ---------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "version"), ORACLES)
def test_every_bound_agrees_with_thirty_digits_in_floats_and_in_balls(name, version):
    for args in CASES[name]:
        # Some formulas lose as many digits as a small number has zeros.
        with naive.mp.workdps(45):
            truth = ORACLES[name, version](*args)
        assert call(name, version, *args) == pytest.approx(float(truth), rel=2e-13), args
        if name.endswith("_K"):
            continue
        with precision(120):
            value = call(name, version, *map(exactly, args))
            error = abs(value - arb(naive.mp.nstr(truth, 40)))
            assert error <= arb("1e-26") * abs(value) if truth else value.is_zero(), args


# Wider than a point, and the rule of no argument is left open at the ends.
WIDE = {"T": (30, 45), "K": (5, 7), "delta": (0.01, 0.04), "points": (5, 7)}
OVER_BOXES = [
    (name, version)
    for name, version in ORACLES
    if not name.endswith("_K")
    and set(inspect.signature(bounds.BOUNDS[name]).parameters) <= {*WIDE, "version"}
]
# They count with T, or with K.
ONLY_INTEGERS = ["doubling_trick", "pair_anytime", "kl_from_pseudo", "algorithm_1_high_probability"]
ONLY_INTEGERS += [
    "lemma_6a-sharpened",
    "comparator_error-best",
    "theorem_1_full_grid-best",
    "corollary_3-repaired",
]


@pytest.mark.parametrize(("name", "version"), OVER_BOXES)
def test_a_bound_over_balls_holds_its_values_at_all_points_in_them(name, version):
    names = [n for n in inspect.signature(bounds.BOUNDS[name]).parameters if n in WIDE]
    box = [hull(*WIDE[n]) for n in names]
    if {name, f"{name}-{version}"} & set(ONLY_INTEGERS):
        with pytest.raises(ValueError, match=r"[TK] must be an integer that is at least \d; got \["):
            call(name, version, *box)
        return
    value = call(name, version, *box)
    assert value.is_finite()
    for corner in product(*(WIDE[n] for n in names)):
        assert value.contains(call(name, version, *map(exactly, corner)))


def test_object_arrays_of_balls_give_object_arrays():
    horizons = np.array([arb(10), arb(1000)], dtype=object)
    table = bounds.theorem_2(horizons[:, None], [2, 3, 40])
    assert table.shape == (2, 3)
    assert float(table[1, 2]) == pytest.approx(bounds.theorem_2(1000, 40), rel=1e-15)
    masses = [arb(1), 2.5, 0, hull(1, 2)]
    total = bounds.theorem_2_from_masses(masses, 3)
    assert total.contains(bounds.theorem_2_from_masses(exactly([1, 2.5, 0, 1.5]), 3))


def test_one_ball_makes_every_number_beside_it_exact():
    with precision(200):
        value = bounds.theorem_2(1000, arb(6))
        assert value.rel_accuracy_bits() > 180
        assert value.overlaps(7 * (1 + arb(1000) / 7).log() + 1000 * (arb.pi() / 12).tan() ** 2)
        assert bounds.theorem_3(arb(1), 2, 0.5).rel_accuracy_bits() > 180


def test_a_ball_that_leaves_a_choice_open_holds_both():
    for deviation in (bounds.count_deviation, bounds.rate_deviation):
        either = deviation(hull(1, 100), 3, 0.1)
        assert all(either.contains(deviation(arb(mass), 3, 0.1)) for mass in (1.5, 99))
    for bound in (bounds.pair, bounds.pair_experts):
        either = bound(hull(2, 60), hull(4, 9))
        corners = product((2.5, 59), (4.5, 8.5))
        assert all(either.contains(bound(arb(T), arb(K))) for T, K in corners)
    assert larger(hull(0, 3), hull(1, 4)).contains(arb("3.9"))
    assert smaller(hull(1, 4), hull(0, 3)).contains(arb("0.1"))


def test_balls_at_the_ends_of_the_line():
    assert bounds.chi_square(arb(0), 0.0).is_zero() and not bounds.chi_square(arb("0.5"), 0.0).is_finite()
    assert bounds.proposition_2(SimpleNamespace(kl_constant=math.inf), arb(0)).is_zero()
    assert bounds.tail_lower_bound(arb(100), 2.0**-10).overlaps(10 * arb(2).log())


def test_every_public_function_is_in_the_registry_and_computed_twice():
    assert set(bounds.__all__) == {"BOUNDS", *bounds.BOUNDS}
    assert set(bounds.BOUNDS) == set(CASES) == {name for name, _ in ORACLES}
    assert all(getattr(bounds, name) is function for name, function in bounds.BOUNDS.items())


@pytest.mark.parametrize("name", bounds.BOUNDS)
def test_the_versions_of_a_bound_are_those_it_documents(name):
    function = bounds.BOUNDS[name]
    tested = {version for other, version in ORACLES if other == name}
    if "version" not in inspect.signature(function).parameters:
        assert tested == {None}
        return
    # For the paper's own forecaster two numbers would be one too many: the default is the smaller.
    # The tree's two constants rest on different evidence: the default is the one that Coq has checked.
    default = {"theorem_1_nearest": "best", "tree_swap": "proved"}.get(name, "sharpened")
    assert inspect.signature(function).parameters["version"].default == default
    documented = function.__doc__.split("version : {")[1].split("}")[0]
    known = {word.strip('"') for word in documented.split(", ")}
    # theorem_3 needs T for its repaired version and has a test of its own.
    assert known == tested | ({"repaired"} if name == "theorem_3" else set())
    with pytest.raises(ValueError, match=rf"version must be one of .*'{default}'.*; got 'exact'"):
        function(*CASES[name][0], version="exact")


@pytest.mark.parametrize("name", [name for name in bounds.BOUNDS if not name.endswith("_K")])
def test_scalars_give_a_python_float(name):
    assert type(bounds.BOUNDS[name](*CASES[name][0])) is float


@pytest.mark.parametrize(
    ("name", "version"),
    [
        (name, version)
        for name, version in ORACLES
        if name not in ("proposition_2", "theorem_2_from_masses", "doubling_trick")
        and not name.endswith("_K")
        and name not in naive_explicit.NOT_BY_COLUMNS
    ],
)
def test_arrays_give_the_same_numbers_as_scalars(name, version):
    rows = CASES[name]
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    together = call(name, version, *columns)
    assert together.shape == (len(rows),)
    assert together.tolist() == pytest.approx([call(name, version, *row) for row in rows], rel=1e-15)


def test_arguments_broadcast():
    table = bounds.theorem_2([[10], [1000]], [2, 3, 40])
    assert table.shape == (2, 3)
    assert table[1, 2] == bounds.theorem_2(1000, 40)
    assert bounds.theorem_2_from_masses(np.ones((5, 4)), 3).shape == (5,)


# ----- exact values by hand --------------------------------------------------------------------------------
def test_values_known_by_hand():
    assert bounds.theorem_2(6, 2) == pytest.approx(3 * math.log(3) + 6 * (math.sqrt(2) - 1) ** 2, rel=1e-15)
    assert bounds.theorem_2(12, 3) == pytest.approx(4 * math.log(4) + 4, rel=1e-15)
    assert bounds.theorem_2(12, 3, version="best") == pytest.approx(
        4 * math.log(4) + 12 * math.log(4 / 3), rel=1e-15
    )
    assert bounds.theorem_1(6, 3) == pytest.approx(2 * math.log(4) + 6 * math.log(4 / 3), rel=1e-15)
    assert bounds.lemma_6c(10) == 132.0
    assert bounds.lemma_6b(3, version="best") == pytest.approx(4 / 3, rel=1e-15)
    assert bounds.log_loss_range(3) == pytest.approx(math.log(4), rel=1e-15)
    assert bounds.comparator_error(3, version="best") == pytest.approx(math.log(4 / 3) / 2, rel=1e-14)
    assert bounds.swap_regret_from_cal1(bounds.cal1_from_cal2(9, 4.0)) == 24.0
    assert bounds.theorem_3(1.0, 1, 3 / math.e**2) == pytest.approx(3 + 48 * KAPPA, rel=1e-15)


def test_the_paper_version_of_theorem_3_has_its_printed_constants():
    assert bounds.theorem_3(1.0, 1, 4 / math.e**2, version="paper") == pytest.approx(6 + 192, rel=1e-15)


@pytest.mark.parametrize("T", [1, 2, 4, 5, 16, 17, 2**20, 2**20 + 1, 4**30, 4**30 + 1, 2**474])
def test_repaired_theorem_3_counts_the_powers_of_one_half(T):
    expected = float(naive.theorem_3_repaired(2.0, 5, 0.25, T))
    assert bounds.theorem_3(2.0, 5, 0.25, T=T, version="repaired") == pytest.approx(expected, rel=1e-13)


def test_theorem_2_uses_the_end_cells_at_two_cells_only():
    assert bounds.rounding_cost(2) == pytest.approx(math.tan(math.pi / 8) ** 2, rel=1e-15)
    assert bounds.rounding_cost(3) == pytest.approx(math.tan(math.pi / 6) ** 2, rel=1e-15)


def test_a_loss_without_finite_constant_has_no_bound_unless_calibrated():
    spike = SimpleNamespace(kl_constant=math.inf)
    assert bounds.proposition_2(spike, 0.0) == 0.0
    assert bounds.proposition_2(spike, 1e-9) == math.inf
    flat = SimpleNamespace(kl_constant=0.0)
    assert bounds.proposition_2(flat, math.inf) == 0.0


def test_chi_square_at_the_ends_is_zero_or_infinite():
    assert bounds.chi_square([0.0, 1.0, 0.5, 0.5], [0.0, 1.0, 0.0, 1.0]).tolist() == [
        0.0,
        0.0,
        np.inf,
        np.inf,
    ]
    assert bounds.log_chi_square(0.5, 1.0) == math.inf
    assert bounds.chi_square(1e-9, 0.0) == math.inf


def test_initialisation_cost_is_largest_at_28_and_tends_to_log_two():
    K = np.arange(2, 20000)
    cost = bounds.initialisation_cost(K)
    assert K[np.argmax(cost)] == 28
    assert 0.72914 < cost.max() < 0.72915
    assert abs(bounds.initialisation_cost(10**7) - math.log(2)) < 1e-5


# ----- orderings -------------------------------------------------------------------------------------------
OF_K = ["lemma_6a", "lemma_6b", "lemma_6c", "lemma_6d", "lemma_7", "lemma_7_ends"]
OF_K += ["rounding_cost", "comparator_error"]
OF_T_K = ["theorem_1", "theorem_1_full_grid", "theorem_2", "realised_in_expectation"]
OF_T_K += ["corollary_1", "corollary_2", "corollary_3_expectation"]


def in_order(name, *args):
    """Return the versions of one bound, smallest promised first."""
    ranks = [version for version in ("best", "sharpened", "paper") if (name, version) in naive.ORACLES]
    assert len(ranks) > 1
    return [call(name, version, *args) for version in ranks]


@pytest.mark.parametrize("name", OF_K)
@given(K=st.integers(2, 10**6) | st.integers(2, 50))
@example(K=2)
@example(K=3)
def test_better_versions_are_smaller_at_every_resolution(name, K):
    if name == "comparator_error":
        K = min(K, 3000)
    values = in_order(name, K)
    # At large K the versions of Lemma 6 (b) agree to more digits than a float has.
    assert all(a <= b * (1 + 1e-14) for a, b in pairwise(values))


@pytest.mark.parametrize("name", OF_T_K)
@given(T=integers_T, K=integers_K)
@example(T=1, K=2)
@example(T=1, K=3000)
def test_better_versions_are_smaller_in_every_game(name, T, K):
    values = in_order(name, T, K)
    assert all(a <= b for a, b in pairwise(values))


@given(lower=st.floats(1e-9, 0.999), share=st.floats(1e-6, 1 - 1e-6))
def test_better_rounding_costs_are_smaller_in_every_cell(lower, share):
    best, sharpened, paper = in_order("rounding_cost_cell", lower, lower + share * (1 - lower))
    # (sqrt A + sqrt B)^2 >= 4 min(A, B)
    assert best <= sharpened <= paper / 4 * (1 + 1e-12)


@given(V=st.floats(0, 1e9), mu=st.floats(1e-9, 1.0), delta=deltas)
@example(V=1.0, mu=1.0, delta=0.5)
def test_better_freedman_bounds_are_smaller(V, mu, delta):
    best, sharpened, paper = in_order("freedman", V, mu, delta)
    assert best <= sharpened * (1 + 1e-15)
    assert sharpened <= paper


@given(
    pcal2=st.floats(0, 1e9), points=st.integers(2, 10**6), delta=deltas, T=st.integers(1, 2**474) | integers_T
)
@example(pcal2=0.0, points=2, delta=1.0, T=2**474)
def test_repaired_theorem_3_improves_the_printed_one_up_to_two_to_the_474(pcal2, points, delta, T):
    sharpened = bounds.theorem_3(pcal2, points, delta)
    repaired = bounds.theorem_3(pcal2, points, delta, T=T, version="repaired")
    paper = bounds.theorem_3(pcal2, points, delta, version="paper")
    assert sharpened <= repaired <= paper


def test_the_last_power_of_two_at_which_repaired_is_below_printed():
    def repaired_wins(points, exponent):
        # Only the logarithm of T matters; 2^7000 does not fit a float, its logarithm does.
        rates = 1 + (exponent + 1) // 2
        return 27 * KAPPA * math.log(4 * points * rates) <= 96 * math.log(4 * points)

    assert repaired_wins(1, 474)
    assert not repaired_wins(1, 478)
    assert repaired_wins(2, 7382)
    assert not repaired_wins(2, 7386)


@given(T=integers_T, K=integers_K, delta=deltas)
def test_versions_of_corollary_3_are_ordered(T, K, delta):
    sharpened = bounds.corollary_3(T, K, delta)
    repaired = bounds.corollary_3(T, K, delta, version="repaired")
    assert sharpened <= repaired <= bounds.corollary_3(T, K, delta, version="paper")


@given(T=integers_T, data=st.data())
def test_a_smaller_mass_or_any_split_of_it_costs_less(T, data):
    mass = data.draw(st.floats(0, T))
    assert bounds.ewoo_regret(T, mass) <= bounds.ewoo_regret(T, mass, version="paper")
    shares = np.array(data.draw(st.lists(st.floats(0, 1), min_size=5, max_size=5)))
    if shares.sum() > 0:
        masses = T * shares / shares.sum()
        assert bounds.theorem_2_from_masses(masses, 4) <= bounds.theorem_2(T, 4) * (1 + 1e-12)


def test_the_inner_grid_can_be_worse_or_better_than_the_full_one():
    assert bounds.theorem_1(10**6, 42) < bounds.theorem_1_full_grid(10**6, 42)
    assert bounds.theorem_1(10**6, 42) > bounds.theorem_1_full_grid(10**6, 42, version="best")


# ----- monotonicity and limits -----------------------------------------------------------------------------
@pytest.mark.parametrize("version", ["paper", "sharpened", "best"])
def test_theorem_2_increases_with_the_horizon(version):
    for K in (2, 3, 17):
        assert (np.diff(bounds.theorem_2(np.arange(1, 3000), K, version=version)) > 0).all()


def test_costs_of_a_grid_fall_with_its_resolution():
    K = np.arange(3, 2000)
    for name in ("rounding_cost", "comparator_error", "lemma_6a", "lemma_6b", "lemma_7", "lemma_7_ends"):
        for version in (v for other, v in naive.ORACLES if other == name and v != "best"):
            # The largest gap is not monotone from odd to even K.
            step = 2 if (name, version) == ("lemma_6a", "sharpened") else 1
            values = call(name, version, K)
            assert (values[step:] < values[:-step]).all(), (name, version)


def test_doubling_never_forgets_and_costs_a_constant_factor():
    values = [bounds.doubling_trick(T) for T in range(1, 300)]
    assert (np.diff(values) > 0).all()
    for T in (2**10, 2**15, 2**20):
        best_known = bounds.theorem_2(T, grids.resolution(T))
        assert best_known < bounds.doubling_trick(T) < 4 * best_known


@pytest.mark.parametrize(
    ("name", "version", "limit"),
    [
        ("rounding_cost", "sharpened", math.pi**2 / 4),
        ("rounding_cost", "best", math.pi**2 / 4),
        ("rounding_cost", "paper", 9 * math.pi**2 / 4),
        ("clamp_cost", None, math.pi**2 / 16),
        ("comparator_error", "sharpened", math.pi**2 / 4),
        ("comparator_error", "paper", (2 - math.sqrt(2)) * math.pi**2),
        ("comparator_error_inner", None, math.pi**2 / 4),
        ("lemma_6b", "best", 9 * math.pi**2 / 4),
        ("lemma_7", "best", 9 * math.pi**2 / 4),
        ("lemma_7_ends", "sharpened", 9 * math.pi**2 / 16),
        ("lemma_7_ends", "paper", math.pi**2),
    ],
)
def test_costs_times_the_square_of_the_resolution_have_these_limits(name, version, limit):
    K = 10**5
    assert K**2 * call(name, version, K) == pytest.approx(limit, rel=1e-8)


def test_comparator_error_is_largest_at_three_cells_and_tends_to_the_poisson_case():
    K = np.arange(2, 400)
    scaled = K**2 * bounds.comparator_error(K, version="best")
    assert K[np.argmax(scaled)] == 3
    assert scaled.max() == pytest.approx(4.5 * math.log(4 / 3), rel=1e-13)
    r = 3 / math.log(4)
    poisson = math.pi**2 / 4 * (r * math.log(r) - r + 1)
    assert poisson == pytest.approx(1.249864, abs=1e-6)
    assert 10**10 * bounds.comparator_error(10**5, version="best") == pytest.approx(poisson, rel=1e-8)


def test_rounding_cost_is_at_most_three_over_the_square_with_equality_at_three_cells():
    K = np.arange(2, 10**5)
    scaled = K**2 * bounds.rounding_cost(K)
    assert K[np.argmax(scaled)] == 3
    assert scaled.max() == pytest.approx(3.0, rel=1e-14)


def test_lemma_6d_is_strict_and_right_in_the_limit():
    for K in (2, 3, 10, 1000):
        total = 2 * np.sum(1 / np.sin(np.pi * np.arange(1, K) / K))
        assert 0 < bounds.lemma_6d(K) - total < 0.2 / K


def test_small_angles_lose_no_digits():
    K = 10**7
    x = math.pi / (2 * K)
    assert bounds.comparator_error_inner(K) == pytest.approx(x**2 + x**4 / 6, rel=1e-15)
    assert bounds.freedman(1.0, 1e-9, 1.0, version="best") == pytest.approx(math.log(2) * 1e9, rel=1e-15)
    slope = bounds.freedman(1e18, 1e-9, 1.0, version="best") - bounds.freedman(0.0, 1e-9, 1.0)
    assert slope == pytest.approx(0.5e9, rel=1e-8)


@given(T=st.integers(1, 10**12))
@example(T=1)
@example(T=2)
@example(T=3)
def test_the_best_resolution_beats_all_others_nearby_and_the_papers(T):
    K = bounds.theorem_2_best_K(T)
    others = np.unique(np.r_[np.arange(2, 400), grids.resolution(T), np.arange(max(2, K - 300), K + 300)])
    values = bounds.theorem_2(T, others)
    assert others[np.argmin(values)] == K
    # NumPy squares a lone number by the library's pow and arrays by multiplying. The squares differ by at most a unit
    # in the last place, and each sum has two more roundings of half a one.
    assert bounds.theorem_2(T, K) == pytest.approx(values.min(), rel=3 * 2.0**-52)


# ----- the facts that are bounded --------------------------------------------------------------------------
@given(rho=unit, p=unit)
@example(rho=0.5, p=0.5)
@example(rho=1.0, p=0.25)
@example(rho=0.0, p=1.0)
def test_kl_lies_between_pinsker_and_chi_square(rho, p):
    divergence = kl(rho, p)
    slack = 1e-15 * max(1.0, divergence)
    assert bounds.pinsker(rho, p, version="paper") <= bounds.pinsker(rho, p) <= divergence + slack
    assert divergence <= bounds.log_chi_square(rho, p) + slack
    assert bounds.log_chi_square(rho, p) <= bounds.chi_square(rho, p)


def test_two_is_the_largest_constant_in_pinsker():
    h = 1e-3
    assert kl(0.5 + h, 0.5) < (1 + 1e-6) * bounds.pinsker(0.5 + h, 0.5)


@pytest.mark.parametrize("p", [0.01, 0.25, 0.9])
def test_log_chi_square_is_kl_for_certain_outcomes(p):
    assert bounds.log_chi_square([0.0, 1.0], p) == pytest.approx([-math.log1p(-p), -math.log(p)], rel=1e-14)


@pytest.mark.parametrize("K", [2, 3, 4, 7, 30])
def test_the_true_rounding_cost_is_below_every_version(K):
    points = grids.full_grid(K).points
    p = np.concatenate([np.linspace(0, 1, 4001)[1:-1], points[:-1] + 0.37 * np.diff(points), [1e-12]])
    rows = naive.rounded(p, points)
    cost = np.maximum(np.log(p) - rows @ np.log(points), np.log1p(-p) - rows @ np.log1p(-points))
    assert cost.max() <= bounds.rounding_cost(K, version="best") + 1e-15
    # The lower side does not vanish: rounding may gain a constant next to the ends.
    least = np.minimum(np.log(p) - rows @ np.log(points), np.log1p(-p) - rows @ np.log1p(-points))
    assert K < 7 or -0.25 < least[~((p < points[0]) | (p >= points[-1]))].min() < -0.2
    # Not vacuous: within a tenth once there are many cells.
    assert K < 30 or cost.max() > 0.9 * bounds.rounding_cost(K, version="best")
    outside = (p < points[0]) | (p >= points[-1])
    assert cost[outside].max() == pytest.approx(bounds.clamp_cost(K), rel=1e-9)


@given(lower=st.floats(1e-6, 0.99), share=st.floats(1e-3, 0.99), place=st.floats(1e-6, 1 - 1e-6))
def test_rounding_in_any_cell_costs_at_most_the_logarithm_of_the_mean_ratio(lower, share, place):
    upper = lower + share * (1 - lower)
    p = lower + place * (upper - lower)
    points = np.array([lower, upper])
    row = naive.rounded(np.array([p]), points)[0]
    cost = max(math.log(p) - row @ np.log(points), math.log1p(-p) - row @ np.log1p(-points))
    assert cost <= bounds.rounding_cost_cell(lower, upper, version="best") + 1e-13


@given(K=st.integers(2, 60), rho=unit)
@example(K=2, rho=0.0)
@example(K=3, rho=0.5)
def test_some_grid_point_is_as_near_as_the_comparator_step_says(K, rho):
    full, inner = grids.full_grid(K).points, grids.inner_grid(K).points
    assert kl(rho, full).min() <= bounds.comparator_error(K, version="best") * (1 + 1e-12)
    assert kl(rho, inner).min() <= bounds.comparator_error_inner(K) * (1 + 1e-12)


@given(st.lists(st.tuples(unit, st.booleans()), min_size=1, max_size=60))
@example([(1.0, True)] * 20)
def test_ewoo_regrets_at_most_the_log_of_its_mass(rounds):
    ones = zeros = loss = 0.0
    for weight, y in rounds:
        w = (ones + 1) / (ones + zeros + 2)
        loss -= weight * math.log(w if y else 1 - w)
        ones, zeros = ones + weight * y, zeros + weight * (not y)
    mass = ones + zeros
    best = mass * float(-kl(ones / mass, 0.5) + math.log(2)) if mass > 0 else 0.0
    assert loss - best <= bounds.ewoo_regret(len(rounds), mass) + 1e-12


def test_ewoo_bound_is_attained_by_constant_outcomes():
    loss = sum(math.log((t + 2) / (t + 1)) for t in range(50))
    assert loss == pytest.approx(bounds.ewoo_regret(50, 50.0), rel=1e-14)


@pytest.mark.parametrize("K", [2, 3, 5])
@pytest.mark.parametrize("kind", ["zeros", "alternating", "drift", "coin"])
def test_algorithm_1_stays_below_the_best_version_of_theorem_2(K, kind):
    T = 120
    coin = np.random.default_rng(K).random(T) < 0.3
    outcomes = {
        "zeros": [0] * T,
        "alternating": [t % 2 for t in range(T)],
        "drift": [int(t > T / 2) for t in range(T)],
        "coin": coin.astype(int).tolist(),
    }[kind]
    masses, error = naive.algorithm_1(outcomes, K)
    assert error <= bounds.theorem_2_from_masses(masses, K, version="best")
    assert bounds.theorem_2_from_masses(masses, K) <= bounds.theorem_2(T, K) * (1 + 1e-12)


@pytest.mark.parametrize("K", [2, 3, 8])
@given(p=unit, T=st.integers(1, 60))
def test_a_coin_costs_the_kl_nearest_forecaster_at_most_theorem_1(K, p, T):
    for points, bound in (
        (grids.inner_grid(K).points, bounds.theorem_1(T, K)),
        (grids.full_grid(K).points, bounds.theorem_1_full_grid(T, K, version="best")),
    ):
        z = points[np.argmin(kl(p, points))]
        chances = [math.comb(T, k) * p**k * (1 - p) ** (T - k) for k in range(T + 1)]
        assert chances @ (T * kl(np.arange(T + 1) / T, z)) <= bound


@given(x=st.floats(-1.0, 1.0), mu=st.floats(1e-6, 1.0))
def test_the_exponential_inequality_behind_freedman(x, mu):
    constant = bounds.freedman(1.0, mu, 1.0, version="best") - bounds.freedman(0.0, mu, 1.0)
    # The subtraction costs the digits of log(2) / mu.
    rounding = 1e-15 / mu
    assert math.exp(mu * x) <= 1 + mu * x + mu * x**2 * (constant + rounding) + 1e-15


def excess_of_a_cell(mass, log_term, rates, heavy_from):
    """Return the largest n (z - rho)^2 - 3 S (z - rho~)^2 that the tails used by the proof allow, over L."""
    spread = min(KAPPA * mu * mass + log_term / mu for mu in rates(mass, log_term))
    if mass < heavy_from * KAPPA * log_term:
        return (mass + spread) / log_term
    least_count = mass - spread
    assert least_count > mass / 3
    # max over A of (A + M)^2 / n - 3 A^2 / S, decreasing in n
    return 3 * spread**2 / (3 * least_count - mass) / log_term


def best_rate(mass, log_term):
    return [min(1.0, math.sqrt(log_term / (KAPPA * mass)))]


def powers_of_half(mass, log_term):
    del mass, log_term
    return [2.0**-j for j in range(40)]


@pytest.mark.parametrize(
    ("rates", "heavy_from", "tails", "version"),
    [(best_rate, 16, 3, "sharpened"), (powers_of_half, 18, 4, "repaired")],
)
def test_the_case_distinction_of_theorem_3_gives_its_constants(rates, heavy_from, tails, version):
    log_term = 1.7
    # One cell without pseudo error, at T = 1: what is left is the constant times L.
    constant = bounds.theorem_3(0.0, 1, tails * math.exp(-log_term), T=1, version=version) / log_term
    masses = log_term * np.concatenate([np.geomspace(1e-6, 1e9, 20001), [heavy_from * KAPPA * (1 + 1e-12)]])
    worst = max(excess_of_a_cell(mass, log_term, rates, heavy_from) for mass in masses)
    assert worst <= constant * (1 + 1e-9)
    assert worst > 0.97 * constant


def test_counts_stay_within_their_deviation():
    rng = np.random.default_rng(8)
    T, runs, delta, share = 1000, 2000, 0.2, 0.3
    counts = rng.binomial(T, share, size=runs)
    failures = np.abs(counts - share * T) > bounds.count_deviation(share * T, 2, delta)
    assert int(failures.sum()) <= stats.binom.isf(1e-6, runs, delta)


@given(ones=unit, shift=st.floats(-1, 1), count_shift=st.floats(-1, 1), mass=st.floats(0.1, 1e6))
@example(ones=1.0, shift=-1.0, count_shift=0.0, mass=1e6)
def test_rates_deviate_at_most_as_their_two_sums_allow(ones, shift, count_shift, mass):
    spread = bounds.count_deviation(mass, 3, 0.1)
    n = mass + count_shift * spread
    k = ones * mass + shift * spread
    if n > 0 and 0 <= k <= n:
        assert (k / n - ones) ** 2 <= bounds.rate_deviation(mass, 3, 0.1) * (1 + 1e-9)


def test_the_deviation_of_rates_is_what_the_sums_allow_when_the_mass_is_large():
    mass = 1e8
    spread = bounds.count_deviation(mass, 3, 0.1)
    worst = 1.0 - (mass - spread) / (mass + spread)
    assert worst**2 == pytest.approx(bounds.rate_deviation(mass, 3, 0.1), rel=2e-3)


def test_four_is_the_largest_ratio_of_bregman_to_distance():
    # l(p) = -|1 - 2p| at p = 1/2 - h against rho = 1: BREG = 2 while the distance is 1/2 + h.
    h = Fraction(1, 10**6)
    breg, distance = Fraction(2), Fraction(1, 2) + h
    assert breg <= bounds.swap_regret_from_cal1(distance)
    assert breg >= bounds.swap_regret_from_cal1(distance) * (1 - 3e-6)


# ----- errors ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("function", "args", "message"),
    [
        (bounds.theorem_2, (0, 3), "T must be an integer that is at least 1; got 0"),
        (bounds.theorem_2, (10, 1), "K must be an integer that is at least 2; got 1"),
        (bounds.theorem_2, (10.0, 3), "T must be an integer that is at least 1; got 10.0"),
        (bounds.theorem_2, (True, 3), "T must be an integer"),
        (bounds.theorem_2, ([5, 0], 3), r"T\[1\] must be an integer that is at least 1; got 0"),
        (bounds.theorem_2, (10, [[2, 3], [4, 1]]), r"K\[1, 1\] must be an integer that is at least 2; got 1"),
        (bounds.theorem_2, (10, [2.5, 3.0]), r"K\[0\] must be an integer that is at least 2; got 2.5"),
        (bounds.theorem_2, (2**2000, 3), "T must hold"),
        (bounds.theorem_2_rate, (1,), "T must be an integer that is at least 2; got 1"),
        (
            bounds.theorem_2,
            (hull(0.5, 2), 3),
            r"T must certainly be at least 1; got a ball from 0.49\d* to 2.0",
        ),
        (
            bounds.theorem_2,
            (10, hull(1.9, 3)),
            r"K must certainly be at least 2; got a ball from 1.89\d* to 3.0",
        ),
        (bounds.theorem_2, ([arb(5), arb(0)], 3), r"T\[1\] must certainly be at least 1; got 0.0"),
        (bounds.theorem_2, (arb.nan(), 3), r"T must certainly be at least 1; got nan"),
        (bounds.pair, (arb(5), 3, hull(0.5, 2)), r"delta must certainly lie in \[0, 1\]; got"),
        (bounds.pair, (arb(5), 3, hull(0, 0.5)), r"delta must certainly lie in \[0, 1\]; got"),
        (bounds.freedman, (arb(1), hull(0.5, 1.5), 0.5), r"mu must be at most 1 / step"),
        (bounds.pair, (arb(5), 3, 0.0), "delta must certainly be greater than 0; got 0.0"),
        (bounds.doubling_trick, (hull(2.9, 3.1),), r"T must be an integer that is at least 1; got \["),
        (bounds.doubling_trick, (hull(2, 3),), r"T must be an integer that is at least 1; got \["),
        (bounds.theorem_2_from_masses, ([1.0, 2.0], 3), r"masses must have K \+ 1 = 4 entries"),
        (bounds.theorem_2_from_masses, (1.0, 3), r"masses must have K \+ 1 = 4 entries"),
        (
            bounds.theorem_2_from_masses,
            ([1, -1, 0, 0], 3),
            "masses must be finite and at least 0; got -1.0 at",
        ),
        (bounds.pinsker, (1.5, 0.5), r"rho must lie in \[0, 1\]; got 1.5"),
        (bounds.chi_square, (0.5, [0.5, -1.0]), r"p must lie in \[0, 1\]; got -1.0 at index 1"),
        (bounds.cal2_from_kl, ([1.0, -2.0],), "kl must be finite and at least 0; got -2.0 at index 1"),
        (bounds.proposition_2, (SimpleNamespace(kl_constant=-1.0), 1.0), "loss.kl_constant must be"),
        (bounds.proposition_3, (-1, 1.0), "G must be finite and at least 0; got -1.0"),
        (bounds.rounding_cost_cell, (0.5, 0.5), "lower and upper must satisfy 0 < lower < upper < 1"),
        (bounds.rounding_cost_cell, (0.0, 0.5), "lower and upper must satisfy 0 < lower < upper < 1"),
        (bounds.ewoo_regret, (5, 6.0), "mass must be at most T, the number of rounds; got 6.0 with T = 5"),
        (bounds.freedman, (1.0, 0.0, 0.5), "mu must be greater than 0.0; got 0.0"),
        (bounds.freedman, (1.0, 1.5, 0.5), r"mu must be at most 1 / step = 1.0; got 1.5"),
        (bounds.freedman, (1.0, 1.0, 0.0), "delta must be greater than 0.0; got 0.0"),
        (bounds.freedman, (1.0, 1.0, [0.5, 0.0]), r"delta\[1\] must be greater than 0.0; got 0.0"),
        (bounds.theorem_3, (1.0, 0, 0.5), "points must be an integer that is at least 1; got 0"),
        (bounds.theorem_3, (1.0, 2, 1.5), r"delta must lie in \[0, 1\]; got 1.5"),
        (bounds.doubling_trick, (0,), "T must be an integer that is at least 1; got 0"),
        (bounds.theorem_2_best_K, (0,), "T must be an integer that is at least 1; got 0"),
    ],
)
def test_bad_arguments_are_named(function, args, message):
    with pytest.raises(ValueError, match=message):
        function(*args)


def test_repaired_theorem_3_asks_for_the_horizon():
    with pytest.raises(ValueError, match="T must be given for version 'repaired'; got None"):
        bounds.theorem_3(1.0, 2, 0.5, version="repaired")


def test_freedman_takes_any_bound_on_the_steps():
    assert bounds.freedman(4.0, 0.5, 0.5, step=2.0) == pytest.approx(2 * KAPPA + 2 * math.log(4), rel=1e-15)
    with pytest.raises(ValueError, match=r"mu must be at most 1 / step = 0.5; got 0.501"):
        bounds.freedman(4.0, 0.501, 0.5, step=2.0)
    with pytest.raises(ValueError, match=r"step must be greater than 0.0; got 0.0"):
        bounds.freedman(4.0, 0.5, 0.5, step=0.0)
    assert bounds.freedman(1e-6, 1000.0, 1.0, step=0.001) > 0.0
