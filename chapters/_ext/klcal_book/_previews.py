"""Labels and numbers of statements that show the statement on hover and on keyboard focus.

Title and status are in the page; the statement is there too, and a few lines of script typeset it when it is first
looked at. Without scripts title and status are shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from docutils import nodes  # type: ignore[import-untyped]

from klcal.claims import REGISTRY, stored
from klcal.claims._markup import badge, markup
from klcal.claims._words import title
from klcal_book import _links

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_NUMBER = re.compile(
    r"\b(?:Algorithm|Corollary|Equation|Lemma|Proposition|Remark|Theorem) (?:\d+|[A-F])\b"
    r"(?!\.\d)(?! in other numberings)(?! of (?!the paper|this book|Section))"
)
# Where a number is a name already, a formula, code, or a link.
_CLOSED = (
    nodes.reference,
    nodes.title,
    nodes.literal,
    nodes.math,
    nodes.raw,
    nodes.literal_block,
    nodes.pending,
)


@cache
def numbered() -> Mapping[str, str]:
    """Return printed number -> label, for the numbers that name one entry of the ledger.

    Examples
    --------
    >>> numbered()["Lemma 5"]
    'lem:rounding'
    """
    found: dict[str, str] = {}
    for label, claim in REGISTRY.items():
        found.setdefault(claim.number.partition(" (")[0], label)
    return found


def tip(label: str, status: str) -> str:
    """Return the preview of an entry as HTML; its formulas are typeset when it is first shown."""
    claim = REGISTRY[label]
    said = markup(claim.repair or claim.instead or claim.statement).replace(
        'class="math"', 'class="klcal-later"'
    )
    return (
        f'<span class="klcal-tip" role="tooltip"><b>{markup(title(claim))}</b> '
        f'{badge(status)}<span class="klcal-said">{said}</span></span>'
    )


def pieces(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text with the label that each names, "" for what lies between.

    Examples
    --------
    >>> list(pieces("By Lemma 5, and Lemma 99."))
    [('By ', ''), ('Lemma 5', 'lem:rounding'), (', and Lemma 99.', '')]
    >>> list(pieces("Lemma 5.2 elsewhere"))
    [('Lemma 5.2 elsewhere', '')]
    """
    start = 0
    for found in _NUMBER.finditer(text):
        label = numbered().get(found[0])
        if label is not None:
            if found.start() > start:
                yield text[start : found.start()], ""
            yield found[0], label
            start = found.end()
    if start < len(text):
        yield text[start:], ""


def _is_closed(node: nodes.Node) -> bool:
    while node is not None:
        if isinstance(node, _CLOSED):
            return True
        node = node.parent
    return False


def _box_of(node: nodes.Node) -> str:
    while node is not None:
        if isinstance(node, nodes.Element) and "proof" in node.get("classes", ()):
            return str(node.get("label", ""))
        node = node.parent
    return ""


def link_numbers(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Turn each number of a statement in the text into a link to its box, and give all such links a preview."""
    if app.builder.name != "html" or not page.startswith("chapters/") or page.startswith("chapters/api"):
        return
    boxes = _links.boxes_of(app.env)
    table: Mapping[str, Any] = app.config.klcal_ledger or stored()

    def status(label: str) -> str:
        return table[label].status if label in table else "not yet run"

    def reference(text: str, label: str, *classes: str) -> nodes.reference:
        box = _links.nearest_box(label, boxes)
        target, anchor = (boxes[box], box) if box else (_links.CLAIMS_PAGE, _links.claim_anchor(label))
        uri = _links.address(app.builder, page, target, anchor)
        return nodes.reference("", "", nodes.Text(text), refuri=uri, internal=True, classes=list(classes))

    for text in list(doctree.findall(nodes.Text)):
        if _is_closed(text.parent) or not _NUMBER.search(text):
            continue
        own = _box_of(text)
        parts: list[nodes.Node] = []
        for said, label in pieces(str(text)):
            if label and label != own and _links.nearest_box(label, boxes):
                parts.append(reference(said, label, "klcal-number-link", f"klcal-to-{_links.slug(label)}"))
                parts[-1] += nodes.raw("", tip(label, status(label)), format="html")
            else:
                parts.append(nodes.Text(said))
        if len(parts) > 1 or not isinstance(parts[0], nodes.Text):
            text.parent.replace(text, parts)
    for found in doctree.findall(nodes.reference):
        if "klcal-link" in found["classes"] and (label := found.astext()) in REGISTRY:
            found.attributes.pop("reftitle", None)
            found += nodes.raw("", tip(label, status(label)), format="html")


def register(app: Sphinx) -> None:
    """Tell Sphinx to link the numbers after the labels are links."""
    app.connect("doctree-resolved", link_numbers, priority=650)
