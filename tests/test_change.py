"""An algorithm of one's own in `run`, `Forecaster` and `play_match`; and that all three play one game."""

from __future__ import annotations

import json
import math
import pickle
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from both_engines import EVERY_ADVERSARY, opponent, the_same
from oracles import ENGINES, Readable, by

import klcal
from klcal import BlumMansour, Forecaster, adversaries, bounds, full_grid, kl_calibration, run
from klcal.forecasters.algorithm_1 import FastBlumMansour, beta_mean, weighted_mean
from klcal.forecasters.baselines import FastTwoNeighbours, RunningMean
from klcal.forecasters.rounds import Sums
from klcal.forecasters.stream import EVERY_ALGORITHM, GridForecaster, reduction_for
from klcal.forecasters.tree import TREES
from klcal.games import play_match
from klcal.grids import ROUNDINGS

OWN_GRID = klcal.Grid(np.linspace(0.05, 0.95, 8))


def copied_log_rounding(w, grid):
    """The paper's rounding as a stranger would write it: nobody knows its compiled twin."""
    return klcal.log_rounding(w, grid)


def laplace(ones, zeros):
    return (ones + 1) / ((ones + zeros) + 2)


# --- grid, rounding, learner


class Counting:
    """EWOO as an object with a memory; it always returns the same array."""

    def __init__(self):
        self.sums, self.said = Sums(10), np.zeros(10)

    def answers(self):
        self.said[:] = beta_mean(self.sums.ones, self.sums.zeros)
        return self.said

    def learn(self, weights, outcome):
        self.sums.update(weights, outcome)


@pytest.mark.parametrize("learner", [laplace, Counting()])
@pytest.mark.parametrize("algorithm", ["paper", "realised"])
def test_own_parts_that_are_those_of_the_paper_play_the_game_of_the_paper(algorithm, learner):
    y = adversaries.regimes(400, rng=1)
    own = BlumMansour(full_grid(9), algorithm, rounding=copied_log_rounding, learner=learner)
    game = run(y, algorithm=own, rng=2, record=True)
    assert the_same(game, run(y, 9, algorithm, rng=2, record=True))
    assert game.algorithm == "BlumMansour"


@pytest.mark.parametrize("learner", [*({"learner": f} for f in (beta_mean, weighted_mean)), {"prior": 0.01}])
@pytest.mark.parametrize("rounding", ROUNDINGS.values())
@pytest.mark.parametrize("algorithm", ["paper", "realised"])
def test_what_the_package_knows_is_compiled_on_any_grid(algorithm, rounding, learner):
    options = {"algorithm": algorithm, "rounding": rounding, **learner}
    assert type(reduction_for(BlumMansour(OWN_GRID, **options), None, 2)) is FastBlumMansour
    makes, y = [partial(kind, **options) for kind in (BlumMansour, Readable)], adversaries.regimes(300, rng=4)
    assert the_same(*[run(y, algorithm=make, grid=OWN_GRID, rng=3, record=True) for make in makes])


@pytest.mark.parametrize("engine", ENGINES)
def test_half_counts_by_name_by_hand(engine):
    # Points 1/4, 3/4. Round 1: 1/2 lies in the middle of the log-odds. After a one both books hold half a one, so both
    # learners say (1/2 + 1/2)/(1/2 + 1) = 2/3, whose odds are 2: the upper share is (1 + log_3 2)/2.
    game = run([1, 1], algorithm=by("half-counts", engine), grid=[0.25, 0.75], rng=0, record=True)
    upper = (1 + math.log(2) / math.log(3)) / 2
    np.testing.assert_allclose(game.mixtures, [[0.5, 0.5], [1 - upper, upper]], rtol=1e-15)


PAGE = json.loads((Path(__file__).parents[1] / "chapters/change.ipynb").read_text(encoding="utf-8"))


def of_the_page(*names):
    """Return what cells of the page on changing the algorithm define, on a grid of one's own."""
    found = {"np": np, "grid": OWN_GRID, "BlumMansour": BlumMansour, "table": {}, "errors": id}
    for cell in PAGE["cells"]:
        if cell["id"] in names:
            exec("".join(cell["source"]), found)
    return found


