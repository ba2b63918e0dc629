r"""Algorithm 1 read closely: how it starts, which stationary distribution, how to find it, what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise

import numpy as np
from flint import arb, arb_mat

from klcal import bounds, grids
from klcal._checks import FloatArray
from klcal.claims._combinators import closed, jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.constants._common import BITS, CHAPTER, agrees, kl_calibration
from klcal.claims.grids._common import full_points, sine_squared, variance
from klcal.exact.balls import Undecided, ball, lower, precision, upper
from klcal.forecasters.learners import Ewoo
from klcal.forecasters.markov import closed_classes, stationary
from klcal.forecasters.reduction import BlumMansour
from klcal.grids.rounding import log_rounding

# ----- the start --------------------------------------------------------------------------------------------


def mean_excess(K: int, outcome: int = 1) -> arb:
    """Return the mean log loss of the points of the full grid minus that of 1/2.

    Examples
    --------
    >>> mean_excess(2).overlaps(arb(2).log() / 3)
    True
    """
    losses = [-(z if outcome else 1 - z).log() for z in full_points(K)]
    return sum(losses, arb(0)) / (K + 1) - arb(2).log()


def _closed_form(K: int) -> arb:
    """Return the same by the product of sines."""
    return ((K - 1) * arb(2).log() - arb(K).log() - sine_squared(1, 2 * K).log()) / (K + 1)


def _from_a_uniform_start(K: int, T: int) -> Iterator[tuple[FloatArray, ...]]:
    """Yield zeros and ones of every game of Algorithm 1 that starts with the uniform mixture."""
    grid = grids.full_grid(K)
    uniform = np.full(K + 1, 1.0 / (K + 1))
    games: list[tuple[FloatArray, ...]] = [(np.zeros(K + 1), np.zeros(K + 1))]
    for t in range(1, T + 1):
        following: list[tuple[FloatArray, ...]] = []
        for zeros, ones in games:
            bank = Ewoo(K + 1)
            bank.update(zeros, 0)
            bank.update(ones, 1)
            mixture = uniform if t == 1 else stationary(log_rounding(bank.predict(), grid))
            following += [(zeros + mixture, ones), (zeros, ones + mixture)]
        games = following
        yield from games


def _games_after_a_uniform_start() -> Evidence:
    """Check Theorem 2 with the excess in place of one round's rounding, in all games up to 6 rounds, K = 2, 3, 4."""
    worst = 0.0
    for K in (2, 3, 4):
        first = bounds.initialisation_cost(K) - bounds.rounding_cost(K, version="best")
        for zeros, ones in _from_a_uniform_start(K, 6):
            bound = bounds.theorem_2_from_masses(zeros + ones, K, version="best") + first
            worst = max(worst, float(kl_calibration(K, zeros, ones) / bound))
    return Evidence(
        worst, 1 - 1e-9, "<=", "largest PKLCal over that bound, all games up to T = 6, K = 2, 3, 4"
    )


@precision(BITS)
def uniform_start(constant: float = 0.7292) -> Evidence:
    r"""Check what a uniform first mixture costs: the mean loss over the grid minus that of 1/2, at most 0.7292.

    It is the same for both outcomes, as the grid is symmetric, and has a closed form by
    :math:`\prod_{i<K}\sin\frac{\pi i}K = K/2^{K-1}`. As :math:`\sin\frac\pi{2K} \ge \frac1K`, it is at most
    :math:`\log 2 + \frac{\log K - 2\log 2}{K+1}`, and :math:`\frac{\log K}K` falls from K = 3 on.
    """
    values = {K: _closed_form(K) for K in range(2, 1001)}
    largest, K = max((upper(value), K) for K, value in values.items())
    beyond = arb(2).log() + arb(1000).log() / 1000
    symmetric = sum(not mean_excess(K, 0).overlaps(mean_excess(K, 1)) for K in range(2, 65))
    return jointly(
        Evidence(largest, constant, "<=", "largest excess of a uniform start, K = 2..1000", {"K": K}),
        Evidence(upper(beyond), constant, "<=", "log 2 + log(K)/K, which bounds it beyond K = 1000"),
        Evidence(symmetric, 0, "==", "both outcomes have the same excess, K = 2..64"),
        agrees(
            "the mean loss over the grid minus log 2",
            bounds.initialisation_cost,
            mean_excess,
            [(K,) for K in (*range(2, 65), 1000)],
        ),
        _games_after_a_uniform_start(),
    )


