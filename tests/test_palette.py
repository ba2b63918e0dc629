"""The book's colours: one per forecaster and adversary, each with a partner that can be seen on a dark page."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb

from klcal import figures
from klcal.book import experiments
from klcal.book.experiments import studies
from klcal.figures import canvas as palette
from klcal.figures.canvas import ADVERSARIES, CYCLE, FORECASTERS, PARTNERS, colours, on_dark

ROOT = Path(__file__).resolve().parents[1]
GROUND, INKS = PARTNERS["#ffffff"], set(palette.INK.values())


def luminance(colour: str) -> float:
    channels = np.array(to_rgb(colour))
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_every_adversary_and_every_forecaster_of_the_stored_tables_has_a_colour_of_its_own() -> None:
    assert {*studies.EVERYONE, *studies.BREAKING} <= set(ADVERSARIES)
    assert len(set(ADVERSARIES.values())) == len(ADVERSARIES)
    arena = set(experiments.stored("arena")["forecaster"])
    assert arena <= set(FORECASTERS) and len({FORECASTERS[name] for name in arena}) == len(arena)


def test_a_name_keeps_its_colour_whatever_stands_beside_it() -> None:
    for names in (["zeros", "blocks"], ["blocks", "mine", "zeros"], ["other", "blocks"]):
        assert colours(names)["blocks"] == ADVERSARIES["blocks"]
        assert len(set(colours(names).values())) == len(names)
    assert colours(["pair", "Algorithm 1"]) == {each: FORECASTERS[each] for each in ("pair", "Algorithm 1")}


@pytest.mark.parametrize(
    "colour", sorted({*CYCLE, *ADVERSARIES.values(), *FORECASTERS.values(), palette.BOUND, *INKS})
)
def test_partners_are_designated_and_can_be_seen_on_the_dark_page(colour: str) -> None:
    assert colour in PARTNERS
    assert contrast(PARTNERS[colour], GROUND) >= 4.5
    assert contrast(colour, "#ffffff") >= (4.5 if colour in INKS else 1.9)


def test_text_on_a_field_can_be_read_on_either_page() -> None:
    for shade in np.linspace(0.0, 1.0, 41):
        text = palette.ON_STRONG if shade < 0.12 or shade > 0.85 else palette.ON_PALE
        field = palette.to_hex(palette.STANDINGS(float(shade)))
        assert contrast(text, field) >= 3.0, shade
        assert contrast(on_dark(text), on_dark(field)) >= 3.0, shade


def test_the_style_names_the_cycle_of_the_palette() -> None:
    figures.use_style()
    assert tuple(f"#{each['color'].lstrip('#')}" for each in plt.rcParams["axes.prop_cycle"]) == CYCLE


def test_live_figures_have_the_colours_of_the_palette_and_their_partners() -> None:
    style = (ROOT / "chapters" / "_static" / "play.css").read_text(encoding="utf-8")
    roles = {"expected": palette.MEASURED, "realised": palette.HIGHLIGHT, "bound": palette.BOUND}
    roles |= {"quiet": palette.REFERENCE, "zero": FORECASTERS["PAIR"], "tree": FORECASTERS["tree"]}
    for role, colour in roles.items():
        assert re.findall(rf"--klcal-{role}: (#\w+);", style) == [colour, PARTNERS[colour]]
