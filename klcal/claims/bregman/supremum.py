"""Claims on suprema over L_2 and on the bound by Cal_1, with the misprints of Appendices B.2 and C.4."""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

from klcal import bounds
from klcal.claims._combinators import (
    above,
    add_formulas,
    closed,
    equal,
    jointly,
    misprinted,
    smallest,
    vanishing,
    worst,
)
from klcal.claims._evidence import Evidence, cases, step
from klcal.claims._ledger import Chapter
from klcal.exact.binomial import binomial_expectation
from klcal.exact.cells import ExactCells, point_masses
from klcal.exact.counterexamples import mean_absolute_deviation, smoothed_v
from klcal.symbolic import SYMBOLIC_LOSSES, rational

chapter = Chapter("02_swap_regret_is_bregman")

HALF = Fraction(1, 2)


@chapter.refuted(
    "prop:breg_div_decomposable/supremum",
    "Appendix A.2, last step",
    "taking the supremum over L_2",
    kind="exact",
    scope=cases("c = 10^6"),
    controls={r"half-width $1/c$ in place of $1/(c+1)$": {"half_width": Fraction(1, 10**6)}},
    severity="misprint",
    instead=(
        "The bound holds for each loss with its own constant (prop:breg_div_decomposable), which is all that the "
        'proposition and Section 3.1 claim: "we do not necessarily guarantee" a bound for the supremum, which is in '
        r"fact at least $\sqrt{T/2}$ (new:msr_L2_lower_bound)."
    ),
    uses=("prop:breg_div_decomposable",),
    rows=(25,),
)
def constants_are_unbounded(half_width: Fraction = Fraction(1, 10**6 + 1)) -> Evidence:
    r"""Proposition 2 follows "taking a supremum over $\ell \in \mathcal L_2$", that is, with one constant $c$ for all
    these losses. (The proposition itself does not say so, and the main text says that it does not follow.)
    """
    loss = smoothed_v(half_width)
    return jointly(
        above(
            loss.curvature(HALF) / 4,
            10**6,
            r"$p(1-p)|f''(p)|$ at $\frac12$ of a smoothed $-|1-2p|$, against $c = 10^6$, in fractions",
        ),
        worst(
            r"the largest $|\ell|$, at the ends and in the middle",
            itertools.product((Fraction(0), HALF, Fraction(1)), (0, 1)),
            lambda at: abs(loss(*at)),
            1,
        ),
    ).against(
        r"$-|1-2p|$ with its kink rounded off by a tent of half-width $w$ lies in $\mathcal L_2$ and has "
        r"$c_\ell = \frac1w$, so no $c$ serves all of them"
    )


def _mean_excess(T: int) -> Fraction:
    """Return E|2 Bin(T, 1/2) - T|."""
    return 2 * mean_absolute_deviation(T, HALF)


@chapter.claim(
    "new:msr_L2_lower_bound",
    "new",
    "the supremum over L_2 is at least sqrt(T/2)",
    kind="symbolic",
    scope=step("the random walk"),
    controls={r"$a_{k+1}/a_k$ with $2k$ in place of $2k + 1$": {"shift": 0}},
    steps=("the random walk", "prop:swap_reg_breg_div", "lem:characterization_proper_loss"),
)
def random_walk(shift: int = 1) -> Evidence:
    r"""Against independent fair coin tosses every forecaster has $\mathbb E[\mathsf{Msr}_{\mathcal L_2}] \ge
    \mathbb E|2B - T| \ge \sqrt{T/2}$, $B \sim \mathrm{Bin}(T, \frac12)$, for every $T$, and the same for
    $\mathsf{PMsr}_{\mathcal L_2}$; in the second step equality holds at $T = 2$.

    The mean distance of the walk grows by the chance C(2k, k)/4^k of being at 0, so it is e_k = 2k C(2k, k)/4^k at
    T = 2k and T = 2k - 1; a_k = e_k^2/k starts at 1 and grows by the factor 1 + 1/(4k(k+1)).
    """
    k = sp.Symbol("k", positive=True, integer=True)
    mean = 2 * k * sp.binomial(2 * k, k) / 4**k
    growth = sp.combsimp(sp.simplify(mean.subs(k, k + 1) / mean)) ** 2 * k / (k + 1)
    at_zero = sp.binomial(2 * k, k) / 4**k
    return vanishing(
        r"$e_{k+1} - e_k = \binom{2k}k4^{-k}$ for $e_k = 2k\binom{2k}k4^{-k}$, $e_1 = 1$, and "
        r"$e_{k+1}^2k/(e_k^2(k+1)) = 1 + \frac1{4k(k+1)}$",
        [
            sp.gammasimp(sp.combsimp((mean.subs(k, k + 1) - mean) / at_zero)) - 1,
            mean.subs(k, 1) - 1,
            growth - (2 * k + shift) ** 2 / (4 * k * (k + 1)),
        ],
    )


