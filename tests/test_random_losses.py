"""Losses with piecewise constant curvature, and losses drawn at random."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from klcal.losses import log, random_proper_loss, squared, stepped

EIGHTHS = [k / 8 for k in range(9)]
shapes = st.lists(st.integers(0, 9), min_size=1, max_size=6).filter(any)


def loss_of(heights):
    return stepped(np.arange(len(heights) + 1) / len(heights), heights)


def exact_divergence(edges, bends, rho, p):
    """Integrate |rho - u| against the steps between p and rho, in fractions."""
    low, high = min(rho, p), max(rho, p)
    total = Fraction(0)
    for (begin, end), bend in zip(pairwise(edges), bends, strict=True):
        a, b = max(begin, low), min(end, high)
        if a < b:
            total += bend * (b - a) * abs(rho - (a + b) / 2)
    return total


def test_one_step_is_twice_the_squared_loss_less_one():
    loss = stepped([0, 1], [7])
    for p in EIGHTHS:
        for y in (0, 1):
            assert loss(p, y) == pytest.approx(2 * squared(p, y) - 1, abs=1e-15)
    assert loss.divergence(0.75, 0.25) == 0.5 and loss.curvature(0.3) == 4.0
    assert (loss.kl_constant, loss.quadratic_constant) == (1.0, 2.0)


def test_two_steps_by_hand():
    # Weights 0 and 1: the bend is h on [1/2, 1], with integral of u equal to 3h/8 = 2.
    loss = stepped([0, 0.5, 1], [0, 1])
    h = 16 / 3
    assert loss.curvature([0.25, 0.5, 0.75]).tolist() == pytest.approx([0, h, h])
    assert loss.divergence(1.0, 0.0) == pytest.approx(h / 8)
    assert loss.divergence(0.5, 0.0) == 0.0
    assert loss.kl_constant == pytest.approx(h / 4) and loss.quadratic_constant == pytest.approx(h / 2)
    assert (loss(0.0, 0), loss(1.0, 0)) == pytest.approx((-1.0, 1.0))


@given(shapes, st.sampled_from(EIGHTHS), st.sampled_from(EIGHTHS))
@example([1, 0, 3], 0.0, 1.0)
@example([1, 0, 3], 0.25, 0.25)
def test_divergence_is_the_integral_of_the_steps(heights, rho, p):
    loss = loss_of(heights)
    edges, bends = (list(map(Fraction, part)) for part in (loss.form.edges, loss.form.bends))
    truth = exact_divergence(edges, bends, Fraction(rho), Fraction(p))
    assert loss.divergence(rho, p) == pytest.approx(float(truth), rel=1e-14, abs=0)
    # and what the loss itself costs more than the truth
    costs = [rho * loss(q, 1) + (1 - rho) * loss(q, 0) for q in (p, rho)]
    assert costs[0] - costs[1] == pytest.approx(float(truth), abs=1e-14)


@given(shapes)
@example([1])
@example([0, 0, 1])
@example([5, 0, 0])
def test_a_stepped_loss_is_proper_and_fills_its_range(heights):
    loss = loss_of(heights)
    p = np.linspace(0, 1, 33)
    assert (np.diff(loss.slope(p)) <= 1e-12).all()
    assert max(-loss.lower, loss.upper) == pytest.approx(1.0, abs=1e-14)
    for y in (0, 1):
        np.testing.assert_allclose(loss(p, y), loss.entropy(p) + loss.slope(p) * (y - p), atol=1e-14)
    inside = (p > 0) & (p < 1)
    differences = np.diff(loss.entropy(p)) * 32
    assert (differences <= loss.slope(p)[:-1] + 1e-12).all() and (
        differences >= loss.slope(p)[1:] - 1e-12
    ).all()
    assert (loss.curvature(p[inside]) >= 0).all()


@given(shapes, st.floats(0, 1), st.floats(0.001, 0.999))
def test_constants_of_a_stepped_loss_bound_its_divergence(heights, rho, p):
    loss = loss_of(heights)
    divergence = loss.divergence(rho, p)
    assert divergence <= loss.kl_constant * log.divergence(rho, p) * (1 + 1e-12)
    assert divergence <= loss.quadratic_constant * (rho - p) ** 2 * (1 + 1e-12)


@settings(max_examples=30)
@given(shapes)
def test_constants_of_a_stepped_loss_are_attained_in_the_limit(heights):
    loss = loss_of(heights)
    n = len(heights)
    # On each step p(1 - p) is largest at the point nearest to 1/2.
    mids = np.clip(0.5, np.arange(n) / n + 1e-7, np.arange(1, n + 1) / n - 1e-7)
    d = 1e-8
    ratios = loss.divergence(mids + d, mids) / log.divergence(mids + d, mids)
    assert ratios.max() == pytest.approx(loss.kl_constant, rel=1e-5)
    assert (loss.divergence(mids + d, mids) / d**2).max() == pytest.approx(loss.quadratic_constant, rel=1e-6)


@pytest.mark.parametrize("kind", ["steps", "kinks"])
def test_a_random_loss_fills_the_range_and_is_proper(kind, seed):
    rng = np.random.default_rng(seed)
    rho, p = rng.random((2, 200))
    for pieces in (1, 2, 7):
        loss = random_proper_loss(kind, pieces, rng=rng)
        assert max(-loss.lower, loss.upper) == pytest.approx(1.0, abs=1e-13)
        costs = [rho * loss(q, np.ones(200)) + (1 - rho) * loss(q, np.zeros(200)) for q in (p, rho)]
        assert (costs[0] >= costs[1] - 1e-13).all()
        assert math.isfinite(loss.kl_constant) == (kind == "steps")


def test_a_random_loss_is_a_function_of_its_seed_and_can_be_stored():
    first, again, other = (random_proper_loss("steps", 4, rng=seed) for seed in (1, 1, 2))
    assert first == again != other
    assert pickle.loads(pickle.dumps(first)) == first
    assert len(random_proper_loss("kinks", 3, rng=0).form.kinks) == 3
    assert len(first.form.bends) == 4


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: stepped([0, 0.5], [1]), r"edges must increase from 0 to 1; got \[0.0, 0.5\]"),
        (lambda: stepped([0.1, 1], [1]), "edges must increase from 0 to 1"),
        (lambda: stepped([0, 0.5, 0.5, 1], [1, 1, 1]), "edges must increase from 0 to 1"),
        (lambda: stepped([1], []), r"edges must increase from 0 to 1; got \[1.0\]"),
        (lambda: stepped([0, 1], [1, 1]), r"weights must have the length of steps \(1\); got 2"),
        (lambda: stepped([0, 1], [0]), r"weights must not all be 0; got \[0.0\]"),
        (lambda: stepped([0, 1], [-1]), "weights must be finite and at least 0"),
        (lambda: random_proper_loss("smooth"), "kind must be one of 'steps', 'kinks'; got 'smooth'"),
        (lambda: random_proper_loss("steps", 0), "pieces must be an integer that is at least 1; got 0"),
    ],
)
def test_errors_name_argument_rule_and_value(call, message):
    with pytest.raises(ValueError, match=message):
        call()
