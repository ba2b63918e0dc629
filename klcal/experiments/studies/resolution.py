"""How the calibration error depends on the number of cells at a fixed horizon."""

from __future__ import annotations

from klcal.experiments.game import games
from klcal.experiments.studies._common import ROOT, repetitions
from klcal.experiments.study import Study
from klcal.grids import resolution

ADVERSARIES = ("zeros", "fair coin", "coin 0.3", "random walk", "low discrepancy", "border")


def _cells(T: int) -> list[int]:
    """Return numbers of cells from 2 to four times ``resolution(T)``.

    All of them if these are few; otherwise all up to 27, then pairs K, K + 1, for both parities, ten percent apart.
    """
    last = 4 * resolution(T)
    if last <= 44:
        return list(range(2, last + 1))
    cells, K = {2, 3, last - 1, last, resolution(T)}, 4.0
    while last > K:
        cells |= {int(K), int(K) + 1}
        K = max(K + 2, K * 1.1)
    return sorted(cells)


STUDIES = (
    Study(
        "resolution",
        "Algorithm 1 on grids from coarse to fine, up to four times the cells of Theorem 2, at three horizons.",
        tuple(
            game
            for T in (10**4, 10**5, 10**6)
            for game in games(adversary=ADVERSARIES, T=T, K=_cells(T), seed=repetitions(T))
        ),
        ROOT,
    ),
)
