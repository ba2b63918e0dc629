"""Claims on Lemma 3 and Proposition 2: how fast the second derivative may grow, and what KL then controls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise

import sympy as sp
from flint import arb

from klcal import bounds
from klcal.claims._combinators import closed, jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.bregman._common import CHAPTER
from klcal.exact.balls import supremum
from klcal.exact.counterexamples import Tent, TentLoss, smoothed_v, spike_loss
from klcal.losses import LOSSES
from klcal.symbolic import SYMBOLIC_LOSSES

# p(1-p)|f''(p)| as a function of p, or of sqrt(p) where it has a root of p, so that balls may touch 0.
_GROWTH: dict[str, Callable[[arb], arb]] = {
    "squared": lambda p: 2 * p * (1 - p),
    "spherical": lambda p: p * (1 - p) / ((p**2 + (1 - p) ** 2) ** 3).sqrt(),
    "tsallis-1.5": lambda root: arb(3) / 4 * root * (1 - root**2),
    "tsallis-2": lambda p: 2 * p * (1 - p),
    "tsallis-3": lambda p: 3 * p**2 * (1 - p),
}


def _tsallis(factor: Fraction | int = 1, excess: Fraction = Fraction(1)) -> Evidence:
    """Close the Tsallis loss for symbolic alpha and c, and its range for c = excess * min(1, 1/(alpha - 1)).

    l(p, 1) falls from 0 to -c and l(p, 0) rises from 0 to c(alpha - 1), so the loss fits into [-1, 1] exactly
    if c <= min(1, 1/(alpha - 1)).
    """
    exponents = [Fraction(k, 4) for k in (5, 6, 7, 8, 9, 12, 40)]
    scales = [excess * min(Fraction(1), 1 / (alpha - 1)) for alpha in exponents]
    largest = max(max(c, c * (alpha - 1)) for c, alpha in zip(scales, exponents, strict=True))
    return jointly(
        closed("tsallis-loss", "tsallis-univariate", "tsallis-curvature", factor=factor),
        closed("tsallis-range-1", "tsallis-range-1-end", "tsallis-range-0-end"),
        Evidence(largest, 1, "==", "largest |l| at the largest allowed c, several alpha from 5/4 to 10"),
    )


def _spherical(factor: Fraction | int = 1) -> Evidence:
    return closed("spherical-univariate", "spherical-loss", "spherical-curvature", factor=factor)


def violations(loss: TentLoss, spikes: int) -> int:
    """Count how often the first tents leave the class L_2: overlap, |f'| > 1/2, or a loss outside [-1, 1].

    Slope, l(p, 0) and l(p, 1) are monotone in p, so it is enough to look between tents.
    """
    tents = [loss.tent(n) for n in range(1, spikes + 1)]
    overlaps = sum(left.right >= right.left for right, left in pairwise(tents))
    ends = [Fraction(1), *(tent.left for tent in tents)]
    steep = sum(abs(loss.slope(p)) > Fraction(1, 2) for p in ends)
    outside = sum(abs(loss(p, y)) > 1 for p in ends for y in (0, 1))
    return overlaps + steep + outside


def _spikes_outgrow(sharpness: int = 3, spikes: int = 40, heavy: bool = False) -> Evidence:
    """Compare p |f''(p)| at the n-th spike with 2^(n+2); `heavy` spikes of mass 1 are outside the class.

    For every n: m_n / w_n = 2^(2n+2) is the height, times p_n it is 2^(n+2). The masses 2^-n add up to 1,
    hence -1/2 <= f' <= 1/2, l(p, 0) = int_0^p u dmu lies in [0, 1/3] and l(p, 1) in [-1/6, 1/2]. Tents n and
    n + 1 are apart because 2^-n - 2^-(n+1) > 2^-(3n+2) + 2^-(3n+5). So f is concave, Lipschitz, bounded and
    C^2 on (0, 1).
    """
    loss = spike_loss(sharpness)
    if heavy:
        loss = replace(
            loss, tent=lambda n: Tent(Fraction(1, 2**n), Fraction(1, 2 ** (3 * n + 2)), Fraction(1))
        )
    p = Fraction(1, 2**spikes)
    return jointly(
        Evidence(
            p * loss.curvature(p),
            2 ** (spikes + 2),
            ">=",
            "p_n |f''(p_n)| at the n-th spike, in fractions",
            {"n": spikes},
            counterexample=(
                "f'' = - sum of tents at 2^-n with mass 2^-n and half-width 2^-(3n+2): concave, |f'| <="
                " 1/2, C^2 on"
                " (0, 1), and p_n |f''(p_n)| = 2^(n+2), so no constant c exists"
            ),
        ),
        Evidence(violations(loss, spikes), 0, "==", "disjoint tents, |f'| <= 1/2, loss in [-1, 1]"),
    )


def _spikes_beat_kl(sharpness: int = 3, spikes: int = 40) -> Evidence:
    """Compare BREG / chi^2 at (p_n + w_n, p_n) with 2^n; KL <= chi^2 makes BREG / KL at least as large.

    Half a tent seen from its foot has divergence m_n w_n / 6 * 2 = m_n w_n / 3, so the ratio is (1 - p_n)
    2^(n+2) / 3. T = 2^(3n+2) rounds at forecast p_n, of which the fraction p_n + w_n are ones, have SReg and
    KLCal in this ratio.
    """
    loss = spike_loss(sharpness)
    p, w = Fraction(1, 2**spikes), loss.tent(spikes).half_width
    chi_square = w**2 / (p * (1 - p))
    return jointly(
        Evidence(
            loss.divergence(p + w, p) / chi_square,
            2**spikes,
            ">=",
            "BREG / chi^2 at the foot of the n-th spike, in fractions",
            {"n": spikes},
            counterexample=(
                "the spike loss of Lemma 3: BREG(p_n + w_n, p_n) / KL >= (1 - p_n) 2^(n+2) / 3 for every n"
            ),
        ),
        closed("kl-below-chi-squared", "excess-slope", "excess-at-1"),
        Evidence(violations(loss, spikes), 0, "==", "disjoint tents, |f'| <= 1/2, loss in [-1, 1]"),
    )


def growth_suffices(factor: Fraction | int = 1) -> Evidence:
    """Close d/dp (c KL - BREG) = -(rho - p)(c - p(1-p)|u''(p)|) / (p(1-p)) for an undefined u.

    If p(1-p)|u''| <= c, the difference falls in p up to rho, where it is 0, and rises after: BREG <= c KL,
    and by Proposition 1 SReg <= c KLCal. The same follows from Lemma 2, whose integrands compare point by
    point.
    """
    return jointly(
        closed("growth-suffices", factor=factor),
        closed("bregman-integral", "kl-integral"),
    )


def _growth_is_necessary(factor: Fraction | int = 1) -> Evidence:
    """Close the local expansions, and watch them on a smoothed V, in fractions.

    BREG and KL vanish to second order at rho = p, with second derivatives |u''(p)| and 1/(p(1-p)); so BREG /
    KL tends to p(1-p)|u''(p)| as rho tends to p, and no c below the supremum of that can do.
    """
    loss, half, d = smoothed_v(Fraction(1, 8)), Fraction(1, 2), Fraction(1, 10**6)
    limit = half * half * loss.curvature(half)
    # Next to the diagonal KL is half of chi^2, up to a factor 1 + O(d).
    local = loss.divergence(half + d, half) / (d**2 / (2 * half * half))
    return jointly(
        closed("growth-necessary-bregman", "growth-necessary-kl", factor=factor),
        Evidence(
            abs(local / limit - 1),
            Fraction(1, 10**5),
            "<=",
            "2 BREG / chi^2 next to the diagonal, smoothed V",
        ),
    )


def _growth_integral(factor: Fraction | int = 1) -> Evidence:
    return closed("kl-integrand", "kl-integral", factor=factor)


def _kl_constants(factor: float = 1.0) -> Evidence:
    """Compare bounds.proposition_2 with the suprema of p(1-p)|f''|: exact values, and enclosures by balls."""
    worst = outside = 0.0
    for name in ("log", *_GROWTH):
        constant = bounds.proposition_2(LOSSES[name], factor)
        exact = float(sp.N(SYMBOLIC_LOSSES[name].growth, 30))
        worst = max(worst, abs(constant / exact - 1))
        if name in _GROWTH:
            enclosure = supremum(_GROWTH[name], [(0, 1)], tolerance=1e-3)
            outside = max(outside, enclosure.lower - constant, constant - enclosure.upper)
    slopes = ("squared-growth", "log-growth", "spherical-growth-slope", "spherical-growth-peak")
    return jointly(
        Evidence(worst, 4e-16, "<=", "bounds.proposition_2 against the exact suprema of p(1-p)|f''|"),
        closed(*slopes, "tsallis-growth-slope", "tsallis-growth-peak"),
        Evidence(outside, 1e-15, "<=", "the same suprema enclosed by balls over all of [0, 1]"),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="sec3:tsallis_loss",
        number="Section 3.1",
        title="Tsallis loss",
        kind="symbolic",
        chapter=CHAPTER,
        statement=(
            "The form -c p^alpha, alpha > 1, induces l(p, y) = c(alpha - 1)p^alpha - alpha c p^(alpha - 1) y,"
            " which lies in [-1, 1] exactly if c <= min(1, 1/(alpha - 1))."
        ),
        uses=("lem:characterization_proper_loss",),
        check=_tsallis,
        spoil=(partial(_tsallis, factor=Fraction(99, 100)), partial(_tsallis, excess=Fraction(101, 100))),
        rows=(19,),
    ),
    Claim(
        label="sec3:spherical_loss",
        number="Section 3.1",
        title="spherical loss",
        kind="symbolic",
        chapter=CHAPTER,
        statement=(
            "The spherical loss has the form -sqrt(p^2 + (1-p)^2), twice continuously differentiable on [0,"
            " 1]."
        ),
        uses=("lem:characterization_proper_loss",),
        check=_spherical,
        spoil=(partial(_spherical, factor=Fraction(99, 100)),),
        rows=(20,),
    ),
    Claim(
        label="lem:hessian_growth",
        number="Lemma 3",
        title="growth of the second derivative",
        kind="exact",
        chapter=CHAPTER,
        statement=(
            "Every concave, Lipschitz, bounded f that is C^2 on (0, 1) has |f''(p)| <= c max(1/p, "
            "1/(1-p)) for some c."
        ),
        spoil=(partial(_spikes_outgrow, sharpness=2), partial(_spikes_outgrow, heavy=True)),
        refute=_spikes_outgrow,
        severity="statement",
        instead=(
            "The growth rate is a condition, not a consequence. It is what Proposition 2 needs, no weaker one will do "
            "(new:growth_condition_is_necessary), and every loss that the paper names satisfies it (new:kl_constants)."
        ),
        rows=(21,),
    ),
    Claim(
        label="prop:breg_div_decomposable",
        number="Proposition 2",
        title="KL-calibration controls swap regret",
        kind="symbolic",
        chapter=CHAPTER,
        statement="For every l in L_2, BREG = O(KL), hence SReg = O(KLCal) and PSReg = O(PKLCal).",
        uses=("lem:hessian_growth", "lem:relate_breg_vbreg", "prop:swap_reg_breg_div"),
        check=growth_suffices,
        spoil=(partial(growth_suffices, factor=Fraction(99, 100)),),
        refute=_spikes_beat_kl,
        severity="statement",
        repair=(
            "If c = sup p(1-p)|l''(p)| is finite, then BREG <= c KL, SReg <= c KLCal and PSReg <= c "
            "PKLCal; L_2 alone"
            " does not suffice. The paper remarks that its proof works for any class with such a growth rate."
        ),
        rows=(22, 23),
    ),
    Claim(
        label="prop:breg_div_decomposable/integral",
        number="Appendix A.2",
        title="the KL divergence as an integral",
        kind="symbolic",
        chapter=CHAPTER,
        statement="The integral of (1/mu + 1/(1-mu))(rho - mu) from p to rho is KL(rho, p).",
        check=_growth_integral,
        spoil=(partial(_growth_integral, factor=Fraction(99, 100)),),
        rows=(24,),
    ),
    Claim(
        label="new:growth_condition_is_necessary",
        number="new",
        title="the growth condition is necessary",
        kind="symbolic",
        chapter=CHAPTER,
        statement=(
            "If BREG <= c KL for all pairs, then p(1-p)|l''(p)| <= c on (0, 1): same constant as in the "
            "repair."
        ),
        uses=("prop:breg_div_decomposable",),
        check=_growth_is_necessary,
        spoil=(partial(_growth_is_necessary, factor=Fraction(99, 100)),),
    ),
    Claim(
        label="new:kl_constants",
        number="new",
        title="the constant of each named loss",
        kind="symbolic",
        chapter=CHAPTER,
        statement=(
            "sup BREG/KL is 1/2 for the squared, sqrt(2)/2 for the spherical, 1 for the log loss and"
            " c (alpha-1)^alpha / alpha^(alpha-1) for Tsallis losses: every loss the paper names is covered."
        ),
        uses=("prop:breg_div_decomposable", "new:growth_condition_is_necessary"),
        check=_kl_constants,
        spoil=(partial(_kl_constants, factor=0.999), partial(_kl_constants, factor=1.001)),
        rows=(26,),
    ),
)
