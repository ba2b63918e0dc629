"""Numbers in rows and columns, typeset in the book and plain in a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from klcal.claims._render import Table


def table(
    rows: Mapping[str, Any], columns: Sequence[object] = (), *, corner: str = "", digits: int = 4
) -> Table:
    """Return numbers as a table.

    Parameters
    ----------
    rows : mapping from str to number, sequence or mapping
        By the name of the row: one number, a sequence with one number for each column, or a mapping by the name of the
        column.
    columns : sequence
        Names of the columns; those of the first row if rows are mappings.
    corner : str
        Name of the rows.
    digits : int
        Digits behind the point of numbers that are not integers.

    Returns
    -------
    Table
        In a notebook it shows itself. Names may hold formulas in dollar signs.

    Examples
    --------
    >>> table({"a": [1, 0.5], "b": [1000, float("inf")]}, ["n", "x"], corner="name", digits=2)
    name  n      x
    a     1      0.50
    b     1,000  ∞
    >>> table({"a": {"x": 1}, "b": {"x": "none"}}).columns
    ('', 'x')
    """
    first = next(iter(rows.values()))
    names = list(columns) or (list(first) if isinstance(first, Mapping) else [""])
    found = []
    for name, row in rows.items():
        if isinstance(row, Mapping):
            cells = [row.get(column, "\u2013") for column in names]
        else:
            cells = [row] if isinstance(row, str) or np.ndim(row) == 0 else list(row)
        if len(cells) != len(names):
            raise ValueError(f"rows must have {len(names)} numbers each; got {len(cells)} in {name!r}")
        found.append((str(name), *(_text(cell, digits) for cell in cells)))
    return Table((corner, *(_text(column, digits) for column in names)), tuple(found))


def _text(value: Any, digits: int) -> str:
    if isinstance(value, float | np.floating):
        if np.isinf(value):
            return "\u221e" if value > 0 else "\u2212\u221e"
        return f"{float(value):,.{digits}f}".replace("-", "\u2212")
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return f"{int(value):,}"
    return str(value)
