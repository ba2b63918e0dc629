"""Adaptive adversaries: each chooses round by round from a `View` of the game.

Some watch the realised counts and want a large KL-calibration of the drawn forecasts (`GreedyExp`, `Push`, `Peak`), two
are made to break the tree (`Feed`, `Jump`). `compiled_code` says which of them have a compiled twin.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from klcal import _checks
from klcal._checks import FloatArray
from klcal._kernels import opponents
from klcal._kernels.elementary import exp
from klcal._kernels.opponents import GOLDEN_RATIO, log_regret, rises
from klcal.grids import Grid


@dataclass(frozen=True)
class View:
    """What an adaptive adversary sees before it chooses: everything but the draw of this round.

    Parameters
    ----------
    grid : Grid
        The forecaster's grid.
    mixture : ndarray, shape (n,)
        Distribution of this round's forecast.
    leanings : ndarray, shape (n,)
        The point of each learner.
    weights : ndarray, shape (2, n)
        Expected mass of all rounds before this one, by outcome and grid point.
    counts : ndarray, shape (2, n)
        Drawn forecasts of all rounds before this one, by outcome and grid point.
    """

    grid: Grid
    mixture: FloatArray
    leanings: FloatArray
    weights: FloatArray
    counts: FloatArray


@runtime_checkable
class Adaptive(Protocol):
    """An adversary that chooses round by round; any object with these two names will do."""

    @property
    def horizon(self) -> int:
        """Number of rounds it will play."""

    def choose(self, view: View) -> int:
        """Return the outcome of this round, 0 or 1."""


@dataclass(frozen=True)
class Player:
    """What every adaptive adversary here has: a number of rounds.

    Parameters
    ----------
    horizon : int
        Number of rounds, at least 1.
    """

    horizon: int

    def __post_init__(self) -> None:
        _checks.integer("horizon", self.horizon, least=1)


@dataclass(frozen=True)
class Oppose(Player):
    """Says 1 while the mean forecast is below 1/2, and 0 otherwise.

    Parameters
    ----------
    horizon : int
        Number of rounds.

    Examples
    --------
    >>> Oppose(10).horizon
    10
    """

    def choose(self, view: View) -> int:
        """Return the outcome of this round."""
        return int(mean_forecast(view) < 0.5)


@dataclass(frozen=True)
class Threshold(Player):
    """Says 1 while the mean forecast is below a threshold, and 0 otherwise: `Oppose` away from the middle.

    Parameters
    ----------
    horizon : int
        Number of rounds.
    threshold : float
        In [0, 1]; small by default, where cells are narrow.

    Examples
    --------
    >>> Threshold(10).threshold
    0.05
    """

    threshold: float = 0.05

    def __post_init__(self) -> None:
        super().__post_init__()
        _checks.probability("threshold", self.threshold)

    def choose(self, view: View) -> int:
        """Return the outcome of this round."""
        return int(mean_forecast(view) < self.threshold)


def mean_forecast(view: View) -> float:
    """Return the mean of this round's forecast.

    Parameters
    ----------
    view : View
        The game before the round.

    Returns
    -------
    float
        The sum of probability times grid point.

    Examples
    --------
    >>> empty = np.zeros((2, 2))
    >>> mean_forecast(
    ...     View(Grid([0.25, 0.75]), np.array([0.5, 0.5]), np.zeros(2), empty, empty)
    ... )
    0.5
    """
    support = np.flatnonzero(view.mixture)
    return float(np.cumsum(view.mixture[support] * view.grid.points[support])[-1])


@dataclass(frozen=True)
class Greedy(Player):
    """Says what raises KL-calibration more, in expectation over this round's draw; 0 on a tie.

    It is made for grids inside (0, 1). Where both outcomes cost infinitely much, on a point 0 or 1, it says 0.

    Parameters
    ----------
    horizon : int
        Number of rounds.
    cells : {"expected", "realised"}
        Raise pseudo KL-calibration, or KL-calibration of the drawn forecasts.

    Examples
    --------
    >>> Greedy(10).cells
    'expected'
    """

    cells: str = "expected"

    def __post_init__(self) -> None:
        super().__post_init__()
        _checks.choice("cells", self.cells, ("expected", "realised"))

    def choose(self, view: View) -> int:
        """Return the outcome of this round."""
        expected = self.cells == "expected"
        gain = 0.0
        for i in np.flatnonzero(view.mixture):
            p, z = float(view.mixture[i]), float(view.grid.points[i])
            zeros, ones = (view.weights if expected else view.counts)[:, i].tolist()
            added, weight = (p, 1.0) if expected else (1.0, p)
            gain += weight * (log_regret(z, ones + added, zeros) - log_regret(z, ones, zeros + added))
        return int(gain > 0.0)


@dataclass(frozen=True)
class Border(Player):
    """Pushes the learner of the likeliest forecast across the nearer border of its rounding cell.

    The upper border wins ties; a learner outside the grid is pushed back in.

    Parameters
    ----------
    horizon : int
        Number of rounds.

    Examples
    --------
    >>> Border(10).horizon
    10
    """

    def choose(self, view: View) -> int:
        """Return the outcome of this round."""
        w = view.leanings[int(np.argmax(view.mixture))]
        points = view.grid.points
        if w < points[0] or w >= points[-1]:
            return int(w < points[0])
        j = int(np.searchsorted(points, w, side="right")) - 1
        return int(points[j + 1] - w <= w - points[j])


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


_WITHOUT_SETTING: dict[type, int] = {
    Oppose: opponents.OPPOSE,
    Border: opponents.BORDER,
    Push: opponents.PUSH,
    Feed: opponents.FEED,
}
_WITH_SETTING: dict[type, tuple[int, str]] = {
    Threshold: (opponents.THRESHOLD, "threshold"),
    GreedyExp: (opponents.GREEDY_EXP, "rate"),
    Peak: (opponents.PEAK, "level"),
    Jump: (opponents.JUMP, "period"),
}


def compiled_code(adversary: Adaptive) -> int | None:
    """Return the code of an adversary's compiled twin, or None if it has none.

    Only the exact classes of this package have one: a subclass may choose differently. Settings are passed on in
    thousandths, so an adversary with any other setting plays without a twin.

    Parameters
    ----------
    adversary : Adaptive
        Any adaptive adversary.

    Returns
    -------
    int or None
        A code of `klcal._kernels.opponents`.

    Examples
    --------
    >>> compiled_code(Oppose(10)) == opponents.OPPOSE
    True
    >>> compiled_code(Threshold(10, 1 / 3)) is None
    True
    """
    kind = type(adversary)
    if isinstance(adversary, Greedy) and kind is Greedy:
        return opponents.GREEDY_EXPECTED if adversary.cells == "expected" else opponents.GREEDY_REALISED
    if kind in _WITH_SETTING:
        code, setting = _WITH_SETTING[kind]
        return opponents.with_setting(code, float(getattr(adversary, setting)))
    return _WITHOUT_SETTING.get(kind)
