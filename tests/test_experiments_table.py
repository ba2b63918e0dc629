"""Tables: tidy columns that come back from a file bit for bit."""

from __future__ import annotations

import json
import math
import pickle
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from klcal._text import cells
from klcal.experiments import Table
from klcal.experiments._files import replace_files

ROWS = [
    {"adversary": "zeros", "T": 100, "seed": "7/0", "pkl": 1.5},
    {"adversary": "border", "T": 100, "seed": "7/0", "pkl": 2.5},
    {"adversary": "zeros", "T": 10, "seed": "7/1", "pkl": -0.0},
    {"adversary": "zeros", "T": 100, "seed": "7/1", "pkl": math.inf},
]


@pytest.fixture
def table():
    return Table.from_rows(ROWS, {"made by": "hand"})


def test_columns_have_types_and_are_read_only(table):
    assert table.columns == ("adversary", "T", "seed", "pkl")
    assert [table[name].dtype.kind for name in table.columns] == ["U", "i", "U", "f"]
    assert len(table) == 4 and table.rows() == ROWS and list(table) == ROWS
    with pytest.raises(ValueError, match="read-only"):
        table["T"][0] = 5
    with pytest.raises(TypeError):
        table.data["T"] = 5
    with pytest.raises(AttributeError):
        table.data = {}


def test_a_table_does_not_share_memory_with_what_it_was_made_from():
    values = np.array([1.0, 2.0])
    table = Table({"x": values})
    values[0] = 7.0
    assert table["x"][0] == 1.0


def test_rows_are_selected_by_value(table):
    assert table.where(adversary="zeros", T=100)["seed"].tolist() == ["7/0", "7/1"]
    assert table.where(T=[10, 100], seed="7/1")["pkl"].tolist() == [0.0, math.inf]
    assert table.where(adversary="border", T=100).rows() == [ROWS[1]]
    assert len(table.where(adversary="border", T=10)) == 0
    assert table.where() == table


@pytest.mark.parametrize(
    ("conditions", "message"),
    [
        ({"adversary": "zeroes"}, "adversary must be a value of its column; got 'zeroes'"),
        ({"T": [100, 11]}, "T must be a value of its column; got 11"),
        (
            {"adversaries": "zeros"},
            "column must be one of 'adversary', 'T', 'seed', 'pkl'; got 'adversaries'",
        ),
    ],
)
def test_a_misspelt_condition_is_an_error_not_an_empty_result(table, conditions, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        table.where(**conditions)


def test_sorting_is_by_the_first_name_first_and_stable(table):
    assert table.sorted_by("T", "adversary")["seed"].tolist() == ["7/1", "7/0", "7/0", "7/1"]
    assert table.sorted_by("seed")["adversary"].tolist() == ["zeros", "border", "zeros", "zeros"]
    assert table.sorted_by() == table


def test_groups_keep_the_order_of_first_appearance(table):
    assert table.unique("adversary") == ["zeros", "border"]
    groups = table.groups("adversary", "T")
    assert list(groups) == [("zeros", 100), ("border", 100), ("zeros", 10)]
    assert groups["zeros", 100].rows() == [ROWS[0], ROWS[3]]


def test_the_largest_row_of_each_group_is_kept_whole(table):
    finite = table.take([0, 1, 2])
    assert finite.largest("pkl", by="T").rows() == [ROWS[1], ROWS[2]]
    assert finite.largest("pkl", by=["T", "adversary"]).rows() == ROWS[:3]
    with pytest.raises(ValueError, match="column 'pkl' must not be NaN; got nan at index 1"):
        finite.with_column("pkl", [1.0, math.nan, 2.0]).largest("pkl", by="T")


def test_means_are_those_of_the_group(table):
    means = table.take([0, 1, 2]).averaged("pkl", by="T")
    assert means.rows() == [{"T": 100, "count": 2, "pkl": 2.0}, {"T": 10, "count": 1, "pkl": 0.0}]


def test_curves_have_the_mean_at_every_place_of_a_group():
    table = Table({"who": ["b", "a", "b", "b"], "T": [20, 10, 10, 20], "kl": [1.0, 2.0, 5.0, 4.0]})
    curves = {
        name: [axis.tolist() for axis in pair] for name, pair in table.curves("T", "kl", by="who").items()
    }
    assert curves == {"b": [[20, 10], [2.5, 5.0]], "a": [[10], [2.0]]}


def test_columns_are_chosen_added_and_replaced(table):
    assert table.select("pkl", "T").columns == ("pkl", "T")
    doubled = table.with_column("pkl", 2 * table["pkl"])
    assert doubled.columns == table.columns and doubled["pkl"][0] == 3.0
    assert table.with_column("half", table["T"] / 2).columns[-1] == "half"
    with pytest.raises(ValueError, match="column 'x' must have the length of column 'adversary'"):
        table.with_column("x", [1.0])


def test_equality_sees_types_bits_order_and_names(table):
    assert table == Table.from_rows(ROWS) and table == pickle.loads(pickle.dumps(table))
    assert table != table.with_column("T", table["T"].astype(float))
    assert table != table.with_column("pkl", np.abs(table["pkl"]))  # -0.0 became 0.0
    assert table != table.take([0, 1, 2]) and table != table.take([1, 0, 2, 3])
    assert table != table.select("T", "adversary", "seed", "pkl") and table != ROWS
    assert Table({"x": [math.nan]}) == Table({"x": [-math.nan]})


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"x": [1, "a"]}, "column 'x' must hold printable text if it holds any; got 1 at index 0"),
        ({"x": ["a\0"]}, "printable"),
        ({"x": ["a\nb"]}, "printable"),
        ({"x": [None]}, "64-bit numbers, truth values or text"),
        ({"x": [2**64]}, "64-bit"),
        ({"x": [2**63]}, "64-bit integers"),
        ({"x": [1j]}, "64-bit numbers"),
        ({"x": [[1]]}, "one-dimensional"),
        ({"x": 1}, "one-dimensional"),
        ({"x": [1], "y": [1, 2]}, "column 'y' must have the length of column 'x'"),
    ],
)
def test_columns_that_would_not_come_back_are_refused(data, message):
    with pytest.raises(ValueError, match=message):
        Table(data)


