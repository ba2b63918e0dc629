"""The house rules hold everywhere, and each rule can see a breach."""

from __future__ import annotations

import copy
import fnmatch
import json
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import house_rules as house
import pytest

import klcal

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "klcal"
EXTENSION = ROOT / "chapters" / "_ext" / "klcal_book"
MODULES = [path for folder in (PACKAGE, EXTENSION) for path in sorted(folder.rglob("*.py"))]
NOTEBOOKS = sorted((ROOT / "chapters").glob("*.ipynb"))
TEXTS = sorted((ROOT / "chapters").glob("*.md"))


def repository_files(root: Path) -> Iterator[Path]:
    """Yield every file below `root` that .gitignore does not keep out."""
    patterns = [pattern.rstrip("/") for pattern in (root / ".gitignore").read_text().split()] + [".git"]
    for folder, folders, names in os.walk(root):
        kept = [n for n in (*folders, *names) if not any(fnmatch.fnmatch(n, p) for p in patterns)]
        folders[:] = sorted(set(folders) & set(kept))
        yield from (Path(folder, name) for name in sorted(set(names) & set(kept)))


FILES = list(repository_files(ROOT))


def room(path: Path) -> str:
    """Return the name by which the rules know a file of the package or of the book's extension."""
    return full_name(path).removeprefix("klcal.").split(".")[0]


def full_name(path: Path) -> str:
    home = EXTENSION.parent if path.is_relative_to(EXTENSION) else ROOT
    return ".".join(path.relative_to(home).with_suffix("").parts)


def hold(complaints: list[str]) -> None:
    """Fail with one complaint a line."""
    assert not complaints, "\n" + "\n".join(complaints)


# --- the rules hold ---------------------------------------------------------------------------------------


def complaints_about(paths: list[Path], rule: Callable[[Path], list[str]]) -> list[str]:
    assert paths
    return [f"{path.relative_to(ROOT)}: {told}" for path in paths for told in rule(path)]


def test_modules_import_only_downwards_and_through_their_rooms() -> None:
    hold(complaints_about(MODULES, lambda path: house.import_complaints(room(path), path.read_text())))


def test_modules_have_no_print_assert_global_randomness_or_path_edit() -> None:
    hold(complaints_about(MODULES, lambda path: house.habit_complaints(room(path), path.read_text())))


def is_private(path: Path) -> bool:
    return any(part.startswith("_") and part != "__init__" for part in full_name(path).split("."))


@cache
def passed_on() -> set[tuple[str, str]]:
    """Return module and name of everything that some ``__init__`` passes on."""
    packages = [module for module in MODULES if module.stem == "__init__"]
    return set().union(*(house.reexports(module.read_text()) for module in packages))


def public_names(path: Path) -> set[str] | None:
    """Return the names of this file that users see, None for all.

    Of a private module, and of the checks in the ledger, which users call through their claims, users see
    what some ``__init__`` passes on.
    """
    if not is_private(path) and room(path) != "claims":
        return None
    return {name for module, name in passed_on() if module == full_name(path)}


def docstring_complaints(path: Path) -> list[str]:
    public = public_names(path)
    return house.docstring_complaints(full_name(path), path.read_text(), public, private=is_private(path))


def test_public_names_are_documented_with_parameters_and_examples() -> None:
    hold(complaints_about(MODULES, docstring_complaints))


def test_chapters_keep_the_rules() -> None:
    hold(complaints_about(NOTEBOOKS, lambda path: house.chapter_complaints(json.loads(path.read_text()))))


def test_pictures_in_markdown_pages_have_alt_text() -> None:
    hold(complaints_about(TEXTS, lambda path: house.markdown_complaints(path.read_text())))


def test_no_file_names_a_registry_or_a_machine() -> None:
    complaints = []
    for path in FILES:
        complaints += house.text_complaints(str(path.relative_to(ROOT)), path.read_text(errors="replace"))
    hold(complaints)


