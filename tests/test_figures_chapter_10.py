"""Figures of the chapter on comparisons: the map of forecasters against adversaries."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from klcal import figures

RATIOS = np.array([[1.0, 1.04, 250.0], [np.inf, 3.25, 1.0]])


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def test_every_field_of_the_map_has_its_number_and_winners_and_infinities_are_bold():
    ax = figures.plot_standings(RATIOS, ["a", "b"], ["x", "y", "z"])
    assert [text.get_text() for text in ax.texts] == ["1", "1.04", "250", "∞", "3.2", "1"]
    assert [text.get_weight() == "bold" for text in ax.texts] == [True, False, False, True, False, True]
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["a", "b"]
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["x", "y", "z"]
    # The first row is on top.
    assert ax.get_ylim()[0] > ax.get_ylim()[1]


def test_colours_are_logarithmic_up_to_a_limit_and_infinity_is_hatched():
    ax = figures.plot_standings(RATIOS, ["a", "b"], ["x", "y", "z"], most=100.0)
    shades = ax.collections[0].get_array()
    assert shades[0, 0] == 0.0 and shades[0, 2] == 1.0
    assert shades[1, 1] == pytest.approx(np.log(3.25) / np.log(100.0))
    assert shades.mask.tolist() == [[False, False, False], [True, False, False]]
    assert ax.collections[0].get_clim() == (0.0, 1.0)
    (square,) = ax.patches
    assert square.get_xy() == (0, 1) and square.get_hatch() == "////"


def test_a_missing_number_leaves_its_field_empty():
    ax = figures.plot_standings([[1.0, np.nan]], ["a"], ["x", "y"], title="who wins")
    assert [text.get_text() for text in ax.texts] == ["1"]
    assert ax.get_title(loc="left") + ax.get_title() == "who wins"
