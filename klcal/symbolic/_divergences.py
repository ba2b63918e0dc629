"""Sections 2 and 3: Lemma 2, Proposition 1, and how Bregman, KL, chi-squared and squared distance compare."""

from __future__ import annotations

import sympy as sp

from klcal.symbolic._losses import bregman, kl
from klcal.symbolic._symbols import (
    ERROR1,
    ERROR2,
    ERROR3,
    MASS1,
    MASS2,
    MASS3,
    MU,
    RHO,
    SLOPE,
    SMOOTHNESS,
    P,
    U,
    X,
)
from klcal.symbolic._table import Draft, Drafts

_LEMMA_2 = "lem:relate_breg_vbreg"
_PROP_2 = "prop:breg_div_decomposable"
_PROP_3 = "prop:bound_breg_div_quadratically"
_COR_2 = "cor:simultaneous_bounds_psreg"


def _generic() -> sp.Expr:
    """Return the Bregman divergence of an undefined univariate form u."""
    return bregman(U(P))


def _concavity_integral() -> sp.Expr:
    """Return the integral of -u''(mu) (rho - mu) from p to rho; |u''| = -u'' for concave u."""
    return sp.Integral(-sp.diff(U(MU), MU, 2) * (RHO - MU), (MU, P, RHO))


def _loss(p: sp.Expr, y: sp.Expr) -> sp.Expr:
    """Return u(p) + g(p)(y - p): the loss with univariate form u and supergradient g, both undefined."""
    return U(p) + SLOPE(p) * (y - p)


def _chi_squared(rho: sp.Expr, p: sp.Expr) -> sp.Expr:
    return (rho - p) ** 2 / (p * (1 - p))


def excess(ratio: sp.Expr) -> sp.Expr:
    """Return x - 1 - log(x), which is nonnegative for x > 0."""
    return ratio - 1 - sp.log(ratio)


def _lagrange() -> tuple[sp.Expr, sp.Expr]:
    masses, errors = (MASS1, MASS2, MASS3), (ERROR1, ERROR2, ERROR3)
    pairs = list(zip(masses, errors, strict=True))
    squares = sum(m * e**2 for m, e in pairs)
    gaps = sum(m * n * (e - f) ** 2 for k, (m, e) in enumerate(pairs) for n, f in pairs[:k])
    return sum(masses) * squares - sum(m * e for m, e in pairs) ** 2, gaps


