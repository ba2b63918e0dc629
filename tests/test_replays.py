"""Replicates of one game: each is a run of its own, draw by draw; and the lines of both proofs on many draws."""

from __future__ import annotations

import math
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klcal import (
    Cells,
    adversaries,
    bounds,
    calibration_error,
    full_grid,
    inner_grid,
    run,
    uniform_grid,
)
from klcal.adversaries import OBLIVIOUS
from klcal.forecasters.algorithm_1 import BlumMansour, FastBlumMansour
from klcal.forecasters.baselines import FastSquaredBlumMansour, SquaredBlumMansour
from klcal.forecasters.pair import FastPair
from klcal.forecasters.rounds import Reduction, select
from klcal.games import replay
from klcal.games import replays as module
from klcal.games.replays import Draws, deviation_ratios, printed_steps, rerun, sharper_steps

SQUARED = (SquaredBlumMansour, FastSquaredBlumMansour)


def counted(draws, outcomes, points):
    """Count drawn indices by outcome, from the definition."""
    table = np.zeros((2, points), dtype=np.int64)
    for index, y in zip(draws, outcomes, strict=True):
        table[y, index] += 1
    return table


def stepped(reduction, outcomes, seed):
    """Play round by round, with one uniform number each."""
    uniforms = np.random.default_rng(seed).random(len(outcomes))
    for y, u in zip(outcomes, uniforms, strict=True):
        reduction.update(reduction.draw(u), int(y))
    return reduction


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


@pytest.mark.parametrize("name", OBLIVIOUS)
@pytest.mark.parametrize("K", [2, 9])
def test_replicates_of_the_squared_loss_algorithm_are_games_of_their_own(name, K, seed):
    outcomes = OBLIVIOUS[name](150, seed)
    slow, fast = (
        replay(outcomes, replicates=2, reduction=make(uniform_grid(K)), rng=seed) for make in SQUARED
    )
    assert np.array_equal(slow.counts, fast.counts) and slow.expected == fast.expected
    for r, own in enumerate(fast.seeds):
        alone = stepped(FastSquaredBlumMansour(uniform_grid(K)), outcomes, own)
        assert fast.cells(r) == alone.realised and fast.expected == alone.expected


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


def test_a_fine_grid_gets_shorter_pieces(monkeypatch):
    monkeypatch.setattr(module, "_ROOM", 100)
    outcomes = adversaries.alternating(60)
    assert np.array_equal(replay(outcomes, 30, 2, rng=0).counts, _at_once(outcomes, 30))
    monkeypatch.setattr(module, "_ROOM", 1)
    assert np.array_equal(replay(outcomes, 30, 2, rng=0).counts, _at_once(outcomes, 30))


def _at_once(outcomes, K):
    games = [run(outcomes, K, rng=np.random.default_rng(s)) for s in replay(outcomes, K, 2, rng=0).seeds]
    return [[game.realised.mass - game.realised.ones, game.realised.ones] for game in games]


@pytest.mark.parametrize("uniform", [0.0, 0.2, 0.25, 0.5, 0.75, 0.9])
def test_a_draw_on_the_edge_of_a_cumulative_probability_goes_to_the_next_point(uniform):
    mixture, outcome = np.array([[0.25, 0.0, 0.5, 0.25]]), np.ones(1, dtype=np.uint8)
    slots, cumulative, counts = np.zeros((4, 1), dtype=np.int64), np.full((4, 1), np.inf), np.zeros(8, int)
    largest = module.kernels.pack(mixture, outcome, slots, cumulative)
    drawn = np.zeros(1, dtype=np.int64)
    module.kernels.count_draws(slots[:largest], cumulative[:largest], np.array([uniform]), drawn, counts)
    assert np.flatnonzero(counts).tolist() == [4 + select(mixture[0], uniform)]


def test_one_round_and_the_smallest_grid():
    copies = replay([1], replicates=3, rng=0)
    assert copies.grid == full_grid(2)
    assert copies.counts.tolist() == [[[0, 0, 0], [0, 1, 0]]] * 3
    assert copies.expected == Cells(full_grid(2).points, [0, 1, 0], [0, 1, 0])
    assert replay([0, 0, 1], K=2, replicates=1, rng=0).counts.sum() == 3


