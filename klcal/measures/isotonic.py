r"""Isotonic regression of outcomes on forecasts: what wrong numbers cost, without bins, and how to repair them.

Among all increasing functions h of the forecast one makes the mean loss of :math:`h(p)` least, the same one for every
proper loss: means of outcomes, pooled until they increase. With it a loss splits into *miscalibration*, what the best
increasing repair, known afterwards, would have saved; *discrimination*, what telling cases apart is worth; and
*uncertainty*, the loss of the base rate: loss = miscalibration - discrimination + uncertainty.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit, logit

from klcal._checks import FloatArray
from klcal.losses import ProperLoss, log, squared
from klcal.measures.cells import Cells, total_loss

# The least p-value is 1/1000, and the mean of perfect forecasts is known to 3 % of its spread.
_DRAWS, _SEED = 999, 0
# More distinct forecasts are pooled: for the split, and for the repair, which is fitted twice for each of them.
_MOST, _MOST_REPAIRED = 20_000, 2_000
# Sums of losses that are equal may differ by this much.
_SAME = 1e-9


def pooled(cells: Cells, most: int) -> Cells:
    """Return cells of which, if there are more than `most`, those of equal rank and angle, in steps, are one.

    The forecasts 0 and 1 stay alone, and cells without mass are left out.

    Examples
    --------
    >>> pooled(Cells([0.0, 0.5, 0.501], [1, 1, 1], [0, 1, 0]), most=2)
    Cells(points=array([0.    , 0.5005]), mass=array([1., 2.]), ones=array([0., 1.]))
    """
    c = cells.restricted()
    if len(c) <= most:
        return c
    rank = np.floor((np.cumsum(c.mass) - c.mass / 2.0) * (most / 2.0 / c.total))
    angle = np.floor(np.arcsin(np.sqrt(c.points)) * (most / np.pi)) + (c.points == 1.0)
    apart = (np.diff(rank) > 0) | (np.diff(angle) > 0) | (c.points[:-1] == 0.0)
    starts = np.flatnonzero(np.append(True, apart))
    last = np.append(starts[1:], len(c)) - 1
    mass, ones, sums = (np.add.reduceat(each, starts) for each in (c.mass, c.ones, c.mass * c.points))
    # A mean lies between the forecasts; its rounded sum may miss that by a last digit, and so may a sum of ones.
    points = np.minimum(np.maximum(sums / mass, c.points[starts]), c.points[last])
    return Cells(points, mass, np.minimum(ones, mass))


def increasing_fit(mass: FloatArray, ones: FloatArray) -> Any:
    """Return the best increasing function: `x` at each cell, and the `weights` of the `blocks` where it is constant.

    Examples
    --------
    >>> increasing_fit(np.array([1.0, 2.0, 1.0]), np.array([1.0, 0.0, 1.0])).x.round(
    ...     3
    ... )
    array([0.333, 0.333, 1.   ])
    """
    from scipy.optimize import isotonic_regression  # a tenth of a second, for those who ask only

    found = isotonic_regression(ones / mass, weights=mass)
    np.minimum(found.x, 1.0, out=found.x)  # sums of fractions are rounded
    return found


def _least_loss(mass: FloatArray, ones: FloatArray, *losses: ProperLoss) -> FloatArray:
    """Return the sums of losses of the best increasing function, which are entropies of its blocks."""
    fit = increasing_fit(mass, ones)
    means = fit.x[fit.blocks[:-1]]
    return np.array([fit.weights @ loss.entropy(means) for loss in losses])


class Tilt(NamedTuple):
    """The best line through log odds: logit(truth) = shift + slope logit(forecast)."""

    #: Above 0 if the forecasts are too low at 1/2.
    shift: float
    #: Below 1 if they are too sure. NaN, like the shift, if no line is the best one; 1 if they are all alike.
    slope: float
    #: The share of throws of perfect forecasts whose score is as large (Rao's, of shift 0 and slope 1).
    p_value: float


@dataclass(frozen=True, eq=False)
class Isotonic:
    """How much the best increasing repair would have saved, how much of it is chance, and what a repair will save.

    Parameters
    ----------
    made : Cells
        The forecasts as they were made. With more than 20,000 of them those of equal rank and angle are pooled.

    Examples
    --------
    >>> Isotonic(Cells([0.25, 0.75], [4, 4], [2, 2])).repaired_loss(squared)
    0.25
    """

    made: Cells

    @cached_property
    def _cells(self) -> Cells:
        return pooled(self.made, _MOST)

    @cached_property
    def impossible(self) -> int:
        """In how many rounds a forecast 0 met an outcome 1, or a forecast 1 an outcome 0."""
        c = self.made
        return int(c.ones[c.points == 0.0].sum() + c.zeros[c.points == 1.0].sum())

    def repaired_loss(self, loss: ProperLoss) -> float:
        """Return the mean loss of the best increasing function of the forecast."""
        return float(_least_loss(self._cells.mass, self._cells.ones, loss)[0]) / self.made.total

    @cached_property
    def _perfect(self) -> FloatArray:
        """What perfect forecasts have: a row for each time the coins are thrown, as `_seen` returns it."""
        c, rng = self._cells, np.random.default_rng(_SEED)
        n, found = c.mass.astype(np.int64), np.empty((_DRAWS, 3))
        for row in found:
            # A single flip is a hundred times faster.
            thrown = rng.random(len(n)) < c.points if n.max() == 1 else rng.binomial(n, c.points)
            row[:] = self._seen(thrown.astype(np.float64))
        return found

    def _seen(self, ones: FloatArray) -> FloatArray:
        """Return the two miscalibrations, sums over rounds, and the lean, if that many rounds had outcome 1."""
        c = self._cells
        wrong = self._losses(ones) - _least_loss(c.mass, ones, log, squared)
        return np.append(wrong, self._lean(ones))

    def _lean(self, ones: FloatArray) -> float:
        r"""Return Rao's score of the line of log odds: its slope at (0, 1), in standard deviations, squared."""
        X, inverse = self._line
        score = X @ (ones - self._cells.mass * self._cells.points)
        return float(score @ inverse @ score)

    @cached_property
    def _line(self) -> tuple[FloatArray, FloatArray]:
        """The factors of the line, 1 and the log odds of unsure forecasts, and the inverse variance of the score."""
        c = self._cells
        p = np.where(unsure := (c.points > 0.0) & (c.points < 1.0), c.points, 0.5)
        X = np.stack([np.ones_like(p), logit(p)]) * unsure
        return X, np.linalg.pinv((X * (c.mass * p * (1.0 - p))) @ X.T)

    def _share(self, column: int) -> float:
        """Return the share of all 1000 throws, the real one among them, that have as much."""
        found = self._perfect[:, column]
        seen = self._seen(self._cells.ones)[column]
        return float(1 + (found >= seen - _SAME * max(1.0, seen)).sum()) / (1 + _DRAWS)

    def _losses(self, ones: FloatArray) -> FloatArray:
        """Return the sums of the two losses, if that many rounds of each cell had outcome 1, and possible ones only."""
        (none, more), mass = self._costs, self._cells.mass
        return np.asarray(none @ mass + more @ ones)

    @cached_property
    def _costs(self) -> tuple[FloatArray, FloatArray]:
        """The two losses of a round with outcome 0, and how much more it is with outcome 1; none for sure forecasts."""
        p = self._cells.points
        unsure, rows = (p > 0.0) & (p < 1.0), np.zeros((2, 2, len(p)))
        for i, loss in enumerate((log, squared)):
            rows[0, i, unsure] = loss(p[unsure], 0)
            rows[1, i, unsure] = loss(p[unsure], 1) - rows[0, i, unsure]
        return rows[0], rows[1]

    @cached_property
    def of_perfect(self) -> dict[str, float]:
        """The mean miscalibration of perfect forecasts in both losses, over 999 throws of coins with these biases."""
        means = self._perfect.mean(axis=0) / self.made.total
        return {"log": float(means[0]), "squared": float(means[1])}

    @cached_property
    def p_value(self) -> float:
        """The share of all 1000 throws, the real one among them, with as much miscalibration in log loss.

        For perfect forecasts all throws are alike, so it is at most delta with probability at most delta. That is a
        mean over seeds: with the one seed of all reports a probability of 0.05 is off by 0.007, one standard deviation.
        If forecasts are pooled, each of their coins has the mean bias.
        """
        return 0.0 if self.impossible else self._share(0)

    @cached_property
    def tilt(self) -> Tilt:
        """The most likely line from the log odds of the forecasts to those of the truth, and its p-value."""
        return Tilt(*most_likely_line(self._cells), self._share(2))

    @cached_property
    def saving(self) -> tuple[float, float]:
        """What `venn_abers` saves in log loss on a round if it has learned from all others: mean, standard error.

        With outcome y it loses as much as the best increasing function of all rounds, and log(1 + p1 - p0) more.
        """
        if self.impossible:
            return math.inf, math.nan
        c = pooled(self.made, _MOST_REPAIRED)
        fit, saved = increasing_fit(c.mass, c.ones).x.tolist(), np.zeros((2, len(c)))
        for i, (p, q) in enumerate(zip(c.points.tolist(), fit, strict=True)):
            if c.zeros[i] > 0.0:
                saved[0, i] = math.log((1.0 - q) / (1.0 - p)) - math.log1p(max(_fit_if(c, i, 1.0) - q, 0.0))
            if c.ones[i] > 0.0:
                saved[1, i] = math.log(q / p) - math.log1p(max(q - _fit_if(c, i, -1.0), 0.0))
        mean, square = ((c.zeros @ saved[0] ** k + c.ones @ saved[1] ** k) / c.total for k in (1, 2))
        variance = max(square - mean**2, 0.0)
        mean += (total_loss(self.made) - total_loss(c)) / c.total  # pooling moved forecasts a little
        return float(mean), math.sqrt(variance / c.total)


