"""Appendix B, proof of Lemma 6, and Lemma 7: the sine grid, its gaps, and the sums over its points."""

from __future__ import annotations

import sympy as sp

from klcal.symbolic._losses import kl
from klcal.symbolic._symbols import (
    ANGLE,
    HALF,
    HIGH_ANGLE,
    INDEX,
    LOW_ANGLE,
    LOWER,
    PI,
    TILT,
    UPPER,
    K,
    P,
    X,
)
from klcal.symbolic._table import Draft, Drafts

_LEMMA_6 = "lem:discretization"
_LEMMA_7 = "lem:discretization_II"
_EQ_4 = "eq:psreg_[0,1]_to_psreg_Z"
_EQ_9 = "eq:bound_diff"


def point(index: sp.Expr) -> sp.Expr:
    """Return the grid point sin^2(pi index / 2K)."""
    return sp.sin(PI * index / (2 * K)) ** 2


def _variance(z: sp.Expr) -> sp.Expr:
    return z * (1 - z)


def _ratio(sign: int) -> tuple[sp.Expr, sp.Expr]:
    """Return sin(pi/K (i +- 1/2)) / sin(pi i/K) and its opened form."""
    whole, half = PI * INDEX / K, PI / (2 * K)
    return sp.sin(PI / K * (INDEX + sign * HALF)) / sp.sin(whole), sp.cos(half) + sign * sp.cot(
        whole
    ) * sp.sin(half)


def _chebyshev() -> sp.Expr:
    """Return U_{K-1}(cos x) = sin(K x)/sin(x), the polynomial in cos x with roots cos(pi i/K)."""
    return sp.sin(K * ANGLE) / sp.sin(ANGLE)


def _log_slope_at_1() -> sp.Expr:
    """Return U'/U at 1: the derivative with respect to cos x is that with respect to x over -sin x."""
    return sp.Limit(-sp.diff(_chebyshev(), ANGLE) / sp.sin(ANGLE) / _chebyshev(), ANGLE, 0)


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


def _csc_squared_sum(resolution: int) -> Draft:
    def sides() -> tuple[sp.Expr, sp.Expr]:
        terms = (4 / sp.sin(PI * index / resolution) ** 2 for index in range(1, resolution))
        return sp.Add(*terms), sp.Rational(4 * (resolution**2 - 1), 3)

    statement = f"the sum of 4/sin^2(pi i/{resolution}) over 0 < i < {resolution} is 4({resolution}^2 - 1)/3"
    return Draft(statement, sides)


