"""Labels and numbers of statements that show the statement on hover and on keyboard focus.

Title and status are in the page; the statement is there too, and a few lines of script typeset it when it is first
looked at. Without scripts title and status are shown.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from docutils import nodes  # type: ignore[import-untyped]

from klcal.claims import REGISTRY, stored
from klcal.claims._markup import _LABEL, badge, markup
from klcal.claims._words import title
from klcal_book import _links
from klcal_book._hidden import hidden

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_SINGULAR = {"Corollaries": "Corollary"} | {
    f"{kind}s": kind for kind in ("Algorithm", "Equation", "Lemma", "Proposition", "Remark", "Theorem")
}
_ONE = r"(?:\d+|[A-HL])\b"
_NUMBER = re.compile(
    rf"\b(?:(?:{'|'.join(_SINGULAR.values())}) {_ONE}|(?:{'|'.join(_SINGULAR)}) {_ONE}(?:(?:,|,? and| to) {_ONE})*+)"
    r"(?!\.\d)(?! in other numberings)(?! of (?!the paper|this book|Section))"
)
# A label in brackets is for the reader of the ledger.
_ASIDE = re.compile(rf" \((?:{_LABEL})\)")
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


def _words(node: nodes.Node) -> str:
    if isinstance(node, nodes.Text):
        return html.escape(str(node), quote=False)
    if isinstance(node, nodes.math | nodes.math_block):
        start, end = (r"\(", r"\)") if isinstance(node, nodes.math) else (r"\[", r"\]")
        return f'<span class="klcal-later">{start}{html.escape(node.astext(), quote=False)}{end}</span>'
    said = "".join(map(_words, node.children))
    return f"<b>{said}</b>" if isinstance(node, nodes.strong) else said


def steps(content: nodes.Element) -> str:
    r"""Return the text of an algorithm as HTML that may stand inside a link.

    Examples
    --------
    >>> play = nodes.list_item(
    ...     "", nodes.paragraph("", "", nodes.Text("play "), nodes.math("", "z_0"))
    ... )
    >>> print(
    ...     steps(
    ...         nodes.section(
    ...             "", nodes.paragraph("", "Then"), nodes.enumerated_list("", play)
    ...         )
    ...     )
    ... )
    <span class="klcal-step">Then</span><span class="klcal-step">1. play <span class="klcal-later">\(z_0\)</span></span>
    """
    parts = []
    for node in content.children:
        if isinstance(node, nodes.enumerated_list):
            parts += [f"{at}. {_words(item)}" for at, item in enumerate(node.children, 1)]
        else:
            parts.append(_words(node))
    return "".join(f'<span class="klcal-step">{part}</span>' for part in parts)


def keep_steps(app: Sphinx, doctree: nodes.document) -> None:
    """Note the text of each algorithm, for previews on other pages."""
    for box in doctree.findall(nodes.Element):
        if box.get("realtype") == "algorithm":
            content = box.next_node(nodes.section)
            app.env.proof_list[box["label"]]["steps"] = steps(content)  # type: ignore[attr-defined]


def tip(label: str, status: str, text: str = "") -> str:
    """Return the preview of an entry as HTML; its formulas are typeset when it is first shown.

    Parameters
    ----------
    label : str
        The entry.
    status : str
        Its status in the ledger.
    text : str
        What the preview says, if not the statement.
    """
    claim = REGISTRY[label]
    said = text or markup(_ASIDE.sub("", claim.repair or claim.instead or claim.statement)).replace(
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
    >>> list(pieces("Lemmas 4 and 5"))
    [('Lemmas 4', 'lem:EWOO_regret_bound'), (' and ', ''), ('5', 'lem:rounding')]
    """
    start = 0
    for found in _NUMBER.finditer(text):
        kind = found[0].partition(" ")[0]
        for one in re.finditer(rf"{kind} {_ONE}|\b{_ONE}", found[0]):
            label = numbered().get(f"{_SINGULAR.get(kind, kind)} {one[0].rpartition(' ')[2]}")
            if label is not None:
                if found.start() + one.start() > start:
                    yield text[start : found.start() + one.start()], ""
                yield one[0], label
                start = found.start() + one.end()
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

    def preview(label: str) -> nodes.Element:
        text = getattr(app.env, "proof_list", {}).get(label, {}).get("steps", "")
        return hidden(tip(label, status(label), text))

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
                parts[-1] += preview(label)
            else:
                parts.append(nodes.Text(said))
        if len(parts) > 1 or not isinstance(parts[0], nodes.Text):
            text.parent.replace(text, parts)
    for found in doctree.findall(nodes.reference):
        if "klcal-link" in found["classes"] and (label := found.astext()) in REGISTRY:
            found.attributes.pop("reftitle", None)
            found += preview(label)


def register(app: Sphinx) -> None:
    """Tell Sphinx to link the numbers after the labels are links."""
    app.connect("doctree-read", keep_steps)
    app.connect("doctree-resolved", link_numbers, priority=650)
