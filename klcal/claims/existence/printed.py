r"""Steps II and III in the proof of Theorem 1: the martingales, Equation 6, and the rate with the proof's constant."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, Literal

import numpy as np
from flint import arb

from klcal import bounds
from klcal.bounds.rates import real_resolution
from klcal.claims._combinators import at_most, closed, jointly, none_of, worst
from klcal.claims._evidence import Evidence, cases, step
from klcal.claims._ledger import Chapter
from klcal.exact.balls import ball, precision
from klcal.exact.binomial import binomial_tail
from klcal.exact.certificates import largest_ratio, last_horizon
from klcal.exact.growth import horizons

chapter = Chapter("04_existence")

Centre = Literal["announcement", "forecast", "hindsight"]
Past = tuple[int, tuple[Fraction, ...]]

_POINTS = (Fraction(1, 4), Fraction(3, 4))


def _paths(T: int, seed: int, centre: Centre) -> Iterator[tuple[Fraction, list[list[Fraction]]]]:
    """Yield every outcome sequence's probability and its differences, one list per bucket, for a random adversary."""
    draws = iter(np.random.default_rng(seed).integers(0, 13, size=2**T).tolist())
    announced = {h: Fraction(next(draws), 12) for t in range(T) for h in product((0, 1), repeat=t)}
    for outcomes in product((0, 1), repeat=T):
        chance, differences = Fraction(1), [[], []]  # type: tuple[Fraction, list[list[Fraction]]]
        for t, y in enumerate(outcomes):
            p = announced[outcomes[:t]]
            bucket = y if centre == "hindsight" else int(p > Fraction(1, 2))
            differences[bucket].append(y - (_POINTS[bucket] if centre == "forecast" else p))
            chance *= p if y else 1 - p
        if chance:
            yield chance, differences


@chapter.claim(
    "thm:log_loss_swap_reg/martingale",
    "Theorem 1, Step II",
    "the differences of a bucket are a martingale's",
    kind="exact",
    scope=cases("forecasts 1/4 and 3/4, T = 5, 20 random adversaries, all outcomes"),
    controls={
        "the forecast subtracted in place of the announcement": {"centre": "forecast"},
        "the bucket chosen with the outcome in hand": {"centre": "hindsight"},
    },
    proof="Chapter 4",
    rows=(37,),
)
def martingale_differences(centre: Centre = "announcement") -> Evidence:
    r"""In the dual game let $X_{j,i}$ be $y - \tilde p$ in the $j$-th round with forecast $z_i$, and 0 if there is
    none. Then $\mathbb E[X_{j,i} \mid X_{1,i}, \dots, X_{j-1,i}] = 0$, although the times of these rounds are random.

    Whether and when that round comes is known before its outcome is drawn.
    """
    T = 5

    def drifts(seed: int) -> bool:
        means: dict[Past, Fraction] = {}
        for chance, differences in _paths(T, seed, centre):
            for i, steps in enumerate(differences):
                padded = [*steps, *[Fraction(0)] * (T - len(steps))]
                for j, x in enumerate(padded):
                    past = (i, tuple(padded[:j]))
                    means[past] = means.get(past, Fraction(0)) + chance * x
        return any(means.values())

    return none_of("adversaries with a conditional mean that is not 0, in fractions", range(20), drifts)


@chapter.claim(
    "eq:hp_bound_sum_X",
    "Equation 6",
    "all deviations at once",
    kind="exact",
    scope=cases("K = 1024, 40,000 announcements of 1/2, one bucket, delta = 10^-60"),
    controls={"0.68 of the bound": {"share": Fraction(68, 100)}},
    proof="Appendix B.2",
    steps=(
        "thm:log_loss_swap_reg/martingale",
        "the variance of a round",
        "lem:discretization/a",
        "lem:Freedman",
        "eq:defintion_I",
        "a union bound",
    ),
    uses=("eq:hp_bound_sum_X/explicit",),
    rows=(41,),
)
def deviation_of_coins(share: Fraction = Fraction(1)) -> Evidence:
    r"""In the dual game with the Euclid-nearest answer let $L = \log\frac2\delta$. With probability at least
    $1 - KT\delta$, for all buckets $i$ and all $n \le T$ at once, $|\sum_{j\le n}X_{j,i}| \le
    2\sqrt L\max(\sqrt{n(z_i(1-z_i) + \frac\pi{2K})}, \sqrt L)$.

    For one bucket and one n the exact tail of fair coins; the rest is a union bound.
    """
    n, K, delta = 40_000, 1024, arb(10) ** -60
    with precision(128):
        bound = ball(share) * bounds.deviation(arb(n), arb(0.5), K, delta)
        k = n // 2 + math.floor(float(bound.mid())) + 1
        return at_most(
            2 * binomial_tail(n, Fraction(1, 2), k) / delta,
            1,
            r"probability of a larger deviation over $\delta$, in balls",
        )


