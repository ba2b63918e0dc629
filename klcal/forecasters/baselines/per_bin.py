r"""A model that exists, repaired online: one forecaster in each bin of what the model says."""

from __future__ import annotations

from collections.abc import Callable
from math import asin, pi, sqrt

import numpy as np

from klcal import _checks
from klcal.forecasters.baselines.streaming import Plain
from klcal.forecasters.reduction import Forecaster


def _tree(rng: np.random.Generator) -> Plain:
    return Forecaster(rng=rng)


class OnePerBin:
    r"""Sort rounds into bins by a model's forecast, and let a forecaster of its own answer in each bin.

    On every path :math:`\mathsf{KLCal} \le \sum_q \mathsf{KLCal}_q` over the bins, and the log loss is at most that of
    the model, moved to one number in each bin, minus its calibration error plus :math:`\sum_q \mathsf{KLCal}_q`
    (``new:one-forecaster-per-bin``). With running means in the bins this is calibeating (``new:calibeating``).

    Parameters
    ----------
    make : callable, optional
        A function of a generator that returns a new forecaster with `predict` and `update`. By default the tree,
        which needs no horizon; ``lambda rng: RunningMean(prior=1)`` calibeats.
    bins : int
        How many bins, at least 1; they are equally wide in the angle :math:`\arcsin\sqrt p`.
    rng : None, int, Generator, ...
        Source of the draws; each bin gets a generator of its own.

    Examples
    --------
    >>> from klcal.forecasters.baselines import RunningMean
    >>> repair = OnePerBin(lambda rng: RunningMean(prior=1), bins=2)
    >>> [
    ...     (repair.predict(p), repair.update(y))
    ...     for p, y in ((0.9, 0), (0.9, 1), (0.1, 0))
    ... ]
    [(0.5, None), (0.3333333333333333, None), (0.5, None)]
    >>> repair
    OnePerBin(bins=2, after 3 rounds)
    """

    def __init__(
        self,
        make: Callable[[np.random.Generator], Plain] = _tree,
        *,
        bins: int = 10,
        rng: np.random.Generator | int | None = None,
    ) -> None:
        number = _checks.integer("bins", bins, least=1)
        self.forecasters = tuple(make(each) for each in _checks.draws(rng).spawn(number))
        self.rounds = 0
        self._now: Plain | None = None

    def predict(self, forecast: float) -> float:
        """Return what to say in place of the model's `forecast`; `update` then tells the forecaster of this bin."""
        angle = asin(sqrt(_checks.probability("forecast", forecast)))
        self._now = self.forecasters[
            min(int(angle * 2 * len(self.forecasters) / pi), len(self.forecasters) - 1)
        ]
        return self._now.predict()

    def update(self, outcome: int) -> None:
        """End the round with the outcome 0 or 1."""
        if self._now is None:
            raise ValueError("predict must come before update, which tells the bin of this round")
        self._now.update(outcome)
        self._now = None
        self.rounds += 1

    def __repr__(self) -> str:
        return f"OnePerBin(bins={len(self.forecasters)}, after {self.rounds} rounds)"
