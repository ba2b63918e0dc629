"""Stationary distributions: fixed points, closed classes, periodic and nearly reducible chains."""

from __future__ import annotations

from fractions import Fraction

import naive_engine
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from klcal.forecasters.markov import closed_classes, gth, stationary


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


@given(chains())
def test_closed_classes_agree_with_transitive_closure(Q):
    assert [c.tolist() for c in closed_classes(Q)] == naive_engine.closed_classes(Q.tolist())


@given(chains())
def test_stationary_distribution_lives_exactly_on_the_lowest_class(Q):
    assert np.flatnonzero(stationary(Q)).tolist() == naive_engine.closed_classes(Q.tolist())[0]


@given(chains())
def test_stationary_distribution_agrees_with_least_squares(Q):
    np.testing.assert_allclose(stationary(Q), naive_engine.stationary(Q), atol=1e-12)


def test_periodic_chain_has_its_fixed_point():
    cycle = np.roll(np.eye(3), 1, axis=1)
    assert stationary(cycle).tolist() == [1 / 3] * 3


def test_nearly_reducible_chain_keeps_every_digit():
    e = 1e-15
    chain = [[1 - e, e, 0], [e / 2, 1 - e, e / 2], [0, e, 1 - e]]
    np.testing.assert_allclose(gth(chain), [0.25, 0.5, 0.25], rtol=1e-15)


def test_gth_matches_exact_fractions():
    Q = [
        [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)],
        [Fraction(1, 4), 0, Fraction(3, 4)],
        [Fraction(1), 0, 0],
    ]
    # Solved by hand: p0 = p0/2 + p1/4 + p2, p1 = p0/3.
    exact = [Fraction(12, 21), Fraction(4, 21), Fraction(5, 21)]
    assert sum(exact) == 1
    assert all(sum(exact[i] * Q[i][j] for i in range(3)) == exact[j] for j in range(3))
    np.testing.assert_allclose(gth(np.array(Q, dtype=float)), [float(x) for x in exact], rtol=1e-15)


@given(chains().filter(lambda Q: len(naive_engine.closed_classes(Q.tolist())[0]) <= 3))
def test_closed_forms_of_small_classes_agree_with_elimination(Q):
    members = closed_classes(Q)[0]
    block = Q[np.ix_(members, members)]
    np.testing.assert_allclose(stationary(block), gth(block), rtol=1e-14)


def test_small_nearly_reducible_chains_keep_every_digit():
    e = 1e-15
    chain = [[1 - e, e, 0], [e / 2, 1 - e, e / 2], [0, e, 1 - e]]
    np.testing.assert_allclose(stationary(chain), [0.25, 0.5, 0.25], rtol=1e-15)
    np.testing.assert_allclose(stationary([[1 - e, e], [3 * e, 1 - 3 * e]]), [0.75, 0.25], rtol=1e-15)


def test_one_state_chain():
    assert stationary([[1.0]]).tolist() == [1.0]


def test_gth_refuses_a_reducible_chain():
    with pytest.raises(ValueError, match=r"Q must be irreducible; got closed classes \[\[0\], \[1\]\]"):
        gth(np.eye(2))


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
@pytest.mark.parametrize("function", [stationary, closed_classes, gth])
def test_matrices_that_are_not_stochastic_are_refused(function, Q, message):
    with pytest.raises(ValueError, match=message):
        function(Q)
