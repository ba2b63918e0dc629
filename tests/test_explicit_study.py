"""The study of explicit algorithms: what one row says about many games."""

from __future__ import annotations

import numpy as np

from klcal.experiments import STUDIES, Game, seeds, spreads, studies
from klcal.measures import kl_calibration


def test_a_row_holds_the_spread_of_games_with_spawned_seeds(monkeypatch):
    monkeypatch.setitem(spreads.RUNS, 50, 7)
    game = Game("pair", "fair coin", 50, K=4, seed=(3, 1))
    row = spreads.spread_of_games(game)
    values = sorted(
        kl_calibration(Game("pair", "fair coin", 50, 4, seed).play().realised)
        for seed in seeds(7, root=(3, 1))
    )
    assert row["runs"] == 7
    assert (row["least"], row["median"], row["largest"]) == (values[0], values[3], values[-1])
    assert row["q99"] == row["q999"] == values[-1]
    assert np.isclose(row["mean"], np.mean(values)) and np.isclose(row["deviation"], np.std(values))


def test_the_study_has_a_row_for_every_algorithm_adversary_and_horizon():
    games = STUDIES["explicit"].games
    assert len(games) == len(set(games)) == 3 * len(studies.EVERYONE) * len(spreads.RUNS)
    assert {game.algorithm for game in games} == {"paper", "realised", "pair"}
    assert spreads.RUNS[10**4] >= 1000


def test_algorithms_meet_the_same_seeds():
    assert len({game.seed for game in STUDIES["explicit"].games}) == 1
