"""The other forecasters: both engines bit for bit, what each promises, one contract for all, means and calibeating."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from klcal import (
    LOSSES,
    Cells,
    Forecaster,
    Grid,
    bounds,
    calibration_error,
    external_regret,
    full_grid,
    kl_calibration,
    run,
    run_doubling,
    uniform_grid,
)
from klcal.adversaries import ADAPTIVE, OBLIVIOUS, Oppose
from klcal.experiments.arena import measure_arena, players, standings
from klcal.experiments.game import Game
from klcal.forecasters.algorithm_1 import BlumMansour, FastBlumMansour, stationary, weighted_mean
from klcal.forecasters.baselines import (
    FORECASTERS,
    Calibeating,
    FastInternalRegret,
    FastSquaredBlumMansour,
    FastTwoNeighbours,
    Given,
    InternalRegret,
    RunningMean,
    SquaredBlumMansour,
    TwoNeighbours,
    balanced_mixture,
    calibeat,
    internal_regrets,
    neighbour_mixture,
)
from klcal.forecasters.stream import GridForecaster
from klcal.games.play import _play, play_match
from klcal.grids import ROUNDINGS

T = 100
COUNTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=7)


def h(s):
    return s if s <= 1 else 1 + math.log(s)


def two_neighbours(counts):
    """Foster's rule in fractions: {grid index: probability} for counts [(zeros, ones), ...]."""
    K = len(counts) - 1
    gaps = [Fraction(k, z + k) - Fraction(i, K) if z + k else Fraction(0) for i, (z, k) in enumerate(counts)]
    if 0 in gaps:
        return {gaps.index(0): Fraction(1)}
    i = next(i for i in range(K) if gaps[i] > 0 > gaps[i + 1])
    spread = gaps[i] - gaps[i + 1]
    return {i: -gaps[i + 1] / spread, i + 1: gaps[i] / spread}


TWINS = {
    "squared loss": [partial(make, uniform_grid(6)) for make in (SquaredBlumMansour, FastSquaredBlumMansour)],
    "two neighbours": [partial(make, uniform_grid(6)) for make in (TwoNeighbours, FastTwoNeighbours)],
    **{
        name: [partial(make, full_grid(6), rounding=rounding) for make in (BlumMansour, FastBlumMansour)]
        for name, rounding in ROUNDINGS.items()
    },
}


@pytest.mark.parametrize("name", TWINS)
@pytest.mark.parametrize("adversary", [*OBLIVIOUS, *ADAPTIVE])
def test_twins_give_the_same_bits(name, adversary, seed):
    uniforms, games = np.random.default_rng(seed).random(T), []
    for make in TWINS[name]:
        algorithm, opponent = make(), None
        outcomes, draws = np.zeros(T, dtype=np.uint8), np.zeros(T, dtype=np.int64)
        mixtures = np.zeros((T, len(algorithm.grid)))
        if adversary in OBLIVIOUS:
            outcomes = OBLIVIOUS[adversary](T, seed)
        else:
            opponent = ADAPTIVE[adversary](T)
        _play(algorithm, opponent, outcomes, uniforms, draws, mixtures)
        games.append(
            (outcomes, draws, mixtures, algorithm.leanings(), algorithm.weights(), algorithm.counts())
        )
    for slow, fast in zip(*games, strict=True):
        assert np.array_equal(slow, fast)


@pytest.mark.parametrize("adversary", [*OBLIVIOUS, "oppose"])
def test_the_twins_of_internal_regret_agree_up_to_rounding(adversary, seed):
    uniforms, games = np.random.default_rng(seed).random(T), []
    for make in (InternalRegret, FastInternalRegret):
        algorithm = make(uniform_grid(5), T)
        outcomes = OBLIVIOUS[adversary](T, seed) if adversary in OBLIVIOUS else np.zeros(T, dtype=np.uint8)
        opponent = None if adversary in OBLIVIOUS else ADAPTIVE[adversary](T)
        mixtures = np.zeros((T, 6))
        _play(algorithm, opponent, outcomes, uniforms, np.zeros(T, dtype=np.int64), mixtures)
        games.append((outcomes, mixtures, algorithm.leanings(), algorithm.weights()))
    for slow, fast in zip(*games, strict=True):
        np.testing.assert_allclose(slow, fast, rtol=1e-9, atol=1e-12)


