"""The sign game straight from its rules: whole boards as strings, no gaps, no mirror; imports nothing from klcal."""

from __future__ import annotations

from functools import cache


def point(board, cell, sign):
    """Erase every minus to the left and every plus to the right of a cell, then write the sign."""
    cells = ["x" if (c == "-" and i < cell) or (c == "+" and i > cell) else c for i, c in enumerate(board)]
    cells[cell] = sign
    return "".join(cells)


@cache
def value(board):
    """The number of signs Nature gets from here; she may stop at once."""
    best = sum(c in "+-" for c in board)
    for cell, c in enumerate(board):
        if c == ".":
            best = max(best, min(value(point(board, cell, "+")), value(point(board, cell, "-"))))
    return best
