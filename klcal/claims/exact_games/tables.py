"""The table of exact values for the chapter on the solved game."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from klcal._checks import FloatArray
from klcal.claims._render import Table


def as_table(resolutions: Sequence[int], horizons: Sequence[int], numbers: FloatArray) -> Table:
    """Return values as a table, with the resolution of the smallest one in each row.

    Parameters
    ----------
    resolutions, horizons : sequence of int
        K and T.
    numbers : ndarray, shape (horizons, resolutions)
        Such as `klcal.minimax.values` returns; NaN where a game was not solved.

    Returns
    -------
    Table
        A dash stands for a game that was not solved.

    Examples
    --------
    >>> from klcal import minimax
    >>> as_table([2, 3], [1], minimax.values([2, 3], [1]))
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