@given(counts=COUNTS)
def test_the_two_neighbour_rule_agrees_with_fractions(counts):
    wanted = two_neighbours(counts)
    found = neighbour_mixture(np.array(counts).T)
    assert set(np.flatnonzero(found)) == set(wanted)
    for i, share in wanted.items():
        assert found[i] == pytest.approx(float(share), rel=1e-14)
    assert found.sum() == pytest.approx(1, abs=1e-15)


def test_a_calibrated_point_is_found_without_rounding_errors():
    # 3/10 as a float is not the mean of 3 ones in 10: only whole numbers see that the gap is zero.
    counts = np.zeros((2, 11))
    counts[:, 0], counts[:, 1:] = [0, 1], [[1], [0]]
    counts[:, 3] = [7, 3]
    assert neighbour_mixture(counts)[3] == 1.0


def test_counts_of_the_two_neighbour_rule_are_whole_numbers_in_two_rows():
    with pytest.raises(ValueError, match=r"counts must be whole numbers; got 0.5 at index \(1, 0\)"):
        neighbour_mixture([[1, 0], [0.5, 0]])
    with pytest.raises(ValueError, match="counts must have two rows, one per outcome; got 1"):
        neighbour_mixture([[1, 0]])


@pytest.mark.parametrize("make", [TwoNeighbours, FastTwoNeighbours])
@pytest.mark.parametrize("grid", [full_grid(3), Grid([0.0, 0.4, 1.0]), Grid([0.0, 1.0])])
def test_two_neighbours_live_on_a_uniform_grid(make, grid):
    with pytest.raises(ValueError, match="grid must be uniform from 0 to 1"):
        make(grid)


def worst_cal2(K, horizon):
    """Largest E[Cal_2] of the two-neighbour rule over all adaptive adversaries, in fractions."""
    known = {}

    def value(counts, left):
        if left == 0:
            return sum(
                (Fraction(k, 1) - Fraction(i, K) * (z + k)) ** 2 / (z + k)
                for i, (z, k) in enumerate(counts)
                if z + k
            )
        if (counts, left) not in known:
            mixture = two_neighbours(counts)
            sides = []
            for y in (0, 1):
                total = Fraction(0)
                for i, share in mixture.items():
                    cell = (counts[i][0] + 1 - y, counts[i][1] + y)
                    total += share * value((*counts[:i], cell, *counts[i + 1 :]), left - 1)
                sides.append(total)
            known[counts, left] = max(sides)
        return known[counts, left]

    return value(((0, 0),) * (K + 1), horizon)


@pytest.mark.parametrize(("K", "horizon"), [(2, 7), (3, 6)])
def test_the_exact_worst_case_of_two_neighbours_obeys_its_bound(K, horizon):
    worst = float(worst_cal2(K, horizon))
    bound = (K + 1) * h(horizon / (K + 1)) + horizon / (4 * K**2)
    assert worst <= bound
    assert worst > 0.25 * bound


def test_two_neighbours_forecast_zero_first_and_may_be_infinitely_wrong():
    algorithm = FastTwoNeighbours(uniform_grid(4))
    algorithm.update(algorithm.draw(0.5), 1)
    assert kl_calibration(algorithm.realised) == np.inf
    assert calibration_error(algorithm.realised) == 1.0


@given(
    logs=st.integers(2, 5).flatmap(
        lambda n: st.lists(st.lists(st.floats(-5, 5), min_size=n, max_size=n), min_size=n, max_size=n)
    )
)
def test_the_balanced_mixture_is_the_stationary_distribution_of_its_rates(logs):
    rates = np.exp(np.array(logs))
    np.fill_diagonal(rates, 0.0)
    step = rates / (2 * rates.sum(axis=1).max())
    chain = step + np.diag(1.0 - step.sum(axis=1))
    np.testing.assert_allclose(balanced_mixture(np.array(logs)), stationary(chain), rtol=1e-9)


def test_the_balanced_mixture_survives_rates_beyond_the_range_of_floats():
    # The chain is 0 <-> 1 <-> 2 with rates whose products no float can hold; by hand p is (1, e^2000, e^2100)/sum.
    logs = np.array([[0.0, 1000.0, -5000.0], [-1000.0, 0.0, 50.0], [-9000.0, -50.0, 0.0]])
    assert balanced_mixture(logs) == pytest.approx([0.0, np.exp(-100.0), 1.0], rel=1e-9)


