"""Evidence: what one run of a check saw, how strong it is, and how much of the statement it covers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any

Number = int | float | Fraction

#: How something was checked, strongest first.
KINDS: Mapping[str, str] = MappingProxyType(
    {
        "proved": "a proof that the Coq kernel has checked",
        "symbolic": "sympy reduces the difference of both sides to zero",
        "certified": "ball arithmetic covers the whole range",
        "exact": "fractions, or enumeration in balls",
        "statistical": "trials, with an exact binomial threshold",
        "numeric": "floating point, on grids or random arguments",
        "cited": "somebody else's theorem",
    }
)
#: How much of the statement was checked, most first.
SCOPES: Mapping[str, str] = MappingProxyType(
    {
        "whole": "the statement itself, for all parameters; of a statement about finitely many cases, all of them",
        "step": "one named step of the printed proof, for all parameters",
        "cases": "the cases that are named, and no others",
        "formula": "only that a right-hand side is computed correctly",
    }
)
#: Kinds that leave no room for doubt where their scope is the whole statement.
RIGOROUS = ("proved", "symbolic", "certified", "exact")

_RELATIONS: Mapping[str, Callable[[Number, Number], bool]] = MappingProxyType(
    {"<=": operator.le, "<": operator.lt, ">=": operator.ge, ">": operator.gt, "==": operator.eq}
)


class ClaimFailed(AssertionError):
    """A claim's check came out against it."""


@dataclass(frozen=True)
class Scope:
    """How much of a statement some evidence covers.

    Parameters
    ----------
    name : str
        One of `SCOPES`.
    text : str
        Which step, or which cases in words and numbers. For "whole": the finitely many cases that the statement
        itself is about, if it is about finitely many.

    Examples
    --------
    >>> print(cases("K = 3, T <= 12"), WHOLE, sep="; ")
    cases: K = 3, T <= 12; whole
    """

    name: str
    text: str = ""

    def __post_init__(self) -> None:
        if self.name not in SCOPES:
            raise ValueError(f"scope must be one of {', '.join(SCOPES)}; got {self.name!r}")
        if self.name in ("step", "cases") and not self.text:
            raise ValueError(f"scope {self.name!r} must say which")

    def __str__(self) -> str:
        return f"{self.name}: {self.text}" if self.text else self.name


WHOLE = Scope("whole")
FORMULA = Scope("formula")
#: Of a refutation: one example is enough. "whole" is for one that says that the printed statement is false.
COUNTEREXAMPLE = Scope("cases", "one counterexample")


def step(name: str) -> Scope:
    """Return the scope of one step of the printed proof; `name` is one of the claim's `steps`."""
    return Scope("step", name)


def cases(text: str) -> Scope:
    """Return the scope of the cases that `text` names, such as ``"K = 3, T <= 12"``."""
    return Scope("cases", text)


def all_cases(text: str) -> Scope:
    """Return the scope "whole" for a statement that is about finitely many cases, which `text` names."""
    return Scope("whole", text)


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
        One sentence: what was computed, and over which range. Formulas stand in dollar signs.
    parameters : mapping
        The parameters of the run, seeds included; ``cases`` counts those that were looked at.
    counterexample : str
        For a refutation: the object that shows the printed statement false.
    parts : tuple of Evidence
        What this evidence was put together from; it holds if all of them do.
    kind, scope, seconds
        Entered by the ledger: one of `KINDS`, a `Scope`, and how long the check took.

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
    parts: tuple[Evidence, ...] = ()
    kind: str = ""
    scope: Scope = WHOLE
    seconds: float = 0.0

    def __post_init__(self) -> None:
        if self.relation not in _RELATIONS:
            raise ValueError(f"relation must be one of {', '.join(_RELATIONS)}; got {self.relation!r}")

    @property
    def holds(self) -> bool:
        """Whether the two sides compare as `relation` says (never with NaN), in all parts."""
        compared = bool(_RELATIONS[self.relation](self.measured, self.bound))
        return compared and all(part.holds for part in self.parts)

    @property
    def margin(self) -> Number:
        """How far the sides are from failing: bound - measured, with the sign of `relation`."""
        gap: Number = self.bound - self.measured
        if self.relation == "==":
            return min(gap, -gap)
        return gap if self.relation in ("<=", "<") else -gap

    @property
    def strength(self) -> tuple[int, int]:
        """A key that sorts evidence, strongest first: by scope, then by kind."""
        return list(SCOPES).index(self.scope.name), list(KINDS).index(self.kind)

    @property
    def is_conclusive(self) -> bool:
        """Whether it establishes the statement itself: the whole of it, by a rigorous kind."""
        return self.scope.name == "whole" and self.kind in RIGOROUS

    def against(self, counterexample: str) -> Evidence:
        """Return the same evidence with the object that refutes the printed statement."""
        return replace(self, counterexample=counterexample)

    def require(self) -> None:
        """Raise `ClaimFailed` with both sides unless the evidence holds."""
        for part in self.parts:
            part.require()
        if not self.holds:
            raise ClaimFailed(
                f"{self.measured} {self.relation} {self.bound} is not true "
                f"({self.method}; {dict(self.parameters)})"
            )

    def __bool__(self) -> bool:
        raise TypeError("ask Evidence for .holds or .require(); its truth value is not defined")
