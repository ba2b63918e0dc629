"""The other forecasters: both engines bit for bit, what each promises, one contract for all, means and calibeating."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import InternalRegret, SquaredBlumMansour, TwoNeighbours, internal_regrets

from klcal import LOSSES, Cells, Grid, calibration_error, full_grid, uniform_grid
from klcal.adversaries import ADAPTIVE, OBLIVIOUS
from klcal.forecasters.algorithm_1 import BlumMansour, FastBlumMansour
from klcal.forecasters.baselines import (
    FORECASTERS,
    Calibeating,
    FastInternalRegret,
    FastSquaredBlumMansour,
    FastTwoNeighbours,
    Given,
    RunningMean,
    calibeat,
    internal_resolution,
    neighbour_mixture,
)
from klcal.forecasters.stream import GridForecaster
from klcal.games.play import play_match, play_piece
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


def everything(algorithm, adversary, seed):
    """Play a game with given uniform numbers and return what it shows."""
    outcomes, draws = np.zeros(T, dtype=np.uint8), np.zeros(T, dtype=np.int64)
    oblivious, mixtures = adversary in OBLIVIOUS, np.zeros((T, len(algorithm.grid)))
    if oblivious:
        outcomes = OBLIVIOUS[adversary](T, seed)
    opponent = None if oblivious else ADAPTIVE[adversary](T)
    play_piece(algorithm, opponent, outcomes, np.random.default_rng(seed).random(T), draws, mixtures)
    return outcomes, mixtures, algorithm.leanings(), algorithm.weights(), draws, algorithm.counts()


@pytest.mark.parametrize("name", TWINS)
@pytest.mark.parametrize("adversary", [*OBLIVIOUS, *ADAPTIVE])
def test_twins_give_the_same_bits(name, adversary, seed):
    for slow, fast in zip(*(everything(make(), adversary, seed) for make in TWINS[name]), strict=True):
        assert np.array_equal(slow, fast)


@pytest.mark.parametrize("adversary", [*OBLIVIOUS, "oppose"])
def test_the_twins_of_internal_regret_agree_up_to_rounding(adversary, seed):
    twins = [make(uniform_grid(5), T) for make in (InternalRegret, FastInternalRegret)]
    for slow, fast in zip(*(everything(twin, adversary, seed)[:4] for twin in twins), strict=True):
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


@pytest.mark.parametrize("name", OBLIVIOUS)
@pytest.mark.parametrize(("T", "K"), [(1, 2), (30, 3), (2000, 2), (2000, 7), (2000, 40)])
def test_pseudo_calibration_stays_below_its_bound(name, T, K, seed):
    algorithm = FastSquaredBlumMansour(uniform_grid(K))
    for y in OBLIVIOUS[name](T, seed):
        algorithm.update(0, int(y))
    assert calibration_error(algorithm.expected) <= sum(map(h, algorithm.expected.mass)) + T / (4 * K**2)


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
@pytest.mark.parametrize("adversary", ["zeros", "fair coin", "alternating"])
def test_mixtures_are_distributions_and_forecasts_are_drawn_from_them(name, adversary, seed):
    for mixture, points, forecast in path(FORECASTERS[name](T, seed), OBLIVIOUS[adversary](T, seed)):
        assert len(mixture) == len(points) and min(mixture) >= 0.0
        assert sum(mixture) == pytest.approx(1.0, abs=1e-12)
        assert mixture[points.index(forecast)] > 0.0


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


@given(outcomes=st.lists(st.integers(0, 1), min_size=1, max_size=40), prior=st.sampled_from([0.0, 0.5, 1.0]))
def test_the_forecasts_of_a_mean_at_once_are_those_of_its_rounds(outcomes, prior):
    stream, at_once = RunningMean(prior), RunningMean(prior).forecasts(outcomes)
    assert [row[2] for row in path(stream, outcomes)] == at_once.tolist()
    # A game that starts later goes on with the same numbers.
    later = RunningMean(prior)
    later.update(outcomes[0])
    assert later.forecasts(outcomes[1:] or [0]).tolist()[: len(outcomes) - 1] == at_once.tolist()[1:]


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


def test_the_forecast_one_belongs_to_the_last_bin():
    assert calibeat([0.95, 1.0], [0, 1], bins=10).tolist() == [0.95, 0.0]


def test_internal_regret_takes_the_least_resolution_whose_sixth_power_reaches_the_horizon():
    assert [internal_resolution(T) for T in (2, 64, 65, 729, 730)] == [2, 2, 3, 3, 4]
