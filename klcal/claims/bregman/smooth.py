"""Claims on Proposition 3: losses with a smooth univariate form and l_2-calibration."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import sympy as sp
from flint import arb

from klcal import bounds, measures
from klcal.claims._combinators import above, at_most, closed, equal, jointly, none_of, worst
from klcal.claims._evidence import FORMULA, Evidence, cases, step
from klcal.claims._ledger import Chapter
from klcal.exact.cells import all_realised_cells
from klcal.exact.counterexamples import BoundaryLoss, smoothed_v
from klcal.losses import LOSSES
from klcal.symbolic import SYMBOLIC_LOSSES, rational

chapter = Chapter("02_swap_regret_is_bregman")

HALF = Fraction(1, 2)
SIXTEENTHS = tuple(Fraction(k, 16) for k in range(17))
PAIRS = tuple((rho, p) for rho, p in itertools.product(SIXTEENTHS, repeat=2) if rho != p)


@chapter.claim(
    "sec3:smooth_members",
    "Section 3.2",
    "which losses are in L_G",
    kind="symbolic",
    controls={"the exponent 2.05, which is not below 2": {"alpha": Fraction(41, 20)}},
    rows=(27,),
)
def smooth_members(alpha: Fraction | None = None) -> Evidence:
    r"""$|\ell''|$ is 2 for the squared loss, at most $2\sqrt2$ for the spherical loss, at most
    $c\,\alpha(\alpha-1)$ for Tsallis with $\alpha \ge 2$, and unbounded at 0 for $1 < \alpha < 2$.
    """
    p, short = sp.symbols("p short", positive=True)
    exponent = 2 - short if alpha is None else sp.Rational(alpha)
    return jointly(
        equal(
            int(sp.limit(p ** (exponent - 2), p, 0, "+") != sp.oo),
            0,
            r"$p^{\alpha-2}$ tends to infinity at 0 for every $\alpha < 2$",
        ),
        closed("squared-curvature", "spherical-curvature-slope", "spherical-curvature-peak"),
        closed("tsallis-curvature", "tsallis-curvature-slope", "tsallis-curvature-peak"),
    )


chapter.statement(
    "prop:bound_breg_div_quadratically",
    "Proposition 3",
    "smooth losses have quadratic divergences",
    r"$\mathrm{BREG}(\rho, p) \le G(\rho-p)^2$ for every $\ell \in \mathcal{L}_G$, hence "
    r"$\mathsf{Msr}_{\mathcal{L}_G} \le G\,\mathsf{Cal}_2$.",
    proof="Appendix A.3, and shorter in Chapter 2",
    steps=(
        "lem:relate_breg_vbreg",
        "prop:swap_reg_breg_div",
    ),
    repair=r"$\mathrm{BREG}(\rho, p) \le G(\rho-p)^2$ for $p \in (0, 1)$, and at $p = 0, 1$ if the loss uses the "
    "one-sided derivative of its form there. (The grids of the paper avoid 0 and 1.)",
    severity="statement",
    rows=(28, 29),
)


def _steepest() -> tuple[Fraction, ...]:
    """Return BREG / (G (rho - p)^2) of two exactly smooth losses at all pairs of sixteenths, ends included."""
    quadratic, bump = BoundaryLoss(Fraction(1), HALF), smoothed_v(Fraction(1, 4))
    return (
        *(quadratic.divergence(rho, p) / (rho - p) ** 2 for rho, p in PAIRS),
        *(bump.divergence(rho, p) / (16 * (rho - p) ** 2) for rho, p in PAIRS),
    )


@chapter.refutation(
    "prop:bound_breg_div_quadratically",
    kind="exact",
    controls={"the one-sided derivative 1/2 at 0 in place of 1": {"slope_at_zero": HALF}},
)
def other_supergradient_at_zero(slope_at_zero: Fraction = Fraction(1)) -> Evidence:
    """A supergradient at 0 that is not the one-sided derivative breaks the bound."""
    loss, p = BoundaryLoss(Fraction(1), slope_at_zero), Fraction(1, 10)
    found = above(
        loss.divergence(p, Fraction(0)),
        loss.smoothness * p**2,
        r"$\mathrm{BREG}(1/10, 0)$ against $G(1/10)^2$, in fractions",
    )
    return found.against(
        r"$f(p) = p(1-p)/2$ ($G = 1$) with supergradient 1 in place of 1/2 at $p = 0$: proper, in $[0, 1]$, and "
        r"$\mathrm{BREG}(1/10, 0) = 11/200 > 1/100$"
    )


@chapter.claim(
    "prop:bound_breg_div_quadratically/sharp",
    "Proposition 3, constant",
    "half the constant suffices",
    kind="symbolic",
    scope=step("the derivative of the difference"),
    controls={"0.99 of one side": {"factor": Fraction(99, 100)}},
    steps=("the derivative of the difference", "lem:relate_breg_vbreg"),
    uses=("prop:bound_breg_div_quadratically",),
    rows=(28,),
)
def half_the_constant(factor: Fraction | int = 1) -> Evidence:
    r"""$\mathrm{BREG}(\rho, p) \le \frac G2(\rho-p)^2$ under the same hypotheses, and $\frac G2$ is attained."""
    return closed("smooth-suffices", "smooth-integral", factor=factor)


@chapter.evidence(
    "prop:bound_breg_div_quadratically/sharp",
    kind="exact",
    scope=cases("a quadratic and a smoothed V-shaped loss, all pairs of sixteenths; the first attains it"),
    controls={"0.98 of the constant": {"constant": Fraction(49, 100)}},
)
def half_is_attained(constant: Fraction = HALF) -> Evidence:
    """The largest quotient is one half."""
    return jointly(
        worst(
            r"largest $\mathrm{BREG}/(G(\rho-p)^2)$ of a quadratic and a smoothed V",
            _steepest(),
            lambda ratio: ratio,
            constant,
        ),
        equal(max(_steepest()), Fraction(bounds.proposition_3(1, 1.0)), "`bounds.proposition_3` is attained"),
        equal(bounds.proposition_3(1, 1.0, version="paper"), 1, "and as the paper has it"),
        none_of(
            r"pairs $(G, \mathsf{Cal}_2)$ at which it is not half the product, in floats and in balls; "
            r"$0\cdot\infty = 0$",
            [(1, 2), (2, 1), (2.0**-30, 2.0**31), (2.0**31, 2.0**-30), (0, math.inf), (math.inf, 0)],
            lambda pair: any(
                bounds.proposition_3(kind(pair[0]), kind(pair[1])) != (0 if 0 in pair else 1)
                for kind in (float, arb)
            ),
        ),
    )


def largest_square_over_kl() -> Fraction:
    """Return the supremum of (rho - p)^2 / KL(rho, p): Pinsker's inequality bounds it by its limit at 1/2."""
    d, log = sp.Symbol("d", positive=True), SYMBOLIC_LOSSES["log"]
    kl = log.divergence.subs({log.rho: HALF + d, log.p: HALF})
    return rational(sp.limit(d**2 / kl, d, 0, "+"))


