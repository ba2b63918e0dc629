"""The record of executions: versions, seeds, seconds and a digest of every figure's data, one file per notebook.

`tests/tools/refresh_notebooks.py` writes the records in `chapters/_execution` and the page that shows them,
`chapters/execution.md`. Called by itself, this script writes the page only.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import json
import math
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import figure_data
from nbformat import NotebookNode

from klcal.experiments import tables_folder
from klcal.experiments._sources import arithmetic, versions

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = ROOT / "chapters"
FOLDER = CHAPTERS / "_execution"
PAGE = CHAPTERS / "execution.md"
# What the book reads and does not make: observations, in the package.
DATA = ROOT / "klcal" / "experiments" / "data"
DIGESTS = FOLDER / "data.sha256"
# A notebook stores a figure as a drawing; one that does not use the style of the book has pixels.
PICTURES = {"image/png", "image/svg+xml"}
# Keyword arguments that fix what is random.
SEEDS = ("rng", "seed", "seeds", "root")

Record = dict[str, Any]


def environment() -> dict[str, str]:
    """Return the versions that outputs and figures depend on, and a digest of the machine's arithmetic."""
    drawing = {name: importlib.metadata.version(name) for name in ("sympy", "matplotlib", "klcal")}
    return {**versions(), **drawing, "arithmetic": arithmetic()}


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """Return the cells that run."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def code_digest(notebook: NotebookNode) -> str:
    """Return 16 hexadecimal digits of the SHA-256 of the code of a notebook, cell by cell."""
    sources = [cell.source.strip("\n") for cell in code_cells(notebook)]
    return hashlib.sha256(json.dumps(sources).encode()).hexdigest()[:16]


def seeds(notebook: NotebookNode) -> list[str]:
    """Return every seed that the code names, once: constants by their name, others as they are passed."""
    trees = [ast.parse(cell.source) for cell in code_cells(notebook)]
    constants: dict[str, str] = {}
    found: dict[str, None] = {}
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            constants |= {
                target.id: ast.unparse(node) for target in node.targets if isinstance(target, ast.Name)
            }
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.keyword) and node.arg in SEEDS:
            names = [part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)]
            known = [constants[name] for name in names if name in constants]
            literal = f"{node.arg}={ast.unparse(node.value)}"
            found |= dict.fromkeys(known or ([] if names else [literal]))
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("default_rng"):
            found |= dict.fromkeys(constants.get(ast.unparse(a), ast.unparse(node)) for a in node.args)
    return list(found)


def _shown(cell: NotebookNode) -> str:
    """Return the first sentence of the alternative text of a cell's picture."""
    text = cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
    return re.split(r"(?<=\.)\s", text, maxsplit=1)[0]


def _pictures(cell: NotebookNode) -> int:
    return sum(bool(PICTURES & output.get("data", {}).keys()) for output in cell.outputs)


def record(notebook: NotebookNode, figures: Iterable[Mapping[str, Any]], seconds: float) -> Record:
    """Return the record of an execution; `figures` are the lines of `figure_data.watch`."""
    figures = list(figures)
    seen = [cell.execution_count for cell in code_cells(notebook) for _ in range(_pictures(cell))]
    if seen != [figure["cell"] for figure in figures]:
        told = [figure["cell"] for figure in figures]
        raise ValueError(f"the pictures are in the cells {seen}, but figures were drawn in the cells {told}")
    shown = {cell.execution_count: _shown(cell) for cell in code_cells(notebook)}
    drawn = [
        {
            "cell": figure["cell"],
            "shows": shown[figure["cell"]],
            "numbers": sum(len(values) for values in figure["series"].values()),
            "digest": figure_data.digest({key: figure[key] for key in ("series", "words")}),
            "sketch": figure_data.sketch(figure),
        }
        for figure in figures
    ]
    return {
        "code": code_digest(notebook),
        "cells": len(code_cells(notebook)),
        "seeds": seeds(notebook),
        "seconds": round(seconds, 1),
        "versions": environment(),
        "figures": drawn,
    }


