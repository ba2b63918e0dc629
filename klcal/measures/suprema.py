r"""Suprema of regrets over all proper losses with values in [-1, 1].

They rest on one remark. Let :math:`\mu = -f''` be the measure by which the
univariate form f bends, with an atom at each kink and at 0 and 1 if the slope jumps there. It fixes the loss
up to an affine part that no regret sees. The loss fits into [-1, 1] exactly when
:math:`\int (1-u)\,d\mu \le 2` and :math:`\int u\,d\mu \le 2`: these are the ranges of
:math:`\ell(\cdot, 1)` and :math:`\ell(\cdot, 0)`. Regret is linear in it, :math:`\int \varphi\,d\mu` with
:math:`\varphi` the `v_profile`. So each supremum is a linear program with two constraints.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray
from klcal.losses import ProperLoss, mixture_of_v
from klcal.measures.cells import Cells, calibration_error, measure_of_cells


@dataclass(frozen=True, eq=False)
class VProfile:
    r"""The function :math:`\varphi` of `v_profile`: linear between break points, with jumps at some of them.

    Attributes
    ----------
    points : ndarray, shape (m,)
        Break points, increasing, from 0 to 1.
    left, right : ndarray, shape (m,)
        One-sided limits there: from ``points[k]`` to ``points[k+1]`` the function runs from ``right[k]`` to
        ``left[k+1]``.
    """

    points: FloatArray
    left: FloatArray
    right: FloatArray

    @property
    def values(self) -> FloatArray:
        """The larger limit at each break point: as the supergradient at a kink is free, it is attained."""
        return np.maximum(self.left, self.right)

    def at(self, places: npt.ArrayLike) -> FloatArray:
        """Return the values at some of the break points.

        Parameters
        ----------
        places : array_like
            Break points; others are refused.

        Returns
        -------
        ndarray
            `values` there.
        """
        wanted = np.asarray(places, dtype=float)
        index = np.minimum(np.searchsorted(self.points, wanted), len(self.points) - 1)
        if not np.array_equal(self.points[index], wanted):
            raise ValueError(f"places must be break points of the profile; got {wanted.tolist()}")
        return self.values[index]

    def envelope(self) -> tuple[FloatArray, FloatArray]:
        """Return the corners of the least concave function above, from 0 to 1: places and heights."""
        corners: list[tuple[float, float]] = []
        for u, height in zip(self.points.tolist(), self.values.tolist(), strict=True):
            while len(corners) > 1:
                (u0, h0), (u1, h1) = corners[-2:]
                if (h1 - h0) * (u - u0) > (height - h0) * (u1 - u0):
                    break
                corners.pop()
            corners.append((u, height))
        places, heights = np.array(corners).T
        return places, heights


@measure_of_cells
def v_profile(cells: Cells, regret: str = "swap") -> VProfile:
    r"""Return the regret against one unit of bend at u, as a function :math:`\varphi(u)`.

    A loss that bends only at u asks only on which side of u the forecast lies. Therefore

    .. math:: \varphi_{\mathrm{swap}}(u) &= \sum_{u \text{ from } p \text{ to } \rho_p} n_p\,|\rho_p - u|,\\
              \varphi_{\mathrm{ext}}(u) &= \sum_{p \le u} n_p\,(\rho_p - u) + T\,(u - \bar y)^+ .

    Parameters
    ----------
    cells : Cells
        The cells.
    regret : {"swap", "external"}, optional
        Which regret.

    Returns
    -------
    VProfile
        Breaks at 0, 1, the forecasts, and the means :math:`\rho_p` (swap) or :math:`\bar y` (external).

    Notes
    -----
    The swap profile is at least 0 and at most :math:`\mathsf{Cal}_1`; its integral is
    :math:`\mathsf{Cal}_2/2`. The external profile lies below it and may be negative, though not at 0 and 1.

    Examples
    --------
    >>> profile = v_profile(Cells([0.25], [4], [3]))
    >>> profile.points, profile.values
    (array([0.  , 0.25, 0.75, 1.  ]), array([0., 2., 0., 0.]))
    """
    _checks.choice("regret", regret, ("swap", "external"))
    used = cells.restricted()
    return _swap_profile(used) if regret == "swap" else _external_profile(used)


def _swap_profile(cells: Cells) -> VProfile:
    p, rho = cells.points, cells.means
    points = np.unique(np.concatenate([[0.0, 1.0], p, cells.distinct_means[0]]))
    begin = np.searchsorted(points, np.minimum(p, rho))
    end = np.searchsorted(points, np.maximum(p, rho))
    sign = np.where(p < rho, 1.0, -1.0)

    def in_force(amounts: FloatArray) -> npt.NDArray[np.longdouble]:
        # Counts add up exactly; for other masses, extended precision where the platform has it.
        steps = np.bincount(begin, amounts, len(points)).astype(np.longdouble)
        return np.cumsum(steps - np.bincount(end, amounts, len(points)))

    # Right of each break point the function is level - steep * u.
    level, steep = in_force(sign * cells.ones), in_force(sign * cells.mass)
    right = np.append((level - steep * points)[:-1], 0.0)
    left = np.append(0.0, level[:-1] - steep[:-1] * points[1:])
    # A sum of absolute values: what is below zero is rounding.
    return VProfile(points, np.maximum(left, 0.0).astype(float), np.maximum(right, 0.0).astype(float))


def _external_profile(cells: Cells) -> VProfile:
    points = np.unique(np.concatenate([[0.0, 1.0, cells.base_rate], cells.points]))
    ones = np.append(0.0, np.cumsum(cells.ones, dtype=np.longdouble))
    mass = np.append(0.0, np.cumsum(cells.mass, dtype=np.longdouble))
    comparator = np.minimum(ones[-1] - mass[-1] * points, 0.0)
    upto = np.searchsorted(cells.points, points, side="right")
    below = np.searchsorted(cells.points, points, side="left")
    left, right = (ones[k] - mass[k] * points - comparator for k in (below, upto))
    return VProfile(points, left.astype(float), right.astype(float))


@measure_of_cells
def max_swap_regret(cells: Cells, smoothness: float | None = None) -> float:
    r"""Return the largest swap regret over all proper losses with values in [-1, 1].

    .. math:: \mathsf{Msr}_{\mathcal L} = \max_\mu \int \varphi\,d\mu = 4\,\hat\varphi(\tfrac12)

    with :math:`\hat\varphi` the least concave function above the swap profile :math:`\varphi` of `v_profile`:
    the dual of the linear program asks for the line above :math:`\varphi` with the smallest sum of end
    values, and twice that sum is four times its height at 1/2.

    Parameters
    ----------
    cells : Cells
        Realised cells give Msr, expected cells PMsr.
    smoothness : float, optional
        A bound G on :math:`|f''|`: the supremum is then over those losses of the class :math:`\mathcal L_G` of
        ``prop:bound_breg_div_quadratically`` that use the one-sided derivative of their form at the forecasts 0 and 1.
        For forecasts in (0, 1) these are all of :math:`\mathcal L_G`. At a forecast 0 or 1 any steeper supergradient
        makes a proper loss too, and no G bounds it: the example has a loss of :math:`\mathcal L_1` with regret 2.

    Returns
    -------
    float
        At most :math:`4\,\mathsf{Cal}_1`, and with `smoothness` also at most :math:`\frac G2\mathsf{Cal}_2`.

    Notes
    -----
    Without `smoothness` the maximum is over finitely many chords, and only rounding is left: a few units in
    the last place of the total mass.

    With it :math:`\mu` has a density of at most G. That density everywhere is allowed exactly when
    :math:`G \le 4`, and then the value is :math:`G\int\varphi = \frac G2\mathsf{Cal}_2`. For larger G the
    dual,

    .. math:: \min_{a, b \ge 0}\ 2a + 2b + G\int_0^1 (\varphi(u) - a(1-u) - bu)^+\,du,

    is solved by bisection until what is left to gain is below 1e-15 of the value.

    Examples
    --------
    >>> cells = Cells([0.25], [4], [3])
    >>> (
    ...     max_swap_regret(cells),
    ...     max_swap_regret(cells, smoothness=2),
    ...     calibration_error(cells),
    ... )
    (5.333333333333333, 1.0, 1.0)

    One forecast 0 and one outcome 1: the form :math:`-p` of `v_shaped` with its kink at 0 is linear, so it lies in
    :math:`\mathcal L_1`, but its loss uses another slope at 0.

    >>> from klcal.losses import v_shaped
    >>> from klcal.measures import swap_regret
    >>> ends = Cells([0.0], [1], [1])
    >>> swap_regret(ends, v_shaped(0, tie=-1)), max_swap_regret(ends, smoothness=1)
    (2.0, 0.5)
    """
    if smoothness is None:
        return _summit(v_profile(cells))[0]
    cap = _checks.real("smoothness", smoothness, least=0.0)
    unconstrained = cap / 2.0 * calibration_error(cells)
    return unconstrained if cap <= 4.0 else _capped_maximum(v_profile(cells), cap, unconstrained)


@measure_of_cells
def max_external_regret(cells: Cells) -> float:
    r"""Return the U-calibration error: the largest external regret over all proper losses in [-1, 1].

    .. math:: \mathsf{UCal} = \sup_{\ell \in \mathcal L}\mathsf{Reg}^\ell = 4\,\hat\varphi(\tfrac12)

    as in `max_swap_regret`, with the external profile in place of the swap profile.

    Parameters
    ----------
    cells : Cells
        The cells.

    Returns
    -------
    float
        At least 0, as constant losses have no regret, and at most the maximal swap regret.

    Examples
    --------
    >>> max_external_regret(Cells([0.25], [4], [3]))
    5.333333333333333
    >>> max_external_regret(Cells([0.25, 0.75], [4, 4], [0, 4]))
    0.0
    """
    return _summit(v_profile(cells, "external"))[0]


@measure_of_cells
def worst_swap_loss(cells: Cells) -> ProperLoss:
    """Return a loss that attains `max_swap_regret`.

    It has at most two kinks, one on each side of 1/2. A forecast on a kink is counted on the worse side.

    Parameters
    ----------
    cells : Cells
        The cells.

    Returns
    -------
    ProperLoss
        With values in [-1, 1]; ``form.kinks`` holds the kinks and twice ``form.heights`` the bend at each.

    Examples
    --------
    >>> from klcal.measures import swap_regret
    >>> cells = Cells([0.25, 0.75], [4, 4], [2, 2])
    >>> loss = worst_swap_loss(cells)
    >>> loss.form.kinks, loss([0.25, 0.75], 1)
    ((0.25, 0.75), array([ 1., -1.]))
    >>> swap_regret(cells, loss) == max_swap_regret(cells)
    True
    """
    profile = v_profile(cells)
    _, kinks, weights = _summit(profile)
    ties = np.where(profile.right[kinks] >= profile.left[kinks], -1.0, 1.0)
    return mixture_of_v(profile.points[kinks], weights, ties=ties, name="worst-swap")


def _summit(profile: VProfile) -> tuple[float, npt.NDArray[np.intp], FloatArray]:
    """Return four times the concave envelope at 1/2, the break points that span it, and their weights.

    From any chord across 1/2 on, a point above the chord replaces the end on its own side. That lifts the
    chord at 1/2, so the search ends, and where it ends no point is above.
    """
    points, values = profile.points, profile.values
    centre = np.flatnonzero(points == 0.5)
    ends = np.array([0, len(points) - 1])
    best, weights = _chord(points[ends], values[ends])
    while True:
        slope = (values[ends[1]] - values[ends[0]]) / (points[ends[1]] - points[ends[0]])
        height = values - slope * (points - 0.5)
        height[centre] = -np.inf
        highest = int(np.argmax(height))
        trial = ends.copy()
        trial[0 if points[highest] < 0.5 else 1] = highest
        value, trial_weights = _chord(points[trial], values[trial])
        if not value > best:
            break
        ends, best, weights = trial, value, trial_weights
    if len(centre) and 4.0 * values[centre[0]] >= best:
        return float(4.0 * values[centre[0]]), centre, np.array([4.0])
    return best, ends, weights


def _chord(points: FloatArray, values: FloatArray) -> tuple[float, FloatArray]:
    """Return four times a chord at 1/2, and the bends at its ends that use up both constraints."""
    weights = 4.0 * np.array([points[1] - 0.5, 0.5 - points[0]]) / (points[1] - points[0])
    return float(weights @ values), weights


def _capped_maximum(profile: VProfile, cap: float, unconstrained: float) -> float:
    """Return the maximum of the integral of the profile against a density of at most `cap`, above 4.

    Bisection on the slope s = b - a of the dual line. At the optimum 2|s| <= 2a + 2b <= maximum <= `bound`.
    The dual is convex in s, so a subgradient times the length of the bracket bounds what is left to gain.
    """
    bound = min(unconstrained, _summit(profile)[0])
    low, slope, high, best = -bound / 2.0, 0.0, bound / 2.0, bound
    while low < slope < high:
        value, gradient = _best_line(profile, cap, slope)
        best = min(best, value)
        low, high = (low, slope) if gradient > 0.0 else (slope, high)
        if abs(gradient) * (high - low) <= 1e-15 * best:
            break
        slope = (low + high) / 2.0
    return best


def _best_line(profile: VProfile, cap: float, slope: float) -> tuple[float, float]:
    """Return the dual value of the best line c + slope (u - 1/2), and its subgradient in the slope.

    The best c leaves the profile above the line on a set of measure 4/cap, unless a, b >= 0 stops it before.
    """
    begin, end = profile.points[:-1], profile.points[1:]
    at_begin = profile.right[:-1] - slope * (begin - 0.5)
    at_end = profile.left[1:] - slope * (end - 0.5)
    low, high, width = np.minimum(at_begin, at_end), np.maximum(at_begin, at_end), end - begin
    floor = abs(slope) / 2.0
    c = max(_quantile(low, high, width, 4.0 / cap), floor)
    part = width * _share_above(low, high, c)
    area = np.sum(part * (np.maximum(high - c, 0.0) + np.maximum(low - c, 0.0))) / 2.0
    level = (low == high) & (high == c)
    if c > floor and level.any():
        part = np.where(level, width * ((4.0 / cap - np.sum(part)) / np.sum(width[level])), part)
    middle = (begin + end + np.sign(at_end - at_begin) * (width - part)) / 2.0
    torque = cap * float(np.sum(part * (middle - 0.5)))
    play = max(2.0 - cap * float(np.sum(part)) / 2.0, 0.0) if c == floor else 0.0
    # At slope 0 both ends may touch their floor, and then every number within `play` is a subgradient.
    pull = np.sign(slope) * play if slope != 0.0 else np.clip(torque, -play, play)
    return float(4.0 * c + cap * area), float(pull - torque)


def _quantile(low: FloatArray, high: FloatArray, width: FloatArray, measure: float) -> float:
    """Return the least c above which linear pieces from `low` to `high` lie on at most `measure`."""

    def above(c: float) -> float:
        return float(np.sum(width * _share_above(low, high, c)))

    marks = np.unique(np.concatenate([low, high]))
    first, last = -1, len(marks) - 1  # above(marks[first]) > measure >= above(marks[last])
    while last - first > 1:
        middle = (first + last) // 2
        first, last = (first, middle) if above(marks[middle]) <= measure else (middle, last)
    just_below = above(marks[last]) + float(np.sum(width[(low == high) & (high == marks[last])]))
    if first < 0 or just_below >= measure:
        return float(marks[last])
    excess, deficit = above(marks[first]) - measure, measure - just_below
    return float(marks[first] + excess / (excess + deficit) * (marks[last] - marks[first]))


def _share_above(low: FloatArray, high: FloatArray, c: float) -> FloatArray:
    """Return which share of each linear piece from `low` to `high` lies above c."""
    slanted = high > low
    share = np.clip((high - c) / np.where(slanted, high - low, 1.0), 0.0, 1.0)
    return np.where(slanted, share, high > c)
