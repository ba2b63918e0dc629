"""Numbers and rows as text for people."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence


def cell(value: object) -> str:
    """Return a value as people read it: floats with six significant digits.

    Examples
    --------
    >>> cell(2 / 3), cell(5.0), cell("pair")
    ('0.666667', '5', 'pair')
    """
    if not isinstance(value, float):
        return str(value)
    if math.isfinite(value) and value == int(value) and abs(value) < 1e6:
        return str(int(value))
    return f"{value:.6g}"


def cells(values: Sequence[object]) -> list[str]:
    """Return a column as people read it: its floats with equally many digits behind the point, if four are enough.

    Examples
    --------
    >>> cells([0.5, 2.25, 1.0]), cells([0.5, 1e-9]), cells([1, "a"])
    (['0.50', '2.25', '1.00'], ['0.5', '1e-09'], ['1', 'a'])
    """
    texts = list(map(cell, values))
    digits = max((len(text.partition(".")[2]) for text in texts), default=0)
    if digits > 4 or not all(isinstance(value, float) and math.isfinite(value) for value in values):
        return texts
    return texts if any("e" in text for text in texts) else [f"{value:.{digits}f}" for value in values]


def raised(number: str) -> str:
    """Return a number with its exponent raised, in HTML; other text as it is.

    Examples
    --------
    >>> raised("5.43e+11"), raised("1e-09"), raised("size1")
    ('5.43 · 10<sup>11</sup>', '1 · 10<sup>\u22129</sup>', 'size1')
    """
    return re.sub(r"(?<=\d)e\+?(-?)0*(\d+)$", r" · 10<sup>\1\2</sup>", number).replace(">-", ">\u2212")


def aligned(rows: Iterable[Sequence[str]]) -> str:
    r"""Set rows of cells in columns two spaces apart.

    Examples
    --------
    >>> aligned([("a", "b"), ("long", "c")])
    'a     b\nlong  c'
    """
    lines = list(rows)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    texts = ("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)) for line in lines)
    return "\n".join(text.rstrip() for text in texts)
