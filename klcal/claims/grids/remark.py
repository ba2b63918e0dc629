r"""Remark 1: what two simpler rounding schemes cost at one point, and linear rounding in total."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

import sympy as sp
from flint import arb

from klcal import bounds
from klcal.claims._combinators import closed, jointly, vanishing
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.grids._common import BITS, CHAPTER, agreement, full_points, positive
from klcal.claims.grids.rounding import COVERED, cells
from klcal.exact.balls import Formula, ball, centred, infimum, precision, supremum, upper

QUARTER = arb.pi() / 4


@precision(BITS)
def nearest_rounding_cost(least: float = 0.79) -> Evidence:
    r"""Check the cost :math:`\log(\frac32+\cos\frac\pi{2K})` of rounding :math:`\frac{z_0+z_1}2` to :math:`z_0`.

    For all K >= 2 that is at least :math:`\log(\frac32 + \frac1{\sqrt2}) = 0.7916`, covered by balls in
    :math:`\theta`. The point is an exact tie; just below it the nearest point is :math:`z_0` and the cost is
    as close as one likes.
    """
    found = infimum(lambda x: (arb(1.5) + (QUARTER * x).cos()).log(), [(0, 1)], tolerance=1e-3, bits=BITS)
    text = "smallest cost over all K >= 2, covered by balls"
    return jointly(
        Evidence(found.lower, least, ">=", text, {"boxes": found.boxes}),
        closed("remark-nearest", "remark-nearest-limit"),
        agreement("the cost on the grid", bounds.remark_1_nearest, partial(_midpoint_cost, linear=False)),
    )


@precision(BITS)
def linear_rounding_cost(least: float = 0.177) -> Evidence:
    r"""Check the cost of linear rounding of :math:`\frac{z_0+z_1}2` at y = 1.

    It is :math:`\log\frac{1+4c^2}{4c}` with :math:`c = \cos\frac\pi{4K}`. For all K >= 2 that is at least
    0.1777, the value at K = 2, covered by balls; it tends to :math:`\log\frac54`.
    """

    def cost(x: arb) -> arb:
        cosine = (QUARTER * x / 2).cos()
        return (1 / (4 * cosine) + cosine).log()

    found = infimum(cost, [(0, 1)], tolerance=1e-4, bits=BITS)
    text = "smallest cost over all K >= 2, covered by balls"
    return jointly(
        Evidence(found.lower, least, ">=", text, {"boxes": found.boxes}),
        closed("remark-linear", "remark-linear-limit"),
        agreement("the cost on the grid", bounds.remark_1_linear, partial(_midpoint_cost, linear=True)),
    )


def _midpoint_cost(K: int, *, linear: bool) -> arb:
    """Return the cost at y = 1 of rounding the middle of the first cell to its lower end, or to both ends."""
    low, high, *_ = full_points(K)
    middle = ((low + high) / 2).log()
    return middle - (low.log() + high.log()) / 2 if linear else middle - low.log()


def linear_change(low: arb, high: arb, step: Any) -> Any:
    """Return E l(q, 1) - l(p, 1) for p rounded linearly: the gap in Jensen's inequality for the logarithm."""
    p = low + step * (high - low)
    return (1 - step) * (p / low).log() + step * (p / high).log()


def _weighted(low: arb, high: arb, square: arb) -> Formula:
    """Return the formula step -> p times the cost of linear rounding, over `square`."""
    return lambda step: (low + step * (high - low)) * linear_change(low, high, step) / square


def _per_round(constant: Fraction) -> Evidence:
    """Bound p times the cost of linear rounding at y = 1, over theta^2, for all p at K = 2..12."""
    worst = 0.0
    for K in COVERED:
        square = (arb.pi() / (2 * K)) ** 2
        for low, high, _ in cells(K):
            found = supremum(centred(_weighted(low, high, square)), [(0, 1)], tolerance=2e-3)
            worst = max(worst, found.upper)
    text = "largest p times the cost of linear rounding at y = 1, over theta^2, all p at K = 2..12"
    return Evidence(worst, float(constant), "<=", text)


