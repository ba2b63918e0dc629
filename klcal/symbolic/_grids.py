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
        r"$z_i - z_{i-1} = \frac12(\cos\frac{\pi(i-1)}K - \cos\frac{\pi i}K)$",
        lambda: (
            point(INDEX) - point(INDEX - 1),
            (sp.cos(PI * (INDEX - 1) / K) - sp.cos(PI * INDEX / K)) / 2,
        ),
    ),
    "grid-gap-product": Identity(
        r"$z_i - z_{i-1} = \sin\frac\pi{2K}\,\sin(\frac\pi K(i-\frac12))$",
        lambda: (point(INDEX) - point(INDEX - 1), sp.sin(PI / (2 * K)) * sp.sin(PI / K * (INDEX - HALF))),
    ),
    # ----- lem:discretization
    "csc2-mirror": Identity(
        r"$\sin\frac{\pi(K-i)}K = \sin\frac{\pi i}K$: both halves of the sums are equal",
        lambda: (sp.sin(PI * (K - INDEX) / K), sp.sin(PI * INDEX / K)),
    ),
    "csc2-integral": Identity(
        r"$\int_x^{\pi/2}\frac{dt}{\sin^2t} = \cot x$",
        lambda: (sp.Integral(1 / sp.sin(X) ** 2, (X, ANGLE, PI / 2)), sp.cot(ANGLE)),
        primitive=lambda: -sp.cot(X),
    ),
    "csc-integral": Identity(
        r"$\int_x^{\pi/2}\frac{dt}{\sin t} = \log(\csc x + \cot x)$",
        lambda: (sp.Integral(1 / sp.sin(X), (X, ANGLE, PI / 2)), sp.log(sp.csc(ANGLE) + sp.cot(ANGLE))),
        primitive=lambda: -sp.log(sp.csc(X) + sp.cot(X)),
    ),
    # ----- eq:psreg_[0,1]_to_psreg_Z
    # Sine and cosine are the roots of z and 1 - z, for acute angles.
    "bhattacharyya": Identity(
        r"for points $\sin^2a$, $\sin^2b$ the Bhattacharyya coefficient is $\sin a\sin b + \cos a\cos b = \cos(b-a)$",
        lambda: (
            sp.sin(LOW_ANGLE) * sp.sin(HIGH_ANGLE) + sp.cos(LOW_ANGLE) * sp.cos(HIGH_ANGLE),
            sp.cos(HIGH_ANGLE - LOW_ANGLE),
        ),
    ),
    # Z sums over both outcomes, m is the share of the outcome 1; at p = m one KL is at most -log Z.
    "chernoff-tilt": Identity(
        r"$\lambda\,\mathsf{KL}(p, z_-) + (1-\lambda)\,\mathsf{KL}(p, z_+) = \mathsf{KL}(p, m) - \log Z$ "
        r"with $Z = z_-^\lambda z_+^{1-\lambda} + (1-z_-)^\lambda(1-z_+)^{1-\lambda}$ "
        r"and $m = z_-^\lambda z_+^{1-\lambda}/Z$",
        _tilt,
    ),
    "chernoff-convex": Identity(
        r"$\frac{\partial^2}{\partial\lambda^2}\log Z = m(1-m)(\log\frac{z_-}{z_+} - \log\frac{1-z_-}{1-z_+})^2 \ge 0$",
        _tilt_curvature,
    ),
    "chernoff-end-0": Identity(
        r"$Z = 1$ at $\lambda = 0$", lambda: (_geometric_mean()[0].subs(TILT, 0), sp.Integer(1))
    ),
    # With the Bhattacharyya coefficient cos(b - a) at 1/2: min KL is at most -2 log cos(b - a).
    "chernoff-end-1": Identity(
        r"$Z = 1$ at $\lambda = 1$, so by convexity $-\log Z$ is at most twice its value at $\frac12$",
        lambda: (_geometric_mean()[0].subs(TILT, 1), sp.Integer(1)),
    ),
    "chernoff-half": Identity(
        r"$Z = \sqrt{z_-z_+} + \sqrt{(1-z_-)(1-z_+)}$ at $\lambda = \frac12$",
        lambda: (
            _geometric_mean()[0].subs(TILT, HALF),
            sp.sqrt(LOWER * UPPER) + sp.sqrt(1 - LOWER) * sp.sqrt(1 - UPPER),
        ),
    ),
    "comparator-crossing": Identity(
        r"$\mathsf{KL}(p, z_-) - \mathsf{KL}(p, z_+) = p\log\frac{z_+}{z_-} + (1-p)\log\frac{1-z_+}{1-z_-}$, "
        "linear in $p$",
        lambda: (
            kl(P, LOWER) - kl(P, UPPER),
            P * sp.log(UPPER / LOWER) + (1 - P) * sp.log((1 - UPPER) / (1 - LOWER)),
        ),
    ),
}
