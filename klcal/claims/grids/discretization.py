r"""Lemmas 6 and 7: the gaps and the variances of the two sine grids, and the uniform grid they replace.

Throughout :math:`\theta = \pi/2K`. Both lemmas are machine-checked, but for the constant of Lemma 6 (d).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb

from klcal import bounds
from klcal.claims._combinators import (
    above,
    at_most,
    closed,
    less_on,
    misprinted,
    vanishing,
    worst,
)
from klcal.claims._evidence import Evidence, cases, step
from klcal.claims._ledger import Chapter
from klcal.exact.arithmetic import total
from klcal.exact.balls import ball, infimum, lower, precision
from klcal.exact.certificates import largest_over_resolutions
from klcal.exact.grids import inner_grid, variance

chapter = Chapter("03_grids")

BITS = 128
RESOLUTIONS = range(2, 65)
HUNDREDTH = {"0.99 of one side": {"factor": Fraction(99, 100)}}


# ----- Lemma 6 -------------------------------------------------------------------------------------------------


chapter.statement(
    "lem:discretization",
    "Lemma 6",
    "the sine grid of Section 4",
    r"The points $\sin^2\frac{\pi i}{2K}$ with $z_0 = 1$ and $z_K = 1$ added have gaps $d_i = z_i - z_{i-1}$ with (a) "
    r"$d_i \le \frac\pi{2K}$, (b) $\max(d_i, d_{i+1})^2/(z_i(1-z_i)) = O(1/K^2)$, and sums of $1/(z_i(1-z_i))$ and of "
    r"$1/\sqrt{z_i(1-z_i)}$ of order (c) $K^2$ and (d) $K\log K$.",
    repair=(
        r"Let $K \ge 2$, $\theta = \frac\pi{2K}$, $z_i = \sin^2 i\theta$ for $i = 0, \dots, K$, so that $z_0 = 0$ and "
        r"$z_K = 1$, and $d_i = z_i - z_{i-1}$. Then (a) $0 < d_i \le \theta$ for $1 \le i \le K$; "
        r"(b) $\max(d_i, d_{i+1})^2/(z_i(1-z_i)) \le (\sin3\theta/\cos\theta)^2 \le 9\pi^2/4K^2$ for $0 < i < K$, the "
        r"first an equality at $i = 1$; (c) the sum of $1/(z_i(1-z_i))$ over $0 < i < K$ is $\frac43(K^2-1)$; (d) that "
        r"of $1/\sqrt{z_i(1-z_i)}$ is less than $\frac{4K}\pi(\log\frac{2K}\pi + \gamma)$, $\gamma$ Euler's constant."
    ),
    severity="misprint",
    steps=tuple(f"lem:discretization/{part}" for part in "abcd"),
    rows=(32, 47),
)


@chapter.refutation("lem:discretization", kind="symbolic", controls={"$z_0 = 0$": {"correct": True}})
def printed_first_point(correct: bool = False) -> Evidence:
    """With the printed z_0 the first gap is negative."""
    return misprinted("first-grid-point", correct=correct).against(
        "$K = 3$: $z_0 = 1$ and $z_1 = \\frac14$, so $d_1 = -\\frac34$. Section 4 rightly has $z_0 = 0$."
    )


chapter.statement(
    "lem:discretization/a",
    "Lemma 6 (a)",
    "gaps are at most pi/2K",
    r"$0 < d_i \le \frac\pi{2K}$ for $1 \le i \le K$ and all $K \ge 2$.",
    proof="Appendix B.1, and Chapter 3",
    steps=("eq:bound_diff", "eq:bound_diff/sine"),
    rows=(47,),
)
chapter.statement(
    "lem:discretization/b",
    "Lemma 6 (b)",
    "gaps are small where the variance is",
    r"$\max(d_i, d_{i+1})^2/(z_i(1-z_i)) \le (\sin3\theta/\cos\theta)^2 \le 9\pi^2/4K^2$ for $0 < i < K$ and all "
    r"$K \ge 2$, $\theta = \frac\pi{2K}$; the first is an equality at $i = 1$.",
    proof="Appendix B.1 for odd $K$, and Chapter 3",
    steps=("eq:bound_diff", "the ratio falls up to the middle"),
    rows=(48, 52, 53),
)


chapter.statement(
    "lem:discretization/c",
    "Lemma 6 (c)",
    "sum of inverse variances",
    r"The sum of $1/(z_i(1-z_i))$ over $0 < i < K$ is $\frac43(K^2-1)$, for all $K \ge 2$.",
    proof="Chapter 3",
    rows=(49,),
)


@chapter.claim(
    "lem:discretization/c-display",
    "Lemma 6 (c), proof",
    "the printed bound, for odd and even K",
    kind="certified",
    scope=step("the sum over the display, for every K"),
    controls={"0.82 of the display": {"share": Fraction(82, 100)}},
    proof="Appendix B.1 for odd $K$, and here by comparison with (c)",
    steps=("lem:discretization/c", "the sum over the display, for every K"),
    uses=("lem:discretization/integrals",),
    rows=(49, 53),
)
def display_of_inverse_variances(share: Fraction = Fraction(1)) -> Evidence:
    r"""The sum of $1/(z_i(1-z_i))$ is at most $8(\csc^2\frac\pi K + \frac K\pi\cot\frac\pi K)$ for all $K \ge 2$; the
    paper proves it for odd $K$.
    """
    largest = largest_over_resolutions(lambda K: bounds.lemma_6c(K) / bounds.lemma_6c(K, version="paper"))
    return at_most(largest.upper, share, r"largest quotient of the sum and the display over every $K \ge 2$")


@chapter.claim(
    "lem:discretization/d",
    "Lemma 6 (d)",
    "sum of inverse standard deviations",
    kind="certified",
    scope=step("the cosecant without its poles is concave"),
    controls={"0.93 of the curvature of the poles": {"share": Fraction(93, 100)}},
    steps=("the cosecant without its poles is concave", "its integral", "harmonic numbers"),
    rows=(50,),
)
@precision(BITS)
def concave_without_poles(share: Fraction = Fraction(1)) -> Evidence:
    r"""The sum of $1/\sqrt{z_i(1-z_i)}$ over $0 < i < K$ is less than $\frac{4K}\pi(\log\frac{2K}\pi + \gamma)$,
    $\gamma = 0.5772\dots$ Euler's constant, for all $K \ge 2$.

    h(x) = csc x - 1/x - 1/(pi - x) is symmetric. Up to 1/4 the second derivative of csc x - 1/x is at most that at 1/4,
    as all its Taylor coefficients are positive; from there on balls cover the range.
    """
    pi, poles = arb.pi(), 2 * ball(share)

    def bend(x: arb) -> arb:
        return (1 + x.cos() ** 2) / x.sin() ** 3 - 2 / x**3

    far = infimum(lambda x: poles / (pi - x) ** 3 - bend(x), [(0.25, pi / 2)], above=0.0, bits=BITS)
    near = lower(poles / pi**3 - bend(arb(0.25)))
    text = r"least $-h''$ on $(0, \frac\pi2]$ for $h(x) = \csc x - \frac1x - \frac1{\pi-x}$, covered by balls"
    return above(min(near, far.lower if far.lower > 0 else far.upper), 0, text)


@chapter.evidence(
    "lem:discretization/d",
    kind="symbolic",
    scope=step("its integral"),
    controls={"0.99 of one pole": {"pole": Fraction(99, 100)}},
)
def integral_without_poles(pole: Fraction = Fraction(1)) -> Evidence:
    """The integral of h from 0 to pi is 2 log(2/pi), by a primitive and its limits at the ends."""
    x = sp.Symbol("x", positive=True)
    primitive = sp.log(sp.tan(x / 2)) - sp.log(x) + sp.log(sp.pi - x)
    h = 1 / sp.sin(x) - sp.Rational(pole) / x - 1 / (sp.pi - x)
    start = sp.limit(sp.tan(x / 2) / x, x, 0) * sp.pi
    end = sp.limit(sp.tan(x / 2) * (sp.pi - x), x, sp.pi) / sp.pi
    return vanishing(
        r"$\int_0^\pi h = 2\log\frac2\pi$, by its primitive",
        [sp.diff(primitive, x) - h, start - sp.pi / 2, end - 2 / sp.pi],
    )


@chapter.evidence(
    "lem:discretization/d",
    kind="certified",
    scope=step("harmonic numbers"),
    controls={"0.999 of the right side": {"share": Fraction(999, 1000)}},
)
def harmonic_numbers(share: Fraction = Fraction(1)) -> Evidence:
    """log K + gamma + 1/2K - H_K falls to 0, so it is positive; its steps are those below at u = 1/K."""
    text = r"$\log(1+u) < \frac{u(2+u)}{2(1+u)}$ on $(0, 1]$"
    return less_on(text, lambda u: 2 * (1 + u) * (1 + u).log(), lambda u: u * (2 + u), 1, share)


@chapter.evidence(
    "lem:discretization/d",
    kind="exact",
    scope=cases("K = 2, ..., 64"),
    controls={"gamma smaller by 0.001": {"shift": Fraction(1, 1000)}},
)
@precision(BITS)
def sum_of_inverse_deviations(shift: Fraction = Fraction(0)) -> Evidence:
    """The sum against the bound."""

    def excess(K: int) -> Any:
        roots = total(1 / variance(z).sqrt() for z in inner_grid(K))
        return roots + ball(shift) * 4 * K / arb.pi() - bounds.lemma_6d(arb(K))

    return worst("largest excess of the sum over `bounds.lemma_6d`", RESOLUTIONS, excess, 0)


@chapter.claim(
    "lem:discretization/d-display",
    "Lemma 6 (d), proof",
    "the printed bound, for odd and even K",
    kind="certified",
    scope=step("compared with (d), for every real K"),
    controls={"0.56 of its first term": {"share": Fraction(56, 100)}},
    proof="Appendix B.1 for odd $K$, and here by comparison with (d)",
    steps=("lem:discretization/d", "compared with (d), for every real K"),
    uses=("lem:discretization/integrals",),
    rows=(50, 53),
)
@precision(BITS)
def display_of_inverse_deviations(share: Fraction = Fraction(1)) -> Evidence:
    r"""The sum of $1/\sqrt{z_i(1-z_i)}$ is at most $4(\csc\frac\pi K + \frac K\pi\log(\csc\frac\pi K +
    \cot\frac\pi K))$ for all $K \ge 2$; the paper proves it for odd $K$.
    """

    def excess(half: arb) -> arb:
        return ball(share) / (2 * half).sinc() + (half.cos() / half.sinc()).log() - arb.const_euler()

    found = infimum(excess, [(0, arb.pi() / 4)], above=0.0, bits=BITS)
    text = r"least difference of the display and (d), times $\frac\pi{4K}$, over every real $K \ge 2$"
    return above(found.lower if found.lower > 0 else found.upper, 0, text)


@chapter.claim(
    "lem:discretization/integrals",
    "Lemma 6, proof",
    "the two integrals",
    kind="symbolic",
    controls=HUNDREDTH,
    rows=(55,),
)
def integrals(factor: Fraction | int = 1) -> Evidence:
    r"""The integrals of $1/\sin^2$ and $1/\sin$ from $x$ to $\frac\pi2$ are $\cot x$ and $\log(\csc x + \cot x)$, for
    $0 < x < \frac\pi2$.
    """
    return closed("csc2-mirror", "csc2-integral", "csc-integral", factor=factor)


@chapter.claim(
    "eq:bound_diff",
    "Equation 9",
    "a gap as a product of sines",
    kind="symbolic",
    controls=HUNDREDTH,
    rows=(51,),
)
def gap_as_a_product(factor: Fraction | int = 1) -> Evidence:
    r"""$z_i - z_{i-1} = \frac12(\cos\frac{\pi(i-1)}K - \cos\frac{\pi i}K) = \sin\frac\pi{2K}\sin\frac{\pi(i-1/2)}K$,
    with $z_i = \sin^2\frac{\pi i}{2K}$.
    """
    return closed("grid-gap-cosines", "grid-gap-product", factor=factor)


@chapter.claim(
    "eq:bound_diff/sine",
    "Equation 9, proof",
    "sin t <= t",
    kind="certified",
    controls={"0.9999 of $t$": {"share": Fraction(9999, 10000)}},
    repair=r"$\sin t \le t$ for all $t \ge 0$, the only case that is used.",
    severity="misprint",
    rows=(54,),
)
def sine_below_identity(share: Fraction = Fraction(1)) -> Evidence:
    r"""$\sin t \le t$ for all real $t$."""
    text = r"beyond 2, $\sin t \le 1 < t$; $\sin t < t$ on $(0, 2]$"
    return less_on(text, lambda t: t.sin(), lambda t: t, 2, share)


@chapter.refutation("eq:bound_diff/sine", kind="exact", controls={"$t = 1$": {"t": 1}})
def sine_above_identity(t: int = -1) -> Evidence:
    """For negative t the inequality turns round."""
    return above(arb(t).sin(), t, r"$\sin t$ against $t$ at $t = -1$").against(
        r"$t = -1$: $\sin(-1) = -0.841\dots > -1$"
    )


@chapter.claim(
    "sec:achieve-KL-Cal/uniform",
    "Section 4",
    "the uniform grid fails (b)",
    kind="symbolic",
    controls={"1.01 times the ratio": {"factor": Fraction(101, 100)}},
    uses=("lem:discretization/b",),
    rows=(33,),
)
def ratio_next_to_the_end(factor: Fraction = Fraction(1)) -> Evidence:
    r"""On the uniform grid $0, \frac1K, \dots, 1$ the ratio $d_1^2/(z_1(1-z_1))$ of Lemma 6 (b) is $\frac1{K-1}$, and
    so it is not $O(1/K^2)$.
    """
    K = sp.Symbol("K", positive=True)
    ratio = K**-2 / (1 / K * (1 - 1 / K))
    return vanishing(
        r"$\frac1{K^2}$ over $\frac1K(1-\frac1K)$ is $\frac1{K-1}$", [ratio - sp.Rational(factor) / (K - 1)]
    )


# ----- Lemma 7 -------------------------------------------------------------------------------------------------


chapter.statement(
    "lem:discretization_II",
    "Lemma 7",
    "the grid of Section 5",
    r"Let $K \ge 2$, $z_0 < \dots < z_K$ the full grid and $d_i = z_i - z_{i-1}$. Then $d_i^2/(z_i(1-z_i))$ "
    r"and $d_i^2/(z_{i-1}(1-z_{i-1}))$ are at most $9\pi^2/4K^2$, and $9\pi^2/16K^2$ in the first and in the "
    "last cell.",
    proof="Appendix C.3, and Chapter 3",
    steps=("lem:discretization/b",),
    rows=(79, 80),
)


for _part, _point, _end in (("a", "z_i", "right"), ("b", "z_{i-1}", "left")):
    chapter.statement(
        f"lem:discretization_II/{_part}",
        f"Lemma 7 ({_part})",
        f"gaps against the variance at the {_end} end",
        rf"$d_i^2/({_point}(1-{_point})) \le 9\pi^2/4K^2$ in every cell of the full grid, for all $K \ge 2$.",
        proof="Appendix C.3, and Chapter 3",
        steps=("lem:discretization_II",),
        rows=(79 if _part == "a" else 80,),
    )
