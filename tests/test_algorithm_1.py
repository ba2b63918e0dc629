"""Algorithm 1: learners, chains, the stationary mixture in both engines, other roundings, and the stream."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from both_engines import agree_in_every_round
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from oracles import ENGINES, by, made
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

import klcal
from klcal import (
    Forecaster,
    adversaries,
    full_grid,
    log_rounding,
    resolution,
    run,
    run_doubling,
    uniform_grid,
)
from klcal._kernels import blum_mansour, opponents
from klcal.adversaries import Border, View
from klcal.forecasters.algorithm_1 import BlumMansour, FastBlumMansour, _by_elimination, beta_mean, stationary
from klcal.forecasters.rounds import Sums, select
from klcal.forecasters.stream import ALGORITHMS, reduction_for
from klcal.games import run_rounded

# --- learners


@pytest.mark.parametrize(("ones", "zeros"), [(0, 0), (1, 0), (0.3, 2.7), (12.5, 0.25), (40, 3)])
def test_beta_mean_is_the_ratio_of_integrals(ones, zeros):
    with mpmath.workdps(30):
        weight = lambda w: w**ones * (1 - w) ** zeros  # noqa: E731
        top = mpmath.quad(lambda w: w * weight(w), [0, 0.5, 1])
        bottom = mpmath.quad(weight, [0, 0.5, 1])
        assert float(top / bottom) == pytest.approx(float(beta_mean(ones, zeros)), rel=1e-14)


@pytest.mark.parametrize(
    ("prior", "promised"), [(1, math.log1p), (0.5, lambda weight: math.log1p(4 * weight) / 2)]
)
@given(rounds=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 1)), min_size=1, max_size=60))
@example(rounds=[(1.0, 1)] * 40)
def test_the_regret_of_a_learner_is_at_most_a_log_of_its_weight(prior, promised, rounds):
    sums, loss, total = Sums(1), 0.0, 0.0
    for weight, y in rounds:
        w = float(beta_mean(sums.ones, sums.zeros, prior=prior)[0])
        loss += weight * -math.log(w if y else 1 - w)
        total += weight
        sums.update([weight], y)
    best = sum(-part * math.log(part / total) for part in (sums.ones[0], sums.zeros[0]) if part > 0)
    assert loss - best <= promised(total) + 1e-12


def test_sums_are_compensated_and_weight_zero_changes_nothing():
    sums = Sums(2)
    for _ in range(10_000):
        sums.update([0.1, 0.0], 1)
    assert sums.ones.tolist() == [math.fsum([0.1] * 10_000), 0.0]
    assert np.cumsum([0.1] * 10_000)[-1] != math.fsum([0.1] * 10_000)


# --- chains


def closed_sets(Q):
    """Sets of states that reach each other and nothing else, from SciPy's components."""
    edges = csr_array(np.asarray(Q) > 0)
    count, component = connected_components(edges, connection="strong")
    leaks = {component[i] for i, j in zip(*edges.nonzero(), strict=True) if component[i] != component[j]}
    return sorted(np.flatnonzero(component == c).tolist() for c in range(count) if c not in leaks)


@st.composite
def chains(draw):
    n = draw(st.integers(1, 7))
    weights = draw(hnp.arrays(np.int64, (n, n), elements=st.integers(0, 4)))
    weights[np.arange(n), draw(hnp.arrays(np.int64, n, elements=st.integers(0, n - 1)))] += 1
    return weights / weights.sum(axis=1, keepdims=True)


@given(chains())
def test_stationary_distribution_is_fixed_by_the_matrix(Q):
    p = stationary(Q)
    assert np.all(p >= 0)
    assert p.sum() == pytest.approx(1.0, abs=1e-15)
    np.testing.assert_allclose(p @ Q, p, rtol=0, atol=1e-14)


def eliminated(Q):
    weights = np.array(_by_elimination(Q.tolist()))
    return weights / weights.sum()