def test_walk_through_the_repository_leaves_out_what_git_ignores(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("cache/\n*.log\n")
    (tmp_path / "cache").mkdir()
    (tmp_path / "kept").mkdir()
    for name in ("cache/a.txt", "kept/a.txt", "kept/b.log"):
        (tmp_path / name).write_text("")
    found = [str(path.relative_to(tmp_path)) for path in repository_files(tmp_path)]
    assert found == [".gitignore", "kept/a.txt"]


def test_no_file_is_large_or_foreign() -> None:
    complaints = []
    for path in FILES:
        complaints += house.file_complaints(str(path.relative_to(ROOT)), path.stat().st_size)
    hold(complaints)


def test_rooms_are_the_folders_of_the_package() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert {name for name in folders if not name.startswith("_")} == set(klcal.ROOMS)


# --- the rules can fail -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("module", "source", "complaint"),
    [
        ("surprise", "", "surprise has no level"),
        ("grids", "from klcal import games", "games, which is not below"),
        ("grids", "from klcal.games import run", "klcal.games.run, which is not below"),
        ("grids", "import klcal.games.play", "klcal.games.play, which is not below"),
        ("losses", "from klcal import grids", "grids, which is not below"),
        ("grids", "def f():\n    from klcal import games", "grids:2 imports klcal.games"),
        ("games", "from klcal import Grid", "klcal.Grid, which is not below"),
        ("games", "import klcal", "klcal, which is not below"),
        ("games", "from . import play", "write the full name"),
        ("games", "from .play import run", "write the full name"),
        ("figures", "from klcal import claims", "for chapters, tests and the command line"),
        ("games", "import matplotlib.pyplot as plt", "belongs to ['figures']"),
        ("losses", "from sympy import symbols", "belongs to ['claims', 'symbolic']"),
        ("figures", "import klcal_book", "klcal_book, which is not below"),
    ],
)
def test_import_rule_sees(module: str, source: str, complaint: str) -> None:
    found = house.import_complaints(module, source)
    assert len(found) == 1
    assert complaint in found[0]


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("games", "from klcal import _checks, forecasters\nfrom klcal.grids import Grid\nimport numpy as np"),
        ("claims", "from klcal.claims._ledger import Claim\nimport sympy"),
        ("__main__", "from klcal import claims, figures"),
        ("__init__", "from klcal.games.play import run\nfrom klcal import bounds"),
        ("klcal_book", "import klcal\nfrom klcal import claims\nfrom klcal_book import _links"),
    ],
)
def test_import_rule_allows(module: str, source: str) -> None:
    assert house.import_complaints(module, source) == []


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("print(1)", "print"),
        ("assert x", "assert"),
        ("np.random.seed(1)", "np.random.seed"),
        ("x = numpy.random.rand(3)", "numpy.random.rand"),
        ("from numpy.random import default_rng, rand", "numpy.random.rand"),
        ("import random", "random"),
        ("from random import choice", "random.choice"),
        ("import sys\nsys.path.append('.')", "sys.path"),
        ("def f():\n    global x\n    x = 1", "global state"),
        ("import warnings\nwarnings.warn('x')", "a warning"),
    ],
)
def test_habit_rule_sees(source: str, complaint: str) -> None:
    found = house.habit_complaints("games", source)
    assert len(found) == 1
    assert complaint in found[0]


def test_habit_rule_allows_generators_and_the_command_line_to_print() -> None:
    good = "rng = np.random.default_rng(rng)\nrandom = rng.random()\nx: np.random.Generator = random"
    assert house.habit_complaints("games", good) == []
    assert house.habit_complaints("__main__", "print(1)") == []


GOOD_FUNCTION = '''"""Module."""
def double(x, *, times=1, **line):
    """Return twice `x`.

    Parameters
    ----------
    x, times : float
        What and how often.
    **line
        The rest.

    Examples
    --------
    >>> double(1)
    2
    """
'''


def test_docstring_rule_allows_a_complete_docstring() -> None:
    assert house.docstring_complaints("m", GOOD_FUNCTION) == []


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('"""Module."""\n', "", "m has no docstring"),
        (">>> double(1)", "double(1)", "m.double has no Examples"),
        ("Examples\n    --------", "Notes\n    -----", "m.double has no Examples"),
        ("x, times : float", "x : float", "does not explain its parameter 'times'"),
        ("**line\n        The rest.", "", "does not explain its parameter 'line'"),
        ("x, times : float", "x, times, speed : float", "explains 'speed', which is no parameter"),
    ],
)
def test_docstring_rule_sees(old: str, new: str, complaint: str) -> None:
    assert old in GOOD_FUNCTION
    found = house.docstring_complaints("m", GOOD_FUNCTION.replace(old, new))
    assert len(found) == 1
    assert complaint in found[0]


