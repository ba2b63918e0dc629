r"""Lemmas 6 and 7: the gaps and the variances of the two sine grids, and the uniform grid they replace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import sympy as sp
from flint import arb

from klcal import bounds, grids
from klcal.claims._combinators import closed, jointly, misprinted, repaired
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.grids._common import (
    BITS,
    CHAPTER,
    RESOLUTIONS,
    agreement,
    decided,
    full_points,
    gaps,
    inner_points,
    largest,
    positive,
    same_points,
    sine_squared,
    smallest,
    variance,
)
from klcal.exact.balls import ball, infimum, lower, precision, supremum, upper
from klcal.symbolic import normal_form

# theta = pi/2K runs over (0, pi/4]; balls of precision 53 hold the end.
QUARTER = arb.pi() / 4


@precision(BITS)
def sequence(first: int = 0) -> Evidence:
    r"""Check that the points of ``lem:discretization`` increase and fill [0, 1], for a given :math:`z_0`.

    With :math:`z_0 = 0` the gaps are :math:`\sin\theta\sin((2i-1)\theta)` with
    :math:`0 < (2i-1)\theta < \pi`, so the smallest is the first, :math:`\sin^2\theta > 0`; they add up to
    :math:`z_K - z_0 = 1`.

    Parameters
    ----------
    first : int
        The value taken for :math:`z_0`; the lemma prints 1.

    Examples
    --------
    >>> sequence().holds, sequence(1).holds
    (True, False)
    """
    width, K = smallest(
        (K, K**2 * gap) for K in RESOLUTIONS for gap in gaps([arb(first), *inner_points(K)[1:]])
    )
    return jointly(
        Evidence(width, 0, ">", "smallest gap times K^2 over all gaps at K = 2..64", {"K": K}),
        Evidence(1 - first, 1, "==", "the gaps add up to z_K - z_0"),
        same_points(grids.inner_grid, lambda K: inner_points(K)[1:K]),
        positive("the first gap sin^2 is positive", lambda x: x.sin() * x.sin(), QUARTER),
    )


@precision(BITS)
def printed_first_point() -> Evidence:
    """Show that with the printed z_0 = 1 the first gap is -cos^2(theta), negative for every K >= 2."""
    gap = supremum(lambda x: -((QUARTER * x).cos() ** 2), [(0, 1)], below=0.0)
    witness = "K = 3: z_0 = 1, z_1 = 1/4, so d_1 = -3/4, not sin^2(pi/6) = 1/4"
    method = "upper end of the first gap z_1 - 1 over all K >= 2, covered by balls"
    return jointly(
        Evidence(gap.upper, 0, "<", method, {"boxes": gap.boxes}, counterexample=witness),
        misprinted("first-grid-point"),
        repaired("first-grid-point"),
    )


@precision(BITS)
def widest_gap(factor: Fraction = Fraction(1)) -> Evidence:
    r"""Check :math:`d_i \le c\,\pi/2K`, c = `factor`, for all i and all K >= 2 (``lem:discretization``, part a).

    Reduction: :math:`d_i = \sin\theta\,\sin((2i-1)\theta) \le \sin\theta`, and :math:`\sin\theta < \theta` is
    covered by balls on :math:`(0, \pi/4]` after dividing by :math:`\theta^3`.
    """
    widest = {K: max(gaps(inner_points(K)), key=upper) for K in RESOLUTIONS}
    ratio, K = largest((K, gap / ball(bounds.lemma_6a(K, version="paper"))) for K, gap in widest.items())
    n, d = factor.numerator, factor.denominator
    return jointly(
        Evidence(ratio, float(factor), "<=", "largest d_i over pi/2K at K = 2..64", {"K": K}),
        positive("sin < theta on (0, pi/4]", lambda x: n * x - d * x.sin(), QUARTER),
        agreement("pi/2K", lambda K: bounds.lemma_6a(K, version="paper"), lambda K: arb.pi() / (2 * K)),
        agreement("the largest gap", bounds.lemma_6a, lambda K: widest[K]),
    )


def steepness(points: Sequence[Any]) -> list[Any]:
    r"""Return both :math:`d_i^2/(z_i(1-z_i))` and :math:`d_{i+1}^2/(z_i(1-z_i))` for every inner point.

    Examples
    --------
    >>> steepness([0, Fraction(1, 4), Fraction(3, 4), 1])[1]
    Fraction(4, 3)
    """
    width = gaps(points)
    inner = range(1, len(points) - 1)
    return [width[i + side] ** 2 / variance(points[i]) for i in inner for side in (-1, 0)]


def _worst_root(angle: arb) -> arb:
    """Return sin 3x / cos x, the root of the worst steepness at angle x."""
    return (3 * angle).sin() / angle.cos()


@precision(BITS)
def steepest_point(root: Fraction = Fraction(3)) -> Evidence:
    r"""Check :math:`\max(d_i, d_{i+1})^2/(z_i(1-z_i)) \le (c\,\pi/2K)^2`, c = `root`, for all K >= 2 (part b).

    Reduction: mirror to :math:`2i\theta \le \pi/2`; the root of the ratio is
    :math:`2\sin\theta(\cos\theta + \cot(2i\theta)\sin\theta)`, which falls with i, so i = 1 is worst and the
    maximum is :math:`(\sin 3\theta/\cos\theta)^2`. Then :math:`3\theta\cos\theta > \sin 3\theta` on
    :math:`(0, \pi/4]`, and :math:`K^2` times the maximum tends to :math:`9\pi^2/4`: no smaller root will do.
    The step of the paper, ratio at most :math:`1 + \sin\theta/\sin 2\theta`, is
    :math:`\sin 3\theta \le \sin 2\theta + \sin\theta` at i = 1.
    """
    worst = {K: max(steepness(inner_points(K)), key=upper) for K in RESOLUTIONS}
    value, K = largest((K, K**2 * ratio) for K, ratio in worst.items())
    n, d = root.numerator, root.denominator
    angle = {K: arb.pi() / (2 * K) for K in RESOLUTIONS}
    limit = lower((ball(root) * arb.pi() / 2) ** 2)
    return jointly(
        Evidence(value, limit, "<=", "K^2 times the largest ratio at K = 2..64", {"K": K}),
        positive("sin 3x < 3 x cos x", lambda x: n * x * x.cos() - d * (3 * x).sin(), QUARTER),
        positive("sin 3x < sin 2x + sin x", lambda x: (2 * x).sin() + x.sin() - (3 * x).sin(), QUARTER),
        closed("grid-variance", "gap-ratio-above", "gap-ratio-below", "gap-ratio-first-limit"),
        agreement("(9 pi^2/4)/K^2", bounds.lemma_6b, lambda K: 9 * angle[K] ** 2),
        agreement("the maximum", lambda K: bounds.lemma_6b(K, version="best"), lambda K: worst[K]),
        agreement(
            "(sin 3x/cos x)^2",
            lambda K: bounds.lemma_6b(K, version="best"),
            lambda K: _worst_root(angle[K]) ** 2,
        ),
        agreement(
            "the paper's 4 sin^2 (1 + 1/2cos)^2",
            lambda K: bounds.lemma_6b(K, version="paper"),
            lambda K: (2 * angle[K].sin() + angle[K].tan()) ** 2,
        ),
    )


def inverse_variances(K: int) -> Fraction:
    r"""Return :math:`\sum_{i=1}^{K-1} 1/(z_i(1-z_i))` exactly, without the points.

    They are the roots of the integer polynomial :math:`P(z) = U_{K-1}(1-2z)`, U the Chebyshev polynomial of
    the second kind, so the sum is :math:`-P'(0)/P(0) + P'(1)/P(1)`.

    Examples
    --------
    >>> [inverse_variances(K) for K in (2, 3, 4)]
    [Fraction(4, 1), Fraction(32, 3), Fraction(20, 1)]
    """
    total = Fraction(0)
    for x in (1, -1):
        before, value, slope_before, slope = 0, 1, 0, 0
        for _ in range(K - 1):
            value, before, slope, slope_before = (
                2 * x * value - before,
                value,
                2 * value + 2 * x * slope - slope_before,
                slope,
            )
        total += x * Fraction(2 * slope, value)
    return total


@precision(BITS)
def sum_of_inverse_variances(offset: int = -1) -> Evidence:
    r"""Check :math:`\sum 1/(z_i(1-z_i)) = 4(K^2 + \texttt{offset})/3` (part c), for all K >= 2.

    The points are the roots of :math:`U_{K-1}(1-2z)`, so the sum is twice :math:`2U'/U` at 1, and
    :math:`U_{K-1}'(1)/U_{K-1}(1) = (K^2-1)/3` is closed by sympy for symbolic K.
    """
    exact = {K: inverse_variances(K) for K in range(2, 201)}
    misses = max(abs(value - Fraction(4 * (K**2 + offset), 3)) for K, value in exact.items())
    return jointly(
        Evidence(misses, 0, "==", "exact sums over the roots of an integer polynomial, K = 2..200"),
        closed("csc2-symmetry", "csc2-sum-every-K", *(f"csc2-sum-{K}" for K in range(2, 5))),
        agreement("the exact sum", bounds.lemma_6c, lambda K: ball(exact[K]), tolerance=1e-15),
        agreement(
            "the sum over the points",
            lambda K: float(exact[K]),
            lambda K: sum((1 / variance(z) for z in inner_points(K)[1:K]), arb(0)),
        ),
    )


@precision(BITS)
def printed_sum_of_inverse_variances(multiple: int = 8) -> Evidence:
    r"""Check the display :math:`8(\csc^2 x + \cot x/x)`, :math:`x = \pi/K`, behind part (c), odd and even K.

    With :math:`K = \pi/x` and the exact sum the ratio is
    :math:`\frac{4(\pi^2 - x^2)/3}{8(x^2\csc^2 x + x\cot x)}`; the balls cover :math:`0 \le x \le \pi/2`.
    """

    def ratio(u: arb) -> arb:
        x = arb.pi() / 2 * u
        display = 1 / x.sinc() ** 2 + x.cos() / x.sinc()
        return 4 * (arb.pi() ** 2 - x**2) / (3 * multiple * display)

    found = supremum(ratio, [(0, 1)], tolerance=1e-3, bits=BITS)
    text = "largest ratio of the exact sum to the display, over all real K >= 2"
    return jointly(
        Evidence(found.upper, 1, "<=", text, {"boxes": found.boxes}),
        agreement(
            "the display",
            lambda K: bounds.lemma_6c(K, version="paper"),
            lambda K: 8 * ((arb.pi() / K).csc() ** 2 + (arb.pi() / K).cot() * K / arb.pi()),
        ),
    )


def _cosecant_defect_bends_down() -> Evidence:
    r"""Certify that :math:`h(x) = \csc x - 1/x - 1/(\pi-x)` is concave on :math:`(0, \pi)`.

    By symmetry take :math:`x \le \pi/2`. All Taylor coefficients of :math:`\csc x - 1/x` are positive, so its
    second derivative increases and on [0, 1/4] is at most the one at 1/4, while
    :math:`-2/(\pi-x)^3 \le -2/\pi^3`.
    """
    pi = arb.pi()

    def pole_free(x: arb) -> arb:
        return (1 + x.cos() ** 2) / x.sin() ** 3 - 2 / x**3

    near = 2 / pi**3 - pole_free(arb(0.25))
    far = infimum(lambda x: 2 / (pi - x) ** 3 - pole_free(x), [(0.25, pi / 2)], above=0.0, bits=BITS)
    method = "csc x - 1/x - 1/(pi-x) is concave, covered by balls"
    return Evidence(min(lower(near), far.lower), 0, ">", method, {"boxes": far.boxes})


def _integral_of_the_defect() -> Evidence:
    """Check by a primitive and its end values that the integral of that function is 2 log(2/pi)."""
    x = sp.Symbol("x", positive=True)
    primitive = sp.log(sp.tan(x / 2)) - sp.log(x) + sp.log(sp.pi - x)
    slope = normal_form(sp.diff(primitive, x) - 1 / sp.sin(x) + 1 / x + 1 / (sp.pi - x))
    start = sp.limit(sp.tan(x / 2) / x, x, 0) * sp.pi
    end = sp.limit(sp.tan(x / 2) * (sp.pi - x), x, sp.pi) / sp.pi
    wrong = [slope != 0, start != sp.pi / 2, end != 2 / sp.pi]
    return Evidence(sum(wrong), 0, "==", "its integral is 2 log(2/pi), by sympy")


@precision(BITS)
def sum_of_inverse_deviations(shift: Fraction = Fraction(0)) -> Evidence:
    r"""Check :math:`\sum 1/\sqrt{z_i(1-z_i)} < \frac{4K}\pi(\log\frac{2K}\pi + \gamma + s)`, s = `shift` (part d).

    For all K >= 2: the sum is :math:`2\sum\csc x_i` with :math:`x_i = \pi i/K`. Take the two poles off the
    cosecant; what is left, h, is concave, so the trapezoidal rule gives
    :math:`\sum h(x_i) \le \frac K\pi\int_0^\pi h + \frac1\pi` with :math:`\int h = 2\log\frac2\pi` and
    :math:`h(0) = h(\pi) = -\frac1\pi`. The poles add :math:`\frac{2K}\pi H_{K-1}`, and
    :math:`H_{K-1} < \log K + \gamma - \frac1{2K}` because :math:`\log K + \gamma + \frac1{2K} - H_K` tends to
    0 and falls: its step is :math:`\log(1+u) - \frac{u(2+u)}{2(1+u)} < 0` at :math:`u = 1/K`.
    """
    pi, gamma = arb.pi(), arb.const_euler() + ball(shift)
    sums = {K: sum((1 / variance(z).sqrt() for z in inner_points(K)[1:K]), arb(0)) for K in range(2, 129)}
    ratio, K = largest((K, s / (4 * K / pi * ((2 * K / pi).log() + gamma))) for K, s in sums.items())
    return jointly(
        Evidence(ratio, 1, "<", "largest ratio of the sum to the bound at K = 2..128", {"K": K}),
        _cosecant_defect_bends_down(),
        _integral_of_the_defect(),
        positive(
            "log(1+u) < u(2+u)/(2(1+u)) on (0, 1]",
            lambda u: u * (2 + u) - 2 * (1 + u) * (1 + u).log(),
            1,
        ),
        agreement(
            "(4K/pi)(log(2K/pi) + gamma)",
            bounds.lemma_6d,
            lambda K: 4 * K / pi * ((2 * K / pi).log() + arb.const_euler()),
        ),
    )


@precision(BITS)
def printed_sum_of_inverse_deviations(first_term: int = 1) -> Evidence:
    r"""Check the display :math:`4(\csc x + \frac1x\log(\csc x + \cot x))` of part (d), :math:`x = \pi/K`.

    It exceeds the bound of `sum_of_inverse_deviations` by :math:`\frac4x` times
    :math:`x\csc x + \log(\frac x2\cot\frac x2) - \gamma`, which the balls show positive for
    :math:`0 \le x \le \pi/2`: all K >= 2, odd or even.
    """

    def excess(u: arb) -> arb:
        x = arb.pi() / 2 * u
        half = x / 2
        return first_term / x.sinc() + (half.cos() / half.sinc()).log() - arb.const_euler()

    def display(K: int) -> arb:
        x = arb.pi() / K
        return 4 * (x.csc() + (x.csc() + x.cot()).log() / x)

    found = infimum(excess, [(0, 1)], above=0.0, bits=BITS)
    return jointly(
        decided(
            found, "smallest excess of the display over (4K/pi)(log(2K/pi) + gamma), over all real K >= 2"
        ),
        agreement("the display", lambda K: bounds.lemma_6d(K, version="paper"), display),
    )


@precision(BITS)
def sine_below_identity(slope: Fraction = Fraction(1)) -> Evidence:
    """Check sin t < slope * t for all t > 0: by balls up to 2, and sin t <= 1 < t beyond."""
    n, d = slope.numerator, slope.denominator
    return positive("sin t < t for t in (0, 2], and sin t <= 1 < t beyond", lambda t: n * t - d * t.sin(), 2)


@precision(BITS)
def sine_above_identity() -> Evidence:
    """Show that sin t <= t is false at t = -1."""
    return Evidence(
        lower(arb(-1).sin() + 1),
        0,
        ">",
        "lower end of sin(-1) - (-1)",
        counterexample="t = -1: sin(-1) = -0.841... is greater than -1",
    )


def _uniform_points(K: int) -> list[Fraction]:
    return [Fraction(i, K) for i in range(K + 1)]


@precision(BITS)
def uniform_grid(points: Callable[[int], Sequence[Any]] = _uniform_points) -> Evidence:
    r"""Check that the uniform grid has (a), (c), (d) of ``lem:discretization`` but not (b).

    (b) at i = 1 is :math:`1/(K-1)`, and :math:`K^2/(K-1) = K + 1 + 1/(K-1)` has no bound. (a):
    :math:`1/K < \pi/2K`. (c): the sum is :math:`2K H_{K-1} \le K^2`, as :math:`H_{K-1} \le K/2` holds at K =
    2 and 3 and its step is at most 1/2. (d): :math:`1/\sqrt{x(1-x)}` is convex, so each term is at most K
    times its integral over the cell of width 1/K around the point; together at most :math:`\pi K`.

    Parameters
    ----------
    points : callable
        K -> points with both ends; the sine grid serves as a control.
    """
    grid = {K: points(K) for K in RESOLUTIONS}
    steep, K = smallest(
        (K, K**2 * max(map(ball, steepness(z)), key=lower) / (K + 1)) for K, z in grid.items()
    )
    widest, _ = largest((K, K * max(map(ball, gaps(z)), key=upper)) for K, z in grid.items())
    inverse, _ = largest((K, ball(sum(1 / variance(x) for x in z[1:-1])) / K**2) for K, z in grid.items())
    roots, _ = largest(
        (K, sum((1 / ball(variance(x)).sqrt() for x in z[1:-1]), arb(0)) / (arb.pi() * K))
        for K, z in grid.items()
    )
    return jointly(
        Evidence(steep, 1, ">", "(b): K^2 times the largest ratio, over K + 1, at K = 2..64", {"K": K}),
        Evidence(widest, lower(arb.pi() / 2), "<=", "(a): K times the largest gap"),
        Evidence(inverse, 1, "<=", "(c): the sum over K^2"),
        Evidence(roots, 1, "<=", "(d): the sum over pi K"),
        same_points(grids.uniform_grid, lambda K: [ball(z) for z in points(K)]),
    )


@precision(BITS)
def full_grid_steepness(end: int, root: Fraction = Fraction(3)) -> Evidence:
    r"""Check :math:`d_i^2/(z(1-z)) \le (c\,\pi/2K)^2`, c = `root`, at one end z of every cell of the full grid.

    Part (a) of ``lem:discretization_II`` takes the right end (``end=1``), part (b) the left one (``end=0``);
    the grid is symmetric, so both have the same values. For all K >= 2: inner cells have the ratios of part
    (b) of ``lem:discretization``, at most :math:`(\sin 3\theta/\cos\theta)^2`. In an end cell
    :math:`d = \sin\frac\theta2\sin\frac{3\theta}2`; over :math:`\frac14\sin^2\theta` its square is
    :math:`(\sin 3\varphi/\cos\varphi)^2` at :math:`\varphi = \theta/2`, over :math:`\frac14\sin^2 2\theta`
    less. The paper's :math:`\tan^2\theta` is below :math:`9\theta^2` for all K >= 2, not only for large K.
    """
    ratios = {
        K: [gap**2 / variance(z[i + end]) for i, gap in enumerate(gaps(z))]
        for K, z in ((K, full_points(K)) for K in RESOLUTIONS)
    }
    value, K = largest((K, K**2 * ratio) for K, both in ratios.items() for ratio in both)
    n, d = root.numerator, root.denominator
    angle = {K: arb.pi() / (2 * K) for K in RESOLUTIONS}
    limit = lower((ball(root) * arb.pi() / 2) ** 2)
    return jointly(
        Evidence(value, limit, "<=", "K^2 times the largest ratio at K = 2..64", {"K": K}),
        positive("sin 3x < 3 x cos x", lambda x: n * x * x.cos() - d * (3 * x).sin(), QUARTER),
        positive(
            "end cells", lambda x: n * x * (2 * x).sin() - 2 * d * (x / 2).sin() * (3 * x / 2).sin(), QUARTER
        ),
        positive("tan x < 3 x", lambda x: n * x * x.cos() - d * x.sin(), QUARTER),
        agreement(
            "the maximum", lambda K: bounds.lemma_7(K, version="best"), lambda K: max(ratios[K], key=upper)
        ),
        agreement("9 theta^2", bounds.lemma_7, lambda K: 9 * angle[K] ** 2),
        agreement(
            "the paper's 4 sin^2 (1 + 1/2cos)^2",
            lambda K: bounds.lemma_7(K, version="paper"),
            lambda K: (2 * angle[K].sin() + angle[K].tan()) ** 2,
        ),
    )


@precision(BITS)
def end_cells(factor: float = 1.0) -> Evidence:
    r"""Check the paper's bounds :math:`\tan^2\theta` and :math:`4\sin^2\theta` on the end cells of the full grid.

    Both replace :math:`d = z_1 - z_0 = \sin\frac\theta2\sin\frac{3\theta}2` by :math:`z_1 = \sin^2\theta`,
    over :math:`z_1(1-z_1)` and :math:`z_0(1-z_0)`; balls show :math:`d < z_1` for all K >= 2.
    """
    first = {K: full_points(K)[0] for K in RESOLUTIONS}
    ends = {K: (sine_squared(1, 2 * K) - z) ** 2 / variance(z) for K, z in first.items()}
    ratio, K = largest((K, value / (4 * factor * sine_squared(1, 2 * K))) for K, value in ends.items())
    return jointly(
        Evidence(ratio, 1, "<=", "d^2/(z_0(1-z_0)) over 4 sin^2(pi/2K) at K = 2..64", {"K": K}),
        same_points(grids.full_grid, full_points),
        positive("d < z_1", lambda x: x.sin() * x.sin() - (x / 2).sin() * (3 * x / 2).sin(), QUARTER),
        closed("end-gap-first", "end-gap-last", "end-gap-mirror"),
        agreement("the end cells", bounds.lemma_7_ends, lambda K: ends[K]),
        agreement(
            "4 sin^2",
            lambda K: bounds.lemma_7_ends(K, version="paper"),
            lambda K: 4 * sine_squared(1, 2 * K),
        ),
    )


# Just below 1: the values at K <= 64 do not see it, the covering of all K does.
_JUST_BELOW = Fraction(9999, 10000)

CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="lem:discretization",
        number="Lemma 6",
        title="the sine grid of Section 4",
        kind="certified",
        chapter=CHAPTER,
        statement="The points sin^2(pi i/2K), with z_0 = 1 and z_K = 1 added, have gaps d_i = z_i - z_{i-1} "
        "with the four properties (a)-(d).",
        repair="z_0 = 0: then all gaps are positive and add up to 1.",
        uses=("eq:bound_diff",),
        check=sequence,
        refute=printed_first_point,
        severity="misprint",
        spoil=(partial(sequence, 1),),
        rows=(32, 47),
    ),
    Claim(
        label="lem:discretization/a",
        number="Lemma 6 (a)",
        title="gaps are at most pi/2K",
        kind="certified",
        chapter=CHAPTER,
        statement="Every gap of the inner grid is at most pi/2K, for all K >= 2.",
        uses=("eq:bound_diff", "eq:bound_diff/sine"),
        check=widest_gap,
        spoil=(partial(widest_gap, _JUST_BELOW),),
        rows=(47,),
    ),
    Claim(
        label="lem:discretization/b",
        number="Lemma 6 (b)",
        title="gaps are small where the variance is",
        kind="certified",
        chapter=CHAPTER,
        statement="max(d_i, d_{i+1})^2 / (z_i(1-z_i)) <= 9 pi^2/(4K^2) for all i and all K >= 2; 9 pi^2/4 = "
        "22.2066 is the limit of K^2 times the maximum.",
        uses=("eq:bound_diff",),
        check=steepest_point,
        spoil=(partial(steepest_point, 3 * _JUST_BELOW),),
        rows=(48, 52, 53),
    ),
    Claim(
        label="lem:discretization/c",
        number="Lemma 6 (c)",
        title="sum of inverse variances",
        kind="symbolic",
        chapter=CHAPTER,
        statement="The sum of 1/(z_i(1-z_i)) over the inner grid is exactly 4(K^2 - 1)/3, for all K >= 2.",
        check=sum_of_inverse_variances,
        spoil=(partial(sum_of_inverse_variances, 0),),
        rows=(49,),
    ),
    Claim(
        label="lem:discretization/c-display",
        number="Lemma 6 (c), proof",
        title="the printed bound, for odd and even K",
        kind="certified",
        chapter=CHAPTER,
        statement="The sum of 1/(z_i(1-z_i)) is at most 8(csc^2(pi/K) + (K/pi) cot(pi/K)) for all K >= 2; "
        "the paper proves it for odd K.",
        uses=("lem:discretization/c", "lem:discretization/integrals"),
        check=printed_sum_of_inverse_variances,
        spoil=(partial(printed_sum_of_inverse_variances, 6),),
        rows=(49, 53),
    ),
    Claim(
        label="lem:discretization/d",
        number="Lemma 6 (d)",
        title="sum of inverse standard deviations",
        kind="certified",
        chapter=CHAPTER,
        statement="The sum of 1/sqrt(z_i(1-z_i)) is less than (4K/pi)(log(2K/pi) + gamma), gamma = "
        "0.5772..., for all K >= 2.",
        check=sum_of_inverse_deviations,
        spoil=(partial(sum_of_inverse_deviations, Fraction(-1, 1000)),),
        rows=(50,),
    ),
    Claim(
        label="lem:discretization/d-display",
        number="Lemma 6 (d), proof",
        title="the printed bound, for odd and even K",
        kind="certified",
        chapter=CHAPTER,
        statement="The sum of 1/sqrt(z_i(1-z_i)) is at most 4(csc(pi/K) + (K/pi) log(csc(pi/K) + "
        "cot(pi/K))) for all K >= 2; the paper proves it for odd K.",
        uses=("lem:discretization/d", "lem:discretization/integrals"),
        check=printed_sum_of_inverse_deviations,
        spoil=(partial(printed_sum_of_inverse_deviations, 0),),
        rows=(50, 53),
    ),
    Claim(
        label="lem:discretization/integrals",
        number="Lemma 6, proof",
        title="the two integrals",
        kind="symbolic",
        chapter=CHAPTER,
        statement="The integrals of 1/sin^2 and 1/sin from x to pi/2 are cot x and log(csc x + cot x).",
        check=partial(closed, "csc2-mirror", "csc2-integral", "csc-integral"),
        spoil=(partial(closed, "csc2-integral", "csc-integral", factor=-1),),
        rows=(55,),
    ),
    Claim(
        label="eq:bound_diff",
        number="Equation 9",
        title="a gap as a product of sines",
        kind="symbolic",
        chapter=CHAPTER,
        statement="z_i - z_{i-1} = (cos(pi(i-1)/K) - cos(pi i/K))/2 = sin(pi/2K) sin(pi(i - 1/2)/K), with "
        "z_0 = 0.",
        check=partial(closed, "grid-gap-cosines", "grid-gap-product"),
        spoil=(partial(closed, "grid-gap-cosines", "grid-gap-product", factor=2),),
        rows=(51,),
    ),
    Claim(
        label="eq:bound_diff/sine",
        number="Equation 9, proof",
        title="sin t <= t",
        kind="certified",
        chapter=CHAPTER,
        statement="sin t <= t for all real t.",
        repair="sin t <= t for all t >= 0, the only case that is used.",
        check=sine_below_identity,
        refute=sine_above_identity,
        severity="proof",
        spoil=(partial(sine_below_identity, _JUST_BELOW),),
        rows=(54,),
    ),
    Claim(
        label="sec:achieve-KL-Cal/uniform",
        number="Section 4",
        title="the uniform grid fails (b)",
        kind="certified",
        chapter=CHAPTER,
        statement="The uniform grid has gaps 1/K, sums (c) <= K^2 and (d) <= pi K, but the ratio of (b) is "
        "at least 1/(K-1) and not O(1/K^2).",
        uses=("lem:discretization/b",),
        check=uniform_grid,
        spoil=(partial(uniform_grid, inner_points),),
        rows=(33,),
    ),
    Claim(
        label="lem:discretization_II",
        number="Lemma 7",
        title="the end cells of the grid of Section 5",
        kind="certified",
        chapter=CHAPTER,
        statement="In the two end cells d^2/(z(1-z)) is at most tan^2(pi/2K) at the inner point and 4 "
        "sin^2(pi/2K) at the outer one, for all K >= 2.",
        check=end_cells,
        spoil=(partial(end_cells, 0.56),),
        rows=(79, 80),
    ),
    Claim(
        label="lem:discretization_II/a",
        number="Lemma 7 (a)",
        title="gaps against the variance at the right end",
        kind="certified",
        chapter=CHAPTER,
        statement="d_i^2/(z_i(1-z_i)) <= 9 pi^2/(4K^2) in every cell of the full grid, for all K >= 2.",
        uses=("lem:discretization/b", "lem:discretization_II"),
        check=partial(full_grid_steepness, 1),
        spoil=(partial(full_grid_steepness, 1, 3 * _JUST_BELOW),),
        rows=(79,),
    ),
    Claim(
        label="lem:discretization_II/b",
        number="Lemma 7 (b)",
        title="gaps against the variance at the left end",
        kind="certified",
        chapter=CHAPTER,
        statement="d_i^2/(z_{i-1}(1-z_{i-1})) <= 9 pi^2/(4K^2) in every cell of the full grid, for all K >= "
        "2, not only large K.",
        uses=("lem:discretization/b", "lem:discretization_II"),
        check=partial(full_grid_steepness, 0),
        spoil=(partial(full_grid_steepness, 0, 3 * _JUST_BELOW),),
        rows=(80,),
    ),
)
