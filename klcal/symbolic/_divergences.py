"""Sections 2 and 3: Lemma 2, Cauchy-Schwarz, and how Bregman divergence, KL and squared distance compare."""

from __future__ import annotations

import sympy as sp

from klcal.symbolic._identity import Identity
from klcal.symbolic._losses import bregman, kl
from klcal.symbolic._symbols import MU, RHO, SMOOTHNESS, P, U, X


def _generic() -> sp.Expr:
    """Return the Bregman divergence of an undefined univariate form u."""
    return bregman(U(P))


def excess(ratio: sp.Expr) -> sp.Expr:
    """Return x - 1 - log(x), which is nonnegative for x > 0."""
    return ratio - 1 - sp.log(ratio)


def _lagrange() -> tuple[sp.Expr, sp.Expr]:
    masses, errors = sp.symbols("m1:4", positive=True), sp.symbols("e1:4", positive=True)
    pairs = list(zip(masses, errors, strict=True))
    squares = sum(m * e**2 for m, e in pairs)
    gaps = sum(m * n * (e - f) ** 2 for k, (m, e) in enumerate(pairs) for n, f in pairs[:k])
    return sum(masses) * squares - sum(m * e for m, e in pairs) ** 2, gaps


IDENTITIES: dict[str, Identity] = {
    # ----- lem:relate_breg_vbreg
    # |u''| = -u'' for concave u; integration by parts gives the primitive.
    "bregman-integral": Identity(
        r"$\int_p^\rho -u''(\mu)(\rho-\mu)\,d\mu = \mathsf{BREG}(\rho, p)$",
        lambda: (sp.Integral(-sp.diff(U(MU), MU, 2) * (RHO - MU), (MU, P, RHO)), _generic()),
        primitive=lambda: -sp.diff(U(MU), MU) * (RHO - MU) - U(MU),
    ),
    # ----- cor:simultaneous_bounds_psreg
    # Three cells; e stands for |p - rho|.
    "cauchy-schwarz": Identity(
        r"$\sum m\sum me^2 - (\sum me)^2 = \sum_{i<j} m_im_j(e_i-e_j)^2$, "
        r"hence $\mathsf{PCal}_1^2 \le T\,\mathsf{PCal}_2$",
        _lagrange,
    ),
    # ----- prop:breg_div_decomposable
    "kl-integrand": Identity(
        r"$(\frac1\mu + \frac1{1-\mu})(\rho-\mu) = \frac\rho\mu + \frac{1-\rho}{\mu-1}$",
        lambda: ((1 / MU + 1 / (1 - MU)) * (RHO - MU), RHO / MU + (1 - RHO) / (MU - 1)),
    ),
    "kl-integral": Identity(
        r"$\int_p^\rho(\frac1\mu + \frac1{1-\mu})(\rho-\mu)\,d\mu = \mathsf{KL}(\rho, p)$",
        lambda: (sp.Integral((1 / MU + 1 / (1 - MU)) * (RHO - MU), (MU, P, RHO)), kl(RHO, P)),
        primitive=lambda: RHO * sp.log(MU) + (1 - RHO) * sp.log(1 - MU),
    ),
    # BREG and KL and their first derivatives vanish at rho = p, so BREG/KL tends to p(1-p)|u''(p)|.
    "growth-necessary-bregman": Identity(
        r"$\frac{\partial^2}{\partial\rho^2}\mathsf{BREG}(\rho, p) = -u''(\rho)$",
        lambda: (sp.diff(_generic(), RHO, 2), -sp.diff(U(RHO), RHO, 2)),
    ),
    "growth-necessary-kl": Identity(
        r"$\frac{\partial^2}{\partial\rho^2}\mathsf{KL}(\rho, p) = \frac1{\rho(1-\rho)}$",
        lambda: (sp.diff(kl(RHO, P), RHO, 2), 1 / (RHO * (1 - RHO))),
    ),
    # ----- prop:bound_breg_div_quadratically
    "smooth-integral": Identity(
        r"$\int_p^\rho G(\rho-\mu)\,d\mu = \frac G2(\rho-p)^2$",
        lambda: (sp.Integral(SMOOTHNESS * (RHO - MU), (MU, P, RHO)), SMOOTHNESS * (RHO - P) ** 2 / 2),
        primitive=lambda: SMOOTHNESS * (RHO * MU - MU**2 / 2),
    ),
    "smooth-integral-middle": Identity(
        r"$G(\rho(\rho-p) - \frac12(\rho^2-p^2)) = \frac G2(\rho-p)^2$",
        lambda: (SMOOTHNESS * (RHO * (RHO - P) - (RHO**2 - P**2) / 2), SMOOTHNESS * (RHO - P) ** 2 / 2),
    ),
    # ----- eq:KLCal_PKLCal_def
    # The difference falls until p = rho, where it is 0, and rises after: KL >= 2(rho - p)^2.
    "pinsker-slope": Identity(
        r"$\frac{\partial}{\partial p}(\mathsf{KL}(\rho, p) - 2(\rho-p)^2) = -\frac{(\rho-p)(1-2p)^2}{p(1-p)}$",
        lambda: (sp.diff(kl(RHO, P) - 2 * (RHO - P) ** 2, P), -(RHO - P) * (1 - 2 * P) ** 2 / (P * (1 - P))),
    ),
    # ----- eq:convexity
    "excess-slope": Identity(
        r"$h'(x) = \frac{x-1}x$ for $h(x) = x - 1 - \log x$: $h$ falls until 1 and rises after",
        lambda: (sp.diff(excess(X), X), (X - 1) / X),
    ),
    "excess-at-1": Identity("$h(1) = 0$", lambda: (excess(sp.Integer(1)), sp.Integer(0))),
}
