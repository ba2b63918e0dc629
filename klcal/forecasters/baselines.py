r"""The other forecasters of the paper's story, with the same verbs as `klcal.Forecaster`.

On a grid, compiled: the squared-loss algorithm that the paper builds on (`FastSquaredBlumMansour`), Foster's two
neighbours (`FastTwoNeighbours`), and the classic reduction from internal regret (`FastInternalRegret`). Without a grid:
the mean of all outcomes so far, plain or as Laplace's rule (`RunningMean`), and the recalibration of somebody else's
forecasts (`Calibeating`, `OnePerBin`). ``FORECASTERS`` makes them, and the book's own algorithms, from a horizon and a
seed.

Every class says where it comes from, what it promises and what it does not.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from math import asin, pi, sqrt
from types import MappingProxyType
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray
from klcal._kernels import internal_regret, two_neighbours
from klcal._kernels.elementary import ln
from klcal.forecasters.algorithm_1 import FastBlumMansour, weighted_mean
from klcal.forecasters.rounds import CompiledReduction, Reduction
from klcal.forecasters.stream import Forecaster, GridForecaster, reduction_for
from klcal.forecasters.tree import FastTree
from klcal.grids import Grid, full_grid, linear_rounding, nearest_rounding, resolution, uniform_grid


@runtime_checkable
class Streaming(Protocol):
    """A forecaster in one round: a distribution over `grid`, a forecast drawn from it, then the outcome."""

    @property
    def grid(self) -> Grid:
        """The forecasts that are possible in this round."""

    def mixture(self) -> FloatArray:
        """Return the distribution of this round's forecast over `grid`."""

    def predict(self) -> float:
        """Return this round's forecast; asking again gives the same."""

    def update(self, outcome: int) -> None:
        """End the round with the outcome 0 or 1."""


@runtime_checkable
class Plain(Protocol):
    """The least that a forecaster of your own must do: say a number in [0, 1], and be told the outcome."""

    def predict(self) -> float:
        """Return this round's forecast; asking again gives the same."""

    def update(self, outcome: int) -> None:
        """End the round with the outcome 0 or 1."""


class Deterministic(ABC):
    """A forecaster without chance: its grid has a single point in each round."""

    #: What its grid is called.
    _called: str

    @abstractmethod
    def predict(self) -> float:
        """Return this round's forecast; asking again gives the same."""

    @property
    def grid(self) -> Grid:
        """The one forecast of this round."""
        return Grid([self.predict()], self._called)

    def mixture(self) -> FloatArray:
        """Return probability 1 for the one forecast of this round."""
        return np.ones(1)


class OneForecast(Deterministic):
    """A forecaster with `predict` and `update` only, as one whose grid has a single point in each round.

    Parameters
    ----------
    forecaster : Plain
        Who forecasts, without chance.

    Examples
    --------
    >>> OneForecast(RunningMean()).grid.points
    array([0.5])
    """

    _called = "one forecast"

    def __init__(self, forecaster: Plain) -> None:
        if not isinstance(forecaster, Plain):
            raise ValueError(f"forecaster must have the methods predict and update; got {forecaster!r}")
        self.forecaster = forecaster

    def predict(self) -> float:
        """Return this round's forecast."""
        return _checks.probability(f"forecast of {self.forecaster!r}", self.forecaster.predict())

    def update(self, outcome: int) -> None:
        """End the round with the outcome 0 or 1."""
        self.forecaster.update(outcome)


