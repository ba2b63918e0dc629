"""Figures of the chapter on the lower bound: boards of the sign game, and a game against truths."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pytest

from klcal import figures


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def test_a_board_is_a_row_with_its_signs_and_a_frame_around_the_cell_of_the_turn():
    ax = figures.plot_boards([".-.", "+x."], [1, 0], title="a play")
    assert [(t.get_position(), t.get_text()) for t in ax.texts] == [
        ((2, 1), "−"),
        ((1, 2), "+"),
        ((2, 2), "×"),
    ]
    frames = [patch.get_xy() for patch in ax.patches if patch.get_linewidth() > 1]
    assert frames == [(1.55, 0.55), (0.55, 1.55)]
    assert ax.get_title() == "a play" and ax.get_ylim() == (2.5, 0.5)


def test_truths_are_a_line_and_every_so_many_forecasts_are_dots():
    ax = figures.plot_truths([0.5, 0.5, 0.7, 0.7], [0.1, 0.2, 0.3, 0.4], [(3, 0.6, "-")], every=2)
    assert ax.lines[0].get_ydata().tolist() == [0.5, 0.5, 0.7, 0.7]
    assert ax.collections[0].get_offsets().tolist() == [[1.0, 0.1], [3.0, 0.3]]
    assert [text.get_text() for text in ax.texts] == ["−"]


def test_functions_draw_where_they_are_told():
    left, right = figures.panels(1, 2)
    assert figures.plot_boards(["+"], [0], ax=left) is left
    assert figures.plot_truths([0.5], [0.5], ax=right) is right
