"""What is recorded about executions is true of the notebooks as they are, and a comparison can fail."""

from __future__ import annotations

import json
import math
import re
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import execution_record
import figure_data
import manifest
import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
import refresh_notebooks
import reproduce
import test_experiments_stored
import yaml

from klcal.experiments import STUDIES, Table

ROOT = execution_record.ROOT
NOTEBOOKS = execution_record.notebooks()


# --- the stored records -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_record_is_of_the_notebook_as_it_is_now(path: Path) -> None:
    notebook, stored = nbformat.read(path, as_version=4), execution_record.read(path)
    assert stored, "there is no record: run make refresh"
    assert stored["code"] == execution_record.code_digest(notebook), "run make refresh"
    assert stored["seeds"] == execution_record.seeds(notebook)
    cells = execution_record.code_cells(notebook)
    pictures = [c.execution_count for c in cells for o in c.outputs if "image/svg+xml" in o.get("data", {})]
    assert [figure["cell"] for figure in stored["figures"]] == pictures
    assert stored["cells"] == len(cells) and stored["seconds"] > 0
    assert all(
        figure["shows"] and re.fullmatch(r"[0-9a-f]{16}", figure["digest"]) for figure in stored["figures"]
    )


def test_there_are_no_records_of_other_notebooks() -> None:
    stems = {path.stem for path in execution_record.FOLDER.glob("*.json")}
    assert stems == {path.stem for path in NOTEBOOKS}


def test_the_page_shows_the_records_that_are_stored() -> None:
    assert execution_record.PAGE.read_text() == execution_record.current_page(), "run make refresh"


def test_the_data_that_the_book_reads_is_what_was_recorded() -> None:
    assert execution_record.stored_digests() == execution_record.digests_of(execution_record.DATA)


def test_the_manifest_lists_every_notebook_and_every_table() -> None:
    assert manifest.TARGET.read_text() == manifest.text(), "run make refresh"
    told = yaml.safe_load(manifest.TARGET.read_text())
    files = [entry["file"] for entry in told["manifest"]]
    assert len(files) == len(set(files)) and all((ROOT / name).is_file() for name in files)
    assert {f"klcal/experiments/tables/{name}.csv" for name in STUDIES} <= set(files)
    assert {f"chapters/{path.name}" for path in NOTEBOOKS} <= set(files)
    assert all(entry["comment"].strip() for entry in told["manifest"])
    assert told["version"] == "https://codecheck.org.uk/spec/config/1.0/"


def test_another_code_is_another_digest_and_text_is_none() -> None:
    def digest(*cells: nbformat.NotebookNode) -> str:
        return execution_record.code_digest(nbformat.v4.new_notebook(cells=list(cells)))

    code, text = nbformat.v4.new_code_cell, nbformat.v4.new_markdown_cell
    assert digest(code("a = 1")) == digest(text("told"), code("a = 1\n"))
    assert digest(code("a = 1")) != digest(code("a = 2"))
    assert digest(code("a"), code("b")) != digest(code("a\nb"))


def test_seeds_are_what_the_code_names() -> None:
    sources = [
        "SEED = 7\nrun(rng=3)\nrun(seed=(1, 2), T=5)",
        "run(rng=3)\nrun(rng=SEED)",
        "rng = np.random.default_rng(SEED + 1)\nrun(rng=rng)\nother = np.random.default_rng(11)",
    ]
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    found = execution_record.seeds(nbformat.v4.new_notebook(cells=cells))
    assert sorted(found) == [
        "SEED = 7",
        "np.random.default_rng(11)",
        "np.random.default_rng(SEED + 1)",
        "rng=3",
        "seed=(1, 2)",
    ]


def test_seconds_alone_make_no_other_record(tmp_path: Path) -> None:
    path = tmp_path / "a.ipynb"
    record = {"code": "x", "seconds": 1.0, "figures": []}
    assert execution_record.store(path, record, write=True)
    assert not execution_record.store(path, {**record, "seconds": 2.0}, write=True)
    assert execution_record.read(path)["seconds"] == 1.0
    assert execution_record.store(path, {**record, "code": "y"}, write=False)
    assert execution_record.read(path)["code"] == "x"


# --- the data of a figure ---------------------------------------------------------------------------------


