"""Every forecaster keeps one contract; means and calibeating are what they say, and beat what they promise to beat."""

from __future__ import annotations

import math

import naive_baselines as naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from klcal import LOSSES, Cells, Forecaster, external_regret, run, run_doubling, uniform_grid
from klcal.adversaries import ADAPTIVE, OBLIVIOUS, Oppose
from klcal.experiments.arena import Standings, measure_arena, play_match, players, standings
from klcal.experiments.game import Game
from klcal.experiments.table import Table
from klcal.forecasters import GridForecaster
from klcal.forecasters.baselines import (
    FORECASTERS,
    Calibeating,
    FastTwoNeighbours,
    Given,
    RunningMean,
    Streaming,
    calibeat,
)

T = 60
EVERYONE = pytest.mark.parametrize("name", FORECASTERS)
ROUNDS = st.lists(
    st.tuples(st.sampled_from([0.0, 0.2, 0.25, 0.6, 1.0]), st.integers(0, 1)), min_size=1, max_size=30
)


def path(forecaster, outcomes):
    told = []
    for y in outcomes:
        told.append((forecaster.mixture().tolist(), forecaster.grid.points.tolist(), forecaster.predict()))
        forecaster.update(int(y))
    return told


# --- the contract -----------------------------------------------------------------------------------------


@EVERYONE
def test_a_forecaster_can_be_asked_before_the_first_round_and_is_a_stream(name):
    forecaster = FORECASTERS[name](T, 0)
    assert isinstance(forecaster, Streaming)
    assert 0.0 <= forecaster.predict() <= 1.0


@EVERYONE
def test_asking_changes_nothing_and_answers_are_copies(name, seed):
    asked, left_alone = FORECASTERS[name](T, seed), FORECASTERS[name](T, seed)
    for y in OBLIVIOUS["random walk"](T, seed):
        first = asked.predict()
        for _ in range(3):
            asked.mixture()[:] = 7.0
            assert asked.predict() == first
        assert left_alone.predict() == first
        assert np.array_equal(asked.mixture(), left_alone.mixture())
        assert asked.grid == left_alone.grid
        assert asked.update(int(y)) is None
        assert left_alone.update(int(y)) is None


@EVERYONE
@pytest.mark.parametrize("adversary", ["zeros", "fair coin", "alternating"])
def test_mixtures_are_distributions_and_forecasts_are_drawn_from_them(name, adversary, seed):
    for mixture, points, forecast in path(FORECASTERS[name](T, seed), OBLIVIOUS[adversary](T, seed)):
        assert len(mixture) == len(points) and min(mixture) >= 0.0
        assert sum(mixture) == pytest.approx(1.0, abs=1e-12)
        assert mixture[points.index(forecast)] > 0.0


@EVERYONE
def test_the_same_seed_gives_the_same_path(name, seed):
    outcomes = OBLIVIOUS["sinusoid"](T, seed)
    assert path(FORECASTERS[name](T, 5), outcomes) == path(FORECASTERS[name](T, 5), outcomes)


def test_another_seed_gives_other_draws_where_draws_are_random(seed):
    outcomes = OBLIVIOUS["fair coin"](400, seed)
    changed = {
        name
        for name, make in FORECASTERS.items()
        if [row[2] for row in path(make(400, 5), outcomes)]
        != [row[2] for row in path(make(400, 6), outcomes)]
    }
    assert {"Laplace", "running mean"} & changed == set()
    assert {
        "paper",
        "realised",
        "squared loss",
        "two neighbours",
        "internal regret",
        "calibeating",
    } <= changed


@EVERYONE
@pytest.mark.parametrize("wrong", [2, -1, 0.5, None, "1"])
def test_an_outcome_is_zero_or_one(name, wrong):
    forecaster, twin = FORECASTERS[name](T, 0), FORECASTERS[name](T, 0)
    with pytest.raises(ValueError, match="outcome must"):
        forecaster.update(wrong)
    forecaster.update(1)
    twin.update(1)
    assert forecaster.mixture().tolist() == twin.mixture().tolist()


@EVERYONE
@pytest.mark.parametrize("wrong", [0, -3, 2.5])
def test_a_horizon_is_a_positive_integer(name, wrong):
    with pytest.raises(ValueError, match="horizon must be an integer that is at least 1"):
        FORECASTERS[name](wrong, 0)


@EVERYONE
def test_one_round_is_a_horizon(name):
    forecaster = FORECASTERS[name](1, 0)
    forecaster.update(1)
    assert 0.0 <= forecaster.predict() <= 1.0


