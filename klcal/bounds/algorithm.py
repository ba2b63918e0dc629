r"""Section 5: Algorithm 1 and its relatives, one explicit bound each (Theorem 2, Corollary 2)."""

from __future__ import annotations

import numpy as np

from klcal import _checks, grids
from klcal.bounds._arguments import (
    Argument,
    Checked,
    Value,
    accepts_balls,
    exactly,
    holds_balls,
    horizon,
    integer,
    nonnegative,
    plain,
    resolution,
)
from klcal.bounds.implications import cal1_from_cal2, cal2_from_kl, swap_regret_from_cal1
from klcal.bounds.rounding_costs import comparator_error, rounding_cost

_VERSIONS = ("paper", "sharpened", "best")


def _learning(T: Checked, K: Checked) -> Checked:
    """Return (K + 1) log(1 + T / (K + 1)), the sum of the EWOO regrets at equal masses."""
    return (K + 1.0) * np.log1p(T / (K + 1.0))


@accepts_balls
def theorem_2(T: Argument, K: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the explicit bound on PKLCal of Algorithm 1 (``thm:bound_pkcal``), on every path.

    .. math:: (K+1)\log\Bigl(1 + \frac{T}{K+1}\Bigr) + T\tan^2\frac{\pi}{2K},

    sharpened; at K = 2 with :math:`\tan^2\frac\pi8`.

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 1.
    K : array_like of int
        Resolution of the full grid, at least 2.
    version : {"paper", "sharpened", "best"}
        "paper" adds up its three steps, :math:`(K+1)\log(T+1)`, the paper's `rounding_cost` and
        `comparator_error`; "best" has :math:`-2\log\cos` of the same angle in place of :math:`\tan^2`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    With a stationary mixture the pseudo swap regret is at most the sum of the K + 1 learners' regrets.
    Learner i loses at most :math:`\log(1 + S_i)` to any fixed w in [0, 1] (`ewoo_regret`) and :math:`S_i`
    times `rounding_cost` by rounding; Jensen for :math:`\sum S_i = T`. EWOO competes with all of [0, 1], so
    swap functions need not map into the grid and the comparator step of the paper
    (``eq:psreg_[0,1]_to_psreg_Z``) is not needed. Assumes clamped rounding and the start at the rounded 1/2;
    see `initialisation_cost` for the other start.

    Examples
    --------
    >>> import math
    >>> [
    ...     round(theorem_2(1000, 6, version=v), 3)
    ...     for v in ("paper", "sharpened", "best")
    ... ]
    [826.105, 106.579, 104.118]
    >>> round(theorem_2(1, 2) / (3 * math.log(4 / 3) + (2**0.5 - 1) ** 2), 12)
    1.0
    """
    version = _checks.choice("version", version, _VERSIONS)
    rounds, cells = horizon(T), resolution(K)
    rounding = rounds * rounding_cost(K, version=version)
    if version != "paper":
        return plain(_learning(rounds, cells) + rounding)
    comparator = rounds * comparator_error(K, version="paper")
    return plain((cells + 1.0) * np.log1p(rounds) + rounding + comparator)


@accepts_balls
def theorem_2_from_masses(masses: Argument, K: int, *, version: str = "sharpened") -> Value:
    r"""Return the bound of `theorem_2` before Jensen, for given masses.

    .. math:: \sum_i\log(1 + S_i) + \sum_i S_i\,\tan^2\frac{\pi}{2K}

    Parameters
    ----------
    masses : array_like, shape (..., K + 1)
        Total probabilities :math:`S_i` of the grid points; they add up to T.
    K : int
        Resolution of the full grid, at least 2.
    version : {"sharpened", "best"}
        Version of `rounding_cost`.

    Returns
    -------
    float or ndarray, shape (...)

    Notes
    -----
    See `theorem_2`, which it never exceeds; equality there at equal masses. It adapts to a run: points
    without mass cost nothing, so a run that uses m points pays about :math:`m\log\frac Tm`.

    Examples
    --------
    >>> theorem_2_from_masses([250, 250, 250, 250], 3) == theorem_2(1000, 3)
    True
    >>> theorem_2_from_masses([0, 1000, 0, 0], 3) < theorem_2(1000, 3)
    True
    """
    version = _checks.choice("version", version, ("sharpened", "best"))
    points = integer("K", K, least=2) + 1
    array = np.asarray(nonnegative("masses", masses))
    if array.ndim == 0 or array.shape[-1] != points:
        raise ValueError(
            f"masses must have K + 1 = {points} entries, one per grid point; got shape {array.shape}"
        )
    return plain(np.log1p(array).sum(axis=-1) + array.sum(axis=-1) * rounding_cost(K, version=version))


def theorem_2_best_K(T: int, *, version: str = "sharpened") -> int:
    """Return the resolution K that minimises ``theorem_2(T, K)``, the smallest if several do.

    Parameters
    ----------
    T : int
        Horizon, at least 1.
    version : {"sharpened", "best"}
        Version of `theorem_2`.

    Returns
    -------
    int

    Notes
    -----
    A scan over K = 2, 3, ... in growing blocks, at most a small multiple of the answer. It stops when the
    learning term alone, which increases with K, exceeds the smallest value seen: no later K can win. That
    happens, because the learning term tends to T and the bound is below T for large K.

    Examples
    --------
    >>> theorem_2_best_K(1000), theorem_2_best_K(10**6)
    (11, 84)
    """
    version = _checks.choice("version", version, ("sharpened", "best"))
    T = _checks.integer("T", T, least=1)
    best, winner, start, width = np.inf, 2, 2, 64
    while True:
        block = np.arange(start, start + width)
        values = theorem_2(T, block, version=version)
        i = int(np.argmin(values))
        if values[i] < best:
            best, winner = float(values[i]), int(block[i])
        start, width = start + width, 2 * width
        if float(_learning(horizon(T), np.asarray(float(start)))) >= best:
            return winner


@accepts_balls
def realised_in_expectation(T: Argument, K: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound on E[KLCal] of Algorithm 1 with realised feedback, against adaptive outcomes.

    .. math:: (K+1)\log\Bigl(1 + \frac{T}{K+1}\Bigr) + T\tan^2\frac{\pi}{2K}

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 1.
    K : array_like of int
        Resolution of the full grid, at least 2.
    version : {"sharpened", "best"}
        Version of `rounding_cost`; the paper has no explicit algorithm for KLCal.

    Returns
    -------
    float or ndarray
        The same number as `theorem_2`, for another quantity and in expectation.

    Notes
    -----
    Only the learner of the drawn point learns, with weight 1, so it is Laplace's rule on its bucket and
    :math:`\mathsf{KLCal} \le \sum_i\log(1 + n_i) + \sum_t(\ell(z_{i_t}, y_t) - \ell(w_{t,i_t}, y_t))`. Given
    the past, the draw is independent of :math:`y_t` and its law is stationary, so the bracket's mean is the
    mean cost of rounding, at most `rounding_cost`. Jensen for :math:`\sum n_i = T`.

    Examples
    --------
    >>> realised_in_expectation(1000, 6) == theorem_2(1000, 6)
    True
    """
    version = _checks.choice("version", version, ("sharpened", "best"))
    return theorem_2(T, K, version=version)


@accepts_balls
def doubling_trick(T: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound on PKLCal for unknown horizon, with fresh copies for 1, 2, 4, ... rounds (Section 5).

    .. math:: \sum_{m=0}^{M} \mathtt{theorem\_2}(T_m, \mathtt{resolution}(2^m))

    with :math:`T_m = 2^m` for :math:`m < M`, and :math:`\sum_m T_m = T`.

    Parameters
    ----------
    T : int
        Rounds played so far, at least 1.
    version : {"paper", "sharpened", "best"}
        Version of `theorem_2`.

    Returns
    -------
    float

    Notes
    -----
    PKLCal is subadditive over epochs: swap regret takes one supremum over all rounds, the sum one per epoch.
    Each epoch has the grid chosen for its full length; the last one may be cut short, which `theorem_2`
    allows, as Algorithm 1 uses the horizon only to choose K.

    Examples
    --------
    >>> doubling_trick(3) == theorem_2(1, 2) + theorem_2(2, 2)
    True
    """
    # Beside a ball the phases are computed in balls, and added to 0 they stay what they are.
    rounds, as_given = integer("T", T, least=1), exactly if holds_balls(T) else int
    total, length = 0.0, 1
    while rounds > 0:
        total += theorem_2(as_given(min(length, rounds)), grids.resolution(length), version=version)
        rounds -= length
        length *= 2
    return total


@accepts_balls
def corollary_2(T: Argument, K: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound on PSReg of all proper losses in [-1, 1] (``cor:simultaneous_bounds_psreg``, end).

    .. math:: 4\sqrt{T \cdot \mathsf{PCal}_2}, \qquad \mathsf{PCal}_2 \le \mathsf{PKLCal}/2

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 1.
    K : array_like of int
        Resolution of the full grid, at least 2.
    version : {"paper", "sharpened"}
        Version of `theorem_2` and of `cal2_from_kl`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    As `corollary_1`, on every path and for the pseudo quantities: of order :math:`T^{2/3}(\log T)^{1/3}` (the
    appendix prints :math:`T^{1/3}` twice). It holds for the supremum over all these losses.

    Examples
    --------
    >>> corollary_2(10**6, 42) == 4 * (10**6 * theorem_2(10**6, 42) / 2) ** 0.5
    True
    """
    version = _checks.choice("version", version, ("paper", "sharpened"))
    cal2 = cal2_from_kl(theorem_2(T, K, version=version), version=version)
    return swap_regret_from_cal1(cal1_from_cal2(T, cal2))
