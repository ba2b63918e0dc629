"""The graph of statements as a drawing: boxes in rows by depth, an arrow from what is used to what uses it."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from graphlib import TopologicalSorter
from statistics import fmean
from textwrap import wrap

from klcal_book.ledger import Statement, slug

_WIDTH, _HEIGHT, _GAP, _ROW, _ACROSS = 160, 46, 16, 92, 6


def rows(uses: dict[str, list[str]], width: int) -> list[list[str]]:
    """Return the nodes in rows, each below everything it uses, none wider than `width`, with short edges.

    Examples
    --------
    >>> rows({"a": [], "b": ["a"], "c": ["a"], "d": ["b"]}, 2)
    [['a'], ['b', 'c'], ['d']]
    """
    users = {node: [other for other in uses if node in uses[other]] for node in uses}
    depth: dict[str, int] = {}
    for node in TopologicalSorter(uses).static_order():
        depth[node] = max((depth[used] + 1 for used in uses[node]), default=0)
        while Counter(depth.values())[depth[node]] > width:
            depth[node] += 1
    found = [[node for node in uses if depth[node] == row] for row in range(max(depth.values()) + 1)]
    place = {node: (n + 0.5) / len(row) for row in found for n, node in enumerate(row)}
    # Each row by the mean place of its neighbours, from above and from below in turn.
    for near, ordered in ((uses, found), (users, found[::-1])) * 2:
        for row in ordered:
            row.sort(key=lambda node: fmean([place[x] for x in near[node]] or [place[node]]))
            place.update({node: (n + 0.5) / len(row) for n, node in enumerate(row)})
    return found


def svg(statements: Mapping[str, Statement], address: Callable[[Statement], str]) -> str:
    """Return the drawing of the statements with the class `main`.

    Colours come from the style sheet, so that it follows light and dark.
    """

    def near(label: str) -> Iterator[str]:
        """Yield what a proof uses, through statements that are not drawn."""
        for used in statements[label].uses:
            yield from [used] if "main" in statements[used].words else near(used)

    drawn = [label for label, each in statements.items() if "main" in each.words]
    uses = {label: [used for used in dict.fromkeys(near(label)) if used != label] for label in drawn}
    linked = {used for near in uses.values() for used in near}
    uses = {label: near for label, near in uses.items() if near or label in linked}
    placed = rows(uses, _ACROSS)
    step, across = _WIDTH + _GAP, max(map(len, placed))
    at = {
        label: ((n + (across - len(row) + 1) / 2) * step, depth * _ROW + _HEIGHT / 2 + 2)
        for depth, row in enumerate(placed)
        for n, label in enumerate(row)
    }
    size = across * step, (len(placed) - 1) * _ROW + _HEIGHT + 4
    return "".join(_drawn(statements, uses, at, size, address))


def _drawn(statements, uses, at, size, address) -> Iterator[str]:  # type: ignore[no-untyped-def]
    yield '<svg class="klcal-uses" aria-label="Which statement uses which" '
    yield f'style="max-width: {size[0]}px" viewBox="0 0 {size[0]} {size[1]}">'
    yield '<marker id="klcal-tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" '
    yield 'orient="auto"><path d="M0 0L8 4L0 8z"/></marker>'
    for user, near in uses.items():
        for used in near:
            (x, y), (u, v) = at[used], at[user]
            y, v = y + _HEIGHT / 2, v - _HEIGHT / 2
            bend = (v - y) / 2
            way = f"M{x:.0f} {y:.0f}C{x:.0f} {y + bend:.0f} {u:.0f} {v - bend:.0f} {u:.0f} {v:.0f}"
            yield f'<path d="{way}" marker-end="url(#klcal-tip)"/>'
    for node, (x, y) in at.items():
        each = statements[node]
        yield f'<a href="{html.escape(address(each))}" class="klcal-{slug(each.status)}">'
        yield f"<title>{html.escape(each.number or each.title)}: {each.status}</title>"
        yield f'<rect x="{x - _WIDTH / 2:.0f}" y="{y - _HEIGHT / 2:.0f}" width="{_WIDTH}" height="{_HEIGHT}" rx="5"/>'
        words = each.title.partition(" of the paper")[0].partition(":")[0]
        lines = wrap(words, 21, max_lines=2, placeholder="…")
        for n, text in enumerate(lines):
            yield f'<text x="{x:.0f}" y="{y + 5 + (n - (len(lines) - 1) / 2) * 17:.0f}">{html.escape(text)}</text>'
        yield "</a>"
    yield "</svg>"