def test_docstring_rule_asks_only_for_a_sentence_where_users_do_not_call() -> None:
    short = GOOD_FUNCTION.replace(">>> double(1)", "double(1)").replace("x, times : float", "x : float")
    assert house.docstring_complaints("m", short, public=["other"]) == []
    assert len(house.docstring_complaints("m", short, public=["double"])) == 2
    bare = '"""M."""\ndef f(): ...\nclass A: ...'
    assert house.docstring_complaints("m", bare, public=[]) == [
        "m.f has no docstring",
        "m.A has no docstring",
    ]
    assert house.docstring_complaints("m", bare, public=[], private=True) == []
    assert house.docstring_complaints("m", bare, public=["A"], private=True) == ["m.A has no docstring"]


def test_names_that_a_package_passes_on_are_found() -> None:
    source = "from klcal.a._b import c, d\nfrom typing import Any\nfrom klcal import e"
    assert house.reexports(source) == {("klcal.a._b", "c"), ("klcal.a._b", "d"), ("klcal", "e")}


def test_docstring_rule_sees_classes_methods_and_bare_functions() -> None:
    source = '"""M."""\nclass A:\n    def f(self): ...\n    def _g(self): ...\ndef h(): ...\ndef _i(): ...'
    assert house.docstring_complaints("m", source) == [
        "m.A has no docstring",
        "m.A.f has no docstring",
        "m.h has no docstring",
    ]


def test_docstring_rule_accepts_inherited_docstrings_and_no_others() -> None:
    source = '''"""M."""
class A:
    """A."""
    def f(self):
        """Do."""
class B(A):
    """B."""
    def f(self): ...
    def g(self): ...
class C(B):
    """C."""
    def f(self): ...
    def g(self): ...
'''
    assert house.docstring_complaints("m", source) == ["m.B.g has no docstring", "m.C.g has no docstring"]


def sample() -> dict[str, Any]:
    """Return a small chapter that keeps all rules."""
    output = {
        "output_type": "execute_result",
        "execution_count": 1,
        "metadata": {},
        "data": {"text/plain": ["2"], "image/png": "AAAA"},
    }
    picture = {"mystnb": {"image": {"alt": "A line that rises."}}}
    code = {"cell_type": "code", "id": "b", "metadata": picture, "execution_count": 1, "source": ["1 + 1"]}
    told = {"cell_type": "markdown", "id": "a", "metadata": {}, "source": ["![A grid.](grid.svg)"]}
    return {
        "cells": [told, {**code, "outputs": [output]}],
        "metadata": copy.deepcopy(house.NOTEBOOK_METADATA),
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def test_chapter_rule_allows_a_good_chapter() -> None:
    assert house.chapter_complaints(sample()) == []


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("def f():\n    return 1", "defines f"),
        ("class A:\n    pass", "defines A"),
        ("for t in range(3):\n    t", "has a loop"),
        ("while True:\n    break", "has a loop"),
        ("plt.plot(x)", "draws with pyplot"),
        ("import matplotlib.pyplot as p", "imports matplotlib.pyplot"),
        ("from matplotlib import style", "imports matplotlib.style"),
        ("%matplotlib inline", "magic"),
        ("!ls", "magic"),
        ("sys.path.insert(0, '..')", "edits sys.path"),
        ("# NBVAL_IGNORE_OUTPUT\nx", "switches off"),
        ("x;  # quiet", "semicolon"),
        ("\n".join(f"x{k} = {k}" for k in range(16)), "has 16 lines"),
        ("x" * 85, "a line of 85 characters"),
    ],
)
def test_chapter_rule_sees_in_code(source: str, complaint: str) -> None:
    notebook = sample()
    notebook["cells"][1]["source"] = source
    # Short cells around it, so that the median is not what is seen.
    for count in (2, 3):
        cell = copy.deepcopy(notebook["cells"][1])
        notebook["cells"].append({**cell, "source": "x", "execution_count": count})
    found = house.chapter_complaints(notebook)
    assert len(found) == 1
    assert complaint in found[0]


