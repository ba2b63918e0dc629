"""Foster's randomisation between two neighbours, round by round; twin of `baselines.TwoNeighbours`.

The grid is uniform, so whether a point is calibrated is a question about whole numbers: after n forecasts of i/K with
k ones, K k - i n is zero, positive or negative, without rounding.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from klcal._kernels.bank import COUNT, LEANING, MEMBER, MIXTURE, POINT, REALISED, SIZE, add_weight, draw
from klcal._kernels.compiling import Reals, Whole, engine, inlined
from klcal._kernels.opponents import GIVEN, choose

_ROWS_REAL, _ROWS_WHOLE = 10, 4


class NeighbourBank(NamedTuple):
    """State of the forecaster; rows and slots are those of `bank`. LEANING is the mean outcome of each point."""

    reals: Reals
    whole: Whole
    control: Whole


def new_bank(points: Reals) -> NeighbourBank:
    """Return the state before the first round; a point that was never forecast leans to itself."""
    reals = np.zeros((_ROWS_REAL, len(points)))
    reals[POINT] = points
    reals[LEANING] = points
    whole = np.zeros((_ROWS_WHOLE, len(points)), dtype=np.int64)
    return NeighbourBank(reals, whole, np.array([0, 0, REALISED, 0], dtype=np.int64))


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
def solve(reals: Reals, whole: Whole, control: Whole) -> None:
    """Put the mixture of the round into MIXTURE; twin of `baselines.neighbour_mixture`."""
    last = whole.shape[1] - 1
    change = -1
    for i in range(last + 1):
        excess = _excess(whole, i)
        if excess == 0:
            control[SIZE] = 1
            whole[MEMBER, 0] = i
            reals[MIXTURE, 0] = 1.0
            return
        if change < 0 and excess < 0:
            change = i - 1
    above, below = _gap(whole, change), -_gap(whole, change + 1)
    control[SIZE] = 2
    whole[MEMBER, 0] = change
    whole[MEMBER, 1] = change + 1
    reals[MIXTURE, 0] = below / (above + below)
    reals[MIXTURE, 1] = above / (above + below)


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
def play_rounds(
    reals: Reals,
    whole: Whole,
    control: Whole,
    outcomes: npt.NDArray[np.uint8],
    uniforms: npt.NDArray[np.float64],
    adversary: int,
    draws: npt.NDArray[np.int64],
    mixtures: npt.NDArray[np.float64],
) -> None:
    """Play ``len(uniforms)`` rounds; arguments as for `blum_mansour.play_rounds`, twin of the loop in `play`."""
    for t in range(len(uniforms)):
        solve(reals, whole, control)
        if adversary != GIVEN:
            outcomes[t] = choose(reals, whole, control, adversary)
        index = draw(reals, whole, control[SIZE], uniforms[t])
        if len(draws) > 0:
            draws[t] = index
        if len(mixtures) > 0:
            for s in range(control[SIZE]):
                mixtures[t, whole[MEMBER, s]] = reals[MIXTURE, s]
        advance(reals, whole, control, index, int(outcomes[t]))
