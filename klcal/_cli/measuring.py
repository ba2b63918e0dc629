"""``python -m klcal measure FILE.csv``: how well calibrated the forecasts of a file are."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from math import isfinite
from pathlib import Path

from tqdm import tqdm

from klcal import _checks
from klcal._checks import FloatArray
from klcal._cli.files import (
    PICTURES,
    aligned,
    check_target,
    columns,
    forecast,
    outcome,
    plain,
    write_json,
    written_whole,
)
from klcal.grids import full_grid
from klcal.losses import LOSSES, squared
from klcal.measures import (
    Band,
    Coins,
    calibration_error,
    kl_calibration,
    max_swap_regret,
    murphy_resolution,
    swap_regret,
    total_loss,
)
from klcal.measures.cells import Cells, move_to_bin_means, round_to_grid

# A shorter file is a toy, and needs no advice.
_FEW = 20
# More discs than these nobody can tell apart, and a million take a minute to draw.
_MOST_DRAWN = 10_000

Measures = Mapping[str, Callable[[Cells], float]]

_ERRORS: Measures = {
    "l2-calibration": lambda cells: calibration_error(cells, order=2),
    "l1-calibration": lambda cells: calibration_error(cells, order=1),
    "worst swap regret, bounded proper losses": max_swap_regret,
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command understands."""
    parser.add_argument("file", metavar="FILE.csv", type=Path, help="columns: forecast, outcome")
    parser.add_argument(
        "--forecast", metavar="NAME", default="forecast", help="name of the column of forecasts"
    )
    parser.add_argument("--outcome", metavar="NAME", default="outcome", help="name of the column of outcomes")
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--bins",
        metavar="K",
        type=int,
        help="sort forecasts into K bins, each a cell at its mean forecast: the recommended way, with K = 10",
    )
    how.add_argument(
        "--round", metavar="K", type=int, help="move forecasts to the K + 1 points of the sine grid"
    )
    parser.add_argument("--plot", metavar="FILE", type=Path, help="draw a reliability diagram into FILE")
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the numbers to FILE")
    parser.set_defaults(command=_measure)


def _regrets(cells: Cells) -> Iterator[tuple[str, float]]:
    """Yield the errors, and both regrets under every loss; the external one is the other minus resolution."""
    for name, measure in _ERRORS.items():
        yield name, measure(cells)
    for name, loss in LOSSES.items():
        swap = swap_regret(cells, loss)
        yield f"swap regret, {name} loss", swap
        yield f"external regret, {name} loss", swap - murphy_resolution(cells, loss)


def _measure(options: argparse.Namespace) -> int:
    check_target("--plot", options.plot, PICTURES, options.file)
    check_target("--json", options.json, read=options.file)
    if options.forecast == options.outcome:
        raise ValueError(
            f"--forecast and --outcome must name different columns; got {options.forecast!r} twice"
        )
    forecasts, outcomes = _checked(options)
    how, measured = _moved(forecasts, options)
    made = Cells.from_forecasts(forecasts, outcomes)
    cells = made if measured is forecasts else Cells.from_forecasts(measured, outcomes)
    if options.plot and len(cells) > _MOST_DRAWN:
        raise ValueError(f"--plot draws at most {_MOST_DRAWN} cells; got {len(cells)}. Try --bins 10")
    coins = Coins.of_cells(cells) if measured is forecasts else Coins.from_forecasts(forecasts, measured)
    error = kl_calibration(cells)
    numbers: dict[str, int | float | str] = {
        "rounds": int(made.total),
        "rounds with outcome 1": int(made.ones.sum()),
        "distinct forecasts": len(made),
        "log loss per round": total_loss(made) / made.total,
        "squared loss per round": total_loss(made, squared) / made.total,
        "measured from here on": how,
        "cells": len(cells),
        "KL-calibration": error,
        "KL-calibration per round": error / made.total,
        "KL-calibration of perfect forecasts, mean": coins.kl_mean,
        "KL-calibration of perfect forecasts, standard deviation": coins.kl_spread,
        "probability that perfect forecasts have as much": coins.kl_tail(cells),
    }
    numbers |= tqdm(_regrets(cells), desc="measuring", file=sys.stderr, disable=not sys.stderr.isatty())
    save(cells, numbers, options, coins.band)
    sys.stdout.write(aligned(numbers) + "\n")
    sys.stdout.writelines(f"\n{note}\n" for note in _notes(cells, error))
    return 0


def _checked(options: argparse.Namespace) -> list[FloatArray]:
    """Read the file, once the numbers of cells are known to be possible."""
    if options.bins is not None:
        _checks.integer("--bins", options.bins, least=1)
    if options.round is not None:
        _checks.integer("--round", options.round, least=2)
    return columns(options.file, {options.forecast: forecast, options.outcome: outcome})


def _moved(forecasts: FloatArray, options: argparse.Namespace) -> tuple[str, FloatArray]:
    """Return how the forecasts are measured, in words, and the numbers that stand for them."""
    if options.bins is not None:
        bins = "one bin" if options.bins == 1 else f"{options.bins} bins"
        return f"the forecasts in {bins}, each at its mean", move_to_bin_means(forecasts, options.bins)
    if options.round is not None:
        words = f"the rounded forecasts, on {options.round + 1} points"
        return words, round_to_grid(forecasts, full_grid(options.round))
    return "the forecasts as they are", forecasts


def _notes(cells: Cells, error: float) -> Iterator[str]:
    """Say what a reader of the table may stumble over."""
    if not isfinite(error):
        yield (
            "Infinite is the log loss of a forecast 0 that meets an outcome 1, or of a 1 that meets a 0.\n"
            "Nothing is clipped."
        )
    if 2 * len(cells) > cells.total > _FEW:
        yield (
            f"There are {len(cells)} different forecasts, and every one is a cell of its own: calibration then says\n"
            "little more than the loss itself. Try --bins 10."
        )


def save(
    cells: Cells, numbers: Mapping[str, object], options: argparse.Namespace, band: Callable[[], Band]
) -> None:
    """Write the picture and the numbers that were asked for; if the picture fails, neither appears."""
    with ExitStack() as stack:
        if options.plot:
            from klcal.figures.forecasts import save_reliability  # drawing is loaded only when asked for

            draft = stack.enter_context(written_whole(options.plot))
            save_reliability(cells, draft, band=band())
        if options.json:
            write_json(options.json, {name: plain(value) for name, value in numbers.items()})
