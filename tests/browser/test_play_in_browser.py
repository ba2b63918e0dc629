"""Play Nature and the first page in a real browser."""

from __future__ import annotations

import contextlib
import io
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import opening
import pytest
import transcripts
from klcal_book._live_figure import joined
from playwright.sync_api import Browser, Page

import klcal

BOARD = ".klcal-play"
STORED = sorted(transcripts.FOLDER.glob("*.json"))


@pytest.fixture
def play(browser: Browser, book: Path) -> Iterator[Page]:
    """Give the page "Play Nature", opened from disk."""
    context = opening.new_context(browser, opening.WIDE)
    page = context.new_page()
    visit = opening.watch(page, book.as_uri())
    opening.open_page(page, (book / "chapters" / "play.html").as_uri())
    yield page
    context.close()
    assert visit == {"errors": [], "requests": []}


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
    play.set_viewport_size(opening.WIDE)
    players = "document.querySelector('.klcal-play-players')"
    assert play.evaluate(f"{players}.scrollWidth <= {players}.clientWidth"), "all three are seen at 1280 px"
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
    play.keyboard.press("1")
    play.get_by_role("checkbox", name="keys").check()
    play.keyboard.press("0")
    assert game(play, "outcomes") == [1, 1, 0, 1, 0]


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
    shown = [game(play, f"history.{name}.at(-1).paid") for name in transcripts.ALGORITHMS]
    assert [float(line) for line in printed.getvalue().splitlines()] == pytest.approx(shown)
    play.get_by_role("button", name="New game").click()
    exec(play.locator("[data-show='python']").text_content() or "", {})


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
    play.set_viewport_size(opening.NARROW)
    for button in play.locator("[data-try]").all():
        button.click()
        assert 0 <= play.locator(".klcal-play-against").evaluate("(it) => it.getBoundingClientRect().x") < 70
        assert game(play, "rounds") == 200
        assert play.locator('[data-show="look"]').inner_text()
    assert game(play, "seed") == 1 and set(game(play, "authors")) == {"feed the richer"}


def test_first_page_plays_by_itself_and_its_keys_begin_a_game_of_the_readers_own(
    browser: Browser, book: Path
) -> None:
    page = browser.new_page(viewport={"width": 1440, "height": 950})
    page.goto((book / "chapters" / "intro.html").as_uri())
    days = "document.querySelector('[data-live=\"two_forecasters\"]').numbers.rain.length"
    page.wait_for_function(f"{days} < 1000")
    page.wait_for_function(f"{days} === 1000")
    words = page.locator('[data-live="two_forecasters"] [data-show="words"]')
    words.get_by_text("Day 1000.").wait_for()
    page.get_by_role("button", name="rain", exact=True).click()
    page.keyboard.press("0")
    assert page.evaluate(days) == 2 and words.inner_text().startswith("Day 2.")
    page.close()


def test_module_plays_the_stored_transcripts_in_the_browser(browser: Browser) -> None:
    page = browser.new_page()
    page.add_script_tag(content=joined(transcripts.FOLDER / "replay.mjs") + "\nglobalThis.replayed = replay;")
    for path in STORED:
        stored = json.loads(path.read_text())
        answer = page.evaluate("(game) => JSON.stringify(replayed(game))", stored["game"])
        assert list(transcripts.differences(stored["told"], json.loads(answer))) == [], path.stem
    page.close()
