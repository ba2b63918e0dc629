r"""Algorithm 1 fed with its own draws: E[KLCal], and Theorem D, a bound with high probability."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb

from klcal import bounds
from klcal.bounds.rates import real_resolution
from klcal.claims._combinators import above, at_most, equal, jointly, positive, recomputed, vanishing
from klcal.claims._evidence import FORMULA, Evidence, cases, step
from klcal.claims._ledger import Chapter
from klcal.claims.constants.formulas import rounding, theorem_2
from klcal.exact.balls import ball, infimum
from klcal.exact.certificates import largest_ratio
from klcal.exact.growth import horizons

chapter = Chapter("08_explicit_algorithms")

VERSIONS = ("sharpened", "best")
# Horizon and resolution; beside balls both may be real.
ARGUMENTS = ((1, 2), (Fraction(7, 2), 2), (2, 9), (Fraction(70, 3), Fraction(18, 5)), (10**6, 42))
DELTAS = (1, Fraction(1, 20), Fraction(1, 10**9))


# ----- in expectation ------------------------------------------------------------------------------------------


@chapter.claim(
    "new:realised",
    "new",
    "realised feedback, in expectation",
    kind="symbolic",
    scope=cases("the drawn loss is the rounded loss, for three points"),
    controls={"the mixture 1/1000 away from the stationary one": {"tilt": Fraction(1, 1000)}},
    steps=("new:laplace-in-buckets", "lem:rounding/supremum", "the drawn loss is the rounded loss"),
)
def drawn_loss(tilt: Fraction = Fraction(0)) -> Evidence:
    r"""Algorithm 1 fed with its own draws, with clamped rounding and any stationary mixture, has against every
    adaptive adversary $\mathbb E[\mathsf{KLCal}] \le \mathbb E\sum_i\log(1+n_i) + T\varepsilon \le
    (K+1)\log(1+\frac T{K+1}) + T\varepsilon$, where $\varepsilon = \tan^2\frac\pi{2K}$, and $\tan^2\frac\pi8$ at
    $K = 2$.
    """
    rows = sp.Matrix([[a, b, 1 - a - b] for a, b in (sp.symbols(f"a{i} b{i}") for i in range(3))])
    losses = sp.Matrix(sp.symbols("x y z"))
    # The stationary vector, up to a factor, by cofactors.
    generator = rows - sp.eye(3)
    mixture = sp.Matrix([[generator.minor(i, i) + sp.Rational(tilt) * (1 - i) for i in range(3)]])
    return vanishing(
        r"$\sum_iP_i\ell_i = \sum_jP_j\langle q_j, \ell\rangle$ for the stationary $P$ of three points",
        [sp.expand((mixture * losses - mixture * rows * losses)[0])],
    )


@chapter.claim(
    "new:realised-kt",
    "new",
    "realised feedback with the KT means",
    kind="exact",
    scope=FORMULA,
    controls={"0.99 of the logarithmic term": {"share": Fraction(99, 200)}},
    steps=("new:realised", "new:pair/kt", "new:pair/used-buckets"),
    uses=("lem:rounding/supremum", "new:rounding-log-secant"),
)
def kt_means(share: Fraction = Fraction(1, 2)) -> Evidence:
    r"""With the means $(k+\frac12)/(n+1)$ in place of Laplace's, Algorithm 1 fed with its own draws has
    $\mathbb E[\mathsf{KLCal}] \le \frac N2\log\frac{4T}N + T\varepsilon$, $N = \min(T, K+1)$.
    """

    def formula(T: arb, K: arb, version: str) -> arb:
        used = T.min(K + 1)
        return ball(share) * used * (4 * T / used).log() + T * rounding(K, version)

    return recomputed("realised_kt", formula, ARGUMENTS, VERSIONS)


# ----- Theorem D -----------------------------------------------------------------------------------------------


chapter.statement(
    "new:realised-tail/pointwise",
    "Theorem D, step 1",
    "one round's square",
    r"$c(y)X(y)^2 \le (2+X(y)^+)\bigl(n\,\mathsf{KL}(\frac kn, z)+b\bigr)$ for $w = \frac{k+1}{n+2}$, $X(y) = "
    r"\log\frac{w(y)}{z(y)}$, $c(1) = k+1$, $c(0) = n-k+1$ and $b = \log\frac1{4z(1-z)}$.",
    steps=("new:square-of-logarithm",),
)


@chapter.claim(
    "new:realised-tail/squares",
    "Theorem D, step 2",
    "the sum of the squares",
    kind="certified",
    scope=step("harmonic numbers"),
    controls={r"$\frac{1.01}{n+1}$ in place of $\frac1{n+1}$": {"numerator": 101}},
    steps=("new:realised-tail/pointwise", "harmonic numbers"),
)
def harmonic_numbers(numerator: int = 100) -> Evidence:
    r"""Over any order of $n$ outcomes $\sum X^2 \le 2A(1+\log n)\bigl(\max_mm\,\mathsf{KL}(\rho_m, z)+b\bigr)$ with
    $A = 2+\log\frac1{\min(z, 1-z)}$.

    Each outcome's $c$ runs through 1, 2, 3, ..., and harmonic numbers are at most $1+\log n$.
    """
    return positive(
        r"$\frac1{n+1} < \log\frac{n+1}n$, as $(1+x)\log(1+x) > x$ for $x = \frac1n$ in $(0, 1]$",
        lambda x: 100 * (1 + x) * (1 + x).log() - numerator * x,
        1,
    )


chapter.statement(
    "new:realised-tail/scalar",
    "Theorem D, step 3a",
    "the exponential inequality",
    r"$e^{x-x^2} \le 1+x$ for all $x \ge -\frac12$.",
    credit="textbook: Cesa-Bianchi and Lugosi 2006, Lemma 2.4",
)


@chapter.claim(
    "new:realised-tail/supermartingale",
    "Theorem D, step 3b",
    "the exponential supermartingale",
    kind="certified",
    scope=step("the mean of a round"),
    controls={
        "$1+1.01u$ in place of $1+u$": {"slope": 101},
        r"0.04 of the printed $\frac1\lambda$, where 0.062 would do": {"share": Fraction(4, 100)},
    },
    steps=("new:realised-tail/scalar", "new:realised", "the mean of a round"),
)
def mean_of_a_round(slope: int = 100, share: Fraction = Fraction(1)) -> Evidence:
    r"""With $\frac1\lambda = 4A(1+\log T)(K+1)$, $A = 2.7+2\log K$ and $X_t = \log\frac{w(y_t)}{z(y_t)}$ for the drawn
    point, the product of the $e^{\lambda X_t-\lambda^2X_t^2-\lambda\varepsilon}$ is a supermartingale up to round $T$.

    As $w(y) \ge \frac1{n+2}$, $\lambda X_t \ge -\lambda\log(T+1) \ge -\frac12$, so the mean of a round is at most
    $(1+\lambda\varepsilon)e^{-\lambda\varepsilon} \le 1$.
    """

    def ratio(T: Any, _: Any = None) -> Any:
        inverse = 4 * ball(Fraction(27, 10)) * 3 * (1 + T.log())
        return 2 * (T + 1).log() / (ball(share) * inverse)

    return jointly(
        positive("$1+u < e^u$ for $0 < u \\le 1$", lambda u: 100 * u.exp() - 100 - slope * u, 1),
        at_most(ratio(arb(1)), 1, r"$2\lambda\log(T+1)$ at $T = 1$ and $K = 2$, where $\lambda$ is largest"),
        at_most(
            largest_ratio(ratio, real_resolution).upper, 1, r"$2\lambda\log(T+1)$ at $K = 2$, all $T \ge 2$"
        ),
    )


@chapter.claim(
    "new:realised-tail/absorption",
    "Theorem D, step 4",
    "half of the maximum is absorbed",
    kind="certified",
    controls={
        "0.99 in place of 1": {"constant": Fraction(99, 100)},
        "1.2 times the sum of the spreads": {"factor": Fraction(6, 5)},
    },
    uses=("new:kl-from-pseudo/weights",),
)
def absorption(constant: Fraction = Fraction(1), factor: Fraction = Fraction(1)) -> Evidence:
    r"""If $V \le 2A(1+\log T)\bigl((K+1)R+\sum_ib_i\bigr)$, $\sum_ib_i \le 2(K-1)\log2+2\log K$ and
    $\frac1\lambda = 4A(1+\log T)(K+1)$, then $\lambda V \le \frac R2+1$; so $R \le M+\lambda V+\frac1\lambda L$ gives
    $R \le 2M+2+\frac2\lambda L$.
    """
    A, log_T, K, R, M, L = sp.symbols("A log_T K R M L", positive=True)
    inverse = 4 * A * (1 + log_T) * (K + 1)
    absorbed = 2 * A * (1 + log_T) * ((K + 1) * R + 2 * K) / inverse

    def room(k: arb) -> arb:
        return 2 * k - ball(factor) * (2 * (k - 1) * arb(2).log() + 2 * k.log())

    def slope(k: arb) -> arb:
        return 2 - ball(factor) * (2 * arb(2).log() + 2 / k)

    found = infimum(room, [(2, 20)], above=0.0)
    return jointly(
        vanishing(
            r"$\lambda V \le \frac R2+1-\frac1{K+1}$, and what that leaves of $R$",
            [
                sp.together(absorbed + 1 / (K + 1) - R / 2 - sp.Rational(constant)),
                sp.together(2 * (M + R / 2 + 1 + inverse * L) - R - 2 * M - 2 - 2 * inverse * L),
            ],
        ),
        above(
            found.lower if found.lower > 0 else found.upper,
            0,
            r"$2K-2(K-1)\log2-2\log K$, all real $K$ from 2 to 20",
        ),
        above(slope(arb(20)), 0, "its slope at 20, which increases"),
    )


@chapter.claim(
    "new:realised-tail",
    "Theorem D",
    "realised feedback with high probability",
    kind="exact",
    scope=FORMULA,
    controls={"7.99 in place of 8": {"scale": Fraction(799, 100)}},
    steps=(
        "new:realised-tail/squares",
        "new:realised-tail/supermartingale",
        "new:ville",
        "new:realised-tail/absorption",
        "new:kl-from-pseudo/weights",
    ),
    uses=("new:realised",),
)
def high_probability(scale: Fraction = Fraction(8)) -> Evidence:
    r"""For Algorithm 1 fed with its own draws, against every adaptive adversary, with probability at least $1-\delta$,
    $\max_{t\le T}\mathsf{KLCal}_t \le 2R+2+8(K+1)(2.7+2\log K)(1+\log T)\log\frac1\delta$, where
    $R = (K+1)\log(1+\frac T{K+1})+T\varepsilon$, with $\varepsilon = \tan^2\frac\pi{2K}$, and $\tan^2\frac\pi8$ at
    $K = 2$.
    """

    def formula(T: arb, K: arb, delta: arb, version: str) -> Any:
        inverse = ball(scale) * (K + 1) * (ball(Fraction(27, 10)) + 2 * K.log()) * (1 + T.log())
        return 2 * theorem_2(T, K, version) + 2 - inverse * delta.log()

    arguments = [(*case, delta) for case in ARGUMENTS for delta in DELTAS]
    return recomputed("realised_high_probability", formula, arguments, VERSIONS)


@chapter.evidence(
    "new:realised-tail",
    kind="certified",
    scope=cases("the exponents at delta = 1/2 and 1/1000, for all T from 10^12 on"),
    controls={r"$K$ larger by a factor $(\log T)^{1/20}$": {"more": Fraction(1, 20)}},
)
def rate(more: Fraction = Fraction(0)) -> Evidence:
    r"""At $K$ of order $(T/(\log^2T\log\frac1\delta))^{1/3}$ the bound is of order $T^{1/3}(\log T)^{4/3}$."""

    def powers(delta: Fraction) -> tuple[Fraction, ...]:
        T = horizons(10**12)
        K = (T / (T.log() ** 2 * -ball(delta).log())).root(3) * T.log() ** more
        found: tuple[Fraction, ...] = bounds.realised_high_probability(T, K, ball(delta)).powers
        return found

    wanted = Fraction(1, 3), Fraction(4, 3), Fraction(0)
    off = [max(abs(p - q) for p, q in zip(powers(d), wanted, strict=True)) for d in DELTAS[1:]]
    return equal(max(off), 0, r"powers of $T$, $\log T$, $\log\log T$ at this $K$, against 1/3, 4/3, 0")
