"""Foster's randomisation between two neighbours, round by round.

The grid is uniform, so whether a point is calibrated is a question about whole numbers: after n forecasts of i/K with
k ones, K k - i n is zero, positive or negative, without rounding.
"""

from __future__ import annotations

from klcal._kernels import bank
from klcal._kernels.bank import REALISED, Bank, Control, Records, add_weight, loop, mix_one, mix_two
from klcal._kernels.compiling import Reals, engine, inlined


def new_bank(points: Reals) -> Bank:
    """Return the state before the first round; a leaning is the mean outcome of a point, before that the point."""
    return bank.new_bank(points, points, REALISED)


@inlined
def _excess(learners: Records, i: int) -> int:
    """Return K k - i n, the sign of mean minus point."""
    zeros, ones = learners[i].count[0], learners[i].count[1]
    return (len(learners) - 1) * ones - i * (ones + zeros)  # type: ignore[no-any-return]


@inlined
def _gap(learners: Records, i: int) -> float:
    """Return mean minus point."""
    mass = (learners[i].count[1] + learners[i].count[0]) * (len(learners) - 1)
    return _excess(learners, i) / mass  # type: ignore[no-any-return]


@engine
def solve(learners: Records, mixture: Records, now: Control, rates: Reals) -> None:  # noqa: ARG001
    """Make the mixture of the round; twin of `baselines.neighbour_mixture`."""
    change = -1
    for i in range(len(learners)):
        excess = _excess(learners, i)
        if excess == 0:
            mix_one(mixture, now, i)
            return
        if change < 0 and excess < 0:
            change = i - 1
    above, below = _gap(learners, change), -_gap(learners, change + 1)
    mix_two(mixture, now, change, below, above)


@engine
def advance(learners: Records, mixture: Records, now: Control, index: int, outcome: int) -> bool:
    """Count the drawn forecast, and the mixture."""
    for s in range(now.members):
        if mixture[s].share > 0.0:
            add_weight(learners[mixture[s].member], outcome, mixture[s].share)
    drawn = learners[index]
    drawn.count[outcome] += 1
    drawn.leaning = drawn.count[1] / (drawn.count[1] + drawn.count[0])
    return False


begin, end, play_rounds = loop(solve, advance)
