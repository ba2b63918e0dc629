r"""What the solved games show: facts of the table, most of them only observed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from klcal import minimax
from klcal.claims._combinators import at_least, at_most, jointly, none_of, smallest, worst
from klcal.claims._evidence import Evidence, cases
from klcal.claims._ledger import Chapter
from klcal.exact.balls import ball, precision
from klcal.exact.cells import no_counts
from klcal.exact.saddle_points import squared_game
from klcal.exact.worst_cases import value_enclosure
from klcal.grids import Grid, inner_grid, uniform_grid

chapter = Chapter("09_the_game_solved")


@cache
def value(K: int, T: int) -> float:
    """Return the value on the inner grid, once."""
    return minimax.value(inner_grid(K), T)


@chapter.claim(
    "new:game-growth",
    "new",
    "how values grow",
    kind="numeric",
    scope=cases("K = 2, 3, 4, 5, 6, 8, T <= 8"),
    controls={
        "at least 1.37 in place of 1.3": {"least": 1.37},
        "grids that do not contain each other": {"pairs": ((2, 3), (4, 5))},
    },
    uses=("new:game-values",),
)
def growth(
    least: float = 1.3, pairs: Sequence[tuple[int, int]] = ((2, 4), (2, 6), (3, 6), (4, 8))
) -> Evidence:
    """A finer grid that contains a coarser one has no larger value. The smallest value over the inner grids of
    $K = 2, 3, 4, 5, 6, 8$ grows by a factor between 1.3 and 1.5 from 4 to 8 rounds; observed, and no statement about
    rates.
    """
    short, long = (min(value(K, T) for K in (2, 3, 4, 5, 6, 8)) for T in (4, 8))
    return jointly(
        at_least(long / short, least, "the smallest value at $T = 8$ over that at $T = 4$"),
        at_most(long / short, 1.5, "the same quotient"),
        worst(
            "largest value on a finer grid over that on a coarser one, minus 1",
            [(coarse, fine, T) for coarse, fine in pairs for T in range(1, 9)],
            lambda case: value(case[1], case[2]) / value(case[0], case[2]) - 1,
            1e-13,
        ),
    )


@chapter.claim(
    "new:game-offset",
    "new",
    "two points: the logarithm does not show",
    kind="numeric",
    scope=cases("T <= 40"),
    controls={"larger by 1e-9": {"shift": 1e-9}, "from T = 9 in place of 10": {"first": 9}},
    proof="Chapter 9",
    uses=("new:game-two-sides",),
)
def offset(shift: float = 0.0, first: int = 10) -> Evidence:
    r"""On $\{\frac14, \frac34\}$ the value is at least $T\log\frac43 + \frac12\log3$ for every $T \ge 1$. (Observed:
    for $T = 1$ and for $T = 10$ to 40 it is this number to $10^{-12}$, and for $T = 2$ to 9 it is larger.)
    """

    def excess(T: int) -> float:
        return value(3, T) - T * math.log(4 / 3) - math.log(3) / 2 - shift

    return jointly(
        worst("largest distance from this number", [1, *range(first, 41)], lambda T: abs(excess(T)), 1e-12),
        smallest(f"smallest excess, $T = 2$ to {first - 1}", range(2, first), excess, 1e-3),
    )


@chapter.claim(
    "new:game-constant-outcomes",
    "new",
    "the worst outcomes for realised feedback",
    kind="numeric",
    scope=cases("K = 2, T <= 12 and T = 16; K = 3, T <= 10"),
    controls={"K = 2 up to 13 rounds": {"longest": ((2, 13),)}},
    uses=("new:realised-certified",),
)
def constant_outcomes(longest: Sequence[tuple[int, int]] = ((2, 12), (3, 10))) -> Evidence:
    r"""Against Algorithm 1 fed with its own draws no adaptive adversary earns more than the sequence $1, 1, 1, \dots$
    in games of up to 12 rounds at $K = 2$ and up to 10 at $K = 3$; at $K = 2$ and 16 rounds one does. Observed.
    """

    def lead(case: tuple[int, int]) -> float:
        K, T = case
        return minimax.worst_case(K, T) / minimax.fixed_case(K, [1] * T) - 1

    return jointly(
        worst(
            "what the best adversary earns over always 1, minus 1",
            [(K, T) for K, last in longest for T in range(1, last + 1)],
            lead,
            1e-12,
        ),
        at_least(lead((2, 16)), 1e-3, "the same at $K = 2$, $T = 16$"),
    )


@chapter.claim(
    "new:game-end-points",
    "new",
    "forecasts 0 and 1",
    kind="numeric",
    scope=cases("uniform grids with K = 2, 3, 4, T <= 6"),
    controls={"Cal_2 in place of KLCal": {"measure": "squared"}, "K = 4 from three rounds on": {"first": 3}},
    proof="Chapter 9",
    uses=("new:game-two-points",),
)
def end_points(measure: str = "kl", first: int = 4) -> Evidence:
    r"""Adding the points 0 and 1 to a grid never changes the value of $\mathbb E[\mathsf{KLCal}]$. (Observed: it lowers
    that of $\mathbb E[\mathsf{Cal}_2]$ on the uniform grids of $K = 2$ and 3 from two rounds on and of $K = 4$ from
    four, up to six.)
    """

    def gain(K: int, T: int, of: str) -> float:
        whole = uniform_grid(K)
        return minimax.value(Grid(whole.points[1:-1]), T, of) - minimax.value(whole, T, of)

    return jointly(
        none_of(
            "games for this error whose value 0 and 1 change",
            [(K, T) for K in (2, 3, 4) for T in range(1, 7)],
            lambda game: gain(*game, measure) != 0,
        ),
        smallest(
            r"by how much they lower the value for $\mathsf{Cal}_2$",
            [(K, T) for K, start in ((2, 2), (3, 2), (4, first)) for T in range(start, 7)],
            lambda game: gain(*game, "squared"),
            1e-3,
        ),
    )


@chapter.claim(
    "new:game-squares",
    "new",
    "the same game for l_2-calibration",
    kind="exact",
    scope=cases("the grid {1/4, 3/4}, T <= 8"),
    controls={"2.64 in place of 2": {"factor": Fraction(264, 100)}},
    steps=("pinsker",),
    uses=("new:game-values", "new:game-saddle-point"),
    rows=(5,),
)
def squares(factor: Fraction = Fraction(2)) -> Evidence:
    r"""On every grid the value for $\mathsf{Cal}_2$ is at most half the value for $\mathsf{KLCal}$."""
    quarters = Fraction(1, 4), Fraction(3, 4)

    with precision(128):
        return worst(
            r"largest $2V$ for $\mathsf{Cal}_2$ over $V$ for $\mathsf{KLCal}$, fractions against balls",
            range(1, 9),
            lambda T: (
                ball(factor * squared_game(quarters, T)(no_counts(2)).value)
                / value_enclosure("inner", 3, T)[0]
            ),
            1,
        )
