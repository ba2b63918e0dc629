"""Live figures in a real browser: by keyboard alone, without complaints, and without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import live_figures
import opening
import pytest
from klcal_book._live_figure import figure
from playwright.sync_api import Browser, Page, sync_playwright

import klcal

if opening.browser_program() is None:
    pytest.skip(
        "no Chromium on this machine: live figures were not opened in a browser", allow_module_level=True
    )

STYLE = (live_figures.ROOT / "chapters" / "_static" / "play.css").read_text(encoding="utf-8")
# What the theme of the book gives, light and dark.
THEME = """
html { background: #fff; color: #222; --pst-color-text-base: #222; --pst-color-text-muted: #48566b;
  --pst-color-background: #fff; --pst-color-surface: #f3f4f5; --pst-color-border: #c9c9c9; }
html[data-theme="dark"] { background: #121212; color: #ced6dd; --pst-color-text-base: #ced6dd;
  --pst-color-text-muted: #9ca4af; --pst-color-background: #121212; --pst-color-surface: #29313d; }
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = opening.launch(playwright)
        yield started
        started.close()


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a page with all live figures and nothing else."""
    figures = "".join(figure(live_figures.FOLDER / f"{name}.mjs") for name in live_figures.NAMES)
    path = tmp_path_factory.mktemp("sheet") / "sheet.html"
    head = (
        f'<title>t</title><meta charset="utf-8"><link rel="icon" href="data:,"><style>{THEME}{STYLE}</style>'
    )
    path.write_text(f'<!doctype html><html lang="en"><head>{head}</head><body>{figures}</body></html>')
    return path


@pytest.fixture
def page(browser: Browser, sheet: Path) -> Iterator[Page]:
    context = opening.new_context(browser, opening.WIDE)
    page = context.new_page()
    visit = opening.watch(page, sheet.as_uri())
    page.goto(sheet.as_uri())
    page.wait_for_function("[...document.querySelectorAll('.klcal-live')].every((root) => root.numbers)")
    yield page
    context.close()
    assert visit.complaints == {"errors": [], "requests": []}


def numbers(page: Page, name: str) -> Any:
    return page.evaluate(f"document.querySelector('[data-live=\"{name}\"]').numbers")


def test_arrow_keys_move_a_slider_and_numbers_follow(page: Page) -> None:
    page.locator('[data-live="bregman"] select').select_option("log")
    slider = page.locator('[data-live="bregman"]').get_by_label("forecast p")
    before = float(slider.input_value())
    slider.press("ArrowRight")
    p = float(slider.input_value())
    assert p > before
    assert numbers(page, "bregman")["breg"] == pytest.approx(klcal.losses.log.divergence(0.6, p), rel=1e-12)
    assert f"{klcal.losses.log.divergence(0.6, p):.4f}" in page.locator('[data-live="bregman"]').inner_text()


def test_every_control_is_reached_by_tab_and_buttons_answer_to_enter_and_space(page: Page) -> None:
    controls = page.locator(".klcal-live :is(button, select, input)")
    page.keyboard.press("Tab")
    for index in range(controls.count()):
        assert controls.nth(index).evaluate("(control) => control === document.activeElement")
        page.keyboard.press("Tab")
    tree = page.locator('[data-live="tree_steps"]')
    tree.get_by_role("button", name="outcome 1").press("Enter")
    tree.get_by_role("button", name="outcome 0").press("Space")
    told = numbers(page, "tree_steps")
    run = klcal.run([1, 0], algorithm="tree", rng=0, record=True)
    assert told["outcomes"] == [1, 0]
    assert told["draws"] == run.grid.points[run.draws].tolist()
    assert "Round 2" in tree.get_by_role("status").inner_text()


def test_running_figure_runs_and_pauses_and_a_new_grid_starts_again(page: Page) -> None:
    pair = page.locator('[data-live="pair_rule"]')
    pair.get_by_role("button", name="Let Nature oppose").click()
    page.wait_for_function("document.querySelector('[data-live=\"pair_rule\"]').numbers.outcomes.length > 2")
    pair.get_by_role("button", name="Pause").click()
    played = numbers(page, "pair_rule")["outcomes"]
    assert played == klcal.run(klcal.adversaries.Oppose(len(played)), 5, "pair", rng=0).outcomes.tolist()
    pair.get_by_label("grid size").press("ArrowRight")
    told = numbers(page, "pair_rule")
    assert told["outcomes"] == [] and len(told["means"]) == 5


def test_figures_read_well_in_light_dark_and_narrow(page: Page) -> None:
    kinds = ("contrast", "pictures", "unlabelled", "overflow")
    found = [opening.probe(page, kind) for kind in kinds]
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.set_viewport_size(opening.NARROW)
    found += [opening.probe(page, kind) for kind in kinds]
    assert found == [[]] * 8


def test_without_scripts_the_first_pictures_are_shown_and_no_controls(browser: Browser, sheet: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(sheet.as_uri())
    assert page.locator(".klcal-live svg[role=img]").count() >= len(live_figures.NAMES)
    assert all(picture.is_visible() for picture in page.locator(".klcal-live svg").all())
    assert page.locator(".klcal-live :is(button, select, input)").count() == 0
    context.close()
