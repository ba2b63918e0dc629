"""Games and seeds: a row's own text is enough to play it again; what happens inside a game adds up."""

from __future__ import annotations

import math
import pickle

import naive_experiments as naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import klcal
from klcal import adversaries, bounds
from klcal.experiments import Game, Table, costs, games, learner_costs, play_game, seeds, watch_game
from klcal.experiments import measuring as measuring_module

EVERYONE = [*adversaries.OBLIVIOUS, *adversaries.ADAPTIVE]


def test_a_game_is_a_value():
    game = Game("paper", "fair coin", np.int64(100), seed=(7, np.int64(3)))
    assert game == Game("paper", "fair coin", 100, K=3, seed=(7, 3)) and hash(game) == hash(
        Game("paper", "fair coin", 100, K=3, seed=(7, 3))
    )
    assert repr(game) == repr(Game("paper", "fair coin", 100, seed=(7, 3)))
    assert pickle.loads(pickle.dumps(game)) == game
    with pytest.raises(AttributeError):
        game.T = 5  # type: ignore[misc]


@given(
    st.sampled_from(["paper", "realised"]),
    st.sampled_from(EVERYONE),
    st.integers(1, 10**9),
    st.none() | st.integers(2, 1000),
    st.lists(st.integers(0, 2**100), min_size=1, max_size=4).map(tuple),
    st.booleans(),
)
def test_a_row_brings_its_game_back_also_from_a_file(algorithm, adversary, T, K, seed, doubling):
    doubling = doubling and adversary in adversaries.OBLIVIOUS
    game = Game(algorithm, adversary, T, None if doubling else K, seed, doubling)
    (row,) = Table.from_csv(Table.from_rows([{**game.row(), "pkl": 0.5}]).to_csv()).rows()
    assert Game.from_row(row) == game


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("best", "zeros", 10), "algorithm must be one of"),
        (("paper", "nobody", 10), "adversary must be one of"),
        (("paper", "zeros", 0), "T must be an integer that is at least 1; got 0"),
        (("paper", "zeros", 10, 1), "K must be an integer that is at least 2; got 1"),
        (("paper", "zeros", 10, None, 7), "seed must be a tuple of integers, entropy first; got 7"),
        (("paper", "zeros", 10, None, ()), "seed must be a tuple"),
        (("paper", "zeros", 10, None, (7, -1)), r"seed\[1\] must be an integer that is at least 0; got -1"),
        (("paper", "zeros", 10, None, (7,), 1), "doubling must be True or False; got 1"),
        (("paper", "zeros", 10, 3, (7,), True), "K must be None in a doubling game"),
        (("paper", "border", 10, None, (7,), True), "adversary must be oblivious in a doubling game"),
    ],
)
def test_games_that_make_no_sense_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Game(*arguments)


def test_a_product_varies_the_seed_fastest():
    made = games(
        algorithm=["paper", "realised"], adversary="zeros", T=[10, 20], K=(2, 3), seed=seeds(2, root=1)
    )
    assert len(made) == len(set(made)) == 16
    assert [game.seed for game in made[:3]] == [(1, 0), (1, 1), (1, 0)]
    assert [(g.algorithm, g.T, g.K) for g in made[::2]] == [
        (a, T, K) for a in ("paper", "realised") for T in (10, 20) for K in (2, 3)
    ]


def test_seeds_are_those_that_numpy_spawns():
    children = np.random.SeedSequence(7).spawn(3)
    assert seeds(3, root=7) == [(7, *child.spawn_key) for child in children]
    grandchildren = children[1].spawn(2)
    assert seeds(2, root=(7, 1)) == [(7, *child.spawn_key) for child in grandchildren]
    with pytest.raises(ValueError, match="n must be an integer that is at least 1; got 0"):
        seeds(0, root=7)
    with pytest.raises(ValueError, match=r"root\[0\] must be an integer that is at least 0"):
        seeds(1, root=-1)


def test_forecaster_and_adversary_get_the_two_children_of_the_seed():
    game = Game("paper", "fair coin", 50, seed=(7, 1))
    one, two = np.random.SeedSequence(7, spawn_key=(1,)).spawn(2)
    run = game.play()
    outcomes = adversaries.bernoulli(50, rng=np.random.default_rng(two))
    assert (run.outcomes == outcomes).all()
    assert run == klcal.run(outcomes, rng=np.random.default_rng(one))


def test_the_same_game_is_played_the_same_way_and_another_seed_another_way():
    game = Game("paper", "fair coin", 200, seed=(7,))
    assert game.play() == game.play()
    assert game.play() != Game("paper", "fair coin", 200, seed=(8,)).play()


def test_a_doubling_game_is_the_doubling_run_and_records_nothing():
    game = Game("realised", "coin 0.3", 100, seed=(7,), doubling=True)
    outcomes = game.opponent()
    assert game.play() == klcal.run_doubling(outcomes, "realised", rng=game.streams()[0])
    assert game.row()["K"] == klcal.resolution(64)
    with pytest.raises(ValueError, match="record must be False in a doubling game; got True"):
        game.play(record=True)
    with pytest.raises(
        ValueError, match="game must be one of Algorithm 1 with a known horizon to be watched"
    ):
        watch_game(game)


