r"""Appendix D, Equations 11 to 17, line by line."""

from __future__ import annotations

import math
from fractions import Fraction

import sympy as sp
from flint import arb

from klcal import bounds
from klcal.claims._combinators import at_most, closed, vanishing
from klcal.claims._evidence import Evidence, cases, step
from klcal.claims._ledger import Chapter
from klcal.exact.balls import ball, precision
from klcal.exact.binomial import binomial_tail

chapter = Chapter("07_high_probability")


@chapter.claim(
    "eq:bounding_X_and_Y",
    "Equation 11",
    "both sums of one point",
    kind="symbolic",
    scope=step("one draw"),
    controls={"0.99 of the variance": {"factor": Fraction(99, 100)}},
    proof="Appendix D",
    steps=("one draw", "lem:Freedman"),
    rows=(96, 97),
)
def one_draw(factor: Fraction | int = 1) -> Evidence:
    r"""For every algorithm, a point $z_i$ and a rate $\mu \in (0, 1]$ fixed in advance, with probability at least
    $1 - \delta$ both $|\sum_t y_t(\mathcal P_t(z_i) - 1\{p_t = z_i\})|$ and $|\sum_t(\mathcal P_t(z_i) - 1\{p_t =
    z_i\})|$ are at most $\mu S_i + \frac1\mu\log\frac4\delta$, where $S_i = \sum_t\mathcal P_t(z_i)$.

    Lemma 8 with failure probability delta/2 for each sum.
    """
    P, x = sp.symbols("P x", real=True)
    mean = P * (1 - P) * x + (1 - P) * (-P) * x
    square = P * ((1 - P) * x) ** 2 + (1 - P) * (P * x) ** 2
    return vanishing(
        r"a term $(1\{p_t = z\} - P)x$ has mean 0 and variance $P(1-P)x^2$, at most $P$ for $|x| \le 1$",
        [mean, square - sp.Rational(factor) * P * (1 - P) * x**2],
    )


@chapter.claim(
    "eq:bounding_diff_p_ind",
    "Equation 12",
    "sums of all points, rates fixed in advance",
    kind="symbolic",
    scope=step("the failure probabilities"),
    controls={r"$\log\frac{3.99|\mathcal Z|}\delta$": {"inequalities": Fraction(399, 100)}},
    proof="Appendix D",
    steps=("eq:bounding_X_and_Y", "the failure probabilities"),
    rows=(96, 97),
)
def failures_add_up(inequalities: Fraction | int = 4) -> Evidence:
    r"""Let $L = \log\frac{4|\mathcal Z|}\delta$ and let $\mu_i \in (0, 1]$ be fixed in advance. With probability at
    least $1 - \delta$ both sums of Equation 11 are at most $\mu_iS_i + \frac L{\mu_i}$ at all points at once.
    """
    size, delta = sp.symbols("Z delta", positive=True)
    L = sp.log(sp.Rational(inequalities) * size / delta)
    return vanishing(
        r"$4|\mathcal Z|e^{-L} = \delta$: two sums with two tails at each point",
        [4 * size * sp.exp(-L) - delta],
    )


@chapter.claim(
    "eq:bounding_rho_union_bound",
    "Equation 13",
    "frequencies of all points, rates fixed in advance",
    kind="symbolic",
    scope=step("the difference of two means"),
    controls={"0.99 of the deviation of the count": {"factor": Fraction(99, 100)}},
    proof="Appendix D; Chapter 7",
    steps=("eq:bounding_diff_p_ind", "the difference of two means"),
    rows=(96, 97),
)
def difference_of_means(factor: Fraction | int = 1) -> Evidence:
    r"""On the event of Equation 12, $|\rho_i - \tilde\rho_i| \le 2\mu_i + \frac{2L}{\mu_iS_i}$ at all points at once;
    also at points that were never drawn, with $\rho = 0$.

    The realised sum of outcomes a is at most the count n. If n = 0, the deviation is at least S, and the right side 2.
    """
    a, b, n, S, mu, L = sp.symbols("a b n S mu L", positive=True)
    deviation = mu * S + L / mu
    return vanishing(
        r"$\frac an - \frac bS = \frac an\cdot\frac{S-n}S + \frac{a-b}S$, and twice $\mu S + \frac L\mu$ over $S$",
        [
            a / n - b / S - sp.Rational(factor) * a / n * (S - n) / S - (a - b) / S,
            2 * deviation / S - 2 * mu - 2 * L / (mu * S),
        ],
    )


@chapter.claim(
    "eq:defintion_I",
    "Equation 14",
    "the best rate",
    kind="symbolic",
    controls={"0.99 of both remainders": {"factor": Fraction(99, 100)}},
    rows=(98,),
)
def best_rate(factor: Fraction | int = 1) -> Evidence:
    r"""$\mu S + \frac L\mu$ is smallest over $(0, 1]$ at $\mu = \sqrt{L/S}$ if $S \ge L$, and at $\mu = 1$ otherwise;
    so the set $\mathcal I$ of points with $S_i \ge L$ is decided by the masses. (The print includes $\mu = 0$, where
    the expression has no value.) If the masses are random, so are the best rates.
    """
    return closed("freedman-optimum", "freedman-capped", factor=factor)


