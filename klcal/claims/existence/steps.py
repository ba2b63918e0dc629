r"""Steps II and III in the proof of Theorem 1: the martingales, Equation 6 watched, and the rate with its constant."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Literal

import numpy as np

from klcal import bounds, grids
from klcal._checks import FloatArray
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.existence._common import CHAPTER, most_failures
from klcal.games import dual_game

# ----- the martingale of a bucket ---------------------------------------------------------------------------

_POINTS = (Fraction(1, 4), Fraction(3, 4))
Centre = Literal["announcement", "forecast", "hindsight"]


def _answer(p: Fraction) -> int:
    return 0 if p <= Fraction(1, 2) else 1


def _announcements(T: int, seed: int) -> dict[tuple[int, ...], Fraction]:
    """Return an adversary: a number in [0, 1] after each history of outcomes, 0 and 1 among them."""
    draws = iter(np.random.default_rng(seed).integers(0, 13, size=2**T).tolist())
    return {h: Fraction(next(draws), 12) for t in range(T) for h in product((0, 1), repeat=t)}


def _paths(T: int, seed: int, centre: Centre) -> Iterator[tuple[Fraction, list[list[Fraction]]]]:
    """Yield every outcome sequence's probability and its differences, one list per bucket."""
    tree = _announcements(T, seed)
    for outcomes in product((0, 1), repeat=T):
        chance, differences = Fraction(1), [[], []]  # type: tuple[Fraction, list[list[Fraction]]]
        for t, y in enumerate(outcomes):
            p = tree[outcomes[:t]]
            bucket = y if centre == "hindsight" else _answer(p)
            differences[bucket].append(y - (_POINTS[bucket] if centre == "forecast" else p))
            chance *= p if y else 1 - p
        if chance > 0:
            yield chance, differences


def martingale_differences(centre: Centre = "announcement", T: int = 5, trees: int = 40) -> Evidence:
    r"""Check :math:`\mathbb E[X_{j,i} \mid X_{1,i}, \dots, X_{j-1,i}] = 0` in fractions, for forty random adversaries.

    :math:`X_{j,i}` is :math:`y - \tilde p` in the j-th round with forecast :math:`z_i`, and 0 if there is none. Whether
    and when that round comes is random, but known before its outcome is drawn.

    Parameters
    ----------
    centre : {"announcement", "forecast", "hindsight"}
        What is subtracted from y. The forecast in its place, or a bucket chosen with y in hand, spoils the property.
    T, trees : int
        Rounds, and number of adversaries.
    """
    drift = Fraction(0)
    for seed in range(trees):
        means: dict[tuple[int, tuple[Fraction, ...]], Fraction] = {}
        for chance, differences in _paths(T, seed, centre):
            for i, steps in enumerate(differences):
                padded = [*steps, *[Fraction(0)] * (T - len(steps))]
                for j, step in enumerate(padded):
                    past = (i, tuple(padded[:j]))
                    means[past] = means.get(past, Fraction(0)) + chance * step
        drift = max(drift, *map(abs, means.values()))
    text = "largest |E[X_j; X_1, ..., X_(j-1)]| over all pasts, in fractions"
    return Evidence(drift, 0, "==", text, {"T": T, "adversaries": trees})


# ----- Equation 6 -------------------------------------------------------------------------------------------

_GAME = {"T": 400, "K": 5, "games": 400}


def _largest_excess(games: dual_game.DualGames, K: int, delta: float) -> FloatArray:
    """Return for every game the largest |sum of differences| over its bound, over all buckets and all prefixes."""
    told, said, drawn = games.announcements, games.answers, games.outcomes
    if told is None or said is None or drawn is None:
        raise ValueError("games must be recorded; play them with record=True")
    visits = said[:, :, np.newaxis] == np.arange(len(games.grid))
    sums = np.cumsum(visits * (told - drawn)[:, :, np.newaxis], axis=1)
    allowed = bounds.deviation(np.cumsum(visits, axis=1), games.grid.points, K, delta)
    return np.asarray((np.abs(sums) / allowed).max(axis=(1, 2)))


def _opponents(grid: grids.Grid, T: int) -> dict[str, FloatArray | dual_game.Greedy]:
    fixed = {name: make(grid, T, "euclid") for name, make in dual_game.ANNOUNCERS.items()}
    return {**fixed, "greedy": dual_game.Greedy(T)}


def deviations_watched(share: float = 1.0, chance: Fraction = Fraction(1, 20), seed: int = 2025) -> Evidence:
    r"""Count games in which Equation 6 fails somewhere, against the binomial threshold for :math:`KT\delta` = `chance`.

    Parameters
    ----------
    share : float
        Multiplies the bound.
    chance : Fraction
        The promised probability of failure.
    seed : int
        Of the outcomes.
    """
    T, K, games = _GAME["T"], _GAME["K"], _GAME["games"]
    grid, delta = grids.inner_grid(K), float(chance / (K * T))
    failures, tightest = 0, 0.0
    for place, announcer in enumerate(_opponents(grid, T).values()):
        played = dual_game.play(announcer, grid, "euclid", games=games, rng=seed + place, record=True)
        excess = _largest_excess(played, K, delta)
        failures = max(failures, int(np.count_nonzero(excess > share)))
        tightest = max(tightest, float(excess.max()))
    return Evidence(
        failures,
        most_failures(games, chance),
        "<=",
        f"most games with a failure among {games}, five announcers; the threshold is exceeded with probability 1e-6",
        {**_GAME, "seed": seed, "largest deviation over its bound": round(tightest, 3)},
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="thm:log_loss_swap_reg/martingale",
        number="Theorem 1, Step II",
        title="the differences of a bucket are a martingale's",
        kind="exact",
        chapter=CHAPTER,
        statement="In the rounds in which z_i is the forecast, the differences y - p~, padded with zeros, are "
        "martingale differences, although the times of these rounds are random: forty adversaries on the grid "
        "{1/4, 3/4}, five rounds, all outcomes enumerated.",
        check=martingale_differences,
        spoil=(partial(martingale_differences, "forecast"), partial(martingale_differences, "hindsight")),
        rows=(37,),
    ),
    Claim(
        label="eq:hp_bound_sum_X",
        number="Equation 6",
        title="all deviations at once, watched",
        kind="statistical",
        chapter=CHAPTER,
        statement="With probability at least 1 - KT delta the bound of Equation 6 holds for all buckets and all "
        "prefixes at once, since mu is chosen for a fixed number of rounds. Watched in games against five announcers.",
        uses=("lem:Freedman", "eq:hp_bound_sum_X/explicit", "thm:log_loss_swap_reg/martingale"),
        check=deviations_watched,
        spoil=(partial(deviations_watched, 0.25),),
        rows=(41,),
    ),
)
