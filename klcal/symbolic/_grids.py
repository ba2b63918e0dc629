"""Appendix B, proof of Lemma 6, and Lemma 7: the sine grid, its gaps, and the sums over its points."""

from __future__ import annotations

import sympy as sp

from klcal.symbolic._identity import Identity
from klcal.symbolic._losses import kl
from klcal.symbolic._symbols import ANGLE, HALF, HIGH_ANGLE, INDEX, LOW_ANGLE, LOWER, PI, TILT, UPPER, K, P, X


def point(index: sp.Expr) -> sp.Expr:
    """Return the grid point sin^2(pi index / 2K)."""
    return sp.sin(PI * index / (2 * K)) ** 2


def _geometric_mean() -> tuple[sp.Expr, sp.Expr]:
    """Return the normaliser of p_minus^lambda p_plus^(1-lambda) and the mean of the tilted distribution."""
    one = LOWER**TILT * UPPER ** (1 - TILT)
    zero = (1 - LOWER) ** TILT * (1 - UPPER) ** (1 - TILT)
    return one + zero, one / (one + zero)


def _tilt() -> tuple[sp.Expr, sp.Expr]:
    total, mean = _geometric_mean()
    return TILT * kl(P, LOWER) + (1 - TILT) * kl(P, UPPER), kl(P, mean) - sp.log(total)


def _tilt_curvature() -> tuple[sp.Expr, sp.Expr]:
    total, mean = _geometric_mean()
    odds = sp.log(LOWER / UPPER) - sp.log((1 - LOWER) / (1 - UPPER))
    return sp.diff(sp.log(total), TILT, 2), mean * (1 - mean) * odds**2


IDENTITIES: dict[str, Identity] = {
    # ----- eq:bound_diff
    "grid-gap-cosines": Identity(
        "z_i - z_{i-1} = (cos(pi(i-1)/K) - cos(pi i/K))/2",
        lambda: (
            point(INDEX) - point(INDEX - 1),
            (sp.cos(PI * (INDEX - 1) / K) - sp.cos(PI * INDEX / K)) / 2,
        ),
    ),
    "grid-gap-product": Identity(
        "z_i - z_{i-1} = sin(pi/2K) sin(pi/K (i - 1/2))",
        lambda: (point(INDEX) - point(INDEX - 1), sp.sin(PI / (2 * K)) * sp.sin(PI / K * (INDEX - HALF))),
    ),
    # ----- lem:discretization
    "csc2-mirror": Identity(
        "sin(pi (K-i)/K) = sin(pi i/K): both halves of the sums are equal",
        lambda: (sp.sin(PI * (K - INDEX) / K), sp.sin(PI * INDEX / K)),
    ),
    "csc2-integral": Identity(
        "the integral of 1/sin^2 from x to pi/2 is cot x",
        lambda: (sp.Integral(1 / sp.sin(X) ** 2, (X, ANGLE, PI / 2)), sp.cot(ANGLE)),
        primitive=lambda: -sp.cot(X),
    ),
    "csc-integral": Identity(
        "the integral of 1/sin from x to pi/2 is log(csc x + cot x)",
        lambda: (sp.Integral(1 / sp.sin(X), (X, ANGLE, PI / 2)), sp.log(sp.csc(ANGLE) + sp.cot(ANGLE))),
        primitive=lambda: -sp.log(sp.csc(X) + sp.cot(X)),
    ),
    # ----- eq:psreg_[0,1]_to_psreg_Z
    # Sine and cosine are the roots of z and 1 - z, for acute angles.
    "bhattacharyya": Identity(
        "for points sin^2 a, sin^2 b the Bhattacharyya coefficient sin a sin b + cos a cos b is cos(b - a)",
        lambda: (
            sp.sin(LOW_ANGLE) * sp.sin(HIGH_ANGLE) + sp.cos(LOW_ANGLE) * sp.cos(HIGH_ANGLE),
            sp.cos(HIGH_ANGLE - LOW_ANGLE),
        ),
    ),
    # Z sums over both outcomes, m is the share of the outcome 1; at p = m one KL is at most -log Z.
    "chernoff-tilt": Identity(
        "lambda KL(p,z-) + (1-lambda) KL(p,z+) = KL(p,m) - log Z, Z the sum of z-^lambda z+^(1-lambda)", _tilt
    ),
    "chernoff-convex": Identity(
        "d^2/dlambda^2 log Z = m(1-m) (log(z-/z+) - log((1-z-)/(1-z+)))^2, not negative", _tilt_curvature
    ),
    "chernoff-end-0": Identity(
        "Z = 1 at lambda = 0", lambda: (_geometric_mean()[0].subs(TILT, 0), sp.Integer(1))
    ),
    # With the Bhattacharyya coefficient cos(b - a) at 1/2: min KL is at most -2 log cos(b - a).
    "chernoff-end-1": Identity(
        "Z = 1 at lambda = 1, so by convexity -log Z is at most twice its value at 1/2",
        lambda: (_geometric_mean()[0].subs(TILT, 1), sp.Integer(1)),
    ),
    "chernoff-half": Identity(
        "Z at lambda = 1/2 is sqrt(z- z+) + sqrt((1-z-)(1-z+))",
        lambda: (
            _geometric_mean()[0].subs(TILT, HALF),
            sp.sqrt(LOWER * UPPER) + sp.sqrt(1 - LOWER) * sp.sqrt(1 - UPPER),
        ),
    ),
    "comparator-crossing": Identity(
        "KL(p,z-) - KL(p,z+) = p log(z+/z-) + (1-p) log((1-z+)/(1-z-)), linear in p",
        lambda: (
            kl(P, LOWER) - kl(P, UPPER),
            P * sp.log(UPPER / LOWER) + (1 - P) * sp.log((1 - UPPER) / (1 - LOWER)),
        ),
    ),
}
