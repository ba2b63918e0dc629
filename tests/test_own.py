"""Losses, adversaries, forecasters and models of one's own, wherever those of the book may stand."""

from __future__ import annotations

import pickle
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import own_players
import pytest
from oracles import ENGINES, by
from own_players import Brief, Indecisive, Low, Mean, Recent, biased, coins, halves
from sweep_samples import same

import klcal
from klcal import Cells, Forecaster, _checks
from klcal.book.experiments import Game, GameFailed, games, process_pool, sweep
from klcal.book.experiments._cache import Cache
from klcal.book.experiments.measuring import measure_arena
from klcal.forecasters.baselines import FORECASTERS, Calibeating, Given, OnePerBin, RunningMean, calibeat
from klcal.forecasters.stream import EVERY_ALGORITHM
from klcal.games import play_match

SHORT, BIASED = partial(Recent, days=3), partial(biased, b=0.7)
OWN = games(algorithm=["paper", Mean, SHORT], adversary=["fair coin", Low, coins, BIASED], T=[20, 50])
ARENA = partial(measure_arena, forecasters={**FORECASTERS, "mine": Mean, "short": SHORT}, runs=1)
ARENA_GAMES = games(adversary=["zeros", coins, Low, BIASED], T=20)


# --- matches and sweeps ----------------------------------------------------------------------------------------


def test_a_forecaster_with_two_verbs_plays_a_match_and_its_cells_are_its_forecasts():
    y = klcal.adversaries.bernoulli(200, 0.3, rng=0)
    match, twin = play_match(Mean(200, None), y), Mean(200, None)
    said = [(twin.predict(), twin.update(outcome))[0] for outcome in y.tolist()]
    assert match.realised == match.expected == Cells.from_forecasts(said, y)
    against = play_match(Mean(50, None), Low(50, None))
    assert against.outcomes.tolist()[:3] == [0, 0, 1]  # 1/2, 1/3 and 1/4 are the first means


def test_own_players_play_in_games_and_are_known_by_their_module():
    game = Game(Mean, Low, 30)
    row = game.row()
    assert (row["algorithm"], row["adversary"], row["K"]) == ("own_players:Mean", "own_players:Low", 0)
    assert Game.from_row(row, own=[Low, Mean]) == game
    assert game.play().realised == play_match(Mean(30, None), Low(30, None)).realised
    rng = Game("paper", Low, 30).streams()[0]
    assert Game("paper", Low, 30, K=3).play() == klcal.run(Low(30, None), 3, rng=rng, record=False)


def test_own_players_give_one_table_in_one_process_in_several_and_from_the_cache(tmp_path):
    serial = sweep(OWN, executor="serial", cache=tmp_path)
    with process_pool(2) as pool:
        assert same(sweep(OWN, executor=pool), serial)
        arena = sweep(ARENA_GAMES, executor=pool, measure=ARENA, cache=tmp_path)
    assert len(list(tmp_path.iterdir())) == len(OWN) + len(ARENA_GAMES)
    assert same(sweep(OWN, executor="serial", cache=tmp_path), serial)
    assert same(sweep(ARENA_GAMES, executor="serial", measure=ARENA), arena)
    for game in ARENA_GAMES:
        played = arena[arena["adversary"] == game.row()["adversary"]]
        assert played["forecaster"].tolist() == [*FORECASTERS, "mine", "short"]


SCRIPT = """
from klcal.book.experiments import games, sweep

class Firm:
    def __init__(self, T, rng): pass
    def predict(self): return 0.25
    def update(self, outcome): pass

if __name__ == "__main__":
    many = games(algorithm=Firm, adversary="oppose", T=[20, 30])
    rows = sweep(many, executor="serial", cache="kept")
    assert rows.equals(sweep(many, executor="serial", cache="kept")) and rows.equals(sweep(many))
    print(rows[["algorithm", "T"]].to_csv(index=False))
"""


def in_a_script(source: str, folder: Path, *, piped: bool) -> subprocess.CompletedProcess[str]:
    (folder / "mine.py").write_text(source)
    command, text = [sys.executable, "-" if piped else "mine.py"], source if piped else ""
    return subprocess.run(command, cwd=folder, input=text, capture_output=True, text=True, timeout=600)


