r"""Foster's two neighbours: the proof of its bound step by step, and its exact worst case."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial

import numpy as np
import sympy as sp
from flint import arb

from klcal import bounds
from klcal.claims._combinators import jointly, vanishing
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.comparisons._common import CHAPTER
from klcal.claims.constants._common import agrees
from klcal.exact.balls import ball, precision
from klcal.forecasters.baselines import neighbour_mixture
from klcal.symbolic import rational

Counts = tuple[tuple[int, int], ...]

# Resolution and horizon of the games that are solved.
GAMES = ((2, 8), (3, 6))


def change() -> Evidence:
    r"""Check what a forecast of z with outcome y adds to :math:`n(\rho-z)^2`, and its mean over the two neighbours."""
    n, rho, z, y = sp.symbols("n rho z y", positive=True)
    after = (n * rho + y) / (n + 1)
    gap = rho - z
    added = (n + 1) * (after - z) ** 2 - n * gap**2
    a, b, low, width = sp.symbols("a b low width", positive=True)
    share = b / (a + b)
    drift = share * (2 * a * (y - low) - a**2) + (1 - share) * (-2 * b * (y - low - width) - b**2)
    return vanishing(
        "the change of one cell; its drift over two neighbours with gaps a and -b, which does not depend on y",
        [
            sp.cancel(added - (2 * gap * (y - z) - gap**2 + (y - rho) ** 2 / (n + 1))),
            sp.cancel(drift - a * b * (2 * width / (a + b) - 1)),
        ],
    )


def largest_drift(constant: Fraction = Fraction(1, 4)) -> Evidence:
    r"""Check that :math:`ab(\frac{2\delta}{a+b} - 1)` is at most `constant` times :math:`\delta^2`.

    Nothing is to show where the bracket is negative. Elsewhere :math:`ab \le s^2/4` with s = a + b, and what is left
    is a square: :math:`\frac{\delta^2}4 - \frac{s^2}4(\frac{2\delta}s - 1) = \frac14(\delta - s)^2`.
    """
    s, width, a, b = sp.symbols("s width a b", positive=True)
    quarter = s**2 / 4 * (2 * width / s - 1)
    attained = (a * b * (2 * width / (a + b) - 1)).subs({a: width / 2, b: width / 2})
    return jointly(
        vanishing(
            "what is left is a square, and ab <= s^2/4",
            [
                sp.expand(width**2 / 4 - quarter - (width - s) ** 2 / 4),
                sp.expand((a + b) ** 2 / 4 - a * b - (a - b) ** 2 / 4),
            ],
        ),
        Evidence(
            rational(sp.cancel(attained / width**2)),
            constant,
            "<=",
            "the drift where both gaps are half a cell, over the width squared",
        ),
    )


def harmonic_numbers(longest: int = 400, shift: Fraction = Fraction(1)) -> Evidence:
    """Check 1 + 1/2 + ... + 1/n <= `shift` + log n in balls; beyond, 1/(n+1) <= log((n+1)/n)."""
    with precision(80):
        wrong = 0
        total = arb(0)
        for n in range(1, longest + 1):
            total += arb(1) / n
            wrong += not total <= ball(shift) + arb(n).log() and n > 1
        exact_start = Fraction(1) > shift
    text = f"n up to {longest} at which 1 + ... + 1/n is above 1 + log n (equal at 1)"
    return Evidence(wrong + exact_start, 0, "==", text)


def _bound(T: int, K: int) -> arb:
    mass = arb(T) / (K + 1)
    learned = mass if mass <= 1 else 1 + mass.log()
    return (K + 1) * learned + arb(T) / (4 * K**2)


def proof() -> Evidence:
    """Check all steps, and that the right-hand side of the package is theirs."""
    return jointly(
        change(),
        largest_drift(),
        harmonic_numbers(),
        agrees("(K + 1) h(T/(K + 1)) + T/4K^2", bounds.squared_loss_pcal2, _bound),
    )


def shares(counts: Counts) -> dict[int, Fraction]:
    """Return the mixture of the two-neighbour rule, in fractions.

    Examples
    --------
    >>> shares(((0, 1), (2, 1), (1, 0)))
    {0: Fraction(1, 7), 1: Fraction(6, 7)}
    """
    K = len(counts) - 1
    gaps = [Fraction(k, z + k) - Fraction(i, K) if z + k else Fraction(0) for i, (z, k) in enumerate(counts)]
    for i, gap in enumerate(gaps):
        if gap == 0:
            return {i: Fraction(1)}
    i = next(i for i in range(K) if gaps[i] > 0 > gaps[i + 1])
    spread = gaps[i] - gaps[i + 1]
    return {i: -gaps[i + 1] / spread, i + 1: gaps[i] / spread}


def cal2(counts: Counts) -> Fraction:
    """Return Cal_2 of some counts.

    Examples
    --------
    >>> cal2(((0, 1), (0, 0), (0, 2)))
    Fraction(1, 1)
    """
    K = len(counts) - 1
    return sum(
        ((k - Fraction(i, K) * (z + k)) ** 2 / (z + k) for i, (z, k) in enumerate(counts) if z + k),
        Fraction(0),
    )


@cache
def worst(K: int, T: int, tilt: Fraction = Fraction(0)) -> tuple[Fraction, int]:
    """Return the largest E[Cal_2] over all adaptive adversaries, and in how many states klcal's mixture differs.

    Parameters
    ----------
    K, T : int
        Resolution and horizon.
    tilt : Fraction
        Probability that is moved from the upper neighbour to the lower one, as far as there is so much.
    """
    differ = 0

    @cache
    def value(counts: Counts, left: int) -> Fraction:
        nonlocal differ
        if left == 0:
            return cal2(counts)
        mixture = shares(counts)
        found = neighbour_mixture(np.array(counts).T)
        differ += any(abs(found[i] - float(mixture.get(i, 0))) > 1e-14 for i in range(K + 1))
        if len(mixture) == 2:
            low, high = sorted(mixture)
            moved = min(tilt, mixture[high])
            mixture = {low: mixture[low] + moved, high: mixture[high] - moved}
        return max(_mean(mixture, counts, y, partial(value, left=left - 1)) for y in (0, 1))

    return value(((0, 0),) * (K + 1), T), differ


def _mean(
    mixture: dict[int, Fraction], counts: Counts, y: int, follow: Callable[[Counts], Fraction]
) -> Fraction:
    total = Fraction(0)
    for i, share in mixture.items():
        if share:
            cell = (counts[i][0] + 1 - y, counts[i][1] + y)
            total += share * follow((*counts[:i], cell, *counts[i + 1 :]))
    return total


def solved(scale: Fraction = Fraction(1), tilt: Fraction = Fraction(0)) -> Evidence:
    """Check the exact worst case of small games against the bound.

    Parameters
    ----------
    scale : Fraction
        Factor on the bound.
    tilt : Fraction
        As for `worst`.
    """
    found = [(K, T, *worst(K, T, tilt)) for K, T in GAMES]
    top = max(float(value / scale) / bounds.squared_loss_pcal2(T, K) for K, T, value, _ in found)
    return jointly(
        Evidence(
            top,
            1,
            "<=",
            "exact worst case of E[Cal_2] over the bound, all adaptive adversaries",
            {f"K = {K}, T = {T}": str(value) for K, T, value, _ in found},
        ),
        Evidence(
            sum(each[3] for each in found), 0, "==", "klcal mixes with these probabilities in all states"
        ),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="new:two-neighbours",
        number="new, after Foster",
        title="two neighbours of a uniform grid: the bound on E[Cal_2]",
        kind="certified",
        chapter=CHAPTER,
        statement="The forecaster that says a calibrated point of the uniform grid if there is one, and else mixes the "
        "lowest two neighbours with gaps a > 0 and -b < 0 with probabilities b/(a+b) and a/(a+b), has E[Cal_2] <= "
        "(K+1) h(T/(K+1)) + T/4K^2 against every adaptive adversary, h(s) = s up to 1 and 1 + log s beyond.",
        check=proof,
        spoil=(partial(largest_drift, Fraction(249, 1000)), partial(harmonic_numbers, 9, Fraction(99, 100))),
    ),
    Claim(
        label="new:two-neighbours-games",
        number="new, after Foster",
        title="two neighbours: the exact worst case of small games",
        kind="exact",
        chapter=CHAPTER,
        statement="At K = 2, T = 8 and at K = 3, T = 6 the largest E[Cal_2] over all adaptive adversaries, a rational "
        "number, is below the bound; always saying the lower of the two neighbours instead breaks it.",
        uses=("new:two-neighbours",),
        check=solved,
        spoil=(partial(solved, Fraction(2, 5)), partial(solved, Fraction(1), Fraction(1))),
    ),
)
