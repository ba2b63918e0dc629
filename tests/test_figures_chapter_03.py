"""Figures of the chapter on grids: small multiples, curves over cells, paths with bounds."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from klcal import figures, full_grid


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def test_multiples_have_one_panel_per_entry_in_order_and_one_legend():
    entries = {
        name: {"sine": [k, 2 * k], "limit": [3.0, 3.0]} for k, name in enumerate(("a", "b", "c"), start=1)
    }
    axes = figures.plot_multiples([1, 2], entries, bounds=["limit"], xlabel="K")
    assert [ax.lines[0].get_ydata().tolist() for ax in axes] == [[1, 2], [2, 4], [3, 6]]
    assert [ax.lines[1].get_linestyle() for ax in axes] == ["--", "--", "--"]
    assert [ax.get_legend() is not None for ax in axes] == [True, False, False]
    assert [ax.get_ylim()[0] for ax in axes] == [0, 0, 0]


def test_multiples_with_logarithmic_heights_do_not_start_at_zero():
    axes = figures.plot_multiples([1, 2], {"a": {"y": [10, 1000]}}, log="xy")
    assert axes[0].get_xscale() == axes[0].get_yscale() == "log" and axes[0].get_ylim()[0] > 0


def test_multiples_name_the_axis_below_the_lowest_panels_and_hide_spare_ones():
    entries = {name: {"y": [1, 2]} for name in "abc"}
    axes = figures.plot_multiples([1, 2], entries, xlabel="K")
    assert [ax.get_xlabel() for ax in axes] == ["", "K", "K"]
    assert [ax.get_visible() for ax in axes[0].figure.axes] == [True, True, True, False]


def test_curves_over_cells_carry_grid_data_and_dashed_levels():
    grid, p = full_grid(4), np.linspace(0, 1, 11)
    ax = figures.plot_over_cells(p, {"cost": p**2}, grid.points, levels={"first": 0.5, "second": 0.75})
    upright, curve, levels = ax.lines[:5], ax.lines[5], ax.lines[6:]
    assert [line.get_xdata()[0] for line in upright] == grid.points.tolist()
    assert np.array_equal(curve.get_xdata(), p) and np.array_equal(curve.get_ydata(), p**2)
    assert [line.get_ydata()[0] for line in levels] == [0.5, 0.75]
    assert all(line.get_linestyle() == "--" for line in levels)
    assert [line.get_color() for line in levels] == [figures.BOUND, figures.HIGHLIGHT]


def test_cells_of_a_sine_grid_are_equally_wide_on_the_stretched_axis():
    grid = full_grid(8)
    ax = figures.plot_over_cells([0.0, 1.0], {"y": [0, 1]}, grid.points)
    corners = np.column_stack([grid.points, np.zeros(9)])
    widths = np.diff(ax.transData.transform(corners)[:, 0])
    np.testing.assert_allclose(widths[1:-1], widths[1], rtol=1e-9)
    np.testing.assert_allclose(widths[[0, -1]], widths[1] / 2, rtol=1e-9)
    assert len(ax.lines) == 10


def test_part_of_the_axis_can_be_shown_without_a_legend():
    ax = figures.plot_over_cells(
        [0.0, 0.5, 1.0], {"y": [0, 1, 2]}, [0.5], xlim=(0, 0.25), ylim=(-1, 1), legend=False
    )
    assert ax.get_xlim() == (0, 0.25) and ax.get_ylim() == (-1, 1)
    assert ax.get_legend() is None


def test_paths_keep_their_own_axes_and_bounds_are_dashed():
    ax = figures.plot_paths(
        {"short": ([1, 2], [3, 4]), "long": ([1, 2, 5], [6, 7, 8])}, {"bound": ([1, 9], [10, 11])}, log="x"
    )
    assert [line.get_xdata().tolist() for line in ax.lines] == [[1, 2], [1, 2, 5], [1, 9]]
    assert [line.get_ydata().tolist() for line in ax.lines] == [[3, 4], [6, 7, 8], [10, 11]]
    assert [line.get_linestyle() for line in ax.lines] == ["-", "-", "--"]
    assert ax.lines[2].get_color() == figures.BOUND
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "linear")
    assert figures.plot_paths({}, {"bound": ([1, 9], [10, 11])}, log="y").get_yscale() == "log"
    assert figures.plot_paths({"y": ([0, 1], [0, 1])}, {}, legend=False).get_legend() is None


def test_functions_draw_where_they_are_told():
    left, right = figures.panels(1, 2)
    assert figures.plot_over_cells([0, 1], {"y": [0, 1]}, [0.5], ax=right) is right
    assert figures.plot_paths({"y": ([0, 1], [0, 1])}, {}, ax=right) is right
    assert len(left.lines) == 0


def test_points_of_a_grid_are_the_shadows_of_the_semicircle_above_them():
    ax = figures.plot_semicircle([0.1, 0.5, 0.9], title="shadows")
    tips = [line.get_xydata()[1] for line in ax.lines[2:]]
    assert all((x - 0.5) ** 2 + y**2 == pytest.approx(0.25) for x, y in tips)
    assert [line.get_xydata()[2].tolist() for line in ax.lines[2:]] == [[0.1, 0.0], [0.5, 0.0], [0.9, 0.0]]
    assert [line.get_color() for line in ax.lines[2:]] == [figures.BOUND, figures.MEASURED, figures.BOUND]
    assert ax.get_title() == "shadows" and ax.get_aspect() == 1.0
