"""Calibration measures and regrets: definitions, exact values, and the suprema as linear programs."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import naive_measures as naive
import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

import klcal
from klcal import measures
from klcal.losses import LOSSES, log, mixture_of_v, squared, v_shaped
from klcal.measures import (
    calibration_error,
    external_regret,
    kl_calibration,
    max_external_regret,
    max_swap_regret,
    swap_regret,
    v_profile,
    worst_swap_loss,
)
from klcal.measures.cells import Cells

GRAIN = 16
BOUNDED = [name for name in LOSSES if name != "log"]
DEFINED = ((swap_regret, naive.swap_regret), (external_regret, naive.external_regret))
every_loss = pytest.mark.parametrize("name", LOSSES)
every_regret = pytest.mark.parametrize(
    ("regret", "maximum", "of_loss"),
    [("swap", max_swap_regret, swap_regret), ("external", max_external_regret, external_regret)],
    ids=["swap", "external"],
)

cell = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda pair: (max(pair), min(pair)))  # mass, ones
tables = st.dictionaries(st.integers(0, GRAIN), cell, min_size=1, max_size=6)
rounds = st.lists(st.tuples(st.integers(0, GRAIN), st.integers(0, 1)), min_size=1, max_size=12)


def test_the_total_loss_of_five_rounds_by_hand():
    cells = Cells([0.25, 0.5], [4, 1], [1, 0])
    assert measures.total_loss(cells, "squared") == 0.75**2 + 3 * 0.25**2 + 0.25
    assert measures.total_loss(cells) == pytest.approx(math.log(512 / 27))


def cells_of(table: dict[int, tuple[int, int]]) -> Cells:
    """Return the cells at sixteenths: such points are exact, and so are all sums of counts."""
    points = sorted(table)
    return Cells([k / GRAIN for k in points], [table[k][0] for k in points], [table[k][1] for k in points])


def exact(cells: Cells) -> list[naive.Cell]:
    return [tuple(map(Fraction, row)) for row in zip(cells.points, cells.mass, cells.ones, strict=True)]


def random_cells(rng: np.random.Generator, n: int = 6) -> Cells:
    """Return cells with non-dyadic points, some of them 0, 1/2 or 1, and masses that are not counts."""
    points = np.unique(np.where(rng.random(n) < 0.2, rng.choice([0, 0.5, 1], n), rng.random(n)))
    mass = rng.gamma(0.7, 10, len(points)) * (rng.random(len(points)) < 0.9)
    return Cells(points, mass, mass * np.clip(rng.normal(points, 0.4), 0, 1))


# --- from the definition ----------------------------------------------------------------------------------


@every_loss
@settings(max_examples=15)
@given(rounds)
@example([(8, 1)])
@example([(0, 0), (0, 1), (16, 1), (16, 0)])
@example([(0, 0), (16, 1)])
@example([(8, 1), (8, 0), (4, 0)])
def test_regrets_are_those_of_the_definition(name, pairs):
    loss = LOSSES[name]
    forecasts, outcomes = [k / GRAIN for k, _ in pairs], [y for _, y in pairs]
    cells, played = Cells.from_forecasts(forecasts, outcomes), naive.realised(forecasts, outcomes)
    candidates = [k / 8 for k in range(9)]
    for measure, definition in DEFINED:
        assert measure(cells, loss) == pytest.approx(definition(played, loss, candidates), abs=1e-12)


@every_loss
def test_pseudo_regrets_are_those_of_the_definition(name, seed):
    rng = np.random.default_rng(seed)
    points, outcomes = np.array([0.1, 0.35, 0.5, 0.8]), rng.integers(0, 2, 15)
    mixtures = rng.dirichlet([0.3] * 4, 15)
    cells = Cells.from_mixtures(points, mixtures, outcomes)
    played = naive.expected(points, mixtures, outcomes)
    candidates = np.linspace(0.01, 0.99, 21).tolist()
    for measure, definition in DEFINED:
        expected = definition(played, LOSSES[name], candidates)
        assert measure(cells, LOSSES[name]) == pytest.approx(expected, abs=1e-12)


@given(tables)
@example({0: (3, 0), 8: (2, 1), 16: (4, 4)})
@example({0: (3, 1)})
@example({16: (3, 1)})
@example({0: (0, 0), 8: (2, 1)})
def test_kl_calibration_has_fifteen_digits(table):
    cells = cells_of(table)
    assert kl_calibration(cells) == pytest.approx(naive.kl_calibration(exact(cells)), rel=1e-14, abs=0)


@pytest.mark.parametrize(
    ("point", "mean"),
    [
        (point, point + sign * gap)
        for point, gaps in {
            1e-9: [1e-24, 1e-18, 1e-12],
            0.3: [2.0**-50, 2.0**-35, 2.0**-20],
            0.5: [2.0**-50, 2.0**-35, 2.0**-20],
            1 - 2.0**-30: [2.0**-53, 2.0**-45, 2.0**-35],
        }.items()
        for gap in gaps
        for sign in (-1, 1)
    ],
)
def test_kl_calibration_keeps_its_digits_next_to_perfect_calibration(point, mean):
    truth = naive.kl_calibration([(Fraction(point), Fraction(1), Fraction(mean))])
    assert kl_calibration(Cells([point], [1], [mean])) == pytest.approx(truth, rel=1e-14, abs=0)


@given(tables, st.integers(1, 4))
def test_calibration_error_is_the_sum_of_absolute_powers(table, order):
    cells = cells_of(table)
    truth = float(naive.calibration_error(exact(cells), order))
    assert calibration_error(cells, order) == pytest.approx(truth, rel=1e-14, abs=1e-300)


def test_orders_may_be_any_real_number_from_one_on():
    cells = Cells([0.25], [4], [2])
    assert calibration_error(cells, 1.5) == pytest.approx(0.5, rel=1e-15)
    assert calibration_error(cells, order=2.5) == 4 * 0.25**2.5


# --- exact values -----------------------------------------------------------------------------------------


def test_hand_computed_example_with_overshooting_and_undershooting_forecasts():
    cells = Cells([0.25, 0.75], [4, 8], [2, 4])  # both means are 1/2; the overall mean is 1/2
    assert calibration_error(cells, 1) == 3.0
    assert calibration_error(cells) == 0.75 == swap_regret(cells, squared) == external_regret(cells, squared)
    assert kl_calibration(cells) == pytest.approx(6 * math.log(4 / 3), rel=1e-15)
    # The profile is 4(1/2 - u) on [1/4, 1/2] and 8(u - 1/2) on [1/2, 3/4], so 1 and 2 at the two jumps.
    profile = v_profile(cells)
    assert profile.points.tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert profile.left.tolist() == [0, 0, 0, 2, 0]
    assert profile.right.tolist() == [0, 1, 0, 0, 0]
    assert max_swap_regret(cells) == 4 * 1.5 == max_external_regret(cells)


def test_external_regret_is_negative_where_forecasts_beat_every_constant():
    cells = Cells([0.0, 1.0], [5, 5], [0, 5])
    assert external_regret(cells, squared) == -2.5
    assert external_regret(cells, log) == pytest.approx(-10 * math.log(2), rel=1e-15)
    assert max_external_regret(cells) == 0.0 == max_swap_regret(cells)


def test_a_wrong_certainty_costs_two_a_round_and_no_more():
    # All forecasts 0, all outcomes 1: the loss is 1 instead of -1 in every round.
    cells = Cells([0.0], [7], [7])
    assert max_swap_regret(cells) == 14.0 == max_external_regret(cells)
    assert kl_calibration(cells) == math.inf == external_regret(cells, log)


def test_bend_at_an_end_counts_forecasts_of_that_end():
    # Half of the outcomes are 1. A loss that charges 2 for forecasting 0 before a 1 has regret 2 * 4.
    cells = Cells([0.0], [8], [4])
    assert max_swap_regret(cells) == 8.0
    assert worst_swap_loss(cells).form.kinks[0] == 0.0
    mirrored = Cells([1.0], [8], [4])
    assert max_swap_regret(mirrored) == 8.0
    assert worst_swap_loss(mirrored).form.kinks[-1] == 1.0


# --- what no measure sees, and what all must respect ------------------------------------------------------


def all_measures(cells: Cells) -> list[float]:
    losses = [f(cells, loss) for f in (swap_regret, external_regret) for loss in LOSSES.values()]
    suprema = [max_swap_regret(cells), max_swap_regret(cells, 3.0), max_swap_regret(cells, 9.0)]
    return [kl_calibration(cells), calibration_error(cells, 1), *losses, *suprema, max_external_regret(cells)]


@settings(max_examples=20)
@given(tables)
@example({0: (0, 0), 16: (0, 0)})
@example({0: (0, 0), 7: (3, 2), 16: (0, 0)})
def test_cells_without_mass_change_nothing(table):
    cells = cells_of(table)
    values = all_measures(cells)
    assert not any(math.isnan(value) for value in values)
    assert values == all_measures(cells.restricted())


def test_nothing_has_no_regret():
    assert set(all_measures(Cells([], [], []))) == {0.0}
    assert set(all_measures(Cells([0.0, 0.5, 1.0], [0, 0, 0], [0, 0, 0]))) == {0.0}


def test_perfect_calibration_has_no_swap_regret_at_all():
    cells = Cells([0.0, 0.25, 0.5, 1.0], [2, 4, 6, 3], [0, 1, 3, 3])
    assert [swap_regret(cells, loss) for loss in LOSSES.values()] == [0.0] * len(LOSSES)
    assert max_swap_regret(cells) == 0.0 == max_swap_regret(cells, smoothness=100)
    assert swap_regret(cells, worst_swap_loss(cells)) == 0.0


@settings(max_examples=30)
@given(tables)
def test_mirror_image_has_the_same_measures(table):
    cells = cells_of(table)
    mirrored = cells_of({GRAIN - k: (mass, mass - ones) for k, (mass, ones) in table.items()})
    for measure in (kl_calibration, calibration_error, max_swap_regret, max_external_regret):
        assert measure(mirrored) == pytest.approx(measure(cells), rel=1e-13, abs=1e-13)
    assert max_swap_regret(mirrored, 7) == pytest.approx(max_swap_regret(cells, 7), rel=1e-13, abs=1e-13)


def test_external_regret_survives_a_mean_that_rounds_to_one():
    cells = Cells([0.5, 0.75], [1e20, 1], [1e20, 0])
    assert cells.base_rate == 1.0
    assert external_regret(cells, log) == pytest.approx(1e20 * math.log(2), rel=1e-15)


# --- the profile and the suprema --------------------------------------------------------------------------


@pytest.mark.parametrize("regret", ["swap", "external"])
@settings(max_examples=50)
@given(tables, st.integers(0, 64))
def test_profile_is_the_regret_against_one_unit_of_bend(regret, table, k):
    cells = cells_of(table)
    profile = v_profile(cells, regret)
    truth = [float(naive.profile(exact(cells), Fraction(u), regret)) for u in profile.points]
    np.testing.assert_allclose(profile.values, truth, rtol=0, atol=1e-14 * max(cells.total, 1))
    # Between break points it is linear.
    j = k % (len(profile.points) - 1)
    middle = (Fraction(profile.points[j]) + Fraction(profile.points[j + 1])) / 2
    between = float(naive.profile(exact(cells), middle, regret))
    found, slack = (profile.right[j] + profile.left[j + 1]) / 2, 1e-14 * max(cells.total, 1)
    assert found == pytest.approx(between, abs=slack)


@given(tables)
def test_integral_of_the_swap_profile_is_half_the_squared_calibration_error(table):
    cells = cells_of(table)
    profile = v_profile(cells)
    integral = np.sum(np.diff(profile.points) * (profile.right[:-1] + profile.left[1:])) / 2
    assert 2 * integral == pytest.approx(calibration_error(cells), rel=1e-13, abs=1e-14)
    assert profile.values.max() <= calibration_error(cells, 1) * (1 + 1e-14)


@every_regret
@settings(max_examples=50)
@given(table=tables)
@example(table={0: (9, 4)})
@example(table={8: (9, 9)})
@example(table={0: (5, 5), 16: (5, 0)})
@example(table={8: (4, 2), 4: (9, 0), 12: (9, 9)})
def test_suprema_equal_the_exact_envelope(regret, maximum, of_loss, table):
    cells = cells_of(table)
    truth = float(naive.supremum(exact(cells), regret))
    assert maximum(cells) == pytest.approx(truth, rel=1e-14, abs=1e-14 * cells.total)
    if regret == "swap":
        loss = worst_swap_loss(cells)
        assert of_loss(cells, loss) == pytest.approx(truth, rel=1e-14, abs=1e-13 * cells.total)
        assert max(-loss.lower, loss.upper) <= 1 + 1e-15
        assert len(loss.form.kinks) <= 2


@every_regret
def test_suprema_equal_the_linear_program(regret, maximum, of_loss, seed):  # noqa: ARG001
    rng = np.random.default_rng(seed)
    for _ in range(15):
        cells = random_cells(rng)
        program = naive.supremum_by_program(exact(cells), regret, mesh=60)
        assert maximum(cells) == pytest.approx(program, rel=1e-9, abs=1e-9)


@every_regret
def test_no_bounded_loss_exceeds_the_supremum(regret, maximum, of_loss, seed):  # noqa: ARG001
    rng = np.random.default_rng(seed)
    for _ in range(10):
        cells = random_cells(rng)
        ceiling = maximum(cells) + 1e-13 * cells.total
        for name in BOUNDED:
            assert of_loss(cells, LOSSES[name]) <= ceiling
        for v in (*cells.points, *cells.means, *rng.random(10)):
            for tie in (-1, 0, 1):
                assert of_loss(cells, v_shaped(v, tie=tie)) <= ceiling
        for _ in range(10):
            kinks = rng.choice([*cells.points, *cells.means, *rng.random(5)], 4)
            loss = mixture_of_v(kinks, rng.gamma(0.5, size=4), ties=rng.choice([-1.0, 0.0, 1.0], 4))
            assert of_loss(cells, loss) <= ceiling


@every_regret
@settings(max_examples=40)
@given(table=tables)
@example(table={8: (4, 2), 4: (9, 0), 12: (9, 9)})
def test_envelope_is_concave_lies_above_and_touches_at_its_corners(regret, maximum, of_loss, table):  # noqa: ARG001
    cells = cells_of(table)
    profile = v_profile(cells, regret)
    places, heights = profile.envelope()
    assert places[0] == 0 and places[-1] == 1 and (np.diff(places) > 0).all()
    slack = 1e-13 * max(cells.total, 1)
    assert (np.diff(np.diff(heights) / np.diff(places)) <= slack * 300).all()
    assert (np.interp(profile.points, places, heights) >= profile.values - slack).all()
    assert set(zip(places, heights, strict=True)) <= set(zip(profile.points, profile.values, strict=True))
    assert 4 * np.interp(0.5, places, heights) == pytest.approx(maximum(cells), abs=4 * slack)


def test_profile_has_a_value_at_its_break_points_and_at_no_others():
    profile = v_profile(Cells([0.25], [4], [3]))
    assert profile.at([0.75, 0.25]).tolist() == [0, 2]
    for place in (0.5, 2.0):
        with pytest.raises(ValueError, match="places must be break points of the profile; got"):
            profile.at([0.25, place])


def test_corners_of_the_envelope_of_four_cells():
    places, heights = v_profile(Cells([0.125, 0.375, 0.625, 0.875], [8] * 4, [3, 2, 7, 4])).envelope()
    assert places.tolist() == [0, 0.125, 0.625, 0.875, 1] and heights.tolist() == [0, 2, 3, 3, 0]


# --- losses with bounded curvature ------------------------------------------------------------------------


@given(tables, st.floats(0, 4))
@example({0: (5, 5)}, 4.0)
@example({0: (5, 5), 16: (5, 0)}, 4.0)
def test_up_to_curvature_four_the_supremum_is_proportional_to_the_squared_calibration_error(table, cap):
    cells = cells_of(table)
    assert max_swap_regret(cells, smoothness=cap) == cap / 2 * calibration_error(cells)
    # Twice the squared loss, less 1, has values in [-1, 1] and curvature 4: it attains the case G = 4.
    assert max_swap_regret(cells, smoothness=4) == 2 * swap_regret(cells, squared)


@pytest.mark.parametrize("cap", [4, 5, 16 / 3, 6, 16, 100, 1e4, 1e6, 1e9])
def test_capped_supremum_of_one_cell_in_closed_form(cap):
    # Forecast 1/2, all outcomes 1: the density G sits on [1/2, x] until int u dmu = 2 at x^2 = 1/4 + 4/G.
    with mpmath.workdps(50):
        x = min(mpmath.mpf(1), mpmath.sqrt(mpmath.mpf(1) / 4 + 4 / mpmath.mpf(cap)))
        truth = float(3 * mpmath.mpf(cap) / 2 * (mpmath.mpf(1) / 4 - (1 - x) ** 2))
    assert max_swap_regret(Cells([0.5], [3], [3]), smoothness=cap) == pytest.approx(truth, rel=2e-15)
    assert max_swap_regret(Cells([0.5], [3], [0]), smoothness=cap) == pytest.approx(truth, rel=2e-15)


@pytest.mark.parametrize("cap", [4.01, 4.5, 8, 9, 1e3])
def test_capped_supremum_where_the_optimal_line_runs_along_the_profile(cap):
    # The profile is 2 on all of [1/4, 3/4]: the constraints bind from G = 8 on, and the maximum stays at 8.
    flat = Cells([0.25, 0.75], [4, 4], [3, 1])
    assert max_swap_regret(flat, smoothness=cap) == pytest.approx(min(cap, 8.0), rel=1e-15)
    # The profile is 5(1 - u) on all of [0, 1]: the maximum 10 is reached at G = 4 already.
    assert max_swap_regret(Cells([0.0], [5], [5]), smoothness=cap) == pytest.approx(10.0, rel=1e-15)


def smallest_dual(cells, cap, start, **precision):
    """Minimise the dual over lines."""
    linear = naive.pieces(exact(cells))
    return minimize(
        lambda line: naive.capped_dual(linear, cap, *np.abs(line)),
        [start, start],
        method="Nelder-Mead",
        options=precision,
    ).fun


def test_capped_supremum_where_a_level_stretch_is_partly_used():
    # Level 2 on [1/4, 3/4], and on both sides triangles from 3 down to 0: the line 2 leaves out two triangles
    # of height 1 and width 1/24, so the dual value is 4 * 2 + 16 * 2 / 48.
    both_sides = Cells([0.0, 0.25, 0.75, 1.0], [24, 4, 4, 24], [3, 3, 1, 21])
    assert max_swap_regret(both_sides, smoothness=16) == pytest.approx(26 / 3, rel=1e-15)
    # Level 3 on [1/2, 7/8] and one triangle from 5 down to 0: the best line is not level.
    one_side = Cells([0.0, 0.5, 0.875], [40, 8, 8], [5, 7, 4])
    dual = smallest_dual(one_side, 12.0, 3.0, xatol=1e-10, fatol=1e-13)
    assert max_swap_regret(one_side, smoothness=12) == pytest.approx(dual, rel=1e-13)
    for cap in (6, 10, 12, 16, 20):
        for cells in (both_sides, one_side):
            small = Cells(cells.points, cells.mass / 2**12, cells.ones / 2**12)
            assert max_swap_regret(small, cap) * 2**12 == max_swap_regret(cells, cap)


def test_capped_supremum_lies_between_its_primal_and_its_dual(seed):
    rng = np.random.default_rng(seed)
    for cap in (4.1, 6.0, 15.0, 80.0):
        cells = random_cells(rng, n=5)
        value = max_swap_regret(cells, smoothness=cap)
        primal = naive.capped_primal(exact(cells), cap, mesh=300)
        assert primal * (1 - 1e-7) <= value <= primal * (1 + 1e-3)
        linear = naive.pieces(exact(cells))
        for a, b in rng.gamma(1.0, calibration_error(cells, 1), (20, 2)):
            assert value <= naive.capped_dual(linear, cap, a, b) * (1 + 1e-14)
        dual = smallest_dual(cells, cap, value / 4, xatol=1e-8 * value, fatol=1e-13 * value)
        assert value == pytest.approx(dual, rel=1e-10)


@settings(max_examples=30)
@given(tables)
def test_without_cap_the_supremum_is_the_limit(table):
    cells = cells_of(table)
    limit = max_swap_regret(cells)
    assert max_swap_regret(cells, smoothness=1e9) == pytest.approx(limit, rel=1e-6, abs=1e-12)
    assert max_swap_regret(cells, smoothness=1e300) <= limit


# --- forecasts and outcomes in place of cells

P, Y = [0.25, 0.75, 0.25, 0.5], [1, 1, 0, 0]
MEASURES = {
    "kl": (kl_calibration, (), {}),
    "l2": (calibration_error, (), {"order": 2}),
    "l1": (calibration_error, (1,), {}),
    "swap": (swap_regret, ("log",), {}),
    "external": (external_regret, (), {"loss": "squared"}),
    "resolution": (measures.murphy_resolution, ("spherical",), {}),
    "loss": (measures.total_loss, (), {}),
    "squared loss": (measures.total_loss, ("squared",), {}),
    "max swap": (max_swap_regret, (), {"smoothness": 5}),
    "max external": (max_external_regret, (), {}),
    "profile": (lambda *game: measures.v_profile(*game, regret="external").values.tolist(), (), {}),
    "worst loss": (lambda *game: measures.worst_swap_loss(*game).form.kinks, (), {}),
}
KINDS = {
    "lists": list,
    "arrays": np.array,
    "pandas": pd.Series,
    "pandas of another order": lambda values: pd.Series(values, index=[9, 3, 7, 1]),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_takes_forecasts_and_outcomes(name, kind):
    measure, rest, named = MEASURES[name]
    cells, make = Cells.from_forecasts(P, Y), KINDS[kind]
    assert measure(make(P), make(Y), *rest, **named) == measure(cells, *rest, **named)


def test_series_of_polars_are_measured():
    polars = pytest.importorskip("polars")
    assert kl_calibration(polars.Series(P), polars.Series(Y)) == kl_calibration(P, outcomes=Y)


ONE = Cells([0.5], [1], [1])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: calibration_error(ONE, 0.5), r"order must be at least 1\.0; got 0\.5"),
        (lambda: calibration_error(ONE, math.inf), "order must be finite; got inf"),
        (lambda: max_swap_regret(ONE, -1), r"smoothness must be at least 0\.0; got -1"),
        (lambda: max_swap_regret(ONE, math.inf), "smoothness must be finite; got inf"),
        (lambda: v_profile(ONE, "internal"), "regret must be one of 'swap', 'external'; got 'internal'"),
        (lambda: kl_calibration(klcal.run([1, 0], 2)), "cells must be .* draws, .realised, .*; got a Run"),
        (lambda: max_swap_regret(klcal.Forecaster()), "cells must be those of the draws.*; got a Forecaster"),
        (lambda: kl_calibration(pd.DataFrame({"forecast": P})), "cells must be Cells, .*; got a DataFrame"),
        (lambda: kl_calibration(P), r"cells must be Cells, or forecasts followed by .*; got \[0.25"),
        (lambda: kl_calibration(P, Y[:3]), r"outcomes must have the length of forecasts \(4\); got 3"),
        (lambda: kl_calibration(Y, P), "outcomes must be 0 or 1; got 0.25 at index 0"),
        (lambda: swap_regret(P, Y, "hinge"), "loss must be one of 'squared', 'log', .*; got 'hinge'"),
        (lambda: swap_regret(P, Y, abs), "loss must be a ProperLoss or the name of one; got <built-in"),
    ],
)
def test_what_cannot_be_measured_is_answered_in_a_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call()