def two_starts() -> Evidence:
    """Show that Algorithms 1 and 2 start differently: the uniform distribution is not the rounded 1/2."""
    distances = {}
    for K in range(2, 65):
        rounded = log_rounding(0.5, grids.full_grid(K))
        distances[K] = float(np.abs(rounded - 1.0 / (K + 1)).sum())
    K = min(distances, key=lambda K: distances[K])
    return Evidence(
        distances[K],
        0,
        ">",
        "smallest distance of the two first mixtures, K = 2..64",
        {"K": K},
        counterexample="K = 2: Algorithm 1 starts with (1/3, 1/3, 1/3), Algorithm 2 with the rounded 1/2, (0, 1, 0)",
    )


# ----- stationary distributions -----------------------------------------------------------------------------

Row = dict[int, arb]


def _rounded(w: arb, points: Sequence[arb]) -> Row:
    """Return the shares of Algorithm 4; that w lies on a point or inside a cell must be certain."""
    for i, z in enumerate(points):
        if z.is_exact() and (w - z).is_zero():
            return {i: arb(1)}
    for i, (low, high) in enumerate(pairwise(points)):
        if low < w and w < high:
            down, up = (high - w) / variance(high), (w - low) / variance(low)
            return {i: down / (down + up), i + 1: up / (down + up)}
    raise Undecided(f"the cell of {w} is not certain")


def _classes(rows: Sequence[Row]) -> list[tuple[int, ...]]:
    """Return the closed classes of a chain, the one with the smallest member first."""
    reach = [set(row) for row in rows]
    for _ in rows:
        reach = [ahead.union(*(reach[j] for j in ahead)) for ahead in reach]
    return sorted({tuple(sorted(ahead)) for ahead in reach if all(reach[j] == ahead for j in ahead)})


def _fixed_point(rows: Sequence[Row], members: Sequence[int]) -> list[arb]:
    """Return the stationary distribution that lives on one closed class."""
    size = len(members)
    equations = [[rows[j].get(i, arb(0)) - (i == j) for j in members] for i in members[:-1]]
    right = arb_mat([[arb(int(i == size - 1))] for i in range(size)])
    solution = arb_mat([*equations, [arb(1)] * size]).solve(right)
    mass = [arb(0)] * len(rows)
    for place, i in enumerate(members):
        mass[i] = solution[place, 0]
    return mass


def chain_after(K: int, outcomes: str) -> list[Row]:
    """Return the rows of Algorithm 1's matrix after these outcomes, in balls, all comparisons certain.

    Where several classes are closed the lowest is played, as in `klcal.forecasters.markov.stationary`.
    """
    points = [arb(0.5) if 2 * i == K else z for i, z in enumerate(full_points(K))]
    weights = [[arb(0)] * (K + 1), [arb(0)] * (K + 1)]
    for outcome in (*map(int, outcomes), None):
        plays = [(ones + 1) / (zeros + ones + 2) for zeros, ones in zip(*weights, strict=True)]
        rows = [_rounded(w, points) for w in plays]
        if outcome is None:
            return rows
        mixture = _fixed_point(rows, _classes(rows)[0])
        weights[outcome] = [w + p for w, p in zip(weights[outcome], mixture, strict=True)]
    raise Undecided("no outcomes")


TWO_CLASSES = (38, "11101101010111100101111")


