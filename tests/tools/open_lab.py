"""Copy the notebooks to where they may be changed, readable in JupyterLab, and open it there.

The copies in ``_build/lab`` are the reader's own: changing them leaves the book as it is, and what is there already is
kept. The book's macros are written into each copy, and what only the book can show becomes a plain sentence.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from klcal.claims import stored

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS, FOLDER = ROOT / "chapters", ROOT / "_build" / "lab"
# A directive of the book with its argument; its options and its content up to the closing fence.
_DIRECTIVE = re.compile(
    r"^(`{3,}|:{3,})\{(klcal-evidence|live-figure|inline-module)\}([^\n]*)\n(.*?)^\1[ \t]*$",
    re.MULTILINE | re.DOTALL,
)


def macros() -> dict[str, str]:
    r"""Return the macros of the book as JupyterLab's MyST reads them.

    >>> macros()[r"\KL"]
    '\\mathsf{KL}'
    """
    settings = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    told = settings["sphinx"]["config"]["mathjax3_config"]["tex"]["macros"]
    return {f"\\{name}": text if isinstance(text, str) else text[0] for name, text in told.items()}


def sentence(found: re.Match[str]) -> str:
    """Return in words what stands in the place of a directive that only the book knows."""
    kind, argument = found[2], found[3].split()
    if kind != "klcal-evidence":
        return "> *Here the book has a figure that can be changed on the page.*"
    told = (f"`{label}`: {stored()[label].status}" for label in argument if label in stored())
    return f"> *In the ledger:* {'; '.join(told)}."


def readable(cell: dict[str, Any]) -> dict[str, Any]:
    """Return a cell whose text JupyterLab can show."""
    if cell["cell_type"] != "markdown":
        return cell
    text = "".join(cell["source"])
    text = _DIRECTIVE.sub(sentence, text)
    text = re.sub(r"\{doc\}`([^`<]+?) ?<([^`>]+)>`", r"[\1](\2.ipynb)", text)
    text = re.sub(r"\{(?:coq|prf:ref|eq)\}`([^`]+)`", r"`\1`", text)
    text = re.sub(r"\{cite:[pt]\}`([^`]+)`", r"[\1]", text)
    return {**cell, "source": text.splitlines(keepends=True)}


def copied(notebook: Mapping[str, Any], commands: Mapping[str, str]) -> dict[str, Any]:
    """Return a notebook with the macros in its first cell, and all cells readable."""
    cells = [readable(cell) for cell in notebook["cells"]]
    front = yaml.safe_dump({"math": dict(commands)}, allow_unicode=True, sort_keys=False)
    first = {"cell_type": "markdown", "id": "macros", "metadata": {}, "source": [f"---\n{front}---\n"]}
    return {**notebook, "cells": [first, *cells]}


def copy_all(folder: Path) -> list[Path]:
    """Copy the notebooks that are not there yet and return them."""
    folder.mkdir(parents=True, exist_ok=True)
    new = []
    for path in sorted(CHAPTERS.glob("*.ipynb")):
        target = folder / path.name
        if not target.exists():
            made = copied(json.loads(path.read_text(encoding="utf-8")), macros())
            target.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            new.append(target)
    return new


def command(folder: Path, *, root: bool) -> list[str]:
    """Return what starts JupyterLab; to the root user, as in a container, it has to be allowed."""
    allowed = ["--allow-root"] if root else []
    return [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}", *allowed]


def main(arguments: Sequence[str] | None = None) -> int:
    """Copy, then open JupyterLab on the copies."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copy-only", action="store_true", help="write the copies and open nothing")
    options = parser.parse_args(arguments)
    new = copy_all(FOLDER)
    print(
        f"{len(new)} notebooks copied to {FOLDER.relative_to(ROOT)}; those that were there are as you left them"
    )
    if options.copy_only:
        return 0
    os.environ.pop("MPLBACKEND", None)
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0  # Windows has no such user
    return subprocess.call(command(FOLDER, root=is_root))


if __name__ == "__main__":
    sys.exit(main())
