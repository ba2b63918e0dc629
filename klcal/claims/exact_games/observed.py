r"""What the solved games show: facts of the table, most of them only observed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise

import numpy as np

from klcal import minimax
from klcal.claims._combinators import jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.exact_games._common import CHAPTER, start
from klcal.claims.exact_games.enclosures import enclosed
from klcal.claims.exact_games.matrix_games import quarters, solved
from klcal.exact.balls import ball, upper
from klcal.grids import Grid, inner_grid, uniform_grid

# Resolutions and horizons of the table of values.
RESOLUTIONS: Sequence[int] = (2, 3, 4, 5, 6, 8)


@cache
def table(K: int, T: int) -> float:
    """Return the value on the inner grid, once."""
    return minimax.value(inner_grid(K), T)


def refining(K: Sequence[tuple[int, int]] = ((2, 4), (2, 6), (3, 6), (4, 8))) -> Evidence:
    """Check that the value never rises from an inner grid to one that contains it, up to 8 rounds.

    Parameters
    ----------
    K : sequence of (int, int)
        Pairs of resolutions; the first must divide the second.
    """
    missed = sum(table(fine, T) > table(coarse, T) * (1 + 1e-13) for coarse, fine in K for T in range(1, 9))
    return Evidence(missed, 0, "==", "games on finer grids with a larger value, T = 1..8", {"pairs": len(K)})


def doubling(least: float = 1.3, horizons: Sequence[int] = (4, 8)) -> Evidence:
    """Measure by how much the smallest value over the table's resolutions grows when the horizon doubles.

    Parameters
    ----------
    least : float
        The growth is at least this, and at most 1.5.
    horizons : sequence of int
        Shorter and longer horizon.
    """
    best = [min(table(K, T) for K in RESOLUTIONS) for T in horizons]
    growth = [longer / shorter for shorter, longer in pairwise(best)]
    text = "smallest value at T = 8 over that at T = 4, K in (2, 3, 4, 5, 6, 8)"
    return jointly(
        Evidence(max(growth), 1.5, "<=", text),
        Evidence(min(growth), least, ">=", text),
        refining(),
    )


def offset(constant: float = math.log(3) / 2, first: int = 10, last: int = 40) -> Evidence:
    """Check that the value on {1/4, 3/4} is T log(4/3) + (log 3)/2 to 1e-12 for T = 10..40, and larger for T = 2..9.

    Parameters
    ----------
    constant : float
        What the value exceeds T log(4/3) by.
    first, last : int
        Horizons.
    """
    grid = inner_grid(3)
    excess = np.array([minimax.value(grid, T) - T * math.log(4 / 3) - constant for T in range(1, last + 1)])
    late = int(np.sum(np.abs(excess[first - 1 :]) > 1e-12))
    early = int(np.sum(excess[1 : first - 1] < 1e-3))
    return jointly(
        Evidence(
            late, 0, "==", f"T = {first}..{last} at which the value is not T log(4/3) + (log 3)/2 to 1e-12"
        ),
        Evidence(early, 0, "==", f"T = 2..{first - 1} at which it is not larger by 0.001"),
        Evidence(int(abs(excess[0]) > 1e-12), 0, "==", "at T = 1 it is this number as well"),
    )


def constant_outcomes(longest: Sequence[tuple[int, int]] = ((2, 12), (3, 10))) -> Evidence:
    """Check that always 1 is worst against realised feedback up to these horizons, and beaten at K = 2, T = 16.

    Parameters
    ----------
    longest : sequence of (int, int)
        Resolution and last horizon.
    """
    missed = games = 0
    for K, last in longest:
        for T in range(1, last + 1):
            games += 1
            missed += minimax.worst_case(K, T) > minimax.fixed_case(K, [1] * T) * (1 + 1e-12)
    lead = minimax.worst_case(2, 16) - minimax.fixed_case(2, [1] * 16)
    return jointly(
        Evidence(missed, 0, "==", "games in which some adversary earns more than always 1", {"games": games}),
        Evidence(lead, 0.005, ">", "what the best adversary earns more at K = 2, T = 16"),
    )


def end_points(measure: str = "kl", rounds: int = 6) -> Evidence:
    """Check that 0 and 1 change no value of E[KLCal] on uniform grids, and lower that of E[Cal_2] from some round on.

    Parameters
    ----------
    measure : str
        The game whose value should not change.
    rounds : int
        Longest horizon.
    """
    moved = kept = 0
    for K, first in ((2, 2), (3, 2), (4, 4)):
        whole = uniform_grid(K)
        inside = Grid(whole.points[1:-1])
        for T in range(1, rounds + 1):
            moved += minimax.value(whole, T, measure) != minimax.value(inside, T, measure)
            gain = minimax.value(inside, T, "squared") - minimax.value(whole, T, "squared")
            kept += first <= T and gain < 1e-3
    exact = sum(
        solved(quarters(0, 2, 4), T)(start(3)).value >= solved(quarters(2), T)(start(1)).value
        for T in (2, 3, 4)
    )
    return jointly(
        Evidence(moved, 0, "==", "games for KLCal whose value 0 and 1 change, uniform grids of K = 2, 3, 4"),
        Evidence(kept, 0, "==", "games for Cal_2 whose value they do not lower, the same grids"),
        Evidence(exact, 0, "==", "the same for {1/2} and {0, 1/2, 1}, in fractions"),
    )


def half(factor: Fraction = Fraction(2)) -> Evidence:
    """Check that twice the value for Cal_2 is below the value for KLCal, on {1/4, 3/4}: fractions against balls.

    Parameters
    ----------
    factor : Fraction
        2 by Pinsker's inequality.
    """
    ratio, where = max(
        (upper(ball(factor * solved(quarters(1, 3), T)(start(2)).value) / enclosed("inner", 3, T)[0]), T)
        for T in range(1, 9)
    )
    text = "largest 2 V for Cal_2 over V for KLCal, T = 1..8; the first in fractions, the second in balls"
    return Evidence(ratio, 1, "<", text, {"T": where})


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="new:game-growth",
        number="new",
        title="how values grow",
        kind="numeric",
        chapter=CHAPTER,
        statement="A finer grid that contains a coarser one has no larger value. The smallest value over the inner "
        "grids of K = 2, 3, 4, 5, 6, 8 grows by a factor between 1.3 and 1.5 from 4 to 8 rounds; observed, and no "
        "statement about rates.",
        uses=("new:game-values",),
        check=doubling,
        spoil=(partial(doubling, least=1.45), partial(refining, ((2, 3), (4, 5)))),
    ),
    Claim(
        label="new:game-offset",
        number="new",
        title="two points: the logarithm does not show",
        kind="numeric",
        chapter=CHAPTER,
        statement="On {1/4, 3/4} the value is at least T log(4/3) + (log 3)/2 for every T (proved); for T = 10 to 40 "
        "it is this number to 1e-12, and for T = 2 to 9 it is larger (observed).",
        uses=("new:game-two-sides",),
        check=offset,
        spoil=(partial(offset, math.log(3) / 2 + 1e-9), partial(offset, first=9)),
    ),
    Claim(
        label="new:game-constant-outcomes",
        number="new",
        title="the worst outcomes for realised feedback",
        kind="numeric",
        chapter=CHAPTER,
        statement="Against Algorithm 1 fed with its own draws no adaptive adversary earns more than the sequence 1, "
        "1, 1, ... in games of up to 12 rounds at K = 2 and up to 10 at K = 3; at K = 2 and 16 rounds one does. "
        "Observed.",
        uses=("new:realised-certified",),
        check=constant_outcomes,
        spoil=(partial(constant_outcomes, ((2, 16),)),),
    ),
    Claim(
        label="new:game-end-points",
        number="new",
        title="forecasts 0 and 1",
        kind="numeric",
        chapter=CHAPTER,
        statement="Adding the points 0 and 1 to a grid never changes the value of E[KLCal] (proved), and lowers that "
        "of E[Cal_2] on the uniform grids of K = 2 and 3 from two rounds on and of K = 4 from four, up to six.",
        uses=("new:game-two-points",),
        check=end_points,
        spoil=(partial(end_points, "squared"),),
    ),
    Claim(
        label="new:game-squares",
        number="new",
        title="the same game for l2 calibration",
        kind="certified",
        chapter=CHAPTER,
        statement="The value of E[Cal_2] is at most half the value of E[KLCal] on the same grid (by Pinsker's "
        "inequality); on {1/4, 3/4} it is strictly less for T = 1 to 8.",
        uses=("new:game-values", "new:game-saddle-point", "pinsker"),
        check=half,
        spoil=(partial(half, Fraction(3)),),
        rows=(5,),
    ),
)
