r"""What breaks on rare events: a grid with the points 0 and 1, and a uniform grid without them."""

from __future__ import annotations

import numpy as np
from flint import arb

from klcal import bounds
from klcal.claims._combinators import at_most, equal, jointly, positive, worst
from klcal.claims._evidence import Evidence, cases
from klcal.claims._ledger import Chapter
from klcal.exact.balls import precision
from klcal.forecasters.baselines import FastSquaredBlumMansour, FastTwoNeighbours
from klcal.forecasters.reduction import FastBlumMansour
from klcal.forecasters.rounds import Reduction
from klcal.grids import full_grid, uniform_grid
from klcal.measures import Cells, calibration_error, kl_calibration

chapter = Chapter("10_comparisons")

RESOLUTIONS = range(2, 21)
ROUNDS = 400


def _expected_cells(algorithm: Reduction, event: bool) -> Cells:
    """Return the expected cells after zeros and a last outcome, a one if there is an event."""
    for y in (*[0] * (ROUNDS - 1), int(event)):
        algorithm.update(algorithm.draw(0.5), y)
    return algorithm.expected


@chapter.claim(
    "new:certain-forecasts",
    "new",
    "calibrated under the squared loss, infinitely wrong under the log loss",
    kind="numeric",
    scope=cases("K = 2, ..., 20, 399 zeros and a one"),
    controls={
        "a zero in place of the one": {"event": False},
        "0.72 of Theorem 2, where 0.73 would do": {"share": 0.72},
    },
    uses=("sec:bound_calibration/squared-loss", "thm:bound_pkcal/explicit"),
)
def certain_forecasts(event: bool = True, share: float = 1.0) -> Evidence:
    r"""After 399 zeros and a one, the squared-loss algorithm and two neighbours have $\mathsf{PKLCal} = \infty$ at
    every $K$ from 2 to 20, although $\mathsf{PCal}_2$ of the former is below its bound; in the same games Algorithm 1,
    which has no 0 on its grid, stays below Theorem 2.
    """
    squared = {K: _expected_cells(FastSquaredBlumMansour(uniform_grid(K)), event) for K in RESOLUTIONS}
    others = {K: _expected_cells(FastTwoNeighbours(uniform_grid(K)), event) for K in RESOLUTIONS}
    sine = {K: _expected_cells(FastBlumMansour(full_grid(K)), event) for K in RESOLUTIONS}
    infinite = sum(kl_calibration(squared[K]) == kl_calibration(others[K]) == np.inf for K in RESOLUTIONS)
    return jointly(
        equal(infinite, len(RESOLUTIONS), r"at all resolutions both have $\mathsf{PKLCal} = \infty$"),
        worst(
            r"$\mathsf{PCal}_2$ of the squared-loss algorithm over its bound",
            RESOLUTIONS,
            lambda K: calibration_error(squared[K]) / bounds.squared_loss_pcal2(ROUNDS, K),
            1,
        ),
        worst(
            r"$\mathsf{PKLCal}$ of Algorithm 1 over Theorem 2",
            RESOLUTIONS,
            lambda K: kl_calibration(sine[K]) / float(bounds.theorem_2(ROUNDS, K)),
            share,
        ),
    )


@chapter.claim(
    "new:end-prices",
    "new",
    "why the grid is not uniform: the price of constant outcomes",
    kind="certified",
    controls={
        "0.633 in place of 0.634": {"sine": 0.633},
        r"$\frac{1.01}K$ in place of $\frac1K$": {"uniform": 101},
    },
    uses=("alg:rounding_alg/clamped",),
)
def end_prices(sine: float = 0.634, uniform: int = 100) -> Evidence:
    r"""If all outcomes are 0, the uniform grid $\frac1K, \dots, 1-\frac1K$ costs every forecaster at least $\frac1K$ a
    round under the log loss, for every $K \ge 2$, while the lowest point of the sine grid costs at most
    $\frac{0.634}{K^2}$.

    The prices are $-\log(1-\frac1K)$ and $-2\log\cos\frac\pi{4K}$, and $x^{-2}\log\sec x$ increases, so $K = 2$
    decides.
    """
    with precision(128):
        return jointly(
            at_most(-8 * (arb.pi() / 8).cos().log(), sine, "$K^2$ times the price on the coarsest sine grid"),
            positive(
                r"$x\tan x > 2\log\sec x$ up to $\frac\pi8$, so $x^{-2}\log\sec x$ increases",
                lambda x: x * x.tan() + 2 * x.cos().log(),
                arb.pi() / 8,
            ),
            positive(
                r"$-\log(1-x) > x$ for $x = \frac1K$ up to $\frac12$",
                lambda x: -100 * (1 - x).log() - uniform * x,
                0.5,
            ),
        )
