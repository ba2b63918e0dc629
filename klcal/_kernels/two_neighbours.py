"""Foster's randomisation between two neighbours, round by round; twin of `baselines.TwoNeighbours`.

The grid is uniform, so whether a point is calibrated is a question about whole numbers: after n forecasts of i/K with
k ones, K k - i n is zero, positive or negative, without rounding.
"""

from __future__ import annotations

from klcal._kernels import bank
from klcal._kernels.bank import (
    COUNT,
    LEANING,
    MEMBER,
    MIXTURE,
    REALISED,
    SIZE,
    Bank,
    add_weight,
    draw,
    mix_one,
    mix_two,
)
from klcal._kernels.compiling import Reals, Whole, engine, inlined
from klcal._kernels.rounds import Game, outcome_and_draw


def new_bank(points: Reals) -> Bank:
    """Return the state before the first round; LEANING is the mean outcome of each point, before that the point."""
    return bank.new_bank(points, points, REALISED)


@inlined
def _excess(whole: Whole, i: int) -> int:
    """Return K k - i n, the sign of mean minus point."""
    last = whole.shape[1] - 1
    ones, zeros = whole[COUNT + 1, i], whole[COUNT + 0, i]
    return last * ones - i * (ones + zeros)  # type: ignore[no-any-return]


@inlined
def _gap(whole: Whole, i: int) -> float:
    """Return mean minus point."""
    last = whole.shape[1] - 1
    mass = (whole[COUNT + 1, i] + whole[COUNT + 0, i]) * last
    return _excess(whole, i) / mass  # type: ignore[no-any-return]


@engine
def solve(reals: Reals, whole: Whole, control: Whole, rates: Reals) -> None:  # noqa: ARG001
    """Put the mixture of the round into MIXTURE; twin of `baselines.neighbour_mixture`."""
    last = whole.shape[1] - 1
    change = -1
    for i in range(last + 1):
        excess = _excess(whole, i)
        if excess == 0:
            mix_one(reals, whole, control, i)
            return
        if change < 0 and excess < 0:
            change = i - 1
    above, below = _gap(whole, change), -_gap(whole, change + 1)
    mix_two(reals, whole, control, change, below, above)


@engine
def advance(reals: Reals, whole: Whole, control: Whole, index: int, outcome: int) -> None:
    """Count the drawn forecast, and the mixture; twin of `baselines.TwoNeighbours.update`."""
    for s in range(control[SIZE]):
        if reals[MIXTURE, s] > 0.0:
            add_weight(reals, whole[MEMBER, s], outcome, reals[MIXTURE, s])
    whole[COUNT + outcome, index] += 1
    ones, zeros = whole[COUNT + 1, index], whole[COUNT + 0, index]
    reals[LEANING, index] = ones / (ones + zeros)


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
