"""The claims on explicit algorithms hold, notice every change of a bound, and their parts agree with naive versions."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import naive_bounds_explicit as naive
import numpy as np
import pytest
from flint import arb

from klcal.claims.explicit import CLAIMS, _common, betting, experts, games, rates, transfer
from klcal.exact.balls import lower, precision, upper
from klcal.forecasters.pair import kt_means, pair_boundaries, pair_mixture
from klcal.grids import inner_grid

BY_LABEL = {claim.label: claim for claim in CLAIMS}


def test_labels_are_new_and_unique():
    assert len(BY_LABEL) == len(CLAIMS)
    assert all(label.startswith("new:") for label in BY_LABEL)
    assert all(claim.chapter == "08_explicit_algorithms" for claim in CLAIMS)


# ----- cells -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("K", [2, 3, 4, 9, 30])
def test_boundaries_are_those_of_the_algorithm_and_of_the_weighted_mean(K):
    with precision(128):
        exact = _common.boundaries(K)
        assert all(
            upper(abs(arb(float(m)) - e)) < 1e-15 for m, e in zip(pair_boundaries(K), exact, strict=True)
        )
    assert [float(e.mid()) for e in exact] == pytest.approx(
        [float(m) for m in naive.boundaries(K)], abs=1e-15
    )
    assert all(low < high for low, high in pairwise(exact))


def test_the_divergence_to_a_cell_is_zero_inside_and_to_the_nearer_end_outside():
    cell = arb("0.25"), arb("0.5")
    assert upper(abs(_common.to_cell(arb("0.3"), *cell))) < 1e-15
    assert _common.to_cell(arb(1), *cell).overlaps(arb(2).log())
    assert _common.to_cell(arb(0), *cell).overlaps((arb(4) / 3).log())


@pytest.mark.parametrize(("ones", "zeros"), [(0, 1), (2, 0), (3, 4)])
def test_the_kt_probability_is_a_product_of_means(ones, zeros):
    probability, counts = Fraction(1), [0, 0]
    for y in [1, 0] * min(ones, zeros) + [1] * (ones - min(ones, zeros)) + [0] * (zeros - min(ones, zeros)):
        probability *= Fraction(2 * counts[y] + 1, 2 * (sum(counts) + 1))
        counts[y] += 1
    assert _common.kt_probability(ones, zeros) == probability


# ----- games at K = 3 --------------------------------------------------------------------------------------
def states(longest):
    return (state for state in product(range(longest), repeat=4) if sum(state) < longest)


def test_moves_in_fractions_are_those_of_the_algorithm():
    grid = inner_grid(3)
    for state in states(9):
        counts = np.array([[state[0], state[2]], [state[1], state[3]]])
        exact = dict.fromkeys((0, 1), 0.0) | {i: float(p) for i, p, _ in games.moves(state)}
        assert pair_mixture(counts, grid) == pytest.approx([exact[0], exact[1]], abs=1e-15)
        means = [float(games.mean(*state[:2])), float(games.mean(*state[2:]))]
        assert kt_means(counts) == pytest.approx(means, rel=1e-15)


def test_moves_in_fractions_are_those_of_the_naive_algorithm():
    for state in states(7):
        expected = naive.pair_mixture([list(state[:2]), list(state[2:])], 3)
        exact = games.moves(state)
        assert [i for i, _, _ in exact] == [i for i, _ in expected]
        assert [float(p) for _, p, _ in exact] == pytest.approx([p for _, p in expected])


def test_the_worst_expectation_is_that_of_enumeration():
    T = 3

    def value(state, left):
        if left == 0:
            return naive.kl_calibration([list(state[:2]), list(state[2:])], 3)
        return max(
            sum(float(p) * value(games.after(state, i, y), left - 1) for i, p, _ in games.moves(state))
            for y in (0, 1)
        )

    assert float(games.worst_expectation(games.kl_calibration, T).mid()) == pytest.approx(
        value(games.START, T)
    )


# ----- experts ---------------------------------------------------------------------------------------------
def test_experts_at_three_cells_are_the_fractions_of_the_exact_game():
    factors = experts.experts(arb(0), arb(1) / 2, 9)
    exact = [(float(miss.mid()), float(hit.mid())) for miss, hit in factors]
    assert exact == [(float(miss), float(hit)) for miss, hit in experts._UP]


@pytest.mark.parametrize(("u", "T"), [(0.5, 16), (0.1, 100), (0.9, 50)])
def test_the_number_of_upward_experts_is_the_least_that_is_enough(u, T):
    J = experts.upward(arb(u), T)
    assert 4**J * u >= T * (1 - u) > 4 ** (J - 1) * u


# ----- transfer --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("T", "K", "delta"), [(1, 2, 1.0), (32, 3, 0.05), (33, 3, 0.05), (10**6, 42, 1e-9)])
def test_the_exponents_are_counted_as_in_the_naive_version(T, K, delta):
    with precision(128):
        assert len(transfer.exponents(T, K, delta)) == naive.exponents(T, K, delta)


def test_the_exponents_reach_below_the_smallest_that_matters():
    with precision(128):
        values = transfer.exponents(1000, 5, 0.1)
        smallest = (arb(2) / 1000).sqrt()
        assert min(upper(x) for x in values if x > 0) <= lower(smallest)
        assert max(lower(x) for x in values if x < 0) >= -upper(smallest)


# ----- rates -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("T", [1, 2, 3, 4, 100])
def test_phases_add_up_as_in_the_naive_version(T):
    assert float(rates._phases(T).mid()) == pytest.approx(float(naive.anytime(T, 1.0)), rel=1e-14)


def test_compositions_are_all_of_them():
    found = list(betting._compositions(4, 3))
    assert len(found) == len(set(found)) == 15
    assert all(sum(parts) == 4 for parts in found)
