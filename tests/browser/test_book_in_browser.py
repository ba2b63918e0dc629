"""The built book in a real browser: from disk and served, light and dark, on a desk and on a phone."""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import opening
import pytest
import transcripts
from klcal_book._live_figure import joined
from playwright.sync_api import Browser, Page, sync_playwright

import klcal

if opening.browser_program() is None:
    pytest.skip(
        "no Chromium on this machine: the book was not opened in a browser "
        "(install the package chromium, or name a browser in KLCAL_BROWSER)",
        allow_module_level=True,
    )

BOARD = ".klcal-play"
STORED = sorted(transcripts.FOLDER.glob("*.json"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = opening.launch(playwright)
        yield started
        started.close()


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return opening.built_book(tmp_path_factory.mktemp("book"))


@pytest.fixture(scope="module")
def pages(book: Path) -> list[Path]:
    """Return all pages but the first one, which only leads to the introduction; of the Coq sources two, made alike."""
    found = sorted(path for path in book.rglob("*.html") if path.relative_to(book).parts[0] != "_static")
    found = [
        path for path in found if path.parent.name != "proofs" or path.stem in ("Definitions", "Theorem2")
    ]
    return [path for path in found if path != book / "index.html"]


@pytest.fixture(scope="module")
def blank(browser: Browser) -> Iterator[Page]:
    """Give one page for all samples."""
    context = opening.new_context(browser, opening.WIDE)
    yield context.new_page()
    context.close()


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


# --- every page -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", ["requests", "errors", "formulas", "pictures", "unlabelled", "overflow", "contrast"]
)
def test_no_page_has_complaints_about(kind: str, visits: dict[str, opening.Visit]) -> None:
    assert visits
    assert "\n".join(complaints(visits, kind)) == ""


def test_pages_have_formulas_and_pictures_to_look_at(browser: Browser, book: Path) -> None:
    context = opening.new_context(browser, opening.WIDE)
    page = context.new_page()
    opening.open_page(page, (book / "chapters" / "03_grids.html").as_uri())
    assert page.locator("math").count() > 50
    assert page.locator("img[alt]").count() > 2
    context.close()


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
    link.tap()
    sheet = page.locator(".klcal-sheet:popover-open")
    sheet.wait_for()
    assert page.url == address
    box = sheet.bounding_box()
    assert box is not None and abs(box["y"] + box["height"] - 844) < 2 and box["width"] == 390
    sheet.get_by_role("link", name="Go there").tap()
    page.wait_for_url("**/05_the_algorithm.html#*")
    context.close()


SHIFTS = """globalThis.shifted = 0;
new PerformanceObserver((found) => { for (const each of found.getEntries()) shifted += each.value; })
  .observe({ type: "layout-shift", buffered: true });"""


def test_nothing_moves_while_a_page_loads_on_a_slow_machine(browser: Browser, book: Path) -> None:
    """Layout shift at one sixth of the speed; 0.1 is what is held to be good."""
    found = {}
    for path in sorted(book.glob("chapters/*.html")):
        context = browser.new_context(viewport=opening.WIDE)
        context.add_init_script(SHIFTS)
        page = context.new_page()
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 6})
        page.goto(path.as_uri(), timeout=120_000)
        page.evaluate("document.fonts.ready")
        page.evaluate("new Promise((done) => setTimeout(done, 500))")
        found[path.stem] = page.evaluate("shifted")
        context.close()
    assert {name: shift for name, shift in found.items() if shift > 0.1} == {}


FOLLOWS = """() => {
  const list = document.querySelector(".bd-sidebar-secondary");
  const links = [...list.querySelectorAll("#pst-page-toc-nav a")];
  const place = (link) => document.getElementById(decodeURIComponent(link.hash.slice(1))).getBoundingClientRect().top;
  const read = links.findLastIndex((link) => place(link) < 0.3 * innerHeight);
  const outer = list.getBoundingClientRect(), inner = links[read].getBoundingClientRect();
  return read > 20 && links[read].matches(".active")
    && inner.height > 0 && inner.top >= outer.top && inner.bottom <= outer.bottom;
}"""


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
        assert is_wider is (width < 600 and figure.locator("img.klcal-half").count() == 0)
    context.close()


