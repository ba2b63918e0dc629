"""The ledger as a drawing: statements are nodes, "builds on" is an edge, all as SVG without any other program."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from klcal.claims import _layout
from klcal.claims._evidence import KINDS, SCOPES
from klcal.claims._ledger import STATUSES
from klcal.claims._markup import css, plain
from klcal.claims._nodes import Statement, ancestors, descendants, statements, surroundings
from klcal.claims._stored import chapter_titles

# Pixels: a node, the free space right of and below it, the heading of a band, nodes in a row.
_WIDTH, _HEIGHT, _GAP, _LEADING = 150, 50, 14, 20
_HEAD, _ROW = 36, 6


# How much of a node's width the bar below its text takes, by scope.
_BARS = {"whole": 1.0, "step": 0.5, "cases": 0.2, "formula": 0.04}
# A mark beside the colour, for readers who do not see it.
_MARKS = {"refuted": "\u2717", "repaired": "\u21ba", "fails": "!"}
# Colours of a drawing that stands alone; the book's style sheet has its own, for light and dark.
_FILLS = {
    "established": "#cfe8cf",
    "proved in print": "#e6f2e1",
    "observed": "#e3ebf5",
    "repaired": "#fbe7bd",
    "refuted": "#f7cdc2",
    "cited": "#e8e8e8",
    "fails": "#ff5c5c",
}


@dataclass(frozen=True)
class Graph:
    """A drawing of nodes and edges; in a notebook it shows itself.

    Parameters
    ----------
    nodes : tuple of Statement
        What is drawn.
    by_chapter : bool
        Bands are chapters; otherwise a node stands below all it builds on.
    title : str
        What a reader who cannot see the drawing is told.
    """

    nodes: tuple[Statement, ...]
    by_chapter: bool
    title: str

    @cached_property
    def uses(self) -> dict[str, tuple[str, ...]]:
        """Name -> names it builds on."""
        return {node.name: node.uses for node in self.nodes}

    @cached_property
    def headings(self) -> list[str]:
        """Chapters from top to bottom, those present; empty if bands are not chapters."""
        present = {node.chapter for node in self.nodes}
        return [stem for stem in chapter_titles() if stem in present] if self.by_chapter else []

    @cached_property
    def places(self) -> dict[str, tuple[int, int]]:
        """Name -> left upper corner of the node."""
        if self.by_chapter:
            bands = {node.name: self.headings.index(node.chapter) for node in self.nodes}
        else:
            bands = _layout.depths(self.uses)
        row = _layout.rows(bands, self.uses, _ROW)
        slot = _layout.slots(row, self.uses, _ROW)
        top, tops = (0 if self.by_chapter else 4), {}  # without a heading, room for the border
        for each in sorted(set(row.values())):
            top += _HEAD if self.by_chapter and each[1] == 0 else 0
            tops[each] = top
            top += _HEIGHT + _LEADING
        return {name: (slot[name] * (_WIDTH + _GAP) + _GAP, tops[row[name]]) for name in row}

    def svg(self) -> str:
        """Return the drawing as the text of an SVG element."""
        width = _ROW * (_WIDTH + _GAP) + _GAP
        height = max(y for _, y in self.places.values()) + _HEIGHT + 12
        number = {node.name: n for n, node in enumerate(self.nodes)}
        edges = [
            _edge(self.places[used], self.places[node.name], number[used], number[node.name])
            for node in self.nodes
            for used in node.uses
        ]
        return "".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
                f'height="{height}" font-family="sans-serif" font-size="10" role="group" '
                f'aria-label="{html.escape(self.title)}">',
                *self._bands(width),
                f'<g class="klcal-edges" fill="none" stroke="#9aa0a8" aria-hidden="true">{"".join(edges)}</g>',
                *(self._box(node, number) for node in self.nodes),
                "</svg>",
            ]
        )

    def _bands(self, width: int) -> list[str]:
        drawn = []
        for stem in self.headings:
            top = min(self.places[node.name][1] for node in self.nodes if node.chapter == stem) - 14
            name = (
                f"{int(stem[:2])}. {chapter_titles()[stem]}" if stem[:2].isdigit() else chapter_titles()[stem]
            )
            drawn.append(
                f'<path class="klcal-band" stroke="#d0d4da" d="M0 {top - 16}H{width}"/>'
                f'<a class="klcal-column" id="graph-{stem}" href="{stem}.html">'
                f'<text x="{_GAP}" y="{top}">{html.escape(name)}</text></a>'
            )
        return drawn

    def _box(self, node: Statement, number: Mapping[str, int]) -> str:
        """Return one node: a link to the theorem box that the page's script turns into a card."""
        x, y = self.places[node.name]
        folded = {label: other.name for other in self.nodes for label in other.labels}
        below = {number[folded[e]] for e in ancestors(node.labels) if e in folded} - {number[node.name]}
        above = {number[folded[e]] for e in descendants(node.labels) if e in folded} - {number[node.name]}
        status = node.status
        mark = _MARKS.get(status, "")
        numbers = f'data-below="{_listed(below)}" data-above="{_listed(above)}"'
        return (
            f'<a href="{html.escape(node.address)}" data-node="{number[node.name]}" {numbers} '
            f'data-labels="{html.escape(" ".join(node.labels))}" aria-label="{html.escape(node.told)}">'
            f"<title>{html.escape(node.told)}</title>"
            f'<rect class="klcal-node {css(status)} klcal-kind-{node.kind}" fill="{_FILLS[status]}" '
            f'stroke="#55606e" x="{x}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="{20 if node.is_new else 4}"/>'
            f"{_words(node, x, y)}{_bar(node.scope, status, x + 20, y + _HEIGHT - 4, _WIDTH - 40)}"
            + (f'<text class="klcal-mark" x="{x + _WIDTH - 9}" y="{y + 14}">{mark}</text>' if mark else "")
            + "</a>"
        )

    def __repr__(self) -> str:
        edges = sum(len(node.uses) for node in self.nodes)
        return f"Graph({len(self.nodes)} statements, {edges} edges)"

    def _repr_html_(self) -> str:
        return (
            '<div class="klcal-graph"><div class="klcal-graph-view" tabindex="0" role="region" '
            f'aria-label="{html.escape(self.title)}, scrollable">{self.svg()}</div></div>'
        )