def series(axes: Any) -> dict[str, list[float | None]]:
    found = figure_data.drawn(axes.figure)["series"]
    return {name.removeprefix("axes 0, "): values for name, values in found.items()}


@pytest.mark.parametrize(
    ("draw", "name", "values"),
    [
        (lambda ax: ax.plot([1, 2], [3, 4]), "line 0, y", [3.0, 4.0]),
        (lambda ax: ax.scatter([1, 2], [3, 4]), "collection 0, points", [1.0, 3.0, 2.0, 4.0]),
        (lambda ax: ax.scatter([1, 2], [3, 4], c=[5, 6]), "collection 0, values", [5.0, 6.0]),
        (lambda ax: ax.scatter([1], [3], s=[9]), "collection 0, sizes", [9.0]),
        (lambda ax: ax.vlines([1], 0, 2), "collection 0, vertices", [1.0, 0.0, 1.0, 2.0]),
        (
            lambda ax: ax.bar([1], [3], width=2),
            "patch 0, vertices",
            [0.0, 0.0, 2.0, 0.0, 2.0, 3.0, 0.0, 3.0, 0.0, 0.0],
        ),
        (lambda ax: ax.imshow([[1, 2]]), "image 0, values", [1.0, 2.0]),
        (lambda ax: ax.text(0.25, 0.5, "here"), "texts, places", [0.25, 0.5]),
        (lambda ax: ax.set_xlim(2, 7), "limits, x", [2.0, 7.0]),
        (lambda ax: ax.axhline(0.5), "line 0, y", [0.5, 0.5]),
    ],
)
def test_what_is_drawn_is_found(draw: Any, name: str, values: list[float]) -> None:
    axes = plt.subplots()[1]
    draw(axes)
    assert series(axes)[name] == values


def test_an_area_is_found_by_its_outline() -> None:
    axes = plt.subplots()[1]
    axes.fill_between([0, 1], [0, 0], [1, 3])
    assert {(0.0, 1.0), (1.0, 3.0)} <= set(
        zip(*[iter(series(axes)["collection 0, vertices"])] * 2, strict=True)
    )


def test_words_of_a_figure_count() -> None:
    def digest(**words: str) -> str:
        axes = plt.subplots()[1]
        axes.plot([0, 1], label=words.pop("label", "a"))
        axes.legend()
        axes.set(**words)
        return figure_data.digest(figure_data.drawn(axes.figure))

    every = [digest(), digest(title="t"), digest(xlabel="t"), digest(ylabel="t"), digest(label="b")]
    assert len(set(every)) == 5
    assert digest() == every[0]


def test_a_digest_ignores_the_last_digits_only() -> None:
    def digest(factor: float) -> str:
        axes = plt.subplots()[1]
        axes.plot([1.0, 2.0], [1 / 3 * factor, 2 / 7])
        axes.set(xlim=(0, 3), ylim=(0, 1))
        return figure_data.digest(figure_data.drawn(axes.figure))

    assert digest(1.0) == digest(1 + 1e-14)
    assert digest(1.0) != digest(1 + 1e-8)


def test_masked_and_infinite_numbers_have_a_place() -> None:
    assert figure_data.rounded(np.ma.masked_invalid([1.0, math.nan])) == [1.0, None]
    assert figure_data.rounded([math.inf, -0.0]) == [math.inf, 0.0]
    assert str(figure_data.rounded([-0.0])[0]) == "0.0"
    part = figure_data._sketch([1.0, None, math.inf])
    assert part == {"count": 3, "total": 1.0, "sample": [1.0, None, "inf"]}
    assert json.loads(json.dumps(part, allow_nan=False)) == part


def test_a_sketch_keeps_both_ends_and_the_sum() -> None:
    part = figure_data._sketch([float(k) for k in range(101)])
    assert part["count"] == 101 and part["total"] == 5050.0
    assert part["sample"] == [pytest.approx(k * 100 / 24, abs=0.5) for k in range(25)]
    assert part["sample"][0] == 0.0 and part["sample"][-1] == 100.0


def sketch_of(*values: float | None) -> dict[str, Any]:
    return figure_data.sketch({"series": {"axes 0, line 0, y": list(values)}})


