r"""The adversary of the lower bound (chapter 12): it plays the sign game with cells of forecasts.

Unlike the adversaries of `klcal.run` it does not see mixtures. Before a round it has a truth, the probability of the
outcome 1; after the round it is told the forecast and the outcome. `klcal.games.play_against_truths` plays it.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import NamedTuple

from klcal import _checks

# Why the truth changed, as `Event.kind` says it.
KINDS = ("plus", "minus", "tired", "skipped", "frozen", "finished", "gave up")


class Event(NamedTuple):
    """Something happened: after how many rounds, what (one of ``KINDS``), in which cell, and the truth from then on."""

    rounds: int
    kind: str
    cell: int
    truth: float


@dataclass(frozen=True)
class Constants:
    r"""The constants of the adversary.

    Parameters
    ----------
    k : int
        Number of signs it wants, and of blocks of windows.
    windows : int
        Windows per block. All windows together cover [1/4, 3/4], so each has the width
        :math:`g = \frac1{2kw}` for w windows per block; each has two cells.
    theta : float
        How far a cell must be off, :math:`|b_J| \ge \theta`, to count as a sign.
    patience : int
        L, the visits of a window after which the adversary goes on without a sign.
    freeze : float
        What the cells of one sign must cost together for the adversary to freeze; k in the theorem, infinity for never.

    Examples
    --------
    >>> Constants(k=2, windows=4, theta=16.0, patience=2048, freeze=2).kappa
    0.0625
    >>> constants_of_the_proof(16).kappa == 2.0**-15
    True
    """

    k: int
    windows: int
    theta: float
    patience: int
    freeze: float

    def __post_init__(self) -> None:
        _checks.integer("k", self.k, least=1)
        _checks.integer("windows", self.windows, least=1)
        _checks.real("theta", self.theta, above=0.0)
        _checks.integer("patience", self.patience, least=1)
        if not self.freeze > 0.0:
            raise ValueError(f"freeze must be positive; got {self.freeze!r}")

    @property
    def n(self) -> int:
        """Number of windows."""
        return self.k * self.windows

    @property
    def kappa(self) -> float:
        r"""The least that a cell costs when it is counted, :math:`\theta^2/2L`."""
        return self.theta**2 / (2.0 * self.patience)

    def truth(self, window: int) -> float:
        """Return the middle of a window, counted from 0."""
        return 0.25 + (window + 0.5) / (2.0 * self.n)

    def borders(self) -> list[float]:
        """Return the borders between the cells in increasing order: a cell holds its lower one."""
        return [0.25 + j / (4.0 * self.n) for j in range(2 * self.n + 1)]


def constants_of_the_proof(k: int) -> Constants:
    r"""Return the constants of the theorem: :math:`w = 5k`, :math:`\theta = 480k^2`, :math:`L = 2^{14}\theta^2`.

    Parameters
    ----------
    k : int
        Number of signs; the theorem needs 16 at least, and :math:`5k^2L` rounds.

    Examples
    --------
    >>> constants_of_the_proof(16)
    Constants(k=16, windows=80, theta=122880.0, patience=247390116249600, freeze=16.0)
    """
    theta = 480 * _checks.integer("k", k, least=1) ** 2
    return Constants(k, 5 * k, float(theta), 2**14 * theta**2, float(k))


@dataclass
class Staircase:
    r"""Plays the staircase strategy of the sign game with truths.

    Cell 0 is [0, 1/4), cells 2i + 1 and 2i + 2 are the halves of window i, and the last one is [3/4, 1]. Of each cell
    it keeps the visits N and :math:`b = \sum(y_t - p_t)` over them. In a block the windows are taken from right to
    left, those that are too far off already are skipped, and the truth is the middle of the window until one of these:

    - freeze: the cells with :math:`b < 0` (but for cell 0) cost enough together, or those with :math:`b > 0` (but for
      the last cell): the truth is 0, or 1, for ever;
    - plus: a cell of the block left of the truth has :math:`b \ge \theta` and costs :math:`\kappa`: it is counted for
      good, the minuses are forgotten, and the next block begins;
    - minus: the right half of the window has :math:`b \le -\theta`: it is counted, and the next window begins;
    - tired: the window has been visited L times.

    With k signs it finishes: the truth moves just beyond all counted cells, and stays there. After 2k
    windows in a block, or at the end of a block, it gives up and plays 1/2.

    Parameters
    ----------
    constants : Constants
        The theorem is about `constants_of_the_proof` alone; with others, nothing is proved.

    Examples
    --------
    >>> adversary = Staircase(
    ...     Constants(k=1, windows=2, theta=1.0, patience=8, freeze=2)
    ... )
    >>> adversary.truth
    0.625
    >>> adversary.update(0.7, 0), adversary.truth
    (None, 0.625)
    >>> adversary.update(0.7, 0), adversary.truth, adversary.state
    (None, 0.5, 'finished')
    """

    constants: Constants
    truth: float = field(init=False)
    state: str = field(init=False, default="running")
    events: list[Event] = field(init=False, default_factory=list)
    pluses: list[int] = field(init=False, default_factory=list)
    minuses: list[int] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self._borders = self.constants.borders()
        cells = len(self._borders) + 1
        self._visits, self._biases = [0] * cells, [0.0] * cells
        self._costs = {-1: 0.0, 1: 0.0}
        self._rounds, self._block, self._window, self._epochs, self._in_window = 0, 0, 0, 0, 0
        self._new_block = True
        self._begin_block(0)

    def update(self, forecast: float, outcome: int) -> None:
        """Take in the forecast and the outcome of a round, and set the truth of the next one.

        Parameters
        ----------
        forecast : float
            In [0, 1].
        outcome : int
            0 or 1.
        """
        cell = bisect_right(self._borders, _checks.probability("forecast", forecast))
        self._enter(cell, _checks.outcome("outcome", outcome) - forecast)
        self._rounds += 1
        if self.state != "running":
            return
        self._in_window += cell in (2 * self._window + 1, 2 * self._window + 2)
        c = self.constants
        for sign in (-1, 1):
            if self._costs[sign] >= c.freeze:
                self._end("frozen", cell, 0.5 + 0.5 * sign)
                return
        right_half = 2 * self._window + 2
        if (rising := self._rising(cell)) is not None:
            self.pluses.append(rising)
            if len(self.pluses) == c.k:
                self._note("plus", rising)
                self._end("finished", rising, 0.75)
            else:
                self._begin_block(self._block + 1)
                self._note("plus", rising)
        elif self._biases[right_half] <= -c.theta:
            self.minuses.append(right_half)
            if len(self.pluses) + len(self.minuses) == c.k:
                self._note("minus", right_half)
                self._end("finished", right_half, self._borders[2 * self._window])
            else:
                self._next_window("minus", right_half)
        elif self._in_window >= c.patience:
            self._next_window("tired", right_half)

    def cost(self, cell: int) -> float:
        r"""Return :math:`b_J^2/N_J` of a cell, 0 without visits: a lower bound on its share of :math:`\mathsf{Cal}_2`.

        Parameters
        ----------
        cell : int
            Its number.
        """
        return self._biases[cell] ** 2 / self._visits[cell] if self._visits[cell] else 0.0

    def bias(self, cell: int) -> float:
        r"""Return :math:`b_J`, the sum of outcome minus forecast over the visits of a cell.

        Parameters
        ----------
        cell : int
            Its number.
        """
        return self._biases[cell]

    def _enter(self, cell: int, deviation: float) -> None:
        self._add_cost(cell, -1.0)
        self._visits[cell] += 1
        self._biases[cell] += deviation
        self._add_cost(cell, 1.0)

    def _add_cost(self, cell: int, times: float) -> None:
        sign = 1 if self._biases[cell] > 0.0 else -1
        if self._biases[cell] != 0.0 and cell != (0 if sign < 0 else len(self._borders)):
            self._costs[sign] += times * self.cost(cell)

    def _rising(self, visited: int) -> int | None:
        """Return a cell of the block left of the truth that counts as a plus, the visited one if it is new."""
        c = self.constants
        first = 2 * self._block * c.windows + 1
        # Only the visited cell has changed since the last check, unless this is the first one in the block.
        candidates = range(first, 2 * self._window + 2) if self._new_block else (visited,)
        self._new_block = False
        for cell in candidates:
            if (
                first <= cell <= 2 * self._window + 1
                and self._biases[cell] >= c.theta
                and self.cost(cell) >= c.kappa
            ):
                return cell
        return None

    def _begin_block(self, block: int) -> None:
        self._block, self._new_block, self._epochs = block, True, 0
        self.minuses.clear()
        self._take((block + 1) * self.constants.windows - 1)

    def _next_window(self, why: str, cell: int) -> None:
        self._epochs += 1
        if self._epochs == 2 * self.constants.k:
            self._note(why, cell)
            self._end("gave up", cell, 0.5)
            return
        self._take(self._window - 1)
        self._note(why, cell)

    def _take(self, window: int) -> None:
        """Take the first usable window of the block from this one to the left."""
        while window >= self._block * self.constants.windows and not self._usable(window):
            self.events.append(Event(self._rounds, "skipped", 2 * window + 1, self.constants.truth(window)))
            window -= 1
        if window < self._block * self.constants.windows:
            self._end("gave up", 2 * window + 3, 0.5)
            return
        self._window, self._in_window = window, 0
        self.truth = self.constants.truth(window)

    def _usable(self, window: int) -> bool:
        left, right = 2 * window + 1, 2 * window + 2
        theta = self.constants.theta
        return (
            max(self._visits[left], self._visits[right]) <= theta**2
            and self._biases[left] >= -theta / 2.0
            and self._biases[right] <= theta
        )

    def _end(self, state: str, cell: int, truth: float) -> None:
        self.state, self.truth = state, truth
        self._note(state, cell)

    def _note(self, kind: str, cell: int) -> None:
        self.events.append(Event(self._rounds, kind, cell, self.truth))
