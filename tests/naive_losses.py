"""Proper losses straight from the paper's formulas for l(p, y), with mpmath numbers or Fractions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import mpmath

Number = mpmath.mpf | Fraction
Loss = Callable[[Number, int], Number]


def squared(p: Number, y: int) -> Number:
    return (p - y) ** 2


def log(p: Number, y: int) -> Number:
    chance = p if y == 1 else 1 - p
    return -mpmath.log(chance) if chance > 0 else mpmath.inf


def spherical(p: Number, y: int) -> Number:
    return -(p * y + (1 - p) * (1 - y)) / mpmath.sqrt(p**2 + (1 - p) ** 2)


def tsallis(alpha: Number, c: Number) -> Loss:
    def loss(p: Number, y: int) -> Number:
        return c * (alpha - 1) * p**alpha - alpha * c * p ** (alpha - 1) * y

    return loss


def v_shaped(v: Number) -> Loss:
    """Pay v - y to the right of v, the opposite to the left, nothing at v; scaled so that the worst is 1."""

    def loss(p: Number, y: int) -> Number:
        worst = max(v, 1 - v)
        if p > v:
            return (v - y) / worst
        if p < v:
            return (y - v) / worst
        return 0 * p

    return loss


def mixture_of_v(kinks: list[Fraction], masses: list[Fraction]) -> Loss:
    """Add up unscaled V-shaped losses and divide by the largest absolute value over all forecasts."""

    def unscaled(p: Number, y: int) -> Number:
        return sum(m * ((p > v) - (p < v)) * (v - y) for v, m in zip(kinks, masses, strict=True))

    forecasts = [Fraction(0), Fraction(1), *kinks]
    worst = max(abs(unscaled(p, y)) for p in forecasts for y in (0, 1))
    return lambda p, y: unscaled(p, y) / worst


def expected(loss: Loss, p: Number, mean: Number) -> Number:
    """Return the expected loss of p when the outcome is 1 with probability `mean`; 0 times infinity is 0."""
    total = 0 * mean
    if mean > 0:
        total += mean * loss(p, 1)
    if mean < 1:
        total += (1 - mean) * loss(p, 0)
    return total


def divergence(loss: Loss, rho: Number, p: Number) -> Number:
    """Return the expected loss of forecasting p minus that of forecasting the truth rho."""
    return expected(loss, p, rho) - expected(loss, rho, rho)


def curvature(loss: Loss, p: Number) -> Number:
    """Return |f''(p)| for the expected loss f(p), by a central difference in the working precision."""
    h = mpmath.mpf(10) ** (-mpmath.mp.dps // 4)
    f = [expected(loss, q, q) for q in (p - h, p, p + h)]
    return abs(f[0] - 2 * f[1] + f[2]) / h**2


LOSSES: dict[str, Loss] = {
    "squared": squared,
    "log": log,
    "spherical": spherical,
    "tsallis-1.5": tsallis(Fraction(3, 2), Fraction(1)),
    "tsallis-2": tsallis(2, Fraction(1)),
    "tsallis-3": tsallis(3, Fraction(1, 2)),
    "v-0.25": v_shaped(Fraction(1, 4)),
    "v-0.5": v_shaped(Fraction(1, 2)),
}
