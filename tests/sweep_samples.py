"""Measures for the tests of sweeps: workers import them by name."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pandas as pd

from klcal.book.experiments import Game, play_game
from klcal.book.experiments.studies import differences


def same(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    """Whether two tables are equal bit for bit."""
    return differences(one, other) == []


def logged(game: Game) -> dict[str, Any]:
    """Measure a game and note in the file named by KLCAL_TEST_LOG which process did."""
    with Path(os.environ["KLCAL_TEST_LOG"]).open("a") as stream:
        stream.write(f"{os.getpid()} {game.T}\n")
    return play_game(game)


def slow(game: Game) -> dict[str, Any]:
    """Measure a game, slowly."""
    time.sleep(0.3)  # long enough to be caught at it beside busy processes
    return logged(game)


def unlucky(game: Game) -> dict[str, Any]:
    """Fail at thirteen rounds."""
    if game.T == 13:
        raise ArithmeticError("thirteen")
    return logged(game)


def deadly(game: Game) -> dict[str, Any]:
    """Kill the process at thirteen rounds."""
    if game.T == 13:
        os._exit(3)
    return play_game(game)


def long(game: Game) -> list[dict[str, Any]]:
    """Return one row per digit of the horizon."""
    return [{"digit": int(digit), "place": k} for k, digit in enumerate(str(game.T))]


def ragged(game: Game) -> dict[str, Any]:
    """Return other columns for other games."""
    return {f"column {game.T}": 1}


def odd(game: Game) -> dict[str, Any]:
    """Return something that no table can hold."""
    return {"game": game}
