"""Re-execute notebooks in place so that a second run leaves no difference.

What a run could change without reason is fixed: metadata, cell ids, timings, the way streams are cut.
The kernel is this interpreter, whatever kernels the machine has registered.

The executions of the chapters are recorded in `chapters/_execution`, shown on the page `chapters/execution.md`, and
listed in the manifest `codecheck.yml`.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import execution_record
import figure_data
import manifest
import nbformat
from house_rules import CELL_METADATA, NOTEBOOK_METADATA
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from traitlets import default

# Where a kernel writes the data of its figures. It is told so before the first cell, in a line that leaves no name
# behind: a notebook must not find anything it has not imported.
TARGET = "KLCAL_FIGURE_DATA"
WATCH = (
    "--IPKernelApp.exec_lines="
    f"__import__('runpy').run_path({figure_data.__file__!r})['watch']"
    f"(get_ipython(), __import__('os').environ[{TARGET!r}])"
)


class EditedMeanwhile(RuntimeError):
    """A notebook is not what it was when its execution began."""


class ThisInterpreter(KernelSpecManager):
    """Find one kernel only, whatever its name: the interpreter that runs this script."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """Return the kernel of this interpreter; it writes the data of figures if the environment says where."""
        command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}", "--log-level=ERROR"]
        return KernelSpec(argv=[*command, WATCH], display_name=kernel_name, language="python")


class ThisKernel(AsyncKernelManager):
    """Start that kernel."""

    @default("kernel_spec_manager")
    def _this_interpreter(self) -> KernelSpecManager:
        return ThisInterpreter(parent=self)


def load(text: str) -> NotebookNode:
    """Parse a notebook; a cell without an id of its own gets one that depends on its place only."""
    raw = json.loads(text)
    seen: set[str] = set()
    for number, cell in enumerate(raw["cells"]):
        # Usable ids are kept, so that inserting a cell does not rename all that follow.
        if not cell.get("id") or cell["id"] in seen:
            cell["id"] = next(name for k in itertools.count(number) if (name := f"cell-{k:03d}") not in seen)
        seen.add(cell["id"])
    raw["nbformat"], raw["nbformat_minor"] = 4, 5
    return nbformat.reads(json.dumps(raw), as_version=4)


def tidy(notebook: NotebookNode) -> None:
    """Drop stored results and fix everything that differs between editors and machines."""
    notebook.metadata = nbformat.from_dict(NOTEBOOK_METADATA)
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({k: cell.metadata[k] for k in CELL_METADATA if k in cell.metadata})
        cell.source = cell.source.strip("\n")
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None


def execute(notebook: NotebookNode, folder: Path, timeout: int = 300) -> list[dict[str, Any]]:
    """Run all cells in order from `folder` and return the data of the figures; an error in a cell is raised."""
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch) / "figures.jsonl"
        target.touch()
        os.environ[TARGET] = str(target)
        try:
            NotebookClient(
                notebook,
                kernel_manager_class=ThisKernel,
                timeout=timeout,
                record_timing=False,
                store_widget_state=False,
                coalesce_streams=True,
                resources={"metadata": {"path": str(folder)}},
            ).execute()
        finally:
            del os.environ[TARGET]
        figures = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    notebook.metadata = nbformat.from_dict(NOTEBOOK_METADATA)
    return figures


def lean(drawing: str) -> str:
    r"""Return an SVG on a few lines, with coordinates to a hundredth of a point.

    >>> lean('<svg>\n <path d="M 0.12345 1\nL 2 3.999 \n"/>\n</svg>\n')
    '<svg>\n<path d="M 0.12 1 L 2 4"/>\n</svg>\n'
    """
    drawing = re.sub(r'\b(d|x|y|points)="([^"]*)"', _rounded, drawing)
    return re.sub(r"\n\s+", "\n", drawing)


def _rounded(found: re.Match[str]) -> str:
    numbers = re.sub(
        r"-?\d+\.\d+", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), found[2]
    )
    return f'{found[1]}="{" ".join(numbers.split())}"'


def make_lean(notebook: NotebookNode) -> None:
    """Store the drawings of a notebook as small as they can be without a visible difference."""
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if "image/svg+xml" in data:
                data["image/svg+xml"] = lean(data["image/svg+xml"])


def run_again(path: Path) -> tuple[NotebookNode, execution_record.Record]:
    """Return the notebook at `path`, tidy and executed anew, and the record of that."""
    start = time.perf_counter()
    notebook = load(path.read_text(encoding="utf-8"))
    tidy(notebook)
    figures = execute(notebook, path.parent)
    make_lean(notebook)
    nbformat.validate(notebook)
    return notebook, execution_record.record(notebook, figures, time.perf_counter() - start)


def is_chapter(path: Path) -> bool:
    """Tell whether a notebook is one of the book, whose executions are recorded."""
    return path.resolve().parent == execution_record.CHAPTERS


def refresh(path: Path, *, write: bool) -> bool:
    """Re-execute the notebook at `path`; return whether its file, or a chapter's record, differs from the new one."""
    before = path.read_text(encoding="utf-8")
    notebook, record = run_again(path)
    after = text_of(notebook)
    if path.read_text(encoding="utf-8") != before:
        raise EditedMeanwhile(f"{path.name} was edited while it ran; it is left as it is")
    changed = after != before
    if changed and write:
        path.write_text(after, encoding="utf-8")
    if is_chapter(path):
        changed |= execution_record.store(path, record, write=write)
    return changed


def text_of(notebook: NotebookNode) -> str:
    """Return the text of a notebook file."""
    return nbformat.writes(notebook, version=nbformat.NO_CONVERT) + "\n"


def prepare_environment() -> None:
    """Make this process one whose kernels give the stored outputs."""
    # A kernel inherits these; the first would replace the pictures in the outputs.
    os.environ.pop("MPLBACKEND", None)
    os.environ["PYTHONHASHSEED"] = "0"


def main(arguments: Sequence[str] | None = None) -> int:
    """Refresh the named notebooks, or all chapters; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all of chapters/")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file would change")
    options = parser.parse_args(arguments)
    prepare_environment()
    stale, paths = 0, options.notebooks or execution_record.notebooks()
    for path in paths:
        start = time.perf_counter()
        try:
            changed = refresh(path, write=not options.check)
        except CellExecutionError as error:
            print(f"{path.name}: a cell failed, the file is left as it was\n{error}", file=sys.stderr)
            return 1
        except EditedMeanwhile as problem:
            print(problem, file=sys.stderr)
            return 1
        stale += changed
        state = ("would change" if options.check else "written") if changed else "unchanged"
        print(f"{path.name}: {state} ({time.perf_counter() - start:.1f} s)", flush=True)
    if any(map(is_chapter, paths)) and not options.check:
        execution_record.write_page()
        manifest.write()
    return int(options.check and stale > 0)


if __name__ == "__main__":
    sys.exit(main())
