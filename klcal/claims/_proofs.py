"""Proofs that a kernel has checked: what is stored about them, and the evidence that it gives.

The sources are in ``proofs/``. ``make proofs`` compiles them and compares what the kernel says about each theorem with
the record here; a source that changed since then turns every claim red that rests on a proof.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from klcal.claims._evidence import WHOLE, Evidence, Scope
from klcal.claims._ledger import REGISTRY, Check, Controls

RECORD = Path(__file__).with_name("proofs.json")
SOURCES = Path(__file__).resolve().parents[2] / "proofs"
#: What the real numbers of Coq's library rest on.
AXIOMS = ("sig_not_dec", "sig_forall_dec", "functional_extensionality_dep", "classic")


def digest_of_sources() -> dict[str, str]:
    """Return the digest of every source file; empty where the package is installed without them."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(SOURCES.glob("*.v"))}


@cache
def record() -> Mapping[str, Any]:
    """Return what the last compilation found: version of Coq, digests of the sources, theorems."""
    found: Mapping[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def statement(theorem: str) -> str:
    """Return a theorem as Coq prints it.

    Parameters
    ----------
    theorem : str
        File and name, such as ``"Theorem2.theorem2"``.

    Returns
    -------
    str
        The statement, in several lines if it is long.

    Examples
    --------
    >>> statement("Theorem2.theorem2").startswith("forall")
    True
    """
    if theorem not in record()["theorems"]:
        raise ValueError(f"theorem must be one that the stored record has; got {theorem!r}")
    text: str = record()["theorems"][theorem]["statement"]
    return text


def assumptions(theorem: str) -> tuple[str, ...]:
    """Return the axioms that a theorem rests on.

    Parameters
    ----------
    theorem : str
        File and name.

    Returns
    -------
    tuple of str
        Names from Coq's library.

    Examples
    --------
    >>> set(assumptions("Theorem2.theorem2")) <= set(AXIOMS)
    True
    """
    statement(theorem)
    return tuple(record()["theorems"][theorem]["assumes"])


def compiled(
    theorem: str, *, allowed: Collection[str] = AXIOMS, sources: Mapping[str, str] | None = None
) -> Evidence:
    """Return the evidence that a theorem was compiled from the present sources, with no axiom beyond those allowed.

    Parameters
    ----------
    theorem : str
        File and name.
    allowed : collection of str
        Axioms that may be used.
    sources : mapping, optional
        Digests of the sources; those of the files beside the package by default.

    Returns
    -------
    Evidence
        Counts axioms that are not allowed and sources that changed since they were compiled.

    Examples
    --------
    >>> compiled("Theorem2.theorem2").holds, compiled("Theorem2.theorem2", allowed=()).holds
    (True, False)
    """
    present = digest_of_sources() if sources is None else sources
    compiled_from = record()["sources"]
    changed = [name for name in present if present[name] != compiled_from.get(name)]
    if present:
        changed += [name for name in compiled_from if name not in present]
    beyond = [name for name in assumptions(theorem) if name not in allowed]
    method = f"Coq {record()['coq']} compiles `{theorem}`, which rests on no axiom beyond those of the library's reals"
    return Evidence(len(beyond) + len(changed), 0, "==", method, {"beyond": beyond, "changed": changed})


class Compiled:
    """The check of one theorem: a function that knows which theorem it is about.

    Parameters
    ----------
    theorem : str
        File and name, such as ``"Theorem2.theorem2"``.
    """

    def __init__(self, theorem: str) -> None:
        self.theorem = theorem
        self.__name__ = theorem

    def __call__(self, **changes: Any) -> Evidence:
        """Return `compiled` for the theorem."""
        return compiled(self.theorem, **changes)


def proved(label: str, theorem: str, scope: Scope = WHOLE, *, against_the_print: bool = False) -> None:
    """Add a machine-checked proof to the evidence for a claim.

    Parameters
    ----------
    label : str
        A claim of the ledger.
    theorem : str
        File and name of the theorem.
    scope : Scope
        What of the claim the theorem says.
    against_the_print : bool
        Whether the theorem is the negation of the printed statement.
    """
    spoiled = {**record()["sources"], "Definitions.v": "another digest"}
    controls: Controls = {"no axiom allowed": {"allowed": ()}, "one source changed": {"sources": spoiled}}
    claim = REGISTRY[label]
    place = claim.refutations if against_the_print else claim.checks
    place.append(Check(Compiled(theorem), "proved", scope, controls))


def cited_theorems() -> dict[str, list[str]]:
    """Return the theorems that the ledger cites, each with the claims that rest on it."""
    found: dict[str, list[str]] = {}
    for label, check in _proofs():
        found.setdefault(check.theorem, []).append(label)
    return found


def _proofs() -> Iterator[tuple[str, Compiled]]:
    for label, claim in REGISTRY.items():
        for check in (*claim.checks, *claim.refutations):
            function: Callable[..., Evidence] = check.function
            if isinstance(function, Compiled):
                yield label, function
