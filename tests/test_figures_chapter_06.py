"""Figures of the chapter on all losses at once: what is drawn is what was given."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from klcal import figures
from klcal.measures import VProfile

TEETH = VProfile(np.array([0, 0.25, 0.75, 1]), np.array([0.0, 0, 1, 0]), np.array([0.0, 2, 3, 0]))


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def texts(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_profile_is_broken_at_its_jumps_and_the_envelope_is_dashed():
    ax = figures.plot_profile(TEETH, kinks=[0.25])
    profile, hull, centre, kinks, star = ax.lines
    x, y = profile.get_xdata(), profile.get_ydata()
    assert x[:2].tolist() == [0, 0.25] and y[:2].tolist() == [0, 0]
    assert np.isnan(x[2]) and np.isnan(y[2])
    assert x[3:5].tolist() == [0.25, 0.75] and y[3:5].tolist() == [2, 1]
    assert hull.get_linestyle() == "--" and hull.get_ydata().tolist() == [0, 2, 3, 0]
    assert centre.get_xdata() == [0.5, 0.5]
    assert kinks.get_xydata().tolist() == [[0.25, 2]] and star.get_xydata().tolist() == [[0.5, 2.5]]
    jumps = [segment.tolist() for segment in ax.collections[0].get_segments()]
    assert [[0.25, 0.0], [0.25, 2.0]] in jumps and [[0.75, 1.0], [0.75, 3.0]] in jumps
    assert texts(ax) == ["profile", "concave envelope", "kinks of the worst loss", "height at 1/2"]


def test_profile_alone_has_no_marks_and_may_go_without_a_legend():
    ax = figures.plot_profile(TEETH, legend=False)
    assert len(ax.lines) == 3 and ax.get_legend() is None


def test_values_stand_over_their_bounds_and_the_diagonal_is_dashed():
    ax = figures.plot_below({"a": ([1, 2], [0.5, 1]), "b": ([4], [3])}, lim=(0.1, 10))
    assert ax.lines[0].get_linestyle() == "--" and ax.lines[0].get_xydata().tolist() == [[0.1, 0.1], [10, 10]]
    assert [each.get_offsets().tolist() for each in ax.collections] == [[[1, 0.5], [2, 1]], [[4, 3]]]
    assert ax.get_xscale() == ax.get_yscale() == "log" and ax.get_xlim() == ax.get_ylim() == (0.1, 10)
    assert texts(ax) == ["bound", "a", "b"]


def test_limits_of_the_diagonal_hold_every_point():
    ax = figures.plot_below({"a": ([1, 20], [0.5, 1]), "b": ([4], [3])})
    low, high = ax.get_xlim()
    assert low < 0.5 and high > 20


def test_rungs_of_each_row_are_matched_by_name():
    ax = figures.plot_rungs({"first": {"x": 1.0, "y": 2.0}, "second": {"y": 5.0, "x": 4.0}})
    assert [line.get_xydata().tolist() for line in ax.lines] == [[[1, 0], [4, 1]], [[2, 0], [5, 1]]]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["first", "second"]
    assert ax.yaxis_inverted() and ax.get_xscale() == "log" and texts(ax) == ["x", "y"]
    assert len({line.get_marker() for line in ax.lines}) == 2


def test_rows_without_one_of_the_rungs_are_refused():
    with pytest.raises(KeyError, match="y"):
        figures.plot_rungs({"first": {"x": 1.0, "y": 2.0}, "second": {"x": 4.0}})


@pytest.mark.parametrize(
    "draw",
    [
        lambda ax: figures.plot_profile(TEETH, ax=ax),
        lambda ax: figures.plot_below({"a": ([1], [1])}, ax=ax),
        lambda ax: figures.plot_rungs({"a": {"x": 1.0}}, ax=ax),
    ],
)
def test_figure_is_drawn_where_it_is_told(draw):
    left, right = figures.panels(1, 2)
    assert draw(right) is right
    assert not left.has_data() and right.has_data()
