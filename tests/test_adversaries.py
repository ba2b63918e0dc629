"""Adversaries: sequences as they are described, choices by hand, compiled twins."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import ENGINES, by

from klcal import Cells, adversaries, kl_calibration, run
from klcal._kernels.opponents import log_regret
from klcal.adversaries import (
    ADAPTIVE,
    OBLIVIOUS,
    Border,
    Greedy,
    GreedyExp,
    Peak,
    Push,
    Threshold,
    View,
    oblivious,
)
from klcal.adversaries.adaptive import compiled_code
from klcal.book.experiments.studies import ADAPTING
from klcal.forecasters.stream import ALGORITHMS
from klcal.grids import full_grid


@pytest.mark.parametrize("name", OBLIVIOUS)
@pytest.mark.parametrize("T", [1, 2, 1000, 300_001])
def test_every_oblivious_adversary_gives_outcomes_of_the_asked_length(name, T):
    y = OBLIVIOUS[name](T, 0)
    assert y.shape == (T,) and y.dtype == np.uint8
    assert set(np.unique(y).tolist()) <= {0, 1}
    assert np.array_equal(y, OBLIVIOUS[name](T, 0))


def test_regimes_and_the_random_walk_round_by_round():
    assert adversaries.regimes(8, [1, 0, 0], switches=3, rng=0).tolist() == [1, 1, 0, 0, 0, 0, 1, 1]
    place, wanted = 0.9, []
    for step, coin in np.random.default_rng(5).spawn(1)[0].random((400, 2)).tolist():
        place += 0.3 * (2 * step - 1)
        wanted.append(int(coin < abs(place - 2 * round(place / 2))))  # 0 and 1 are mirrors
    assert adversaries.random_walk(400, 0.3, start=0.9, rng=5).tolist() == wanted


@pytest.mark.parametrize("name", ["fair coin", "coin 0.3", "regimes", "random walk", "sinusoid"])
def test_the_same_seed_for_adversary_and_forecaster_leaves_outcomes_independent_of_draws(name):
    """With shared draws the outcomes would be a function of the forecaster's uniforms."""
    T = 20_000
    y, uniforms = OBLIVIOUS[name](T, 0).astype(float), np.random.default_rng(0).random(T)
    # A correlation of independent sequences exceeds 6 / sqrt(T) with probability below 1e-8.
    assert abs(np.corrcoef(y, uniforms)[0, 1]) < 6 / np.sqrt(T)
    assert abs(np.corrcoef(y, np.random.default_rng(0).random((T, 2))[:, 1])[0, 1]) < 6 / np.sqrt(T)


@pytest.mark.parametrize("name", OBLIVIOUS)
def test_where_the_pieces_end_does_not_matter(name, monkeypatch):
    whole = OBLIVIOUS[name](60, 3).tolist()  # too short for a walk that is reflected
    monkeypatch.setattr("klcal.adversaries.oblivious._PIECE", 7)
    assert OBLIVIOUS[name](60, 3).tolist() == whole


@given(st.integers(1, 400), st.integers(0, 64).map(lambda k: Fraction(k, 64)))
def test_low_discrepancy_prefixes_have_the_floor_of_their_share(T, frequency):
    y = adversaries.low_discrepancy(T, float(frequency))
    assert [int(k) for k in np.cumsum(y)] == [int(Fraction(t) * frequency) for t in range(1, T + 1)]


def test_the_wave_of_plain_operations_is_the_sine_to_a_few_last_digits():
    turns = np.append(np.linspace(-3.0, 3.0, 10_001), [0.25, 0.5, 0.75, 1e-300, np.nextafter(0.25, 1.0)])
    near, found = turns - np.rint(turns), oblivious._sine_of_turns(turns)
    np.testing.assert_allclose(found, np.sin(2.0 * np.pi * near), rtol=0, atol=5e-16)
    exact = oblivious._sine_of_turns(np.array([0.0, 0.25, 0.5, 0.75, 1.0]))
    assert exact.tolist() == [0.0, 1.0, 0.0, -1.0, 0.0]


def view_of(mixture, leanings=None, weights=None, counts=None, K=2):
    grid = full_grid(K)
    empty = np.zeros((2, K + 1))
    defaults = (leanings, np.full(K + 1, 0.5)), (weights, empty), (counts, empty)
    given = (default if value is None else np.array(value) for value, default in defaults)
    return View(grid, np.array(mixture), *given)


def mixture_and_past(K, seed):
    """A mixture over the full grid, and weights of the rounds before by outcome and point."""
    rng = np.random.default_rng(seed)
    return rng.dirichlet(np.ones(K + 1)), rng.integers(0, 5, (2, K + 1)).astype(float)


def errors_after(table, outcome, added):
    """KL-calibration after an outcome that adds each row of `added` to the weights."""
    points = full_grid(table.shape[1] - 1).points
    pasts = [table + np.outer(np.eye(2)[outcome], row) for row in added]
    return np.array([kl_calibration(Cells.from_weights(points, past)) for past in pasts])