def by_definition(y, weigh, imagined):
    """Algorithm 1 from its text: learner i says the mean of all outcomes, weighted by p[s, i] and by their age."""
    z, mixtures = OWN_GRID.points, []
    for t in range(len(y)):
        advice = np.zeros((len(z), len(z)))
        for i in range(len(z)):
            weights = [weigh(t - 1 - s) * p[i] for s, p in enumerate(mixtures)]
            w = (np.dot(weights, y[:t]) + imagined[i]) / (sum(weights) + 2)
            j = int(np.clip(np.searchsorted(z, w, side="right") - 1, 0, len(z) - 2))
            shares = np.array([(z[j + 1] - w) * z[j] * (1 - z[j]), (w - z[j]) * z[j + 1] * (1 - z[j + 1])])
            advice[i, j : j + 2] = np.clip(shares, 0, None) / np.clip(shares, 0, None).sum()
        reached = np.linalg.matrix_power(np.eye(len(z)) + (advice > 0), len(z)) > 0
        lowest = next(i for i in range(len(z)) if reached[reached[i], i].all())
        Q = advice[np.ix_(reached[lowest], reached[lowest])]
        equations = np.vstack([Q.T - np.eye(len(Q)), np.ones(len(Q))])
        mixtures.append(np.zeros(len(z)))
        mixtures[t][reached[lowest]] = np.linalg.lstsq(equations, [*np.zeros(len(Q)), 1], rcond=None)[0]
    return mixtures


@pytest.mark.parametrize(
    ("name", "weigh", "imagined"),
    [
        ("Forgetful", lambda age: 0.9**age, np.ones(8)),
        ("Optimistic", lambda age: 1 + (age == 0), np.ones(8)),
        ("at_home", lambda age: 1, 2 * OWN_GRID.points),
    ],
)
def test_learners_of_the_page_play_what_their_definition_says(name, weigh, imagined):
    learner = of_the_page("cell-011", "memory")[name]
    if isinstance(learner, type):
        learner = learner(8, keep=0.9) if name == "Forgetful" else learner(8)
    y, own = adversaries.regimes(80, rng=2), BlumMansour(OWN_GRID, learner=learner)
    games = [run(y, algorithm=own, rng=3, record=True) for _ in range(2)]  # each has a copy
    np.testing.assert_allclose(games[0].mixtures, by_definition(y, weigh, imagined), atol=1e-9)
    assert the_same(*games)


def test_an_own_stationary_distribution():
    y, power = adversaries.bernoulli(60, 0.4, rng=1), of_the_page("fixed-point")["power"]
    own = run(y, algorithm=BlumMansour(OWN_GRID, stationary=power), rng=0, record=True)
    np.testing.assert_allclose(own.mixtures, run(y, grid=OWN_GRID, record=True).mixtures, atol=1e-2)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("algorithm", ["paper", "realised"])
def test_an_own_grid_by_a_name(algorithm, engine):
    y = adversaries.bernoulli(200, 0.3, rng=1)
    game = run(y, algorithm=by(algorithm, engine), rng=0, grid=OWN_GRID.points)
    assert game.grid == OWN_GRID
    assert the_same(game, run(y, algorithm=BlumMansour(OWN_GRID, algorithm), rng=0))


def test_an_instance_is_copied_and_a_class_or_a_function_gets_the_grid():
    y, own = adversaries.bernoulli(100, rng=1), BlumMansour(OWN_GRID, rounding=copied_log_rounding)
    assert the_same(run(y, algorithm=own, rng=0), run(y, algorithm=own, rng=0))
    assert own.weights().sum() == 0
    assert run(y, 5, BlumMansour).grid == run(y, 5, lambda grid: BlumMansour(grid)).grid == full_grid(5)
    assert run(y, algorithm=FastTwoNeighbours, grid=klcal.uniform_grid(4)).algorithm == "TwoNeighbours"


def test_a_chain_with_two_closed_classes_plays_on_the_lowest():
    def stay(w, grid):  # learners round to where they lean to, and 1/2 is everybody's first point
        return klcal.nearest_rounding(w, grid)

    def stubborn(ones, zeros):
        return np.where(ones + zeros > 0, 0.9, 0.5)

    own = BlumMansour([0.1, 0.5, 0.9], rounding=stay, learner=stubborn)
    assert own.mixture().tolist() == [0, 1, 0]
    own.update(1, 0)  # 0.5 -> 0.9 -> 0.5
    assert own.mixture().tolist() == [0, 0.5, 0.5]
    own.update(1, 0)  # now 0.9 stays where it is
    assert own.mixture().tolist() == [0, 0, 1]


def test_learners_that_were_not_fed_may_move_and_may_say_zero():
    class Wandering:
        def __init__(self):
            self.said = np.full(3, 0.9)

        def answers(self):
            return self.said

        def learn(self, _weights, _outcome):
            self.said = np.array([0.0, 0.9, 0.9])

    own = BlumMansour([0.1, 0.5, 0.9], rounding=klcal.nearest_rounding, learner=Wandering())
    assert own.mixture().tolist() == [0, 0, 1]
    own.update(2, 1)  # the lowest learner, with no weight, comes home: another closed class, and a lower one
    assert own.mixture().tolist() == [1, 0, 0]
    assert BlumMansour([0.1, 0.9], learner=lambda ones, zeros: 0 * ones).mixture().tolist() == [1, 0]


def own(**parts):
    return BlumMansour([0.2, 0.8], **parts)


