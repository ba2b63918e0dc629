"""Games and seeds: a row's own text is enough to play it again; what happens inside a game adds up."""

from __future__ import annotations

import io
import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import klcal
from klcal import adversaries, bounds
from klcal.adversaries import OBLIVIOUS
from klcal.book.experiments import Game, games, measuring, play_game, seeds, stored, studies
from klcal.book.experiments.measuring import measure_replicates, spread_of_games, watch_game
from klcal.book.experiments.studies import read_table
from klcal.book.replays import deviation_ratios, printed_steps, replay, rerun, sharper_steps
from klcal.forecasters.algorithm_1 import FastBlumMansour, beta_mean
from klcal.forecasters.baselines import FastSquaredBlumMansour

EVERYONE = studies.EVERYONE


def test_a_game_is_a_value():
    game = Game("paper", "fair coin", np.int64(100), seed=(7, np.int64(3)))
    twin = Game("paper", "fair coin", 100, K=3, seed=(7, 3))
    assert game == twin and hash(game) == hash(twin) and repr(game) == repr(twin)
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
    text = pd.DataFrame([{**game.row(), "pkl": 0.5}]).to_csv(index=False)
    (row,) = read_table(io.StringIO(text)).to_dict("records")
    assert Game.from_row(row) == game


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("best", "zeros", 10), "algorithm must be one of"),
        (("paper", "nobody", 10), "adversary must be one of"),
        (("paper", "zeros", 0), "T must be an integer that is at least 1; got 0"),
        (("paper", "zeros", 10, 1), "K must be an integer that is at least 2; got 1"),
        (("paper", "zeros", 10, None, [7]), r"seed must be an integer that is at least 0; got \[7\]"),
        (("paper", "zeros", 10, None, ()), "seed must be an integer, or a tuple of integers"),
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
    both = ["paper", "realised"]
    made = games(algorithm=both, adversary="zeros", T=[10, 20], K=(2, 3), seed=seeds(2, root=1))
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
    with pytest.raises(ValueError, match=r"root must be an integer that is at least 0"):
        seeds(1, root=-1)


def test_forecaster_and_adversary_get_the_two_children_of_the_seed():
    game = Game("paper", "fair coin", 50, seed=(7, 1))
    one, two = np.random.SeedSequence(7, spawn_key=(1,)).spawn(2)
    run = game.play()
    outcomes = adversaries.bernoulli(50, rng=np.random.default_rng(two))
    assert (run.outcomes == outcomes).all()
    assert run == klcal.run(outcomes, rng=np.random.default_rng(one), record=False)


def test_a_doubling_game_is_the_doubling_run_and_records_nothing():
    game = Game("realised", "coin 0.3", 100, seed=(7,), doubling=True)
    outcomes = game.opponent()
    assert game.play() == klcal.run_doubling(outcomes, "realised", rng=game.streams()[0])
    assert game.row()["K"] == klcal.resolution(64)
    with pytest.raises(ValueError, match="record must be False in a doubling game; got True"):
        game.play(record=True)
    for bad in (game, Game("pair", "zeros", 10)):
        with pytest.raises(ValueError, match="game must be one of Algorithm 1 with a known horizon"):
            watch_game(bad)
    with pytest.raises(ValueError, match="game must be played on one grid, and not be a doubling game"):
        measure_replicates(game)


@pytest.mark.parametrize("doubling", [False, True])
def test_the_measured_columns_are_the_measures_of_the_run(doubling):
    game = Game("paper", "regimes", 300, seed=(7,), doubling=doubling)
    run, row = game.play(), play_game(game)
    for p, cells in (("", run.realised), ("p", run.expected)):
        assert row[f"{p}kl"] == klcal.kl_calibration(cells)
        assert row[f"{p}cal2"] == klcal.calibration_error(cells, order=2)
        assert row[f"{p}cal1"] == klcal.calibration_error(cells, order=1)
    assert row["ones"] == int(game.opponent().sum())
    assert row["points"] == len(run.expected)
    assert row["used"] == sum(mass > 0 for mass in run.expected.mass.tolist())
    for name, cells in (("log_mass", run.expected), ("log_count", run.realised)):
        assert row[name] == pytest.approx(sum(math.log(1 + m) for m in cells.mass.tolist()), rel=1e-14)


def costs(run):
    """What happened inside a recorded game, with arrays of all rounds."""
    n, z = len(run.grid), run.grid.points
    drawn = np.eye(n)[run.draws]
    fed = run.mixtures if run.algorithm == "paper" else drawn
    y = run.outcomes[:, np.newaxis]
    # What each learner had received before each round.
    ones, zeros = (np.cumsum(fed * part, axis=0) - fed * part for part in (y, 1 - y))
    w = beta_mean(ones, zeros)
    gains = np.where(y == 1, np.log(w / z), np.log((1.0 - w) / (1.0 - z)))
    rounding = float((run.mixtures * gains).sum())
    noise = float((fed * gains).sum()) - rounding if run.algorithm == "realised" else 0.0
    sizes = np.count_nonzero(run.mixtures, axis=1)
    paid = klcal.kl_calibration(run.expected if run.algorithm == "paper" else run.realised)
    parts = {"regret": paid - rounding - noise, "rounding": rounding, "noise": noise}
    return {**parts, "class_mean": sizes.mean(), "class_max": sizes.max()}


@pytest.mark.parametrize("algorithm", ["paper", "realised"])
@pytest.mark.parametrize("adversary", EVERYONE)
def test_watching_finds_what_the_record_of_the_game_says(algorithm, adversary, seed):
    game = Game(algorithm, adversary, 400, seed=(seed,))
    watched, recorded = watch_game(game), costs(game.play(record=True))
    for name in ("regret", "rounding", "noise"):
        assert watched[name] == pytest.approx(recorded[name], abs=1e-10)
    for name in ("class_max", "class_mean"):
        assert watched[name] == recorded[name]
    assert {k: watched[k] for k in play_game(game)} == play_game(game)