@chapter.evidence(
    "new:msr_L2_lower_bound",
    kind="exact",
    scope=cases("T <= 200; the smoothed losses T <= 12, all outcomes"),
    controls={"1.01 of the constant under the root": {"constant": Fraction(101, 100)}},
)
def fair_coins(constant: Fraction = Fraction(1)) -> Evidence:
    """The mean excess against the root, and what a smoothed V loses of it."""
    width = Fraction(1, 10**6)
    loss = smoothed_v(width)

    def lost(T: int) -> Fraction:
        kept = binomial_expectation(T, HALF, lambda k: T * loss.divergence(Fraction(k, T), HALF))
        return _mean_excess(T) - kept - Fraction(2, 3) * width * T

    return jointly(
        smallest(
            r"smallest $(\mathbb E|2B - T|)^2/(T/2)$, in fractions",
            range(1, 201),
            lambda T: _mean_excess(T) ** 2 / Fraction(T, 2),
            constant,
        ),
        worst(r"a smoothed V of half-width $w$ loses at most $\frac23wT$ of it", range(1, 13), lost, 0),
    )


chapter.statement(
    "appB:swap_regret_below_4_cal1",
    "Appendices B.2 and C.4",
    "l_1-calibration controls all bounded losses",
    r"$\mathsf{SReg}^\ell \le 4\,\mathsf{Cal}_1$ and $\mathsf{PSReg}^\ell \le 4\,\mathsf{PCal}_1$ for every "
    "proper loss in $[-1, 1]$, and 4 is attained. (Kleinberg et al. 2023 for the first.)",
    proof="Appendix C.4",
    steps=(
        "prop:swap_reg_breg_div",
        "sec3:bounded_losses",
    ),
    rows=(60,),
)
add_formulas(
    chapter,
    "appB:swap_regret_below_4_cal1",
    ("swap_regret_from_cal1", "", lambda error: 4 * error, [(0.25,), (1,), (1e6 + 0.25,)]),
)


def _root_of(log_power: Fraction, power: Fraction, root_log_power: Fraction) -> Evidence:
    """Return whether sqrt(T T^(1/3) (log T)^log_power) is T^power (log T)^root_log_power."""
    x = sp.Symbol("x", positive=True)
    T, a, b = sp.exp(x), sp.Rational(power), sp.Rational(root_log_power)
    ratio = sp.limit(T ** (sp.Rational(2, 3) - a) * x ** (sp.Rational(log_power) / 2 - b), x, sp.oo)
    return equal(
        int(ratio != 1),
        0,
        rf"$\sqrt{{T\cdot T^{{1/3}}(\log T)^{{{log_power}}}}}/(T^{{{power}}}(\log T)^{{{root_log_power}}})$ tends to 1",
    )


EXPONENTS = {
    "exponent of $T$ smaller by 1/20": {"power": Fraction(2, 3) - Fraction(1, 20)},
    r"exponent of $\log T$ smaller by 1/20": {"off": Fraction(1, 20)},
}


@chapter.claim(
    "cor:simutaneous_bounds_msr/cal1_rate",
    "Appendix B.2",
    "rate of Cal_1 after Theorem 1",
    kind="symbolic",
    controls=EXPONENTS,
    repair=(
        r"$\sqrt{T\cdot T^{1/3}(\log T)^{5/3}} = T^{2/3}(\log T)^{5/6}$, as Corollary 1 itself states and as the next "
        "sentence of the proof uses."
    ),
    severity="misprint",
    uses=("sec1:cal1_below_cal2",),
    rows=(59,),
)
def cal1_rate(power: Fraction = Fraction(2, 3), off: Fraction = Fraction(0)) -> Evidence:
    r"""$\mathbb E[\mathsf{Cal}_1] \le \sqrt{T\,\mathbb E[\mathsf{Cal}_2]} = O(T^{1/3}(\log T)^{5/6})$ if
    $\mathbb E[\mathsf{Cal}_2] = O(T^{1/3}(\log T)^{5/3})$.
    """
    return _root_of(Fraction(5, 3), power, Fraction(5, 6) - off)


