"""Figures: the data on the lines is the data given, and nothing global is left behind."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from klcal import Cells, figures


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def test_curves_carry_their_data_and_bounds_are_dashed():
    ax = figures.plot_curves(
        [1, 2, 3], {"measured": [1, 2, 3], "bound": [3, 3, 3]}, bounds=["bound"], log="xy"
    )
    assert ax.lines[0].get_ydata().tolist() == [1, 2, 3]
    assert ax.lines[0].get_linestyle() == "-" and ax.lines[1].get_linestyle() == "--"
    assert ax.lines[1].get_color() == figures.BOUND
    assert ax.get_xscale() == ax.get_yscale() == "log"


def test_reliability_diagram_shows_cells_with_mass_only():
    cells = Cells([0.1, 0.5, 0.9], [10, 0, 30], [1, 0, 27])
    ax = figures.plot_reliability(cells)
    offsets = np.asarray(ax.collections[-1].get_offsets())
    np.testing.assert_allclose(offsets, [[0.1, 0.1], [0.9, 0.9]])
    sizes = ax.collections[-1].get_sizes()
    assert (sizes[1] - 8) / (sizes[0] - 8) == pytest.approx(3)


def test_divergence_segment_joins_curve_and_tangent():
    p = np.linspace(0, 1, 5)
    ax = figures.plot_divergence(p, p - p**2, p, forecast=0.0, mean=0.5)
    segment = ax.lines[2]
    assert list(segment.get_xdata()) == [0.5, 0.5]
    assert list(segment.get_ydata()) == [0.25, 0.5]


def test_grids_are_rows_of_ticks():
    ax = figures.plot_grids({"a": [0.1, 0.2], "b": [0.5]})
    assert ax.lines[1].get_xdata().tolist() == [0.1, 0.2]
    assert ax.lines[3].get_ydata().tolist() == [1]


def test_bars_carry_their_numbers():
    ax = figures.plot_bars({"a": 1.5, "b": 2.5})
    assert [patch.get_width() for patch in ax.patches] == [1.5, 2.5]


def test_functions_draw_where_they_are_told():
    left, right = figures.panels(1, 2)
    assert figures.plot_grids({"a": [0.5]}, ax=right) is right
    assert len(left.lines) == 0


def test_style_is_applied_on_demand_only():
    with plt.rc_context():
        plt.rcdefaults()
        figures.plot_grids({"a": [0.5]})
        assert plt.rcParams["axes.spines.top"] is True
        figures.use_style()
        assert plt.rcParams["axes.spines.top"] is False


def test_names_of_rows_are_set_as_numbers_only_if_all_of_them_are():
    every, some = ({"0.5": [1], name: [2]} for name in ("0.1", "0.1, linear"))
    marks = [figures.table(rows, ["x"])._repr_html_().count("klcal-number") for rows in (every, some)]
    assert marks == [4, 2]


def test_whatever_is_a_number_is_set_as_one_and_heads_stand_above_what_they_name():
    numbers = ["1/20", "4.6e-142", "+0.5", "\u22121", "47.1%", "infinite", "±3", "\u221e", "\u2013", "1,000"]
    shown = figures.table({name: [name, "two words"] for name in numbers}, ["x", "y"])._repr_html_()
    assert shown.count('<td class="klcal-number">') == 2 * len(numbers)
    assert shown.count("<td>two words</td>") == len(numbers)
    assert ">4.6 · 10<sup>\u2212142</sup><" in shown
    assert '<th></th><th>x</th><th class="klcal-words">y</th>' in shown
