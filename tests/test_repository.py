"""The repository is what its README says: layout, lock, citation, commands, tools."""

from __future__ import annotations

import fnmatch
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import check_book
import distributed
import nbformat
import pytest
import refresh_notebooks
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import klcal

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
TOC = yaml.safe_load((ROOT / "_toc.yml").read_text())
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text())

SUPPORTED = [line.rsplit(" ", 1)[1] for line in PROJECT["project"]["classifiers"] if ":: 3." in line]

TOP_LEVEL = {
    "_config.yml",
    "_toc.yml",
    "chapters",
    "klcal",
    "proofs",
    "requirements.txt",
    "requirements-lab.txt",
    ".binder",
    "tests",
    "README.md",
    "LICENSE",
    "CITATION.cff",
    ".zenodo.json",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "pyproject.toml",
    "Makefile",
    ".ci",
    ".github",
    ".gitignore",
}


# --- layout -----------------------------------------------------------------------------------------------


def test_top_level_is_exactly_what_the_readme_lists() -> None:
    patterns = [pattern.rstrip("/") for pattern in (ROOT / ".gitignore").read_text().split()]
    present = {path.name for path in ROOT.iterdir() if path.name != ".git"}
    assert {n for n in present if not any(fnmatch.fnmatch(n, p) for p in patterns)} == TOP_LEVEL


def test_continuous_integration_is_one_executable_script() -> None:
    assert [path.name for path in (ROOT / ".ci").iterdir()] == ["run"]
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_table_of_contents_lists_every_chapter_once_and_nothing_else() -> None:
    entries = list(check_book.toc_entries(TOC))
    stems = [path.relative_to(ROOT).with_suffix("") for path in (ROOT / "chapters").iterdir()]
    chapters = [str(stem) for stem in stems if any((ROOT / f"{stem}.{e}").is_file() for e in ("md", "ipynb"))]
    assert sorted(entries) == sorted(chapters)


def test_every_reference_in_the_bibliography_has_its_own_key() -> None:
    keys = re.findall(r"^@\w+\{(\w+),", (ROOT / "chapters" / "references.bib").read_text(), re.MULTILINE)
    assert len(keys) > 0
    assert len(keys) == len(set(keys))


# --- requirements -----------------------------------------------------------------------------------------


def pins(name: str) -> dict[str, str]:
    return dict(re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", (ROOT / name).read_text(), re.MULTILINE))


def test_jupyterlab_comes_with_the_versions_of_the_book() -> None:
    base, lab = pins("requirements.txt"), pins("requirements-lab.txt")
    assert len(base.keys() & lab.keys()) > 30
    assert {name for name in base.keys() & lab.keys() if base[name] != lab[name]} == set()


def test_lock_pins_every_direct_requirement_within_its_range() -> None:
    lock = pins("requirements-lab.txt") | pins("requirements.txt")
    project = PROJECT["project"]
    direct = [project["dependencies"], *project["optional-dependencies"].values()]
    for line in itertools.chain.from_iterable(direct):
        requirement = Requirement(line)
        assert requirement.specifier.contains(lock[canonicalize_name(requirement.name)]), line


def test_lock_has_one_version_of_everything_on_every_supported_python() -> None:
    lines = re.findall(r"^([A-Za-z0-9._-]+==.*?) \\$", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    pinned = [Requirement(line) for line in lines]

    def chosen(version: str) -> set[str]:
        python = {"python_version": version, "python_full_version": f"{version}.0"}
        return {f"{r.name}{r.specifier}" for r in pinned if r.marker is None or r.marker.evaluate(python)}

    first, *others = map(chosen, SUPPORTED)
    assert len(first) > 50 and all(other == first for other in others)


def test_lock_has_a_hash_for_every_package() -> None:
    text = (ROOT / "requirements.txt").read_text() + (ROOT / "requirements-lab.txt").read_text()
    blocks = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]
    assert len(blocks) > 50
    assert all("--hash=sha256:" in block for block in blocks)


# --- citation, licence, version ---------------------------------------------------------------------------


WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
# Files that others read: by their schema, with a part that the schema asks for.
SCHEMAS = {
    "citation-file-format": ([ROOT / "CITATION.cff"], "authors"),
    "github-workflows": (WORKFLOWS, "jobs"),
    "github-issue-forms": (FORMS, "body"),
}


def is_valid(schema: str, *files: Path) -> bool:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}"]
    return subprocess.run([*command, *map(str, files)], capture_output=True).returncode == 0