def _worst_total(K: int, rounds: int) -> float:
    r"""Return the largest total cost of one learner over :math:`9\theta^2(S+2)\log(1+\frac S2)`, unit weights.

    EWOO's state is the pair of counts, so the worst of all sequences is found by dynamic programming.
    """
    points = full_points(K)
    square = (arb.pi() / (2 * K)) ** 2
    totals = [arb(0)]
    worst = 0.0
    for seen in range(rounds):
        after = [arb.neg_inf()] * (seen + 2)
        for ones, total in enumerate(totals):
            w = Fraction(ones + 1, seen + 2)
            after[ones + 1] = after[ones + 1].max(total + _cost(ball(w), points))
            after[ones] = after[ones].max(total + _cost(1 - ball(w), points))
        totals = after
        bound = 9 * square * (seen + 3) * (1 + arb(seen + 1) / 2).log()
        worst = max(worst, *(upper(total / bound) for total in totals))
    return worst


def _cost(p: arb, points: list[arb]) -> arb:
    """Return the cost of linear rounding with clamped ends at y = 1; y = 0 is the mirror image.

    A p that cannot be told from a grid point gets the cost of both its cells, joined.
    """
    costs = []
    if not p > points[0]:
        costs.append((p / points[0]).log())
    if not p < points[-1]:
        costs.append((p / points[-1]).log())
    for low, high in pairwise(points):
        if not p < low and not p > high:
            costs.append(linear_change(low, high, (p - low) / (high - low)))
    joined = costs[0]
    for cost in costs[1:]:
        joined = joined.union(cost)
    return joined


