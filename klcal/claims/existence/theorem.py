r"""Theorem 1 and Corollary 1 themselves."""

from __future__ import annotations

from fractions import Fraction

from klcal.claims._evidence import Evidence, step
from klcal.claims._ledger import Chapter
from klcal.claims.bregman.slow_loss import DISCLAIMER, EVERY_FORECASTER, outgrows
from klcal.claims.existence.dual import BETTER
from klcal.claims.existence.printed import within

chapter = Chapter("04_existence")


@chapter.claim(
    "thm:log_loss_swap_reg",
    "Theorem 1",
    "small KL-calibration exists",
    kind="certified",
    scope=step("the rate"),
    controls={
        "3.27, just below the best constant 3.2743 at $T = 26$": {"constant": Fraction("3.27")},
        "exponent of the logarithm smaller by 1/20": {"powers": (Fraction(1, 3), Fraction(37, 60))},
    },
    steps=("eq:minmax", "new:dual-game-bound", "the rate", "sec3:log_loss"),
    uses=("thm:von_neumann", "thm:log_loss_swap_reg/rate", "new:dual-game-rate"),
    rows=(31,),
)
def theorem_1(constant: Fraction = Fraction("3.7"), powers: tuple[Fraction, Fraction] = BETTER) -> Evidence:
    r"""For every $T \ge 2$ some algorithm has $\mathbb E[\mathsf{KLCal}] \le 3.7\,T^{1/3}(\log T)^{2/3}$ against every
    adaptive adversary, and $\mathsf{KLCal}$ is the swap regret of the log loss. As $\log T > 1$ for $T \ge 3$, this
    contains the paper's $O(T^{1/3}(\log T)^{5/3})$.
    """
    return within("sharpened", constant, powers)


chapter.statement(
    "cor:simutaneous_bounds_msr",
    "Corollary 1",
    "many losses at once, in expectation",
    r"One algorithm has $\mathbb E[\mathsf{KLCal}] = O(R)$, $\mathbb E[\mathsf{Msr}_{\mathcal L_G}] = O(GR)$ "
    r"and $\mathbb E[\mathsf{Msr}_{\mathcal L_2}] = O(R)$ with $R = T^{1/3}(\log T)^{5/3}$, and $\mathbb "
    r"E[\mathsf{Msr}] = O(T^{2/3}(\log T)^{5/6})$ over the other proper losses in $[-1, 1]$.",
    proof="Appendix B.3; Chapter 4",
    steps=(
        "thm:log_loss_swap_reg",
        "prop:bound_breg_div_quadratically/kl",
        "prop:breg_div_decomposable",
        "appB:swap_regret_below_4_cal1",
        "sec1:cal1_below_cal2",
    ),
    repair=(
        r"Let $R = T^{1/3}(\log T)^{2/3}$ and $T \ge 2$. Some algorithm has at the same time, against every adaptive "
        r"adversary, $\mathbb E[\mathsf{KLCal}] \le 3.7R$; $\mathbb E[\mathsf{Msr}_{\mathcal L_G}] \le 0.925\,GR$ for "
        r"every $G > 0$; $\mathbb E[\mathsf{SReg}^\ell] \le 3.7\,c_\ell R$ for every single proper loss with $c_\ell = "
        r"\sup_p p(1-p)|\ell''(p)| < \infty$; and $\mathbb E[\mathsf{Msr}_{\mathcal L}] \le "
        r"5.5\,T^{2/3}(\log T)^{1/3}$ for all proper losses in $[-1, 1]$ together. "
    )
    + DISCLAIMER,
    severity="statement",
    uses=(
        "sec1:for_each_loss_in_L_2",
        "cor:simutaneous_bounds_msr/cal1_rate",
        "cor:simutaneous_bounds_msr/explicit",
    ),
    rows=(56,),
)


@chapter.refutation(
    "cor:simutaneous_bounds_msr",
    kind="symbolic",
    scope=step("the limit, given the lower bound of new:slow_loss"),
    controls={r"the rate $\sqrt T$ in place of $R$": {"power": Fraction(1, 2), "log_power": 0}},
)
def one_loss_refutes_the_rate(
    power: Fraction = Fraction(1, 3), log_power: Fraction | int = Fraction(5, 3)
) -> Evidence:
    """One fixed loss in L_2 has more regret than every multiple of the rate."""
    return outgrows(power, log_power).against(EVERY_FORECASTER)
