"""Files of the user: read with errors that name file, line and column, written whole or not at all."""

from __future__ import annotations

import argparse
import csv
import difflib
import gzip
import io
import json
import math
import os
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from klcal._checks import FloatArray
from klcal.measures.report import aligned, shown

PICTURES = (".png", ".svg", ".pdf")
# The mark that some programs put before UTF-8.
_MARK = b"\xef\xbb\xbf"
# How UTF-16, archives, spreadsheets and Parquet begin.
_FOREIGN = (b"\xff\xfe", b"\xfe\xff", b"PK\x03\x04", b"PAR1")
# What may separate columns if nobody says: the first one with which the header has the wanted names.
_SEPARATORS = (",", ";", "\t")
_WORDS = {"true": "1", "false": "0", "yes": "1", "no": "0"}
_MISSING = ("", "na", "n/a", "nan", "null", "none", ".")
# What people call the two columns; the likelier name first.
_KNOWN = {
    "forecast": "forecast p prob probability y_prob y_score score prediction pred y_pred",
    "outcome": "outcome y y_true label target truth actual observed class",
}

# A reader turns the text of a cell into a number, or raises ValueError with the rule that it breaks.
Reader = Callable[[str], float]


def forecast(text: str) -> float:
    """Read a forecast, a number in [0, 1]; 12.5% is 0.125."""
    word = text.strip()
    if word.endswith("%"):
        word = f"{word[:-1].rstrip()}e-2"
    rule = "a forecast must be a number in [0, 1], or one in [0, 100] with a percent sign"
    return _number(text, word, rule, lambda value: 0.0 <= value <= 1.0)


def outcome(text: str) -> float:
    """Read an outcome: 0 or 1, False or True as pandas writes it, no or yes."""
    word = _WORDS.get(text.strip().lower(), text)
    return _number(text, word, "an outcome must be 0 or 1", lambda value: value in (0.0, 1.0))


def _number(text: str, word: str, rule: str, allowed: Callable[[float], bool]) -> float:
    if "_" not in word:  # 1_0 is a number in Python's own source only
        with suppress(ValueError):
            value = float(word.replace(",", "."))  # a comma inside a cell separates no columns
            if allowed(value):
                return value
    raise ValueError(f"{rule}; got {text!r}" if text.strip() else f"{rule}; the cell is empty")


def or_missing(reader: Reader, *, skip: bool) -> Reader:
    """Make a reader return NaN for an empty cell or NA, or else say how such rows are left out."""

    def read(text: str) -> float:
        if text.strip().lower() not in _MISSING:
            return reader(text)
        if skip:
            return math.nan
        raise ValueError(f"a value is missing, got {text!r}; --skip-missing leaves such rows out")

    return read


def add_file(parser: argparse.ArgumentParser, held: str) -> None:
    """Tell the parser of a command about the file that it reads."""
    parser.add_argument(
        "file", metavar="FILE.csv", type=Path, help=f"{held}; or gzipped; - is standard input"
    )
    parser.add_argument("--sep", metavar="C", help="separates columns; by default , ; or a tab is found out")
    parser.add_argument("--outcome", metavar="NAME", default="outcome", help="name of the column of outcomes")


def columns(path: Path, readers: Mapping[str, Reader], separator: str | None = None) -> list[FloatArray]:
    """Read columns of a CSV file with a header line; every problem is a ValueError that says where it is."""
    name = "standard input" if str(path) == "-" else str(path)
    if path.is_dir():
        raise ValueError(f"{name} is a folder, not a file")
    if str(path) != "-" and not path.exists():
        raise ValueError(f"there is no file {name}")
    # A pipe can be read only once.
    data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    data = _unpacked(name, data).removeprefix(_MARK)
    mark = _separator(data, readers) if separator is None else separator.replace("\\t", "\t")
    if len(mark) != 1:
        raise ValueError(f"--sep must be a single character; got {separator!r}")
    table = csv.reader(_lines(name, data), delimiter=mark, skipinitialspace=True, strict=True)
    try:
        return _parse(name, table, readers)
    except csv.Error as problem:
        reason = "a carriage return inside a line" if "new-line character" in str(problem) else problem
        raise ValueError(f"{name}, line {table.line_num}: {reason}") from None


def _unpacked(path: str, data: bytes) -> bytes:
    """Unpack a gzip file, whatever its name is; refuse files that hold no UTF-8 text, as their first bytes say."""
    if data.startswith(b"\x1f\x8b"):
        try:
            data = gzip.decompress(data)
        except (EOFError, OSError, zlib.error) as problem:
            raise ValueError(f"{path} is a damaged gzip file: {problem}") from None
    if data.startswith(_FOREIGN):
        raise ValueError(
            f"{path} is UTF-16, a zip archive, a spreadsheet or Parquet; save it as CSV in UTF-8"
        )
    return data


