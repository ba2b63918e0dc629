"""The rules of the house: imports that go one way, notebooks as they should be, nothing foreign."""

from __future__ import annotations

import ast
import json
import pkgutil
import re
import subprocess
from pathlib import Path

import pytest

import klcal
import klcal.book

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "chapters").glob("*.ipynb"))
# Where packages come from is the business of whoever installs them; a folder of one machine is nobody's.
FOREIGN = re.compile(
    r"\b(?:pypi\.org|pythonhosted\.org|npmjs\.\w+|anaconda\.org|registry\.[a-z]|\w*index-url\b)"
    r"|(?<![\w.\\)\]}/])/(?:work|root|tmp|home|Users|var/folders)/[\w.]|file:///\w"
)


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
        is_hidden |= "verify." in text  # a check, which folds by itself
        assert is_hidden or all(len(line) <= 84 for line in text.splitlines()), text
        drawn = [output for output in cell["outputs"] if "image/svg+xml" in output.get("data", {})]
        assert not drawn or cell["metadata"].get("mystnb", {}).get("image", {}).get("alt"), text


def imports(path: Path) -> list[str]:
    """Return what a file of the package imports from the package, wherever in the file, in full names."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    whole = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    froms = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    parts = [f"{node.module}.{alias.name}" for node in froms for alias in node.names]
    return [name for name in whole + parts if name.startswith("klcal.")]


def test_imports_go_one_way_and_the_library_needs_nothing_from_the_book():
    library, book = list(klcal.ROOMS), list(klcal.book.ROOMS)
    found = []
    for path in sorted((ROOT / "klcal").rglob("*.py")):
        at = path.relative_to(ROOT / "klcal").with_suffix("").parts
        for name in imports(path):
            of = name.split(".")[1:]
            rooms, here, there = (book, at[1:], of[1:]) if at[0] == of[0] == "book" else (library, at, of)
            later = {*here[:1], *there[:1]} <= {*rooms} and rooms.index(there[0]) > rooms.index(here[0])
            if later or (there[:1] == ["book"] and here[0] != "book") or (at[0] == "_kernels" != of[0]):
                found.append(f"{'/'.join(at)}: {name}")
    # A report that draws itself when it is asked to.
    assert found == ["measures/report: klcal.figures.forecasts.plot_reliability"]


@pytest.mark.parametrize(
    "line",
    [
        "from klcal import verify",
        "import klcal; klcal.minimax",
        "import klcal.exact.balls",
        "from klcal.experiments import stored",
        "from klcal.games import replay",
        "from klcal.figures import plot_cells",
    ],
)
def test_a_name_that_moved_says_where_it_is(line):
    said = r"^klcal\.[a-z_.]+ is now klcal\.book\.[a-z_.]+$"
    with pytest.raises((AttributeError, ImportError), match=said) as problem:
        exec(line, {})
    assert pkgutil.resolve_name(str(problem.value).split()[-1]) is not None


def test_the_package_has_no_print_assert_or_hidden_randomness():
    allowed = {"default_rng", "Generator", "SeedSequence", "BitGenerator"}
    found = []
    for path in sorted((ROOT / "klcal").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_random = isinstance(node, ast.Attribute) and ast.unparse(node.value) == "np.random"
            is_print = isinstance(node, ast.Name) and node.id == "print"
            if isinstance(node, ast.Assert) or is_print or (is_random and node.attr not in allowed):
                found.append(f"{path.name}:{node.lineno}")
    assert found == []
