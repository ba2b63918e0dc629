"""Figures in two variants: as drawn for a light page, and with every colour exchanged for its partner on a dark one.

The style sheet shows one of the two; no filter is involved, so captions that name colours or shades stay true. On a
phone panels that stand side by side are shown one below the other: the same file, seen through several windows. A
browser loads a picture when it comes near the window, and what is not shown never.
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
_PANEL = re.compile(r'\d+">\s*<g id="patch_\d+">\s*<path d="M ([\d.]+) [\d.]+ *\s*L ([\d.]+) ')
_TICKS = 6.0  # from an axis to its names
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


def columns(drawing: str) -> list[tuple[float, float, bool]]:
    """Return the edges of the columns of panels, and whether the rows have names at their left."""
    panels = []
    for axes in drawing.split('<g id="axes_')[1:]:
        if edges := _PANEL.match(axes):
            is_named = 'id="text_' in "".join(axes.split('id="ytick_')[1:2])
            panels.append((float(edges[1]), float(edges[2]), is_named))
    found: list[tuple[float, float, bool]] = []
    for start, end, is_named in sorted(panels):
        # A narrow panel is the bar of colours of the one on its left.
        if found and (start <= found[-1][1] or end - start <= 20):
            found[-1] = (found[-1][0], max(end, found[-1][1]), found[-1][2])
        else:
            found.append((start, end, is_named))
    return found


def cut(drawing: str, left: float, right: float) -> float:
    """Return where one can cut between two panels, 0 for nowhere: in the widest place without words.

    Their width is a guess; a word that stands upright, or ends at an axis, names the axis on its right.
    """
    words = []
    for text, start, turned, scale in _WORDS.findall(drawing):
        letter, x = 100 * float(scale), float(start)
        signs = len(re.sub(r"\\mathdefault|[${}^]", "", text))
        first, last = (x - letter, x) if turned else (x, x + 0.6 * letter * signs)
        names_next = left < x < right and (turned or right - last < 9)
        words.append((first, right if names_next else last))
    edges = sorted({left, right, *(edge for word in words for edge in word if left < edge < right)})
    free = [
        (end - start, (4 * start + end) / 5)
        for start, end in pairwise(edges)
        if not any(first < end and last > start for first, last in words)
    ]
    space, place = max(free, default=(0.0, 0.0))
    return place if space > 2 else 0.0


def windows(drawing: str) -> list[list[tuple[float, float]]]:
    """Return the windows through which a drawing is seen panel by panel or by halves; none if words are in the way.

    A window has its edges, and before them those of the names of the rows, if only the first panel has them.

    Examples
    --------
    >>> panel = '<g id="axes_{}"><g id="patch_{}"><path d="M {} 9 L {} 9"/></g></g>'
    >>> panels = panel.format(1, 2, 10, 40) + panel.format(2, 7, 70, 95)
    >>> windows(f'<svg viewBox="0 0 100 50">{panels}</svg>')
    [[(0.0, 46.0)], [(46.0, 100.0)]]
    >>> word = '<!-- time --><g transform="translate(55 30) scale(0.1 -0.1)">'
    >>> windows(f'<svg viewBox="0 0 100 50">{panels}{word}</svg>')
    [[(0.0, 43.0)], [(43.0, 100.0)]]
    >>> named = panels.replace(
    ...     "</g>", '<g id="ytick_1"><g id="text_3"><g id="ytick_2">', 1
    ... )
    >>> windows(f'<svg viewBox="0 0 100 50">{named}</svg>')
    [[(0.0, 46.0)], [(0.0, 4.0), (64.0, 100.0)]]
    """
    found = columns(drawing)
    step = 1 if len(found) % 2 else len(found) // 2 or 1
    seconds = range(step, len(found), step)
    cuts = [cut(drawing, found[at - 1][1], found[at][0]) for at in seconds]
    if not cuts or not all(cuts):
        return []
    axis, _, is_named = found[0]
    shown = []
    for at, edges in zip((0, *seconds), pairwise((0.0, *cuts, size(drawing)[0])), strict=True):
        names = [(0.0, axis - _TICKS), (found[at][0] - _TICKS, edges[1])]
        shown.append(names if is_named and not found[at][2] else [edges])
    return shown


def add_dark_variants(app: Sphinx, doctree: nodes.document) -> None:
    """Put a dark variant beside each drawing that a notebook has stored.

    Sphinx has not collected the pictures of the page yet, so the new file is copied like the others.
    """
    for image in list(doctree.findall(nodes.image)):
        # A notebook's pictures are named relative to the folder of the sources, with a slash in front.
        path = Path(app.srcdir) / image["uri"].lstrip("/")
        if path.suffix != ".svg" or "jupyter_execute" not in path.parts:
            continue
        drawing = path.read_text(encoding="utf-8")
        path.with_name(f"{path.stem}-dark.svg").write_text(darkened(drawing), encoding="utf-8")
        image["loading"], image["size"], image["windows"] = "lazy", size(drawing), windows(drawing)
        copy = image.deepcopy()
        copy["uri"] = image["uri"].removesuffix(".svg") + "-dark.svg"
        # "dark-light" tells the theme to leave a picture alone in the dark.
        image["classes"] += ["klcal-light", "dark-light"]
        copy["classes"] += ["klcal-dark", "dark-light"]
        image.parent.insert(image.parent.index(image) + 1, copy)


def visit_image(self: HTML5Translator, node: nodes.image) -> None:
    """Write a picture with its size, so that the page has room for it before it is loaded; and its windows."""
    HTML5Translator.visit_image(self, node)
    if "size" not in node:
        return
    tag, (width, height) = str(self.body.pop()).strip(), node["size"]

    def sized(across: float, name: str, style: str = "") -> str:
        sides = f'width="{across / _POINTS:.0f}" height="{height / _POINTS:.0f}"'
        return tag.replace("<img ", f"<img {style}{sides} ", 1).replace('class="', f'class="{name} ', 1)

    is_wide = width / _POINTS > 600
    self.body.append(sized(width, f"klcal-{'whole' if node['windows'] else 'one' if is_wide else 'low'}"))
    for window in node["windows"]:
        total = sum(end - start for start, end in window)
        for start, end in window:
            across = end - start
            share, place = 99.9 * across / total, 100 * start / (width - across)
            style = f"width: {share:.2f}%; aspect-ratio: {across:.1f} / {height:.1f}; object-position: {place:.2f}% 0"
            self.body.append(sized(across, "klcal-part", f'style="{style}" '))
