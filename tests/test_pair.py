"""PAIR: its cells, its rule, both engines on the same draws, and what its proof promises on every path."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from both_engines import EVERY_ADVERSARY, agree_in_every_round, opponent
from hypothesis import given
from hypothesis import strategies as st
from naive_weather import kl
from oracles import ENGINES, Pair, by, made, pair_rule

from klcal import inner_grid, kl_calibration, run
from klcal._kernels import tree as kernels
from klcal.adversaries import OBLIVIOUS
from klcal.forecasters.pair import PAIRS, FastPair, kt_means, pair_boundaries

BOTH = pytest.mark.parametrize("engine", ENGINES)
VERSIONS = pytest.mark.parametrize("algorithm", list(PAIRS))
CELLS = st.integers(2, 12)
SEEDS = st.integers(0, 2**32)


def test_a_mean_on_a_boundary_lies_in_both_cells_and_the_lower_point_wins():
    assert pair_rule(np.array([0.5, 0.5]), pair_boundaries(3)).tolist() == [1.0, 0.0]
    above, below = np.nextafter(0.5, 1.0), np.nextafter(0.5, 0.0)
    assert pair_rule(np.array([above, 0.5]), pair_boundaries(3)).tolist() == [0.0, 1.0]
    assert pair_rule(np.array([0.5, below]), pair_boundaries(3)).tolist() == [1.0, 0.0]
    # Floats are twice as dense below 1/2: the lower mean is half as far away, and so twice as likely.
    assert pair_rule(np.array([above, below]), pair_boundaries(3)).tolist() == [1 / 3, 2 / 3]


def test_the_lowest_pair_is_mixed():
    """Up, down, up, down: the boundaries after the first and after the third point both separate a pair."""
    m = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    assert pair_rule(np.array([0.375, 0.125, 0.8125, 0.6875]), m).tolist() == [0.5, 0.5, 0.0, 0.0]
    assert pair_rule(np.array([0.3125, 0.0625, 0.8125, 0.6875]), m).tolist() == [0.75, 0.25, 0.0, 0.0]
    assert pair_rule(np.array([0.375, 0.125, 0.625, 0.6875]), m).tolist() == [0.0, 0.0, 1.0, 0.0]


@VERSIONS
@given(K=st.integers(2, 25), outcomes=st.lists(st.integers(0, 1), max_size=120), seed=SEEDS)
def test_both_engines_agree_to_the_last_bit_in_every_round(algorithm, K, outcomes, seed):
    plain, fast = Pair(inner_grid(K), algorithm), FastPair(inner_grid(K), algorithm)
    agree_in_every_round(plain, fast, outcomes, seed)


@BOTH
@VERSIONS
def test_only_the_version_that_counts_draws_depends_on_them(algorithm, engine):
    y = OBLIVIOUS["regimes"](300, 1)
    first, second = (run(y, 9, by(algorithm, engine), rng=seed, record=True) for seed in range(2))
    assert not np.array_equal(first.draws, second.draws)
    learns = made(inner_grid(9), algorithm, engine).learns_from_draws
    assert learns == (algorithm == "pair")
    assert np.array_equal(first.mixtures, second.mixtures) == (not learns)


def excess_over_cells(cells, K):
    """The sum of mass times KL(mean, cell)."""
    m = pair_boundaries(K)
    used = [i for i in range(K - 1) if cells.mass[i] > 0]
    means = cells.means
    return sum(cells.mass[i] * kl(means[i], min(max(means[i], m[i]), m[i + 1])) for i in used)


def log_martingale(game, K):
    """The logarithm of prod w(y)/q(y) over the drawn buckets, q the mean moved into its cell."""
    m, total = pair_boundaries(K), 0.0
    counts = np.zeros((2, K - 1))
    for i, y in zip(game.draws, game.outcomes, strict=True):
        w = kt_means(counts)[i]
        q = min(max(w, m[i]), m[i + 1])
        total += math.log(w / q) if y == 1 else math.log((1 - w) / (1 - q))
        counts[y, i] += 1
    return total


@given(outcomes=st.lists(st.integers(0, 1), min_size=1, max_size=150), K=CELLS, seed=SEEDS)
def test_the_distance_of_the_means_from_their_cells_is_paid_for_by_the_martingale(outcomes, K, seed):
    game = run(outcomes, K, "pair", rng=seed, record=True)
    n = game.realised.mass[game.realised.mass > 0]
    certificate = log_martingale(game, K) + float(np.sum(0.5 * np.log(n) + math.log(2)))
    assert excess_over_cells(game.realised, K) <= certificate + 1e-9
    cost = kl_calibration(game.realised)
    assert cost <= 2 * certificate - 2 * len(outcomes) * math.log(math.cos(math.pi / (2 * K))) + 1e-9


@pytest.mark.parametrize("name", EVERY_ADVERSARY)
def test_expected_feedback_keeps_its_certificate_on_long_games(name, seed):
    T, K = 20_000, 13
    cells = run(opponent(name, T, seed), K, "pair-expected", rng=seed).expected
    logs = float(np.log1p(cells.mass).sum())
    assert excess_over_cells(cells, K) <= logs
    assert kl_calibration(cells) <= 2 * logs - 2 * T * math.log(math.cos(math.pi / (2 * K)))


@given(K=st.integers(2, 12), places=st.lists(st.integers(0, 2**32), min_size=11, max_size=11))
def test_the_compiled_rule_is_right_in_every_state(K, places):
    """Also in states that no game reaches, with means on boundaries and many buckets inside."""
    m = pair_boundaries(K)
    spots = np.concatenate([m, inner_grid(K).points])
    w = spots[np.array(places[: K - 1]) % len(spots)]
    fast = FastPair(inner_grid(K))
    fast.bank.learners["leaning"] = w
    kernels.survey(fast.bank.learners, fast.bank.control)
    assert np.array_equal(fast.mixture(), pair_rule(w, m))


@VERSIONS
@given(K=st.integers(2, 15), outcomes=st.lists(st.integers(0, 1), max_size=150), seed=SEEDS)
def test_the_next_forecast_is_found_at_the_front(algorithm, K, outcomes, seed):
    """Why a round takes constant time: a bucket inside its cell is the lowest one that is not up, or the next."""
    fast, m = FastPair(inner_grid(K), algorithm), pair_boundaries(K)
    for u, y in zip(np.random.default_rng(seed).random(len(outcomes)), outcomes, strict=True):
        w = fast.leanings()
        side = np.sign((w > m[1:]).astype(int) - (w < m[:-1]).astype(int))
        front, inside = fast.bank.control[["front", "inside"]].item()
        assert front == np.flatnonzero(side <= 0)[0]
        assert inside == np.count_nonzero(side == 0) <= 2
        assert set(np.flatnonzero(side == 0).tolist()) <= {front, front + 1}
        fast.update(fast.draw(u), y)


@pytest.mark.parametrize("K", [*range(2, 30), 101, 176])
def test_boundaries_are_correctly_rounded(K):
    with mpmath.workdps(60):
        scale = mpmath.cospi(mpmath.mpf(1) / (2 * K))
        inner = [(1 - mpmath.cospi(mpmath.mpf(2 * i + 1) / (2 * K)) / scale) / 2 for i in range(1, K - 1)]
        assert pair_boundaries(K).tolist() == [0.0, *map(float, inner), 1.0]
