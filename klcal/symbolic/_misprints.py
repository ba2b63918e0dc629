"""Equations that are false as printed, each beside the one that is meant, and a point where they differ."""

from __future__ import annotations

import sympy as sp

from klcal.symbolic._divergences import excess
from klcal.symbolic._grids import point
from klcal.symbolic._identity import Misprint
from klcal.symbolic._losses import log_loss
from klcal.symbolic._rounding import mean
from klcal.symbolic._symbols import HORIZON, LOG_HORIZON, LOG_K, LOWER, PI, UPPER, K, P, X

_RATE_WITNESS = {HORIZON: sp.Integer(8), LOG_HORIZON: sp.Integer(1)}


def _gamma_at_1(end: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    return sp.Integral(sp.exp(-X), (X, 0, end)), sp.gamma(1)


def _rounded_loss() -> sp.Expr:
    """Return E l(q, 1) - l(p, 1) for the rounded forecast q."""
    one = sp.Integer(1)
    return mean(log_loss(LOWER, one), log_loss(UPPER, one)) - log_loss(P, one)


def _first_gap(first: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """Return d_1 for a given z_0, and the product form of the gaps at i = 1."""
    return point(sp.Integer(1)) - first, sp.sin(PI / (2 * K)) * sp.sin(PI / (2 * K))


def _root_rate(log_power: sp.Expr, power: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """Return sqrt(T T^(1/3) (log T)^a), and T^power (log T)^(a/2)."""
    square = HORIZON ** sp.Rational(4, 3) * LOG_HORIZON**log_power
    return sp.sqrt(square), HORIZON**power * LOG_HORIZON ** (log_power / 2)


MISPRINTS: dict[str, Misprint] = {
    # ----- lem:discretization
    "first-grid-point": Misprint(
        "$z_1 - z_0$ has the product form of eq:bound_diff at $i = 1$",
        lambda: _first_gap(sp.Integer(1)),
        lambda: _first_gap(sp.Integer(0)),
        {K: sp.Integer(2)},
        "$z_0$ is printed 1 and must be 0",
    ),
    # ----- thm:log_loss_swap_reg
    "failure-probability": Misprint(
        r"the term $(K\log K)\,T^2\delta$ of the expectation is $K\log K$",
        lambda: (K * LOG_K * HORIZON**2 * (1 / HORIZON), K * LOG_K),
        lambda: (K * LOG_K * HORIZON**2 * (1 / HORIZON**2), K * LOG_K),
        {HORIZON: sp.Integer(8), K: sp.Integer(2), LOG_K: sp.Integer(1)},
        r"the sketch sets $\delta = \frac1T$, the proof $\frac1{T^2}$",
    ),
    # ----- cor:simutaneous_bounds_msr
    "cal-1-rate": Misprint(
        r"$\sqrt{T\cdot T^{1/3}(\log T)^{5/3}}$ as a rate",
        lambda: _root_rate(sp.Rational(5, 3), power=sp.Rational(1, 3)),
        lambda: _root_rate(sp.Rational(5, 3), power=sp.Rational(2, 3)),
        _RATE_WITNESS,
        r"Appendix B.2 prints $T^{1/3}$ for the bound on $\mathsf{Cal}_1$",
    ),
    # ----- cor:simultaneous_bounds_psreg
    "pcal-1-rate": Misprint(
        r"$\sqrt{T\cdot T^{1/3}(\log T)^{2/3}}$ as a rate",
        lambda: _root_rate(sp.Rational(2, 3), power=sp.Rational(1, 3)),
        lambda: _root_rate(sp.Rational(2, 3), power=sp.Rational(2, 3)),
        _RATE_WITNESS,
        r"Appendix C.4 prints $T^{1/3}$ twice, for $\mathsf{PCal}_1$ and for $\mathsf{PSReg}$",
    ),
    # ----- alg:EWOO
    "gamma-integral": Misprint(
        r"$\Gamma(z)$ is the integral of $e^{-t}t^{z-1}$, here at $z = 1$",
        lambda: _gamma_at_1(sp.Integer(1)),
        lambda: _gamma_at_1(sp.oo),
        {},
        "the integral must run to infinity, not to 1",
    ),
    # ----- lem:rounding
    "rounding-equality": Misprint(
        r"$\mathbb E\,\ell(q, 1) - \ell(p, 1)$ against $\mathbb E[\frac pq] - 1$",
        lambda: (_rounded_loss(), mean(P / LOWER, P / UPPER) - 1),
        lambda: (_rounded_loss(), mean(P / LOWER - excess(P / LOWER), P / UPPER - excess(P / UPPER)) - 1),
        {LOWER: sp.Rational(1, 4), P: sp.Rational(1, 2), UPPER: sp.Rational(3, 4)},
        r"printed as an equality; it is a bound, too large by the mean of $h(\frac pq) \ge 0$, $h(x) = x - 1 - \log x$",
    ),
}
