"""Section 5 and Appendix C: equation 10, the closed forms behind Lemma 5, and Remark 1."""

from __future__ import annotations

import sympy as sp

from klcal.symbolic._identity import Identity
from klcal.symbolic._losses import log_loss
from klcal.symbolic._symbols import (
    FIRST_VARIANCE,
    HALF,
    HIGH_ANGLE,
    LAST_VARIANCE,
    LOW_ANGLE,
    LOWER,
    PI,
    STEP,
    UPPER,
    K,
    P,
    Q,
    Y,
)


def _variance(z: sp.Expr) -> sp.Expr:
    return z * (1 - z)


# The probabilities of the lower and the upper neighbour, before they are divided by their sum D.
_LOW, _HIGH = (UPPER - P) / _variance(UPPER), (P - LOWER) / _variance(LOWER)
_NORMALISER = _LOW + _HIGH
_PRODUCT = LOWER * UPPER * (1 - LOWER) * (1 - UPPER)
_ROOTS = sp.sqrt(FIRST_VARIANCE), sp.sqrt(LAST_VARIANCE)
# z_0 and z_1 of the full grid, and their middle.
_ENDS = sp.sin(PI / (4 * K)) ** 2, sp.sin(PI / (2 * K)) ** 2
_MIDDLE = sp.Add(*_ENDS) / 2
_COSINE = sp.cos(PI / (4 * K))
# What it costs to round the middle to z_0, or to both ends evenly, if the outcome is 1.
_NEAREST = sp.log(sp.Rational(3, 2) + sp.cos(PI / (2 * K)))
_EVENLY = sp.log((1 + 4 * _COSINE**2) / (4 * _COSINE))


def mean(at_lower: sp.Expr, at_upper: sp.Expr) -> sp.Expr:
    """Return the mean over the rounded forecast of a quantity with the two values given."""
    return (_LOW * at_lower + _HIGH * at_upper) / _NORMALISER


def _linear(p: sp.Expr) -> sp.Expr:
    """Return the paper's f(p) = p + p- p+ - p(p- + p+)."""
    return p + LOWER * UPPER - p * (LOWER + UPPER)


_COMMON_VALUE = (UPPER - P) * (P - LOWER) / _linear(P)


def _bound(step: sp.Expr) -> sp.Expr:
    """Return s(1-s)/(A(1-s) + Bs)."""
    return step * (1 - step) / (FIRST_VARIANCE * (1 - step) + LAST_VARIANCE * step)


def _half_sine(angle: sp.Expr) -> sp.Expr:
    """Return sin a cos a, the root of the variance of the point sin^2 a."""
    return sp.sin(angle) * sp.cos(angle)


def _in_angles(expression: sp.Expr) -> sp.Expr:
    return expression.subs({LOWER: sp.sin(LOW_ANGLE) ** 2, UPPER: sp.sin(HIGH_ANGLE) ** 2})


def _loss_of_one(p: sp.Expr) -> sp.Expr:
    return log_loss(p, sp.Integer(1))