@pytest.mark.parametrize("doubling", [False, True])
def test_the_measured_columns_are_the_measures_of_the_run(doubling):
    game = Game("paper", "regimes", 300, seed=(7,), doubling=doubling)
    run, row = game.play(), play_game(game)
    assert row["kl"] == klcal.kl_calibration(run.realised)
    assert row["pkl"] == klcal.kl_calibration(run.expected)
    assert row["cal2"] == klcal.calibration_error(run.realised, order=2)
    assert row["pcal2"] == klcal.calibration_error(run.expected, order=2)
    assert row["cal1"] == klcal.calibration_error(run.realised, order=1)
    assert row["pcal1"] == klcal.calibration_error(run.expected, order=1)
    assert row["ones"] == int(game.opponent().sum())
    assert row["points"] == len(run.expected)
    assert row["used"] == sum(mass > 0 for mass in run.expected.mass.tolist())
    for name, cells in (("log_mass", run.expected), ("log_count", run.realised)):
        assert row[name] == pytest.approx(sum(math.log(1 + m) for m in cells.mass.tolist()), rel=1e-14)


@pytest.mark.parametrize("algorithm", ["paper", "realised"])
@pytest.mark.parametrize("adversary", EVERYONE)
def test_costs_agree_three_ways(algorithm, adversary, seed):
    """By definition in plain Python, in NumPy from the recorded game, and compiled while playing."""
    game = Game(algorithm, adversary, 400, seed=(seed,))
    run = game.play(record=True)
    drawn = np.eye(len(run.grid))[run.draws]
    fed = run.mixtures if algorithm == "paper" else drawn
    regret, rounding, noise = naive.decomposition(
        run.grid.points.tolist(), fed.tolist(), run.mixtures.tolist(), run.outcomes.tolist()
    )
    watched, recorded = watch_game(game), costs(run)
    for found in (watched, recorded):
        assert found["regret"] == pytest.approx(regret, abs=1e-10)
        assert found["rounding"] == pytest.approx(rounding, abs=1e-10)
        assert found["noise"] == pytest.approx(noise, abs=1e-10)
    sizes = [sum(p > 0 for p in row) for row in run.mixtures.tolist()]
    assert watched["class_max"] == recorded["class_max"] == max(sizes)
    assert watched["class_mean"] == recorded["class_mean"] == sum(sizes) / 400
    assert {k: watched[k] for k in play_game(game)} == play_game(game)


@pytest.mark.parametrize("adversary", ["zeros", "fair coin", "border"])
def test_with_realised_feedback_the_regret_is_that_of_laplace_on_each_bucket(adversary):
    game = Game("realised", adversary, 3000, seed=(5,))
    cells = game.play().realised
    pairs = zip(cells.mass.astype(int).tolist(), cells.ones.astype(int).tolist(), strict=True)
    exact = math.fsum(naive.laplace_regret(n, k) for n, k in pairs)
    assert watch_game(game)["regret"] == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("algorithm", ["paper", "realised"])
@pytest.mark.parametrize("adversary", EVERYONE)
def test_the_parts_keep_their_bounds(algorithm, adversary):
    game = Game(algorithm, adversary, 5000, seed=(3,))
    row = watch_game(game)
    assert row["regret"] <= row["log_mass" if algorithm == "paper" else "log_count"] + 1e-9
    assert row["rounding"] <= game.T * bounds.rounding_cost(game.K)
    if algorithm == "paper":
        assert row["noise"] == 0.0
        assert row["pkl"] <= bounds.theorem_2(game.T, game.K)


def test_watching_does_not_depend_on_the_size_of_the_pieces(monkeypatch):
    game = Game("realised", "random walk", 1500, seed=(2,))
    before = watch_game(game)
    for piece in (1, 7, 4096):
        monkeypatch.setattr(measuring_module, "_PIECE", piece)
        assert watch_game(game) == before


def test_a_game_that_goes_differently_when_watched_is_an_error(monkeypatch):
    game = Game("paper", "fair coin", 100, seed=(2,))
    other = Game("paper", "fair coin", 100, seed=(3,))
    found = measuring_module._watch(other)
    monkeypatch.setattr(measuring_module, "_watch", lambda game: found)
    with pytest.raises(RuntimeError, match="went differently when it was watched"):
        watch_game(game)


@pytest.mark.parametrize("name", ["zeros", "fair coin", "random walk"])
def test_costs_of_the_learners_add_up_to_those_of_the_game(name, seed):
    run = klcal.run(adversaries.OBLIVIOUS[name](300, seed), rng=seed, record=True)
    learning, rounding = learner_costs(run)
    whole = costs(run)
    assert learning.sum() == pytest.approx(whole["regret"], rel=1e-9)
    assert rounding.sum() == pytest.approx(whole["rounding"], rel=1e-9)
    assert np.all(learning <= np.log1p(run.expected.mass) + 1e-12)


def test_learners_have_costs_in_recorded_games_of_algorithm_1_only():
    for run in (klcal.run([1, 0]), klcal.run([1, 0], algorithm="realised", record=True)):
        with pytest.raises(ValueError, match="run must be recorded"):
            learner_costs(run)


def test_costs_need_a_recorded_game_of_algorithm_1():
    for run in (Game("paper", "zeros", 10).play(), Game("pair", "zeros", 10).play(record=True)):
        with pytest.raises(ValueError, match="run must be recorded"):
            costs(run)
    with pytest.raises(ValueError, match="game must be one of Algorithm 1"):
        watch_game(Game("pair", "zeros", 10))
