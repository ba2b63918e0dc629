"""What an identity is and how it is closed, and what a misprint is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from klcal.symbolic._normal_form import normal_form

# Functions, as building all expressions would take longer than importing the package should.
Sides = Callable[[], tuple[sp.Expr, sp.Expr]]


@dataclass(frozen=True)
class Identity:
    """An equation left = right between two sympy expressions.

    Parameters
    ----------
    statement : str
        The equation in words.
    sides : callable
        Returns the two sides as they are met, not simplified.
    primitive : callable, optional
        When the left side is an integral: returns an antiderivative of the integrand in the variable of integration,
        offered as a certificate.  It is differentiated, never trusted.

    Examples
    --------
    >>> from klcal.symbolic._symbols import P
    >>> square = Identity(
    ...     "(1 - p)^2 opened", lambda: ((1 - P) ** 2, 1 - 2 * P + P**2)
    ... )
    >>> square.closes()
    True
    >>> Identity("a lost sign", lambda: ((1 - P) ** 2, 1 + P**2)).residual()
    -2*p
    """

    statement: str
    sides: Sides
    primitive: Callable[[], sp.Expr] | None = None

    def residual(self, factor: Fraction | int = 1) -> sp.Expr:
        """Return the normal form of ``left - factor * right``; for a certified integral the first remainder found."""
        left, right = self.sides()
        right = sp.Rational(factor) * right
        if self.primitive is None:
            return normal_form(left - right)
        primitive = self.primitive()
        integrand, (variable, start, end) = left.args
        slope = normal_form(sp.diff(primitive, variable) - integrand)
        if slope != 0:
            return slope
        return normal_form(primitive.subs(variable, end) - primitive.subs(variable, start) - right)

    def closes(self) -> bool:
        """Tell whether the two sides have the same normal form."""
        return bool(self.residual() == 0)


@dataclass(frozen=True)
class Misprint:
    """A printed equation that is false as it stands, beside the one that is meant.

    Parameters
    ----------
    statement : str
        The equation in words.
    printed, correct : callable
        Return the two sides as printed and as repaired.
    witness : mapping
        An exact point of the domain at which the printed sides differ.
    note : str
        What is wrong.

    Examples
    --------
    >>> from klcal.symbolic._symbols import P
    >>> slip = Misprint(
    ...     "a lost sign",
    ...     lambda: (1 - P, 1 + P),
    ...     lambda: (1 - P, -(P - 1)),
    ...     {P: 2},
    ...     "minus",
    ... )
    >>> slip.gap(), slip.repaired().closes()
    (-4, True)
    """

    statement: str
    printed: Sides
    correct: Sides
    witness: Mapping[sp.Basic, sp.Basic]
    note: str

    def gap(self) -> sp.Expr:
        """Return left - right of the printed equation at the witness, as an exact number."""
        left, right = self.printed()
        return (left - right).subs(dict(self.witness)).doit()

    def repaired(self) -> Identity:
        """Return the equation that is meant."""
        return Identity(self.statement, self.correct)