IDENTITIES: dict[str, Identity] = {
    # ----- eq:convexity
    "log-loss-slope": Identity(
        r"$\ell'(q, y)(q-p) = \frac{(q-y)(q-p)}{q(1-q)}$",
        lambda: (sp.diff(log_loss(Q, Y), Q) * (Q - P), (Q - Y) * (Q - P) / _variance(Q)),
    ),
    "log-loss-slope-1": Identity(
        r"at $y = 1$ this is $\frac pq - 1$",
        lambda: (((Q - Y) * (Q - P) / _variance(Q)).subs(Y, 1), P / Q - 1),
    ),
    "log-loss-slope-0": Identity(
        r"at $y = 0$ this is $\frac{1-p}{1-q} - 1$",
        lambda: (((Q - Y) * (Q - P) / _variance(Q)).subs(Y, 0), (1 - P) / (1 - Q) - 1),
    ),
    "log-loss-convex": Identity(
        r"$\ell''(q, y) = \frac y{q^2} + \frac{1-y}{(1-q)^2} > 0$",
        lambda: (sp.diff(log_loss(Q, Y), Q, 2), Y / Q**2 + (1 - Y) / (1 - Q) ** 2),
    ),
    # ----- lem:rounding
    "rounding-normaliser": Identity(
        r"$D = \frac{(p^+-p^-)\,f(p)}{p^-p^+(1-p^-)(1-p^+)}$ with $f(p) = p + p^-p^+ - p(p^-+p^+)$",
        lambda: (_NORMALISER, (UPPER - LOWER) * _linear(P) / _PRODUCT),
    ),
    "rounding-inverse-middle": Identity(
        r"$\mathbb E[\frac1q] = \frac1D(\frac{p^+-p}{p^-p^+(1-p^+)} + \frac{p-p^-}{p^-p^+(1-p^-)})$",
        lambda: (
            mean(1 / LOWER, 1 / UPPER),
            ((UPPER - P) / (LOWER * UPPER * (1 - UPPER)) + (P - LOWER) / (LOWER * UPPER * (1 - LOWER)))
            / _NORMALISER,
        ),
    ),
    "rounding-inverse": Identity(
        r"$\mathbb E[\frac1q] = \frac1D\frac{(p^+-p^-)(1-p)}{p^-p^+(1-p^-)(1-p^+)}$",
        lambda: (mean(1 / LOWER, 1 / UPPER), (UPPER - LOWER) * (1 - P) / _PRODUCT / _NORMALISER),
    ),
    "rounding-inverse-complement": Identity(
        r"$\mathbb E[\frac1{1-q}] = \frac1D\frac{p\,(p^+-p^-)}{p^-p^+(1-p^-)(1-p^+)}$",
        lambda: (mean(1 / (1 - LOWER), 1 / (1 - UPPER)), P * (UPPER - LOWER) / _PRODUCT / _NORMALISER),
    ),
    "rounding-cost-1": Identity(
        r"$\mathbb E[\frac pq] - 1 = \frac{(p^+-p)(p-p^-)}{f(p)}$",
        lambda: (mean(P / LOWER, P / UPPER) - 1, _COMMON_VALUE),
    ),
    "rounding-cost-0": Identity(
        r"$\mathbb E[\frac{1-p}{1-q}] - 1$ is the same number",
        lambda: (mean((1 - P) / (1 - LOWER), (1 - P) / (1 - UPPER)) - 1, _COMMON_VALUE),
    ),
    "rounding-common-value": Identity(
        r"$\frac{p(1-p)}{f(p)} - 1 = \frac{(p^+-p)(p-p^-)}{f(p)}$",
        lambda: (_variance(P) / _linear(P) - 1, _COMMON_VALUE),
    ),
    "rounding-denominator-linear": Identity(
        "$f$ is linear in $p$: $f''(p) = 0$", lambda: (sp.diff(_linear(P), P, 2), sp.Integer(0))
    ),
    "rounding-denominator-low": Identity("$f(p^-) = p^-(1-p^-)$", lambda: (_linear(LOWER), _variance(LOWER))),
    "rounding-denominator-high": Identity(
        "$f(p^+) = p^+(1-p^+)$", lambda: (_linear(UPPER), _variance(UPPER))
    ),
    "rounding-in-cell": Identity(
        r"with $p = p^- + s(p^+-p^-)$ the cost is $(p^+-p^-)^2\frac{s(1-s)}{A(1-s)+Bs}$, "
        "$A = p^-(1-p^-)$ and $B = p^+(1-p^+)$",
        lambda: (
            _COMMON_VALUE.subs(P, LOWER + STEP * (UPPER - LOWER)),
            (UPPER - LOWER) ** 2
            * _bound(STEP).subs({FIRST_VARIANCE: _variance(LOWER), LAST_VARIANCE: _variance(UPPER)}),
        ),
    ),
    # The square vanishes at s = sqrt(A) / (sqrt(A) + sqrt(B)) only.
    "cell-maximum": Identity(
        r"$(\sqrt A+\sqrt B)^{-2} - \frac{s(1-s)}{A(1-s)+Bs}$ is $(\sqrt A(1-s) - \sqrt B\,s)^2$ "
        "over a positive number",
        lambda: (
            1 / sp.Add(*_ROOTS) ** 2 - _bound(STEP),
            (_ROOTS[0] * (1 - STEP) - _ROOTS[1] * STEP) ** 2
            / (sp.Add(*_ROOTS) ** 2 * (FIRST_VARIANCE * (1 - STEP) + LAST_VARIANCE * STEP)),
        ),
    ),
    # Here b - a is pi/2K in inner cells and pi/4K in the two end cells.
    "cell-tangent": Identity(
        r"$\frac{\sin^2b - \sin^2a}{\sin a\cos a + \sin b\cos b} = \tan(b-a)$, whose square is the worst cost",
        lambda: (
            _in_angles(UPPER - LOWER) / (_half_sine(LOW_ANGLE) + _half_sine(HIGH_ANGLE)),
            sp.tan(HIGH_ANGLE - LOW_ANGLE),
        ),
    ),
    "cell-worst-cost": Identity(
        r"$\frac{(p^+-p)(p-p^-)}{f(p)} = \tan^2(b-a)$ at $p = \frac{\sin a\sin b}{\cos(b-a)}$",
        lambda: (
            _in_angles(_COMMON_VALUE).subs(
                P, sp.sin(LOW_ANGLE) * sp.sin(HIGH_ANGLE) / sp.cos(HIGH_ANGLE - LOW_ANGLE)
            ),
            sp.tan(HIGH_ANGLE - LOW_ANGLE) ** 2,
        ),
    ),
    # ----- alg:rounding_alg
    # At y = 1 the cost log(p/z_0) is negative.
    "clamp-low": Identity(
        r"forecasts below $z_0$ are moved up to it: "
        r"at $y = 0$ that costs at most $\ell(z_0, 0) = -2\log\cos\frac\pi{4K}$",
        lambda: (log_loss(_ENDS[0], sp.Integer(0)), -2 * sp.log(_COSINE)),
    ),
    "clamp-high": Identity(
        r"forecasts above $z_K$ are moved down to it: "
        r"at $y = 1$ that costs at most $\ell(z_K, 1) = -2\log\cos\frac\pi{4K}$",
        lambda: (log_loss(_COSINE**2, sp.Integer(1)), -2 * sp.log(_COSINE)),
    ),
    # ----- rem:rounding
    "remark-ratio": Identity(
        r"$\frac{z_1}{z_0} = 4\cos^2\frac\pi{4K}$", lambda: (_ENDS[1] / _ENDS[0], 4 * _COSINE**2)
    ),
    "remark-ratio-double": Identity(
        r"$4\cos^2\frac\pi{4K} = 2 + 2\cos\frac\pi{2K}$",
        lambda: (4 * _COSINE**2, 2 + 2 * sp.cos(PI / (2 * K))),
    ),
    "remark-tie": Identity(
        "the midpoint of $z_0$ and $z_1$ is equally far from both: nearest rounding meets an exact tie there",
        lambda: (_MIDDLE - _ENDS[0], _ENDS[1] - _MIDDLE),
    ),
    "remark-nearest": Identity(
        r"rounding the midpoint to $z_0$ costs $\log(\frac32 + \cos\frac\pi{2K})$ at $y = 1$",
        lambda: (_loss_of_one(_ENDS[0]) - _loss_of_one(_MIDDLE), _NEAREST),
    ),
    "remark-linear": Identity(
        r"rounding it to $z_0$ or $z_1$, half each, costs $\log\frac{1+4\cos^2(\pi/4K)}{4\cos(\pi/4K)}$ at $y = 1$",
        lambda: (HALF * sp.Add(*(_loss_of_one(end) for end in _ENDS)) - _loss_of_one(_MIDDLE), _EVENLY),
    ),
    "remark-nearest-limit": Identity(
        r"the cost of nearest rounding tends to $\log\frac52$",
        lambda: (sp.Limit(_NEAREST, K, sp.oo), sp.log(sp.Rational(5, 2))),
    ),
    "remark-linear-limit": Identity(
        r"the cost of linear rounding tends to $\log\frac54$",
        lambda: (sp.Limit(_EVENLY, K, sp.oo), sp.log(sp.Rational(5, 4))),
    ),
}
