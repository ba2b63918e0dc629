"""Write `codecheck.yml`: which files a check of this repository must make again, in the format of CODECHECK.

The manifest is made from the files themselves, so that a new chapter or table cannot be forgotten in it. See
https://codecheck.org.uk/spec/config/1.0/ for the format.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import execution_record
import yaml

from klcal.experiments import tables_folder

TARGET = execution_record.ROOT / "codecheck.yml"
HEAD = """\
# What can be made again from this repository, in the format of CODECHECK. Written by tests/tools/manifest.py.
# `make reproduce` makes every file of the manifest again and compares it with the one that is stored.
---
"""
SUMMARY = """\
The paper is a work of theory and has no code of its own. This repository checks its statements and plays its
algorithms. Nothing has been certified by a codechecker so far: the fields for the certificate are left out."""


def _title(path: Path) -> str:
    """Return the title of a notebook: its first heading of the first rank."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    return found[1].strip() if found else path.stem


def _of_notebook(path: Path) -> dict[str, str]:
    figures = len(execution_record.read(path).get("figures", ()))
    told = "one figure" if figures == 1 else f"{figures or 'no'} figures"
    return {"file": f"chapters/{path.name}", "comment": f"{_title(path)}: all outputs and {told}"}


def _of_table(path: Path) -> dict[str, str]:
    beside = path.with_suffix(".json")
    told = json.loads(beside.read_text(encoding="utf-8")) if beside.is_file() else {}
    comment = told.get("description", "Status of every claim: what the last run of all checks found.")
    return {"file": f"klcal/experiments/tables/{path.name}", "comment": comment}


def configuration() -> dict[str, Any]:
    """Return the content of the file: the paper, the manifest, the summary."""
    citation = yaml.safe_load((execution_record.ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    (paper,) = (each for each in citation["references"] if each["type"] == "conference-paper")
    tables = sorted(tables_folder().glob("*.csv"))
    return {
        "version": "https://codecheck.org.uk/spec/config/1.0/",
        "paper": {
            "title": paper["title"],
            "authors": [{"name": f"{a['given-names']} {a['family-names']}"} for a in paper["authors"]],
            "reference": paper["url"],
        },
        "manifest": [
            *map(_of_notebook, execution_record.notebooks()),
            *map(_of_table, tables),
        ],
        "summary": SUMMARY.replace("\n", " "),
    }


def text() -> str:
    """Return the file as it should be."""
    return HEAD + yaml.safe_dump(configuration(), sort_keys=False, allow_unicode=True, width=110)


def write() -> bool:
    """Write the file; return whether it is another one than before."""
    changed = not TARGET.is_file() or TARGET.read_text(encoding="utf-8") != text()
    if changed:
        TARGET.write_text(text(), encoding="utf-8")
    return changed


if __name__ == "__main__":
    print(f"{TARGET.name}: {'written' if write() else 'unchanged'}")
    sys.exit(0)
