"""What axe-core says of the book, light and dark, with all folds open."""

from __future__ import annotations

import os
from pathlib import Path

import axe_playwright_python
import opening
from playwright.sync_api import Browser, Page

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
# Known, and why it stays.
ACCEPTED = {
    "empty-table-header": "formulas are heads of columns, and axe does not read them",
    "scrollable-region-focusable": "browsers let the keyboard into what scrolls",
}
# A page of each kind; the whole book takes minutes and is looked at where CI is set.
SOME = ("intro", "05_the_algorithm", "users", "errata", "reproduce", "play")
# Formulas are read by the browser itself. What is said must be what is seen, and fingers must find what they press: two
# rules that axe leaves out by itself.
LOOK = """async (rules) => {
  const asked = { rules: { "label-content-name-mismatch": { enabled: true }, "target-size": { enabled: true } } };
  const { violations } = await axe.run({ exclude: [["math"]] }, rules.length ? { runOnly: rules } : asked);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => [id, html.slice(0, 120)]));
}"""


def violations(page: Page, *rules: str) -> list[str]:
    """Return what axe complains about."""
    return [f"{rule}: {html}" for rule, html in page.evaluate(LOOK, rules) if rule not in ACCEPTED]


def test_axe_finds_nothing_new(browser: Browser, book: Path) -> None:
    pages = [f"chapters/{name}.html" for name in SOME]
    if os.environ.get("CI"):
        pages = [str(path.relative_to(book)) for path in sorted(book.glob("chapters/*.html"))]
    context = opening.new_context(browser, opening.WIDE)
    page = context.new_page()
    complaints = []
    for name in (*pages, "genindex.html", "proofs/Theorem2.html", "search.html?q=tree"):
        page.emulate_media(color_scheme="light")
        opening.open_page(page, f"{book.as_uri()}/{name}")
        if "?" in name:
            page.locator("#search-results p", has_text="found").wait_for()
        page.evaluate(AXE)
        complaints += [f"{name}: {found}" for found in violations(page)]
        opening.turn_dark(page)
        complaints += [f"{name}, dark: {found}" for found in violations(page, "color-contrast")]
    context.close()
    assert "\n".join(complaints) == ""


def test_axe_sees_a_button_without_a_name(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<!doctype html><html lang=en><title>t</title><main><h1>t</h1><button></button></main>")
    page.evaluate(AXE)
    assert [each.partition(":")[0] for each in violations(page)] == ["button-name"]
    page.close()