def _fit_if(cells: Cells, i: int, more: float) -> float:
    """Return the fit at cell i if so many of its zeros had been ones."""
    ones = cells.ones.copy()
    ones[i] += more
    return float(increasing_fit(cells.mass, ones).x[i])


def venn_abers(cells: Cells) -> tuple[FloatArray, FloatArray]:
    r"""Return the repair that never says 0 or 1, a function with steps.

    A new row is put among the old ones, once as a 0 and once as a 1. If isotonic regression gives it :math:`p_0` and
    :math:`p_1`, it gets :math:`q = p_1 / (1 - p_0 + p_1)`, whose log loss is that of :math:`p_y`, and
    :math:`\log(1 + p_1 - p_0)` more, for both outcomes y.

    Parameters
    ----------
    cells : Cells
        The old rows. With more than 2,000 distinct forecasts those of equal rank and angle are pooled.

    Returns
    -------
    points, said : ndarray, shape (n,) and (2 n + 1,)
        ``said[2 i]`` holds between ``points[i - 1]`` and ``points[i]``, and ``said[2 i + 1]`` at ``points[i]``.

    Examples
    --------
    >>> venn_abers(Cells([0.5], [2], [1]))
    (array([0.5]), array([0.4, 0.5, 0.6]))
    """
    c, said = pooled(cells, _MOST_REPAIRED), []
    for place in range(2 * len(c) + 1):
        i, there = divmod(place, 2)
        mass, ones = (each.copy() if there else np.insert(each, i, 0.0) for each in (c.mass, c.ones))
        mass[i] += 1.0
        p0 = increasing_fit(mass, ones).x[i]
        ones[i] += 1.0
        p1 = increasing_fit(mass, ones).x[i]
        said.append(p1 / (1.0 - p0 + p1))
    return c.points, np.array(said)


