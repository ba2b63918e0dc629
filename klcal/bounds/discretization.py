r"""The two sine grids themselves: Lemmas 6 and 7.

Throughout :math:`\theta = \pi/2K`, so that :math:`z_i = \sin^2 i\theta`. Lemma 6 is about the inner grid
with 0 and 1 as :math:`z_0` and :math:`z_K` (the paper prints :math:`z_0 = 1`), Lemma 7 about the full grid.
"""

from __future__ import annotations

import numpy as np

from klcal import _checks
from klcal.bounds._arguments import Argument, Checked, Value, accepts_balls, plain, resolution, whole
from klcal.bounds._elementary import angle, euler, pi


@accepts_balls
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
    """Return the three bounds on d^2 / (z (1 - z)) that Lemmas 6 (b) and 7 share."""
    version = _checks.choice("version", version, ("paper", "sharpened", "best"))
    theta = angle(K)
    if version == "paper":
        return (2.0 * np.sin(theta) * (1.0 + 0.5 / np.cos(theta))) ** 2
    if version == "sharpened":
        return 9.0 * theta**2
    return (np.sin(3.0 * theta) / np.cos(theta)) ** 2


@accepts_balls
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


@accepts_balls
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


@accepts_balls
def lemma_6d(K: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound on :math:`\sum_{i=1}^{K-1} \frac{1}{\sqrt{z_i(1-z_i)}}` (``lem:discretization``, d).

    Parameters
    ----------
    K : array_like of int
        At least 2.
    version : {"paper", "sharpened"}
        The proof's :math:`4(\csc\frac\pi K + \frac K\pi\log(\csc\frac\pi K + \cot\frac\pi K))`, or
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


@accepts_balls
def lemma_7(K: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound on :math:`d_i^2/(z(1-z))`, z either end of a cell (``lem:discretization_II``).

    Parameters
    ----------
    K : array_like of int
        At least 2.
    version : {"paper", "sharpened", "best"}
        As for `lemma_6b`, to which the paper's proof refers for the inner cells; "best" is the maximum
        itself.

    Returns
    -------
    float or ndarray

    Notes
    -----
    A cell between angles a and b has :math:`d = \sin(b-a)\sin(a+b)`. Inner cells are those of `lemma_6b`,
    worst next to the ends. With :math:`g(x) = 2\sin 2x - \tan x` they give :math:`g(\theta)^2` and the two
    end cells :math:`g(\theta/2)^2` (`lemma_7_ends`); g increases up to :math:`\pi/6`, and at K = 2, where
    only end cells exist, :math:`g(\pi/8) = g(\pi/4) = 1`.

    Examples
    --------
    >>> round(lemma_7(2, version="best"), 12)
    1.0
    """
    return plain(_steepest_cell(resolution(K), version))


@accepts_balls
def lemma_7_ends(K: Argument, *, version: str = "sharpened") -> Value:
    r"""Return the bound of ``lem:discretization_II`` for the first and the last cell only.

    Parameters
    ----------
    K : array_like of int
        At least 2.
    version : {"paper", "sharpened"}
        The proof's :math:`4\sin^2\theta`, or the value itself,
        :math:`(\sin\frac{3\theta}2/\cos\frac\theta2)^2`.

    Returns
    -------
    float or ndarray

    Notes
    -----
    :math:`d_1 = \sin\frac\theta2\sin\frac{3\theta}2` over :math:`\sqrt{z_0(1-z_0)} = \frac12\sin\theta`; the
    other end point :math:`z_1` has the larger variance. The paper replaces :math:`d_1` by
    :math:`z_1 = \sin^2\theta`.

    Examples
    --------
    >>> round(lemma_7_ends(2), 12), round(lemma_7_ends(2, version="paper"), 12)
    (1.0, 2.0)
    """
    version = _checks.choice("version", version, ("paper", "sharpened"))
    theta = angle(resolution(K))
    if version == "paper":
        return plain(4.0 * np.sin(theta) ** 2)
    return plain((np.sin(1.5 * theta) / np.cos(0.5 * theta)) ** 2)
