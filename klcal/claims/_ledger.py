"""The ledger's own vocabulary: `Evidence`, `Claim`, `Verdict` and the registry."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any

Number = int | float | Fraction

# Strongest first; `verify` prints them in these words.
KINDS = ("symbolic", "certified", "exact", "statistical", "numeric", "cited")
# What is wrong with a printed statement, gravest first; the page of errata is sorted by it.
SEVERITIES: Mapping[str, str] = MappingProxyType(
    {
        "statement": "the statement is false, or undefined, in a case that it covers",
        "proof": "a step of a proof is false; the statement it serves stands or is treated by itself",
        "constant": "a number or a starting value must be another one",
        "misprint": "a slip of the pen: the context shows what is meant",
    }
)
STATUSES = ("holds", "holds as repaired", "refuted as stated", "cited", "fails")

_RELATIONS: Mapping[str, Callable[[Number, Number], bool]] = MappingProxyType(
    {
        "<=": lambda measured, bound: measured <= bound,
        "<": lambda measured, bound: measured < bound,
        ">=": lambda measured, bound: measured >= bound,
        ">": lambda measured, bound: measured > bound,
        "==": lambda measured, bound: measured == bound,
    }
)


class ClaimFailed(AssertionError):
    """A claim's check came out against it."""


@dataclass(frozen=True)
class Evidence:
    """What one run of a check saw: ``measured relation bound``.

    Parameters
    ----------
    measured, bound : int, float or Fraction
        The two sides. A certified check reports the far ends of its balls, so that the comparison is rigorous.
    relation : {"<=", "<", ">=", ">", "=="}
        How the sides must compare.
    method : str
        One sentence: what was computed, and over which range.
    parameters : mapping
        The parameters of the run, seeds included.
    counterexample : str
        For a refutation: the object that shows the printed statement false.

    Examples
    --------
    >>> evidence = Evidence(1, 2, "<=", "counted")
    >>> evidence.holds, evidence.margin
    (True, 1)
    >>> bool(evidence)
    Traceback (most recent call last):
        ...
    TypeError: ask Evidence for .holds or .require(); its truth value is not defined
    """

    measured: Number
    bound: Number
    relation: str
    method: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    counterexample: str = ""

    def __post_init__(self) -> None:
        if self.relation not in _RELATIONS:
            raise ValueError(f"relation must be one of {', '.join(_RELATIONS)}; got {self.relation!r}")

    @property
    def holds(self) -> bool:
        """Whether the two sides compare as `relation` says (never with NaN)."""
        return bool(_RELATIONS[self.relation](self.measured, self.bound))

    @property
    def margin(self) -> Number:
        """How far the sides are from failing: bound - measured, with the sign of `relation`."""
        gap: Number = self.bound - self.measured
        if self.relation == "==":
            return min(gap, -gap)
        return gap if self.relation in ("<=", "<") else -gap

    def require(self) -> None:
        """Raise `ClaimFailed` with both sides unless the evidence holds."""
        if not self.holds:
            raise ClaimFailed(
                f"{self.measured} {self.relation} {self.bound} is not true "
                f"({self.method}; {dict(self.parameters)})"
            )

    def __bool__(self) -> bool:
        raise TypeError("ask Evidence for .holds or .require(); its truth value is not defined")


Check = Callable[[], Evidence]


