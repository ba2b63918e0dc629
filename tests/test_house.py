"""The rules of the house: small rooms, imports that go one way, notebooks as they should be, nothing foreign."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "chapters").glob("*.ipynb"))
# Lines of code without docstrings, comments and blanks. These numbers only go down; who raises one lowers another.
SIZES = {
    "klcal/__init__.py": 109,
    "klcal/__main__.py": 40,
    "klcal/_checks.py": 159,
    "klcal/_cli": 373,
    "klcal/_kernels": 1_098,
    "klcal/adversaries": 293,
    "klcal/book": 2_803,
    "klcal/bounds": 449,
    "klcal/figures": 229,
    "klcal/forecasters": 1_045,
    "klcal/games": 262,
    "klcal/grids.py": 99,
    "klcal/losses": 365,
    "klcal/measures": 721,
    "tests": 9_490,
    "chapters/_ext": 1_059,
}
# Where packages come from is the business of whoever installs them; a folder of one machine is nobody's.
FOREIGN = re.compile(
    r"\b(?:pypi\.org|pythonhosted\.org|npmjs\.\w+|anaconda\.org|registry\.[a-z]|\w*index-url\b)"
    r"|(?<![\w.\\)\]}/])/(?:work|root|tmp|home|Users|var/folders)/[\w.]|file:///\w"
)


def lines_of_code(path: Path) -> int:
    """Count the lines of a file that hold more than a docstring or a comment."""
    skipped = (
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    )
    with path.open("rb") as file:
        tokens = [
            token
            for token in tokenize.tokenize(file.readline)
            if token.type not in (*skipped, tokenize.ENCODING)
        ]
    rows = {row for token in tokens for row in range(token.start[0], token.end[0] + 1)}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if (
            isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module)
            and ast.get_docstring(node) is not None
        ):
            rows -= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    return len(rows)


@pytest.mark.parametrize("room", SIZES)
def test_a_room_is_no_larger_than_it_was(room):
    place = ROOT / room
    files = [place] if place.is_file() else sorted(place.rglob("*.py"))
    assert 0 < sum(map(lines_of_code, files)) <= SIZES[room]


def test_every_room_has_its_size_and_the_package_has_at_most_a_hundred_files():
    files = sorted((ROOT / "klcal").rglob("*.py"))
    assert {"/".join(path.relative_to(ROOT).parts[:2]) for path in files} <= set(SIZES)
    assert len(files) <= 100


def tracked() -> list[Path]:
    """Return the files of the repository."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [path for name in listed.splitlines() if (path := ROOT / name).is_file()]


def test_no_file_names_a_registry_or_a_machine_or_is_foreign_or_large():
    found = []
    for path in tracked():
        name, text = path.relative_to(ROOT), path.read_text(encoding="utf-8", errors="replace")
        if str(name) != "tests/test_house.py":
            found += [f"{name}: {match[0]}" for match in FOREIGN.finditer(text)]
        if path.stat().st_size > 3_000_000 or path.name in ("package-lock.json", ".DS_Store"):
            found.append(f"{name} does not belong here")
    assert found == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_executed_in_order_and_its_visible_code_fits_the_page(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == [*range(1, len(code) + 1)], "run make refresh"
    assert not any(output["output_type"] == "error" for cell in code for output in cell["outputs"])
    for cell in code:
        text = "".join(cell["source"])
        is_hidden = any(tag.startswith(("hide", "remove")) for tag in cell["metadata"].get("tags", ()))
        assert is_hidden or all(len(line) <= 84 for line in text.splitlines()), text
        drawn = [output for output in cell["outputs"] if "image/svg+xml" in output.get("data", {})]
        assert not drawn or cell["metadata"].get("mystnb", {}).get("image", {}).get("alt"), text


def test_the_package_has_no_print_assert_or_hidden_randomness():
    allowed = {"default_rng", "Generator", "SeedSequence", "BitGenerator"}
    found = []
    for path in sorted((ROOT / "klcal").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Assert) or (isinstance(node, ast.Name) and node.id == "print"):
                found.append(f"{path.name}:{node.lineno}")
            if (
                isinstance(node, ast.Attribute)
                and ast.unparse(node.value) == "np.random"
                and node.attr not in allowed
            ):
                found.append(f"{path.name}:{node.lineno} {node.attr}")
    assert found == []
