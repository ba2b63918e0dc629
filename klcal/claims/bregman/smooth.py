"""Claims on Proposition 3: losses with a smooth univariate form and l_2-calibration."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from functools import partial

import sympy as sp

from klcal import bounds, measures
from klcal.claims._ledger import Claim, Evidence
from klcal.claims._parts import closed, jointly, rational
from klcal.claims.bregman._common import CHAPTER, HALF
from klcal.claims.losses_and_calibration.calibration import as_cells, realised_cells
from klcal.exact.counterexamples import BoundaryLoss, smoothed_v
from klcal.losses import LOSSES
from klcal.symbolic import SYMBOLIC_LOSSES

_SIXTEENTHS = tuple(Fraction(k, 16) for k in range(17))
_PAIRS = tuple((rho, p) for rho, p in itertools.product(_SIXTEENTHS, repeat=2) if rho != p)


def _members(alpha: Fraction = Fraction(3, 2)) -> Evidence:
    """Close the largest curvatures of the members, and let sympy take that of Tsallis `alpha` to p = 0."""
    p, exponent = sp.Symbol("p", positive=True), sp.Rational(alpha)
    at_zero = sp.limit(exponent * (exponent - 1) * p ** (exponent - 2), p, 0, "+")
    diverges = Evidence(int(at_zero == sp.oo), 1, "==", f"the curvature of Tsallis {alpha} is infinite at 0")
    return jointly(
        diverges,
        closed("squared-curvature", "spherical-curvature-slope", "spherical-curvature-peak"),
        closed("tsallis-curvature", "tsallis-curvature-slope", "tsallis-curvature-peak"),
    )


def _steepest(slope_at_zero: Fraction) -> Fraction:
    """Return the largest BREG / (G (rho - p)^2) of smooth losses, ends included, in fractions."""
    quadratic, bump = BoundaryLoss(Fraction(1), slope_at_zero), smoothed_v(Fraction(1, 4))
    ratios = [quadratic.divergence(rho, p) / (rho - p) ** 2 for rho, p in _PAIRS]
    ratios += [bump.divergence(rho, p) / (16 * (rho - p) ** 2) for rho, p in _PAIRS]
    return max(ratios)


def _quadratic(constant: Fraction = Fraction(1), slope_at_zero: Fraction = HALF) -> Evidence:
    """Compare the largest BREG / (G (rho - p)^2) with `constant`.

    d/dp ((G/2)(rho - p)^2 - BREG) = -(rho - p)(G - |u''(p)|), so |u''| <= G gives BREG <= (G/2)(rho - p)^2
    for p in (0, 1), and at the ends for the one-sided derivative; a larger `slope_at_zero` breaks it.
    """
    steepest = _steepest(slope_at_zero)
    return jointly(
        Evidence(
            steepest, constant, "<=", "largest BREG / (G (rho - p)^2), exact losses, all pairs of sixteenths"
        ),
        closed("smooth-suffices", "smooth-integral"),
        Evidence(
            Fraction(bounds.proposition_3(1, 1.0, version="paper")), 1, "==", "bounds.proposition_3, paper: G"
        ),
        Evidence(
            steepest, Fraction(bounds.proposition_3(1, 1.0)), "==", "bounds.proposition_3, sharpened: G/2"
        ),
    )


def _noncanonical() -> Evidence:
    loss, p = BoundaryLoss(Fraction(1), Fraction(1)), Fraction(1, 10)
    return Evidence(
        loss.divergence(p, Fraction(0)),
        loss.smoothness * p**2,
        ">",
        "BREG(1/10, 0) against G (1/10)^2 with the supergradient 1 at 0, in fractions",
        counterexample=(
            "f(p) = p(1-p)/2 (G = 1) with supergradient 1 instead of 1/2 at p = 0: proper, in [0, 1], and"
            " BREG(1/10, 0) = 11/200 > 1/100"
        ),
    )


def _regret_from_kl(constant: Fraction = Fraction(1)) -> Evidence:
    """Compare the largest (G/2)(rho - p)^2 / (G KL) with `constant`: a limit at p = 1/2."""
    d, log = sp.Symbol("d", positive=True), SYMBOLIC_LOSSES["log"]
    kl = log.divergence.subs({log.rho: sp.Rational(1, 2) + d, log.p: sp.Rational(1, 2)})
    supremum = HALF * rational(sp.limit(d**2 / kl, d, 0, "+"))
    return jointly(
        Evidence(
            supremum, constant, "<=", "supremum of BREG / (G KL) over L_G, a limit at p = 1/2 taken by sympy"
        ),
        closed("smooth-suffices", "pinsker-slope"),
        Evidence(
            bounds.proposition_3_from_kl(1, 1.0, version="paper"),
            1,
            "==",
            "bounds.proposition_3_from_kl, paper",
        ),
        Evidence(
            bounds.proposition_3_from_kl(1, 1.0), supremum, "==", "bounds.proposition_3_from_kl, sharpened"
        ),
    )


def _smooth_integral(factor: Fraction | int = 1) -> Evidence:
    return closed("smooth-integral", "smooth-integral-middle", factor=factor)


def _maximum_is_attained(G: Fraction = Fraction(4)) -> Evidence:
    """Compare the range of (G/2)(p - y)^2 - 1 with [-1, 1], and its regret with klcal.max_swap_regret.

    This loss has |f''| = G and regret (G/2) Cal_2, which Proposition 3 does not allow to be exceeded; it fits
    into [-1, 1] exactly if G/2 <= 2.
    """
    loss = BoundaryLoss(G, G / 2)
    largest = max(abs(loss(p, y) - 1) for p in _SIXTEENTHS for y in (0, 1))
    drift = excess = 0.0
    for exact in realised_cells((Fraction(1, 8), Fraction(1, 4), HALF), 2):
        cells = as_cells(exact)
        regret = float(exact.swap_regret(loss.divergence))
        drift = max(drift, abs(measures.max_swap_regret(cells, smoothness=float(G)) - regret))
        excess = max(excess, measures.max_swap_regret(cells, smoothness=2 * float(G)) - 2 * regret)
    return jointly(
        Evidence(largest, 1, "<=", "largest |l| of l = (G/2)(p - y)^2 - 1, in fractions", {"G": str(G)}),
        Evidence(drift, 1e-14, "<=", "klcal.max_swap_regret over L_G is (G/2) Cal_2"),
        Evidence(excess, 1e-14, "<=", "and at most that for twice the G"),
    )


def _quadratic_constants(factor: float = 1.0) -> Evidence:
    """Compare loss.quadratic_constant with half the largest curvature."""
    worst = 0.0
    for name in ("squared", "log", "spherical", "tsallis-1.5", "tsallis-2", "tsallis-3"):
        exact, constant = (
            float(SYMBOLIC_LOSSES[name].smoothness) / 2,
            factor * LOSSES[name].quadratic_constant,
        )
        worst = max(worst, 0.0 if exact == constant == math.inf else abs(constant / exact - 1))
    peaks = ("squared-curvature", "spherical-curvature-slope", "spherical-curvature-peak")
    return jointly(
        Evidence(worst, 4e-16, "<=", "loss.quadratic_constant against half of the exact supremum of |f''|"),
        closed(*peaks, "tsallis-curvature-slope", "tsallis-curvature-peak"),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="sec3:smooth_members",
        number="Section 3.2",
        title="who is in L_G",
        kind="symbolic",
        chapter=CHAPTER,
        statement=(
            "|l''| is 2 for the squared loss, at most 2 sqrt(2) for the spherical loss, at most c alpha"
            " (alpha-1) for"
            " Tsallis with alpha >= 2, and unbounded at 0 for alpha < 2."
        ),
        check=_members,
        spoil=(partial(_members, alpha=Fraction(5, 2)),),
        rows=(27,),
    ),
    Claim(
        label="prop:bound_breg_div_quadratically",
        number="Proposition 3",
        title="smooth losses have quadratic divergences",
        kind="symbolic",
        chapter=CHAPTER,
        statement="BREG(rho, p) <= G (rho - p)^2 for every l in L_G, hence Msr over L_G <= G Cal_2.",
        uses=("lem:relate_breg_vbreg", "prop:swap_reg_breg_div"),
        check=_quadratic,
        spoil=(partial(_quadratic, slope_at_zero=Fraction(2)),),
        refute=_noncanonical,
        severity="statement",
        repair=(
            "True for p in (0, 1), and at p = 0, 1 if the loss uses the one-sided derivative of its form "
            "there."
        ),
        rows=(28, 29),
    ),
    Claim(
        label="prop:bound_breg_div_quadratically/sharp",
        number="Proposition 3, constant",
        title="half the constant suffices",
        kind="symbolic",
        chapter=CHAPTER,
        statement="BREG(rho, p) <= (G/2)(rho - p)^2 under the same hypotheses, and G/2 is attained.",
        uses=("prop:bound_breg_div_quadratically",),
        check=partial(_quadratic, constant=HALF),
        spoil=(partial(_quadratic, constant=Fraction(49, 100)),),
        rows=(28,),
    ),
    Claim(
        label="prop:bound_breg_div_quadratically/kl",
        number="Proposition 3, second bound",
        title="and KL-calibration bounds it too",
        kind="symbolic",
        chapter=CHAPTER,
        statement="Msr over L_G <= G KLCal and PMsr over L_G <= G PKLCal; the sharp constant is G/4.",
        uses=("prop:bound_breg_div_quadratically/sharp", "sec1:kl_bounds_cal2"),
        check=_regret_from_kl,
        spoil=(partial(_regret_from_kl, constant=Fraction(24, 100)),),
        rows=(29,),
    ),
    Claim(
        label="prop:bound_breg_div_quadratically/integral",
        number="Appendix A.3",
        title="the integral in the proof",
        kind="symbolic",
        chapter=CHAPTER,
        statement="The integral of G(rho - mu) from p to rho is (G/2)(rho - p)^2.",
        check=_smooth_integral,
        spoil=(partial(_smooth_integral, factor=2),),
        rows=(30,),
    ),
    Claim(
        label="new:max_regret_over_L_G",
        number="new",
        title="the maximum over L_G is an equality",
        kind="exact",
        chapter=CHAPTER,
        statement=(
            "Msr over L_G = (G/2) Cal_2 for G <= 4, attained by (G/2)(p - y)^2 - 1; at most that for larger"
            " G."
        ),
        uses=("prop:bound_breg_div_quadratically/sharp",),
        check=_maximum_is_attained,
        spoil=(partial(_maximum_is_attained, G=Fraction(41, 10)),),
    ),
    Claim(
        label="new:quadratic_constants",
        number="new",
        title="the quadratic constant of each named loss",
        kind="symbolic",
        chapter=CHAPTER,
        statement=(
            "sup BREG/(rho - p)^2 is 1 for the squared, sqrt(2) for the spherical loss, c alpha "
            "(alpha-1)/2 for Tsallis"
            " with alpha >= 2, and infinite for the log loss and Tsallis with alpha < 2."
        ),
        uses=("prop:bound_breg_div_quadratically/sharp",),
        check=_quadratic_constants,
        spoil=(partial(_quadratic_constants, factor=0.999),),
    ),
)