@pytest.mark.parametrize(
    ("old", "new", "apart"),
    [
        ((1.0, 2.0), (1.0, 2.0), 0.0),
        ((1.0, 2.0), (1.0, 4.0), 0.5),
        ((1.0, 0.0), (1.0, 1e-14), 0.0),
        ((1e-13, 0.0), (1e-13, 1e-14), 1.0),
        ((1.0, math.inf), (1.0, 2.0), math.inf),
        ((1.0, math.inf), (1.0, -math.inf), math.inf),
        ((1.0, math.inf), (1.0, math.inf), 0.0),
        ((1.0, None), (1.0, 0.0), math.inf),
        ((1.0,), (1.0, 1.0), math.inf),
    ],
)
def test_how_far_two_figures_are_apart(old: Any, new: Any, apart: float) -> None:
    assert figure_data.largest_difference(sketch_of(*old), sketch_of(*new))[0] == pytest.approx(apart)


def test_a_change_between_the_samples_shows_in_the_sum() -> None:
    before = [1.0] * 1000
    after = [*before[:7], 1.1, *before[8:]]
    worst, where = figure_data.largest_difference(sketch_of(*before), sketch_of(*after))
    assert worst == pytest.approx(0.1 / 1000.1) and where == "axes 0, line, y"


# --- executing --------------------------------------------------------------------------------------------

