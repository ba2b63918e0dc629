"""Numbers in rows and columns, typeset in the book and plain in a terminal."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from klcal._text import aligned, raised


@dataclass(frozen=True)
class Numbers:
    """A table of numbers, written out; in a notebook it shows itself, with formulas typeset.

    Parameters
    ----------
    columns : tuple of str
        The heads, that of the names of the rows first.
    rows : tuple of tuple of str
        The name of each row and its numbers.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __repr__(self) -> str:
        return aligned([self.columns, *self.rows])

    def _repr_html_(self) -> str:
        aligned = all(_is_number(row[0]) for row in self.rows)
        wordy = [not any(map(_is_number, column)) for column in zip(*self.rows, strict=True)]
        head = "".join(map(_head, self.columns, [False, *wordy[1:]]))
        names = (_cell(row[0], number=aligned) for row in self.rows)
        numbers = ("".join(_cell(text, number=_is_number(text)) for text in row[1:]) for row in self.rows)
        body = "".join(f"<tr>{name}{cells}</tr>" for name, cells in zip(names, numbers, strict=True))
        return f'<table class="klcal-claims"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def table(
    rows: Mapping[str, Any], columns: Sequence[object] = (), *, corner: str = "", digits: int = 4
) -> Numbers:
    """Return numbers as a table.

    Parameters
    ----------
    rows : mapping from str to number, sequence or mapping
        By the name of the row: one number, a sequence with one number for each column, or a mapping by the name of the
        column. A dash stands for NaN and for what a mapping lacks.
    columns : sequence
        Names of the columns; those of the first row if rows are mappings.
    corner : str
        Name of the rows.
    digits : int
        Digits behind the point of numbers that are not integers.

    Returns
    -------
    Numbers
        In a notebook it shows itself. Names may hold formulas in dollar signs.

    Examples
    --------
    >>> rows = {"a": [1, 0.5], "b": [1000, float("inf")], "c": [0, float("nan")]}
    >>> table(rows, ["n", "x"], corner="name", digits=2)
    name  n      x
    a     1      0.50
    b     1,000  ∞
    c     0      –
    >>> table({"a": {"x": 1}, "b": {"x": "none"}}).columns
    ('', 'x')
    >>> table({"a": [1, 2]}, ["x"])
    Traceback (most recent call last):
        ...
    ValueError: rows must have one number for each of the 1 columns; got 2 in 'a'
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
            raise ValueError(
                f"rows must have one number for each of the {len(names)} columns; got {len(cells)} in {name!r}"
            )
        found.append((str(name), *(_text(cell, digits) for cell in cells)))
    return Numbers((corner, *(_text(column, digits) for column in names)), tuple(found))


def _text(value: Any, digits: int) -> str:
    if isinstance(value, float | np.floating):
        if np.isnan(value):
            return "\u2013"
        if np.isinf(value):
            return "\u221e" if value > 0 else "\u2212\u221e"
        return f"{float(value):,.{digits}f}".replace("-", "\u2212")
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return f"{int(value):,}"
    return str(value)


def _typeset(text: str) -> str:
    return re.sub(r"\$([^$]+)\$", r'<span class="math">\\(\1\\)</span>', html.escape(text, quote=False))


def _is_number(text: str) -> bool:
    """Whether it is a number as `table` or a chapter writes it (signed, a fraction, in per cent, ...), or a date."""
    sign, figure, date = "[-\u2212+±]?", r"\d[\d.,]*(e[-+]?\d+)?(/\d+)?( ?%)?", r"\d{4}-\d\d-\d\d"
    return re.fullmatch(f"{sign}({figure}|inf|infinite|\u221e)|[-\u2013]|{date}", text) is not None


def _head(name: str, wordy: bool) -> str:
    """Return the head of a column; above words it stands on the left as they do."""
    kind = ' class="klcal-words"' if wordy else ""
    return f"<th{kind}>{_typeset(name)}</th>"


def _cell(text: str, *, number: bool) -> str:
    if not number:
        return f"<td>{_typeset(text)}</td>"
    return f'<td class="klcal-number">{raised(text)}</td>'
