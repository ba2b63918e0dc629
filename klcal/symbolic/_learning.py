"""Algorithm 3 in closed form, and the scalar steps of the concentration arguments."""

from __future__ import annotations

import sympy as sp

from klcal.symbolic._identity import Identity
from klcal.symbolic._losses import log_loss
from klcal.symbolic._symbols import (
    CONFIDENCE,
    ERROR,
    EXPONENT,
    FIRST_POWER,
    LAST_POWER,
    MASS,
    MU,
    ONES,
    STEP,
    VARIANCE,
    ZEROS,
    P,
    Q,
    W,
    Y,
)


def _weight(ones: sp.Expr, zeros: sp.Expr) -> sp.Expr:
    return W**ones * (1 - W) ** zeros


def _joint() -> sp.Expr:
    """Return the bracket of the second derivative of w^k1 (1-w)^k2."""
    squares = FIRST_POWER * (1 - W) ** 2 + LAST_POWER * W**2
    return (1 - FIRST_POWER - LAST_POWER) * squares + FIRST_POWER * LAST_POWER


IDENTITIES: dict[str, Identity] = {
    # ----- alg:EWOO
    "ewoo-weight": Identity(
        r"$e^{-m\ell(w, y)} = w^{ym}(1-w)^{(1-y)m}$ for the log loss scaled by $m$, in logarithms",
        lambda: (-MASS * log_loss(W, Y), sp.log(_weight(Y * MASS, (1 - Y) * MASS))),
    ),
    "ewoo-mean": Identity(
        r"$\frac{B(\gamma+2, \delta+1)}{B(\gamma+1, \delta+1)} = \frac{\gamma+1}{\gamma+\delta+2}$",
        lambda: (
            sp.beta(ONES + 2, ZEROS + 1) / sp.beta(ONES + 1, ZEROS + 1),
            (ONES + 1) / (ONES + ZEROS + 2),
        ),
    ),
    "ewoo-mean-gamma": Identity(
        r"the same by $\Gamma$, as printed",
        lambda: (
            sp.gamma(ONES + 2)
            / sp.gamma(ONES + 1)
            * (sp.gamma(ONES + ZEROS + 2) / sp.gamma(ONES + ZEROS + 3)),
            (ONES + 1) / (ONES + ZEROS + 2),
        ),
    ),
    "ewoo-mean-inverse": Identity(
        r"$\frac{\gamma+1}{\gamma+\delta+2} = (1 + \frac{\delta+1}{\gamma+1})^{-1}$",
        lambda: ((ONES + 1) / (ONES + ZEROS + 2), 1 / (1 + (ZEROS + 1) / (ONES + 1))),
    ),
    # ----- lem:EWOO_regret_bound
    # The outcome 1.
    "exp-concave-1": Identity(
        r"$\frac{d^2}{dw^2}w^k = k(k-1)w^{k-2} \le 0$ for $0 \le k \le 1$",
        lambda: (sp.diff(W**FIRST_POWER, W, 2), FIRST_POWER * (FIRST_POWER - 1) * W ** (FIRST_POWER - 2)),
    ),
    # The outcome 0.
    "exp-concave-0": Identity(
        r"$\frac{d^2}{dw^2}(1-w)^k = k(k-1)(1-w)^{k-2} \le 0$ for $0 \le k \le 1$",
        lambda: (
            sp.diff((1 - W) ** LAST_POWER, W, 2),
            LAST_POWER * (LAST_POWER - 1) * (1 - W) ** (LAST_POWER - 2),
        ),
    ),
    # Not positive when k1 + k2 <= 1: a round split between both outcomes is covered as well.
    "exp-concave-joint": Identity(
        r"$\frac{d^2}{dw^2}w^{k_1}(1-w)^{k_2}$ is $-w^{k_1-2}(1-w)^{k_2-2}$ times "
        r"$(1-k_1-k_2)(k_1(1-w)^2 + k_2w^2) + k_1k_2$",
        lambda: (
            sp.diff(_weight(FIRST_POWER, LAST_POWER), W, 2),
            -_weight(FIRST_POWER - 2, LAST_POWER - 2) * _joint(),
        ),
    ),
    # ----- eq:hp_bound_sum_X
    # z is written q; each term of V_i(n) exceeds z(1-z) by at most |p - z|.
    "variance-decomposition": Identity(
        "$p(1-p) - z(1-z) = (p-z)(1-p-z)$", lambda: (P * (1 - P) - Q * (1 - Q), (P - Q) * (1 - P - Q))
    ),
    # ----- lem:Freedman
    # V is written S; the minimum is at mu = sqrt(L/V) when that is at most 1.
    "freedman-optimum": Identity(
        r"$\mu V + \frac L\mu - 2\sqrt{VL} = \frac1\mu(\mu\sqrt V - \sqrt L)^2$",
        lambda: (
            MU * VARIANCE + CONFIDENCE / MU - 2 * sp.sqrt(VARIANCE * CONFIDENCE),
            (MU * sp.sqrt(VARIANCE) - sp.sqrt(CONFIDENCE)) ** 2 / MU,
        ),
    ),
    "freedman-capped": Identity(
        r"$\mu V + \frac L\mu - (V+L) = \frac1\mu(1-\mu)(L-\mu V)$, not negative when $\mu \le 1$ and $V < L$",
        lambda: (
            MU * VARIANCE + CONFIDENCE / MU - (VARIANCE + CONFIDENCE),
            (1 - MU) * (CONFIDENCE - MU * VARIANCE) / MU,
        ),
    ),
    # So e^x <= 1 + x + (e-2)x^2 for all x <= 1: the constant 1 of the paper can be e - 2.
    "freedman-exponential": Identity(
        r"$\frac{e^x-1-x}{x^2} = \int_0^1(1-s)e^{sx}\,ds$, hence increasing in $x$",
        lambda: (
            sp.Integral((1 - STEP) * sp.exp(STEP * EXPONENT), (STEP, 0, 1)),
            (sp.exp(EXPONENT) - 1 - EXPONENT) / EXPONENT**2,
        ),
        primitive=lambda: sp.exp(STEP * EXPONENT) * ((1 - STEP) / EXPONENT + 1 / EXPONENT**2),
    ),
    "freedman-exponential-end": Identity(
        "at $x = 1$ the value is $e - 2$",
        lambda: (((sp.exp(EXPONENT) - 1 - EXPONENT) / EXPONENT**2).subs(EXPONENT, 1), sp.E - 2),
    ),
    # ----- thm:high_prob_bound
    "large-cells": Identity(
        r"$(S+2S)(e^2 + \frac{16L}S) = 3Se^2 + 48L$",
        lambda: (
            (VARIANCE + 2 * VARIANCE) * (ERROR**2 + 16 * CONFIDENCE / VARIANCE),
            3 * VARIANCE * ERROR**2 + 48 * CONFIDENCE,
        ),
    ),
    "small-cells": Identity(
        r"$2Se^2 + 4L - (2S+L)(e^2+1) = L(1-e^2) + 2(L-S)$, positive when $e \le 1$ and $S < L$",
        lambda: (
            2 * VARIANCE * ERROR**2 + 4 * CONFIDENCE - (2 * VARIANCE + CONFIDENCE) * (ERROR**2 + 1),
            CONFIDENCE * (1 - ERROR**2) + 2 * (CONFIDENCE - VARIANCE),
        ),
    ),
}
