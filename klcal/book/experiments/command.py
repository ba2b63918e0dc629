"""``python -m klcal tables``: play the games of the stored tables again."""

from __future__ import annotations

import argparse
import sys
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path

from klcal import _checks
from klcal.book.experiments.studies import STUDIES, TABLES, differences, read_table, write_table
from klcal.book.experiments.sweeping import process_pool


def add_options(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command understands."""
    parser.add_argument("names", metavar="NAME", nargs="*", help=f"all by default: {', '.join(STUDIES)}")
    parser.add_argument("--out", metavar="DIR", type=Path, help="where to write; the package by default")
    parser.add_argument(
        "--cache", metavar="DIR", type=Path, help="keep finished games here, to go on after a stop"
    )
    parser.add_argument("--jobs", metavar="N", type=int, help="number of processes; one per core by default")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 if a stored table differs"
    )
    parser.set_defaults(command=_tables)


def _tables(options: argparse.Namespace) -> int:
    with _checks.extra("figures"):
        import_module("pandas")  # before hours of games, not after them
    if not (options.out or options.check) and "site-packages" in TABLES.parts:
        raise ValueError("--out must name a folder: an installed package stays as it is; got none")
    studies = [STUDIES[_checks.choice("NAME", name, STUDIES)] for name in options.names or STUDIES]
    folder = options.out or TABLES
    differ = False
    with nullcontext("serial") if options.jobs == 1 else process_pool(options.jobs) as executor:
        for study in studies:
            table = study.play(executor=executor, cache=options.cache)
            if options.check:
                found = differences(read_table(folder / f"{study.name}.csv"), table)
                result = "; ".join(found) or "the same, bit for bit"
                differ = differ or bool(found)
            else:
                write_table(table, folder / f"{study.name}.csv")
                result = f"{len(study.games)} games in {table.attrs['seconds']:.0f} seconds of one core"
            sys.stdout.write(f"{study.name}: {len(table)} rows, {result}\n")
            sys.stdout.flush()
    return int(differ)
