"""The studies of this book, one stored table each.

All games of one horizon and repetition share a seed, ``(ROOT, T, repetition)``: algorithms and adversaries meet the
same random numbers, while different horizons and repetitions are independent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from klcal.adversaries import ADAPTIVE, AGAINST_THE_TREE, OBLIVIOUS
from klcal.experiments import arena
from klcal.experiments.game import Game, SeedKey, games, seeds
from klcal.experiments.measuring import play_game, watch_game
from klcal.experiments.regrets import measure_regrets
from klcal.experiments.replicates import measure_replicates
from klcal.experiments.spreads import RUNS, spread_of_games
from klcal.experiments.study import Study
from klcal.experiments.sweeping import Measure
from klcal.experiments.trees import measure_swap, measure_wealth
from klcal.grids import resolution

ROOT = 20250216
EVERYONE = (*OBLIVIOUS, *ADAPTIVE)
# These compute exponentials of every candidate outcome: the only ones for which a hundred million rounds take minutes.
SLOW = ("greedy exp 0.5", "greedy exp 2")
# The other adaptive adversaries take logarithms of forecasts, or look at learners, which not every forecaster has.
IN_ARENA = (*OBLIVIOUS, "oppose", "threshold 0.05", "push")
# Coins whose probability never changes.
COINS = ("fair coin", "coin 0.3", "rare events")
# For games of a hundred million rounds: those that did most to the tree, and a coin.
LONGEST = ("coin 0.3", "random walk", "sinusoid", "border", "drifting coin, fast", "threshold jumps 1000")
ON_MANY_GRIDS = ("zeros", "fair coin", "coin 0.3", "random walk", "low discrepancy", "border")


def half_decades(first: int, last: int) -> list[int]:
    """Return the powers of ten from exponent `first` to `last` and, rounded, those of the square root of ten between.

    Parameters
    ----------
    first, last : int
        Exponents of the ends.

    Returns
    -------
    list of int

    Examples
    --------
    >>> half_decades(2, 3)
    [100, 316, 1000]
    """
    return [round(10 ** (k / 2)) for k in range(2 * first, 2 * last + 1)]


def _repetitions(T: int, n: int = 1) -> list[SeedKey]:
    """Return the seeds of n repetitions at horizon T."""
    return seeds(n, root=(ROOT, T))


def _at(horizons: Iterable[int], **choices: Any) -> tuple[Game, ...]:
    """Return the games of every horizon, each with its own seed."""
    return tuple(game for T in horizons for game in games(T=T, seed=_repetitions(T), **choices))


def _growing(algorithm: str, horizons: list[int]) -> tuple[Game, ...]:
    """Return three games per adversary up to a million rounds, then one, then without the slow adversaries."""
    found: list[Game] = []
    for T in horizons:
        names = [name for name in EVERYONE if T <= 10**6 or name not in SLOW]
        n = 3 if T <= 10**6 else 1
        found += games(algorithm=algorithm, adversary=names, T=T, seed=_repetitions(T, n))
    return tuple(found)


def _trees() -> tuple[Game, ...]:
    """Return three games of the tree per adversary up to a million rounds, then one; at the end few adversaries."""
    everyone = (*EVERYONE, *AGAINST_THE_TREE)
    found: list[Game] = []
    for T in half_decades(3, 6):
        found += games(algorithm=["tree", "tree-plain"], adversary=everyone, T=T, seed=_repetitions(T, 3))
    quick = [name for name in everyone if name not in SLOW]
    for T in half_decades(6, 7)[1:]:
        found += games(algorithm=["tree", "tree-plain"], adversary=quick, T=T, seed=_repetitions(T))
    found += games(algorithm="tree", adversary=LONGEST, T=10**8, seed=_repetitions(10**8))
    for T in (10**4, 10**5, 10**6):
        found += games(algorithm=["tree-expected", "pair"], adversary=everyone, T=T, seed=_repetitions(T))
    return tuple(found)


def _coins() -> tuple[Game, ...]:
    """Return twenty games per coin up to a million rounds, then five."""
    found: list[Game] = []
    for T in half_decades(3, 7):
        n = 20 if T <= 10**6 else 5
        found += games(algorithm="tree", adversary=COINS, T=T, seed=_repetitions(T, n))
    return tuple(found)


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


def _study(name: str, description: str, plan: tuple[Game, ...], measure: Measure = play_game) -> Study:
    return Study(name, description, plan, ROOT, measure)


_STUDIES = (
    _study(
        "arena",
        "Calibration errors and regrets of all forecasters against oblivious and adaptive adversaries, medians.",
        _at(arena.RUNS, adversary=IN_ARENA),
        arena.measure_arena,
    ),
    _study(
        "doubling",
        "Algorithm 1 with known horizon and with the doubling trick, on the same outcomes.",
        _at(half_decades(2, 7), adversary=OBLIVIOUS, doubling=[False, True]),
    ),
    _study(
        "explicit",
        "KLCal of the draws of three explicit algorithms, over 2000 games of 10^4 rounds, fewer of 10^5 and 10^6.",
        games(algorithm=["paper", "realised", "pair"], adversary=EVERYONE, T=list(RUNS), seed=(ROOT, 8)),
        spread_of_games,
    ),
    _study(
        "high-probability",
        "Cal_2 of 1,000 draws of one game for mixtures known in advance, of 200 games where draws feed back.",
        (
            *_at([10**3, 10**4, 10**5, 10**6], adversary=OBLIVIOUS),
            *_at([10**4], adversary=ADAPTIVE),
            *_at([10**4], algorithm="realised", adversary=EVERYONE),
        ),
        measure_replicates,
    ),
    _study(
        "losses",
        "Swap and external regret of many losses, and of the worst one, in the same games, both algorithms.",
        _at([10**2, 10**3, 10**4, 10**5, 10**6], algorithm=["paper", "realised"], adversary=EVERYONE),
        measure_regrets,
    ),
    _study(
        "rate",
        "Algorithm 1 on the grid of Theorem 2 against every adversary, for horizons from 100 to 100 million "
        "(two slow adversaries: to a million).",
        _growing("paper", [*half_decades(2, 7), 10**8]),
        watch_game,
    ),
    _study(
        "rate-realised",
        "The variant with realised feedback on the same grids and seeds, for horizons up to 10 million "
        "(two slow adversaries: to a million).",
        _growing("realised", half_decades(2, 7)),
        watch_game,
    ),
    _study(
        "resolution",
        "Algorithm 1 on grids from coarse to fine, up to four times the cells of Theorem 2, at three horizons.",
        tuple(
            game
            for T in (10**4, 10**5, 10**6)
            for game in games(adversary=ON_MANY_GRIDS, T=T, K=_cells(T), seed=_repetitions(T))
        ),
    ),
    _study(
        "tree",
        "KLCal and the largest swap regret of the tree against every adversary, horizons from 1000 to 100 million; "
        "at some horizons also of its expected version and of PAIR.",
        _trees(),
        measure_swap,
    ),
    _study(
        "tree-coins",
        "The tree on independent outcomes with one probability, horizons from 1000 to 10 million.",
        _coins(),
        measure_swap,
    ),
    _study(
        "tree-wealth",
        "How rich the nodes of the tree become, with the weighted and with the plain coin, against the adversary "
        "that feeds the richer member of a pair.",
        _at(half_decades(3, 7), algorithm=["tree", "tree-plain"], adversary="feed the richer"),
        measure_wealth,
    ),
)
#: Name -> study.
STUDIES: Mapping[str, Study] = MappingProxyType({study.name: study for study in _STUDIES})
