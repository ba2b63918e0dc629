r"""Lemma 5 and Algorithm 4: what it costs to round a forecast to two neighbours on the grid of Section 5."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import sympy as sp
from flint import arb

from klcal import bounds, grids
from klcal.claims._combinators import closed, jointly, misprinted
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.grids._common import (
    BITS,
    CHAPTER,
    RESOLUTIONS,
    agreement,
    full_points,
    largest,
    positive,
    sine_squared,
    variance,
)
from klcal.exact.balls import Enclosure, ball, centred, infimum, lower, precision, supremum, upper
from klcal.grids.rounding import linear_rounding, log_rounding
from klcal.symbolic import rational

QUARTER = arb.pi() / 4
# The whole continuous range of p is covered for these K; the reduction of each claim carries all K.
COVERED = range(2, 13)


def cells(K: int) -> Iterator[tuple[arb, arb, arb]]:
    """Yield both ends of every cell of the full grid, and the angle between them."""
    points, whole = full_points(K), arb.pi() / (2 * K)
    for i in range(K):
        yield points[i], points[i + 1], whole / 2 if i in (0, K - 1) else whole


def change(low: arb, high: arb, step: Any) -> Any:
    r"""Return :math:`\mathbb E\,\ell(q, 1) - \ell(p, 1)`; Algorithm 4 rounds :math:`p = p^- + s(p^+ - p^-)`.

    The upper neighbour has probability :math:`sB/((1-s)A + sB)`, A and B being the variances of the two. The
    outcome 0 in this cell is the outcome 1 in the mirrored cell, and the grid is symmetric.

    Examples
    --------
    >>> cost = change(arb(0.25), arb(0.75), arb(0.5))
    >>> abs(cost - (arb(4) / 3).log() / 2) < 1e-15
    True
    """
    p = low + step * (high - low)
    down, up = (1 - step) * variance(low), step * variance(high)
    # One occurrence of the step keeps the ball of the denominator narrow.
    total = variance(low) + step * (variance(high) - variance(low))
    return (down * (p / low).log() + up * (p / high).log()) / total


def worst_change(low: arb, high: arb, scale: arb) -> Enclosure:
    """Enclose the supremum over p in the cell of the change, in units of `scale`, to 1/500."""
    return supremum(centred(lambda step: change(low, high, step) / scale), [(0, 1)], tolerance=2e-3)


def _tangent_squared(angle: arb) -> arb:
    return angle.tan() ** 2


def _log_secant_squared(angle: arb) -> arb:
    return -2 * angle.cos().log()


def _worst_ratio(scale: Callable[[arb], arb]) -> tuple[float, int]:
    """Return an upper bound on change / scale(angle) over all p in all cells, K = 2..12, and the worst K."""
    return max(
        (worst_change(low, high, scale(angle)).upper, K) for K in COVERED for low, high, angle in cells(K)
    )


def _widest(K: int) -> arb:
    """Return the largest angle of a cell: at K = 2 there are only the two end cells."""
    return arb.pi() / (2 * K if K > 2 else 8)


@precision(BITS)
def upper_side(factor: float = 1.0) -> Evidence:
    r"""Check :math:`\mathbb E\,\ell(q,y) - \ell(p,y) \le \tan^2(b-a)`, p between :math:`\sin^2a` and :math:`\sin^2b`.

    For all K: :math:`\log u \le u - 1` gives at most
    :math:`\mathbb E[p/q] - 1 = \mathbb E[\frac{1-p}{1-q}] - 1`, and the largest value of that in the cell is
    :math:`\tan^2(b-a)` (``lem:rounding/supremum``). Directly, with the logarithms, the balls cover every p in
    every cell for K = 2..12.
    """
    ratio, K = _worst_ratio(lambda angle: factor * _tangent_squared(angle))
    text = "largest change over tan^2 of the cell's angle, all p in all cells at K = 2..12"
    return jointly(
        Evidence(ratio, 1, "<=", text, {"K": K}),
        closed("excess-slope", "excess-at-1"),
        agreement("tan^2", bounds.rounding_cost, lambda K: _tangent_squared(_widest(K))),
        agreement(
            "the paper's constant",
            lambda K: bounds.rounding_cost(K, version="paper"),
            lambda K: (2 * (arb.pi() / (2 * K)).sin() + (arb.pi() / (2 * K)).tan()) ** 2,
        ),
    )


def first_cell_change(angle: arb, position: Any) -> Any:
    r"""Return the change at y = 1 for :math:`p = u z_1` in the first cell, also at :math:`\theta = 0`.

    Everything is divided by :math:`z_1`, so only :math:`r = z_0/z_1 = \frac{1}{4\cos^2(\theta/2)}` and u
    appear.
    """
    ratio = 1 / (4 * (angle / 2).cos() ** 2)
    step = (position - ratio) / (1 - ratio)
    low, high = ratio * (angle / 2).cos() ** 2, angle.cos() ** 2
    return ((1 - step) * low * (position / ratio).log() + step * high * position.log()) / (
        low + step * (high - low)
    )


def _dip() -> arb:
    """Return (log 4)/3, where the limit of the change in the first cell is smallest."""
    return arb(4).log() / 3


@precision(BITS)
def lower_side() -> Evidence:
    r"""Show that at :math:`p = \frac{\log4}3 z_1`, y = 1, the change is below -1/10 for every K >= 3.

    So it is not bounded below by :math:`-c/K^2`. The balls cover :math:`\theta \in [0, \pi/6]`, the limit
    included.
    """
    sup = supremum(lambda x: first_cell_change(arb.pi() / 6 * x, _dip()), [(0, 1)], below=-0.1, bits=BITS)
    return Evidence(
        sup.upper,
        -0.1,
        "<",
        "upper end of the change at p = (log 4)/3 z_1 and y = 1 over all K >= 3",
        {"boxes": sup.boxes},
        counterexample="p = (log 4)/3 z_1, y = 1: the change tends to "
        "1 + log(log(4)/3) - log(4)/3 = -0.234..., not to 0",
    )


@precision(BITS)
def lower_limit(offset: float = 0.0) -> Evidence:
    r"""Check that the smallest change in the first cell tends to :math:`1 + \log\frac{\log4}3 - \frac{\log4}3`.

    At :math:`\theta = 0` the change at :math:`p = u z_1` is :math:`\log u + \frac{1-u}{3u}\log4`; its
    derivative vanishes at :math:`u = \frac{\log4}3` only. The balls enclose the infimum over u, and the
    one at K = 1000.
    """
    value = 1 + _dip().log() - _dip() + arb(offset)
    limit = infimum(centred(lambda x: first_cell_change(arb(0), (1 + 3 * x) / 4)), [(0, 1)], tolerance=1e-6)
    low, high, _ = next(cells(1000))
    finite = infimum(centred(lambda step: change(low, high, step)), [(0, 1)], tolerance=1e-6)
    distance = max(upper(abs(value - end)) for end in (arb(limit.lower), arb(limit.upper)))
    nearby = max(upper(abs(value - end)) for end in (arb(finite.lower), arb(finite.upper)))
    return jointly(
        Evidence(distance, 2e-6, "<=", "distance of the enclosed infimum at theta = 0 from the closed form"),
        Evidence(nearby, 1e-5, "<=", "distance of the enclosed infimum at K = 1000 from the closed form"),
    )


@precision(BITS)
def convexity_supremum(multiple: int = 1) -> Evidence:
    r"""Check that the convexity bound of a cell has the exact maximum :math:`\tan^2(b-a)`.

    :math:`\tan^2(b-a)` minus the bound is a square over a positive number that vanishes at
    :math:`p = \sin a\sin b/\cos(b-a)`; sympy closes it for all angles. The printed bound
    :math:`d^2\max(\frac1A, \frac1B)` is larger by the factor :math:`(3 - 4\sin^2\theta)^2`, up to 9.
    """
    names = ("rounding-in-cell", "cell-maximum", "cell-maximiser", "cell-tangent", "cell-worst-cost")
    low, p, high = Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)
    at_half = (high - p) * (p - low) / (p + low * high - p * (low + high))
    return jointly(
        closed(*names),
        Evidence(at_half, multiple * Fraction(1, 3), "==", "K = 3, p = 1/2: exactly tan^2(pi/6) = 1/3"),
        *(
            Evidence(
                max(_cell_distance(K, version, exact) for K in COVERED),
                1e-13,
                "<=",
                f"klcal.bounds.rounding_cost_cell, {version}, agrees with its formula, K = 2..12",
            )
            for version, exact in _CELL_COSTS.items()
        ),
    )


def _printed_cost(low: arb, high: arb) -> arb:
    cost: arb = (high - low) ** 2 / variance(low).min(variance(high))
    return cost


def _convexity_cost(low: arb, high: arb) -> arb:
    cost: arb = (high - low) ** 2 / (variance(low).sqrt() + variance(high).sqrt()) ** 2
    return cost


def _jensen_cost(low: arb, high: arb) -> arb:
    return (1 + _convexity_cost(low, high)).log()


_CELL_COSTS = {"paper": _printed_cost, "sharpened": _convexity_cost, "best": _jensen_cost}


def _cell_distance(K: int, version: str, exact: Callable[[arb, arb], arb]) -> float:
    """Return the largest relative distance of `bounds.rounding_cost_cell` from its ball on the float grid."""
    points = grids.full_grid(K).points
    found = bounds.rounding_cost_cell(points[:-1], points[1:], version=version)
    truths = [exact(arb(low), arb(high)) for low, high in pairwise(points)]
    return max(upper(abs(arb(value) - truth) / truth) for value, truth in zip(found, truths, strict=True))


@precision(BITS)
def at_most_three_over_k_squared(constant: Fraction = Fraction(3)) -> Evidence:
    r"""Check :math:`\tan^2(b-a) \le \texttt{constant}/K^2` in every cell, for all K >= 2.

    Inner cells exist for K >= 3. There :math:`\tan\theta/\theta` increases, because
    :math:`\theta - \sin\theta\cos\theta > 0`, so :math:`K^2\tan^2\frac\pi{2K}` is largest at K = 3, where it
    is :math:`9\tan^2\frac\pi6 = 3` exactly. End cells: :math:`\tan\frac\theta2 \le \theta`, hence at most
    :math:`\pi^2/4K^2`.
    """
    at_three = sp.Rational(9) * sp.tan(sp.pi / 6) ** 2
    worst, K = largest((K, K**2 * ball(bounds.rounding_cost(K))) for K in RESOLUTIONS if K != 3)
    return jointly(
        Evidence(rational(at_three), constant, "<=", "9 tan^2(pi/6), exactly"),
        positive("x - sin x cos x > 0", lambda x: x - x.sin() * x.cos(), arb.pi() / 6),
        positive("tan(x/2) < x", lambda x: x * (x / 2).cos() - (x / 2).sin(), QUARTER),
        Evidence(worst, 3, "<", "K^2 times the cost at K = 2 and 4..64", {"K": K}),
    )


@precision(BITS)
def jensen_bound(factor: float = 1.0) -> Evidence:
    r"""Check :math:`\mathbb E\,\ell(q,y) - \ell(p,y) \le -2\log\cos(b-a)`, less than :math:`\tan^2(b-a)`.

    For all K: Jensen takes the logarithm outside, :math:`\mathbb E\log\frac pq \le \log\mathbb E\frac pq`,
    and the mean is at most :math:`1 + \tan^2(b-a) = \cos^{-2}(b-a)`. The paper's :math:`\log u \le u - 1`
    loses the difference.
    """
    ratio, K = _worst_ratio(lambda angle: factor * _log_secant_squared(angle))
    text = "largest change over -2 log cos of the cell's angle, all p in all cells at K = 2..12"
    return jointly(
        Evidence(ratio, 1, "<=", text, {"K": K}),
        positive("-2 log cos x < tan^2 x", lambda x: x.tan() * x.tan() + 2 * x.cos().log(), QUARTER),
        agreement(
            "-2 log cos",
            lambda K: bounds.rounding_cost(K, version="best"),
            lambda K: _log_secant_squared(_widest(K)),
        ),
    )


@precision(BITS)
def tight_constant(share: float = 0.999) -> Evidence:
    r"""Check that :math:`\pi^2/4` cannot be lowered: at K = 1000 the change reaches 0.999 of it over :math:`K^2`.

    Take y = 1 and the cell from :math:`\sin^2 990\theta` at K = 1000; close to p = 1 Jensen's inequality
    loses nothing.
    """
    K, i = 1000, 990
    low, high = sine_squared(i, 2 * K), sine_squared(i + 1, 2 * K)
    step = variance(low).sqrt() / (variance(low).sqrt() + variance(high).sqrt())
    quarter = arb.pi() ** 2 / 4
    value = lower(K**2 * change(low, high, step) / quarter)
    above = upper(K**2 * _log_secant_squared(arb.pi() / (2 * K)) / quarter)
    text = "K^2 times the change over pi^2/4 at the worst p of one cell"
    return jointly(
        Evidence(value, share, ">=", text, {"K": K, "i": i}),
        Evidence(above, 1.00001, "<=", "K^2 times -2 log cos(pi/2K) over pi^2/4"),
    )


Rounding = Callable[[npt.ArrayLike, grids.Grid], npt.NDArray[np.float64]]


@precision(BITS)
def clamped_algorithm(rounding: Rounding = log_rounding) -> Evidence:
    """Check that clamped rounding is a distribution for every p in [0, 1], with the shares of Algorithm 4.

    Between grid points the shares must be those of the formula, on a grid point and outside [z_0, z_K] a
    point mass.
    """
    worst = 0.0
    for K in COVERED:
        grid = grids.full_grid(K)
        points = grid.points
        inside = np.concatenate([points[:-1] + s * np.diff(points) for s in (0.125, 0.5, 0.75)])
        for w in (0.0, points[0] / 2, *points, *inside, 1.0):
            exact = _exact_shares(float(w), [float(z) for z in points])
            found = rounding(float(w), grid)
            worst = max(worst, *(upper(abs(arb(float(q)) - e)) for q, e in zip(found, exact, strict=True)))
    method = (
        "klcal.grids.rounding.log_rounding against the formula, inside all cells, on all points and beyond"
    )
    return jointly(closed("rounding-weights"), Evidence(worst, 1e-13, "<=", method))


def _exact_shares(w: float, points: list[float]) -> list[arb]:
    """Return the shares of Algorithm 4 for these floats as balls; all to the end point outside the grid."""
    shares = [arb(0) for _ in points]
    if w < points[0] or w >= points[-1]:
        shares[0 if w < points[0] else -1] = arb(1)
        return shares
    i = max(j for j, z in enumerate(points) if z <= w)
    low, high = arb(points[i]), arb(points[i + 1])
    down, up = (high - w) / variance(high), (w - low) / variance(low)
    shares[i], shares[i + 1] = down / (down + up), up / (down + up)
    return shares


@precision(BITS)
def undefined_at_zero() -> Evidence:
    """Show that the printed algorithm asks for a cell that p = 0 and p = 1 do not have."""
    points = full_points(3)
    found = sum(not low > p and high > p for p in (0, 1) for low, high in pairwise(points))
    return Evidence(
        found,
        2,
        "<",
        "number of cells [z_i, z_{i+1}) at K = 3 that hold p = 0 or p = 1",
        counterexample="p = 0 < z_0 and p = 1 >= z_K for every K; EWOO plays w < z_0 in round 22 at K = 3",
    )


@precision(BITS)
def clamped_ends(factor: float = 1.0) -> Evidence:
    r"""Check that moving :math:`p < z_0` to :math:`z_0` costs at most :math:`-2\log\cos\frac\pi{4K}`, as p = 0 does.

    At y = 1 it gains. At y = 0 it costs :math:`\log\frac{1-p}{1-z_0}`, which falls in p; at p = 0 that is
    :math:`-\log\cos^2\frac\theta2`. Symmetric at the other end. It is below the cost
    :math:`\tan^2\frac\theta2` of an end cell, so the bound of ``lem:rounding`` holds on all of [0, 1].
    """
    cost = {K: -(1 - full_points(K)[0]).log() for K in RESOLUTIONS}
    ratio, K = largest((K, value / _tangent_squared(arb.pi() / (4 * K))) for K, value in cost.items())
    return jointly(
        Evidence(ratio, 1, "<", "the cost at p = 0, y = 0, over tan^2(pi/4K), K = 2..64", {"K": K}),
        agreement("the cost at p = 0, y = 0", lambda K: factor * bounds.clamp_cost(K), lambda K: cost[K]),
        positive("the cost is larger at 0 than at p", lambda p: -(1 - p).log(), Fraction(1, 4)),
        positive("-2 log cos x < tan^2 x", lambda x: x.tan() * x.tan() + 2 * x.cos().log(), QUARTER),
        closed("clamp-low", "clamp-high"),
    )


@precision(BITS)
def expectation_inequality(factor: Fraction = Fraction(1)) -> Evidence:
    r"""Check :math:`\mathbb E\,\ell(q,1) - \ell(p,1) \le \mathbb E[p/q] - 1`, equal at grid points only.

    Termwise :math:`\log u \le u - 1` with equality at u = 1 only. Shown at K = 3, p = 1/2:
    :math:`\frac12\log\frac43` against 1/3.
    """
    value = change(arb(0.25), arb(0.75), arb(0.5))
    return jointly(
        Evidence(
            upper(value),
            float(factor / 3),
            "<=",
            "K = 3, p = 1/2, y = 1: the change against E[p/q] - 1 = 1/3",
        ),
        closed("excess-slope", "excess-at-1"),
    )


_CLOSED_FORMS = (
    "rounding-weights",
    "rounding-normaliser",
    "rounding-inverse-middle",
    "rounding-inverse",
    "rounding-inverse-complement",
    "rounding-cost-1",
    "rounding-cost-0",
    "rounding-common-value",
    "rounding-denominator-linear",
    "rounding-denominator-low",
    "rounding-denominator-high",
)

CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="alg:rounding_alg",
        number="Algorithm 4",
        title="randomised rounding for the log loss",
        kind="symbolic",
        chapter=CHAPTER,
        statement="RROUND maps every p in [0, 1] to a distribution over the grid.",
        repair="RROUND with forecasts below z_0 and from z_K on moved to the end point is defined on all of "
        "[0, 1].",
        uses=("alg:EWOO/outside",),
        check=clamped_algorithm,
        refute=undefined_at_zero,
        severity="statement",
        spoil=(partial(clamped_algorithm, linear_rounding),),
        rows=(72,),
    ),
    Claim(
        label="alg:rounding_alg/clamped",
        number="Algorithm 4, repaired",
        title="the cost of clamping",
        kind="certified",
        chapter=CHAPTER,
        statement="Moving p outside [z_0, z_K] to the end point costs at most -2 log cos(pi/4K), with "
        "equality at p = 0, y = 0; that is less than tan^2(pi/4K), for all K >= 2.",
        uses=("alg:rounding_alg",),
        check=clamped_ends,
        spoil=(partial(clamped_ends, 0.999),),
        rows=(72,),
    ),
    Claim(
        label="lem:rounding",
        number="Lemma 5",
        title="rounding costs O(1/K^2), upwards only",
        kind="certified",
        chapter=CHAPTER,
        statement="E l(q,y) - l(p,y) = O(1/K^2) for the rounded forecast q.",
        repair="E l(q,y) - l(p,y) <= tan^2(pi/2K) in inner cells and tan^2(pi/4K) in the two end cells; "
        "there is no such lower bound.",
        uses=("eq:convexity", "lem:rounding/supremum"),
        check=upper_side,
        refute=lower_side,
        severity="statement",
        spoil=(partial(upper_side, 0.98), partial(upper_side, 0.25)),
        rows=(73, 81),
    ),
    Claim(
        label="lem:rounding/lower-limit",
        number="Lemma 5, lower side",
        title="how much rounding can gain",
        kind="certified",
        chapter=CHAPTER,
        statement="The smallest change in the first cell at y = 1 tends to 1 + log(log(4)/3) - log(4)/3 = "
        "-0.23407...",
        uses=("lem:rounding",),
        check=lower_limit,
        spoil=(partial(lower_limit, 1e-4),),
        rows=(73,),
    ),
    Claim(
        label="lem:rounding/closed-forms",
        number="Lemma 5, proof",
        title="D, E[1/q], E[1/(1-q)] and their common value",
        kind="symbolic",
        chapter=CHAPTER,
        statement="E[p/q] - 1 = E[(1-p)/(1-q)] - 1 = (p+ - p)(p - p-)/f(p) with f(p) = p + p- p+ - p(p- + "
        "p+), linear, with the variances of the neighbours as end values.",
        check=partial(closed, *_CLOSED_FORMS),
        spoil=(partial(closed, *_CLOSED_FORMS, factor=2), partial(closed, "rounding-cost-1", factor=-1)),
        rows=(76, 77),
    ),
    Claim(
        label="lem:rounding/supremum",
        number="Lemma 5, proof",
        title="the convexity bound is exactly tan^2",
        kind="symbolic",
        chapter=CHAPTER,
        statement="In the cell from sin^2 a to sin^2 b the largest value of E[p/q] - 1 is tan^2(b - a), at "
        "p = sin a sin b / cos(b - a); the printed bound is up to 9 times larger.",
        uses=("lem:rounding/closed-forms",),
        check=convexity_supremum,
        spoil=(partial(convexity_supremum, 2),),
        rows=(78,),
    ),
    Claim(
        label="lem:rounding/explicit",
        number="Lemma 5",
        title="the constant 3",
        kind="certified",
        chapter=CHAPTER,
        statement="The rounding cost tan^2 is at most 3/K^2 for all K >= 2, with equality at K = 3.",
        uses=("lem:rounding",),
        check=at_most_three_over_k_squared,
        spoil=(partial(at_most_three_over_k_squared, Fraction(299, 100)),),
        rows=(73,),
    ),
    Claim(
        label="new:rounding-log-secant",
        number="Lemma 5, sharpened",
        title="Jensen instead of convexity",
        kind="certified",
        chapter=CHAPTER,
        statement="E l(q,y) - l(p,y) <= -2 log cos(pi/2K), and -2 log cos(pi/4K) in end cells, for all K >= "
        "2.",
        uses=("lem:rounding/supremum",),
        check=jensen_bound,
        spoil=(partial(jensen_bound, 0.98),),
        rows=(73,),
    ),
    Claim(
        label="new:rounding-tight",
        number="Lemma 5, sharpened",
        title="the constant pi^2/4 is best",
        kind="certified",
        chapter=CHAPTER,
        statement="At K = 1000 the largest change exceeds 0.999 pi^2/(4K^2), and the bound -2 log cos(pi/2K) is at "
        "most 1.00001 pi^2/(4K^2).",
        uses=("new:rounding-log-secant",),
        check=tight_constant,
        spoil=(partial(tight_constant, 1.001),),
        rows=(73,),
    ),
    Claim(
        label="eq:convexity",
        number="Equation 10",
        title="the tangent of the log loss",
        kind="symbolic",
        chapter=CHAPTER,
        statement="l'(q,y)(q-p) = (q-y)(q-p)/(q(1-q)), which is p/q - 1 at y = 1 and (1-p)/(1-q) - 1 at y = "
        "0; l is convex.",
        check=partial(closed, "log-loss-slope", "log-loss-slope-1", "log-loss-slope-0", "log-loss-convex"),
        spoil=(partial(closed, "log-loss-slope-1", "log-loss-slope-0", factor=-1),),
        rows=(74,),
    ),
    Claim(
        label="eq:convexity/expectation",
        number="Equation 10, expectation",
        title="an equality that is an inequality",
        kind="certified",
        chapter=CHAPTER,
        statement="E l(q,y) - l(p,y) = E[p/q] - 1 for y = 1, and likewise for y = 0.",
        repair="E l(q,y) - l(p,y) <= E[p/q] - 1, with equality only at grid points.",
        uses=("eq:convexity", "lem:rounding/closed-forms"),
        check=expectation_inequality,
        refute=partial(misprinted, "rounding-equality"),
        severity="proof",
        spoil=(partial(expectation_inequality, Fraction(2, 5)),),
        rows=(75,),
    ),
)
