"""Figures: the data on the lines is the data given, and nothing global is left behind."""

from __future__ import annotations

import numpy as np
import pytest
from oracles import consistency_band

from klcal import Cells, full_grid, measure
from klcal.book import figures
from klcal.measures import VProfile

PAYOFF = np.array([[1.0, 3.0], [2.5, 2.5], [4.0, 0.0]])
TEETH = VProfile(np.array([0, 0.25, 0.75, 1]), np.array([0.0, 0, 1, 0]), np.array([0.0, 2, 3, 0]))


@pytest.mark.parametrize(
    "draw",
    [
        lambda ax: figures.plot_profile(TEETH, ax=ax),
        lambda ax: figures.plot_cells([0.5], ax=ax),
        lambda ax: figures.plot_reliability(Cells([0.5], [1], [1]), ax=ax),
        lambda ax: figures.plot_matrix_game(PAYOFF, [0.0, 1.0, 0.0], ax=ax),
        lambda ax: figures.plot_counts(np.eye(2), ax=ax),
    ],
)
def test_functions_draw_where_they_are_told(draw):
    left, right = figures.panels(1, 2)
    assert draw(right) is right
    assert right.has_data() and not left.has_data()


def test_cells_of_a_sine_grid_are_equally_wide_on_the_stretched_axis():
    grid = full_grid(8)
    ax = figures.plot_cells(grid.points)
    corners = np.column_stack([grid.points, np.zeros(9)])
    widths = np.diff(ax.transData.transform(corners)[:, 0])
    np.testing.assert_allclose(widths[1:-1], widths[1], rtol=1e-9)
    np.testing.assert_allclose(widths[[0, -1]], widths[1] / 2, rtol=1e-9)
    assert [line.get_xdata()[0] for line in ax.lines] == grid.points.tolist()


def test_reliability_shows_the_band_of_cells_with_mass():
    cells = Cells([0.1, 0.5, 0.9], [10, 0, 30], [1, 0, 27])
    band = consistency_band(cells, 0.9)
    ax = figures.plot_reliability(cells, band=band)
    segments = ax.collections[0].get_segments()
    assert [segment[:, 0].tolist() for segment in segments] == [[0.1, 0.1], [0.9, 0.9]]
    assert [segment[:, 1].tolist() for segment in segments] == [
        [band.lower[0], band.upper[0]],
        [band.lower[2], band.upper[2]],
    ]
    assert len(figures.plot_reliability(cells).collections) == 2


def test_reliability_of_a_report_has_isotonic_steps_a_joint_band_and_a_histogram_below():
    report = measure([0.1, 0.2, 0.3, 0.4, 0.9, 0.9], [0, 1, 0, 1, 1, 1], bins=1)
    ax = report.plot()
    steps = ax.lines[1].get_xydata().tolist()
    assert steps == [[0.1, 0.0], [0.1, 0.0], [0.2, 0.5], [0.3, 0.5], [0.4, 1.0], [0.9, 1.0]]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "95 % for all bins at once",
        "isotonic regression",
    ]
    below = next(each for each in ax.figure.axes if each is not ax)
    assert sorted(bar.get_height() for bar in below.patches)[-5:] == [1, 1, 1, 1, 2]


def test_profile_is_broken_at_its_jumps_and_has_its_envelope():
    ax = figures.plot_profile(TEETH, kinks=[0.25])
    profile, hull, centre, kinks, star = ax.lines
    x, y = profile.get_xdata(), profile.get_ydata()
    assert x[:2].tolist() == [0, 0.25] and y[:2].tolist() == [0, 0]
    assert np.isnan(x[2]) and np.isnan(y[2])
    assert x[3:5].tolist() == [0.25, 0.75] and y[3:5].tolist() == [2, 1]
    assert hull.get_ydata().tolist() == [0, 2, 3, 0]
    assert centre.get_xdata() == [0.5, 0.5]
    assert kinks.get_xydata().tolist() == [[0.25, 2]] and star.get_xydata().tolist() == [[0.5, 2.5]]
    jumps = [segment.tolist() for segment in ax.collections[0].get_segments()]
    assert [[0.25, 0.0], [0.25, 2.0]] in jumps and [[0.75, 1.0], [0.75, 3.0]] in jumps