class RunningMean(Deterministic):
    r"""Forecast the mean of all outcomes so far, perhaps smoothed: :math:`(k + a)/(n + 2a)`.

    Parameters
    ----------
    prior : float
        The number a of imaginary ones, and of imaginary zeros. 0 is follow-the-leader, 1 is Laplace's rule.

    Notes
    -----
    Follow-the-leader has an external regret of at most :math:`1 + \log T` under the squared loss, but an infinite one
    under the log loss (outcomes 0, 1). Laplace's rule has at most :math:`\log(T + 1)` under the log loss. Neither is
    calibrated, and neither means to be: nearly every forecast is a new number, so that nearly every round is a cell
    of its own.

    Examples
    --------
    >>> mean, laplace = RunningMean(), RunningMean(prior=1)
    >>> mean.update(1), laplace.update(1)
    (None, None)
    >>> mean.predict(), laplace.predict()
    (1.0, 0.6666666666666666)
    """

    _called = "the mean so far"

    def __init__(self, prior: float = 0.0) -> None:
        self._prior = _checks.real("prior", prior, least=0.0)
        self._zeros = self._ones = 0

    def __repr__(self) -> str:
        return f"RunningMean(prior={self._prior:g}, after {self._zeros + self._ones} rounds)"

    def predict(self) -> float:
        """Return the mean of the outcomes so far, and 1/2 before the first if nothing is added to them."""
        return smoothed_mean(self._ones, self._zeros, self._prior, empty=0.5)

    def update(self, outcome: int) -> None:
        """End the round with the outcome 0 or 1."""
        if _checks.outcome("outcome", outcome):
            self._ones += 1
        else:
            self._zeros += 1

    def forecasts(self, outcomes: npt.ArrayLike) -> FloatArray:
        """Return the forecasts of a whole game that starts now, without playing it; the same bits as round by round.

        Parameters
        ----------
        outcomes : array_like of {0, 1}, shape (T,)
            What will happen.

        Returns
        -------
        ndarray, shape (T,)
            Forecast t uses the outcomes before t only.

        Examples
        --------
        >>> RunningMean(prior=1).forecasts([1, 1, 0])
        array([0.5       , 0.66666667, 0.75      ])
        """
        y = _checks.outcomes("outcomes", outcomes)
        ones = self._ones + np.cumsum(y, dtype=np.int64) - y
        mass = (self._ones + self._zeros + np.arange(len(y))) + 2.0 * self._prior
        return np.asarray(np.divide(ones + self._prior, mass, out=np.full(len(y), 0.5), where=mass > 0.0))


def smoothed_mean(ones: int, zeros: int, prior: float, *, empty: float) -> float:
    """Return the mean of some outcomes with `prior` ones and `prior` zeros added.

    Parameters
    ----------
    ones, zeros : int
        How many outcomes were 1, and 0.
    prior : float
        How many of each are added.
    empty : float
        What to return if there is nothing to average.

    Returns
    -------
    float

    Examples
    --------
    >>> smoothed_mean(1, 3, 0.0, empty=0.5), smoothed_mean(0, 0, 0.0, empty=0.25)
    (0.25, 0.25)
    """
    mass = (ones + zeros) + 2.0 * prior
    return (ones + prior) / mass if mass > 0.0 else empty


class Given(Deterministic):
    """Somebody else's forecasts, read out one by one.

    Parameters
    ----------
    forecasts : array_like, shape (T,)
        Numbers in [0, 1].

    Examples
    --------
    >>> given = Given([0.25, 0.75])
    >>> given.predict(), given.update(1), given.predict()
    (0.25, None, 0.75)
    """

    _called = "given"

    def __init__(self, forecasts: npt.ArrayLike) -> None:
        self._forecasts = _checks.probabilities("forecasts", forecasts, ndim=1)
        _checks.nonempty("forecasts", self._forecasts)
        self._round = 0

    def __repr__(self) -> str:
        return f"Given({len(self._forecasts)} forecasts, after {self._round} rounds)"

    def predict(self) -> float:
        """Return this round's forecast."""
        if self._round >= len(self._forecasts):
            raise ValueError(f"forecasts must reach to this round; got {len(self._forecasts)} of them")
        return float(self._forecasts[self._round])

    def update(self, outcome: int) -> None:
        """End the round; given forecasts do not learn."""
        _checks.outcome("outcome", outcome)
        self.predict()
        self._round += 1


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
    p, y = _checks.rounds(forecasts, outcomes)
    better = Calibeating(Given(p), bins=bins, prior=prior)
    new = np.empty(len(p))
    for t, outcome in enumerate(y.tolist()):
        new[t] = better.predict()
        better.update(outcome)
    return new


def _new_tree(rng: np.random.Generator) -> Plain:
    return Forecaster(rng=rng)


