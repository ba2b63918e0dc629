"""Proofs that a kernel has checked: what is stored about them, and the evidence that it gives.

The sources are in ``proofs/``. ``make proofs`` compiles them and compares what the kernel says about each theorem with
the record here; a source that changed since then turns every claim red that rests on a proof.
"""

from __future__ import annotations

import hashlib
import html
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from klcal.claims._evidence import WHOLE, Evidence, step
from klcal.claims._ledger import REGISTRY, Check, Controls
from klcal.claims._render import Table

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


@dataclass(frozen=True)
class Theorem:
    """A theorem as Coq prints it; in a notebook it shows itself, with a link to its proof.

    Parameters
    ----------
    name : str
        File and name, such as ``"Theorem2.theorem2"``.
    statement : str
        What it says.
    assumes : tuple of str
        The axioms it rests on.
    """

    name: str
    statement: str
    assumes: tuple[str, ...]

    def __repr__(self) -> str:
        return f"{self.name}:\n{self.statement}"

    def _repr_html_(self) -> str:
        page, _, anchor = self.name.partition(".")
        link = f'<a href="../proofs/{page}.html#{html.escape(anchor)}">{html.escape(self.name)}</a>'
        return f'<div class="klcal-theorem"><p>{link}</p><pre>{html.escape(self.statement)}</pre></div>'


def theorem(name: str) -> Theorem:
    """Return a theorem as Coq prints it.

    Parameters
    ----------
    name : str
        File and name.

    Returns
    -------
    Theorem
        Raises ``ValueError`` if the stored record has no such theorem.

    Examples
    --------
    >>> set(theorem("Theorem2.theorem2").assumes) <= set(AXIOMS)
    True
    """
    if name not in record()["theorems"]:
        raise ValueError(f"name must be a theorem of the stored record; got {name!r}")
    found = record()["theorems"][name]
    return Theorem(name, found["statement"], tuple(found["assumes"]))


@dataclass(frozen=True)
class Walkthrough:
    """A proof step by step, with what is left to prove after each; in a notebook it shows itself."""

    steps: tuple[tuple[str, str, str], ...]

    def __repr__(self) -> str:
        return "\n\n".join(f"{says}\n  {does}\n{_indented(left)}" for says, does, left in self.steps)

    def _repr_html_(self) -> str:
        items = "".join(
            f"<li><p>{html.escape(says)}</p><pre><code>{html.escape(does)}</code></pre>"
            f'<pre class="klcal-goal">{html.escape(left)}</pre></li>'
            for says, does, left in self.steps
        )
        return f'<ol class="klcal-walkthrough">{items}</ol>'


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def walkthrough() -> Walkthrough:
    """Return the proof of ``Walkthrough.v`` step by step, as Coq shows it.

    Returns
    -------
    Walkthrough
        What each step says, the tactic, and what is left to prove.

    Examples
    --------
    >>> walkthrough().steps[-1][2]
    'No more goals.'
    """
    told = record()["walkthrough"]
    first = ("What is to be proved.", told["statement"], told["start"])
    return Walkthrough((first, *((each["says"], each["does"], each["left"]) for each in told["steps"])))


def compiled(
    *names: str, allowed: Collection[str] = AXIOMS, sources: Mapping[str, str] | None = None
) -> Evidence:
    """Return the evidence that theorems were compiled from the present sources, with no axiom beyond those allowed.

    Parameters
    ----------
    *names : str
        File and name of each theorem.
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
    >>> (
    ...     compiled("Theorem2.theorem2").holds,
    ...     compiled("Theorem2.theorem2", allowed=()).holds,
    ... )
    (True, False)
    """
    present = digest_of_sources() if sources is None else sources
    compiled_from = record()["sources"]
    changed = [file for file in present if present[file] != compiled_from.get(file)]
    if present:
        changed += [file for file in compiled_from if file not in present]
    assumed = dict.fromkeys(axiom for name in names for axiom in theorem(name).assumes)
    beyond = [axiom for axiom in assumed if axiom not in allowed]
    axioms = "beyond those of the library's reals" if assumed else "at all"
    listed = " and ".join(
        ", ".join(f"`{name}`" for name in part) for part in (names[:-1], names[-1:]) if part
    )
    rest = "rests" if len(names) == 1 else "rest"
    method = f"Coq {record()['coq']} compiles {listed}, which {rest} on no axiom {axioms}"
    return Evidence(len(beyond) + len(changed), 0, "==", method, {"beyond": beyond, "changed": changed})


class Compiled:
    """The check of some theorems that say a claim together: a function that knows their names.

    Parameters
    ----------
    *theorems : str
        File and name of each, such as ``"Theorem2.theorem2"``.
    """

    def __init__(self, *theorems: str) -> None:
        self.theorems = theorems
        self.__name__ = theorems[0]

    def __call__(self, **changes: Any) -> Evidence:
        """Return `compiled` for all of them."""
        return compiled(*self.theorems, **changes)


def proved(label: str, *theorems: str, part: str = "", against_the_print: bool = False) -> None:
    """Add a machine-checked proof to the evidence for a claim.

    Parameters
    ----------
    label : str
        A claim of the ledger.
    *theorems : str
        File and name of the theorems that say it together.
    part : str
        What of the claim they say, if it is not the whole; it becomes a step of the printed proof.
    against_the_print : bool
        Whether they say that the printed statement is false.
    """
    claim = REGISTRY[label]
    if part and part not in claim.steps:
        claim.steps, claim.proof = (*claim.steps, part), claim.proof or "in Coq"
    spoiled = {**record()["sources"], "Definitions.v": "another digest"}
    controls: Controls = {"one source changed": {"sources": spoiled}}
    # A theorem can be cited before it is in the record: `make proofs` compiles and records what is cited.
    known = record()["theorems"]
    if any(name not in known or known[name]["assumes"] for name in theorems):
        controls = {"no axiom allowed": {"allowed": ()}, **controls}
    check = Check(Compiled(*theorems), "proved", step(part) if part else WHOLE, controls)
    (claim.refutations if against_the_print else claim.checks).append(check)


def cited_theorems() -> dict[str, list[str]]:
    """Return the theorems that the ledger cites, each with the claims that rest on it."""
    found: dict[str, list[str]] = {}
    for label, claim in REGISTRY.items():
        for check in (*claim.checks, *claim.refutations):
            if isinstance(check.function, Compiled):
                for name in check.function.theorems:
                    found.setdefault(name, []).append(label)
    return found


def machine_checked() -> Table:
    """Return the theorems that the ledger cites, with the claims that rest on each and the axioms it needs.

    Returns
    -------
    Table
        In the order of the ledger.

    Examples
    --------
    >>> machine_checked().columns
    ('theorem in proofs/', 'claims', 'axioms')
    """
    rows = (
        (f"`{name}`", ", ".join(dict.fromkeys(labels)), str(len(theorem(name).assumes)))
        for name, labels in cited_theorems().items()
    )
    return Table(("theorem in proofs/", "claims", "axioms"), tuple(rows))