@precision(256)
def several_closed_classes() -> Evidence:
    """Show a matrix of Algorithm 1 with two closed classes, each with a stationary distribution of its own."""
    rows = chain_after(*TWO_CLASSES)
    found = _classes(rows)
    apart = sum((abs(p - q) for p, q in zip(*(_fixed_point(rows, c) for c in found), strict=True)), arb(0))
    witness = "K = 38 after 11101101010111100101111: {20, 21} and {22, 23} are both closed"
    return jointly(
        Evidence(len(found), 1, ">", f"closed classes {found}, in balls", counterexample=witness),
        Evidence(int(found != [(20, 21), (22, 23)]), 0, "==", "they are {20, 21} and {22, 23}"),
        Evidence(lower(apart), 1.999, ">", "distance of their stationary distributions, 2 for disjoint ones"),
    )


def _after(K: int, outcomes: str) -> FloatArray:
    """Return the matrix of `BlumMansour` after these outcomes."""
    reduction = BlumMansour(grids.full_grid(K))
    for outcome in outcomes:
        reduction.update(0, int(outcome))
    return log_rounding(reduction.leanings(), reduction.grid)


def _distance(p: FloatArray, exact: Sequence[arb]) -> float:
    """Return the distance of a float distribution from one in balls."""
    return upper(sum((abs(arb(float(x)) - y) for x, y in zip(p, exact, strict=True)), arb(0)))


@precision(256)
def lowest_class(choice: int = 0) -> Evidence:
    """Check that the package plays the stationary distribution on the lowest closed class of the witness."""
    rows = chain_after(*TWO_CLASSES)
    Q = _after(*TWO_CLASSES)
    p, classes = stationary(Q), [tuple(members.tolist()) for members in closed_classes(Q)]
    lowest = _classes(rows)[choice]
    return jointly(
        Evidence(
            int(tuple(np.flatnonzero(p)) != lowest), 0, "==", "the package's p lives on the lowest class"
        ),
        Evidence(float(np.abs(p @ Q - p).sum()), 1e-15, "<=", "p Q = p up to rounding"),
        # Rounding errors grow from round to round: each mixture decides what the learners are fed.
        Evidence(_distance(p, _fixed_point(rows, lowest)), 1e-9, "<=", "p is near the fixed point in balls"),
        Evidence(int(classes != _classes(rows)), 0, "==", "the package sees the same closed classes"),
    )


PERIODIC = (12, "1")


@precision(BITS)
def power_iteration_alternates(rounds: int = 100) -> Evidence:
    r"""Show that power iteration never settles at K = 12 after the outcome 1.

    Learner 6 plays 2/3, between :math:`z_7` and :math:`z_8`; all others play :math:`\frac12 = z_6`. So all
    mass outside 6 goes to 6, and the mass on 6 goes to 7 and 8. From the uniform distribution the mass on 6 is
    12/13 after an odd number of steps and 1/13 after an even number, exactly.
    """
    rows = chain_after(*PERIODIC)
    as_said = set(rows[6]) == {7, 8} and all(set(row) == {6} for i, row in enumerate(rows) if i != 6)
    mass = Fraction(1, 13)
    steps = []
    for _ in range(rounds):
        mass, before = 1 - mass, mass
        steps.append(2 * abs(mass - before))
    return jointly(
        Evidence(
            min(steps),
            0,
            ">",
            "smallest distance of two successive iterates, exactly, from the uniform start",
            {"steps": rounds},
            counterexample="K = 12 after the outcome 1: 6 leads to 7 and 8, which lead back to 6",
        ),
        Evidence(int(not as_said), 0, "==", "the matrix in balls has these arrows and no others"),
    )


