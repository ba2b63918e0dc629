r"""Algorithm 1 read closely: how it starts, which stationary distribution, how to find it, what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from flint import arb

from klcal import bounds, grids
from klcal.bounds.rates import real_resolution
from klcal.claims._combinators import above, at_most, below, equal, jointly, worst
from klcal.claims._evidence import Evidence, all_cases, cases, step
from klcal.claims._ledger import Chapter
from klcal.claims.constants.formulas import integer, recompute
from klcal.exact.arithmetic import Mixture
from klcal.exact.balls import ball, precision, upper
from klcal.exact.certificates import largest_ratio
from klcal.exact.grids import full_grid
from klcal.exact.learners import log_loss
from klcal.exact.markov import closed_classes, one_step, stationary
from klcal.exact.positions import Position, next_round, play
from klcal.forecasters import markov
from klcal.forecasters.reduction import BlumMansour
from klcal.grids.rounding import log_rounding as float_rounding

chapter = Chapter("constants")

BITS = 128


def uniform(rows: Sequence[Mixture]) -> Mixture:
    """Return the uniform mixture, with which Algorithm 1 starts in print; in later rounds it is no fixed point."""
    return dict.fromkeys(range(len(rows)), Fraction(1, len(rows)))


def from_a_uniform_start(K: int, outcomes: Sequence[int]) -> Position:
    """Return the position of Algorithm 1 after these outcomes if the first mixture is uniform.

    Examples
    --------
    >>> from_a_uniform_start(2, [1]).mass
    (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3))
    """
    position = Position.start(full_grid(K)).after(mix=uniform)[outcomes[0]]
    for y in outcomes[1:]:
        position = position.after()[y]
    return position


def arrows(position: Position) -> tuple[Mixture, ...]:
    """Return where each learner points in the next round."""
    return next_round(position.weights, position.points).rows


# ----- the start -----------------------------------------------------------------------------------------------


@chapter.claim(
    "alg:BM_log_loss/start",
    "Algorithms 1 and 2",
    "the first mixture",
    kind="certified",
    scope=step("the largest cost of all grids"),
    controls={"0.7291 in place of 0.7292": {"constant": Fraction("0.7291")}},
    proof="Explicit constants",
    steps=("the largest cost of all grids", "thm:bound_pkcal/explicit"),
    rows=(65,),
)
@precision(BITS)
def uniform_start(constant: Fraction = Fraction("0.7292")) -> Evidence:
    r"""Algorithm 1 sets $\boldsymbol q_1$ to the uniform distribution; by Algorithm 2 the learners start at the rounded
    $\frac12$, as in this book. Either will do: from a uniform start Theorem 2 holds with the mean log loss over the
    grid minus $\log2$, which is the same for both outcomes and at most 0.7292, in place of the cost
    of rounding in the first round.
    """
    # The resolution plays the part of the horizon: any integer from 2 on.
    largest = largest_ratio(lambda K, _: bounds.initialisation_cost(K), real_resolution, below=constant)
    return at_most(largest.upper, float(constant), r"`bounds.initialisation_cost`, for all $K \ge 2$")


def _mean_excess(K: arb, y: arb) -> arb:
    losses = (log_loss(z, integer(y)) for z in full_grid(integer(K)))
    return sum(losses, arb(0)) / (K + 1) - arb(2).log()


recompute(
    "alg:BM_log_loss/start",
    (
        "initialisation_cost",
        _mean_excess,
        list(product((*range(2, 30), 100), (0, 1))),
        (),
        lambda bound, K, _: bound(K),
    ),
)


@chapter.evidence(
    "alg:BM_log_loss/start",
    kind="exact",
    scope=cases("K = 2, 3, 4, all sequences of 1 to 5 outcomes, in balls"),
    controls={"0.84 of the bound, where the largest share is 0.8498": {"share": Fraction("0.84")}},
)
@precision(BITS)
def short_games(share: Fraction | int = 1) -> Evidence:
    """Games from a uniform start."""

    def games() -> Iterator[tuple[int, tuple[int, ...]]]:
        for K, T in product((2, 3, 4), range(1, 6)):
            yield from ((K, outcomes) for outcomes in product((0, 1), repeat=T))

    def used(game: tuple[int, tuple[int, ...]]) -> arb:
        position = from_a_uniform_start(*game)
        K, masses = game[0], [ball(mass) for mass in position.mass]
        first = bounds.initialisation_cost(ball(K)) - bounds.rounding_cost(ball(K), version="best")
        bound: arb = bounds.theorem_2_from_masses(masses, K, version="best") + first
        return position.error() / bound

    return worst(r"largest $\mathsf{PKLCal}$ over the bound by its masses", games(), used, share)


# ----- stationary distributions --------------------------------------------------------------------------------

TWO_CLASSES = "11101101010111100101111"


@chapter.claim(
    "alg:BM_log_loss/stationary",
    "Algorithm 1, line 3",
    "several stationary distributions",
    kind="exact",
    scope=all_cases("one game of 23 rounds, K = 38"),
    controls={"one outcome fewer": {"outcomes": TWO_CLASSES[:-1]}, "the other class": {"choice": 1}},
    uses=("alg:BM_log_loss/reduction",),
    rows=(66,),
)
@precision(2 * BITS)
def lowest_class(outcomes: str = TWO_CLASSES, choice: int = 0) -> Evidence:
    r"""The matrix of a round can have several stationary distributions: at $K = 38$ after 11101101010111100101111 the
    classes $\{20, 21\}$ and $\{22, 23\}$ are both closed. There the package plays the one on the class with
    the smallest member. (The paper asks for "a distribution" with $Q_t\boldsymbol p_t = \boldsymbol p_t$, not for the
    only one.)
    """
    rows = arrows(play(full_grid(38), [int(y) for y in outcomes]))
    classes = closed_classes(rows)
    reduction = BlumMansour(grids.full_grid(38))
    for y in outcomes:
        reduction.update(0, int(y))
    p = markov.stationary(float_rounding(reduction.leanings(), reduction.grid))
    exact = stationary(rows, classes[min(choice, len(classes) - 1)])
    apart = sum((abs(arb(float(x)) - ball(exact.get(i, 0))) for i, x in enumerate(p)), arb(0))
    return jointly(
        equal(len(classes), 2, "two closed classes, in balls"),
        equal(int(classes != [(20, 21), (22, 23)]), 0, r"they are $\{20, 21\}$ and $\{22, 23\}$"),
        # Rounding errors grow from round to round: each mixture decides what the learners receive.
        below(apart, 1e-9, "distance of the package's mixture from the one on the lowest class, in balls"),
    )


#: K and outcomes after which two pairs of points lead to each other, and everyone else to the lower pair.
PERIODIC = (16, (1, 1, 1, 1))
LOWER, UPPER = (8, 9), (10, 11)


@chapter.claim(
    "alg:BM_log_loss/power-iteration",
    "Appendix C.1",
    "power iteration can fail",
    kind="exact",
    scope=cases("the game of the counterexample"),
    controls={"no laziness": {"laziness": Fraction(0)}},
    repair=(
        r"Lazy power iteration finds a stationary distribution (stay with probability $\frac12$: such a chain has no "
        "period), and so does a direct solution on a closed class."
    ),
    severity="statement",
    uses=("alg:BM_log_loss/stationary",),
    rows=(67,),
)
@precision(BITS)
def lazy_iteration(laziness: Fraction = Fraction(1, 2)) -> Evidence:
    """The stationary distribution of the matrix can be computed by power iteration."""
    rows = arrows(from_a_uniform_start(*PERIODIC))
    stay, p = ball(laziness), {i: ball(share) for i, share in uniform(rows).items()}
    for _ in range(100):
        p = {i: stay * p[i] + (1 - stay) * after for i, after in enumerate(one_step(p, rows))}
    exact = stationary(rows)
    apart = max(upper(abs(share - ball(exact.get(i, 0)))) for i, share in p.items())
    matrix = np.array([[float(ball(row.get(j, 0))) for j in range(len(rows))] for row in rows])
    solved = max(
        upper(abs(arb(float(x)) - ball(exact.get(i, 0)))) for i, x in enumerate(markov.stationary(matrix))
    )
    return jointly(
        below(apart, 1e-25, "largest distance of the lazy iterate number 100 from the fixed point, in balls"),
        below(solved, 1e-14, "that of `klcal.forecasters.markov.stationary`"),
    )


@chapter.refutation(
    "alg:BM_log_loss/power-iteration", kind="exact", controls={"one outcome fewer": {"outcomes": (1, 1, 1)}}
)
@precision(BITS)
def power_iteration_alternates(outcomes: tuple[int, ...] = PERIODIC[1]) -> Evidence:
    """Two pairs of points lead to each other, everyone else to the lower pair, so that the mass swings for ever.

    The mass on the lower pair becomes 1 minus itself in every step, exactly: from the uniform distribution it is 2/17
    and 15/17 in turn.
    """
    rows = arrows(from_a_uniform_start(PERIODIC[0], outcomes))
    expected = [set(UPPER if i in LOWER else LOWER) for i in range(len(rows))]
    mass = Fraction(len(LOWER), len(rows))
    return jointly(
        above(
            2 * abs(1 - 2 * mass), 0, "distance of any two successive iterates from the uniform distribution"
        ),
        equal(
            sum(set(row) != ahead for row, ahead in zip(rows, expected, strict=True)),
            0,
            "no learner points elsewhere, in balls",
        ),
    ).against(
        r"$K = 16$ after the outcomes 1, 1, 1, 1 from the printed uniform start: 8 and 9 lead to 10 and 11, all others "
        r"to 8 and 9, strictly between grid points; the iterates of the uniform distribution have mass $\frac2{17}$ "
        r"and $\frac{15}{17}$ on $\{8, 9\}$ in turn"
    )


# ----- cost ----------------------------------------------------------------------------------------------------


@chapter.claim(
    "alg:BM_log_loss/cost",
    "Appendix C.1",
    "the cost of all rounds",
    kind="certified",
    controls={
        "2.21 in place of 2.22": {"constant": Fraction("2.21")},
        "the exponent of $T$ smaller by 1/20": {"sixtieths": 97},
    },
    rows=(84,),
)
def cost_of_all_rounds(constant: Fraction = Fraction("2.22"), sixtieths: int = 100) -> Evidence:
    r"""At $K = \max(2, \lceil(T/\log T)^{1/3}\rceil)$, $T$ rounds at $K^2$ steps each are at most
    $2.22\,T^{5/3}(\log T)^{-2/3}$ steps, for every $T \ge 2$. (As no learner's point is rounded to more than two grid
    points, a matrix has only $2(K+1)$ entries that are not 0.)
    """

    def ratio(T: Any, K: Any) -> Any:
        return T * K * K / (T**sixtieths / T.log() ** 40).root(60)

    largest = largest_ratio(ratio, real_resolution, below=constant)
    return at_most(largest.upper, float(constant), r"$TK^2$ over $T^{5/3}(\log T)^{-2/3}$, for all $T \ge 2$")
