r"""What the claims on explicit constants share: the ingredients of the proofs in balls, and comparisons.

Nothing here calls `klcal.bounds`. Each ingredient is computed from the grid or taken from the display that
the paper's proof prints, in another form than the one `klcal.bounds` uses, so that two mistakes would have to
agree to go unnoticed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import pairwise, product
from typing import Any

import numpy as np
from flint import arb
from scipy.special import rel_entr

from klcal import grids
from klcal._checks import FloatArray
from klcal.claims._evidence import Evidence
from klcal.claims.grids._common import divergence, full_points, inner_points, variance
from klcal.exact.balls import ball, precision, upper
from klcal.exact.grids import full_grid, worst_divergence

CHAPTER = "constants"
BITS = 128
HORIZONS = (1, 2, 3, 10, 131, 1000, 10**6, 10**9)
RESOLUTIONS = (2, 3, 4, 5, 16, 42, 101)
DELTAS = (1.0, 0.05, 1e-6)
GAMES: Sequence[tuple[int, int]] = tuple(product(HORIZONS, RESOLUTIONS))
TOLERANCE = 1e-13


def agrees(
    text: str,
    bound: Callable[..., float],
    exact: Callable[..., arb],
    cases: Iterable[tuple[Any, ...]] = GAMES,
) -> Evidence:
    """Compare a bound with its ball at many arguments; count those at which they differ by more than 1e-13, relatively.

    A count, and not the largest distance, because that one is rounding and differs between machines.

    Examples
    --------
    >>> agrees("T/K", lambda T, K: T / K, lambda T, K: arb(T) / K).holds
    True
    >>> agrees("T/K", lambda T, K: 1.000001 * T / K, lambda T, K: arb(T) / K).measured == len(GAMES)
    True
    """
    arguments = list(cases)
    with precision(BITS):
        misses = [case for case in arguments if not _close(float(bound(*case)), exact(*case))]
    method = f"klcal.bounds agrees with {text} to {TOLERANCE} at {len(arguments)} arguments"
    return Evidence(len(misses), 0, "==", method, {"first miss": misses[0]} if misses else {})


def _close(value: float, truth: arb) -> bool:
    """Tell whether the relative distance is certainly at most 1e-13; 0 must be met exactly."""
    return value == 0.0 if truth.is_zero() else upper(abs(arb(value) - truth) / abs(truth)) <= TOLERANCE


def angle(K: int) -> arb:
    """Return pi/2K."""
    return arb.pi() / (2 * K)


def learning(T: int | arb, learners: int) -> arb:
    r"""Return the largest sum of :math:`\log(1 + S_i)` over masses with :math:`\sum S_i = T`: at equal masses.

    The tangent of the concave :math:`\log(1 + s)` at the mean m bounds every term by
    :math:`\log(1 + m) + \frac{s - m}{1 + m}`, and the second parts cancel.

    Examples
    --------
    >>> learning(6, 3).overlaps(3 * arb(3).log())
    True
    """
    return learners * (1 + ball(T) / learners).log()


@cache
def steepest_cell(K: int) -> arb:
    r"""Return the largest :math:`d^2/(\sqrt A + \sqrt B)^2` over the cells of the full grid.

    This is the largest mean of p/q - 1 in the rounding lemma; d is the width of the cell, A and B are the
    variances of its ends.

    Examples
    --------
    >>> steepest_cell(3).overlaps(arb(1) / 3)
    True
    """
    with precision(BITS):
        worst = arb(0)
        for low, high in pairwise(full_points(K)):
            worst = worst.max(((high - low) / (variance(low).sqrt() + variance(high).sqrt())) ** 2)
        return worst


def printed_steepness(K: int) -> arb:
    r"""Return the display behind Lemmas 6 (b) and 7, :math:`4\sin^2\theta(1 + \sin\theta/\sin2\theta)^2`."""
    theta = angle(K)
    return (2 * theta.sin() * (1 + theta.sin() / (2 * theta).sin())) ** 2


def printed_inverse_variances(K: int) -> arb:
    r"""Return the display behind Lemma 6 (c), :math:`8(\csc^2x + \cot x/x)` at :math:`x = \pi/K`."""
    x = 2 * angle(K)
    return 8 * (x.csc() ** 2 + x.cot() / x)


def printed_inverse_deviations(K: int) -> arb:
    r"""Return the display behind Lemma 6 (d), :math:`4(\csc x + \log(\csc x + \cot x)/x)`, same x."""
    x = 2 * angle(K)
    return 4 * (x.csc() + (x.csc() + x.cot()).log() / x)


def loss_range(K: int) -> arb:
    r"""Return the largest log loss on the inner grid, :math:`-\log z_1`."""
    return -inner_points(K)[1].log()


def rounding(K: int, version: str) -> arb:
    """Return the bound on the cost of rounding of each version, from the cells of the grid.

    Examples
    --------
    >>> rounding(3, "best").overlaps((arb(4) / 3).log())
    True
    """
    if version == "paper":
        return printed_steepness(K)
    return steepest_cell(K) if version == "sharpened" else (1 + steepest_cell(K)).log()


def inner_error(K: int) -> arb:
    r"""Return :math:`\mathsf{KL}(0, z_1)`, the comparator error of the inner grid."""
    return divergence(arb(0), inner_points(K)[1])


@cache
def full_error(K: int, version: str) -> arb:
    """Return the comparator error of the full grid: as cited, by the inner grid, or cell by cell."""
    with precision(BITS):
        if version == "paper":
            return (2 - arb(2).sqrt()) * (arb.pi() / K) ** 2
        return inner_error(K) if version == "sharpened" else worst_divergence(full_grid(K))


def theorem_2(T: int | arb, K: int, version: str) -> arb:
    """Return Theorem 2's right-hand side: the learners' regrets, the rounding, in print also the comparator."""
    if version != "paper":
        return learning(T, K + 1) + T * rounding(K, version)
    learners = (K + 1) * (ball(T) + 1).log()
    return learners + T * rounding(K, "paper") + T * full_error(K, "paper")


def kl_calibration(K: int, zeros: FloatArray, ones: FloatArray) -> FloatArray:
    """Return the KL-calibration error on the full grid from weights by outcome, along the last axis.

    Examples
    --------
    >>> bool(np.isclose(kl_calibration(2, np.array([0.0, 1.0, 0.0]), np.zeros(3)), np.log(2)))
    True
    """
    points, mass = grids.full_grid(K).points, zeros + ones
    return np.asarray((rel_entr(ones, mass * points) + rel_entr(zeros, mass * (1 - points))).sum(axis=-1))
