"""What is told about a claim in the book: status and kind from the stored table, and the function that decides."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from klcal.claims import REGISTRY, Claim

# For an entry that is newer than the stored ledger; building the book runs no check.
UNKNOWN = "not yet run"


@dataclass(frozen=True)
class Entry:
    """A line below a box: what the ledger says about one label."""

    label: str
    number: str
    status: str
    kind: str
    checker: str


def status_of(label: str, table: Mapping[str, Any]) -> str:
    """Return what the stored ledger says about a label, as long as it is about the same kind of evidence."""
    found = table.get(label)
    return str(found.status) if found is not None and found.kind == REGISTRY[label].kind else UNKNOWN


def deciding(claim: Claim) -> Callable[..., Any] | None:
    """Return the function that decides a claim, without the arguments that are bound to it."""
    check: Any = claim.check if claim.check is not None else claim.refute
    while isinstance(check, partial):
        check = check.func
    found: Callable[..., Any] | None = check
    return found


def checker(claim: Claim) -> str:
    """Return the call that decides a claim, such as ``closed('remark-ratio')``; "" for a cited one.

    Examples
    --------
    >>> checker(REGISTRY["sec3:log_loss"])
    "_regret_of('log')"
    """
    function = deciding(claim)
    if function is None:
        return ""
    name = "a one-line comparison" if function.__name__ == "<lambda>" else function.__name__
    check = claim.check if claim.check is not None else claim.refute
    if not isinstance(check, partial):
        return name
    bound = [repr(value) for value in check.args] + [
        f"{key}={value!r}" for key, value in check.keywords.items()
    ]
    return f"{name}({', '.join(bound)})"


def first_line(function: Callable[..., Any]) -> str:
    """Return the first sentence of a docstring, on one line."""
    text = inspect.getdoc(function) or ""
    return " ".join(text.split("\n\n")[0].split())


def entry(label: str, table: Mapping[str, Any]) -> Entry:
    """Return what is told about one label of the ledger; `table` is the stored ledger."""
    claim = REGISTRY[label]
    return Entry(label, claim.number, status_of(label, table), claim.kind, checker(claim))
