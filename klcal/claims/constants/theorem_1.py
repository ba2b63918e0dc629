r"""Section 4 and Appendix B: where the constants of Theorem 1 and Corollary 1 come from."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import sympy as sp
from flint import arb

from klcal import bounds
from klcal.bounds.rates import real_resolution
from klcal.claims._combinators import at_least, at_most, closed, jointly, misprinted, vanishing, worst
from klcal.claims._evidence import WHOLE, Evidence, cases, step
from klcal.claims._ledger import Chapter
from klcal.claims.constants.formulas import (
    DELTAS,
    GAMES,
    RESOLUTIONS,
    full_error,
    integer,
    learning,
    printed_equation_8,
    printed_theorem_1,
    recompute,
    sharpened_theorem_1,
)
from klcal.claims.grids.formulas import theta
from klcal.exact.arithmetic import maximum
from klcal.exact.balls import ball
from klcal.exact.certificates import largest_ratio
from klcal.exact.grids import borders, inner_grid, variance
from klcal.exact.learners import best_probability, sequence_probability

chapter = Chapter("constants")


# ----- Equation 6 ----------------------------------------------------------------------------------------------


@chapter.claim(
    "eq:hp_bound_sum_X/explicit",
    "Equation 6",
    "the deviation of one cell",
    kind="symbolic",
    scope=step("the best rate"),
    controls={"0.99 of both remainders": {"factor": Fraction(99, 100)}},
    proof="Appendix B.1",
    steps=("the variance of a round", "lem:discretization/a", "the best rate"),
    uses=("lem:Freedman/scalar",),
    rows=(38, 39, 40),
)
def best_rate(factor: Fraction | int = 1) -> Evidence:
    r"""Let $L = \log\frac2\delta$. The variances of $n$ rounds whose means are nearest to $z$ add up to at most
    $V = n(z(1-z) + \frac\pi{2K})$, and the smallest $\mu V + L/\mu$ over $\mu \in (0, 1]$ is at most
    $2\sqrt L\max(\sqrt V, \sqrt L)$. (The probability is that of eq:hp_bound_sum_X.)

    At mu = sqrt(L/V) if V >= L; at mu = 1 otherwise, where V + L <= 2L. The paper admits mu = 0, which has no value.
    """
    return closed("freedman-optimum", "freedman-capped", factor=factor)


@chapter.evidence(
    "eq:hp_bound_sum_X/explicit",
    kind="symbolic",
    scope=step("the variance of a round"),
    controls={"0.99 of the right side": {"factor": Fraction(99, 100)}},
)
def variance_of_a_round(factor: Fraction | int = 1) -> Evidence:
    """The last factor has absolute value at most 1, and Lemma 6 (a) bounds the other one by pi/2K."""
    return closed("variance-decomposition", factor=factor)


def _deviation(n: arb, z: arb, K: arb, delta: arb) -> arb:
    V, L = n * (variance(z) + theta(K)), (2 / delta).log()
    return 2 * (L if V < L else (L * V).sqrt())


recompute(
    "eq:hp_bound_sum_X/explicit",
    ("deviation", _deviation, list(product((0, 1, 30.5, 10**4), (0.5, 0.015), RESOLUTIONS, DELTAS))),
)


# ----- Theorem 1 as printed ------------------------------------------------------------------------------------


@chapter.claim(
    "thm:log_loss_swap_reg/terms",
    "Theorem 1, Terms I and II",
    "what one cell contributes",
    kind="symbolic",
    controls={
        r"$0.99\sqrt a$ in place of $\sqrt a$": {"root": Fraction(99, 100)},
        r"the first case from $0.99L$ on": {"threshold": Fraction(99, 100)},
    },
    proof="Appendix B.1",
    uses=("eq:hp_bound_sum_X/explicit",),
    rows=(43, 45),
)
def two_terms(root: Fraction = Fraction(1), threshold: Fraction = Fraction(1)) -> Evidence:
    r"""A cell with $n$ rounds, $v = z(1-z)$ and a deviation within Equation 6 adds, beyond its gap,
    $8L(1 + \frac\pi{2K}/v)$ if $nv + n\frac\pi{2K} \ge L$, and otherwise at most
    $\min(nR, 8L^2/(nv)) \le L\sqrt{8R/v}$, $R$ the largest loss.

    The paper has min(x, a/x) <= sqrt(a) for all real x; x = 0 must be excluded, and for x < 0 there is nothing to show.
    """
    n, v, L, s, x, d = sp.symbols("n v L s x d", positive=True)
    many = 2 * n / v * (2 * sp.sqrt(L * n * s) / n) ** 2 - 8 * L * s / v
    few = 2 * n / v * (2 * L / n) ** 2 - 8 * L**2 / (n * v)
    return jointly(
        vanishing(
            r"$\frac{2n}v$ times the squared deviation over $n^2$: $8Ls/v$, $s = v + \frac\pi{2K}$, or $8L^2/(nv)$",
            [many, few],
        ),
        at_least(
            Fraction(str(sp.simplify((L * sp.Rational(threshold) * L - L**2) / L**2))),
            0,
            r"$(LV - L^2)/L^2$ where the first case begins, at $V = nv + n\frac\pi{2K} = L$: from there on $\sqrt{LV}$ "
            "is the larger deviation",
        ),
        vanishing(
            r"two factors $x$ and $x + d$ of $a$: $a - x^2 = xd \ge 0$, so the smaller one is at most $\sqrt a$",
            [x * (x + d) - x**2 - x * d],
        ),
        at_most(
            Fraction(str((sp.Min(x, v / x) / sp.sqrt(v)).subs(x, sp.sqrt(v)))),
            root,
            r"$\min(x, a/x)/\sqrt a$ where it is largest, at $x = \sqrt a$",
        ),
    )


chapter.statement(
    "eq:bound_sreg_minimax/explicit",
    "Equation 8",
    "Theorem 1's bound before the expectation",
    r"On the event of Equation 6 the paper's forecaster in the dual game has "
    r"$\mathsf{KLCal} \le 2bT + 8L(\frac\pi{2K}c + K - 1) + L\sqrt{8R}\,d$, with the displays $b$, $c$, $d$ behind "
    r"Lemma 6, $L = \log\frac2\delta$ and $R = -2\log\sin\frac\pi{2K}$.",
    proof="Appendix B.1",
    steps=(
        "thm:log_loss_swap_reg/chi-square",
        "eq:hp_bound_sum_X/explicit",
        "thm:log_loss_swap_reg/terms",
        "lem:discretization/b",
        "lem:discretization/c-display",
        "lem:discretization/d-display",
        "eq:range_log_loss",
    ),
    rows=(46,),
)
recompute(
    "eq:bound_sreg_minimax/explicit",
    (
        "theorem_1_high_probability",
        lambda T, K, delta: printed_equation_8(T, K, (2 / delta).log()),
        [(*game, delta) for game in GAMES for delta in DELTAS],
    ),
)


chapter.statement(
    "thm:log_loss_swap_reg/explicit",
    "Theorem 1, constants",
    "the paper's bound on E[KLCal]",
    r"$\mathbb E[\mathsf{KLCal}]$ is at most Equation 8 at $\delta = T^{-2}$ plus the failure probability $KT\delta$ "
    r"times the largest possible $TR$. The paper takes $K = T^{1/3}/(\log T)^{5/6}$, here rounded up and at least 2; "
    r"both parts are then of order $T^{1/3}(\log T)^{5/3}$ (thm:log_loss_swap_reg/rate).",
    proof="Appendix B.1",
    steps=("eq:bound_sreg_minimax/explicit", "eq:range_log_loss", "thm:log_loss_swap_reg/delta"),
    rows=(46,),
)
recompute("thm:log_loss_swap_reg/explicit", ("theorem_1", printed_theorem_1, GAMES, ["paper"]))


@chapter.claim(
    "thm:log_loss_swap_reg/delta",
    "Theorem 1, Step III",
    "the failure probability",
    kind="symbolic",
    controls={r"$\delta = T^{-1.95}$": {"power": Fraction("1.95")}},
    repair=r"$\delta = T^{-2}$, as the appendix has it: then the failure term $(K\log K)\,T^2\delta$ is $K\log K$.",
    severity="misprint",
    uses=("eq:range_log_loss",),
    rows=(34,),
)
def failure_term_vanishes(power: Fraction | int = 2) -> Evidence:
    r"""The sketch of the proof: the bound on the expectation follows with $\delta = \frac1T$."""
    T = sp.Symbol("T", positive=True)
    return vanishing(r"$T^2\delta = 1$ at $\delta = T^{-2}$", [T**2 * T ** -sp.Rational(power) - 1])


@chapter.refutation(
    "thm:log_loss_swap_reg/delta",
    kind="certified",
    scope=WHOLE,
    controls={"against 2.01 times as much": {"share": Fraction("2.01")}},
)
def failure_term_swallows(share: Fraction | int = 1) -> Evidence:
    """With 1/T the failure term K T R alone exceeds what always forecasting 1/2 costs at most, for every K."""
    # The resolution plays the part of the horizon: any integer from 2 on.
    smallest = largest_ratio(
        lambda K, _: ball(share) * arb(2).log() / (K * bounds.log_loss_range(K)), real_resolution, below=1
    )
    return jointly(
        at_most(
            smallest.upper,
            1,
            r"$T\log2$ over the failure term $KTR$ at $\delta = \frac1T$, for all $K \ge 2$",
        ),
        misprinted("failure-probability"),
    ).against(
        r"$\delta = \frac1T$, any $K \ge 2$: the failure term is at least $2T\log2$, and the forecast $\frac12$ in "
        r"every round costs at most $T\log2$"
    )


# ----- Theorem 1, sharpened ------------------------------------------------------------------------------------


@chapter.claim(
    "new:laplace-in-buckets",
    "new",
    "Laplace's rule inside a bucket",
    kind="symbolic",
    scope=step("the product of the forecasts"),
    controls={"$n + 1.99$ in place of $n + 2$": {"shift": Fraction("1.99")}},
    proof="Chapter 4",
    steps=("the product of the forecasts", "one term of the binomial theorem"),
    credit="textbook: Cesa-Bianchi and Lugosi 2006, Chapter 9",
)
def laplace_product(shift: Fraction | int = 2) -> Evidence:
    r"""On a bucket with $n$ outcomes Laplace's rule loses at most $\log(n+1)$ more than the best constant, with
    equality for constant outcomes; so
    $\mathsf{KLCal} \le \sum_i\log(1+n_i) + \sum_t(\ell(z_{i_t}, y_t) - \ell(m_t, y_t))$, $m_t$ Laplace's
    forecast in the bucket of round $t$.

    Its probability for k ones of n, in any order, is 1/((n+1) C(n, k)), by induction over rounds; the best constant has
    (k/n)^k ((n-k)/n)^(n-k), and C(n, k) k^k (n-k)^(n-k) is one term of (k + (n-k))^n.
    """
    zeros, ones = sp.symbols("a b", positive=True, integer=True)

    def probability(a: Any, b: Any) -> Any:
        return sp.gamma(a + 1) * sp.gamma(b + 1) / sp.gamma(a + b + 2)

    forecast = (ones + 1) / (zeros + ones + sp.Rational(shift))
    return vanishing(
        r"$\frac{a!\,b!}{(a+b+1)!}$ is 1 at the start, and the next outcome multiplies it by its forecast",
        [
            sp.gammasimp(probability(zeros, ones + 1) / probability(zeros, ones)) - forecast,
            probability(sp.Integer(0), sp.Integer(0)) - 1,
        ],
    )


@chapter.evidence(
    "new:laplace-in-buckets",
    kind="exact",
    scope=cases("all counts up to n = 40"),
    controls={r"$\log(n + 0.99)$ in place of $\log(n+1)$": {"extra": Fraction(99, 100)}},
)
def laplace_regret(extra: Fraction | int = 1) -> Evidence:
    """The probabilities that the package's exact room computes."""
    counts = [(n - k, k) for n in range(1, 41) for k in range(n + 1)]
    return worst(
        "$e^{\\text{regret}}/(n+1)$ as a fraction",
        counts,
        lambda pair: best_probability(*pair) / (sequence_probability(*pair) * (sum(pair) + extra)),
        1,
    )


