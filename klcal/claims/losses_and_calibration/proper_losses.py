"""Claims of Section 2 about proper losses."""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import partial

import sympy as sp

from klcal.claims._combinators import closed, jointly, vanishing
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.exact.counterexamples import (
    BoundaryLoss,
    smoothed_v,
    spike_loss,
)

CHAPTER = "01_losses_and_calibration"

HALF = Fraction(1, 2)
QUARTERS = tuple(Fraction(k, 4) for k in range(5))


def _smooth_forms(absolute: bool = True) -> Evidence:
    """Count the forms -a p^2 that pass for alpha-smooth and whose divergence exceeds (alpha/2) d^2."""
    wrong = tried = 0
    for a, alpha in itertools.product((Fraction(1, 4), HALF, Fraction(1), Fraction(3)), (0, 1, 2, 6)):
        second = -2 * a
        if (abs(second) if absolute else second) > alpha:
            continue
        for rho, p in itertools.product(QUARTERS, repeat=2):
            # f(p) - f(rho) + f'(p)(rho - p) for f = -a p^2
            divergence = -a * p**2 + a * rho**2 - 2 * a * p * (rho - p)
            wrong += divergence > Fraction(alpha, 2) * (rho - p) ** 2
            tried += 1
    method = "BREG <= (alpha/2)(rho - p)^2 for every form that the definition calls alpha-smooth"
    return Evidence(wrong, 0, "==", method, {"pairs": tried, "absolute value": absolute})


def _one_sided_smoothness_is_void() -> Evidence:
    loss = BoundaryLoss(Fraction(2), Fraction(1))
    return Evidence(
        loss.divergence(1, HALF),
        0,
        ">",
        "the squared loss has f'' = -2 <= 0, so the printed definition calls it 0-smooth",
        counterexample="f(p) = p(1 - p) is 0-smooth as printed, yet BREG(1, 1/2) = 1/4 > 0",
    )


def _lemma_1(sign: int = 1) -> Evidence:
    """Close the algebra of Lemma 1 for arbitrary f and g, then the named losses.

    E_{y~p} l(q, y) = f(q) + g_q (p - q) for l(q, y) = f(q) + g_q (y - q), so "l is proper" says f(p) <= f(q)
    + g_q(p - q) for all p and q: g_q is a supergradient of f at every q, which makes f concave. Conversely
    every loss has this form, with f(p) = p l(p,1) + (1-p) l(p,0) and g_p = l(p,1) - l(p,0).
    """
    p, q, f, g, one, zero = sp.symbols("p q f g l_1 l_0", real=True)

    def rebuilt(form: sp.Expr, slope: sp.Expr, point: sp.Expr, y: sp.Expr) -> sp.Expr:
        return form + sign * slope * (y - point)

    mean = p * rebuilt(f, g, q, 1) + (1 - p) * rebuilt(f, g, q, 0)
    form, slope = p * one + (1 - p) * zero, one - zero
    algebra = [
        mean - (f + g * (p - q)),
        rebuilt(form, slope, p, sp.Integer(1)) - one,
        rebuilt(form, slope, p, sp.Integer(0)) - zero,
    ]
    named = ("squared", "log", "spherical", "tsallis")
    return jointly(
        vanishing("both directions of the lemma as identities in undetermined f, g, l(p,0), l(p,1)", algebra),
        closed(*(f"{name}-{part}" for name in named for part in ("univariate", "loss", "slope"))),
    )


def _concave_forms_have_no_subgradient() -> Evidence:
    loss = BoundaryLoss(Fraction(2), Fraction(1))
    return Evidence(
        loss.entropy(0) + loss.entropy(1),
        2 * loss.entropy(HALF),
        "<",
        "a subgradient at 1/2 would need f(0) + f(1) >= 2 f(1/2)",
        counterexample="the squared loss is proper, but its form p(1 - p) has no subgradient at 1/2",
    )


def _named_losses(factor: Fraction | int = 1) -> Evidence:
    """Close loss and univariate form of the three named losses, and their curvatures, which are positive."""
    names = ("squared", "log", "spherical")
    return jointly(
        closed(*(f"{name}-{part}" for name in names for part in ("univariate", "loss"))),
        closed("squared-curvature", "log-growth", "spherical-curvature", factor=factor),
    )


