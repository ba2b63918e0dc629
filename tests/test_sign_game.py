"""The sign game: its rules, its solution against whole boards, the strategies of both players."""

from __future__ import annotations

import json
from functools import cache
from itertools import product

import sign_game_transcripts as transcripts
from hypothesis import given
from hypothesis import strategies as st

from klcal.book.minimax import sign_game
from klcal.book.minimax.sign_game import Board

MOVES = st.lists(st.tuples(st.integers(0, 8), st.sampled_from("+-")), max_size=9)


def point(board, cell, sign):
    """Erase every minus to the left and every plus to the right of a cell, then write the sign."""
    cells = ["x" if (c == "-" and i < cell) or (c == "+" and i > cell) else c for i, c in enumerate(board)]
    cells[cell] = sign
    return "".join(cells)


@cache
def gain_of(board):
    """The number of signs Nature gets from here, from whole boards; she may stop at once."""
    fresh = [cell for cell, c in enumerate(board) if c == "."]
    answers = [min(gain_of(point(board, cell, sign)) for sign in "+-") for cell in fresh]
    return max([board.count("+") + board.count("-"), *answers])


def reached(moves: list[tuple[int, str]], n: int = 9) -> Board:
    """Return the board after those of the moves that are legal."""
    board = Board("." * n)
    for cell, sign in moves:
        if cell in board.fresh:
            board = board.point(cell, sign)
    return board


def least(board: Board, k: int) -> int:
    """Return the fewest signs with which the staircase ends, over all answers."""
    cell = sign_game.staircase(board, k)
    if cell is None:
        return board.signs
    return min(least(board.point(cell, sign), k) for sign in "+-")


@given(MOVES)
def test_pointing_erases_minuses_to_the_left_and_pluses_to_the_right(moves):
    board = reached(moves)
    for cell, sign in product(board.fresh, "+-"):
        assert board.point(cell, sign).cells == point(board.cells, cell, sign)


@given(MOVES)
def test_gaps_decide_a_board_as_the_whole_board_does(moves):
    board = reached(moves)
    gain = gain_of(board.cells)
    assert sign_game.can_force(board, gain) and not sign_game.can_force(board, gain + 1)


def test_values_of_small_boards():
    assert [sign_game.value(n) for n in range(10)] == [gain_of("." * n) for n in range(10)]


def test_staircase_gets_its_signs_whatever_the_answers():
    for k in range(1, 8):
        assert least(Board("." * (k * (k + 1) // 2)), k) == k


def test_staircase_is_best_up_to_five_signs_and_no_longer():
    assert [sign_game.smallest_board(k) for k in range(1, 7)] == [1, 3, 6, 10, 15, 20]


@given(MOVES)
def test_best_cell_keeps_what_can_be_forced(moves):
    board = reached(moves)
    gain = gain_of(board.cells)
    cell = sign_game.best_cell(board, gain)
    assert (cell is None) == (board.signs >= gain)
    if cell is not None:
        assert all(sign_game.can_force(board.point(cell, sign), gain) for sign in "+-")
    assert sign_game.best_cell(board, gain + 1) is None


@given(MOVES)
def test_best_answer_leaves_nature_the_least(moves):
    board = reached(moves)
    for cell in board.fresh:
        gains = {sign: gain_of(point(board.cells, cell, sign)) for sign in "-+"}
        assert gains[sign_game.best_answer(board, cell)] == min(gains.values())


def test_stored_plays_are_what_klcal_plays():
    assert json.loads(transcripts.PATH.read_text(encoding="utf-8")) == json.loads(
        json.dumps(transcripts.told())
    )
