"""Previews: numbers of statements become links; links to boxes and citations show what they lead to.

Each preview stands once at the end of its page, named by its links as their description. A few lines of script show
it; without them the links are links.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any

from docutils import nodes  # type: ignore[import-untyped]
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from klcal_book._boxes import address, ledger_of
from klcal_book._formulas import formula

_SINGULAR = {"Corollaries": "Corollary"} | {
    f"{kind}s": kind for kind in ("Algorithm", "Equation", "Lemma", "Proposition", "Remark", "Theorem")
}
_ONE = r"(?:\d+|[A-HL])\b"
_NUMBER = re.compile(
    rf"\b(?:(?:{'|'.join(_SINGULAR.values())}) {_ONE}|(?:{'|'.join(_SINGULAR)}) {_ONE}(?:(?:,|,? and| to) {_ONE})*+)"
    r"(?!\.\d)(?! of (?!the paper|this book|Section))"
)
# Where a number is a name already, a formula, code, or a link.
_CLOSED = (nodes.reference, nodes.title, nodes.literal, nodes.math, nodes.raw, nodes.literal_block)


def _html(node: nodes.Node, macros: Mapping[str, Any]) -> str:
    """Return the words and formulas of a node, without links, figures and anything else."""
    if isinstance(node, nodes.Text):
        return html.escape(str(node), quote=False)
    if isinstance(node, nodes.math | nodes.math_block):
        return formula(node, macros)
    said = "".join(_html(child, macros) for child in node.children)
    tags = {nodes.strong: "b", nodes.paragraph: "p", nodes.list_item: "div"}
    tag = tags.get(type(node))
    return f"<{tag}>{said}</{tag}>" if tag else said


def keep_previews(app: Sphinx, doctree: nodes.document) -> None:
    """Note title, status and text of each box as HTML, for all pages."""
    macros, boxes = app.config.klcal_macros, app.env.proof_list  # type: ignore[attr-defined]
    for box in doctree.findall(nodes.Element):
        if "realtype" in box:
            _, *title = box.next_node(nodes.title).children  # without what `Evidenced` has put before it
            words = "".join(_html(part, macros) for part in title)
            status = ledger_of(app).statements[box["label"]].status
            said = "" if status == "definition" else f" · {status}"
            text = _html(box.next_node(nodes.section), macros)
            boxes[box["label"]]["preview"] = f"<p><b>{words}</b>{said}</p>{text}"


def pieces(text: str, numbered: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text with the label that each names, "" for what lies between.

    Examples
    --------
    >>> list(
    ...     pieces("Lemmas 4 and 5, not Lemma 5.2.", {"Lemma 4": "a", "Lemma 5": "b"})
    ... )
    [('Lemmas 4', 'a'), (' and ', ''), ('5', 'b'), (', not Lemma 5.2.', '')]
    """
    start = 0
    for found in _NUMBER.finditer(text):
        kind = found[0].partition(" ")[0]
        for one in re.finditer(rf"{kind} {_ONE}|\b{_ONE}", found[0]):
            label = numbered.get(f"{_SINGULAR.get(kind, kind)} {one[0].rpartition(' ')[2]}")
            if label is not None:
                if found.start() + one.start() > start:
                    yield text[start : found.start() + one.start()], ""
                yield one[0], label
                start = found.start() + one.end()
    if start < len(text):
        yield text[start:], ""


def _parents(node: nodes.Node) -> Iterator[nodes.Node]:
    while node is not None:
        yield node
        node = node.parent


def link_numbers(doctree: nodes.document, addresses: Mapping[str, str], numbered: Mapping[str, str]) -> None:
    """Turn each number of a statement in the text into a link to its box."""
    for text in list(doctree.findall(nodes.Text)):
        around = [*_parents(text)]
        if not _NUMBER.search(text) or any(isinstance(each, _CLOSED) for each in around):
            continue
        own = {each["label"] for each in around if isinstance(each, nodes.Element) and "realtype" in each}
        parts: list[nodes.Node] = []
        for said, label in pieces(str(text), numbered):
            classes = ["klcal-number-link"]
            link = nodes.reference("", said, refuri=addresses.get(label, ""), internal=True, classes=classes)
            parts.append(link if label and label not in own else nodes.Text(said))
        text.parent.replace(text, parts)


def cited(link: nodes.reference) -> str:
    """Return the reference that a citation has as its title, without its web address."""
    text = re.sub(r"\s*(?:URL:?\s*)?https?://\S+|\s*doi:\S+", "", link.attributes.pop("reftitle", ""))
    return html.escape(" ".join(text.split()))


def add_previews(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Link the numbers, and note for each link to a box and each citation of a page which preview it has."""
    if page.startswith("chapters/api"):
        return
    statements = ledger_of(app).statements
    addresses = {label: address(app, page, each.page, label) for label, each in statements.items()}
    numbered = {each.number: label for label, each in reversed(statements.items())}
    link_numbers(doctree, addresses, numbered)
    labels = {address: label for label, address in addresses.items()}
    boxes: dict[str, dict[str, str]] = app.env.proof_list  # type: ignore[attr-defined]
    found: dict[str, str] = {}
    for link in doctree.findall(nodes.reference):
        label = labels.get(link.get("refuri", "") or f"#{link.get('refid', '')}", "")
        is_citation = "bibtex-citation" in link.parent.get("classes", ())
        said = cited(link) if is_citation else ""
        if label and not link.next_node(nodes.image):
            said = boxes[label]["preview"]
        if said:
            link["preview"] = found.setdefault(said, f"preview-{len(found) + 1}")
    doctree["previews"] = "\n".join(
        f'<div class="klcal-tip" id="{name}" popover role="tooltip">{said}</div>'
        for said, name in found.items()
    )


def write_previews(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Put the previews at the end of a page, when it is written: the search does not find them."""
    del app, page, template
    if doctree is not None:
        context["body"] += doctree.get("previews", "")


def visit_reference(self: HTML5Translator, node: nodes.reference) -> None:
    """Write a link with the name of its preview."""
    HTML5Translator.visit_reference(self, node)
    if "preview" in node:
        self.body[-1] = self.body[-1].replace("<a ", f'<a aria-describedby="{node["preview"]}" ', 1)
