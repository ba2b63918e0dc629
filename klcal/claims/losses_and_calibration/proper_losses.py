"""Claims of Section 2 about proper losses."""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

from klcal.claims._combinators import above, closed, jointly, none_of, vanishing, worst
from klcal.claims._evidence import Evidence, cases, step
from klcal.claims._ledger import Chapter
from klcal.exact.counterexamples import BoundaryLoss, smoothed_v, spike_loss

chapter = Chapter("01_losses_and_calibration")

HALF = Fraction(1, 2)
QUARTERS = tuple(Fraction(k, 4) for k in range(5))


@chapter.claim(
    "sec2:smooth",
    "Section 2, notation",
    "what smooth means",
    kind="exact",
    scope=cases("the forms -a p^2, a = 1/4, 1/2, 1, 3, alpha = 0, 1, 2, 6, all pairs of quarters"),
    controls={"the absolute value dropped": {"absolute": False}},
    repair=r"$f$ is $\alpha$-smooth if $|f''| \le \alpha$; without the absolute value every concave $f$ is 0-smooth.",
    severity="misprint",
    proof="Chapter 2",
    rows=(8,),
)
def smooth_forms(absolute: bool = True) -> Evidence:
    r"""$f$ is $\alpha$-smooth if $f'' \le \alpha$."""
    forms = itertools.product((Fraction(1, 4), HALF, Fraction(1), Fraction(3)), (0, 1, 2, 6))
    called_smooth = [(a, alpha) for a, alpha in forms if (2 * a if absolute else -2 * a) <= alpha]

    def exceeds(case: tuple[tuple[Fraction, int], Fraction, Fraction]) -> bool:
        (a, alpha), rho, p = case
        divergence = -a * p**2 + a * rho**2 - 2 * a * p * (rho - p)  # f(p) - f(rho) + f'(p)(rho - p)
        return divergence > Fraction(alpha, 2) * (rho - p) ** 2

    return none_of(
        r"$\mathrm{BREG} > \frac\alpha2(\rho-p)^2$ for a form that the definition calls $\alpha$-smooth",
        itertools.product(called_smooth, QUARTERS, QUARTERS),
        exceeds,
    )


@chapter.refutation("sec2:smooth", kind="exact", controls={"a linear form": {"curvature": Fraction(0)}})
def one_sided_smoothness_is_void(curvature: Fraction = Fraction(2)) -> Evidence:
    """The printed definition calls the squared loss 0-smooth."""
    loss = BoundaryLoss(curvature, curvature / 2)
    return above(
        loss.divergence(1, HALF),
        0,
        "the squared loss has $f'' = -2 \\le 0$, so the printed definition calls it 0-smooth",
    ).against(r"$f(p) = p(1-p)$ is 0-smooth as printed, yet $\mathrm{BREG}(1, \frac12) = \frac14 > 0$")


@chapter.claim(
    "lem:characterization_proper_loss",
    "Lemma 1",
    "proper losses are concave forms",
    kind="symbolic",
    scope=step("the algebra of both directions"),
    controls={"0.99 of the slope": {"share": Fraction(99, 100)}},
    proof="cited by the paper (Savage; Gneiting and Raftery); Chapter 1",
    rows=(9,),
)
def both_directions(share: Fraction | int = 1) -> Evidence:
    r"""$\ell : [0,1]\times\{0,1\} \to \mathbb R$ is proper exactly if $\ell(p, y) = f(p) + g_p(y - p)$ with $f$ concave
    and $g_p$ a supergradient of $f$ at $p$ (the paper says subgradient, a common convention for concave functions).

    E_{y~p} l(q, y) = f(q) + g_q (p - q) for l(q, y) = f(q) + g_q (y - q), so "l is proper" says f(p) <= f(q) +
    g_q(p - q) for all p and q: g_q is a supergradient of f at every q, which makes f concave. Conversely every loss
    has this form, with f(p) = p l(p,1) + (1-p) l(p,0) and g_p = l(p,1) - l(p,0).
    """
    p, q, f, g, one, zero = sp.symbols("p q f g l_1 l_0", real=True)

    def rebuilt(form: sp.Expr, slope: sp.Expr, point: sp.Expr, y: sp.Expr) -> sp.Expr:
        return form + sp.Rational(share) * slope * (y - point)

    mean = p * rebuilt(f, g, q, 1) + (1 - p) * rebuilt(f, g, q, 0)
    form, slope = p * one + (1 - p) * zero, one - zero
    algebra = [
        mean - (f + g * (p - q)),
        rebuilt(form, slope, p, sp.Integer(1)) - one,
        rebuilt(form, slope, p, sp.Integer(0)) - zero,
    ]
    return vanishing(
        "both directions as identities in undetermined $f$, $g$, $\\ell(p,0)$, $\\ell(p,1)$", algebra
    )


