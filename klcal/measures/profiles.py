r"""The regret against one unit of bend, as a function of the place where the loss bends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray
from klcal.measures.cells import Cells


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