@chapter.claim(
    "prop:bound_breg_div_quadratically/kl",
    "Proposition 3, second bound",
    "and KL-calibration bounds it too",
    kind="symbolic",
    scope=step("the limit at 1/2"),
    controls={"0.96 of the constant": {"constant": Fraction(24, 100)}},
    steps=("the limit at 1/2", "prop:bound_breg_div_quadratically/sharp", "sec1:kl_bounds_cal2"),
    rows=(29,),
)
def regret_from_kl(constant: Fraction = Fraction(1, 4)) -> Evidence:
    r"""$\mathsf{Msr}_{\mathcal{L}_G} \le G\,\mathsf{KLCal}$ and
    $\mathsf{PMsr}_{\mathcal{L}_G} \le G\,\mathsf{PKLCal}$; the sharp constant is $\frac G4$.
    """
    supremum = HALF * largest_square_over_kl()
    return jointly(
        at_most(
            supremum,
            constant,
            r"supremum of $\mathrm{BREG}/(G\,\mathrm{KL})$ over $\mathcal{L}_G$, a limit at 1/2",
        ),
        closed("smooth-suffices", "pinsker-slope"),
        equal(bounds.proposition_3_from_kl(1, 1.0), supremum, "`bounds.proposition_3_from_kl` is that limit"),
        equal(bounds.proposition_3_from_kl(1, 1.0, version="paper"), 1, "and as the paper has it"),
    )