def test_chapter_rule_counts_fifteen_lines_as_short_enough_but_not_as_a_median() -> None:
    notebook = sample()
    notebook["cells"][1]["source"] = "\n\n".join(f"x{k} = {k}" for k in range(15))
    assert house.chapter_complaints(notebook) == ["the median code cell has 15 lines; at most 6"]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"execution_count": 2}, "execution counts are [2]"),
        ({"execution_count": None}, "execution counts are [None]"),
        ({"metadata": {}}, "without alt text"),
        ({"metadata": {"mystnb": {"image": {"alt": " "}}}}, "without alt text"),
        ({"outputs": [{"output_type": "error", "ename": "ValueError"}]}, "stored error: ValueError"),
        ({"outputs": [{"output_type": "stream", "name": "stderr", "text": ["x"]}]}, "on stderr"),
        (
            {"outputs": [{"output_type": "stream", "name": "stdout", "text": "<A at 0x7f88e728c2d0>"}]},
            "address",
        ),
        ({"metadata": {"tags": ["nbval-skip"]}, "outputs": []}, "the tag nbval-skip"),
        ({"metadata": {"tags": ["raises-exception"]}, "outputs": []}, "the tag raises-exception"),
        ({"metadata": {"scrolled": True}, "outputs": []}, "metadata ['scrolled']"),
    ],
)
def test_chapter_rule_sees_in_stored_results(change: dict[str, Any], complaint: str) -> None:
    notebook = sample()
    notebook["cells"][1].update(change)
    found = house.chapter_complaints(notebook)
    assert len(found) == 1
    assert complaint in found[0]


def test_chapter_rule_sees_foreign_notebook_metadata() -> None:
    notebook = sample()
    notebook["metadata"]["language_info"]["version"] = "3.11.7"
    assert house.chapter_complaints(notebook) == [
        "the notebook has other metadata than the house's: run make refresh"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "![](grid.svg)",
        "![ ](grid.svg)",
        '<img src="grid.svg">',
        '<img src="grid.svg" alt="">',
        "```{figure} grid.svg\n:name: a\n\nA caption.\n```",
        ":::{image} grid.svg\n:::",
    ],
)
def test_markdown_rule_sees_pictures_without_alt_text(text: str) -> None:
    found = house.markdown_complaints(text)
    assert len(found) == 1
    assert "grid.svg" in found[0]


@pytest.mark.parametrize(
    "text",
    [
        "![A grid.](grid.svg)",
        '<img src="grid.svg" alt="A grid.">',
        "```{figure} grid.svg\n:alt: A grid.\n\nA caption.\n```",
        "`![](x)` is how a picture is written",
    ],
)
def test_markdown_rule_allows(text: str) -> None:
    assert house.markdown_complaints(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "see https://" + "pypi" + ".org/project/x",
        "https://files." + "pythonhosted" + ".org/a.whl",
        "--extra-index" + "-url x",
        "https://" + "registry" + ".npmjs" + ".org/x",
        "cd /" + "tmp/x",
        '"/' + "root/.cache",
        "at (/" + "work/main)",
        "/" + "home/me/x",
        "file" + ":///etc",
    ],
)
def test_text_rule_sees(text: str) -> None:
    assert len(house.text_complaints("a.md", "fine\n" + text)) == 1
    assert house.text_complaints("a.md", "fine\n" + text)[0].startswith("a.md:2 names")


@pytest.mark.parametrize(
    "text", ["1/work", "sqrt(T)/root/x", "https://a.b/home/x", "chapters/tmp/x", "/usr/bin/env"]
)
def test_text_rule_allows(text: str) -> None:
    assert house.text_complaints("a.md", text) == []


def test_file_rule_sees_large_and_foreign_files() -> None:
    assert house.file_complaints("a/big.bin", 3_000_001) == ["a/big.bin has 3000001 bytes; at most 3000000"]
    assert house.file_complaints("a/package-lock.json", 1) == ["a/package-lock.json does not belong here"]
    assert house.file_complaints("a/fine.json", 3_000_000) == []
