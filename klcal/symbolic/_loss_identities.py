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
            "the mean of l(p, y) over y ~ p is the univariate form: p l(p,1) + (1-p) l(p,0) = f(p)",
            lambda: (_mean(loss, P), loss.entropy),
        ),
        # y l(p,1) + (1-y) l(p,0) is l(p, y) at both outcomes.
        f"{loss.name}-loss": Identity(
            "the loss is rebuilt from its univariate form: l(p, y) = f(p) + f'(p)(y - p)",
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
        "p(1-p)|f''| falls short of 1/2 by a square: 1/2 - 2p(1-p) = (1 - 2p)^2 / 2",
        lambda: (SQUARED.growth - _growth(SQUARED), (1 - 2 * P) ** 2 / 2),
    ),
    "log-growth": Identity("p(1-p)|f''| = 1", lambda: (_growth(LOG), LOG.growth)),
    "spherical-growth-slope": Identity(
        "d/dp p(1-p)|f''| = (1 - 2p)(3 - r^2)/(2 r^5), and r^2 <= 1: increasing up to 1/2, then decreasing",
        lambda: (sp.diff(_growth(SPHERICAL), P), (1 - 2 * P) * (3 - norm(P) ** 2) / (2 * norm(P) ** 5)),
    ),
    "spherical-growth-peak": Identity(
        "p(1-p)|f''| at 1/2 is sqrt(2)/2", lambda: (_growth(SPHERICAL).subs(P, HALF), SPHERICAL.growth)
    ),
    "tsallis-growth-slope": Identity(
        "d/dp p(1-p)|f''| = c alpha (alpha - 1) p^(alpha - 2) (alpha - 1 - alpha p): one sign change",
        lambda: (
            sp.diff(_growth(TSALLIS), P),
            SCALE * ALPHA * (ALPHA - 1) * P ** (ALPHA - 2) * (ALPHA - 1 - ALPHA * P),
        ),
    ),
    "tsallis-growth-peak": Identity(
        "p(1-p)|f''| at (alpha - 1)/alpha is c (alpha - 1)^alpha / alpha^(alpha - 1)",
        lambda: (_growth(TSALLIS).subs(P, (ALPHA - 1) / ALPHA), TSALLIS.growth),
    ),
    # ----- prop:bound_breg_div_quadratically
    "squared-curvature": Identity("|f''| = 2", lambda: (SQUARED.curvature, SQUARED.smoothness)),
    "spherical-curvature": Identity(
        "|f''| = 1/r^3 with r the norm of (p, 1-p)", lambda: (SPHERICAL.curvature, norm(P) ** -3)
    ),
    "spherical-curvature-slope": Identity(
        "d/dp |f''| = 3(1 - 2p)/r^5: increasing up to 1/2, decreasing after it",
        lambda: (sp.diff(SPHERICAL.curvature, P), 3 * (1 - 2 * P) / norm(P) ** 5),
    ),
    "spherical-curvature-peak": Identity(
        "|f''| at 1/2 is 2 sqrt(2)", lambda: (SPHERICAL.curvature.subs(P, HALF), SPHERICAL.smoothness)
    ),
    # For alpha < 2 it tends to infinity at 0, so that the loss lies in no class of smooth losses.
    "tsallis-curvature": Identity(
        "|f''| = c alpha (alpha - 1) p^(alpha - 2)",
        lambda: (TSALLIS.curvature, SCALE * ALPHA * (ALPHA - 1) * P ** (ALPHA - 2)),
    ),
    "tsallis-curvature-slope": Identity(
        "d/dp |f''| = c alpha (alpha - 1)(alpha - 2) p^(alpha - 3): increasing for alpha >= 2",
        lambda: (sp.diff(TSALLIS.curvature, P), SCALE * ALPHA * (ALPHA - 1) * (ALPHA - 2) * P ** (ALPHA - 3)),
    ),
    "tsallis-curvature-peak": Identity(
        "|f''| at 1 is c alpha (alpha - 1)", lambda: (TSALLIS.curvature.subs(P, 1), TSALLIS.smoothness)
    ),
    # ----- lem:characterization_proper_loss
    # So the loss of a one runs from 0 to -c, and that of a zero from 0 to c(alpha - 1).
    "tsallis-range-1": Identity(
        "d/dp l(p, 1) = -c alpha (alpha - 1) p^(alpha - 2) (1 - p): decreasing from 0",
        lambda: (
            sp.diff(TSALLIS.loss.subs(Y, 1), P),
            -SCALE * ALPHA * (ALPHA - 1) * P ** (ALPHA - 2) * (1 - P),
        ),
    ),
    "tsallis-range-1-end": Identity("l(1, 1) = -c", lambda: (TSALLIS.loss.subs({Y: 1, P: 1}), -SCALE)),
    "tsallis-range-0-end": Identity(
        "l(1, 0) = c(alpha - 1), and l(p, 0) is this times p^alpha",
        lambda: (TSALLIS.loss.subs(Y, 0), SCALE * (ALPHA - 1) * P**ALPHA),
    ),
}