DRAFTS: Drafts = {
    _EQ_9: {
        "grid-gap-cosines": Draft(
            "z_i - z_{i-1} = (cos(pi(i-1)/K) - cos(pi i/K))/2",
            lambda: (
                point(INDEX) - point(INDEX - 1),
                (sp.cos(PI * (INDEX - 1) / K) - sp.cos(PI * INDEX / K)) / 2,
            ),
        ),
        "grid-gap-product": Draft(
            "z_i - z_{i-1} = sin(pi/2K) sin(pi/K (i - 1/2))",
            lambda: (
                point(INDEX) - point(INDEX - 1),
                sp.sin(PI / (2 * K)) * sp.sin(PI / K * (INDEX - HALF)),
            ),
        ),
    },
    _LEMMA_6: {
        **{f"csc2-sum-{n}": _csc_squared_sum(n) for n in range(2, 9)},
        "sine-bound": Draft(
            "x - sin x is the integral of 1 - cos from 0 to x, hence positive for x > 0",
            lambda: (sp.Integral(1 - sp.cos(X), (X, 0, ANGLE)), ANGLE - sp.sin(ANGLE)),
            primitive=lambda: X - sp.sin(X),
        ),
        "sine-odd": Draft(
            "(-x) - sin(-x) = -(x - sin x): below zero the inequality sin x <= x turns round",
            lambda: (-ANGLE - sp.sin(-ANGLE), -(ANGLE - sp.sin(ANGLE))),
            "the paper claims sin x <= x for all real x; it uses it for x > 0 only",
        ),
        "grid-variance": Draft(
            "z_i (1 - z_i) = sin^2(pi i/K)/4",
            lambda: (_variance(point(INDEX)), sp.sin(PI * INDEX / K) ** 2 / 4),
        ),
        "gap-ratio-above": Draft(
            "sin(pi/K (i+1/2)) / sin(pi i/K) = cos(pi/2K) + cot(pi i/K) sin(pi/2K)", lambda: _ratio(1)
        ),
        "gap-ratio-below": Draft(
            "sin(pi/K (i-1/2)) / sin(pi i/K) = cos(pi/2K) - cot(pi i/K) sin(pi/2K)", lambda: _ratio(-1)
        ),
        "gap-ratio-limit": Draft(
            "sin(pi/2K)/sin(pi/K) = 1/(2 cos(pi/2K))",
            lambda: (sp.sin(PI / (2 * K)) / sp.sin(PI / K), 1 / (2 * sp.cos(PI / (2 * K)))),
        ),
        "gap-ratio-first": Draft(
            "(z_2 - z_1)^2 / (z_1(1 - z_1)) = tan^2(pi/2K) (1 + 2 cos(pi/K))^2",
            lambda: (
                (point(2) - point(1)) ** 2 / _variance(point(1)),
                sp.tan(PI / (2 * K)) ** 2 * (1 + 2 * sp.cos(PI / K)) ** 2,
            ),
            "the worst case of (b): the ratios above decrease in i up to the middle",
        ),
        "gap-ratio-first-limit": Draft(
            "K^2 times that tends to 9 pi^2/4",
            lambda: (
                sp.Limit(K**2 * sp.tan(PI / (2 * K)) ** 2 * (1 + 2 * sp.cos(PI / K)) ** 2, K, sp.oo),
                9 * PI**2 / 4,
            ),
        ),
        "csc2-mirror": Draft(
            "sin(pi (K-i)/K) = sin(pi i/K): both halves of the sums are equal",
            lambda: (sp.sin(PI * (K - INDEX) / K), sp.sin(PI * INDEX / K)),
        ),
        "csc2-integral": Draft(
            "the integral of 1/sin^2 from x to pi/2 is cot x",
            lambda: (sp.Integral(1 / sp.sin(X) ** 2, (X, ANGLE, PI / 2)), sp.cot(ANGLE)),
            primitive=lambda: -sp.cot(X),
        ),
        "csc-integral": Draft(
            "the integral of 1/sin from x to pi/2 is log(csc x + cot x)",
            lambda: (sp.Integral(1 / sp.sin(X), (X, ANGLE, PI / 2)), sp.log(sp.csc(ANGLE) + sp.cot(ANGLE))),
            primitive=lambda: -sp.log(sp.csc(X) + sp.cot(X)),
        ),
        "csc2-symmetry": Draft(
            "(1/(1 - cos x) + 1/(1 + cos x))/2 = 1/sin^2 x",
            lambda: ((1 / (1 - sp.cos(ANGLE)) + 1 / (1 + sp.cos(ANGLE))) / 2, 1 / sp.sin(ANGLE) ** 2),
            "the roots cos(pi i/K) are symmetric about 0, so the sum of 1/sin^2 is the sum of 1/(1 - root)",
        ),
        "csc2-sum-every-K": Draft(
            "the sum of 1/(1 - root) over the roots of U_{K-1}, which is U'/U at 1, is (K^2 - 1)/3",
            lambda: (_log_slope_at_1(), (sp.Integer(1) * K**2 - 1) / 3),
            "with the symmetry this gives sum 1/(z_i(1-z_i)) = 4(K^2-1)/3 for all K: (c) with equality",
        ),
    },
    _LEMMA_7: {
        "end-gap-first": Draft(
            "sin^4 x / (sin^2 x cos^2 x) = tan^2 x",
            lambda: (sp.sin(ANGLE) ** 4 / (sp.sin(ANGLE) ** 2 * sp.cos(ANGLE) ** 2), sp.tan(ANGLE) ** 2),
        ),
        "end-gap-last": Draft(
            "sin^4(pi/2K) / (sin^2(pi/4K) cos^2(pi/4K)) = 4 sin^2(pi/2K)",
            lambda: (
                point(1) ** 2 / (sp.sin(PI / (4 * K)) ** 2 * sp.cos(PI / (4 * K)) ** 2),
                4 * sp.sin(PI / (2 * K)) ** 2,
            ),
        ),
        "end-gap-mirror": Draft(
            "cos^2(pi/4K) - cos^2(pi/2K) = sin^2(pi/2K) - sin^2(pi/4K)",
            lambda: (
                sp.cos(PI / (4 * K)) ** 2 - sp.cos(PI / (2 * K)) ** 2,
                sp.sin(PI / (2 * K)) ** 2 - sp.sin(PI / (4 * K)) ** 2,
            ),
        ),
    },
    "eq:range_log_loss": {
        "range-log-loss": Draft(
            "the largest loss on the inner grid: -log z_1 = -log(1 - z_{K-1}) = -log sin^2(pi/2K)",
            lambda: (-sp.log(1 - point(K - 1)), -sp.log(sp.sin(PI / (2 * K)) ** 2)),
        ),
    },
    _EQ_4: {
        "bhattacharyya": Draft(
            "for points sin^2 a, sin^2 b the Bhattacharyya coefficient sin a sin b + cos a cos b is cos(b - a)",
            lambda: (
                sp.sin(LOW_ANGLE) * sp.sin(HIGH_ANGLE) + sp.cos(LOW_ANGLE) * sp.cos(HIGH_ANGLE),
                sp.cos(HIGH_ANGLE - LOW_ANGLE),
            ),
            "sine and cosine are the roots of z and 1 - z, for acute angles",
        ),
        "chernoff-tilt": Draft(
            "lambda KL(p,z-) + (1-lambda) KL(p,z+) = KL(p,m) - log Z, Z the sum of z-^lambda z+^(1-lambda)",
            _tilt,
            "Z sums over both outcomes, m is the share of the outcome 1; at p = m one KL is at most -log Z",
        ),
        "chernoff-convex": Draft(
            "d^2/dlambda^2 log Z = m(1-m) (log(z-/z+) - log((1-z-)/(1-z+)))^2, not negative", _tilt_curvature
        ),
        "chernoff-end-0": Draft(
            "Z = 1 at lambda = 0", lambda: (_geometric_mean()[0].subs(TILT, 0), sp.Integer(1))
        ),
        "chernoff-end-1": Draft(
            "Z = 1 at lambda = 1, so by convexity -log Z is at most twice its value at 1/2",
            lambda: (_geometric_mean()[0].subs(TILT, 1), sp.Integer(1)),
            "with the Bhattacharyya coefficient cos(b - a) at 1/2: min KL is at most -2 log cos(b - a)",
        ),
        "chernoff-half": Draft(
            "Z at lambda = 1/2 is sqrt(z- z+) + sqrt((1-z-)(1-z+))",
            lambda: (
                _geometric_mean()[0].subs(TILT, HALF),
                sp.sqrt(LOWER * UPPER) + sp.sqrt(1 - LOWER) * sp.sqrt(1 - UPPER),
            ),
        ),
        "comparator-crossing": Draft(
            "KL(p,z-) - KL(p,z+) = p log(z+/z-) + (1-p) log((1-z+)/(1-z-)), linear in p",
            lambda: (
                kl(P, LOWER) - kl(P, UPPER),
                P * sp.log(UPPER / LOWER) + (1 - P) * sp.log((1 - UPPER) / (1 - LOWER)),
            ),
        ),
    },
}
