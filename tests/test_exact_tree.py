"""The tree in fractions against the package, and its certified constants against plain sums."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from klcal.exact.tree import State, after, mixture, reachable, worst_tree
from klcal.exact.tree_constants import (
    _closed_ratio,
    deepest_level,
    largest_knapsack_ratio,
    node_cost,
    swap_cost,
)
from klcal.forecasters import FastTree, most_nodes, tree_capacity
from klcal.measures import kl_calibration


@pytest.mark.parametrize("algorithm", ["tree", "tree-plain"])
@pytest.mark.parametrize("seed", range(5))
def test_a_game_in_fractions_is_the_game_of_the_package(algorithm, seed):
    rng, state, tree = np.random.default_rng(seed), State(), FastTree(algorithm)
    for uniform, y in zip(rng.random(40), rng.integers(0, 2, 40).tolist(), strict=True):
        exact = mixture(state, weighted=algorithm == "tree")
        assert {i: float(p) for i, p in exact.items()} == pytest.approx(
            {i: p for i, p in enumerate(tree.mixture().tolist()) if p > 0}, rel=1e-12
        )
        i = tree.draw(uniform)
        state = after(state, i, y)
        tree.update(i, y)
    assert [b.node for b in state.active] == tree.nodes()
    assert math.log(state.product) == pytest.approx(tree.log_total_wealth(), abs=1e-12)


def test_the_worst_case_is_no_smaller_than_what_any_path_of_outcomes_pays():
    T = 6
    for number in range(2**T):
        outcomes = [(number >> t) & 1 for t in range(T)]
        states = [(Fraction(1), State())]
        for y in outcomes:
            states = [(q * p, after(s, i, y)) for q, s in states for i, p in mixture(s).items()]
        mean = sum(
            float(q)
            * sum(
                math.fsum(
                    k * math.log(k / (b.zeros + b.ones) / z)
                    for k, z in ((b.ones, b.node.point), (b.zeros, 1 - b.node.point))
                    if k
                )
                for b in (*s.active, *s.full)
            )
            for q, s in states
        )
        assert mean <= float(worst_tree(T)) + 1e-12


def test_states_are_met_once_and_grow_with_the_rounds():
    assert [len(list(reachable(T))) for T in (1, 2, 4)] == [1, 3, 15]
    assert len(set(reachable(5))) == len(list(reachable(5)))


def test_the_deepest_level_needs_full_ancestors():
    for T in range(1, 400):
        L = deepest_level(T)
        assert sum(tree_capacity(level) for level in range(L)) <= T or tree_capacity(
            L - 1
        ) < T <= tree_capacity(L)
        assert most_nodes(T) < 2 ** (L + 2)


def naive_swap_cost(T, expected):
    """The same sums in floats; water filling by bisection."""
    L = deepest_level(T)
    learner = math.log(1 + T) if expected else 0.5 * math.log(4 * T)
    allowance = math.log(2 ** (L + 1) * (L + 1) * (L + 2)) + learner
    caps = [tree_capacity(level) + expected for level in range(1, L + 1)]
    low, high = 0.0, float(T)
    for _ in range(200):
        level = (low + high) / 2
        low, high = (level, high) if sum(3 * min(cap, level) for cap in caps) < T else (low, level)
    roots = sum(3 * math.sqrt(min(cap, low)) for cap in caps)
    rest, chain = T, 0.0
    for depth, cap in enumerate(caps, start=1):
        chain += min(cap, rest) * math.pi / 2 ** (depth + 1) / 2
        rest -= min(cap, rest)
    far = 0.0
    for depth in range(1, L + 1):
        parents = min(T // tree_capacity(depth - 1), 2 ** (depth - 1))
        far += allowance * 2**depth / math.pi * sum(1 / i for i in range(1, parents))
    return 4 * (0.5 + math.sqrt(allowance) * roots + chain + far)


@pytest.mark.parametrize("expected", [False, True])
@pytest.mark.parametrize("T", [2, 3, 13, 320, 5361, 65_589, 10**6])
def test_the_swap_cost_is_its_three_sums(T, expected):
    assert float(swap_cost(T, expected=expected)) == pytest.approx(naive_swap_cost(T, expected), rel=1e-9)


@pytest.mark.parametrize("expected", [False, True])
def test_the_closed_form_lies_above_the_sums(expected):
    for L in (12, 25, 40):
        for tau in (1.0, 1.9, 2.0, 3.7):
            T = int(tau * tree_capacity(L - 1)) + 1
            closed = _closed_ratio(1 / arb(L), arb(L).log() / L, arb(tau).log(), expected=expected)
            assert float(swap_cost(T, expected=expected)) <= float(closed) * math.sqrt(T * math.log(T))


def test_the_knapsack_is_the_dearest_way_to_use_nodes():
    """Fill whole levels by hand, in floats; at T = 2 a quarter of level 1."""

    def over_rate(T, value):
        return value / (T ** (1 / 3) * math.log(T) ** (2 / 3))

    T, value, ratios = 0, float(node_cost(0)), []
    for level in range(20):
        gain = 2 ** (level + 1) * float(node_cost(level + 1))
        ratios += [over_rate(2, value + gain / 4)] if level == 1 else []
        T, value = T + 2**level * tree_capacity(level), value + gain
        ratios += [over_rate(T, value)] if T > 1 else []
    assert largest_knapsack_ratio() == pytest.approx(max(ratios), rel=1e-12)


def test_kl_calibration_of_the_package_is_that_of_the_fractions():
    rng, state, tree = np.random.default_rng(3), State(), FastTree("tree")
    for uniform, y in zip(rng.random(30), rng.integers(0, 2, 30).tolist(), strict=True):
        i = tree.draw(uniform)
        state = after(state, i, y)
        tree.update(i, y)
    pairs = {b.node.point: (b.zeros + b.ones, b.ones) for b in (*state.active, *state.full)}
    cells = tree.realised
    assert {z: pairs[z] for z in cells.points.tolist()} == {
        z: (int(n), int(k))
        for z, n, k in zip(cells.points.tolist(), cells.mass.tolist(), cells.ones.tolist(), strict=True)
    }
    assert kl_calibration(cells) > 0
