"""The tree: its nodes, its rule, both engines on the same draws, and what its proof promises."""

from __future__ import annotations

import math

import numpy as np
import pytest
from both_engines import EVERY_ADVERSARY, agree_in_every_round, opponent
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st
from naive_weather import kl
from oracles import ENGINES, Tree, made

from klcal import Cells, Forecaster, Grid, _checks, adversaries, bounds, kl_calibration, max_swap_regret, run
from klcal.adversaries import Feed, Jump, View
from klcal.forecasters.tree import (
    TREES,
    FastTree,
    most_nodes,
    tree_capacity,
    tree_levels,
    tree_node,
    tree_nodes,
)

BOTH = pytest.mark.parametrize("engine", ENGINES)
VERSIONS = pytest.mark.parametrize("algorithm", list(TREES))
SEEDS = st.integers(0, 2**32)


@pytest.mark.parametrize("level", range(13))
def test_cells_and_forecasts_are_correctly_rounded(level):
    """A ball of 300 bits around the exact number lies between the midpoints to the neighbouring floats."""
    for j in {0, 1, 2**level // 3, 2**level // 2, 2**level - 1} & set(range(2**level)):
        node = tree_node(level, j)
        with ctx.workprec(300):
            ends = [(1 - arb.cos_pi_fmpq(fmpq(k, 2**level))) / 2 for k in (j, j + 1)]
            for exact, found in (
                *zip(ends, (node.lower, node.upper), strict=True),
                (sum(ends) / 2, node.point),
            ):
                below = (arb(found) + arb(float(np.nextafter(found, -1.0)))) / 2
                above = (arb(found) + arb(float(np.nextafter(found, 2.0)))) / 2
                assert below < exact < above


@pytest.mark.parametrize("level", range(10))
def test_children_halve_their_cell(level):
    for node in (tree_node(level, j) for j in range(2**level)):
        left, right = node.children()
        assert (left.lower, right.upper) == (node.lower, node.upper) and left.upper == right.lower


def test_a_node_must_be_one_of_its_level():
    with pytest.raises(ValueError, match=r"position must be below 2\*\*level = 4; got 4"):
        tree_node(2, 4)


@VERSIONS
@BOTH
def test_the_first_rounds_by_hand(algorithm, engine):
    """1/2 once; then its children have the mean 1/2, which lies in both cells, and the lower one is forecast."""
    tree = made(None, algorithm, engine)
    assert tree.grid.points.tolist() == [0.5] and tree.mixture().tolist() == [1.0]
    tree.update(0, 1)
    assert tree.grid.points.tolist() == [0.25, 0.75] and tree.mixture().tolist() == [1.0, 0.0]
    tree.update(0, 1)  # the mean of the lower one is now 3/4 (2/3), above its cell
    assert tree.mixture().tolist() == [0.0, 1.0]
    tree.update(1, 0)  # now both are outside: as far from 1/2, and without wealth
    assert tree.mixture() == pytest.approx([0.5, 0.5], rel=1e-15)
    assert tree.realised == Cells([0.25, 0.5, 0.75], [1, 1, 1], [1, 1, 0])


@BOTH
def test_the_weighted_coin_by_hand(engine):
    """After 1/2, then a pair round at the boundary 1/2: the drawn node has wealth 3/2 or 1/2, a share of 1/12."""
    tree = made(None, "tree", engine)
    for index, y in ((0, 1), (0, 1), (1, 0), (0, 1)):
        tree.update(index, y)
    # The lower child has had two rounds: it is full, with wealth (3/4)/(1/2); the product of wealths is the same.
    assert tree.log_total_wealth() == pytest.approx(math.log(3 / 2), rel=1e-15)
    assert [node.level for node in tree.nodes()] == [2, 2, 1]
    assert tree.leanings().tolist() == [0.5, 0.5, 0.25]
    # The mean 1/2 is above the first cell and in the second.
    assert tree.mixture().tolist() == [0.0, 1.0, 0.0]
    tree.update(1, 1)
    # Means 3/4 above 1/2, with wealth 1 and share 1/48; 1/4 below 1/2, with wealth 1 and share 1/12; product 3/2.
    left, right = (3 / 2 + 1 / 48) / 4, (3 / 2 + 1 / 12) / 4
    assert tree.mixture() == pytest.approx([0.0, right / (left + right), left / (left + right)], rel=1e-15)


@VERSIONS
@given(outcomes=st.lists(st.integers(0, 1), max_size=200), seed=SEEDS)
def test_at_most_two_means_lie_in_their_cells(algorithm, outcomes, seed):
    """Why two slots suffice for them in the compiled engine."""
    tree = FastTree(algorithm)
    for u, y in zip(_checks.draws(seed).random(len(outcomes)), outcomes, strict=True):
        means = zip(tree.nodes(), tree.leanings(), strict=True)
        inside = [node.lower <= m <= node.upper for node, m in means]
        assert sum(inside) == tree.bank.control["inside"].item() <= 2
        tree.update(tree.draw(u), y)


@VERSIONS
@given(outcomes=st.lists(st.integers(0, 1), max_size=150), seed=SEEDS)
def test_both_engines_agree_to_the_last_bit_in_every_round(algorithm, outcomes, seed):
    names = "leanings mixture weights counts numbers nodes log_wealths log_total_wealth"
    agree_in_every_round(Tree(algorithm), FastTree(algorithm), outcomes, seed, same=names.split())


def test_who_knows_no_horizon_gets_the_tree():
    y = adversaries.bernoulli(100, 0.25, rng=1)
    forecaster = Forecaster(rng=7)
    for outcome in y:
        forecaster.update(outcome)
    assert forecaster.realised == run(y, algorithm="tree", rng=7).realised
    assert Forecaster(100).grid == Forecaster(100, algorithm="paper").grid != Forecaster().grid


@VERSIONS
@given(outcomes=st.lists(st.integers(0, 1), min_size=1, max_size=200), seed=SEEDS)
def test_no_node_has_more_rounds_than_its_capacity_and_its_parent_is_full(algorithm, outcomes, seed):
    tree = FastTree(algorithm)
    for u, y in zip(np.random.default_rng(seed).random(len(outcomes)), outcomes, strict=True):
        tree.update(tree.draw(u), y)
    cells = tree.realised if tree.learns_from_draws else tree.expected
    capacities = np.array([tree_capacity(level) for level in tree_levels(cells.points)])
    room = 0.0 if tree.learns_from_draws else 1.0
    assert np.all(cells.mass <= capacities + room)
    active = np.isin(cells.points, tree.grid.points)
    assert np.array_equal(cells.mass < capacities, active)
    assert len(cells.points) == 2 * np.count_nonzero(~active) + 1 <= most_nodes(len(outcomes) + 1)


def distance_from_cell(node, cells):
    """Mass times KL(mean, cell) of one forecast."""
    i = int(np.flatnonzero(cells.points == node.point)[0])
    n, rho = cells.mass[i], cells.means[i] if cells.mass[i] > 0 else 0.5
    return n, n * kl(rho, min(max(rho, node.lower), node.upper))


@given(outcomes=st.lists(st.integers(0, 1), min_size=1, max_size=200), seed=SEEDS)
def test_wealth_pays_for_the_distance_from_the_cell(outcomes, seed):
    """The promise: log W >= n KL(rho, C) - log(4n)/2 for every active node, on every path."""
    tree = FastTree("tree")
    for u, y in zip(np.random.default_rng(seed).random(len(outcomes)), outcomes, strict=True):
        tree.update(tree.draw(u), y)
    cells = tree.realised
    for node, log_wealth in zip(tree.nodes(), tree.log_wealths(), strict=True):
        n, distance = distance_from_cell(node, cells)
        if n > 0:
            assert distance <= log_wealth + 0.5 * math.log(4 * n) + 1e-9


@pytest.mark.parametrize("name", EVERY_ADVERSARY)
def test_expected_feedback_keeps_its_wealth_on_every_path(name, seed):
    """Pi <= 2 and W_b <= 2/pi_b, without a probability."""
    tree, T = FastTree("tree-expected"), 20_000
    game = opponent(name, T, seed)
    y = run(game, algorithm="tree-expected", rng=seed).outcomes.copy()
    for start in range(0, T, 500):
        tree.play_rounds(y[start : start + 500], np.zeros(500), 0)
        assert tree.log_total_wealth() <= math.log(2)
        priors = np.array([node.log_prior for node in tree.nodes()])
        assert np.all(tree.log_wealths() <= math.log(2) - priors)


@pytest.mark.parametrize("share", [-800.0, 800.0])
def test_a_coin_with_extreme_wealths_stays_a_coin(share):
    tree = FastTree("tree")
    for index, y in ((0, 1), (0, 1), (1, 0)):
        tree.update(index, y)
    tree.bank.learners["log_wealth"][0] = share
    tree.bank.control["log_total"] = share
    mixture = tree.mixture()
    assert np.all(np.isfinite(mixture)) and mixture.sum() == pytest.approx(1.0, abs=1e-15)
    assert tree.bank.learners["leaning"].tolist() == [0.75, 0.25]
    tree.bank.control["log_total"] = -2000.0
    tree._solved = False
    assert tree.mixture().tolist() == ([0.0, 1.0] if share > 0 else [1.0, 0.0])


@pytest.mark.parametrize("name", EVERY_ADVERSARY)
@pytest.mark.parametrize("algorithm", ["tree", "tree-plain"])
def test_no_game_exceeds_the_bounds(name, algorithm, seed):
    """Each may fail with probability 1e-9."""
    T, delta = 50_000, 1e-9
    cells = run(opponent(name, T, seed), algorithm=algorithm, rng=seed).realised.restricted()
    cost = bounds.tree_from_counts(cells.mass.astype(int), tree_levels(cells.points), delta)
    assert kl_calibration(cells) <= cost <= bounds.tree(T, delta)
    if algorithm == "tree":
        assert max_swap_regret(cells) <= bounds.tree_swap(T, delta)


def test_feed_opposes_a_certain_forecast_and_pushes_the_richer_of_two():
    grid, empty = Grid([0.25, 0.75]), np.zeros((2, 2))
    counts = np.array([[0.0, 4.0], [2.0, 0.0]])  # both lie on the wrong side; the upper one has more rounds
    for mixture, expected in (([1.0, 0.0], 1), ([0.0, 1.0], 0), ([0.5, 0.5], 0)):
        assert Feed(1).choose(View(grid, np.array(mixture), np.zeros(2), empty, counts)) == expected
    mirrored = np.array([[0.0, 2.0], [4.0, 0.0]])
    assert Feed(1).choose(View(grid, np.array([0.5, 0.5]), np.zeros(2), empty, mirrored)) == 1


def test_the_threshold_jumps_after_every_period():
    grid, empty = Grid([0.5]), np.zeros((2, 1))
    said = []
    for rounds in range(6):
        counts = np.array([[float(rounds)], [0.0]])
        said.append(Jump(1, period=2).choose(View(grid, np.ones(1), np.zeros(1), empty, counts)))
    assert said == [1, 1, 0, 0, 1, 1]  # thresholds 0.618, 0.236, 0.854


def test_nodes_are_found_by_their_forecasts():
    nodes = [tree_node(level, j) for level in range(6) for j in range(2**level)]
    assert tree_nodes([node.point for node in nodes]) == nodes
    with pytest.raises(ValueError, match=r"forecasts must be midpoints .* got 0\.3 at index 1"):
        tree_nodes([0.5, 0.3])
