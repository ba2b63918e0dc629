"""Live figures in a real browser: by keyboard alone, without complaints, and without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import live_figures
import opening
import pytest
from klcal_book._live_figure import figure
from playwright.sync_api import Browser, Page

import klcal

SHEETS = [live_figures.ROOT / "chapters" / "_static" / name for name in ("play.css", "live.css")]
STYLE = "".join(sheet.read_text(encoding="utf-8") for sheet in SHEETS)


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a page with all live figures and nothing else."""
    figures = "".join(figure(live_figures.FOLDER / f"{name}.mjs") for name in live_figures.NAMES)
    path = tmp_path_factory.mktemp("sheet") / "sheet.html"
    head = f'<title>t</title><meta charset="utf-8"><link rel="icon" href="data:,"><style>{STYLE}</style>'
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
    assert visit == {"errors": [], "requests": []}


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


def middle(page: Page, name: str, selector: str) -> tuple[float, float]:
    """Return where a part of a figure is in the window."""
    part = page.locator(f'[data-live="{name}"] {selector}').first
    part.scroll_into_view_if_needed()
    box = part.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, name: str, grip: str, by: float) -> float:
    """Drag a disc to the right and return what its range says then."""
    x, y = middle(page, name, f'[data-drag="{grip}"]')
    page.mouse.move(x + 3, y)
    page.mouse.down()
    page.mouse.move(x + 3 + by / 2, y)
    page.mouse.move(x + 3 + by, y - 40)
    page.mouse.up()
    page.mouse.move(x, y)
    return float(page.locator(f'[data-live="{name}"] [data-set="{grip}"]').input_value())


def test_points_of_a_divergence_are_dragged_along_the_curve(page: Page) -> None:
    before = numbers(page, "bregman")["breg"]
    p, rho = drag(page, "bregman", "p", 60), drag(page, "bregman", "rho", -50)
    assert p > 0.25 and rho < 0.55
    told = numbers(page, "bregman")["breg"]
    assert told != before
    assert told == pytest.approx(klcal.losses.squared.divergence(rho, p), rel=1e-12)
    assert middle(page, "bregman", '[data-drag="p"]')[0] < middle(page, "bregman", '[data-drag="rho"]')[0]


def test_kinks_of_a_loss_are_dragged_and_its_swap_regret_follows(page: Page) -> None:
    before = numbers(page, "kinks")["regret"]
    kinks = [drag(page, "kinks", name, by) for name, by in (("first", 9), ("second", 12), ("third", -80))]
    assert kinks[0] > 0.055 and kinks[1] > 0.205 and kinks[2] < 0.605
    cells = klcal.run(klcal.adversaries.ADAPTIVE["greedy realised"](400), 6, "pair", rng=0).realised
    regret = klcal.swap_regret(cells, klcal.losses.mixture_of_v(kinks, [1, 1, 1]))
    assert regret != pytest.approx(before)
    assert numbers(page, "kinks")["regret"] == pytest.approx(regret, rel=1e-12)
    assert f"{regret:.2f}" in page.locator('[data-live="kinks"] .klcal-live-words').inner_text()


def test_a_finger_drags_too_and_the_page_does_not_scroll(browser: Browser, sheet: Path) -> None:
    context = browser.new_context(viewport=opening.NARROW, has_touch=True)
    page = context.new_page()
    page.goto(sheet.as_uri())
    x, y = middle(page, "sine_grid", '[data-drag="w"]')
    scrolled = page.evaluate("scrollY")
    fingers = context.new_cdp_session(page)
    for kind, dx, dy in (
        ("touchStart", 0, 0),
        ("touchMove", 20, 40),
        ("touchMove", 40, 90),
        ("touchEnd", 0, 0),
    ):
        points = [] if kind == "touchEnd" else [{"x": x + dx, "y": y + dy}]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    # The last move is told with the next frame.
    page.wait_for_function(
        'Number(document.querySelector(\'[data-live="sine_grid"] [data-set="w"]\').value) > 0.45'
    )
    assert page.evaluate("scrollY") == scrolled
    context.close()