@chapter.evidence(
    "eq:hp_bound_sum_X",
    kind="symbolic",
    scope=step("the variance of a round"),
    controls={"0.99 of the difference": {"factor": Fraction(99, 100)}},
)
def variance_of_a_round(factor: Fraction | int = 1) -> Evidence:
    """The factor 1 - p - z lies in [-1, 1]."""
    return closed("variance-decomposition", factor=factor)


def within(
    version: str, constant: Fraction, powers: tuple[Fraction, Fraction], *, first: int = 2
) -> Evidence:
    r"""Decide whether Theorem 1's bound is at most :math:`c\,T^a(\log T)^b` for all T from `first` on, at its own K."""
    a, b = powers

    def ratio(T: Any, K: Any) -> Any:
        return bounds.theorem_1(T, K, version=version) / (ball(constant) * T**a * T.log() ** b)

    largest = largest_ratio(ratio, partial(real_resolution, version=version), first=first)
    return at_most(
        largest.upper,
        1,
        rf"the bound over ${float(constant):g}\,T^{{{a}}}(\log T)^{{{b}}}$, for all $T \ge {first}$, in balls",
    )


def rate_of_the_package(version: str, constant: Fraction, powers: tuple[Fraction, Fraction]) -> Evidence:
    """Compare `bounds.theorem_1_rate` with its constant and its powers."""
    form = bounds.theorem_1_rate(horizons(100), version=version)
    right = form.coefficient.overlaps(ball(constant)) and form.powers[:2] == powers
    return Evidence(int(not right), 0, "==", "`bounds.theorem_1_rate` has this constant and these powers")


PRINTED = (Fraction(1, 3), Fraction(5, 3))


@chapter.claim(
    "thm:log_loss_swap_reg/rate",
    "Theorem 1, rate",
    "the constant of the paper's own proof",
    kind="certified",
    controls={
        "50 in place of 51": {"constant": Fraction(50)},
        "exponent of the logarithm smaller by 1/20": {"powers": (Fraction(1, 3), Fraction(97, 60))},
    },
    uses=("thm:log_loss_swap_reg/explicit",),
    rows=(31, 46),
)
def printed_rate(constant: Fraction = Fraction(51), powers: tuple[Fraction, Fraction] = PRINTED) -> Evidence:
    r"""With $K = \max(2, \lceil T^{1/3}/(\log T)^{5/6}\rceil)$ and $\delta = T^{-2}$ the steps of the paper's proof
    (thm:log_loss_swap_reg/explicit) add up to at most $51\,T^{1/3}(\log T)^{5/3}$ for every $T \ge 26$.
    """
    return jointly(
        within("paper", constant, powers, first=26), rate_of_the_package("paper", Fraction(51), PRINTED)
    )


@chapter.evidence(
    "thm:log_loss_swap_reg/rate",
    kind="exact",
    scope=cases("K <= 40"),
    controls={"the next integer in place of the last horizon": {"shift": 1}},
)
def printed_resolution(shift: int = 0) -> Evidence:
    """The paper's K, as an integer, jumps where the real number passes an integer."""
    real = partial(real_resolution, version="paper")
    with precision(128):
        return worst(
            "`bounds.theorem_1_paper_K` at the last horizon of each $K$ (and at $T = 1$), minus $K$, in balls",
            range(1, 41),
            lambda K: abs(
                bounds.theorem_1_paper_K(last_horizon(real, K) + shift if K > 1 else 1) - max(K, 2)
            ),
            0,
        )