def test_icons_are_letters_of_a_font_and_no_script_draws_them(browser: Browser, book: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((book / "chapters" / "03_grids.html").as_uri())
    assert page.locator("script[src*=fontawesome]").count() == 0
    icons = page.locator("i[class*=fa-], span[class*=fa-]")
    assert icons.count() > 5
    letters = icons.evaluate_all("all => all.map(one => getComputedStyle(one, '::before').content)")
    assert "none" not in letters
    context.close()


@pytest.mark.parametrize("name", ["chapters/01_losses_and_calibration.html", "chapters/play.html"])
def test_served_page_is_complete_too(name: str, browser: Browser, book: Path) -> None:
    context = opening.new_context(browser, opening.NARROW, dark=True)
    with opening.served(book) as home:
        page = context.new_page()
        visit = opening.watch(page, home)
        page.goto(f"{home}/{name}")
        page.wait_for_selector("article h1")
        page.wait_for_load_state("load")
        page.evaluate("async () => { probe.unfold(); await probe.ready(); }")
        visit.add("formulas", opening.probe(page, "formulas"))
        visit.add("overflow", opening.probe(page, "overflow"))
        visit.add("contrast", opening.probe(page, "contrast"))
        theme = page.evaluate("document.documentElement.dataset.theme")
    context.close()
    assert theme == "dark"
    assert {kind: found for kind, found in visit.complaints.items() if found} == {}


def test_first_page_leads_to_the_introduction_from_disk(browser: Browser, book: Path) -> None:
    context = opening.new_context(browser, opening.WIDE)
    page = context.new_page()
    page.goto((book / "index.html").as_uri())
    page.wait_for_url((book / "chapters" / "intro.html").as_uri())
    context.close()


@pytest.mark.parametrize(
    ("words", "first"),
    [("tree", "09_one_forecaster.html#"), ("PAIR", "08_explicit"), ("Theorem 2", "05_the_algorithm.html#")],
)
def test_search_from_disk_finds_chapters_and_statements_first(
    words: str, first: str, browser: Browser, book: Path
) -> None:
    context = opening.new_context(browser, opening.WIDE)
    page = context.new_page()
    visit = opening.watch(page, book.as_uri())
    page.goto(f"{(book / 'search.html').as_uri()}?q={words}")
    page.locator("#search-results p", has_text="found").wait_for()
    assert first in (page.locator("#search-results li a").first.get_attribute("href") or "")
    assert visit.complaints == {"errors": [], "requests": []}
    page.goto((book / "chapters" / "03_grids.html").as_uri())
    assert page.locator("script[src*=searchindex]").count() == 0, "the index is loaded where one searches"
    context.close()


def chapters_with(word: str, browser: Browser, book: Path) -> list[str]:
    """Return the chapters that the search finds, in its order."""
    context = opening.new_context(browser, opening.WIDE)
    page = context.new_page()
    page.goto(f"{(book / 'search.html').as_uri()}?q={word}")
    page.locator("#search-results p", has_text="found").wait_for()
    found = [link.get_attribute("href") or "" for link in page.locator("#search-results li > a").all()]
    context.close()
    return [address for address in found if address.startswith(("chapters/0", "chapters/1"))]


def test_search_finds_no_previews(browser: Browser, book: Path) -> None:
    chapters = chapters_with("clamped", browser, book)
    assert "chapters/05_the_algorithm.html" in chapters
    assert "chapters/13_real_data.html" not in chapters, "which names it in previews only"


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
    assert {kind: found for kind, found in visit.complaints.items() if found} == {}


# --- the checks can fail ----------------------------------------------------------------------------------

GOOD = """<!doctype html><html lang="en"><head><title>t</title><link rel="icon" href="data:,"></head>
<body style="background: #fff; color: #222"><h1>Fine</h1><p>Dark words on white.</p>{extra}</body></html>"""


@pytest.mark.parametrize(
    ("kind", "extra", "complaint"),
    [
        ("pictures", '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">', "no alt text"),
        ("pictures", '<img alt="gone" src="nowhere.png">', "picture is missing"),
        ("pictures", '<svg width="9" height="9"><circle r="4"/></svg>', "drawing without a description"),
        ("formulas", '<b class="math"></b>', "empty formula"),
        ("formulas", "<p>so \\(x^2\\) it is</p>", "formula left as text"),
        ("overflow", '<div style="width: 3000px">wide</div>', "3008 wide in 1300: div"),
        ("contrast", '<p style="color: #888">grey on white</p>', "3.54 of 4.5"),
        ("contrast", '<p style="opacity: 0.5">half there</p>', "of 4.5"),
        ("contrast", '<div style="background: #335"><p>dark on dark</p></div>', "of 4.5"),
        ("contrast", '<svg role="img" aria-label="a"><text y="20" fill="#ccc">faint</text></svg>', "of 4.5"),
        ("contrast", '<h2 style="font-size: 30px; color: #999">large</h2>', "2.85 of 3"),
        ("unlabelled", "<button></button>", "control without a name"),
        ("unlabelled", '<input type="text">', "control without a name"),
    ],
)  # fmt: skip
def test_probe_sees(kind: str, extra: str, complaint: str, blank: Page, tmp_path: Path) -> None:
    for body, expected in ((extra, True), ("", False)):
        (tmp_path / "page.html").write_text(GOOD.format(extra=body), encoding="utf-8")
        opening.open_page(blank, (tmp_path / "page.html").as_uri())
        assert (complaint in " ".join(opening.probe(blank, kind))) is expected


def test_contrast_of_large_and_of_hidden_text_is_judged_as_it_should_be(
    browser: Browser, tmp_path: Path
) -> None:
    fine = (
        '<h2 style="font-size: 30px; color: #888">large</h2><p style="display: none; color: #eee">hidden</p>'
        '<button disabled style="color: #ccc">later</button>'
    )
    (tmp_path / "page.html").write_text(GOOD.format(extra=fine), encoding="utf-8")
    context = opening.new_context(browser, opening.WIDE)
    page = context.new_page()
    opening.open_page(page, (tmp_path / "page.html").as_uri())
    assert opening.probe(page, "contrast") == []
    context.close()


def test_watching_sees_requests_and_errors(browser: Browser, tmp_path: Path) -> None:
    bad = (
        '<img alt="a" src="http://127.0.0.1:9/a.png"><script>throw new Error("broken")</script>'
        '<script>console.error("complaint")</script><script src="none.js"></script>'
    )
    (tmp_path / "page.html").write_text(GOOD.format(extra=bad), encoding="utf-8")
    context = opening.new_context(browser, opening.WIDE)
    page = context.new_page()
    visit = opening.watch(page, tmp_path.as_uri())
    opening.open_page(page, (tmp_path / "page.html").as_uri())
    context.close()
    assert visit.complaints["requests"] == ["http://127.0.0.1:9/a.png"]
    told = " ".join(visit.complaints["errors"])
    assert "broken" in told and "complaint" in told and "none.js" in told


@pytest.mark.parametrize("changed", ["_config.yml", "_toc.yml", "chapters/a.md", "klcal/a.py"])
def test_stale_book_is_not_used(changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_config.yml", "_toc.yml", "chapters/a.md", "klcal/a.py", "_build/html/index.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    monkeypatch.setattr(opening, "ROOT", tmp_path)
    index = tmp_path / "_build" / "html" / "index.html"
    assert opening.is_fresh(index)
    later = index.stat().st_mtime + 10
    os.utime(tmp_path / changed, (later, later))
    assert not opening.is_fresh(index)
    assert not opening.is_fresh(tmp_path / "nowhere" / "index.html")


# --- Play Nature ------------------------------------------------------------------------------------------


@pytest.fixture
def play(browser: Browser, book: Path) -> Iterator[Page]:
    """Give the page "Play Nature", opened from disk."""
    context = opening.new_context(browser, opening.WIDE)
    page = context.new_page()
    visit = opening.watch(page, book.as_uri())
    opening.open_page(page, (book / "chapters" / "play.html").as_uri())
    yield page
    context.close()
    assert visit.complaints == {"errors": [], "requests": []}


def game(page: Page, what: str) -> Any:
    return page.evaluate(f"document.querySelector('{BOARD}').game.{what}")


def test_the_board_is_above_the_fold_and_three_forecasters_stand_in_a_row(play: Page) -> None:
    play.set_viewport_size({"width": 1440, "height": 950})
    play.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = false))")
    boxes = [figure.bounding_box() for figure in play.locator(f"{BOARD} figure").all()]
    assert len({box["y"] for box in boxes if box}) == 1 and len(boxes) == 3
    panel, curves = (play.locator(f".klcal-play-errors{part}").bounding_box() for part in ("", " svg"))
    assert panel == curves, "the curves stand beside their axis"
    score = play.locator('[data-show="score"]').bounding_box()
    assert score and score["y"] + score["height"] < 950
    play.set_viewport_size(opening.NARROW)
    for key in play.locator("[data-outcome]").all():
        box = key.bounding_box()
        assert box and min(box["width"], box["height"]) >= 44


