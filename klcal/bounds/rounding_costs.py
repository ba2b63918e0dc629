r"""What it costs to move to a grid point: Lemma 5, the comparator step, and Remark 1.

Throughout :math:`\theta = \pi/2K`, so that :math:`z_i = \sin^2 i\theta`.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from klcal import _checks
from klcal.bounds._arguments import (
    Argument,
    Checked,
    Value,
    accepts_balls,
    plain,
    probabilities,
    resolution,
    whole,
)
from klcal.bounds._elementary import angle, larger, log_secant_squared, number, pi, smaller, where_at_most
from klcal.bounds.discretization import lemma_7

_VERSIONS = ("paper", "sharpened", "best")


@accepts_balls
def rounding_cost_cell(lower: Argument, upper: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound on :math:`\mathbb E\,\ell(q, y) - \ell(p, y)` in one cell (``lem:rounding``).

    Parameters
    ----------
    lower, upper : array_like
        The neighbours :math:`p^- < p^+`, both in (0, 1).
    version : {"paper", "sharpened", "best"}
        With :math:`d = p^+ - p^-`, :math:`A = p^-(1-p^-)`, :math:`B = p^+(1-p^+)`: the paper's
        :math:`d^2/\min(A, B)`; :math:`c = d^2/(\sqrt A + \sqrt B)^2`; :math:`\log(1 + c)`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    For both outcomes the mean of :math:`\frac pq`, respectively :math:`\frac{1-p}{1-q}`, is
    :math:`1 + d^2 s(1-s)/(A(1-s) + Bs)` at :math:`p = p^- + sd`, whose maximum over s is exactly :math:`1 + c`. The
    paper bounds :math:`\mathbb E\log(p/q)` by the mean minus one; Jensen gives the logarithm of the mean instead.
    Between angles a and b, :math:`c = \tan^2(b-a)` and :math:`\log(1+c) = -2\log\cos(b-a)`. Only an upper bound: the
    cost can be as low as about -0.234 near the ends.

    Examples
    --------
    >>> [
    ...     round(rounding_cost_cell(0.25, 0.75, version=v), 6)
    ...     for v in ("paper", "sharpened", "best")
    ... ]
    [1.333333, 0.333333, 0.287682]
    """
    version = _checks.choice("version", version, _VERSIONS)
    left, right = probabilities("lower", lower), probabilities("upper", upper)
    width, low, high = right - left, left * (1.0 - left), right * (1.0 - right)
    if not np.all((width > 0.0) & (low > 0.0) & (high > 0.0)):
        raise ValueError(f"lower and upper must satisfy 0 < lower < upper < 1; got {lower!r} and {upper!r}")
    if version == "paper":
        return plain(width**2 / smaller(low, high))
    cost = (width / (np.sqrt(low) + np.sqrt(high))) ** 2
    return plain(cost if version == "sharpened" else np.log1p(cost))


def _widest_angle(K: Checked) -> Checked:
    """Return the widest angle between neighbours of the full grid: pi/2K, but pi/8 at K = 2."""
    return where_at_most(K, 2.0, pi(K) / 8.0, angle(K))


