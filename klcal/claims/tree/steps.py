"""Steps of the proofs about the tree that are statements of their own, and the constants that balls certify."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import sympy as sp

from klcal.claims._combinators import at_most, equal, jointly, positive, recomputed, vanishing, worst
from klcal.claims._evidence import Evidence, cases, step
from klcal.claims._ledger import Chapter
from klcal.claims.tree.theorems import swap_rate
from klcal.exact.tree_constants import deepest_level, largest_swap_ratio
from klcal.forecasters.tree import tree_capacity, tree_node

chapter = Chapter("11_one_forecaster")

DELTAS = (1, Fraction(1, 20), Fraction(1, 10**6))

# Computed once: the constants differ from their controls only in what they are compared with.
_swap_ratio = cache(largest_swap_ratio)


@chapter.claim(
    "new:tree/distinct",
    "Definition of the tree",
    "no two nodes forecast the same",
    kind="exact",
    scope=cases("the forecasts as the package rounds them, levels to 12"),
    controls={"forecasts to 6 decimals": {"digits": 6}},
    proof="Chapter 11",
)
def distinct(digits: int = 17) -> Evidence:
    """The midpoints of all cells of all levels are different, so cells of different nodes never merge."""
    nodes = [tree_node(level, j) for level in range(13) for j in range(2**level)]
    different = {f"{node.point:.{digits}f}" for node in nodes}
    return equal(
        len(different), len(nodes), f"all {len(nodes):,} nodes have different forecasts", cases=len(nodes)
    )


@chapter.claim(
    "new:tree/one-level",
    "Theorem F, one level",
    "what its cells add to the envelope",
    kind="symbolic",
    scope=step("far cells"),
    controls={"3.999 in place of 4": {"four": Fraction(3999, 1000)}},
    steps=("far cells", "angles", "half length of a cell"),
)
def far_cells(four: Fraction = Fraction(4)) -> Evidence:
    r"""Let every node of a level have $n_b\,\mathsf{KL}(\rho_b, C_b) \le \Lambda$. Then for every $u$ the nodes of this
    level, at most $2F$ of them used, add to $\varphi(u)$ at most $\sum\sqrt{\Lambda n_b}$ over three of them,
    $\frac12n_bw_\ell$ for the one whose cell contains $u$, and $\frac\Lambda{2w_\ell}H_{F-1}$ for all others together.

    A cell at the angle $d$ from $u$ whose mean lies at the angle $x$ beyond $u$ has $n(x+d)^2 \le \Lambda$ and adds at
    most $nx \le \Lambda x/(x+d)^2 \le \frac\Lambda{4d}$.
    """
    x, d = sp.symbols("x d", positive=True)
    return vanishing("$(x+d)^2-4xd = (x-d)^2$", [(x + d) ** 2 - sp.Rational(four) * x * d - (x - d) ** 2])


@chapter.evidence(
    "new:tree/one-level",
    kind="certified",
    scope=step("angles"),
    controls={"1.001 of the square": {"share": Fraction(1001, 1000)}},
)
def angles(share: Fraction = Fraction(1)) -> Evidence:
    r"""$\mathsf{KL}(\sin^2x, \sin^2y) \ge -2\log\cos(x-y) \ge (x-y)^2$; the first by Jensen."""
    n, m = share.as_integer_ratio()
    return positive(
        r"$-2\log\cos d > d^2$ for $0 < d \le \frac32$", lambda d: -2 * m * d.cos().log() - n * d * d, 1.5
    )


@chapter.evidence(
    "new:tree/one-level",
    kind="symbolic",
    scope=step("half length of a cell"),
    controls={"0.999 of the half length": {"share": Fraction(999, 1000)}},
)
def half_length(share: Fraction = Fraction(1)) -> Evidence:
    r"""A cell around the angle $\mu$ has the half length $\frac12\sin2\mu\sin w \le \frac w2$."""
    mu, w = sp.symbols("mu w", positive=True)
    ends = sp.sin(mu + w / 2) ** 2 - sp.sin(mu - w / 2) ** 2
    return vanishing(
        r"$\sin^2(\mu+\frac w2)-\sin^2(\mu-\frac w2) = \sin2\mu\sin w$",
        [sp.expand_trig(ends - sp.Rational(share) * sp.sin(2 * mu) * sp.sin(w))],
    )


@chapter.claim(
    "new:tree/swap-constant",
    "Theorem F, constant",
    "48 in place of 90",
    kind="certified",
    scope=step("all levels"),
    controls={"47 in place of 48": {"constant": 47}},
    steps=(
        "all levels",
        "new:tree/martingale",
        "new:pair/clipped-leader",
        "new:tree/one-level",
        "new:msr_is_an_envelope",
    ),
)
def swap_constant(constant: int = 48) -> Evidence:
    r"""In Theorem F 90 may be replaced by 48, for all $T \ge 2$ and all $\delta \in (0, 1]$.

    With $N_{L-1} < T \le N_L$ the levels $1, \dots, L$ add up to a function of $T$ that balls cover to $L = 39$, a
    closed form from there to $L = 199$, and one ball beyond. For $\delta < 1$ the quotient is smaller, as
    $\Lambda \ge \log T$; where $2T$ is smaller than the bound it is used instead.
    """
    return jointly(
        at_most(_swap_ratio(), constant, r"largest $\min(2T, \cdot)$ over $\sqrt{T\log T}$, all $T \ge 2$"),
        recomputed(
            "tree_swap",
            lambda T, delta, **_: constant * swap_rate(T, delta),
            [(T, delta) for T in (2, Fraction(52, 3), 10**9) for delta in DELTAS],
            ["certified"],
        ),
    )


@chapter.claim(
    "new:tree/sqrt-log",
    "Theorem F, beside it",
    "with these capacities the square root of log T is needed",
    kind="exact",
    scope=cases("the number of forecasts, every T at which a level begins or ends, levels to 60"),
    controls={"7.9 in place of 8": {"eight": Fraction(79, 10)}},
    steps=("new:grid_lower_bound",),
)
def needed(eight: Fraction = Fraction(8)) -> Evidence:
    r"""Let $N_{L-1} < T \le N_L$. Every forecast of the first $T$ rounds is one of $2^{L+1}-1 < 8\sqrt{T/L}$ numbers,
    so some coin and some proper loss in $[-1, 1]$ make $\mathbb E[\mathsf{Msr}_{\mathcal L}] \ge \frac1{16}\sqrt{TL}$,
    whatever rule chooses among the nodes.

    At $T > N_{L-1} = L\,4^{L-2}$ one has $2^{L+1} = 8\cdot2^{L-2} < 8\sqrt{T/L}$.
    """
    horizons = [T for level in range(1, 60) for T in (tree_capacity(level) + 1, tree_capacity(level + 1))]
    return worst(
        r"$(2^{L+1}-1)^2L$ over $T$",
        horizons,
        lambda T: Fraction((2 ** (deepest_level(T) + 1) - 1) ** 2 * deepest_level(T), T),
        eight**2,
    )


@chapter.claim(
    "new:coin-floor",
    "new",
    "fair coins cost every forecaster the square root of T/2",
    kind="symbolic",
    scope=step("mean of a random walk"),
    controls={"1.001 of the growth": {"share": Fraction(1001, 1000)}},
)
def coin_floor(share: Fraction = Fraction(1)) -> Evidence:
    r"""For fair coins $y_t$ and the proper loss $\ell(p, y) = 1-2y$ for $p \ge \frac12$, $2y-1$ otherwise, every
    forecaster has $\mathbb E[\mathsf{SReg}^\ell] \ge \mathbb E|R_T| \ge \sqrt{T/2}$, where $R_T = \sum_t(2y_t-1)$; and
    almost surely $\limsup_T\mathsf{SReg}^\ell_T/\sqrt{2T\log\log T} \ge 1$.

    The losses of the forecasts are a random walk $S_T$, and the best constant loses $-|R_T|$. $\mathbb E|R_{2m}| =
    \mathbb E|R_{2m-1}| = 2m\binom{2m}m4^{-m} \ge \sqrt m$, with equality at $m = 1$. The last statement is the law of
    the iterated logarithm for $S_T$.
    """
    m = sp.Symbol("m", positive=True, integer=True)
    mean = sp.Rational(share) ** m * 2 * m * sp.binomial(2 * m, m) / 4**m
    growth = sp.gammasimp((mean.subs(m, m + 1) / mean).rewrite(sp.gamma))
    return vanishing(
        r"$\mathbb E|R_2| = 1$, and $\mathbb E|R_{2m}|^2/m$ grows by the factor $1+\frac1{4m(m+1)}$",
        [(mean / share).subs(m, 1) - 1, growth**2 * m / (m + 1) - 1 - 1 / (4 * m * (m + 1))],
    )
