"""What axe-core says of the book, light and dark, with all folds open."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import axe_playwright_python
import opening
from playwright.sync_api import Browser

AXE = Path(axe_playwright_python.__file__).parent / "axe.min.js"
# Known, and why it stays.
ACCEPTED = {
    "region": "the title above the contents is outside all landmarks: the theme's",
    "empty-table-header": "the corner of a table of pandas is empty",
    "scrollable-region-focusable": "browsers let the keyboard into what scrolls",
}
# A page of each kind; the whole book takes minutes and is looked at where CI is set.
SOME = {"intro", "05_the_algorithm", "users", "errata", "reproduce", "play"}


# A link that is a formula has the formula as its name, which axe does not read.
NAMED = "(id, { target }) => id !== 'link-name' || !document.querySelector(target[0]).querySelector('math')"
LOOK = f"""async (options) => {{
  const {{ violations }} = await axe.run({{ exclude: [["math"]] }}, options);
  const isNamed = {NAMED};
  const left = ({{ id, nodes }}) => nodes.filter((node) => isNamed(id, node)).map(({{ html }}) => [id, html]);
  return violations.flatMap(left);
}}"""


def violations(page: Any, *rules: str) -> list[str]:
    """Return what axe complains about; formulas are read by the browser, which axe does not look at."""
    options = {"resultTypes": ["violations"], **({"runOnly": [*rules]} if rules else {})}
    found = page.evaluate(LOOK, options)
    return [f"{rule}: {html[:120]}" for rule, html in found if rule not in ACCEPTED]


def test_axe_finds_nothing_new(browser: Browser, book: Path) -> None:
    pages = sorted((book / "chapters").glob("*.html"))
    chosen = pages if os.environ.get("CI") else [each for each in pages if each.stem in SOME]
    assert len(chosen) >= len(SOME)
    context = opening.new_context(browser, opening.WIDE)
    page = context.new_page()
    complaints = []
    for path in chosen:
        opening.open_page(page, path.as_uri())
        page.evaluate(AXE.read_text(encoding="utf-8"))
        complaints += [f"{path.stem}: {found}" for found in violations(page)]
        opening.turn_dark(page)
        complaints += [f"{path.stem}, dark: {found}" for found in violations(page, "color-contrast")]
        page.emulate_media(color_scheme="light")
    context.close()
    assert "\n".join(complaints) == ""


def test_axe_sees_a_button_without_a_name(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<!doctype html><html lang=en><title>t</title><main><h1>t</h1><button></button></main>")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert [each.partition(":")[0] for each in violations(page)] == ["button-name"]
    page.close()