@pytest.mark.parametrize("adversary", OBLIVIOUS)
@pytest.mark.parametrize(("rounds", "K"), [(30, 2), (2000, 4), (2000, 9)])
def test_internal_regret_keeps_its_promise_on_every_path(adversary, rounds, K, seed):
    algorithm = FastInternalRegret(uniform_grid(K), rounds)
    for y in OBLIVIOUS[adversary](rounds, seed):
        algorithm.update(0, int(y))
    largest = internal_regrets(algorithm.weights(), algorithm.grid).max()
    promised = math.sqrt(rounds / 2 * math.log((K + 1) * K))
    assert largest <= promised
    assert calibration_error(algorithm.expected) <= (K + 1) * promised + rounds / (4 * K**2)


def test_internal_regret_needs_two_points_and_a_horizon():
    for make in (InternalRegret, FastInternalRegret):
        with pytest.raises(ValueError, match="grid must have at least two points"):
            make(Grid([0.5]), 10)
        with pytest.raises(ValueError, match="horizon must be an integer that is at least 1; got 0"):
            make(uniform_grid(2), 0)


# --- the squared-loss algorithm


BOTH = pytest.mark.parametrize("make", [SquaredBlumMansour, FastSquaredBlumMansour])


@BOTH
def test_after_one_outcome_only_the_learners_with_weight_have_moved(make):
    algorithm = make(Grid([0.0, 0.25, 0.75, 1.0]))
    assert algorithm.mixture().tolist() == [0, 0.5, 0.5, 0]
    algorithm.update(1, 1)
    assert algorithm.leanings().tolist() == [0.5, 1, 1, 0.5]
    # Learners 1 and 2 both send to the point 1, whose own learner still sends back to both of them.
    assert algorithm.mixture().tolist() == [0, 0.25, 0.25, 0.5]
    assert algorithm.weights().tolist() == [[0, 0, 0, 0], [0, 0.5, 0.5, 0]]
    assert algorithm.counts().tolist() == [[0, 0, 0, 0], [0, 1, 0, 0]]


@BOTH
@pytest.mark.parametrize("points", [[0.0, 0.5], [0.1, 0.5, 1.0], full_grid(4).points])
def test_a_grid_that_does_not_reach_both_ends_is_refused(make, points):
    with pytest.raises(ValueError, match=r"grid must reach from 0 to 1; got .* at index"):
        make(Grid(points))


def test_the_weighted_mean_is_one_half_before_any_weight_and_at_the_ends_after_equal_outcomes():
    assert weighted_mean(0, 0) == 0.5
    assert weighted_mean([0.0, 1e-300, 3.0], [2.0, 0.0, 1.0]).tolist() == [0.0, 1.0, 0.75]
    with pytest.raises(ValueError, match=r"zeros must be .*at least 0"):
        weighted_mean([1.0], [-1.0])


@pytest.mark.parametrize("name", OBLIVIOUS)
@pytest.mark.parametrize(("T", "K"), [(1, 2), (30, 3), (2000, 2), (2000, 7), (2000, 40)])
def test_pseudo_calibration_stays_below_its_bound(name, T, K, seed):
    algorithm = FastSquaredBlumMansour(uniform_grid(K))
    for y in OBLIVIOUS[name](T, seed):
        algorithm.update(0, int(y))
    pcal2 = calibration_error(algorithm.expected)
    assert pcal2 <= sum(map(h, algorithm.expected.mass)) + T / (4 * K**2)
    assert pcal2 <= bounds.squared_loss_pcal2(T, K)


def test_a_wrong_forecast_of_zero_makes_pseudo_kl_calibration_infinite():
    algorithm = FastSquaredBlumMansour(uniform_grid(2))
    for y in (0, 0, 0, 0, 1):
        algorithm.update(0, y)
    assert kl_calibration(algorithm.expected) == np.inf
    assert calibration_error(algorithm.expected) < 5


# --- one contract for all


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


@pytest.mark.parametrize("algorithm", ["paper", "realised", "pair"])
def test_our_algorithms_in_the_table_are_those_of_the_book(algorithm, seed):
    outcomes = OBLIVIOUS["regimes"](T, seed)
    stream, ours = Forecaster(T, algorithm=algorithm, rng=seed), FORECASTERS[algorithm](T, seed)
    assert path(ours, outcomes) == path(stream, outcomes)
    assert ours.realised == stream.realised == run(outcomes, algorithm=algorithm, rng=seed).realised
    assert ours.expected == stream.expected


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


# --- the arena


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
    found = standings(pd.DataFrame(rows), 8)
    assert found.ratios.tolist() == [[1.0, math.inf], [1.0, 2.0], [4.0, 1.0]]
    assert found.wins() == {"a": 1, "b": 1, "c": 1}