@chapter.claim(
    "sec2:named_losses",
    "Section 2",
    "squared, log and spherical loss are proper",
    kind="symbolic",
    controls={"0.99 of the curvature": {"factor": Fraction(99, 100)}},
    uses=("lem:characterization_proper_loss",),
    rows=(10,),
)
def named_losses(factor: Fraction | int = 1) -> Evidence:
    r"""The squared, log and spherical loss have the concave forms $p(1-p)$, the entropy and $-\|(p, 1-p)\|_2$, and are
    rebuilt from them.
    """
    return jointly(
        closed(
            *(
                f"{name}-{part}"
                for name in ("squared", "log", "spherical")
                for part in ("univariate", "loss", "slope")
            )
        ),
        closed("squared-curvature", "log-growth", "spherical-curvature", factor=factor),
    )


@chapter.claim(
    "lem:relate_breg_vbreg",
    "Lemma 2",
    "the divergence as an integral",
    kind="symbolic",
    scope=step("the fundamental theorem of calculus"),
    controls={"0.99 of the integral": {"factor": Fraction(99, 100)}},
    proof="Chapter 1, which generalises the paper's",
    rows=(11,),
)
def divergence_as_integral(factor: Fraction | int = 1) -> Evidence:
    r"""Let $u$ be concave on $[0,1]$, continuous at $\rho$, and twice continuously differentiable in $(0,1)$. Then
    $\mathrm{BREG}(\rho, p) = \int_p^\rho |u''(\mu)|(\rho - \mu)\,d\mu$ for $p \in (0, 1)$; true also from an end $p$ at
    which $u$ is continuous and has a finite slope, though $u''$ may be infinite there.
    """
    mu, rho = sp.symbols("mu rho", positive=True)
    root = sp.Rational(3, 2)
    beyond = sp.integrate(sp.Rational(3, 4) / sp.sqrt(mu) * (rho - mu), (mu, 0, rho)) - rho**root
    return jointly(
        closed("bregman-integral", "tsallis-1.5-integral", factor=factor),
        closed("bregman-slope", "bregman-integral-slope", "bregman-at-rho"),
        vanishing(r"the integral from $p = 0$ for $u = -p^{3/2}$, whose $u''$ is infinite there", [beyond]),
    )


@chapter.evidence(
    "lem:relate_breg_vbreg",
    kind="exact",
    scope=cases("u = 0 on (0, 1] with u(0) = 0 or -1, at rho = 0"),
    controls={"continuity at rho dropped": {"jump": Fraction(1)}},
)
def continuity_is_needed(jump: Fraction = Fraction(0)) -> Evidence:
    """With a jump at rho the divergence is the jump, the integral 0."""
    divergence = Fraction(0) - (
        -jump
    )  # u(p) - u(rho) + u'(p)(rho - p) with u(p) = u'(p) = 0 and u(rho) = -jump
    return worst(
        "the divergence of $u = 0$ on $(0, 1]$ at $\\rho = 0$ beyond its integral, which is 0",
        [divergence],
        abs,
        0,
    )


@chapter.claim(
    "sec3:bounded_losses",
    "Section 3.1",
    "bounded losses have Lipschitz forms",
    kind="symbolic",
    scope=step("the slope is a difference of two losses"),
    controls={"0.995 of the gap": {"factor": Fraction(199, 200)}},
    steps=("the slope is a difference of two losses", "lem:characterization_proper_loss"),
    rows=(18,),
)
def slope_is_a_difference(factor: Fraction | int = 1) -> Evidence:
    r"""A proper loss in $[-1, 1]$ has a concave form in $[-1, 1]$ that is Lipschitz with constant 2; this is
    attained.
    """
    return closed("outcome-gap", factor=factor)


@chapter.evidence(
    "sec3:bounded_losses",
    kind="exact",
    scope=cases("a smoothed V and the loss with spikes, at thirty-seconds"),
    controls={"0.995 of the constant": {"constant": Fraction(199, 100)}},
)
def slopes_within(constant: Fraction = Fraction(2)) -> Evidence:
    """The largest slope of two losses in [-1, 1]."""
    games = itertools.product(
        (smoothed_v(Fraction(1, 8)), spike_loss()), (Fraction(k, 32) for k in range(1, 33))
    )
    return worst(
        r"largest $|\ell(p,1) - \ell(p,0)|$",
        games,
        lambda at: abs(at[0](at[1], 1) - at[0](at[1], 0)),
        constant,
    )