@chapter.claim(
    "eq:final_bound_rho_tilde_rho",
    "Equation 15",
    "realised against expected frequency",
    kind="symbolic",
    scope=step("the best rate inserted"),
    controls={"15.9 in place of 16": {"constant": Fraction(159, 10)}},
    proof="Appendix D",
    steps=("eq:bounding_rho_union_bound", "eq:defintion_I", "the best rate inserted"),
    uses=("eq:final_bound_rho_tilde_rho/explicit",),
    rows=(96, 98),
)
def best_rate_inserted(constant: Fraction | int = 16) -> Evidence:
    r"""For masses $S_i$ known in advance and $L = \log\frac{4|\mathcal Z|}\delta$, with probability at least $1 -
    \delta$, $(\rho_i - \tilde\rho_i)^2$ is at most $\frac{16L}{S_i}$ where $S_i \ge L$, and at most 1 elsewhere, at all
    points at once.
    """
    S, L = sp.symbols("S L", positive=True)
    mu = sp.sqrt(L / S)
    return vanishing(
        r"$(2\mu + \frac{2L}{\mu S})^2 = \frac{16L}S$ at $\mu = \sqrt{L/S}$",
        [(2 * mu + 2 * L / (mu * S)) ** 2 - sp.Rational(constant) * L / S],
    )


@chapter.claim(
    "eq:final_bound_diff_p_ind",
    "Equation 16",
    "count against mass",
    kind="exact",
    scope=cases("two points with probabilities 1/200 and 199/200 in 80,000 rounds, delta = 10^-170"),
    controls={"0.84 of the bound": {"share": Fraction(84, 100)}},
    proof="Appendix D",
    steps=("eq:bounding_diff_p_ind", "eq:defintion_I"),
    uses=("eq:final_bound_diff_p_ind/explicit",),
    rows=(96, 98),
)
def count_of_rare_draws(share: Fraction = Fraction(1)) -> Evidence:
    r"""For masses $S_i$ known in advance and $L = \log\frac{4|\mathcal Z|}\delta$, with probability at least $1 -
    \delta$, $|S_i - n_i|$ is at most $2\sqrt{LS_i}$ where $S_i \ge L$, and at most $S_i + L$ elsewhere, at all points
    at once.
    """
    n, p = 80_000, Fraction(1, 200)
    with precision(128):
        delta = arb(10) ** -170
        bound = ball(share) * bounds.count_deviation(ball(n * p), 2, delta)
        k = math.floor(float(n * p) + float(bound.mid())) + 1
        return at_most(
            binomial_tail(n, p, k) / delta,
            1,
            r"probability that the rarer point is drawn too often over $\delta$, in balls",
        )


@chapter.claim(
    "eq:hp_bound_cal_2",
    "Equation 17",
    "the bound on Cal_2",
    kind="symbolic",
    scope=step("cell by cell"),
    controls={"95 in place of 96": {"additive": 95}, "5.9 in place of 6": {"multiple": Fraction(59, 10)}},
    proof="Appendix D",
    steps=("eq:final_bound_rho_tilde_rho", "eq:final_bound_diff_p_ind", "cell by cell"),
    uses=("thm:high_prob_bound/explicit",),
    rows=(95, 99),
)
def printed_cells(multiple: Fraction | int = 6, additive: int = 96) -> Evidence:
    r"""If the masses are known in advance, for instance if outcomes are oblivious and mixtures are a function of them,
    then on the event of Equations 15 and 16 $\mathsf{Cal}_2 \le 2\sum_i n_i((z_i-\tilde\rho_i)^2 +
    (\rho_i-\tilde\rho_i)^2) \le 6\,\mathsf{PCal}_2 + 96|\mathcal Z|\log\frac{4|\mathcal Z|}\delta$.

    With d = (z - rho~)^2 <= 1. Where S >= L the count is at most S + 2 sqrt(LS) <= 3S. Elsewhere it is at most 2S + L,
    and the remainder 2L(1 - d) + 4(L - S) is not negative.
    """
    x, y, S, L, d = sp.symbols("x y S L d", positive=True)
    return vanishing(
        r"$2x^2 + 2y^2 - (x+y)^2 = (x-y)^2$; $2\cdot3S(d + \frac{16L}S) = 6Sd + 96L$; "
        r"$4Sd + 8L - 2(2S+L)(d+1) = 2L(1-d) + 4(L-S)$",
        [
            2 * x**2 + 2 * y**2 - (x + y) ** 2 - (x - y) ** 2,
            6 * S * (d + 16 * L / S) - sp.Rational(multiple) * S * d - additive * L,
            4 * S * d + 8 * L - 2 * (2 * S + L) * (d + 1) - 2 * L * (1 - d) - 4 * (L - S),
        ],
    )
