"""The adversary of the lower bound: its truths against the rules, where counted cells lie, what it refuses."""

from __future__ import annotations

import math
from itertools import pairwise

import naive_staircase
import numpy as np
import pytest

from klcal import Forecaster
from klcal.adversaries import Constants, Staircase, constants_of_the_proof
from klcal.games import play_against_truths

# Small enough for a naive sum over the history, and such that every ending occurs.
SMALL = {
    "signs": Constants(k=2, windows=3, theta=2.0, patience=60, freeze=math.inf),
    "freeze": Constants(k=2, windows=3, theta=6.0, patience=60, freeze=2.0),
    "give up": Constants(k=2, windows=2, theta=9.0, patience=10, freeze=math.inf),
    "skip": Constants(k=3, windows=4, theta=1.5, patience=20, freeze=math.inf),
}


class Scattered:
    """Forecasts near the truth, and sometimes anywhere; cell borders among them."""

    def __init__(self, adversary, seed):
        self.adversary, self.rng = adversary, np.random.default_rng(seed)
        self.borders = adversary.constants.borders()

    def predict(self):
        kind = self.rng.integers(4)
        if kind == 0:
            return float(self.rng.random())
        if kind == 1:
            return float(self.rng.choice(self.borders))
        return float(np.clip(self.adversary.truth + self.rng.normal(0.0, 0.05), 0.0, 1.0))

    def update(self, outcome):
        del outcome


def naive_twin(constants):
    return naive_staircase.Naive(
        constants.k, constants.windows, constants.theta, constants.patience, constants.freeze
    )


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("seed", range(4))
def test_truths_are_those_of_the_rules(name, seed):
    adversary = Staircase(SMALL[name])
    game = play_against_truths(Scattered(adversary, seed), adversary, 300, rng=seed)
    naive = naive_twin(SMALL[name])
    for truth, forecast, outcome in zip(game.truths, game.forecasts, game.outcomes, strict=True):
        assert naive.truth == truth
        naive.update(forecast, int(outcome))
    assert (naive.state, len(naive.pluses), len(naive.minuses)) == (
        adversary.state,
        len(adversary.pluses),
        len(adversary.minuses),
    )


def test_every_ending_occurs_in_the_games_of_the_test_above():
    endings = set()
    for constants in SMALL.values():
        for seed in range(4):
            adversary = Staircase(constants)
            play_against_truths(Scattered(adversary, seed), adversary, 300, rng=seed)
            endings |= {event.kind for event in adversary.events}
    assert endings == {"plus", "minus", "tired", "skipped", "frozen", "finished", "gave up"}


@pytest.mark.parametrize("seed", range(20))
def test_counted_cells_are_never_passed_again(seed):
    # A plus lies below all later truths and a minus above, by half a window (section 4 of the proof).
    constants = SMALL["signs"]
    adversary = Staircase(constants)
    forecaster = Scattered(adversary, seed)
    borders, margin = constants.borders(), 1.0 / (4.0 * constants.n) - 1e-12
    for uniform in np.random.default_rng(seed).random(400):
        forecast, truth = forecaster.predict(), adversary.truth
        if adversary.state in ("running", "finished"):
            assert all(truth >= borders[cell] + margin for cell in adversary.pluses)
            assert all(truth <= borders[cell - 1] - margin for cell in adversary.minuses)
        adversary.update(forecast, int(uniform < truth))


@pytest.mark.parametrize("algorithm", ["paper", "pair", "tree"])
def test_freezing_forces_the_level_that_it_waits_for(algorithm):
    constants = Constants(k=2, windows=4, theta=16.0, patience=2048, freeze=2.0)
    adversary = Staircase(constants)
    horizon = None if algorithm == "tree" else 400
    game = play_against_truths(Forecaster(horizon, algorithm=algorithm, rng=1), adversary, 400, rng=2)
    assert adversary.state == "frozen"
    assert sum(adversary.cost(cell) for cell in range(2 * constants.n + 2)) >= 2.0
    cells = game.cells
    assert (cells.mass * (cells.means - cells.points) ** 2)[cells.mass > 0].sum() >= 2.0


def test_it_freezes_in_the_round_in_which_the_cost_reaches_its_level():
    adversary = Staircase(Constants(k=1, windows=2, theta=100.0, patience=100, freeze=1.0))
    states = []
    for _ in range(4):  # after n zeros the forecast 1/2 has cost n / 4
        adversary.update(0.5, 0)
        states.append(adversary.state)
    assert states == ["running", "running", "running", "frozen"]
    assert adversary.truth == 0.0


def test_borders_of_the_proof_are_as_wide_as_half_a_window():
    constants = constants_of_the_proof(3)
    widths = {round((b - a) * 4 * constants.n, 9) for a, b in pairwise(constants.borders())}
    assert widths == {1.0} and constants.borders()[0] == 0.25 and constants.borders()[-1] == 0.75


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"k": 0}, "k must be"),
        ({"windows": 0}, "windows must be"),
        ({"theta": 0.0}, "theta must be"),
        ({"patience": 0}, "patience must be"),
        ({"freeze": 0.0}, "freeze must be positive"),
        ({"freeze": math.nan}, "freeze must be positive"),
    ],
)
def test_bad_constants_are_refused_by_name(change, message):
    good = {"k": 1, "windows": 1, "theta": 1.0, "patience": 1, "freeze": 1.0}
    with pytest.raises(ValueError, match=message):
        Constants(**{**good, **change})