class OnePerBin:
    r"""Sort rounds into bins by a model's forecast, and let a forecaster of its own answer in each bin.

    On every path :math:`\mathsf{KLCal} \le \sum_q \mathsf{KLCal}_q` over the bins, and the log loss is at most that of
    the model, moved to one number in each bin, minus its calibration error plus :math:`\sum_q \mathsf{KLCal}_q`
    (``one-forecaster-per-bin``). With running means in the bins this is calibeating (``calibeating``).

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
        make: Callable[[np.random.Generator], Plain] = _new_tree,
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


def _require_ends(grid: Grid) -> None:
    """Refuse a grid that does not reach from 0 to 1: the rounding would not keep the mean."""
    for index, end in ((0, 0.0), (len(grid) - 1, 1.0)):
        if grid.points[index] != end:
            raise ValueError(
                f"grid must reach from 0 to 1; got {grid.points[index].item()!r} at index {index}"
            )


class FastSquaredBlumMansour(FastBlumMansour):
    r"""Blum-Mansour for the squared loss, the algorithm of Fishelson and others, compiled.

    Parameters
    ----------
    grid : Grid
        Where forecasts live, from 0 to 1, usually ``uniform_grid(K)``; one learner per point.

    Notes
    -----
    Learner i receives :math:`p_{t,i}(w - y_t)^2` and plays `weighted_mean`. Its regret is exactly
    :math:`\sum_t \frac{p_{t,i}^2}{S_{t,i}}(w_{t,i} - y_t)^2`, which is at most :math:`h(S_i)` with
    :math:`h(s) = s` up to 1 and :math:`1 + \log s` beyond. Rounding adds the variance of the rounded point, at most
    :math:`\frac{1}{4K^2}` on the uniform grid. Hence, on every path,

    .. math:: \mathsf{PCal}_2 \le \sum_i h(S_i) + \frac{T}{4K^2}.

    It says nothing about :math:`\mathsf{PKLCal}`: it does forecast 0 and 1, and a single wrong one is infinitely bad.
    The paper names no step size; :math:`1/2S_t` is the choice made here.

    Examples
    --------
    >>> from klcal.grids import uniform_grid
    >>> FastSquaredBlumMansour(uniform_grid(2)).mixture()
    array([0., 1., 0.])
    """

    def __init__(self, grid: Grid) -> None:
        _require_ends(grid)
        super().__init__(grid, rounding=linear_rounding, learner=weighted_mean)


def neighbour_mixture(counts: npt.ArrayLike) -> FloatArray:
    r"""Return the mixture of Foster's two-neighbour rule, a function of the counts alone.

    Let :math:`g_i = \rho_i - \frac iK` be the gap of point i, and 0 if it was never forecast. If some gap is zero, the
    lowest such point has probability 1. Otherwise :math:`g_0 > 0 > g_K`, so there is a lowest i with
    :math:`g_i > 0 > g_{i+1}`, and these two points are mixed with :math:`P_i g_i + P_{i+1} g_{i+1} = 0`.

    Parameters
    ----------
    counts : array_like, shape (2, K + 1)
        How often each point was forecast with outcome 0 (first row) and 1 (second row): whole numbers.

    Returns
    -------
    ndarray, shape (K + 1,)
        A distribution on one point or two neighbours.

    Examples
    --------
    >>> neighbour_mixture([[0, 0, 0], [0, 0, 0]])
    array([1., 0., 0.])
    >>> neighbour_mixture([[0, 2, 1], [1, 1, 0]]).round(4)  # gaps 1, -1/6, -1
    array([0.1429, 0.8571, 0.    ])
    """
    zeros, ones = _checks.whole("counts", _checks.by_outcome("counts", counts))
    K = len(ones) - 1
    # K k - i n has the sign of the gap, and whole numbers have no rounding errors.
    excess = K * ones - np.arange(K + 1) * (ones + zeros)
    mixture = np.zeros(K + 1)
    calibrated = np.flatnonzero(excess == 0)
    if len(calibrated):
        mixture[calibrated[0]] = 1.0
        return mixture
    gaps = excess / ((ones + zeros) * K)
    i = int(np.flatnonzero(excess < 0)[0]) - 1
    above, below = gaps[i], -gaps[i + 1]
    mixture[i], mixture[i + 1] = below / (above + below), above / (above + below)
    return mixture


def _require_uniform(grid: Grid) -> None:
    K = len(grid) - 1
    if K < 2 or grid != uniform_grid(K):
        raise ValueError(f"grid must be uniform from 0 to 1; got {grid!r}")


class FastTwoNeighbours(CompiledReduction):
    r"""Foster's two-neighbour forecaster, compiled.

    Parameters
    ----------
    grid : Grid
        ``uniform_grid(K)``.

    Notes
    -----
    The idea is that of Foster (1999); the probabilities are those of Foster and Hart's forecast hedging, which compares
    gaps and not gaps times counts. A forecast of i with outcome y changes :math:`n_i g_i^2` by

    .. math:: 2 g_i (y - z_i) - g_i^2 + \frac{(y - \rho_i)^2}{n_i + 1}.

    With :math:`a = g_i` and :math:`b = -g_{i+1}` the first two terms have the conditional mean
    :math:`ab\bigl(\frac{2}{K(a+b)} - 1\bigr) \le \frac1{4K^2}`, whatever y is. Hence, against every adversary that does
    not see the draw,

    .. math:: \mathbb E[\mathsf{Cal}_2] \le (K+1)\,h\Bigl(\frac T{K+1}\Bigr) + \frac T{4K^2}

    with h as in `FastSquaredBlumMansour`. Nothing is promised about KLCal: the first forecast is 0, and a wrong one
    is infinitely bad.

    Examples
    --------
    >>> FastTwoNeighbours(uniform_grid(2)).mixture()
    array([1., 0., 0.])
    """

    learns_from_draws = True
    _kernels = two_neighbours

    def __init__(self, grid: Grid) -> None:
        _require_uniform(grid)
        super().__init__(grid, two_neighbours.new_bank(grid.points))


def _learning_rate(horizon: int, points: int) -> float:
    return math.sqrt(8.0 * ln(float(points * (points - 1))) / horizon)


def _points(grid: Grid) -> int:
    if len(grid) < 2:
        raise ValueError(f"grid must have at least two points; got {grid!r}")
    return len(grid)


class FastInternalRegret(CompiledReduction):
    r"""Exponential weights on the internal regrets of the squared loss, compiled.

    Parameters
    ----------
    grid : Grid
        Where forecasts live, at least two points.
    horizon : int
        Number of rounds T that the learning rate is made for.

    Notes
    -----
    With weights :math:`\Delta_{ij} \propto \exp(\eta R_{ij})` on the pairs :math:`i \ne j` the mixture solves
    :math:`p_i \sum_j \Delta_{ij} = \sum_j p_j \Delta_{ji}`, and
    :math:`\eta = \sqrt{8 \log(n(n-1))/T}` for n points. This is the reduction in the manner of Foster and Vohra as
    Stoltz and Lugosi write it. On every path

    .. math:: \max_{i,j} R_{ij} \le \sqrt{\tfrac T2 \log(n(n-1))},

    and since the nearest point of the uniform grid is at most :math:`\frac1{2K}` away, PCal_2 is at most
    :math:`K + 1` times that plus :math:`\frac T{4K^2}`: with :math:`K \approx T^{1/6}` about :math:`T^{2/3}`, while the
    squared-loss algorithm has :math:`T^{1/3}`. The largest regret over pairs is small, but there are as many rows as
    points, and a swap function moves them all. Nothing is promised about PKLCal: 0 and 1 are forecast.

    Examples
    --------
    >>> from klcal.grids import uniform_grid
    >>> FastInternalRegret(uniform_grid(3), horizon=100).mixture()
    array([0.25, 0.25, 0.25, 0.25])
    """

    learns_from_draws = False
    _kernels = internal_regret

    def __init__(self, grid: Grid, horizon: int) -> None:
        rate = _learning_rate(_checks.integer("horizon", horizon, least=1), _points(grid))
        super().__init__(grid, internal_regret.new_bank(grid.points, rate))


Seed = np.random.Generator | int | None


def internal_resolution(horizon: int) -> int:
    r"""Return the K that balances the bound of `FastInternalRegret`, :math:`\max(2, \lceil T^{1/6} \rceil)`.

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
    return reduction_for(algorithm, None, resolution(horizon))


