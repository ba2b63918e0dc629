"""Run live figures of the book without a browser, and write the first picture of each.

``python tests/tools/live_figures.py`` writes the pictures that pages without scripts show into chapters/_live.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import playwright

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "chapters" / "_live"
NAMES = sorted(path.stem for path in FOLDER.glob("*.mjs") if "export const FIGURE" in path.read_text())


def node_program() -> str | None:
    """Return Node of the system or, as the lock brings one along, of the browser tests' driver, if it runs here."""
    carried = Path(playwright.__file__).parent / "driver" / "node"
    found = filter(None, (shutil.which("node"), shutil.which(carried)))
    return next(filter(starts, found), None)


def starts(program: str) -> bool:
    """Tell whether a program starts; the driver's may lack a library of the system."""
    return subprocess.run([program, "--version"], capture_output=True).returncode == 0


def answers(node: str, program: Path, requests: list[Any]) -> list[Any]:
    """Give requests to a program of Node, all at once, and return its answers."""
    done = subprocess.run(
        [node, str(program)], input=json.dumps(requests), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    answered: list[Any] = json.loads(done.stdout)
    return answered


def asked(node: str, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return numbers, sentence, picture and first picture of figures, for some values and after some actions."""
    return answers(node, ROOT / "tests" / "transcripts" / "figures.mjs", requests)


def still(name: str) -> Path:
    """Return the file with the first picture of a figure."""
    return FOLDER / f"{name}.html"


def main() -> None:
    """Write all first pictures."""
    node = node_program()
    if node is None:
        raise SystemExit("no Node on this machine")
    for name, answer in zip(NAMES, asked(node, [{"name": name} for name in NAMES]), strict=True):
        still(name).write_text(answer["still"] + "\n", encoding="utf-8")
        print(still(name).relative_to(ROOT))


if __name__ == "__main__":
    main()
