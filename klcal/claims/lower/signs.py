"""Claims of chapter 12: what is known without the theorem: a coin with a random bias, and the game of signs."""

from __future__ import annotations

from fractions import Fraction

from klcal.claims._combinators import none_of
from klcal.claims._evidence import Evidence, all_cases, cases
from klcal.claims._ledger import Chapter
from klcal.claims.constants.formulas import recompute
from klcal.exact import lower_bound
from klcal.exact.arithmetic import harmonic
from klcal.minimax import sign_game
from klcal.minimax.sign_game import Board

chapter = Chapter("12_lower_bound")

# ----- a coin ------------------------------------------------------------------------------------------------------


@chapter.claim(
    "new:lower/coin",
    "Proposition",
    "a coin with a random bias",
    kind="exact",
    scope=cases("T <= 30"),
    controls={"0.1667 in place of 1/6": {"factor": Fraction(1667, 10_000)}},
    proof="Chapter 12",
    credit="the textbook argument for external regret",
)
def best_against_a_coin(factor: Fraction = Fraction(1, 6)) -> Evidence:
    r"""If the outcomes are flips of one coin whose bias is drawn uniformly from $[0,1]$, then every forecaster has
    $\mathbb E[\mathsf{Cal}_2] \ge \frac16\bigl(1 + \frac12 + \dots + \frac1{T+1}\bigr) \ge \frac16\log(T+2)$.

    The regret of the best forecaster, in fractions, is the harmonic sum over 6.
    """
    return none_of(
        "$T$ at which the Bayes forecaster's regret for the squared loss is not that sum",
        range(1, 31),
        lambda T: lower_bound.coin_regret(T) != factor * harmonic(T + 1),
    )


recompute(
    "new:lower/coin", ("squares_log_lower_bound", lambda T: (T + 2).log() / 6, [(1,), (1000,), (10**12,)])
)


# ----- the sign game -----------------------------------------------------------------------------------------------


def fewest_signs(board: Board, k: int) -> int:
    """Return with how many signs the staircase ends in the worst case, over all answers."""
    cell = sign_game.staircase(board, k)
    if cell is None or cell not in board.fresh:
        return board.signs
    return min(fewest_signs(board.point(cell, sign), k) for sign in (sign_game.PLUS, sign_game.MINUS))


@chapter.claim(
    "new:lower/signs",
    "Lemma",
    "the staircase",
    kind="exact",
    scope=cases("k <= 6"),
    controls={"one cell less": {"fewer": 1}},
    proof="Chapter 12",
)
def staircase_wins(fewer: int = 0) -> Evidence:
    r"""On $\frac{k(k+1)}2$ cells Nature gets $k$ signs in the sign game, by walking left through blocks of
    $k, k-1, \dots, 1$ cells and going on in the next block at the first plus.
    """
    return none_of(
        "$k$ for which some answers leave the package's staircase with fewer signs",
        range(1, 7),
        lambda k: fewest_signs(Board("." * (k * (k + 1) // 2 - fewer)), k) < k,
    )


@chapter.claim(
    "new:lower/signs-exact",
    "Proposition",
    "the smallest boards",
    kind="exact",
    scope=all_cases("1, 2, ..., 7 signs"),
    controls={"21 cells in place of 20 for six signs": {"sizes": (1, 3, 6, 10, 15, 21, 26)}},
)
def smallest_boards(sizes: tuple[int, ...] = (1, 3, 6, 10, 15, 20, 26)) -> Evidence:
    r"""The smallest boards on which Nature can force $1, 2, \dots, 7$ signs have $1, 3, 6, 10, 15, 20, 26$ cells."""
    return none_of(
        "numbers of signs with another smallest board, by backward induction up to the fresh cells between signs",
        enumerate(sizes, start=1),
        lambda pair: (
            not sign_game.can_force(Board("." * pair[1]), pair[0])
            or sign_game.can_force(Board("." * (pair[1] - 1)), pair[0])
        ),
    )