@chapter.refutation(
    "cor:simutaneous_bounds_msr/cal1_rate", kind="symbolic", controls={"the power 2/3": {"correct": True}}
)
def cal1_misprint(correct: bool = False) -> Evidence:
    """The printed power of T."""
    return misprinted("cal-1-rate", correct=correct)


@chapter.claim(
    "cor:simultaneous_bounds_psreg/pcal1_rate",
    "Appendix C.4",
    "rate of PCal_1 and PSReg after Theorem 2",
    kind="symbolic",
    controls=EXPONENTS,
    repair=(
        r"$\sqrt{T\cdot T^{1/3}(\log T)^{2/3}} = T^{2/3}(\log T)^{1/3}$ in both places, as Corollary 2 itself states."
    ),
    severity="misprint",
    uses=("sec1:cal1_below_cal2", "appB:swap_regret_below_4_cal1"),
    rows=(92,),
)
def pcal1_rate(power: Fraction = Fraction(2, 3), off: Fraction = Fraction(0)) -> Evidence:
    r"""$\mathsf{PCal}_1 \le \sqrt{T\,\mathsf{PCal}_2} = O(T^{1/3}(\log T)^{1/3})$ if
    $\mathsf{PCal}_2 = O(T^{1/3}(\log T)^{2/3})$, and $\mathsf{PSReg}^\ell \le 4\,\mathsf{PCal}_1$ of the same order.
    """
    return _root_of(Fraction(2, 3), power, Fraction(1, 3) - off)


@chapter.refutation(
    "cor:simultaneous_bounds_psreg/pcal1_rate", kind="symbolic", controls={"the power 2/3": {"correct": True}}
)
def pcal1_misprint(correct: bool = False) -> Evidence:
    """The printed power of T."""
    return misprinted("pcal-1-rate", correct=correct)


@chapter.claim(
    "cor:simultaneous_bounds_psreg/pcal2",
    "Appendix C.4, first line",
    "which KL-calibration bounds PCal_2",
    kind="symbolic",
    controls={"0.98 of the constant": {"constant": Fraction(49, 100)}},
    repair=(
        r"$\mathsf{PKLCal} \ge \mathsf{PCal}_2$, and in fact $\mathsf{PCal}_2 \le \frac12\mathsf{PKLCal}$, where "
        r"$\frac12$ is the best constant: both sides are pseudo quantities."
    ),
    severity="misprint",
    uses=("sec1:kl_bounds_cal2",),
    rows=(90,),
)
def pinsker_in_each_cell(constant: Fraction = HALF) -> Evidence:
    r"""$\mathsf{KLCal} \ge \mathsf{PCal}_2$.

    The derivative of KL - 2(rho - p)^2 in p has the sign of p - rho, and (rho - p)^2 / KL tends to 1/2 at p = 1/2.
    """
    d, log = sp.Symbol("d", positive=True), SYMBOLIC_LOSSES["log"]
    kl = log.divergence.subs({log.rho: HALF + d, log.p: HALF})
    return jointly(
        equal(
            rational(sp.limit(d**2 / kl, d, 0, "+")),
            constant,
            r"supremum of $(\rho-p)^2/\mathsf{KL}(\rho, p)$, a limit at $\frac12$",
        ),
        closed("pinsker-slope"),
        equal(Fraction(bounds.cal2_from_kl(1.0)), constant, r"`bounds.cal2_from_kl` at 1 is $\frac12$"),
        equal(bounds.cal2_from_kl(1.0, version="paper"), 1, "with the constant of the paper it is 1"),
    )


@chapter.refutation(
    "cor:simultaneous_bounds_psreg/pcal2",
    kind="exact",
    controls={"PKLCal, positive as well, in place of KLCal": {"pseudo": True}},
)
def klcal_below_pcal2(pseudo: bool = False) -> Evidence:
    """One round in which the forecast drawn is right and the mixture is not."""
    expected = ExactCells.from_rounds([{HALF: HALF, Fraction(1): HALF}], (1,))
    drawn = expected if pseudo else ExactCells.from_rounds(point_masses(Fraction(1)), (1,))
    return jointly(
        equal(drawn.calibration_error(1), 0, r"the cell drawn is calibrated, so $\mathsf{KLCal} = 0$"),
        above(expected.calibration_error(2), 0, r"$\mathsf{PCal}_2$ of one round"),
    ).against(
        r"$T = 1$, $y = 1$, forecast $\frac12$ or 1 with probability $\frac12$ each: if 1 is drawn, "
        r"$\mathsf{KLCal} = 0 < \frac18 = \mathsf{PCal}_2$"
    )
