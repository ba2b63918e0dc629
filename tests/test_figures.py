"""Figures: the data on the lines is the data given, and nothing global is left behind."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from klcal import Cells, figures, full_grid
from klcal.measures import VProfile, consistency_band

PAYOFF = np.array([[1.0, 3.0], [2.5, 2.5], [4.0, 0.0]])
RATIOS = np.array([[1.0, 1.04, 250.0], [np.inf, 3.25, 1.0]])
TEETH = VProfile(np.array([0, 0.25, 0.75, 1]), np.array([0.0, 0, 1, 0]), np.array([0.0, 2, 3, 0]))


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.mark.parametrize(
    "draw",
    [
        lambda ax: figures.plot_profile(TEETH, ax=ax),
        lambda ax: figures.plot_cells([0.5], ax=ax),
        lambda ax: figures.plot_reliability(Cells([0.5], [1], [1]), ax=ax),
        lambda ax: figures.plot_matrix_game(PAYOFF, [0.0, 1.0, 0.0], ax=ax),
        lambda ax: figures.plot_counts(np.eye(2), ax=ax),
        lambda ax: figures.plot_standings(RATIOS, ["a", "b"], ["x", "y", "z"], ax=ax),
    ],
)
def test_functions_draw_where_they_are_told(draw):
    left, right = figures.panels(1, 2)
    assert draw(right) is right
    assert right.has_data() and not left.has_data()


def test_reliability_diagram_shows_cells_with_mass_only():
    cells = Cells([0.1, 0.5, 0.9], [10, 0, 30], [1, 0, 27])
    ax = figures.plot_reliability(cells)
    offsets = np.asarray(ax.collections[-1].get_offsets())
    np.testing.assert_allclose(offsets, [[0.1, 0.1], [0.9, 0.9]])
    sizes = ax.collections[-1].get_sizes()
    assert (sizes[1] - 8) / (sizes[0] - 8) == pytest.approx(3)


def test_each_kind_of_bound_has_a_look_of_its_own_and_all_have_one_colour():
    kinds = (figures.PAPERS_BOUND, figures.OUR_BOUND, figures.LOWER_BOUND)
    ax = plt.subplots()[1]
    lines = [ax.plot([0, 1], [0, 1], **kind)[0] for kind in kinds]
    assert [line.get_linestyle() for line in lines] == [":", "--", "-."]
    assert {line.get_color() for line in lines} == {figures.BOUND}


def test_a_label_has_the_look_it_is_given_and_may_stand_outside_the_axes():
    ax = figures.plot_cells([0.5])
    figures.label(ax, "bound", (1.0, 0.5), color=figures.BOUND, ha="right")
    (text,) = ax.texts
    assert (text.get_color(), text.get_ha(), text.get_annotation_clip()) == (figures.BOUND, "right", False)


def test_style_is_applied_on_demand_only():
    with plt.rc_context():
        plt.rcdefaults()
        figures.plot_cells([0.5])
        assert plt.rcParams["axes.spines.top"] is True
        figures.use_style()
        assert plt.rcParams["axes.spines.top"] is False


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


def test_round_leads_from_points_over_learners_and_rounding_to_mixture_and_draw():
    Q = [[0.25, 0.75, 0.0], [0.0, 1.0, 0.0], [0.0, 0.5, 0.5]]
    ax = figures.plot_round([0.1, 0.5, 0.9], [0.4, 0.5, 0.7], Q, [0.0, 1.0, 0.0], 1)
    steps = [line.get_xydata().tolist() for line in ax.lines]
    assert steps[:3] == [[[0, 0.1], [1, 0.4]], [[1, 0.4], [2, 0.1]], [[1, 0.4], [2, 0.5]]]
    assert ax.lines[1].get_linewidth() < ax.lines[2].get_linewidth()
    assert [float(bar.get_width()) for bar in ax.patches] == pytest.approx([0.0, 0.85, 0.0])
    assert ax.collections[-1].get_offsets().tolist() == [[4.0, 0.5]]


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


def test_spreads_show_least_mean_and_largest_in_one_panel_per_group():
    axes = figures.plot_spreads(
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


def test_counts_have_zeros_to_the_right_and_ones_upwards_and_nothing_where_there_is_no_number():
    table = np.array([[0.5, 0.9], [0.1, np.nan]])
    ax = figures.plot_counts(table, title="forecaster", label="mean")
    (image,) = ax.collections
    assert image.get_array().filled(-1).tolist() == [[0.5, 0.1], [0.9, -1.0]]
    assert image.get_coordinates()[0, 0].tolist() == [-0.5, -0.5] and image.get_clim() == (0.0, 1.0)
    assert ax.get_ylim()[0] < ax.get_ylim()[1]
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("zeros", "ones", "forecaster")
    assert image.colorbar.ax.get_ylabel() == "mean"


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
