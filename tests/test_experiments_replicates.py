"""The study of many draws: one row per forecaster, its numbers from the draws, its table in order."""

from __future__ import annotations

import numpy as np
import pytest

from klcal import bounds, uniform_grid
from klcal.adversaries import ADAPTIVE, OBLIVIOUS
from klcal.experiments import Game, replicates, stored
from klcal.experiments.replicates import measure_replicates
from klcal.forecasters.baselines import FastSquaredBlumMansour
from klcal.games import replay
from klcal.games.deviations import Draws, deviation_ratios, printed_steps, rerun, sharper_steps


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(replicates, "REPLAYED", 30)
    monkeypatch.setattr(replicates, "RERUN", 4)


def check(row, draws):
    """Compare a row with what its draws give."""
    assert row["replicates"] == len(draws) and row["points"] == len(draws.points)
    assert row["pcal2"] == pytest.approx(draws.pcal2.mean())
    assert row["cal2_mean"] == pytest.approx(draws.cal2.mean()) and row["cal2_max"] == draws.cal2.max()
    assert row["cal2_q05"] == pytest.approx(np.quantile(draws.cal2, 0.05))
    assert row["excess_q99"] == pytest.approx(np.quantile(draws.cal2 - draws.pcal2, 0.99))
    assert row["printed_eq16"] == pytest.approx(np.median(printed_steps(draws, 0.05)["Eq. 16"]))
    assert row["sharper_half"] == pytest.approx(
        np.median(sharper_steps(draws, 0.05)["at least half the mass"])
    )
    assert row["rate_q95"] == pytest.approx(
        np.quantile(deviation_ratios(draws, 0.05)["rate"].max(axis=1), 0.95)
    )
    assert row["used"] == np.count_nonzero(draws.mass.max(axis=0))


@pytest.mark.usefixtures("few")
def test_mixtures_known_in_advance_are_drawn_from_for_two_algorithms():
    game = Game("paper", "sinusoid", 400, seed=(3, 1))
    rows = measure_replicates(game)
    assert [row["forecaster"] for row in rows] == ["Algorithm 1", "squared loss"]
    forecaster, adversary = game.streams()
    outcomes = OBLIVIOUS["sinusoid"](400, adversary)
    check(rows[0], Draws.of(replay(outcomes, game.K, 30, rng=forecaster)))
    squared = FastSquaredBlumMansour(uniform_grid(game.K))
    check(rows[1], Draws.of(replay(outcomes, replicates=30, reduction=squared, rng=game.streams()[0])))


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


def test_a_doubling_game_is_refused():
    with pytest.raises(ValueError, match="game must not be a doubling game"):
        measure_replicates(Game("paper", "zeros", 10, doubling=True))


@pytest.fixture(scope="module")
def table():
    return stored("high-probability")


def test_the_table_has_every_oblivious_adversary_at_a_million_rounds_and_all_kinds_of_feedback(table):
    million = table.where(T=10**6)
    assert len(million) == 2 * len(OBLIVIOUS) and set(million["replicates"]) == {1000}
    anew = table.take(np.flatnonzero(table["replicates"] == 200))
    assert len(anew) == len(OBLIVIOUS) + 2 * len(ADAPTIVE) and set(anew["T"]) == {10**4}


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
