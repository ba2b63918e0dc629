"""Adaptive adversaries made to break the tree: one feeds a single bucket, one leads the forecasts from cell to cell."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from klcal import _checks
from klcal._kernels.opponents import GOLDEN_RATIO
from klcal.adversaries.adaptive import Player, View, log_regret, mean_forecast
from klcal.adversaries.tail import outwards


@dataclass(frozen=True)
class Feed(Player):
    r"""Opposes a forecast that is certain, and in a mixture feeds the richer member: pushes its mean further outwards.

    A bucket of PAIR or of the tree with the cell C has a wealth of at least
    :math:`\exp(n\,\mathsf{KL}(\rho, C))/\sqrt{4n}`, so the member with the largest :math:`n\,\mathsf{KL}(\rho, z)`
    passes for the richest, the lowest one on ties. Opposing certain forecasts keeps the pair at 1/2. This is why the
    coin of the tree has weights: the richer member of a pair is drawn less often.

    Parameters
    ----------
    horizon : int
        Number of rounds.

    Examples
    --------
    >>> Feed(10).horizon
    10
    """

    def choose(self, view: View) -> int:
        """Return the outcome of this round."""
        members = np.flatnonzero(view.mixture).tolist()
        if len(members) == 1:
            return int(view.grid.points[members[0]] < 0.5)
        regrets = [log_regret(float(view.grid.points[i]), *view.counts[::-1, i].tolist()) for i in members]
        return outwards(view, members[regrets.index(max(regrets))])


@dataclass(frozen=True)
class Jump(Player):
    r"""Says 1 while the mean forecast is below a threshold that jumps after every `period` rounds.

    The thresholds are the fractional parts of the multiples of the golden ratio: forecasts are led far away just when
    they have settled, and over time to all cells alike.

    Parameters
    ----------
    horizon : int
        Number of rounds.
    period : int
        Rounds between jumps, as the counts of the view show them; of the tree these are the rounds of active nodes.

    Examples
    --------
    >>> Jump(10).period
    1000
    """

    period: int = 1000

    def __post_init__(self) -> None:
        super().__post_init__()
        _checks.integer("period", self.period, least=1)

    def choose(self, view: View) -> int:
        """Return the outcome of this round."""
        jumps = 1.0 + math.floor(float(view.counts.sum()) / self.period)
        return int(mean_forecast(view) < (jumps * GOLDEN_RATIO) % 1.0)
