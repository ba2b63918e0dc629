r"""Suprema of regrets over all proper losses with values in [-1, 1].

They rest on one remark. Let :math:`\mu = -f''` be the measure by which the
univariate form f bends, with an atom at each kink and at 0 and 1 if the slope jumps there. It fixes the loss
up to an affine part that no regret sees. The loss fits into [-1, 1] exactly when
:math:`\int (1-u)\,d\mu \le 2` and :math:`\int u\,d\mu \le 2`: these are the ranges of
:math:`\ell(\cdot, 1)` and :math:`\ell(\cdot, 0)`. Regret is linear in it, :math:`\int \varphi\,d\mu` with
:math:`\varphi` the `v_profile`. So each supremum is a linear program with two constraints.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray
from klcal.losses import ProperLoss, mixture_of_v
from klcal.measures.cells import Cells
from klcal.measures.errors import calibration_error
from klcal.measures.profiles import VProfile, v_profile


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
    return _attaining(v_profile(cells, "swap"), "worst-swap")


def worst_external_loss(cells: Cells) -> ProperLoss:
    """Return a loss that attains `max_external_regret`, as `worst_swap_loss` does for swap regret.

    Parameters
    ----------
    cells : Cells
        The cells.

    Returns
    -------
    ProperLoss
        With values in [-1, 1].

    Examples
    --------
    >>> from klcal.measures import external_regret
    >>> cells = Cells([0.25, 0.75], [4, 4], [3, 1])
    >>> worst = worst_external_loss(cells)
    >>> external_regret(cells, worst) == max_external_regret(cells)
    True
    """
    return _attaining(v_profile(cells, "external"), "worst-external")


def straddling_mass(cells: Cells) -> float:
    r"""Return the largest mass of cells whose forecast and mean lie on different sides of a common point.

    .. math:: N = \max_u \sum_{u \text{ between } p \text{ and } \rho_p} n_p

    Parameters
    ----------
    cells : Cells
        The cells.

    Returns
    -------
    float
        At most the mass of all cells that are not calibrated.

    Examples
    --------
    >>> (
    ...     straddling_mass(Cells([0.25, 0.5, 0.75], [4, 8, 6], [3, 4, 5])),
    ...     straddling_mass(Cells([0.5], [2], [1])),
    ... )
    (6.0, 0.0)
    """
    used = cells.restricted()
    low, high = np.minimum(used.points, used.means), np.maximum(used.points, used.means)
    edges = np.unique(np.concatenate([[0.0], low, high]))
    middles = (edges[1:] + edges[:-1]) / 2.0
    return float(max((used.mass[(low < u) & (u < high)].sum() for u in middles), default=0.0))


def regret_ladder(cells: Cells) -> dict[str, float]:
    r"""Return the largest swap regret of a bounded proper loss and the four bounds above it.

    .. math:: \mathsf{Msr}_{\mathcal L} \le 4\max_u\varphi(u)
              \le 4\min\bigl(\mathsf{Cal}_1, \sqrt{N\,\mathsf{Cal}_2}\bigr) \le 4\sqrt{T\,\mathsf{Cal}_2}

    with :math:`\varphi` the swap profile of `v_profile` and N the `straddling_mass`.

    Parameters
    ----------
    cells : Cells
        Realised cells, or expected cells for the pseudo quantities.

    Returns
    -------
    dict from str to float
        By name, formulas in dollar signs, the supremum first.

    Notes
    -----
    An envelope is nowhere above the maximum. At u only cells that straddle u count, each with
    :math:`n_p|\rho_p - u| \le n_p|\rho_p - p|`; add them all up, or use Cauchy-Schwarz on those alone. Which
    of the two is smaller depends on the cells.

    Examples
    --------
    >>> for name, number in regret_ladder(Cells([0.5], [4], [3])).items():
    ...     print(name, number)
    Msr 4.0
    $4\,\max\,\varphi$ 4.0
    $4\sqrt{N\,\mathsf{Cal}_2}$ 4.0
    $4\,\mathsf{Cal}_1$ 4.0
    $4\sqrt{T\,\mathsf{Cal}_2}$ 4.0
    """
    cal1, cal2 = calibration_error(cells, 1.0), calibration_error(cells)
    return {
        "Msr": max_swap_regret(cells),
        r"$4\,\max\,\varphi$": 4.0 * float(v_profile(cells).values.max()),
        r"$4\sqrt{N\,\mathsf{Cal}_2}$": 4.0 * float(np.sqrt(straddling_mass(cells) * cal2)),
        r"$4\,\mathsf{Cal}_1$": 4.0 * cal1,
        r"$4\sqrt{T\,\mathsf{Cal}_2}$": 4.0 * float(np.sqrt(cells.total * cal2)),
    }


def _attaining(profile: VProfile, name: str) -> ProperLoss:
    _, kinks, weights = _summit(profile)
    ties = np.where(profile.right[kinks] >= profile.left[kinks], -1.0, 1.0)
    return mixture_of_v(profile.points[kinks], weights, ties=ties, name=name)


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
