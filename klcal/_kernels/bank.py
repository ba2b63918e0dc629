"""What the compiled forecasters have in common: what they keep, how they draw and add up weights, the loop over rounds.

Records, read alike in Python (``learners["leaning"]``) and compiled (``learners[i].leaning``): a compiled call pays for
every array it passes, but not for the names in it. A forecaster adds fields of its own; the adversaries in `opponents`
read those named here, without asking who plays.

A single record is passed to inlined functions only: elsewhere the compiler might take the record of one forecaster for
that of another whose first fields are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import get_annotations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba.core import config

from klcal._kernels.compiling import Reals, Whole, engine, inlined

# What the learners are fed: the mixture's weights, or the drawn forecast.
EXPECTED, REALISED = 0, 1

# Arrays of records: for type checkers a `Learner` is what `learners[i]` is.
Records = Any


class Learner:
    """A grid point and who stands on it."""

    number: int  # under which its forecasts are recorded
    point: float
    weight: Reals  # of the mixtures so far, by outcome
    lost: Reals  # what these sums have lost to rounding
    count: Whole  # of the draws so far, by outcome
    leaning: float
    cell: int  # the last grid point below the leaning, or a first guess


class Entry:
    """Entry s of the mixture of the round; grid points increase with s."""

    member: int
    share: float


class Control:
    """What is there once."""

    members: int  # how many entries the mixture has
    feedback: int


class Bank(NamedTuple):
    """The state of a compiled forecaster, `control` being a single record, and room for an elimination."""

    learners: Records
    mixture: Records
    control: Records
    rates: Reals


_KINDS: dict[str, str] = {"int": "i8", "float": "f8", "bool": "?", "Reals": "2f8", "Whole": "2i8"}


@cache
def dtype(kind: type) -> Any:
    """Return what records of a class are made of: always the same object, which a compiled call knows at a glance."""
    fields = [pair for base in kind.__mro__[-2::-1] for pair in get_annotations(base).items()]
    return np.dtype([(name, _KINDS[of]) for name, of in fields], align=True)


def records(kind: type, number: int) -> Records:
    """Return an array of zeros whose fields are those of a class and of its bases."""
    made = np.zeros(number, dtype(kind))
    # Plain Python does not look up fields as attributes; the compiler does, in plain arrays.
    return made.view(np.recarray) if config.DISABLE_JIT else made  # type: ignore[attr-defined]


def as_bytes(array: Records) -> Any:
    """Return the same memory as an array of bytes: the fastest way into a compiled call."""
    return array if config.DISABLE_JIT else array.view(np.uint8)  # type: ignore[attr-defined]


def new_bank(
    points: Reals,
    leanings: Reals | float,
    feedback: int,
    *,
    learner: type = Learner,
    entry: type = Entry,
    control: type = Control,
    room: int = 0,
) -> Bank:
    """Return the state before the first round, with records of these classes, and `room` squared.

    The room is never touched beyond the largest class that occurs, so most of it stays an unused promise of memory.
    """
    n = len(points)
    new = Bank(records(learner, n), records(entry, n), records(control, 1), np.empty((room, room)))
    new.learners["number"], new.learners["point"], new.learners["leaning"] = np.arange(n), points, leanings
    new.control["feedback"] = feedback
    return new


@inlined
def draw(mixture: Records, now: Control, uniform: float) -> int:
    """Return the first grid index whose cumulative probability exceeds `uniform`; twin of `rounds.select`."""
    cumulative = 0.0
    for s in range(now.members - 1):
        cumulative += mixture[s].share
        if uniform < cumulative:
            return mixture[s].member  # type: ignore[no-any-return]
    return mixture[now.members - 1].member  # type: ignore[no-any-return]


@engine
def draw_again(mixture: Records, control: Records, uniform: float) -> int:
    """Draw from the mixture that is there, in a call from Python."""
    return draw(mixture, control[0], uniform)


@inlined
def mix_one(mixture: Records, now: Control, i: int) -> None:
    """Make grid point i the mixture of the round."""
    now.members = 1
    mixture[0].member = i
    mixture[0].share = 1.0


@inlined
def mix_two(mixture: Records, now: Control, i: int, low: float, high: float) -> None:
    """Make the grid points i and i + 1, in the proportion of `low` and `high`, the mixture of the round."""
    total = low + high
    now.members = 2
    mixture[0].member = i
    mixture[1].member = i + 1
    mixture[0].share = low / total
    mixture[1].share = high / total


@inlined
def cell_of(learners: Records, w: float, guess: int) -> int:
    """Return the last grid point that is not above w, -1 if there is none; the search starts at `guess`."""
    last, j = len(learners) - 1, guess
    while j < last and w >= learners[j + 1].point:
        j += 1
    while j >= 0 and w < learners[j].point:
        j -= 1
    return j


@inlined
def add_weight(learner: Learner, outcome: int, weight: float) -> None:
    """Add to a compensated sum (Kahan); twin of `rounds.Sums.update`."""
    corrected = weight - learner.lost[outcome]
    total = learner.weight[outcome] + corrected
    learner.lost[outcome] = (total - learner.weight[outcome]) - corrected
    learner.weight[outcome] = total


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
    from klcal._kernels.opponents import GIVEN, choose  # who look at records, and so come after them

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
