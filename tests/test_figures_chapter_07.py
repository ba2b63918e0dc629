"""Figures of the chapter on high probability: ranges of draws, chains of inequalities."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from klcal.figures.canvas import BOUND, MEASURED, panels
from klcal.figures.high_probability import plot_ranges, plot_steps


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def segments(ax):
    return [np.array(part).tolist() for group in ax.collections for part in group.get_segments()]


def test_ranges_run_from_end_to_end_and_marks_stand_in_the_row_of_their_group():
    ax = plot_ranges(
        ["up", "down"],
        {"first": ([1, 2], [2, 3], [4, 5]), "second": ([6, 7], [7, 8], [8, 9])},
        {"mean": {"first": [2.5, 3.5], "second": [7.5, 8.5]}},
        log=True,
    )
    assert [(a[0], b[0]) for a, b in segments(ax)] == [(1, 4), (2, 5), (6, 8), (7, 9)]
    heights = [a[1] for a, _ in segments(ax)]
    assert heights == pytest.approx([-0.14, 0.86, 0.14, 1.14])
    middles, marks = ax.lines[:2], ax.lines[2:]
    assert [line.get_xdata().tolist() for line in middles] == [[2, 3], [7, 8]]
    assert len({line.get_marker() for line in middles}) == 2
    assert [line.get_xdata().tolist() for line in marks] == [[2.5, 3.5, 7.5, 8.5]]
    assert marks[0].get_ydata().tolist() == pytest.approx(heights)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["up", "down"]
    assert ax.yaxis_inverted() and ax.get_xscale() == "log"


def test_a_group_alone_stands_in_the_middle_of_its_row_and_may_have_several_marks():
    marks = {"mean": {"draws": [2.0]}, "bound": {"draws": [9.0]}}
    ax = plot_ranges(["a"], {"draws": ([1], [2], [3])}, marks, xlabel="x")
    assert [line.get_ydata().tolist() for line in ax.lines] == [[0.0], [0.0], [0.0]]
    assert [line.get_label() for line in ax.lines] == ["draws", "mean", "bound"]
    assert ax.get_xlabel() == "x" and ax.get_xscale() == "linear"


def test_one_group_needs_no_legend_and_many_rows_get_a_taller_figure():
    ax = plot_ranges([str(k) for k in range(30)], {"draws": (range(30), range(30), range(30))}, {})
    assert ax.get_legend() is None
    assert ax.figure.get_figheight() == pytest.approx(1.0 + 0.24 * 30)
    assert plot_ranges(["a"], {"d": ([1], [2], [3])}, {"m": {"d": [1]}}).get_legend() is not None


def test_steps_are_bars_with_the_factor_over_the_one_above():
    ax = plot_steps({"measured": 2.0, "square": 4.0, "bound": 12000.0}, title="proof")
    assert [float(bar.get_width()) for bar in ax.patches] == [2, 4, 12000]
    assert [text.get_text() for text in ax.texts] == ["2", "4  (×2)", "12,000  (×3e+03)"]
    colours = [plt.matplotlib.colors.to_hex(bar.get_facecolor()) for bar in ax.patches]
    assert colours[0] == MEASURED and colours[-1] == BOUND and colours[1] not in (MEASURED, BOUND)
    assert (
        ax.get_xscale() == "log"
        and ax.yaxis_inverted()
        and ax.get_title(loc="left") + ax.get_title() == "proof"
    )
    assert ax.get_xlim()[0] < 2 and ax.get_xlim()[1] > 12000


def test_functions_draw_where_they_are_told():
    left, right = panels(1, 2)
    assert plot_steps({"a": 1.0, "b": 2.0}, ax=right) is right
    assert plot_ranges(["a"], {"d": ([1], [2], [3])}, {}, ax=right) is right
    assert len(left.patches) == len(left.lines) == 0
