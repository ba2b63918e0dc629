"""The letters of the identities; the tests sample them up to the ends of their domains."""

from __future__ import annotations

import sympy as sp

HALF = sp.Rational(1, 2)
PI = sp.pi


def _letters(names: str, **assumptions: bool) -> tuple[sp.Symbol, ...]:
    return tuple(sp.Symbol(name, **assumptions) for name in names.split())


# In (0, 1).
P, RHO, MU, W, Q, LOWER, UPPER, STEP = _letters("p rho mu w q p_minus p_plus s", positive=True)
FIRST_POWER, LAST_POWER, TILT = _letters("k1 k2 lambda", positive=True)
# 0 or 1.
Y = sp.Symbol("y", real=True)
# In (0, pi/2).
ANGLE, LOW_ANGLE, HIGH_ANGLE = _letters("x a b", positive=True)
# From 2 on, and from 1 to K - 1.
K, INDEX = _letters("K i", positive=True, integer=True)
# Above 1.
ALPHA = sp.Symbol("alpha", positive=True)
# Positive.
SCALE, SMOOTHNESS, X = _letters("c G x_pos", positive=True)
MASS, ONES, ZEROS, ERROR = _letters("m gamma delta e", positive=True)
FIRST_VARIANCE, LAST_VARIANCE = _letters("A B", positive=True)
HORIZON, LOG_HORIZON, LOG_K, VARIANCE, CONFIDENCE = _letters("T log_T log_K S L", positive=True)
# Up to 1, but not 0.
EXPONENT = sp.Symbol("x_real", real=True, nonzero=True)
# Twice differentiable on (0, 1).
U = sp.Function("u")
