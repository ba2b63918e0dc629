"""Figures of the chapter on existence: one dual game, and where answers change."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from klcal import figures, inner_grid
from klcal.games import dual_game


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def test_a_dual_game_carries_its_three_sequences_and_the_grid():
    grid = inner_grid(5)
    game = dual_game.play(dual_game.sweep(grid, 30), grid, rng=1, record=True)
    told, said, drawn = game.announcements[0], grid.points[game.answers[0]], game.outcomes[0]
    ax = figures.plot_dual_game(told, said, drawn, points=grid.points)
    thin, (announced, forecast, outcome) = ax.lines[:4], ax.lines[4:]
    assert [line.get_ydata()[0] for line in thin] == grid.points.tolist()
    assert np.array_equal(announced.get_ydata(), told)
    assert np.array_equal(forecast.get_ydata(), said) and forecast.get_drawstyle() == "steps-mid"
    assert np.array_equal(outcome.get_ydata(), drawn) and outcome.get_marker() == "|"
    assert announced.get_xdata().tolist() == list(range(1, 31))


def test_two_cells_show_costs_borders_and_the_level():
    p = np.linspace(0, 1, 5)
    ax = figures.plot_two_cells(
        p, {"a": p, "b": 1 - p}, {"first": 0.4, "second": 0.5}, level=("bound", 0.9), ylim=(0, 2)
    )
    costs, borders, level = ax.lines[:2], ax.lines[2:4], ax.lines[4]
    assert np.array_equal(costs[0].get_ydata(), p) and np.array_equal(costs[1].get_ydata(), 1 - p)
    assert [line.get_xdata()[0] for line in borders] == [0.4, 0.5]
    assert len({line.get_color() for line in ax.lines}) == 5
    assert (
        level.get_ydata()[0] == 0.9 and level.get_linestyle() == "--" and level.get_color() == figures.BOUND
    )
    assert ax.get_ylim() == (0, 2)


def test_functions_draw_where_they_are_told():
    left, right = figures.panels(1, 2)
    assert figures.plot_dual_game([0.5], [0.5], [1], ax=right) is right
    assert figures.plot_two_cells([0, 1], {"a": [0, 1]}, {}, ax=right) is right
    assert len(left.lines) == 0
