"""The page of notation names things that exist: macros, code, boxes and chapters."""

from __future__ import annotations

import dataclasses
import importlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
CHAPTERS = ROOT / "chapters"
PAGE = (CHAPTERS / "notation.md").read_text(encoding="utf-8")
MACROS = yaml.safe_load((ROOT / "_config.yml").read_text())["sphinx"]["config"]["mathjax3_config"]["tex"][
    "macros"
]
# Commands that TeX itself has; whatever else a formula uses must be a macro of the book.
TEX = {
    "chi",
    "cos",
    "delta",
    "dots",
    "ell",
    "frac",
    "gamma",
    "hat",
    "in",
    "kappa",
    "le",
    "log",
    "lvert",
    "mu",
}
TEX |= {"boldsymbol", "pi", "rho", "rvert", "sigma", "sin", "sum", "sup", "theta", "tilde", "varphi"}
HEADER = ["symbol", "meaning", "defined in", "in code"]
GROUPS = [
    "Forecasts and outcomes",
    "Divergences and losses",
    "Calibration errors",
    "Regrets",
    "Grids and rounding",
    "Algorithms",
    "Constants",
    "The lower bound",
    "Probability",
]


def rows(text: str) -> list[list[str]]:
    """Return the cells of all table rows."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def entries(text: str) -> list[list[str]]:
    return [row for row in rows(text) if row != HEADER and set(row) != {"---"}]


def unknown_commands(text: str) -> set[str]:
    return set(re.findall(r"\\([A-Za-z]+)", text)) - TEX - set(MACROS)


def is_known(name: str) -> bool:
    """Tell whether a dotted name leads to a module, an attribute or a field of a dataclass."""
    first, *rest = name.split(".")
    found: Any = importlib.import_module(first)
    path = first
    for part in rest:
        path = f"{path}.{part}"
        fields = (
            [field.name for field in dataclasses.fields(found)] if dataclasses.is_dataclass(found) else []
        )
        if hasattr(found, part):
            found = getattr(found, part)
        elif part in fields:
            found = None
        else:
            try:
                found = importlib.import_module(path)
            except ModuleNotFoundError:
                return False
    return True


def boxes() -> set[str]:
    texts = [path.read_text(encoding="utf-8") for path in CHAPTERS.glob("*.ipynb")]
    cells = [cell for text in texts for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
    return {
        label
        for cell in cells
        for label in re.findall(r"^:label: (\S+)", "".join(cell["source"]), re.MULTILINE)
    }


CODE = sorted(set(re.findall(r"\{py:obj\}`([^`]+)`", PAGE)))


def test_groups_come_in_their_order() -> None:
    assert re.findall(r"^## (.*)", PAGE, re.MULTILINE) == GROUPS


def test_every_group_has_a_table_with_four_columns() -> None:
    for group in PAGE.split("\n## ")[1:]:
        found = rows(group)
        assert found[0] == HEADER
        assert len(found) > 3
        assert {len(row) for row in found} == {4}
    assert all(all(row) for row in entries(PAGE))


def test_symbols_are_formulas_and_have_one_row_each() -> None:
    symbols = [row[0] for row in entries(PAGE)]
    assert all(symbol.startswith("$") and symbol.endswith("$") for symbol in symbols)
    single = [symbol for row in symbols for symbol in re.findall(r"\$[^$]+\$", row)]
    assert len(single) == len(set(single)) > 60


def test_every_command_is_tex_or_a_macro_of_the_book() -> None:
    assert unknown_commands(PAGE) == set()
    assert unknown_commands(r"$\KLCal \le \Nonsense$") == {"Nonsense"}


def test_every_macro_of_the_book_for_a_symbol_is_explained() -> None:
    used = set(re.findall(r"\\([A-Za-z]+)", " ".join(row[0] for row in entries(PAGE))))
    assert set(MACROS) - used == {"argmin"}, "argmin is an operator, not a symbol"


@pytest.mark.parametrize("name", CODE)
def test_code_name_exists(name: str) -> None:
    assert is_known(name)


@pytest.mark.parametrize("name", ["klcal.nonsense", "klcal.Cells.nonsense", "klcal.losses.log.nonsense"])
def test_a_name_that_does_not_exist_is_seen(name: str) -> None:
    assert not is_known(name)


def test_code_cells_name_code_or_say_that_there_is_none() -> None:
    for row in entries(PAGE):
        assert row[3] == "–" or "{py:obj}`" in row[3], row


def test_where_a_symbol_is_defined_is_a_box_or_a_chapter() -> None:
    known = boxes()
    for row in entries(PAGE):
        labels = re.findall(r"\{prf:ref\}`[^`<]*<([^>]+)>`", row[2])
        documents = re.findall(r"\{doc\}`[^`<]*<([^>]+)>`", row[2])
        assert labels or documents, row
        assert set(labels) <= known, row
        assert all((CHAPTERS / f"{name}.ipynb").is_file() for name in documents), row
