"""Below each theorem box: the entries of the ledger that stand behind it, and where to look further."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from docutils import nodes  # type: ignore[import-untyped]
from sphinx_proof.nodes import NODE_TYPES, unenumerable_node  # type: ignore[import-untyped]

from klcal.claims import REGISTRY, STATUSES, stored
from klcal_book import _links, _proof_pages
from klcal_book._entries import Entry, entry

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# More lines than these are folded under a line that counts them.
OPEN_LINES = 2
_BOXES = (unenumerable_node, *NODE_TYPES.values())


def badge(text: str, *classes: str) -> nodes.inline:
    """Return a word in a coloured frame."""
    return nodes.inline("", text, classes=["klcal-badge", *classes])


def status_badge(status: str, text: str | None = None) -> nodes.inline:
    """Return the badge of a status; its colour is a matter of the style sheet."""
    return badge(text or status, f"klcal-{_links.slug(status)}")


def link(text: nodes.Node, uri: str, title: str) -> nodes.reference:
    """Return a link within the book."""
    return nodes.reference("", "", text, refuri=uri, internal=True, reftitle=title, classes=["klcal-link"])


def line(told: Entry, app: Sphinx, page: str) -> nodes.paragraph:
    """Return status, kind of evidence, label, and the function that decides, of one entry."""
    claim = _links.address(app.builder, page, _links.CLAIMS_PAGE, _links.claim_anchor(told.label))
    found = nodes.paragraph("", "", classes=["klcal-entry"])
    found += status_badge(told.status)
    if told.kind and told.kind != told.status:
        found += badge(f"{told.kind}, {told.scope}", "klcal-kind")
    if told.theorem:
        mark = badge("machine-checked", "klcal-proved")
        if app.builder.name == "html":  # other builders have no pages of the sources
            uri = _links.address(app.builder, page, *_proof_pages.place(told.theorem))
            mark = link(mark, uri, f"{told.theorem}: statement and proof in Coq")
        found += mark
    found += link(nodes.literal("", told.label), claim, f"{told.number} in the ledger of claims")
    if told.checker:
        check = _links.address(app.builder, page, _links.CHECKS_PAGE, _links.check_anchor(told.label))
        found += nodes.inline("", "checked by ", classes=["klcal-by"])
        found[-1] += link(nodes.literal("", told.checker), check, "the function that decides, and its source")
    return found


def command(entries: Sequence[Entry]) -> nodes.paragraph:
    """Return what to type to run the checks of these entries again."""
    labels = " ".join(f"--claim {told.label}" for told in entries if told.checker)
    return nodes.paragraph(
        "", "", nodes.literal("", f"python -m klcal verify {labels}"), classes=["klcal-command"]
    )


def summary(entries: Sequence[Entry]) -> str:
    """Return the line under which many entries are folded, with a badge for each status that occurs."""
    counted = Counter(told.status for told in entries)
    known = [status for status in STATUSES if status in counted]
    badges = " ".join(
        f'<span class="klcal-badge klcal-{_links.slug(status)}">{counted[status]} \u00d7 {status}</span>'
        for status in (*known, *(status for status in counted if status not in STATUSES))
    )
    return f"<summary>{len(entries)} entries of the ledger {badges}</summary>"


def footer(entries: Sequence[Entry], app: Sphinx, page: str) -> nodes.container:
    """Return the lines of all entries, folded if they are many."""
    found = nodes.container(classes=["klcal-evidence"])
    lines = [line(told, app, page) for told in entries]
    if any(told.checker for told in entries):
        lines.append(command(entries))
    if len(entries) > OPEN_LINES:
        lines = [_raw(f"<details>{summary(entries)}"), *lines, _raw("</details>")]
    found.extend(lines)
    return found


def _raw(text: str) -> nodes.raw:
    return nodes.raw("", text, format="html")


def add_footers(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Append its entries to each box whose label, or a part of it, is in the ledger."""
    if app.builder.format != "html":
        return
    table: Mapping[str, Any] = app.config.klcal_ledger or stored()
    boxes = _links.boxes_of(app.env)
    for box in doctree.findall(lambda node: isinstance(node, _BOXES)):
        entries = [entry(label, table) for label in _links.parts(box["label"], REGISTRY, boxes)]
        if entries:
            box += footer(entries, app, page)


def link_labels(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Turn each label of the ledger that is set as code into a link to the box that treats it.

    A label without a box leads to the page of all claims.
    """
    if app.builder.format != "html":
        return
    boxes = _links.boxes_of(app.env)
    for literal in list(doctree.findall(nodes.literal)):
        label = literal.astext()
        if label not in REGISTRY or _is_linked(literal):
            continue
        box = _links.nearest_box(label, boxes)
        target, anchor = (boxes[box], box) if box else (_links.CLAIMS_PAGE, _links.claim_anchor(label))
        uri = _links.address(app.builder, page, target, anchor)
        literal.replace_self(link(literal.deepcopy(), uri, REGISTRY[label].number))


def _is_linked(node: nodes.Node) -> bool:
    while node is not None:
        if isinstance(node, nodes.reference | nodes.title):
            return True
        node = node.parent
    return False


def visit_box(translator: Any, node: nodes.Element) -> None:
    """Open a box without repeating the id of its title, and without an id that all boxes share."""
    kept = node["ids"]
    node["ids"] = []
    translator.body.append(translator.starttag(node, "div", CLASS="admonition"))
    node["ids"] = kept
    for content in node.findall(nodes.section):
        content["ids"] = [name for name in content["ids"] if name != "proof-content"]


def _depart_box(translator: Any, node: nodes.Element) -> None:
    from sphinx_proof.nodes import depart_unenumerable_node

    depart_unenumerable_node(translator, node)


def register(app: Sphinx) -> None:
    """Tell Sphinx about the footers, the links and the markup of boxes."""
    # The stored ledger of the package, unless a test brings its own.
    app.add_config_value("klcal_ledger", None, "html")
    app.add_node(unenumerable_node, override=True, html=(visit_box, _depart_box))
    # Labels first: those in the footers are links already.
    app.connect("doctree-resolved", link_labels, priority=600)
    app.connect("doctree-resolved", add_footers, priority=700)