def repaired(points: FloatArray, said: FloatArray, forecasts: FloatArray) -> FloatArray:
    """Look forecasts up in a repair.

    Examples
    --------
    >>> repaired(
    ...     *venn_abers(Cells([0.5], [2], [1])), np.array([0.2, 0.5, 1.0])
    ... ).round(3)
    array([0.4, 0.5, 0.6])
    """
    place = np.searchsorted(points, forecasts)
    there = np.append(points, np.nan)[place] == forecasts
    return np.asarray(said[2 * place + there])


def most_likely_line(cells: Cells) -> tuple[float, float]:
    """Return shift and slope of the line through log odds; rounds with the forecasts 0 and 1 are left out.

    Examples
    --------
    Said were 1/5 and 4/5, happened did 1/3 and 2/3: half of the log odds.

    >>> most_likely_line(Cells([0.2, 0.8], [3, 3], [1, 2]))[1].__round__(6)
    0.5
    """
    unsure = (cells.points > 0.0) & (cells.points < 1.0)
    x, n, k = logit(cells.points[unsure]), cells.mass[unsure], cells.ones[unsure]
    if not _overlap(x, n, k):
        return math.nan, math.nan if len(x) > 1 else 1.0
    X = np.stack([np.ones_like(x), x])[: min(len(x), 2)]  # the slope of a single forecast stays as it is
    still = x if len(x) == 1 else np.zeros_like(x)

    def lost(z: FloatArray) -> float:
        return float(n @ np.logaddexp(0.0, z) - k @ z)

    line = np.zeros(len(X))  # Newton's method from the flat line, where no forecast is too sure for it
    line[:1] = logit(k.sum() / n.sum()) - still[:1]
    for _ in range(100):
        q = expit(z := still + line @ X)
        step = np.linalg.lstsq((X * (n * q * (1.0 - q))) @ X.T, X @ (k - n * q))[0]
        while lost(z + step @ X) > lost(z) and np.abs(step).max() > 1e-12:
            step /= 2.0
        line = line + step
        if (np.abs(step) <= 1e-9).all():
            break
    return float(line[0]), float([*line, 1.0][1])


def _overlap(x: FloatArray, n: FloatArray, k: FloatArray) -> bool:
    """Say whether a best line exists: no border has all zeros on one side of it and all ones on the other."""
    zeros, ones = x[k < n], x[k > 0.0]
    mixed = len(zeros) > 0 and len(ones) > 0
    return mixed and (len(x) == 1 or bool(zeros.max() > ones.min() and ones.max() > zeros.min()))
