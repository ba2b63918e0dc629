"""The printed book: one page out of many with links that still lead somewhere, and a plain word without a browser."""

from __future__ import annotations

import shutil
from pathlib import Path

import make_pdf
import pytest
from bs4 import BeautifulSoup

PAGES = ["chapters/intro", "chapters/01_a"]
HEAD = """<head><link rel="stylesheet" href="../_static/a.css?v=1"><link rel="next" href="01_a.html">
<script>window.MathJax = {}</script><script src="../_static/other.js"></script>
<script defer src="../_static/mathjax/tex-chtml.js"></script></head>"""


def page(title: str, body: str) -> str:
    heading = f'<section id="top"><h1>{title}<a class="headerlink" href="#top">#</a></h1>{body}</section>'
    return f'<html>{HEAD}<body><nav id="menu"></nav><article class="bd-article">{heading}</article></body></html>'


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Return a built book of two pages that use the same identifiers."""
    folder = tmp_path / "html" / "chapters"
    folder.mkdir(parents=True)
    first = """<section id="same"><h2>One <em>more</em></h2><a href="01_a.html#same">there</a>
    <a href="#same">here</a><a href="01_a.html">page</a><a href="https://arxiv.org/abs/1">out</a>
    <a href="01_a.html#a%5B1%5D">brackets</a>
    <a href="../_sources/intro.ipynb">source</a><img alt="x" src="../_images/p.png" loading="lazy">
    <details><summary>Proof</summary>folded</details><button>Copy</button><script>run()</script>
    <noscript>again</noscript><img class="klcal-dark" alt="x" src="d.png"><span class="klcal-tip">tip</span>
    <svg><g id="mark"></g><use href="#mark"></use><path clip-path="url(#mark)"></path></svg></section>"""
    (folder / "intro.html").write_text(page("Start", first))
    (folder / "01_a.html").write_text(page("Next", '<section id="same"><h2>Two</h2></section>'))
    return tmp_path / "html"


def article(book: Path, name: str = "chapters/intro") -> BeautifulSoup:
    found = make_pdf.article_of(name, book, book.parent / "pdf", PAGES)
    return BeautifulSoup(str(found), "html.parser")


def test_the_parts_of_the_book_are_those_of_its_table_of_contents() -> None:
    nested = [{"file": "c", "sections": [{"file": "d"}]}]
    toc = {"root": "a", "parts": [{"caption": "P", "chapters": [{"file": "b"}]}, {"chapters": nested}]}
    parts = make_pdf.parts_of(toc)
    assert [(part.caption, part.pages) for part in parts] == [("", ("a",)), ("P", ("b",)), ("", ("c", "d"))]


def test_equal_names_on_different_pages_stay_apart(book: Path) -> None:
    ids = [tag["id"] for tag in article(book).find_all(id=True)]
    assert ids == ["intro", "intro--top", "intro--same", "intro--mark"]
    assert article(book, "chapters/01_a").find_all(id="01_a--same")


def test_links_between_pages_stay_inside_the_document(book: Path) -> None:
    links = {tag.get_text(): tag.get("href") for tag in article(book).find_all("a")}
    assert links == {
        "there": "#01_a--same",
        "here": "#intro--same",
        "page": "#01_a",
        "out": "https://arxiv.org/abs/1",
        "brackets": "#01_a--a[1]",
        "source": None,
    }


def test_drawings_keep_their_own_references(book: Path) -> None:
    found = article(book)
    assert found.find("use")["href"] == "#intro--mark"
    assert found.find("path")["clip-path"] == "url(#intro--mark)"


def test_the_graph_of_statements_is_cut_between_chapters_into_drawings_that_fit_a_page() -> None:
    chapters = "".join(
        f'<path class="klcal-band" d="M0 {y}H100"/><a data-node="{y}"><rect y="{y + 9}"/></a>'
        for y in (6, 50, 120, 150)
    )
    soup = BeautifulSoup(f'<svg viewBox="0 0 100 240" height="240">{chapters}</svg>', "html.parser")
    drawings = make_pdf.pages_of_graph(soup.svg)
    assert [each["viewbox"] for each in drawings] == ["0 0 100 120", "0 120 100 120"]
    assert [[node["data-node"] for node in each.select("a")] for each in drawings] == [
        ["6", "50"],
        ["120", "150"],
    ]
    short = BeautifulSoup('<svg height="9" viewbox="0 0 9 9"></svg>', "html.parser").svg
    assert make_pdf.pages_of_graph(short) == [short]


def test_folds_are_open_and_nothing_of_the_screen_is_left(book: Path) -> None:
    found = article(book)
    assert found.find("details").has_attr("open")
    assert not found.select("script, noscript, button, a.headerlink, nav, img.klcal-dark, .klcal-tip")
    assert found.find("img")["src"] == "../html/_images/p.png"
    assert not found.find("img").has_attr("loading")


def test_a_page_without_an_article_is_an_error(book: Path) -> None:
    (book / "chapters" / "intro.html").write_text("<html></html>")
    with pytest.raises(ValueError, match=r"chapters/intro\.html has no article"):
        article(book)


def test_styles_and_mathjax_are_found_from_the_new_place(book: Path) -> None:
    head = make_pdf.head_of(book, "chapters/intro", book.parent / "pdf")
    assert head.splitlines() == [
        '<link rel="stylesheet" href="../html/_static/a.css">',
        "<script>window.MathJax = {}</script>",
        '<script defer src="../html/_static/mathjax/tex-chtml.js"></script>',
    ]


def test_the_contents_list_chapters_and_sections_with_links(book: Path) -> None:
    articles = {name: make_pdf.article_of(name, book, book.parent / "pdf", PAGES) for name in PAGES}
    parts = [make_pdf.Part("", (PAGES[0],)), make_pdf.Part("A & B", (PAGES[1],))]
    found = BeautifulSoup(make_pdf.contents(parts, articles), "html.parser")
    assert [tag["href"] for tag in found.find_all("a")] == ["#intro", "#intro--same", "#01_a", "#01_a--same"]
    assert [tag.span.decode_contents() for tag in found.find_all("a")] == [
        "Start",
        "One <em>more</em>",
        "Next",
        "Two",
    ]
    assert found.find(class_="toc-part").get_text() == "A & B"
    assert [tag["data-page-of"] for tag in found.select("[data-page-of]")] == [
        tag["href"][1:] for tag in found.find_all("a")
    ]


def test_formulas_of_headings_are_there_in_letters_for_the_bookmarks() -> None:
    found = BeautifulSoup(
        r'<h2>A <span class="math">\(\log T\)</span> b</h2><p class="math">\(x\)</p>', "html.parser"
    )
    make_pdf.spell_titles(found)
    assert [tag.get_text() for tag in found.select("h2 > .math + .for-bookmark")] == ["log T"]
    assert len(found.select(".for-bookmark")) == 1


def test_links_that_lead_nowhere_are_told() -> None:
    text = (
        '<p id="a"></p><a name="b"></a><a href="#a"></a><a href="#b"></a><a href="#c"></a><a href="x#d"></a>'
    )
    assert make_pdf.dead_links(text) == ["c"]


PDF = b"""%PDF-1.4
1 0 obj
<</Type /Catalog /Dests 6 0 R>>
endobj
2 0 obj
<</Type /Pages /Count 3 /Kids [3 0 R 7 0 R]>>
endobj
3 0 obj
<</Type /Pages /Parent 2 0 R /Count 2 /Kids [5 0 R 4 0 R]>>
endobj
4 0 obj
<</Type /Page /Parent 3 0 R>>
endobj
5 0 obj
<</Type /Page /Parent 3 0 R>>
endobj
6 0 obj
<</intro [5 0 R /XYZ 0 1 0]
/intro--a#2fb [4 0 R /XYZ 0 1 0] /last [7 0 R /XYZ 0 1 0] /Dest [4 0 R /XYZ 0 1 0]>>
endobj
7 0 obj
<</Type /Page /Parent 2 0 R>>
endobj
8 0 obj
<</Length 9>> stream
/Type /Page
endstream
endobj
"""


def test_pages_are_counted_in_their_order_and_places_are_found() -> None:
    assert make_pdf.pages_in_order(make_pdf.objects_of(PDF)) == [5, 4, 7]
    assert make_pdf.page_numbers(PDF) == {"intro": 1, "intro--a/b": 2, "last": 3}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"/Title (abab)", b"/Title (ab)  "),
        (b"/Title (aba)", b"/Title (aba)"),
        (b"/Title (Why is Why is log log T)", b"/Title (Why is log log T)" + b" " * 7),
        (rb"/Title (\(a\)\(a\))", rb"/Title (\(a\))     "),
        (b"/Title <FEFF00410041>", b"/Title <FEFF0041>    "),
    ],
)
def test_bookmarks_say_their_title_once_and_no_byte_moves(before: bytes, after: bytes) -> None:
    assert make_pdf.single_titles(before) == after and len(before) == len(after)


def test_without_a_browser_it_is_said_plainly(
    book: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    for named, told in ((None, "Chromium or Chrome is not installed"), ("./mine", "./mine is not installed")):
        if named:
            monkeypatch.setenv("KLCAL_BROWSER", named)
        assert make_pdf.main(["--book", str(book), "--out", str(book / "a.pdf")]) == 2
        assert told in capsys.readouterr().err
    assert not (book / "a.pdf").exists()


BROWSER = next(filter(None, map(shutil.which, make_pdf.BROWSERS)), None)


@pytest.mark.skipif(BROWSER is None, reason="no browser is installed, so nothing was printed")
def test_a_small_book_is_printed_with_page_numbers_and_bookmarks(tmp_path: Path) -> None:
    source, target = tmp_path / "book.html", tmp_path / "book.pdf"
    style = f"<style>{make_pdf.STYLE.read_text()}</style>"
    entry = '<nav class="toc"><a href="#two"><span data-page-of="two">000</span></a></nav>'
    articles = "".join(f'<article class="bd-article" id="{n}"><h1>{n}</h1></article>' for n in ("one", "two"))
    spelled = '<h2>Why <span class="for-bookmark">log T</span> stays</h2>'
    wide = f"<pre>{'x' * 2000}</pre><table><tr><td style='white-space: nowrap'>{'y ' * 120}</td></tr></table>"
    source.write_text(f"<!DOCTYPE html>{style}<body>{entry}{articles}{spelled}{wide}</body>")
    assert make_pdf.print_pdf(source, target, str(BROWSER)) == []
    printed = target.read_bytes()
    assert make_pdf.page_numbers(printed)["two"] == 3
    assert len(make_pdf.pages_in_order(make_pdf.objects_of(printed))) == 3
    assert printed.count(b"/Title (one)") == printed.count(b"/Title (two)") == 1
    assert printed.count(b"/Title (Why log T stays)") == 1
    source.write_text(
        f'<!DOCTYPE html>{style}<body>{entry}<p class="math">\\(x\\)</p><div style="width: 2000px">.</div>'
    )
    problems = make_pdf.print_pdf(source, target, str(BROWSER))
    assert [problem.split(":")[0] for problem in problems] == [
        "wider than the page",
        "1 formulas are not typeset",
    ]


@pytest.mark.skipif(BROWSER is None, reason="no browser is installed, so nothing was printed")
def test_numbers_that_move_what_they_number_are_told(tmp_path: Path) -> None:
    source, target = tmp_path / "book.html", tmp_path / "book.pdf"
    pages_long = f'<nav><span data-page-of="one">{"000 " * 20000}</span><a href="#one">.</a></nav>'
    source.write_text(f'<!DOCTYPE html><body>{pages_long}<h1 id="one">one</h1></body>')
    assert make_pdf.print_pdf(source, target, str(BROWSER)) == [
        "page numbers in the table of contents are not those of one"
    ]