@given(st.integers(2, 9), st.integers(0, 2**32), st.sampled_from(["expected", "realised"]))
def test_greedy_choice_is_the_better_of_both_outcomes(K, seed, cells):
    p, table = mixture_and_past(K, seed)

    def value(y):
        if cells == "expected":
            return errors_after(table, y, [p])[0]
        return p @ errors_after(table, y, np.eye(K + 1))

    chosen = Greedy(1, cells).choose(view_of(p, weights=table, counts=table, K=K))
    assert value(chosen) >= value(1 - chosen) - 1e-9


def test_border_pushes_to_the_nearer_border():
    low, half, high = full_grid(2).points
    assert Border(1).choose(view_of([0.0, 1.0, 0.0], leanings=[0.5, half + 0.01, 0.5])) == 0
    assert Border(1).choose(view_of([0.0, 1.0, 0.0], leanings=[0.5, high - 0.01, 0.5])) == 1
    assert Border(1).choose(view_of([1.0, 0.0, 0.0], leanings=[low / 2, 0.5, 0.5])) == 1
    assert Border(1).choose(view_of([0.0, 0.0, 1.0], leanings=[0.5, 0.5, (1 + high) / 2])) == 0


@given(st.integers(2, 9), st.integers(0, 2**32), st.floats(0.01, 5.0))
def test_greedy_exp_choice_is_the_better_of_both_outcomes(K, seed, rate):
    p, table = mixture_and_past(K, seed)

    def value(y):
        return p @ np.exp(rate * errors_after(table, y, np.eye(K + 1)))

    chosen = GreedyExp(1, rate).choose(view_of(p, counts=table, K=K))
    assert value(chosen) >= value(1 - chosen) * (1 - 1e-9)


def test_push_moves_the_likeliest_mean_away_from_its_point():
    low, _, high = full_grid(2).points
    for i, counts, outcome in [
        (1, [[0, 1, 0], [0, 2, 0]], 1),
        (1, [[0, 2, 0], [0, 1, 0]], 0),
        (1, [[0, 1, 0], [0, 1, 0]], 0),
        (0, [[0, 0, 0], [0, 0, 0]], 0),
        (2, [[0, 0, 0], [0, 0, 0]], 1),
        (0, [[5, 0, 0], [1, 0, 0]], int(low < 1 / 6)),
        (2, [[0, 0, 1], [0, 0, 5]], int(high < 5 / 6)),
    ]:
        assert Push(1).choose(view_of(np.eye(3)[i], counts=np.array(counts, float))) == outcome


def test_peak_plays_along_below_its_level_and_pushes_above():
    # Point 1/2 met four zeros and one one: n KL is about 0.96. The next multiple of the golden ratio, 3.09, has a small
    # fractional part: playing along means outcome 1.
    view = view_of([0.0, 1.0, 0.0], counts=[[0.0, 4.0, 0.0], [0.0, 1.0, 0.0]])
    assert Peak(1, 1.0).choose(view) == 1
    assert Peak(1, 0.9).choose(view) == 0
    assert Peak(1, log_regret(0.5, 1.0, 4.0)).choose(view) == 0  # at its level a bucket is pushed


SETTINGS = [Threshold(300, 0.3), Threshold(300, 0.0), GreedyExp(300, 0.001), GreedyExp(300, 700.0)]
SETTINGS += [Peak(300, 0.125), Peak(300, 50.0)]


@pytest.mark.parametrize("opponent", [*(ADAPTIVE[name](300) for name in ADAPTING), *SETTINGS], ids=repr)
@pytest.mark.parametrize("algorithm", list(ALGORITHMS))
def test_compiled_twins_choose_the_same_outcomes(opponent, algorithm):
    assert compiled_code(opponent) is not None
    # With six cells 1/2 is a grid point, where ties happen.
    games = [run(opponent, 6, by(algorithm, engine), rng=1) for engine in ENGINES]
    assert np.array_equal(games[0].outcomes, games[1].outcomes)
    assert games[0].realised == games[1].realised


@pytest.mark.parametrize(
    "opponent", [Threshold(200, 1 / 3), GreedyExp(200, 1e18), Peak(200, 0.0001)], ids=repr
)
def test_a_setting_that_a_code_cannot_carry_is_played_without_a_twin(opponent):
    assert compiled_code(opponent) is None
    games = [run(opponent, 7, by("pair", engine), rng=1) for engine in ENGINES]
    assert games[0].realised == games[1].realised


@pytest.mark.parametrize("algorithm", list(ALGORITHMS))
def test_a_view_shows_everything_but_the_draw_for_every_algorithm(algorithm):
    class Reader:
        horizon = 30

        def __init__(self):
            self.views = []

        def choose(self, view):
            self.views.append(view)
            return len(self.views) % 2

    reader = Reader()
    game = run(reader, 5, algorithm, rng=0, record=True)
    for t, view in enumerate(reader.views):
        assert np.array_equal(view.mixture, game.mixtures[t])
        assert view.counts.sum() == t and view.weights.sum() == pytest.approx(t)
        assert view.leanings.shape == view.grid.points.shape == game.grid.points.shape
        drawn = np.bincount(game.draws[:t], minlength=len(view.grid))
        assert np.array_equal(view.counts.sum(axis=0), drawn)
