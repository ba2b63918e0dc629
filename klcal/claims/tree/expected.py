"""The tree with expected feedback: no draw enters, so its bounds hold on every path (Corollary 2)."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import sympy as sp
from flint import arb

from klcal.claims._combinators import at_most, jointly, recomputed, vanishing
from klcal.claims._evidence import FORMULA, Evidence, step
from klcal.claims._ledger import Chapter
from klcal.exact.balls import ball
from klcal.exact.tree_constants import largest_knapsack_ratio, largest_swap_ratio

chapter = Chapter("11_one_forecaster")

LEVELS = (0, 1, 1, 2, 9)
HORIZONS = ((2,), (Fraction(52, 3),), (10**9,))

_swap_ratio = cache(lambda: largest_swap_ratio(expected=True))


@chapter.claim(
    "new:tree/expected",
    "Theorem G",
    "the tree with expected feedback, on every path",
    kind="exact",
    scope=FORMULA,
    controls={"1.999 in place of 2 learners": {"learners": Fraction(1999, 1000)}},
    steps=("new:tree/move", "the capital never grows", "lem:EWOO_regret_bound/sharp", "new:tree/cell"),
)
def from_masses(learners: Fraction = Fraction(2)) -> Evidence:
    r"""If both members of a pair learn, with their probabilities as weights, the means are $\frac{k_b+1}{S_b+2}$
    for a node of mass $S_b$ of which $k_b$ came with outcome 1, and wealths are multiplied by
    $\bigl(\frac{m_b(y)}{c(y)}\bigr)^{P_b}$, then on every path $\Pi \le 2$,
    $W_b \le \frac2{\pi_b}$ for every node, and
    $\mathsf{PKLCal} \le \sum_b\bigl(2\log(1+S_b)+S_b\varepsilon_b\bigr)+2\log2$.
    """

    def formula(*masses: arb) -> arb:
        sines = [(arb.pi() / 2 ** (level + 1)).sin() for level in LEVELS]
        costs = (
            ball(learners) * (1 + S).log() + S * (1 + sine * sine).log()
            for S, sine in zip(masses, sines, strict=True)
        )
        return sum(costs, 2 * arb(2).log())

    games = [(1, 0, 0, 0, 0), (1, 0, 2.5, 0, 0), (1, 2, 2.25, 12.5, 1e6)]
    return recomputed(
        "tree_expected_from_masses", formula, games, call=lambda bound, *masses: bound(masses, LEVELS)
    )


@chapter.evidence(
    "new:tree/expected",
    kind="symbolic",
    scope=step("the capital never grows"),
    controls={"1/1000 added to the probability of the lower forecast": {"tilt": Fraction(1, 1000)}},
)
def never_grows(tilt: Fraction = Fraction(0)) -> Evidence:
    r"""By $\prod f_i^{P_i} \le \sum P_if_i$ and $f^P \le 1+P(f-1)$ the capital changes by at most
    $\frac12\sum P_iA_i(f_i-1)$, which is 0 for both outcomes.
    """
    m, v, c, A, B = sp.symbols("m v c A B", positive=True)
    down, up = A * (m - c), B * (c - v)
    p = up / (up + down) + sp.Rational(tilt)
    changes = (
        p * A * (m / c - 1) + (1 - p) * B * (v / c - 1),
        p * A * ((1 - m) / (1 - c) - 1) + (1 - p) * B * ((1 - v) / (1 - c) - 1),
    )
    return vanishing(r"$pA_i(f_i-1)+(1-p)A_{i+1}(f_{i+1}-1) = 0$ for $y = 1$ and for $y = 0$", changes)


@chapter.claim(
    "new:tree/expected-rate",
    "Theorem G, rate",
    "one constant for all horizons, expected feedback",
    kind="certified",
    scope=step("the knapsack"),
    controls={"17.3 in place of 17.4": {"constant": Fraction(173, 10)}},
    steps=("the knapsack", "new:tree/expected"),
)
def expected_rate(constant: Fraction = Fraction(174, 10)) -> Evidence:
    r"""With expected feedback, on every path and for all $T \ge 2$,
    $\mathsf{PKLCal} \le 17.4\,T^{1/3}(\log T)^{2/3}+2\log2$.

    A node of level $\ell \ge 1$ has a mass of at most $N_\ell+1$, and its parent is full: a fractional knapsack that
    is filled level by level. Its value is affine in $T$ between the horizons at which a level is full, and the rate is
    concave, so only these horizons, and 2, have to be looked at.
    """
    return jointly(
        at_most(
            largest_knapsack_ratio(), float(constant), "cost of the used nodes over the rate, all $T \\ge 2$"
        ),
        recomputed(
            "tree_expected",
            lambda T: ball(constant) * (T * T.log() * T.log()).root(3) + 2 * arb(2).log(),
            HORIZONS,
        ),
    )


@chapter.claim(
    "new:tree/expected-swap",
    "Theorem G, all bounded losses",
    "Corollary 2 with the square root of T",
    kind="certified",
    scope=step("all levels"),
    controls={"61 in place of 62": {"constant": 61}},
    steps=("all levels", "new:tree/expected", "new:tree/one-level", "new:msr_is_an_envelope"),
)
def expected_swap(constant: int = 62) -> Evidence:
    r"""With expected feedback, on every path, for all $T \ge 2$ and all proper losses with values in $[-1, 1]$ at once,
    $\mathsf{PSReg}^\ell \le 62\sqrt{T\log T}$.

    As Theorem F with $\delta = 1$, with $\log(1+S)$ for $\frac12\log4n$, and cells that hold one round more.
    """
    return jointly(
        at_most(_swap_ratio(), constant, r"largest $\min(2T, \cdot)$ over $\sqrt{T\log T}$, all $T \ge 2$"),
        recomputed("tree_expected_swap", lambda T: constant * (T * T.log()).sqrt(), HORIZONS),
    )
