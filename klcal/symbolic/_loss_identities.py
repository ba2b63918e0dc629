"""Sections 2 and 3.1: loss, univariate form and constants of each named loss."""

from __future__ import annotations

import sympy as sp

from klcal.symbolic._identity import Identity
from klcal.symbolic._losses import LOG, SPHERICAL, SQUARED, SymbolicLoss, norm, tsallis
from klcal.symbolic._symbols import ALPHA, HALF, SCALE, P, Y

TSALLIS = tsallis(ALPHA, SCALE, "tsallis")


def _mean(loss: SymbolicLoss, chance: sp.Expr) -> sp.Expr:
    """Return the mean loss of forecasting p if the outcome is 1 with this chance."""
    return chance * loss.loss.subs(Y, 1) + (1 - chance) * loss.loss.subs(Y, 0)


def _forms(loss: SymbolicLoss) -> dict[str, Identity]:
    """Return that the loss and its univariate form determine each other."""
    return {
        f"{loss.name}-univariate": Identity(
            r"the mean of $\ell(p, y)$ over $y \sim p$ is the univariate form: "
            r"$p\,\ell(p, 1) + (1-p)\,\ell(p, 0) = f(p)$",
            lambda: (_mean(loss, P), loss.entropy),
        ),
        # y l(p,1) + (1-y) l(p,0) is l(p, y) at both outcomes.
        f"{loss.name}-loss": Identity(
            r"the loss is rebuilt from its univariate form: $\ell(p, y) = f(p) + f'(p)(y-p)$",
            lambda: (_mean(loss, Y), loss.entropy + sp.diff(loss.entropy, P) * (Y - P)),
        ),
    }


def _growth(loss: SymbolicLoss) -> sp.Expr:
    return P * (1 - P) * loss.curvature


IDENTITIES: dict[str, Identity] = {
    # ----- lem:characterization_proper_loss
    **_forms(SQUARED),
    **_forms(LOG),
    **_forms(SPHERICAL),
    **_forms(TSALLIS),
    # ----- lem:hessian_growth
    "squared-growth": Identity(
        r"squared loss: $\frac12 - p(1-p)|f''| = \frac12 - 2p(1-p) = \frac12(1-2p)^2$",
        lambda: (SQUARED.growth - _growth(SQUARED), (1 - 2 * P) ** 2 / 2),
    ),
    "log-growth": Identity("log loss: $p(1-p)|f''| = 1$", lambda: (_growth(LOG), LOG.growth)),
    "spherical-growth-slope": Identity(
        r"spherical loss, $r = \|(p, 1-p)\|_2$: $\frac d{dp}p(1-p)|f''| = \frac{(1-2p)(3-r^2)}{2r^5}$ and $r^2 \le 1$, "
        r"so it increases up to $p = \frac12$ and then decreases",
        lambda: (sp.diff(_growth(SPHERICAL), P), (1 - 2 * P) * (3 - norm(P) ** 2) / (2 * norm(P) ** 5)),
    ),
    "spherical-growth-peak": Identity(
        r"at $\frac12$ it is $\frac{\sqrt2}2$", lambda: (_growth(SPHERICAL).subs(P, HALF), SPHERICAL.growth)
    ),
    "tsallis-growth-slope": Identity(
        r"Tsallis loss: $\frac d{dp}p(1-p)|f''| = c\,\alpha(\alpha-1)p^{\alpha-2}(\alpha-1-\alpha p)$: one sign change",
        lambda: (
            sp.diff(_growth(TSALLIS), P),
            SCALE * ALPHA * (ALPHA - 1) * P ** (ALPHA - 2) * (ALPHA - 1 - ALPHA * P),
        ),
    ),
    "tsallis-growth-peak": Identity(
        r"at $\frac{\alpha-1}\alpha$ it is $c\,(\alpha-1)^\alpha/\alpha^{\alpha-1}$",
        lambda: (_growth(TSALLIS).subs(P, (ALPHA - 1) / ALPHA), TSALLIS.growth),
    ),
    # ----- prop:bound_breg_div_quadratically
    "squared-curvature": Identity(
        "squared loss: $|f''| = 2$", lambda: (SQUARED.curvature, SQUARED.smoothness)
    ),
    "spherical-curvature": Identity(
        r"spherical loss: $|f''| = r^{-3}$ with $r = \|(p, 1-p)\|_2$",
        lambda: (SPHERICAL.curvature, norm(P) ** -3),
    ),
    "spherical-curvature-slope": Identity(
        r"spherical loss, $r = \|(p, 1-p)\|_2$: $\frac d{dp}|f''| = 3(1-2p)r^{-5}$, "
        r"so it increases up to $p = \frac12$ and then decreases",
        lambda: (sp.diff(SPHERICAL.curvature, P), 3 * (1 - 2 * P) / norm(P) ** 5),
    ),
    "spherical-curvature-peak": Identity(
        r"at $\frac12$ it is $2\sqrt2$", lambda: (SPHERICAL.curvature.subs(P, HALF), SPHERICAL.smoothness)
    ),
    # For alpha < 2 it tends to infinity at 0, so that the loss lies in no class of smooth losses.
    "tsallis-curvature": Identity(
        r"Tsallis loss: $|f''| = c\,\alpha(\alpha-1)p^{\alpha-2}$",
        lambda: (TSALLIS.curvature, SCALE * ALPHA * (ALPHA - 1) * P ** (ALPHA - 2)),
    ),
    "tsallis-curvature-slope": Identity(
        r"Tsallis loss: $\frac d{dp}|f''| = c\,\alpha(\alpha-1)(\alpha-2)p^{\alpha-3} \ge 0$ for $\alpha \ge 2$",
        lambda: (sp.diff(TSALLIS.curvature, P), SCALE * ALPHA * (ALPHA - 1) * (ALPHA - 2) * P ** (ALPHA - 3)),
    ),
    "tsallis-curvature-peak": Identity(
        r"at 1 it is $c\,\alpha(\alpha-1)$", lambda: (TSALLIS.curvature.subs(P, 1), TSALLIS.smoothness)
    ),
    # ----- lem:characterization_proper_loss
    # So the loss of a one runs from 0 to -c, and that of a zero from 0 to c(alpha - 1).
    "tsallis-range-1": Identity(
        r"$\frac\partial{\partial p}\ell(p, 1) = -c\,\alpha(\alpha-1)p^{\alpha-2}(1-p)$: decreasing from 0",
        lambda: (
            sp.diff(TSALLIS.loss.subs(Y, 1), P),
            -SCALE * ALPHA * (ALPHA - 1) * P ** (ALPHA - 2) * (1 - P),
        ),
    ),
    "tsallis-range-1-end": Identity(r"$\ell(1, 1) = -c$", lambda: (TSALLIS.loss.subs({Y: 1, P: 1}), -SCALE)),
    "tsallis-range-0-end": Identity(
        r"$\ell(p, 0) = c\,(\alpha-1)p^\alpha$",
        lambda: (TSALLIS.loss.subs(Y, 0), SCALE * (ALPHA - 1) * P**ALPHA),
    ),
}
