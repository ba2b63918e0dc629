"""Every forecaster against one adversary: what is measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from klcal.book.experiments.game import Game, seeds
from klcal.book.experiments.measuring import calibration_errors
from klcal.forecasters.baselines import FORECASTERS, Streaming
from klcal.forecasters.stream import GridForecaster
from klcal.games.play import play_match
from klcal.losses import LOSSES, log, squared
from klcal.measures import external_regret, max_external_regret, max_swap_regret, swap_regret

#: Makes a forecaster for a horizon, with a source of draws.
Maker = Callable[[int, np.random.Generator], Streaming]
#: Games per row, by horizon.
RUNS = {4**5: 20, 4**6: 10, 4**7: 10, 4**8: 5, 4**9: 3}
# Forecasters without a grid play round by round in Python; beyond this horizon they stay out.
_LONGEST_STREAM = 4**6
# Digits that are kept: medians of a few games deserve no more, and the table stays small.
_DIGITS = 8


def measure_arena(
    game: Game,
    forecasters: Mapping[str, Maker] = FORECASTERS,
    runs: int | None = None,
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
        Games per row; by default ``RUNS[T]``, or 2.

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
    keys = seeds(RUNS.get(game.T, 2) if runs is None else runs, root=game.seed)
    return [
        _row(name, [_measure(forecasters[name], replace(game, seed=key)) for key in keys])
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


def _measure(make: Maker, game: Game) -> dict[str, float]:
    match = play_match(make(game.T, game.streams()[0]), game.opponent())
    drawn, mixed = match.realised, match.expected
    found = {
        "cells": float(np.count_nonzero(drawn.mass)),
        **calibration_errors(mixed, drawn),
    }
    for name, loss in LOSSES.items():
        if loss not in (log, squared):
            found[f"swap_{name}"] = swap_regret(drawn, loss)
        found[f"external_{name}"] = external_regret(drawn, loss)
    found["swap_bounded"] = max_swap_regret(drawn)
    found["external_bounded"] = max_external_regret(drawn)
    return found


def _row(name: str, games: list[dict[str, float]]) -> dict[str, Any]:
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
