r"""Section 6 and Appendix D: where the constants of Lemma 8, Theorem 3 and Corollary 3 come from."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import count, product

import sympy as sp
from flint import arb

from klcal import bounds
from klcal.claims._combinators import closed, jointly, vanishing
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.constants._common import BITS, CHAPTER, DELTAS, GAMES, agrees, theorem_2
from klcal.claims.grids._common import positive
from klcal.exact.balls import ball, lower, precision, upper

FREEDMAN = ("paper", "sharpened", "best")


def kappa() -> arb:
    """Return e - 2."""
    return arb(1).exp() - 2


def _freedman_cases() -> Iterator[tuple[float, float, float, float]]:
    for variance, delta in product((0.0, 4.0, 1e5), DELTAS):
        yield from ((variance, mu, delta, step) for mu, step in ((1.0, 1.0), (0.25, 2.0), (0.003, 1.0)))


def _freedman(variance: float, mu: float, delta: float, step: float, version: str) -> arb:
    """Return c mu V + log(2/delta)/mu, with c = (e^x - 1 - x)/x^2 at x = mu B for the best version."""
    rate, x = ball(mu), ball(mu) * ball(step)
    constants = {"paper": arb(1), "sharpened": kappa(), "best": (x.exp() - 1 - x) / x**2}
    return constants[version] * rate * ball(variance) + (2 / ball(delta)).log() / rate


@precision(BITS)
def exponential_bound(constant: float = 0.71829) -> Evidence:
    r"""Check :math:`e^x \le 1 + x + c\,x^2` for all :math:`x \le 1`, with c = e - 2, which no smaller c will do.

    :math:`(e^x - 1 - x)/x^2` is the integral of :math:`(1-s)e^{sx}` over [0, 1] and hence increases (sympy);
    at 1 it is e - 2. Independently: its derivative is :math:`((x-2)e^x + x + 2)/x^3`, which balls show positive
    on [-2, 1], and for :math:`x \le -2` the parabola falls towards :math:`-2`, where it is above
    :math:`e^{-2}`.
    """
    at_one = arb(1).exp() - 1 - 1
    at_minus_two = 1 - 2 + 4 * kappa() - arb(-2).exp()
    return jointly(
        Evidence(upper(at_one), constant, "<=", "(e^x - 1 - x)/x^2 at x = 1, its largest value"),
        closed("freedman-exponential", "freedman-exponential-end"),
        positive("(x - 2)e^x + x + 2 > 0 on (0, 1]", lambda x: (x - 2) * x.exp() + x + 2, 1),
        positive("(x + 2)e^(-x) + x - 2 > 0 on (0, 2]", lambda x: (x + 2) * (-x).exp() + x - 2, 2),
        Evidence(lower(at_minus_two), 0, ">", "1 + x + (e-2)x^2 - e^x at x = -2"),
        Evidence(lower(-1 / (2 * kappa())), -2, ">", "the parabola turns to the right of -2"),
        *(
            agrees(
                f"c mu V + log(2/delta)/mu, {version}",
                partial(_with_step, version=version),
                partial(_freedman, version=version),
                _freedman_cases(),
            )
            for version in FREEDMAN
        ),
    )


def _with_step(variance: float, mu: float, delta: float, step: float, version: str) -> float:
    return float(bounds.freedman(variance, mu, delta, step=step, version=version))


def tail(steps: int, threshold: float) -> Fraction:
    """Return the probability that a simple random walk ends farther than `threshold` from its start.

    Examples
    --------
    >>> tail(2, 1.5), tail(2, 2.0)
    (Fraction(1, 2), Fraction(0, 1))
    """
    far = sum(math.comb(steps, k) for k in range(steps + 1) if abs(2 * k - steps) > threshold)
    return Fraction(far, 2**steps)


def random_walk(scale: float = 1.0) -> Evidence:
    """Check Lemma 8 on the simple random walk, exactly: all lengths up to 60, four rates, four deltas, all versions."""
    worst = Fraction(0)
    for steps, mu, delta in product(range(1, 61), (1.0, 0.5, 0.25, 0.125), (0.5, 0.1, 0.01, 0.0001)):
        for version in FREEDMAN:
            threshold = scale * bounds.freedman(float(steps), mu, delta, version=version)
            worst = max(worst, tail(steps, threshold) / Fraction(delta))
    text = "largest probability of a larger deviation over delta, exact"
    return Evidence(worst, 1, "<=", text, {"steps": "1..60"})


def _mass_cases() -> Iterator[tuple[float, int, float]]:
    yield from product((0.0, 0.5, 3.0, 40.0, 1e5), (1, 7, 43), DELTAS)


def _log_tails(points: int, delta: float, tails: int) -> arb:
    return (tails * points / ball(delta)).log()


def _ratio_tails(twice: Fraction) -> Evidence:
    """Check |a/n - b/S| <= 2D/S if a and b, n and S differ by at most D: the identity, and small fractions."""
    a, b, n, S = sp.symbols("a b n S", positive=True)
    split = a / n - b / S - (a / n * (S - n) / S + (a - b) / S)
    worst = Fraction(0)
    masses = [Fraction(k, 2) for k in range(1, 9)]
    for S_, ones_, n_ in product(masses, masses, range(1, 7)):
        for hits in range(n_ + 1):
            D = max(abs(n_ - S_), abs(hits - ones_))
            if ones_ <= S_ and D > 0:
                worst = max(worst, abs(Fraction(hits, n_) - ones_ / S_) * S_ / D)
    return jointly(
        Evidence(worst, twice, "<=", "largest |a/n - b/S| S/D over small fractions, exactly"),
        vanishing("a/n - b/S = (a/n)(S - n)/S + (a - b)/S, with a <= n", [split]),
    )


def rate_deviation(twice: Fraction = Fraction(2)) -> Evidence:
    r"""Check Equation 15: the square of :math:`2(\mu S + L/\mu)/S` at the best :math:`\mu`, or the trivial 1.

    Parameters
    ----------
    twice : Fraction
        The factor between the deviation of a ratio and that of its parts.
    """

    def squared(mass: float, points: int, delta: float) -> arb:
        S, L = ball(mass), _log_tails(points, delta, 4)
        if S < L:
            return arb(1)
        mu = (L / S).sqrt()
        return (2 * mu + 2 * L / (mu * S)) ** 2

    return jointly(
        _ratio_tails(twice),
        closed("freedman-optimum", "freedman-capped"),
        agrees("(2 mu + 2L/(mu S))^2 at mu = sqrt(L/S)", bounds.rate_deviation, squared, _mass_cases()),
    )


def count_deviation(tails: int = 4) -> Evidence:
    r"""Check Equation 16: :math:`\mu S + L/\mu` at its minimum over (0, 1], L = log(4 |Z|/delta)."""

    def deviation(mass: float, points: int, delta: float) -> arb:
        S, L = ball(mass), _log_tails(points, delta, tails)
        mu = arb(1) if S < L else (L / S).sqrt()
        return mu * S + L / mu

    return jointly(
        agrees("mu S + L/mu at mu = min(1, sqrt(L/S))", bounds.count_deviation, deviation, _mass_cases()),
        closed("freedman-optimum", "freedman-capped"),
    )


def _sharper_cells(width: arb) -> arb:
    r"""Return what a cell adds beyond 3 S e^2, over L, if counts and sums deviate by `width` times sqrt(kappa S L).

    From :math:`S = 4w^2\kappa L` on, n >= S/2, and :math:`3M^2/n \le 6w^2\kappa L`. Below, the cell adds at most
    :math:`n \le S + w\sqrt{\kappa SL}`, which at the threshold is the same number.
    """
    threshold = 4 * width**2 * kappa()
    many = 2 * 3 * width**2 * kappa()
    few = threshold + width * (kappa() * threshold).sqrt()
    return many.max(few)


def _rates(T: int) -> int:
    """Return how many powers 1, 1/2, 1/4, ... reach 1/sqrt(T): the first with 4^J >= T, and all before."""
    return next(J for J in count() if 4**J >= T) + 1


def _cells_in_the_middle(width: arb) -> Evidence:
    """Check a cell with S < L/kappa, where mu = 1 is best: n <= (1 + kappa)S + L is below what it may add."""
    inside = (1 + kappa()) / kappa() + 1
    return Evidence(upper(inside), lower(_sharper_cells(width)), "<=", "cells with S < L/(e - 2), over L")


@precision(BITS)
def theorem_3(outer: int = 2, width: Fraction = Fraction(2)) -> Evidence:
    r"""Check the constants of Theorem 3 from its cell-by-cell algebra, in three versions.

    In print: :math:`(a+b)^2 \le 2a^2 + 2b^2`; a large cell is at most :math:`3Se^2 + 48L`, a small one at most
    :math:`2Se^2 + 4L`; twice the larger constants are 6 and 96. Sharpened: :math:`\frac32a^2 + 3b^2` with
    Freedman's constant e - 2 gives 3 and :math:`24(e-2)`. Repaired, with :math:`\mu` from 1 + J powers of 1/2:
    one of them is within a factor :math:`\sqrt2` of the best, so deviations grow by
    :math:`\frac12(\sqrt2 + \frac1{\sqrt2})`, and 24 to 27.

    Parameters
    ----------
    outer : int
        Factor of the printed sum of the two terms.
    width : Fraction
        Deviation over sqrt((e - 2)SL) at the best mu.
    """
    w = ball(width)
    wider = w / 2 * (arb(2).sqrt() + 1 / arb(2).sqrt())

    def printed(pcal2: float, points: int, delta: float) -> arb:
        return outer * (3 * ball(pcal2) + 48 * points * _log_tails(points, delta, 4))

    def sharpened(pcal2: float, points: int, delta: float) -> arb:
        return 2 * ball(1.5) * ball(pcal2) + _sharper_cells(w) * points * _log_tails(points, delta, 3)

    def general(pcal2: float, points: int, delta: float, T: int) -> arb:
        log_term = _log_tails(points, delta, 4 * _rates(T))
        return 2 * ball(1.5) * ball(pcal2) + _sharper_cells(wider) * points * log_term

    cases = list(product((0.0, 10.0, 1e5), (1, 7, 43), DELTAS))
    return jointly(
        agrees(
            "2(3 PCal_2 + 48 |Z| log(4|Z|/delta))", partial(bounds.theorem_3, version="paper"), printed, cases
        ),
        agrees("3 PCal_2 + 24(e-2) |Z| log(3|Z|/delta)", bounds.theorem_3, sharpened, cases),
        agrees(
            "3 PCal_2 + 27(e-2) |Z| log(4|Z|(1+J)/delta)",
            lambda pcal2, points, delta, T: bounds.theorem_3(pcal2, points, delta, T=T, version="repaired"),
            general,
            [(*case, T) for case in cases for T in (1, 2, 4, 5, 1000, 10**6)],
        ),
        closed("square-of-sum", "square-of-sum-sharper", "large-cells", "small-cells"),
        _cells_in_the_middle(w),
        _cells_in_the_middle(wider),
    )


def _pcal2(T: int, K: int, version: str) -> arb:
    """Return the bound on PCal_2: Theorem 2 by Pinsker's inequality."""
    return theorem_2(T, K, "paper") if version == "paper" else theorem_2(T, K, "sharpened") / 2