def test_mean_counts_are_the_expected_mass():
    """Over many replicates; five standard errors, and a sum of variances no larger than the mass."""
    outcomes = adversaries.sinusoid(2000, rng=3)
    copies = replay(outcomes, replicates=400, rng=5)
    error = np.abs(copies.counts.mean(axis=0)[1] - copies.expected.ones)
    assert (error <= 5 * np.sqrt(copies.expected.mass / 400) + 1e-9).all()
    assert error.max() > 0


def test_the_same_seed_gives_the_same_counts_and_another_one_does_not():
    outcomes = adversaries.alternating(500)
    first = replay(outcomes, 5, 3, rng=7)
    assert np.array_equal(first.counts, replay(outcomes, 5, 3, rng=7).counts)
    assert np.array_equal(first.counts, replay(outcomes, 5, 3, rng=np.random.default_rng(7)).counts)
    assert not np.array_equal(first.counts, replay(outcomes, 5, 3, rng=8).counts)


def test_draws_do_not_use_the_stream_of_an_adversary_with_the_same_seed():
    used_by_adversary = np.random.default_rng(11).spawn(1)[0].random()
    copies = replay(adversaries.bernoulli(50, rng=11), replicates=30, rng=11)
    assert used_by_adversary not in [np.random.default_rng(seed).random() for seed in copies.seeds]
    # The first child is the adversary's, with whatever it may spawn.
    assert [seed.spawn_key for seed in copies.seeds] == [(1, r) for r in range(30)]


class Constant(Reduction):
    """A forecaster that always says 1/2 and claims to learn from its draws."""

    grid = full_grid(2)
    learns_from_draws = True

    def mixture(self):
        return np.array([0.0, 1.0, 0.0])

    def draw(self, _uniform):
        return 1

    def update(self, _index, _outcome):
        return None

    def leanings(self):
        return np.full(3, 0.5)

    def weights(self):
        return np.zeros((2, 3))

    def counts(self):
        return np.zeros((2, 3))


@pytest.mark.parametrize(
    "reduction",
    [
        BlumMansour(full_grid(3), "realised"),
        FastBlumMansour(full_grid(3), "realised"),
        Constant(),
        FastPair(inner_grid(4)),
    ],
)
def test_a_forecaster_that_learns_from_its_draws_is_refused(reduction):
    with pytest.raises(ValueError, match=r"mixtures that do not depend on its draws; got \w+"):
        replay([0, 1], replicates=1, reduction=reduction)


def test_a_forecaster_of_any_class_that_does_not_learn_from_its_draws_is_accepted():
    constant = Constant()
    constant.learns_from_draws = False
    assert replay([0, 1, 1], replicates=1, reduction=constant).counts.tolist() == [[[0, 1, 0], [0, 2, 0]]]


