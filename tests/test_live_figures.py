"""Live figures show the numbers of klcal, and a page without scripts shows their first picture."""

from __future__ import annotations

from typing import Any

import live_figures
import pytest
from klcal_book.live_figure import figure

import klcal


@pytest.fixture(scope="module")
def node() -> str:
    program = live_figures.node_program()
    if program is None:
        pytest.skip("no Node that runs on this machine: the live figures were not run outside a browser")
    return program


def numbers(node: str, name: str, *requests: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the numbers of a figure for each request."""
    return [answer["numbers"] for answer in live_figures.asked(node, [{"name": name, **r} for r in requests])]


def test_first_pictures_are_those_of_the_modules(node: str) -> None:
    answers = live_figures.asked(node, [{"name": name} for name in live_figures.NAMES])
    for name, answer in zip(live_figures.NAMES, answers, strict=True):
        assert live_figures.still(name).read_text() == answer["still"] + "\n", name


@pytest.mark.parametrize("name", live_figures.NAMES)
def test_page_without_scripts_shows_the_first_picture_and_no_controls(name: str) -> None:
    before_the_script = figure(live_figures.FOLDER / f"{name}.mjs").split("<script")[0]
    assert live_figures.still(name).read_text().strip() in before_the_script
    assert 'class="klcal-live-controls" hidden></div>' in before_the_script


def test_first_page_plays_the_tree_of_klcal(node: str) -> None:
    by_hand = ["one", "one", "zero", "one", "zero"] * 20
    played, chosen = numbers(
        node,
        "first_game",
        {"actions": by_hand},
        {"values": {"nature": "threshold 0.05"}, "actions": ["adversary"] * 150},
    )
    assert played["outcomes"] == [int(action == "one") for action in by_hand]
    adversary = klcal.adversaries.ADAPTIVE["threshold 0.05"](150)
    assert chosen["outcomes"] == klcal.run(adversary, algorithm="tree", rng=0).outcomes.tolist()
    for told in (played, chosen):
        run = klcal.run(told["outcomes"], algorithm="tree", rng=0, record=True)
        assert told["draws"] == run.grid.points[run.draws].tolist()
        assert told["klcal"] == pytest.approx(klcal.kl_calibration(run.realised), rel=1e-12)
