r"""Algorithm 4, Lemma 5 and Remark 1: what it costs to round a forecast to the grid of Section 5."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import sympy as sp
from flint import arb

from klcal import bounds, grids
from klcal.claims._combinators import (
    at_least,
    at_most,
    below,
    closed,
    equal,
    jointly,
    less_on,
    misprinted,
    vanishing,
    worst,
)
from klcal.claims._evidence import Evidence, all_cases, cases, step
from klcal.claims._ledger import Chapter
from klcal.exact.balls import ball, precision, supremum
from klcal.exact.certificates import largest_over_resolutions
from klcal.exact.grids import full_grid, variance
from klcal.exact.learners import log_loss
from klcal.exact.rounding import log_rounding as exact_rounding
from klcal.symbolic import rational

chapter = Chapter("03_grids")

BITS = 128
HUNDREDTH = {"0.99 of one side": {"factor": Fraction(99, 100)}}


# ----- Algorithm 4 ---------------------------------------------------------------------------------------------


@chapter.claim(
    "alg:rounding_alg",
    "Algorithm 4",
    "randomised rounding for the log loss",
    kind="numeric",
    scope=cases(
        "the package, K = 2, ..., 12: three points in every cell, all grid points, 0, 1, and one below the grid"
    ),
    controls={"linear rounding": {"rounding": grids.linear_rounding}},
    repair=(
        r"RROUND with forecasts below $z_0$ moved to $z_0$ and those from $z_K$ on to $z_K$ maps every "
        r"$p \in [0, 1]$ to a distribution over the grid."
    ),
    severity="statement",
    proof="Chapter 3",
    rows=(72,),
)
def clamped_rounding(rounding: Callable[..., Any] = grids.log_rounding) -> Evidence:
    r"""RROUND maps every $p \in [0, 1]$ to a distribution over the grid."""

    def furthest(K: int) -> float:
        grid = grids.full_grid(K)
        points = grid.points
        inside = np.concatenate([points[:-1] + share * np.diff(points) for share in (0.125, 0.5, 0.75)])
        exact = [Fraction(z) for z in points.tolist()]
        return max(
            abs(float(q) - float(exact_rounding(Fraction(w), exact).get(i, 0)))
            for w in (0.0, float(points[0]) / 2, *points.tolist(), *inside.tolist(), 1.0)
            for i, q in enumerate(rounding(w, grid))
        )

    return worst("largest distance of `klcal.log_rounding` from fractions", range(2, 13), furthest, 1e-13)


@chapter.refutation("alg:rounding_alg", kind="exact", controls={r"$p = \frac12$": {"p": Fraction(1, 2)}})
@precision(BITS)
def undefined_at_zero(p: Fraction = Fraction(0)) -> Evidence:
    """The printed algorithm asks for a cell that p = 0 does not have."""
    held = sum(not low > ball(p) and high > ball(p) for low, high in pairwise(full_grid(3)))
    return below(held, 1, "cells $[z_i, z_{i+1})$ at $K = 3$ that hold $p = 0$").against(
        "$p = 0 < z_0$ for every $K$; and a learner of Algorithm 1 does go below $z_0$ (alg:EWOO/outside)."
    )


@chapter.claim(
    "alg:rounding_alg/clamped",
    "Algorithm 4, repaired",
    "the cost of clamping",
    kind="certified",
    scope=step("the logarithm below the tangent"),
    controls={"0.999 of the tangent squared": {"share": Fraction(999, 1000)}},
    steps=("the logarithm below the tangent", "the cost at p = 0"),
    uses=("alg:rounding_alg",),
    rows=(72,),
)
def log_secant_below_tangent(share: Fraction = Fraction(1)) -> Evidence:
    r"""Moving $p$ outside $[z_0, z_K]$ to the end point costs at most $2\log\sec\frac\pi{4K}$, with equality at
    $p = 0$, $y = 0$; that is less than $\tan^2\frac\pi{4K}$, for all $K \ge 2$.
    """
    text = r"$2\log\sec x < \tan^2x$ on $(0, \frac\pi4]$"
    return less_on(text, lambda x: -2 * x.cos().log(), lambda x: x.tan() * x.tan(), arb.pi() / 4, share)


@chapter.evidence(
    "alg:rounding_alg/clamped", kind="symbolic", scope=step("the cost at p = 0"), controls=HUNDREDTH
)
def cost_at_the_ends(factor: Fraction | int = 1) -> Evidence:
    """At y = 1 moving up gains; at y = 0 it costs most at p = 0."""
    return closed("clamp-low", "clamp-high", factor=factor)


# ----- Lemma 5 -------------------------------------------------------------------------------------------------

chapter.statement(
    "lem:rounding",
    "Lemma 5",
    "rounding costs O(1/K^2)",
    r"For every $K \ge 2$, $p \in (0, 1)$ and $y \in \{0, 1\}$, $q$ drawn from RROUND($p$) with clamped ends has "
    r"$\mathbb E\,\ell(q, y) - \ell(p, y) \le 2\log\sec\theta_K \le \tan^2\theta_K$, where "
    r"$\theta_K = \frac\pi{2K}$ for $K \ge 3$ and $\theta_2 = \frac\pi8$.",
    proof="Appendix C.2, and Chapter 3",
    steps=("eq:convexity", "new:rounding-log-secant", "alg:rounding_alg/clamped"),
    rows=(73, 81),
)
chapter.statement(
    "new:rounding-log-secant",
    "Lemma 5, sharpened",
    "Jensen instead of convexity",
    r"In Lemma 5 the cost is at most $2\log\sec\theta_K$, where convexity gives $\tan^2\theta_K$.",
    steps=("lem:rounding/closed-forms", "lem:rounding/supremum", "alg:rounding_alg/clamped"),
    rows=(73,),
)

_CLOSED_FORMS = (
    *("rounding-normaliser", "rounding-inverse-middle", "rounding-inverse", "rounding-inverse-complement"),
    *("rounding-cost-1", "rounding-cost-0", "rounding-common-value"),
    *("rounding-denominator-linear", "rounding-denominator-low", "rounding-denominator-high"),
)


@chapter.claim(
    "lem:rounding/closed-forms",
    "Lemma 5, proof",
    "D, E[1/q], E[1/(1-q)] and their common value",
    kind="symbolic",
    controls=HUNDREDTH,
    rows=(76, 77),
)
def closed_forms(factor: Fraction | int = 1) -> Evidence:
    r"""$\mathbb E\frac pq - 1 = \mathbb E\frac{1-p}{1-q} - 1 = (p^+ - p)(p - p^-)/f(p)$ with
    $f(p) = p + p^-p^+ - p(p^- + p^+)$, which is linear, with the variances of the neighbours as end values.
    """
    return closed(*_CLOSED_FORMS, factor=factor)


@chapter.claim(
    "lem:rounding/supremum",
    "Lemma 5, proof",
    "the convexity bound is exactly tan^2",
    kind="symbolic",
    controls=HUNDREDTH,
    uses=("lem:rounding/closed-forms",),
    rows=(78,),
)
def convexity_supremum(factor: Fraction | int = 1) -> Evidence:
    r"""In the cell from $\sin^2a$ to $\sin^2b$ the largest value of $\mathbb E\frac pq - 1$ is $\tan^2(b-a)$, at
    $p = \sin a\sin b/\cos(b-a)$; the paper's bound is up to 9 times as large.
    """
    names = ("rounding-in-cell", "cell-maximum", "cell-tangent", "cell-worst-cost")
    x = sp.Symbol("x", positive=True)
    steepest = sp.sin(3 * x) / sp.cos(x) - sp.tan(x) * (3 - 4 * sp.sin(x) ** 2)
    return jointly(
        closed(*names, factor=factor),
        vanishing(
            r"the root of the paper's bound, $\sin3x/\cos x$ at most, is $(3 - 4\sin^2x)\tan x$", [steepest]
        ),
    )


@chapter.claim(
    "lem:rounding/explicit",
    "Lemma 5",
    "the constant 3",
    kind="certified",
    controls={"2.999": {"constant": Fraction(2999, 1000)}},
    uses=("lem:rounding",),
    rows=(73,),
)
def three_over_k_squared(constant: Fraction = Fraction(3)) -> Evidence:
    r"""The bound $\tan^2\theta_K$ of Lemma 5, $\theta_K = \frac\pi{2K}$ for $K \ge 3$ and $\theta_2 = \frac\pi8$, is at
    most $3/K^2$ for all $K \ge 2$, with equality at $K = 3$.
    """
    with precision(BITS):
        two = 4 * bounds.rounding_cost(arb(2))
        others = largest_over_resolutions(lambda K: K**2 * bounds.rounding_cost(K), first=4)
    three = rational(9 * sp.tan(sp.pi / 6) ** 2)
    return jointly(
        at_most(three, constant, r"$9\tan^2\frac\pi6$, the value with three cells, exactly"),
        equal(three, 3, "equality with three cells"),
        below(others.upper, constant, "largest $K^2$ times `bounds.rounding_cost` from four cells on"),
        below(two, constant, "the value with two cells"),
    )


def change(p: Any, points: tuple[arb, ...]) -> arb:
    """Return E l(q, 1) - l(p, 1) for p rounded by Algorithm 4, in balls.

    Examples
    --------
    >>> change(Fraction(1, 2), full_grid(3)).overlaps((arb(4) / 3).log() / 2)
    True
    """
    return sum(
        (ball(q) * log_loss(points[i], 1) for i, q in exact_rounding(p, points).items()), -log_loss(p, 1)
    )


def _first_cell(angle: arb) -> arb:
    r"""Return the change at y = 1 for :math:`p = \frac{\log4}3 z_1`, everything divided by :math:`z_1`."""
    ratio, place = 1 / (4 * (angle / 2).cos() ** 2), arb(4).log() / 3
    share = (place - ratio) / (1 - ratio)
    low, high = ratio * (angle / 2).cos() ** 2, angle.cos() ** 2
    down, up = (1 - share) * low, share * high
    return (down * (place / ratio).log() + up * place.log()) / (down + up)


@chapter.claim(
    "lem:rounding/lower-limit",
    "Lemma 5, lower side",
    "rounding can gain a constant",
    kind="certified",
    controls={"0.14 in place of 0.139": {"gain": 0.14}},
    uses=("lem:rounding",),
    rows=(73,),
)
@precision(BITS)
def gains(gain: float = 0.139) -> Evidence:
    r"""At $p = \frac{\log4}3z_1$ and $y = 1$ rounding gains at least 0.139 for every $K \ge 3$, and in the limit
    $\frac{\log4}3 - 1 - \log\frac{\log4}3 = 0.23407\dots$: there is no bound $-c/K^2$ from below.
    """
    largest = supremum(lambda x: _first_cell(arb.pi() / 6 * x), [(0, 1)], below=-gain, bits=BITS)
    place = arb(4).log() / 3
    off = abs(_first_cell(arb(0)) - (1 + place.log() - place))
    text = r"largest change at $p = \frac{\log4}3z_1$, $y = 1$; balls cover every $K \ge 3$ and the limit"
    return jointly(
        at_most(largest.upper if largest.upper <= -gain else largest.lower, -gain, text),
        at_most(off, 1e-30, "distance of the limit from the closed form"),
    )


@chapter.evidence(
    "lem:rounding/lower-limit",
    kind="exact",
    scope=cases("K = 3, 10, 1000"),
    controls={"$p$ larger by 1/1000": {"shift": Fraction(1, 1000)}},
)
@precision(BITS)
def first_cell_is_algorithm_4(shift: Fraction = Fraction(0)) -> Evidence:
    """The formula in the angle is the change on the grid."""

    def off(K: int) -> Any:
        points = full_grid(K)
        p = (arb(4).log() / 3 + ball(shift)) * points[1]
        return abs(change(p, points) - _first_cell(arb.pi() / (2 * K)))

    return worst(
        "distance of the change on the grid from its formula in the angle", (3, 10, 1000), off, 1e-30
    )


@chapter.claim(
    "new:rounding-tight",
    "Lemma 5, sharpened",
    "the constant pi^2/4 is nearly attained at K = 1000",
    kind="exact",
    scope=all_cases("K = 1000"),
    controls={"1.00001 in place of 0.999": {"share": Fraction(100001, 100000)}},
    uses=("new:rounding-log-secant",),
    rows=(73,),
)
@precision(BITS)
def tight_constant(share: Fraction = Fraction(999, 1000)) -> Evidence:
    r"""At $K = 1000$ the largest change exceeds $0.999\frac{\pi^2}{4K^2}$, and the bound $2\log\sec\frac\pi{2K}$ is at
    most $1.00001\frac{\pi^2}{4K^2}$.
    """
    K, quarter, points = 1000, arb.pi() ** 2 / 4, full_grid(1000)
    low, high = points[990], points[991]
    p = low + (high - low) * variance(low).sqrt() / (variance(low).sqrt() + variance(high).sqrt())
    return jointly(
        at_least(
            K**2 * change(p, points) / quarter,
            share,
            r"$K^2$ times the change over $\frac{\pi^2}4$ in cell 990",
        ),
        at_most(
            K**2 * bounds.rounding_cost(arb(K), version="best") / quarter, 1.00001, "the same of the bound"
        ),
    )


@chapter.claim(
    "eq:convexity",
    "Equation 10",
    "the tangent of the log loss",
    kind="symbolic",
    controls=HUNDREDTH,
    rows=(74,),
)
def tangent_of_the_loss(factor: Fraction | int = 1) -> Evidence:
    r"""$\ell'(q, y)(q - p) = \frac{(q-y)(q-p)}{q(1-q)}$, which is $\frac pq - 1$ at $y = 1$ and $\frac{1-p}{1-q} - 1$
    at $y = 0$; $\ell$ is convex.
    """
    return closed("log-loss-slope", "log-loss-slope-1", "log-loss-slope-0", "log-loss-convex", factor=factor)


@chapter.claim(
    "eq:convexity/expectation",
    "Equation 10, expectation",
    "an equality sign for an inequality",
    kind="symbolic",
    scope=step("the logarithm below its tangent"),
    controls=HUNDREDTH,
    repair=(
        r"$\mathbb E\,\ell(q, 1) - \ell(p, 1) \le \mathbb E\frac pq - 1$, as the expectation of an inequality is one; "
        "equal at grid points only. Likewise for $y = 0$."
    ),
    severity="misprint",
    steps=("the logarithm below its tangent", "lem:rounding/closed-forms"),
    uses=("eq:convexity",),
    rows=(75,),
)
def logarithm_below_its_tangent(factor: Fraction | int = 1) -> Evidence:
    r"""$\mathbb E\,\ell(q, y) - \ell(p, y) = \mathbb E\frac pq - 1$ for $y = 1$, and likewise for $y = 0$."""
    return closed("excess-slope", "excess-at-1", factor=factor)


@chapter.refutation(
    "eq:convexity/expectation", kind="symbolic", controls={"the inequality": {"correct": True}}
)
def printed_equality(correct: bool = False) -> Evidence:
    """The two sides differ already in the middle of the cell [1/4, 3/4]."""
    return misprinted("rounding-equality", correct=correct)


# ----- Remark 1 ------------------------------------------------------------------------------------------------


@chapter.claim(
    "rem:rounding",
    "Remark 1",
    "the middle of the first cell",
    kind="symbolic",
    controls=HUNDREDTH,
    rows=(85, 86),
)
def middle_of_the_first_cell(factor: Fraction | int = 1) -> Evidence:
    r"""$z_1/z_0 = 4\cos^2\frac\pi{4K} = 2 + 2\cos\frac\pi{2K}$; and $\frac{z_0+z_1}2$ is an exact tie, which nearest
    rounding sends to $z_0$ only if ties go down.
    """
    return closed("remark-ratio", "remark-ratio-double", "remark-tie", factor=factor)


def _cheapest(name: str, least: float, *identities: str) -> Evidence:
    """Compare the least cost of a scheme over all K with a number, on the function of `klcal.bounds` itself."""
    cost = getattr(bounds, name)
    found = largest_over_resolutions(lambda K: -cost(K))
    return jointly(
        at_least(-found.upper, least, rf"smallest `bounds.{name}` over every $K \ge 2$"), closed(*identities)
    )


@chapter.claim(
    "rem:rounding/a",
    "Remark 1 (a)",
    "nearest rounding costs a constant",
    kind="certified",
    controls={"0.792": {"least": 0.792}},
    uses=("rem:rounding",),
    rows=(85,),
)
def nearest_costs(least: float = 0.791) -> Evidence:
    r"""Rounding $\frac{z_0+z_1}2$ to $z_0$ costs $\log(\frac32 + \cos\frac\pi{2K}) \ge 0.791$ at $y = 1$, for all
    $K \ge 2$, with limit $\log\frac52$.
    """
    return _cheapest("remark_1_nearest", least, "remark-nearest", "remark-nearest-limit")


@chapter.claim(
    "rem:rounding/b",
    "Remark 1 (b)",
    "linear rounding costs a constant at one point",
    kind="certified",
    controls={"0.178": {"least": 0.178}},
    uses=("rem:rounding",),
    rows=(86,),
)
def linear_costs(least: float = 0.177) -> Evidence:
    r"""Linear rounding of $\frac{z_0+z_1}2$ costs $\log\frac{1+4c^2}{4c} \ge 0.177$ at $y = 1$, $c = \cos\frac\pi{4K}$,
    for all $K \ge 2$, with limit $\log\frac54$.
    """
    return _cheapest("remark_1_linear", least, "remark-linear", "remark-linear-limit")
