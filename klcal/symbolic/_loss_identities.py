"""Sections 2 and 3.1: loss, univariate form, divergence and constants of each named loss."""

from __future__ import annotations

from functools import partial

import sympy as sp

from klcal.symbolic._losses import SYMBOLIC_LOSSES, SymbolicLoss, bregman, norm, tsallis
from klcal.symbolic._symbols import ALPHA, HALF, MU, RHO, SCALE, P, V, Y
from klcal.symbolic._table import Draft, Drafts, Table

_LEMMA_1 = "lem:characterization_proper_loss"
_LEMMA_2 = "lem:relate_breg_vbreg"
_PROP_1 = "prop:swap_reg_breg_div"
_GROWTH = "lem:hessian_growth"
_SMOOTH = "prop:bound_breg_div_quadratically"

_GENERIC: Table[SymbolicLoss] = Table([("tsallis", lambda: tsallis(ALPHA, SCALE, "tsallis"))])


def _named(name: str) -> SymbolicLoss:
    return _GENERIC[name] if name in _GENERIC else SYMBOLIC_LOSSES[name]


def _at(name: str, outcome: int) -> sp.Expr:
    return _named(name).loss.subs(Y, outcome)


def _rebuilt(loss: SymbolicLoss) -> sp.Expr:
    return loss.entropy + sp.diff(loss.entropy, P) * (Y - P)


def _lemma_2(loss: SymbolicLoss) -> sp.Expr:
    return sp.Integral(loss.curvature.subs(P, MU) * (RHO - MU), (MU, P, RHO))


def _primitive(loss: SymbolicLoss) -> sp.Expr:
    return -loss.slope.subs(P, MU) * (RHO - MU) - loss.entropy.subs(P, MU)


def _drafts_of(name: str) -> Drafts:
    """Return what holds for every smooth proper loss, for the loss called `name`."""
    return {
        _LEMMA_1: {
            f"{name}-univariate": Draft(
                "the mean of l(p, y) over y ~ p is the univariate form: p l(p,1) + (1-p) l(p,0) = f(p)",
                lambda: (P * _at(name, 1) + (1 - P) * _at(name, 0), _named(name).entropy),
            ),
            f"{name}-loss": Draft(
                "the loss is rebuilt from its univariate form: l(p, y) = f(p) + f'(p)(y - p)",
                lambda: (Y * _at(name, 1) + (1 - Y) * _at(name, 0), _rebuilt(_named(name))),
                "y l(p,1) + (1-y) l(p,0) is l(p, y) at both outcomes",
            ),
            f"{name}-slope": Draft(
                "the slope of the univariate form is the difference of the two losses: f'(p) = l(p,1) - l(p,0)",
                lambda: (_named(name).slope, _at(name, 1) - _at(name, 0)),
            ),
        },
        _PROP_1: {
            f"{name}-divergence": Draft(
                "the Bregman divergence f(p) + f'(p)(rho - p) - f(rho) in closed form",
                lambda: (bregman(_named(name).entropy), _named(name).divergence),
            ),
        },
        _LEMMA_2: {
            f"{name}-integral": Draft(
                "the integral of |f''(mu)| (rho - mu) from p to rho is the Bregman divergence",
                lambda: (_lemma_2(_named(name)), _named(name).divergence),
                "certified by its primitive -f'(mu)(rho - mu) - f(mu)",
                primitive=lambda: _primitive(_named(name)),
            ),
        },
    }


def _growth(name: str) -> sp.Expr:
    return P * (1 - P) * _named(name).curvature


def _v_side(p_above: bool, rho_above: bool) -> tuple[sp.Expr, sp.Expr]:
    """Return the divergence of -|x - v| with the sides given, from the definition and in closed form."""
    p_side, rho_side = (1 if above else -1 for above in (p_above, rho_above))
    at_p, at_rho = -p_side * (P - V), -rho_side * (RHO - V)
    distance = rho_side * (RHO - V)
    return at_p - p_side * (RHO - P) - at_rho, 2 * distance if p_above != rho_above else sp.Integer(0)


def _v_drafts(p_above: bool, rho_above: bool) -> Drafts:
    p_place, rho_place = ("above" if above else "below" for above in (p_above, rho_above))
    value = "2|rho - v|" if p_above != rho_above else "0"
    draft = Draft(
        f"f(x) = -|x - v| with p {p_place} v and rho {rho_place} v: the divergence is {value}",
        partial(_v_side, p_above, rho_above),
        "|x - v| is written without its sign for the side that x is on",
    )
    return {_PROP_1: {f"v-shaped-{p_place}-{rho_place}": draft}}


