"""EWOO: the Beta mean is the integral of Algorithm 3, and its regret is at most log(1 + S)."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from klcal.forecasters.learners import Ewoo, beta_mean


@pytest.mark.parametrize(("ones", "zeros"), [(0, 0), (1, 0), (0.3, 2.7), (12.5, 0.25), (40, 3)])
def test_beta_mean_is_the_ratio_of_integrals(ones, zeros):
    with mpmath.workdps(30):
        weight = lambda w: w**ones * (1 - w) ** zeros  # noqa: E731
        top = mpmath.quad(lambda w: w * weight(w), [0, 0.5, 1])
        bottom = mpmath.quad(weight, [0, 0.5, 1])
        assert float(top / bottom) == pytest.approx(float(beta_mean(ones, zeros)), rel=1e-14)


@given(st.lists(st.integers(0, 1), max_size=50))
def test_unit_weights_give_laplaces_rule(outcomes):
    learner = Ewoo(1)
    for y in outcomes:
        learner.update([1.0], y)
    exact = Fraction(sum(outcomes) + 1, len(outcomes) + 2)
    assert learner.predict()[0] == float(exact)


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 1)), min_size=1, max_size=60))
def test_regret_is_at_most_the_log_of_one_plus_the_total_weight(rounds):
    learner, loss, total = Ewoo(1), 0.0, 0.0
    for weight, y in rounds:
        w = float(learner.predict()[0])
        loss += weight * -math.log(w if y else 1 - w)
        total += weight
        learner.update([weight], y)
    ones, zeros = float(learner.ones[0]), float(learner.zeros[0])
    best = sum(-part * math.log(part / total) for part in (ones, zeros) if part > 0)
    assert loss - best <= math.log(1 + total) + 1e-12


def test_regret_bound_is_attained_by_a_single_certain_round():
    assert -math.log(float(Ewoo(1).predict()[0])) == pytest.approx(math.log(2))


def test_sums_are_compensated():
    learner = Ewoo(1)
    for _ in range(10_000):
        learner.update([0.1], 1)
    assert learner.ones[0] == math.fsum([0.1] * 10_000)
    assert np.cumsum([0.1] * 10_000)[-1] != math.fsum([0.1] * 10_000)


def test_learners_with_weight_zero_stand_still():
    bank = Ewoo(3)
    bank.update([0.1, 0.2, 0.3], 1)
    before = bank.predict()
    bank.update([0.0, 0.5, 0.0], 0)
    after = bank.predict()
    assert after[0] == before[0] and after[2] == before[2] and after[1] < before[1]


def test_reset_forgets_everything():
    bank = Ewoo(2)
    bank.update([1.0, 0.5], 1)
    bank.reset()
    assert bank.predict().tolist() == [0.5, 0.5]


def test_returned_sums_are_copies():
    bank = Ewoo(1)
    bank.ones[0] = 5.0
    assert bank.ones.tolist() == [0.0]


@pytest.mark.parametrize(
    ("weights", "outcome", "message"),
    [
        ([1.0], 1, r"weights must have one entry per learner \(2\); got 1"),
        ([1.0, -0.5], 1, r"weights must be finite and at least 0; got -0.5 at index 1"),
        ([1.0, np.inf], 1, r"weights must be finite and at least 0; got inf at index 1"),
        ([1.0, np.nan], 1, r"weights must not be NaN"),
        ([1.0, 1.0], 2, r"outcome must be 0 or 1; got 2"),
        ([1.0, 1.0], 0.5, r"outcome must be 0 or 1; got 0.5"),
        ([1.0, 1.0], None, r"outcome must hold real numbers"),
    ],
)
def test_bad_rounds_are_refused(weights, outcome, message):
    with pytest.raises(ValueError, match=message):
        Ewoo(2).update(weights, outcome)
