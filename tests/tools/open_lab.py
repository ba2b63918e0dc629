"""Copy the notebooks to where they may be changed, readable in JupyterLab, and open it there.

The copies in ``_build/lab`` are the reader's own: changing them leaves the book as it is, and what is there already is
kept. The book's macros are written into each copy, and what only the book can show becomes a plain sentence. Pages of
text that the notebooks link to are copied as notebooks too, so that all links lead somewhere.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from klcal.claims import stored
from klcal.claims._stored import boxes

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS, FOLDER = ROOT / "chapters", ROOT / "_build" / "lab"
# A directive of the book with its argument; its options and its content up to the closing fence.
_DIRECTIVE = re.compile(
    r"^(`{3,}|:{3,})\{(klcal-evidence|live-figure|inline-module)\}([^\n]*)\n(.*?)^\1[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
# Cards in a grid, and the foot of a card; each is fenced by fewer colons than what it stands in.
_GRID, _CARD, _FOOT = (
    re.compile(rf"^(:{{3,}})\{{{name}\}}([^\n]*)\n(.*?)^\1[ \t]*$", re.MULTILINE | re.DOTALL)
    for name in ("grid", "grid-item-card", "card-footer")
)
# What only the book can show, and so no page that has it is copied.
_BOOKISH = re.compile(r"^`{3,}\{(?:raw|eval-rst|inline-module|bibliography)\}", re.MULTILINE)
_PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"into a\s+file `(\w+\.py)`:\s*$")
_TARGET = re.compile(r"^\(([\w-]+)\)=\n", re.MULTILINE)
_KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}


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


@cache
def texts() -> Mapping[str, str]:
    """Return the text of every page that is copied, by the stem of its file: the notebooks, and pages of plain text."""
    found = {}
    for path in sorted([*CHAPTERS.glob("*.ipynb"), *CHAPTERS.glob("*.md")]):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".ipynb":
            cells = (cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown")
            found[path.stem] = "\n\n".join("".join(cell["source"]) for cell in cells)
        elif not _BOOKISH.search(text) and not path.stem.startswith("api"):
            found[path.stem] = text
    return found


@cache
def targets() -> Mapping[str, str]:
    """Return label -> page: of the theorem boxes, and of the places that have a label of their own."""
    places = {label: stem for stem, text in texts().items() for label in _TARGET.findall(text)}
    return {**boxes(CHAPTERS), **places}


def link(text: str, page: str) -> str:
    """Return a link to the copy of a page; in words where there is none.

    >>> link("Chapter 3", "03_grids"), link("", "own"), link("Play Nature", "play")
    ('[Chapter 3](03_grids.ipynb)', '[Test your own](own.ipynb)', 'Play Nature (in the book)')
    """
    heading = re.search(r"^# (.+)$", texts().get(page, ""), re.MULTILINE)
    name = text or (heading[1].strip() if heading else page.replace("_", " "))
    return f"[{name}]({page}.ipynb)" if page in texts() else f"{name} (in the book)"


def card(found: re.Match[str]) -> str:
    """Return a card as an item of a list: its title, what it says, and where it leads."""
    text, options = found[3], dict(re.findall(r"^:([\w-]+): *(.*)$", found[3], re.MULTILINE))
    foot = _FOOT.search(text)
    body = re.sub(r"^:[\w-]+:.*$", "", _FOOT.sub("", text), flags=re.MULTILINE)
    said = [f"- **{found[2].strip()}.**", *body.split()]
    if "link" in options:
        page = options["link"] if options.get("link-type") == "doc" else targets().get(options["link"], "")
        said.append(link(foot[3].strip() if foot else "More", page) + ".")
    return " ".join(said)


def role(found: re.Match[str]) -> str:
    """Return in words what a role of the book shows: a link, a name, a citation."""
    name, content = found[1], found[2]
    told = re.fullmatch(r"(.*?)\s*<([^<>]+)>", content, re.DOTALL)
    text, target = (told[1], told[2]) if told else ("", content)
    if name == "octicon":
        return ""
    if name == "doc":
        return link(text, target)
    if name in ("ref", "prf:ref") and text:
        return link(text, targets().get(target, ""))
    return f"[{content}]" if name.startswith("cite:") else f"`{text or target}`"


def readable(cell: dict[str, Any]) -> dict[str, Any]:
    """Return a cell whose text JupyterLab can show."""
    if cell["cell_type"] != "markdown":
        return cell
    text = "".join(cell["source"])
    text = _DIRECTIVE.sub(sentence, text)
    text = re.sub(r"\{(octicon|doc|ref|prf:ref|coq|eq|py:obj|cite:[pt])\}`([^`]+)`", role, text)
    text = re.sub(
        r"\[([^\]]*)\]\((?:\./)?(\w+)\.(?:md|ipynb)\)", lambda found: link(found[1], found[2]), text
    )
    text = _GRID.sub(lambda grid: "\n".join(map(card, _CARD.finditer(grid[3]))), text)
    text = _TARGET.sub("", text)
    return {**cell, "source": text.splitlines(keepends=True)}


def notebook(text: str) -> dict[str, Any]:
    """Return a page of text as a notebook: its Python is in cells, and is written to a file where the text says so."""
    cells: list[dict[str, Any]] = []
    said = ""
    for place, part in enumerate(_PYTHON.split(text)):
        if part.strip():
            cell: dict[str, Any] = {"cell_type": "markdown", "id": f"text-{place}", "metadata": {}}
            if place % 2:
                file = _FILE.search(said)
                part = f"%%writefile {file[1]}\n{part}" if file else part
                cell |= {"cell_type": "code", "execution_count": None, "outputs": []}
            cells.append({**cell, "source": part.strip("\n").splitlines(keepends=True)})
        said = part
    return {"cells": cells, "metadata": _KERNEL, "nbformat": 4, "nbformat_minor": 5}


def copied(notebook: Mapping[str, Any], commands: Mapping[str, str]) -> dict[str, Any]:
    """Return a notebook with the macros in its first cell, and all cells readable."""
    cells = [readable(cell) for cell in notebook["cells"]]
    front = yaml.safe_dump({"math": dict(commands)}, allow_unicode=True, sort_keys=False)
    first = {"cell_type": "markdown", "id": "macros", "metadata": {}, "source": [f"---\n{front}---\n"]}
    return {**notebook, "cells": [first, *cells]}


def copy_all(folder: Path) -> list[Path]:
    """Copy the notebooks and pages that are not there yet and return them."""
    folder.mkdir(parents=True, exist_ok=True)
    new = []
    for stem, text in texts().items():
        path, target = CHAPTERS / f"{stem}.ipynb", folder / f"{stem}.ipynb"
        if not target.exists():
            page = json.loads(path.read_text(encoding="utf-8")) if path.exists() else notebook(text)
            made = copied(page, macros())
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
