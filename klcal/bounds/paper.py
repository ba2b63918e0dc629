r"""The right-hand sides of the paper's statements, in its order.

Throughout :math:`\theta = \pi/2K`, so that :math:`z_i = \sin^2 i\theta`. Lemma 6 is about the inner grid with 0 and 1
as :math:`z_0` and :math:`z_K` (the paper prints :math:`z_0 = 1`), Theorem 2 about the full grid.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from klcal import _checks, grids
from klcal._checks import FloatArray, IntArray
from klcal.bounds._balls import (
    Argument,
    Checked,
    Value,
    angle,
    bound,
    euler,
    exactly,
    failure_probability,
    holds_balls,
    horizon,
    integer,
    integers,
    larger,
    log_secant_squared,
    nonnegative,
    number,
    pi,
    plain,
    rate,
    resolution,
    where_at_most,
    whole,
)

_VERSIONS = ("paper", "sharpened", "best")


@bound
def lemma_6a(K: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound on the gaps :math:`d_i = z_i - z_{i-1}` (``lem:discretization``, a).

    Parameters
    ----------
    K : array_like of int
        Number of gaps, at least 2.
    version : {"paper", "sharpened"}
        :math:`\theta = \pi/2K`, or the largest gap itself: :math:`\sin\theta` for odd K and
        :math:`\frac12\sin 2\theta` for even K.

    Returns
    -------
    float or ndarray

    Notes
    -----
    :math:`d_i = \sin\theta\,\sin((2i-1)\theta)`. For odd K some angle is :math:`\pi/2`; for even K the
    nearest ones miss it by :math:`\theta`, which leaves :math:`\sin\theta\cos\theta`.

    Examples
    --------
    >>> lemma_6a([2, 3]).round(12)
    array([0.5, 0.5])
    """
    version = _checks.choice("version", version, ("paper", "sharpened"))
    cells = resolution(K)
    theta = angle(cells)
    if version == "paper":
        return plain(theta)
    odd = np.asarray(whole("K", K, least=2) % 2 == 1, dtype=np.bool_)
    return plain(np.where(odd, np.sin(theta), np.sin(2.0 * theta) / 2.0))


def _steepest_cell(K: Checked, version: str) -> Checked:
    """Return the three bounds on d^2 / (z (1 - z)) that Lemma 6 (b) and Lemma 7 share."""
    version = _checks.choice("version", version, ("paper", "sharpened", "best"))
    theta = angle(K)
    if version == "paper":
        return (2.0 * np.sin(theta) * (1.0 + 0.5 / np.cos(theta))) ** 2
    if version == "sharpened":
        return 9.0 * theta**2
    return (np.sin(3.0 * theta) / np.cos(theta)) ** 2


