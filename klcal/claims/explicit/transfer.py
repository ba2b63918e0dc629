r"""Theorem C: from PKLCal to KLCal for any algorithm on the full grid, and for Algorithm 1 in particular."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from itertools import count, product
from math import prod
from typing import Any

import sympy as sp
from flint import arb

from klcal.claims._combinators import jointly, positive, recomputed, vanishing, worst
from klcal.claims._evidence import FORMULA, Evidence, cases, step
from klcal.claims._ledger import Chapter
from klcal.claims.constants.formulas import theorem_2
from klcal.exact.arithmetic import maximum
from klcal.exact.balls import ball
from klcal.exact.grids import full_grid

chapter = Chapter("08_explicit_algorithms")

VERSIONS = ("sharpened", "best")


@chapter.claim(
    "new:kl-from-pseudo/split",
    "Theorem C, step 1",
    "divergences of a cell",
    kind="symbolic",
    controls={"0.99 of one term": {"share": Fraction(99, 100)}},
)
def splitting(share: Fraction = Fraction(1)) -> Evidence:
    r"""With $D(k\Vert A) = k\log\frac kA-k+A \ge 0$, $n = k+a$ and $S = A+B$:
    $n\,\mathsf{KL}(\frac kn, z) \le D(k\Vert Sz)+D(a\Vert S(1-z))$,
    $S\,\mathsf{KL}(\frac AS, z) = D(A\Vert Sz)+D(B\Vert S(1-z))$,
    $D(k\Vert\mu) = D(k\Vert A)+D(A\Vert\mu)+(k-A)\log\frac A\mu$, and $ku \le D(k\Vert A)+A(e^u-1)$ for every $u$.
    """
    k, a, A, B, z, mu, u = sp.symbols("k a A B z mu u", positive=True)
    factor = sp.Rational(share)

    def D(x: sp.Expr, mass: sp.Expr) -> sp.Expr:
        return x * sp.log(x / mass) - x + mass

    def KL(rho: sp.Expr) -> sp.Expr:
        return rho * sp.log(rho / z) + (1 - rho) * sp.log((1 - rho) / (1 - z))

    n, S = k + a, A + B
    return vanishing(
        r"the first with $-D(n\Vert S)$ on the right side, the last with $+D(k\Vert Ae^u)$ on the left; $D$ has value "
        r"and slope 0 at $k = A$ and the curvature $\frac1k$",
        [
            n * KL(k / n) - D(k, S * z) - D(a, S * (1 - z)) + factor * D(n, S),
            S * KL(A / S) - D(A, S * z) - D(B, S * (1 - z)),
            D(k, mu) - D(k, A) - D(A, mu) - factor * (k - A) * sp.log(A / mu),
            D(k, A) + A * (sp.exp(u) - 1) - k * u - (k * (sp.log(k / A) - u) - k + A * sp.exp(u)),
            D(A, A),
            sp.diff(D(k, A), k) - sp.log(k / A),
            sp.diff(D(k, A), k, 2) - 1 / k,
        ],
    )


chapter.statement(
    "new:square-of-logarithm",
    "Theorems C and D, the inequality (*)",
    "r log^2 r against r log r - r + 1",
    r"$r\log^2r \le (2+\log^+r)(r\log r-r+1)$ for all $r > 0$.",
)


chapter.statement(
    "new:kl-from-pseudo/cell",
    "Theorem C, step 2",
    "one cell, always",
    r"$n\,\mathsf{KL}(\frac kn, z)-(e-1)S\,\mathsf{KL}(\frac AS, z)$ is at most "
    r"$(3+\log\frac1z)D(k\Vert A)+(3+\log\frac1{1-z})D(a\Vert B)$ for all counts $k, a$ and masses $A, B > 0$, "
    "$n = k+a$, $S = A+B$.",
    steps=("new:kl-from-pseudo/split", "new:square-of-logarithm", "lem:Freedman/scalar"),
)


@chapter.claim(
    "new:kl-from-pseudo/supermartingale",
    "Theorem C, step 3a",
    "exponential supermartingales",
    kind="certified",
    credit="standard; see Freedman 1975",
    scope=step("1 + u at most e^u"),
    controls={"$1.01u$ in place of $u$": {"slope": 101}},
)
def supermartingale(slope: int = 100) -> Evidence:
    r"""For fixed $x_c$, one for each pair $c$ of a point and an outcome, with counts $N_c$ and masses $A_c$,
    $\exp\sum_c\bigl(N_cx_c-A_c(e^{x_c}-1)\bigr)$ is a supermartingale against adaptive mixtures and outcomes.

    In one round $\sum_iP_ie^{x_i} = 1+\sum_iP_i(e^{x_i}-1) \le \exp\sum_iP_i(e^{x_i}-1)$.
    """
    return jointly(
        positive(
            "beyond $u = 3$ the slope grows; $1+u < e^u$ for $0 < u \\le 3$",
            lambda u: 100 * u.exp() - 100 - slope * u,
            3,
        ),
        positive(
            "beyond $u = 1$ the left side is negative; $1-u < e^{-u}$ for $0 < u \\le 1$",
            lambda u: (-u).exp() - 1 + u,
            1,
        ),
    )


@chapter.claim(
    "new:kl-from-pseudo/layers",
    "Theorem C, step 3b",
    "weights between 0 and 1, layer by layer",
    kind="exact",
    scope=cases("three factors 1/3, 1, 5 with weights in thirds"),
    controls={"0.99 of the right side": {"share": Fraction(99, 100)}},
    proof="Chapter 8",
    uses=("new:kl-from-pseudo/supermartingale",),
)
def layers(share: Fraction = Fraction(1)) -> Evidence:
    r"""$\prod_c\Lambda_c^{\gamma_c} \le \int_0^1\prod_{c:\,\gamma_c\ge s}\Lambda_c\,ds$ for $\Lambda_c > 0$ and
    $\gamma_c \in [0, 1]$; if the products on the right are supermartingales that start at 1, so is the integral.

    The logarithm of the left side is $\int_0^1\log\prod_{\gamma_c\ge s}\Lambda_c\,ds$; then Jensen.
    """
    factors = (Fraction(1, 3), Fraction(1), Fraction(5))

    def quotient(case: tuple[tuple[Fraction, ...], tuple[int, ...]]) -> Fraction:
        chosen, thirds = case
        layer = [prod(x for x, g in zip(chosen, thirds, strict=True) if g >= s) for s in (1, 2, 3)]
        left = prod(x**g for x, g in zip(chosen, thirds, strict=True))
        return Fraction(left) / (share * sum(layer, Fraction(0)) / 3) ** 3

    cells = product(product(factors, repeat=3), product(range(4), repeat=3))
    return worst("cube of the left over cube of the right side, in fractions", cells, quotient, 1)


chapter.statement(
    "new:kl-from-pseudo/rare-draws",
    "Theorem C, step 4a",
    "the exceptional event",
    r"The probability that in some round $t \le T$ a point is drawn whose probability in that round was below "
    r"$\eta$ is at most $T(K+1)\eta$, for every algorithm on $K+1$ points.",
    proof="Chapter 8",
)


def exponents(T: int, K: int, delta: Fraction) -> list[arb]:
    """Return the exponents that a cell bets with: 0, those below it and those above it."""
    widest = (2 * ball(T) ** 2 * (K + 1) / ball(delta)).log()
    under = next(j for j in count() if 4**j >= 2 * T)
    over = next(j for j in count() if 2**j >= widest * (ball(T) / 2).sqrt())
    negative = [-ball(Fraction(2, 2**j)) for j in range(under + 1)]
    return [arb(0), *negative, *(widest / 2**j for j in range(over + 1))]


chapter.statement(
    "new:kl-from-pseudo/net",
    "Theorem C, step 4b",
    "a few exponents suffice",
    r"Among the $J$ exponents one has $Nx-A(e^x-1) \ge \frac12(D(N\Vert A)-1)$, for all $N \le T$ and all "
    r"masses $A$ between $\frac\delta{2T(K+1)}$, which the exceptional event leaves, and $T$.",
    steps=("new:kl-from-pseudo/rare-draws",),
)


# ----- weights -------------------------------------------------------------------------------------------------


def _weights(K: int) -> list[arb]:
    return [3 - side.log() for z in full_grid(K) for side in (z, 1 - z)]


def _sum(K: Any) -> Any:
    return ball(Fraction(878, 100)) * (K + 1) + 2 * ball(K).log()


def _largest(K: Any) -> Any:
    return ball(Fraction(37, 10)) + 2 * ball(K).log()


chapter.statement(
    "new:kl-from-pseudo/weights",
    "Theorem C, step 5",
    "sum and maximum of the weights",
    r"On the full grid the weights $3+\log\frac1{z_i}$ and $3+\log\frac1{1-z_i}$ add up to at most "
    r"$8.78(K+1)+2\log K$, none exceeds $3.7+2\log K$, and $\sum_i\log\frac1{4z_i(1-z_i)} \le "
    r"2(K-1)\log2+2\log K$, for all $K \ge 2$.",
    proof="Chapter 8",
    uses=("eq:range_log_loss",),
)


# ----- the theorem ---------------------------------------------------------------------------------------------

GAMES = ((1, 2), (2, 2), (32, 3), (10**4, 11), (10**9, 200))
# T = 8 and K = 5 with X = 8(1 - 10^-9), so that log_2(X sqrt(T/2)) is a little below an integer.
BEFORE_A_JUMP = (0, 8, 5, Fraction(768 * math.exp(-8 + 8e-9)))
DELTAS = (Fraction(1), Fraction(1, 16), Fraction(1, 2**30))


def _transferred(pseudo: arb, T: arb, K: arb, delta: arb, version: str, factor: Fraction) -> arb:
    rounds, cells = int(float(T)), int(float(K))
    bets = 1 + 2 * ball(len(exponents(rounds, cells, Fraction(float(delta))))).log()
    every = _weights(cells)
    total, top = (
        (_sum(cells), _largest(cells))
        if version == "sharpened"
        else (sum(every, arb(0)), ball(maximum(every)))
    )
    return ball(factor) * ((arb(1).exp() - 1) * pseudo + bets * total) + 2 * top * (2 / delta).log()


@chapter.claim(
    "new:kl-from-pseudo",
    "Theorem C",
    "from PKLCal to KLCal, any algorithm",
    kind="exact",
    scope=FORMULA,
    controls={"0.999 of the right side": {"factor": Fraction(999, 1000)}},
    steps=(
        "new:kl-from-pseudo/cell",
        "new:kl-from-pseudo/supermartingale",
        "new:kl-from-pseudo/layers",
        "new:ville",
        "new:kl-from-pseudo/rare-draws",
        "new:kl-from-pseudo/net",
        "new:kl-from-pseudo/weights",
    ),
)
def explicit(factor: Fraction = Fraction(1)) -> Evidence:
    r"""Let $K \ge 2$, $T \ge 1$, $\delta \in (0, 1]$. For every algorithm on the full grid and every adaptive
    adversary, with probability at least $1-\delta$, for all $t \le T$ at once, $\mathsf{KLCal}_t \le
    (e-1)\mathsf{PKLCal}_t+AB+(7.4+4\log K)\log\frac2\delta$, where $A = 8.78(K+1)+2\log K$ and $B = 1+2\log J$, with
    $J = 3+\lceil\frac12\log_2(2T)\rceil+\lceil\log_2(X\sqrt{T/2})\rceil$ and $X = \log\frac{2T^2(K+1)}\delta$.
    """
    arguments: list[tuple[Any, ...]] = [
        (pseudo, *game, delta) for pseudo in (0, Fraction(15, 2)) for game in GAMES for delta in DELTAS
    ]
    arguments.append(BEFORE_A_JUMP)
    return recomputed("kl_from_pseudo", partial(_transferred, factor=factor), arguments, VERSIONS)


@chapter.claim(
    "new:algorithm-1-tail",
    "Theorem C for Algorithm 1",
    "KLCal with high probability",
    kind="exact",
    scope=FORMULA,
    controls={"0.999 of the right side": {"factor": Fraction(999, 1000)}},
    steps=("new:kl-from-pseudo", "thm:bound_pkcal"),
    uses=("thm:bound_pkcal/explicit",),
)
def algorithm_1(factor: Fraction = Fraction(1)) -> Evidence:
    r"""The paper's Algorithm 1, with clamped rounding and started at the rounded $\frac12$, satisfies Theorem C with
    $\mathsf{PKLCal}_t \le (K+1)\log(1+\frac T{K+1})+T\tan^2\frac\pi{2K}$ (read $\tan^2\frac\pi8$ at $K = 2$), on every
    path.
    """

    def formula(T: arb, K: arb, delta: arb, version: str) -> arb:
        return _transferred(theorem_2(T, K, version), T, K, delta, version, factor)

    return recomputed(
        "algorithm_1_high_probability",
        formula,
        [(*game, delta) for game in GAMES for delta in DELTAS],
        VERSIONS,
    )
