"""Five pages in Firefox, opened from disk: what Chromium hides."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import firefox
import opening
import pytest

PAGES = ("intro", "01_losses_and_calibration", "05_the_algorithm", "09_one_forecaster", "play")
# Formulas in a line whose parts stand in more than one line.
BROKEN = """[...document.querySelectorAll("math[display=inline]")].filter((formula) => {
  const tops = [...formula.children].map((part) => part.getBoundingClientRect()).filter(({ height }) => height > 4);
  return tops.some(({ top }) => top > Math.min(...tops.map(({ bottom }) => bottom)) + 2);
}).map((formula) => formula.textContent)"""
# Figures say so when their modules have run; the board of Play has a game.
AWAKE = """[...document.querySelectorAll("[data-live]")].every(
  (figure) => figure.matches(".klcal-awake") || figure.querySelector(".klcal-play")?.game,
)"""
UNFOLDED = f"(() => {{ {opening.PROBE} ; probe.unfold(); return probe.ready(); }})()"


@pytest.fixture(scope="module")
def fox() -> Iterator[firefox.Firefox]:
    if firefox.firefox_program() is None:
        pytest.skip("no Firefox on this machine (install the package firefox-esr)")
    with firefox.started() as window:
        yield window


@pytest.mark.parametrize("name", PAGES)
def test_page_is_whole_in_firefox(name: str, fox: firefox.Firefox, book: Path) -> None:
    fox.errors.clear()
    for width in (1280, 390, 320):
        fox.open((book / "chapters" / f"{name}.html").as_uri(), width=width)
        fox.evaluate(UNFOLDED)
        assert fox.evaluate(BROKEN) == []
        assert fox.evaluate("[...probe.formulas(), ...probe.overflow()]") == []
        assert fox.evaluate("document.fonts.check('1em \"klcal math\"')")
    fox.wait_for(AWAKE)
    # Firefox complains about a formula of which it has read a half when it paints; `probe` has counted the parts.
    assert [each for each in fox.errors if "number of children" not in each] == []


def test_a_key_moves_the_slider_of_cells_by_one(fox: firefox.Firefox, book: Path) -> None:
    fox.open((book / "chapters" / "05_the_algorithm.html").as_uri())
    figure = "document.querySelector('[data-live=two_forces]')"
    fox.wait_for(AWAKE)
    fox.evaluate(f"{figure}.querySelector('[data-set=logK]').focus()")
    before = fox.evaluate(f"{figure}.numbers.K")
    fox.press("\ue014")  # arrow right
    assert fox.evaluate(f"{figure}.numbers.K") == before + 1
