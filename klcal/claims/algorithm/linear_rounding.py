r"""Remark 1, completed: Algorithm 1 with linear rounding, amortised over a game."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb

from klcal.claims._combinators import at_most, jointly, less_on, vanishing
from klcal.claims._evidence import Evidence, step
from klcal.claims._ledger import Chapter

chapter = Chapter("05_the_algorithm")

QUARTER = arb.pi() / 4


@chapter.claim(
    "new:linear-rounding-amortised",
    "Remark 1, completed",
    "linear rounding still gives T^(1/3) log T",
    kind="certified",
    scope=step("one round"),
    controls={"0.999 of the factor 3/2": {"share": Fraction(999, 1000)}},
    steps=(
        "one round",
        "the mean of p/q",
        "one learner",
        "lem:EWOO_regret_bound/sharp",
        "alg:BM_log_loss/reduction",
    ),
    uses=("rem:rounding/b",),
    rows=(87,),
)
def one_round(share: Fraction = Fraction(1)) -> Evidence:
    r"""Algorithm 1 with linear rounding, ends clamped, has $\mathsf{PKLCal} \le (K+1)\log(1 + \frac T{K+1}) +
    \frac{9\pi^2}{4K^2}(T + 2K + 2)\log(1 + \frac T2)$ for all $K \ge 2$, at most $47\,T^{1/3}\log T$ at
    $K = \lceil T^{1/3}\rceil$, $T \ge 8$: one expensive point does not rule it out.

    In every round p times the cost at y = 1 is at most (9/4) theta^2.
    """
    text = r"$\sin\frac{3x}2 < \frac32\sin x$ on $(0, \frac\pi4]$, for the inner cells"
    last = r"$\sin\frac x2\sin\frac{3x}2 < 3x\cos x$ on $(0, \frac\pi4]$, for the last cell"
    ends = r"$2\log\sec\frac x2 < \frac94x^2$ on $(0, \frac\pi4]$, for the clamped ends"
    return jointly(
        less_on(text, lambda x: 2 * (3 * x / 2).sin(), lambda x: 3 * x.sin(), QUARTER, share),
        less_on(last, lambda x: (x / 2).sin() * (3 * x / 2).sin(), lambda x: 3 * x * x.cos(), QUARTER),
        less_on(ends, lambda x: -8 * (x / 2).cos().log(), lambda x: 9 * x * x, QUARTER),
    )


@chapter.evidence(
    "new:linear-rounding-amortised",
    kind="symbolic",
    scope=step("the mean of p/q"),
    controls={"0.99 of one side": {"factor": Fraction(99, 100)}},
)
def mean_of_the_quotient(factor: Fraction | int = 1) -> Evidence:
    """It is (p - a)(b - p)/(ab) for neighbours a < b."""
    low, high, p = sp.symbols("a b p", positive=True)
    share = (p - low) / (high - low)
    mean = p * ((1 - share) / low + share / high) - 1
    return vanishing(
        r"$\mathbb E\frac pq - 1 = \frac{(p-p^-)(p^+-p)}{p^-p^+}$",
        [sp.Rational(factor) * mean - (p - low) * (high - p) / (low * high)],
    )


@chapter.evidence(
    "new:linear-rounding-amortised",
    kind="certified",
    scope=step("one learner"),
    controls={r"$x < 1.44\log(1+x)$": {"share": Fraction(72, 100)}},
)
def one_learner(share: Fraction = Fraction(1)) -> Evidence:
    """A one of weight k adds x = k/(1 + gamma) <= 1 to a sum that log(1 + gamma) bounds by half."""
    return jointly(
        less_on("$x < 2\\log(1+x)$ on $(0, 1]$", lambda x: x, lambda x: 2 * (1 + x).log(), 1, share),
        at_most(2 + 9 * arb.pi() ** 2 / 2, 47, r"$2 + \frac92\pi^2$, the constant before $T^{1/3}\log T$"),
    )
