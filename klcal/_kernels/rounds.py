"""The loop over rounds that all compiled forecasters share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from klcal._kernels.bank import Bank, Control, Entry, Learner, draw, dtype
from klcal._kernels.compiling import Reals, Whole, engine
from klcal._kernels.opponents import GIVEN, choose

_Kernel = Callable[..., Any]


class Game(NamedTuple):
    """The rounds that a loop plays, one entry or row each.

    With `adversary` other than GIVEN, `outcomes` is filled in. `draws` and `mixtures` are filled in unless empty.
    """

    outcomes: npt.NDArray[np.uint8]
    uniforms: Reals
    adversary: int
    draws: Whole
    mixtures: Reals


def loop(
    solve: _Kernel, advance: _Kernel, learner: type = Learner, entry: type = Entry, control: type = Control
) -> tuple[_Kernel, _Kernel, _Kernel]:
    """Return a forecaster's rounds: how one begins, how it ends, and many; from what tells forecasters apart.

    ``solve(learners, mixture, now, rates)`` makes the mixture of the round; ``advance(learners, mixture, now, index,
    outcome)`` feeds the round to the learners and says whether the caller has something to do before the next. The
    first two take the records as bytes, which a call from Python passes faster.
    """
    of_learner, of_entry, of_control = dtype(learner), dtype(entry), dtype(control)

    def begin(learners: Any, mixture: Any, control: Any, rates: Reals, uniform: float) -> int:
        """Solve the round and return the grid index that `uniform` draws: for streams one call from Python, not two."""
        entries, now = mixture.view(of_entry), control.view(of_control)[0]
        solve(learners.view(of_learner), entries, now, rates)
        return draw(entries, now, uniform)

    def end(learners: Any, mixture: Any, control: Any, index: int, outcome: int) -> bool:
        """End the round; twin of `update`."""
        now = control.view(of_control)[0]
        return advance(learners.view(of_learner), mixture.view(of_entry), now, index, outcome)  # type: ignore[no-any-return]

    def play_rounds(bank: Bank, game: Game, start: int) -> int:
        """Play from round `start` on, and return the number of the next round; twin of the loop in `play`."""
        learners, mixture, control, rates = bank
        now = control[0]
        for t in range(start, len(game.uniforms)):
            solve(learners, mixture, now, rates)
            if game.adversary != GIVEN:
                game.outcomes[t] = choose(learners, mixture, now.members, game.adversary)
            index = draw(mixture, now, game.uniforms[t])
            if len(game.draws) > 0:
                game.draws[t] = learners[index].number
            if len(game.mixtures) > 0:
                for s in range(now.members):
                    game.mixtures[t, learners[mixture[s].member].number] = mixture[s].share
            if advance(learners, mixture, now, index, int(game.outcomes[t])):
                return t + 1
        return len(game.uniforms)

    for function in (begin, end, play_rounds):
        function.__qualname__ = f"{solve.__module__.rpartition('.')[2]}.{function.__name__}"
    return engine(begin), engine(end), engine(play_rounds)
