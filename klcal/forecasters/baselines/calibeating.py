r"""Calibeating in the sense of Foster and Hart: replace a forecast by the mean of the outcomes that followed it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray
from klcal.forecasters.baselines.streaming import Given, Streaming, smoothed_mean
from klcal.grids import Grid


class Calibeating:
    r"""Recalibrate somebody else's forecasts online.

    In each round the base forecasts p; what comes out is the mean of the outcomes of all earlier rounds in which the
    base's forecast was in the same bin, :math:`(k_b + a)/(n_b + 2a)`.

    Parameters
    ----------
    base : Streaming
        Whose forecasts to use: anything with `grid`, `mixture`, `predict` and `update`. It is told all outcomes.
    bins : int, optional
        Number of bins of equal width; by default every distinct forecast of the base is a bin.
    prior : float
        The number a of imaginary ones, and of imaginary zeros, in every bin. With 0 an empty bin repeats the base.

    Notes
    -----
    For every sequence, with 0 the squared loss is at most that of knowing each bin's mean beforehand (the refinement
    score of the base) plus :math:`\sum_b (1 + \log n_b)` over the bins in use; with 1 the log loss is at most its
    counterpart plus :math:`\sum_b \log(n_b + 1)`. So the base is beaten by nearly its whole calibration error. The
    output itself need not be calibrated: it takes many values, each a few times.

    Examples
    --------
    >>> better = Calibeating(Given([0.9, 0.9, 0.9, 0.1]))
    >>> [(better.predict(), better.update(y)) for y in (0, 1, 0, 1)]
    [(0.9, None), (0.0, None), (0.5, None), (0.1, None)]
    """

    def __init__(self, base: Streaming, *, bins: int | None = None, prior: float = 0.0) -> None:
        self.base = base
        self._bins = None if bins is None else _checks.integer("bins", bins, least=1)
        self._prior = _checks.real("prior", prior, least=0.0)
        self._counts: dict[float, list[int]] = {}
        self._now: tuple[FloatArray, FloatArray] | None = None

    def __repr__(self) -> str:
        return f"Calibeating({self.base!r}, bins={self._bins}, prior={self._prior:g})"

    @property
    def grid(self) -> Grid:
        """What can come out in this round: the means of the bins in which the base may forecast."""
        return Grid(self._distribution()[0], "means of the bins")

    def mixture(self) -> FloatArray:
        """Return the distribution of this round's forecast over `grid`."""
        return self._distribution()[1].copy()

    def predict(self) -> float:
        """Return the mean of the bin of the base's forecast."""
        return self._mean(self.base.predict())

    def update(self, outcome: int) -> None:
        """End the round: count the outcome in its bin, and tell the base."""
        y = _checks.outcome("outcome", outcome)
        self._counts.setdefault(self._bin(self.base.predict()), [0, 0])[y] += 1
        self.base.update(y)
        self._now = None

    def _distribution(self) -> tuple[FloatArray, FloatArray]:
        """Return the possible outputs, increasing, and their probabilities."""
        if self._now is None:
            base = self.base.mixture()
            support = np.flatnonzero(base)
            merged: dict[float, float] = {}
            for p, weight in zip(
                self.base.grid.points[support].tolist(), base[support].tolist(), strict=True
            ):
                merged[self._mean(p)] = merged.get(self._mean(p), 0.0) + weight
            outputs = sorted(merged)
            self._now = np.array(outputs), np.array([merged[output] for output in outputs])
        return self._now

    def _bin(self, p: float) -> float:
        return p if self._bins is None else float(min(int(p * self._bins), self._bins - 1))

    def _mean(self, p: float) -> float:
        zeros, ones = self._counts.get(self._bin(p), (0, 0))
        return smoothed_mean(ones, zeros, self._prior, empty=p)


def calibeat(
    forecasts: npt.ArrayLike, outcomes: npt.ArrayLike, *, bins: int | None = None, prior: float = 0.0
) -> FloatArray:
    """Return given forecasts, recalibrated online by `Calibeating`.

    Parameters
    ----------
    forecasts : array_like, shape (T,)
        Numbers in [0, 1].
    outcomes : array_like, shape (T,)
        The outcome of each round, 0 or 1. Round t uses those of earlier rounds only.
    bins, prior
        As for `Calibeating`.

    Returns
    -------
    ndarray, shape (T,)
        The new forecasts.

    Examples
    --------
    >>> calibeat([0.9, 0.9, 0.9, 0.1], [0, 1, 0, 1])
    array([0.9, 0. , 0.5, 0.1])
    """
    y = _checks.outcomes("outcomes", outcomes)
    p = _checks.probabilities("forecasts", forecasts, ndim=1)
    _checks.same_length("outcomes", y, "forecasts", p)
    better = Calibeating(Given(p), bins=bins, prior=prior)
    new = np.empty(len(p))
    for t, outcome in enumerate(y.tolist()):
        new[t] = better.predict()
        better.update(outcome)
    return new