def _separator(data: bytes, names: Iterable[str]) -> str:
    first = data.partition(b"\n")[0].decode("utf-8", errors="replace")
    fitting = (mark for mark in _SEPARATORS if {*names} <= {name.strip(' "\r') for name in first.split(mark)})
    return next(fitting, max(_SEPARATORS, key=first.count))


def _lines(path: str, data: bytes) -> Iterator[str]:
    """Decode line by line, so that an error knows its line."""
    for number, raw in enumerate(io.BytesIO(data), start=1):
        try:
            yield raw.decode("utf-8")
        except UnicodeDecodeError as problem:
            byte = raw[problem.start]
            raise ValueError(f"{path}, line {number}: byte 0x{byte:02x} is not UTF-8 text") from None


def _parse(path: str, table: Any, readers: Mapping[str, Reader]) -> list[FloatArray]:
    header = [name.strip() for name in next(table, [])]
    wanted = " and ".join(repr(name) for name in readers)
    if not header:
        raise ValueError(f"{path} is empty; it must begin with a header line that names {wanted}")
    places = [_place(path, header, name, readers) for name in readers]
    values: list[list[float]] = [[] for _ in readers]
    for row in table:
        if not row:  # an empty line
            continue
        if len(row) != len(header):
            raise ValueError(
                f"{path}, line {table.line_num}: expected {len(header)} cells, as in the header; got {len(row)}"
            )
        for column, place, (name, reader) in zip(values, places, readers.items(), strict=True):
            try:
                column.append(reader(row[place]))
            except ValueError as problem:
                raise ValueError(f"{path}, line {table.line_num}, column {name!r}: {problem}") from None
    if not values[0]:
        raise ValueError(f"{path} has a header line and no rows below it")
    return [np.array(column, dtype=np.float64) for column in values]


def _place(path: str, header: Sequence[str], name: str, names: Iterable[str]) -> int:
    found = [place for place, title in enumerate(header) if title == name]
    if len(found) == 1:
        return found[0]
    if found:
        raise ValueError(f"{path} has {len(found)} columns {name!r}; their names must differ")
    have = ", ".join(repr(title) for title in header)
    hint = _hint(header, names) if len(header) > 1 else " (--sep says what separates them)"
    raise ValueError(f"{path} has no column {name!r}; line 1 must name the columns and has {have}{hint}")


def _hint(header: Sequence[str], names: Iterable[str]) -> str:
    """Say with which options the columns may be found that are called something else."""
    titles, hint = {title.lower(): title for title in header}, ""
    for name in sorted({*names} & {*_KNOWN} - {*header}):
        near = [difflib.get_close_matches(word, titles, 1, 0.85) for word in _KNOWN[name].split()]
        hint += next((f" --{name} {titles[found[0]]!r}" for found in near if found), "")
    return f"; perhaps{hint}" if hint else ""


def check_target(
    option: str, path: Path | None, endings: Sequence[str] = (), read: Path | None = None
) -> None:
    """Raise before any work if a file could not be written at the end of it, or is the one to be read."""
    if path is None:
        return
    if endings and path.suffix.lower() not in endings:
        raise ValueError(f"{option} must name a file that ends in {' or '.join(endings)}; got {str(path)!r}")
    if path.is_dir():
        raise ValueError(f"{option} must name a file; {str(path)!r} is a folder")
    if not path.parent.is_dir():
        raise ValueError(
            f"{option} must name a file in a folder that exists; there is no {str(path.parent)!r}"
        )
    if read is not None and path.exists() and read.exists() and path.samefile(read):
        raise ValueError(f"{option} must not be the file that is read; got {str(path)!r}")


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Give a temporary name to write to; it becomes `path` when all went well, and goes away otherwise."""
    draft = path.with_name(f".{path.stem}.{os.getpid()}.part{path.suffix}")
    try:
        yield draft
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text file whole or not at all."""
    with written_whole(path) as draft:
        draft.write_text(text, encoding="utf-8", newline="\n")


def write_json(path: Path, content: object) -> None:
    """Write a JSON file whole or not at all."""
    write_text(path, json.dumps(content, indent=1) + "\n")


def plain(value: object) -> int | float | str | None:
    """Return a JSON value: exact numbers beyond float64 as text, infinities as text."""
    if value is None or isinstance(value, int):
        return value if value is None or abs(value) < 2**53 else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return str(value)


def listed(numbers: Mapping[str, object]) -> str:
    """Return names and numbers, one below the other."""
    return aligned([[name, shown(value)] for name, value in numbers.items()])