_SUPREMA: Drafts = {
    _GROWTH: {
        "squared-growth": Draft(
            "p(1-p)|f''| falls short of 1/2 by a square: 1/2 - 2p(1-p) = (1 - 2p)^2 / 2",
            lambda: (_named("squared").growth - _growth("squared"), (1 - 2 * P) ** 2 / 2),
        ),
        "log-growth": Draft("p(1-p)|f''| = 1", lambda: (_growth("log"), _named("log").growth)),
        "spherical-growth-slope": Draft(
            "d/dp p(1-p)|f''| = (1 - 2p)(3 - r^2)/(2 r^5), and r^2 <= 1: increasing up to 1/2, then decreasing",
            lambda: (sp.diff(_growth("spherical"), P), (1 - 2 * P) * (3 - norm(P) ** 2) / (2 * norm(P) ** 5)),
        ),
        "spherical-growth-peak": Draft(
            "p(1-p)|f''| at 1/2 is sqrt(2)/2",
            lambda: (_growth("spherical").subs(P, HALF), _named("spherical").growth),
        ),
        "tsallis-growth-slope": Draft(
            "d/dp p(1-p)|f''| = c alpha (alpha - 1) p^(alpha - 2) (alpha - 1 - alpha p): one sign change",
            lambda: (
                sp.diff(_growth("tsallis"), P),
                SCALE * ALPHA * (ALPHA - 1) * P ** (ALPHA - 2) * (ALPHA - 1 - ALPHA * P),
            ),
        ),
        "tsallis-growth-peak": Draft(
            "p(1-p)|f''| at (alpha - 1)/alpha is c (alpha - 1)^alpha / alpha^(alpha - 1)",
            lambda: (_growth("tsallis").subs(P, (ALPHA - 1) / ALPHA), _named("tsallis").growth),
        ),
    },
    _SMOOTH: {
        "squared-curvature": Draft(
            "|f''| = 2", lambda: (_named("squared").curvature, _named("squared").smoothness)
        ),
        "spherical-curvature": Draft(
            "|f''| = 1/r^3 with r the norm of (p, 1-p)",
            lambda: (_named("spherical").curvature, norm(P) ** -3),
        ),
        "spherical-curvature-slope": Draft(
            "d/dp |f''| = 3(1 - 2p)/r^5: increasing up to 1/2, decreasing after it",
            lambda: (sp.diff(_named("spherical").curvature, P), 3 * (1 - 2 * P) / norm(P) ** 5),
        ),
        "spherical-curvature-peak": Draft(
            "|f''| at 1/2 is 2 sqrt(2)",
            lambda: (_named("spherical").curvature.subs(P, HALF), _named("spherical").smoothness),
        ),
        "tsallis-curvature": Draft(
            "|f''| = c alpha (alpha - 1) p^(alpha - 2)",
            lambda: (_named("tsallis").curvature, SCALE * ALPHA * (ALPHA - 1) * P ** (ALPHA - 2)),
            "for alpha < 2 it tends to infinity at 0, so that the loss lies in no class of smooth losses",
        ),
        "tsallis-curvature-slope": Draft(
            "d/dp |f''| = c alpha (alpha - 1)(alpha - 2) p^(alpha - 3): increasing for alpha >= 2",
            lambda: (
                sp.diff(_named("tsallis").curvature, P),
                SCALE * ALPHA * (ALPHA - 1) * (ALPHA - 2) * P ** (ALPHA - 3),
            ),
        ),
        "tsallis-curvature-peak": Draft(
            "|f''| at 1 is c alpha (alpha - 1)",
            lambda: (_named("tsallis").curvature.subs(P, 1), _named("tsallis").smoothness),
        ),
    },
    _PROP_1: {
        "spherical-divergence-square": Draft(
            "the divergence as (rho - p)^2 over a positive number: it never cancels",
            lambda: (
                _named("spherical").divergence,
                (RHO - P) ** 2 / (norm(P) * (norm(RHO) * norm(P) + RHO * P + (1 - RHO) * (1 - P))),
            ),
        ),
    },
    _LEMMA_1: {
        "tsallis-range-1": Draft(
            "d/dp l(p, 1) = -c alpha (alpha - 1) p^(alpha - 2) (1 - p): decreasing from 0",
            lambda: (
                sp.diff(_named("tsallis").loss.subs(Y, 1), P),
                -SCALE * ALPHA * (ALPHA - 1) * P ** (ALPHA - 2) * (1 - P),
            ),
            "so the loss of a one runs from 0 to -c, and that of a zero from 0 to c(alpha - 1)",
        ),
        "tsallis-range-1-end": Draft(
            "l(1, 1) = -c", lambda: (_named("tsallis").loss.subs({Y: 1, P: 1}), -SCALE)
        ),
        "tsallis-range-0-end": Draft(
            "l(1, 0) = c(alpha - 1), and l(p, 0) is this times p^alpha",
            lambda: (_named("tsallis").loss.subs(Y, 0), SCALE * (ALPHA - 1) * P**ALPHA),
        ),
    },
}

_SMOOTH_LOSSES = ("squared", "log", "spherical", "tsallis-1.5", "tsallis-2", "tsallis-3", "tsallis")
DRAFTS: tuple[Drafts, ...] = (
    *(_drafts_of(name) for name in _SMOOTH_LOSSES),
    *(_v_drafts(p_above, rho_above) for p_above in (False, True) for rho_above in (False, True)),
    _SUPREMA,
)
