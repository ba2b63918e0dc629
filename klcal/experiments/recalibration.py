r"""Somebody else's forecasts, recalibrated online: sort the rounds into bins by the forecast, learn in each bin.

`klcal.forecasters.baselines.calibeat` answers in each bin with a running mean, `forecast_in_bins` with a forecaster.
Let the given forecasts q take finitely many values, with KLCal :math:`\sum_q n_q\,\mathsf{KL}(\rho_q, q)`, and let L
be the total log loss. Then, on every path (``new:one-forecaster-per-bin``, ``new:calibeating``),

.. math:: L(\text{one forecaster per bin}) &\le L(q) - \mathsf{KLCal}(q) + \sum_q \mathsf{KLCal}_q, \\
          L(\text{Laplace in each bin}) &\le L(q) - \mathsf{KLCal}(q) + \sum_q \log(n_q + 1),

where :math:`\mathsf{KLCal}_q` is that of the new forecasts in bin q.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray, OutcomeArray
from klcal.adversaries import Seed
from klcal.games.play import Run, run
from klcal.losses import log
from klcal.measures.cells import Cells


def _members(bins: npt.ArrayLike, outcomes: npt.ArrayLike) -> tuple[list[npt.NDArray[np.intp]], OutcomeArray]:
    """Return the rounds of each bin, bins in increasing order, and the outcomes."""
    labels = _checks.real_array("bins", bins, ndim=1)
    y = _checks.outcomes("outcomes", outcomes)
    _checks.same_length("bins", labels, "outcomes", y)
    order = np.argsort(labels, kind="stable")
    cuts = np.flatnonzero(np.diff(labels[order])) + 1
    return np.split(order, cuts), y


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
    bins: npt.ArrayLike,
    outcomes: npt.ArrayLike,
    K: int | None,
    algorithm: str = "paper",
    rng: Seed = None,
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
        forecasts[rounds], losses[rounds] = _forecasts_and_losses(game)
        runs.append(game)
    return InBins(tuple(runs), forecasts, losses)


def _forecasts_and_losses(game: Run) -> tuple[FloatArray, FloatArray]:
    """Return the drawn forecast of each round, and its log loss averaged over the draw."""
    if game.mixtures is None or game.draws is None:
        raise ValueError(f"game must be recorded; got mixtures {game.mixtures!r}")
    points = game.grid.points
    by_outcome = np.stack([log(points, 0), log(points, 1)])
    return points[game.draws], np.sum(game.mixtures * by_outcome[game.outcomes], axis=1)