@pytest.mark.parametrize("algorithm", ["paper", "realised", "pair"])
def test_our_algorithms_in_the_table_are_those_of_the_book(algorithm, seed):
    outcomes = OBLIVIOUS["regimes"](T, seed)
    stream, ours = Forecaster(T, algorithm=algorithm, rng=seed), FORECASTERS[algorithm](T, seed)
    assert path(ours, outcomes) == path(stream, outcomes)
    assert ours.realised == stream.realised == run(outcomes, algorithm=algorithm, rng=seed).realised
    assert ours.expected == stream.expected


# --- the arena --------------------------------------------------------------------------------------------


@EVERYONE
@pytest.mark.parametrize("adversary", ["fair coin", "oppose", "push", "threshold 0.05"])
def test_a_match_is_the_path_of_its_forecaster(name, adversary, seed):
    opponent = OBLIVIOUS[adversary](T, seed) if adversary in OBLIVIOUS else ADAPTIVE[adversary](T)
    match = play_match(FORECASTERS[name](T, seed), opponent)
    told = path(FORECASTERS[name](T, seed), match.outcomes)
    again = Cells.from_forecasts([row[2] for row in told], match.outcomes)
    assert match.realised.restricted() == again
    mass: dict[float, float] = {}
    for mixture, points, _ in told:
        for p, z in zip(mixture, points, strict=True):
            mass[z] = mass.get(z, 0.0) + p
    expected = match.expected.restricted()
    assert expected.mass == pytest.approx([mass[z] for z in expected.points.tolist()], abs=1e-12)
    assert match.expected.ones.sum() == pytest.approx(match.outcomes.sum())


def test_opposition_reacts_to_forecasts_that_are_on_no_grid():
    match = play_match(RunningMean(prior=1), Oppose(4))
    # 1/2 is not below 1/2, then 1/3 is, then 1/2, then 2/5.
    assert match.outcomes.tolist() == [0, 1, 0, 1]


def test_a_match_needs_outcomes():
    with pytest.raises(ValueError, match="opponent must be 0 or 1; got 3"):
        play_match(RunningMean(), [0, 3])


def test_rows_of_the_arena_are_medians_of_games_from_seeds_of_their_own():
    game = Game("paper", "fair coin", 64, seed=(3, 64, 0))
    rows = measure_arena(game)
    assert [row["forecaster"] for row in rows] == players(64) == list(FORECASTERS)
    row = rows[list(FORECASTERS).index("paper")]
    assert row["runs"] == 2 and row["infinite"] == 0
    assert row["kl_least"] <= row["kl"] <= row["kl_largest"]
    assert row["cal2"] <= row["kl_largest"] / 2
    mean = rows[list(FORECASTERS).index("running mean")]
    assert mean["kl"] == mean["kl_largest"] == math.inf and mean["infinite"] == 2
    assert measure_arena(game) == rows


def test_standings_divide_by_the_best_of_each_column_and_ignore_fractions_of_a_round():
    rows = [
        {"forecaster": who, "adversary": foe, "T": 8, "kl": kl}
        for (who, foe), kl in {
            ("a", "x"): 0.0,
            ("b", "x"): 0.5,
            ("c", "x"): 4.0,
            ("a", "y"): math.inf,
            ("b", "y"): 6.0,
            ("c", "y"): 3.0,
        }.items()
    ]
    found = standings(Table.from_rows(rows), 8)
    assert isinstance(found, Standings)
    assert found.ratios.tolist() == [[1.0, math.inf], [1.0, 2.0], [4.0, 1.0]]
    assert found.wins() == {"a": 1, "b": 1, "c": 1}


# --- means ------------------------------------------------------------------------------------------------


@given(outcomes=st.lists(st.integers(0, 1), min_size=1, max_size=40), prior=st.sampled_from([0.0, 0.5, 1.0]))
def test_the_forecasts_of_a_mean_at_once_are_those_of_its_rounds(outcomes, prior):
    stream, at_once = RunningMean(prior), RunningMean(prior).forecasts(outcomes)
    assert [row[2] for row in path(stream, outcomes)] == at_once.tolist()
    # A game that starts later goes on with the same numbers.
    later = RunningMean(prior)
    later.update(outcomes[0])
    assert later.forecasts(outcomes[1:] or [0]).tolist()[: len(outcomes) - 1] == at_once.tolist()[1:]


@given(outcomes=st.lists(st.integers(0, 1), min_size=1, max_size=60))
def test_laplace_regrets_at_most_the_logarithm_under_the_log_loss(outcomes):
    cells = Cells.from_forecasts(RunningMean(1.0).forecasts(outcomes), outcomes)
    n, k = len(outcomes), sum(outcomes)
    regret = external_regret(cells, LOSSES["log"])
    entropy = -sum(x * math.log(x / n) for x in (k, n - k) if x)
    assert regret == pytest.approx(math.log((n + 1) * math.comb(n, k)) - entropy, abs=1e-9)
    assert regret <= math.log(n + 1) + 1e-9


