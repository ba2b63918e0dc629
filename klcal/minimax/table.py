"""Values of many games at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from klcal._checks import FloatArray
from klcal.grids import inner_grid
from klcal.minimax.induction import value
from klcal.minimax.states import StateSpace


def values(
    resolutions: Sequence[int], horizons: Sequence[int], measure: str = "kl", *, states: int = 6_000_000
) -> FloatArray:
    """Return the minimax values on inner grids, one row per horizon.

    Parameters
    ----------
    resolutions, horizons : sequence of int
        K and T.
    measure : {"kl", "squared"}
        What the games are played for.
    states : int
        Games with more states than this are not solved.

    Returns
    -------
    ndarray, shape (horizons, resolutions)
        NaN where a game was too large.

    Examples
    --------
    >>> values([2, 3], [1, 2], "squared").round(4)
    array([[0.25  , 0.3125],
           [0.5   , 0.4583]])
    """
    table = np.full((len(horizons), len(resolutions)), np.nan)
    for row, column in np.ndindex(table.shape):
        K, T = resolutions[column], horizons[row]
        if StateSpace(K - 1, T).total <= states:
            table[row, column] = value(inner_grid(K), T, measure)
    return table
