r"""Docstrings are read as reStructuredText; here stands what the house writes otherwise.

A bar is an absolute value, never a substitution, and two strokes are a second derivative, not a quotation mark.
``(a)`` marks a part of a statement, not an item of a list. ``[1]_`` points to the list of references of the same
docstring. Calibration errors and their means are typed as words: Cal_2, E[KLCal].
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

_QUOTED = re.compile(r"(``.*?``|:\w+:`[^`]*`|`[^`]*`)")
_ERROR = re.compile(r"(\bE\[)?((?:\(P\)|\bP|\b)(?:KLCal|SReg|Cal))(_[12]\b)?(?(1)\])")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _is_prose(lines: Sequence[str]) -> list[bool]:
    """Tell for each line whether it is prose: not an example, and not inside a directive such as ``.. math::``."""
    prose, inside, example = [], -1, False
    for line in lines:
        text = line.strip()
        if inside >= 0 and text and _indent(line) <= inside:
            inside = -1
        if text.startswith(".. ") and not re.match(r"\.\. \[\w+\] ", text):
            inside = _indent(line)
        example = bool(text) and (example or text.startswith(">>>"))
        prose.append(inside < 0 and not example)
    return prose


def _error(found: re.Match[str]) -> str:
    """Return the formula of a calibration error that has an index or is a mean; one without stays a word."""
    mean, name, index = found.groups(default="")
    if not mean and not index:
        return found[0]
    formula = rf"\mathsf{{{name}}}{index}"
    return rf":math:`\mathbb E[{formula}]`" if mean else f":math:`{formula}`"


def _signs(line: str) -> str:
    """Set formulas and escape bars outside quotes and roles."""
    pieces = _QUOTED.split(line)
    pieces[::2] = [
        _ERROR.sub(_error, piece.replace("|", r"\|").replace("f''", "f\u2033")) for piece in pieces[::2]
    ]
    return "".join(pieces)


def prepared(lines: Sequence[str]) -> list[str]:
    r"""Return the lines of a docstring so that Sphinx reads them as they are meant.

    Examples
    --------
    >>> prepared(
    ...     [
    ...         "Return |x| as in [1]_, not ``|x|``.",
    ...         "",
    ...         ".. math:: |x|",
    ...         "",
    ...         "    >>> 1 | 2",
    ...     ]
    ... )
    ['Return \\|x\\| as in [1], not ``|x|``.', '', '.. math:: |x|', '', '    >>> 1 | 2']
    >>> prepared([".. [1] A. Turing, 1936.", "(a) If so, then", "not."])
    ['1. A. Turing, 1936.', '\\(a) If so, then', 'not.']
    """
    found = []
    for line, is_prose in zip(lines, _is_prose(lines), strict=True):
        if is_prose:
            line = re.sub(r"\.\. \[(\d+)\] ", r"\1. ", _signs(line))
            line = re.sub(r"\[(\d+)\]_(?!\w)", r"[\1]", line)
            line = re.sub(r"^(\s*)(\([a-z]\) )", r"\1\\\2", line)
        found.append(line)
    return found


def prepare(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:  # noqa: ARG001
    """Prepare a docstring in place, as Sphinx asks."""
    lines[:] = prepared(lines)
    if what in ("property", "attribute") and lines:
        # The reader of docstrings takes what stands before a first colon for a type; an empty type is none.
        lines[0] = f": {lines[0]}"
