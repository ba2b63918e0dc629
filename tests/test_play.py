"""Whole games: both engines on the same draws, the bound of Theorem 2, recording, reproducibility."""

from __future__ import annotations

import numpy as np
import pytest
from both_engines import EVERY_ADVERSARY, opponent, the_same
from hypothesis import given
from hypothesis import strategies as st
from oracles import ENGINES, by

import klcal
from klcal import adversaries, bounds, kl_calibration, resolution, run, run_doubling
from klcal.adversaries import ADAPTIVE, OBLIVIOUS
from klcal.forecasters.stream import ALGORITHMS, EVERY_ALGORITHM
from klcal.forecasters.tree import TREES
from klcal.grids import full_grid

EVERY = pytest.mark.parametrize("algorithm", list(ALGORITHMS))
BOTH = pytest.mark.parametrize("engine", ENGINES)


def bound_before_jensen(masses, K):
    return np.log1p(masses).sum() + masses.sum() * bounds.rounding_cost(K)


def same(a, b):
    return a.expected == b.expected and a.realised == b.realised


@pytest.mark.parametrize("name", EVERY_ADVERSARY)
@pytest.mark.parametrize("algorithm", EVERY_ALGORITHM)
def test_fast_and_reference_engines_give_the_same_bits(name, algorithm, seed):
    T, K = (400, None) if algorithm in TREES else (200, 14)
    games = [run(opponent(name, T, seed), K, by(algorithm, e), rng=seed, record=True) for e in ENGINES]
    assert the_same(*games)


@pytest.mark.parametrize("T", [1, 2, 3, 10, 131, 10_000])
@pytest.mark.parametrize("name", [*OBLIVIOUS, *ADAPTIVE])
def test_pseudo_kl_calibration_stays_below_theorem_2(name, T, seed):
    for K in {2, 3, resolution(T), 25}:
        game = run(opponent(name, T, seed), K, rng=seed)
        assert kl_calibration(game.expected) <= bounds.theorem_2(T, K)
        assert kl_calibration(game.expected) <= bound_before_jensen(game.expected.mass, K) * (1 + 1e-12)


@given(outcomes=st.lists(st.integers(0, 1), min_size=1, max_size=400), K=st.integers(2, 30))
def test_no_sequence_exceeds_theorem_2(outcomes, K):
    game = run(outcomes, K, rng=0)
    assert kl_calibration(game.expected) <= bound_before_jensen(game.expected.mass, K) * (1 + 1e-12)


@EVERY
def test_doubling_stays_below_the_sum_of_its_epochs(algorithm):
    y = adversaries.bernoulli(5000, 0.4, rng=2)
    game = run_doubling(y, algorithm=algorithm, rng=0)
    parts = sum(kl_calibration(epoch.expected) for epoch in game.epochs)
    assert sum(epoch.horizon for epoch in game.epochs) == 5000
    assert kl_calibration(game.expected) <= parts + 1e-9
    if algorithm == "paper":
        limit = sum(bounds.theorem_2(2**r, resolution(2**r)) for r in range(len(game.epochs)))
        assert parts <= limit


def test_the_global_random_state_is_neither_read_nor_written():
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    run(adversaries.bernoulli(100, rng=0), rng=0)
    assert np.array_equal(np.random.get_state()[1], before)  # noqa: NPY002


@BOTH
@pytest.mark.parametrize("algorithm", EVERY_ALGORITHM)
def test_full_record_reproduces_both_cells(engine, algorithm):
    T = 3000 if engine == "fast" else 300
    y = adversaries.random_walk(T, rng=8)
    game = run(y, algorithm=by(algorithm, engine), rng=1, record=True)
    from_mixtures = klcal.Cells.from_mixtures(game.grid, game.mixtures, y)
    np.testing.assert_array_equal(game.expected.points, game.grid.points)
    np.testing.assert_allclose(from_mixtures.mass, game.expected.mass, rtol=1e-13, atol=1e-9)
    np.testing.assert_allclose(from_mixtures.ones, game.expected.ones, rtol=1e-13, atol=1e-9)
    assert game.realised.restricted() == klcal.Cells.from_forecasts(game.grid.points[game.draws], y)


@EVERY
def test_any_object_with_horizon_and_choose_is_an_adversary_in_both_engines(algorithm):
    class Contrarian:
        horizon = 40

        def choose(self, view):
            return int(view.counts[0].sum() > view.counts[1].sum())

    games = [run(Contrarian(), 6, by(algorithm, engine), rng=0) for engine in ENGINES]
    assert same(*games)
    assert games[0].outcomes.tolist() == [0, 1] * 20


@pytest.mark.parametrize(
    "kind", [list, tuple, np.array, lambda y: np.array(y, dtype=bool), lambda y: np.array(y)[::-1]]
)
def test_outcomes_of_every_kind_give_the_same_game(kind):
    palindrome = [0, 1, 1, 0, 0, 1, 1, 0]
    assert same(run(kind(palindrome), 3, rng=0), run(palindrome, 3, rng=0))


def test_read_only_outcomes_are_welcome_and_stay_as_they_are():
    y = adversaries.bernoulli(100, rng=0)
    y.flags.writeable = False
    game = run(y, 4, rng=0)
    assert np.array_equal(game.outcomes, y)
    with pytest.raises(ValueError, match="read-only"):
        game.outcomes[0] = 1


@pytest.mark.parametrize("kind", [np.uint8, bool, np.int64])
@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_a_finished_game_does_not_change_with_the_outcomes_it_was_given(kind, engine):
    y = adversaries.bernoulli(50, rng=0).astype(kind)
    game, wanted = run(y, 4, by("paper", engine), rng=0), y.copy()
    y[:] = 1 - y.astype(np.uint8)
    assert np.array_equal(game.outcomes, wanted) and y.flags.writeable
    longer = run_doubling(y, by("paper", engine), rng=0)
    wanted = y.copy()
    y[:] = 0
    assert np.array_equal(np.concatenate([epoch.outcomes for epoch in longer.epochs]), wanted)


@pytest.mark.parametrize("parent", dict.fromkeys(type(make(1)) for make in ADAPTIVE.values()))
def test_a_subclass_that_chooses_for_itself_is_heard_in_both_engines(parent):
    class Stubborn(parent):
        def choose(self, _view):
            return 1

    for engine in ENGINES:
        assert run(Stubborn(6), 3, by("paper", engine), rng=0).outcomes.tolist() == [1] * 6


@pytest.mark.parametrize("record", [False, True, "draws"])
def test_games_can_be_compared(record):
    y = adversaries.bernoulli(60, rng=0)
    game = run(y, 4, rng=1, record=record)
    assert game == run(y.copy(), 4, rng=1, record=record)
    assert game != run(1 - y, 4, rng=1, record=record)
    assert game != run(y, 5, rng=1, record=record)
    assert game != run(y, 4, "realised", rng=1, record=record)
    assert game != run(y, 4, "pair", rng=1, record=record)
    assert game != "game"
    assert run_doubling(y, rng=1) == run_doubling(y, rng=1)
    # A number is a seed of the forecaster's own: outcomes from it share no uniform numbers with the draws.
    assert run(y, rng=1) != run(y, rng=np.random.default_rng(1))
    assert run_doubling([0] * 66).epochs[-1].grid == full_grid(3)  # that of 64 rounds, though 3 were played
    assert run_doubling(y, rng=1) != run_doubling(y, rng=2)
