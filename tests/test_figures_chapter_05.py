"""Figures of the chapter on the algorithm: chains, growth below bounds."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from klcal import Cells, figures
from klcal.measures import consistency_band


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


CHAIN = np.array([[0, 1, 0, 0], [0, 0.25, 0.75, 0], [0, 1, 0, 0], [1, 0, 0, 0]], dtype=float)


def test_a_chain_has_one_arrow_per_positive_entry_and_numbers_in_its_class_only():
    ax = figures.plot_chain(CHAIN, classes=[[1, 2]])
    assert len(ax.patches) == np.count_nonzero(CHAIN)
    assert [text.get_text() for text in ax.texts] == ["0.25", "0.75", "1"]
    in_class = [patch for patch in ax.patches if patch.get_alpha() == 0.9]
    assert len(in_class) == 3


def test_arrows_to_the_right_run_above_and_arrows_to_the_left_below():
    ax = figures.plot_chain(CHAIN, classes=[[1, 2]])
    ax.figure.canvas.draw()
    there, back = (text for text in ax.texts if text.get_text() in ("0.75", "1"))
    assert there.get_position()[1] > 0 > back.get_position()[1]
    for patch in ax.patches:
        (before, _), (after, _) = patch._posA_posB
        # The second vertex of a path is the control point of its curve.
        bend = patch.get_path().vertices[1, 1]
        assert np.sign(bend) == np.sign(after - before)


def test_states_have_the_area_of_their_probability_and_the_colour_of_their_class():
    ax = figures.plot_chain(
        CHAIN, classes=[[1, 2]], mixture=[0, 4 / 7, 3 / 7, 0], points=[0.1, 0.2, 0.3, 0.4]
    )
    sizes = ax.collections[-1].get_sizes()
    assert (sizes[1] - sizes[0]) / (sizes[2] - sizes[0]) == pytest.approx(4 / 3)
    colours = ax.collections[-1].get_facecolors()
    assert np.array_equal(colours[1], colours[2]) and not np.array_equal(colours[0], colours[1])
    assert [label.get_text() for label in ax.get_xticklabels()] == ["0\n0.1", "1\n0.2", "2\n0.3", "3\n0.4"]


def test_a_part_of_a_chain_keeps_the_numbers_of_its_states():
    ax = figures.plot_chain(CHAIN, classes=[[1, 2]], mixture=[0, 4 / 7, 3 / 7, 0], part=(1, 3))
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "2"]
    assert [text.get_text() for text in ax.texts] == ["0.25", "0.75", "1"]
    sizes = ax.collections[-1].get_sizes()
    assert (sizes[0] - 30) / (sizes[1] - 30) == pytest.approx(4 / 3)


def test_rates_tell_named_curves_apart_and_dash_bounds():
    curves = {name: ([1, 10, 100], [1, 2, k]) for k, name in enumerate(("a", "b", "c"), start=3)}
    ax = figures.plot_rates(curves, {"bound": ([1, 100], [5, 50])}, named=["b"], ylabel="error")
    assert [line.get_label() for line in ax.lines] == ["other adversaries", "_nolegend_", "b", "bound"]
    assert ax.lines[2].get_ydata().tolist() == [1, 2, 4]
    assert ax.lines[3].get_linestyle() == "--" and ax.lines[3].get_color() == figures.BOUND
    assert ax.get_xscale() == ax.get_yscale() == "log"


def test_rates_leave_out_what_a_logarithm_cannot_show():
    ax = figures.plot_rates({"a": ([1, 10, 100], [0, 2, 3])}, {})
    assert ax.lines[0].get_xdata().tolist() == [10, 100]


def test_tradeoffs_have_upright_marks_and_dashed_bounds():
    ax = figures.plot_tradeoff(
        {"a": ([2, 4], [3, 1])}, {"bound": ([2, 4], [5, 6])}, {"here": 3.0, "there": 4.0}
    )
    assert ax.lines[0].get_ydata().tolist() == [3, 1]
    assert ax.lines[1].get_linestyle() == "--"
    assert [line.get_xdata() for line in ax.lines[2:]] == [[3.0, 3.0], [4.0, 4.0]]
    assert len({line.get_linestyle() for line in ax.lines[2:]}) == 2
    assert ax.get_xscale() == ax.get_yscale() == "log"


def test_reliability_shows_the_band_of_cells_with_mass():
    cells = Cells([0.1, 0.5, 0.9], [10, 0, 30], [1, 0, 27])
    band = consistency_band(cells, 0.9)
    ax = figures.plot_reliability(cells, band=band)
    segments = ax.collections[0].get_segments()
    assert [segment[:, 0].tolist() for segment in segments] == [[0.1, 0.1], [0.9, 0.9]]
    assert [segment[:, 1].tolist() for segment in segments] == [
        [band.lower[0], band.upper[0]],
        [band.lower[2], band.upper[2]],
    ]
    assert len(figures.plot_reliability(cells).collections) == 2


def test_functions_draw_where_they_are_told():
    left, right = figures.panels(1, 2)
    assert figures.plot_chain(CHAIN, ax=right) is right
    assert figures.plot_rates({}, {"b": ([1, 2], [1, 2])}, ax=right) is right
    assert len(left.lines) == len(left.patches) == 0


def test_round_leads_from_points_over_learners_and_rounding_to_mixture_and_draw():
    Q = [[0.25, 0.75, 0.0], [0.0, 1.0, 0.0], [0.0, 0.5, 0.5]]
    ax = figures.plot_round([0.1, 0.5, 0.9], [0.4, 0.5, 0.7], Q, [0.0, 1.0, 0.0], 1)
    steps = [line.get_xydata().tolist() for line in ax.lines]
    assert steps[:3] == [[[0, 0.1], [1, 0.4]], [[1, 0.4], [2, 0.1]], [[1, 0.4], [2, 0.5]]]
    assert ax.lines[1].get_linewidth() < ax.lines[2].get_linewidth()
    assert [float(bar.get_width()) for bar in ax.patches] == pytest.approx([0.0, 0.85, 0.0])
    assert ax.collections[-1].get_offsets().tolist() == [[4.0, 0.5]]
