r"""The dual game with high probability: an exponential moment, exactly in small games, and larger games watched."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np
from flint import arb

from klcal import bounds, grids
from klcal._checks import FloatArray
from klcal.claims._combinators import jointly
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.constants._common import GAMES, agrees, angle
from klcal.claims.existence._common import BITS, CHAPTER, exponential_cost, inner, most_failures, worst_case
from klcal.claims.existence.answers import equal_deviations
from klcal.claims.existence.dual import SMALL, sharpened
from klcal.exact.balls import ball, precision, upper
from klcal.games import dual_game


def moment_over_bound(K: int, T: int, nearest: str) -> float:
    r"""Return the worst exponential moment of the dual game over its bound :math:`\cos^{-T}\frac\pi{2K}`.

    Parameters
    ----------
    K, T : int
        Resolution of the inner grid, and horizon; both small.
    nearest : {"euclid", "kl", "chi-square"}
        How the forecaster answers.

    Returns
    -------
    float
        At most 1 for the last rule.

    Examples
    --------
    >>> [round(moment_over_bound(4, 2, rule), 4) for rule in ("euclid", "kl", "chi-square")]
    [1.0616, 1.0211, 1.0]
    """
    with precision(BITS):
        moment = worst_case(inner(K), nearest, T, exponential_cost, multiplied=True)
        return float((moment * angle(K).cos() ** T).mid())


@precision(BITS)
def exponential_moment(nearest: str = "chi-square", share: float = 1.0) -> Evidence:
    r"""Check :math:`\mathbb E\exp\frac12(\mathsf{KLCal} - \sum\log(1+n_i)) \le \cos^{-T}\theta` for all adversaries.

    Parameters
    ----------
    nearest : str
        The rule; with the other two the inequality is false for some K.
    share : float
        Multiplies the angle.
    """
    excess, where = arb("-inf"), {}
    for K, horizons in {**SMALL, 6: (1, 2, 3)}.items():
        for T in horizons:
            moment = worst_case(inner(K), nearest, T, exponential_cost, multiplied=True)
            ratio = moment * (ball(share) * angle(K)).cos() ** T
            if ratio > excess:
                excess, where = ratio, {"K": K, "T": T}
    text = "excess over 1 of the largest exponential moment times cos^T, by backward induction in balls"
    return jointly(
        # In some games both sides are equal, and a ball of radius 1e-37 is all that can be known.
        Evidence(int(upper(excess - 1) > 1e-30), 0, "==", f"{text}: above 1e-30 or not", where),
        Evidence(int(not excess.overlaps(arb(1))), 0, "==", "both sides are equal in some games"),
        agrees(
            "learning plus grid plus 2 log(1/delta)",
            bounds.theorem_1_tail,
            lambda T, K, delta: sharpened(K, ball(T)) - 2 * ball(delta).log(),
            [(T, K, delta) for T, K in GAMES for delta in (1.0, 0.05, 1e-6)],
        ),
        equal_deviations(),
    )


def tail_watched(grid_counts: bool = True, chance: Fraction = Fraction(1, 20), seed: int = 41) -> Evidence:
    """Count games whose KLCal exceeds the bound for delta = `chance`, against the exact binomial threshold.

    Parameters
    ----------
    grid_counts : bool
        Whether the bound has its grid term; without it serves as a control.
    chance : Fraction
        The promised probability of failure.
    seed : int
        Of the outcomes.
    """
    T, games = 2000, 300
    K = grids.resolution(T)
    grid = grids.inner_grid(K)
    bound = bounds.theorem_1_tail(T, K, float(chance)) - (
        0.0 if grid_counts else T * bounds.comparator_error_inner(K)
    )
    opponents: list[FloatArray | dual_game.Greedy] = [dual_game.Greedy(T)]
    opponents += [make(grid, T, "chi-square") for make in dual_game.ANNOUNCERS.values()]
    failures, largest = 0, 0.0
    for place, announcer in enumerate(opponents):
        error = dual_game.play(announcer, grid, "chi-square", games=games, rng=seed + place).kl_calibration()
        failures = max(failures, int(np.count_nonzero(error > bound)))
        largest = max(largest, float(error.max()) / bound)
    return Evidence(
        failures,
        most_failures(games, chance),
        "<=",
        f"most games above the bound among {games}, five announcers; the threshold is exceeded with probability 1e-6",
        {"T": T, "K": K, "seed": seed, "largest KLCal over the bound": round(largest, 3)},
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="new:dual-game-tail",
        number="new",
        title="the dual game with high probability",
        kind="certified",
        chapter=CHAPTER,
        statement="In the dual game the chi-square-nearest point keeps E exp((KLCal - sum of log(1 + n_i))/2) <= "
        "cos(pi/2K)^(-T) against every adversary. So KLCal exceeds the sharpened bound plus 2 log(1/delta) with "
        "probability at most delta; and by Theorem 4, some algorithm has this tail against every adaptive adversary. "
        "Proved in the chapter; here the moments of small games (K = 2..6) are computed, some equal to the bound.",
        uses=("new:laplace-in-buckets", "new:nearest-answers", "eq:minmax"),
        check=exponential_moment,
        spoil=(
            partial(exponential_moment, "kl"),
            partial(exponential_moment, "euclid"),
            partial(exponential_moment, share=0.99),
        ),
    ),
    Claim(
        label="new:dual-game-tail/watched",
        number="new",
        title="the tail of larger dual games, watched",
        kind="statistical",
        chapter=CHAPTER,
        statement="In 300 games of 2000 rounds against each of five announcers KLCal exceeds the bound for delta = "
        "1/20 no more often than the exact binomial threshold allows.",
        uses=("new:dual-game-tail",),
        check=tail_watched,
        spoil=(partial(tail_watched, False),),
    ),
)