@precision(BITS)
def _corollary_3(T: int, K: int, delta: arb, version: str, points: int = 1) -> arb:
    """Return Theorem 3 with K + 1 points at that PCal_2."""
    size, pseudo = K + points, _pcal2(T, K, version)
    if version == "paper":
        return 6 * pseudo + 96 * size * (4 * size / delta).log()
    if version == "sharpened":
        return 3 * pseudo + 24 * kappa() * size * (3 * size / delta).log()
    return 3 * pseudo + 27 * kappa() * size * (4 * size * _rates(T) / delta).log()


def corollary_3(points: int = 1) -> Evidence:
    r"""Check Corollary 3: Theorem 3 with K + `points` points, at PCal_2 <= PKLCal/2 by Theorem 2 (in print: PKLCal)."""
    cases = [(T, K, delta) for T, K in GAMES for delta in DELTAS]
    return jointly(
        *(
            agrees(
                f"Theorem 3 at K + 1 points and PCal_2 by Theorem 2, {version}",
                partial(bounds.corollary_3, version=version),
                partial(_at, version=version, points=points),
                cases,
            )
            for version in ("sharpened", "repaired", "paper")
        ),
        closed("corollary-3-rate", "corollary-3-grid-term"),
    )


def _at(T: int, K: int, delta: float, version: str, points: int) -> arb:
    return _corollary_3(T, K, ball(delta), version, points)


