"""What is told about a claim in the book: status and kind from the stored table, and the function that decides."""

from __future__ import annotations

import sys
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
    """Return the function that decides a claim, or that makes it if it has no name; None for a cited one."""
    for check in _all(claim):
        function: Any = check.function
        if isinstance(function, Compiled):
            continue
        while isinstance(function, partial):
            function = function.func
        if function.__name__ == "<lambda>":
            function = vars(sys.modules[function.__module__])[function.__qualname__.partition(".")[0]]
        return function  # type: ignore[no-any-return]
    return None


def checker(claim: Claim) -> str:
    """Return the name of the function that decides a claim; "" for a cited claim."""
    function = deciding(claim)
    return "" if function is None else function.__name__


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
