"""Re-execute notebooks in place so that a second run leaves no difference.

What a run could change without reason is fixed: metadata, cell ids, timings, the way streams are cut.
The kernel is this interpreter, whatever kernels the machine has registered.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
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

ROOT = Path(__file__).resolve().parents[2]
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "pygments_lexer": "python"},
}
KEPT_CELL_METADATA = ("tags", "mystnb")


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
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict(
            {k: cell.metadata[k] for k in KEPT_CELL_METADATA if k in cell.metadata}
        )
        cell.source = cell.source.strip("\n")
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None


def execute(notebook: NotebookNode, folder: Path, timeout: int = 300) -> None:
    """Run all cells in order from `folder`; an error in a cell is raised."""
    NotebookClient(
        notebook,
        kernel_manager_class=ThisKernel,
        timeout=timeout,
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
    ).execute()
    notebook.metadata = nbformat.from_dict(METADATA)


def refresh(path: Path, *, write: bool) -> bool:
    """Re-execute the notebook at `path`; return whether its file differs from the new one."""
    before = path.read_text(encoding="utf-8")
    notebook = load(before)
    tidy(notebook)
    execute(notebook, path.parent)
    nbformat.validate(notebook)
    after = nbformat.writes(notebook, version=nbformat.NO_CONVERT) + "\n"
    changed = after != before
    if changed and write:
        path.write_text(after, encoding="utf-8")
    return changed


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
    for path in options.notebooks or sorted((ROOT / "chapters").glob("*.ipynb")):
        start = time.perf_counter()
        try:
            changed = refresh(path, write=not options.check)
        except CellExecutionError as error:
            print(f"{path.name}: a cell failed, the file is left as it was\n{error}", file=sys.stderr)
            return 1
        stale += changed
        state = ("would change" if options.check else "written") if changed else "unchanged"
        print(f"{path.name}: {state} ({time.perf_counter() - start:.1f} s)")
    return int(options.check and stale > 0)


if __name__ == "__main__":
    sys.exit(main())
