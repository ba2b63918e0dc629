r"""What the claims on grids share: the grids in balls, and ways to turn a computation into evidence.

Throughout :math:`\theta = \pi/2K`. A statement for all :math:`K \ge 2` is proved for every real
:math:`\theta \in (0, \pi/4]`; the values at single K only tie the formulas to the grids and to
`klcal.bounds`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

from flint import arb, fmpq

from klcal.claims._evidence import Evidence
from klcal.exact.balls import Enclosure, Formula, Number, infimum_of_quotient, lower, precision, upper
from klcal.grids import Grid

CHAPTER = "03_grids"
BITS = 128
RESOLUTIONS: Sequence[int] = range(2, 65)


def sine_squared(numerator: int, denominator: int) -> arb:
    """Return the ball of sin^2(pi numerator / denominator).

    Examples
    --------
    >>> sine_squared(1, 6).contains(arb(0.25)), sine_squared(1, 2) == 1
    (True, True)
    """
    return arb.sin_pi_fmpq(fmpq(numerator, denominator)) ** 2


def inner_points(K: int) -> list[arb]:
    """Return the points of Section 4 with 0 and 1 added: sin^2(pi i / 2K) for i = 0..K.

    Examples
    --------
    >>> all(z.contains(arb(x)) for z, x in zip(inner_points(3), (0, 0.25, 0.75, 1), strict=True))
    True
    """
    return [sine_squared(i, 2 * K) for i in range(K + 1)]


def full_points(K: int) -> list[arb]:
    """Return the K + 1 points of Section 5.

    Examples
    --------
    >>> len(full_points(3)), full_points(2)[1].contains(arb(0.5))
    (4, True)
    """
    return [sine_squared(1, 4 * K), *inner_points(K)[1:K], sine_squared(2 * K - 1, 4 * K)]


def same_points(grid: Callable[[int], Grid], exact: Callable[[int], Sequence[arb]]) -> Evidence:
    """Compare the float points of a grid with their balls: largest distance, which may be one rounding."""
    worst = 0.0
    with precision(BITS):
        for K in RESOLUTIONS:
            for found, truth in zip(grid(K).points, exact(K), strict=True):
                worst = max(worst, upper(abs(arb(float(found)) - truth)))
    return Evidence(
        worst, 2.0**-52, "<=", f"klcal.{grid.__name__} has these points to float64 precision, K = 2..64"
    )


def gaps(points: Sequence[Any]) -> list[Any]:
    """Return the differences of neighbouring points."""
    return [high - low for low, high in pairwise(points)]


def variance(z: Any) -> Any:
    """Return z(1 - z)."""
    return z * (1 - z)


def divergence(rho: arb, p: arb) -> arb:
    """Return KL(rho, p) for p strictly inside (0, 1); an exact rho of 0 or 1 follows the rule 0 log 0 = 0.

    Examples
    --------
    >>> divergence(arb(0), arb(0.5)).overlaps(arb(2).log()), upper(divergence(arb(0.5), arb(0.5)))
    (True, 0.0)
    """
    ones = arb(0) if rho.is_zero() else rho * (rho / p).log()
    zeros = arb(0) if (1 - rho).is_zero() else (1 - rho) * ((1 - rho) / (1 - p)).log()
    return ones + zeros


def decided(enclosure: Enclosure, method: str) -> Evidence:
    """Return the evidence that an infimum is positive; a value that is not is shown when there is one."""
    measured = enclosure.lower if enclosure.lower > 0 else enclosure.upper
    return Evidence(measured, 0, ">", method, {"boxes": enclosure.boxes})


def positive(text: str, formula: Formula, right: Number, *, switch: float = 0.25) -> Evidence:
    """Certify formula(x) > 0 on (0, right] by `infimum_of_quotient`; `text` says the inequality.

    Examples
    --------
    >>> positive("sin x < x", lambda x: x - x.sin(), 1).holds
    True
    """
    enclosure = infimum_of_quotient(formula, right, above=0.0, switch=switch, bits=BITS)
    return decided(enclosure, f"{text}, all of the range covered by balls")


def agreement(
    text: str,
    bound: Callable[[int], float],
    exact: Callable[[int], arb],
    *,
    resolutions: Iterable[int] = RESOLUTIONS,
    tolerance: float = 1e-13,
) -> Evidence:
    """Compare a float function of K with its ball: largest relative distance against `tolerance`.

    Examples
    --------
    >>> agreement("pi/K", lambda K: 3.141592653589793 / K, lambda K: arb.pi() / K).holds
    True
    >>> agreement("pi/K", lambda K: 3.1416 / K, lambda K: arb.pi() / K).holds
    False
    """
    worst, where = 0.0, 0
    with precision(BITS):
        for K in resolutions:
            truth = exact(K)
            distance = upper(abs(arb(float(bound(K))) - truth) / abs(truth))
            worst, where = max((worst, where), (distance, K))
    return Evidence(worst, tolerance, "<=", f"klcal.bounds agrees with {text}", {"K": where})


def largest(values: Iterable[tuple[int, arb]]) -> tuple[float, int]:
    """Return an upper bound on the largest of balls that carry their K, and that K."""
    return max((upper(value), K) for K, value in values)


def smallest(values: Iterable[tuple[int, arb]]) -> tuple[float, int]:
    """Return a lower bound on the smallest of balls that carry their K, and that K."""
    return min((lower(value), K) for K, value in values)