def test_players_of_a_script_enter_a_cache_and_other_processes(tmp_path):
    done = in_a_script(SCRIPT, tmp_path, piped=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["algorithm,T", "__main__:Firm,20", "__main__:Firm,30"]
    assert len(list((tmp_path / "kept").iterdir())) == 2


def test_players_of_no_file_are_told_to_move_into_one(tmp_path):
    done = in_a_script(SCRIPT, tmp_path, piped=True)
    assert done.returncode == 1
    assert "ValueError: players must be in a file, such as mine.py," in done.stderr


TYPED = """
from typing import assert_type
import numpy as np
import numpy.typing as npt
import klcal
from klcal import BlumMansour
from klcal.adversaries import View
from klcal.book.experiments import Game, GameFailed, process_pool, stored, sweep
from klcal.book.experiments import games as many
from klcal.book.replays import Draws, replay, rerun
from klcal.figures import plot_reliability, use_style
from klcal.forecasters import Learners, beta_mean, stationary

Array = npt.NDArray[np.float64]

class Still:
    def answers(self) -> Array: return np.full(3, 0.5)
    def learn(self, weights: Array, outcome: int) -> None: pass

class Low:
    horizon = 10
    def choose(self, view: View) -> int: return int(view.mixture @ view.grid.points < 0.3)

def laplace(ones: Array, zeros: Array) -> Array: return beta_mean(ones, zeros, prior=0.5)

still: Learners = Still()
own = BlumMansour([0.2, 0.5, 0.8], learner=still, stationary=stationary)
assert_type(klcal.run(Low(), algorithm=own), klcal.Run)
assert_type(replay([0, 1], BlumMansour([0.2], learner=laplace)), Draws)
"""


def test_a_file_of_a_user_passes_the_strictest_type_checker(tmp_path):
    (tmp_path / "mine.py").write_text(TYPED)
    cache = Path(__file__).parents[1] / ".mypy_cache/user"
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, "mine.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "Success: no issues found in 1 source file\n", done.stdout + done.stderr


def test_a_row_of_a_table_never_imports_what_it_names():
    row = Game(SHORT, BIASED, 30).row()
    assert row["algorithm"] == "own_players:Recent(days=3)"
    assert row["adversary"] == "own_players:biased(b=0.7)"
    with pytest.raises(ValueError, match=r"algorithm must be one of .*; got .shutil:rmtree"):
        Game.from_row({**row, "algorithm": "shutil:rmtree('own')"}, own=[BIASED])
    assert Game.from_row(row, own=[SHORT, BIASED]).play().realised == Game(SHORT, BIASED, 30).play().realised


def test_a_cache_knows_own_players_and_a_measure_by_all_their_arguments(tmp_path):
    measures = [measure_arena, *(partial(measure_arena, runs=n) for n in (1, 2))]
    measures.append(partial(measure_arena, forecasters={"mine": Mean}))
    pairs = (Recent, coins), (SHORT, coins), (SHORT, BIASED), ("paper", BIASED)
    several = [Game(*pair, 30) for pair in pairs]
    paths = {Cache(tmp_path, measure).path(game) for measure in measures for game in several}
    assert len(paths) == len(measures) * len(several)
    again = Game(partial(Recent, days=3), coins, 30)
    assert Cache(tmp_path, partial(measure_arena, runs=1)).path(again) in paths


# --- what is refused -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Game("paper", 3, 5), "adversary must be one of 'zeros', .*; got 3"),
        (lambda: Game(Mean, "zeros", 5, K=3), "K must be None for a forecaster of your own, which makes its"),
        (lambda: Game(Mean, "zeros", 5, doubling=True), "doubling must be False for a forecaster of your"),
        (lambda: Game(Mean, "zeros", 5).play(record=True), "record must be False for a forecaster of your"),
        (lambda: Game("paper", halves, 5).play(), "own_players:halves must be 0 or 1; got 0.5 at index 0"),
        (lambda: Game(Mean, Indecisive, 5).play(), "outcome chosen by the adversary must be 0 or 1; got 2"),
        (lambda: Game(Mean, Brief, 5).play(), "own_players:Brief must play 5 rounds, .*; got 3"),
        (lambda: Game("paper", own_players.thirty, 5).play(), "thirty must play 5 rounds.*; got 30"),
        (
            lambda: play_match(object(), [0, 1]),
            "forecaster must have the methods predict and update; got <ob",
        ),
        (lambda: play_match(Wild(), [0, 1]), r"forecast of .*Wild.* must lie in \[0, 1\]; got 1.5"),
    ],
)
def test_own_players_that_break_the_rules_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