def _lemma_2(factor: Fraction | int = 1) -> Evidence:
    """Close Lemma 2 for an undefined u, and for Tsallis 3/2 from p = 0, where its hypothesis fails."""
    mu, rho = sp.symbols("mu rho", positive=True)
    beyond = sp.integrate(sp.Rational(3, 4) / sp.sqrt(mu) * (rho - mu), (mu, 0, rho)) - rho ** sp.Rational(
        3, 2
    )
    return jointly(
        closed("bregman-integral", "tsallis-1.5-integral", factor=factor),
        closed("bregman-slope", "bregman-integral-slope", "bregman-at-rho"),
        vanishing("the integral from p = 0 for u = -p^(3/2), whose u'' does not exist there", [beyond]),
    )


def _slopes_within(constant: Fraction = Fraction(2)) -> Evidence:
    """Compare |g_p| = |l(p,1) - l(p,0)| with `constant`; the range [-1, 1] of the loss allows 2."""
    points = [Fraction(k, 32) for k in range(1, 33)]
    steepest = max(
        abs(loss(p, 1) - loss(p, 0)) for loss in (smoothed_v(Fraction(1, 8)), spike_loss()) for p in points
    )
    return jointly(
        Evidence(
            steepest,
            constant,
            "<=",
            "largest |l(p,1) - l(p,0)| of losses in [-1, 1], attained by V-shaped ones",
        ),
        closed("outcome-gap"),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="sec2:smooth",
        number="Section 2, notation",
        title="what smooth means",
        kind="exact",
        chapter=CHAPTER,
        statement="f is alpha-smooth if f'' <= alpha.",
        check=_smooth_forms,
        spoil=(partial(_smooth_forms, absolute=False),),
        refute=_one_sided_smoothness_is_void,
        severity="misprint",
        repair="f is alpha-smooth if |f''| <= alpha; without the absolute value every concave f is 0-smooth.",
        rows=(8,),
    ),
    Claim(
        label="lem:characterization_proper_loss",
        number="Lemma 1",
        title="proper losses are concave forms",
        kind="symbolic",
        chapter=CHAPTER,
        statement=(
            "l is proper exactly if l(p, y) = f(p) + g_p (y - p) with f concave and g_p a subgradient of f "
            "at p."
        ),
        check=_lemma_1,
        spoil=(partial(_lemma_1, sign=-1),),
        refute=_concave_forms_have_no_subgradient,
        severity="misprint",
        repair=(
            "g_p is a supergradient of f at p: f(x) <= f(p) + g_p (x - p). For the log loss read [-inf, "
            "inf] at p = 0, 1."
        ),
        rows=(9,),
    ),
    Claim(
        label="sec2:named_losses",
        number="Section 2",
        title="squared, log and spherical loss are proper",
        kind="symbolic",
        chapter=CHAPTER,
        statement=(
            "The squared, log and spherical loss have concave forms p(1-p), entropy and -|(p, 1-p)|, and "
            "are rebuilt from them."
        ),
        uses=("lem:characterization_proper_loss",),
        check=_named_losses,
        spoil=(partial(_named_losses, factor=Fraction(99, 100)),),
        rows=(10,),
    ),
    Claim(
        label="lem:relate_breg_vbreg",
        number="Lemma 2",
        title="the divergence as an integral",
        kind="symbolic",
        chapter=CHAPTER,
        statement=(
            "BREG(rho, p) is the integral of |u''(mu)| (rho - mu) from p to rho; true also from an end "
            "where u'' is infinite but integrable."
        ),
        check=_lemma_2,
        spoil=(partial(_lemma_2, factor=Fraction(99, 100)),),
        rows=(11,),
    ),
    Claim(
        label="sec3:bounded_losses",
        number="Section 3.1",
        title="bounded losses have Lipschitz forms",
        kind="exact",
        chapter=CHAPTER,
        statement=(
            "A proper loss in [-1, 1] has a concave form in [-1, 1] that is Lipschitz with constant 2, and "
            "2 is attained."
        ),
        uses=("lem:characterization_proper_loss",),
        check=_slopes_within,
        spoil=(partial(_slopes_within, constant=Fraction(199, 100)),),
        rows=(18,),
    ),
)
