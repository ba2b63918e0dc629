"""Exact points at which the letters of the identities are sampled, within 1e-9 of the ends of their domains."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp
from sympy.core.function import AppliedUndef

from klcal.symbolic import Identity
from klcal.symbolic import _symbols as letters

EDGE = sp.Rational(1, 10**9)
_x = sp.Dummy("x", positive=True)


def _numbers(*samples: object) -> tuple[sp.Expr, ...]:
    return tuple(map(sp.sympify, samples))


_UNIT = _numbers(EDGE, sp.Rational(1, 7), sp.Rational(1, 2), sp.Rational(3, 5), 1 - EDGE)
_ACUTE = _numbers(EDGE, sp.Rational(1, 3), 1, sp.Rational(3, 2), sp.pi / 2 - EDGE)
_POSITIVE = _numbers(EDGE, sp.Rational(2, 3), 1, sp.Rational(17, 5), 10**9)
_FUNCTIONS = (
    sp.Lambda(_x, -_x * sp.log(_x) - (1 - _x) * sp.log(1 - _x)),
    sp.Lambda(_x, -sp.sqrt(_x**2 + (1 - _x) ** 2)),
    sp.Lambda(_x, -(_x ** sp.Rational(3, 2))),
)
# All other letters are positive.
SAMPLES: dict[sp.Basic, tuple[sp.Basic, ...]] = {
    **dict.fromkeys((letters.P, letters.RHO, letters.MU, letters.W, letters.Q, letters.STEP), _UNIT),
    **dict.fromkeys((letters.LOWER, letters.UPPER), _UNIT),
    **dict.fromkeys((letters.FIRST_POWER, letters.LAST_POWER, letters.TILT), _UNIT),
    **dict.fromkeys((letters.ANGLE, letters.LOW_ANGLE, letters.HIGH_ANGLE), _ACUTE),
    letters.Y: _numbers(0, 1, 1, 0),
    letters.K: _numbers(2, 3, 5, 8, 1000),
    letters.INDEX: _numbers(1, 2, 3, 5, 999),
    letters.ALPHA: _numbers(1 + EDGE, sp.Rational(3, 2), 2, sp.Rational(7, 3), 12),
    letters.EXPONENT: _numbers(-40, -1, -EDGE, EDGE, 1),
    letters.U: _FUNCTIONS,
}


def letters_of(identity: Identity) -> tuple[sp.Basic, ...]:
    """Return the free symbols and undefined functions of both sides, in a fixed order."""
    both = sp.Tuple(*identity.sides())
    functions = {applied.func for applied in both.atoms(AppliedUndef)}
    return tuple(sorted(both.free_symbols, key=str)) + tuple(functions)


def points(identity: Identity) -> Iterator[dict[sp.Basic, sp.Basic]]:
    """Yield points at which all letters have values, every letter taking all its samples.

    Letters of the same domain get samples shifted against each other, so that they never coincide and each
    pair visits the two ends.
    """
    samples = {letter: SAMPLES.get(letter, _POSITIVE) for letter in letters_of(identity)}
    seen: list[tuple[sp.Basic, ...]] = []
    shifts = {}
    for letter, values in samples.items():
        shifts[letter] = seen.count(values)
        seen.append(values)
    for n in range(max(map(len, samples.values()), default=1)):
        yield {letter: values[(n + shifts[letter]) % len(values)] for letter, values in samples.items()}
