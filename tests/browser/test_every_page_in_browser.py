"""Every page of the built book, opened from disk: complete, legible, light and dark, on a desk and on a phone."""

from __future__ import annotations

from pathlib import Path

import opening
import pytest
from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def pages(book: Path) -> list[Path]:
    """Return all pages but the first one, which only leads to the introduction; of the Coq sources two, made alike."""
    found = sorted(path for path in book.rglob("*.html") if path.relative_to(book).parts[0] != "_static")
    found = [
        path for path in found if path.parent.name != "proofs" or path.stem in ("Definitions", "Theorem2")
    ]
    return [path for path in found if path != book / "index.html"]


@pytest.fixture(scope="module")
def visits(browser: Browser, book: Path, pages: list[Path]) -> dict[str, opening.Visit]:
    """Return what there is to complain about each page, opened from disk."""
    context = opening.new_context(browser, opening.WIDE)
    page = context.new_page()
    seen = opening.watch(page, book.as_uri())
    found = {path.relative_to(book).as_posix(): opening.look(page, seen, path.as_uri()) for path in pages}
    context.close()
    return found


def complaints(visits: dict[str, opening.Visit], kind: str) -> list[str]:
    return [f"{page}: {text}" for page, visit in visits.items() for text in visit.complaints[kind]]


@pytest.mark.parametrize(
    "kind", ["requests", "errors", "formulas", "pictures", "unlabelled", "overflow", "contrast"]
)
def test_no_page_has_complaints_about(kind: str, visits: dict[str, opening.Visit]) -> None:
    assert visits
    assert "\n".join(complaints(visits, kind)) == ""
