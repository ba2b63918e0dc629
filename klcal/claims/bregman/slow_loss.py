r"""Claims on a loss in L_2 whose regret grows almost like the square root of T, for every forecaster.

With :math:`p_n = \frac1{n+1}` and :math:`T = 10^{10^n}` the spike n of `klcal.exact.counterexamples.slow_loss` has
:math:`Tw_n = 1`, and its regret is at least :math:`\frac{m_n}2(\mathbb E|B - Tp_n| - 1)` with B binomial.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import sympy as sp
from flint import arb, fmpz

from klcal.claims._combinators import above, below, equal, jointly, smallest, vanishing
from klcal.claims._evidence import Evidence, all_cases, cases, step
from klcal.claims._ledger import Chapter
from klcal.claims.bregman.growth import in_the_class
from klcal.exact.arithmetic import maximum
from klcal.exact.balls import ball, precision
from klcal.exact.binomial import binomial_expectation
from klcal.exact.counterexamples import (
    SharpV,
    mean_absolute_deviation_ball,
    slow_loss,
    slow_loss_regret,
)

chapter = Chapter("02_swap_regret_is_bregman")

SMALL = ((1, 1), (8, 1), (25, 1), (12, 2), (24, 2), (10, 3), (18, 3))
EVERY_FORECASTER = (
    r"the slow loss: $-f''$ is a sum of tents at $p_n = \frac1{n+1}$ with mass $\frac1{n(n+1)}$ and half-width "
    r"$10^{-10^n}$. It is one fixed loss in $\mathcal L_2$, and against coins with probability $p_n$ at "
    r"$T = 10^{10^n}$ every forecaster has $\mathbb E[\mathsf{Reg}^\ell] \ge "
    r"\frac1{2n(n+1)}\bigl(\frac{\sqrt{nT}}{2(n+1)} - 1\bigr)$"
)
DISCLAIMER = (
    "The paper's third bound is not meant as one bound for a supremum. "
    'Section 3.1 says "we do not necessarily guarantee that" such a bound holds, and "Henceforth, all subsequent '
    r'results related to (pseudo) swap regret for $\mathcal L_2$ are stated similarly".'
)
GIVEN_THE_LOWER_BOUND = step("the limit, given the lower bound of new:slow_loss")


@chapter.claim(
    "new:slow_loss",
    "new",
    "a lower bound for every forecaster",
    kind="symbolic",
    scope=step("half a tent"),
    controls={r"a mean at distance $\frac w3$, inside the tent": {"distance": Fraction(1, 3)}},
    steps=("half a tent", "lem:characterization_proper_loss", "lem:relate_breg_vbreg"),
)
def half_a_tent(distance: Fraction | None = None) -> Evidence:
    r"""For the loss with tents at $p_n = \frac1{n+1}$ of mass $m_n = \frac1{n(n+1)}$ and half-width
    $w_n = 10^{-10^n}$, and outcomes that are independently 1 with probability $p_n$, every forecaster has
    $\mathbb E[\mathsf{Reg}^\ell] \ge T\,\mathbb E[\mathsf{BREG}_{-\ell}(\bar y, p_n)] \ge
    \frac{m_n}2\bigl(\mathbb E|B - Tp_n| - Tw_n\bigr)$, $B \sim \mathrm{Bin}(T, p_n)$.

    A mean at distance d >= w from the centre has half a tent before it, of divergence (m/2)(d - w/3).
    """
    m, w, u = sp.symbols("m w u", positive=True)
    d = sp.Symbol("d", positive=True) if distance is None else sp.Rational(distance) * w
    reach = w if distance is None else d
    seen = sp.integrate(m / w * (1 - u / w) * (d - u), (u, 0, reach))
    return vanishing(
        r"half a tent between its centre and a mean at distance $d \ge w$ has divergence $\frac m2(d - \frac w3)$",
        [seen - m / 2 * (d - w / 3)],
    )


@chapter.evidence(
    "new:slow_loss",
    kind="exact",
    scope=cases("n = 1, T = 1, 8, 25; n = 2, T = 12, 24; n = 3, T = 10, 18; all outcomes"),
    controls={"1.01 times the bound": {"factor": Fraction(101, 100)}},
)
def bound_in_fractions(factor: Fraction = Fraction(1)) -> Evidence:
    """The expected divergence over all outcomes against the bound; leaving tents out can only lower a divergence."""

    def excess(game: tuple[int, int]) -> Fraction:
        T, n = game
        loss, p = replace(slow_loss(), count=n), Fraction(1, n + 1)
        truth = binomial_expectation(T, p, lambda k: T * loss.divergence(Fraction(k, T), p))
        return truth - factor * slow_loss_regret(T, n)

    return smallest(
        r"smallest excess of $T\,\mathbb E[\mathsf{BREG}(\bar y, p_n)]$ over the bound, all outcomes in fractions",
        SMALL,
        excess,
        0,
    )


@cache
def mean_deviation_from_moments() -> Evidence:
    r"""Close (E|X|)^2 >= (E X^2)^3 / E X^4 >= v/4 for X = B - Tp and v = Tp(1-p) >= 1.

    The first inequality is Hoelder's. The fourth moment is 3 v^2 + v(1 - 6p(1-p)) <= 4 v^2.
    """
    s, T, p, v, r = sp.symbols("s T p v r", positive=True)
    generating = ((1 - p) * sp.exp(-p * s) + p * sp.exp((1 - p) * s)) ** T
    variance = T * p * (1 - p)
    fourth = 3 * variance**2 + variance * (1 - 6 * p * (1 - p))
    slack = v**3 / (3 * v**2 + v * (1 - 6 * r)) - v / 4
    return vanishing(
        r"$\mathbb E X^4 = 3v^2 + v(1 - 6p(1-p))$ for $X = B - Tp$, $v = Tp(1-p)$; hence, by Hölder's inequality, "
        r"$(\mathbb E|X|)^2 \ge v^3/\mathbb E X^4 \ge \frac v4$ for $v \ge 1$",
        [
            sp.diff(generating, s, 4).subs(s, 0) - fourth,
            slack - v * (v - 1 + 6 * r) / (4 * (3 * v + 1 - 6 * r)),
        ],
    )


def outgrows(power: Fraction | int, log_power: Fraction | int) -> Evidence:
    r"""Return whether the slow loss's regret at T = 10^(10^n) outgrows T^power (log T)^log_power for every constant.

    With x = 10^n the lower bound over the rate is a function of x whose limit sympy decides.
    """
    x = sp.Symbol("x", positive=True)
    n, log_T = sp.log(x) / sp.log(10), x * sp.log(10)
    a, b = sp.Rational(power), sp.Rational(log_power)
    root, one = sp.exp((sp.Rational(1, 2) - a) * log_T), sp.exp(-a * log_T)
    ratio = (root * sp.sqrt(n) / (2 * (n + 1)) - one) / (2 * n * (n + 1)) / log_T**b
    rate = rf"T^{{{power}}}(\log T)^{{{log_power}}}" if power else r"\log T"
    return jointly(
        equal(
            int(sp.limit(ratio, x, sp.oo) != sp.oo),
            0,
            rf"the lower bound divided by ${rate}$ tends to infinity along $T = 10^{{10^n}}$",
        ),
        mean_deviation_from_moments(),
        in_the_class(slow_loss(), 4),
    )


def regret_ball(T: int, n: int) -> arb:
    """Return the lower bound of `new:slow_loss` as a ball."""
    with precision(3 * T.bit_length() + 64):
        width = 1 / arb(fmpz(10 ** (10**n)))
        deviation = mean_absolute_deviation_ball(T, Fraction(1, n + 1))
        return (deviation - arb(fmpz(T)) * width) / (2 * n * (n + 1))


@chapter.claim(
    "new:slow_loss_rate",
    "new",
    "a loss in L_2 without a T^(1/3) rate",
    kind="symbolic",
    scope=step("the limit"),
    controls={r"the rate $\sqrt T$ itself": {"power": Fraction(1, 2)}},
    steps=("the limit", "new:slow_loss"),
)
def beats_almost_the_root(power: Fraction = Fraction(49, 100)) -> Evidence:
    r"""The slow loss lies in $\mathcal L_2$, and against coins with probability $p_n$ at $T = 10^{10^n}$ every
    forecaster's expected regret is of order at least $\sqrt T/(\log\log T)^{5/2}$. So it exceeds $C\,T^a$ infinitely
    often, for every $C$ and every $a < \frac12$.
    """
    return outgrows(power, 0)


@chapter.claim(
    "new:slow_loss_crossing",
    "new",
    "how large T must be",
    kind="exact",
    scope=all_cases("four horizons"),
    controls={
        r"$T = 5.41\cdot10^{11}$, 0.4% earlier": {"early": 541 * 10**9},
        r"$T = 8.92\cdot10^{26}$, 0.2% earlier": {"late": 892 * 10**24},
    },
    uses=("new:slow_loss",),
)
def crossings(early: int = 543 * 10**9, late: int = 894 * 10**24) -> Evidence:
    r"""The lower bound of new:slow_loss with $n \le 3$ exceeds $T^{1/3}(\log T)^{2/3}$ at $T = 5.43\cdot10^{11}$ and
    $T^{1/3}(\log T)^{5/3}$ at $T = 8.94\cdot10^{26}$, and not yet at $5.41\cdot10^{11}$ and $8.92\cdot10^{26}$: the
    failure is asymptotic, and invisible in any simulation.
    """

    def best(T: int, log_power: int) -> arb:
        with precision(3 * T.bit_length() + 64):
            log = arb(fmpz(T)).log()
            rate = (log / 3).exp() * log ** ball(Fraction(log_power, 3))
            return ball(maximum(regret_ball(T, n) / rate for n in (1, 2, 3)))

    return jointly(
        above(best(early, 2), 1, r"bound over $T^{1/3}(\log T)^{2/3}$ at the first $T$, in balls"),
        above(best(late, 5), 1, r"bound over $T^{1/3}(\log T)^{5/3}$ at the second $T$, in balls"),
        below(best(541 * 10**9, 2), 1, r"the first at $5.41\cdot10^{11}$"),
        below(best(892 * 10**24, 5), 1, r"the second at $8.92\cdot10^{26}$"),
    )


chapter.statement(
    "sec1:for_each_loss_in_L_2",
    "Abstract (a) and Section 1.1 (b)",
    "the rate for each single loss in L_2",
    r'One algorithm has $\tilde O(T^{1/3})$ swap regret "for any proper loss with a twice continuously '
    r'differentiable univariate form"; in detail, $\mathbb E[\mathsf{SReg}^\ell] = O(T^{1/3}(\log T)^{5/3})$ '
    r"for each $\ell \in \mathcal L_2$, with a constant that may depend on $\ell$.",
    proof="Chapters 2, 4 and 5",
    steps=(
        "prop:breg_div_decomposable",
        "thm:log_loss_swap_reg",
    ),
    repair=r"For each proper loss with $c_\ell = \sup p(1-p)|\ell''(p)|$ finite, $\mathbb E[\mathsf{SReg}^\ell] \le "
    r"c_\ell\,\mathbb E[\mathsf{KLCal}] = O(T^{1/3}(\log T)^{5/3})$ and $\mathsf{PSReg}^\ell \le "
    r"c_\ell\,\mathsf{PKLCal}$. All losses that the paper names are among them (new:kl_constants); for the others "
    r"there is $O(T^{2/3})$, as for every bounded proper loss.",
    severity="statement",
    uses=("new:slow_loss_rate",),
    rows=(57,),
)


@chapter.refutation(
    "sec1:for_each_loss_in_L_2",
    kind="symbolic",
    scope=GIVEN_THE_LOWER_BOUND,
    controls={
        r"the rate $\sqrt T$ in place of $T^{1/3}(\log T)^{5/3}$": {"power": Fraction(1, 2), "log_power": 0}
    },
)
def slow_loss_refutes_the_rate(
    power: Fraction = Fraction(1, 3), log_power: Fraction | int = Fraction(5, 3)
) -> Evidence:
    """One fixed loss in L_2 has more regret than every multiple of the rate."""
    return outgrows(power, log_power).against(EVERY_FORECASTER)


@chapter.refuted(
    "sec1:follow_the_leader",
    "Section 1.1",
    "logarithmic regret of follow-the-leader",
    kind="symbolic",
    scope=GIVEN_THE_LOWER_BOUND,
    controls={r"the rate $\sqrt T$ in place of $\log T$": {"power": Fraction(1, 2), "log_power": 0}},
    severity="statement",
    instead=(
        r"On the slow loss the regret of every forecaster is infinitely often of order at least "
        r"$\sqrt T/(\log\log T)^{5/2}$ (new:slow_loss_rate). The coin has to change with the horizon: against a fixed "
        r"coin follow-the-leader does have $O(\log T)$ with this loss, the constant depending on the coin. Nothing is "
        r"said against losses with the growth rate of Proposition 2, nor against $\mathcal L_G$."
    ),
    uses=("new:slow_loss",),
)
def beats_the_logarithm(power: Fraction | int = 0, log_power: int = 1) -> Evidence:
    r"""Follow-the-leader has $\mathsf{Reg}^\ell = O(\log T)$ for each $\ell \in \mathcal L_2 \cup \mathcal L_G$ (quoted
    by the paper from earlier work).
    """
    return outgrows(power, log_power).against(EVERY_FORECASTER)


@chapter.claim(
    "sec1:follow_the_leader/linear",
    "Section 1.1",
    "linear regret of follow-the-leader",
    kind="exact",
    scope=cases("even T <= 60"),
    controls={"a forecast on the kink counted on the other side": {"tie": -2}},
    proof="Chapter 2",
)
def alternating_outcomes(tie: int = 2) -> Evidence:
    r"""Follow-the-leader has $\mathsf{Reg}^\ell = \Omega(T)$ for a specific loss in
    $\mathcal L \setminus (\mathcal L_2 \cup \mathcal L_G)$: with $f(p) = -|1-2p|$, supergradient 2 at the kink, first
    forecast $\frac12$ and outcomes $1, 0, 1, 0, \dots$ it is $T$ for every even $T$.

    The mean of the past is 1/2 before every outcome 1 and above 1/2 before every outcome 0: each round costs 1. A
    constant forecast costs 0 in all.
    """
    loss = SharpV(Fraction(tie))

    def regret(T: int) -> Fraction:
        outcomes = [(t + 1) % 2 for t in range(T)]
        means = [Fraction(sum(outcomes[:t]), t) if t else Fraction(1, 2) for t in range(T)]
        leader = sum((loss(p, y) for p, y in zip(means, outcomes, strict=True)), Fraction(0))
        return leader - T * loss.entropy(Fraction(1, 2))

    return smallest(
        r"smallest $\mathsf{Reg}/T$ on alternating outcomes", range(2, 61, 2), lambda T: regret(T) / T, 1
    )
