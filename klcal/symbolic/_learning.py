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
        "exp(-m l(w, y)) = w^(ym) (1-w)^((1-y)m) for the log loss scaled by m; logarithms of both sides",
        lambda: (-MASS * log_loss(W, Y), sp.log(_weight(Y * MASS, (1 - Y) * MASS))),
    ),
    "ewoo-mean": Identity(
        "B(gamma+2, delta+1)/B(gamma+1, delta+1) = (gamma+1)/(gamma+delta+2)",
        lambda: (
            sp.beta(ONES + 2, ZEROS + 1) / sp.beta(ONES + 1, ZEROS + 1),
            (ONES + 1) / (ONES + ZEROS + 2),
        ),
    ),
    "ewoo-mean-gamma": Identity(
        "the same by Gamma functions, as printed",
        lambda: (
            sp.gamma(ONES + 2)
            / sp.gamma(ONES + 1)
            * (sp.gamma(ONES + ZEROS + 2) / sp.gamma(ONES + ZEROS + 3)),
            (ONES + 1) / (ONES + ZEROS + 2),
        ),
    ),
    "ewoo-mean-inverse": Identity(
        "(gamma+1)/(gamma+delta+2) = (1 + (delta+1)/(gamma+1))^(-1)",
        lambda: ((ONES + 1) / (ONES + ZEROS + 2), 1 / (1 + (ZEROS + 1) / (ONES + 1))),
    ),
    # ----- lem:EWOO_regret_bound
    # The outcome 1.
    "exp-concave-1": Identity(
        "d^2/dw^2 w^k = k(k-1) w^(k-2), not positive for 0 <= k <= 1",
        lambda: (sp.diff(W**FIRST_POWER, W, 2), FIRST_POWER * (FIRST_POWER - 1) * W ** (FIRST_POWER - 2)),
    ),
    # The outcome 0.
    "exp-concave-0": Identity(
        "d^2/dw^2 (1-w)^k = k(k-1) (1-w)^(k-2), not positive for 0 <= k <= 1",
        lambda: (
            sp.diff((1 - W) ** LAST_POWER, W, 2),
            LAST_POWER * (LAST_POWER - 1) * (1 - W) ** (LAST_POWER - 2),
        ),
    ),
    # Not positive when k1 + k2 <= 1: a round split between both outcomes is covered as well.
    "exp-concave-joint": Identity(
        "d^2/dw^2 w^k1 (1-w)^k2 = -w^(k1-2) (1-w)^(k2-2) ((1-k1-k2)(k1(1-w)^2 + k2 w^2) + k1 k2)",
        lambda: (
            sp.diff(_weight(FIRST_POWER, LAST_POWER), W, 2),
            -_weight(FIRST_POWER - 2, LAST_POWER - 2) * _joint(),
        ),
    ),
    # ----- eq:hp_bound_sum_X
    # z is written q; each term of V_i(n) exceeds z(1-z) by at most |p - z|.
    "variance-decomposition": Identity(
        "p(1-p) - z(1-z) = (p - z)(1 - p - z)", lambda: (P * (1 - P) - Q * (1 - Q), (P - Q) * (1 - P - Q))
    ),
    # ----- lem:Freedman
    # V is written S; the minimum is at mu = sqrt(L/V) when that is at most 1.
    "freedman-optimum": Identity(
        "mu V + L/mu - 2 sqrt(V L) = (mu sqrt V - sqrt L)^2/mu",
        lambda: (
            MU * VARIANCE + CONFIDENCE / MU - 2 * sp.sqrt(VARIANCE * CONFIDENCE),
            (MU * sp.sqrt(VARIANCE) - sp.sqrt(CONFIDENCE)) ** 2 / MU,
        ),
    ),
    "freedman-capped": Identity(
        "mu V + L/mu - (V + L) = (1 - mu)(L - mu V)/mu, positive when mu <= 1 and V < L",
        lambda: (
            MU * VARIANCE + CONFIDENCE / MU - (VARIANCE + CONFIDENCE),
            (1 - MU) * (CONFIDENCE - MU * VARIANCE) / MU,
        ),
    ),
    # So e^x <= 1 + x + (e-2)x^2 for all x <= 1: the constant 1 of the paper can be e - 2.
    "freedman-exponential": Identity(
        "(e^x - 1 - x)/x^2 is the integral of (1-s) e^(sx) over [0,1], hence increasing in x",
        lambda: (
            sp.Integral((1 - STEP) * sp.exp(STEP * EXPONENT), (STEP, 0, 1)),
            (sp.exp(EXPONENT) - 1 - EXPONENT) / EXPONENT**2,
        ),
        primitive=lambda: sp.exp(STEP * EXPONENT) * ((1 - STEP) / EXPONENT + 1 / EXPONENT**2),
    ),
    "freedman-exponential-end": Identity(
        "at x = 1 the value is e - 2",
        lambda: (((sp.exp(EXPONENT) - 1 - EXPONENT) / EXPONENT**2).subs(EXPONENT, 1), sp.E - 2),
    ),
    # ----- thm:high_prob_bound
    "large-cells": Identity(
        "(S + 2S)(e^2 + 16 L/S) = 3 S e^2 + 48 L",
        lambda: (
            (VARIANCE + 2 * VARIANCE) * (ERROR**2 + 16 * CONFIDENCE / VARIANCE),
            3 * VARIANCE * ERROR**2 + 48 * CONFIDENCE,
        ),
    ),
    "small-cells": Identity(
        "2 S e^2 + 4 L - (2S + L)(e^2 + 1) = L(1 - e^2) + 2(L - S), positive when e <= 1 and S < L",
        lambda: (
            2 * VARIANCE * ERROR**2 + 4 * CONFIDENCE - (2 * VARIANCE + CONFIDENCE) * (ERROR**2 + 1),
            CONFIDENCE * (1 - ERROR**2) + 2 * (CONFIDENCE - VARIANCE),
        ),
    ),
}