@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_that_others_read_are_valid_and_the_check_sees_a_missing_part(
    schema: str, tmp_path: Path
) -> None:
    files, part = SCHEMAS[schema]
    assert is_valid(schema, *files)
    text = files[0].read_text()
    assert text.count(f"\n{part}:") == 1
    bad = tmp_path / files[0].name
    bad.write_text(text.replace(f"\n{part}:", f"\nx-{part}:"))
    assert not is_valid(schema, bad)


def test_workflows_run_the_commands_of_this_repository_on_every_supported_python() -> None:
    book, test = (yaml.safe_load(path.read_text())["jobs"] for path in WORKFLOWS)
    ran = {name: {step.get("run") for step in job["steps"]} for name, job in (book | test).items()}
    assert "bash .ci/run" in ran["everything"] and "make book" in ran["build"]
    assert "make test PYTHON=python" in ran["elsewhere"]
    assert test["elsewhere"]["strategy"]["matrix"]["machine"] == ["macos-latest", "windows-latest"]
    assert all(test[name]["strategy"]["matrix"]["python"] == SUPPORTED for name in test)


def test_version_is_the_same_everywhere() -> None:
    version = PROJECT["project"]["version"]
    assert CITATION["version"] == klcal.__version__ == version
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text()
    assert CITATION["preferred-citation"]["version"] == version
    assert json.loads((ROOT / ".zenodo.json").read_text())["version"] == version
    assert (ROOT / "chapters" / "reproduce.md").read_text().count(f"version = {{{version}}}") == 2


def test_licences_are_the_same_everywhere() -> None:
    text = (ROOT / "LICENSE").read_text()
    assert PROJECT["project"]["license"] == " AND ".join(CITATION["license"]) == "MIT AND CC-BY-4.0"
    assert "Permission is hereby granted" in text
    assert "https://creativecommons.org/licenses/by/4.0/legalcode" in text


# --- README and Makefile ----------------------------------------------------------------------------------