@precision(BITS)
def amortised_linear_rounding(constant: Fraction = Fraction(9, 4)) -> Evidence:
    r"""Check that linear rounding costs a learner of weight S at most :math:`9\theta^2(S+2)\log(1+\frac S2)`.

    *One round.* With :math:`p = \mathbb E q` the cost at y = 1 is at most
    :math:`\mathbb E[p/q] - 1 = \frac{(p-p^-)(p^+-p)}{p^-p^+}`, so p times it is at most
    :math:`\frac{d^2}{4p^-}`. For an inner cell that is
    :math:`\sin^2\theta\,(\frac{\sin(2a+\theta)}{2\sin a})^2 \le (\frac32\theta)^2`, as
    :math:`\frac{\sin(2a+\theta)}{2\sin a} \le \cos\frac\theta2 + \cot a\sin\frac\theta2` falls in
    :math:`a \ge \theta` and is :math:`\frac{\sin(3\theta/2)}{\sin\theta} < \frac32` at :math:`a = \theta`;
    end cells and clamped ends are smaller. So the cost is at most
    :math:`\frac94\theta^2(\frac yp + \frac{1-y}{1-p})`.

    *All rounds.* At weights :math:`\gamma` of ones so far EWOO has :math:`1/w \le \frac{S+2}{\gamma+1}`, and
    :math:`x \le 2\log(1+x)` on [0, 1] makes :math:`\sum_t\frac{p_ty_t}{\gamma_t+1} \le 2\log(1+\gamma)`; the
    same for zeros, and :math:`\log(1+\gamma) + \log(1+\delta) \le 2\log(1+\frac S2)`.

    *All learners.* As in Theorem 2,
    :math:`\mathsf{PKLCal} \le (K+1)\log(1+\frac T{K+1}) + \frac{9\pi^2}{4K^2}(T+2K+2)\log(1+\frac T2)`. With
    :math:`K = \lceil T^{1/3}\rceil` and T >= 8 this is at most
    :math:`(2 + 2\cdot\frac{9\pi^2}4)T^{1/3}\log T`.
    """
    low, high, p = sp.symbols("a b p", positive=True)
    share = (p - low) / (high - low)
    mean = p * ((1 - share) / low + share / high) - 1
    n, d = constant.numerator, constant.denominator
    return jointly(
        _per_round(constant),
        vanishing("E[p/q] - 1 for linear rounding", [mean - (p - low) * (high - p) / (low * high)]),
        closed("excess-slope", "excess-at-1"),
        positive("sin(3x/2) < (3/2) sin x", lambda x: 3 * x.sin() - 2 * (3 * x / 2).sin(), QUARTER),
        positive("sin x < x up to 2", lambda x: x - x.sin(), 2),
        positive("last cell", lambda x: 3 * x * x.cos() - (x / 2).sin() * (3 * x / 2).sin(), QUARTER),
        positive("clamped ends", lambda x: n * x * x + 2 * d * (x / 2).cos().log(), QUARTER),
        positive("x < 2 log(1+x)", lambda x: 2 * (1 + x).log() - x, 1),
        Evidence(
            max(_worst_total(K, 48) for K in (3, 6)),
            1,
            "<=",
            "worst total of one learner over the bound, all sequences of unit weights up to 48 rounds, K = 3 and 6",
        ),
        Evidence(upper(2 + 9 * arb.pi() ** 2 / 2), 47, "<=", "the constant before T^(1/3) log T"),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="rem:rounding",
        number="Remark 1",
        title="the middle of the first cell",
        kind="symbolic",
        chapter=CHAPTER,
        statement="z_1/z_0 = 4 cos^2(pi/4K) = 2 + 2 cos(pi/2K), and (z_0 + z_1)/2 is an exact tie: nearest "
        "rounding sends it to z_0 only if ties go down.",
        check=partial(closed, "remark-ratio", "remark-ratio-double", "remark-tie"),
        spoil=(partial(closed, "remark-ratio", "remark-ratio-double", factor=2),),
        rows=(85, 86),
    ),
    Claim(
        label="rem:rounding/a",
        number="Remark 1 (a)",
        title="nearest rounding costs a constant",
        kind="certified",
        chapter=CHAPTER,
        statement="Rounding (z_0 + z_1)/2 to z_0 costs log(3/2 + cos(pi/2K)) >= 0.79 at y = 1, for all K >= "
        "2, with limit log(5/2).",
        uses=("rem:rounding",),
        check=nearest_rounding_cost,
        spoil=(partial(nearest_rounding_cost, 0.793),),
        rows=(85,),
    ),
    Claim(
        label="rem:rounding/b",
        number="Remark 1 (b)",
        title="linear rounding costs a constant at one point",
        kind="certified",
        chapter=CHAPTER,
        statement="Linear rounding of (z_0 + z_1)/2 costs log((1 + 4cos^2(pi/4K))/(4cos(pi/4K))) >= 0.177 "
        "at y = 1, for all K >= 2, with limit log(5/4).",
        uses=("rem:rounding",),
        check=linear_rounding_cost,
        spoil=(partial(linear_rounding_cost, 0.179),),
        rows=(86,),
    ),
    Claim(
        label="new:linear-rounding-amortised",
        number="Remark 1, completed",
        title="linear rounding still gives T^(1/3) log T",
        kind="certified",
        chapter=CHAPTER,
        statement="Algorithm 1 with linear rounding has PKLCal <= (K+1) log(1 + T/(K+1)) + (9 pi^2/4K^2)(T "
        "+ 2K + 2) log(1 + T/2), at most 47 T^(1/3) log T at K = ceil(T^(1/3)), T >= 8: one expensive point "
        "does not rule it out.",
        uses=("rem:rounding/b", "lem:EWOO_regret_bound", "alg:BM_log_loss/reduction"),
        check=amortised_linear_rounding,
        spoil=(partial(amortised_linear_rounding, Fraction(1, 2)),),
        rows=(87,),
    ),
)
