"""What an identity is, how it is closed, and the table that builds it when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, NoReturn, Protocol, TypeVar

import sympy as sp
from sympy.core.function import AppliedUndef

from klcal.symbolic._normal_form import normal_form
from klcal.symbolic._symbols import DOMAINS, sample_points


class IdentityError(ArithmeticError):
    """An identity that should close leaves a remainder, or a misprint closes."""


@dataclass(frozen=True)
class Identity:
    """An equation left = right between two sympy expressions, valid on a stated domain.

    Parameters
    ----------
    name : str
        Key in the table.
    label : str
        The paper's label of the statement that uses it.
    statement : str
        The equation in words.
    left, right : sympy expression
        The two sides as they are met, not simplified.
    note : str
        Why it matters, or what must be read into it.
    primitive : sympy expression, optional
        When `left` is an integral: an antiderivative of the integrand in the variable of integration, offered
        as a certificate.  It is differentiated, never trusted.

    Examples
    --------
    >>> from klcal.symbolic._symbols import P
    >>> square = Identity("square", "none", "(1 - p)^2 opened", (1 - P) ** 2, 1 - 2 * P + P**2)
    >>> square.closes()
    True
    >>> square.require()
    >>> Identity("slip", "none", "a lost sign", (1 - P) ** 2, 1 + P**2).residual()
    -2*p
    """

    name: str
    label: str
    statement: str
    left: sp.Expr
    right: sp.Expr
    note: str = ""
    primitive: sp.Expr | None = None

    @property
    def letters(self) -> tuple[sp.Basic, ...]:
        """The free symbols and undefined functions of both sides, in a fixed order."""
        both = sp.Tuple(self.left, self.right)
        functions = {applied.func for applied in both.atoms(AppliedUndef)}
        return tuple(letter for letter in DOMAINS if letter in both.free_symbols or letter in functions)

    @property
    def domain(self) -> dict[str, str]:
        """Where each letter lives."""
        return {str(letter): DOMAINS[letter].text for letter in self.letters}

    def points(self) -> Iterator[dict[sp.Basic, sp.Basic]]:
        """Yield exact points of the domain, some of them within 1e-9 of both ends."""
        return sample_points(self.letters)

    def residual(self) -> sp.Expr:
        """Return the normal form of left - right; for a certified integral the first remainder found."""
        if self.primitive is None:
            return normal_form(self.left - self.right)
        integrand, (variable, start, end) = self.left.args
        slope = normal_form(sp.diff(self.primitive, variable) - integrand)
        if slope != 0:
            return slope
        ends = self.primitive.subs(variable, end) - self.primitive.subs(variable, start)
        return normal_form(ends - self.right)

    def closes(self) -> bool:
        """Tell whether the two sides have the same normal form."""
        return bool(self.residual() == 0)

    def require(self) -> None:
        """Raise `IdentityError` with the remainder unless the identity closes."""
        residual = self.residual()
        if residual != 0:
            msg = f"{self.name} ({self.label}) must close to 0; got {residual}"
            raise IdentityError(msg)

    def __bool__(self) -> NoReturn:
        """Refuse: an identity is neither true nor false before `closes` or `require` is called."""
        msg = f"the truth of identity {self.name!r} must be asked by closes() or require(); got bool()"
        raise TypeError(msg)


@dataclass(frozen=True)
class Misprint:
    """A printed equation that is false as it stands, beside the one that is meant.

    Parameters
    ----------
    name, label, statement, note : str
        As for `Identity`.
    printed, correct : Identity
        The equation as printed and as repaired.
    witness : mapping
        An exact point of the domain at which the printed sides differ.
    """

    name: str
    label: str
    statement: str
    printed: Identity
    correct: Identity
    witness: Mapping[sp.Basic, sp.Basic]
    note: str = ""

    def gap(self) -> sp.Expr:
        """Return left - right of the printed equation at the witness, as an exact number."""
        return (self.printed.left - self.printed.right).subs(dict(self.witness)).doit()

    def require(self) -> None:
        """Raise `IdentityError` unless the printed sides differ at the witness and the repair closes."""
        self.correct.require()
        if self.printed.closes() or self.gap().equals(0) is not False:
            msg = (
                f"the printed form of {self.name} ({self.label}) must differ at its witness; got {self.gap()}"
            )
            raise IdentityError(msg)

    def __bool__(self) -> NoReturn:
        """Refuse, as `Identity` does."""
        msg = f"the truth of misprint {self.name!r} must be asked by require(); got bool()"
        raise TypeError(msg)


@dataclass(frozen=True)
class Draft:
    """An identity that has a name but whose sides are not built yet."""

    name: str
    label: str
    statement: str
    sides: Callable[[], tuple[sp.Expr, sp.Expr]]
    note: str = ""
    primitive: Callable[[], sp.Expr] | None = None

    def build(self) -> Identity:
        """Build both sides."""
        left, right = (sp.sympify(side) for side in self.sides())
        primitive = None if self.primitive is None else self.primitive()
        return Identity(self.name, self.label, self.statement, left, right, self.note, primitive)


@dataclass(frozen=True)
class MisprintDraft:
    """A misprint whose equations are not built yet."""

    name: str
    label: str
    statement: str
    printed: Callable[[], tuple[sp.Expr, sp.Expr]]
    correct: Callable[[], tuple[sp.Expr, sp.Expr]]
    witness: Mapping[sp.Basic, sp.Basic]
    note: str = ""

    def build(self) -> Misprint:
        """Build the printed and the repaired equation."""
        printed = Draft(f"{self.name}-printed", self.label, self.statement, self.printed).build()
        correct = Draft(f"{self.name}-correct", self.label, self.statement, self.correct).build()
        return Misprint(self.name, self.label, self.statement, printed, correct, self.witness, self.note)


Entry = TypeVar("Entry", covariant=True)


class Buildable(Protocol[Entry]):
    """Anything with a name that can be built."""

    @property
    def name(self) -> str: ...

    def build(self) -> Entry: ...


class Table(Mapping[str, Entry], Generic[Entry]):
    """A read-only mapping from names to entries, each built on first access and then kept.

    Building all expressions would take longer than importing the package should.

    Examples
    --------
    >>> from klcal.symbolic._symbols import P
    >>> table = Table([Draft("square", "none", "(1 - p)^2 opened", lambda: ((1 - P) ** 2, 1 - 2 * P + P**2))])
    >>> list(table), table["square"].closes()
    (['square'], True)
    """

    def __init__(self, drafts: Iterable[Buildable[Entry]]) -> None:
        self._drafts: dict[str, Buildable[Entry]] = {}
        self._built: dict[str, Entry] = {}
        for draft in drafts:
            if draft.name in self._drafts:
                msg = f"drafts must have distinct names; got {draft.name!r} twice"
                raise ValueError(msg)
            self._drafts[draft.name] = draft

    def __getitem__(self, name: str) -> Entry:
        """Return the entry called `name`."""
        if name not in self._built:
            self._built[name] = self._drafts[name].build()
        return self._built[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names in their order."""
        return iter(self._drafts)

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._drafts)

    def __repr__(self) -> str:
        """Say how many entries there are."""
        return f"Table of {len(self)} entries"
