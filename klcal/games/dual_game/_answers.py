"""How the forecaster of the dual game answers: the nearest grid point, in three senses of near."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
from flint import arb, ctx

from klcal import _checks
from klcal._checks import FloatArray, IntArray
from klcal.grids import Grid
from klcal.grids.points import require_interior

# Enough to round correctly to 53 bits; neighbours on a grid of a million cells share fewer than 30.
_BITS = 160


def _middle(low: FloatArray, high: FloatArray) -> FloatArray:
    return (low + high) / 2.0


def _equal_divergence(low: FloatArray, high: FloatArray) -> FloatArray:
    with ctx.workprec(_BITS):
        return np.array([_indifferent(a, b) for a, b in zip(low.tolist(), high.tolist(), strict=True)])


def _indifferent(low: float, high: float) -> float:
    """Return where KL(p, low) - KL(p, high), which is linear in p, vanishes; correctly rounded on every machine."""
    ones = (arb(high) / arb(low)).log()
    zeros = ((1 - arb(low)) / (1 - arb(high))).log()
    return float(zeros / (ones + zeros))


def _equal_chi_square(low: FloatArray, high: FloatArray) -> FloatArray:
    # (p - low) / s = (high - p) / t with the standard deviations s and t.
    s, t = np.sqrt(low * (1.0 - low)), np.sqrt(high * (1.0 - high))
    return np.asarray((low * t + high * s) / (s + t))


_RULES: Mapping[str, Callable[[FloatArray, FloatArray], FloatArray]] = MappingProxyType(
    {"euclid": _middle, "kl": _equal_divergence, "chi-square": _equal_chi_square}
)
#: What makes a point of the grid the nearest one.
NEAREST: tuple[str, ...] = tuple(_RULES)


def borders(grid: Grid, nearest: str = "kl") -> FloatArray:
    r"""Return the numbers between which the answer to an announced probability does not change.

    Parameters
    ----------
    grid : Grid
        The forecasts, strictly inside (0, 1).
    nearest : {"euclid", "kl", "chi-square"}
        What the nearest point z of p minimises: :math:`|p - z|` as in the paper, :math:`\mathsf{KL}(p, z)`, or
        :math:`\chi^2(p, z) = \frac{(p-z)^2}{z(1-z)}`.

    Returns
    -------
    ndarray, shape (n - 1,)
        Entry i is equally far from :math:`z_i` and its upper neighbour.

    Notes
    -----
    For fixed p all three grow with the distance of z from p on either side, so only neighbours compete, and between
    two neighbours there is one border.

    Examples
    --------
    >>> from klcal.grids import Grid, inner_grid
    >>> [borders(inner_grid(3), rule).tolist() for rule in NEAREST]
    [[0.5], [0.5], [0.5]]
    >>> [round(float(borders(Grid([0.2, 0.5]), rule)[0]), 6) for rule in NEAREST]
    [0.35, 0.339036, 0.333333]
    """
    rule = _RULES[_checks.choice("nearest", nearest, _RULES)]
    require_interior(grid)
    return rule(grid.points[:-1], grid.points[1:])


def answers(p: npt.ArrayLike, grid: Grid, nearest: str = "kl") -> IntArray:
    """Return the indices of the grid points nearest to announced probabilities; ties go to the lower point.

    Parameters
    ----------
    p : array_like
        Announced probabilities.
    grid : Grid
        The forecasts, strictly inside (0, 1).
    nearest : {"euclid", "kl", "chi-square"}
        As for `borders`.

    Returns
    -------
    ndarray of int64
        Indices, of the shape of `p`.

    Examples
    --------
    >>> from klcal.grids import Grid
    >>> answers([0.0, 0.335, 0.345, 1.0], Grid([0.2, 0.5]), "euclid").tolist()
    [0, 0, 0, 1]
    >>> answers([0.0, 0.335, 0.345, 1.0], Grid([0.2, 0.5]), "chi-square").tolist()
    [0, 1, 1, 1]
    """
    announced = _checks.probabilities("p", p)
    return np.asarray(np.searchsorted(borders(grid, nearest), announced, side="left"), dtype=np.int64)
