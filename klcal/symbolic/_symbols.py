"""The letters of the identities, each with its domain and the points at which it is sampled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

EDGE = sp.Rational(1, 10**9)
HALF = sp.Rational(1, 2)
PI = sp.pi


@dataclass(frozen=True)
class Domain:
    """Where a letter lives, and fixed exact values in it, the extreme ones within 1e-9 of the ends.

    Parameters
    ----------
    text : str
        The set, in words a reader understands.
    samples : tuple of sympy objects
        Exact values; for the name of a function, functions.

    Examples
    --------
    >>> DOMAINS[P].text
    'the open interval (0, 1)'
    >>> DOMAINS[P].samples[1:3]
    (1/7, 1/2)
    """

    text: str
    samples: tuple[sp.Basic, ...]


def _numbers(text: str, *samples: object) -> Domain:
    return Domain(text, tuple(sp.sympify(sample) for sample in samples))


def _letters(names: str, **assumptions: bool) -> tuple[sp.Symbol, ...]:
    return tuple(sp.Symbol(name, **assumptions) for name in names.split())


P, RHO, MU, V, W, Q, LOWER, UPPER, STEP = _letters("p rho mu v w q p_minus p_plus s", positive=True)
Y = sp.Symbol("y", real=True)
ANGLE, LOW_ANGLE, HIGH_ANGLE = _letters("x a b", positive=True)
K, INDEX = _letters("K i", positive=True, integer=True)
ALPHA, SCALE, SMOOTHNESS, X = _letters("alpha c G x_pos", positive=True)
MASS, MASS1, MASS2, MASS3, ONES, ZEROS = _letters("m m1 m2 m3 gamma delta", positive=True)
ERROR, ERROR1, ERROR2, ERROR3 = _letters("e e1 e2 e3", positive=True)
FIRST_VARIANCE, LAST_VARIANCE = _letters("A B", positive=True)
HORIZON, LOG_HORIZON, LOG_K, VARIANCE, CONFIDENCE = _letters("T log_T log_K S L", positive=True)
FIRST_POWER, LAST_POWER, TILT = _letters("k1 k2 lambda", positive=True)
EXPONENT = sp.Symbol("x_real", real=True, nonzero=True)
U, SLOPE = sp.Function("u"), sp.Function("g")

_UNIT = _numbers("the open interval (0, 1)", EDGE, sp.Rational(1, 7), HALF, sp.Rational(3, 5), 1 - EDGE)
_OUTCOME = _numbers("the set {0, 1}", 0, 1, 1, 0)
_ACUTE = _numbers("the open interval (0, pi/2)", EDGE, sp.Rational(1, 3), 1, sp.Rational(3, 2), PI / 2 - EDGE)
_POSITIVE = _numbers("the positive reals", EDGE, sp.Rational(2, 3), 1, sp.Rational(17, 5), 10**9)
_EXPONENT = _numbers("the reals above 1", 1 + EDGE, sp.Rational(3, 2), 2, sp.Rational(7, 3), 12)
_RESOLUTION = _numbers("the integers from 2 on", 2, 3, 5, 8, 1000)
_INDICES = _numbers("the integers 1, ..., K - 1", 1, 2, 3, 5, 999)
_UP_TO_1 = _numbers("the reals up to 1 except 0", -40, -1, -EDGE, EDGE, 1)
_x = sp.Dummy("x", positive=True)
_CONCAVE = Domain(
    "twice differentiable functions on (0, 1)",
    (
        sp.Lambda(_x, -_x * sp.log(_x) - (1 - _x) * sp.log(1 - _x)),
        sp.Lambda(_x, -sp.sqrt(_x**2 + (1 - _x) ** 2)),
        sp.Lambda(_x, -(_x ** sp.Rational(3, 2))),
    ),
)
_ANY = Domain("functions on (0, 1)", (sp.Lambda(_x, 1 - 2 * _x), sp.Lambda(_x, sp.exp(-_x))))

_KINDS: tuple[tuple[Domain, tuple[sp.Basic, ...]], ...] = (
    (_UNIT, (P, RHO, MU, V, W, Q, LOWER, UPPER, STEP, FIRST_POWER, LAST_POWER, TILT)),
    (_OUTCOME, (Y,)),
    (_ACUTE, (ANGLE, LOW_ANGLE, HIGH_ANGLE)),
    (_RESOLUTION, (K,)),
    (_INDICES, (INDEX,)),
    (_EXPONENT, (ALPHA,)),
    (_UP_TO_1, (EXPONENT,)),
    (_POSITIVE, (SCALE, SMOOTHNESS, X, MASS, MASS1, MASS2, MASS3, ONES, ZEROS)),
    (_POSITIVE, (ERROR, ERROR1, ERROR2, ERROR3, FIRST_VARIANCE, LAST_VARIANCE)),
    (_POSITIVE, (HORIZON, LOG_HORIZON, LOG_K, VARIANCE, CONFIDENCE)),
    (_CONCAVE, (U,)),
    (_ANY, (SLOPE,)),
)
DOMAINS: dict[sp.Basic, Domain] = {letter: domain for domain, letters in _KINDS for letter in letters}


def sample_points(letters: tuple[sp.Basic, ...]) -> Iterator[dict[sp.Basic, sp.Basic]]:
    """Yield exact points at which all `letters` have values, every letter taking all its samples.

    Letters of the same domain get samples shifted against each other, so that they never coincide and each
    pair visits the two ends.

    Parameters
    ----------
    letters : tuple of sympy symbols or undefined functions

    Yields
    ------
    dict
        From letter to sample.

    Examples
    --------
    >>> [(point[P], point[RHO]) for point in sample_points((P, RHO))][1:3]
    [(1/7, 1/2), (1/2, 3/5)]
    """
    shifts: dict[sp.Basic, int] = {}
    for letter in letters:
        shifts[letter] = sum(DOMAINS[other] is DOMAINS[letter] for other in shifts)
    for n in range(max((len(DOMAINS[letter].samples) for letter in letters), default=1)):
        point = {}
        for letter, shift in shifts.items():
            samples = DOMAINS[letter].samples
            point[letter] = samples[(n + shift) % len(samples)]
        yield point
