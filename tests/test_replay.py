"""Replicates of one game: each is a run of its own, draw by draw; threads, pieces and twins change nothing."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klcal import Cells, adversaries, calibration_error, full_grid, inner_grid, resolution, run, uniform_grid
from klcal.adversaries import OBLIVIOUS
from klcal.forecasters.baselines import FastSquaredBlumMansour, SquaredBlumMansour
from klcal.forecasters.pair import FastPair
from klcal.forecasters.reduction import BlumMansour, FastBlumMansour
from klcal.forecasters.rounds import Reduction, select
from klcal.games import replay
from klcal.games import replays as module

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


def test_counts_add_up_to_the_outcomes_in_every_replicate(seed):
    outcomes = adversaries.bernoulli(1000, 0.3, rng=seed)
    counts = replay(outcomes, replicates=20, rng=seed).counts
    assert (counts.sum(axis=2) == [1000 - outcomes.sum(), outcomes.sum()]).all()


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


def test_the_given_forecaster_is_left_before_its_first_round():
    reduction = FastBlumMansour(full_grid(4))
    replay([1, 1, 0, 1], replicates=2, reduction=reduction, rng=0)
    assert reduction.weights().sum() == 0
    assert np.array_equal(reduction.mixture(), FastBlumMansour(full_grid(4)).mixture())


class Heir(BlumMansour):
    """A forecaster of another class whose feedback is still visible."""


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
        Heir(full_grid(3), "realised"),
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


@pytest.mark.parametrize("name", OBLIVIOUS)
def test_replicates_of_pair_fed_its_mixtures_are_runs_of_their_own(name, seed):
    outcomes = OBLIVIOUS[name](200, seed)
    copies = replay(outcomes, replicates=2, reduction=FastPair(inner_grid(6), "pair-expected"), rng=seed)
    for r, own in enumerate(copies.seeds):
        game = run(outcomes, 6, "pair-expected", rng=np.random.default_rng(own))
        assert copies.cells(r) == game.realised and copies.expected == game.expected


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


def test_drawing_spreads_the_error_that_the_mixtures_do_not_have():
    """Alternating outcomes: PCal_2 stays near 0, Cal_2 of the draws does not, and differs between replicates."""
    copies = replay(adversaries.alternating(5000), K=resolution(5000), replicates=50, rng=2)
    realised = [calibration_error(copies.cells(r)) for r in range(50)]
    assert min(realised) > 0 and np.std(realised) > 0