@dataclass(frozen=True)
class Claim:
    """One statement of the theory, with the check that decides its status.

    Parameters
    ----------
    label : str
        The paper's own LaTeX label, or ``new:...`` for a statement of this book; a part is ``label/part``.
    number : str
        The printed number, such as "Lemma 6 (a)".
    title : str
        A few words.
    kind : str
        Kind of evidence, one of `KINDS`.
    chapter : str
        Stem of the chapter that treats it.
    statement : str
        The statement in one plain sentence, with explicit constants.
    uses : tuple of str
        Labels this one builds on.
    check : callable or None
        Returns the evidence for the statement as printed, or for its repaired form when `repair` is given.
    spoil : tuple of callables
        Controls: the same checks on a slightly wrong statement. Every one of them must fail.
    refute : callable or None
        Returns the evidence that the *printed* statement is false.
    repair : str
        The repaired statement; needs `refute`.
    severity : str
        For a statement that is refuted as printed: how grave that is, one of `SEVERITIES`.
    instead : str
        For a refuted statement without a repair of its own: what is true in its place, with the labels that show it.
    reason : str
        Why there is no check, for cited statements.
    rows : tuple of int
        Rows of the inventory of the paper's statements that this claim covers.
    """

    label: str
    number: str
    title: str
    kind: str
    chapter: str
    statement: str
    uses: tuple[str, ...] = ()
    check: Check | None = None
    spoil: tuple[Check, ...] = ()
    refute: Check | None = None
    repair: str = ""
    severity: str = ""
    instead: str = ""
    reason: str = ""
    rows: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"kind of {self.label} must be one of {', '.join(KINDS)}; got {self.kind!r}")
        if (self.check is None and self.refute is None) != (self.kind == "cited"):
            raise ValueError(f"{self.label} must have a check exactly if its kind is not 'cited'")
        if self.kind == "cited" and not self.reason:
            raise ValueError(f"{self.label} is cited and must say why there is no check")
        if self.kind != "cited" and not self.spoil:
            raise ValueError(f"{self.label} must have a control that fails")
        if self.repair and (self.refute is None or self.check is None):
            raise ValueError(f"{self.label} has a repair and must refute the print and check the repair")
        if self.severity and (self.refute is None or self.severity not in SEVERITIES):
            rule = f"one of {', '.join(SEVERITIES)}, of a refuted print"
            raise ValueError(f"severity of {self.label} must be {rule}; got {self.severity!r}")

    def verify(self) -> Verdict:
        """Run the checks and derive the status from what they saw."""
        start = time.perf_counter()
        evidence = self.check() if self.check is not None else None
        refutation = self.refute() if self.refute is not None else None
        seconds = time.perf_counter() - start
        return Verdict(self, evidence, refutation, seconds)

    def controls(self) -> tuple[Evidence, ...]:
        """Run the spoiled checks; a sound claim has none that holds."""
        return tuple(spoiled() for spoiled in self.spoil)


@dataclass(frozen=True)
class Verdict:
    """A claim after its checks ran."""

    claim: Claim
    evidence: Evidence | None
    refutation: Evidence | None
    seconds: float

    @property
    def status(self) -> str:
        """One of `STATUSES`, derived from the evidence alone."""
        if self.evidence is None and self.refutation is None:
            return "cited"
        if self.evidence is not None and not self.evidence.holds:
            return "fails"
        if self.refutation is None:
            return "holds"
        if not self.refutation.holds:
            return "fails"
        return "refuted as stated" if self.evidence is None else "holds as repaired"

    @property
    def decisive(self) -> Evidence | None:
        """The evidence to show first: for the repaired or printed statement, else the refutation."""
        return self.evidence if self.evidence is not None else self.refutation

    def require(self) -> None:
        """Raise `ClaimFailed` unless the status is one the book may print."""
        if self.status == "fails":
            for evidence in (self.evidence, self.refutation):
                if evidence is not None:
                    evidence.require()

    def __bool__(self) -> bool:
        raise TypeError("ask Verdict for .status or .require(); its truth value is not defined")


class Registry(Mapping[str, Claim]):
    """Label -> `Claim`, in the order of the chapters; labels are unique."""

    def __init__(self) -> None:
        self._claims: dict[str, Claim] = {}

    def add(self, *claims: Claim) -> None:
        """Enter claims; a label may be entered once."""
        for claim in claims:
            if claim.label in self._claims:
                raise ValueError(f"label must be new to the ledger; got {claim.label!r}")
            self._claims[claim.label] = claim

    def __getitem__(self, label: str) -> Claim:
        return self._claims[label]

    def __iter__(self) -> Iterator[str]:
        return iter(self._claims)

    def __len__(self) -> int:
        return len(self._claims)


REGISTRY = Registry()
