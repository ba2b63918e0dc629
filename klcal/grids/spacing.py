r"""How evenly a grid spends its points: the four numbers of Lemma 6."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from klcal import _checks


class Spacing(NamedTuple):
    r"""The four numbers that ``lem:discretization`` bounds, in its order.

    Parameters
    ----------
    gap : float
        (a) the widest gap :math:`d_i = z_i - z_{i-1}`.
    steepness : float
        (b) the largest :math:`\max(d_i, d_{i+1})^2 / z_i(1-z_i)`.
    curvature : float
        (c) the sum of all :math:`1 / z_i(1-z_i)`.
    root_curvature : float
        (d) the sum of their square roots.
    """

    gap: float
    steepness: float
    curvature: float
    root_curvature: float


def spacing(points: npt.ArrayLike) -> Spacing:
    r"""Return the four numbers of ``lem:discretization`` for any grid.

    Parameters
    ----------
    points : array_like, shape (K + 1,)
        :math:`z_0 < z_1 < \dots < z_K` in [0, 1], at least three. The first and the last only bound the outer gaps.

    Returns
    -------
    Spacing
        The sums and the maximum in (b) are over :math:`0 < i < K`.

    Examples
    --------
    >>> spacing([0.0, 0.5, 1.0])
    Spacing(gap=0.5, steepness=1.0, curvature=4.0, root_curvature=2.0)
    """
    z = _checks.probabilities("points", points, ndim=1)
    _checks.increasing("points", z)
    if len(z) < 3:
        raise ValueError(f"points must be at least three; got {len(z)}")
    gaps, bends = np.diff(z), 1.0 / (z[1:-1] * (1.0 - z[1:-1]))
    steep = np.maximum(gaps[:-1], gaps[1:]) ** 2 * bends
    return Spacing(float(gaps.max()), float(steep.max()), float(bends.sum()), float(np.sqrt(bends).sum()))
