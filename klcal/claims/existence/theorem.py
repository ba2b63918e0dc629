r"""Theorem 1 and Corollary 1 themselves."""

from __future__ import annotations

from fractions import Fraction

from klcal.claims._ledger import Chapter
from klcal.claims.bregman.slow_loss import DISCLAIMER, GIVEN_THE_LOWER_BOUND, slow_loss_refutes_the_rate

chapter = Chapter("04_existence")


chapter.statement(
    "thm:log_loss_swap_reg",
    "Theorem 1",
    "small KL-calibration exists",
    r"For every $T \ge 2$ some algorithm has $\mathbb E[\mathsf{KLCal}] \le 3.7\,T^{1/3}(\log T)^{2/3}$ against every "
    r"adaptive adversary, and $\mathsf{KLCal}$ is the swap regret of the log loss. As $\log T > 1$ for $T \ge 3$, this "
    r"contains the paper's $O(T^{1/3}(\log T)^{5/3})$.",
    steps=("eq:minmax", "new:dual-game-bound", "new:dual-game-rate", "sec3:log_loss"),
    uses=("thm:von_neumann", "thm:log_loss_swap_reg/rate"),
    rows=(31,),
)


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


chapter.refutation(
    "cor:simutaneous_bounds_msr",
    kind="symbolic",
    scope=GIVEN_THE_LOWER_BOUND,
    controls={r"the rate $\sqrt T$ in place of $R$": {"power": Fraction(1, 2), "log_power": 0}},
)(slow_loss_refutes_the_rate)
