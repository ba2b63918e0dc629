"""Write what klcal says about the sign game, for the board on the page: plays, and who wins from many boards.

``python tests/tools/sign_game_transcripts.py`` writes it anew into tests/transcripts/sign_game.
"""

from __future__ import annotations

import json
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

from klcal.book.minimax import sign_game
from klcal.book.minimax.sign_game import Board

PATH = Path(__file__).resolve().parents[1] / "transcripts" / "sign_game" / "told.json"

# Cells, signs to get, Nature's strategy, the forecaster's answers in turn (None: the best ones).
PLAYS = (
    (6, 3, "staircase", "-"),
    (6, 3, "staircase", "+"),
    (10, 4, "staircase", "--+-+"),
    (15, 5, "staircase", None),
    (10, 4, "best_cell", None),
    (10, 4, "best_cell", "+-"),
    (20, 6, "best_cell", "--+"),
)


def played(n: int, k: int, nature: str, answers: str | None) -> list[tuple[int, str, str]]:
    """Return all turns of one play: cell, sign, board."""
    signs = cycle(answers or "")
    answer = (lambda board, cell: next(signs)) if answers else sign_game.best_answer
    turns = sign_game.play(n, partial(getattr(sign_game, nature), k=k), answer)
    return [(turn.cell, turn.sign, turn.board.cells) for turn in turns]


def told() -> dict[str, Any]:
    """Return the plays, and of every board met in them what backward induction says."""
    plays = [
        {"n": n, "k": k, "nature": name, "answers": a, "turns": played(n, k, name, a)}
        for n, k, name, a in PLAYS
    ]
    boards = sorted({(cells, play["k"]) for play in plays for _, _, cells in play["turns"]})
    positions = [
        {
            "board": cells,
            "k": k,
            "forced": sign_game.can_force(Board(cells), k),
            "best_cell": sign_game.best_cell(Board(cells), k),
            "best_answers": {cell: sign_game.best_answer(Board(cells), cell) for cell in Board(cells).fresh},
        }
        for cells, k in boards
    ]
    return {"values": [sign_game.value(n) for n in range(16)], "plays": plays, "positions": positions}


if __name__ == "__main__":
    PATH.parent.mkdir(exist_ok=True)
    PATH.write_text(json.dumps(told(), separators=(",", ":")) + "\n", encoding="utf-8")
