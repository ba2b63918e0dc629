r"""Forecasts of a record of weather, made online in several ways, recalibrated and compared.

`klcal.forecasters.baselines.calibeat` answers in each bin with a running mean, `forecast_in_bins` with a forecaster.
Let the given forecasts q take finitely many values, with KLCal :math:`\sum_q n_q\,\mathsf{KL}(\rho_q, q)`, and let L
be the total log loss. Then, on every path (``one-forecaster-per-bin``, ``calibeating``),

.. math:: L(\text{one forecaster per bin}) &\le L(q) - \mathsf{KLCal}(q) + \sum_q \mathsf{KLCal}_q, \\
          L(\text{Laplace in each bin}) &\le L(q) - \mathsf{KLCal}(q) + \sum_q \log(n_q + 1),

where :math:`\mathsf{KLCal}_q` is that of the new forecasts in bin q.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray, OutcomeArray
from klcal.adversaries.oblivious import Seed
from klcal.book.experiments.datasets import Series
from klcal.book.experiments.models import climatology, online_logistic, sharpened, weather_features
from klcal.forecasters.baselines import calibeat
from klcal.games.play import Run, run
from klcal.grids import full_grid, resolution
from klcal.losses import log
from klcal.measures import Coins
from klcal.measures.cells import Cells, move_to_bin_means, round_to_grid

# Forecasts that are arbitrary numbers are measured in this many bins, each at its mean forecast.
MEASURED_IN = 20


@dataclass(frozen=True, eq=False)
class InBins:
    """What one forecaster per bin did with a whole record.

    Parameters
    ----------
    runs : tuple of Run
        The games of the bins, bins in increasing order.
    forecasts : ndarray, shape (T,)
        The drawn forecast of each round.
    losses : ndarray, shape (T,)
        The log loss of each round, averaged over its draw.
    """

    runs: tuple[Run, ...]
    forecasts: FloatArray
    losses: FloatArray

    @property
    def expected(self) -> Cells:
        """Expected cells of all bins together."""
        return Cells.merged(*(game.expected for game in self.runs))

    @property
    def realised(self) -> Cells:
        """Realised cells of all bins together."""
        return Cells.merged(*(game.realised for game in self.runs))


def forecast_in_bins(
    bins: npt.ArrayLike, outcomes: npt.ArrayLike, K: int | None, algorithm: str = "paper", rng: Seed = None
) -> InBins:
    """Play one forecaster in each bin, on the rounds of that bin.

    Parameters
    ----------
    bins : array_like, shape (T,)
        The bin of each round; equal numbers share a bin. A constant means a single forecaster for all rounds.
    outcomes : array_like of {0, 1}, shape (T,)
        The outcomes.
    K : int or None
        Number of cells of every grid, at least 2; None for the tree, which has no grid. The others cannot choose it
        themselves: how long a bin will be is not known before.
    algorithm : {"paper", "realised", "pair", "pair-expected", "tree"}
        See `klcal.Forecaster`.
    rng : None, int, Generator, ...
        Source of the draws; each bin gets a generator of its own.

    Returns
    -------
    InBins
        The same as feeding the rounds, one after the other, to ``Forecaster(K=K)`` objects, one per bin.

    Examples
    --------
    >>> games = forecast_in_bins([0.1, 0.9, 0.1], [0, 1, 0], K=2, rng=0)
    >>> len(games.runs), games.forecasts[:2], games.losses[0] == np.log(2)
    (2, array([0.5, 0.5]), np.True_)
    """
    members, y = _members(bins, outcomes)
    generators = np.random.default_rng(rng).spawn(len(members))
    runs = []
    forecasts, losses = np.empty(len(y)), np.empty(len(y))
    for rounds, generator in zip(members, generators, strict=True):
        game = run(y[rounds], K, algorithm, rng=generator, record=True)
        points = game.grid.points
        by_outcome = np.stack([log(points, 0), log(points, 1)])
        forecasts[rounds] = game.forecasts
        losses[rounds] = np.sum(np.asarray(game.mixtures) * by_outcome[game.outcomes], axis=1)
        runs.append(game)
    return InBins(tuple(runs), forecasts, losses)


def _members(bins: npt.ArrayLike, outcomes: npt.ArrayLike) -> tuple[list[npt.NDArray[np.intp]], OutcomeArray]:
    """Return the rounds of each bin, bins in increasing order, and the outcomes."""
    labels = _checks.real_array("bins", bins, ndim=1)
    y = _checks.outcomes("outcomes", outcomes)
    _checks.same_length("bins", labels, "outcomes", y)
    order = np.argsort(labels, kind="stable")
    cuts = np.flatnonzero(np.diff(labels[order])) + 1
    return np.split(order, cuts), y


@dataclass(frozen=True, eq=False)
class Entry:
    """One way to forecast a record.

    Parameters
    ----------
    forecasts : ndarray, shape (T,)
        The forecast of each day; of a randomised forecaster, the drawn one.
    losses : ndarray, shape (T,)
        The log loss of each day; of a randomised forecaster, its mean over the draw.
    cells : Cells
        Realised cells; forecasts that are arbitrary numbers are moved to the mean forecast of their bin before.
    coins : Coins
        What chance does to these cells if every outcome is a coin with the bias of its forecast.
    """

    forecasts: FloatArray
    losses: FloatArray
    cells: Cells
    coins: Coins


@dataclass(frozen=True, eq=False)
class Comparison:
    """All entries for one record.

    Parameters
    ----------
    series : Series
        The record.
    entries : mapping of str to Entry
        What was tried, by name.
    """

    series: Series
    entries: Mapping[str, Entry]


def deterministic(forecasts: npt.ArrayLike, outcomes: npt.ArrayLike) -> Entry:
    """Return the entry of forecasts that are arbitrary numbers: losses as they are, cells at the means of bins.

    Parameters
    ----------
    forecasts : array_like, shape (T,)
        Numbers in [0, 1].
    outcomes : array_like of {0, 1}, shape (T,)
        The outcomes.

    Returns
    -------
    Entry
        It has at most 20 cells.

    Examples
    --------
    >>> deterministic([0.5, 0.501], [1, 0]).cells.mass
    array([2.])
    """
    p = _checks.probabilities("forecasts", forecasts, ndim=1)
    y = _checks.outcomes("outcomes", outcomes)
    binned = move_to_bin_means(p, MEASURED_IN)
    cells, coins = Cells.from_forecasts(binned, y), Coins.from_forecasts(p, binned)
    return Entry(p, np.asarray(log(p, y)), cells, coins)


def _in_bins(bins: FloatArray, outcomes: OutcomeArray, K: int | None, algorithm: str, rng: Seed) -> Entry:
    games = forecast_in_bins(bins, outcomes, K, algorithm, rng)
    cells = games.realised.restricted()
    return Entry(games.forecasts, games.losses, cells, Coins.of_cells(cells))


def compare(series: Series, bins: int = 10, algorithm: str = "paper", rng: Seed = 0) -> Comparison:
    """Forecast a record in twelve ways, each day from earlier days only.

    Parameters
    ----------
    series : Series
        The record.
    bins : int
        Recalibration sorts a model's forecasts into the ``bins + 1`` cells around the points of ``full_grid(bins)``.
    algorithm : str
        Which forecaster runs in the bins, and alone; see `klcal.Forecaster`.
    rng : None, int, Generator, ...
        Source of its draws.

    Returns
    -------
    Comparison
        "running mean" (Laplace's rule), the algorithm "alone", "climatology", "logistic" (regression on the season
        and the day before, fitted anew each month), the same "overconfident" (log odds doubled), and both of them
        "calibeaten" (a running mean in each bin) and with the algorithm "in bins". In a bin the grid is that of
        ``resolution(T / (bins + 1))``, as the lengths of the bins are not known before. Last, the tree, which needs
        neither grid nor length: "tree alone", and both models with "trees in bins".

    Examples
    --------
    >>> dates = np.arange("2012-01-01", "2012-03-01", dtype="datetime64[D]")
    >>> comparison = compare(Series("", dates, np.arange(60) % 2), bins=2)
    >>> list(comparison.entries)[:3]
    ['running mean', 'alone', 'climatology']
    """
    y, T = series.outcomes, len(series)
    grid = full_grid(_checks.integer("bins", bins, least=2))
    K = resolution(-(-T // (bins + 1)))
    everywhere = np.zeros(T)
    model = online_logistic(weather_features(series), y, series.months)
    generators = iter(np.random.default_rng(rng).spawn(6))
    entries = {
        "running mean": deterministic(calibeat(everywhere, y, prior=1.0), y),
        "alone": _in_bins(everywhere, y, resolution(T), algorithm, next(generators)),
        "climatology": deterministic(climatology(series), y),
    }
    places = {"tree alone": everywhere}
    for name, forecasts in (("logistic", model), ("overconfident", sharpened(model))):
        binned = round_to_grid(forecasts, grid)
        entries[name] = deterministic(forecasts, y)
        entries[f"{name}, calibeaten"] = deterministic(calibeat(binned, y, prior=1.0), y)
        entries[f"{name}, in bins"] = _in_bins(binned, y, K, algorithm, next(generators))
        places[f"{name}, trees in bins"] = binned
    for name, binned in places.items():
        entries[name] = _in_bins(binned, y, None, "tree", next(generators))
    return Comparison(series, entries)
