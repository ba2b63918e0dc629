"""What happens inside a game, from its mixtures, draws and outcomes; and many draws from them."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from klcal._kernels.bank import Learner, Records, add_weight
from klcal._kernels.compiling import Reals, Whole, engine, inlined

Bits = npt.NDArray[np.uint64]

# Slots of `totals`, each followed by what its rounding lost so far.
ROUNDING, NOISE = 0, 2

# Slots of `sizes`.
SIZE_SUM, SIZE_MAX = 0, 1

# Grid points that are looked at together: nearly all have probability zero.
_BLOCK = 32


@inlined
def _gain(learner: Learner, outcome: int) -> float:
    """Return log(w(y)/z(y)): what a learner saves by saying its own point w instead of the grid point z."""
    zeros, ones = learner.weight[0], learner.weight[1]
    point = learner.point if outcome == 1 else 1.0 - learner.point
    weight = (ones if outcome == 1 else zeros) + 1.0
    return math.log(weight / (((ones + zeros) + 2.0) * point))


@engine
def _add(totals: Reals, slot: int, value: float) -> None:
    """Add to a total (compensated summation)."""
    corrected = value - totals[slot + 1]
    total = totals[slot] + corrected
    totals[slot + 1] = (total - totals[slot]) - corrected
    totals[slot] = total


@engine
def _find_members(bits: Bits, members: Whole) -> int:
    """List the points of positive probability, increasing, and return their number; `bits` are those of floats."""
    size = 0
    for start in range(0, len(bits), _BLOCK):
        stop = min(start + _BLOCK, len(bits))
        some = np.uint64(0)
        for i in range(start, stop):
            some |= bits[i]
        if some == np.uint64(0):
            continue
        for i in range(start, stop):
            if bits[i] != np.uint64(0):
                members[size] = i
                size += 1
    return size


@engine
def watch_rounds(
    learners: Records,
    totals: Reals,
    sizes: Whole,
    members: Whole,
    realised: bool,
    outcomes: npt.NDArray[np.uint8],
    draws: Whole,
    mixtures: Reals,
    bits: Bits,
) -> None:
    """Watch ``len(outcomes)`` rounds; `learners` are those of a `bank`; they, `totals` and `sizes` are carried on.

    `members` is scratch. `bits` is `mixtures` read as integers; both are set to zero on the way, ready for the next
    rounds.
    """
    for t in range(len(outcomes)):
        outcome = int(outcomes[t])
        size, mean = _find_members(bits[t], members), 0.0
        for s in range(size):
            mean += mixtures[t, members[s]] * _gain(learners[members[s]], outcome)
        _add(totals, ROUNDING, mean)
        sizes[SIZE_SUM] += size
        sizes[SIZE_MAX] = max(sizes[SIZE_MAX], size)
        if realised:
            _add(totals, NOISE, _gain(learners[draws[t]], outcome) - mean)
            add_weight(learners[draws[t]], outcome, 1.0)
        for s in range(size):
            if not realised:
                add_weight(learners[members[s]], outcome, mixtures[t, members[s]])
            mixtures[t, members[s]] = 0.0


@engine
def logarithms(values: Reals, out: Reals) -> None:
    """Put the compiled logarithm of each value into `out`."""
    for k in range(len(values)):
        out[k] = math.log(values[k])


# ----- many draws of one game, whose mixtures and outcomes are fixed --------------------------------------------------


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