def test_keys_and_buttons_choose_outcomes_and_undo_takes_them_back(play: Page) -> None:
    assert game(play, "rounds") == 200
    play.get_by_role("button", name="New game").click()
    for key in "1101":
        play.keyboard.press(key)
    play.get_by_role("button", name="0", exact=True).click()
    play.get_by_role("button", name="1", exact=True).press("Enter")
    assert game(play, "outcomes") == [1, 1, 0, 1, 0, 1]
    play.keyboard.press("u")
    play.get_by_role("button", name="Undo").click()
    assert game(play, "outcomes") == [1, 1, 0, 1]
    play.get_by_role("checkbox", name="keys").uncheck()
    play.locator("article h1").click()
    play.keyboard.press("1")
    assert game(play, "rounds") == 4


def test_score_says_what_klcal_computes_whoever_is_the_opponent(play: Page) -> None:
    play.get_by_label("seed").fill("7")
    play.get_by_label("seed").press("Enter")
    play.locator("article h1").click()
    outcomes = [1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 1]
    for y in outcomes:
        play.keyboard.press(str(y))
    K, T = klcal.resolution(1000), len(outcomes)
    assert game(play, "seed") == 7 and game(play, "outcomes") == outcomes
    play.locator('figure[data-player="pair"]').click()
    paid = klcal.kl_calibration(klcal.run(outcomes, K, "pair", rng=7).realised)
    greedy = klcal.run(klcal.adversaries.ADAPTIVE["greedy realised"](T), K, "pair", rng=7)
    assert play.locator('[data-show="score"]').inner_text() == (
        f"You made PAIR pay {paid:.1f} in 12 rounds; greedy makes it pay "
        f"{klcal.kl_calibration(greedy.realised):.1f}; "
        f"the bound is {math.ceil(klcal.bounds.pair(T, K, transcripts.DELTA))}."
    )


