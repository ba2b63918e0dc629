"""The ledger: a claim is a statement with the checks that decide its status; chapters enter them by decorators."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar

from klcal.claims._evidence import COUNTEREXAMPLE, KINDS, RIGOROUS, WHOLE, ClaimFailed, Evidence, Scope

#: What became of a statement, as a run of its checks says.
STATUSES: Mapping[str, str] = MappingProxyType(
    {
        "established": "the machine checked the statement itself, for all parameters",
        "proved in print": "the proof is printed; the machine checked steps and cases of it",
        "observed": "no proof: the machine checked the cases that are named",
        "repaired": "false as printed; a repaired form was checked",
        "refuted": "false as printed, by a counterexample",
        "cited": "somebody else's theorem, not checked here",
        "fails": "a check came out against it",
    }
)
#: What is wrong with a printed statement, gravest first; the page of errata is sorted by it.
SEVERITIES: Mapping[str, str] = MappingProxyType(
    {
        "statement": "the statement is false, or undefined, in a case that it covers",
        "misprint": "a slip of the pen: the context shows what is meant",
    }
)

Function = Callable[..., Evidence]
Decorated = TypeVar("Decorated", bound=Function)
# How far from the truth a control is -> the arguments with which the check must fail, or another check.
Controls = Mapping[str, Mapping[str, Any] | Callable[[], Evidence]]


@dataclass(frozen=True)
class Check:
    """A function that returns evidence, how strong it is, and its controls.

    Parameters
    ----------
    function : callable
        Returns the evidence; its arguments are what controls spoil.
    kind : str
        One of `KINDS`.
    scope : Scope
        How much of the statement it covers.
    controls : mapping
        Distance from the truth, in words -> arguments with which the same function must not hold.
    """

    function: Function
    kind: str
    scope: Scope
    controls: Controls

    def run(self) -> Evidence:
        """Run the check; its kind, scope and time are entered into the evidence."""
        start = time.perf_counter()
        found = self.function()
        return replace(found, kind=self.kind, scope=self.scope, seconds=time.perf_counter() - start)

    def spoiled(self) -> Iterator[tuple[str, Evidence]]:
        """Yield the distance of each control and what the check says about it: it must not hold."""
        for distance, change in self.controls.items():
            yield distance, change() if callable(change) else self.function(**change)


@dataclass
class Claim:
    """One statement of the theory, with the checks that decide its status.

    Parameters
    ----------
    label : str
        The paper's own LaTeX label, or ``new:...`` for a statement that is not in the paper; a part is ``label/part``.
    number : str
        The printed number, such as "Lemma 6 (a)".
    title : str
        A few plain words.
    chapter : str
        Stem of the chapter that treats it.
    statement : str
        The statement as printed, with formulas in dollar signs.
    uses : sequence of str
        Labels this one builds on, beside those among its steps.
    rows : sequence of int
        Rows of the inventory of the paper's statements that this claim covers.
    proof : str
        Where a complete proof is printed, such as "Appendix C.2"; "" if there is none. With steps and nothing else
        said it is the claim's chapter.
    steps : sequence of str
        The steps of that proof, all of them: labels of the ledger, or names that evidence of scope "step" refers to.
        A proof with the one step that the claim's own check is about need not list it.
    credit : str
        For a statement that is not in the paper and not ours: whose it is.
    repair : str
        The repaired statement, which the checks are about.
    severity : str
        For a statement that is refuted as printed: how grave that is, one of `SEVERITIES`.
    instead : str
        For a refuted statement without a repair of its own: what is true in its place, with the labels that show it.
    reason : str
        Why there is no check, for cited statements.
    checks, refutations : list of Check
        For the statement, or for its repaired form; and against the printed one.
    """

    label: str
    number: str
    title: str
    chapter: str
    statement: str
    uses: Sequence[str] = ()
    rows: Sequence[int] = ()
    proof: str = ""
    steps: Sequence[str] = ()
    credit: str = ""
    repair: str = ""
    severity: str = ""
    instead: str = ""
    reason: str = ""
    checks: list[Check] = field(default_factory=list)
    refutations: list[Check] = field(default_factory=list)

    @property
    def builds_on(self) -> tuple[str, ...]:
        """Labels of everything this one rests on: those of its steps, and those that it uses besides."""
        return tuple(dict.fromkeys((*(name for name in self.steps if name in REGISTRY), *self.uses)))

    @property
    def origin(self) -> str:
        """Where the statement is from: the paper, somebody else, or this book."""
        if not self.label.startswith("new:"):
            return "the paper"
        return self.credit or "this book"

    def __post_init__(self) -> None:
        number = self.chapter[:2]
        if self.steps and number.isdigit():
            self.proof = self.proof or f"Chapter {int(number)}"

    def complaints(self) -> Iterator[str]:
        """Yield what is missing or contradictory in the entry; a sound one has no complaints."""
        for check in (*self.checks, *self.refutations):
            name = f"{self.label}, {getattr(check.function, '__name__', 'check')}"
            against = check in self.refutations
            if against and check.kind not in RIGOROUS:
                yield f"{name}: a refutation must be one of {', '.join(RIGOROUS)}; got {check.kind!r}"
            if check.kind not in KINDS or check.kind == "cited":
                yield f"{name}: kind must be one of {', '.join(KINDS)}, but not cited; got {check.kind!r}"
            if not check.controls:
                yield f"{name}: there must be a control that fails"
            if not against and check.scope.name == "step" and check.scope.text not in self.steps:
                yield f"{name}: the step must be one of the claim's steps; got {check.scope.text!r}"
        if bool(self.reason) == bool(self.checks or self.refutations):
            yield f"{self.label} must have either checks or a reason why there are none"
        if self.repair and not (self.checks and self.refutations):
            yield f"{self.label} has a repair and must refute the print and check the repair"
        if bool(self.severity) != bool(self.refutations) or self.severity not in ("", *SEVERITIES):
            yield f"{self.label} must have a severity, one of {', '.join(SEVERITIES)}, exactly if it is refuted"
        if self.steps and not self.proof:
            yield f"{self.label} has steps and must say where the proof is printed"

    def verify(self) -> Verdict:
        """Run all checks and derive the status from what they saw."""
        return Verdict(
            self, tuple(each.run() for each in self.checks), tuple(each.run() for each in self.refutations)
        )

    def controls(self) -> Iterator[tuple[str, Evidence]]:
        """Run the spoiled checks and yield distance and evidence of each; none may hold."""
        for check in (*self.checks, *self.refutations):
            yield from check.spoiled()


@dataclass(frozen=True)
class Verdict:
    """A claim after its checks ran."""

    claim: Claim
    evidence: tuple[Evidence, ...]
    refutations: tuple[Evidence, ...] = ()

    @property
    def status(self) -> str:
        """One of `STATUSES`, derived from the evidence alone."""
        if not all(each.holds for each in (*self.evidence, *self.refutations)):
            return "fails"
        if self.refutations:
            return "repaired" if self.evidence else "refuted"
        if not self.evidence:
            return "cited"
        if any(each.is_conclusive for each in self.evidence):
            return "established"
        return "proved in print" if self.claim.proof else "observed"

    @property
    def strongest(self) -> Evidence | None:
        """The strongest evidence for the statement or its repair, else against it; None for a cited one."""
        found = self.evidence or self.refutations
        return min(found, key=lambda each: each.strength) if found else None

    @property
    def steps_checked(self) -> int:
        """How many steps of the printed proof the machine checked, for all parameters."""
        own = {each.scope.text for each in self.evidence if each.scope.name == "step"}
        return sum(name in own or (name in REGISTRY and _is_conclusive(name)) for name in self.claim.steps)

    @property
    def seconds(self) -> float:
        """How long all checks took."""
        return sum(each.seconds for each in (*self.evidence, *self.refutations))

    def require(self) -> None:
        """Raise `ClaimFailed` unless the status is one the book may print."""
        for each in (*self.evidence, *self.refutations):
            each.require()

    def __bool__(self) -> bool:
        raise TypeError("ask Verdict for .status or .require(); its truth value is not defined")


class Registry(dict[str, Claim]):
    """Label -> `Claim`, in the order of the chapters; labels are unique."""

    def add(self, claim: Claim) -> None:
        """Enter a claim; a label may be entered once."""
        if claim.label in self:
            raise ValueError(f"label must be new to the ledger; got {claim.label!r}")
        self[claim.label] = claim

    def __missing__(self, label: str) -> Claim:
        raise ValueError(f"label must be one of the ledger; got {label!r}")

    def __repr__(self) -> str:
        return f"Registry({len(self)} claims)"


#: Label -> claim: the ledger.
REGISTRY = Registry()


@cache
def verdict(label: str) -> Verdict:
    """Run the checks of one claim, once per process.

    Parameters
    ----------
    label : str
        A label of the ledger.

    Returns
    -------
    Verdict
        The claim with its evidence; raises ``ValueError`` for an unknown label.

    Examples
    --------
    >>> verdict("eq:nothing")
    Traceback (most recent call last):
        ...
    ValueError: label must be one of the ledger; got 'eq:nothing'
    """
    return REGISTRY[label].verify()


def _is_conclusive(label: str) -> bool:
    return any(each.is_conclusive and each.holds for each in verdict(label).evidence)


def rejected_controls(claim: Claim) -> tuple[str, ...]:
    """Run the controls of a claim and return how far from the truth each was.

    Parameters
    ----------
    claim : Claim
        An entry of the ledger.

    Returns
    -------
    tuple of str
        Raises `ClaimFailed` if a control holds.
    """
    distances = []
    for distance, evidence in claim.controls():
        if evidence.holds:
            raise ClaimFailed(f"control {distance!r} of {claim.label} was not rejected: {evidence.method}")
        distances.append(distance)
    return tuple(distances)


class Chapter:
    """A chapter's way into the ledger: decorators on the functions that check its statements.

    Parameters
    ----------
    stem : str
        The chapter's file without its ending, such as ``"03_grids"``.
    registry : Registry, optional
        Where the claims are entered.
    """

    def __init__(self, stem: str, registry: Registry = REGISTRY) -> None:
        self.stem = stem
        self._registry = registry

    def claim(
        self,
        label: str,
        number: str,
        title: str,
        *,
        kind: str,
        controls: Controls,
        scope: Scope = WHOLE,
        statement: str = "",
        **facts: Any,
    ) -> Callable[[Decorated], Decorated]:
        """Enter a claim; the first paragraph of the function's docstring is the statement.

        Parameters
        ----------
        label, number, title, statement : str
            As in `Claim`; `statement` only where the docstring cannot hold it.
        kind, scope, controls
            As in `Check`.
        **facts
            Further fields of `Claim`.
        """

        def enter(function: Decorated) -> Decorated:
            if scope.name == "step":
                facts.setdefault("steps", (scope.text,))
            self.statement(label, number, title, statement or first_paragraph(function), **facts)
            return self.evidence(label, kind=kind, scope=scope, controls=controls)(function)

        return enter

    def statement(self, label: str, number: str, title: str, statement: str, **facts: Any) -> None:
        """Enter a claim whose evidence is added afterwards, such as a machine-checked proof."""
        self._registry.add(Claim(label, number, title, self.stem, statement, **facts))

    def refuted(
        self,
        label: str,
        number: str,
        title: str,
        *,
        kind: str,
        controls: Controls,
        scope: Scope = COUNTEREXAMPLE,
        **facts: Any,
    ) -> Callable[[Decorated], Decorated]:
        """Enter a printed statement that the decorated function refutes, without a repair of its own."""

        def enter(function: Decorated) -> Decorated:
            self.statement(label, number, title, first_paragraph(function), **facts)
            return self.refutation(label, kind=kind, scope=scope, controls=controls)(function)

        return enter

    def evidence(
        self, label: str, *, kind: str, scope: Scope = WHOLE, controls: Controls
    ) -> Callable[[Decorated], Decorated]:
        """Add a further piece of evidence to a claim that is entered already."""

        def enter(function: Decorated) -> Decorated:
            self._registry[label].checks.append(Check(function, kind, scope, controls))
            return function

        return enter

    def refutation(
        self, label: str, *, kind: str, controls: Controls, scope: Scope = COUNTEREXAMPLE
    ) -> Callable[[Decorated], Decorated]:
        """Add a refutation of the printed statement to a claim whose checks are about its repair."""

        def enter(function: Decorated) -> Decorated:
            self._registry[label].refutations.append(Check(function, kind, scope, controls))
            return function

        return enter

    def cited(self, label: str, number: str, title: str, statement: str, reason: str, **facts: Any) -> None:
        """Enter a statement that is somebody else's theorem, with the reason why it is not checked."""
        self.statement(label, number, title, statement, reason=reason, **facts)


def first_paragraph(function: Function) -> str:
    """Return the first paragraph of a docstring on one line."""
    text = inspect.getdoc(function) or ""
    return " ".join(text.split("\n\n")[0].split())
