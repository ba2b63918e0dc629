"""Make every stored table, output and figure again in a fresh folder, and compare with what is committed.

Each comparison ends in one word. "same": equal, which means bit for bit for tables, character by character for the
outputs of notebooks, and to nine significant digits for the numbers in figures. "close": the versions or the machine's
arithmetic are others than those of the record, and the differences stay within the tolerances stated below. "differs":
anything else; then the exit status is 1. With the recorded versions and arithmetic nothing but "same" is accepted.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import execution_record
import figure_data
import numpy as np
import refresh_notebooks
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from klcal import claims
from klcal.experiments import STUDIES, Table, differences, process_pool, tables_folder
from klcal.experiments._sources import arithmetic

# For machines with other logarithms: relative and absolute error of a number in a table. Games take the same course
# everywhere (`klcal._kernels.elementary`), only what is measured on them may differ in the last digits.
RELATIVE, ABSOLUTE = 1e-10, 1e-9
# For outputs: relative error of a number in a text whose words are the same.
IN_TEXT = 1e-8
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")

SAME, CLOSE, DIFFERS = "same", "close", "differs"


@dataclass(frozen=True)
class Finding:
    """What one comparison found."""

    what: str
    verdict: str
    detail: str

    def __str__(self) -> str:
        return f"{self.verdict:8} {self.what:42} {self.detail}".rstrip()


# --- comparing --------------------------------------------------------------------------------------------


def table_finding(name: str, before: Table, after: Table, *, strict: bool) -> Finding:
    """Compare a stored table with a new one; `strict` if both were made with the same arithmetic."""
    what = f"table {name}"
    if before == after:
        return Finding(what, SAME, f"{len(after)} rows, bit for bit")
    told = "; ".join(differences(before, after))
    if strict or before.columns != after.columns or len(before) != len(after):
        return Finding(what, DIFFERS, told)
    worst = 0.0
    for column in before.columns:
        a, b = before[column], after[column]
        if a.dtype.kind != "f" or b.dtype.kind != "f":
            if a.tolist() != b.tolist():
                return Finding(what, DIFFERS, told)
            continue
        if not np.allclose(a, b, rtol=RELATIVE, atol=ABSOLUTE, equal_nan=True):
            return Finding(what, DIFFERS, told)
        finite = np.isfinite(a)
        worst = max(worst, float(np.max(np.abs(a - b)[finite], initial=0.0)))
    return Finding(what, CLOSE, f"{len(after)} rows within {worst:.1e}")


def _texts(notebook: NotebookNode) -> Iterator[tuple[int, str]]:
    """Yield number and text of every output of a notebook, pictures left out."""
    for cell in execution_record.code_cells(notebook):
        for output in cell.outputs:
            data = {k: v for k, v in output.get("data", {}).items() if not k.startswith("image/")}
            kept = [output.output_type, output.get("name", ""), output.get("text", ""), data]
            yield cell.execution_count, json.dumps(kept, sort_keys=True)


def _text_distance(before: str, after: str) -> float:
    """Return the largest relative difference of numbers in two texts; infinity if their words differ."""
    if NUMBER.sub("#", before) != NUMBER.sub("#", after):
        return math.inf
    pairs = zip(map(float, NUMBER.findall(before)), map(float, NUMBER.findall(after)), strict=True)
    return max((abs(a - b) / max(abs(a), abs(b)) for a, b in pairs if a != b), default=0.0)


def output_finding(name: str, before: NotebookNode, after: NotebookNode, *, strict: bool) -> Finding:
    """Compare the outputs of a stored notebook with new ones."""
    what, old, new = f"outputs of {name}", list(_texts(before)), list(_texts(after))
    if old == new:
        return Finding(what, SAME, f"{len(new)} outputs")
    if [cell for cell, _ in old] != [cell for cell, _ in new]:
        return Finding(what, DIFFERS, f"{len(old)} outputs became {len(new)}")
    apart = {cell: _text_distance(a, b) for (cell, a), (_, b) in zip(old, new, strict=True) if a != b}
    worst = max(apart.values())
    cells = ", ".join(map(str, apart))
    told = f"in cell {cells}: " + (
        "other words" if math.isinf(worst) else f"numbers differ by up to {worst:.1e}"
    )
    return Finding(what, CLOSE if not strict and worst <= IN_TEXT else DIFFERS, told)


def figure_findings(
    name: str, before: Mapping[str, Any], after: Mapping[str, Any], *, strict: bool
) -> list[Finding]:
    """Compare the figures of two records, one by one."""
    old, new = before["figures"], after["figures"]
    if [figure["cell"] for figure in old] != [figure["cell"] for figure in new]:
        return [Finding(f"figures of {name}", DIFFERS, f"{len(old)} figures became {len(new)}, or moved")]
    return [_figure_finding(name, a, b, strict=strict) for a, b in zip(old, new, strict=True)]


def _figure_finding(name: str, old: Mapping[str, Any], new: Mapping[str, Any], *, strict: bool) -> Finding:
    what = f"figure in cell {new['cell']} of {name}"
    if old["digest"] == new["digest"]:
        return Finding(what, SAME, f"{new['numbers']} numbers")
    worst, where = figure_data.largest_difference(old["sketch"], new["sketch"])
    told = f"{where}: relative difference {worst:.1e} among the numbers on record"
    if worst == 0.0:
        told = "other words, or numbers that are not on record"
    close = not strict and 0.0 < worst <= figure_data.TOLERANCE
    return Finding(what, CLOSE if close else DIFFERS, told)


def file_finding(what: str, before: Path, after: Path) -> Finding:
    """Compare two text files line by line."""
    old, new = (path.read_text(encoding="utf-8").splitlines() for path in (before, after))
    if old == new:
        return Finding(what, SAME, f"{len(new)} lines")
    changed = [n for n, (a, b) in enumerate(zip(old, new, strict=False), start=1) if a != b]
    told = (
        f"line {changed[0]} and {len(changed) - 1} more" if changed else f"{len(old)} lines became {len(new)}"
    )
    return Finding(what, DIFFERS, told)


# --- making again -----------------------------------------------------------------------------------------


def remake_table(name: str, out: Path) -> list[Finding]:
    """Play all games of a study again."""
    before = Table.read(tables_folder() / f"{name}.csv")
    with process_pool() as executor:
        after = STUDIES[name].play(executor=executor)
    after.write(_folder(out / "tables") / f"{name}.csv")
    return [table_finding(name, before, after, strict=before.provenance.get("arithmetic") == arithmetic())]


def remake_ledger(out: Path) -> list[Finding]:
    """Run every check and every control of the ledger again."""
    target = _folder(out / "tables") / "ledger.csv"
    try:
        claims.store(out=target)
    except claims.ClaimFailed as problem:
        return [Finding("table ledger", DIFFERS, str(problem))]
    return [file_finding("table ledger", tables_folder() / "ledger.csv", target)]


def remake_notebook(path: Path, out: Path) -> list[Finding]:
    """Execute a notebook again; compare its outputs and the data of its figures."""
    name, stored = path.stem, execution_record.read(path)
    try:
        notebook, record = refresh_notebooks.run_again(path)
    except CellExecutionError as error:
        return [Finding(f"notebook {name}", DIFFERS, f"a cell failed: {error.ename}: {error.evalue}")]
    (_folder(out / "notebooks") / path.name).write_text(refresh_notebooks.text_of(notebook), encoding="utf-8")
    execution_record.store(_folder(out / "notebooks") / path.name, record, write=True)
    if not stored:
        return [Finding(f"notebook {name}", DIFFERS, "there is no record of it: run make refresh")]
    strict = stored["versions"] == record["versions"]
    before = refresh_notebooks.load(path.read_text(encoding="utf-8"))
    outputs = output_finding(name, before, notebook, strict=strict)
    return [outputs, *figure_findings(name, stored, record, strict=strict)]


def check_data(folder: Path, digests: Mapping[str, str]) -> list[Finding]:
    """Compare the data that the book reads, which nothing here makes, with the digests on record."""
    findings = []
    for name in sorted({*digests, *(path.name for path in folder.glob("*.csv"))}):
        path = folder / name
        found = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "missing"
        verdict = SAME if found == digests.get(name) else DIFFERS
        findings.append(Finding(f"data {name}", verdict, f"read, not made here; SHA-256 {found[:16]}"))
    return findings


def _folder(path: Path) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    return path


Task = Callable[[Path], list[Finding]]


def tasks() -> dict[str, Task]:
    """Return everything that can be made again: name -> function of the folder to write to."""
    found: dict[str, Task] = {}
    for notebook in execution_record.notebooks():
        found[notebook.stem] = lambda out, path=notebook: remake_notebook(path, out)
    if (tables_folder() / "ledger.csv").is_file():
        found["ledger"] = remake_ledger
    if execution_record.DATA.is_dir():
        found["data"] = lambda out: check_data(execution_record.DATA, execution_record.stored_digests())
    for name in STUDIES:
        found[name] = lambda out, name=name: remake_table(name, out)
    return found


def chosen(names: Sequence[str]) -> dict[str, Task]:
    """Return the tasks with these names, all if there are none; "notebooks" and "tables" stand for many."""
    known = tasks()
    groups = {
        "notebooks": [path.stem for path in execution_record.notebooks()],
        "tables": [name for name in known if name in STUDIES or name == "ledger"],
    }
    wanted: list[str] = []
    for name in names or known:
        if name not in known and name not in groups:
            raise ValueError(f"nothing is called {name!r}; known are: {', '.join([*groups, *known])}")
        wanted += groups.get(name, [name])
    return {name: known[name] for name in dict.fromkeys(wanted)}


def empty_folder(path: Path, *, ours: bool) -> Path:
    """Return `path` as an empty folder; one that is not `ours` is not emptied."""
    if path.exists() and any(path.iterdir()):
        if not ours:
            raise ValueError(f"the folder for the results must be empty or new; got {str(path)!r}")
        shutil.rmtree(path)
    return _folder(path)


def summary(findings: Sequence[Finding]) -> str:
    """Return one sentence that counts the verdicts."""
    counts = [f"{sum(f.verdict == v for f in findings)} {v}" for v in (SAME, CLOSE, DIFFERS)]
    return f"{len(findings)} comparisons: " + ", ".join(counts)


def main(arguments: Sequence[str] | None = None) -> int:
    """Make things again and report; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "names", nargs="*", help="notebooks, studies, 'ledger', 'data', or 'notebooks', 'tables'"
    )
    parser.add_argument("--out", type=Path, help="an empty or new folder; _build/reproduce by default")
    options = parser.parse_args(arguments)
    refresh_notebooks.prepare_environment()
    try:
        todo = chosen(options.names)
        out = empty_folder(
            options.out or execution_record.ROOT / "_build" / "reproduce", ours=not options.out
        )
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 2
    findings: list[Finding] = []
    for task in todo.values():
        new = task(out)
        findings += new
        print("\n".join(map(str, new)), flush=True)
    report = [*map(str, findings), "", summary(findings)]
    (out / "report.txt").write_text("\n".join(report) + "\n", encoding="utf-8")
    print(f"\n{report[-1]}\nWhat was made, and this report: {out}")
    return int(any(finding.verdict == DIFFERS for finding in findings))


if __name__ == "__main__":
    sys.exit(main())