@given(chains().filter(lambda Q: len(closed_sets(Q)[0]) <= 3))
def test_closed_forms_of_small_classes_agree_with_elimination(Q):
    members = closed_sets(Q)[0]
    block = Q[np.ix_(members, members)]
    np.testing.assert_allclose(stationary(block), eliminated(block), rtol=1e-14)


def test_small_nearly_reducible_chains_keep_every_digit():
    e = 1e-15
    chain = [[1 - e, e, 0], [e / 2, 1 - e, e / 2], [0, e, 1 - e]]
    np.testing.assert_allclose(stationary(chain), [0.25, 0.5, 0.25], rtol=1e-15)
    np.testing.assert_allclose(stationary([[1 - e, e], [3 * e, 1 - 3 * e]]), [0.75, 0.25], rtol=1e-15)


@pytest.mark.parametrize(
    ("Q", "message"),
    [
        ([[0.5, 0.4], [0.5, 0.5]], r"every row sum of Q must be 1; got 0.9 at index 0"),
        ([[1.5, -0.5], [0.5, 0.5]], r"Q must lie in \[0, 1\]; got 1.5 at index \(0, 0\)"),
        ([[1.0, 0.0]], r"Q must have 1 columns"),
        ([0.5, 0.5], r"Q must have 2 dimension"),
        (np.empty((0, 0)), r"Q must not be empty"),
    ],
)
def test_matrices_that_are_not_stochastic_are_refused(Q, message):
    with pytest.raises(ValueError, match=message):
        stationary(Q)


# --- the mixture of a round


BOTH = pytest.mark.parametrize("engine", ENGINES)
EVERY = pytest.mark.parametrize("algorithm", list(ALGORITHMS))


# `test_pair` does the same for the others.
BLUM_MANSOUR = pytest.mark.parametrize("algorithm", ["paper", "realised"])


PERIODIC = (12, [1])


def after(K, outcomes, algorithm, engine, uniform=0.5):
    reduction = made(full_grid(K), algorithm, engine)
    for y in outcomes:
        reduction.update(reduction.draw(uniform), y)
    return reduction


def matrix(reduction):
    return log_rounding(reduction.leanings(), reduction.grid)


@BOTH
def test_periodic_chain_gives_a_true_fixed_point(engine):
    reduction = after(*PERIODIC, "paper", engine)
    Q, p = matrix(reduction), reduction.mixture()
    members = closed_sets(Q)[0]
    assert members == [6, 7, 8]
    block = Q[np.ix_(members, members)]
    # Period two: 6 goes to {7, 8} and both come back, because learners 7 and 8 still lean to 1/2, the point 6.
    assert block[0, 0] == 0.0 and np.all(block[1:, 1:] == 0.0)
    assert np.abs(p @ Q - p).sum() <= 1e-14
    assert np.flatnonzero(p).tolist() == [6, 7, 8]


@BLUM_MANSOUR
@given(K=st.integers(2, 14), outcomes=st.lists(st.integers(0, 1), max_size=60), seed=st.integers(0, 2**32))
def test_every_mixture_is_a_fixed_point_on_the_lowest_class(algorithm, K, outcomes, seed):
    uniforms = np.random.default_rng(seed).random(len(outcomes))
    fast = FastBlumMansour(full_grid(K), algorithm)
    for u, y in zip(uniforms, outcomes, strict=True):
        fast.update(fast.draw(u), y)
    Q, p = matrix(fast), fast.mixture()
    assert np.abs(p @ Q - p).sum() <= 1e-14
    assert np.flatnonzero(p).tolist() == closed_sets(Q)[0]


@BLUM_MANSOUR
@given(K=st.integers(2, 20), outcomes=st.lists(st.integers(0, 1), max_size=80), seed=st.integers(0, 2**32))
def test_both_engines_agree_to_the_last_bit_in_every_round(algorithm, K, outcomes, seed):
    plain, fast = BlumMansour(full_grid(K), algorithm), FastBlumMansour(full_grid(K), algorithm)
    agree_in_every_round(plain, fast, outcomes, seed)


