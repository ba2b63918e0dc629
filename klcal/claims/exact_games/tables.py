"""Tables of exact values, for the chapter on the solved game."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from klcal import minimax
from klcal._checks import FloatArray
from klcal.claims._render import Table
from klcal.grids import inner_grid


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
        if minimax.StateSpace(K - 1, T).total <= states:
            table[row, column] = minimax.value(inner_grid(K), T, measure)
    return table


def as_table(resolutions: Sequence[int], horizons: Sequence[int], numbers: FloatArray) -> Table:
    """Return values as a table, with the resolution of the smallest one in each row.

    Parameters
    ----------
    resolutions, horizons : sequence of int
        K and T.
    numbers : ndarray, shape (horizons, resolutions)
        Such as `values` returns.

    Returns
    -------
    Table
        A dash stands for a game that was not solved.

    Examples
    --------
    >>> as_table([2, 3], [1], values([2, 3], [1]))
    T  K = 2   K = 3   smallest
    1  0.6931  0.8370  K = 2
    """
    columns = ("T", *(f"K = {K}" for K in resolutions), "smallest")
    rows = []
    for T, row in zip(horizons, numbers, strict=True):
        cells = ["-" if np.isnan(number) else f"{number:.4f}" for number in row]
        # Rounded, so that grids which share the best points tie and the coarsest of them is named.
        best = resolutions[int(np.nanargmin(row.round(12)))]
        rows.append((str(T), *cells, f"K = {best}"))
    return Table(columns, tuple(rows))