class Says:
    """An adversary that always says the same."""

    def __init__(self, outcome, **more):
        self.outcome = outcome
        vars(self).update(more)

    def choose(self, _view):
        return self.outcome


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: own(rounding="log"), "rounding must be a function of two arguments; got 'log'"),
        (lambda: BlumMansour([0.8, 0.2]), "points must increase strictly; got 0.2 at index 1"),
        (lambda: own(algorithm="pair"), "algorithm must be one of 'paper', 'realised'; got 'pair'"),
        (
            lambda: own(rounding=lambda w, grid: np.ones(2) / 2),
            r"rounding\(w, grid\) .* \(2, 2\); got \(2,\)",
        ),
        (
            lambda: own(rounding=lambda w, grid: np.ones((2, 2))),
            r"every row sum of rounding\(w, grid\) .* got 2",
        ),
        (
            lambda: own(learner=lambda ones, zeros: ones + 1.5),
            r"learner\(ones, zeros\) must lie in .* got 1.5",
        ),
        (lambda: own(learner=lambda ones, zeros: 0.5), r"learner\(ones, zeros\) .* shape \(2,\); got \(\)"),
        (lambda: own(learner=3), r"learner must be a function .* object with answers\(\)"),
        (lambda: own(learner=Forecaster), "learner must be a function .*; got <class"),
        (lambda: own(prior=0), "prior must be greater than 0; got 0"),
        (lambda: own(stationary=[1, 0]), "stationary must be a function of a matrix"),
        (lambda: own(stationary=lambda Q: Q).mixture(), r"have the shape \(2,\)"),
        (lambda: BlumMansour([0.2, 1.0], rounding=klcal.log_odds_rounding), "strictly inside"),
        (
            lambda: FastBlumMansour([0.2, 0.8], learner=laplace),
            "learner must be .* to be compiled; got <function",
        ),
        (lambda: run([0, 1], 3, grid=[0.5]), "K must be None when a grid is given; got 3"),
        (lambda: run([0, 1], algorithm="tree", grid=[0.5]), "grid must be None for the algorithm 'tree'"),
        (lambda: run([0, 1], 3, own()), "grid and K must be None for an algorithm on a grid; got 3"),
        (lambda: run([0, 1], algorithm=3), "algorithm must be a name, a reduction .*; got 3"),
        (lambda: run([0, 1], algorithm=Forecaster()), "algorithm must be a name, .*; got Forecaster"),
        (lambda: run([0, 1], algorithm=lambda grid: None), "algorithm must be a name, .*; got None"),
        (lambda: run([0, 1], algorithm="pair", grid=[0.2, 0.8]), r"grid must be inner_grid\(3\)"),
        (lambda: run(adversaries.Oppose), r"outcomes must be .*, as made by Oppose\(T\); got <class"),
        (lambda: run(adversaries.bernoulli), r"outcomes must be .* made by bernoulli\(T\); got <function"),
        (lambda: run(Says(1)), r"outcomes must say its number of rounds as .horizon; got .*Says"),
        (lambda: run(Says(1, horizon=0)), r"outcomes.horizon must be an integer that is at least 1; got 0"),
        (lambda: run(Says(0.5, horizon=3)), "outcome chosen by the adversary must be 0 or 1; got 0.5"),
        (lambda: run([]), "outcomes must not be empty"),
        (lambda: run([0, 2]), "outcomes must be 0 or 1; got 2 at index 1"),
        (lambda: run([0, 1], 1), "K must be an integer that is at least 2; got 1"),
        (lambda: run([0, 1], algorithm="pear"), "algorithm must be one of 'paper', .*, 'tree'.*; got 'pear'"),
        (lambda: run([0, 1], record="all"), "record must be True, False or 'draws'; got 'all'"),
        (lambda: run([0, 1], record=1), "record must be True, False or 'draws'; got 1"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_an_algorithm_after_its_first_round_is_refused():
    used = BlumMansour(OWN_GRID)
    used.update(3, 1)
    with pytest.raises(ValueError, match="algorithm must be before its first round; got one after 1"):
        run([0, 1], algorithm=used)


# --- one game, whoever plays it


class Renamed(Forecaster):
    """A subclass that changes no verb."""


class Slow(Forecaster):
    """A subclass that says what it said before, in its own words."""

    def predict(self):
        return super().predict()


@pytest.mark.parametrize("kind", [Forecaster, Renamed, Slow])
@pytest.mark.parametrize("algorithm", ["paper", "realised", "pair", "tree"])
@pytest.mark.parametrize("name", EVERY_ADVERSARY)
def test_a_match_of_a_stream_is_the_game_of_run(name, algorithm, kind):
    T, K = 150, None if algorithm in TREES else 6
    game = run(opponent(name, T), K, algorithm, rng=5)
    match = play_match(kind(K=K, algorithm=algorithm, rng=5), opponent(name, T))
    assert np.array_equal(match.outcomes, game.outcomes)
    assert np.array_equal(match.forecasts, game.forecasts)
    assert match.realised.restricted() == game.realised.restricted()
    expected, wanted = match.expected.restricted(), game.expected.restricted()
    assert np.array_equal(expected.points, wanted.points)
    assert expected.mass == pytest.approx(wanted.mass, rel=1e-12)


@pytest.mark.parametrize("record", [False, "draws", True])
def test_a_match_records_what_a_run_records(record):
    y = adversaries.bernoulli(60, rng=2)
    match = play_match(GridForecaster(BlumMansour(full_grid(4)), 1), y, record=record)
    assert the_same(match, run(y, 4, rng=1, record=record))
    slow, mean = play_match(Slow(K=4, rng=1), y, record=record), play_match(RunningMean(1), y, record=record)
    for game in (slow, mean):
        assert (game.draws is None) == (record is False) and (game.mixtures is None) == (record is not True)
    if record is False:
        with pytest.raises(ValueError, match="record must be True or 'draws' for a run with forecasts"):
            _ = slow.forecasts
    else:
        assert np.array_equal(mean.forecasts, RunningMean(1).forecasts(y))
    if record is True:
        assert np.array_equal(slow.mixtures, match.mixtures)
        assert np.array_equal(mean.mixtures @ mean.grid.points, mean.forecasts)


def test_own_algorithms_as_streams_double_pickle_and_keep_their_grid():
    make, y = partial(BlumMansour, rounding=copied_log_rounding), adversaries.bernoulli(40, rng=3)
    doubling = Forecaster(algorithm=make, rng=2)
    assert np.array_equal(play_match(doubling, y).forecasts, klcal.run_doubling(y, make, rng=2).forecasts)
    stream = Forecaster(grid=[0.2, 0.5, 0.8], algorithm=make, rng=0)
    stream.update(1)
    assert repr(stream) == "Forecaster(algorithm='BlumMansour', after 1 rounds, Grid(3 points, 'custom'))"
    assert pickle.loads(pickle.dumps(stream)).predict() == stream.predict()
    assert not Forecaster(algorithm=BlumMansour(OWN_GRID)).doubles


# --- what is recorded, and what is shown


@pytest.mark.parametrize("algorithm", EVERY_ALGORITHM)
def test_draws_are_recorded_unless_refused_and_a_run_is_shown_in_two_lines(algorithm):
    y = adversaries.bernoulli(20_000, rng=1)
    game = run(y, algorithm=algorithm, rng=0)
    assert klcal.Cells.from_forecasts(game.forecasts, y) == game.realised.restricted()
    assert game.draws.dtype == np.int32 and run(y, algorithm=algorithm, rng=0, record=False).draws is None
    shown = repr(game).splitlines()
    assert len(shown) == 2 and shown[0].startswith(f"Run('{algorithm}', T=20000, Grid(")


# --- promises, with data from the same number as the draws

RISK = 1e-6
PROMISES = {
    "paper": lambda game: bounds.algorithm_1_high_probability(game.horizon, len(game.grid) - 1, RISK),
    "realised": lambda game: bounds.realised_high_probability(game.horizon, len(game.grid) - 1, RISK),
    "pair": lambda game: bounds.pair(game.horizon, len(game.grid) + 1, RISK),
    "tree": lambda game: bounds.tree(game.horizon, RISK),
    "tree-plain": lambda game: bounds.tree(game.horizon, RISK),
}


@pytest.mark.parametrize("bias", [0.1, 0.5])
@pytest.mark.parametrize("algorithm", EVERY_ALGORITHM)
def test_twenty_seeds_keep_what_is_promised_but_for_one_game_in_a_million(algorithm, bias):
    for number in range(20):
        y = np.random.default_rng(number).random(2000) < bias
        game = run(y, algorithm=algorithm, rng=number)
        if algorithm in PROMISES:
            assert kl_calibration(game.realised) <= PROMISES[algorithm](game), number
            continue
        # Of these the mixtures are promised on every path. Draws follow mixtures on every part of a full grid; for
        # the nodes of the tree that is not proved.
        if algorithm == "tree-expected":
            assert kl_calibration(game.expected) <= bounds.tree_expected(2000)
            continue
        half = algorithm == "half-counts"
        K = len(game.grid) - 1 if half else len(game.grid) + 1
        assert np.isin(game.grid.points, full_grid(K).points).all()
        pseudo = bounds.half_counts(2000, game.grid) if half else bounds.pair_expected(2000, K)
        assert kl_calibration(game.expected) <= pseudo
        assert kl_calibration(game.realised) <= bounds.kl_from_pseudo(pseudo, 2000, K, RISK), number
