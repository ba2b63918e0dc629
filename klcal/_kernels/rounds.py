"""What every loop over rounds has in common: the game as a record, the adversary's move and the draw; and replays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from klcal._kernels.bank import MEMBER, MIXTURE, SIZE, draw
from klcal._kernels.compiling import Reals, Whole, engine, inlined
from klcal._kernels.opponents import GIVEN, choose


class Game(NamedTuple):
    """The rounds that a loop plays, one entry or row each.

    With `adversary` other than GIVEN, `outcomes` is filled in. `draws` and `mixtures` are filled in unless empty.
    """

    outcomes: npt.NDArray[np.uint8]
    uniforms: Reals
    adversary: int
    draws: Whole
    mixtures: Reals


@inlined
def outcome_and_draw(reals: Reals, whole: Whole, control: Whole, game: Game, t: int) -> int:
    """Let the adversary choose, then draw from the mixture; return the drawn index. Twin of the loop in `play`."""
    if game.adversary != GIVEN:
        game.outcomes[t] = choose(reals, whole, control, game.adversary)
    index = draw(reals, whole, control[SIZE], game.uniforms[t])
    if len(game.draws) > 0:
        game.draws[t] = index
    if len(game.mixtures) > 0:
        for s in range(control[SIZE]):
            game.mixtures[t, whole[MEMBER, s]] = reals[MIXTURE, s]
    return index


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
