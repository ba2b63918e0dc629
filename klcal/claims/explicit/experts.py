r"""Theorem B, the pair algorithm that bets with a few experts per bucket: log log T in place of log T."""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from typing import Any

import sympy as sp
from flint import arb

from klcal import bounds
from klcal.claims._combinators import above, below, equal, jointly, recomputed, vanishing
from klcal.claims._evidence import FORMULA, Evidence, cases
from klcal.claims._ledger import Chapter
from klcal.exact.balls import ball
from klcal.exact.growth import horizons

chapter = Chapter("08_explicit_algorithms")


@chapter.claim(
    "new:pair-experts/gain",
    "Theorem B, step 1",
    "gains of the experts",
    kind="symbolic",
    controls={"1.01 times the printed gains": {"scale": Fraction(101, 100)}},
)
def gains(scale: Fraction = Fraction(1)) -> Evidence:
    r"""The relative gain of a bucket is at most $s(y-u)$ if $s = U-D \ge 0$ and $|s|(l-y)$ if $s \le 0$; two neighbours
    with $p\,s_i = (1-p)|s_{i+1}|$ gain nothing on average, whatever $y$.
    """
    u, low, h, U, D, s, r, m = sp.symbols("u l h U D s r m", positive=True)
    up, down, factor = u + (1 - u) * h, low * (1 - h), sp.Rational(scale)
    p = r / (s + r)
    parts = [
        up / u - 1 - factor * h * (1 - u) / u,
        (1 - up) / (1 - u) - 1 + factor * h,
        down / low - 1 + factor * h,
        (1 - down) / (1 - low) - 1 - factor * h * low / (1 - low),
    ]
    for y in (0, 1):
        gain = U * (y - u) - D * (y - low)
        parts += [
            gain - (U - D) * (y - u) + D * (u - low),
            gain - (U - D) * (y - low) + U * (u - low),
            p * s * (y - m) + (1 - p) * r * (m - y),
        ]
    return vanishing("the gains of both kinds of experts, of a bucket and of a pair", parts)


chapter.statement(
    "new:pair-experts/count",
    "Theorem B, step 2",
    "a bucket has few experts",
    r"If $K^2 \le T$, each bucket has at most $3+\log_2T$ experts.",
    proof="Chapter 8",
)


chapter.statement(
    "new:pair-experts/lemma",
    "Theorem B, step 3",
    "wealth of a bucket",
    r"The average wealth of a bucket's experts after $n \le T$ rounds, $K^2 \le T$, has $\log W \ge "
    r"\frac12n\min_{m\in C}\mathsf{KL}(\rho, m)-\frac12-\log(3+\log_2T)$.",
    steps=("new:pair-experts/count", "thm:log_loss_swap_reg/chi-square"),
    uses=("new:pair-experts/gain",),
)


@chapter.claim(
    "new:pair-experts",
    "Theorem B",
    "log log T in place of log T",
    kind="exact",
    scope=FORMULA,
    controls={r"3.99 in place of 4 before $\log\frac1\delta$": {"tail": Fraction(399, 100)}},
    steps=("new:pair-experts/gain", "new:ville", "new:pair-experts/lemma", "new:pair/cell-to-point"),
)
def right_side(tail: Fraction = Fraction(4)) -> Evidence:
    r"""Let $K \ge 2$ and $K^2 \le T$. Against every adaptive adversary, with probability at least $1-\delta$, for all
    $t \le T$ at once, the pair algorithm with experts has $\mathsf{KLCal}_t \le
    4(K-1)\bigl(\frac12+\log(3+\log_2T)\bigr)+2t\log\sec\frac\pi{2K}+4\log\frac1\delta$, and
    $\mathbb E[\mathsf{KLCal}_T]$ is at most that at $t = T$ without the last term.
    """

    def formula(T: arb, K: arb, delta: arb) -> arb:
        bets = 2 * (K - 1) * (1 + 2 * (3 + T.max(K * K).log() / arb(2).log()).log())
        return bets - 2 * T * (arb.pi() / (2 * K)).cos().log() - ball(tail) * delta.log()

    games = [(1, 2), (9, 3), (Fraction(70, 3), Fraction(18, 5)), (10**6, 42), (5, 9)]
    deltas = (1, Fraction(1, 20), Fraction(1, 10**9))
    return recomputed("pair_experts", formula, [(*game, delta) for game in games for delta in deltas])


@chapter.evidence(
    "new:pair-experts",
    kind="certified",
    scope=cases("the exponents, for all T from 10^12 on"),
    controls={r"$K$ larger by a factor $(\log\log T)^{1/20}$": {"more": Fraction(1, 20)}},
)
def rate(more: Fraction = Fraction(0)) -> Evidence:
    r"""At $K = (T/\log\log T)^{1/3}$ the bound is of order $T^{1/3}(\log\log T)^{2/3}$."""
    T = horizons(10**12)
    K = (T / T.log().log()).root(3) * T.log().log() ** more
    powers = bounds.pair_experts(T, K).powers
    wanted = Fraction(1, 3), Fraction(0), Fraction(2, 3)
    off = max(abs(p - q) for p, q in zip(powers, wanted, strict=True))
    return equal(off, 0, r"powers of $T$, $\log T$, $\log\log T$ at this $K$, against 1/3, 0, 2/3")


@chapter.evidence(
    "new:pair-experts",
    kind="exact",
    scope=cases("T = 2 * 10^9 and 3 * 10^9"),
    controls={r"$T = 2.3\cdot10^9$ in place of $2\cdot10^9$": {"early": 23 * 10**8}},
)
def crossing(early: int = 2 * 10**9) -> Evidence:
    """At the best K the bound is below that of Theorem A at 3 * 10^9 rounds, and not at 2 * 10^9."""
    quotients = [_best(T, bounds.pair_experts) / _best(T, bounds.pair) for T in (early, 3 * 10**9)]
    return jointly(
        above(quotients[0], 1, r"quotient of the two bounds at $T = 2\cdot10^9$, each at its best $K$"),
        below(quotients[1], 1, r"the same at $T = 3\cdot10^9$"),
    )


def _best(T: int, bound: Any) -> arb:
    """Return the least value of a bound over all K; what it costs without the grid grows with K and ends the search."""
    best = arb("inf")
    for K in count(2):
        value = bound(arb(T), K)
        if value + 2 * T * (arb.pi() / (2 * K)).cos().log() > best:
            return best
        best = best.min(value)
    return best
