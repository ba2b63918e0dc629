"""The dependency graph and the catalogue in a real browser: pointing, clicking, keys, search, no scripts, a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import opening
import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from klcal.claims import REGISTRY, catalogue, graph, stored
from klcal.claims._graph import Graph
from klcal.claims._markup import anchor
from klcal.claims._nodes import ancestors, descendants
from klcal.claims._stored import place

if opening.browser_program() is None:
    pytest.skip("no Chromium on this machine: the graph was not tried in a browser", allow_module_level=True)

STATIC = opening.ROOT / "chapters" / "_static"
CHOSEN = "lem:rounding"


@pytest.fixture(scope="module")
def drawing() -> Graph:
    return graph()


@pytest.fixture(scope="module")
def page_file(drawing: Graph, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with graph and catalogue, and the book's own script and style sheet."""
    head = f'<meta charset="utf-8"><link rel="stylesheet" href="{(STATIC / "graph.css").as_uri()}">'
    script = f'<script src="{(STATIC / "graph.js").as_uri()}"></script>'
    file = tmp_path_factory.mktemp("page") / "claims.html"
    body = f"<body style='margin:0'>{drawing._repr_html_()}{catalogue()._repr_html_()}</body>"
    file.write_text(
        f"<!doctype html><html lang='en'><head>{head}{script}</head>{body}</html>", encoding="utf-8"
    )
    return file


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = opening.launch(playwright)
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser, page_file: Path) -> Iterator[Page]:
    opened = browser.new_page(viewport=opening.WIDE)
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.goto(page_file.as_uri())
    yield opened
    assert errors == []
    opened.close()


def node(page: Page, label: str = CHOSEN):
    return page.locator(f'a[data-labels~="{label}"]')


def names(page: Page, drawing: Graph, selector: str) -> set[str]:
    numbers = page.eval_on_selector_all(selector, "all => all.map(a => Number(a.dataset.node))")
    return {drawing.nodes[number].name for number in numbers}


def folded(labels: set[str]) -> set[str]:
    return {label.partition("/")[0] for label in labels} - {CHOSEN}


def own_labels(drawing: Graph) -> tuple[str, ...]:
    return next(each.labels for each in drawing.nodes if each.name == CHOSEN)


def test_pointing_lights_what_a_statement_builds_on_and_what_builds_on_it(page: Page, drawing: Graph) -> None:
    node(page).hover()
    assert names(page, drawing, "a.klcal-self") == {CHOSEN}
    assert names(page, drawing, "a.klcal-up") == folded(ancestors(own_labels(drawing)))
    assert names(page, drawing, "a.klcal-down") == folded(descendants(own_labels(drawing)))
    page.mouse.move(1, 1)
    assert page.locator(".klcal-lit").count() == 0


@pytest.mark.parametrize("way", ["click", "Enter"])
def test_choosing_a_statement_shows_its_evidence_and_escape_gives_the_focus_back(
    page: Page, way: str
) -> None:
    if way == "click":
        node(page).click()
    else:
        node(page).focus()
        page.keyboard.press("Enter")
    panel = page.locator(".klcal-panel")
    told = panel.inner_text()
    for words in (
        REGISTRY[CHOSEN].number,
        "Coq",
        "near misses rejected",
        "python -m klcal verify",
    ):
        assert words in told
    assert panel.locator("a.klcal-go").first.get_attribute("href") == place(CHOSEN)
    assert panel.locator("details").count() == len(own_labels_of(page))
    page.keyboard.press("Escape")
    assert panel.is_hidden()
    assert page.evaluate("document.activeElement.dataset.labels").split()[0].startswith(CHOSEN)


def own_labels_of(page: Page) -> list[str]:
    return (node(page).get_attribute("data-labels") or "").split()


def test_a_sub_graph_can_be_shown_alone_and_left_again(page: Page, drawing: Graph) -> None:
    node(page).click()
    page.get_by_role("button", name="Show only its sub-graph").click()
    labels = own_labels(drawing)
    kept = folded(ancestors(labels) | descendants(labels)) | {CHOSEN}
    shown = "all => all.filter(a => getComputedStyle(a).display !== 'none').map(a => Number(a.dataset.node))"
    assert {drawing.nodes[n].name for n in page.eval_on_selector_all("a[data-node]", shown)} == kept
    page.get_by_role("button", name="Show all", exact=True).click()
    assert len(page.eval_on_selector_all("a[data-node]", shown)) == len(drawing.nodes)


def test_words_and_choices_filter_the_table(page: Page) -> None:
    page.get_by_role("searchbox", name="Search the entries").fill("lem:rounding explicit")
    visible = page.locator(".klcal-entries tbody tr:visible")
    found = [
        label for label in REGISTRY if anchor(label) in visible.evaluate_all("all => all.map(r => r.id)")
    ]
    assert "lem:rounding/explicit" in found and len(found) < 10
    assert page.locator("output").inner_text() == f"{len(found)} of {len(REGISTRY)} entries"
    page.get_by_role("searchbox", name="Search the entries").fill("")
    page.locator('select[data-filter="kind"]').select_option("cited")
    assert visible.count() == sum(entry.kind == "cited" for entry in stored().values()) > 0
    page.locator('select[data-filter="scope"]').select_option("whole")
    assert visible.count() == 0
    page.locator('select[data-filter="kind"]').select_option("exact")
    exact = [entry for entry in stored().values() if entry.kind == "exact"]
    assert visible.count() == sum(entry.scope.startswith("whole") for entry in exact) < len(exact)


