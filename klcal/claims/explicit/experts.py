r"""Theorem B, the pair algorithm that bets with a few experts per bucket: log log T in place of log T."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import count, pairwise
from typing import Any

import sympy as sp
from flint import arb

from klcal import bounds
from klcal.claims._combinators import (
    above,
    below,
    equal,
    jointly,
    recomputed,
    smallest,
    vanishing,
)
from klcal.claims._evidence import FORMULA, Evidence, cases
from klcal.claims._ledger import Chapter
from klcal.exact.arithmetic import minimum
from klcal.exact.balls import ball, precision
from klcal.exact.cells import divergence
from klcal.exact.grids import borders, inner_grid
from klcal.exact.growth import horizons

chapter = Chapter("08_explicit_algorithms")

BITS = 128


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


def _upward(u: Any, T: int) -> int:
    """Return how many experts look upwards from u: the least J >= 0 with 4^J u >= T (1 - u)."""
    return next(J for J in count() if 4**J * ball(u) >= T * (1 - ball(u)))


def _experts(low: Any, high: Any, T: int) -> list[tuple[arb, arb]]:
    """Return the factors (for y = 0 and y = 1) of all experts of the cell [low, high]; the first keeps its cash."""
    left, right = ball(low), ball(high)
    up = [(right + (1 - right) / 2**j, right) for j in range(1, _upward(right, T) + 1)]
    down = [(left - left / 2**j, left) for j in range(1, _upward(1 - left, T) + 1)]
    factors = [((1 - eta) / (1 - end), eta / end) for eta, end in up + down]
    return [(arb(1), arb(1)), *factors]


def _room(T: int) -> arb:
    """Return 3 + log2 T."""
    return 3 + ball(T).log() / arb(2).log()


@chapter.claim(
    "new:pair-experts/count",
    "Theorem B, step 2",
    "a bucket has few experts",
    kind="exact",
    scope=cases("all cells at K = 2, 3, 4, 5, 7, 12, 24 and five horizons each"),
    controls={"2.5 in place of 3": {"spare": Fraction(1, 2)}},
    proof="Chapter 8",
)
def few_experts(spare: Fraction = Fraction(0)) -> Evidence:
    r"""If $K^2 \le T$, each bucket has at most $3+\log_2T$ experts."""

    def left(case: tuple[int, int]) -> arb:
        K, T = case
        cells = pairwise(borders(inner_grid(K), "chi-square"))
        return ball(minimum(_room(T) - ball(spare) - len(_experts(*cell, T)) for cell in cells))

    games = [
        (K, T) for K in (2, 3, 4, 5, 7, 12, 24) for T in (max(4, K * K), K * K + 1, 10 * K * K, 10**6, 10**12)
    ]
    with precision(BITS):
        return smallest("room minus the number of experts, over all cells", games, left, 0)


@chapter.claim(
    "new:pair-experts/lemma",
    "Theorem B, step 3",
    "wealth of a bucket",
    kind="exact",
    scope=cases("T = 25, all counts, all cells of K = 2, ..., 5"),
    controls={"0.64 in place of 1/2": {"share": Fraction(64, 100)}},
    proof="Chapter 8",
    steps=("new:pair-experts/count", "thm:log_loss_swap_reg/chi-square"),
    uses=("new:pair-experts/gain", "new:pair-experts/count", "thm:log_loss_swap_reg/chi-square"),
)
def expert_lemma(share: Fraction = Fraction(1, 2)) -> Evidence:
    r"""The average wealth of a bucket's experts after $n \le T$ rounds, $K^2 \le T$, has
    $\log W \ge \frac12n\min_{m\in C}\mathrm{KL}(\rho, m)-\frac12-\log(3+\log_2T)$.
    """
    T = 25

    def surplus(case: tuple[arb, arb, int, int]) -> arb:
        low, high, n, k = case
        factors = _experts(low, high, T)
        mean = sum((miss ** (n - k) * hit**k for miss, hit in factors), arb(0)) / len(factors)
        away = divergence(Fraction(k, n), ball(Fraction(k, n)).max(ball(low)).min(ball(high)))
        return mean.log() - ball(share) * n * away + ball(Fraction(1, 2)) + _room(T).log()

    def every() -> Iterator[tuple[arb, arb, int, int]]:
        for K in (2, 3, 4, 5):
            for low, high in list(pairwise(borders(inner_grid(K), "chi-square")))[: K // 2]:
                yield from ((low, high, n, k) for n in range(1, T + 1) for k in range(n + 1))

    with precision(BITS):
        return smallest("logarithm of the mean wealth minus what is promised", every(), surplus, 0)


@chapter.claim(
    "new:pair-experts",
    "Theorem B",
    "log log T in place of log T",
    kind="exact",
    scope=FORMULA,
    controls={"3.99 in place of 4 before log(1/delta)": {"tail": Fraction(399, 100)}},
    proof="Chapter 8",
    steps=("new:pair-experts/gain", "new:ville", "new:pair-experts/lemma", "new:pair/cell-to-point"),
    uses=("new:pair-experts/gain", "new:pair-experts/lemma", "new:ville", "new:pair/cell-to-point"),
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
    return recomputed(
        bounds.pair_experts,
        formula,
        [(*game, delta) for game in games for delta in deltas],
    )


@chapter.evidence(
    "new:pair-experts",
    kind="certified",
    scope=cases("the exponents, for all T from 10^12 on"),
    controls={"K larger by a factor (log log T)^(1/20)": {"more": Fraction(1, 20)}},
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
    controls={"T = 2.3 * 10^9 in place of 2 * 10^9": {"early": 23 * 10**8}},
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
