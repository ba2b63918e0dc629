r"""What the claims on explicit algorithms share: the cells of the pair algorithm in balls, and small helpers."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from flint import arb

from klcal.claims._evidence import Evidence
from klcal.claims.grids._common import divergence, inner_points
from klcal.exact.balls import ball, lower

CHAPTER = "08_explicit_algorithms"
BITS = 128
# Equality occurs in several of the inequalities, so a ball around 0 must count as 0.
ROUNDING = -1e-30


def boundaries(K: int) -> list[arb]:
    r"""Return :math:`m_0 = 0 < m_1 < \dots < m_{K-1} = 1`, the ends of the cells of the K - 1 inner points.

    Between :math:`z = \sin^2a` and :math:`z' = \sin^2b` lies :math:`m = \sqrt{zz'}/\cos\frac\pi{2K}`.

    Examples
    --------
    >>> [round(float(m.mid()), 12) for m in boundaries(3)], len(boundaries(2))
    ([0.0, 0.5, 1.0], 2)
    """
    points = inner_points(K)
    cosine = (arb.pi() / (2 * K)).cos()
    inside = [(points[i] * points[i + 1]).sqrt() / cosine for i in range(1, K - 1)]
    return [arb(0), *inside, arb(1)]


def clipped(value: arb, low: arb, high: arb) -> arb:
    """Return the point of [low, high] that is nearest to `value`.

    Examples
    --------
    >>> clipped(arb(2), arb(0), arb(1)) == 1
    True
    """
    return value.max(low).min(high)


def to_cell(rho: arb, low: arb, high: arb) -> arb:
    """Return the least divergence from `rho` to a point of [low, high].

    Examples
    --------
    >>> to_cell(arb(0.25), arb(0), arb(0.5)).contains(arb(0)), to_cell(arb(1), arb(0), arb(0.5)).overlaps(arb(2).log())
    (True, True)
    """
    return divergence(rho, clipped(rho, low, high))


def log_secant(K: int) -> arb:
    """Return 2 log sec(pi/2K).

    Examples
    --------
    >>> log_secant(3).overlaps((arb(4) / 3).log())
    True
    """
    return -2 * (arb.pi() / (2 * K)).cos().log()


def smallest(text: str, values: Iterable[arb]) -> Evidence:
    """Return the evidence that no ball lies below 0; one that reaches less than 1e-30 below it counts as 0.

    Examples
    --------
    >>> smallest("one number", [arb(1)]).holds, smallest("another", [arb(-1)]).holds
    (True, False)
    """
    lows = [lower(value) for value in values]
    least = min(lows)
    method = f"{text} (equalities up to 1e-30)" if least <= 0 else text
    return Evidence(0.0 if ROUNDING <= least <= 0 else least, 0, ">=", method, {"cases": len(lows)})


def kt_probability(ones: int, zeros: int) -> Fraction:
    """Return the probability that the means (k + 1/2)/(n + 1) give to any one order of these outcomes.

    Examples
    --------
    >>> kt_probability(1, 0), kt_probability(1, 1)
    (Fraction(1, 2), Fraction(1, 8))
    """
    probability = Fraction(1)
    for k in range(ones):
        probability *= Fraction(2 * k + 1, 2 * (k + 1))
    for k in range(zeros):
        probability *= Fraction(2 * k + 1, 2 * (ones + k + 1))
    return probability


def tenths() -> list[arb]:
    """Return 0, 1/20, ..., 1 as balls; the ends are exact."""
    return [ball(Fraction(k, 20)) for k in range(21)]