@chapter.claim(
    "prop:bound_breg_div_quadratically/integral",
    "Appendix A.3",
    "the integral in the proof",
    kind="symbolic",
    controls={"0.99 of the right side": {"factor": Fraction(99, 100)}},
    rows=(30,),
)
def smooth_integral(factor: Fraction | int = 1) -> Evidence:
    r"""$\int_p^\rho G(\rho-\mu)\,d\mu = \frac G2(\rho-p)^2$."""
    return closed("smooth-integral", "smooth-integral-middle", factor=factor)


chapter.statement(
    "new:max_regret_over_L_G",
    "new",
    "the maximum over L_G is an equality",
    r"For forecasts in $(0, 1)$, or losses that use the one-sided derivative of their form at 0 and 1, "
    r"$\mathsf{Msr}_{\mathcal{L}_G} = \frac G2\mathsf{Cal}_2$ for $G \le 4$, attained by $\frac G2(p-y)^2 "
    r"- 1$; at most that for larger $G$.",
    steps=("prop:bound_breg_div_quadratically/sharp",),
)


@chapter.evidence(
    "new:max_regret_over_L_G",
    kind="numeric",
    scope=cases("G = 4 and 8, all games of two rounds on 1/8, 1/4, 1/2"),
    controls={"0.999 of the bound": {"factor": 0.999}},
)
def maximum_in_the_package(factor: float = 1.0) -> Evidence:
    """`max_swap_regret` over L_G against half of G times Cal_2 in fractions."""
    games = [
        (each.as_floats(), factor * float(each.calibration_error(2)))
        for each in all_realised_cells((Fraction(1, 8), Fraction(1, 4), HALF), 2)
    ]
    return jointly(
        worst(
            r"`max_swap_regret` is $2\,\mathsf{Cal}_2$ at $G = 4$",
            games,
            lambda game: abs(measures.max_swap_regret(game[0], smoothness=4.0) - 2 * game[1]),
            1e-14,
        ),
        worst(
            r"and at most $4\,\mathsf{Cal}_2$ at $G = 8$",
            games,
            lambda game: measures.max_swap_regret(game[0], smoothness=8.0) - 4 * game[1],
            1e-14,
        ),
    )


@chapter.claim(
    "new:quadratic_constants",
    "new",
    "the quadratic constant of each named loss",
    kind="symbolic",
    scope=step("the largest curvature"),
    controls={"0.999 of the right sides": {"factor": Fraction(999, 1000)}},
    steps=("the largest curvature", "prop:bound_breg_div_quadratically/sharp"),
)
def largest_curvature(factor: Fraction | int = 1) -> Evidence:
    r"""$\sup \mathrm{BREG}/(\rho-p)^2$ is 1 for the squared and $\sqrt2$ for the spherical loss,
    $c\,\alpha(\alpha-1)/2$ for Tsallis with $\alpha \ge 2$, and infinite for the log loss and for Tsallis with
    $\alpha < 2$.
    """
    peaks = ("squared-curvature", "spherical-curvature-slope", "spherical-curvature-peak")
    return closed(*peaks, "tsallis-curvature-slope", "tsallis-curvature-peak", factor=factor)


@chapter.evidence(
    "new:quadratic_constants",
    kind="numeric",
    scope=FORMULA,
    controls={"0.999 of the constant": {"factor": 0.999}},
)
def constants_of_the_package(factor: float = 1.0) -> Evidence:
    """The constants of the package against half of the exact supremum of the curvature."""

    def drift(name: str) -> float:
        exact, constant = (
            float(SYMBOLIC_LOSSES[name].smoothness) / 2,
            factor * LOSSES[name].quadratic_constant,
        )
        return 0.0 if exact == constant == math.inf else abs(constant / exact - 1)

    names = ("squared", "log", "spherical", "tsallis-1.5", "tsallis-2", "tsallis-3")
    return worst(
        "`loss.quadratic_constant` against half of the exact supremum of $|f''|$", names, drift, 4e-16
    )
