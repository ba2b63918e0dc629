r"""Theorem 1 and Corollary 1 themselves."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb

from klcal import bounds
from klcal.claims._combinators import worst
from klcal.claims._evidence import Evidence, cases, step
from klcal.claims._ledger import Chapter
from klcal.claims.bregman.slow_loss import DISCLAIMER, EVERY_FORECASTER, outgrows
from klcal.claims.existence.dual import BETTER, SMALL
from klcal.claims.existence.printed import within
from klcal.exact.balls import ball, precision
from klcal.exact.cells import Cost, absolute_cost, kl_cost, square_cost
from klcal.exact.worst_cases import dual_worst_case

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
    proof="Chapter 4",
    steps=("eq:minmax", "new:dual-game-bound", "the rate", "sec3:log_loss"),
    uses=(
        "thm:von_neumann",
        "eq:minmax",
        "thm:log_loss_swap_reg/rate",
        "new:dual-game-bound",
        "new:dual-game-rate",
        "sec3:log_loss",
    ),
    rows=(31,),
)
def theorem_1(constant: Fraction = Fraction("3.7"), powers: tuple[Fraction, Fraction] = BETTER) -> Evidence:
    r"""For every $T \ge 2$ some algorithm has $\mathbb E[\mathsf{KLCal}] \le 3.7\,T^{1/3}(\log T)^{2/3}$ against every
    adaptive adversary, and $\mathsf{KLCal}$ is the swap regret of the log loss. As $\log T > 1$ for $T \ge 3$, this
    contains the paper's $O(T^{1/3}(\log T)^{5/3})$.
    """
    return within("sharpened", constant, powers)


# The error, what it is multiplied by, and the bound as a function of T and K.
Part = tuple[Cost, int, Callable[[arb, int], arb]]

PARTS: dict[str, Part] = {
    "KLCal": (kl_cost, 1, bounds.theorem_1),
    "Cal_2": (square_cost, 1, lambda T, K: bounds.proposition_3_from_kl(2, bounds.theorem_1(T, K))),
    "Cal_1": (absolute_cost, 4, bounds.corollary_1),
}


@chapter.claim(
    "cor:simutaneous_bounds_msr",
    "Corollary 1",
    "many losses at once, in expectation",
    kind="exact",
    scope=cases(
        "K = 2, 3, 4, 5, T <= 80, 12, 6, 4, all adversaries of the dual game, the Euclid-nearest point"
    ),
    controls={"0.92 of the bounds": {"share": Fraction(92, 100)}},
    proof="Appendix B.3; Chapter 4",
    steps=(
        "thm:log_loss_swap_reg",
        "prop:bound_breg_div_quadratically/kl",
        "prop:breg_div_decomposable",
        "appB:swap_regret_below_4_cal1",
        "sec1:cal1_below_cal2",
    ),
    repair=(
        r"Let $B = (K-1)\log(1 + \frac T{K-1}) - 2T\log\cos\frac\pi{2K}$. Some algorithm has at the same time, against "
        r"every adaptive adversary, $\mathbb E[\mathsf{KLCal}] \le B$; $\mathbb E[\mathsf{Msr}_{\mathcal L_G}] \le "
        r"\frac G4B$ for every $G > 0$; $\mathbb E[\mathsf{SReg}^\ell] \le c_\ell B$ for every single loss with "
        r"$c_\ell = \sup_p p(1-p)|\ell''(p)| < \infty$; and $\mathbb E[\mathsf{Msr}_{\mathcal L}] \le 4\sqrt{TB/2}$ "
        r"for all proper losses in $[-1, 1]$ together. "
    )
    + DISCLAIMER,
    severity="statement",
    uses=(
        "thm:log_loss_swap_reg",
        "prop:bound_breg_div_quadratically/kl",
        "sec1:for_each_loss_in_L_2",
        "cor:simutaneous_bounds_msr/cal1_rate",
        "cor:simutaneous_bounds_msr/explicit",
        "appB:swap_regret_below_4_cal1",
    ),
    rows=(56,),
)
def worst_cases(share: Fraction = Fraction(1)) -> Evidence:
    r"""One algorithm has $\mathbb E[\mathsf{KLCal}] = O(R)$, $\mathbb E[\mathsf{Msr}_{\mathcal L_G}] = O(GR)$ and
    $\mathbb E[\mathsf{Msr}_{\mathcal L_2}] = O(R)$ with $R = T^{1/3}(\log T)^{5/3}$, and
    $\mathbb E[\mathsf{Msr}] = O(T^{2/3}(\log T)^{5/6})$ over the other proper losses in $[-1, 1]$.
    """

    def ratio(case: tuple[str, int, int]) -> arb:
        name, K, T = case
        cost, factor, bound = PARTS[name]
        return factor * dual_worst_case("inner", K, T, "euclid", cost) / bound(ball(T), K)

    games = [(name, K, T) for name in PARTS for K, rounds in SMALL.items() for T in rounds]
    with precision(128):
        return worst(
            r"largest worst case of $\mathsf{KLCal}$, of $\mathsf{Cal}_2$ for $\mathsf{Msr}$ at $G = 2$, and of "
            r"$4\,\mathsf{Cal}_1$ for $\mathsf{Msr}_{\mathcal L}$, each over its bound, by backward induction in balls",
            games,
            ratio,
            ball(share),
        )


@chapter.refutation(
    "cor:simutaneous_bounds_msr",
    kind="symbolic",
    controls={r"the rate $\sqrt T$ in place of $R$": {"power": Fraction(1, 2), "log_power": 0}},
)
def one_loss_refutes_the_rate(
    power: Fraction = Fraction(1, 3), log_power: Fraction | int = Fraction(5, 3)
) -> Evidence:
    """One fixed loss in L_2 has more regret than every multiple of the rate."""
    return outgrows(power, log_power).against(EVERY_FORECASTER)