def python_blocks(text: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_example_of_the_readme_runs_and_stays_below_the_bound(capsys: pytest.CaptureFixture[str]) -> None:
    block, _ = python_blocks((ROOT / "README.md").read_text())
    assert sum(bool(line.strip()) for line in block.splitlines()) == 6
    exec(compile(block, "README.md", "exec"), {})
    measured, bound = (float(line) for line in capsys.readouterr().out.split())
    assert 0 <= measured <= bound


def test_sweep_of_the_readme_runs_on_a_cluster(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, block = python_blocks((ROOT / "README.md").read_text())
    options = {"processes": False, "dashboard_address": None, "n_workers": 1}
    with distributed.Client(**options) as client:
        monkeypatch.setattr(distributed, "Client", {"tcp://scheduler:8786": client}.__getitem__)
        exec(compile(block, "README.md", "exec"), {})
    assert len(capsys.readouterr().out.splitlines()) == 3


def targets(makefile: str) -> set[str]:
    return set(re.findall(r"^([a-z]+):.*## ", makefile, re.MULTILINE))


def test_every_make_command_named_in_a_text_exists() -> None:
    known = targets((ROOT / "Makefile").read_text())
    assert known >= {"venv", "book", "test", "bench", "refresh", "lint", "format", "lock", "ledger", "clean"}
    for name in ("README.md", "CONTRIBUTING.md", "chapters/reproduce.md", ".ci/run"):
        text = (ROOT / name).read_text()
        named = re.findall(r"^make ([a-z]+)|`(?:\w+=\S+ )?make ([a-z]+)`", text, re.MULTILINE)
        assert named, name
        assert {a or b for a, b in named} <= known, name


@pytest.fixture
def bare_clone(tmp_path: Path) -> Path:
    """Return a folder with all that the Makefile needs up to the check of the interpreter."""
    for name in ("Makefile", "requirements.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def make(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    clean = {k: v for k, v in os.environ.items() if k not in ("PYTHON", "MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    return subprocess.run(
        ["make", *arguments], cwd=folder, env={**clean, **variables}, capture_output=True, text=True
    )


def test_make_refuses_an_old_interpreter_and_says_what_to_do(bare_clone: Path) -> None:
    old = bare_clone / "old"
    old.write_text('#!/bin/sh\ncase "$1" in --version) echo "Python 3.9.2";; *) exit 1;; esac\n')
    old.chmod(0o755)
    run = make(bare_clone, "test", PYTHON="./old")
    assert run.returncode != 0
    assert "needs Python 3.11 or newer, but './old' is: Python 3.9.2" in run.stdout
    assert "PYTHON=python3.12 make test" in run.stdout


def test_make_says_when_there_is_no_interpreter(bare_clone: Path) -> None:
    run = make(bare_clone, "book", PYTHON="./missing")
    assert run.returncode != 0
    assert "but './missing' is: " in run.stdout
    assert "not found" in run.stdout


def test_make_alone_lists_every_target(bare_clone: Path) -> None:
    run = make(bare_clone)
    listed = re.findall(r"^  make ([a-z]+)", run.stdout, re.MULTILINE)
    assert set(listed) == targets((ROOT / "Makefile").read_text())


# --- tools ------------------------------------------------------------------------------------------------


def test_refreshing_twice_changes_nothing_and_uses_this_interpreter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # A machine may have registered another kernel under the same name; it must not be asked.
    spec = tmp_path / "kernels" / "python3" / "kernel.json"
    spec.parent.mkdir(parents=True)
    spec.write_text(json.dumps({"argv": ["false"], "display_name": "wrong", "language": "python"}))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.delenv("PYTHONHASHSEED")
    source = "import sys, os\nprint(sys.executable, flush=True)\nprint(hash('a'), os.environ['MPLBACKEND'])"
    cells = [nbformat.v4.new_markdown_cell("# Title"), nbformat.v4.new_code_cell(source)]
    del cells[1]["id"]
    cells[1].metadata["scrolled"] = True
    notebook = {"cells": cells, "metadata": {"x": 1}, "nbformat": 4, "nbformat_minor": 4}
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps(notebook))

    assert refresh_notebooks.main([str(path)]) == 0
    first = path.read_text()
    stored = json.loads(first)
    text = "".join(stored["cells"][1]["outputs"][0]["text"])
    assert text.splitlines()[0] == sys.executable
    assert text.splitlines()[1].endswith("backend_inline")
    assert stored["metadata"] == refresh_notebooks.NOTEBOOK_METADATA
    assert stored["cells"][1]["id"] == "cell-001"
    assert stored["cells"][1]["metadata"] == {}
    assert stored["cells"][1]["execution_count"] == 1

    assert refresh_notebooks.main(["--check", str(path)]) == 0
    assert path.read_text() == first
    path.write_text(first.replace(sys.executable, "elsewhere"))
    assert refresh_notebooks.main(["--check", str(path)]) == 1
    assert "elsewhere" in path.read_text()
    assert "would change" in capsys.readouterr().out


def test_refreshing_leaves_a_notebook_with_a_failing_cell_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 / 0")]), path)
    before = path.read_text()
    assert refresh_notebooks.main([str(path)]) == 1
    assert path.read_text() == before
    assert "ZeroDivisionError" in capsys.readouterr().err


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
    for key, entry in (
        ("luo2025", paper),
        ("klcalbook", citation["preferred-citation"]),
        ("klcal", citation),
    ):
        assert re.sub("[{}]", "", shown[key]["title"]) == entry["title"]
    assert shown["klcalbook"]["year"] == str(citation["preferred-citation"]["year"])
    assert paper["identifiers"][0]["value"] == shown["luo2025"]["note"]
    assert (
        citation["preferred-citation"]["title"] == yaml.safe_load((ROOT / "_config.yml").read_text())["title"]
    )


def test_the_archive_is_told_the_same_as_the_citation_file() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    told = json.loads((ROOT / ".zenodo.json").read_text())
    assert {key: told[key] for key in ("title", "version", "keywords")} == {
        key: citation[key] for key in ("title", "version", "keywords")
    }
    assert [each["name"] for each in told["creators"]] == [each["name"] for each in citation["authors"]]
    assert told["license"] in citation["license"]
    assert all(licence in told["notes"] for licence in citation["license"])
    (related,) = told["related_identifiers"]
    assert related["identifier"] == citation["references"][0]["identifiers"][0]["value"]
    assert re.sub("<.*?>", "", told["description"]) == citation["abstract"]
