"""Forecasts of a record of weather, made online in several ways and compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray
from klcal.adversaries import Seed
from klcal.experiments.datasets import Series
from klcal.experiments.models import climatology, online_logistic, sharpened, weather_features
from klcal.experiments.recalibration import InBins, forecast_in_bins
from klcal.experiments.table import Table
from klcal.forecasters.baselines import calibeat
from klcal.grids import full_grid, resolution
from klcal.losses import log, squared
from klcal.measures import Coins, kl_calibration
from klcal.measures.binning import move_to_bin_means, round_to_grid
from klcal.measures.cells import Cells

# Forecasts that are arbitrary numbers are measured in this many bins, each at its mean forecast.
MEASURED_IN = 20


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

    def table(self) -> Table:
        """Return one row per entry.

        Columns: ``log loss`` and ``squared loss``, averages per day; ``cells``, the number of cells; ``KLCal``, theirs;
        ``chance``, its mean if every outcome were a coin with the bias of its forecast; ``tail``, the probability that
        such coins have at least this KLCal. Losses have four digits behind the point, KLCal and its mean one, ``tail``
        two digits in all.
        """
        return Table.from_rows(
            {
                "forecaster": name,
                "log loss": round(float(np.mean(entry.losses)), 4),
                "squared loss": round(float(np.mean(squared(entry.forecasts, self.series.outcomes))), 4),
                "cells": len(entry.cells),
                "KLCal": round(kl_calibration(entry.cells), 1),
                "chance": round(entry.coins.kl_mean, 1),
                "tail": float(f"{entry.coins.kl_tail(entry.cells):.2g}"),
            }
            for name, entry in self.entries.items()
        )

    def gains(self, reference: str) -> dict[str, FloatArray]:
        """Return for every other entry how much less log loss than `reference` it had up to each day."""
        base = self.entries[_checks.choice("reference", reference, self.entries)].losses
        others = {name: entry for name, entry in self.entries.items() if name != reference}
        return {name: np.cumsum(base - entry.losses) for name, entry in others.items()}


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


def _randomised_entry(games: InBins) -> Entry:
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
    >>> comparison.table().columns[:3]
    ('forecaster', 'log loss', 'squared loss')
    """
    y, T = series.outcomes, len(series)
    grid = full_grid(_checks.integer("bins", bins, least=2))
    K = resolution(-(-T // (bins + 1)))
    everywhere = np.zeros(T)
    model = online_logistic(weather_features(series), y, series.months)
    generators = iter(np.random.default_rng(rng).spawn(6))
    entries = {
        "running mean": deterministic(calibeat(everywhere, y, prior=1.0), y),
        "alone": _randomised_entry(
            forecast_in_bins(everywhere, y, resolution(T), algorithm, next(generators))
        ),
        "climatology": deterministic(climatology(series), y),
    }
    for name, forecasts in (("logistic", model), ("overconfident", sharpened(model))):
        binned = round_to_grid(forecasts, grid)
        entries[name] = deterministic(forecasts, y)
        entries[f"{name}, calibeaten"] = deterministic(calibeat(binned, y, prior=1.0), y)
        games = forecast_in_bins(binned, y, K, algorithm, next(generators))
        entries[f"{name}, in bins"] = _randomised_entry(games)
    places = {"tree alone": everywhere} | {
        f"{name}, trees in bins": round_to_grid(entries[name].forecasts, grid)
        for name in ("logistic", "overconfident")
    }
    for name, binned in places.items():
        entries[name] = _randomised_entry(forecast_in_bins(binned, y, None, "tree", next(generators)))
    return Comparison(series, entries)