@bound
def lemma_6b(K: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound on :math:`\max(d_i, d_{i+1})^2 / (z_i(1-z_i))` (``lem:discretization``, b).

    Parameters
    ----------
    K : array_like of int
        At least 2.
    version : {"paper", "sharpened", "best"}
        The proof's :math:`4\sin^2\theta\,(1 + \frac{1}{2\cos\theta})^2`; the simple :math:`9\pi^2/4K^2`; the
        maximum itself, :math:`(\sin 3\theta/\cos\theta)^2`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    The ratio is :math:`4\sin^2\theta\,(\cos\theta + \cot 2i\theta\,\sin\theta)^2` on the left half and falls
    with i, so i = 1 is worst. There its root is :math:`2\sin 2\theta - \tan\theta \le 3\theta`, and
    :math:`3\theta \le 2\sin\theta + \tan\theta` (Huygens), the root of the paper's display. All three are
    :math:`9\theta^2` to leading order.

    Examples
    --------
    >>> round(lemma_6b(3, version="best"), 12), round(lemma_6b(3) / np.pi**2, 12)
    (1.333333333333, 0.25)
    """
    return plain(_steepest_cell(resolution(K), version))


@bound
def lemma_6c(K: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound on :math:`\sum_{i=1}^{K-1} \frac{1}{z_i(1-z_i)}` (``lem:discretization``, c).

    Parameters
    ----------
    K : array_like of int
        At least 2.
    version : {"paper", "sharpened"}
        The proof's :math:`8(\csc^2\frac\pi K + \frac K\pi\cot\frac\pi K)`, or the sum itself,
        :math:`4(K^2-1)/3`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    The sum is :math:`4\sum\csc^2(\pi i/K)`, and :math:`\sum_{i<K}\csc^2(\pi i/K) = (K^2-1)/3` is classical.
    The paper compares with an integral for odd K; for even K the middle term 1/2 is covered by the last unit
    of that integral, so its display holds for every K.

    Examples
    --------
    >>> lemma_6c(4), round(lemma_6c(2, version="paper"), 12)
    (20.0, 8.0)
    """
    version = _checks.choice("version", version, ("paper", "sharpened"))
    cells = resolution(K)
    if version == "sharpened":
        return plain(4.0 * (cells**2 - 1.0) / 3.0)
    x = angle(cells / 2.0)
    return plain(8.0 * (1.0 / np.sin(x) ** 2 + np.cos(x) / (x * np.sin(x))))


@bound
def lemma_6d(K: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound on :math:`\sum_{i=1}^{K-1} \frac{1}{\sqrt{z_i(1-z_i)}}` (``lem:discretization``, d).

    Parameters
    ----------
    K : array_like of int
        At least 2.
    version : {"paper", "sharpened"}
        The proof's :math:`4\csc\frac\pi K + \frac{4K}\pi\log(\csc\frac\pi K + \cot\frac\pi K)`, or
        :math:`\frac{4K}\pi(\log\frac{2K}\pi + \gamma)` with Euler's :math:`\gamma`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    The sum is :math:`2\sum\csc(\pi i/K)`. By its partial fractions
    :math:`h(x) = \csc x - \frac1x - \frac1{\pi-x}` is concave on :math:`(0, \pi)`, so the trapezoidal rule is
    at most :math:`\int h = 2\log\frac2\pi`; the two poles add harmonic numbers, and
    :math:`H_K - \frac{1}{2K} < \log K + \gamma`. Strict for every K, right to o(1).

    Examples
    --------
    >>> round(lemma_6d(2), 6), round(lemma_6d(2, version="paper"), 6)
    (2.085007, 4.0)
    """
    version = _checks.choice("version", version, ("paper", "sharpened"))
    cells = resolution(K)
    if version == "sharpened":
        return plain(4.0 * cells / pi(cells) * (np.log(2.0 * cells / pi(cells)) + euler(cells)))
    x = angle(cells / 2.0)
    # csc x + cot x = cot(x/2)
    return plain(4.0 * (1.0 / np.sin(x) - np.log(np.tan(x / 2.0)) / x))


@bound
def rounding_cost(K: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound on the cost of RROUND with clamped ends, worst over all of [0, 1] (``lem:rounding``).

    Parameters
    ----------
    K : array_like of int
        Resolution of the full grid, at least 2.
    version : {"paper", "sharpened", "best"}
        The explicit constant behind the paper's :math:`O(1/K^2)`, that of `lemma_6b`; :math:`\tan^2\frac\pi{2K}`;
        :math:`-2\log\cos\frac\pi{2K}`. At K = 2 the last two use the angle :math:`\pi/8`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    Between angles a and b the mean of :math:`\frac pq` is at most :math:`1 + \tan^2(b-a)`, for both outcomes. The
    widest angle is :math:`\pi/2K` (:math:`\pi/4K` in the two end cells, the only ones at K = 2). "Sharpened" bounds the
    logarithm by the mean minus one, as the paper does, "best" by Jensen. Clamping costs at most
    :math:`-2\log\cos\frac\pi{4K}`, which is no more.

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
    cells = resolution(K)
    if version == "paper":
        return plain(_steepest_cell(cells, "paper"))
    widest = where_at_most(cells, 2.0, pi(cells) / 8.0, angle(cells))
    return plain(np.tan(widest) ** 2 if version == "sharpened" else log_secant_squared(widest))


def _theorem_1_as_printed(T: Argument, K: Argument) -> Checked:
    """Return ``eq:bound_sreg_minimax`` at delta = 1/T^2 with its constants, plus K/T times the largest KLCal."""
    rounds, cells = horizon(T), resolution(K)
    log_term, largest_loss = np.log(2.0 / rounds**-2.0), -2.0 * np.log(np.sin(angle(cells)))
    gaps = 2.0 * lemma_6b(K, version="paper") * rounds
    many = 8.0 * log_term * (angle(cells) * lemma_6c(K, version="paper") + cells - 1.0)
    few = np.sqrt(8.0 * largest_loss) * log_term * lemma_6d(K, version="paper")
    return gaps + many + few + cells * largest_loss


@bound
def theorem_1(T: Argument, K: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound on E[KLCal] that some algorithm achieves (``thm:log_loss_swap_reg``).

    .. math:: (K-1)\log\Bigl(1 + \frac{T}{K-1}\Bigr) - 2T\log\cos\frac{\pi}{2K} \qquad\text{(sharpened)}

    Parameters
    ----------
    T : array_like of int
        Horizon.
    K : array_like of int
        Resolution of the inner grid, at least 2.
    version : {"paper", "sharpened"}
        The paper's argument with its constants, of order :math:`T^{1/3}(\log T)^{5/3}` at its best K; or this
        book's, of order :math:`T^{1/3}(\log T)^{2/3}`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    Paper: with :math:`L = \log\frac2\delta` and the largest log loss :math:`R = -2\log\sin\frac\pi{2K}`, Steps I to III
    add up to :math:`2bT + 8L(\frac\pi{2K}c + K - 1) + \sqrt{8R}\,L\,d`, b, c, d being its versions of `lemma_6b`,
    `lemma_6c` and `lemma_6d`; at :math:`\delta = T^{-2}` they fail with probability :math:`KT\delta = K/T`, which costs
    :math:`TR` at most.

    Sharpened: let the forecaster of the dual game play the KL-nearest point. Laplace's rule inside each bucket shows
    :math:`\mathsf{KLCal} \le \sum\log(1+n_i) + \sum_t(\ell(z_{i_t},y_t) - \ell(m_t,y_t))`, and given the past
    the last bracket has mean at most :math:`\mathsf{KL}(\tilde p_t, z_{i_t}) \le -2\log\cos\frac\pi{2K}`, the largest
    distance of a number to the inner grid. Jensen over the K - 1 counts finishes.

    Examples
    --------
    >>> import math
    >>> round(theorem_1(4, 2) / math.log(80), 12)
    1.0
    >>> round(theorem_1(1000, 5, version="paper"), 3)
    4615.79
    """
    version = _checks.choice("version", version, ("paper", "sharpened"))
    if version == "paper":
        return plain(_theorem_1_as_printed(T, K))
    rounds, cells = horizon(T), resolution(K)
    learning = (cells - 1.0) * np.log1p(rounds / (cells - 1.0))
    return plain(learning + rounds * log_secant_squared(angle(cells)))


def theorem_1_paper_K(T: int) -> int:
    r"""Return the paper's resolution for Theorem 1 (``thm:log_loss_swap_reg``), as an integer.

    .. math:: K = \max\bigl(2, \lceil T^{1/3} / (\log T)^{5/6} \rceil\bigr)

    Parameters
    ----------
    T : int
        Horizon, at least 1; K = 2 for T = 1, where the formula has no value.

    Returns
    -------
    int

    Notes
    -----
    The paper has :math:`K = T^{1/3}/(\log T)^{5/6}`, which is no integer. Its version of `theorem_1` and `corollary_1`
    is meant at this K; at the larger one of Theorem 2 it is of a larger order.

    Examples
    --------
    >>> [theorem_1_paper_K(T) for T in (1, 1000, 10**6, 10**9)]
    [2, 2, 12, 80]
    """
    T = _checks.integer("T", T, least=1)
    return 2 if T == 1 else max(2, math.ceil(math.cbrt(T) / math.log(T) ** (5.0 / 6.0)))


def _all_bounded_losses(T: Argument, kl: Checked, version: str) -> Value:
    """Return 4 sqrt(T Cal_2), at least the swap regret of every proper loss in [-1, 1]; Pinsker bounds Cal_2."""
    cal2 = kl if version == "paper" else 0.5 * kl
    return plain(4.0 * np.sqrt(horizon(T) * cal2))


@bound
def corollary_1(T: Argument, K: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound on E[SReg] of all proper losses in [-1, 1] (``cor:simutaneous_bounds_msr``, end).

    .. math:: 4\sqrt{T\,\mathbb E[\mathsf{Cal}_2]}, \qquad
              \mathbb E[\mathsf{Cal}_2] \le \tfrac12\,\mathbb E[\mathsf{KLCal}]

    Parameters
    ----------
    T : array_like of int
        Horizon.
    K : array_like of int
        Resolution of the inner grid, at least 2.
    version : {"paper", "sharpened"}
        Version of `theorem_1`; the paper's Pinsker has :math:`\mathsf{Cal}_2 \le \mathsf{KLCal}`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    :math:`\mathsf{SReg} \le 4\,\mathsf{Cal}_1 \le 4\sqrt{T\,\mathsf{Cal}_2}`; Jensen carries the root through the
    expectation. The bound also holds for the supremum over all these losses, since Cal_1 does not depend on the loss.

    Examples
    --------
    >>> corollary_1(10**6, 40) == 4 * (10**6 * theorem_1(10**6, 40) / 2) ** 0.5
    True
    """
    return _all_bounded_losses(T, theorem_1(T, K, version=version), version)


def _learning(T: Checked, K: Checked) -> Checked:
    """Return (K + 1) log(1 + T / (K + 1)), the sum of the EWOO regrets at equal masses."""
    return (K + 1.0) * np.log1p(T / (K + 1.0))


@bound
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
        "paper" adds up its three steps, :math:`(K+1)\log(T+1)`, the paper's `rounding_cost` and the cited
        :math:`(2-\sqrt2)\pi^2/K^2` of its comparators; "best" has :math:`-2\log\cos` of the same angle in place of
        :math:`\tan^2`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    With a stationary mixture the pseudo swap regret is at most the sum of the K + 1 learners' regrets.
    Learner i loses at most :math:`\log(1 + S_i)` to any fixed w in [0, 1] (``lem:EWOO_regret_bound``) and :math:`S_i`
    times `rounding_cost` by rounding; Jensen for :math:`\sum S_i = T`. EWOO competes with all of [0, 1], so
    swap functions need not map into the grid and the comparator step of the paper
    (``eq:psreg_[0,1]_to_psreg_Z``) is not needed. Assumes clamped rounding and the start at the rounded 1/2.

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
    comparator = rounds * ((2.0 - np.sqrt(number(2, cells))) * pi(cells) ** 2 / cells**2)
    return plain((cells + 1.0) * np.log1p(rounds) + rounding + comparator)


@bound
def theorem_2_rate(T: Argument, *, version: str = "sharpened") -> Value:
    r"""Return a bound on `theorem_2` at K = ``klcal.resolution(T)`` (``thm:bound_pkcal``).

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 2.
    version : {"sharpened", "best"}
        :math:`3.96\,T^{1/3}(\log T)^{2/3}` and :math:`3.56\,T^{1/3}(\log T)^{2/3}`, each for the version of
        `theorem_2` of that name.

    Returns
    -------
    float or ndarray

    Notes
    -----
    The largest ratios are 3.95437 and 3.54482, both at T = 131, the last T with K = 3. From there on let
    :math:`\kappa = (T/\log T)^{1/3}`: :math:`\kappa \le K \le \kappa + 1` bounds the ratio by
    :math:`(1 + \frac2\kappa)(\frac23 + \frac{\log\log T}{3\log T})` plus :math:`K^2` times `rounding_cost`. It tends
    to :math:`\frac23 + \frac{\pi^2}4 = 3.1341`.

    Examples
    --------
    >>> round(theorem_2(131, 3) / theorem_2_rate(131) * 3.96, 5)
    3.95437
    >>> bound = theorem_2(131, 3, version="best")
    >>> round(bound / theorem_2_rate(131, version="best") * 3.56, 5)
    3.54482
    """
    version = _checks.choice("version", version, ("sharpened", "best"))
    rounds = integers("T", T, least=2)
    return plain(number("3.96" if version == "sharpened" else "3.56", rounds) * rate(rounds))


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
    A scan over K = 2, 3, ... in growing blocks, the first of 64. It stops when the
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


@bound
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


@bound
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
        Version of `theorem_2`; the paper's Pinsker has no factor 1/2.

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
    return _all_bounded_losses(T, theorem_2(T, K, version=version), version)


def _kappa(beside: Checked) -> Any:
    """Return e - 2: e^x <= 1 + x + (e - 2) x^2 for x <= 1, with equality at 0 and 1."""
    return np.exp(number(1, beside)) - 2.0


@bound
def freedman(variance: Argument, mu: Argument, delta: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound :math:`c\,\mu V + \frac1\mu\log\frac2\delta` on sums of steps up to 1 (``lem:Freedman``).

    Parameters
    ----------
    variance : array_like
        Sum V of the conditional variances, at least 0.
    mu : array_like
        In (0, 1]. It must be fixed in advance: it may not depend on a random V.
    delta : array_like
        Failure probability, in (0, 1].
    version : {"paper", "sharpened"}
        :math:`c = 1`; :math:`c = e - 2`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    :math:`(e^x-1-x)/x^2` increases, so
    :math:`\mathbb E e^{\mu X} \le 1 + c\mu^2\mathbb E X^2 \le e^{c\mu^2\mathbb E X^2}` for a centred step at
    most 1; Markov's inequality for the product supermartingale, once for each sign, gives
    :math:`\log\frac2\delta`.

    Examples
    --------
    >>> freedman(4.0, 1.0, 2 / np.e, version="paper")
    5.0
    >>> round(freedman(4.0, 1.0, 2 / np.e) - 4 * (np.e - 2), 12)
    1.0
    """
    version = _checks.choice("version", version, ("paper", "sharpened"))
    total, speed = nonnegative("variance", variance), nonnegative("mu", mu)
    # mu = sqrt(L / S) with S = L, computed, may exceed 1 by an ulp.
    if not np.all((speed > 0.0) & (speed <= 1.0 + 1e-12)):
        raise ValueError(f"mu must lie in (0, 1]; got {mu!r}")
    constant = 1.0 if version == "paper" else _kappa(speed)
    return plain(constant * speed * total + np.log(2.0 / failure_probability(delta)) / speed)


def _log_tails(points: Argument, delta: Argument, tails: Checked) -> Checked:
    """Return log(tails * points / delta): so many deviations at each grid point must not fail."""
    return np.log(tails * integers("points", points, least=1) / failure_probability(delta))


@bound
def rate_deviation(mass: Argument, points: Argument, delta: Argument) -> Value:
    r"""Return the bound of ``eq:final_bound_rho_tilde_rho`` on :math:`(\rho_i - \tilde\rho_i)^2`.

    With :math:`L = \log\frac{4|\mathcal Z|}\delta` it is :math:`16L/S_i` if :math:`S_i \ge L`, else 1.

    Parameters
    ----------
    mass : array_like
        :math:`S_i = \sum_t\mathcal P_{t,i}`, known in advance (outcomes oblivious, mixtures a function of
        them alone).
    points : array_like of int
        Size of the grid.
    delta : array_like
        Probability, in (0, 1], that this or `count_deviation` fails at some grid point.

    Returns
    -------
    float or ndarray

    Notes
    -----
    Both :math:`\sum y_t(\mathcal P_{t,i} - 1\{i_t=i\})` and the same sum without :math:`y_t` are at most
    :math:`\mu S + L/\mu` by `freedman`; the difference of the two ratios is at most twice that over S. Take
    :math:`\mu = \sqrt{L/S} \le 1`. The bound is at least 1, hence says nothing, until S exceeds 16 L.

    Examples
    --------
    >>> rate_deviation([1.0, 32.0], 1, 4 * np.exp(-2.0)).round(12)
    array([1., 1.])
    """
    weight, log_term = nonnegative("mass", mass), _log_tails(points, delta, 4.0)
    return plain(where_at_most(log_term, weight, 16.0 * log_term / larger(weight, log_term), 1.0))


@bound
def count_deviation(mass: Argument, points: Argument, delta: Argument) -> Value:
    r"""Return the bound of ``eq:final_bound_diff_p_ind`` on :math:`|S_i - n_i|`, mass against count.

    With :math:`L = \log\frac{4|\mathcal Z|}\delta` it is :math:`2\sqrt{LS_i}` if :math:`S_i \ge L`, else
    :math:`S_i + L`.

    Parameters
    ----------
    mass : array_like
        :math:`S_i`, known in advance.
    points : array_like of int
        Size of the grid.
    delta : array_like
        Probability, in (0, 1], that this or `rate_deviation` fails at some grid point.

    Returns
    -------
    float or ndarray

    Notes
    -----
    `freedman` with constant 1, as :math:`\mu S + L/\mu` at its minimum over (0, 1]: at
    :math:`\mu = \sqrt{L/S}` or at 1.

    Examples
    --------
    >>> count_deviation([1.0, 8.0], 1, 4 * np.exp(-2.0)).round(12)
    array([3., 8.])
    """
    weight, log_term = nonnegative("mass", mass), _log_tails(points, delta, 4.0)
    return plain(where_at_most(log_term, weight, 2.0 * np.sqrt(log_term * weight), weight + log_term))


def _rates_needed(T: Argument) -> FloatArray:
    """Return 1 + ceil(log2(T) / 2), how many powers of 1/2 from 1 down reach 1 / sqrt(T)."""
    needed = np.frompyfunc(lambda rounds: 1 + ((rounds - 1).bit_length() + 1) // 2, 1, 1)
    return np.asarray(needed(whole("T", T, least=1)), dtype=np.float64)


@bound
def theorem_3(
    pcal2: Argument,
    points: Argument,
    delta: Argument,
    *,
    T: Argument | None = None,
    version: str = "sharpened",
) -> Value:
    r"""Return the bound on Cal_2 with probability :math:`1-\delta` (``thm:high_prob_bound``).

    Parameters
    ----------
    pcal2 : array_like
        PCal_2, at least 0.
    points : array_like of int
        Size :math:`|\mathcal Z|` of the grid.
    delta : array_like
        Failure probability, in (0, 1].
    T : array_like of int
        Horizon; needed by the repaired version, unused by the others.
    version : {"paper", "repaired", "sharpened"}
        :math:`6\,\mathsf{PCal}_2 + 96|\mathcal Z|\log\frac{4|\mathcal Z|}\delta`;
        :math:`3\,\mathsf{PCal}_2 + 27(e-2)|\mathcal Z|\log\frac{4|\mathcal Z|(1+J)}\delta`,
        :math:`J = \lceil\frac12\log_2T\rceil`;
        :math:`3\,\mathsf{PCal}_2 + 24(e-2)|\mathcal Z|\log\frac{3|\mathcal Z|}\delta`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    "Paper" and "sharpened" need masses :math:`S_i` known in advance (Algorithm 1, oblivious outcomes); for
    "any algorithm" the printed form is false at astronomical T. "Repaired" holds for every algorithm, also
    against adaptive outcomes.

    With :math:`A = \sum\mathcal P(z-y)` and :math:`M = \sum(1\{i_t=i\} - \mathcal P)(z-y)` a cell contributes
    :math:`(A+M)^2/n \le (\frac32A^2 + 3M^2)/n`. `freedman` at the best :math:`\mu` bounds :math:`|M|` and
    :math:`|n - S|` by :math:`2\sqrt{(e-2)SL}`. If :math:`S \ge 16(e-2)L` then :math:`n \ge S/2` and the cell
    is at most :math:`3A^2/S + 24(e-2)L`; else it is at most :math:`n \le 24(e-2)L`. S decides the case in
    advance: the first needs three tails (both of M, the lower of n), the second one, so
    :math:`L = \log\frac{3|\mathcal Z|}\delta`. For random S allow all 1 + J powers of 1/2 as :math:`\mu`, and
    all four tails: some power is within a factor :math:`\sqrt2` of the best one, so the deviation grows to
    :math:`\frac3{\sqrt2}\sqrt{(e-2)SL}`, and 16 and 24 to 18 and 27.

    Examples
    --------
    >>> (
    ...     round(theorem_3(10.0, 7, 0.05), 3),
    ...     round(theorem_3(10.0, 7, 0.05, T=1000, version="repaired"), 3),
    ... )
    (758.886, 1132.292)
    >>> round(theorem_3(10.0, 7, 0.05, version="paper"), 3)
    4312.374
    """
    version = _checks.choice("version", version, ("paper", "repaired", "sharpened"))
    pseudo, size = nonnegative("pcal2", pcal2), integers("points", points, least=1)
    if version == "paper":
        return plain(6.0 * pseudo + 96.0 * size * _log_tails(points, delta, 4.0))
    if version == "sharpened":
        return plain(3.0 * pseudo + 24.0 * _kappa(size) * size * _log_tails(points, delta, 3.0))
    if T is None:
        raise ValueError("T must be given for version 'repaired'; got None")
    return plain(
        3.0 * pseudo + 27.0 * _kappa(size) * size * _log_tails(points, delta, 4.0 * _rates_needed(T))
    )


@bound
def corollary_3(T: Argument, K: Argument, delta: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound on Cal_2 of Algorithm 1, with high probability (``cor:cal_2_hp_bound``).

    Parameters
    ----------
    T : array_like of int
        Horizon, at least 1.
    K : array_like of int
        Resolution of the full grid, at least 2.
    delta : array_like
        Failure probability, in (0, 1].
    version : {"paper", "repaired", "sharpened"}
        Version of `theorem_3`; "repaired" allows adaptive outcomes.

    Returns
    -------
    float or ndarray
        Times :math:`\frac G2` it bounds the maximum swap regret over :math:`\mathcal L_G`.

    Notes
    -----
    `theorem_3` with K + 1 points and PCal_2 at most half of `theorem_2`, which holds on every path;
    sharpened :math:`\frac32\,\mathsf{PKLCal} + 24(e-2)(K+1)\log\frac{3(K+1)}\delta`. "Paper" takes its own
    `theorem_2` and Pinsker constant.

    Examples
    --------
    >>> corollary_3(1000, 6, 0.05) == theorem_3(theorem_2(1000, 6) / 2, 7, 0.05)
    True
    """
    version = _checks.choice("version", version, ("paper", "repaired", "sharpened"))
    pcal2 = theorem_2(T, K, version="paper") if version == "paper" else 0.5 * theorem_2(T, K)
    return theorem_3(pcal2, K + 1 if holds_balls(K) else np.asarray(K) + 1, delta, T=T, version=version)


def last_vacuous(
    bound: Callable[[IntArray, IntArray], Any],
    per_round: float,
    *,
    resolution: Callable[[int], int] = grids.resolution,
    limit: int = 10**12,
) -> int:
    """Return the last T at which ``bound(T, resolution(T))`` is at least `per_round` times T, 0 if there is none.

    Parameters
    ----------
    bound : callable
        Takes arrays T and K.
    per_round : float
        What comes for free in each round.
    resolution : callable
        The K that belongs to T; for the paper's Theorem 1 it is `theorem_1_paper_K`.
    limit : int
        A list of horizons up to here is tried first; between two neighbours on it every T is.

    Returns
    -------
    int

    Examples
    --------
    >>> import math
    >>> last_vacuous(theorem_2, math.log(2))
    6
    """

    def is_vacuous(horizons: IntArray) -> Any:
        K = np.array([resolution(int(T)) for T in horizons], dtype=np.int64)
        return bound(horizons, K) >= per_round * horizons

    horizons = np.unique(np.geomspace(2, limit, 600).astype(np.int64))
    vacuous = np.flatnonzero(is_vacuous(horizons))
    if len(vacuous) == 0:
        return 0
    following = min(int(vacuous[-1]) + 1, len(horizons) - 1)
    between = np.arange(horizons[vacuous[-1]], horizons[following] + 1)
    return int(between[is_vacuous(between)].max())
