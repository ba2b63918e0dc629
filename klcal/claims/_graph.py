"""The ledger as a drawing: statements are nodes, "builds on" is an edge, all as SVG without any other program."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from klcal.claims import _layout
from klcal.claims._ledger import KINDS, REGISTRY, STATUSES
from klcal.claims._report import verdict

# Pixels: width and height of a node, and the free space right of and below it.
_WIDTH, _HEIGHT, _GAP, _LEADING = 168, 26, 84, 9
_HEAD = 34

_NUMBERED = ("Algorithm", "Corollary", "Equation", "Lemma", "Proposition", "Remark", "Theorem")

# Least favourable first: a statement with several entries shows the first that occurs.
_FILL_ORDER = ("fails", "refuted as stated", "holds as repaired", "cited", "holds")


@dataclass(frozen=True)
class Statement:
    """A node: one entry of the ledger, or a statement together with its parts.

    Parameters
    ----------
    name : str
        Label of the statement; the parts are ``name/...``.
    labels : tuple of str
        Entries that the node stands for.
    uses : tuple of str
        Names of the nodes it builds on.
    """

    name: str
    labels: tuple[str, ...]
    uses: tuple[str, ...]

    @property
    def chapter(self) -> str:
        """Chapter of the entry that is shown first."""
        return REGISTRY[self.first].chapter

    @property
    def first(self) -> str:
        """The entry with the statement's own label, or its first part."""
        return self.name if self.name in self.labels else self.labels[0]

    @property
    def status(self) -> str:
        """The least favourable status among the entries."""
        found = {verdict(label).status for label in self.labels}
        return next(status for status in _FILL_ORDER if status in found)

    @property
    def kind(self) -> str:
        """The weakest kind of evidence among the entries that were checked."""
        found = {REGISTRY[label].kind for label in self.labels}
        checked = [kind for kind in KINDS if kind in found and kind != "cited"]
        return checked[-1] if checked else "cited"

    @property
    def caption(self) -> str:
        """What stands in the node: the number of a numbered statement, the title of any other."""
        claim = REGISTRY[self.first]
        number = claim.number if self.name in self.labels else claim.number.partition(",")[0]
        return number if number.startswith(_NUMBERED) else claim.title


def statements(labels: Iterable[str] | None = None, *, parts: bool = False) -> tuple[Statement, ...]:
    """Collect entries of the ledger into nodes.

    Parameters
    ----------
    labels : iterable of str, optional
        Entries to include; all by default.
    parts : bool
        Whether every part is a node of its own.

    Returns
    -------
    tuple of Statement
        In the order of the ledger.

    Examples
    --------
    >>> [node.name for node in statements(["lem:discretization/a", "lem:discretization"])]
    ['lem:discretization']
    """
    chosen = [label for label in REGISTRY if labels is None or label in set(labels)]
    name = {label: label if parts else label.partition("/")[0] for label in chosen}
    collected: dict[str, list[str]] = {}
    for label in chosen:
        collected.setdefault(name[label], []).append(label)
    return tuple(
        Statement(
            head,
            tuple(members),
            tuple(
                dict.fromkeys(
                    name[used]
                    for member in members
                    for used in REGISTRY[member].uses
                    if used in name and name[used] != head
                )
            ),
        )
        for head, members in collected.items()
    )


def surroundings(label: str) -> set[str]:
    """Return the entries that a statement builds on and those that build on it, directly or not.

    Parameters
    ----------
    label : str
        A label of the ledger, or the common part of several.

    Returns
    -------
    set of str
        Labels, those of the statement itself included. Raises ``ValueError`` for an unknown label.

    Examples
    --------
    >>> "lem:discretization/a" in surroundings("lem:discretization")
    True
    """
    own = {entry for entry in REGISTRY if entry == label or entry.startswith(f"{label}/")}
    if not own:
        raise ValueError(f"label must be one of the ledger; got {label!r}")
    below, above = set(own), set(own)
    while grown := {e for e in REGISTRY if e not in above and above & set(REGISTRY[e].uses)}:
        above |= grown
    while grown := {u for e in below for u in REGISTRY[e].uses} - below:
        below |= grown
    return below | above


