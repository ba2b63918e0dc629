"""What a game of the compiled engine touches, from its recorded mixtures; twin of asking the engine in every round."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from klcal._kernels.bank import POINT, SUM, add_weight, cell_of
from klcal._kernels.compiling import Reals, Whole, compiled

# Rows of `pattern`: the grid point below a learner, and whether the next one has a share too.
CELL, INSIDE = 0, 1

# Slots of `tally`.
FED, SOLVED, SEARCHES, LARGEST, STALE = 0, 1, 2, 3, 4
SLOTS = 5


@compiled
def place(learners: Reals, pattern: Whole, i: int) -> bool:
    """Find the rounding cell of learner i and tell whether it has changed."""
    last = learners.shape[1] - 1
    zeros, ones = learners[SUM + 0, i], learners[SUM + 1, i]
    w = (ones + 1.0) / ((ones + zeros) + 2.0)
    j = cell_of(learners, w, pattern[CELL, i])
    inside = 1 if 0 <= j < last and w > learners[POINT, j] else 0
    j = max(j, 0)
    changed = j != pattern[CELL, i] or inside != pattern[INSIDE, i]
    pattern[CELL, i], pattern[INSIDE, i] = j, inside
    return changed  # type: ignore[no-any-return]


@compiled
def count_rounds(
    learners: Reals, pattern: Whole, tally: Whole, outcomes: npt.NDArray[np.uint8], mixtures: Reals
) -> None:
    """Count ``len(outcomes)`` rounds; `learners`, with the rows of `bank`, `pattern` and `tally` are carried on."""
    for t in range(len(outcomes)):
        row = int(outcomes[t])
        tally[SEARCHES] += tally[STALE]
        tally[STALE] = 0
        size = 0
        for i in range(learners.shape[1]):
            weight = mixtures[t, i]
            if weight > 0.0:
                size += 1
                add_weight(learners, i, row, weight)
                if place(learners, pattern, i):
                    tally[STALE] = 1
        tally[FED] += size
        tally[SOLVED] += size * size
        if size > 3:
            tally[SOLVED] += (size - 1) * size * (2 * size - 1) // 6
        tally[LARGEST] = max(tally[LARGEST], size)
