"""What the book's own Sphinx extension writes: boxes with evidence, folds, previews, the pages of the ledger."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from urllib.parse import unquote

import bs4
import check_book
import opening
import pytest
from klcal_book import _sentences
from klcal_book.ledger import Ledger, pages_of, slug

LEDGER = Ledger(opening.ROOT, pages_of(opening.ROOT / "_toc.yml"))
CHAPTERS = ("03_grids", "06_all_losses_at_once", "07_high_probability")
FOUND = [(each, box) for box in LEDGER.statements.values() for each in box.errata]


@cache
def soup(book: Path, name: str) -> bs4.BeautifulSoup:
    text = (book / "chapters" / f"{name}.html").read_text(encoding="utf-8")
    return bs4.BeautifulSoup(text, "html.parser")


def words(tag: bs4.Tag | None) -> str:
    assert tag is not None
    return " ".join(tag.text.split())


def test_every_link_leads_somewhere_and_nothing_is_loaded_from_outside(book: Path) -> None:
    assert check_book.main([str(book)]) == 0


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_box_says_its_status_and_leads_to_its_checks(name: str, book: Path) -> None:
    page = soup(book, name)
    boxes = [box for box in LEDGER.statements.values() if box.page == f"chapters/{name}"]
    assert boxes
    for box in boxes:
        drawn = page.find(id=box.label).find_parent(class_="proof")
        assert f"klcal-{slug(box.status)}" in drawn["class"]
        said = drawn.select_one(".klcal-line")
        assert words(said).startswith(" ".join(_sentences.words(box)))
        for each in [each for each in box.evidence if each.cell.startswith(box.page)]:
            check = page.find(id=each.cell.partition("#")[2])
            assert said.find("a", href=f"#{check['id']}") and check.select_one(".cell_output")
            assert " ".join(each.covers.split()) in words(check.find_parent("details").summary)
    for proof in page.find_all("math", string=lambda text: text == "□"):
        assert proof.find_parent("details")


@pytest.mark.parametrize("name", CHAPTERS)
def test_numbers_and_citations_show_what_they_lead_to(name: str, book: Path) -> None:
    page = soup(book, name)
    links = page.select("a.klcal-number-link")
    assert len(links) > 5
    for link in links:
        box = LEDGER.statements[unquote(link["href"]).partition("#")[2]]
        assert words(page.find(id=link["aria-describedby"])).startswith(box.number)
    for link in page.select(".bibtex-citation a"):
        told = words(page.find(id=link["aria-describedby"]))
        assert told.endswith(".") and "http" not in told and len(told) > 40
    symbols = page.select("a.klcal-symbol")
    assert len({words(each) for each in symbols}) == len(symbols) > 0, "only the first mention is a link"
    assert all(len(words(page.find(id=each["aria-describedby"]))) > 8 for each in symbols)
    described = str(page.select_one("meta[name=description]")["content"])
    assert len(described) > 60 and "\\" not in described
    assert words(page.select_one(".klcal-version")).startswith("Version")


def test_the_pages_of_the_ledger_list_all_of_it(book: Path) -> None:
    statements, errata = soup(book, "statements"), soup(book, "errata")
    claims = [box for box in LEDGER.statements.values() if box.status != "definition"]
    assert f"The book has {len(claims)} statements:" in words(statements)
    assert len(statements.select("article dt")) >= len(claims)
    assert len(statements.select("svg.klcal-uses rect")) > 20
    misprints = [each for each, _ in FOUND if each.severity == "misprint"]
    assert len(errata.select("table.klcal-misprints tbody tr")) == len(misprints)
    assert len(errata.select("blockquote")) == len(FOUND) - len(misprints)
    assert words(errata.select_one("article h2")).startswith("What is false")


def test_a_formula_has_its_tag_beside_it_and_its_comma_in_its_line(book: Path) -> None:
    page = soup(book, "08_explicit_algorithms")
    assert words(page.select_one("div.math > .eqno")).startswith("(")
    kept = [words(each)[-1] for each in page.select("span.klcal-kept:has(math)")]
    assert set(kept) & {",", "."}
