r"""The states of the game: how often each grid point met each outcome.

What a forecaster on m points will owe at the end depends on the past only through the 2m counts of zeros and ones per
point. After t rounds there are :math:`\binom{t+2m-1}{2m-1}` of them, numbered as `klcal._kernels.minimax` explains.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import comb
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray, IntArray
from klcal.measures import cell_regrets

# What one call may spend on the values of states, unless told otherwise: 2 GiB.
MEMORY = 2**31


@dataclass(frozen=True)
class StateSpace:
    r"""All count vectors of up to `horizon` rounds on `points` grid points.

    Parameters
    ----------
    points : int
        Number m of grid points, at least 1.
    horizon : int
        Number T of rounds, at least 1.

    Examples
    --------
    >>> space = StateSpace(points=3, horizon=24)
    >>> space.size(1), space.size(24), space.total
    (6, 118755, 593775)
    """

    points: int
    horizon: int

    def __post_init__(self) -> None:
        _checks.integer("points", self.points, least=1)
        _checks.integer("T", self.horizon, least=1)

    def size(self, rounds: int) -> int:
        """Return the number of states after this many rounds."""
        return comb(rounds + 2 * self.points - 1, rounds)

    @property
    def total(self) -> int:
        """The number of states of all layers together."""
        return comb(self.horizon + 2 * self.points, self.horizon)

    @cached_property
    def steps(self) -> IntArray:
        r"""How far the rank moves with each partial sum of the counts: entry (j, s) is :math:`\binom{s+j}j`."""
        rows = range(2 * self.points - 1)
        return np.array([[comb(s + j, j) for s in range(self.horizon + 1)] for j in rows], dtype=np.int64)

    def require(self, states: int, memory: int) -> None:
        """Raise unless `states` values of eight bytes each fit into `memory` bytes."""
        memory = _checks.integer("memory", memory, least=1)
        if 8 * states > memory:
            raise ValueError(
                f"memory must hold the values of {states} states ({8 * states} bytes) "
                f"for {self.points} points and {self.horizon} rounds; got {memory}"
            )

    def checked(self, counts: npt.ArrayLike, *, most: int | None = None) -> IntArray:
        """Return counts by outcome and point, shape (2, m), as integers that add up to at most `most` rounds."""
        array = _checks.nonnegative("counts", counts, ndim=2)
        if array.shape != (2, self.points):
            raise ValueError(f"counts must have shape (2, {self.points}); got {array.shape}")
        whole = _checks.whole("counts", array)
        limit = self.horizon if most is None else most
        if whole.sum() > limit:
            raise ValueError(f"counts must add up to at most {limit} rounds; got {int(whole.sum())}")
        return whole

    def rank(self, counts: IntArray) -> int:
        """Return the number of a state within its layer; `counts` has shape (2, m)."""
        sums = np.cumsum(counts.T.ravel())[:-1].tolist()
        return sum(comb(s + j, j + 1) for j, s in enumerate(sums))

    def children(self, counts: IntArray) -> IntArray:
        """Return the ranks of the states that follow, shape (m, 2): entry (i, y) after point i met outcome y."""
        sums = np.cumsum(counts.T.ravel())[:-1]
        moved = np.cumsum(self.steps[np.arange(len(sums)), sums][::-1])[::-1]
        return (self.rank(counts) + np.append(moved, 0)).reshape(self.points, 2)


def _kl(zeros: FloatArray, ones: FloatArray, z: float) -> FloatArray:
    return cell_regrets(z, ones, zeros)


def _squared(zeros: FloatArray, ones: FloatArray, z: float) -> FloatArray:
    mass = zeros + ones
    return np.asarray((mass * z - ones) ** 2 / np.maximum(mass, 1.0))


#: What can be played for: KL-calibration, or l2 calibration, which is the swap regret of the squared loss.
MEASURES: Mapping[str, Callable[[FloatArray, FloatArray, float], FloatArray]] = MappingProxyType(
    {"kl": _kl, "squared": _squared}
)


def cost_table(grid_points: FloatArray, horizon: int, measure: str) -> FloatArray:
    r"""Return what each grid point adds to the measure, by its counts of zeros and ones.

    Parameters
    ----------
    grid_points : ndarray, shape (m,)
        The forecasts z.
    horizon : int
        Largest count.
    measure : {"kl", "squared"}
        :math:`n\,\mathsf{KL}(\rho, z)` or :math:`n(\rho - z)^2`, with n rounds of mean :math:`\rho`.

    Returns
    -------
    ndarray, shape (m, horizon + 1, horizon + 1)
        Entry (i, a, b) after a zeros and b ones; infinite where a forecast 0 met a one or a forecast 1 a zero.

    Examples
    --------
    >>> cost_table(np.array([0.5]), 1, "squared")
    array([[[0.  , 0.25],
            [0.25, 0.  ]]])
    """
    cost = MEASURES[_checks.choice("measure", measure, MEASURES)]
    zeros, ones = np.arange(horizon + 1.0)[:, np.newaxis], np.arange(horizon + 1.0)
    return np.stack([cost(zeros, ones, float(z)) for z in grid_points])