def test_an_address_with_a_label_opens_the_entry_even_if_a_filter_hides_it(page: Page) -> None:
    page.get_by_role("searchbox", name="Search the entries").fill("no such words")
    page.evaluate(f"location.hash = '{anchor(CHOSEN)}'")
    row = page.locator(f"#{anchor(CHOSEN)}")
    row.locator("dl").wait_for(state="visible")
    assert page.locator("output").inner_text() == f"{len(REGISTRY)} of {len(REGISTRY)} entries"


def test_without_scripts_nodes_are_links_and_the_table_is_whole(browser: Browser, page_file: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(page_file.as_uri())
    assert node(page).get_attribute("href") == place(CHOSEN)
    assert page.locator(".klcal-filters").is_hidden()
    assert page.locator(".klcal-entries tbody tr").count() == len(REGISTRY)
    context.close()


def test_on_a_phone_the_graph_scrolls_in_its_box_and_the_page_does_not(page: Page) -> None:
    page.set_viewport_size(opening.NARROW)
    node(page).click()
    assert page.evaluate("document.documentElement.scrollWidth") <= opening.NARROW["width"]
    inner, outer = page.eval_on_selector(".klcal-graph-view", "e => [e.scrollWidth, e.clientWidth]")
    assert inner > outer
    box = page.locator(".klcal-panel").bounding_box()
    assert box is not None and box["x"] >= 0 and box["width"] <= opening.NARROW["width"]


def test_one_chapter_alone_fills_the_frame(page: Page) -> None:
    before = page.get_attribute(".klcal-graph svg", "viewBox")
    page.select_option(".klcal-graph-tools select", label="3. Grids, rounding and one learner")
    shown = page.locator("a[data-node]:visible")
    assert 5 < shown.count() < 60
    pages = {
        link.split("#")[0] for link in shown.evaluate_all("links => links.map(a => a.getAttribute('href'))")
    }
    assert pages == {"03_grids.html"}
    frame, first = (page.locator(each).first.bounding_box() for each in (".klcal-graph-view", "a.klcal-kept"))
    assert frame is not None and first is not None and first["y"] < frame["y"] + frame["height"], (
        "it is in sight"
    )
    after = page.get_attribute(".klcal-graph svg", "viewBox")
    assert before and after and float(after.split()[3]) < float(before.split()[3]) / 3
    page.click("text=Show all")
    assert page.get_attribute(".klcal-graph svg", "viewBox") == before


def test_every_chapter_fits_into_the_frame_wherever_it_was_scrolled_to(page: Page) -> None:
    for chapter in page.locator(".klcal-graph-tools option").all()[1:]:
        page.click("text=Show all") if page.is_visible("text=Show all") else None
        page.eval_on_selector(".klcal-graph-view", "frame => frame.scrollTo(0, 400)")
        page.select_option(".klcal-graph-tools select", chapter.get_attribute("value"))
        top, low = page.eval_on_selector(
            ".klcal-graph-view",
            """frame => { const a = frame.getBoundingClientRect(), b = [...frame.querySelectorAll(".klcal-kept rect")];
              const [tops, lows] = ["top", "bottom"].map(side => b.map(each => each.getBoundingClientRect()[side]));
              return [Math.min(...tops) - a.top, a.bottom - Math.max(...lows)]; }""",
        )
        assert top >= 0 and low >= 0, chapter.text_content()


def test_an_address_that_names_a_chapter_shows_that_chapter_alone(page: Page, page_file: Path) -> None:
    page.goto("about:blank")
    page.goto(f"{page_file.as_uri()}#graph-08_explicit_algorithms")
    shown = page.locator("a[data-node]:visible")
    links = shown.evaluate_all("links => links.map(a => a.getAttribute('href').split('#')[0])")
    assert len(links) > 1 and set(links) == {"08_explicit_algorithms.html"}
    assert page.input_value(".klcal-graph-tools select") == "08_explicit_algorithms.html"
    page.evaluate("location.hash = '#graph-03_grids'")
    page.wait_for_function("document.querySelector('.klcal-graph-tools select').value === '03_grids.html'")
    links = shown.evaluate_all("links => links.map(a => a.getAttribute('href').split('#')[0])")
    assert set(links) == {"03_grids.html"}
    page.click("text=Show all")
    assert shown.count() > 60


def test_the_graph_can_be_searched(page: Page) -> None:
    page.fill(".klcal-graph-tools input", "pinsker")
    found = page.locator("a.klcal-found")
    assert 0 < found.count() < 10
    assert (
        "pinsker"
        in (found.first.get_attribute("data-labels") or "").lower()
        + (found.first.get_attribute("aria-label") or "").lower()
    )
    page.fill(".klcal-graph-tools input", "")
    assert page.locator("a.klcal-found").count() == 0