DRAWING = """\
from matplotlib import pyplot as plt
left = plt.figure().subplots()
line = left.plot([1, 2], [3.0, 4.0])
right = plt.figure().subplots()
bars = right.bar([1], [0.125])
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> SimpleNamespace:
    """Execute a notebook of three cells once."""
    path = tmp_path_factory.mktemp("book") / "small.ipynb"
    sources = ["sorted(name for name in globals() if not name.startswith('_'))", DRAWING, "1 / 3"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    notebook.cells[1].metadata["mystnb"] = {"image": {"alt": "A line. And bars."}}
    nbformat.write(notebook, path)
    executed, record = refresh_notebooks.run_again(path)
    path.write_text(refresh_notebooks.text_of(executed))
    execution_record.store(path, record, write=True)
    return SimpleNamespace(path=path, notebook=executed, record=record)


def test_an_execution_tells_what_its_figures_draw(small: SimpleNamespace) -> None:
    left, right = small.record["figures"]
    assert left["cell"] == right["cell"] == 2 and left["shows"] == "A line."
    assert left["sketch"]["axes 0, line, y"] == {"count": 2, "total": 7.0, "sample": [3.0, 4.0]}
    assert right["sketch"]["axes 0, patch, vertices"]["sample"][-3] == 0.125
    assert left["digest"] != right["digest"]
    assert small.record["versions"] == execution_record.environment()


def test_watching_leaves_no_name_behind(small: SimpleNamespace) -> None:
    names = small.notebook.cells[0].outputs[0].data["text/plain"]
    assert names == "['In', 'Out', 'exit', 'get_ipython', 'open', 'quit']"


def test_a_picture_without_its_data_is_an_error(small: SimpleNamespace) -> None:
    with pytest.raises(
        ValueError, match=r"pictures are in the cells \[2, 2\], but figures .* in the cells \[\]"
    ):
        execution_record.record(small.notebook, [], 1.0)


def test_a_notebook_that_is_edited_while_it_runs_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.ipynb"
    nbformat.write(nbformat.v4.new_notebook(), path)

    def run_again(edited: Path) -> tuple[nbformat.NotebookNode, dict[str, Any]]:
        edited.write_text(edited.read_text() + "\n")
        return nbformat.v4.new_notebook(), {}

    monkeypatch.setattr(refresh_notebooks, "run_again", run_again)
    assert refresh_notebooks.main([str(path)]) == 1
    assert path.read_text().endswith("\n\n")
    assert "was edited while it ran" in capsys.readouterr().err


def test_making_a_notebook_again_gives_the_same(
    small: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = reproduce.remake_notebook(small.path, tmp_path)
    assert [str(f).split()[0] for f in found] == ["same"] * 3
    assert (tmp_path / "notebooks" / "small.ipynb").read_text() == small.path.read_text()
    monkeypatch.setattr(refresh_notebooks, "run_again", lambda path: (small.notebook, small.record))
    wrong = json.loads(json.dumps(small.record))
    wrong["figures"][1]["digest"] = "0" * 16
    path = execution_record.path_of(small.path)
    before = path.read_text()
    execution_record.store(small.path, wrong, write=True)
    try:
        found = reproduce.remake_notebook(small.path, tmp_path)
    finally:
        path.write_text(before)
    assert [f.verdict for f in found] == ["same", "same", "differs"]
    assert found[2].what == "figure in cell 2 of small"


# --- comparing --------------------------------------------------------------------------------------------


def table(**changes: list[Any]) -> Table:
    columns: dict[str, list[Any]] = {"adversary": ["zeros", "greedy"], "T": [10, 10], "kl": [1.0, 2.0]}
    return Table({**columns, **changes})


@pytest.mark.parametrize(
    ("changes", "strict", "verdict"),
    [
        ({}, True, "same"),
        ({"kl": [1.0 + 1e-15, 2.0]}, True, "differs"),
        ({"kl": [1.0 + 1e-15, 2.0]}, False, "close"),
        ({"kl": [1.0 + 1e-6, 2.0]}, False, "differs"),
        ({"kl": [math.inf, 2.0]}, False, "differs"),
        ({"kl": [1.0, 3.0]}, False, "differs"),
        ({"T": [11, 10]}, False, "differs"),
        ({"T": [11, 10]}, True, "differs"),
        ({"adversary": ["ones", "greedy"]}, False, "differs"),
    ],
)
def test_tables_are_compared_strictly_on_the_same_arithmetic(
    changes: dict[str, list[Any]], strict: bool, verdict: str
) -> None:
    assert reproduce.table_finding("a", table(), table(**changes), strict=strict).verdict == verdict


def test_tables_of_another_shape_differ() -> None:
    for other in (table().take([0]), table().select("T")):
        assert reproduce.table_finding("a", table(), other, strict=False).verdict == "differs"


def test_a_difference_of_tables_is_told() -> None:
    found = reproduce.table_finding("a", table(), table(kl=[1.5, 2.0]), strict=True)
    assert found.detail == "kl differs in 1 of 2 rows, first in row 0: 1.0 became 1.5"


def test_tolerances_are_those_of_the_daily_test() -> None:
    assert {"rel": reproduce.RELATIVE, "abs": reproduce.ABSOLUTE} == test_experiments_stored.TOLERANCE


def with_output(text: str, picture: str = "x") -> nbformat.NotebookNode:
    data = {"text/plain": text, "image/png": picture}
    output = nbformat.v4.new_output("execute_result", data, execution_count=4)
    return nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell("a", execution_count=4, outputs=[output])]
    )


@pytest.mark.parametrize(
    ("text", "strict", "verdict"),
    [
        ("loss 0.25", True, "same"),
        ("loss 0.2500000001", True, "differs"),
        ("loss 0.2500000001", False, "close"),
        ("loss 0.2501", False, "differs"),
        ("gain 0.25", False, "differs"),
        ("loss 0.25 0.5", False, "differs"),
    ],
)
def test_outputs_are_compared_character_by_character(text: str, strict: bool, verdict: str) -> None:
    before, after = with_output("loss 0.25"), with_output(text, picture="y")
    found = reproduce.output_finding("a", before, after, strict=strict)
    assert found.verdict == verdict
    assert verdict == "same" or "in cell 4" in found.detail


def test_a_missing_output_differs() -> None:
    empty = nbformat.v4.new_notebook()
    assert reproduce.output_finding("a", with_output("1"), empty, strict=False).verdict == "differs"


def figures(digest: str, *values: float, cell: int = 1) -> dict[str, Any]:
    return {
        "figures": [{"cell": cell, "digest": digest, "numbers": len(values), "sketch": sketch_of(*values)}]
    }


@pytest.mark.parametrize(
    ("new", "strict", "verdict"),
    [
        (figures("a", 1.0), True, "same"),
        (figures("b", 1.0 + 1e-9), True, "differs"),
        (figures("b", 1.0 + 1e-9), False, "close"),
        (figures("b", 1.0 + 1e-6), False, "differs"),
        (figures("b", 1.0), False, "differs"),  # the words, or numbers that are not on record
        (figures("b", 1.0, 2.0), False, "differs"),
        (figures("a", 1.0, cell=2), False, "differs"),
        ({"figures": []}, False, "differs"),
    ],
)
def test_figures_are_compared_by_their_numbers(new: dict[str, Any], strict: bool, verdict: str) -> None:
    (found,) = reproduce.figure_findings("a", figures("a", 1.0), new, strict=strict)
    assert found.verdict == verdict


def test_files_are_compared_line_by_line(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for text, verdict in (("a\nb\n", "same"), ("a\nc\n", "differs"), ("a\n", "differs")):
        old.write_text("a\nb\n")
        new.write_text(text)
        assert reproduce.file_finding("x", old, new).verdict == verdict


def test_changed_new_and_missing_data_differ(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1\n")
    known = execution_record.digests_of(tmp_path)
    assert [f.verdict for f in reproduce.check_data(tmp_path, known)] == ["same"]
    (tmp_path / "b.csv").write_text("1\n")
    assert [f.verdict for f in reproduce.check_data(tmp_path, known)] == ["same", "differs"]
    (tmp_path / "a.csv").unlink()
    assert [f.verdict for f in reproduce.check_data(tmp_path, known)] == ["differs", "differs"]


def test_everything_stored_can_be_made_again_by_its_name() -> None:
    known = reproduce.chosen([])
    assert {*STUDIES, *(path.stem for path in NOTEBOOKS), "ledger", "data"} == set(known)
    assert list(reproduce.chosen(["doubling", "ledger", "doubling"])) == ["doubling", "ledger"]
    assert set(reproduce.chosen(["tables", "notebooks"])) == set(known) - {"data"}


@pytest.mark.parametrize(("verdict", "status"), [("same", 0), ("close", 0), ("differs", 1)])
def test_the_exit_status_says_whether_anything_differs(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    verdict: str,
    status: int,
) -> None:
    finding = reproduce.Finding("table a", verdict, "by 1")
    monkeypatch.setattr(reproduce, "tasks", lambda: {"a": lambda out: [finding]})
    assert reproduce.main(["a", "--out", str(tmp_path / "new")]) == status
    assert str(finding) in (tmp_path / "new" / "report.txt").read_text()
    assert f"1 {verdict}" in capsys.readouterr().out


def test_unknown_names_and_folders_in_use_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reproduce.main(["nothing"]) == 2
    assert "nothing is called 'nothing'" in capsys.readouterr().err
    (tmp_path / "mine").write_text("kept")
    assert reproduce.main(["data", "--out", str(tmp_path)]) == 2
    assert (tmp_path / "mine").read_text() == "kept"


def test_a_stored_table_is_made_again_bit_for_bit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A short study of the same games as the first rows of a stored table."""
    whole = STUDIES["doubling"]
    short = type(whole)("doubling", whole.description, whole.games[:4], whole.root, whole.measure)
    folder = tmp_path / "stored"
    folder.mkdir()
    before = short.play(executor="serial")
    before.write(folder / "doubling.csv")
    monkeypatch.setattr(reproduce, "STUDIES", {"doubling": short})
    monkeypatch.setattr(reproduce, "tables_folder", lambda: folder)
    monkeypatch.setattr(reproduce, "process_pool", lambda: nullcontext("serial"))
    (found,) = reproduce.remake_table("doubling", tmp_path)
    assert str(found) == "same     table doubling                             4 rows, bit for bit"
    before.with_column("kl", np.nextafter(before["kl"], 9.0)).write(folder / "doubling.csv")
    (found,) = reproduce.remake_table("doubling", tmp_path)
    assert found.verdict == "differs" and found.detail.startswith("kl differs in 4 of 4 rows")


# --- how to cite ------------------------------------------------------------------------------------------


def entries(text: str) -> dict[str, dict[str, str]]:
    """Read BibTeX: key -> fields."""
    found = re.findall(r"^@\w+\{(\w+),\n(.*?)^\}", text, re.MULTILINE | re.DOTALL)
    return {key: dict(re.findall(r"^\s*(\w+)\s*= \{(.*)\},$", body, re.MULTILINE)) for key, body in found}


def test_bibtex_says_what_the_citation_file_and_the_bibliography_say() -> None:
    shown = entries((ROOT / "chapters" / "cite.md").read_text())
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
