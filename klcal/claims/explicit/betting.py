r"""Theorem A, the pair algorithm: the steps of its proof, and its variant with expected feedback."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb

from klcal.claims._combinators import recomputed, vanishing
from klcal.claims._evidence import FORMULA, Evidence
from klcal.claims._ledger import Chapter
from klcal.exact.balls import ball

chapter = Chapter("08_explicit_algorithms")


# ----- the move ------------------------------------------------------------------------------------------------


chapter.statement(
    "new:pair/choice",
    "Theorem A, step 0",
    "there is always a move",
    r"If no mean lies in its cell, some neighbours have $w_i > m_i > w_{i+1}$.",
    proof="Chapter 8",
)


chapter.statement(
    "new:pair/martingale",
    "Theorem A, step 1",
    "the wealth is a martingale",
    r"If $z_i$ and $z_{i+1}$ are drawn with probabilities $p$ and $1-p$ such that $p\,w_i+(1-p)\,w_{i+1} = "
    "m_i$, the factor $w(y)/m_i(y)$ has conditional mean 1 for both outcomes.",
)


chapter.statement(
    "new:ville",
    "Theorems A to D",
    "Ville's inequality",
    r"A nonnegative supermartingale that starts at 1 reaches $\frac1\delta$ with probability at most $\delta$.",
    proof="Ville 1939",
    credit="Ville 1939",
)


# ----- one bucket ----------------------------------------------------------------------------------------------


chapter.statement(
    "new:pair/kt",
    "Theorem A, step 2a",
    "regret of the KT means",
    r"The means $(k+\frac12)/(n+1)$ give any $n \ge 1$ outcomes with $k$ ones a probability of at least "
    r"$e^{-nH(k/n)}/(2\sqrt n)$, with equality at $n = 1$.",
    credit="Krichevsky and Trofimov 1981",
)


chapter.statement(
    "new:pair/clipped-leader",
    "Theorem A, step 2b",
    "wealth of one bucket",
    r"For every cell $C$ and every sequence, $\sum_j\log\frac{w_j(y_j)}{q_j(y_j)} \ge n\min_{m\in "
    r"C}\mathsf{KL}(\rho, m)-\log(2\sqrt n)$, where $q$ is the KT mean $w$ clipped to $C$.",
    steps=("new:pair/kt",),
)


# ----- from the cell to its point ------------------------------------------------------------------------------


@chapter.claim(
    "new:pair/boundary",
    "Theorem A, step 3a",
    "the boundary between two points",
    kind="symbolic",
    controls={r"$1.99\log\sec$ in place of $2\log\sec$": {"cosines": Fraction(199, 100)}},
)
def boundary_identity(cosines: Fraction = Fraction(2)) -> Evidence:
    r"""For $z = \sin^2a$, $z' = \sin^2b$ and $m = \frac{\sin a\sin b}{\cos(b-a)}$,
    $\mathsf{KL}(\rho, z)+\mathsf{KL}(\rho, z') = 2\,\mathsf{KL}(\rho, m)+2\log\sec(b-a)$ for every $\rho$; moreover
    $\frac{m-z}s = \frac{z'-m}{s'} = \tan(b-a)$ with $s^2 = z(1-z)$.
    """
    a, b, rho = sp.symbols("a b rho", positive=True)
    z, y = sp.sin(a) ** 2, sp.sin(b) ** 2
    s, t = sp.sin(a) * sp.cos(a), sp.sin(b) * sp.cos(b)
    m = sp.sin(a) * sp.sin(b) / sp.cos(b - a)
    other = sp.cos(a) * sp.cos(b) / sp.cos(b - a)

    def cross_entropy(ones: sp.Expr, zeros: sp.Expr) -> sp.Expr:
        return -rho * sp.log(ones) - (1 - rho) * sp.log(zeros)

    apart = cross_entropy(z, sp.cos(a) ** 2) + cross_entropy(y, sp.cos(b) ** 2)
    together = 2 * cross_entropy(m, other)
    return vanishing(
        "$1-m$, the tangent, the weighted mean and the sum of the two divergences",
        [
            1 - m - other,
            (m - z) / s - sp.tan(b - a),
            (y - m) / t - sp.tan(b - a),
            m - (z * t + y * s) / (s + t),
            sp.expand_log(apart - together + sp.Rational(cosines) * sp.log(sp.cos(b - a)), force=True),
        ],
    )


chapter.statement(
    "new:pair/cell-to-point",
    "Theorem A, step 3b",
    "from the cell to its point",
    r"$\mathsf{KL}(\rho, z_i) \le 2\min_{m\in C_i}\mathsf{KL}(\rho, m)+2\log\sec\frac\pi{2K}$ for all $\rho "
    r"\in [0, 1]$ and $K \ge 2$.",
    steps=("new:pair/boundary",),
)


# ----- the theorem ---------------------------------------------------------------------------------------------


chapter.statement(
    "new:pair/used-buckets",
    "Theorem A, step 4",
    "unused buckets cost nothing",
    r"The sum of $\log(4n_i)$ over the used buckets is at most $N\log\frac{4t}N$ with $N = \min(t, K-1)$.",
    proof="Chapter 8",
)


@chapter.claim(
    "new:pair",
    "Theorem A",
    "KLCal of the pair algorithm, for all t at once",
    kind="exact",
    scope=FORMULA,
    controls={r"1.999 in place of 2 before $\log\frac1\delta$": {"tail": Fraction(1999, 1000)}},
    steps=(
        "new:pair/choice",
        "new:pair/martingale",
        "new:ville",
        "new:pair/clipped-leader",
        "new:pair/cell-to-point",
    ),
)
def from_counts(tail: Fraction = Fraction(2)) -> Evidence:
    r"""For every $K \ge 2$, $T$, $\delta \in (0, 1]$ and every adaptive adversary, with probability at least
    $1-\delta$, for all $t \le T$ at once, $\mathsf{KLCal}_t \le \sum_{n_i\ge1}\log(4n_i)+2t\log\sec\frac\pi{2K}+
    2\log\frac1\delta$. Moreover $\mathbb E[\mathsf{KLCal}_t] \le \mathbb E\sum_{n_i\ge1}\log(4n_i)+
    2t\log\sec\frac\pi{2K}$, and half of the excess has an exponential moment of at most 1.
    """

    def formula(K: arb, delta: arb, *counts: arb) -> arb:
        bets = sum(((4 * n).log() for n in counts if n > 0), arb(0))
        return bets - 2 * sum(counts) * (arb.pi() / (2 * K)).cos().log() - ball(tail) * delta.log()

    games = ((3, 0, 0), (3, 5, 0), (3, 7, 2), (2, 1), (5, 3, 0, 1, 10**6))
    deltas = (Fraction(1), Fraction(1, 20), Fraction(1, 10**6))
    return recomputed(
        "pair_from_counts",
        formula,
        [(K, delta, *counts) for K, *counts in games for delta in deltas],
        call=lambda bound, K, delta, *counts: bound(counts, K, delta),
    )


@chapter.claim(
    "new:pair-expected",
    "Remark to Theorem A",
    "expected feedback without a stationary distribution",
    kind="exact",
    scope=FORMULA,
    controls={"1.999 in place of 2 learners": {"learners": Fraction(1999, 1000)}},
    steps=("new:pair/choice", "lem:EWOO_regret_bound/sharp", "new:pair/martingale", "new:pair/cell-to-point"),
)
def expected_feedback(learners: Fraction = Fraction(2)) -> Evidence:
    r"""If both points of a pair learn, with their probabilities as weights, and the means are $\frac{A_i+1}{S_i+2}$,
    then on every path $\mathsf{PKLCal} \le 2\sum_i\log(1+S_i)+2T\log\sec\frac\pi{2K}$, and this is at most
    $2(K-1)\log(1+\frac T{K-1})+2T\log\sec\frac\pi{2K}$.
    """
    return recomputed(
        "pair_expected",
        lambda T, K: (
            ball(learners) * (K - 1) * (1 + T / (K - 1)).log() - 2 * T * (arb.pi() / (2 * K)).cos().log()
        ),
        [(1, 2), (7, Fraction(5, 2)), (Fraction(70, 3), Fraction(18, 5)), (10**6, 42)],
    )