chapter.statement(
    "new:theorem-1-sharpened",
    "Theorem 1, sharpened",
    "better exponent on either grid",
    r"Some algorithm has $\mathbb E[\mathsf{KLCal}] \le m\log(1 + \frac Tm) + Te$, $m$ the number of grid points and "
    r"$e$ the largest $\mathsf{KL}$ from a number to the point that is played for it: the nearest one in the sense of "
    r"$\mathsf{KL}$ on either grid ($e = -2\log\cos\frac\pi{2K}$ on the inner one, where $m = K - 1$), or of the "
    "distance.",
    proof="Chapter 4",
    steps=(
        "new:laplace-in-buckets",
        "new:nearest-answers",
        "new:comparator-log-secant",
        "new:comparator-constant",
        "thm:log_loss_swap_reg/chi-square",
        "eq:minmax",
    ),
)


def _by_distance(T: arb, K: arb, **_: str) -> Any:
    points = inner_grid(integer(K))
    ends = pairwise(borders(points, "euclid"))
    chi = maximum([(x - z) ** 2 / variance(z) for z, pair in zip(points, ends, strict=True) for x in pair])
    return learning(T, K - 1) + T * (1 + chi).log()


recompute(
    "new:theorem-1-sharpened",
    ("theorem_1", sharpened_theorem_1, GAMES, ["sharpened"]),
    ("theorem_1_nearest", _by_distance, GAMES, ["sharpened"]),
    (
        "theorem_1_full_grid",
        lambda T, K, version: learning(T, K + 1) + T * full_error(K, version),
        GAMES,
        ["sharpened", "best"],
    ),
)