def test_the_running_mean_is_infinitely_wrong_once_and_laplace_never():
    outcomes = [0, 1, 1, 0]
    mean, laplace = (
        Cells.from_forecasts(RunningMean(prior).forecasts(outcomes), outcomes) for prior in (0.0, 1.0)
    )
    assert external_regret(mean, LOSSES["log"]) == math.inf
    assert external_regret(laplace, LOSSES["log"]) < math.log(5)


def test_a_prior_is_not_negative():
    for make in (RunningMean, lambda prior: Calibeating(RunningMean(), prior=prior)):
        with pytest.raises(ValueError, match="prior must be at least 0"):
            make(prior=-1.0)


# --- calibeating ------------------------------------------------------------------------------------------


@given(rounds=ROUNDS, bins=st.sampled_from([None, 1, 3, 4]), prior=st.sampled_from([0, 1]))
def test_calibeating_agrees_with_the_definition(rounds, bins, prior):
    forecasts, outcomes = [p for p, _ in rounds], [y for _, y in rounds]

    def bin_of(p):
        return p if bins is None else min(math.floor(p * bins), bins - 1)

    wanted = naive.calibeat(forecasts, outcomes, bin_of, prior)
    assert calibeat(forecasts, outcomes, bins=bins, prior=prior).tolist() == pytest.approx(wanted, abs=1e-15)


@given(rounds=ROUNDS)
def test_calibeating_beats_the_refinement_of_its_base_up_to_logarithms(rounds):
    forecasts, outcomes = np.array([p for p, _ in rounds]), np.array([y for _, y in rounds])
    squared = float(((calibeat(forecasts, outcomes) - outcomes) ** 2).sum())
    new = calibeat(forecasts, outcomes, prior=1.0)
    log = -float(np.log(np.where(outcomes == 1, new, 1 - new)).sum())
    base = Cells.from_forecasts(forecasts, outcomes)
    rho, n = base.means, base.mass
    assert squared <= (n * rho * (1 - rho)).sum() + (1 + np.log(n)).sum() + 1e-12
    assert log <= (n * LOSSES["log"].entropy(rho)).sum() + np.log(n + 1).sum() + 1e-12


def test_calibeating_repeats_its_base_in_an_empty_bin_and_mixes_like_it():
    base = GridForecaster(FastTwoNeighbours(uniform_grid(4)), rng=3)
    better, twin = Calibeating(base), GridForecaster(FastTwoNeighbours(uniform_grid(4)), rng=3)
    assert better.predict() == twin.predict() == 0.0
    for y in (1, 1, 0, 1, 0, 0, 1):
        better.update(y)
        twin.update(y)
        assert better.mixture().sum() == pytest.approx(1.0)
        assert len(better.grid) <= np.count_nonzero(twin.mixture())


def test_two_bins_with_one_mean_are_one_forecast():
    class Two:
        grid = uniform_grid(2)

        def mixture(self):
            return np.array([0.25, 0.0, 0.75])

        def predict(self):
            return 0.0

        def update(self, outcome):
            pass

    better = Calibeating(Two(), prior=1.0)
    assert better.grid.points.tolist() == [0.5] and better.mixture().tolist() == [1.0]


def test_given_forecasts_end_and_are_probabilities():
    given_ = Given([0.5])
    given_.update(1)
    for ask in (given_.predict, lambda: given_.update(0)):
        with pytest.raises(ValueError, match="forecasts must reach to this round; got 1 of them"):
            ask()
    with pytest.raises(ValueError, match=r"forecasts must lie in \[0, 1\]; got 1.5 at index 1"):
        Given([0.5, 1.5])
    with pytest.raises(ValueError, match="bins must be an integer that is at least 1; got 0"):
        calibeat([0.5], [1], bins=0)
    with pytest.raises(ValueError, match=r"outcomes must have the length of forecasts \(2\); got 1"):
        calibeat([0.5, 0.5], [1])


def test_a_match_of_the_doubling_trick_is_its_game_over_all_epochs():
    outcomes = [1, 0, 1, 1, 0, 1, 1, 0, 0, 1]
    match, game = play_match(Forecaster(algorithm="paper", rng=5), outcomes), run_doubling(outcomes, rng=5)
    assert match.realised == game.realised.restricted()
    assert match.expected.total == pytest.approx(len(outcomes))
