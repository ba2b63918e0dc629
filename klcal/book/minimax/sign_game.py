r"""The sign game: the skeleton of the lower bound of chapter 11, solved by backward induction.

A row of n cells, each usable once. Nature points at a fresh cell, the forecaster writes a sign into it, and every minus
to its left and every plus to its right is erased. Nature may stop whenever she likes; her gain is the number of signs.

What survives is always a row of pluses followed by a row of minuses, so only the numbers of fresh cells between them
matter. `can_force` solves the game over these numbers; `staircase` is the simple strategy of the proof.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache

from klcal import _checks

FRESH, PLUS, MINUS, ERASED = ".", "+", "-", "x"


@dataclass(frozen=True)
class Board:
    """A row of cells.

    Parameters
    ----------
    cells : str
        One character per cell: "." fresh, "+" and "-" signs, "x" a used cell whose sign is erased.

    Examples
    --------
    >>> Board("...").point(1, "-").point(2, "+").cells
    '.x+'
    """

    cells: str

    def __post_init__(self) -> None:
        for index, cell in enumerate(self.cells):
            if cell not in (FRESH, PLUS, MINUS, ERASED):
                raise ValueError(f"cells must hold '.', '+', '-' or 'x'; got {cell!r} at index {index}")
        signs = [cell for cell in self.cells if cell in (PLUS, MINUS)]
        if signs != sorted(signs):
            raise ValueError(f"cells must have every '+' before every '-'; got {self.cells!r}")

    @property
    def signs(self) -> int:
        """How many signs are on the board."""
        return self.cells.count(PLUS) + self.cells.count(MINUS)

    @property
    def fresh(self) -> tuple[int, ...]:
        """The cells that Nature may point at."""
        return tuple(i for i, cell in enumerate(self.cells) if cell == FRESH)

    def point(self, cell: int, sign: str) -> Board:
        """Return the board after Nature has pointed at `cell` and the forecaster has answered `sign`.

        Parameters
        ----------
        cell : int
            A fresh cell, counted from 0.
        sign : {"+", "-"}
            The answer.
        """
        _checks.choice("sign", sign, (PLUS, MINUS))
        if cell not in self.fresh:
            raise ValueError(f"cell must be fresh on {self.cells!r}; got {cell!r}")
        left = self.cells[:cell].replace(MINUS, ERASED)
        right = self.cells[cell + 1 :].replace(PLUS, ERASED)
        return Board(left + sign + right)


@dataclass(frozen=True)
class Turn:
    """One turn: where Nature pointed, what the forecaster wrote, and the board after it."""

    cell: int
    sign: str
    board: Board


# Where Nature points next, None to stop; and the forecaster's answer.
Nature = Callable[[Board], int | None]
Answer = Callable[[Board, int], str]


def play(n: int, nature: Nature, answer: Answer) -> list[Turn]:
    """Play the game on n fresh cells until Nature stops.

    Parameters
    ----------
    n : int
        Number of cells.
    nature : callable
        Board -> cell, or None to stop.
    answer : callable
        Board, cell -> sign.

    Returns
    -------
    list of Turn
        All turns, in order.

    Examples
    --------
    >>> turns = play(3, lambda board: staircase(board, 2), by_cell([1, 2]))
    >>> [turn.board.cells for turn in turns]
    ['.-.', '+-.']
    """
    board, turns = Board(FRESH * _checks.integer("n", n, least=0)), []
    while (cell := nature(board)) is not None:
        sign = answer(board, cell)
        board = board.point(cell, sign)
        turns.append(Turn(cell, sign, board))
    return turns


def rows(turns: Sequence[Turn]) -> tuple[list[str], list[int]]:
    """Return the boards of a play and the cells that Nature pointed at, turn by turn, as figures take them.

    Parameters
    ----------
    turns : sequence of Turn
        What `play` returns.

    Returns
    -------
    (list of str, list of int)
        The cells of the board after each turn, and the cell of each turn.

    Examples
    --------
    >>> rows(play(3, lambda board: staircase(board, 2), by_cell([1, 2])))
    (['.-.', '+-.'], [1, 0])
    """
    return [turn.board.cells for turn in turns], [turn.cell for turn in turns]


def staircase(board: Board, k: int) -> int | None:
    r"""Return the next cell of the simple strategy, which gets k signs on :math:`k(k+1)/2` cells; None with k signs.

    The cells are cut into blocks of k, k - 1, ..., 1 cells from the left. Nature walks through the first block from
    right to left. As long as the answer is minus, every sign survives; at the first plus she goes on in the next
    block, where one sign less is needed. On the board that she meets, the number of pluses is the number of blocks
    left behind, and the number of minuses is how far she has walked in the present one.

    Parameters
    ----------
    board : Board
        A board that this strategy has made.
    k : int
        The number of signs to get.

    Examples
    --------
    >>> board = Board("." * 6)
    >>> (
    ...     staircase(board, 3),
    ...     staircase(board.point(2, "-"), 3),
    ...     staircase(board.point(2, "-").point(1, "+"), 3),
    ... )
    (2, 1, 4)
    """
    if board.signs >= _checks.integer("k", k, least=1):
        return None
    pluses, minuses = board.cells.count(PLUS), board.cells.count(MINUS)
    ends_before = sum(k - block for block in range(pluses + 1))
    # A plus at the j-th step leaves j - 1 minuses behind, to the right of it; the next block is fresh to its end.
    last = ends_before - 1
    if last < len(board.cells) and board.cells[last] == FRESH:
        return last
    return last - minuses


def can_force(board: Board, k: int) -> bool:
    """Return whether Nature can get k signs from this board, by backward induction.

    Parameters
    ----------
    board : Board
        Any board.
    k : int
        The number of signs to get.

    Examples
    --------
    >>> can_force(Board("." * 14), 5), can_force(Board("." * 15), 5)
    (False, True)
    """
    return _forces(*_gaps(board), _checks.integer("k", k, least=0))


def value(n: int) -> int:
    """Return the number of signs that Nature gets on n cells if both play best.

    Parameters
    ----------
    n : int
        Number of cells.

    Examples
    --------
    >>> [value(n) for n in range(11)]
    [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4]
    """
    return _gain(Board(FRESH * _checks.integer("n", n, least=0)))


def smallest_board(k: int) -> int:
    """Return the fewest cells on which Nature gets k signs; seven take a second, eight fifteen times as long.

    Parameters
    ----------
    k : int
        Number of signs.

    Examples
    --------
    >>> [smallest_board(k) for k in range(1, 6)]
    [1, 3, 6, 10, 15]
    """
    n = _checks.integer("k", k, least=0)
    while not can_force(Board(FRESH * n), k):
        n += 1
    return n


def best_cell(board: Board, k: int) -> int | None:
    """Return the lowest cell from which Nature still gets k signs; None if there is none, or if she has them.

    Parameters
    ----------
    board : Board
        Any board.
    k : int
        The number of signs to get.

    Examples
    --------
    >>> best_cell(Board("..."), 2), best_cell(Board(".."), 2)
    (1, None)
    """
    if board.signs >= k:
        return None
    for cell in board.fresh:
        if all(can_force(board.point(cell, sign), k) for sign in (PLUS, MINUS)):
            return cell
    return None


def best_answer(board: Board, cell: int) -> str:
    """Return the sign after which Nature gets fewer signs, minus if it makes no difference.

    Parameters
    ----------
    board : Board
        Any board.
    cell : int
        Where Nature points.

    Examples
    --------
    >>> best_answer(Board(".."), 0), best_answer(Board(".."), 1)
    ('-', '+')
    """
    after = {sign: board.point(cell, sign) for sign in (MINUS, PLUS)}
    gains = {sign: _gain(after[sign]) for sign in after}
    return min(gains, key=lambda sign: gains[sign])


def by_cell(minuses: Collection[int]) -> Answer:
    """Return the forecaster that writes minus into certain cells and plus into all others.

    Parameters
    ----------
    minuses : collection of int
        The cells that get a minus.

    Examples
    --------
    >>> by_cell([0])(Board(".."), 0), by_cell([0])(Board(".."), 1)
    ('-', '+')
    """

    def answer(board: Board, cell: int) -> str:
        del board
        return MINUS if cell in minuses else PLUS

    return answer


def _gain(board: Board) -> int:
    """Return the number of signs that Nature gets from this board if both play best."""
    k = board.signs
    while can_force(board, k + 1):
        k += 1
    return k


def _gaps(board: Board) -> tuple[tuple[int, ...], int, tuple[int, ...]]:
    """Fresh cells before each plus, between the last plus and the first minus, and after each minus."""
    kept = board.cells.replace(ERASED, "")
    *left, rest = kept.split(PLUS)
    middle, *right = rest.split(MINUS)
    return tuple(map(len, left)), len(middle), tuple(map(len, right))


@cache
def _forces(left: tuple[int, ...], middle: int, right: tuple[int, ...], k: int) -> bool:
    signs, fresh = len(left) + len(right), sum(left) + middle + sum(right)
    if signs >= k or signs + fresh < k:
        return signs >= k
    mirrored = (right[::-1], middle, left[::-1])
    if mirrored < (left, middle, right):  # a mirror exchanges the signs
        return _forces(*mirrored, k)
    if signs and _forces((), middle, (), k - signs):  # in the middle nothing old is erased
        return True
    gaps, centre = (*left, middle, *right), len(left)
    for gap, size in enumerate(gaps):
        old = gap + len(right) if gap <= centre else centre + len(gaps) - 1 - gap
        # Answers that ignore the old signs leave no more new ones than on a fresh board.
        if signs and not _forces((), fresh, (), k - old):
            continue
        for before in range(size):
            after = size - 1 - before
            if gap <= centre:  # the pluses between this gap and the middle are erased
                inner = after + sum(gaps[gap + 1 : centre + 1])
                plus = (*left[:gap], before), inner, right
                minus = left[:gap], before, (inner, *right)
            else:
                inner = before + sum(gaps[centre:gap])
                kept = right[gap - centre :]
                plus = (*left, inner), after, kept
                minus = left, inner, (after, *kept)
            # First the answer that leaves fewer cells in the middle: it is likelier to hold Nature off.
            first, second = (plus, minus) if plus[1] < minus[1] else (minus, plus)
            if _forces(*first, k) and _forces(*second, k):
                return True
    return False