def path_of(notebook: Path) -> Path:
    """Return where the record of a notebook is kept: in the folder `_execution` beside it."""
    return notebook.parent / "_execution" / f"{notebook.stem}.json"


def read(notebook: Path) -> Record:
    """Return the stored record of the notebook at `notebook`; it is empty if there is none."""
    path = path_of(notebook)
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def store(notebook: Path, new: Record, *, write: bool) -> bool:
    """Keep the record of a notebook; return whether it is another one than before.

    Seconds alone make no other record, so that a second run leaves no difference.
    """
    old = read(notebook)
    if {**old, "seconds": 0} == {**new, "seconds": 0}:
        return False
    if write:
        path_of(notebook).parent.mkdir(exist_ok=True)
        path_of(notebook).write_text(_text(new), encoding="utf-8")
    return True


def _text(new: Record) -> str:
    """Return a record as JSON with one line per entry, per figure and per kind of its numbers."""
    lines = [f' "{key}": {json.dumps(new[key])}' for key in new if key != "figures"]
    figures = []
    for figure in new["figures"]:
        head = ", ".join(f'"{key}": {json.dumps(figure[key])}' for key in figure if key != "sketch")
        body = ",\n".join(f'   "{kind}": {json.dumps(part)}' for kind, part in figure["sketch"].items())
        figures.append("  {" + head + ', "sketch": {\n' + body + "\n  }}")
    listed = "[\n" + ",\n".join(figures) + "\n ]" if figures else "[]"
    return "{\n" + ",\n".join([*lines, f' "figures": {listed}']) + "\n}\n"


# --- the page ---------------------------------------------------------------------------------------------


def notebooks() -> list[Path]:
    """Return the notebooks of the book."""
    return sorted(CHAPTERS.glob("*.ipynb"))


def _row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(str(cell).replace("|", r"\|") for cell in cells) + " |"


def _table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    return "\n".join([_row(header), _row(["---"] * len(header)), *map(_row, rows)])


def _code(texts: Iterable[str]) -> str:
    return ", ".join(f"`{text}`" for text in texts) or "none"


def _version_tables(records: Mapping[str, Record]) -> str:
    """Return one table of versions; more than one if notebooks were run with different ones."""
    groups: dict[str, list[str]] = {}
    for name, each in records.items():
        groups.setdefault(json.dumps(each["versions"]), []).append(name)
    parts = []
    for told, names in groups.items():
        if len(groups) > 1:
            parts.append(f"Of {_code(names)}:")
        parts.append(_table(["what", "version"], ((k, f"`{v}`") for k, v in json.loads(told).items())))
    return "\n\n".join(parts)


def _figure_tables(records: Mapping[str, Record]) -> str:
    parts = []
    for name, each in records.items():
        rows = [
            (f["cell"], f["shows"], f"{f['numbers']:,}".replace(",", " "), f"`{f['digest']}`")
            for f in each["figures"]
        ]
        if rows:
            table = _table(["cell", "shows", "numbers", "digest"], rows)
            told = "1 figure" if len(rows) == 1 else f"{len(rows)} figures"
            parts.append(f":::{{dropdown}} {name}: {told}\n{table}\n:::")
    return "\n\n".join(parts)


def _stored_tables(folder: Path) -> str:
    rows = []
    for path in sorted(folder.glob("*.csv")):
        beside = path.with_suffix(".json")
        told = json.loads(beside.read_text(encoding="utf-8")) if beside.is_file() else {}
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        lines = len(path.read_text(encoding="utf-8").splitlines()) - 1
        rows.append((f"`{path.stem}`", lines, told.get("root", "–"), told.get("seconds", "–"), f"`{digest}`"))
    return _table(["table", "rows", "root of its seeds", "seconds of one core", "SHA-256"], rows)


