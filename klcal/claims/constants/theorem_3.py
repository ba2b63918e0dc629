r"""Section 6 and Appendix D: where the constants of Lemma 8, Theorem 3 and Corollary 3 come from."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import count, product
from typing import Any

import sympy as sp
from flint import arb

from klcal import bounds
from klcal.claims._combinators import at_most, closed, jointly, vanishing, worst
from klcal.claims._evidence import Evidence, cases, step
from klcal.claims._ledger import Chapter
from klcal.claims.constants.formulas import DELTAS, RESOLUTIONS, integer, recompute, theorem_2
from klcal.exact.balls import ball, precision

chapter = Chapter("constants")

BITS = 128
# Integers only: one version asks how often T can be halved.
GAMES = tuple(product((1, 2, 131, 10**6), RESOLUTIONS))


def kappa() -> arb:
    """Return e - 2."""
    return arb(1).exp() - 2


# ----- Lemma 8 -------------------------------------------------------------------------------------------------


@chapter.claim(
    "lem:Freedman/scalar",
    "Lemma 8, proof",
    "the inequality behind Freedman's",
    kind="symbolic",
    controls={"0.7182 in place of $e - 2 = 0.71828\\dots$": {"constant": Fraction("0.7182")}},
    credit="Beygelzimer et al. 2011",
    rows=(94,),
)
@precision(BITS)
def exponential_bound(constant: Fraction = Fraction("0.718282")) -> Evidence:
    r"""For $m > 0$ and all $x \le m$ we have $e^x \le 1 + x + c_mx^2$ with $c_m = (e^m-1-m)/m^2$, which increases with
    $m$, and no smaller constant will do; $c_1 = e - 2 < 0.718282$. (Lemma 8 has 1 in its place, its source $e - 2$; the
    package also offers $c_m$ at $m = \mu b$, $b$ the bound on the steps.)

    The integrand below increases with x.
    """
    return jointly(
        closed("freedman-exponential", "freedman-exponential-end"),
        at_most(kappa(), float(constant), "$(e^x-1-x)/x^2$ where it is largest, at the end $x = 1$"),
    )


def _freedman(V: arb, mu: arb, delta: arb, B: arb, version: str) -> arb:
    x = mu * B
    constants = {"paper": arb(1), "sharpened": kappa(), "best": (x.exp() - 1 - x) / x**2}
    return constants[version] * mu * V + (2 / delta).log() / mu


RATES = ((1, 1), (0.25, 2), (0.003, 1))

recompute(
    "lem:Freedman/scalar",
    (
        "freedman",
        _freedman,
        [(V, mu, delta, B) for V, delta, (mu, B) in product((0, 4.5, 10**5), DELTAS, RATES)],
        ("paper", "sharpened", "best"),
        lambda bound, V, mu, delta, B: bound(V, mu, delta, step=B),
    ),
)


@chapter.evidence(
    "lem:Freedman/scalar",
    kind="numeric",
    scope=cases(r"$m = 1, \frac12, \frac14, \frac18$"),
    controls={"0.999999 of the constant": {"share": 0.999999}},
)
@precision(BITS)
def excess_in_floats(share: float = 1.0) -> Evidence:
    """In floats the package has another formula for the constant, as e^m - 1 - m would cancel."""

    def miss(m: Fraction) -> arb:
        found = (bounds.freedman(1.0, float(m), 1.0, version="best") - math.log(2) / float(m)) / float(m)
        missed: arb = share * found - (ball(m).exp() - 1 - ball(m)) / ball(m) ** 2
        return abs(missed)

    values = [Fraction(1, 2**k) for k in range(4)]
    return worst("$c_m$ of `bounds.freedman` in floats, how far from balls", values, miss, 1e-12)


# ----- Equations 15 and 16 -------------------------------------------------------------------------------------

MASSES = tuple(product((0, 0.5, 3, 40.25, 10**5), (1, 7, 43), DELTAS))


def tails(points: arb, delta: arb, number: Any) -> Any:
    """Return log(number * points / delta): so many deviations at every point must not fail."""
    return (number * points / delta).log()


@chapter.claim(
    "eq:final_bound_rho_tilde_rho/explicit",
    "Equation 15",
    "realised against expected frequency",
    kind="symbolic",
    controls={"1.99 in place of 2": {"twice": Fraction("1.99")}},
    proof="Appendix D",
    uses=("lem:Freedman/scalar",),
    rows=(97, 98),
)
def ratio_of_sums(twice: Fraction = Fraction(2)) -> Evidence:
    r"""If $|n - S| \le D$ and $|a - b| \le D$ with $0 \le a \le n$, then $|\frac an - \frac bS| \le \frac{2D}S$. With
    $D = \mu S + L/\mu$ at $\mu = \sqrt{L/S} \le 1$ the square of the right-hand side is $16L/S$,
    $L = \log\frac{4|\mathcal Z|}\delta$. (Algebra for masses $S$ known in advance; the probability is that of
    eq:final_bound_rho_tilde_rho.)
    """
    a, b, n, S, L, D = sp.symbols("a b n S L D", positive=True)
    mu = sp.sqrt(L / S)
    # a = n, b = n - D, S = n + D, which is admitted.
    reached = (1 - (n - D) / (n + D)) * (n + D) / D
    return jointly(
        vanishing(
            r"$\frac an - \frac bS = \frac an\cdot\frac{S-n}S + \frac{a-b}S$, with $a \le n$",
            [a / n - b / S - (a / n * (S - n) / S + (a - b) / S)],
        ),
        vanishing(r"$(2D/S)^2 = 16L/S$", [(2 * (mu * S + L / mu) / S) ** 2 - 16 * L / S]),
        at_most(
            Fraction(str(sp.simplify(reached))),
            twice,
            r"$|\frac an - \frac bS|\cdot\frac SD$ at $a = n$, $b = n - D$, $S = n + D$",
        ),
    )


def _rate_deviation(S: arb, points: arb, delta: arb) -> Any:
    L = tails(points, delta, 4)
    mu = (L / S).sqrt()
    return arb(1) if S < L else (2 * (mu * S + L / mu) / S) ** 2


recompute("eq:final_bound_rho_tilde_rho/explicit", ("rate_deviation", _rate_deviation, MASSES))


@chapter.claim(
    "eq:final_bound_diff_p_ind/explicit",
    "Equation 16",
    "count against mass",
    kind="symbolic",
    controls={"0.99 of both remainders": {"factor": Fraction(99, 100)}},
    proof="Appendix D",
    uses=("lem:Freedman/scalar",),
    rows=(98,),
)
def best_rate_for_a_mass(factor: Fraction | int = 1) -> Evidence:
    r"""The smallest $\mu S + L/\mu$ over $\mu \in (0, 1]$ is $2\sqrt{LS}$ if $S \ge L$, and $S + L$ otherwise. (Algebra
    for masses known in advance; the probability is that of eq:final_bound_diff_p_ind.)
    """
    return closed("freedman-optimum", "freedman-capped", factor=factor)


def _count_deviation(S: arb, points: arb, delta: arb) -> Any:
    L = tails(points, delta, 4)
    mu = arb(1) if S < L else (L / S).sqrt()
    return mu * S + L / mu


recompute("eq:final_bound_diff_p_ind/explicit", ("count_deviation", _count_deviation, MASSES))


# ----- Theorem 3 -----------------------------------------------------------------------------------------------


@chapter.claim(
    "thm:high_prob_bound/explicit",
    "Theorem 3, constants",
    "the cell-by-cell algebra",
    kind="symbolic",
    scope=step("a cell with much mass"),
    controls={"$1.99a^2 + 2b^2$ and $1.49a^2 + 3b^2$": {"less": Fraction(1, 100)}},
    proof="Appendix D, and Chapter 7",
    steps=(
        "eq:final_bound_rho_tilde_rho/explicit",
        "eq:final_bound_diff_p_ind/explicit",
        "a cell with much mass",
        "a cell with little mass",
    ),
    uses=("lem:Freedman/scalar",),
    rows=(99,),
)
def cells_with_much_mass(less: Fraction | int = 0) -> Evidence:
    r"""On the event that the deviations hold, the cells add up to
    $6\,\mathsf{PCal}_2 + 96|\mathcal Z|\log\frac{4|\mathcal Z|}\delta$ by the printed steps and to
    $3\,\mathsf{PCal}_2 + 24(e-2)|\mathcal Z|\log\frac{3|\mathcal Z|}\delta$ with sharper ones, both for masses known in
    advance; and to $3\,\mathsf{PCal}_2 + 27(e-2)|\mathcal Z|\log\frac{4|\mathcal Z|(1+J)}\delta$,
    $J = \lceil\frac12\log_2T\rceil$, if $\mu$ may follow a random mass. The theorem as printed, for any algorithm, is
    not claimed here.

    In print a large cell is at most 3 S e^2 + 48 L, a small one at most 2 S e^2 + 4 L, and the sum is doubled.
    Sharpened: (A + M)^2 <= 1.5 A^2 + 3 M^2, and n >= S/2.
    """
    a, b = sp.symbols("a b", real=True)
    shift = sp.Rational(less) * a**2
    return jointly(
        vanishing(
            r"$2a^2 + 2b^2 - (a+b)^2$ and $\frac32a^2 + 3b^2 - (a+b)^2$ are $(a-b)^2$ and $\frac12(a-2b)^2$",
            [
                2 * a**2 - shift + 2 * b**2 - (a + b) ** 2 - (a - b) ** 2,
                sp.Rational(3, 2) * a**2 - shift + 3 * b**2 - (a + b) ** 2 - (a - 2 * b) ** 2 / 2,
            ],
        ),
        closed("large-cells", "small-cells"),
    )


@chapter.evidence(
    "thm:high_prob_bound/explicit",
    kind="symbolic",
    scope=step("a cell with little mass"),
    controls={"deviations of 1.99 in place of 2": {"width": Fraction("1.99")}},
)
@precision(BITS)
def cells_with_little_mass(width: Fraction | int = 2) -> Evidence:
    """With deviations of w sqrt(kappa S L) a cell with S >= 4 w^2 kappa L adds at most 6 w^2 kappa L beyond its gap,
    and one with less mass is at most its count, which at the threshold is the same number; w = 2 gives 24 and, if mu is
    only known up to a factor sqrt(2), w = 3/sqrt(2) gives 27. Where S < L/kappa the best mu is 1.
    """
    w, k, L = sp.symbols("w k L", positive=True)
    threshold = 4 * w**2 * k * L
    count_there = threshold + w * sp.sqrt(k * threshold * L)
    wider = sp.Rational(width) * (sp.sqrt(2) + 1 / sp.sqrt(2)) / 2
    return jointly(
        vanishing(r"the count at the threshold is $6w^2\kappa L$", [count_there - 6 * w**2 * k * L]),
        vanishing(
            r"$6w^2 = 24$, and 27 for the wider one", [6 * sp.Rational(width) ** 2 - 24, 6 * wider**2 - 27]
        ),
        at_most((1 + kappa()) / kappa() + 1, 24 * kappa(), r"$(1+\kappa)S + L$ over $L$, for $S < L/\kappa$"),
    )


def halvings(T: arb) -> int:
    """Return how many of 1, 1/2, 1/4, ... reach 1/sqrt(T).

    Examples
    --------
    >>> [halvings(arb(T)) for T in (1, 2, 4, 5)]
    [1, 2, 2, 3]
    """
    return next(J for J in count() if integer(T) <= 4**J) + 1


def right_hand_side(pcal2: Any, N: Any, delta: arb, T: arb, version: str) -> Any:
    """Return Theorem 3's right-hand side."""
    if version == "paper":
        return 2 * (3 * pcal2 + 48 * N * tails(N, delta, 4))
    constant, number = (24, 3) if version == "sharpened" else (27, 4 * halvings(T))
    return 3 * pcal2 + constant * kappa() * N * tails(N, delta, number)


