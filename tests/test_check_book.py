"""The check of the built book sees every kind of broken page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import check_book
import pytest

TOC: dict[str, Any] = {"format": "jb-book", "root": "chapters/intro", "parts": [{"chapters": []}]}
REFERENCES = {"https://arxiv.org/abs/1"}
GOOD = """<h1 id="top">x</h1><a href="https://arxiv.org/abs/1">paper</a><a href="#top">up</a>
<a href="other.html#a%20b">other</a><a name="old"></a><a href="#old">old</a>
<img src="../picture.png" srcset="../picture.png 1x, ../picture.png 2x" alt="A line that rises.">
<svg aria-hidden="true"><path d=""/></svg>
<svg role="img"><title>A graph</title><a xlink:href="#top"><text>up</text></a><svg><path/></svg></svg>
<svg aria-label="A graph"><use href="#top"/></svg>
<div style="background: url(../picture.png)"></div><style>p { background: url("data:image/png;base64,AA") }</style>
<link rel="next" href="other.html"><img src="data:image/png;base64,AA" alt="A dot.">"""


def write(folder: Path, name: str, body: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"<html><head></head><body>{body}</body></html>")


@pytest.fixture
def book(tmp_path: Path) -> Path:
    folder = tmp_path / "html"
    write(folder, "index.html", '<a href="chapters/intro.html#top">in</a>')
    write(folder, "chapters/intro.html", GOOD)
    write(folder, "chapters/other.html", '<p id="a b">x</p>')
    for name in ("_static/mathjax/tex-chtml.js", "picture.png"):
        write(folder, name, "")
    write(tmp_path, "secret.html", "")
    return folder


def problems(book: Path) -> list[str]:
    return list(check_book.problems_of_book(book, TOC, REFERENCES))


def test_a_book_in_order_has_no_problems(book: Path) -> None:
    assert problems(book) == []


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ('<a href="#gone">x</a>', "#gone points to no place on that page"),
        ('<a href="other.html#gone">x</a>', "other.html#gone points to no place on that page"),
        ('<a href="gone.html">x</a>', "gone.html is not in the book"),
        ('<a href="../../secret.html">x</a>', "../../secret.html leaves the book"),
        ('<area href="gone.html">', "gone.html is not in the book"),
        ('<form action="gone.html"></form>', "gone.html is not in the book"),
        (
            '<form action="https://example.org/find"></form>',
            "https://example.org/find is no documented reference",
        ),
        ('<a href="https://example.org/">x</a>', "https://example.org/ is no documented reference"),
        ('<a href="//example.org/">x</a>', "//example.org/ is no documented reference"),
        ('<a href="file' + '://x/y">x</a>', "://x/y is no documented reference"),
        ('<svg aria-hidden="true"><a href="gone.html"></a></svg>', "gone.html is not in the book"),
        ('<svg aria-hidden="true"><a xlink:href="#gone"></a></svg>', "#gone points to no place"),
        ('<svg aria-hidden="true"><use xlink:href="#gone"/></svg>', "#gone points to no place"),
        (
            '<svg aria-hidden="true"><image href="https://example.org/x.png"/></svg>',
            "loads https://example.org/x.png",
        ),
        ("<svg><path/></svg>", "a drawing (svg) has no alt text"),
        ('<svg role="img"></svg>', "a drawing (svg) has no alt text"),
        ('<img src="../picture.png">', "../picture.png has no alt text"),
        ('<img src="../picture.png" alt=" ">', "../picture.png has no alt text"),
        ('<img src="../gone.png" alt="x">', "../gone.png is not in the book"),
        ('<img src="../picture.png" srcset="../gone.png 2x" alt="x">', "../gone.png is not in the book"),
        ('<script src="https://example.org/x.js"></script>', "loads https://example.org/x.js"),
        ('<link rel="stylesheet" href="http://example.org/x.css">', "loads http://example.org/x.css"),
        ('<div style="background: url(https://example.org/x.png)"></div>', "loads https://example.org/x.png"),
        ("<style>@import 'https://example.org/x.css';</style>", "loads https://example.org/x.css"),
        ('<img src="//example.org/x.png" alt="x">', "loads //example.org/x.png"),
        ('<video poster="https://example.org/x.png"></video>', "loads https://example.org/x.png"),
        ('<p id="a"></p><p id="a"></p>', "2 elements have the id a"),
        ('<p id="a"></p><svg aria-hidden="true"><g id="a"/></svg>', "2 elements have the id a"),
    ],
)
def test_a_broken_page_has_one_problem(book: Path, body: str, problem: str) -> None:
    write(book, "chapters/intro.html", GOOD + body)
    (found,) = problems(book)
    assert found.startswith("chapters/intro.html: ")
    assert problem in found


def test_pages_beyond_the_table_of_contents_are_read_too(book: Path) -> None:
    write(book, "genindex.html", '<a href="gone.html">x</a>')
    assert problems(book) == ["genindex.html: gone.html is not in the book"]


def test_pages_below_static_belong_to_libraries(book: Path) -> None:
    write(book, "_static/library/page.html", '<a href="gone.html">x</a>')
    assert problems(book) == []


def test_style_sheets_may_not_load_from_outside(book: Path) -> None:
    (book / "_static" / "x.css").write_text("p { background: url('https://example.org/x.png') }")
    assert problems(book) == ["_static/x.css: loads https://example.org/x.png from outside the book"]


def test_missing_and_empty_pages_are_seen(book: Path) -> None:
    (book / "chapters" / "intro.html").unlink()
    assert "chapters/intro.html is missing" in problems(book)
    (book / "chapters" / "intro.html").write_text("")
    assert "chapters/intro.html is empty" in problems(book)


def test_a_book_without_mathjax_is_seen(book: Path) -> None:
    (book / "_static" / "mathjax" / "tex-chtml.js").unlink()
    (found,) = problems(book)
    assert found.startswith("MathJax is not in the book")


def test_nested_tables_of_contents_are_read_to_the_end() -> None:
    toc: dict[str, Any] = {"root": "a", "parts": [{"chapters": [{"file": "b", "sections": [{"file": "c"}]}]}]}
    assert list(check_book.toc_entries(toc)) == ["a", "b", "c"]


def test_documented_addresses_come_from_references_and_chapters(tmp_path: Path) -> None:
    (tmp_path / "references.bib").write_text("url = {https://arxiv.org/abs/1},\n doi = {10.1/x_(2)},")
    (tmp_path / "a.md").write_text("See [this](https://example.org/a) and https://example.org/b.")
    (tmp_path / "b.ipynb").write_text('{"source": ["<https://example.org/c>\\n"]}')
    assert check_book.documented(tmp_path) == {
        "https://arxiv.org/abs/1",
        "https://doi.org/10.1/x_(2)",
        "https://example.org/a",
        "https://example.org/b",
        "https://example.org/c",
    }


def test_the_exit_status_tells(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_book.main([str(book)]) == 1
    assert "is missing" in capsys.readouterr().err