def corollary_3_expectation(failure: int = 1) -> Evidence:
    r"""Check E[Cal_2]: in print the bound at delta = 1/T plus delta T; sharpened the tail integrated.

    The bound is :math:`a + b\log\frac1\delta` for every :math:`\delta`, so the expectation is at most its
    integral over :math:`\delta \in [0, 1]`, which is a + b, as :math:`\int_0^1\log\frac1\delta\,d\delta = 1`.
    """
    delta = sp.Symbol("delta", positive=True)

    def sharpened(T: int, K: int) -> arb:
        return _corollary_3(T, K, arb(1), "sharpened") + 24 * kappa() * (K + 1)

    return jointly(
        agrees("a + b, the tail integrated", bounds.corollary_3_expectation, sharpened),
        agrees(
            "the bound at delta = 1/T, plus 1",
            partial(bounds.corollary_3_expectation, version="paper"),
            lambda T, K: _corollary_3(T, K, 1 / ball(T), "paper") + failure,
        ),
        vanishing("log(1/delta) has integral 1", [sp.integrate(-sp.log(delta), (delta, 0, 1)) - 1]),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="lem:Freedman/scalar",
        number="Lemma 8, proof",
        title="the inequality behind Freedman's",
        kind="certified",
        chapter=CHAPTER,
        statement="e^x <= 1 + x + (e - 2)x^2 for all x <= 1, and e - 2 is the best constant; so the right-hand "
        "side of Lemma 8 is c mu V + log(2/delta)/mu with c = 1 in print, e - 2 sharpened, and (e^x - 1 - "
        "x)/x^2 at x = mu B at best.",
        check=exponential_bound,
        spoil=(partial(exponential_bound, 0.7182), partial(closed, "freedman-exponential-end", factor=2)),
        rows=(94,),
    ),
    Claim(
        label="lem:Freedman/walk",
        number="Lemma 8, an example",
        title="Freedman's inequality for a random walk",
        kind="exact",
        chapter=CHAPTER,
        statement="For the simple random walk of up to 60 steps, four rates mu and four delta, the probability "
        "of exceeding the right-hand side of Lemma 8 is at most delta, in all three versions.",
        uses=("lem:Freedman/scalar",),
        check=random_walk,
        spoil=(partial(random_walk, 0.6),),
        rows=(94,),
    ),
    Claim(
        label="eq:final_bound_rho_tilde_rho/explicit",
        number="Equation 15",
        title="realised against expected frequency",
        kind="certified",
        chapter=CHAPTER,
        statement="If both sums deviate by at most D, the two frequencies differ by at most 2D/S; with D = mu "
        "S + L/mu at mu = sqrt(L/S) <= 1 the square of that is 16L/S, L = log(4|Z|/delta). The algebra of a "
        "mass S known in advance; the probability is not checked here.",
        uses=("lem:Freedman/scalar",),
        check=rate_deviation,
        spoil=(partial(rate_deviation, Fraction(199, 100)),),
        rows=(97, 98),
    ),
    Claim(
        label="eq:final_bound_diff_p_ind/explicit",
        number="Equation 16",
        title="count against mass",
        kind="certified",
        chapter=CHAPTER,
        statement="mu S + L/mu is at most 2 sqrt(LS) if S >= L and S + L otherwise, at the best mu in (0, 1], L "
        "= log(4|Z|/delta). The algebra of a mass S known in advance; the probability is not checked here.",
        uses=("lem:Freedman/scalar",),
        check=count_deviation,
        spoil=(partial(count_deviation, 3),),
        rows=(98,),
    ),
    Claim(
        label="thm:high_prob_bound/explicit",
        number="Theorem 3, constants",
        title="the cell-by-cell algebra",
        kind="certified",
        chapter=CHAPTER,
        statement="On the event that the deviations hold, adding up the cells gives 6 PCal_2 + 96|Z| "
        "log(4|Z|/delta) by the printed steps, 3 PCal_2 + 24(e-2)|Z| log(3|Z|/delta) with sharper ones, both "
        "for masses known in advance; and 3 PCal_2 + 27(e-2)|Z| log(4|Z|(1+J)/delta), J = ceil(log2(T)/2), "
        "when mu may follow a random mass. The theorem as printed, for any algorithm, is not claimed.",
        uses=(
            "lem:Freedman/scalar",
            "eq:final_bound_rho_tilde_rho/explicit",
            "eq:final_bound_diff_p_ind/explicit",
        ),
        check=theorem_3,
        spoil=(partial(theorem_3, 1), partial(theorem_3, width=Fraction(199, 100))),
        rows=(99,),
    ),
    Claim(
        label="cor:cal_2_hp_bound/explicit",
        number="Corollary 3, constants",
        title="Cal_2 of Algorithm 1 with high probability",
        kind="certified",
        chapter=CHAPTER,
        statement="The explicit right-hand side is Theorem 3's for K + 1 points at PCal_2 <= PKLCal/2 (in print "
        "PKLCal), PKLCal bounded by Theorem 2; its order is T^(1/3) (log T)^(-1/3) log(T/delta). For oblivious "
        "outcomes; the repaired version also for adaptive ones.",
        uses=("thm:high_prob_bound/explicit", "thm:bound_pkcal/explicit", "pinsker"),
        check=corollary_3,
        spoil=(partial(corollary_3, 0), partial(closed, "corollary-3-rate", factor=2)),
        rows=(100,),
    ),
    Claim(
        label="cor:cal_2_hp_bound/expectation",
        number="Corollary 3, expectation",
        title="E[Cal_2] of Algorithm 1",
        kind="certified",
        chapter=CHAPTER,
        statement="The explicit right-hand side is Corollary 3's at delta = 1/T plus delta T = 1 in print, and "
        "its integral over delta in [0, 1] sharpened, which is its value at delta = 1/e; for oblivious "
        "outcomes.",
        uses=("cor:cal_2_hp_bound/explicit",),
        check=corollary_3_expectation,
        spoil=(partial(corollary_3_expectation, 0),),
        rows=(100,),
    ),
)
