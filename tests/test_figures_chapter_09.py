"""Figures of the chapter on exact games: a matrix game in the plane, and numbers over counts."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from klcal import figures

PAYOFF = np.array([[1.0, 3.0], [2.5, 2.5], [4.0, 0.0]])


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def test_rows_are_points_and_the_mixture_lies_on_the_segment_between_its_rows():
    ax = figures.plot_matrix_game(PAYOFF, [2 / 3, 0.0, 1 / 3], names=("a", "b", "c"))
    rows, optimum = ax.collections[-2:]
    assert rows.get_offsets().tolist() == PAYOFF.tolist()
    assert optimum.get_offsets()[0].tolist() == pytest.approx([2.0, 2.0])
    segment = ax.lines[-1]
    assert segment.get_xydata().tolist() == [[1.0, 3.0], [4.0, 0.0]]
    assert [text.get_text() for text in ax.texts] == ["a", "b", "c"]
    assert ax.get_legend() is not None


def test_the_adversarys_line_passes_the_optimum_across_its_chances():
    shares, chance = np.array([2 / 3, 0.0, 1 / 3]), 0.5
    ax = figures.plot_matrix_game(PAYOFF, shares, chance=chance, legend=False)
    dashed = [line for line in ax.lines if line.get_linestyle() == "--"]
    assert len(dashed) == 1
    means = dashed[0].get_xydata() @ [1 - chance, chance]
    assert means == pytest.approx([2.0, 2.0])
    assert ax.get_legend() is None


def test_a_pure_optimum_has_no_segment():
    ax = figures.plot_matrix_game([[0.0, 3.0], [1.0, 1.0], [3.0, 0.0]], [0.0, 1.0, 0.0])
    assert len(ax.lines) == 1
    assert ax.collections[-1].get_offsets()[0].tolist() == [1.0, 1.0]


def test_counts_have_zeros_to_the_right_and_ones_upwards_and_nothing_where_there_is_no_number():
    table = np.array([[0.5, 0.9], [0.1, np.nan]])
    ax = figures.plot_counts(table, title="forecaster", label="mean")
    (image,) = ax.collections
    assert image.get_array().filled(-1).tolist() == [[0.5, 0.1], [0.9, -1.0]]
    assert image.get_coordinates()[0, 0].tolist() == [-0.5, -0.5] and image.get_clim() == (0.0, 1.0)
    assert ax.get_ylim()[0] < ax.get_ylim()[1]
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("zeros", "ones", "forecaster")
    assert image.colorbar.ax.get_ylabel() == "mean"


def test_functions_draw_where_they_are_told():
    left, right = figures.panels(1, 2)
    assert figures.plot_matrix_game(PAYOFF, [0.0, 1.0, 0.0], ax=left) is left
    assert figures.plot_counts(np.eye(2), ax=right) is right
