"""Fonts with the letters that the book uses and no others, in its style sheet: pages opened from disk have them."""

from __future__ import annotations

import base64
import html
import io
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

from fontTools import subset, ttLib  # type: ignore[import-untyped]
from sphinx.application import Sphinx

_MATH = re.compile(r"<math\b.*?</math>", re.DOTALL)
# What is in no formula as it is written: slanted letters, accents, the root.
_LETTERS = "20-7E,210E,1D434-1D467,1D6FC-1D71B,2C6-2DC,302-305,203E,221A"
_ICON = re.compile(r"\bfa-([a-z-]+)")
_THEME, _ICONS = "styles/pydata-sphinx-theme.css", "vendor/fontawesome/webfonts/fa-solid-900.ttf"


def letters_of(page: str) -> set[str]:
    """Return the letters and signs in the formulas of a finished page.

    Examples
    --------
    >>> sorted(letters_of("<p>ab</p><math><mi>x</mi><mo>&lt;</mo></math>"))
    ['<', 'x']
    """
    return {each for found in _MATH.findall(page) for each in html.unescape(re.sub("<[^>]*>", "", found))}


def reduce(font: Any, codes: list[int]) -> None:
    """Leave these letters in a font."""
    chosen = subset.Subsetter(subset.Options(layout_features=[], hinting=False))
    chosen.populate(unicodes=codes)
    chosen.subset(font)


def packed(font: Any) -> str:
    """Return a font as an address that holds it."""
    font.flavor = "woff"
    written = io.BytesIO()
    font.save(written)
    return f"data:font/woff;base64,{base64.b64encode(written.getvalue()).decode()}"


def formula_font(used: set[str]) -> str:
    """Return the letters of STIX Two Math that formulas use.

    All forms of the root get the width of the first: Chromium keeps room for the widest behind each. And an index
    stands no lower because its letter reaches below the line, and a denominator does not touch its bar.
    """
    found = ttLib.TTFont(files("ziamath") / "fonts" / "STIXTwoMath-Regular.ttf", recalcTimestamp=False)
    reduce(found, [*subset.parse_unicodes(_LETTERS), *map(ord, used)])
    constants = found["MATH"].table.MathConstants
    constants.SubscriptBaselineDropMin.Value = 0
    constants.FractionDenominatorShiftDown.Value += 60
    constants.FractionDenominatorDisplayStyleShiftDown.Value += 60
    root = found.getBestCmap()[ord("√")]
    variants = found["MATH"].table.MathVariants
    forms = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(root)]
    width, _ = found["hmtx"][root]
    names = {each.VariantGlyph for each in forms.MathGlyphVariantRecord}
    for name in names | {part.glyph for part in forms.GlyphAssembly.PartRecords}:
        old, left = found["hmtx"][name]
        found["glyf"][name].coordinates.scale((width / old, 1))
        found["glyf"][name].recalcBounds(found["glyf"])
        found["hmtx"][name] = (width, round(left * width / old))
    return packed(found)


def icon_codes(pages: str, style: str) -> set[int]:
    r"""Return the letters that stand for the icons of pages, and those that a style sheet writes itself.

    Examples
    --------
    >>> style = '.fa-bars:before,.fa-navicon:before{content:"\\f0c9"} .fa-x:before{content:"\\f00d"}'
    >>> [hex(code) for code in icon_codes('<i class="fa-solid fa-bars">', style)]
    ['0xf0c9']
    """
    named = re.findall(r'((?:\.fa-[a-z-]+:before,?)+)\{content:"\\([0-9a-f]+)"', style)
    codes = {name: int(code, 16) for names, code in named for name in _ICON.findall(names)}
    return {codes[name] for name in set(_ICON.findall(pages)) & set(codes)} | {
        ord(letter) for letter in style if "\uf000" <= letter <= "\uf8ff"
    }


def write_fonts(app: Sphinx, exception: Exception | None) -> None:
    """Write the fonts into a style sheet: one that is loaded later would move what is there already."""
    if exception is not None:
        return
    static = Path(app.outdir, "_static")
    pages = "".join(page.read_text(encoding="utf-8") for page in Path(app.outdir).rglob("*.html"))
    icons = ttLib.TTFont(static / _ICONS, recalcTimestamp=False)
    reduce(icons, [*icon_codes(pages, (static / _THEME).read_text(encoding="utf-8"))])
    faces = {
        'font-family: "klcal math"': formula_font(letters_of(pages)),
        'font-family: "Font Awesome 6 Free"; font-weight: 900': packed(icons),
    }
    style = "".join(f"@font-face {{ {name}; src: url({font}); }}\n" for name, font in faces.items())
    (static / "formulas.css").write_text(style, encoding="utf-8")