def graph(label: str | None = None) -> Graph:
    """Draw the dependencies of the whole ledger, or what one statement builds on and what builds on it.

    Parameters
    ----------
    label : str, optional
        A statement of the ledger. By default all statements are drawn, their parts folded into them.

    Returns
    -------
    Graph
        From top to bottom the chapters; around one statement the steps of the argument, parts drawn singly.

    Examples
    --------
    >>> graph("eq:nothing")
    Traceback (most recent call last):
        ...
    ValueError: label must be one of the ledger; got 'eq:nothing'
    """
    if label is None:
        return Graph(statements(), True, "Dependency graph of all statements, chapter by chapter")
    return Graph(
        statements(surroundings(label), parts=True), False, f"What {label} builds on and what builds on it"
    )


@dataclass(frozen=True)
class Legend:
    """The key of the drawing; in a notebook it shows itself."""

    items: tuple[tuple[str, str, str, bool, str], ...]

    def __repr__(self) -> str:
        return "\n".join(text for *_, text in self.items)

    def _repr_html_(self) -> str:
        drawn = "".join(
            f'<li><svg width="38" height="20" aria-hidden="true"><rect class="klcal-node {css(status)} '
            f'klcal-kind-{kind}" fill="{_FILLS[status]}" stroke="#55606e" x="2" y="2" width="34" height="16" '
            f'rx="{8 if new else 3}"/>{_bar(scope, status, 8, 14, 22)}</svg> {html.escape(text)}</li>'
            for status, kind, scope, new, text in self.items
        )
        return f'<ul class="klcal-legend">{drawn}</ul>'


