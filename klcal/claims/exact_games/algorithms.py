r"""Two explicit algorithms in balls: their worst cases between value and bound, and PAIR's exponential moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache, partial
from typing import Any

from flint import arb

from klcal import bounds, minimax
from klcal.claims._combinators import jointly, worst
from klcal.claims._evidence import Evidence, all_cases, cases
from klcal.claims._ledger import Chapter
from klcal.exact.balls import ball, precision
from klcal.exact.cells import Counts
from klcal.exact.forecasters import pair
from klcal.exact.grids import inner_grid
from klcal.exact.induction import summed
from klcal.exact.worst_cases import value_enclosure, worst_case, worst_expectation

chapter = Chapter("09_the_game_solved")

# Resolution and horizon, from two rounds on: in one round both algorithms may be optimal.
REALISED = [(K, T) for K, last in ((2, 6), (3, 4)) for T in range(2, last + 1)]
PAIR = [(K, T) for K, last in ((3, 8), (4, 6)) for T in range(2, last + 1)]

Game = tuple[int, int]


def between(
    algorithm: str, grid: str, bound: Callable[[arb, int], Any], games: Iterable[Game], share: Fraction
) -> Evidence:
    """Compare worst cases with the values of the games below and the bounds above."""
    chosen = list(games)
    with precision(128):
        return jointly(
            worst(
                r"largest worst case of $\mathbb E[\mathsf{KLCal}]$ over the bound, in balls",
                chosen,
                lambda game: worst_case(*game, algorithm) / bound(ball(game[1]), game[0]),
                ball(share),
            ),
            worst(
                "largest value of the game over the worst case of the algorithm, in balls",
                chosen,
                lambda game: value_enclosure(grid, *game)[1] / worst_case(*game, algorithm),
                1 - 1e-9,
            ),
        )


def float_worst_cases(algorithm: str, games: Iterable[Game], shift: float = 0.0) -> Evidence:
    """Compare the package's worst cases with their balls."""
    with precision(128):
        return worst(
            "`klcal.minimax.worst_case` minus its ball",
            games,
            lambda game: abs(minimax.worst_case(*game, algorithm) + shift - worst_case(*game, algorithm)),
            1e-12,
        )


@chapter.claim(
    "new:realised-certified",
    "new",
    "the explicit algorithm between value and bound",
    kind="exact",
    scope=all_cases("K = 2, T = 2, ..., 6; K = 3, T = 2, 3, 4"),
    controls={
        "0.71 of the bound": {"share": Fraction(71, 100)},
        "one round, in which it is optimal": {"games": [(2, 1)]},
    },
    uses=("new:realised", "new:realised-explicit", "new:game-values"),
)
def realised(share: Fraction = Fraction(1), games: Iterable[Game] = REALISED) -> Evidence:
    r"""For Algorithm 1 fed with its own draws, at $K = 2$ with 2 to 6 rounds and at $K = 3$ with 2 to 4, the worst case
    of $\mathbb E[\mathsf{KLCal}]$ over all adaptive adversaries is strictly below the bound $(K+1)\log(1 + \frac
    T{K+1}) + 2T\log\sec\frac\pi{2K}$ (at $K = 2$ with the angle $\frac\pi8$) and strictly above the value of the game
    on its grid.
    """
    bound = partial(bounds.realised_in_expectation, version="best")
    return between("realised", "full", bound, games, share)


@cache
def moment(K: int, T: int) -> arb:
    """Return the largest E exp of half of KLCal minus PAIR's bound for the counts that came up."""
    with precision(128):
        points = inner_grid(K)
        cost = summed(points)

        def final(counts: Counts) -> arb:
            bets = bounds.pair_from_counts([ball(sum(cell)) for cell in counts], K)
            return ball(((cost(counts) - bets) / 2).exp())

        return ball(worst_expectation(pair(points), len(points), T, final))


@chapter.claim(
    "new:game-pair",
    "new",
    "PAIR between value and bound",
    kind="exact",
    scope=all_cases("K = 3, T = 2, ..., 8; K = 4, T = 2, ..., 6; the moment from T = 1 on"),
    controls={
        "0.82 of the bound": {"share": Fraction(82, 100)},
        "one round, in which it is optimal": {"games": [(4, 1)]},
        "0.86 in place of 1 for the moment": {"most": 0.86},
    },
    uses=("new:game-values", "new:pair"),
)
def pair_between(share: Fraction = Fraction(1), games: Iterable[Game] = PAIR, most: float = 1.0) -> Evidence:
    r"""For PAIR at $K = 3$ with 2 to 8 rounds and at $K = 4$ with 2 to 6, the worst case of $\mathbb E[\mathsf{KLCal}]$
    over all adaptive adversaries is strictly between the value of the game on its grid and its bound, and the largest
    $\mathbb E\exp\frac12(\mathsf{KLCal} - \sum_{n_i\ge1}\log(4n_i) - 2T\log\sec\frac\pi{2K})$ is below 1, also for one
    round.
    """
    return jointly(
        between("pair", "inner", bounds.pair, games, share),
        worst(
            "largest exponential moment, in balls", [*PAIR, (3, 1), (4, 1)], lambda game: moment(*game), most
        ),
    )


for _label, _algorithm, _games, _cases in (
    ("new:realised-certified", "realised", REALISED, "K = 2, T = 2, ..., 6; K = 3, T = 2, 3, 4"),
    ("new:game-pair", "pair", PAIR, "K = 3, T = 2, ..., 8; K = 4, T = 2, ..., 6"),
):
    chapter.evidence(
        _label, kind="numeric", scope=cases(_cases), controls={"larger by 1e-9": {"shift": 1e-9}}
    )(partial(float_worst_cases, _algorithm, _games))
