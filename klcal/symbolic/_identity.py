"""What an identity is, how it is closed, and the table that builds it when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
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


Sides = Callable[[], tuple[sp.Expr, sp.Expr]]


@dataclass(frozen=True)
class Draft:
    """An identity whose sides are not built yet; the table that holds it knows its name and its label."""

    statement: str
    sides: Sides
    note: str = ""
    primitive: Callable[[], sp.Expr] | None = None

    def build(self, name: str, label: str) -> Identity:
        """Build both sides."""
        left, right = (sp.sympify(side) for side in self.sides())
        primitive = None if self.primitive is None else self.primitive()
        return Identity(name, label, self.statement, left, right, self.note, primitive)


@dataclass(frozen=True)
class MisprintDraft:
    """A misprint whose equations are not built yet."""

    statement: str
    printed: Sides
    correct: Sides
    witness: Mapping[sp.Basic, sp.Basic]
    note: str = ""

    def build(self, name: str, label: str) -> Misprint:
        """Build the printed and the repaired equation."""
        printed = Draft(self.statement, self.printed).build(f"{name}-printed", label)
        correct = Draft(self.statement, self.correct).build(f"{name}-correct", label)
        return Misprint(name, label, self.statement, printed, correct, self.witness, self.note)


#: By the paper's label, then by name.
Drafts = Mapping[str, Mapping[str, Draft]]
Entry = TypeVar("Entry", covariant=True)


class _Buildable(Protocol[Entry]):
    """A draft of an identity or of a misprint."""

    def build(self, name: str, label: str) -> Entry: ...


def builders(
    *tables: Mapping[str, Mapping[str, _Buildable[Entry]]],
) -> Iterator[tuple[str, Callable[[], Entry]]]:
    """Yield the name of each draft, and how to build it."""
    for table in tables:
        for label, drafts in table.items():
            for name, draft in drafts.items():
                yield name, partial(draft.build, name, label)


class Table(Mapping[str, Entry], Generic[Entry]):
    """A read-only mapping from names to entries, each built on first access and then kept.

    Building all expressions would take longer than importing the package should.

    Parameters
    ----------
    entries : iterable of pairs
        Names, and functions that build what they stand for.

    Examples
    --------
    >>> table = Table([("one", lambda: sp.Integer(1))])
    >>> list(table), table["one"]
    (['one'], 1)
    """

    def __init__(self, entries: Iterable[tuple[str, Callable[[], Entry]]]) -> None:
        self._builders: dict[str, Callable[[], Entry]] = {}
        self._built: dict[str, Entry] = {}
        for name, build in entries:
            if name in self._builders:
                msg = f"entries must have distinct names; got {name!r} twice"
                raise ValueError(msg)
            self._builders[name] = build

    def __getitem__(self, name: str) -> Entry:
        """Return the entry called `name`."""
        if name not in self._built:
            self._built[name] = self._builders[name]()
        return self._built[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names in their order."""
        return iter(self._builders)

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._builders)

    def __repr__(self) -> str:
        """Say how many entries there are."""
        return f"Table of {len(self)} entries"
