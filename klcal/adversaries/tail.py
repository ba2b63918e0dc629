r"""Adaptive adversaries that watch the realised counts and want a large KL-calibration of the drawn forecasts.

Write :math:`\Phi_i = n_i\,\mathsf{KL}(k_i/n_i, z_i)` for what bucket i, the rounds with forecast :math:`z_i`, adds to
it. The adversaries differ in what they want: the mean, the upper tail, the price of a boundary, or many small peaks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from klcal import _checks
from klcal._kernels.elementary import exp
from klcal._kernels.opponents import GOLDEN_RATIO
from klcal.adversaries.adaptive import Player, View, log_regret, mean_forecast, rises


@dataclass(frozen=True)
class GreedyExp(Player):
    r"""Says what raises :math:`\mathbb E \exp(c\,\mathsf{KLCal})` more, over this round's draw; 0 on a tie.

    The exponential moment is what tail bounds control; a large rate c prefers rare large values to a large mean.

    Parameters
    ----------
    horizon : int
        Number of rounds.
    rate : float
        The rate c, positive.

    Examples
    --------
    >>> GreedyExp(10).rate
    0.5
    """

    rate: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        _checks.real("rate", self.rate, above=0.0)

    def choose(self, view: View) -> int:
        """Return the outcome of this round."""
        support = np.flatnonzero(view.mixture).tolist()
        zeros, ones = view.counts[:, support].tolist()
        pairs = list(map(rises, view.grid.points[support].tolist(), ones, zeros))
        # Taking out the largest factor changes no comparison, and nothing overflows.
        largest = max(max(pair) for pair in pairs)
        gain = 0.0
        for i, (with_zero, with_one) in zip(support, pairs, strict=True):
            high = exp(self.rate * (with_one - largest))
            gain += float(view.mixture[i]) * (high - exp(self.rate * (with_zero - largest)))
        return int(gain > 0.0)


@dataclass(frozen=True)
class Push(Player):
    r"""Pushes the likeliest bucket's mean further away from its grid point.

    An untouched bucket is pushed towards the nearer end of [0, 1], down if both are equally near. So the forecaster
    follows to a boundary of its cells and is held there, in the end at 0 or 1, where PAIR pays
    :math:`\mathsf{KL}(0, z_1) = 2 \log\sec(\pi/2K)` in every round.

    Parameters
    ----------
    horizon : int
        Number of rounds.

    Examples
    --------
    >>> Push(10).horizon
    10
    """

    def choose(self, view: View) -> int:
        """Return the outcome of this round."""
        return outwards(view, int(np.argmax(view.mixture)))


def outwards(view: View, i: int) -> int:
    """Return the outcome that moves the mean of a bucket away from its point.

    Parameters
    ----------
    view : View
        The game before the round.
    i : int
        The bucket. An untouched one, or one whose mean is its point, is moved to the nearer end of [0, 1].

    Returns
    -------
    int

    Examples
    --------
    >>> from klcal.grids import Grid
    >>> counts = np.array([[0.0, 3.0], [1.0, 1.0]])
    >>> view = View(
    ...     Grid([0.25, 0.75]), np.array([0.5, 0.5]), np.zeros(2), counts, counts
    ... )
    >>> outwards(view, 0), outwards(view, 1)
    (1, 0)
    """
    z = float(view.grid.points[i])
    zeros, ones = view.counts[:, i].tolist()
    share = (ones + zeros) * z
    return int(z > 0.5 if ones == share else ones > share)


@dataclass(frozen=True)
class Peak(Player):
    r"""Plays along until the likeliest bucket has reached a level by chance, then stops there and leaves.

    While :math:`\Phi_i` of the likeliest bucket is below the level, the outcomes follow the mean forecast, as evenly
    spread as multiples of the golden ratio: a well calibrated sequence, under which every :math:`\Phi_i` wanders. At
    the level the bucket is pushed as by `Push`, until the forecaster leaves it at its peak for the next one.

    Parameters
    ----------
    horizon : int
        Number of rounds.
    level : float
        The level, positive.

    Examples
    --------
    >>> Peak(10).level
    2.0
    """

    level: float = 2.0

    def __post_init__(self) -> None:
        super().__post_init__()
        _checks.real("level", self.level, above=0.0)

    def choose(self, view: View) -> int:
        """Return the outcome of this round."""
        i = int(np.argmax(view.mixture))
        zeros, ones = view.counts[:, i].tolist()
        if log_regret(float(view.grid.points[i]), ones, zeros) < self.level:
            spread = (float(view.counts.sum()) * GOLDEN_RATIO) % 1.0
            return int(spread < mean_forecast(view))
        return outwards(view, i)
