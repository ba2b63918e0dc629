"""Replicates of one game: each is a run of its own, draw by draw; and the lines of both proofs on many draws."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from klcal import Cells, adversaries, bounds, calibration_error, full_grid, inner_grid, resolution, run
from klcal.adversaries import OBLIVIOUS
from klcal.book import replays as module
from klcal.book.replays import Draws, deviation_ratios, printed_steps, replay, rerun, sharper_steps
from klcal.forecasters.algorithm_1 import FastBlumMansour
from klcal.forecasters.pair import FastPair
from klcal.forecasters.rounds import select
from klcal.forecasters.tree import FastTree


def counted(draws, outcomes, points):
    """Count drawn indices by outcome, from the definition."""
    table = np.zeros((2, points), dtype=np.int64)
    for index, y in zip(draws, outcomes, strict=True):
        table[y, index] += 1
    return table


def algorithm_1(K):
    return FastBlumMansour(full_grid(K))


@pytest.mark.parametrize("name", OBLIVIOUS)
def test_every_replicate_is_a_run_of_its_own_draw_by_draw(name, seed):
    outcomes = OBLIVIOUS[name](300, seed)
    draws = replay(outcomes, algorithm_1(resolution(300)), 4, rng=seed)
    assert len(draws) == 4
    for counts, own in zip(draws.counts, np.random.default_rng(seed).spawn(2)[1].spawn(4), strict=True):
        game = run(outcomes, rng=own, record=True)
        assert np.array_equal(counts, counted(game.draws, outcomes, len(game.grid)))
        assert np.array_equal(draws.mass[0], game.expected.mass)
        assert np.array_equal(draws.weights[0, 1], game.expected.ones)


@pytest.mark.parametrize("length", [1, 7, 100, 299, 300, 10**6])
def test_where_the_pieces_end_does_not_matter(length, monkeypatch):
    outcomes = adversaries.blocks(300, 20)
    whole = replay(outcomes, algorithm_1(6), 3, rng=0)
    monkeypatch.setattr(module, "_PIECE", length)
    more = replay(outcomes, algorithm_1(6), 5, rng=0)  # neither does the number of others
    assert np.array_equal(more.counts[:3], whole.counts)
    assert not np.array_equal(whole.counts[0], whole.counts[1])


@pytest.mark.parametrize("uniform", [0.0, 0.2, 0.25, 0.5, 0.75, 0.9])
def test_a_draw_on_the_edge_of_a_cumulative_probability_goes_to_the_next_point(uniform):
    mixture, outcome = np.array([[0.25, 0.0, 0.5, 0.25]]), np.ones(1, dtype=np.uint8)
    slots, cumulative, counts = np.zeros((4, 1), dtype=np.int64), np.full((4, 1), np.inf), np.zeros(8, int)
    largest = module.kernels.pack(mixture, outcome, slots, cumulative)
    drawn = np.zeros(1, dtype=np.int64)
    module.kernels.count_draws(slots[:largest], cumulative[:largest], np.array([uniform]), drawn, counts)
    assert np.flatnonzero(counts).tolist() == [4 + select(mixture[0], uniform)]


@pytest.mark.parametrize(
    "reduction",
    [FastBlumMansour(full_grid(3), "realised"), FastPair(inner_grid(4)), FastTree("tree-expected")],
)
def test_a_forecaster_that_learns_from_its_draws_or_grows_is_refused(reduction):
    with pytest.raises(ValueError, match=r"mixtures that do not depend on its draws; got \w+"):
        replay([0, 1], reduction, replicates=1)


def one_cell(zeros, ones, drawn_zeros, drawn_ones, z=0.5):
    """One grid point, one replicate."""
    return Draws(np.array([z]), np.array([[[zeros], [ones]]]), np.array([[[drawn_zeros], [drawn_ones]]]))


@pytest.fixture(scope="module")
def coins():
    return replay(adversaries.bernoulli(3000, 0.4, rng=1), algorithm_1(resolution(3000)), 50, rng=1)


def test_measures_are_those_of_the_cells(coins):
    for found, tables in ((coins.pcal2, coins.weights), (coins.cal2, coins.counts)):
        cells = [Cells.from_weights(coins.points, table) for table in tables]
        assert found == pytest.approx([*map(calibration_error, cells)])
    assert coins.mass.sum() == pytest.approx(3000) and (coins.count.sum(axis=1) == 3000).all()


def test_deviations_over_their_bounds_by_hand():
    draws, L = one_cell(8.0, 8.0, 10.0, 2.0), math.log(4 / 0.5)
    ratios = deviation_ratios(draws, 0.5)
    limit = 2 * math.sqrt(16 * L)
    assert ratios["ones"][0, 0] == pytest.approx(6 / limit)
    assert ratios["count"][0, 0] == pytest.approx(4 / limit)
    assert ratios["rate"][0, 0] == pytest.approx((1 / 2 - 1 / 6) / (2 * limit / 16))
    # Below the mass L the best rate is 1.
    assert deviation_ratios(one_cell(1.0, 0.0, 4.0, 0.0), 0.5)["count"][0, 0] == pytest.approx(3 / (1 + L))


@pytest.mark.parametrize("delta", [1.0, 0.05])
def test_both_chains_start_at_cal2_and_end_at_their_theorem(coins, delta):
    size = len(coins.points)
    for steps, version in (
        (printed_steps(coins, delta), "paper"),
        (sharper_steps(coins, delta), "sharpened"),
    ):
        lines = list(steps.values())
        assert all(line.shape == (50,) for line in lines)
        np.testing.assert_allclose(lines[0], coins.cal2)
        np.testing.assert_allclose(lines[-1], bounds.theorem_3(coins.pcal2[0], size, delta, version=version))
        assert all((b >= a * (1 - 1e-12)).all() for a, b in pairwise(lines))


def test_the_printed_lines_of_one_large_cell_by_hand():
    steps = {name: float(v[0]) for name, v in printed_steps(one_cell(15.0, 5.0, 9.0, 9.0), 1.0).items()}
    L = math.log(4)
    assert steps["Cal_2"] == 0
    assert steps["square of a sum"] == pytest.approx(2 * 18 * (1 / 16 + 1 / 16))
    assert steps["Eq. 15"] == pytest.approx(2 * 18 * (1 / 16 + 16 * L / 20))
    assert steps["Eq. 16"] == pytest.approx(2 * (20 + 2 * math.sqrt(20 * L)) * (1 / 16 + 16 * L / 20))
    assert steps["cell by cell"] == steps["Theorem 3"] == pytest.approx(6 * 20 / 16 + 96 * L)


def test_games_played_anew_are_runs_with_streams_of_their_own(seed):
    outcomes = adversaries.blocks(200, 10)
    draws = rerun(outcomes, 4, "realised", 3, rng=seed)
    streams = np.random.default_rng(seed).spawn(2)[1].spawn(3)
    for r, stream in enumerate(streams):
        game = run(outcomes, 4, "realised", rng=stream)
        np.testing.assert_allclose(draws.mass[r], game.expected.mass)
        assert draws.cal2[r] == pytest.approx(calibration_error(game.realised))
        assert draws.pcal2[r] == pytest.approx(calibration_error(game.expected))
    assert not np.array_equal(draws.counts[0], draws.counts[1])


def test_the_sharper_line_of_a_light_cell_by_hand():
    steps, L, kappa = sharper_steps(one_cell(8.0, 8.0, 10.0, 2.0), 0.5), math.log(3 / 0.5), math.e - 2
    assert steps["deviations"] == pytest.approx(2 * math.sqrt(kappa * L * 16) + 16)
