"""The pictures of chapter 8 show the numbers they are given."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pytest

from klcal.figures.pair import plot_balance, plot_spreads


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.fixture
def balance():
    return plot_balance([0.1, 0.5, 0.9], [0.0, 0.3, 0.7, 1.0], [0.4, 0.2, 0.6], [0.25, 0.75, 0.0])


def test_every_bucket_has_its_cell_its_point_and_its_mean(balance):
    assert [(bar.get_x(), bar.get_width()) for bar in balance.patches] == [
        pytest.approx(pair) for pair in ((0.0, 0.3), (0.3, 0.4), (0.7, 0.3))
    ]
    points, means = balance.lines[:2]
    assert points.get_xdata().tolist() == [0.1, 0.5, 0.9]
    assert means.get_xdata().tolist() == [0.4, 0.2, 0.6]


def test_the_two_buckets_that_may_be_played_are_marked_with_their_shares(balance):
    assert [text.get_text() for text in balance.texts] == ["0.250", "0.750"]
    first, second, third = (bar.get_facecolor() for bar in balance.patches)
    assert first == second != third


def test_the_boundary_is_drawn_where_two_played_cells_meet(balance):
    assert balance.lines[2].get_xdata() == [0.3, 0.3]
    assert len(balance.lines) == 3
    alone = plot_balance([0.25, 0.75], [0.0, 0.5, 1.0], [0.4, 0.2], [1.0, 0.0])
    assert len(alone.lines) == 2


def test_spreads_show_least_mean_and_largest_in_one_panel_per_group():
    axes = plot_spreads(
        {"left": {"a": (1, 2, 4), "b": (0, 1, 1)}, "right": {"a": (3, 3, 3), "b": (2, 5, 9)}},
        {"right": {"bound": 10.0}},
        xlabel="KLCal",
    )
    assert [ax.get_title() for ax in axes] == ["left", "right"]
    bar, mean = axes[0].lines[:2]
    assert bar.get_xdata().tolist() == [1, 4] and mean.get_xdata().tolist() == [2]
    assert axes[1].lines[-1].get_xdata() == [10.0, 10.0] and axes[1].lines[-1].get_linestyle() == "--"
    assert [label.get_text() for label in axes[0].get_yticklabels()] == ["a", "b"]
    assert axes[0].get_legend() is None and axes[1].get_legend() is not None
