r"""What breaks on rare events: a grid with the points 0 and 1, and a uniform grid without them."""

from __future__ import annotations

from functools import partial

import numpy as np
from flint import arb, fmpq

from klcal import bounds
from klcal._checks import OutcomeArray
from klcal.claims._combinators import jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.comparisons._common import CHAPTER
from klcal.exact.balls import lower, precision, upper
from klcal.forecasters.baselines import FastSquaredBlumMansour, FastTwoNeighbours
from klcal.forecasters.reduction import FastBlumMansour
from klcal.forecasters.rounds import Reduction
from klcal.grids import full_grid, uniform_grid
from klcal.measures import calibration_error, kl_calibration

RESOLUTIONS = range(2, 21)
_ROUNDS = 400


def _late_event(rounds: int, event: bool) -> OutcomeArray:
    outcomes = np.zeros(rounds, dtype=np.uint8)
    outcomes[-1] = event
    return outcomes


def _played(algorithm: Reduction, outcomes: OutcomeArray) -> Reduction:
    for y in outcomes.tolist():
        algorithm.update(algorithm.draw(0.5), y)
    return algorithm


def certain_forecasts(event: bool = True, scale: float = 1.0) -> Evidence:
    """Play zeros and then a single one: forecasters that may say 0 against Algorithm 1, at 19 resolutions.

    Parameters
    ----------
    event : bool
        Whether the last outcome is a one.
    scale : float
        Factor on the bound of Theorem 2.
    """
    outcomes = _late_event(_ROUNDS, event)
    infinite, ours, theirs = 0, 0.0, 0.0
    for K in RESOLUTIONS:
        squared = _played(FastSquaredBlumMansour(uniform_grid(K)), outcomes).expected
        neighbours = _played(FastTwoNeighbours(uniform_grid(K)), outcomes).expected
        infinite += kl_calibration(squared) == np.inf and kl_calibration(neighbours) == np.inf
        theirs = max(theirs, calibration_error(squared) / bounds.squared_loss_pcal2(_ROUNDS, K))
        sine = _played(FastBlumMansour(full_grid(K)), outcomes).expected
        ours = max(ours, kl_calibration(sine) / (scale * float(bounds.theorem_2(_ROUNDS, K))))
    return jointly(
        Evidence(
            infinite,
            len(RESOLUTIONS),
            "==",
            "resolutions at which both have PKLCal = inf after 399 zeros and a one",
            {"K": f"{RESOLUTIONS[0]} to {RESOLUTIONS[-1]}"},
        ),
        Evidence(theirs, 1, "<=", "PCal_2 of the squared-loss algorithm over its bound"),
        Evidence(ours, 1, "<=", "PKLCal of Algorithm 1 over Theorem 2 in the same games"),
    )


def end_prices(sine: float = 0.634, uniform: float = 1.0) -> Evidence:
    r"""Check what constant outcomes cost per round on two grids without 0 and 1, in balls.

    The nearest point to 0 costs :math:`-\log(1 - \frac1K) \ge \frac1K` on the uniform grid and
    :math:`-\log(1 - \sin^2\frac\pi{4K}) = -2\log\cos\frac\pi{4K}` on the sine grid. As
    :math:`-2\log\cos x = x^2 + \frac{x^4}6 + \dots` has positive coefficients, the second times
    :math:`K^2` decreases in K, so K = 2 decides.

    Parameters
    ----------
    sine : float
        What the price on the sine grid must stay below, times K squared.
    uniform : float
        What the price on the uniform grid must reach, times K.
    """
    with precision(80):
        wide = {K: K * -(1 - arb(1) / K).log() for K in range(2, 401)}
        narrow = {K: -2 * K**2 * arb.cos_pi_fmpq(fmpq(1, 4 * K)).log() for K in range(2, 401)}
        falls = sum(not narrow[K + 1] < narrow[K] for K in range(2, 400))
    return jointly(
        Evidence(
            max(map(upper, narrow.values())), sine, "<=", "K^2 times the price on the sine grid, K = 2 to 400"
        ),
        Evidence(
            min(map(lower, wide.values())),
            uniform,
            ">=",
            "K times the price on the uniform grid, K = 2 to 400",
        ),
        Evidence(falls, 0, "==", "steps at which K^2 times the price does not fall"),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="new:certain-forecasts",
        number="new",
        title="calibrated under the squared loss, infinitely wrong under the log loss",
        kind="numeric",
        chapter=CHAPTER,
        statement="After 399 zeros and a one, the squared-loss algorithm and the two neighbours have PKLCal = infinity "
        "at every K from 2 to 20, although PCal_2 of the former is below its bound; in the same games Algorithm 1, "
        "which has no 0 on its grid, stays below Theorem 2.",
        uses=("sec:bound_calibration/squared-loss", "thm:bound_pkcal/explicit"),
        check=certain_forecasts,
        spoil=(partial(certain_forecasts, False), partial(certain_forecasts, True, 0.1)),
    ),
    Claim(
        label="new:end-prices",
        number="new",
        title="why the grid is not uniform: the price of constant outcomes",
        kind="certified",
        chapter=CHAPTER,
        statement="If all outcomes are 0, the uniform grid 1/K, ..., 1 - 1/K costs every forecaster at least 1/K a "
        "round under the log loss, while the lowest point of the sine grid costs at most 0.634/K^2.",
        uses=("alg:rounding_alg/clamped",),
        check=end_prices,
        spoil=(partial(end_prices, 0.63), partial(end_prices, 0.634, 1.01)),
    ),
)
