"""The game of signs on the page of the lower bound: its referee, the stored rows, and the live figure."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import live_figures
import pytest
import sign_boards

PAGE = sign_boards.page()
RECORD = json.loads(sign_boards.PATH.read_text(encoding="utf-8"))
ANSWER = Path(__file__).parent / "transcripts" / "sign_game" / "answer.mjs"


@cache
def gain_of(row: str) -> int:
    """The number of signs that Nature gets from here; it may stop at once."""
    row = row.replace("x", "")
    fresh = [i for i, cell in enumerate(row) if cell == "."]
    answers = [min(gain_of(PAGE["point"](row, i, sign)) for sign in "+-") for i in fresh]
    return max([len(row) - len(fresh), *answers])


def test_live_figure_plays_as_the_page_says_and_as_well_as_possible():
    node = live_figures.node_program()
    if node is None:
        pytest.skip("no Node that runs on this machine")
    rows = {"." * n for n in range(1, 11)}
    for k, signs in ((3, "-+-+"), (4, "--+-+-+-"), (4, "+-" * 5)):
        rows |= set(PAGE["play"]("." * (k * (k + 1) // 2), k, signs))
    requests = [{"row": row, "k": k} for row in sorted(rows) for k in (3, 4)]
    for asked, told in zip(requests, live_figures.answers(node, ANSWER, requests), strict=True):
        row, k = asked["row"], asked["k"]
        fresh = [i for i, cell in enumerate(row) if cell == "."]
        after = {i: {sign: PAGE["point"](row, i, sign) for sign in "-+"} for i in fresh}
        gains = {i: {sign: gain_of(after[i][sign]) for sign in "-+"} for i in fresh}
        good = [i for i in fresh if min(gains[i].values()) >= k]
        has_them = row.count("+") + row.count("-") >= k
        assert told["gain"] == gain_of(row) and told["forced"] == (gain_of(row) >= k)
        assert told["best_cell"] == (None if has_them or not good else good[0])
        assert told["after"] == {str(i): [after[i]["-"], after[i]["+"]] for i in fresh}
        assert told["best_answers"] == {str(i): min("-+", key=gains[i].get) for i in fresh}


def test_stored_rows_are_found_again_and_the_page_says_what_is_stored():
    again = sign_boards.accepted(7)
    assert [row[:7] for row in RECORD["cells"][:7]] == again["cells"]
    text = (sign_boards.ROOT / "chapters" / "11_lower_bound.ipynb").read_text(encoding="utf-8")
    assert re.search(r"\(20, 20\): (\d+)", text)[1] == str(RECORD["cells"][19][19])


@pytest.mark.parametrize(
    "moves",
    [
        {(0, 0, 0, 4, 0): "give up +"},  # of no pluses, again and again
        {(0, 0, 0, 4, 0): "give up -"},
        {(0, 0, 0, 4, 0): (1, 2, 3)},  # two cells where one is left
        {(0, 0, 0, 4, 0): (1, 2, -1)},
        {
            (0, 0, 0, 4, 0): (1, 2, 0),
            (1, 0, 0, 2, 0): (1, 1, 0),
            (1, 1, 0, 0, 1): (1, 1, 0),
        },  # costs the minus
    ],
)
def test_the_referee_refuses_what_is_against_the_rules(moves):
    assert not PAGE["accepts"](moves, (2, 2), 4, {(1, 1): 1, (1, 2): 2})


@pytest.mark.parametrize("moves", [{}, {(0, 0, 0, 4, 0): (2, 2, 0)}])
def test_the_referee_needs_a_move_everywhere_and_knows_smaller_goals_only(moves):
    with pytest.raises(KeyError):
        PAGE["accepts"](moves, (2, 2), 4, {(1, 1): 1, (1, 2): 2})


def test_the_referee_accepts_two_rows_of_two():
    moves = {(0, 0, 0, 4, 0): (1, 2, 0), (1, 0, 0, 2, 0): (1, 2, 0)}
    assert PAGE["accepts"](moves, (2, 2), 4, {(1, 1): 1, (1, 2): 2})