def _on_grid(name: str, horizon: int, rng: Seed) -> Streaming:
    return GridForecaster(_ON_GRIDS[name](_checks.integer("horizon", horizon, least=1)), rng)


def _mean(prior: float, horizon: int, rng: Seed) -> Streaming:
    _checks.integer("horizon", horizon, least=1)
    del rng  # nothing in the forecasts is random
    return RunningMean(prior)


def _calibeating(horizon: int, rng: Seed) -> Streaming:
    return Calibeating(_on_grid("paper", horizon, rng), prior=1.0)


# Factories know these by name: other processes cannot be sent a lambda.
_ON_GRIDS: dict[str, Callable[[int], Reduction]] = {
    "paper": partial(_ours, "paper"),
    "realised": partial(_ours, "realised"),
    "pair": partial(_ours, "pair"),
    "tree": lambda T: FastTree("tree"),  # noqa: ARG005
    "linear rounding": lambda T: FastBlumMansour(full_grid(resolution(T)), rounding=linear_rounding),
    "nearest rounding": lambda T: FastBlumMansour(full_grid(resolution(T)), rounding=nearest_rounding),
    "squared loss": lambda T: FastSquaredBlumMansour(uniform_grid(resolution(T))),
    "two neighbours": lambda T: FastTwoNeighbours(uniform_grid(resolution(T))),
    "internal regret": lambda T: FastInternalRegret(uniform_grid(internal_resolution(T)), T),
}
#: Name -> factory(horizon, rng). The first four are the algorithms of this book, the others those it is compared with.
FORECASTERS: Mapping[str, Callable[[int, Seed], Streaming]] = MappingProxyType(
    {
        **{name: partial(_on_grid, name) for name in _ON_GRIDS},
        "calibeating": _calibeating,
        "Laplace": partial(_mean, 1.0),
        "running mean": partial(_mean, 0.0),
    }
)