@accepts_balls
def rounding_cost(K: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound on the cost of RROUND with clamped ends, worst over all of [0, 1] (``lem:rounding``).

    Parameters
    ----------
    K : array_like of int
        Resolution of the full grid, at least 2.
    version : {"paper", "sharpened", "best"}
        The explicit constant behind the paper's :math:`O(1/K^2)`, `lemma_7`; :math:`\tan^2\frac\pi{2K}`;
        :math:`-2\log\cos\frac\pi{2K}`. At K = 2 the last two use the angle :math:`\pi/8`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    `rounding_cost_cell` with the widest angle between neighbours, :math:`\pi/2K` (:math:`\pi/4K` in the two
    end cells, the only ones at K = 2). "Sharpened" is the exact maximum of the paper's convexity bound and at
    most :math:`3/K^2`, reached at K = 3. The clamped ends cost less (`clamp_cost`). All :math:`K^2` multiples
    but the paper's tend to :math:`\pi^2/4`, and so does the true supremum; at K = 2 "best" is attained, by p
    = 0.

    Examples
    --------
    >>> [
    ...     round(rounding_cost(3, version=v), 6)
    ...     for v in ("paper", "sharpened", "best")
    ... ]
    [2.488034, 0.333333, 0.287682]
    >>> round(rounding_cost(2), 6)
    0.171573
    """
    version = _checks.choice("version", version, _VERSIONS)
    if version == "paper":
        return lemma_7(K, version="paper")
    widest = _widest_angle(resolution(K))
    return plain(np.tan(widest) ** 2 if version == "sharpened" else log_secant_squared(widest))


@accepts_balls
def clamp_cost(K: Argument) -> Value:
    r"""Return :math:`-2\log\cos\frac\pi{4K}`, the largest cost of clamping p to the full grid.

    The paper's rounding (``alg:rounding_alg``) is undefined there, yet EWOO goes there.

    Parameters
    ----------
    K : array_like of int
        At least 2.

    Returns
    -------
    float or ndarray

    Notes
    -----
    For :math:`p < z_0` the outcome 1 gains; the outcome 0 costs
    :math:`\log\frac{1-p}{1-z_0} \le -\log(1 - z_0)`, which is the value, attained at p = 0. Symmetric at the
    other end. :math:`K^2` times it tends to :math:`\pi^2/16`.

    Examples
    --------
    >>> round(clamp_cost(2), 6), round(10**8 * clamp_cost(10**4) / np.pi**2, 6)
    (0.158347, 0.0625)
    """
    return plain(log_secant_squared(angle(2.0 * resolution(K))))


def _comparator_maximum(K: int, beside: Checked) -> Any:
    """Return the largest Chernoff information of a cell of the full grid, or the cost at its ends."""
    # By symmetry the left half and the cell in the middle are enough.
    angles = pi(beside) / (2 * K) * np.concatenate([[0.5], np.arange(1, min(K // 2 + 2, K))])
    ones, zeros = 2.0 * np.log(np.sin(angles)), -log_secant_squared(angles)
    up, down = np.diff(ones), -np.diff(zeros)
    # KL(rho, z) - KL(rho, z') is linear in rho and vanishes here.
    log_rho, log_rest = np.log(down / (up + down)), -np.log1p(down / up)
    information = np.exp(log_rho) * (log_rho - ones[:-1]) + np.exp(log_rest) * (log_rest - zeros[:-1])
    return reduce(larger, information, -zeros[0])


@accepts_balls
def comparator_error(K: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound on :math:`\max_\rho\min_{z}\mathsf{KL}(\rho, z)` over the full grid (Section 5).

    Parameters
    ----------
    K : array_like of int
        At least 2.
    version : {"paper", "sharpened", "best"}
        The cited :math:`(2-\sqrt2)\pi^2/K^2`; :math:`-2\log\cos\frac\pi{2K}`; the maximum itself, cell by
        cell.

    Returns
    -------
    float or ndarray

    Notes
    -----
    In a cell the worst :math:`\rho` is equally far from both ends, at a distance called Chernoff information:
    :math:`\max_\lambda F(\lambda)` with F concave, :math:`F(0) = F(1) = 0`, hence at most
    :math:`2F(\frac12)`, and :math:`F(\frac12) = -\log\cos(b-a)` is the Bhattacharyya distance. Outside the
    grid see `clamp_cost`. The maximum is :math:`\frac92\log\frac43 = 1.29457` over :math:`K^2` at K = 3 and
    tends to 1.249864, the Poisson case next to an end. The explicit form of Theorem 2 (`theorem_2`) does not
    need this step.

    Examples
    --------
    >>> [
    ...     round(9 * comparator_error(3, version=v), 6)
    ...     for v in ("paper", "sharpened", "best")
    ... ]
    [5.78148, 2.589139, 1.294569]
    """
    version = _checks.choice("version", version, _VERSIONS)
    cells = resolution(K)
    if version == "paper":
        return plain((2.0 - np.sqrt(number(2, cells))) * pi(cells) ** 2 / cells**2)
    if version == "sharpened":
        return plain(log_secant_squared(angle(cells)))
    return plain(np.frompyfunc(lambda k: _comparator_maximum(k, cells), 1, 1)(whole("K", K, least=2)))


@accepts_balls
def comparator_error_inner(K: Argument) -> Value:
    r"""Return :math:`-2\log\cos\frac\pi{2K} = \max_\rho\min_z\mathsf{KL}(\rho, z)` on the inner grid.

    Parameters
    ----------
    K : array_like of int
        At least 2.

    Returns
    -------
    float or ndarray

    Notes
    -----
    Between two points as for `comparator_error`; below :math:`z_1` the divergence falls in :math:`\rho`, so
    the worst is :math:`\mathsf{KL}(0, z_1) = -\log(1 - z_1)`, which is the value. Attained at 0 and 1.

    Examples
    --------
    >>> import math
    >>> round(comparator_error_inner(2) / math.log(2), 12)
    1.0
    """
    return plain(log_secant_squared(angle(resolution(K))))


@accepts_balls
def remark_1_nearest(K: Argument) -> Value:
    r"""Return :math:`\log(\frac32 + \cos\frac\pi{2K})`, the cost of nearest rounding in ``rem:rounding`` (a).

    The point is :math:`\frac{z_0+z_1}2`, rounded to :math:`z_0`, and the outcome is 1.

    Parameters
    ----------
    K : array_like of int
        At least 2.

    Returns
    -------
    float or ndarray

    Notes
    -----
    The cost is :math:`\log\frac{z_0+z_1}{2z_0}` with :math:`z_1/z_0 = 4\cos^2\frac\theta2 = 2 + 2\cos\theta`.
    It tends to :math:`\log\frac52`, not to 0. The point is a tie; rounded to :math:`z_1` it would gain.

    Examples
    --------
    >>> import math
    >>> remark_1_nearest(2) == math.log(1.5 + math.cos(math.pi / 4))
    True
    """
    return plain(np.log(1.5 + np.cos(angle(resolution(K)))))


@accepts_balls
def remark_1_linear(K: Argument) -> Value:
    r"""Return :math:`\log\frac{1 + 4\cos^2(\pi/4K)}{4\cos(\pi/4K)}`, that of linear rounding (b).

    Same point and outcome as `remark_1_nearest` (``rem:rounding``).

    Parameters
    ----------
    K : array_like of int
        At least 2.

    Returns
    -------
    float or ndarray

    Notes
    -----
    Each neighbour has probability 1/2, so the cost is :math:`\log\frac{z_0+z_1}{2\sqrt{z_0z_1}}`: arithmetic
    over geometric mean. It tends to :math:`\log\frac54`. That one point is expensive does not by itself rule
    the scheme out over a whole run.

    Examples
    --------
    >>> import math
    >>> round(remark_1_linear(10**6) / math.log(1.25), 9)
    1.0
    """
    cosine = np.cos(angle(2.0 * resolution(K)))
    return plain(np.log((1.0 + 4.0 * cosine**2) / (4.0 * cosine)))
