"""Figures of the chapter on swap regret: what is drawn is what was given."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from klcal import figures


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def texts(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_summit_of_the_landscape_is_the_darkest_region_and_the_star_marks_the_best():
    x = np.linspace(0, 1, 41)
    regret = -((x[:, None] - 0.25) ** 2) - (x - 0.75) ** 2
    ax = figures.plot_landscape(x, regret, best=(0.25, 0.75), start=(0.5, 0.5), depth=0.25)
    filled = ax.collections[0]
    assert filled.levels[-1] == 0.0 and filled.levels[0] == -0.25
    summit = filled.get_paths()[-1]
    # Rows are images of the first forecast, which is the horizontal axis.
    assert summit.contains_point((0.25, 0.72)) and not summit.contains_point((0.72, 0.25))
    assert ax.lines[0].get_xydata().tolist() == [[0.5, 0.5]]
    assert ax.lines[1].get_xydata().tolist() == [[0.25, 0.75]]
    assert texts(ax) == ["forecasts", "means"]


def test_landscape_without_forecasts_has_no_legend():
    ax = figures.plot_landscape([0, 0.5, 1], np.eye(3), best=(0.5, 0.5))
    assert ax.get_legend() is None and len(ax.lines) == 1


def test_two_ways_match_numbers_by_name_not_by_order():
    ax = figures.plot_two_ways({"a": 1.0, "b": 2.0}, {"b": 2.5, "a": 1.5}, names=("sum", "search"))
    assert [patch.get_width() for patch in ax.patches] == [1.0, 2.0]
    assert ax.lines[0].get_xydata().tolist() == [[1.5, 0], [2.5, 1]]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b"]
    assert ax.yaxis_inverted()
    assert set(texts(ax)) == {"sum", "search"}


def test_two_ways_need_the_same_names():
    with pytest.raises(KeyError, match="b"):
        figures.plot_two_ways({"a": 1.0, "b": 2.0}, {"a": 1.0}, names=("sum", "search"))


def test_histogram_counts_every_value_once_and_breaks_the_lines_of_bounds_differently():
    values = np.arange(100)
    ax = figures.plot_histogram(values, {"mean": 49.5, "bound": 40.0, "other": 30.0})
    assert sum(patch.get_height() for patch in ax.patches) == 100
    assert [line.get_xdata()[0] for line in ax.lines] == [49.5, 40.0, 30.0]
    assert [line.get_linestyle() for line in ax.lines] == ["-", "--", ":"]
    assert texts(ax) == ["mean", "bound", "other"]


def test_level_has_the_colour_of_its_curve_and_infinite_or_missing_levels_are_left_out():
    curves = {"a": [1, 2], "b": [3, 4], "c": [5, 6]}
    ax = figures.plot_levels([0, 1], curves, {"a": 2.0, "b": np.inf}, ylim=(0, 9))
    assert [line.get_linestyle() for line in ax.lines] == ["-", "--", "-", "-"]
    assert ax.lines[1].get_ydata() == [2.0, 2.0]
    assert ax.lines[1].get_color() == ax.lines[0].get_color() != ax.lines[2].get_color()
    assert ax.get_ylim() == (0, 9)
    assert texts(ax) == ["a", "b", "c"]


def test_needles_reach_from_the_floor_to_their_tips_on_logarithmic_axes():
    ax = figures.plot_spikes([0.25, 0.5], [8.0, 4.0], {"c = 1": [3.0, 3.0], "c = 2": [6.0, 6.0]})
    assert ax.get_xscale() == ax.get_yscale() == "log"
    needles = [segment.tolist() for segment in ax.collections[0].get_segments()]
    assert needles == [[[0.25, 1.0], [0.25, 8.0]], [[0.5, 1.0], [0.5, 4.0]]]
    assert ax.lines[0].get_ydata().tolist() == [8.0, 4.0]
    assert [line.get_linestyle() for line in ax.lines] == ["None", "--", "--"]
    assert len({line.get_color() for line in ax.lines}) == 3
    assert ax.get_ylim() == (1.0, 24.0)
    assert texts(ax) == ["peaks", "c = 1", "c = 2"]


def test_names_of_a_divergence_go_where_they_are_sent():
    p = np.linspace(0, 1, 3)
    given = {"forecast": 0.0, "mean": 0.5}
    places = [
        figures.plot_divergence(p, p - p**2, p, **given, **more) for more in ({}, {"legend": "upper left"})
    ]
    # matplotlib's codes: 8 is the lower centre, 2 the upper left corner.
    assert [ax.get_legend()._loc for ax in places] == [8, 2]


@pytest.mark.parametrize(
    "draw",
    [
        lambda ax: figures.plot_landscape([0, 1], [[0, 1], [1, 2]], best=(1, 1), ax=ax),
        lambda ax: figures.plot_two_ways({"a": 1.0}, {"a": 1.0}, names=("b", "c"), ax=ax),
        lambda ax: figures.plot_histogram([1, 2], {"a": 1.5}, ax=ax),
        lambda ax: figures.plot_levels([0, 1], {"a": [1, 2]}, {}, ax=ax),
        lambda ax: figures.plot_spikes([0.5], [1.0], {"a": [1.0]}, ax=ax),
    ],
)
def test_figure_is_drawn_where_it_is_told(draw):
    left, right = figures.panels(1, 2)
    assert draw(right) is right
    assert not left.has_data() and right.has_data()
