"""The tree, round by round, between two splits; twin of `tree.Tree`.

A column per active node, from left to right, so that every row of `bank` means what it means for other forecasters. A
node is *up* if its mean lies above its cell, *down* if below, and *inside* otherwise. FRONT is the lowest node that is
not up. If no node is inside, FRONT is down and the node below it is up: they are the lowest pair.

At most two nodes are inside at a time: INSIDE says how many, FIRST is the lower one and SECOND the other. At the start
the root is inside, and after its split its two children, whose common boundary is 1/2. Later a node moves inside only
as a member of a pair, the lower member first, when no other is; and a split replaces a node by children with the mean
1/2, one of which is inside if 1/2 is an end of the node, none otherwise.

Splitting needs new columns, so it is left to the caller: the loop stops after a round that has filled a node.
"""

from __future__ import annotations

import numpy as np

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
from klcal._kernels.elementary import exp, ln
from klcal._kernels.opponents import GIVEN, choose
from klcal._kernels.pair import FRONT, INSIDE, LOWER, move_front, side
from klcal._kernels.rounds import Game

# Beyond what every bank has (`bank`) and what PAIR has: slots of `control`, rows of `reals` and rows of `whole`.
# WEIGHTED says whether wealths weigh the coin, FULL whether the last round has filled a node.
FIRST, SECOND, WEIGHTED, FULL = 4, 5, 6, 7
LOG_WEALTH, LOG_PRIOR = 10, 11
NUMBER, CAPACITY, LEVEL, POSITION = 4, 5, 6, 7

_ROWS_REAL, _ROWS_WHOLE, _SLOTS = 12, 8, 8


def new_bank(feedback: int, weighted: bool) -> Bank:
    """Return the state before the first node is entered; `rates` holds the logarithm of the product of all wealths."""
    control = np.zeros(_SLOTS, dtype=np.int64)
    control[FEEDBACK] = feedback
    control[WEIGHTED] = weighted
    reals, whole = np.zeros((_ROWS_REAL, 1)), np.zeros((_ROWS_WHOLE, 1), dtype=np.int64)
    return Bank(reals, whole, control, np.zeros((1, 1)))


@engine
def survey(reals: Reals, control: Whole) -> None:
    """Find FRONT and the nodes inside from scratch."""
    control[FULL] = 0
    control[FRONT] = 0
    move_front(reals, control, 0, 0)
    control[INSIDE] = 0
    for i in range(reals.shape[1]):
        if side(reals, i) == 0:
            _enter(control, i)


@inlined
def solve(reals: Reals, whole: Whole, control: Whole, rates: Reals) -> None:
    """Put the mixture of the round into MIXTURE; twin of `tree.Tree.mixture`."""
    if control[INSIDE] > 0:
        mix_one(reals, whole, control, control[FIRST])
    else:
        i = control[FRONT]
        boundary = reals[LOWER, i]
        up = boundary - reals[LEANING, i]
        down = reals[LEANING, i - 1] - boundary
        if control[WEIGHTED]:
            total = rates[0, 0]
            below = reals[LOG_PRIOR, i - 1] + reals[LOG_WEALTH, i - 1]
            above = reals[LOG_PRIOR, i] + reals[LOG_WEALTH, i]
            top = max(total, max(below, above))
            # One of the three is the largest, and its exponential is 1.
            shared = 1.0 if total == top else exp(total - top)
            down *= shared + (1.0 if below == top else exp(below - top))
            up *= shared + (1.0 if above == top else exp(above - top))
        mix_two(reals, whole, control, i - 1, up, down)


@inlined
def _bet(reals: Reals, rates: Reals, i: int, boundary: float, outcome: int, weight: float) -> None:
    """Let node i bet on the outcome; twin of `tree.Tree._bet`."""
    mean = reals[LEANING, i]
    gain = weight * (ln(mean / boundary) if outcome == 1 else ln((1.0 - mean) / (1.0 - boundary)))
    reals[LOG_WEALTH, i] += gain
    rates[0, 0] += gain


@inlined
def _enter(control: Whole, i: int) -> None:
    """Note that node i is inside now."""
    control[FIRST + control[INSIDE]] = i
    control[INSIDE] += 1


@inlined
def _leave(control: Whole, i: int) -> None:
    """Note that node i is no longer inside."""
    if control[FIRST] == i:
        control[FIRST] = control[SECOND]
    control[INSIDE] -= 1


@inlined
def _lean(reals: Reals, control: Whole, i: int, ones: float, zeros: float, prior: float) -> None:
    """Let node i lean to its new mean; twin of `tree.Tree.leanings`."""
    before = side(reals, i)
    reals[LEANING, i] = (ones + prior) / ((ones + zeros) + 2.0 * prior)
    after = side(reals, i)
    if after != before:
        if before == 0:
            _leave(control, i)
        if after == 0:
            _enter(control, i)
        move_front(reals, control, i, after)


@inlined
def advance(reals: Reals, whole: Whole, control: Whole, rates: Reals, index: int, outcome: int) -> int:
    """Feed one round to cells and nodes, and return FULL; twin of `tree.Tree.update`."""
    realised = control[FEEDBACK] == REALISED
    boundary = reals[LOWER, whole[MEMBER, 1]] if control[SIZE] == 2 else 0.0
    for s in range(control[SIZE]):
        weight = reals[MIXTURE, s]
        i = whole[MEMBER, s]
        if control[SIZE] == 2:
            if not realised:
                _bet(reals, rates, i, boundary, outcome, weight)
            elif i == index:
                _bet(reals, rates, i, boundary, outcome, 1.0)
        if weight > 0.0:
            add_weight(reals, i, outcome, weight)
            if not realised:
                ones, zeros = reals[SUM + 1, i], reals[SUM + 0, i]
                _lean(reals, control, i, ones, zeros, 1.0)
                if ones + zeros >= whole[CAPACITY, i]:
                    control[FULL] = 1
    whole[COUNT + outcome, index] += 1
    if realised:
        hits, misses = whole[COUNT + 1, index], whole[COUNT + 0, index]
        _lean(reals, control, index, float(hits), float(misses), 0.5)
        if hits + misses >= whole[CAPACITY, index]:
            control[FULL] = 1
    return control[FULL]  # type: ignore[no-any-return]


@engine
def begin(reals: Reals, whole: Whole, control: Whole, rates: Reals, uniform: float) -> int:
    """Solve the round and return the column that `uniform` draws: for streams, one call from Python, not two."""
    solve(reals, whole, control, rates)
    return draw(reals, whole, control[SIZE], uniform)


@engine
def play_rounds(state: Bank, game: Game, start: int) -> int:
    """Play from round `start` on until a node is full, and return the number of the next round.

    Draws and mixtures are kept by the NUMBER of nodes.
    """
    reals, whole, control, rates = state
    for t in range(start, len(game.uniforms)):
        solve(reals, whole, control, rates)
        if game.adversary != GIVEN:
            game.outcomes[t] = choose(reals, whole, control, game.adversary)
        index = draw(reals, whole, control[SIZE], game.uniforms[t])
        if len(game.draws) > 0:
            game.draws[t] = whole[NUMBER, index]
        if len(game.mixtures) > 0:
            for s in range(control[SIZE]):
                game.mixtures[t, whole[NUMBER, whole[MEMBER, s]]] = reals[MIXTURE, s]
        advance(reals, whole, control, rates, index, int(game.outcomes[t]))
        if control[FULL]:
            return t + 1
    return len(game.uniforms)
