"""The built book in a real browser: from disk and served, light and dark, on a desk and on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import opening
import pytest
from playwright.sync_api import Browser, Page


def opened(browser: Browser, book: Path, name: str) -> Iterator[Page]:
    """Give a page of the book as a wide window shows it."""
    context = opening.new_context(browser, opening.WIDE)
    page = context.new_page()
    opening.open_page(page, (book / "chapters" / f"{name}.html").as_uri())
    yield page
    context.close()


@pytest.fixture
def reader(browser: Browser, book: Path) -> Iterator[Page]:
    """Give a chapter on which everything is unfolded."""
    yield from opened(browser, book, "08_explicit_algorithms")


def test_the_switch_unfolds_proofs_then_checks_and_shows_drawing_code_with_the_checks(reader: Page) -> None:
    # A proof, the fold of a check, its code, the fold of a cell that draws.
    parts = (".klcal-proof p", ".klcal-checks > summary", ".klcal-checked pre", ".tag_hide-input summary")
    shown = {}
    for mode in ("checks", "proofs", "story"):
        reader.locator(f".klcal-switch input[value={mode}]").first.check(force=True)
        shown[mode] = [reader.locator(f"article {part}").first.is_visible() for part in parts]
    assert shown["story"] == [False, True, False, False]
    assert shown["proofs"] == [True, True, False, False]
    assert shown["checks"] == [True, True, True, True]


SHOWN = "a => document.getElementById(a.getAttribute('aria-describedby')).matches(':popover-open')"
# How far the preview of a link at the lower edge of the window is inside it, above and below.
AT_THE_EDGE = """async (link) => {
  const tip = document.getElementById(link.getAttribute("aria-describedby"));
  scrollTo({ top: scrollY + link.getBoundingClientRect().bottom - innerHeight + 5, behavior: "instant" });
  for (let turn = 0; turn < 3; turn++) await new Promise(requestAnimationFrame);
  link.focus({ preventScroll: true });
  const { top, bottom } = tip.getBoundingClientRect();
  return [tip.matches(":popover-open") ? 0 : -99, top, innerHeight - bottom];
}"""


@pytest.mark.parametrize("height", [900, 300])
@pytest.mark.parametrize("text", ["Theorem A", "Algorithm 1"])
def test_a_preview_stays_in_the_window(text: str, height: int, reader: Page) -> None:
    reader.set_viewport_size({"width": 1300, "height": height})
    link = reader.locator("a.klcal-number-link", has_text=text).last
    assert min(link.evaluate(AT_THE_EDGE)) > -1


def test_keyboard_shows_previews_and_goes_on_to_the_next_link(reader: Page) -> None:
    links = reader.locator("article a.klcal-number-link")
    first = links.first
    first.focus()
    assert first.evaluate(SHOWN)
    name = first.inner_text()
    assert reader.get_by_role("link", name=name, exact=True).first.is_visible(), "its name is its own"
    reader.keyboard.press("Escape")
    assert not first.evaluate(SHOWN)
    assert first.evaluate("a => a === document.activeElement")
    reader.keyboard.press("Tab")
    following = "a => !a.closest('.klcal-tip') && a !== document.body && a.tagName"
    assert reader.evaluate(f"({following})(document.activeElement)")
    assert first.evaluate("a => Boolean(a.compareDocumentPosition(document.activeElement) & 4)")


def test_touch_opens_a_sheet_with_a_way_to_go_on(browser: Browser, book: Path) -> None:
    context = browser.new_context(viewport=opening.NARROW, has_touch=True, is_mobile=True)
    page = context.new_page()
    address = (book / "chapters" / "08_explicit_algorithms.html").as_uri()
    page.goto(address)
    link = page.locator("article a.klcal-number-link[href*='05_']").first
    link.scroll_into_view_if_needed()
    sheet = page.locator(".klcal-sheet:popover-open")
    for leave in (page.go_back, lambda: page.keyboard.press("Escape")):
        link.tap()
        sheet.wait_for()
        leave()
        sheet.wait_for(state="hidden")
        page.wait_for_function("!history.state?.sheet")
        assert page.url == address
    link.tap()
    sheet.wait_for()
    assert page.url == address
    box = sheet.bounding_box()
    assert box is not None and abs(box["y"] + box["height"] - 844) < 2 and box["width"] == 390
    sheet.get_by_role("link", name="Go there").tap()
    page.wait_for_url("**/05_the_algorithm.html#*")
    context.close()


def test_figures_are_loaded_in_one_variant_with_room_kept_for_the_others(
    browser: Browser, book: Path
) -> None:
    context = opening.new_context(browser, opening.WIDE)
    page = context.new_page()
    page.goto((book / "chapters" / "05_the_algorithm.html").as_uri())
    loaded = "images => images.filter(image => image.currentSrc).length"
    assert page.eval_on_selector_all("img.klcal-dark", loaded) == 0
    last = page.locator("img.klcal-light").last
    box = last.bounding_box()
    assert box is not None and box["height"] > 100
    last.scroll_into_view_if_needed()
    page.wait_for_function("[...document.querySelectorAll('img.klcal-light')].at(-1).naturalWidth > 0")
    assert last.bounding_box()["height"] == pytest.approx(box["height"], rel=0.01)  # type: ignore[index]
    context.close()


@pytest.mark.parametrize("width", [390, 560, 600, 601, 1300])
def test_a_figure_says_that_it_is_scrolled_exactly_where_it_is(
    width: int, browser: Browser, book: Path
) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": width, "height": 844})
    page = context.new_page()
    page.goto((book / "chapters" / "05_the_algorithm.html").as_uri())
    figures = page.locator("figure:has(> img.klcal-light)").all()
    assert figures
    for figure in figures:
        is_wider = figure.evaluate("part => part.scrollWidth > part.clientWidth")
        hint = figure.locator("figcaption").evaluate("part => getComputedStyle(part, '::before').content")
        assert ("scroll sideways" in hint) is is_wider
        assert is_wider is (width < 600 and figure.locator("img.klcal-part").count() == 0)
    context.close()


def test_first_page_leads_to_the_introduction_from_disk(browser: Browser, book: Path) -> None:
    context = opening.new_context(browser, opening.WIDE)
    page = context.new_page()
    page.goto((book / "index.html").as_uri())
    page.wait_for_url((book / "chapters" / "intro.html").as_uri())
    context.close()


@pytest.mark.parametrize(
    ("words", "first", "absent"),
    [
        ("tree", "09_one_forecaster.html#", "nowhere"),
        ("PAIR", "08_explicit", "nowhere"),
        ("Theorem 2", "05_the_algorithm.html#", "nowhere"),
        ("clamped", "chapters/0", "15_real_data"),  # which names it in previews only
    ],
)
def test_search_from_disk_finds_chapters_and_statements_first(
    words: str, first: str, absent: str, browser: Browser, book: Path
) -> None:
    context = opening.new_context(browser, opening.WIDE)
    page = context.new_page()
    visit = opening.watch(page, book.as_uri())
    page.goto(f"{(book / 'search.html').as_uri()}?q={words}")
    page.locator("#search-results p", has_text="found").wait_for()
    found = page.locator("#search-results li > a").evaluate_all("all => all.map((one) => one.href)")
    assert first in found[0] and not any(absent in address for address in found)
    assert visit == {"errors": [], "requests": []}
    page.goto((book / "chapters" / "03_grids.html").as_uri())
    assert page.locator("script[src*=searchindex]").count() == 0, "the index is loaded where one searches"
    context.close()


def test_excerpts_of_a_served_search_are_words_and_no_tex(browser: Browser, book: Path) -> None:
    context = opening.new_context(browser, opening.WIDE)
    with opening.served(book) as home:
        page = context.new_page()
        visit = opening.watch(page, home)
        page.goto(f"{home}/search.html?q=pinsker")
        page.locator("#search-results p", has_text="found").wait_for()
        page.wait_for_load_state("networkidle")
        excerpts = page.locator("#search-results p.context").all_inner_texts()
    context.close()
    assert excerpts
    assert not any("\\" in text for text in excerpts)
    assert visit == {"errors": [], "requests": []}