DRAFTS: Drafts = {
    _LEMMA_2: {
        "bregman-slope": Draft(
            "d/dp BREG(rho, p) = u''(p)(rho - p), for any twice differentiable u",
            lambda: (sp.diff(_generic(), P), sp.diff(U(P), P, 2) * (RHO - P)),
        ),
        "bregman-integral-slope": Draft(
            "d/dp of the integral of -u''(mu)(rho - mu) from p to rho is u''(p)(rho - p) as well",
            lambda: (sp.diff(_concavity_integral(), P), sp.diff(U(P), P, 2) * (RHO - P)),
            "-u'' is |u''| for concave u",
        ),
        "bregman-at-rho": Draft(
            "BREG(rho, rho) = 0, like the integral over a point: with equal slopes the two agree everywhere",
            lambda: (_generic().subs(P, RHO), sp.Integer(0)),
        ),
        "bregman-integral": Draft(
            "the integral of -u''(mu)(rho - mu) from p to rho is BREG(rho, p)",
            lambda: (_concavity_integral(), _generic()),
            "integration by parts: the primitive is -u'(mu)(rho - mu) - u(mu)",
            primitive=lambda: -sp.diff(U(MU), MU) * (RHO - MU) - U(MU),
        ),
    },
    _COR_2: {
        "outcome-gap": Draft(
            "l(p,1) - l(p,0) is the supergradient, hence at most 2 in absolute value for a loss in [-1,1]",
            lambda: (_loss(P, 1) - _loss(P, 0), SLOPE(P)),
        ),
        "cauchy-schwarz": Draft(
            "(sum m)(sum m e^2) - (sum m e)^2 is a sum of squares, hence PCal_1^2 <= T PCal_2",
            _lagrange,
            "three cells; e stands for |p - rho|",
        ),
    },
    _PROP_2: {
        "kl-integrand": Draft(
            "(1/mu + 1/(1-mu))(rho - mu) = rho/mu + (1-rho)/(mu-1)",
            lambda: ((1 / MU + 1 / (1 - MU)) * (RHO - MU), RHO / MU + (1 - RHO) / (MU - 1)),
        ),
        "kl-integral": Draft(
            "the integral of (1/mu + 1/(1-mu))(rho - mu) from p to rho is KL(rho, p)",
            lambda: (sp.Integral((1 / MU + 1 / (1 - MU)) * (RHO - MU), (MU, P, RHO)), kl(RHO, P)),
            primitive=lambda: RHO * sp.log(MU) + (1 - RHO) * sp.log(1 - MU),
        ),
        "growth-necessary-bregman": Draft(
            "d^2/drho^2 BREG(rho, p) = -u''(rho)",
            lambda: (sp.diff(_generic(), RHO, 2), -sp.diff(U(RHO), RHO, 2)),
            "BREG and KL and their first derivatives vanish at rho = p, so BREG/KL tends to p(1-p)|u''(p)|",
        ),
        "growth-necessary-kl": Draft(
            "d^2/drho^2 KL(rho, p) = 1/(rho(1-rho))",
            lambda: (sp.diff(kl(RHO, P), RHO, 2), 1 / (RHO * (1 - RHO))),
        ),
    },
    _PROP_3: {
        "smooth-integral": Draft(
            "the integral of G(rho - mu) from p to rho is (G/2)(rho - p)^2",
            lambda: (sp.Integral(SMOOTHNESS * (RHO - MU), (MU, P, RHO)), SMOOTHNESS * (RHO - P) ** 2 / 2),
            primitive=lambda: SMOOTHNESS * (RHO * MU - MU**2 / 2),
        ),
        "smooth-integral-middle": Draft(
            "G (rho (rho - p) - (rho^2 - p^2)/2) = (G/2)(rho - p)^2",
            lambda: (
                SMOOTHNESS * (RHO * (RHO - P) - (RHO**2 - P**2) / 2),
                SMOOTHNESS * (RHO - P) ** 2 / 2,
            ),
        ),
        "smooth-suffices": Draft(
            "d/dp ((G/2)(rho - p)^2 - BREG) = -(rho - p)(G + u''(p))",
            lambda: (
                sp.diff(SMOOTHNESS * (RHO - P) ** 2 / 2 - _generic(), P),
                -(RHO - P) * (SMOOTHNESS + sp.diff(U(P), P, 2)),
            ),
            "with |u''| <= G this gives BREG <= (G/2)(rho - p)^2: half the constant of the paper",
        ),
    },
    "eq:KLCal_PKLCal_def": {
        "pinsker-slope": Draft(
            "d/dp (KL(rho,p) - 2(rho - p)^2) = -(rho - p)(1 - 2p)^2 / (p(1-p))",
            lambda: (
                sp.diff(kl(RHO, P) - 2 * (RHO - P) ** 2, P),
                -(RHO - P) * (1 - 2 * P) ** 2 / (P * (1 - P)),
            ),
            "the difference falls until p = rho, where it is 0, and rises after: KL >= 2(rho - p)^2",
        ),
    },
    "thm:log_loss_swap_reg": {
        "kl-below-chi-squared": Draft(
            "chi^2 - KL = rho h(rho/p) + (1-rho) h((1-rho)/(1-p)) with h(x) = x - 1 - log x",
            lambda: (
                _chi_squared(RHO, P) - kl(RHO, P),
                RHO * excess(RHO / P) + (1 - RHO) * excess((1 - RHO) / (1 - P)),
            ),
        ),
        "excess-slope": Draft(
            "h'(x) = (x - 1)/x: h falls until 1 and rises after", lambda: (sp.diff(excess(X), X), (X - 1) / X)
        ),
        "excess-at-1": Draft("h(1) = 0", lambda: (excess(sp.Integer(1)), sp.Integer(0))),
    },
}