def test_a_cell_of_the_sign_game_is_pointed_at_by_pressing_it(page: Page) -> None:
    x, y = middle(page, "sign_game", '[data-to="5"]')
    page.mouse.click(x, y)
    assert numbers(page, "sign_game")["cells"] in ("....+.", "....-.")
    assert page.locator('[data-live="sign_game"] [data-to="5"]').count() == 0


def test_every_control_is_reached_by_tab_and_buttons_answer_to_enter_and_space(page: Page) -> None:
    controls = page.locator(".klcal-live :is(button, select, input:not([type=radio]), input:checked)")
    page.keyboard.press("Tab")
    for index in range(controls.count()):
        assert controls.nth(index).evaluate("(control) => control === document.activeElement")
        page.keyboard.press("Tab")
    sand = page.locator('[data-live="sand"]')
    sand.get_by_role("button", name="outcome 1").press("Enter")
    sand.get_by_role("button", name="outcome 0").press("Space")
    assert [numbers(page, "sand")[key] for key in ("t", "nodes")] == [
        2,
        [[0, 0, 1, 1], [1, 0, 1, 0], [1, 1, 0, 0]],
    ]
    assert "Round 2" in sand.locator(".klcal-live-words").inner_text()
    sand.get_by_label("you").press("ArrowLeft")
    sand.locator('[data-set="time"]').press("End")
    assert numbers(page, "sand")["t"] == 100_000
    assert "Round 100,000" in sand.locator(".klcal-live-words").inner_text()


def test_running_figure_runs_and_pauses_and_a_new_grid_starts_again(page: Page) -> None:
    pair = page.locator('[data-live="pair_rule"]')
    page.emulate_media(reduced_motion="no-preference")
    pair.get_by_role("button", name="Let Nature oppose").click()
    page.wait_for_function("document.querySelector('[data-live=\"pair_rule\"]').numbers.outcomes.length > 2")
    pair.get_by_role("button", name="Pause").click()
    played = numbers(page, "pair_rule")["outcomes"]
    assert played == klcal.run(klcal.adversaries.Oppose(len(played)), 5, "pair", rng=0).outcomes.tolist()
    pair.get_by_label("grid size").press("ArrowRight")
    told = numbers(page, "pair_rule")
    assert told["outcomes"] == [] and len(told["means"]) == 5


def test_who_wants_no_motion_sees_a_hundred_rounds_at_once(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    chain = page.locator('[data-live="chain"]')
    chain.get_by_role("button", name="Let Nature play").click()
    assert len(numbers(page, "chain")["outcomes"]) == 100
    assert chain.get_by_role("button", name="Let Nature play").is_visible()


def test_the_black_disc_of_the_two_forces_moves_and_the_button_finds_the_best_grid(page: Page) -> None:
    drag(page, "two_forces", "logK", 60)
    told = numbers(page, "two_forces")
    assert told["K"] > 30
    assert told["bound"] == pytest.approx(klcal.bounds.theorem_2(100_000, told["K"]), rel=1e-12)
    page.locator('[data-live="two_forces"]').get_by_role("button", name="best K").press("Enter")
    assert numbers(page, "two_forces")["K"] == 42
    page.locator('[data-live="two_forces"]').get_by_label("cells K").press("ArrowLeft")
    assert numbers(page, "two_forces")["K"] < 42


def test_without_scripts_the_first_pictures_are_shown_and_no_controls(browser: Browser, sheet: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(sheet.as_uri())
    assert page.locator(".klcal-live svg[role=img]").count() >= len(live_figures.NAMES)
    for root in page.locator(".klcal-live").all():
        assert any(picture.is_visible() for picture in root.locator("svg").all())
    assert not any(
        control.is_visible() for control in page.locator(".klcal-live :is(button, select, input)").all()
    )
    context.close()
