"""The named losses as sympy expressions: the twins of ``klcal.losses``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import sympy as sp

from klcal.symbolic._symbols import HALF, RHO, P, Y


@dataclass(frozen=True)
class SymbolicLoss:
    """A proper loss as sympy expressions in the letters p, y and rho.

    Parameters
    ----------
    name : str
        The name of its twin in ``klcal.LOSSES``.
    loss : sympy expression in p, y
        The loss of forecasting p when the outcome is y in {0, 1}.
    entropy, slope : sympy expression in p
        The univariate form and its derivative; at a kink the middle supergradient.
    divergence : sympy expression in rho, p
        The Bregman divergence of the negative univariate form, in closed form.
    growth, smoothness : sympy expression
        The suprema over (0, 1) of :math:`p(1-p)|f''(p)|` and of :math:`|f''(p)|`; infinite where there is a kink.

    Examples
    --------
    >>> squared = SYMBOLIC_LOSSES["squared"]
    >>> squared.entropy, squared.divergence, squared.growth
    (p*(1 - p), (-p + rho)**2, 1/2)
    >>> SYMBOLIC_LOSSES["log"].loss.subs(squared.y, 1)
    -log(p)
    """

    name: str
    loss: sp.Expr
    entropy: sp.Expr
    slope: sp.Expr
    divergence: sp.Expr
    growth: sp.Expr
    smoothness: sp.Expr
    p: sp.Symbol = P
    y: sp.Symbol = Y
    rho: sp.Symbol = RHO

    @property
    def curvature(self) -> sp.Expr:
        """The absolute second derivative of the concave univariate form, -f''(p)."""
        return -sp.diff(self.entropy, P, 2)


def norm(p: sp.Expr) -> sp.Expr:
    """Return the Euclidean norm of (p, 1 - p)."""
    return sp.sqrt(p**2 + (1 - p) ** 2)


def kl(rho: sp.Expr, p: sp.Expr) -> sp.Expr:
    """Return KL(rho, p) between two Bernoulli distributions."""
    return rho * sp.log(rho / p) + (1 - rho) * sp.log((1 - rho) / (1 - p))


def log_loss(p: sp.Expr, y: sp.Expr) -> sp.Expr:
    """Return the log loss of forecast `p` at outcome `y`."""
    return -y * sp.log(p) - (1 - y) * sp.log(1 - p)


def bregman(form: sp.Expr) -> sp.Expr:
    """Return f(p) + f'(p)(rho - p) - f(rho) for a univariate form written in p."""
    return form + sp.diff(form, P) * (RHO - P) - form.subs(P, RHO)


def tsallis(alpha: sp.Expr, scale: sp.Expr, name: str) -> SymbolicLoss:
    """Return the Tsallis loss with univariate form -c p^alpha."""
    return SymbolicLoss(
        name,
        loss=scale * (alpha - 1) * P**alpha - alpha * scale * P ** (alpha - 1) * Y,
        entropy=-scale * P**alpha,
        slope=-scale * alpha * P ** (alpha - 1),
        divergence=scale * (RHO**alpha + (alpha - 1) * P**alpha - alpha * P ** (alpha - 1) * RHO),
        growth=scale * (alpha - 1) ** alpha / alpha ** (alpha - 1),
        smoothness=sp.oo if alpha.is_number and alpha < 2 else scale * alpha * (alpha - 1),
    )


def v_shaped(kink: sp.Expr, name: str) -> SymbolicLoss:
    """Return the loss with one kink, as large as [-1, 1] allows."""
    height = 1 / sp.Max(kink, 1 - kink)
    side = sp.sign(P - kink)
    return SymbolicLoss(
        name,
        loss=height * side * (kink - Y),
        entropy=-height * sp.Abs(P - kink),
        slope=-height * side,
        divergence=height * (sp.Abs(RHO - kink) - side * (RHO - kink)),
        growth=sp.oo,
        smoothness=sp.oo,
    )


SQUARED = SymbolicLoss(
    "squared",
    loss=(P - Y) ** 2,
    entropy=P * (1 - P),
    slope=1 - 2 * P,
    divergence=(RHO - P) ** 2,
    growth=HALF,
    smoothness=sp.Integer(2),
)
LOG = SymbolicLoss(
    "log",
    loss=log_loss(P, Y),
    entropy=-P * sp.log(P) - (1 - P) * sp.log(1 - P),
    slope=sp.log((1 - P) / P),
    divergence=kl(RHO, P),
    growth=sp.Integer(1),
    smoothness=sp.oo,
)
SPHERICAL = SymbolicLoss(
    "spherical",
    loss=-(P * Y + (1 - P) * (1 - Y)) / norm(P),
    entropy=-norm(P),
    slope=(1 - 2 * P) / norm(P),
    divergence=norm(RHO) - (RHO * P + (1 - RHO) * (1 - P)) / norm(P),
    growth=sp.sqrt(2) / 2,
    smoothness=2 * sp.sqrt(2),
)
#: The losses of `klcal.LOSSES`, under the same names.
SYMBOLIC_LOSSES: Mapping[str, SymbolicLoss] = MappingProxyType(
    {
        loss.name: loss
        for loss in (
            SQUARED,
            LOG,
            SPHERICAL,
            tsallis(sp.Rational(3, 2), sp.Integer(1), "tsallis-1.5"),
            tsallis(sp.Integer(2), sp.Integer(1), "tsallis-2"),
            tsallis(sp.Integer(3), HALF, "tsallis-3"),
            v_shaped(sp.Rational(1, 4), "v-0.25"),
            v_shaped(HALF, "v-0.5"),
        )
    }
)
