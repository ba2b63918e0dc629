"""Find rows for the game of signs and let the referee accept them, both as chapter 11 does it, for large goals, too.

``python tests/tools/sign_boards.py`` goes up to 20 pluses or 20 minuses (minutes) and writes what was accepted into
tests/transcripts/sign_game/boards.json.
"""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

ROOT = Path(__file__).resolve().parents[2]
PATH = ROOT / "tests" / "transcripts" / "sign_game" / "boards.json"


def page() -> dict[str, Any]:
    """Return what the cells of the page define: `point`, `staircase`, `play`, `accepts`, `search`."""
    cells = json.loads((ROOT / "chapters" / "11_lower_bound.ipynb").read_text(encoding="utf-8"))["cells"]
    source = {cell["id"]: "".join(cell["source"]) for cell in cells}
    found: dict[str, Any] = {"np": np, "njit": njit}
    for name in ("lower-point", "lower-staircase", "lower-referee", "lower-search"):
        exec(source[name], found)
    return found


def accepted(most: int) -> dict[str, Any]:
    """Return the cells for all goals up to (most, most), one row for each number of pluses, and how many positions."""
    told, boards, positions = page(), {(1, 1): 1}, 0
    goals = [goal for goal in product(range(1, most + 1), repeat=2) if (1, 1) < goal <= goal[::-1]]
    for A, B in sorted(goals, key=sum):
        cells, moves = told["search"](A, B, boards)
        if not told["accepts"](moves, (A, B), cells, boards):
            raise ValueError(f"the referee refuses the moves for {A} pluses or {B} minuses on {cells} cells")
        boards[A, B] = boards[B, A] = cells  # a mirror exchanges the signs
        positions += len(moves)
    size = range(1, most + 1)
    return {"cells": [[boards[A, B] for B in size] for A in size], "positions": positions}


if __name__ == "__main__":
    record = accepted(20)
    PATH.write_text(json.dumps(record, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{record['cells'][-1][-1]} cells for (20, 20); {record['positions']:,} positions were looked at")
