"""Figures in two variants: as drawn for a light page, and with every colour exchanged for its partner on a dark one.

The style sheet shows one of the two; no filter is involved, so captions that name colours or shades stay true. On a
phone panels that stand side by side are shown one below the other: the same file, seen through two windows. A browser
loads a picture when it comes near the window, and what is not shown never.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

from docutils import nodes  # type: ignore[import-untyped]
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from klcal.figures.canvas import PARTNERS, on_dark

_COLOUR = re.compile(r"\b(fill|stroke|stop-color)(: ?|=\")(#[0-9a-fA-F]{6})\b")
_SIZE = re.compile(r'<svg[^>]* viewBox="0 0 ([0-9.]+) ([0-9.]+)"')
_POINTS = 72 / 96  # of a pixel
_PANEL = re.compile(r'<g id="axes_\d+">\s*<g id="patch_\d+">\s*<path d="M ([\d.]+) [\d.]+ *\s*L ([\d.]+) ')
_WORDS = re.compile(
    r'<!-- (.*?) -->\s*<g [^>]*transform="translate\(([\d.]+) [\d.]+\) (rotate\(-?90\) )?scale\(([\d.]+) '
)


def darkened(drawing: str) -> str:
    """Return an SVG with every colour exchanged for its partner; what has no colour is black, and becomes light.

    Examples
    --------
    >>> print(darkened('<svg><path style="fill: #2a6f97; stroke: #ffffff"/></svg>'))
    <svg fill="#e6e9ec"><path style="fill: #7fbce0; stroke: #121212"/></svg>
    """
    ink = PARTNERS["#000000"]
    exchanged = _COLOUR.sub(lambda found: f"{found[1]}{found[2]}{on_dark(found[3])}", drawing)
    return exchanged.replace("<svg", f'<svg fill="{ink}"', 1)


def size(drawing: str) -> tuple[float, float]:
    """Return width and height of an SVG of Matplotlib in points.

    Examples
    --------
    >>> size('<svg width="90pt" height="60pt" viewBox="0 0 90 60"></svg>')
    (90.0, 60.0)
    """
    ((width, height),) = _SIZE.findall(drawing)
    return float(width), float(height)


def halves(drawing: str) -> list[tuple[float, float]]:
    """Return the edges of two windows through which a drawing is seen panel by panel; none if words are in the way.

    The cut is in the widest place between two panels that no word covers, by a guess of its width; a word
    that stands upright, or ends at an axis, names the axis on its right.

    Examples
    --------
    >>> panel = '<g id="axes_{}"><g id="patch_{}"><path d="M {} 9 L {} 9"/></g></g>'
    >>> panels = panel.format(1, 2, 10, 40) + panel.format(2, 7, 60, 90)
    >>> halves(f'<svg viewBox="0 0 100 50">{panels}</svg>')
    [(0.0, 50.0), (50.0, 100.0)]
    >>> word = '<!-- time --><g transform="translate(45 30) scale(0.1 -0.1)">'
    >>> halves(f'<svg viewBox="0 0 100 50">{panels}{word}</svg>')
    [(0.0, 42.5), (42.5, 100.0)]
    """
    panels = sorted((float(left), float(right)) for left, right in _PANEL.findall(drawing))
    width, _ = size(drawing)
    # A narrow panel is the bar of colours of the one on its left.
    starts = [start for start, end in panels if start > panels[0][1] and end - start > 20]
    if not starts:
        return []
    right = min(starts, key=lambda start: abs(start - width / 2))
    left = max(end for start, end in panels if start < right)
    words = []
    for text, start, turned, scale in _WORDS.findall(drawing):
        letter, x = 100 * float(scale), float(start)
        signs = len(re.sub(r"\\mathdefault|[${}^]", "", text))
        first, last = (x - letter, x) if turned else (x, x + 0.6 * letter * signs)
        names_next = left < x < right and (turned or right - last < 9)
        words.append((first, right if names_next else last))
    edges = sorted({left, right, *(edge for word in words for edge in word if left < edge < right)})
    free = [
        (end - start, start, end)
        for start, end in pairwise(edges)
        if not any(first < end and last > start for first, last in words)
    ]
    space, start, end = max(free, default=(0.0, 0.0, 0.0))
    cut = (start + end) / 2
    return [(0.0, cut), (cut, width)] if space > 2 else []


def add_dark_variants(app: Sphinx, doctree: nodes.document) -> None:
    """Put a dark variant beside each drawing that a notebook has stored.

    Sphinx has not collected the pictures of the page yet, so the new file is copied like the others.
    """
    for image in list(doctree.findall(nodes.image)):
        # A notebook's pictures are named relative to the folder of the sources, with a slash in front.
        path = Path(app.srcdir) / image["uri"].lstrip("/")
        if path.suffix != ".svg" or "jupyter_execute" not in path.parts:
            continue
        twin = path.with_name(f"{path.stem}-dark.svg")
        drawing = path.read_text(encoding="utf-8")
        twin.write_text(darkened(drawing), encoding="utf-8")
        image["loading"], image["size"], image["halves"] = "lazy", size(drawing), halves(drawing)
        copy = image.deepcopy()
        copy["uri"] = image["uri"].removesuffix(".svg") + "-dark.svg"
        # "dark-light" tells the theme to leave a picture alone in the dark.
        image["classes"] += ["klcal-light", "dark-light"]
        copy["classes"] += ["klcal-dark", "dark-light"]
        image.parent.insert(image.parent.index(image) + 1, copy)


def visit_image(self: HTML5Translator, node: nodes.image) -> None:
    """Write a picture with its size, so that the page has room for it before it is loaded; and its halves."""
    HTML5Translator.visit_image(self, node)
    if "size" not in node:
        return
    tag, (width, height) = self.body.pop(), (round(points / _POINTS) for points in node["size"])

    def sized(across: float, name: str, style: str = "") -> str:
        found: str = tag.replace("<img ", f'<img {style}width="{across:.0f}" height="{height}" ', 1)
        return found.replace('class="', f'class="{name} ', 1)

    self.body.append(sized(width, f"klcal-{'whole' if node['halves'] else 'one' if width > 600 else 'low'}"))
    for start, end in node["halves"]:
        across = (end - start) / _POINTS
        shape = f'style="aspect-ratio: {across:.1f} / {height}" '
        self.body.append(sized(across, f"klcal-half klcal-{'right' if start else 'left'}", shape))
