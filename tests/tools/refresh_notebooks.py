"""Re-execute notebooks in place so that a second run leaves no difference.

What a run could change without reason is fixed: metadata, cell ids, timings, the way streams are cut.
The kernel is this interpreter, whatever kernels the machine has registered.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from traitlets import default

CHAPTERS = Path(__file__).parents[2] / "chapters"
NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "pygments_lexer": "python"},
}
CELL_METADATA = ("tags", "mystnb")


class ThisInterpreter(KernelSpecManager):
    """Find one kernel only, whatever its name: the interpreter that runs this script."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """Return the kernel of this interpreter."""
        command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}", "--log-level=ERROR"]
        return KernelSpec(argv=command, display_name=kernel_name, language="python")


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
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({k: cell.metadata[k] for k in CELL_METADATA if k in cell.metadata})
        cell.source = cell.source.strip("\n")
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None


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


def executed(path: Path, timeout: int = 300) -> str:
    """Return the text of the notebook at `path`, tidy and executed anew; an error in a cell is raised."""
    notebook = load(path.read_text(encoding="utf-8"))
    tidy(notebook)
    NotebookClient(
        notebook,
        kernel_manager_class=ThisKernel,
        timeout=timeout,
        startup_timeout=300,
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
    ).execute()
    notebook.metadata = nbformat.from_dict(NOTEBOOK_METADATA)
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if "image/svg+xml" in output.get("data", {}):
                output["data"]["image/svg+xml"] = lean(output["data"]["image/svg+xml"])
    nbformat.validate(notebook)
    return nbformat.writes(notebook, version=nbformat.NO_CONVERT) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Refresh the named notebooks, or all chapters; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all of chapters/")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file would change")
    options = parser.parse_args(arguments)
    # A kernel inherits these; the first would replace the pictures in the outputs.
    os.environ.pop("MPLBACKEND", None)
    os.environ["PYTHONHASHSEED"] = "0"
    stale = 0
    for path in options.notebooks or sorted(CHAPTERS.glob("*.ipynb")):
        start, before = time.perf_counter(), path.read_text(encoding="utf-8")
        try:
            after = executed(path)
        except CellExecutionError as error:
            print(f"{path.name}: a cell failed, the file is left as it was\n{error}", file=sys.stderr)
            return 1
        if path.read_text(encoding="utf-8") != before:
            print(f"{path.name} was edited while it ran; it is left as it is", file=sys.stderr)
            return 1
        stale += after != before
        if after != before and not options.check:
            path.write_text(after, encoding="utf-8")
        state = ("would change" if options.check else "written") if after != before else "unchanged"
        print(f"{path.name}: {state} ({time.perf_counter() - start:.1f} s)", flush=True)
    return int(options.check and stale > 0)


if __name__ == "__main__":
    sys.exit(main())