def test_bad_arguments_are_named():
    for keywords, message in (
        ({"outcomes": [0, 2]}, r"outcomes must .*; got 2 at index 1"),
        ({"replicates": 0}, r"replicates must .*at least 1; got 0"),
        ({"threads": 0}, r"threads must .*at least 1; got 0"),
        ({"K": 1}, r"K must .*at least 2; got 1"),
        (
            {"K": 3, "reduction": FastBlumMansour(full_grid(3))},
            r"K must be None when a reduction is given; got 3",
        ),
        (
            {"reduction": stepped(FastBlumMansour(full_grid(3)), [0, 1], 0)},
            r"reduction must be before its first round; got one after 2",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            replay(**{"outcomes": [0, 1], **keywords})


def test_memory_does_not_grow_with_the_horizon():
    def peak(T):
        outcomes = adversaries.alternating(T)
        tracemalloc.start()
        replay(outcomes, 10, 2, rng=0)
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top

    peak(100)
    assert peak(400_000) <= 1.1 * peak(40_000)


KAPPA = math.e - 2


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


def test_a_point_without_mass_or_draws_has_rate_zero_and_adds_nothing():
    draws = Draws(
        np.array([0.25, 0.5]), np.array([[[1.0, 0.0], [1.0, 0.0]]]), np.array([[[0.0, 2.0], [0.0, 0.0]]])
    )
    assert draws.expected_rate.tolist() == [[0.5, 0]] and draws.rate.tolist() == [[0, 0]]
    assert draws.pcal2.tolist() == [0.125] and draws.cal2.tolist() == [0.5]
    ratios = deviation_ratios(draws, 0.5)
    assert all(ratio[0, 1] == 0 for ratio in ratios.values())
    assert all(np.isfinite(ratio).all() for ratio in ratios.values())


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


def test_tuned_deviations_are_equations_15_and_16(coins):
    ratios = deviation_ratios(coins, 0.1)
    heavy = coins.mass[0] >= math.log(4 * 8 / 0.1)
    size = len(coins.points)
    square = (coins.rate - coins.expected_rate) ** 2 / bounds.rate_deviation(coins.mass, size, 0.1)
    np.testing.assert_allclose(ratios["rate"][:, heavy] ** 2, square[:, heavy])
    count = np.abs(coins.mass - coins.count) / bounds.count_deviation(coins.mass, size, 0.1)
    np.testing.assert_allclose(ratios["count"], count)


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


@pytest.mark.parametrize(("share", "large"), [(0.999, False), (1.001, True)])
def test_cells_are_large_from_sixteen_kappa_l_on(share, large):
    """A large cell pays 3A^2/S + 24 kappa L, a small one its largest likely count; both meet at the border."""
    L = math.log(3)
    mass = share * 16 * KAPPA * L
    steps = sharper_steps(one_cell(mass / 2, mass / 2, 5.0, 4.0), 1.0)
    assert steps["at least half the mass"][0] == pytest.approx(6 * 0.5**2 / mass if large else 9.0)
    likely = mass + 2 * math.sqrt(KAPPA * mass * L)
    assert steps["deviations"][0] == pytest.approx(24 * KAPPA * L if large else likely, rel=1e-12)
    assert likely == pytest.approx(24 * KAPPA * L, rel=2e-3)


@given(
    mass=st.floats(0.01, 1e5),
    bias=st.floats(-1, 1),
    moves=st.tuples(st.floats(-1, 1), st.floats(-1, 1)),
    delta=st.floats(0.01, 1),
)
def test_lines_are_in_order_whenever_the_deviations_hold(mass, bias, moves, delta):
    """Any mass, any count and ones within the deviations that each proof assumes."""
    ones = mass * (1 + bias) / 2
    reach = bounds.count_deviation(mass, 1, delta)
    count = max(0.0, mass + moves[0] * reach)
    drawn = min(count, max(0.0, ones + moves[1] * reach))
    steps = printed_steps(one_cell(mass - ones, ones, count - drawn, drawn), delta)
    lines = [float(v[0]) for v in steps.values()]
    # What a mean may do is a consequence of the two sums only where both stay within reach.
    if count > 0 and abs(drawn - ones) <= reach:
        assert all(b >= a * (1 - 1e-9) - 1e-12 for a, b in pairwise(lines))


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


def test_mixtures_of_algorithm_1_are_common_and_those_of_realised_feedback_are_not():
    outcomes = adversaries.bernoulli(500, 0.4, rng=0)
    common = rerun(outcomes, 5, "paper", 3, rng=1)
    assert np.array_equal(common.weights[0], common.weights[2])
    copies = Draws.of(replay(outcomes, 5, 3, rng=1))
    assert np.array_equal(copies.counts, common.counts)
    own = rerun(outcomes, 5, "realised", 3, rng=1)
    assert not np.array_equal(own.weights[0], own.weights[2])
    assert own.pcal2.shape == (3,) and common.weights.shape == own.weights.shape == (3, 2, 6)


def test_a_bad_rate_or_delta_is_named(coins):
    with pytest.raises(ValueError, match="mu must"):
        deviation_ratios(coins, 0.5, 2.0)
    with pytest.raises(ValueError, match=r"delta must be .*greater than 0"):
        printed_steps(coins, 0.0)
