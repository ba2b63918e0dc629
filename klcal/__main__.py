"""The command line: ``python -m klcal verify | measure | run | tables``."""

from __future__ import annotations

import argparse
import csv
import json
import math
import sys
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from klcal import _checks, bounds, play
from klcal.cells import Cells
from klcal.claims import REGISTRY, Verdict
from klcal.claims._report import aligned, number_text, verdict
from klcal.experiments import STUDIES, Table, differences, process_pool, tables_folder
from klcal.losses import LOSSES
from klcal.measures import calibration_error, external_regret, kl_calibration, max_swap_regret, swap_regret


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    arguments : sequence of str, optional
        The words after the program's name; those of the process by default.

    Returns
    -------
    int
        Exit status: 0 if all is well, 1 if a claim fails, 2 for input that cannot be used.

    Examples
    --------
    >>> main(["verify", "--claim", "eq:nothing"])
    2
    """
    options = _parser().parse_args(arguments)
    try:
        return int(options.command(options))
    except (OSError, ValueError) as problem:
        sys.stderr.write(f"klcal: {problem}\n")
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m klcal", description="KL-calibration, checked and measured."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    verify = commands.add_parser("verify", help="run the checks of the ledger; exit 1 if any fails")
    verify.add_argument("--claim", metavar="LABEL", action="append", help="only this claim (may be repeated)")
    verify.add_argument("--json", metavar="FILE", type=Path, help="also write the results to FILE")
    verify.add_argument(
        "--controls", action="store_true", help="run the spoiled checks instead: all must fail"
    )
    verify.set_defaults(command=_verify)

    measure = commands.add_parser("measure", help="measure the forecasts of a CSV file")
    measure.add_argument("file", metavar="FILE.csv", type=Path, help="columns: forecast, outcome")
    measure.add_argument("--plot", metavar="FILE", type=Path, help="draw a reliability diagram into FILE")
    measure.set_defaults(command=_measure)

    run = commands.add_parser("run", help="forecast the outcomes of a CSV file")
    run.add_argument("file", metavar="FILE.csv", type=Path, help="column: outcome")
    run.add_argument("--cells", metavar="K", type=int, help="number of cells of the grid")
    run.add_argument("--algorithm", default="paper", help="paper or realised")
    run.add_argument("--seed", type=int, default=0, help="seed of the draws")
    run.set_defaults(command=_run)

    tables = commands.add_parser("tables", help="make the stored tables again, from nothing")
    tables.add_argument("names", metavar="NAME", nargs="*", help=f"all by default: {', '.join(STUDIES)}")
    tables.add_argument("--out", metavar="DIR", type=Path, help="where to write; the package by default")
    tables.add_argument(
        "--cache", metavar="DIR", type=Path, help="keep finished games here, to go on after a stop"
    )
    tables.add_argument("--jobs", metavar="N", type=int, help="number of processes; one per core by default")
    tables.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 if a stored table differs"
    )
    tables.set_defaults(command=_tables)
    return parser


def _labels(chosen: list[str] | None) -> list[str]:
    for label in chosen or ():
        if label not in REGISTRY:
            raise ValueError(f"--claim must be a label of the ledger; got {label!r}")
    return chosen or list(REGISTRY)


def _progress(labels: Iterable[str], what: str) -> Iterable[str]:
    bar: Iterable[str] = tqdm(
        list(labels), desc=what, unit="claim", file=sys.stderr, disable=not sys.stderr.isatty()
    )
    return bar


def _verify(options: argparse.Namespace) -> int:
    labels = _labels(options.claim)
    if options.controls:
        return _controls(labels)
    found = [verdict(label) for label in _progress(labels, "checking")]
    if options.json:
        options.json.write_text(json.dumps([_record(each) for each in found], indent=1) + "\n")
    header = ("label", "number", "evidence", "measured", "", "bound", "margin", "status", "seconds")
    sys.stdout.write(aligned([header, *map(_line, found)]) + "\n\n")
    counts = {
        status: sum(each.status == status for each in found)
        for status in dict.fromkeys(v.status for v in found)
    }
    sys.stdout.write(
        f"{len(found)} claims: " + ", ".join(f"{n} {status}" for status, n in counts.items()) + "\n"
    )
    return int(any(each.status == "fails" for each in found))


def _line(found: Verdict) -> tuple[str, ...]:
    evidence, claim = found.decisive, found.claim
    sides = ("", "", "", "")
    if evidence is not None:
        numbers = (evidence.measured, evidence.bound, evidence.margin)
        measured, bound, margin = map(number_text, numbers)
        sides = (measured, evidence.relation, bound, margin)
    return (claim.label, claim.number, claim.kind, *sides, found.status, f"{found.seconds:.2f}")


def _record(found: Verdict) -> dict[str, Any]:
    evidence, claim = found.decisive, found.claim
    names = ("measured", "bound", "margin")
    sides = {name: _plain(getattr(evidence, name, None)) for name in names}
    return {
        "label": claim.label,
        "number": claim.number,
        "title": claim.title,
        "kind": claim.kind,
        "status": found.status,
        **sides,
        "seconds": round(found.seconds, 3),
    }


def _plain(value: object) -> int | float | str | None:
    """Return a JSON value: exact numbers beyond float64 as text, infinities as text."""
    if value is None or isinstance(value, int):
        return value if value is None or abs(value) < 2**53 else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return str(value)


def _controls(labels: list[str]) -> int:
    missed, total = [], 0
    for label in _progress(labels, "spoiling"):
        for number, evidence in enumerate(REGISTRY[label].controls()):
            total += 1
            if evidence.holds:
                missed.append((label, f"control {number}", evidence.method))
    if missed:
        sys.stdout.write(aligned(missed) + "\n\n")
    sys.stdout.write(f"{total - len(missed)} of {total} spoiled checks were caught\n")
    return int(bool(missed))


def _columns(path: Path, *names: str) -> list[np.ndarray[Any, np.dtype[np.float64]]]:
    with path.open(newline="") as stream:
        reader = csv.DictReader(stream)
        missing = [name for name in names if name not in (reader.fieldnames or ())]
        if missing:
            raise ValueError(f"{path} must have a column {missing[0]!r}; got {reader.fieldnames}")
        rows = list(reader)
    columns = []
    for name in names:
        values = []
        for line, row in enumerate(rows, start=2):
            try:
                values.append(float(row[name]))
            except (TypeError, ValueError):
                raise ValueError(
                    f"{name} must be a number; got {row[name]!r} in line {line} of {path}"
                ) from None
        columns.append(np.array(values, dtype=np.float64))
    return columns


def _measures(cells: Cells) -> list[tuple[str, str]]:
    rows = [
        ("rounds", number_text(cells.total)),
        ("distinct forecasts", str(int(np.count_nonzero(cells.mass)))),
        ("KL-calibration", number_text(kl_calibration(cells))),
        ("l2-calibration", number_text(calibration_error(cells, order=2))),
        ("l1-calibration", number_text(calibration_error(cells, order=1))),
        ("worst swap regret, bounded proper losses", number_text(max_swap_regret(cells))),
    ]
    for name, loss in LOSSES.items():
        rows.append((f"swap regret, {name} loss", number_text(swap_regret(cells, loss))))
        rows.append((f"external regret, {name} loss", number_text(external_regret(cells, loss))))
    return rows


def _measure(options: argparse.Namespace) -> int:
    forecasts, outcomes = _columns(options.file, "forecast", "outcome")
    cells = Cells.from_forecasts(forecasts, outcomes)
    sys.stdout.write(aligned(_measures(cells)) + "\n")
    if options.plot:
        from klcal import figures  # drawing is loaded only when asked for

        figures.save_reliability(cells, options.plot)
    return 0


def _run(options: argparse.Namespace) -> int:
    (outcomes,) = _columns(options.file, "outcome")
    game = play.run(outcomes, options.cells, options.algorithm, rng=options.seed)
    K = len(game.grid) - 1
    rows = [
        ("rounds", str(game.horizon)),
        ("cells K", str(K)),
        ("pseudo KL-calibration", number_text(kl_calibration(game.expected))),
        ("KL-calibration of the draws", number_text(kl_calibration(game.realised))),
    ]
    if options.algorithm == "paper":
        rows.append(
            ("bound on pseudo KL-calibration (Theorem 2)", number_text(bounds.theorem_2(game.horizon, K)))
        )
    else:
        bound = bounds.realised_in_expectation(game.horizon, K)
        rows.append(("bound on its expectation", number_text(bound)))
    sys.stdout.write(aligned(rows) + "\n")
    return 0


def _tables(options: argparse.Namespace) -> int:
    studies = [STUDIES[_checks.choice("NAME", name, STUDIES)] for name in options.names or STUDIES]
    folder = options.out or tables_folder()
    differ = False
    with nullcontext("serial") if options.jobs == 1 else process_pool(options.jobs) as executor:
        for study in studies:
            table = study.play(executor=executor, cache=options.cache)
            if options.check:
                found = differences(Table.read(folder / f"{study.name}.csv"), table)
                told = "; ".join(found) or "the same, bit for bit"
                differ = differ or bool(found)
            else:
                table.write(folder / f"{study.name}.csv")
                told = f"{len(study.games)} games in {table.provenance['seconds']:.0f} seconds of one core"
            sys.stdout.write(f"{study.name}: {len(table)} rows, {told}\n")
            sys.stdout.flush()
    return int(differ)


if __name__ == "__main__":
    sys.exit(main())