@BLUM_MANSOUR
@given(
    points=st.lists(st.floats(0.001, 0.999), min_size=1, max_size=12, unique=True).map(sorted),
    prior=st.sampled_from([0.5, 1.0, 3.0]),
    outcomes=st.lists(st.integers(0, 1), max_size=60),
    seed=st.integers(0, 2**32),
)
def test_both_engines_agree_with_log_odds_on_any_grid(algorithm, points, prior, outcomes, seed):
    parts = {"algorithm": algorithm, "rounding": klcal.log_odds_rounding, "prior": prior}
    agree_in_every_round(BlumMansour(points, **parts), FastBlumMansour(points, **parts), outcomes, seed)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("opponent", [adversaries.Oppose, adversaries.Greedy, adversaries.Push])
def test_half_counts_keep_their_bound(opponent, seed):
    grid = klcal.Grid(np.sort(np.random.default_rng(seed).random(5)))
    game = run(opponent(3000), algorithm="half-counts", grid=grid, rng=seed)
    S = game.expected.mass
    assert klcal.kl_calibration(game.expected) <= np.log1p(4 * S).sum() / 2 + 3000 * grid.radius()


def test_a_class_of_all_states_is_solved():
    """A ring: every learner leans to the next point, the last one to the first."""
    K = 150
    fast = FastBlumMansour(full_grid(K))
    points = fast.grid.points
    leanings = np.append(points[1:], points[0])
    leanings[K // 2] = (points[K // 2] + points[K // 2 + 1]) / 2
    lean(fast, leanings)
    Q, p = matrix(fast), fast.mixture()
    assert np.count_nonzero(p) == K + 1
    assert np.abs(p @ Q - p).sum() <= 1e-14


def test_selection_survives_probabilities_that_miss_one():
    assert select(np.array([0.5, 0.5 - 2**-53, 0.0]), np.nextafter(1.0, 0.0)) == 1


@EVERY
@BOTH
def test_forecaster_streams_what_run_plays(algorithm, engine):
    y = adversaries.bernoulli(200, 0.3, rng=1)
    whole = run(y, algorithm=by(algorithm, engine), rng=7, record=True)
    forecaster = Forecaster(horizon=200, algorithm=by(algorithm, engine), rng=7)
    for t, outcome in enumerate(y):
        assert np.array_equal(forecaster.mixture(), whole.mixtures[t])
        assert forecaster.predict() == forecaster.predict() == whole.grid.points[whole.draws[t]]
        forecaster.update(outcome)
    assert forecaster.expected == whole.expected
    assert forecaster.realised == whole.realised


@EVERY
def test_doubling_forecaster_restarts_on_the_next_power_of_two(algorithm):
    y = adversaries.bernoulli(100, 0.2, rng=5)
    whole = run_doubling(y, algorithm=algorithm, rng=11)
    forecaster = Forecaster(algorithm=algorithm, rng=11)
    lengths = []
    for t, outcome in enumerate(y):
        if t + 1 in (1, 2, 4, 8, 16, 32, 64):
            lengths.append(len(forecaster.grid))
        forecaster.update(outcome)
    assert lengths == [len(reduction_for(algorithm, resolution(2**r), 2).grid) for r in range(7)]
    assert forecaster.expected == whole.expected
    assert forecaster.realised == whole.realised


@EVERY
def test_a_mixture_asked_for_between_compiled_pieces_does_not_linger(algorithm):
    asked, other = (reduction_for(algorithm, 5, 2) for _ in range(2))
    outcomes, uniforms = np.ones(3, dtype=np.uint8), np.full(3, 0.5)
    for t in range(3):
        asked.mixture()
        asked.play_rounds(outcomes[t : t + 1], uniforms[t : t + 1], 0)
    other.play_rounds(outcomes, uniforms, 0)
    assert np.array_equal(asked.mixture(), other.mixture()) and asked.realised == other.realised


# --- corners of the compiled engine that ordinary games rarely visit


PLACES = st.integers(0, 2**32)


def lean(fast, leanings):
    """Put every learner where `leanings` says, as if it had learned that."""
    fast.bank.learners["leaning"] = leanings
    blum_mansour._round_all(fast.bank.learners, fast.bank.control)
    fast._solved = False


def somewhere(points, place):
    """A grid point, the middle of a cell, or a place beyond the ends."""
    spots = np.concatenate([points, (points[1:] + points[:-1]) / 2, [0.0, 1.0]])
    return spots[place % len(spots)]


@given(
    K=st.integers(2, 9),
    places=st.lists(PLACES, min_size=10, max_size=10),
    moves=st.lists(PLACES, max_size=25),
)
def test_the_lowest_closed_class_is_found_also_among_several_and_after_its_members_moved(K, places, moves):
    fast = FastBlumMansour(full_grid(K))
    points = fast.grid.points
    leanings = np.array([somewhere(points, place) for place in places[: K + 1]])
    for move in (None, *moves):
        if move is not None:
            # Only members of the class ever learn.
            members = np.flatnonzero(fast.mixture())
            leanings[members[move % len(members)]] = somewhere(points, move // 7)
        lean(fast, leanings)
        Q = log_rounding(leanings, fast.grid)
        assert np.flatnonzero(fast.mixture()).tolist() == closed_sets(Q)[0]
        assert np.array_equal(fast.mixture(), stationary(Q))


@given(st.floats(0, 1, exclude_max=True))
@example(0.25)
@example(0.0)
def test_a_draw_on_the_edge_of_a_cumulative_probability_goes_to_the_next_point(uniform):
    fast = FastBlumMansour(full_grid(2))
    fast.mixture()
    fast.bank.control["members"] = 2
    fast.bank.mixture["member"][:2] = [0, 2]
    fast.bank.mixture["share"][:2] = [0.25, 0.75]
    assert fast.draw(uniform) == select(np.array([0.25, 0.0, 0.75]), uniform) == (0 if uniform < 0.25 else 2)


@pytest.mark.parametrize("K", [2, 3, 6])
def test_border_breaks_ties_upwards_in_both_engines(K):
    fast = FastBlumMansour(full_grid(K))
    points = fast.grid.points
    # Dyadic stand-ins for two neighbours, so that the middle is exactly in the middle.
    learners, mixture = fast.bank.learners, fast.bank.mixture
    learners["point"][:2] = [0.25, 0.5]
    learners["cell"][1], learners["leaning"][1] = 0, 0.375
    mixture["member"][0], mixture["share"][0] = 1, 1.0
    grid, nothing = klcal.Grid([0.25, 0.5, *points[points > 0.5]]), np.zeros((2, 1))
    view = View(grid, np.eye(len(grid))[1], np.full(len(grid), 0.375), nothing, nothing)
    compiled = opponents.choose(learners, mixture, 1, opponents.BORDER)
    assert compiled == Border(1).choose(view) == 1


# --- other roundings


def test_nearest_rounding_turns_two_learners_into_a_cycle():
    # K = 3, points 0.07, 1/4, 3/4, 0.93. Round 1: 1/2 is a tie and goes down to 1/4. After a one, learner 1 leans to
    # 2/3 and goes up to 3/4, whose learner still goes down to 1/4: both get one half.
    cells = run_rounded([1, 1], 3, scheme="nearest").expected
    assert cells.mass.tolist() == [0, 1.5, 0.5, 0]


@pytest.mark.parametrize("make", [BlumMansour, FastBlumMansour])
def test_a_grid_that_ends_in_zero_or_one_is_refused_by_the_rounding_of_algorithm_4(make):
    with pytest.raises(ValueError, match=r"grid must have its points strictly inside \(0, 1\); got 0.0"):
        make(uniform_grid(3))
    assert make(uniform_grid(2), rounding=klcal.linear_rounding).mixture().tolist() == [0, 1, 0]
