"""Columns of numbers and text as CSV that comes back bit for bit."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from klcal._checks import _complain

Column = npt.NDArray[Any]

_INTEGER = re.compile(r"-?[0-9]+")
_FLOAT = re.compile(r"-?([0-9]+\.[0-9]+|[0-9]+(\.[0-9]+)?e[+-][0-9]+|inf)|nan")
_TRUTH = {"True": True, "False": False}


def column(name: str, values: npt.ArrayLike) -> Column:
    """Return a read-only column of int64, float64, bool or text; NaN has one bit pattern."""
    array = np.array(values)
    if array.ndim != 1:
        raise _complain(f"column {name!r}", "be one-dimensional", array.shape)
    if array.dtype.kind in "iu":
        if array.dtype.kind == "u" and array.size and array.max() > np.iinfo(np.int64).max:
            raise _complain(f"column {name!r}", "hold 64-bit integers", array.max().item())
        array = array.astype(np.int64)
    elif array.dtype.kind == "f":
        array = array.astype(np.float64)
        array[np.isnan(array)] = np.nan
    elif array.dtype.kind == "U":
        _require_plain_text(name, array, values)
    elif array.dtype.kind != "b":
        raise _complain(f"column {name!r}", "hold 64-bit numbers, truth values or text", values)
    array.flags.writeable = False
    return array


def _require_plain_text(name: str, array: Column, values: npt.ArrayLike) -> None:
    # numpy writes a list of numbers and text as text, and cuts NULs off: neither would come back as it was.
    given = list(values) if isinstance(values, Sequence) else array.tolist()
    for index, value in enumerate(given):
        if not isinstance(value, str) or not value.isprintable():
            raise _complain(f"column {name!r}", "hold printable text if it holds any", value, (index,))


def same(one: Column, other: Column) -> bool:
    """Whether two columns agree bit for bit."""
    if one.dtype.kind != other.dtype.kind or one.shape != other.shape:
        return False
    return np.array_equal(one, other) if one.dtype.kind == "U" else one.tobytes() == other.tobytes()


def _reader(texts: list[str]) -> Callable[[str], Any]:
    """Return how the cells of one column are read: the narrowest type that fits all."""
    for pattern, read in ((_INTEGER, int), (_FLOAT, float)):
        if all(pattern.fullmatch(text) for text in texts):
            return read
    # Whole numbers may stand among decimals in a file written by hand.
    if all(_FLOAT.fullmatch(text) or _INTEGER.fullmatch(text) for text in texts):
        return float
    return _TRUTH.__getitem__ if all(text in _TRUTH for text in texts) else str


def written(columns: Mapping[str, Column]) -> str:
    """Return CSV: a header and one line per row, floats with the digits that bring them back exactly."""
    if not any(map(len, columns.values())):
        raise ValueError("table must have a row to be written: an empty column has no type")
    texts = {}
    for name, array in columns.items():
        texts[name] = [value if isinstance(value, str) else repr(value) for value in array.tolist()]
        if array.dtype.kind == "U" and _reader(texts[name]) is not str:
            raise _complain(f"text column {name!r}", "not look like numbers or truth values", texts[name][0])
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*texts.values(), strict=True))
    return stream.getvalue()


def read(text: str) -> dict[str, list[Any]]:
    """Return the columns of CSV as lists of int, float, bool or str."""
    lines = list(csv.reader(io.StringIO(text, newline="")))
    if len(lines) < 2:
        raise ValueError(f"a table must have a header and a row; got {len(lines)} line(s)")
    header, *rows = lines
    if len(set(header)) != len(header):
        raise ValueError(f"names of columns must differ; got {header}")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(header):
            raise ValueError(f"row {number} must have {len(header)} cells; got {len(row)}")
    columns = {}
    for name, cells in zip(header, map(list, zip(*rows, strict=True)), strict=True):
        reader = _reader(cells)
        columns[name] = [reader(cell) for cell in cells]
    return columns