def test_with_realised_feedback_the_regret_is_that_of_laplace_on_each_bucket():
    """log((n+1) C(n,k)) - n H(k/n), in any order of the rounds."""
    game, exact = Game("realised", "fair coin", 3000, seed=(5,)), 0.0
    cells = game.play().realised
    for n, k in zip(cells.mass.astype(int).tolist(), cells.ones.astype(int).tolist(), strict=True):
        entropy = -sum(x * math.log(x / n) for x in (k, n - k) if x)
        exact += math.log((n + 1) * math.comb(n, k)) - entropy
    assert watch_game(game)["regret"] == pytest.approx(exact, abs=1e-9)


def test_watching_does_not_depend_on_the_size_of_the_pieces(monkeypatch):
    game = Game("realised", "random walk", 1500, seed=(2,))
    before = watch_game(game)
    for piece in (1, 7, 4096):
        monkeypatch.setattr(measuring, "_PIECE", piece)
        assert watch_game(game) == before


# --- many draws of one game -------------------------------------------------------------------------------


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(measuring, "REPLAYED", 30)
    monkeypatch.setattr(measuring, "RERUN", 4)


def check(row, draws):
    """Compare a row with what its draws give."""
    assert row["replicates"] == len(draws) and row["points"] == len(draws.points)
    assert row["pcal2"] == pytest.approx(draws.pcal2.mean())
    assert row["cal2_mean"] == pytest.approx(draws.cal2.mean()) and row["cal2_max"] == draws.cal2.max()
    assert row["cal2_q05"] == pytest.approx(np.quantile(draws.cal2, 0.05))
    assert row["excess_q99"] == pytest.approx(np.quantile(draws.cal2 - draws.pcal2, 0.99))
    assert row["printed_eq16"] == pytest.approx(np.median(printed_steps(draws, 0.05)["Eq. 16"]))
    half = sharper_steps(draws, 0.05)["at least half the mass"]
    assert row["sharper_half"] == pytest.approx(np.median(half))
    rates = deviation_ratios(draws, 0.05)["rate"].max(axis=1)
    assert row["rate_q95"] == pytest.approx(np.quantile(rates, 0.95))
    assert row["used"] == np.count_nonzero(draws.mass.max(axis=0))


@pytest.mark.usefixtures("few")
def test_mixtures_known_in_advance_are_drawn_from_for_two_algorithms():
    game = Game("paper", "sinusoid", 400, seed=(3, 1))
    rows = measure_replicates(game)
    assert [row["forecaster"] for row in rows] == ["Algorithm 1", "squared loss"]
    forecaster, adversary = game.streams()
    outcomes = OBLIVIOUS["sinusoid"](400, adversary)
    check(rows[0], replay(outcomes, FastBlumMansour(klcal.full_grid(game.K)), 30, rng=forecaster))
    squared = FastSquaredBlumMansour(klcal.uniform_grid(game.K))
    check(rows[1], replay(outcomes, squared, 30, rng=game.streams()[0]))


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(
    ("algorithm", "adversary", "name"),
    [("realised", "blocks", "realised feedback"), ("paper", "greedy realised", "Algorithm 1")],
)
def test_games_whose_draws_feed_back_are_played_anew(algorithm, adversary, name):
    game = Game(algorithm, adversary, 300, seed=(5, 2))
    (row,) = measure_replicates(game)
    assert row["forecaster"] == name
    check(row, rerun(game.opponent(), game.K, algorithm, 4, rng=game.streams()[0]))


@pytest.fixture(scope="module")
def table():
    return stored("high-probability")


def test_quantiles_and_lines_of_both_proofs_are_in_order(table):
    quantiles = ("cal2_q05", "cal2_q50", "cal2_q95", "cal2_q99", "cal2_max")
    printed = ("cal2_q50", *(f"printed_{line}" for line in ("square", "eq15", "eq16", "cells", "theorem")))
    sharper = ("cal2_q50", *(f"sharper_{line}" for line in ("square", "half", "deviations", "theorem")))
    for names in (quantiles, printed, sharper):
        chain = np.stack([table[name] for name in names])
        assert (np.diff(chain, axis=0) >= -1e-9 * chain[1:]).all()
    shared = table["replicates"] == 1000
    bound = bounds.theorem_3(table["pcal2"], table["points"], 0.05)
    np.testing.assert_allclose(table["sharper_theorem"][shared], bound[shared])


def test_no_draw_of_any_game_exceeds_the_bound(table):
    assert (table["cal2_max"] < table["sharper_theorem"]).all()
    for name in ("count_q95", "ones_q95", "rate_q95"):
        assert (table[name] < 1).all()


def test_a_row_holds_the_spread_of_games_with_spawned_seeds(monkeypatch):
    monkeypatch.setitem(measuring.RUNS, 50, 7)
    game = Game("pair", "fair coin", 50, K=4, seed=(3, 1))
    row = spread_of_games(game)
    again = (Game("pair", "fair coin", 50, 4, seed).play() for seed in seeds(7, root=(3, 1)))
    values = sorted(klcal.kl_calibration(run.realised) for run in again)
    assert row["runs"] == 7
    assert (row["least"], row["median"], row["largest"]) == (values[0], values[3], values[-1])
    assert row["q99"] == row["q999"] == values[-1]
    assert np.isclose(row["mean"], np.mean(values)) and np.isclose(row["deviation"], np.std(values))
