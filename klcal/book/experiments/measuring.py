r"""What is measured in one game: the calibration measures, and how Algorithm 1 came to pay them.

Write :math:`P_{t,i}` for the mixture of round t, :math:`w_{t,i}` for the point of learner i and :math:`z_i` for its
grid point. By stationarity the loss of the forecasts is the loss of the rounded learners, so

.. math:: \mathsf{PKLCal} = \underbrace{\sum_i \mathsf{Reg}_i}_{\texttt{regret}}
          + \underbrace{\sum_t\sum_i P_{t,i}\,\log\frac{w_{t,i}(y_t)}{z_i(y_t)}}_{\texttt{rounding}},
          \qquad p(1) = p,\ p(0) = 1 - p,

with the regret :math:`\mathsf{Reg}_i` of learner i against the best fixed point. ``lem:EWOO_regret_bound`` bounds the
first part by :math:`\sum_i\log(1 + S_i)`, ``lem:rounding`` the second by T times `klcal.bounds.rounding_cost`. With
realised feedback KLCal takes the place of PKLCal, and a third part, ``noise``, is the difference between the drawn and
the mean cost of each round: a martingale.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from klcal import bounds
from klcal._kernels import opponents
from klcal.adversaries import OBLIVIOUS
from klcal.adversaries.adaptive import compiled_code
from klcal.book._kernels import watching
from klcal.book.experiments.game import Game, player_name, seeds
from klcal.book.replays import Draws, deviation_ratios, printed_steps, replay, rerun, sharper_steps
from klcal.forecasters.algorithm_1 import FastBlumMansour
from klcal.forecasters.baselines import FORECASTERS, FastSquaredBlumMansour, Streaming
from klcal.forecasters.rounds import CompiledReduction
from klcal.forecasters.stream import GridForecaster
from klcal.forecasters.tree import FastTree, tree_levels
from klcal.games.play import opponent_of, play_match, play_piece
from klcal.grids import full_grid, uniform_grid
from klcal.losses import LOSSES, log, squared
from klcal.measures import (
    calibration_error,
    external_regret,
    kl_calibration,
    max_external_regret,
    max_swap_regret,
    swap_regret,
)
from klcal.measures.cells import Cells

Row = dict[str, Any]
Regret = Callable[[Cells], float]

# Rounds watched at a time: their mixtures should stay in the processor's cache.
_PIECE = 1 << 10
# Bounds on the second derivative of the univariate form: below, at and above the value 4 where they start to matter.
SMOOTHNESS = (1, 4, 16)
# Failure probability at which the lines of the proofs are evaluated.
DELTA = 0.05
# How often a game is drawn if its mixtures are known in advance, and how often it is played anew if they are not.
REPLAYED, RERUN = 1000, 200
# Short names of the lines between Cal_2 and the bound.
_PRINTED = ("square", "eq15", "eq16", "cells", "theorem")
_SHARPER = ("square", "half", "deviations", "theorem")
# Games per row, by horizon.
RUNS = {10**4: 2000, 10**5: 100, 10**6: 10}


def play_game(game: Game) -> Row:
    r"""Play a game and measure its cells.

    Parameters
    ----------
    game : Game
        What to play.

    Returns
    -------
    dict
        ``points`` of the grid (of all grids together in a doubling game), how many of them were ``used``, that is got
        any probability, how many outcomes were ``ones``; KLCal of the draws and PKLCal of the mixtures (``kl``,
        ``pkl``), and likewise ``cal2``, ``pcal2``, ``cal1``, ``pcal1``; ``log_mass``, the sum of
        :math:`\log(1 + S_i)` over the expected masses, and ``log_count``, that of :math:`\log(1 + n_i)` over the
        numbers of draws.

    Examples
    --------
    >>> row = play_game(Game("paper", "zeros", 1))  # the first forecast is 1/2
    >>> row["points"], row["used"], row["ones"], row["pcal2"], row["cal1"]
    (3, 1, 0, 0.25, 0.5)
    """
    run = game.play()
    return _cell_columns(run.expected, run.realised)


def calibration_errors(expected: Cells, realised: Cells) -> dict[str, float]:
    """Return KLCal, Cal_2 and Cal_1 of the draws, each followed by that of the mixtures.

    Parameters
    ----------
    expected, realised : Cells
        Cells of the mixtures, and of the drawn forecasts.

    Returns
    -------
    dict
        ``kl``, ``pkl``, ``cal2``, ``pcal2``, ``cal1``, ``pcal1``.

    Examples
    --------
    >>> cells = Cells([0.5], [2], [2])
    >>> calibration_errors(cells, cells)["cal2"]
    0.5
    """
    measures = {
        "kl": kl_calibration,
        "cal2": partial(calibration_error, order=2),
        "cal1": partial(calibration_error, order=1),
    }
    sides = ("", realised), ("p", expected)
    return {p + name: measure(cells) for name, measure in measures.items() for p, cells in sides}


def _cell_columns(expected: Cells, realised: Cells) -> Row:
    return {
        "points": len(expected),
        "used": int(np.count_nonzero(expected.mass)),
        "ones": int(realised.ones.sum()),
        **calibration_errors(expected, realised),
        "log_mass": float(np.log1p(expected.mass).sum()),
        "log_count": float(np.log1p(realised.mass).sum()),
    }


def measure_regrets(game: Game) -> list[Row]:
    """Play a game and return one row per loss.

    Parameters
    ----------
    game : Game
        What to play.

    Returns
    -------
    list of dict
        ``loss``: a name in `klcal.LOSSES`; ``bounded`` for the supremum over all proper losses in [-1, 1];
        ``smooth-G`` for the supremum over those whose univariate form has a second derivative of at most G.
        ``swap`` and ``external``: regrets of the draws; ``pseudo`` and ``pexternal``: those of the mixtures. There is
        no external regret for ``smooth-G`` (NaN).

    Examples
    --------
    >>> rows = measure_regrets(Game("paper", "fair coin", 100))
    >>> [row["loss"] for row in rows[-4:]], rows[-2]["swap"] == 2 * rows[0]["swap"]
    (['bounded', 'smooth-1', 'smooth-4', 'smooth-16'], True)
    """
    run = game.play()

    def row(name: str, swap: Regret, external: Regret) -> Row:
        drawn, mixed = run.realised, run.expected
        return {
            "loss": name,
            "swap": swap(drawn),
            "pseudo": swap(mixed),
            "external": external(drawn),
            "pexternal": external(mixed),
        }

    return [
        *(
            row(name, partial(swap_regret, loss=loss), partial(external_regret, loss=loss))
            for name, loss in LOSSES.items()
        ),
        row("bounded", max_swap_regret, max_external_regret),
        *(row(f"smooth-{G}", partial(max_swap_regret, smoothness=G), lambda _: math.nan) for G in SMOOTHNESS),
    ]


# ----- many draws of one game ----------------------------------------------------------------------------------------


def spread_of_games(game: Game) -> Row:
    """Play a game with many seeds spawned from its own and return the spread of KLCal of the draws.

    Parameters
    ----------
    game : Game
        What to play; the horizon decides how often (`RUNS`).

    Returns
    -------
    dict
        ``runs``, ``mean``, ``deviation`` (standard deviation), ``least``, ``median``, ``q90``, ``q99``, ``q999``
        (values that occurred) and ``largest``.

    Examples
    --------
    >>> RUNS[10**4]
    2000
    """
    runs = RUNS.get(game.T, 2)
    played = (replace(game, seed=seed).play() for seed in seeds(runs, root=game.seed))
    values = [kl_calibration(run.realised) for run in played]
    levels = {"least": 0.0, "median": 0.5, "q90": 0.9, "q99": 0.99, "q999": 0.999, "largest": 1.0}
    quantiles = np.quantile(values, list(levels.values()), method="higher").tolist()
    return {
        "runs": runs,
        "mean": float(np.mean(values)),
        "deviation": float(np.std(values)),
        **dict(zip(levels, quantiles, strict=True)),
    }


def measure_replicates(game: Game) -> list[Row]:
    r"""Draw a game many times; for an oblivious adversary of Algorithm 1, the squared-loss algorithm as well.

    Parameters
    ----------
    game : Game
        Not a doubling game.

    Returns
    -------
    list of dict
        One row per forecaster ("Algorithm 1", "squared loss", "realised feedback"): the number of ``replicates``,
        ``points`` of the grid and how many were ``used``; the mean of ``pcal2``; mean, standard deviation, quantiles
        and maximum of ``cal2`` and of its ``excess`` over PCal_2; medians of the lines of the ``printed`` and the
        ``sharper`` proof at :math:`\delta = 0.05`; quantiles of the largest deviation of a ``count``, of ``ones`` and
        of a ``rate`` over its bound.

    Examples
    --------
    >>> rows = measure_replicates(Game("paper", "alternating", 50))
    >>> [(row["forecaster"], row["replicates"]) for row in rows]
    [('Algorithm 1', 1000), ('squared loss', 1000)]
    >>> measure_replicates(Game("realised", "zeros", 20))[0]["replicates"]
    200
    """
    if game.K is None:
        raise ValueError(f"game must be played on one grid, and not be a doubling game; got {game}")
    if game.algorithm == "paper" and game.adversary in OBLIVIOUS:
        return [
            _replicates("Algorithm 1", _replay(game, FastBlumMansour(full_grid(game.K)))),
            _replicates("squared loss", _replay(game, FastSquaredBlumMansour(uniform_grid(game.K)))),
        ]
    name, algorithm = "Algorithm 1" if game.algorithm == "paper" else "realised feedback", str(game.algorithm)
    return [_replicates(name, rerun(game.opponent(), game.K, algorithm, RERUN, rng=game.streams()[0]))]


def _replay(game: Game, reduction: CompiledReduction) -> Draws:
    """Draw many times from the mixtures of a forecaster."""
    return replay(np.asarray(game.opponent()), reduction, REPLAYED, rng=game.streams()[0])


def _replicates(forecaster: str, draws: Draws) -> Row:
    cal2, excess = draws.cal2, draws.cal2 - draws.pcal2
    row: Row = {
        "forecaster": forecaster,
        "replicates": len(draws),
        "points": len(draws.points),
        "used": int((draws.mass > 0.0).any(axis=0).sum()),
        "pcal2": float(draws.pcal2.mean()),
        "cal2_mean": float(cal2.mean()),
        "cal2_sd": float(cal2.std()),
    }
    for name, values in (("cal2", cal2), ("excess", excess)):
        for percent in (5, 50, 95, 99):
            row[f"{name}_q{percent:02}"] = float(np.quantile(values, percent / 100))
        row[f"{name}_max"] = float(values.max())
    for name, steps, lines in (
        ("printed", printed_steps(draws, DELTA), _PRINTED),
        ("sharper", sharper_steps(draws, DELTA), _SHARPER),
    ):
        medians = [float(np.median(value)) for value in steps.values()]
        row |= {f"{name}_{line}": value for line, value in zip(lines, medians[1:], strict=True)}
    for name, ratios in deviation_ratios(draws, DELTA).items():
        row[f"{name}_q95"] = float(np.quantile(ratios.max(axis=1), 0.95))
    return row


# ----- the tree ------------------------------------------------------------------------------------------------------


def measure_swap(game: Game) -> Row:
    """Play a game and return KL-calibration and the largest swap regret, with what the used cells promise.

    Parameters
    ----------
    game : Game
        A game of the tree, or of PAIR to compare it with.

    Returns
    -------
    dict
        Number of forecasts that were ``used``; KLCal and the largest swap regret over all proper losses in [-1, 1] of
        the draws (``kl``, ``msr``) and of the mixtures (``pkl``, ``pmsr``). ``cost`` is the bound by used cells, on
        E[KLCal] or, with expected feedback, on PKLCal.

    Examples
    --------
    >>> row = measure_swap(Game("tree", "fair coin", 1000))
    >>> row["used"] < 40, row["kl"] < row["cost"]
    (True, True)
    """
    run = game.play()
    drawn, mixed = run.realised.restricted(), run.expected.restricted()
    if game.algorithm == "pair":
        cost = float(bounds.pair_from_counts(run.realised.mass.astype(int), game.row()["K"]))
    else:
        cost = bound_from_nodes(player_name(game.algorithm), mixed, drawn)
    return {
        "used": len(drawn),
        "kl": kl_calibration(drawn),
        "pkl": kl_calibration(mixed),
        "msr": max_swap_regret(drawn),
        "pmsr": max_swap_regret(mixed),
        "cost": cost,
    }


def bound_from_nodes(algorithm: str, expected: Cells, realised: Cells, delta: float | None = None) -> float:
    """Return what the nodes that a tree has used promise: a bound on PKLCal for "tree-expected", else on KLCal.

    Parameters
    ----------
    algorithm : {"tree", "tree-plain", "tree-expected"}
        Which tree.
    expected, realised : Cells
        Cells of its mixtures, and of its drawn forecasts.
    delta : float, optional
        For the bound on KLCal; see `klcal.bounds.tree_from_counts`.

    Returns
    -------
    float

    Examples
    --------
    >>> root = Cells([0.5], [1.0], [1.0])
    >>> bound_from_nodes("tree", root, root) == bounds.tree_from_counts([1], [0])
    True
    """
    if algorithm == "tree-expected":
        mixed = expected.restricted()
        return float(bounds.tree_expected_from_masses(mixed.mass, tree_levels(mixed.points)))
    drawn = realised.restricted()
    return float(bounds.tree_from_counts(drawn.mass.astype(int), tree_levels(drawn.points), delta))


def measure_wealth(game: Game) -> Row:
    """Play a game of the tree and return how rich its nodes became.

    Parameters
    ----------
    game : Game
        A game of the tree.

    Returns
    -------
    dict
        ``largest``: the largest logarithm of a node's wealth, looked at after every 1024 rounds, when a node was
        full, and at the end; ``total``: the logarithm of the product of all wealths at the end; ``used``: how many
        nodes were forecast.

    Examples
    --------
    >>> measure_wealth(Game("tree", "zeros", 1))
    {'largest': 0.0, 'total': 0.0, 'used': 1}
    """
    tree, generator = FastTree(player_name(game.algorithm)), game.streams()[0]
    adversary, outcomes = opponent_of(game.opponent())
    largest = 0.0
    for start in range(0, game.T, 1024):
        part = outcomes[start : start + 1024]
        play_piece(tree, adversary, part, generator.random(len(part)))
        largest = max(largest, float(tree.everything().log_wealths.max()))
    used = int(np.count_nonzero(tree.realised.mass))
    return {"largest": largest, "total": tree.log_total_wealth(), "used": used}


# ----- what the learners of Algorithm 1 paid -------------------------------------------------------------------------


def watch_game(game: Game) -> Row:
    """Play a game while watching the learners, and measure both.

    Parameters
    ----------
    game : Game
        What to play: "paper" or "realised", with known horizon.

    Returns
    -------
    dict
        The columns of `play_game`; ``regret``, ``rounding``, ``noise`` as in the head of this module; ``class_mean``
        and ``class_max``, the mean and the largest number of grid points that had positive probability in a round.

    Examples
    --------
    >>> row = watch_game(Game("paper", "fair coin", 1000))
    >>> (
    ...     abs(row["pkl"] - row["regret"] - row["rounding"]) < 1e-12,
    ...     row["regret"] < row["log_mass"],
    ... )
    (True, True)
    """
    if game.doubling or game.algorithm not in ("paper", "realised"):
        raise ValueError(f"game must be one of Algorithm 1 with a known horizon to be watched; got {game}")
    reduction = FastBlumMansour(full_grid(game.row()["K"]), game.algorithm)
    n, generator = len(reduction.grid), game.streams()[0]
    adversary, sequence = opponent_of(game.opponent())
    code = opponents.GIVEN if adversary is None else compiled_code(adversary)
    if code is None:
        raise ValueError(f"game must have an adversary with a compiled twin to be watched; got {game}")
    realises = game.algorithm == "realised"
    learners = np.zeros_like(reduction.bank.learners)
    learners["point"] = reduction.grid.points
    totals, sizes, members = np.zeros(4), np.zeros(2, dtype=np.int64), np.zeros(n, dtype=np.int64)
    draws, mixtures = np.zeros(_PIECE, dtype=np.int64), np.zeros((_PIECE, n))
    for start in range(0, game.T, _PIECE):
        length = min(_PIECE, game.T - start)
        outcomes = sequence[start : start + length].copy()
        now = (draws[:length], mixtures[:length])
        reduction.play_rounds(outcomes, generator.random(length), code, *now)
        bits = now[1].view(np.uint64)
        watching.watch_rounds(learners, totals, sizes, members, realises, outcomes, *now, bits)
    row = _cell_columns(reduction.expected, reduction.realised)
    rounding, noise = float(totals[watching.ROUNDING]), float(totals[watching.NOISE])
    return {
        **row,
        "regret": row["kl" if realises else "pkl"] - rounding - noise,
        "rounding": rounding,
        "noise": noise,
        "class_mean": int(sizes[watching.SIZE_SUM]) / game.T,
        "class_max": int(sizes[watching.SIZE_MAX]),
    }


# ----- every forecaster against one adversary -------------------------------------------------------------------------

#: Makes a forecaster for a horizon, with a source of draws.
Maker = Callable[[int, np.random.Generator], Streaming]
#: Games per row, by horizon.
RUNS_IN_ARENA = {4**5: 20, 4**6: 10, 4**7: 10, 4**8: 5, 4**9: 3}
# Forecasters without a grid play round by round in Python; beyond this horizon they stay out.
_LONGEST_STREAM = 4**6
# Digits that are kept: medians of a few games deserve no more, and the table stays small.
_DIGITS = 8


def measure_arena(
    game: Game, forecasters: Mapping[str, Maker] = FORECASTERS, runs: int | None = None
) -> list[dict[str, Any]]:
    """Let every forecaster play a game several times; one row each.

    Parameters
    ----------
    game : Game
        Adversary, horizon and seed; its algorithm is not used. All forecasters meet the same seeds.
    forecasters : mapping from str to callable
        Who plays: functions of a horizon and a generator, by name. Your own join the others as
        ``{**FORECASTERS, "mine": mine}``; in a sweep, ``measure=functools.partial(measure_arena, forecasters=...)``.
    runs : int, optional
        Games per row; by default ``RUNS_IN_ARENA[T]``, or 2.

    Returns
    -------
    list of dict
        ``forecaster``, its name; number of ``runs``, and of those that were ``infinite``,
        that is had an infinite KLCal. Medians over the runs (the upper one of two): number of ``cells`` in use,
        ``kl``, ``pkl``, ``cal2``, ``pcal2``, ``cal1``, ``pcal1``; ``swap_X`` and ``external_X`` of the draws for every
        loss X but the two whose swap regrets are KLCal and Cal_2, and for the worst loss in [-1, 1]
        (``bounded``). ``kl_least`` and ``kl_largest`` are over the runs.

    Examples
    --------
    >>> rows = measure_arena(Game("paper", "alternating", 100))
    >>> [row["forecaster"] for row in rows] == list(FORECASTERS), rows[0]["runs"]
    (True, 2)
    """
    keys = seeds(RUNS_IN_ARENA.get(game.T, 2) if runs is None else runs, root=game.seed)
    return [
        _median_row(name, [_measure_match(forecasters[name], replace(game, seed=key)) for key in keys])
        for name in players(game.T, forecasters)
    ]


def players(T: int, forecasters: Mapping[str, Maker] = FORECASTERS) -> list[str]:
    """Return who plays games of T rounds: everybody, but in long games the book's own without a grid stay out.

    Parameters
    ----------
    T : int
        Number of rounds.
    forecasters : mapping from str to callable
        Who there is, as for `measure_arena`.

    Returns
    -------
    list of str
        Their names.

    Examples
    --------
    >>> len(players(1000)) - len(players(10**5))
    3
    """
    return [
        name
        for name, make in forecasters.items()
        if T <= _LONGEST_STREAM or make is not FORECASTERS.get(name) or isinstance(make(T, 0), GridForecaster)
    ]


def _measure_match(make: Maker, game: Game) -> dict[str, float]:
    match = play_match(make(game.T, game.streams()[0]), game.opponent())
    drawn, mixed = match.realised, match.expected
    found = {"cells": float(np.count_nonzero(drawn.mass)), **calibration_errors(mixed, drawn)}
    for name, loss in LOSSES.items():
        if loss not in (log, squared):
            found[f"swap_{name}"] = swap_regret(drawn, loss)
        found[f"external_{name}"] = external_regret(drawn, loss)
    found["swap_bounded"] = max_swap_regret(drawn)
    found["external_bounded"] = max_external_regret(drawn)
    return found


def _median_row(name: str, games: list[dict[str, float]]) -> dict[str, Any]:
    columns = {key: np.array([game[key] for game in games]) for key in games[0]}
    medians = {key: _to_digits(np.quantile(values, 0.5, method="higher")) for key, values in columns.items()}
    return {
        "forecaster": name,
        "runs": len(games),
        "infinite": int(np.count_nonzero(np.isinf(columns["kl"]))),
        "kl_least": _to_digits(columns["kl"].min()),
        "kl_largest": _to_digits(columns["kl"].max()),
        **medians,
    }


def _to_digits(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")
