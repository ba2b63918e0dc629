"""The loop over rounds, written once and compiled for every forecaster."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType

import numpy as np
import numpy.typing as npt

from klcal._kernels.bank import MEMBER, MIXTURE, SIZE, draw
from klcal._kernels.compiling import Reals, Whole, engine
from klcal._kernels.opponents import GIVEN, choose

Step = Callable[..., None]


def _play_rounds(
    reals: Reals,
    whole: Whole,
    control: Whole,
    rates: Reals,
    outcomes: npt.NDArray[np.uint8],
    uniforms: npt.NDArray[np.float64],
    adversary: int,
    draws: npt.NDArray[np.int64],
    mixtures: npt.NDArray[np.float64],
) -> None:
    """Play ``len(uniforms)`` rounds; twin of the reference loop in `play`.

    With `adversary` other than GIVEN, `outcomes` is filled in. `draws` and `mixtures` are filled in unless empty.
    """
    for t in range(len(uniforms)):
        solve(reals, whole, control, rates)  # type: ignore[name-defined] # noqa: F821
        if adversary != GIVEN:
            outcomes[t] = choose(reals, whole, control, adversary)
        index = draw(reals, whole, control[SIZE], uniforms[t])
        if len(draws) > 0:
            draws[t] = index
        if len(mixtures) > 0:
            for s in range(control[SIZE]):
                mixtures[t, whole[MEMBER, s]] = reals[MIXTURE, s]
        advance(reals, whole, control, index, int(outcomes[t]))  # type: ignore[name-defined] # noqa: F821


def _begin(reals: Reals, whole: Whole, control: Whole, rates: Reals, uniform: float) -> int:
    """Put the mixture of the round into MIXTURE, and return the grid index that `uniform` selects from it."""
    solve(reals, whole, control, rates)  # type: ignore[name-defined] # noqa: F821
    return draw(reals, whole, control[SIZE], uniform)


def round_begin(solve: Step) -> Callable[..., int]:
    """Return the compiled first half of a round, for streams: one call from Python where two cost twice as much."""
    loop = FunctionType(_begin.__code__, {**globals(), "solve": solve}, "begin")
    loop.__qualname__ = f"begin_{solve.__module__.rpartition('.')[2]}"
    loop.__doc__ = _begin.__doc__
    return engine(loop)


def game_loop(solve: Step, advance: Step) -> Callable[..., None]:
    """Return the compiled loop of the forecaster that solves and advances like this.

    Both steps become global names of the loop. As variables of a closure they would be part of the key of its machine
    code on disk, where every process writes them differently, so that none would find the code of another.
    """
    names = {**globals(), "solve": solve, "advance": advance}
    loop = FunctionType(_play_rounds.__code__, names, "play_rounds")
    loop.__qualname__ = f"play_rounds_{solve.__module__.rpartition('.')[2]}"
    loop.__doc__ = _play_rounds.__doc__
    return engine(loop)