# ----- Corollary 1 ---------------------------------------------------------------------------------------------


chapter.statement(
    "cor:simutaneous_bounds_msr/explicit",
    "Corollary 1, fourth bound",
    "all bounded proper losses, in expectation",
    r"For all proper losses in $[-1, 1]$ at once $\mathbb E[\mathsf{SReg}] \le 4\sqrt{T\,\mathbb E[\mathsf{Cal}_2]}$ "
    r"with $\mathsf{Cal}_2 \le \mathsf{KLCal}$ in print and $\frac12\mathsf{KLCal}$ sharpened, $\mathsf{KLCal}$ "
    r"bounded by Theorem 1; of order $T^{2/3}(\log T)^{5/6}$ in print (cor:simutaneous_bounds_msr has the rates).",
    proof="Appendix B.2",
    steps=("thm:log_loss_swap_reg", "pinsker", "appB:swap_regret_below_4_cal1", "sec1:cal1_below_cal2"),
    uses=("thm:log_loss_swap_reg/explicit", "new:theorem-1-sharpened"),
    rows=(58,),
)
recompute(
    "cor:simutaneous_bounds_msr/explicit",
    ("corollary_1", lambda T, K, **_: 4 * (T * sharpened_theorem_1(T, K) / 2).sqrt(), GAMES, ["sharpened"]),
    ("corollary_1", lambda T, K, **_: 4 * (T * printed_theorem_1(T, K)).sqrt(), GAMES, ["paper"]),
)