def test_same_game_in_python_prints_what_the_board_shows(play: Page) -> None:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(play.locator("[data-show='python']").text_content() or "", {})
    paid = [float(line) for line in printed.getvalue().splitlines()]
    assert paid == pytest.approx(
        [game(play, f"history.{name}.at(-1).paid") for name in transcripts.ALGORITHMS]
    )


def test_running_nature_plays_to_the_horizon_and_can_be_paused(play: Page) -> None:
    play.get_by_label("horizon").select_option("100")
    play.locator('[data-set="nature"]').select_option("border")
    play.get_by_label("against").select_option("pair")
    play.get_by_role("button", name="Let “border” play").click()
    assert game(play, "rounds") == 10, "without motion a tenth of the game at once"
    play.emulate_media(reduced_motion="no-preference")
    play.get_by_role("button", name="Let “border” play").click()
    play.wait_for_function(f"document.querySelector('{BOARD}').game.rounds > 11")
    play.get_by_role("button", name="Pause").click()
    stopped = game(play, "rounds")
    assert f"in {stopped} rounds" in play.locator('[data-show="score"]').inner_text()
    play.get_by_role("button", name="Let “border” play").click()
    play.wait_for_function(f"document.querySelector('{BOARD}').game.isOver")
    assert "The last round is over." in play.locator('[data-show="announced"]').inner_text()
    assert play.get_by_role("button", name="1", exact=True).is_disabled()
    told = klcal.run(klcal.adversaries.Border(100), klcal.resolution(100), "pair", rng=0).outcomes.tolist()
    assert game(play, "outcomes") == told


def test_things_to_try_set_the_board_up(play: Page) -> None:
    for button in play.locator("[data-try]").all():
        button.click()
        assert game(play, "rounds") == 200
        assert play.locator('[data-show="look"]').inner_text()
    assert game(play, "seed") == 1 and set(game(play, "authors")) == {"feed the richer"}


def test_board_reads_well_in_light_dark_and_narrow(play: Page) -> None:
    play.keyboard.press("1")
    found = [opening.probe(play, kind) for kind in ("contrast", "pictures", "unlabelled", "overflow")]
    light = play.evaluate("getComputedStyle(document.querySelector('.klcal-play-bar')).fill")
    opening.turn_dark(play)
    dark = play.evaluate("getComputedStyle(document.querySelector('.klcal-play-bar')).fill")
    play.set_viewport_size(opening.NARROW)
    found += [opening.probe(play, kind) for kind in ("contrast", "overflow")]
    assert found == [[]] * 6
    assert light != dark


def test_first_page_plays_by_itself_and_its_keys_begin_a_game_of_the_readers_own(
    browser: Browser, book: Path
) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 950})
    page = context.new_page()
    page.goto((book / "chapters" / "intro.html").as_uri())
    days = "document.querySelector('[data-live=\"two_forecasters\"]').numbers.rain.length"
    page.wait_for_function(f"{days} < 1000")
    page.wait_for_function(f"{days} === 1000")
    words = page.locator('[data-live="two_forecasters"] [data-show="words"]')
    words.get_by_text("Day 1000.").wait_for()
    page.get_by_role("button", name="it rains").click()
    page.keyboard.press("0")
    assert page.evaluate(days) == 2 and words.inner_text().startswith("Day 2.")
    assert page.evaluate("document.documentElement.scrollHeight") <= 4 * 950
    context.close()


def test_module_plays_the_stored_transcripts_in_the_browser(browser: Browser) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.add_script_tag(content=joined(transcripts.FOLDER / "replay.mjs") + "\nglobalThis.replayed = replay;")
    for path in STORED:
        stored = json.loads(path.read_text())
        answer = page.evaluate("(game) => JSON.stringify(replayed(game))", stored["game"])
        assert list(transcripts.differences(stored["told"], json.loads(answer))) == [], path.stem
    context.close()