INTRODUCTION = """\
# The last run

This page is made from the records of the last execution of every notebook, never by hand: `make refresh` runs the
notebooks and writes it. [](reproduce.md) says how to compare a run of your own with it.
"""

ON_VERSIONS = """\
The last line is a digest of the logarithms, sines and powers of ten thousand numbers: where it agrees, outputs can be
expected to agree bit for bit.
"""

ON_NOTEBOOKS = """\
Seconds are those of the run that was recorded: kernel start included, compiled code already on disk or not. They are
the only entries of this page that another run may change. The digest is that of the code of all cells; a test compares
it with the notebooks as they are, so that a record of other code is noticed. Seeds are listed as the code writes them;
everything else in a chapter is deterministic, or fixes its seeds inside the package.
"""

ON_FIGURES = """\
For every figure: the number of its cell, what it shows, how many numbers are drawn in it (coordinates of lines,
points, bars, areas and images, and the ends of the axes), and a digest of these numbers, rounded to {digits}
significant digits, with all that is written in the figure. Equal digests mean the same figure, whatever fonts and
pixels do.
"""

ON_TABLES = """\
Long runs are stored as tables in `klcal/experiments/tables`. Each table has its provenance beside it.
`make reproduce` makes all of them again.
"""

ON_DATA = """\
Observations that the book reads and nobody can compute again, in `klcal/experiments/data`; the `README.md` there names
their sources.
"""


def page(records: Mapping[str, Record], tables: Path, digests: Mapping[str, str]) -> str:
    """Return the page that shows all records."""
    rows = [
        (
            f"[](./{name}.ipynb)",
            e["cells"],
            len(e["figures"]),
            e["seconds"],
            f"`{e['code']}`",
            _code(e["seeds"]),
        )
        for name, e in records.items()
    ]
    total = math.fsum(each["seconds"] for each in records.values())
    figures = sum(len(each["figures"]) for each in records.values())
    parts = [
        INTRODUCTION,
        "## Versions\n",
        _version_tables(records) + "\n",
        ON_VERSIONS,
        "## Notebooks\n",
        ON_NOTEBOOKS,
        _table(["notebook", "cells", "figures", "seconds", "digest of the code", "seeds"], rows) + "\n",
        f"All together: {len(records)} notebooks, {figures} figures, {total:.0f} seconds.\n",
        "## Data of the figures\n",
        ON_FIGURES.format(digits=figure_data.DIGITS),
        _figure_tables(records) + "\n",
        "## Stored tables\n",
        ON_TABLES,
        _stored_tables(tables),
    ]
    if digests:
        rows_of_data = [(f"`{name}`", f"`{digest[:16]}`") for name, digest in digests.items()]
        parts += ["\n## Data\n", ON_DATA, _table(["file", "SHA-256"], rows_of_data)]
    return "\n".join(parts) + "\n"


def digests_of(folder: Path) -> dict[str, str]:
    """Return name -> SHA-256 of the data files in a folder."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.glob("*.csv"))}


def stored_digests() -> dict[str, str]:
    """Return name -> SHA-256 of the data files as recorded; the file is one that `sha256sum -c` understands."""
    lines = DIGESTS.read_text(encoding="utf-8").splitlines() if DIGESTS.is_file() else []
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def current_page() -> str:
    """Return the page of the records that are stored now."""
    records = {path.stem: found for path in notebooks() if (found := read(path))}
    return page(records, tables_folder(), stored_digests())


def write_page() -> bool:
    """Write the page and the digests of the data; return whether the page is another one than before."""
    if DATA.is_dir():
        lines = [f"{digest}  {name}\n" for name, digest in digests_of(DATA).items()]
        FOLDER.mkdir(exist_ok=True)
        DIGESTS.write_text("".join(lines), encoding="utf-8")
    text = current_page()
    changed = not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != text
    if changed:
        PAGE.write_text(text, encoding="utf-8")
    return changed


if __name__ == "__main__":
    print(f"{PAGE.name}: {'written' if write_page() else 'unchanged'}")
    sys.exit(0)
