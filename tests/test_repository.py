"""The repository is what its README says: layout, lock, citation, commands, tools."""

from __future__ import annotations

import ast
import importlib.metadata
import itertools
import json
import re
import sys
import tomllib
from pathlib import Path

import distributed
import pytest
import yaml
from klcal_book.ledger import pages_of
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import klcal

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text())

SUPPORTED = [line.rsplit(" ", 1)[1] for line in PROJECT["project"]["classifiers"] if ":: 3." in line]


# --- layout -----------------------------------------------------------------------------------------------


def test_table_of_contents_lists_every_chapter_once_and_nothing_else() -> None:
    entries = pages_of(ROOT / "_toc.yml")
    stems = [path.relative_to(ROOT).with_suffix("") for path in (ROOT / "chapters").iterdir()]
    chapters = [str(stem) for stem in stems if any((ROOT / f"{stem}.{e}").is_file() for e in ("md", "ipynb"))]
    assert sorted(entries) == sorted(chapters)


# --- requirements -----------------------------------------------------------------------------------------


def pins(name: str) -> dict[str, str]:
    return dict(re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", (ROOT / name).read_text(), re.MULTILINE))


def test_lock_pins_every_direct_requirement_within_its_range() -> None:
    lock = pins("requirements-lab.txt") | pins("requirements.txt")
    project = PROJECT["project"]
    optional = project["optional-dependencies"] | PROJECT["dependency-groups"]
    direct = [project["dependencies"], *optional.values()]
    for line in itertools.chain.from_iterable(direct):
        requirement = Requirement(line)
        if requirement.name != project["name"]:  # an extra that is part of another
            assert requirement.specifier.contains(lock[canonicalize_name(requirement.name)]), line


def test_lock_has_one_version_of_everything_on_every_supported_python() -> None:
    lines = re.findall(r"^([A-Za-z0-9._-]+==.*?) \\$", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    pinned = [Requirement(line) for line in lines]

    def chosen(version: str) -> set[str]:
        python = {"python_version": version, "python_full_version": f"{version}.0"}
        return {f"{r.name}{r.specifier}" for r in pinned if r.marker is None or r.marker.evaluate(python)}

    first, *others = map(chosen, SUPPORTED)
    assert len(first) > 50 and all(other == first for other in others)


def test_binder_installs_whatever_a_chapter_imports() -> None:
    folder = ROOT / ".binder"
    read = re.findall(r"^-r (\S+)", (folder / "requirements.txt").read_text(), re.MULTILINE)
    installed = set().union(*(pins(str((folder / name).resolve().relative_to(ROOT))) for name in read))
    packages = importlib.metadata.packages_distributions()
    imported = set()
    for page in (ROOT / "chapters").glob("*.ipynb"):
        cells = [cell for cell in json.loads(page.read_text())["cells"] if cell["cell_type"] == "code"]
        for node in itertools.chain.from_iterable(ast.walk(ast.parse("".join(c["source"]))) for c in cells):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
                imported |= {str(name).partition(".")[0] for name in names}
    needed = {canonicalize_name(packages[name][0]) for name in imported - {*sys.stdlib_module_names, "klcal"}}
    assert {"sympy", "matplotlib", "python-flint"} <= needed <= installed


# --- citation, licence, version ---------------------------------------------------------------------------


def test_version_is_the_same_everywhere() -> None:
    version = PROJECT["project"]["version"]
    assert CITATION["version"] == klcal.__version__ == version
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text()
    assert CITATION["preferred-citation"]["version"] == version
    assert json.loads((ROOT / ".zenodo.json").read_text())["version"] == version
    assert (ROOT / "chapters" / "reproduce.md").read_text().count(f"version = {{{version}}}") == 2


# --- README and Makefile ----------------------------------------------------------------------------------


def python_blocks(text: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_example_of_the_readme_runs_and_stays_below_the_bound(capsys: pytest.CaptureFixture[str]) -> None:
    block, *_ = python_blocks((ROOT / "README.md").read_text())
    assert sum(bool(line.strip()) for line in block.splitlines()) == 6
    exec(compile(block, "README.md", "exec"), {})
    measured, bound = (float(line) for line in capsys.readouterr().out.split())
    assert 0 <= measured <= bound


def test_sweep_of_the_readme_runs_on_a_cluster(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    *_, block = python_blocks((ROOT / "README.md").read_text())
    options = {"processes": False, "dashboard_address": "127.0.0.1:0", "n_workers": 1}
    with distributed.Client(**options) as client:
        monkeypatch.setattr(distributed, "Client", {"tcp://scheduler:8786": client}.__getitem__)
        exec(compile(block, "README.md", "exec"), {})
    assert len(capsys.readouterr().out.splitlines()) == 3


# --- how to cite ------------------------------------------------------------------------------------------


def entries(text: str) -> dict[str, dict[str, str]]:
    """Read BibTeX: key -> fields."""
    found = re.findall(r"^@\w+\{(\w+),\n(.*?)^\}", text, re.MULTILINE | re.DOTALL)
    return {key: dict(re.findall(r"^\s*(\w+)\s*= \{(.*)\},$", body, re.MULTILINE)) for key, body in found}


def test_bibtex_says_what_the_citation_file_and_the_bibliography_say() -> None:
    shown = entries((ROOT / "chapters" / "reproduce.md").read_text())
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    (paper,) = citation["references"]
    assert shown["luo2025"] == entries((ROOT / "chapters" / "references.bib").read_text())["luo2025"]
    authors = " and ".join(f"{a['family-names']}, {a['given-names']}" for a in paper["authors"])
    assert shown["luo2025"]["author"] == authors
    book = citation["preferred-citation"]
    for key, entry in (("luo2025", paper), ("klcalbook", book), ("klcal", citation)):
        assert re.sub("[{}]", "", shown[key]["title"]) == entry["title"]
    assert shown["klcalbook"]["year"] == str(book["year"])
    assert paper["identifiers"][0]["value"] == shown["luo2025"]["note"]
    assert book["title"] == yaml.safe_load((ROOT / "_config.yml").read_text())["title"]
