"""Claims on suprema over L_2 and on the bound by Cal_1, with the misprints of Appendices B.2 and C.4."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from itertools import product

import sympy as sp
from flint import arb, fmpz

from klcal import bounds
from klcal.claims._combinators import closed, jointly, misprinted, repaired, vanishing
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.bregman._common import CHAPTER, HALF, exact_losses
from klcal.claims.bregman.growth import growth_suffices
from klcal.claims.losses_and_calibration.calibration import cal2_within
from klcal.exact.balls import ball, lower, precision
from klcal.exact.counterexamples import ExactCells, SharpV, mean_absolute_deviation, point_masses, smoothed_v

_TWELFTHS = tuple(Fraction(k, 12) for k in range(13))


def _constants_unbounded(half_width: Fraction = Fraction(1, 10**6)) -> Evidence:
    """Compare the constant of a smoothed V with a million: p(1-p)|f''| at 1/2 is 1/w."""
    loss = smoothed_v(half_width)
    values = [loss(p, y) for p in (Fraction(0), HALF, Fraction(1)) for y in (0, 1)]
    return jointly(
        Evidence(
            loss.curvature(HALF) / 4,
            10**6,
            ">=",
            "p(1-p)|f''(p)| at 1/2 of a smoothed V in [-1, 1], in fractions",
            {"half-width": str(half_width)},
            counterexample=(
                "smoothings of -|1 - 2p| of half-width w lie in L_2 with constant c = 1/w, unbounded"
            ),
        ),
        Evidence(max(map(abs, values)), 1, "<=", "the loss stays in [-1, 1]"),
    )


def _mean_excess(T: int) -> Fraction:
    """Return E|2 Bin(T, 1/2) - T|."""
    return 2 * mean_absolute_deviation(T, HALF)


def _smoothed_regret(T: int, half_width: Fraction) -> Fraction:
    """Return T E[BREG(ybar, 1/2)] for a smoothed V and fair coin tosses, all outcomes enumerated."""
    loss = smoothed_v(half_width)
    terms = (math.comb(T, k) * loss.divergence(Fraction(k, T), HALF) for k in range(T + 1))
    return Fraction(T, 1 << T) * sum(terms, Fraction(0))


def _fair_coins(constant: Fraction = Fraction(1), longest: int = 200) -> Evidence:
    """Compare (E|2 Bin(T, 1/2) - T|)^2 / (T/2) with `constant`.

    For all T: E is the same for T = 2k - 1 and T = 2k, namely 2k C(2k, k) / 4^k, so even T are the worse
    ones; for them the ratio is a_k = 4k C(2k, k)^2 / 16^k, with a_1 = 1 and a_(k+1) / a_k = (2k+1)^2 /
    (4k(k+1)) > 1. A smoothed V of half-width w <= 1/2T differs from the V only at ybar = 1/2, so its regret
    tends to E as w tends to 0: that is a lower bound on the supremum over L_2, for every forecaster.
    """
    k = sp.Symbol("k", positive=True)
    ratios = [_mean_excess(T) ** 2 / Fraction(T, 2) for T in range(1, longest + 1)]
    forms = [Fraction(2 * j * math.comb(2 * j, j), 4**j) for j in range(1, longest // 2 + 1)]
    wrong = sum(
        _mean_excess(2 * j) != form or _mean_excess(2 * j - 1) != form
        for j, form in enumerate(forms, start=1)
    )
    steps = [(2 * k + 1) ** 2 / (4 * k * (k + 1)) - 1 - 1 / (4 * k * (k + 1))]
    w = Fraction(1, 10**6)
    lost = max(_mean_excess(T) - _smoothed_regret(T, w) - Fraction(2, 3) * w * T for T in range(1, 13))
    return jointly(
        Evidence(
            min(ratios), constant, ">=", "smallest (E|2 Bin - T|)^2 / (T/2), in fractions", {"T": longest}
        ),
        Evidence(wrong, 0, "==", "closed form for 2k - 1 and 2k tosses"),
        vanishing("a_(k+1)/a_k = 1 + 1/(4k(k+1)): the ratio never falls", steps),
        Evidence(lost, 0, "<=", "a smoothed V loses at most 2wT/3 of it, all outcomes enumerated"),
    )


def _beats_rate(log_power: int, T: int = 10**66, constant: int = 10**6) -> Evidence:
    """Compare sqrt(T/2), a lower bound on E[Msr] over L_2, with constant * T^(1/3) (log T)^(log_power/3)."""
    with precision(128):
        horizon = arb(fmpz(T))
        rate = constant * (horizon.log() / 3).exp() * horizon.log() ** ball(Fraction(log_power, 3))
        ratio = lower((horizon / 2).sqrt() / rate)
    return Evidence(
        ratio,
        1,
        ">",
        f"sqrt(T/2) / (C T^(1/3) (log T)^({log_power}/3)) in balls, with C = {constant}",
        {"T": f"{T:.0e}"},
        counterexample=(
            "smoothings of -|1 - 2p| with fair coin tosses: E[Msr] >= sqrt(T/2) for every forecaster and T"
        ),
    )


def _four(constant: Fraction = Fraction(4)) -> Evidence:
    """Compare the largest BREG(rho, p) / |rho - p| with `constant`.

    Adding BREG(p, rho) >= 0 gives BREG(rho, p) <= (g_p - g_rho)(rho - p), and |g| <= 2 for a loss in [-1, 1].
    At its kink, with the supergradient 2, the V attains 4; smoothed Vs, which lie in L_2, come as close as
    one likes.
    """
    pairs = [(rho, p) for rho, p in product(_TWELFTHS, repeat=2) if rho != p]
    steepest = max(loss.divergence(rho, p) / abs(rho - p) for loss in exact_losses() for rho, p in pairs)
    attained = SharpV(Fraction(2)).divergence(1, HALF) / HALF
    w = Fraction(1, 10**6)
    smooth = smoothed_v(w).divergence(1, HALF - w) / (HALF + w)
    return jointly(
        Evidence(
            max(steepest, attained),
            constant,
            "<=",
            "largest BREG / |rho - p| of losses in [-1, 1], in fractions",
        ),
        closed("outcome-gap", "symmetrised-bregman"),
        Evidence(
            attained,
            Fraction(bounds.swap_regret_from_cal1(1.0)),
            "==",
            "attained by the V, as in klcal.bounds",
        ),
        Evidence(smooth, 4 / (1 + 2 * w), "==", "a smoothed V of half-width w has 4/(1 + 2w)"),
    )


def _klcal_below_pcal2() -> Evidence:
    mixture = {HALF: HALF, Fraction(1): HALF}
    drawn = ExactCells.from_rounds(point_masses(Fraction(1)), (1,))
    return jointly(
        Evidence(
            ExactCells.from_rounds([mixture], (1,)).calibration_error(2),
            0,
            ">",
            "PCal_2 of one round against KLCal = 0 of the forecast drawn",
            counterexample=(
                "T = 1, y = 1, forecast 1/2 or 1 with probability 1/2: if 1 is drawn, KLCal = 0 < 1/8 = "
                "PCal_2"
            ),
        ),
        Evidence(drawn.calibration_error(1), 0, "==", "the cell drawn is calibrated, so KLCal = 0"),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="prop:breg_div_decomposable/supremum",
        number="Appendix A.2, last step",
        title="taking the supremum over L_2",
        kind="exact",
        chapter=CHAPTER,
        statement=(
            "Taking a supremum over l in L_2 keeps SReg <= c KLCal, with one c (the paper's main text "
            "disclaims this)."
        ),
        uses=("prop:breg_div_decomposable",),
        spoil=(partial(_constants_unbounded, half_width=Fraction(1, 4)),),
        refute=_constants_unbounded,
        severity="proof",
        instead=(
            "The bound holds for each loss with its own constant (prop:breg_div_decomposable). The supremum over L_2 "
            "is at least sqrt(T/2) (new:msr_L2_lower_bound)."
        ),
        rows=(25,),
    ),
    Claim(
        label="new:msr_L2_lower_bound",
        number="new",
        title="the supremum over L_2 is at least sqrt(T/2)",
        kind="exact",
        chapter=CHAPTER,
        statement=(
            "Against fair coin tosses every forecaster has E[sup over L_2 of SReg] >= E|2 Bin(T, 1/2) -"
            " T| >= sqrt(T/2)"
            " for every T, with equality in the last step at T = 2; the same for PSReg."
        ),
        uses=("prop:swap_reg_breg_div",),
        check=_fair_coins,
        spoil=(partial(_fair_coins, constant=Fraction(101, 100)),),
    ),
    Claim(
        label="cor:simutaneous_bounds_msr/L_2",
        number="Corollary 1, third bound",
        title="maximum swap regret over L_2",
        kind="symbolic",
        chapter=CHAPTER,
        statement="E[Msr over L_2] = O(T^(1/3) (log T)^(5/3)).",
        uses=("new:msr_L2_lower_bound", "prop:breg_div_decomposable"),
        check=growth_suffices,
        spoil=(partial(growth_suffices, factor=Fraction(99, 100)), partial(_beats_rate, 5, T=10**6)),
        refute=partial(_beats_rate, 5),
        severity="statement",
        repair=(
            "For each single loss with c = sup p(1-p)|l''(p)| finite, E[SReg] <= c E[KLCal]. No "
            "supremum: fair coin"
            " tosses force sqrt(T/2)."
        ),
        rows=(57,),
    ),
    Claim(
        label="cor:simultaneous_bounds_psreg/L_2",
        number="Corollary 2, third bound",
        title="maximum pseudo swap regret over L_2",
        kind="symbolic",
        chapter=CHAPTER,
        statement="PMsr over L_2 = O(T^(1/3) (log T)^(2/3)).",
        uses=("new:msr_L2_lower_bound", "prop:breg_div_decomposable"),
        check=growth_suffices,
        spoil=(partial(growth_suffices, factor=Fraction(99, 100)), partial(_beats_rate, 2, T=10**6)),
        refute=partial(_beats_rate, 2),
        severity="statement",
        repair=(
            "For each single loss with c = sup p(1-p)|l''(p)| finite, PSReg <= c PKLCal. No supremum: "
            "fair coin tosses"
            " force sqrt(T/2)."
        ),
        rows=(89,),
    ),
    Claim(
        label="appB:swap_regret_below_4_cal1",
        number="Appendices B.2 and C.4",
        title="l_1-calibration controls all bounded losses",
        kind="symbolic",
        chapter=CHAPTER,
        statement=(
            "SReg <= 4 Cal_1 and PSReg <= 4 PCal_1 for every proper loss in [-1, 1], and 4 is attained."
        ),
        uses=("prop:swap_reg_breg_div", "sec3:bounded_losses"),
        check=_four,
        spoil=(partial(_four, constant=Fraction(399, 100)),),
        rows=(60,),
    ),
    Claim(
        label="cor:simutaneous_bounds_msr/cal1_rate",
        number="Appendix B.2",
        title="rate of Cal_1 after Theorem 1",
        kind="symbolic",
        chapter=CHAPTER,
        statement="E[Cal_1] <= sqrt(T E[Cal_2]) = O(T^(1/3) (log T)^(5/6)).",
        uses=("sec1:cal1_below_cal2",),
        check=partial(repaired, "cal-1-rate"),
        spoil=(partial(repaired, "cal-1-rate", factor=2),),
        refute=partial(misprinted, "cal-1-rate"),
        severity="misprint",
        repair="sqrt(T T^(1/3) (log T)^(5/3)) = T^(2/3) (log T)^(5/6), as Corollary 1 itself states.",
        rows=(59,),
    ),
    Claim(
        label="cor:simultaneous_bounds_psreg/pcal1_rate",
        number="Appendix C.4",
        title="rate of PCal_1 and PSReg after Theorem 2",
        kind="symbolic",
        chapter=CHAPTER,
        statement="PCal_1 = O(T^(1/3) (log T)^(1/3)) and PSReg of the same order (printed twice).",
        uses=("sec1:cal1_below_cal2", "appB:swap_regret_below_4_cal1"),
        check=partial(repaired, "pcal-1-rate"),
        spoil=(partial(repaired, "pcal-1-rate", factor=2),),
        refute=partial(misprinted, "pcal-1-rate"),
        severity="misprint",
        repair="sqrt(T T^(1/3) (log T)^(2/3)) = T^(2/3) (log T)^(1/3), as Corollary 2 itself states.",
        rows=(92,),
    ),
    Claim(
        label="cor:simultaneous_bounds_psreg/pcal2",
        number="Appendix C.4, first line",
        title="which KL-calibration bounds PCal_2",
        kind="symbolic",
        chapter=CHAPTER,
        statement="KLCal >= PCal_2.",
        uses=("sec1:kl_bounds_cal2",),
        check=partial(cal2_within, 1.0),
        spoil=(partial(cal2_within, 0.49),),
        refute=_klcal_below_pcal2,
        severity="misprint",
        repair="PKLCal >= PCal_2 (in fact 2 PCal_2): both sides are pseudo quantities.",
        rows=(90,),
    ),
)
