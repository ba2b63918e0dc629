"""Links to statements: numbers in the text become links, and all links to boxes show the statement on hover and focus.

Title and status are in the page; the statement is there too, and a few lines of script typeset it when it is first
looked at. Without scripts title and status are shown.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from docutils import nodes  # type: ignore[import-untyped]

from klcal_book._boxes import ledger_of
from klcal_book._hidden import hidden
from klcal_book.ledger import Statement

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_SINGULAR = {"Corollaries": "Corollary"} | {
    f"{kind}s": kind for kind in ("Algorithm", "Equation", "Lemma", "Proposition", "Remark", "Theorem")
}
_ONE = r"(?:\d+|[A-HL])\b"
_NUMBER = re.compile(
    rf"\b(?:(?:{'|'.join(_SINGULAR.values())}) {_ONE}|(?:{'|'.join(_SINGULAR)}) {_ONE}(?:(?:,|,? and| to) {_ONE})*+)"
    r"(?!\.\d)(?! of (?!the paper|this book|Section))"
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


def _words(node: nodes.Node) -> str:
    if isinstance(node, nodes.Text):
        return html.escape(str(node), quote=False)
    if isinstance(node, nodes.math | nodes.math_block):
        start, end = (r"\(", r"\)") if isinstance(node, nodes.math) else (r"\[", r"\]")
        return f'<span class="klcal-later">{start}{html.escape(node.astext(), quote=False)}{end}</span>'
    if isinstance(node, nodes.list_item):
        return f'<span class="klcal-step">{"".join(map(_words, node.children))}</span>'
    said = "".join(map(_words, node.children))
    return f"<b>{said}</b>" if isinstance(node, nodes.strong) else said


def keep_statements(app: Sphinx, doctree: nodes.document) -> None:
    """Note the text of each box as HTML that may stand inside a link, for previews on all pages."""
    for box in doctree.findall(nodes.Element):
        if "realtype" in box:
            parts = (
                f'<span class="klcal-step">{_words(part)}</span>' for part in box.next_node(nodes.section)
            )
            app.env.proof_list[box["label"]]["said"] = "".join(parts)  # type: ignore[attr-defined]


def tip(statement: Statement, said: str) -> str:
    """Return the preview of a statement as HTML; its formulas are typeset when it is first shown."""
    title = re.sub(
        r"\$([^$]+)\$",
        r'<span class="klcal-later">\\(\1\\)</span>',
        html.escape(statement.title, quote=False),
    )
    status = "" if statement.status == "definition" else f" · {statement.status}"
    return (
        f'<span class="klcal-tip" role="tooltip"><b>{title}</b>{status}'
        f'<span class="klcal-said">{said}</span></span>'
    )


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
    """Turn each number of a statement in the text into a link to its box, and give all links to boxes a preview."""
    if app.builder.name != "html" or not page.startswith("chapters/") or page.startswith("chapters/api"):
        return
    statements = {
        label: each for label, each in ledger_of(app).statements.items() if each.page in app.env.found_docs
    }
    numbered: dict[str, str] = {}
    for label, each in statements.items():
        numbered.setdefault(each.number, label)

    def address(label: str) -> str:
        there = statements[label].page
        return f"#{label}" if there == page else f"{app.builder.get_relative_uri(page, there)}#{label}"

    for text in list(doctree.findall(nodes.Text)):
        if _is_closed(text.parent) or not _NUMBER.search(text):
            continue
        own = _box_of(text)
        parts: list[nodes.Node] = []
        for said, label in pieces(str(text), numbered):
            if label and label != own:
                found = nodes.reference(
                    "", said, refuri=address(label), internal=True, classes=["klcal-number-link"]
                )
                parts.append(found)
            else:
                parts.append(nodes.Text(said))
        if len(parts) > 1 or not isinstance(parts[0], nodes.Text):
            text.parent.replace(text, parts)
    kept = getattr(app.env, "proof_list", {})
    places = {address(label): label for label in statements}
    for found in doctree.findall(nodes.reference):
        label = places.get(found.get("refuri", "") or f"#{found.get('refid', '')}", "")
        if label and not found.next_node(nodes.image):
            found["classes"] += ["klcal-link"]
            found.attributes.pop("reftitle", None)
            found += hidden(tip(statements[label], kept.get(label, {}).get("said", "")))


def register(app: Sphinx) -> None:
    """Tell Sphinx to link the numbers when other links are resolved."""
    app.connect("doctree-read", keep_statements)
    app.connect("doctree-resolved", link_numbers, priority=650)
