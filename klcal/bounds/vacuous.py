"""From which horizon on a bound says more than what comes for free."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from klcal import grids
from klcal._checks import IntArray


def last_vacuous(
    bound: Callable[[IntArray, IntArray], Any],
    per_round: float,
    *,
    resolution: Callable[[int], int] = grids.resolution,
    limit: int = 10**12,
) -> int:
    """Return the last T at which ``bound(T, resolution(T))`` is at least `per_round` times T, 0 if there is none.

    Parameters
    ----------
    bound : callable
        Takes arrays T and K.
    per_round : float
        What comes for free in each round.
    resolution : callable
        The K that belongs to T; for the paper's Theorem 1 it is `theorem_1_paper_K`.
    limit : int
        A list of horizons up to here is tried first; between two neighbours on it every T is.

    Returns
    -------
    int

    Examples
    --------
    >>> import math
    >>> from klcal import bounds
    >>> last_vacuous(bounds.theorem_2, math.log(2))
    6
    """

    def is_vacuous(horizons: IntArray) -> Any:
        K = np.array([resolution(int(T)) for T in horizons], dtype=np.int64)
        return bound(horizons, K) >= per_round * horizons

    horizons = np.unique(np.geomspace(2, limit, 600).astype(np.int64))
    vacuous = np.flatnonzero(is_vacuous(horizons))
    if len(vacuous) == 0:
        return 0
    following = min(int(vacuous[-1]) + 1, len(horizons) - 1)
    between = np.arange(horizons[vacuous[-1]], horizons[following] + 1)
    return int(between[is_vacuous(between)].max())
