"""Replicates of one game: each is a run of its own, draw by draw; and the lines of both proofs on many draws."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klcal import (
    adversaries,
    bounds,
    calibration_error,
    full_grid,
    inner_grid,
    run,
)
from klcal.adversaries import OBLIVIOUS
from klcal.book import replays as module
from klcal.book.replays import Draws, deviation_ratios, printed_steps, replay, rerun, sharper_steps
from klcal.forecasters.algorithm_1 import BlumMansour, FastBlumMansour
from klcal.forecasters.pair import FastPair
from klcal.forecasters.rounds import select


def counted(draws, outcomes, points):
    """Count drawn indices by outcome, from the definition."""
    table = np.zeros((2, points), dtype=np.int64)
    for index, y in zip(draws, outcomes, strict=True):
        table[y, index] += 1
    return table


@pytest.mark.parametrize("name", OBLIVIOUS)
def test_every_replicate_is_a_run_of_its_own_draw_by_draw(name, seed):
    outcomes = OBLIVIOUS[name](300, seed)
    copies = replay(outcomes, replicates=4, rng=seed)
    assert len(copies) == len(copies.seeds) == 4
    for r, own in enumerate(copies.seeds):
        game = run(outcomes, rng=np.random.default_rng(own), record=True)
        assert np.array_equal(copies.counts[r], counted(game.draws, outcomes, len(game.grid)))
        assert copies.cells(r) == game.realised
        assert copies.expected == game.expected and copies.grid == game.grid


@settings(max_examples=30)
@given(outcomes=st.lists(st.integers(0, 1), min_size=1, max_size=80), K=st.integers(2, 12))
def test_compiled_and_plain_mixtures_give_the_same_counts(outcomes, K):
    fast = replay(outcomes, K, 3, rng=1)
    for reduction in (FastBlumMansour(full_grid(K)), BlumMansour(full_grid(K))):
        same = replay(outcomes, replicates=3, reduction=reduction, rng=1)
        assert np.array_equal(fast.counts, same.counts)
        assert fast.expected == same.expected


def test_the_number_of_threads_and_of_other_replicates_does_not_matter(seed):
    outcomes = adversaries.random_walk(3000, rng=seed)
    alone = replay(outcomes, 7, 5, rng=seed, threads=1)
    for threads in (2, 3, 8):
        assert np.array_equal(replay(outcomes, 7, 5, rng=seed, threads=threads).counts, alone.counts)
    more = replay(outcomes, 7, 9, rng=seed, threads=2)
    assert np.array_equal(more.counts[:5], alone.counts)
    assert not np.array_equal(alone.counts[0], alone.counts[1])


@pytest.mark.parametrize("length", [1, 7, 100, 299, 300, 10**6])
def test_where_the_pieces_end_does_not_matter(length, monkeypatch):
    outcomes = adversaries.blocks(300, 20)
    whole = replay(outcomes, 6, 3, rng=0)
    monkeypatch.setattr(module, "_PIECE", length)
    assert np.array_equal(replay(outcomes, 6, 3, rng=0).counts, whole.counts)


@pytest.mark.parametrize("uniform", [0.0, 0.2, 0.25, 0.5, 0.75, 0.9])
def test_a_draw_on_the_edge_of_a_cumulative_probability_goes_to_the_next_point(uniform):
    mixture, outcome = np.array([[0.25, 0.0, 0.5, 0.25]]), np.ones(1, dtype=np.uint8)
    slots, cumulative, counts = np.zeros((4, 1), dtype=np.int64), np.full((4, 1), np.inf), np.zeros(8, int)
    largest = module.kernels.pack(mixture, outcome, slots, cumulative)
    drawn = np.zeros(1, dtype=np.int64)
    module.kernels.count_draws(slots[:largest], cumulative[:largest], np.array([uniform]), drawn, counts)
    assert np.flatnonzero(counts).tolist() == [4 + select(mixture[0], uniform)]


def test_draws_do_not_use_the_stream_of_an_adversary_with_the_same_seed():
    used_by_adversary = np.random.default_rng(11).spawn(1)[0].random()
    copies = replay(adversaries.bernoulli(50, rng=11), replicates=30, rng=11)
    assert used_by_adversary not in [np.random.default_rng(seed).random() for seed in copies.seeds]
    # The first child is the adversary's, with whatever it may spawn.
    assert [seed.spawn_key for seed in copies.seeds] == [(1, r) for r in range(30)]


@pytest.mark.parametrize(
    "reduction",
    [
        BlumMansour(full_grid(3), "realised"),
        FastBlumMansour(full_grid(3), "realised"),
        FastPair(inner_grid(4)),
    ],
)
def test_a_forecaster_that_learns_from_its_draws_is_refused(reduction):
    with pytest.raises(ValueError, match=r"mixtures that do not depend on its draws; got \w+"):
        replay([0, 1], replicates=1, reduction=reduction)


def one_cell(zeros, ones, drawn_zeros, drawn_ones, z=0.5):
    """One grid point, one replicate."""
    return Draws(np.array([z]), np.array([[[zeros], [ones]]]), np.array([[[drawn_zeros], [drawn_ones]]]))


@pytest.fixture(scope="module")
def coins():
    return Draws.of(replay(adversaries.bernoulli(3000, 0.4, rng=1), replicates=50, rng=1))


def test_measures_are_those_of_the_cells(coins):
    copies = replay(adversaries.bernoulli(3000, 0.4, rng=1), replicates=50, rng=1)
    assert len(coins) == 50
    assert coins.pcal2 == pytest.approx([calibration_error(copies.expected)])
    assert coins.cal2 == pytest.approx([calibration_error(copies.cells(r)) for r in range(50)])
    assert coins.mass.sum() == pytest.approx(3000) and (coins.count.sum(axis=1) == 3000).all()


def test_deviations_over_their_bounds_by_hand():
    draws, L = one_cell(8.0, 8.0, 10.0, 2.0), math.log(4 / 0.5)
    ratios = deviation_ratios(draws, 0.5, 0.25)
    limit = 0.25 * 16 + L / 0.25
    assert ratios["ones"][0, 0] == pytest.approx(6 / limit)
    assert ratios["count"][0, 0] == pytest.approx(4 / limit)
    assert ratios["rate"][0, 0] == pytest.approx((1 / 2 - 1 / 6) / (2 * limit / 16))
    tuned = deviation_ratios(draws, 0.5)
    assert tuned["count"][0, 0] == pytest.approx(4 / (2 * math.sqrt(16 * L)))
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
