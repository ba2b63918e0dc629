"""``klcal measure FILE.csv``: how well calibrated the forecasts of a file are."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from klcal import _checks
from klcal._cli.files import (
    PICTURES,
    add_file,
    check_target,
    columns,
    forecast,
    listed,
    or_missing,
    outcome,
    plain,
    write_json,
    written_whole,
)
from klcal.measures.cells import SPACINGS
from klcal.measures.report import Report, aligned, measure, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def add_options(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command understands."""
    add_file(parser, "columns: forecast, outcome")
    parser.add_argument("--forecast", metavar="NAME", default="forecast", help="column of forecasts")
    parser.add_argument("--bins", metavar="N", default="10", help="number of bins, or none; 10 by default")
    kinds = "tails (by angle, and at 0.01, 0.001, ...; the default), angle, uniform (usual ECE) or quantile"
    parser.add_argument("--spacing", metavar="KIND", default=SPACINGS[0], help=f"bins: {kinds}")
    parser.add_argument("--skip-missing", action="store_true", help="leave out rows with an empty cell or NA")
    parser.add_argument("--all", action="store_true", help="print more numbers, and the bins")
    add_outputs(parser)
    parser.set_defaults(command=_measure)


def add_outputs(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what can be written."""
    parser.add_argument("--plot", metavar="FILE", type=Path, help="draw a reliability diagram into FILE")
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the numbers to FILE")


def _measure(options: argparse.Namespace) -> int:
    check_target("--plot", options.plot, PICTURES, options.file)
    check_target("--json", options.json, read=options.file)
    if options.forecast == options.outcome:
        raise ValueError(
            f"--forecast and --outcome must name different columns; got {options.forecast!r} twice"
        )
    bins = _bins(options.bins)
    _checks.choice("--spacing", options.spacing, SPACINGS)
    read = partial(or_missing, skip=options.skip_missing)
    readers = {options.forecast: read(forecast), options.outcome: read(outcome)}
    forecasts, outcomes = columns(options.file, readers, options.sep)
    known = ~np.isnan(forecasts + outcomes)
    if not known.any():
        raise ValueError(f"{options.file} has no row without a missing value")
    report = measure(forecasts[known], outcomes[known], bins, options.spacing)
    skipped = {"rows skipped, a value is missing": int((~known).sum())} if options.skip_missing else {}
    numbers = skipped | report.numbers()
    save(numbers, options, report.plot)
    sys.stdout.write(f"{report}\n")
    if skipped:
        sys.stdout.write(f"\n{listed(skipped)}\n")
    if options.all:
        sys.stdout.write(f"\n{listed(numbers)}\n\n{_table_of_bins(report)}\n")
    return 0


def _bins(text: str) -> int | None:
    if text == "none":
        return None
    if not text.isdecimal() or int(text) < 1:
        raise ValueError(f"--bins must be an integer that is at least 1, or none; got {text!r}")
    return int(text)


def _table_of_bins(report: Report) -> str:
    """Return the bins: where, how many rounds, how often it happened, and how often it may have."""
    cells, band = report.cells, report.band()
    rows = zip(cells.points, cells.mass, cells.means, band.lower, band.upper, strict=True)
    words = [[shown(float(number)) for number in row] for row in rows]
    return aligned([["mean forecast", "rounds", "frequency", "95 % if perfect:", "to"], *words])


def save(numbers: Mapping[str, object], options: argparse.Namespace, plot: Callable[[], Axes]) -> None:
    """Write the picture and the numbers that were asked for; if the picture fails, neither appears."""
    with ExitStack() as stack:
        if options.plot:
            draft = stack.enter_context(written_whole(options.plot))
            plot().get_figure(root=True).savefig(draft)  # type: ignore[union-attr]
        if options.json:
            write_json(options.json, {name: plain(value) for name, value in numbers.items()})
