"""Blum-Mansour: the stationary mixture, the two witnesses of the paper's gaps, and the streaming forecaster."""

from __future__ import annotations

import naive_engine
import numpy as np
import pytest
from both_engines import agree_in_every_round
from hypothesis import given
from hypothesis import strategies as st

from klcal import (
    Forecaster,
    adversaries,
    full_grid,
    inner_grid,
    log_rounding,
    resolution,
    run,
    run_doubling,
    uniform_grid,
)
from klcal.forecasters import (
    ALGORITHMS,
    ENGINES,
    BlumMansour,
    FastBlumMansour,
    new_grid,
    new_reduction,
    select,
)
from klcal.forecasters.markov import closed_classes

BOTH = pytest.mark.parametrize("engine", ENGINES)
EVERY = pytest.mark.parametrize("algorithm", list(ALGORITHMS))
BLUM_MANSOUR = pytest.mark.parametrize(
    "algorithm", ["paper", "realised"]
)  # `test_pair` does the same for the others

PERIODIC = (12, [1])
TWO_CLASSES = (38, [int(y) for y in "11101101010111100101111"])


def after(K, outcomes, algorithm, engine, uniform=0.5):
    reduction = new_reduction(full_grid(K), algorithm, engine)
    for y in outcomes:
        reduction.update(reduction.draw(uniform), y)
    return reduction


def matrix(reduction):
    return log_rounding(reduction.leanings(), reduction.grid)


@BOTH
def test_periodic_chain_gives_a_true_fixed_point(engine):
    reduction = after(*PERIODIC, "paper", engine)
    Q, p = matrix(reduction), reduction.mixture()
    members = closed_classes(Q)[0]
    assert members.tolist() == [6, 7, 8]
    block = Q[np.ix_(members, members)]
    # Period two: 6 goes to {7, 8} and both come back, because learners 7 and 8 still lean to 1/2, the point 6.
    assert block[0, 0] == 0.0 and np.all(block[1:, 1:] == 0.0)
    assert np.abs(p @ Q - p).sum() <= 1e-14
    assert np.flatnonzero(p).tolist() == [6, 7, 8]


def test_power_iteration_never_settles_on_the_periodic_chain():
    Q = matrix(after(*PERIODIC, "paper", "reference"))
    p = np.eye(13)[7]
    for _ in range(1000):
        p = p @ Q
    assert np.abs(p @ Q - p).sum() > 0.5


@BOTH
def test_two_closed_classes_are_resolved_to_the_lower_one(engine):
    reduction = after(*TWO_CLASSES, "paper", engine)
    Q, p = matrix(reduction), reduction.mixture()
    assert [c.tolist() for c in closed_classes(Q)] == [[20, 21], [22, 23]]
    assert np.flatnonzero(p).tolist() == [20, 21]
    assert np.abs(p @ Q - p).sum() <= 1e-14


@BLUM_MANSOUR
@BOTH
def test_the_first_mixture_rounds_one_half(algorithm, engine):
    for K in (2, 5, 8):
        Q = log_rounding(np.full(K + 1, 0.5), full_grid(K))
        mixture = new_reduction(full_grid(K), algorithm, engine).mixture()
        np.testing.assert_allclose(mixture @ Q, mixture, atol=1e-15)
        np.testing.assert_allclose(mixture, Q[0], atol=1e-15)


@BLUM_MANSOUR
@given(K=st.integers(2, 14), outcomes=st.lists(st.integers(0, 1), max_size=60), seed=st.integers(0, 2**32))
def test_every_mixture_is_a_fixed_point_on_the_lowest_class(algorithm, K, outcomes, seed):
    uniforms = np.random.default_rng(seed).random(len(outcomes))
    fast = FastBlumMansour(full_grid(K), algorithm)
    for u, y in zip(uniforms, outcomes, strict=True):
        fast.update(fast.draw(u), y)
    Q, p = matrix(fast), fast.mixture()
    assert np.abs(p @ Q - p).sum() <= 1e-14
    assert np.flatnonzero(p).tolist() == naive_engine.closed_classes(Q.tolist())[0]


@BLUM_MANSOUR
@given(K=st.integers(2, 20), outcomes=st.lists(st.integers(0, 1), max_size=80), seed=st.integers(0, 2**32))
def test_both_engines_agree_to_the_last_bit_in_every_round(algorithm, K, outcomes, seed):
    plain, fast = BlumMansour(full_grid(K), algorithm), FastBlumMansour(full_grid(K), algorithm)
    agree_in_every_round(plain, fast, outcomes, seed)


@pytest.mark.parametrize("bits", ["1111111111011"])
def test_a_large_class_is_solved_alike(bits):
    K = 4
    outcomes = [int(y) for y in bits]
    plain, fast = after(K, outcomes, "paper", "reference"), after(K, outcomes, "paper", "fast")
    assert len(np.flatnonzero(plain.mixture())) == K // 2 + 2
    assert np.array_equal(plain.mixture(), fast.mixture())


def test_a_class_of_all_states_is_solved():
    """A ring: every learner leans to the next point, the last one to the first."""
    from klcal._kernels import blum_mansour

    K = 150
    fast = FastBlumMansour(full_grid(K))
    points = fast.grid.points
    leanings = np.append(points[1:], points[0])
    leanings[K // 2] = (points[K // 2] + points[K // 2 + 1]) / 2
    fast.bank.reals[blum_mansour.LEANING] = leanings
    blum_mansour._round_all(fast.bank.reals, fast.bank.whole, fast.bank.control)
    Q, p = matrix(fast), fast.mixture()
    assert np.count_nonzero(p) == K + 1
    assert np.abs(p @ Q - p).sum() <= 1e-14


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=6).filter(lambda w: sum(w) > 0.01),
    st.floats(0, 1, exclude_max=True),
)
def test_selection_inverts_the_cumulative_distribution(weights, uniform):
    p = np.array(weights) / sum(weights)
    index = select(p, uniform)
    assert p[index] > 0
    assert p[:index].sum() <= uniform + 1e-12
    assert uniform < p[: index + 1].sum() + 1e-12