THEOREM_3 = ("paper", "sharpened", "repaired")

recompute(
    "thm:high_prob_bound/explicit",
    (
        "theorem_3",
        right_hand_side,
        list(product((0, 10.5, 10**5), (1, 7, 43), DELTAS, (1, 2, 4, 5, 1000, 10**6))),
        THEOREM_3,
        lambda bound, pcal2, N, delta, T: bound(pcal2, N, delta, T=T),
    ),
)


# ----- Corollary 3 ---------------------------------------------------------------------------------------------


def _corollary_3(T: arb, K: arb, delta: arb, version: str) -> Any:
    pcal2 = theorem_2(T, K, "paper") if version == "paper" else theorem_2(T, K, "sharpened") / 2
    return right_hand_side(pcal2, K + 1, delta, T, version)


chapter.statement(
    "cor:cal_2_hp_bound/explicit",
    "Corollary 3, constants",
    "Cal_2 of Algorithm 1 with high probability",
    r"$\mathsf{Cal}_2$ of Algorithm 1 is at most the right-hand side of Theorem 3 for $K + 1$ points at "
    r"$\mathsf{PCal}_2 \le \frac12\mathsf{PKLCal}$ (in print $\mathsf{PKLCal}$), $\mathsf{PKLCal}$ bounded by Theorem "
    r"2, with probability at least $1 - \delta$. For oblivious outcomes; the repaired version also for adaptive ones. "
    "(cor:cal_2_hp_bound has the rate.)",
    proof="Appendix D, and Chapter 7",
    steps=("thm:high_prob_bound", "thm:bound_pkcal", "pinsker"),
    uses=("thm:high_prob_bound/explicit", "thm:bound_pkcal/explicit"),
    rows=(100,),
)
recompute(
    "cor:cal_2_hp_bound/explicit",
    ("corollary_3", _corollary_3, [(*game, delta) for game in GAMES for delta in DELTAS], THEOREM_3),
)


