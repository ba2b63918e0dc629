r"""How much a game costs, counted and not timed (``alg:BM_log_loss/cost``, Appendix C.1).

The paper forms the matrix of all learners in every round, :math:`(K+1)^2` entries. The compiled engine feeds the
members of the closed class only, solves for their mixture, and looks for another class when a member's rounding cell
has changed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._kernels import counting
from klcal._kernels.bank import POINT
from klcal.forecasters.reduction import FastBlumMansour
from klcal.games.replays import _mixtures
from klcal.grids import full_grid, resolution

# Rounds whose mixtures are held at once.
_PIECE = 1 << 13


@dataclass(frozen=True)
class Work:
    """What the compiled engine touched in a game.

    Parameters
    ----------
    rounds, K : int
        Horizon and resolution.
    fed : int
        Learners that received weight, summed over rounds: the sizes of the closed classes.
    solved : int
        Entries for the stationary distributions: the matrix of each class, and from four members on the steps of its
        elimination, zeros included.
    searches : int
        Rounds in which the class had to be looked for; each resets one mark per learner and visits each once at most.
    largest : int
        Members of the largest class.

    Examples
    --------
    >>> work = Work(rounds=10, K=3, fed=20, solved=40, searches=2, largest=2)
    >>> work.total, work.per_round
    (76, 7.6)
    """

    rounds: int
    K: int
    fed: int
    solved: int
    searches: int
    largest: int

    @property
    def total(self) -> int:
        """All entries that were touched, at most."""
        return self.fed + self.solved + 2 * self.searches * (self.K + 1)

    @property
    def per_round(self) -> float:
        """Entries that were touched in a round, on average."""
        return self.total / self.rounds

    @property
    def dense(self) -> int:
        """Entries of the matrices of all rounds, as the paper forms them; solving for their mixtures comes on top."""
        return self.rounds * (self.K + 1) ** 2

    @property
    def sparse(self) -> int:
        """Two entries per learner and round, for whoever forms the two neighbours only."""
        return self.rounds * 2 * (self.K + 1)


def count_work(outcomes: npt.ArrayLike, K: int | None = None) -> Work:
    """Play Algorithm 1 with the compiled engine and count what it touches.

    Parameters
    ----------
    outcomes : array_like of {0, 1}
        The sequence to forecast.
    K : int, optional
        Number of cells, at least 2; ``resolution(T)`` by default.

    Returns
    -------
    Work

    Examples
    --------
    Four rounds, mixtures of 1, 2, 2 and 3 points; every round moves some learner to another cell.

    >>> work = count_work([1, 1, 0, 1], K=2)
    >>> work.fed, work.searches, work.largest, work.dense
    (8, 4, 3, 36)
    """
    sequence = _checks.outcomes("outcomes", outcomes)
    grid = full_grid(resolution(len(sequence)) if K is None else K)
    reduction = FastBlumMansour(grid)
    learners = np.zeros_like(reduction.bank.reals)
    learners[POINT] = grid.points
    pattern = np.zeros((2, len(grid)), dtype=np.int64)
    tally = np.zeros(counting.SLOTS, dtype=np.int64)
    for i in range(len(grid)):
        counting.place(learners, pattern, i)
    tally[counting.STALE] = 1
    for first in range(0, len(sequence), _PIECE):
        piece = sequence[first : first + _PIECE].copy()
        counting.count_rounds(learners, pattern, tally, piece, _mixtures(reduction, piece))
    return Work(
        rounds=len(sequence),
        K=len(grid) - 1,
        fed=int(tally[counting.FED]),
        solved=int(tally[counting.SOLVED]),
        searches=int(tally[counting.SEARCHES]),
        largest=int(tally[counting.LARGEST]),
    )