@precision(BITS)
def lazy_iteration(laziness: Fraction = Fraction(1, 2)) -> Evidence:
    """Check that lazy iteration reaches the stationary distribution of the periodic witness, in balls.

    Parameters
    ----------
    laziness : Fraction
        Probability to stay; 0 is plain power iteration.
    """
    rows = chain_after(*PERIODIC)
    stay = ball(laziness)
    p = [arb(1) / len(rows)] * len(rows)
    for _ in range(100):
        step = [sum((p[i] * row.get(j, 0) for i, row in enumerate(rows)), arb(0)) for j in range(len(rows))]
        p = [stay * before + (1 - stay) * after for before, after in zip(p, step, strict=True)]
    exact = _fixed_point(rows, (6, 7, 8))
    apart = sum(not abs(x - y) < 1e-25 for x, y in zip(p, exact, strict=True))
    solved = _distance(stationary(_after(*PERIODIC)), exact)
    return jointly(
        Evidence(apart, 0, "==", "entries of the 100th lazy iterate that miss the fixed point by 1e-25"),
        Evidence(solved, 1e-14, "<=", "klcal.forecasters.markov.stationary has it too"),
    )


# ----- cost -------------------------------------------------------------------------------------------------


def sparse_rows(allowed: int = 2) -> Evidence:
    """Check that a rounded point has at most two neighbours, so that T rounds need T K steps to form all matrices."""
    widest = max(
        int(np.count_nonzero(log_rounding(np.linspace(0, 1, 2001), grids.full_grid(K)), axis=-1).max())
        for K in (2, 3, 12, 42)
    )
    return jointly(
        closed("algorithm-1-cost"),
        Evidence(widest, allowed, "<=", "largest number of entries in a row, 2001 points in [0, 1], four K"),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="alg:BM_log_loss/start",
        number="Algorithms 1 and 2",
        title="the first mixture",
        kind="certified",
        chapter=CHAPTER,
        statement="Algorithm 1 starts its learners at the uniform distribution, Algorithm 2 at the rounded "
        "1/2, as if the two were one.",
        repair="Start at the rounded 1/2. A uniform start instead adds at most 0.7292 once: the mean log loss "
        "over the grid minus log 2, the same for both outcomes, largest at K = 28.",
        uses=("thm:bound_pkcal/explicit",),
        check=uniform_start,
        refute=two_starts,
        severity="constant",
        spoil=(partial(uniform_start, 0.7291),),
        rows=(65,),
    ),
    Claim(
        label="alg:BM_log_loss/stationary",
        number="Algorithm 1, line 3",
        title="the stationary distribution is not unique",
        kind="certified",
        chapter=CHAPTER,
        statement="The matrix of every round has one stationary distribution.",
        repair="It has at least one. The proof works with any, so a rule must choose: the closed class with "
        "the smallest member.",
        uses=("alg:BM_log_loss/reduction",),
        check=lowest_class,
        refute=several_closed_classes,
        severity="statement",
        spoil=(partial(lowest_class, 1),),
        rows=(66,),
    ),
    Claim(
        label="alg:BM_log_loss/power-iteration",
        number="Appendix C.1",
        title="power iteration can fail",
        kind="certified",
        chapter=CHAPTER,
        statement="Power iteration finds the stationary distribution.",
        repair="Lazy power iteration does (stay with probability 1/2), or a direct solution on a closed class.",
        uses=("alg:BM_log_loss/stationary",),
        check=lazy_iteration,
        refute=power_iteration_alternates,
        severity="statement",
        spoil=(partial(lazy_iteration, Fraction(0)),),
        rows=(67,),
    ),
    Claim(
        label="alg:BM_log_loss/cost",
        number="Appendix C.1",
        title="the cost of all rounds",
        kind="symbolic",
        chapter=CHAPTER,
        statement="T rounds at K^2 steps each are T^(5/3) (log T)^(-2/3) steps at K = (T/log T)^(1/3); as no "
        "row of the matrix has more than two entries, forming it needs 2(K + 1) steps and not K^2.",
        check=sparse_rows,
        spoil=(partial(closed, "algorithm-1-cost", factor=2), partial(sparse_rows, 1)),
        rows=(84,),
    ),
)
