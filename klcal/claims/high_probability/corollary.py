r"""Corollary 3: Cal_2 of Algorithm 1's draws, and the losses with a smooth univariate form."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb

from klcal import bounds
from klcal.bounds.rates import real_resolution
from klcal.claims._combinators import at_most, jointly
from klcal.claims._evidence import Evidence, step
from klcal.claims._ledger import Chapter
from klcal.exact.balls import precision
from klcal.exact.certificates import largest_ratio

chapter = Chapter("07_high_probability")


@chapter.claim(
    "cor:cal_2_hp_bound",
    "Corollary 3",
    "Cal_2 of Algorithm 1, and all losses with a smooth univariate form",
    kind="certified",
    scope=step("the rate"),
    controls={
        "exponent of $T$ smaller by 1/20": {"power": Fraction(17, 60)},
        "118 in place of 119": {"oblivious": 118},
        "190 in place of 191": {"adaptive": 190},
    },
    proof="Appendix D; Chapter 7",
    steps=(
        "thm:high_prob_bound",
        "pinsker",
        "thm:bound_pkcal",
        "the rate",
        "prop:bound_breg_div_quadratically/sharp",
    ),
    uses=("cor:cal_2_hp_bound/explicit", "prop:bound_breg_div_quadratically"),
    rows=(100,),
)
def rate_for_all_delta(
    oblivious: int = 119, adaptive: int = 191, power: Fraction = Fraction(1, 3)
) -> Evidence:
    r"""Let $K \ge 2$, $0 < \delta \le 1$, $\kappa = e - 2$ and $J = \lceil\frac12\log_2T\rceil$. With probability at
    least $1 - \delta$ Algorithm 1 has $\mathsf{Cal}_2 \le \frac32\,\mathsf{PKLCal} +
    24\kappa(K+1)\log\frac{3(K+1)}\delta$ for oblivious outcomes, and $\mathsf{Cal}_2 \le \frac32\,\mathsf{PKLCal} +
    27\kappa(K+1)\log\frac{4(K+1)(1+J)}\delta$ against every adaptive adversary. Then the swap regret of every bounded
    proper loss with $|\ell''| \le G$ is at most $\frac G2\mathsf{Cal}_2$. At $K = \max(2, \lceil(T/\log
    T)^{1/3}\rceil)$ the two bounds are at most 119 and 191 times $T^{1/3}(\log T)^{-1/3}\log\frac T\delta$ for every $T
    \ge 2$.

    Both have the form a + b log(1/delta), and the rate is r(log T + log(1/delta)); so the quotient lies between those
    at delta = 1 and for delta to 0, which are a/(r log T) and b/r. In the adaptive one 1 + J <= T is used.
    """

    def rate(T: Any) -> Any:
        return T**power / T.log() ** Fraction(1, 3)

    def per_point(K: Any) -> Any:
        return 27 * (arb(1).exp() - 2) * (K + 1)

    def adaptively(T: Any, K: Any) -> Any:
        return bounds.theorem_2(T, K) * 1.5 + per_point(K) * (4 * (K + 1) * T).log()

    def largest(quotient: Any, constant: int) -> float:
        return largest_ratio(quotient, real_resolution, below=constant).upper

    with precision(64):
        return jointly(
            at_most(
                largest(lambda T, K: bounds.corollary_3(T, K, 1) / (rate(T) * T.log()), oblivious),
                oblivious,
                r"the bound for oblivious outcomes over the rate, $\delta = 1$, for all $T \ge 2$, in balls",
            ),
            at_most(
                largest(lambda T, K: adaptively(T, K) / (rate(T) * T.log()), adaptive),
                adaptive,
                r"the bound for adaptive outcomes over the rate, $\delta = 1$, for all $T \ge 2$, in balls",
            ),
            at_most(
                largest(lambda T, K: per_point(K) / rate(T), 42), 42, r"both for $\delta \to 0$, in balls"
            ),
        )
