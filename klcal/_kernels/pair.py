"""PAIR, round by round; twin of `pair.Pair`.

A bucket is *up* if its mean lies above its cell, *down* if below, and *inside* otherwise. The first bucket is never
down and the last never up. FRONT is the lowest bucket that is not up, INSIDE the number of buckets inside. If there
is none, FRONT is down and the bucket below it is up: they are the pair. Otherwise the lowest bucket inside is
forecast, and it is FRONT or the next one. This is so at the start, where all means are 1/2: one cell contains 1/2, or
two adjacent ones. Later a bucket moves inside only as a member of a pair, when no other bucket is; a member above
FRONT - 1 is FRONT, and FRONT - 1 becomes the new FRONT when it stops being up.

So a round takes constant time on average: FRONT falls by one at most, and its climbs add up to its falls and the size
of the grid. Both searches would also be right, if slower, in states that no game reaches.
"""

from __future__ import annotations

from klcal._kernels import bank
from klcal._kernels.bank import (
    COUNT,
    FEEDBACK,
    LEANING,
    MEMBER,
    MIXTURE,
    REALISED,
    SIZE,
    SUM,
    Bank,
    add_weight,
    draw,
    mix_one,
    mix_two,
)
from klcal._kernels.compiling import Reals, Whole, engine, inlined
from klcal._kernels.rounds import Game, outcome_and_draw

# Beyond what every bank has (`bank`): slots of `control` that the docstring above explains, and the rows of `reals`
# with the ends of the cells.
FRONT, INSIDE = 1, 3
LOWER, UPPER = 7, 8


def new_bank(points: Reals, boundaries: Reals, feedback: int) -> Bank:
    """Return the state before the first round: every bucket leans to 1/2, and has the cell from LOWER to UPPER."""
    new = bank.new_bank(points, 0.5, feedback)
    new.reals[LOWER] = boundaries[:-1]
    new.reals[UPPER] = boundaries[1:]
    survey(new.reals, new.control)
    return new


@inlined
def side(reals: Reals, i: int) -> int:
    """Return 1 if bucket i is up, -1 if it is down, 0 if it is inside its closed cell."""
    w = reals[LEANING, i]
    return int(w > reals[UPPER, i]) - int(w < reals[LOWER, i])


@engine
def survey(reals: Reals, control: Whole) -> None:
    """Find FRONT and INSIDE from scratch."""
    control[FRONT] = 0
    move_front(reals, control, 0, 0)
    control[INSIDE] = 0
    for i in range(reals.shape[1]):
        control[INSIDE] += side(reals, i) == 0


@inlined
def solve(reals: Reals, whole: Whole, control: Whole, rates: Reals) -> None:  # noqa: ARG001
    """Put the mixture of the round into MIXTURE; twin of `pair.pair_rule`."""
    i = control[FRONT]
    if control[INSIDE] > 0:
        while side(reals, i) != 0:
            i += 1
        mix_one(reals, whole, control, i)
    else:
        boundary = reals[LOWER, i]
        up = boundary - reals[LEANING, i]
        down = reals[LEANING, i - 1] - boundary
        mix_two(reals, whole, control, i - 1, up, down)


@inlined
def move_front(reals: Reals, control: Whole, i: int, after: int) -> None:
    """Find FRONT again, `after` being the new side of bucket i."""
    if after <= 0 and i < control[FRONT]:
        control[FRONT] = i
    while side(reals, control[FRONT]) > 0:
        control[FRONT] += 1


@inlined
def _lean(reals: Reals, control: Whole, i: int, ones: float, zeros: float, prior: float) -> None:
    """Let bucket i lean to its new mean; twin of `pair.kt_means` (prior 1/2) and `algorithm_1.beta_mean` (prior 1)."""
    before = side(reals, i)
    reals[LEANING, i] = (ones + prior) / ((ones + zeros) + 2.0 * prior)
    after = side(reals, i)
    if after != before:
        control[INSIDE] += int(after == 0) - int(before == 0)
        move_front(reals, control, i, after)


@inlined
def advance(reals: Reals, whole: Whole, control: Whole, index: int, outcome: int) -> None:
    """Feed one round to cells and buckets; twin of `pair.Pair.update`."""
    for s in range(control[SIZE]):
        weight = reals[MIXTURE, s]
        if weight > 0.0:
            i = whole[MEMBER, s]
            add_weight(reals, i, outcome, weight)
            if control[FEEDBACK] != REALISED:
                _lean(reals, control, i, reals[SUM + 1, i], reals[SUM + 0, i], 1.0)
    whole[COUNT + outcome, index] += 1
    if control[FEEDBACK] == REALISED:
        _lean(reals, control, index, float(whole[COUNT + 1, index]), float(whole[COUNT + 0, index]), 0.5)


@engine
def begin(reals: Reals, whole: Whole, control: Whole, rates: Reals, uniform: float) -> int:
    """Solve the round and return the grid index that `uniform` draws: for streams, one call from Python, not two."""
    solve(reals, whole, control, rates)
    return draw(reals, whole, control[SIZE], uniform)


@engine
def play_rounds(state: Bank, game: Game) -> None:
    """Play all rounds of the game."""
    reals, whole, control, rates = state
    for t in range(len(game.uniforms)):
        solve(reals, whole, control, rates)
        index = outcome_and_draw(reals, whole, control, game, t)
        advance(reals, whole, control, index, int(game.outcomes[t]))
