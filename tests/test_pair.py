"""PAIR: its cells, its rule, both engines on the same draws, and what its proof promises on every path."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from both_engines import agree_in_every_round
from hypothesis import given
from hypothesis import strategies as st

from klcal import adversaries, full_grid, inner_grid, kl_calibration, run, uniform_grid
from klcal._kernels import pair as kernels
from klcal._kernels.bank import LEANING
from klcal.adversaries import ADAPTIVE, OBLIVIOUS
from klcal.forecasters.pair import PAIRS, FastPair, Pair, kt_means, pair_boundaries, pair_mixture, pair_rule
from klcal.forecasters.stream import ENGINES, new_reduction

BOTH = pytest.mark.parametrize("engine", ENGINES)
VERSIONS = pytest.mark.parametrize("algorithm", list(PAIRS))
CELLS = st.integers(2, 12)
SEEDS = st.integers(0, 2**32)


@pytest.mark.parametrize("K", [2, 3, 4, 5, 42, 999, 1000])
def test_boundaries_interlace_with_the_grid(K):
    m, z = pair_boundaries(K), inner_grid(K).points
    assert m[0] == 0.0 and m[-1] == 1.0 and len(m) == K
    assert np.all(m[:-1] < z) and np.all(z < m[1:])


@pytest.mark.parametrize("K", [3, 5, 7, 99, 1001])
def test_the_middle_boundary_of_an_odd_grid_is_exactly_one_half(K):
    assert pair_boundaries(K)[(K - 1) // 2] == 0.5


@pytest.mark.parametrize("K", [3, 4, 9, 42])
def test_a_boundary_is_as_many_standard_deviations_away_from_either_neighbour(K):
    m, z = pair_boundaries(K)[1:-1], inner_grid(K).points
    s = np.sqrt(z * (1 - z))
    tangent = math.tan(math.pi / (2 * K))
    np.testing.assert_allclose((m - z[:-1]) / s[:-1], tangent, rtol=1e-12)
    np.testing.assert_allclose((z[1:] - m) / s[1:], tangent, rtol=1e-12)
    np.testing.assert_allclose((m / (1 - m)) ** 2, z[1:] / (1 - z[1:]) * z[:-1] / (1 - z[:-1]), rtol=1e-12)


def test_the_only_point_of_the_smallest_grid_is_always_forecast():
    for engine in ENGINES:
        game = run([0, 1, 1, 1, 1, 0], 2, "pair", engine, rng=0, record=True)
        assert game.grid.points.tolist() == [0.5]
        assert game.draws.tolist() == [0] * 6 and game.mixtures.tolist() == [[1.0]] * 6


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


@given(K=CELLS, counts=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=11, max_size=11))
def test_the_mixture_has_one_point_or_two_neighbours_and_balances_their_means(K, counts):
    table = np.array(counts[: K - 1]).T
    w, m, p = kt_means(table), pair_boundaries(K), pair_mixture(table, inner_grid(K))
    support = np.flatnonzero(p)
    assert p.sum() == pytest.approx(1.0, abs=1e-15)
    inside = [i for i in range(K - 1) if m[i] <= w[i] <= m[i + 1]]
    if inside:
        assert support.tolist() == inside[:1]
    else:
        pairs = [i for i in range(K - 2) if w[i] > m[i + 1] > w[i + 1]]
        assert support.tolist() == [pairs[0], pairs[0] + 1]
        assert p @ w == pytest.approx(m[pairs[0] + 1], abs=1e-15)


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_means_are_correctly_rounded(zeros, ones):
    assert kt_means([[zeros], [ones]])[0] == float(Fraction(2 * ones + 1, 2 * (ones + zeros) + 2))


@VERSIONS
@BOTH
@pytest.mark.parametrize("K", [2, 3, 4, 9, 10])
def test_the_first_forecast_is_the_lowest_point_whose_cell_contains_one_half(K, algorithm, engine):
    first = new_reduction(inner_grid(K), algorithm, engine).mixture()
    assert np.flatnonzero(first).tolist() == [K // 2 - 1 if K % 2 == 0 else (K - 1) // 2 - 1]
    assert first.max() == 1.0


@VERSIONS
@given(K=st.integers(2, 25), outcomes=st.lists(st.integers(0, 1), max_size=120), seed=SEEDS)
def test_both_engines_agree_to_the_last_bit_in_every_round(algorithm, K, outcomes, seed):
    plain, fast = Pair(inner_grid(K), algorithm), FastPair(inner_grid(K), algorithm)
    agree_in_every_round(plain, fast, outcomes, seed)


@BOTH
def test_the_mixture_of_pair_is_a_function_of_its_counts(engine):
    reduction = new_reduction(inner_grid(6), "pair", engine)
    rng = np.random.default_rng(3)
    for y in adversaries.regimes(300, rng=2):
        assert np.array_equal(reduction.mixture(), pair_mixture(reduction.counts(), reduction.grid))
        reduction.update(reduction.draw(rng.random()), int(y))


@BOTH
@VERSIONS
def test_only_the_version_that_counts_draws_depends_on_them(algorithm, engine):
    y = OBLIVIOUS["regimes"](300, 1)
    first, second = (run(y, 9, algorithm, engine, rng=seed, record=True) for seed in range(2))
    assert not np.array_equal(first.draws, second.draws)
    learns = new_reduction(inner_grid(9), algorithm, engine).learns_from_draws
    assert learns == (algorithm == "pair")
    assert np.array_equal(first.mixtures, second.mixtures) == (not learns)


@VERSIONS
@BOTH
@pytest.mark.parametrize("outcome", [0, 1])
def test_equal_outcomes_drive_the_forecast_to_the_end_of_the_grid(outcome, algorithm, engine):
    game = run(np.full(400, outcome), 8, algorithm, engine, rng=0, record=True)
    assert set(game.draws[200:].tolist()) == {6 * outcome}
    # At the end a forecast z_1 costs KL(0, z_1) = 2 log sec(pi/2K) in every round.
    used = game.realised.mass[6 * outcome]
    cost = kl_calibration(game.realised.restricted())
    assert cost >= -2 * used * math.log(math.cos(math.pi / 16)) - 1e-9


def divergence(rho, m):
    return sum(r * math.log(r / q) for r, q in ((rho, m), (1 - rho, 1 - m)) if r > 0)


def excess_over_cells(cells, K):
    """The sum of mass times KL(mean, cell)."""
    m = pair_boundaries(K)
    used = [i for i in range(K - 1) if cells.mass[i] > 0]
    means = cells.means
    return sum(cells.mass[i] * divergence(means[i], min(max(means[i], m[i]), m[i + 1])) for i in used)


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


def test_the_martingale_has_mean_one_whatever_the_adversary_does():
    """Exactly, over all draws of six rounds: E[M] = 1 for each of the 64 sequences (and so for mixtures of them)."""
    grid, K = inner_grid(5), 5
    m = pair_boundaries(K)

    def mean(counts, outcomes):
        if not outcomes:
            return 1.0
        p, w, total = pair_mixture(counts, grid), kt_means(counts), 0.0
        for i in np.flatnonzero(p):
            q = min(max(w[i], m[i]), m[i + 1])
            factor = w[i] / q if outcomes[0] == 1 else (1 - w[i]) / (1 - q)
            after = counts.copy()
            after[outcomes[0], i] += 1
            total += p[i] * factor * mean(after, outcomes[1:])
        return total

    for outcomes in itertools.product((0, 1), repeat=6):
        assert mean(np.zeros((2, K - 1)), outcomes) == pytest.approx(1.0, abs=1e-13)


@pytest.mark.parametrize("name", [*OBLIVIOUS, *ADAPTIVE])
def test_expected_feedback_keeps_its_certificate_on_long_games(name, seed):
    T, K = 20_000, 13
    opponent = OBLIVIOUS[name](T, seed) if name in OBLIVIOUS else ADAPTIVE[name](T)
    cells = run(opponent, K, "pair-expected", rng=seed).expected
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
    fast.bank.reals[LEANING] = w
    kernels.survey(fast.bank.reals, fast.bank.control)
    assert np.array_equal(fast.mixture(), pair_rule(w, m))


@VERSIONS
@given(K=st.integers(2, 15), outcomes=st.lists(st.integers(0, 1), max_size=150), seed=SEEDS)
def test_the_next_forecast_is_found_at_the_front(algorithm, K, outcomes, seed):
    """Why a round takes constant time: a bucket inside its cell is the lowest one that is not up, or the next."""
    fast, m = FastPair(inner_grid(K), algorithm), pair_boundaries(K)
    for u, y in zip(np.random.default_rng(seed).random(len(outcomes)), outcomes, strict=True):
        w = fast.leanings()
        side = np.sign((w > m[1:]).astype(int) - (w < m[:-1]).astype(int))
        front, inside = fast.bank.control[[kernels.FRONT, kernels.INSIDE]].tolist()
        assert front == np.flatnonzero(side <= 0)[0]
        assert inside == np.count_nonzero(side == 0) <= 2
        assert set(np.flatnonzero(side == 0).tolist()) <= {front, front + 1}
        fast.update(fast.draw(u), y)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pair_boundaries(1), r"K must be an integer that is at least 2; got 1"),
        (lambda: pair_boundaries(2.5), r"K must be an integer that is at least 2; got 2.5"),
        (lambda: kt_means([[0, 1]]), r"counts must have two rows, one per outcome; got 1"),
        (lambda: kt_means([0, 1]), r"counts must have 2 dimension"),
        (
            lambda: kt_means([[0, -1], [0, 0]]),
            r"counts must be finite and at least 0; got -1.0 at index \(0, 1\)",
        ),
        (
            lambda: pair_mixture(np.zeros((2, 3)), inner_grid(3)),
            r"counts must have one column per grid point \(2\); got 3",
        ),
        (
            lambda: pair_mixture(np.zeros((2, 4)), full_grid(3)),
            r"grid must be inner_grid\(5\), if it has 4 points; got Grid\(4 points, 'full, K=3'\)",
        ),
        (lambda: Pair(uniform_grid(3)), r"grid must be inner_grid\(5\)"),
        (lambda: FastPair(full_grid(3)), r"grid must be inner_grid\(5\)"),
        (
            lambda: Pair(inner_grid(3), "paper"),
            r"algorithm must be one of 'pair', 'pair-expected'; got 'paper'",
        ),
        (
            lambda: FastPair(inner_grid(3), "pear"),
            r"algorithm must be one of 'pair', 'pair-expected'; got 'pear'",
        ),
    ],
)
def test_bad_settings_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("K", [*range(2, 30), 101, 176])
def test_boundaries_are_correctly_rounded(K):
    with mpmath.workdps(60):
        scale = mpmath.cospi(mpmath.mpf(1) / (2 * K))
        inner = [(1 - mpmath.cospi(mpmath.mpf(2 * i + 1) / (2 * K)) / scale) / 2 for i in range(1, K - 1)]
        assert pair_boundaries(K).tolist() == [0.0, *map(float, inner), 1.0]