class Wild:
    def predict(self):
        return 1.5

    def update(self, outcome):
        pass


def test_an_error_of_an_own_player_names_the_game():
    with pytest.raises(ValueError, match="can be imported from a module"):
        sweep([Game("paper", lambda T, rng: [0] * T, 5)])
    with pytest.raises(GameFailed, match=r"own_players:halves.*must be 0 or 1"):
        sweep([Game("paper", halves, 5)], executor="serial")


# --- models ----------------------------------------------------------------------------------------------------


def test_running_means_in_bins_are_calibeating():
    rng = np.random.default_rng(3)
    said, y = rng.choice([0.05, 0.5, 0.9], 300), rng.integers(0, 2, 300)
    repair = OnePerBin(lambda _: RunningMean(prior=1), bins=10)
    repaired = [(repair.predict(p), repair.update(outcome))[0] for p, outcome in zip(said, y, strict=True)]
    assert repaired == calibeat(said, y, prior=1).tolist()


def test_a_tree_in_each_bin_is_a_tree_on_the_rounds_of_each_bin():
    rng = np.random.default_rng(4)
    said, y = rng.choice([0.1, 0.8], 200), rng.integers(0, 2, 200)
    repair = OnePerBin(bins=2, rng=9)
    team = [Forecaster(rng=stream) for stream in _checks.draws(9).spawn(2)]
    for p, outcome in zip(said.tolist(), y.tolist(), strict=True):
        alone = team[int(p > 0.5)]
        assert repair.predict(p) == alone.predict()
        repair.update(outcome)
        alone.update(outcome)
    assert repair.predict(0.0) == team[0].predict() and repair.predict(1.0) == team[1].predict()


def test_a_repair_is_asked_before_it_is_told():
    with pytest.raises(ValueError, match="predict must come before update"):
        OnePerBin().update(1)
    with pytest.raises(ValueError, match=r"forecast must lie in \[0, 1\]; got 1.5"):
        OnePerBin().predict(1.5)


# --- saving and showing ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", [False, True])
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("algorithm", [*EVERY_ALGORITHM, "doubling"])
def test_a_forecaster_that_was_saved_goes_on_with_the_same_draws(algorithm, engine, asked):
    doubling = algorithm == "doubling"
    horizon = None if doubling or algorithm.startswith("tree") else 100
    first = Forecaster(horizon, algorithm=by("paper" if doubling else algorithm, engine), rng=1)
    y = klcal.adversaries.bernoulli(60, 0.2, rng=0).tolist()
    for outcome in y[:30]:
        first.predict()
        first.update(outcome)
    if asked:
        first.predict()
    second = pickle.loads(pickle.dumps(first))
    for outcome in y[30:]:
        assert first.predict() == second.predict() and np.array_equal(first.mixture(), second.mixture())
        first.update(outcome)
        second.update(outcome)
    assert first.realised == second.realised and first.expected == second.expected


@pytest.mark.parametrize("name", FORECASTERS)
def test_every_forecaster_of_the_arena_can_be_saved_and_shown(name):
    first = FORECASTERS[name](100, 0)
    first.predict(), first.update(1)
    second = pickle.loads(pickle.dumps(first))
    assert first.predict() == second.predict() and repr(first) == repr(second)
    assert " object at 0x" not in repr(first)


def test_repairs_say_what_they_are():
    shown = repr(Calibeating(Given([0.5, 0.5]), prior=1)), repr(OnePerBin())
    assert shown[0] == "Calibeating(Given(2 forecasts, after 0 rounds), bins=None, prior=1)"
    assert shown[1] == "OnePerBin(bins=10, after 0 rounds)"
