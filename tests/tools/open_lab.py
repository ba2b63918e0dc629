"""Copy the notebooks to where they may be changed, and open JupyterLab there.

The copies in ``_build/lab`` are the reader's own: changing them leaves the book as it is, and what is there already is
kept. JupyterLab's MyST reads the boxes; the macros of the book are written into the first cell of each copy, where it
looks for them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "_build" / "lab"


def macros() -> dict[str, str]:
    r"""Return the macros of the book.

    >>> macros()[r"\KL"]
    '\\mathsf{KL}'
    """
    settings = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    told = settings["sphinx"]["config"]["klcal_macros"]
    return {f"\\{name}": text if isinstance(text, str) else text[0] for name, text in told.items()}


def copy_all(folder: Path = FOLDER) -> list[Path]:
    """Copy the notebooks that are not there yet and return them."""
    folder.mkdir(parents=True, exist_ok=True)
    front = yaml.safe_dump({"math": macros()}, allow_unicode=True, sort_keys=False)
    first = {"cell_type": "markdown", "id": "macros", "metadata": {}, "source": [f"---\n{front}---\n"]}
    new = []
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        if not (target := folder / path.name).exists():
            notebook = json.loads(path.read_text(encoding="utf-8"))
            notebook["cells"].insert(0, first)
            target.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            new.append(target)
    return new


def main() -> int:
    """Copy, then open JupyterLab on the copies."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copy-only", action="store_true", help="write the copies and open nothing")
    options = parser.parse_args()
    print(f"{len(copy_all())} notebooks copied to {FOLDER.relative_to(ROOT)}; others are as you left them")
    if options.copy_only:
        return 0
    os.environ.pop("MPLBACKEND", None)
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0  # as in a container; Windows has no such user
    allowed = ["--allow-root"] if is_root else []
    return subprocess.call([sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={FOLDER}", *allowed])


if __name__ == "__main__":
    sys.exit(main())