def test_rows_with_other_columns_are_refused():
    with pytest.raises(ValueError, match=r"rows must have the columns \['T'\]; got \['K'\] at index 1"):
        Table.from_rows([{"T": 1}, {"K": 2}])


LOOKS_LIKE_NUMBERS = ["7", "-3", "0.5", "1e+20", "inf", "nan", "True", "False", "1.5e-07"]
printable = st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), max_size=6).filter(
    str.isprintable
)


@st.composite
def tables(draw):
    names = draw(st.lists(printable.filter(bool), min_size=1, max_size=4, unique=True))
    size = draw(st.integers(1, 5))
    # A letter in one cell keeps a text column from looking like numbers.
    text = st.lists(printable, min_size=size, max_size=size).map(lambda cells: [cells[0] + "x", *cells[1:]])
    kinds = [
        st.lists(st.integers(-(2**63), 2**63 - 1), min_size=size, max_size=size).map(np.array),
        st.lists(st.floats(), min_size=size, max_size=size).map(np.array),
        st.lists(st.booleans(), min_size=size, max_size=size).map(np.array),
        text,
    ]
    return Table({name: draw(st.one_of(kinds)) for name in names})


@given(tables())
def test_every_table_comes_back_from_csv_bit_for_bit(table):
    assert Table.from_csv(table.to_csv()) == table


@given(tables())
def test_every_table_can_be_shown(table):
    assert len(repr(table).split("\n")) == 1 + len(table)
    assert table._repr_html_().count("<tr>") == 1 + len(table)


def test_columns_are_two_spaces_apart_and_lines_end_where_their_words_do():
    assert str(Table({"a": ["x", "word"], "b": ["long", "c"]})).split("\n") == [
        "a     b",
        "x     long",
        "word  c",
    ]


def test_floats_have_equally_many_digits_if_four_are_enough():
    assert cells([0.5, 0.1234]) == ["0.5000", "0.1234"] and cells([0.5, 0.12345]) == ["0.5", "0.12345"]


def test_numbers_stand_on_the_right_and_heads_above_what_they_name():
    shown = Table({"T": [10], "adversary": ["zeros"], "kl": [0.5]})._repr_html_()
    kinds = ["number", "words", "number"]
    assert (
        re.findall(r'<th class="klcal-(\w+)">', shown)
        == kinds
        == re.findall(r'<td class="klcal-(\w+)">', shown)
    )


@pytest.mark.parametrize("text", LOOKS_LIKE_NUMBERS)
def test_text_that_would_come_back_as_numbers_is_not_written(text):
    with pytest.raises(ValueError, match="text column 'x' must not look like numbers or truth values"):
        Table({"x": [text]}).to_csv()
    mixed = Table({"x": [text, "a"]})
    assert Table.from_csv(mixed.to_csv()) == mixed


def test_a_table_without_rows_is_not_written(table):
    for empty in (table.where(adversary="border", T=10), Table({})):
        with pytest.raises(ValueError, match="table must have a row to be written"):
            empty.to_csv()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a header and a row; got 0"),
        ("T\n", "a header and a row; got 1"),
        ("T,T\n1,2\n", "names of columns must differ"),
        ("T,K\n1,2\n3\n", "row 2 must have 2 cells; got 1"),
    ],
)
def test_broken_csv_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        Table.from_csv(text)


def test_whole_numbers_among_decimals_are_floats():
    assert Table.from_csv("x\n1\n0.5\n")["x"].tolist() == [1.0, 0.5]


def test_a_file_keeps_its_provenance_and_a_changed_file_is_noticed(table, tmp_path):
    path = tmp_path / "new" / "a.csv"
    table.write(path)
    again = Table.read(path)
    assert again == table
    assert again.provenance["made by"] == "hand" and again.provenance["rows"] == 4
    assert sorted(each.name for each in path.parent.iterdir()) == ["a.csv", "a.json"]
    path.write_text(path.read_text().replace("2.5", "2.4"))
    with pytest.raises(ValueError, match="the sha256 of the CSV must be that of its provenance"):
        Table.read(path)
    path.with_suffix(".json").unlink()
    assert Table.read(path)["pkl"][1] == 2.4


def test_writing_replaces_all_files_or_none(tmp_path):
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        replace_files({first: "new", second: "\ud800"})
    assert first.read_text() == "old" and [path.name for path in tmp_path.iterdir()] == ["a"]


def test_long_tables_say_how_long_they_are():
    table = Table({"T": range(30), "x": np.full(30, 1 / 3), "big": np.full(30, 1e7), "name": ["<b>"] * 30})
    lines = repr(table).splitlines()
    assert lines[0].split() == ["T", "x", "big", "name"]
    assert lines[1].split() == ["0", "0.333333", "1e+07", "<b>"]
    assert len(lines) == 14 and lines[-1] == "12 of 30 rows"
    assert "&lt;b&gt;" in table._repr_html_() and "12 of 30 rows" in table._repr_html_()
    assert repr(Table({})) == "(no columns)"


def test_provenance_is_json(table, tmp_path):
    table.write(tmp_path / "a.csv")
    told = json.loads((tmp_path / "a.json").read_text())
    assert set(told) == {"made by", "rows", "sha256"}
