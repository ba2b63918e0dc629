"""The finite game: values by hand, against the rules of the game, and both players' optimal moves."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracles import made

from klcal import Grid, full_grid, inner_grid, uniform_grid
from klcal.book import minimax
from klcal.book._kernels import minimax as kernels
from klcal.book.minimax.worst_cases import nearest_cells
from klcal.forecasters.stream import reduction_for

# --- the game straight from its rules: a state is a pair of tuples, how often each point met 0 and how often it met 1


def squared(z, zeros, ones):
    n = zeros + ones
    return (ones - n * z) ** 2 / n if n else 0


def kl(z, zeros, ones):
    n, total = zeros + ones, 0.0
    for count, chance in ((ones, z), (zeros, 1.0 - z)):
        if count and chance == 0.0:
            return math.inf
        total += count * math.log(count / n / chance) if count else 0.0
    return total


def brute_matrix_game(rows):
    """The least cost at the chance q of the second column is concave and made of lines: look where two lines meet."""
    rows = [(u, v) for u, v in rows if u != math.inf and v != math.inf]
    if not rows:
        return math.inf
    slopes = [((v - u) - (t - s), s - u) for (u, v), (s, t) in product(rows, rows)]
    meeting = [gap / slope for slope, gap in slopes if slope != 0 and 0 < gap / slope < 1]
    return max(min((1 - q) * u + q * v for u, v in rows) for q in (0, 1, *meeting))


def induction(points, T, measure, step):
    """The value of the start; that of a state is `step` of it and of its payoffs, a row per point."""

    @cache
    def worth(state, left):
        if left == 0:
            return sum(map(measure, points, *state))
        rows = []
        for i in range(len(points)):
            after = [tuple(n + (i == j) for j, n in enumerate(counts)) for counts in state]
            rows.append((worth((after[0], state[1]), left - 1), worth((state[0], after[1]), left - 1)))
        return step(state, rows)

    return worth(((0,) * len(points),) * 2, T)


def brute_value(points, T, measure):
    return induction(points, T, measure, lambda state, rows: brute_matrix_game(rows))


def brute_worst_case(points, T, measure, mixture):
    """What a forecaster pays whose mixture is a function of the state, against the worst adversary."""

    def step(state, rows):
        shares = mixture(state)
        return max(sum(p * row[y] for p, row in zip(shares, rows, strict=True) if p > 0) for y in (0, 1))

    return induction(points, T, measure, step)


LOG2 = math.log(2)
MEASURES = {"kl": kl, "squared": squared}


INSIDE = st.lists(st.integers(1, 31), min_size=1, max_size=3, unique=True).map(
    lambda places: Grid(np.sort(places) / 32)
)


SMALL = {"grid": INSIDE, "T": st.integers(1, 5), "measure": st.sampled_from(["kl", "squared"])}


def exact(grid):
    return tuple(Fraction(z) for z in grid.points)


def floats(grid):
    return tuple(grid.points.tolist())


@pytest.mark.parametrize(("points", "rounds"), [(1, 4), (2, 0), (2, 5), (3, 4)])
def test_states_are_listed_once_each_in_the_order_of_their_ranks(points, rounds):
    space = minimax.StateSpace(points, max(rounds, 1))
    states = np.empty((space.size(rounds), 2 * points), dtype=np.int64)
    kernels.list_states(*kernels.first_state(2 * points, rounds), space.steps, states)
    wanted = {c for c in product(range(rounds + 1), repeat=2 * points) if sum(c) == rounds}
    assert {tuple(state) for state in states.tolist()} == wanted
    assert len(states) == len(wanted)
    assert [space.rank(state.reshape(-1, 2).T) for state in states] == list(range(len(states)))


@pytest.mark.parametrize("call", [minimax.value, minimax.dual_worst_case])
def test_a_layer_that_does_not_fit_is_refused_with_its_size_before_it_is_allocated(call):
    with pytest.raises(
        ValueError, match=r"118755 states \(950040 bytes\) for 3 points and 24 rounds; got 950039"
    ):
        call(inner_grid(4), 24, memory=950_039)
    with pytest.raises(ValueError, match=r"memory must hold the values of \d{124} states"):
        call(full_grid(40), 1000)


NUMBERS = st.one_of(st.integers(0, 3).map(float), st.just(math.inf), st.floats(0, 4))


@given(rows=st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=6))
@example(rows=[(0.0, math.inf), (2.0, 1.0)])
@example(rows=[(0.0, math.inf), (math.inf, 0.0)])
@example(rows=[(1.0, 1.0), (1.0, 1.0)])
@example(rows=[(0.0, 3.0), (3.0, 0.0), (1.5, 1.5)])
def test_two_rows_reach_the_value_of_a_game_with_two_columns(rows):
    value, i, j, weight = kernels.matrix_game(np.array(rows))
    assert value == pytest.approx(brute_matrix_game(rows), rel=1e-12, abs=1e-12)
    if value < math.inf:
        mixed = [weight * rows[i][y] + ((1 - weight) * rows[j][y] if i != j else 0) for y in (0, 1)]
        assert max(mixed) == pytest.approx(value, rel=1e-12, abs=1e-12)
        assert 0 < weight <= 1


@pytest.mark.parametrize("T", [1, 2, 7, 30])
def test_on_one_point_the_adversary_repeats_itself(T):
    assert minimax.value(Grid([0.5]), T) == pytest.approx(T * LOG2, rel=1e-14)
    assert minimax.value(Grid([0.25]), T) == pytest.approx(T * math.log(4), rel=1e-14)
    assert minimax.value(Grid([0.25]), T, "squared") == pytest.approx(T * 9 / 16, rel=1e-14)


def test_two_rounds_of_squares_on_two_points_by_hand():
    # Say 1/4 was drawn first. If 0 happened, 1/4 again costs 2/16 for both outcomes, which is best.
    near = Fraction(2, 16)
    # If 1 happened: 1/4 again costs 2/16 or 18/16, and 3/4 costs 18/16 or 10/16. One third of the first equalises.
    far = Fraction(1, 3) * Fraction(2, 16) + Fraction(2, 3) * Fraction(18, 16)
    assert far == Fraction(1, 3) * Fraction(18, 16) + Fraction(2, 3) * Fraction(10, 16) == Fraction(19, 24)
    # The first round is symmetric: half near, half far.
    value = (near + far) / 2
    game = minimax.solve(Grid([0.25, 0.75]), 2, "squared")
    assert game.value == pytest.approx(float(value), rel=1e-15) == pytest.approx(11 / 24)
    assert game.payoffs([[0, 0], [0, 0]])[0] == pytest.approx([float(near), float(far)], rel=1e-15)
    assert game.mixture([[1, 0], [0, 0]]).tolist() == [1.0, 0.0]
    assert game.mixture([[0, 0], [1, 0]]) == pytest.approx([1 / 3, 2 / 3], rel=1e-15)
    # The adversary makes both points equal: 2/16 + 16q/16 = 18/16 - 8q/16.
    assert game.outcome_probability([[0, 0], [1, 0]]) == pytest.approx(2 / 3, rel=1e-15)
    assert brute_value((Fraction(1, 4), Fraction(3, 4)), 2, squared) == value


@given(**SMALL)
@settings(max_examples=30)
def test_value_equals_the_naive_induction(grid, T, measure):
    points = exact(grid) if measure == "squared" else floats(grid)
    found = float(brute_value(points, T, MEASURES[measure]))
    assert minimax.value(grid, T, measure) == pytest.approx(found, rel=1e-12)


@pytest.mark.parametrize("points", [[0.0], [1.0], [0.0, 1.0]])
def test_without_a_point_inside_every_forecaster_risks_infinity(points):
    grid = Grid(points)
    assert minimax.value(grid, 3) == math.inf
    assert brute_value(floats(grid), 3, kl) == math.inf
    game = minimax.solve(grid, 3)
    assert game.mixture(np.zeros((2, len(grid))))[0] == 1.0
    assert game.outcome_probability(np.zeros((2, len(grid)))) == 0.5


SOLVED = [
    (inner_grid(3), 5, "kl"),
    (full_grid(2), 4, "kl"),
    (Grid([0.1, 0.35, 0.8]), 4, "squared"),
    # Ties that rounding breaks: the adversary must not be sent to 0 or 1 by the last digit of a payoff.
    (inner_grid(3), 3, "kl"),
    (inner_grid(4), 2, "kl"),
    (inner_grid(4), 6, "kl"),
]


@pytest.mark.parametrize(("grid", "T", "measure"), SOLVED)
def test_optimal_players_guarantee_the_value_against_everyone(grid, T, measure):
    game, cost = minimax.solve(grid, T, measure), MEASURES[measure]
    points = floats(grid)
    assert game.value == minimax.value(grid, T, measure)
    ceiling = brute_worst_case(points, T, cost, game.mixture)

    def least_gain(state, rows):
        q = game.outcome_probability(state)
        return min((1 - q) * zero + q * one for zero, one in rows)

    floor = induction(points, T, cost, least_gain)
    assert [ceiling, floor] == pytest.approx([game.value] * 2, rel=1e-12)


def answer(points, divergence, *, last=False):
    """The nearest point as a function of the announced mean; ties to the first or to the last."""

    def nearest(p):
        order = range(len(points) - 1, -1, -1) if last else range(len(points))
        return min(order, key=lambda i: round(divergence(p, points[i]), 12))

    return nearest


def kl_divergence(p, z):
    return kl(z, 1.0 - p, p)


def distance(p, z):
    return abs(p - z)


@pytest.mark.parametrize(("name", "divergence"), [("kl", kl_divergence), ("euclid", distance)])
@pytest.mark.parametrize("grid", [inner_grid(3), inner_grid(4), Grid([0.1, 0.3, 0.9])])
def test_dual_worst_case_is_the_supremum_over_announced_means_whatever_the_rule_for_ties(
    grid, name, divergence
):
    points, T = floats(grid), 4
    found = minimax.dual_worst_case(grid, T, name)
    ends = nearest_cells(grid, name).ravel()
    near_the_ends = np.concatenate([np.linspace(0, 1, 41), ends - 1e-9, ends + 1e-9])
    announced = [p for p in near_the_ends.tolist() if 0 <= p <= 1]
    for last in (False, True):
        answers = [(p, answer(points, divergence, last=last)(p)) for p in announced]

        def step(_, rows, told=answers):
            return max((1 - p) * rows[i][0] + p * rows[i][1] for p, i in told)

        approached = induction(points, T, kl, step)
        assert found - 1e-6 <= approached <= found * (1 + 1e-12)


def test_under_divergences_the_points_zero_and_one_are_nearest_only_to_themselves():
    cells = nearest_cells(uniform_grid(2), "kl")
    assert cells.tolist() == [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
    # Announcing 0 is answered by 0 at no cost, so the ends change nothing here.
    assert minimax.dual_worst_case(uniform_grid(2), 4) == pytest.approx(4 * LOG2, rel=1e-14)
    assert minimax.dual_worst_case(uniform_grid(2), 4, "euclid") == math.inf
    assert minimax.dual_worst_case(Grid([0.0, 1.0]), 2) == math.inf


def readable(make):
    """The mixture of a readable reduction as a function of the state."""

    def mixture(state):
        reduction = make()
        for y, counts in enumerate(state):
            for i, n in enumerate(counts):
                for _ in range(n):
                    reduction.update(i, y)
        return reduction.mixture()

    return mixture


@pytest.mark.parametrize("measure", ["kl", "squared"])
@pytest.mark.parametrize(
    ("K", "T", "algorithm"),
    [
        (2, 1, "realised"),
        (2, 6, "realised"),
        (3, 5, "realised"),
        (2, 4, "pair"),
        (3, 6, "pair"),
        (5, 4, "pair"),
    ],
)
def test_worst_cases_equal_those_of_the_readable_engine(K, T, algorithm, measure):
    grid = reduction_for(algorithm, K, 2).grid
    mixture = readable(lambda: made(grid, algorithm, "reference"))
    wanted = brute_worst_case(floats(grid), T, MEASURES[measure], mixture)
    assert minimax.worst_case(K, T, algorithm, measure) == pytest.approx(wanted, rel=1e-10)