@dataclass(frozen=True)
class Graph:
    """A drawing of nodes and edges; in a notebook it shows itself.

    Parameters
    ----------
    nodes : tuple of Statement
        What is drawn.
    by_chapter : bool
        Columns are chapters; otherwise a node stands one column right of all it builds on.
    title : str
        What a reader who cannot see the drawing is told.
    """

    nodes: tuple[Statement, ...]
    by_chapter: bool
    title: str

    def columns(self) -> dict[str, int]:
        """Return the column of every node, by name."""
        if not self.by_chapter:
            return _layout.depths({node.name: node.uses for node in self.nodes})
        chapters = list(dict.fromkeys(claim.chapter for claim in REGISTRY.values()))
        present = [chapter for chapter in chapters if any(node.chapter == chapter for node in self.nodes)]
        return {node.name: present.index(node.chapter) for node in self.nodes}

    def svg(self) -> str:
        """Return the drawing as the text of an SVG element."""
        columns = self.columns()
        row = _layout.rows(columns, {node.name: node.uses for node in self.nodes})
        place = {
            name: (columns[name] * (_WIDTH + _GAP) + 8, _HEAD + row[name] * (_HEIGHT + _LEADING))
            for name in row
        }
        width = max(x for x, _ in place.values()) + _WIDTH + 48
        height = max(y for _, y in place.values()) + _HEIGHT + 12
        edges = [
            _edge(place[used], place[node.name], used, node.name) for node in self.nodes for used in node.uses
        ]
        heads = self._headings(columns) if self.by_chapter else []
        return "".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
                f'height="{height}" role="group" aria-label="{html.escape(self.title)}">',
                *heads,
                *edges,
                *(_box(node, *place[node.name]) for node in self.nodes),
                "</svg>",
            ]
        )

    def _headings(self, columns: dict[str, int]) -> list[str]:
        chapters = dict(sorted((columns[node.name], node.chapter) for node in self.nodes))
        return [
            f'<text class="klcal-column" x="{column * (_WIDTH + _GAP) + 8}" y="18">'
            f"{html.escape(chapter.replace('_', ' '))}</text>"
            for column, chapter in chapters.items()
        ]

    def __repr__(self) -> str:
        edges = sum(len(node.uses) for node in self.nodes)
        return f"Graph({len(self.nodes)} statements, {edges} edges)"

    def _repr_html_(self) -> str:
        return f'<div class="klcal-graph" tabindex="0">{self.svg()}</div>'


def graph(label: str | None = None) -> Graph:
    """Draw the dependencies of the whole ledger, or what one statement builds on and what builds on it.

    Parameters
    ----------
    label : str, optional
        A statement of the ledger. By default all statements are drawn, their parts folded into them.

    Returns
    -------
    Graph
        Columns are chapters; around one statement they are the steps of the argument, parts drawn singly.

    Examples
    --------
    >>> graph("eq:nothing")
    Traceback (most recent call last):
        ...
    ValueError: label must be one of the ledger; got 'eq:nothing'
    """
    if label is None:
        return Graph(statements(), True, "Dependency graph of all statements, one column per chapter")
    return Graph(
        statements(surroundings(label), parts=True), False, f"What {label} builds on and what builds on it"
    )


def legend() -> str:
    """Return the key of the drawing as HTML: what fill and border mean.

    Returns
    -------
    str
        A list of all statuses and kinds of evidence.

    Examples
    --------
    >>> legend().count("<svg")
    11
    """
    fills = [(_css(status), "exact", status) for status in STATUSES if status != "fails"]
    borders = [("holds", kind, kind) for kind in KINDS]
    extra = [("fails", "exact", "fails (never in a released book)")]
    items = "".join(
        f'<li><svg width="34" height="18" aria-hidden="true"><rect class="klcal-node klcal-{fill} klcal-kind-{kind}" '
        f'x="2" y="2" width="30" height="14" rx="4"/></svg> {html.escape(text)}</li>'
        for fill, kind, text in (*fills, *extra, *borders)
    )
    return f'<ul class="klcal-legend">{items}</ul>'


def _css(status: str) -> str:
    return status.replace(" ", "-")


def _shortened(text: str, letters: int) -> str:
    return text if len(text) <= letters else text[: letters - 1].rstrip() + "\N{HORIZONTAL ELLIPSIS}"


def _box(node: Statement, x: int, y: int) -> str:
    """Return one node: a link to the theorem box that scripts may turn into a card."""
    claim = REGISTRY[node.first]
    many = f" ({len(node.labels)} entries)" if len(node.labels) > 1 else ""
    told = f"{claim.number}, {claim.title}{many}: {node.status}, {node.kind}"
    return (
        f'<a href="{claim.chapter}.html#{html.escape(node.name)}" data-name="{html.escape(node.name)}" '
        f'data-labels="{html.escape(" ".join(node.labels))}" aria-label="{html.escape(told)}">'
        f"<title>{html.escape(told)}</title>"
        f'<rect class="klcal-node klcal-{_css(node.status)} klcal-kind-{node.kind}" x="{x}" y="{y}" '
        f'width="{_WIDTH}" height="{_HEIGHT}" rx="5"/>'
        f'<text class="klcal-text" x="{x + 8}" y="{y + 17}">{html.escape(_shortened(node.caption, 26))}</text></a>'
    )


def _edge(start: Sequence[int], end: Sequence[int], used: str, user: str) -> str:
    """Return a curve from a statement to one that uses it; within a column it bulges to the right."""
    (x0, y0), (x1, y1) = start, end
    y0, y1 = y0 + _HEIGHT // 2, y1 + _HEIGHT // 2
    if x0 == x1:
        bulge = x0 + _WIDTH + 14 + min(abs(y1 - y0) // 12, _GAP - 24)
        path = f"M{x0 + _WIDTH} {y0}C{bulge} {y0} {bulge} {y1} {x1 + _WIDTH} {y1}"
    else:
        a, b = (x0 + _WIDTH, x1) if x0 < x1 else (x0, x1 + _WIDTH)
        middle = (a + b) // 2
        path = f"M{a} {y0}C{middle} {y0} {middle} {y1} {b} {y1}"
    return (
        f'<path class="klcal-edge" d="{path}" data-from="{html.escape(used)}" data-to="{html.escape(user)}"/>'
    )
