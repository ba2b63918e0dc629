r"""What chance alone does to cells: every outcome a coin whose bias is the forecast that was really made.

Forecasts are often rounded, or sorted into bins, before they are measured. Perfect forecasts are then no longer
perfect: the coins of a cell have the biases :math:`p_t` of its rounds, and not that of the point at which the cell is
placed. The number of ones in a cell is a sum of unequal coins,

.. math:: B_c = \sum_{t \in c} \mathrm{Bernoulli}(p_t), \qquad
          \mathsf{KLCal} = \sum_c n_c\,\mathsf{KL}\bigl(B_c/n_c,\ z_c\bigr),

and its distribution is computed here, not simulated. Everything is conditional on the forecasts. For forecasts that
depend on earlier outcomes this is a yardstick and not a test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln, xlog1py, xlogy

from klcal import _checks
from klcal._checks import FloatArray, IntArray
from klcal.losses import log
from klcal.measures.cells import Cells

# Coins that are added up one by one, in all blocks at the same time; then blocks are merged in pairs.
_BLOCK = 64
# Less likely numbers of ones are left out.
_NEVER = 1e-30
# So many possible KLCal are added up one by one. Otherwise a KLCal is cut into steps for its tail, which blur too much
# if there are more cells than the last number.
_FEW_SUMS = 2**16
_STEPS = 2048
MOST_EXACT = 10_000
# For each possible number of ones of some cells: index of the cell, number, probability.
Part = tuple[IntArray, IntArray, FloatArray]


@dataclass(frozen=True, eq=False)
class Band:
    """Between which frequencies of ones a forecast is consistent with its outcomes.

    Parameters
    ----------
    lower, upper : ndarray, shape (n,)
        Ends of the interval of each cell.
    """

    lower: FloatArray
    upper: FloatArray


def _tail(level: float) -> float:
    """Return half of what a central interval leaves out."""
    share = _checks.probability("level", level)
    if share in (0.0, 1.0):
        raise ValueError(f"level must lie strictly between 0 and 1; got {level!r}")
    return (1.0 - share) / 2.0


@dataclass(frozen=True, eq=False)
class Coins:
    """The possible numbers of ones of every cell, and their probabilities.

    Parameters
    ----------
    points, mass : ndarray, shape (n,)
        Where the cells are, and how many rounds each has.
    cell, ones, chances : ndarray, shape (m,)
        One entry for each cell and each number of ones that can happen there: the index of the cell, increasing; the
        number; its probability.

    Examples
    --------
    Two coins of biases 1/4 and 3/4, in one cell at 1/2:

    >>> coins = Coins.from_forecasts([0.25, 0.75], [0.5, 0.5])
    >>> coins.ones, coins.chances
    (array([0, 1, 2]), array([0.1875, 0.625 , 0.1875]))
    """

    points: FloatArray
    mass: IntArray
    cell: IntArray
    ones: IntArray
    chances: FloatArray

    @classmethod
    def of_cells(cls, cells: Cells) -> Coins:
        """Return the coins of forecasts that are measured as they are: binomial numbers of ones.

        Parameters
        ----------
        cells : Cells
            Realised cells; their ones are not used, nor are cells without mass.

        Examples
        --------
        >>> Coins.of_cells(Cells([0.25], [2], [0])).chances
        array([0.5625, 0.375 , 0.0625])
        """
        _checks.nonempty("cells with mass", cells.restricted().mass)
        _checks.refuse("mass", "be at most 10**12 for exact chances", cells.mass, cells.mass > 1e12)
        mass = _checks.whole("mass", cells.mass)
        used = mass > 0
        points, mass = cells.points[used], mass[used]
        return cls._joined(points, mass, _binomials(np.arange(len(mass)), points, mass))

    @classmethod
    def from_forecasts(cls, forecasts: npt.ArrayLike, rounded: npt.ArrayLike | None = None) -> Coins:
        """Return the coins of forecasts that are measured after some rounding.

        Parameters
        ----------
        forecasts : array_like, shape (T,)
            The forecasts as they were made: the biases of the coins.
        rounded : array_like, shape (T,), optional
            The same forecasts as they are measured; equal numbers share a cell. By default nothing is rounded.

        Examples
        --------
        >>> Coins.from_forecasts([0.5, 0.5]).chances
        array([0.25, 0.5 , 0.25])
        """
        p = _checks.probabilities("forecasts", forecasts, ndim=1)
        _checks.nonempty("forecasts", p)
        if rounded is None:
            return cls.of_cells(Cells.from_forecasts(p, np.zeros(len(p), dtype=np.uint8)))
        z = _checks.probabilities("rounded", rounded, ndim=1)
        _checks.same_length("rounded", z, "forecasts", p)
        order = np.argsort(z, kind="stable")
        starts = np.concatenate([[0], np.flatnonzero(np.diff(z[order])) + 1])
        ends = np.append(starts[1:], len(p))
        p, points = p[order], z[order][starts] + 0.0
        unlike = np.minimum.reduceat(p, starts) < np.maximum.reduceat(p, starts)
        alike, mixed = np.flatnonzero(~unlike), np.flatnonzero(unlike)
        parts = _binomials(alike, p[starts][alike], (ends - starts)[alike])
        parts += _unequal_coins(mixed, p, starts[mixed], ends[mixed])
        return cls._joined(points, ends - starts, parts)

    @classmethod
    def _joined(cls, points: FloatArray, mass: IntArray, parts: Sequence[Part]) -> Coins:
        if len(parts) == 1:
            return cls(points, mass, *parts[0])
        cell, ones, chances = (np.concatenate(column) for column in zip(*parts, strict=True))
        order = np.argsort(cell, kind="stable")
        return cls(points, mass, cell[order], ones[order], chances[order])

    @cached_property
    def _parts(self) -> list[slice]:
        """Where the entries of each cell are."""
        ends = np.searchsorted(self.cell, np.arange(len(self.points) + 1))
        return [slice(start, stop) for start, stop in pairwise(ends.tolist())]

    @cached_property
    def _costs(self) -> FloatArray:
        """What each entry adds to KLCal."""
        return _costs(self.points[self.cell], self.mass[self.cell], self.ones)

    @property
    def kl_mean(self) -> float:
        """The mean of KLCal; a narrow, well used cell adds about 1/2 if placed at the mean of its forecasts."""
        return float(self.chances @ self._costs)

    @property
    def kl_spread(self) -> float:
        """The standard deviation of KLCal; the cells are independent."""
        if np.isinf(self._costs).any():
            return float("inf")
        mean = np.bincount(self.cell, self.chances * self._costs)
        return float(np.sqrt(self.chances @ (self._costs - mean[self.cell]) ** 2))

    def mean_error(self, order: float = 1.0) -> float:
        r"""Return the mean of :math:`\mathsf{Cal}_q`, a sum over rounds, for q = `order`.

        Examples
        --------
        Two fair coins are off by 1/2 each when they show the same side:

        >>> Coins.from_forecasts([0.5, 0.5]).mean_error()
        0.5
        """
        mass = self.mass[self.cell]
        return float(self.chances @ (mass * np.abs(self.points[self.cell] - self.ones / mass) ** order))

    def kl_tail(self, cells: Cells) -> float:
        """Return the probability that KLCal is at least that of `cells`.

        Parameters
        ----------
        cells : Cells
            Realised cells with these points and masses.

        Returns
        -------
        float
            Exact, up to the rounding of floats, if KLCal has at most 65,536 possible values. With more of them the
            contribution of each cell is rounded to 1/2048 of the total. More than 10,000 cells are refused.

        Examples
        --------
        Two fair coins show the same side with probability 1/2, and that is the worst that they can do:

        >>> Coins.from_forecasts([0.5, 0.5]).kl_tail(Cells([0.5], [2], [2]))
        0.5
        """
        used = cells.restricted()
        if not (np.array_equal(used.points, self.points) and np.array_equal(used.mass, self.mass)):
            raise ValueError(f"cells must have the points and masses of the coins; got {len(used)} cells")
        if len(used) > MOST_EXACT:
            raise ValueError(
                f"cells must be at most {MOST_EXACT} for an exact tail; got {len(used)}. Use bins"
            )
        seen = _costs(used.points, used.mass, used.ones)
        total = float(seen.sum())
        if total == 0.0:
            return 1.0
        if not np.isfinite(total):
            return self._infinite()
        if np.log(np.bincount(self.cell)).sum() <= np.log(_FEW_SUMS):
            return self._tail_of_all_sums(total)
        step = total / _STEPS
        goal = int(np.rint(seen / step).sum())
        steps = np.minimum(np.rint(self._costs / step), goal).astype(np.int64)
        below, reached = np.ones(1), 0.0  # probabilities of 0, 1, ... steps, and of the goal
        for each in self._parts:
            part = np.bincount(steps[each], self.chances[each])
            # Sums of positive numbers only, so that small probabilities keep their digits.
            at_least = np.append(np.cumsum(part[::-1])[::-1], 0.0)
            missing = np.minimum(goal - np.arange(len(below)), len(part))
            reached += float(below @ at_least[missing])
            below = np.convolve(below, part)[:goal]
        return min(reached, 1.0)

    def _tail_of_all_sums(self, total: float) -> float:
        sums, chances = np.zeros(1), np.ones(1)
        for part in self._parts:
            sums = np.add.outer(sums, self._costs[part]).ravel()
            chances = np.multiply.outer(chances, self.chances[part]).ravel()
        # Equal sums may differ in their last digits.
        return min(float(chances[sums >= total * (1.0 - 1e-12)].sum()), 1.0)

    def _infinite(self) -> float:
        """Return the probability of an infinite KLCal."""
        each = np.bincount(self.cell, np.where(np.isinf(self._costs), self.chances, 0.0))
        return float(-np.expm1(np.log1p(-each).sum())) + 0.0

    def band(self, level: float = 0.95) -> Band:
        r"""Return for each cell the central interval of the frequency of ones, :math:`B_c/n_c`.

        Parameters
        ----------
        level : float
            Probability of the interval, strictly between 0 and 1.

        Examples
        --------
        >>> band = Coins.from_forecasts([0.25, 0.75], [0.5, 0.5]).band(0.5)
        >>> band.lower, band.upper
        (array([0.5]), array([0.5]))
        """
        tail = _tail(level)
        lower, upper = np.empty(len(self.points)), np.empty(len(self.points))
        for i, part in enumerate(self._parts):
            ones, chances = self.ones[part], self.chances[part]
            # The largest k with P(B < k) <= tail, and the smallest with P(B > k) <= tail.
            lower[i] = ones[np.flatnonzero(np.cumsum(chances) - chances <= tail)[-1]]
            above = np.cumsum(chances[::-1])[::-1] - chances
            upper[i] = ones[np.flatnonzero(above <= tail)[0]]
        return Band(lower / self.mass, upper / self.mass)


def _costs(points: FloatArray, mass: npt.NDArray[Any], ones: npt.NDArray[Any]) -> FloatArray:
    """Return what cells add to KLCal; one round adds its log loss, which is faster to compute."""
    if (mass == 1).all():
        return np.asarray(log(points, ones))
    return np.asarray(mass * log.divergence(ones / mass, points))


def _binomial_chances(n: int, ones: IntArray, bias: FloatArray) -> FloatArray:
    """Return the probabilities of numbers of ones among n flips of a coin; the bias broadcasts with them."""
    if n == 1:
        return np.where(ones == 1, bias, 1.0 - bias)
    ways = gammaln(n + 1.0) - gammaln(ones + 1.0) - gammaln(n - ones + 1.0)
    return np.asarray(np.exp(ways + xlogy(ones, bias) + xlog1py(n - ones, -bias)))


def _binomials(cells: IntArray, points: FloatArray, mass: IntArray) -> list[Part]:
    """Return the numbers of ones of cells with equal coins: all cells of the same small mass at once."""
    parts = []
    for n in np.unique(mass).tolist():
        same = np.flatnonzero(mass == n)
        for some in (same,) if n <= _BLOCK else same[:, None]:
            p = points[some][:, None]
            # Twelve standard deviations, and some more for rare ones.
            around, away = n * float(p[0, 0]), 12.0 * (n * float(p[0, 0] * (1.0 - p[0, 0]))) ** 0.5 + 40.0
            low, high = (0, n) if n <= _BLOCK else (max(0, int(around - away)), min(n, int(around + away)))
            ones = np.arange(low, high + 1)
            chances = _binomial_chances(n, ones, p)
            if n > 1:
                chances /= chances.sum(axis=1, keepdims=True)  # what rounding and the window left out
            likely = chances > _NEVER
            numbers = np.broadcast_to(ones, chances.shape)[likely]
            parts.append((np.repeat(cells[some], likely.sum(axis=1)), numbers, chances[likely]))
    return parts


def _unequal_coins(cells: IntArray, biases: FloatArray, starts: IntArray, ends: IntArray) -> list[Part]:
    """Return the numbers of ones of cells with unequal coins; the coins of cell i are those from start to end."""
    # Cut into blocks: those of about the same length are added up together.
    number = -(-(ends - starts) // _BLOCK)
    first = np.append(0, np.cumsum(number))
    owner = np.repeat(np.arange(len(cells)), number)
    begin = starts[owner] + _BLOCK * (np.arange(first[-1]) - first[owner])
    length = np.minimum(ends[owner] - begin, _BLOCK)
    parts: list[Part] = []
    rows: dict[int, FloatArray] = {}
    for width in (2**k for k in range(_BLOCK.bit_length())):
        some = np.flatnonzero((length <= width) & (2 * length > width))
        chances = _added_up(biases, begin[some], length[some], width)
        alone = number[owner[some]] == 1
        row, column = np.nonzero(chances[alone] > _NEVER)
        parts.append((cells[owner[some[alone]]][row], column, chances[alone][row, column]))
        rows |= zip(some[~alone].tolist(), chances[~alone], strict=True)
    for i in np.flatnonzero(number > 1).tolist():
        least, found = _merged([_likely(0, rows[block]) for block in range(first[i], first[i + 1])])
        parts.append((np.full(len(found), cells[i]), np.arange(least, least + len(found)), found))
    return parts


def _added_up(biases: FloatArray, begin: IntArray, length: IntArray, width: int) -> FloatArray:
    """Return a row of probabilities of 0, 1, ..., `width` ones for each block of coins."""
    chances = np.zeros((len(begin), width + 1))
    chances[:, 0] = 1.0
    for j in range(width):
        there = j < length
        p = np.where(there, biases[begin + np.where(there, j, 0)], 0.0)[:, None]  # bias 0 adds nothing
        more = chances[:, : j + 1] * p
        chances[:, : j + 1] *= 1.0 - p
        chances[:, 1 : j + 2] += more
    return chances


def _merged(sums: list[tuple[int, FloatArray]]) -> tuple[int, FloatArray]:
    """Return the distribution of a sum of independent numbers, merged in pairs."""
    while len(sums) > 1:
        pairs = zip(sums[::2], sums[1::2], strict=False)
        rest = sums[-1:] if len(sums) % 2 else []
        sums = [_likely(a + b, np.convolve(left, right)) for (a, left), (b, right) in pairs] + rest
    return sums[0]


def _likely(first: int, chances: FloatArray) -> tuple[int, FloatArray]:
    """Leave out the ends that never happen."""
    likely = np.flatnonzero(chances > _NEVER)
    return first + int(likely[0]), chances[likely[0] : likely[-1] + 1]
