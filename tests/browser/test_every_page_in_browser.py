"""Every page of the built book, opened from disk: complete, legible, light and dark, on a desk and on a phone."""

from __future__ import annotations

from pathlib import Path

import opening
import pytest
from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def complaints(browser: Browser, book: Path) -> dict[str, dict[str, list[str]]]:
    """Return what there is to complain about each page; the Coq sources are made alike, so two stand for all."""
    pages = [book / f"proofs/{name}.html" for name in ("Definitions", "Theorem2")]
    pages += sorted([*book.glob("chapters/*.html"), *book.glob("_modules/**/*.html")])
    pages += [book / "genindex.html", book / "search.html"]
    context = opening.new_context(browser, opening.WIDE)
    page = context.new_page()
    seen = opening.watch(page, book.as_uri())
    told = {str(path.relative_to(book)): opening.look(page, seen, path.as_uri()) for path in pages}
    context.close()
    return told


@pytest.mark.parametrize(
    "kind", ["requests", "errors", "formulas", "pictures", "unlabelled", "overflow", "contrast"]
)
def test_no_page_has_complaints_about(kind: str, complaints: dict[str, dict[str, list[str]]]) -> None:
    assert len(complaints) > 50
    assert "\n".join(f"{page}: {each}" for page, told in complaints.items() for each in told[kind]) == ""
