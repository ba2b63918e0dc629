"""Every forecaster under a name, made for a horizon."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from types import MappingProxyType

import numpy as np

from klcal import _checks
from klcal.forecasters.baselines.calibeating import Calibeating
from klcal.forecasters.baselines.internal import FastInternalRegret
from klcal.forecasters.baselines.neighbours import FastTwoNeighbours
from klcal.forecasters.baselines.rounded import FastRoundedBlumMansour
from klcal.forecasters.baselines.squared import FastSquaredBlumMansour
from klcal.forecasters.baselines.streaming import RunningMean, Streaming
from klcal.forecasters.reduction import GridForecaster, new_grid, new_reduction
from klcal.forecasters.rounds import Reduction
from klcal.forecasters.tree import FastTree
from klcal.grids import full_grid, resolution, uniform_grid

Seed = np.random.Generator | int | None


def internal_resolution(horizon: int) -> int:
    r"""Return the K that balances the bound of `InternalRegret`, :math:`\max(2, \lceil T^{1/6} \rceil)`.

    Parameters
    ----------
    horizon : int
        Number of rounds T, at least 1.

    Returns
    -------
    int

    Examples
    --------
    >>> internal_resolution(10), internal_resolution(4096)
    (2, 4)
    """
    T = _checks.integer("horizon", horizon, least=1)
    return next(K for K in count(2) if K**6 >= T)


def _ours(algorithm: str, horizon: int) -> Reduction:
    return new_reduction(new_grid(algorithm, resolution(horizon)), algorithm, "fast")


def _with_rounding(scheme: str, horizon: int) -> Reduction:
    return FastRoundedBlumMansour(full_grid(resolution(horizon)), scheme)


def _squared(horizon: int) -> Reduction:
    return FastSquaredBlumMansour(uniform_grid(resolution(horizon)))


def _neighbours(horizon: int) -> Reduction:
    return FastTwoNeighbours(uniform_grid(resolution(horizon)))


def _internal(horizon: int) -> Reduction:
    return FastInternalRegret(uniform_grid(internal_resolution(horizon)), horizon)


def _tree(horizon: int) -> Reduction:
    del horizon  # the tree needs none
    return FastTree("tree")


def _on_grid(make: Callable[[int], Reduction], horizon: int, rng: Seed) -> Streaming:
    return GridForecaster(make(_checks.integer("horizon", horizon, least=1)), rng)


def _mean(prior: float, horizon: int, rng: Seed) -> Streaming:
    _checks.integer("horizon", horizon, least=1)
    del rng  # nothing in the forecasts is random
    return RunningMean(prior)


def _calibeating(horizon: int, rng: Seed) -> Streaming:
    return Calibeating(_on_grid(partial(_ours, "paper"), horizon, rng), prior=1.0)


#: Name -> factory(horizon, rng). The first four are the algorithms of this book, the others those it is compared with.
FORECASTERS: Mapping[str, Callable[[int, Seed], Streaming]] = MappingProxyType(
    {
        "paper": partial(_on_grid, partial(_ours, "paper")),
        "realised": partial(_on_grid, partial(_ours, "realised")),
        "pair": partial(_on_grid, partial(_ours, "pair")),
        "tree": partial(_on_grid, _tree),
        "linear rounding": partial(_on_grid, partial(_with_rounding, "linear")),
        "nearest rounding": partial(_on_grid, partial(_with_rounding, "nearest")),
        "squared loss": partial(_on_grid, _squared),
        "two neighbours": partial(_on_grid, _neighbours),
        "internal regret": partial(_on_grid, _internal),
        "calibeating": _calibeating,
        "Laplace": partial(_mean, 1.0),
        "running mean": partial(_mean, 0.0),
    }
)
