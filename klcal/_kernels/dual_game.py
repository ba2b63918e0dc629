"""One game of Section 4's dual game (`dual_game`): an announced probability, its nearest grid point, an outcome."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from klcal._kernels.compiling import Reals, Whole, engine
from klcal._kernels.opponents import rises

# Who announces: the caller's numbers, or the announcer that raises KL-calibration most in expectation.
GIVEN, GREEDY = 0, 1


@engine
def nearest(borders: Reals, p: float) -> int:
    """Return how many borders lie strictly below p; twin of ``np.searchsorted(borders, p, side="left")``."""
    low, high = 0, len(borders)
    while low < high:
        middle = (low + high) // 2
        if borders[middle] < p:
            low = middle + 1
        else:
            high = middle
    return low


@engine
def greedy(points: Reals, borders: Reals, menu: Reals, counts: Whole) -> int:
    """Return the first entry of `menu` that raises KL-calibration most, in expectation; twin of `dual_game.Greedy`."""
    best, largest = 0, -1.0
    for j in range(len(menu)):
        p = menu[j]
        i = nearest(borders, p)
        with_zero, with_one = rises(points[i], float(counts[1, i]), float(counts[0, i]))
        gain = p * with_one + (1.0 - p) * with_zero
        if gain > largest:
            best, largest = j, gain
    return best


@engine
def play_rounds(
    points: Reals,
    borders: Reals,
    menu: Reals,
    announcer: int,
    announcements: Reals,
    uniforms: Reals,
    counts: Whole,
    answers: Whole,
    outcomes: npt.NDArray[np.uint8],
) -> None:
    """Play ``len(uniforms)`` rounds; twin of the reference loop in `dual_game`.

    `counts` has a row per outcome and a column per grid point and is added to. With `announcer` GREEDY the
    announcements are filled in; `answers` and `outcomes` always are.
    """
    for t in range(len(uniforms)):
        if announcer == GREEDY:
            announcements[t] = menu[greedy(points, borders, menu, counts)]
        p = announcements[t]
        i = nearest(borders, p)
        y = 1 if uniforms[t] < p else 0
        counts[y, i] += 1
        answers[t] = i
        outcomes[t] = y
