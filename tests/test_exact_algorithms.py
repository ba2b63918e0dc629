"""The algorithms of klcal.exact against the readable package, and against values worked out by hand."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

import klcal
from klcal import grids, measures
from klcal.exact import cells as exact_cells
from klcal.exact import grids as exact_grids
from klcal.exact import learners, markov, rounding
from klcal.exact.balls import Undecided, ball, precision
from klcal.exact.cells import ExactCells, add_draw, add_mixture, error, no_counts, square_cost
from klcal.exact.forecasters import algorithm_1, pair, two_neighbours
from klcal.exact.positions import all_positions, next_round, play
from klcal.forecasters.baselines import neighbour_mixture
from klcal.forecasters.learners import beta_mean
from klcal.forecasters.markov import closed_classes, stationary
from klcal.forecasters.pair import pair_mixture
from klcal.games import dual_game
from klcal.grids import rounding as float_rounding
from klcal.losses import log
from klcal.measures.cells import Cells

counts_of_three = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=3).map(tuple)


def dense(mixture, size):
    """Return a mixture as floats."""
    shares = np.zeros(size)
    for i, share in mixture.items():
        shares[i] = float(ball(share).mid())
    return shares


# --- grids ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("K", [2, 3, 4, 5, 6, 12, 43])
@precision(128)
def test_points_and_borders_are_those_of_the_package(K):
    for exact, floats in (
        (exact_grids.inner_grid, grids.inner_grid),
        (exact_grids.full_grid, grids.full_grid),
        (exact_grids.uniform_grid, grids.uniform_grid),
    ):
        assert [float(ball(z)) for z in exact(K)] == pytest.approx(
            floats(K).points.tolist(), abs=2e-16, rel=0
        )
    for nearest in exact_grids.NEAREST:
        found = exact_grids.borders(exact_grids.inner_grid(K), nearest)[1:-1]
        expected = dual_game.borders(grids.inner_grid(K), nearest)
        assert [float(m) for m in found] == pytest.approx(expected.tolist(), abs=1e-15, rel=0)


@pytest.mark.parametrize("K", range(2, 25))
def test_rational_points_and_the_middle_border_are_exact(K):
    rational = {F(1, 3): F(1, 4), F(1, 2): F(1, 2), F(2, 3): F(3, 4)}
    for i, z in enumerate(exact_grids.inner_grid(K), start=1):
        assert z.is_exact() == (F(i, K) in rational)
        assert not z.is_exact() or z == float(rational[F(i, K)])
    for nearest in exact_grids.NEAREST:
        inner = exact_grids.borders(exact_grids.inner_grid(K), nearest)[1:-1]
        assert [i for i, m in enumerate(inner) if m == 0.5] == ([(K - 3) // 2] if K % 2 and K > 1 else [])


def test_border_of_fractions_that_are_not_mirror_images_is_not_a_half():
    low, high = F(1, 4), F(7, 10)
    assert exact_grids.border(low, high, "euclid") == F(19, 40)
    middle = exact_grids.border(low, high, "kl")
    divergence = exact_cells.divergence
    assert divergence(middle, low).overlaps(divergence(middle, high))
    assert not middle.overlaps(arb(0.5))


def test_borders_are_equally_far_in_their_sense():
    for low, high in zip(exact_grids.full_grid(7), exact_grids.full_grid(7)[1:], strict=False):
        m = exact_grids.border(low, high, "chi-square")
        chi = [(m - z) ** 2 / exact_grids.variance(z) for z in (low, high)]
        assert chi[0].overlaps(chi[1])
        m = exact_grids.border(low, high, "kl")
        assert exact_cells.divergence(m, low).overlaps(exact_cells.divergence(m, high))


def test_worst_divergence_is_the_bound_of_the_package():
    for K in (2, 3, 4, 9, 30):
        with precision(128):
            inner = exact_grids.worst_divergence(exact_grids.inner_grid(K))
            full = exact_grids.worst_divergence(exact_grids.full_grid(K))
        assert float(inner) == pytest.approx(klcal.bounds.comparator_error_inner(K), rel=1e-13)
        assert float(full) == pytest.approx(klcal.bounds.comparator_error(K, version="best"), rel=1e-12)


def test_worst_divergence_looks_at_both_ends():
    divergence = exact_cells.divergence
    assert exact_grids.worst_divergence((F(1, 10), F(1, 5))).overlaps(divergence(1, F(1, 5)))
    assert exact_grids.worst_divergence((F(4, 5), F(9, 10))).overlaps(divergence(0, F(4, 5)))


# --- cells ------------------------------------------------------------------------------------------------


@given(counts_of_three)
def test_errors_are_those_of_the_package(counts):
    points = F(1, 8), F(1, 2), F(2, 3)
    mass = [zeros + ones for zeros, ones in counts]
    floats = Cells([float(z) for z in points], mass, [ones for _, ones in counts])
    assert float(ball(error(points, counts))) == pytest.approx(measures.kl_calibration(floats), abs=1e-13)
    expected = measures.calibration_error(floats)
    assert float(error(points, counts, square_cost)) == pytest.approx(expected, abs=1e-13)


@given(st.lists(st.tuples(st.sampled_from((F(0), F(1, 3), F(1))), st.integers(0, 1)), min_size=1, max_size=8))
def test_exact_cells_have_the_errors_of_their_floats(rounds):
    forecasts, outcomes = zip(*rounds, strict=True)
    exact = ExactCells.from_rounds(exact_cells.point_masses(*forecasts), outcomes)
    for order in (1, 2, 3):
        found = measures.calibration_error(exact.as_floats(), order)
        assert found == pytest.approx(float(exact.calibration_error(order)), abs=1e-14)


def test_kl_calibration_of_exact_cells():
    exact = ExactCells((F(1, 4), F(1, 2)), (F(3, 2), F(2)), (F(1, 2), F(2)))
    assert float(exact.kl_calibration()) == pytest.approx(measures.kl_calibration(exact.as_floats()))


def test_divergence_takes_0_log_0_for_0():
    assert exact_cells.divergence(0, F(1, 4)).overlaps(-(arb(3) / 4).log())
    for rho, p in product((0.0, 0.3, 1.0), (0.2, 0.9)):
        found = exact_cells.divergence(arb(rho), arb(p))
        assert float(found) == pytest.approx(float(log.divergence(rho, p)), rel=1e-13)


# --- rounding, chains -------------------------------------------------------------------------------------

SCHEMES = (
    (rounding.log_rounding, float_rounding.log_rounding),
    (rounding.nearest_rounding, float_rounding.nearest_rounding),
)


@pytest.mark.parametrize(("exact", "floats"), SCHEMES)
@pytest.mark.parametrize("K", [2, 3, 6])
def test_rounding_is_that_of_the_package(exact, floats, K):
    points = exact_grids.full_grid(K)
    for w in (F(k, 48) for k in range(49)):
        shares = dense(exact(w, points), K + 1)
        assert shares == pytest.approx(floats(float(w), grids.full_grid(K)), abs=1e-13)


def test_rounding_keeps_rational_points_and_raises_where_a_ball_cannot_tell():
    points = exact_grids.full_grid(6)
    assert rounding.log_rounding(F(1, 4), points) == {2: 1}
    with pytest.raises(Undecided):
        rounding.log_rounding(arb(0.25, 1e-9), points)


def test_log_rounding_makes_the_mean_of_p_over_q_the_same_for_both_outcomes():
    points, p = (F(1, 5), F(1, 2)), F(2, 5)
    shares = rounding.log_rounding(p, points)
    assert sum(shares.values()) == 1
    ones, zeros = (
        sum(share * of(p) / of(points[i]) for i, share in shares.items()) for of in (F, lambda q: 1 - q)
    )
    assert ones == zeros


chains = st.integers(1, 5).flatmap(
    lambda n: st.lists(
        st.lists(st.integers(0, 3), min_size=n, max_size=n).filter(any), min_size=n, max_size=n
    )
)


@given(chains)
def test_stationary_distribution_is_a_fixed_point_and_that_of_the_package(rows):
    chain = [{j: F(x, sum(row)) for j, x in enumerate(row) if x} for row in rows]
    found = markov.stationary(chain)
    assert sum(found.values()) == 1
    assert markov.imbalance(found, chain) == 0
    matrix = np.array([dense(row, len(rows)) for row in chain])
    assert markov.closed_classes(chain) == [tuple(members.tolist()) for members in closed_classes(matrix)]
    assert dense(found, len(rows)) == pytest.approx(stationary(matrix), abs=1e-12)
    in_balls = markov.stationary([{j: ball(p) for j, p in row.items()} for row in chain])
    assert all(ball(in_balls[i]).overlaps(ball(share)) for i, share in found.items())


# --- learners ---------------------------------------------------------------------------------------------


def test_learners_play_the_means_of_the_package():
    for zeros, ones in product(range(6), range(6)):
        assert float(learners.beta_mean(zeros, ones)) == pytest.approx(float(beta_mean(ones, zeros)))
    assert learners.beta_mean(arb(1), arb(2)).overlaps(ball(F(3, 5)))


@pytest.mark.parametrize("prior", [learners.LAPLACE, learners.KT])
def test_probability_of_a_sequence_does_not_depend_on_its_order(prior):
    for outcomes in product((0, 1), repeat=5):
        probability, seen = F(1), [0, 0]
        for y in outcomes:
            w = learners.beta_mean(*seen, prior)
            probability *= w if y else 1 - w
            seen[y] += 1
        assert probability == learners.sequence_probability(*seen, prior)
        assert probability <= learners.best_probability(*seen)


def test_best_loss_is_minus_the_logarithm_of_the_best_probability():
    for zeros, ones in ((3, 4), (0, 2), (5, 0)):
        best = -ball(learners.best_probability(zeros, ones)).log()
        assert learners.best_loss(zeros, ones).overlaps(best)


# --- forecasters ------------------------------------------------------------------------------------------


@given(counts_of_three)
def test_mixtures_are_those_of_the_package(counts):
    columns = np.transpose(counts)
    realised = klcal.minimax.RULES["realised"].mixtures(grids.full_grid(2), 20)
    flat = np.array([np.ravel(counts)])
    assert dense(algorithm_1(exact_grids.full_grid(2))(counts), 3) == pytest.approx(
        realised(flat)[0], abs=1e-12
    )
    found = dense(pair(exact_grids.inner_grid(4))(counts), 3)
    assert found == pytest.approx(pair_mixture(columns, grids.inner_grid(4)), abs=1e-12)
    assert dense(two_neighbours(exact_grids.uniform_grid(2))(counts), 3) == pytest.approx(
        neighbour_mixture(columns), abs=1e-14
    )


def test_pair_at_three_by_hand():
    rule = pair((F(1, 4), F(3, 4)))
    # Means 5/6 and 1/4 balance at 1/2 with weights 3/7 and 4/7.
    assert rule(((0, 2), (1, 0))) == {0: F(3, 7), 1: F(4, 7)}
    assert rule(((0, 2), (0, 1))) == {1: 1}


@pytest.mark.parametrize("K", [2, 3, 5])
def test_expected_feedback_is_the_game_of_run(K):
    for outcomes in product((0, 1), repeat=5):
        with precision(128):
            position = play(exact_grids.full_grid(K), outcomes)
        game = klcal.run(outcomes, K, rng=0).expected
        assert [float(ball(m)) for m in position.mass] == pytest.approx(game.mass.tolist(), abs=1e-12)
        assert float(position.error()) == pytest.approx(measures.kl_calibration(game), abs=1e-12)


def test_pair_with_expected_feedback_is_the_game_of_run():
    points = F(1, 4), F(3, 4)
    rule = pair(points, prior=learners.LAPLACE)
    for outcomes in product((0, 1), repeat=6):
        weights = no_counts(2)
        for y in outcomes:
            weights = add_mixture(weights, rule(weights), y)
        game = klcal.run(outcomes, 3, "pair-expected", rng=0).expected
        assert [float(sum(cell)) for cell in weights] == pytest.approx(game.mass.tolist(), abs=1e-12)


def test_error_of_a_position_is_regrets_plus_rounding_if_mixtures_are_stationary():
    def first_row(rows):
        return rows[0]

    with precision(128):
        points = exact_grids.full_grid(4)
        for position in all_positions(points, 4):
            parts = sum((*position.regrets(), *position.paid), arb(0))
            assert abs(position.error() - parts) < 1e-30
            assert ball(position.imbalance) < 1e-30
        bad = play(points, (1, 1, 0), mix=first_row)
        assert ball(bad.imbalance) > 0.1


def test_regrets_after_two_ones_by_hand():
    position = play(exact_grids.full_grid(2), (1, 1))
    # The learner of 1/2 plays 1/2 and then 2/3; the best constant, 1, loses nothing.
    p = position.weights[1][1] - 1
    expected = [arb(0), arb(2).log() + p * ball(F(3, 2)).log(), (1 - p) * arb(2).log()]
    assert all(found.overlaps(truth) for found, truth in zip(position.regrets(), expected, strict=True))


def test_first_mixture_is_the_rounded_half():
    for K in (2, 4, 6):
        assert next_round(no_counts(K + 1), exact_grids.full_grid(K)).mixture == {K // 2: 1}
    for K in (3, 5):
        shares = next_round(no_counts(K + 1), exact_grids.full_grid(K)).mixture
        assert list(shares) == [(K - 1) // 2, (K + 1) // 2]
        assert all(share.overlaps(arb(0.5)) for share in shares.values())


def test_adding_draws_counts_and_adding_mixtures_weighs():
    counts = add_draw(add_draw(no_counts(2), 0, 1), 0, 0)
    assert counts == ((1, 1), (0, 0))
    assert add_mixture(counts, {0: F(1, 4), 1: F(3, 4)}, 0) == ((F(5, 4), 1), (F(3, 4), 0))
