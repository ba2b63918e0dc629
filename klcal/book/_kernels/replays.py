"""Many draws of one game, whose mixtures and outcomes are fixed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from klcal._kernels.compiling import Reals, Whole, engine


@engine
def pack(mixtures: Reals, outcomes: npt.NDArray[np.uint8], slots: Whole, cumulative: Reals) -> int:
    """Write the support of each round into a column and return the size of the largest.

    A slot is the place of outcome and grid point in a flat (2, n) array. With it goes the cumulative probability, but
    infinity at the last point of the support; beyond it nothing is written.
    """
    largest = 1
    for t in range(len(outcomes)):
        total, size = 0.0, 0
        for i in range(mixtures.shape[1]):
            if mixtures[t, i] > 0.0:
                total += mixtures[t, i]
                slots[size, t] = outcomes[t] * mixtures.shape[1] + i
                cumulative[size, t] = total
                size += 1
        cumulative[size - 1, t] = np.inf
        largest = max(largest, size)
    return largest


@engine
def count_draws(slots: Whole, cumulative: Reals, uniforms: Reals, drawn: Whole, counts: Whole) -> None:
    """Add the draws of one replicate to the flat ``counts``; twin of `rounds.select` round by round.

    The draw is the number of cumulative probabilities that do not exceed the uniform number: no branch depends on
    chance, so none is mispredicted, and neighbouring rounds are compared at once. `drawn` is room for one number per
    round.
    """
    for t in range(len(uniforms)):
        drawn[t] = 0
    for s in range(len(slots) - 1):
        for t in range(len(uniforms)):
            drawn[t] += uniforms[t] >= cumulative[s, t]
    for t in range(len(uniforms)):
        counts[slots[drawn[t], t]] += 1