def test_selection_survives_probabilities_that_miss_one():
    assert select(np.array([0.5, 0.5 - 2**-53, 0.0]), np.nextafter(1.0, 0.0)) == 1


@EVERY
@BOTH
def test_forecaster_streams_what_run_plays(algorithm, engine):
    y = adversaries.bernoulli(200, 0.3, rng=1)
    whole = run(y, algorithm=algorithm, engine=engine, rng=7, record=True)
    forecaster = Forecaster(horizon=200, algorithm=algorithm, rng=7, engine=engine)
    for t, outcome in enumerate(y):
        assert np.array_equal(forecaster.mixture(), whole.mixtures[t])
        assert forecaster.predict() == forecaster.predict() == whole.grid.points[whole.draws[t]]
        forecaster.update(outcome)
    assert forecaster.expected == whole.expected
    assert forecaster.realised == whole.realised


def test_forecaster_draws_also_when_nobody_asks():
    y = adversaries.bernoulli(50, rng=1)
    asked, silent = Forecaster(K=5, rng=3), Forecaster(K=5, rng=3)
    for outcome in y:
        asked.predict()
        asked.update(outcome)
        silent.update(outcome)
    assert asked.realised == silent.realised


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
    assert lengths == [len(new_grid(algorithm, resolution(2**r))) for r in range(7)]
    assert forecaster.expected == whole.expected
    assert forecaster.realised == whole.realised


def test_a_fixed_grid_never_restarts():
    forecaster = Forecaster(K=6, rng=0)
    for _ in range(100):
        forecaster.update(1)
    assert len(forecaster.grid) == 7


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"horizon": 0}, r"horizon must be an integer that is at least 1; got 0"),
        ({"horizon": 10.5}, r"horizon must be an integer"),
        ({"K": 1}, r"K must be an integer that is at least 2; got 1"),
        (
            {"algorithm": "magic"},
            r"algorithm must be one of 'paper', 'realised', 'pair', 'pair-expected', 'tree'.*; got 'magic'",
        ),
        ({"engine": "turbo"}, r"engine must be one of 'fast', 'reference'; got 'turbo'"),
    ],
)
def test_bad_settings_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Forecaster(**arguments)


@pytest.mark.parametrize("outcome", [2, -1, 0.5, None, "1", np.nan, [1]])
def test_a_bad_outcome_is_refused_and_changes_nothing(outcome):
    forecaster = Forecaster(K=3, rng=0)
    with pytest.raises(ValueError, match=r"^outcome must"):
        forecaster.update(outcome)
    assert forecaster.realised.total == 0


def test_blum_mansour_and_pair_play_on_their_own_grids():
    for algorithm in ("paper", "realised"):
        assert new_grid(algorithm, 5) == full_grid(5) == run([0, 1], 5, algorithm, rng=0).grid
    for algorithm in ("pair", "pair-expected"):
        assert new_grid(algorithm, 5) == inner_grid(5) == run([0, 1], 5, algorithm, rng=0).grid
    with pytest.raises(ValueError, match=r"algorithm must be one of 'paper', 'realised'; got 'pair'"):
        BlumMansour(full_grid(3), "pair")
    with pytest.raises(ValueError, match=r"algorithm must be one of 'paper', 'realised'; got 'pair'"):
        FastBlumMansour(full_grid(3), "pair")
    with pytest.raises(ValueError, match=r"algorithm must be one of .*; got 'pear'"):
        new_grid("pear", 3)


@BOTH
@EVERY
def test_a_reduction_says_whether_it_learns_from_its_draws(algorithm, engine):
    grid = new_grid(algorithm, 6)
    first, second = (new_reduction(grid, algorithm, engine) for _ in range(2))
    for y in adversaries.regimes(60, rng=0).tolist():
        first.update(first.draw(0.0), y)
        second.update(second.draw(0.999), y)
    assert not np.array_equal(first.counts(), second.counts())
    assert np.array_equal(first.weights(), second.weights()) == (not first.learns_from_draws)


@BOTH
@EVERY
def test_a_mixture_asked_for_before_a_compiled_piece_does_not_linger(algorithm, engine):
    """Asking early changes nothing, and afterwards the mixture is that of the new round."""
    from klcal.games.play import _play

    reduction, other = (new_reduction(new_grid(algorithm, 5), algorithm, engine) for _ in range(2))
    y, uniforms, draws, mixtures = (
        np.ones(3, np.uint8),
        np.full(3, 0.5),
        np.zeros(0, np.int64),
        np.zeros((0, 0)),
    )
    reduction.mixture()
    for start in range(3):
        _play(reduction, None, y[start : start + 1], uniforms[start : start + 1], draws, mixtures)
        reduction.mixture()
    _play(other, None, y, uniforms, draws, mixtures)
    assert np.array_equal(reduction.mixture(), other.mixture())
    assert reduction.realised == other.realised


@BOTH
def test_a_grid_that_the_rounding_cannot_use_is_refused(engine):
    with pytest.raises(ValueError, match=r"grid must have its points strictly inside"):
        new_reduction(uniform_grid(4), "paper", engine).mixture()


def test_a_restored_state_has_the_mixture_it_had():
    reduction = FastBlumMansour(full_grid(3))
    fresh, first = reduction.state(), reduction.mixture()
    reduction.update(1, 1)
    assert reduction.mixture().tolist() != first.tolist()
    reduction.restore(fresh)
    assert reduction.mixture().tolist() == first.tolist()
