"""What is told about a claim in the book: status and kind from the stored table, and the function that decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from klcal.claims import REGISTRY, Check, Claim
from klcal.claims._proofs import Compiled

# For an entry that is newer than the stored ledger; building the book runs no check.
UNKNOWN = "not yet run"


@dataclass(frozen=True)
class Entry:
    """A line below a box: what the ledger says about one label."""

    label: str
    number: str
    status: str
    kind: str
    scope: str
    checker: str
    theorem: str
    steps: str


def _all(claim: Claim) -> tuple[Check, ...]:
    return (*claim.checks, *claim.refutations)


def deciding(claim: Claim) -> Callable[..., Any] | None:
    """Return the function that decides a claim; None for a cited one."""
    for check in _all(claim):
        function: Any = check.function
        if isinstance(function, Compiled):
            continue
        while isinstance(function, partial):
            function = function.func
        return function  # type: ignore[no-any-return]
    return None


def checker(claim: Claim) -> str:
    """Return the name of the function that decides a claim, of its file if it has none; "" for a cited claim."""
    function = deciding(claim)
    if function is None:
        return ""
    is_named = function.__name__.isidentifier() or "." in function.__name__
    return function.__name__ if is_named else function.__module__.rpartition(".")[2]


def theorems(check: Check) -> tuple[str, ...]:
    """Return the machine-checked theorems that a check compiles; none for any other check."""
    return check.function.theorems if isinstance(check.function, Compiled) else ()


def entry(label: str, table: Mapping[str, Any]) -> Entry:
    """Return what is told about one label of the ledger; `table` is the stored ledger."""
    claim = REGISTRY[label]
    found = table.get(label)
    said = (UNKNOWN, "", "", "") if found is None else (found.status, found.kind, found.scope, found.steps)
    status, kind, scope, steps = said
    theorem = next((name for check in _all(claim) for name in theorems(check)), "")
    return Entry(label, claim.number, status, kind, scope, checker(claim), theorem, steps)
