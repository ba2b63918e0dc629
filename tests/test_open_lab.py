"""Notebooks for JupyterLab: macros, readable text, and copies that are never overwritten."""

from __future__ import annotations

import json
import re
from pathlib import Path

import open_lab
import pytest
import yaml


def markdown(text: str) -> str:
    return "".join(open_lab.readable({"cell_type": "markdown", "source": [text]})["source"])


def test_every_macro_of_the_book_is_defined_in_the_first_cell() -> None:
    made = open_lab.copied({"cells": []}, open_lab.macros())
    front = "".join(made["cells"][0]["source"]).split("---\n")[1]
    assert yaml.safe_load(front)["math"][r"\PKLCal"] == r"\mathsf{PKLCal}"
    assert len(open_lab.macros()) > 20


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{doc}`Chapter 5 <05_the_algorithm>`", "[Chapter 5](05_the_algorithm.ipynb)"),
        ("{doc}`own`", "[Test your own](own.ipynb)"),
        ("see [](./own.md)", "see [Test your own](own.ipynb)"),
        ("{doc}`Play Nature <play>`", "Play Nature (in the book)"),
        ("{ref}`here <what-counts-as-checked>`", "[here](intro.ipynb)"),
        ("(what-counts-as-checked)=\n## Checked", "## Checked"),
        ("{prf:ref}`Lemma 5 <lem:rounding>`", "[Lemma 5](03_grids.ipynb)"),
        ("{py:obj}`klcal.run`", "`klcal.run`"),
        ("{cite:p}`luo2025`", "[luo2025]"),
        ("{coq}`Theorem2.theorem2`", "`Theorem2.theorem2`"),
        ("```{klcal-evidence} lem:hessian_growth\n```", "> *In the ledger:* `lem:hessian_growth`: refuted."),
        (
            "a\n\n```{live-figure} chain\n```\n\nb",
            "a\n\n> *Here the book has a figure that can be changed on the page.*\n\nb",
        ),
    ],
)
def test_what_only_the_book_can_show_becomes_a_sentence(text: str, shown: str) -> None:
    assert markdown(text) == shown


def test_cards_become_a_list_that_leads_where_they_lead() -> None:
    grid = """Before

:::::{grid} 1 1 2 2
:gutter: 3

::::{grid-item-card} {octicon}`book;1.1em` Read
:link: 01_losses_and_calibration
:link-type: doc

Chapters follow
the paper.

:::{card-footer}
Begin
:::
::::

::::{grid-item-card} A title
By {prf:ref}`Lemma 5 <lem:rounding>`.
::::
:::::

After
"""
    assert markdown(grid).split("\n") == [
        *("Before", ""),
        "- **Read.** Chapters follow the paper. [Begin](01_losses_and_calibration.ipynb).",
        "- **A title.** By [Lemma 5](03_grids.ipynb).",
        *("", "After", ""),
    ]


def test_all_links_of_the_copies_lead_somewhere_and_nothing_is_left_that_only_the_book_reads(
    tmp_path: Path,
) -> None:
    copies = open_lab.copy_all(tmp_path)
    links = 0
    for path in copies:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
        for target in re.findall(r"\]\(([^)\s:]+)\)", text):
            assert (tmp_path / target).is_file(), f"{path.name} links to {target}"
            links += 1
        assert re.findall(r"\{[\w:-]+\}`", text) == [], path.name
        fenced = set(re.findall(r"^(?:`{3,}|:{3,})\{([\w:-]+)\}", text, re.MULTILINE))
        assert all(name == "dropdown" or name.startswith("prf:") for name in fenced), (path.name, fenced)
    assert links > 100


def test_the_python_of_a_page_is_in_cells_that_can_be_run(tmp_path: Path) -> None:
    open_lab.copy_all(tmp_path)
    cells = json.loads((tmp_path / "own.ipynb").read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    page = (open_lab.CHAPTERS / "own.md").read_text(encoding="utf-8")
    blocks = [block.strip("\n") for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL)]
    assert code == [f"%%writefile mine.py\n{blocks[0]}", *blocks[1:]] and len(blocks) == 8
    assert not any("```python" in "".join(cell["source"]) for cell in cells)


def test_copies_that_a_reader_has_changed_are_kept(tmp_path: Path) -> None:
    assert len(open_lab.copy_all(tmp_path)) > 10
    mine = tmp_path / "03_grids.ipynb"
    mine.write_text("{}", encoding="utf-8")
    assert open_lab.copy_all(tmp_path) == []
    assert json.loads(mine.read_text()) == {}


def test_only_the_root_user_is_allowed_what_jupyterlab_refuses_to_root() -> None:
    assert "--allow-root" in open_lab.command(Path("lab"), root=True)
    assert "--allow-root" not in open_lab.command(Path("lab"), root=False)
