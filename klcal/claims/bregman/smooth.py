"""Claims on Proposition 3: losses with a smooth univariate form and l_2-calibration."""

from __future__ import annotations

import math
from fractions import Fraction

import sympy as sp
from flint import arb

from klcal import bounds
from klcal.claims._combinators import above, add_formulas, closed, equal, jointly, none_of
from klcal.claims._evidence import FORMULA, Evidence, step
from klcal.claims._ledger import Chapter
from klcal.exact.counterexamples import BoundaryLoss

chapter = Chapter("02_swap_regret_is_bregman")

PAIRS = ((1, 1), (0.3, 7.25), (1e6, 1e-3))
# The largest curvature of each named loss.
PEAKS = (
    *("squared-curvature", "spherical-curvature-slope", "spherical-curvature-peak"),
    *("tsallis-curvature-slope", "tsallis-curvature-peak"),
)


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
        closed(*PEAKS, "tsallis-curvature"),
    )


chapter.statement(
    "prop:bound_breg_div_quadratically",
    "Proposition 3",
    "smooth losses have quadratic divergences",
    r"$\mathsf{BREG}(\rho, p) \le G(\rho-p)^2$ for every $\ell \in \mathcal{L}_G$, hence "
    r"$\mathsf{Msr}_{\mathcal{L}_G} \le G\,\mathsf{Cal}_2$.",
    proof="Appendix A.3, and shorter in Chapter 2",
    steps=(
        "lem:relate_breg_vbreg",
        "prop:swap_reg_breg_div",
    ),
    repair=r"$\mathsf{BREG}(\rho, p) \le G(\rho-p)^2$ for $p \in (0, 1)$, and at $p = 0, 1$ if the loss uses the "
    "one-sided derivative of its form there. (The grids of the paper avoid 0 and 1.)",
    severity="statement",
    rows=(28, 29),
)


@chapter.refutation(
    "prop:bound_breg_div_quadratically",
    kind="exact",
    controls={"the one-sided derivative 1/2 at 0 in place of 1": {"slope_at_zero": Fraction(1, 2)}},
)
def other_supergradient_at_zero(slope_at_zero: Fraction = Fraction(1)) -> Evidence:
    """A supergradient at 0 that is not the one-sided derivative breaks the bound."""
    loss, p = BoundaryLoss(Fraction(1), slope_at_zero), Fraction(1, 10)
    found = above(
        loss.divergence(p, Fraction(0)),
        loss.smoothness * p**2,
        r"$\mathsf{BREG}(1/10, 0)$ against $G(1/10)^2$, in fractions",
    )
    return found.against(
        r"$f(p) = p(1-p)/2$ ($G = 1$) with supergradient 1 in place of 1/2 at $p = 0$: proper, in $[0, 1]$, and "
        r"$\mathsf{BREG}(1/10, 0) = 11/200 > 1/100$"
    )


chapter.statement(
    "prop:bound_breg_div_quadratically/sharp",
    "Proposition 3, constant",
    "half the constant suffices",
    r"$\mathsf{BREG}(\rho, p) \le \frac G2(\rho-p)^2$ under the same hypotheses, and $\frac G2$ is attained.",
    steps=("lem:relate_breg_vbreg",),
    uses=("prop:bound_breg_div_quadratically",),
    rows=(28,),
)


@chapter.evidence(
    "prop:bound_breg_div_quadratically/sharp",
    kind="exact",
    scope=FORMULA,
    controls={"0.98 of the constant": {"constant": 0.49}},
)
def half_the_product(constant: float = 0.5) -> Evidence:
    """What the package returns, in both arithmetics."""
    return jointly(
        none_of(
            r"pairs $(G, \mathsf{Cal}_2)$ of product 2 or 0 at which `bounds.proposition_3` is not half of it, as "
            r"doubles and as balls; $0\cdot\infty = 0$",
            [(1, 2), (2, 1), (2.0**-30, 2.0**31), (2.0**31, 2.0**-30), (0, math.inf), (math.inf, 0)],
            lambda pair: any(
                bounds.proposition_3(kind(pair[0]), kind(pair[1])) != (0 if 0 in pair else 2 * constant)
                for kind in (float, arb)
            ),
        ),
        equal(
            bounds.proposition_3(1, 1.0, version="paper"), 1, "with the paper's constant it is the product"
        ),
    )


chapter.statement(
    "prop:bound_breg_div_quadratically/kl",
    "Proposition 3, second bound",
    "and KL-calibration bounds it too",
    r"$\mathsf{Msr}_{\mathcal{L}_G} \le G\,\mathsf{KLCal}$ and $\mathsf{PMsr}_{\mathcal{L}_G} \le G\,\mathsf{PKLCal}$; "
    r"the sharp constant is $\frac G4$.",
    steps=("prop:bound_breg_div_quadratically/sharp", "pinsker"),
    uses=("sec1:kl_bounds_cal2",),
    rows=(29,),
)
add_formulas(
    chapter,
    "prop:bound_breg_div_quadratically/kl",
    ("proposition_3_from_kl", "paper", lambda G, kl: G * kl, PAIRS),
    ("proposition_3_from_kl", "sharpened", lambda G, kl: G * kl / 4, PAIRS),
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
    r"""$\sup \mathsf{BREG}/(\rho-p)^2$ is 1 for the squared and $\sqrt2$ for the spherical loss,
    $c\,\alpha(\alpha-1)/2$ for Tsallis with $\alpha \ge 2$, and infinite for the log loss and for Tsallis with
    $\alpha < 2$.
    """
    return closed(*PEAKS, factor=factor)