@chapter.claim(
    "cor:cal_2_hp_bound/expectation",
    "Corollary 3, expectation",
    "E[Cal_2] of Algorithm 1",
    kind="symbolic",
    scope=step("the tail integrated"),
    controls={"0.99 in place of 1": {"integral": Fraction(99, 100)}},
    proof="Appendix D, and Chapter 7",
    steps=("the tail integrated", "cor:cal_2_hp_bound"),
    uses=("cor:cal_2_hp_bound/explicit",),
    rows=(100,),
)
def tail_integrated(integral: Fraction | int = 1) -> Evidence:
    r"""For oblivious outcomes $\mathbb E[\mathsf{Cal}_2]$ is at most the right-hand side of Corollary 3 at
    $\delta = \frac1T$ plus $\delta T = 1$ in print; sharpened at most its integral over $\delta \in [0, 1]$, which is
    its value at $\delta = \frac1e$.

    The bound is a + b log(1/delta) for every delta, and log(1/delta) has integral 1.
    """
    delta = sp.Symbol("delta", positive=True)
    return vanishing(
        r"$\int_0^1\log\frac1\delta\,d\delta = 1$",
        [sp.integrate(-sp.log(delta), (delta, 0, 1)) - sp.Rational(integral)],
    )


def _expectation(T: arb, K: arb, version: str) -> Any:
    if version == "paper":
        return _corollary_3(T, K, 1 / T, version) + 1
    return _corollary_3(T, K, arb(1), version) + 24 * kappa() * (K + 1)


recompute(
    "cor:cal_2_hp_bound/expectation", ("corollary_3_expectation", _expectation, GAMES, ("paper", "sharpened"))
)