def legend() -> Legend:
    """Return the key of the drawing: what fill, border, bar and shape mean.

    Returns
    -------
    Legend
        All statuses, all kinds and scopes of evidence, and the two shapes.

    Examples
    --------
    >>> print(repr(legend()).splitlines()[0])
    fill: established
    """
    shown = [status for status in STATUSES if status != "fails"]
    fills = [(s, "exact", "", False, f"fill: {s}{' ' + _MARKS[s] if s in _MARKS else ''}") for s in shown]
    borders = [("established", kind, "", False, f"border: {kind}") for kind in KINDS]
    bars = [("established", "exact", scope, False, f"bar: {scope}") for scope in SCOPES]
    shapes = [
        ("established", "exact", "", False, "shape: of the paper"),
        ("established", "exact", "", True, "shape: not in the paper"),
    ]
    return Legend((*fills, *borders, *bars, *shapes))


def _bar(scope: str, status: str, x: int, y: int, width: int) -> str:
    """Return a line as long as the scope is wide; nothing for a cited statement."""
    length = width * _BARS.get(scope, 0)
    return (
        f'<path class="klcal-scope {css(status)}" stroke="#55606e" d="M{x} {y}h{length:.0f}"/>'
        if length
        else ""
    )


def _listed(numbers: Iterable[int]) -> str:
    return " ".join(map(str, sorted(numbers)))


def _words(node: Statement, x: int, y: int) -> str:
    """Return the text of a node: a bold number above the title, or only the title."""
    heights = {1: [28], 2: [21, 35], 3: [16, 28, 40]}[len(node.lines)]
    return "".join(
        f'<text class="klcal-text{" klcal-number" if node.is_numbered and n == 0 else ""}" '
        f'x="{x + (12 if node.is_new else 8)}" y="{y + height}">{_shifted(plain(line))}</text>'
        for n, (line, height) in enumerate(zip(node.lines, heights, strict=True))
    )


def _shifted(text: str) -> str:
    """Return indices and powers as SVG, which knows no tags for them: smaller, moved and moved back.

    Examples
    --------
    >>> _shifted("T<sup>2</sup> log T")
    'T<tspan class="klcal-small" dy="-.4em">2</tspan><tspan dy=".3em"> log T</tspan>'
    """
    moved = {"sub": ".2em", "sup": "-.4em"}
    back = {"sub": "-.15em", "sup": ".3em"}
    return re.sub(
        r"<(su[bp])>(.*?)</su[bp]>([^<]*)",
        lambda found: (
            f'<tspan class="klcal-small" dy="{moved[found[1]]}">{found[2]}</tspan>'
            f'<tspan dy="{back[found[1]]}">{found[3]}</tspan>'
        ),
        text,
    )


def _edge(start: Sequence[int], end: Sequence[int], used: int, user: int) -> str:
    """Return a curve from a statement to one that uses it; long ones are marked, to be drawn faintly."""
    (x0, y0), (x1, y1) = start, end
    if y0 == y1:
        a, b = (x0 + _WIDTH, x1) if x0 < x1 else (x0, x1 + _WIDTH)
        path = f"M{a} {y0 + _HEIGHT // 2}H{b}" if abs(x1 - x0) < 2 * _WIDTH else _arc(x0, x1, y0)
    else:
        x0, x1 = x0 + _WIDTH // 2, x1 + _WIDTH // 2
        y0, y1 = (y0 + _HEIGHT, y1) if y0 < y1 else (y0, y1 + _HEIGHT)
        half = (y1 - y0) // 2
        path = f"M{x0} {y0}C{x0} {y0 + half} {x1} {y1 - half} {x1} {y1}"
    far = ' class="klcal-far"' if abs(y1 - y0) > 3 * (_HEIGHT + _LEADING) else ""
    return f'<path{far} d="{path}" data-edge="{used} {user}"/>'


def _arc(x0: int, x1: int, y: int) -> str:
    x0, x1, y = x0 + _WIDTH // 2, x1 + _WIDTH // 2, y + _HEIGHT
    return f"M{x0} {y}C{x0} {y + 22} {x1} {y + 22} {x1} {y}"
