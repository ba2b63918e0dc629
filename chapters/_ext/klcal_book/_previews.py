"""Previews: numbers of statements become links; links to boxes and citations show what they lead to.

The first formula of a page that is a symbol of the page of notation is such a link, too.

Each preview stands once at the end of its page, named by its links as their description. A few lines of script show
it; without them the links are links.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from docutils import nodes  # type: ignore[import-untyped]
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from klcal_book._boxes import ledger_of, link_to
from klcal_book._formulas import formula
from klcal_book.ledger import KINDS

_SINGULAR = {f"{kind}s": kind for kind in KINDS} | {"Corollaries": "Corollary"}
_ONE = r"(?:\d+|[A-Z])\b"
_NUMBER = re.compile(
    rf"\b(?:(?:{'|'.join(KINDS)}) {_ONE}|(?:{'|'.join(_SINGULAR)}) {_ONE}(?:(?:,|,? and| to) {_ONE})*+)"
    r"(?!\.\d)(?! of (?!the paper|this book|Section))"
)
_TAGS = {"strong": "b", "paragraph": "p", "bullet_list": "ul", "enumerated_list": "ol", "list_item": "li"}
_NOTATION = "chapters/notation"
_ONE_MEANING = re.compile(r"chapters/(?:intro|0\d_|10_)")  # pages on which a letter has one
# Where a number is a name already, a formula, code, or a link.
_CLOSED = {"pending_xref", "reference", "number_reference", "title", "raw", "comment"}
_CLOSED |= {"math", "math_block", "literal", "literal_block", "doctest_block"}
_CLOSED |= {"Line"}  # of a fold, which is a button itself


def _html(node: nodes.Node, macros: Mapping[str, Any]) -> str:
    """Return the words and formulas of a node, without links, figures and anything else."""
    if isinstance(node, nodes.Text):
        return html.escape(str(node), quote=False)
    if isinstance(node, nodes.math | nodes.math_block):
        return formula(node, macros)
    said = "".join(_html(child, macros) for child in node.children)
    tag = _TAGS.get(node.tagname)
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
            boxes[box["label"]]["preview"] = (
                f"<p><b>{words}</b>{said}</p>{_html(box.next_node(nodes.section), macros)}"
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


def link_numbers(app: Sphinx, node: nodes.Element, own: str = "") -> None:
    """Turn each number of a statement in the text into a link to its box, except in the box itself."""
    numbered = {each.number: label for label, each in reversed(ledger_of(app).statements.items())}
    for child in list(node.children):
        if isinstance(child, nodes.Text):
            parts = (
                link_to(app, label, nodes.Text(said), classes=["klcal-number-link"])
                if label not in ("", own)
                else nodes.Text(said)
                for said, label in pieces(child, numbered)
            )
            node.replace(child, [*parts])
        elif child.tagname not in _CLOSED:
            link_numbers(app, child, child.get("label", own))


@cache
def symbols(app: Sphinx) -> dict[str, tuple[str, str, set[str]]]:
    """Return for each symbol of the page of notation its row as HTML, its section, and the pages that define it."""
    found: dict[str, tuple[str, str, set[str]]] = {}
    for row in app.env.get_doctree(_NOTATION).findall(nodes.row):
        said = "".join(_html(each, app.config.klcal_macros) for each in row.children[:2])
        (section,) = row.parent.parent.parent.parent["ids"][:1]
        homes = {ledger_of(app).places.get(each.get("box", ""), "") for each in row.findall(nodes.reference)}
        homes |= {f"chapters/{each['reftarget']}" for each in row.findall(addnodes.pending_xref)}
        for each in row[0].findall(nodes.math):
            for name in (each.astext(), re.split(r"\(| = | \\in\b", each.astext())[0]):
                if "\\" in name or "_" in name:  # a lone letter may be one of a proof's own
                    found.setdefault(name, (said, section, homes))
    return found


def link_symbols(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Turn the first mention of a symbol in the text of a page into a link to the page of notation."""
    seen = {""}
    for node in [*doctree.findall(nodes.math)] if _ONE_MEANING.match(page) else []:
        said, section, homes = symbols(app).get(node.astext(), ("", "", {page}))
        above, up = set(), node
        while up := up.parent:
            above |= {up.tagname, *up.get("classes", ())}
        if (
            page in homes
            or said in seen
            or above & {"reference", "title", "caption", "table", "sd-dropdown", "Fold"}
        ):
            continue
        seen.add(said)
        where = f"{app.builder.get_relative_uri(page, _NOTATION)}#{section}"
        link = nodes.reference(
            "", "", node.deepcopy(), internal=True, refuri=where, symbol=said, classes=["klcal-symbol"]
        )
        node.replace_self(link)


def cited(link: nodes.reference) -> str:
    """Return the reference that a citation has as its title, without its web address; "" for other links."""
    if "bibtex-citation" not in link.parent.get("classes", ()):
        return ""
    text = re.sub(r"\s*(?:URL:?\s*)?https?://\S+|\s*doi:\S+", "", link.attributes.pop("reftitle", ""))
    return html.escape(" ".join(text.split()))


def add_previews(app: Sphinx, doctree: nodes.document, page: str) -> None:  # noqa: ARG001
    """Note for each link to a box and each citation of a page which preview it has."""
    boxes: dict[str, dict[str, str]] = app.env.proof_list  # type: ignore[attr-defined]
    found: dict[str, str] = {}
    for link in doctree.findall(nodes.reference):
        box = boxes.get(link.get("box", ""))
        if said := box["preview"] if box else link.attributes.pop("symbol", "") or cited(link):
            link["preview"] = found.setdefault(said, f"preview-{len(found) + 1}")
    tip = '<div class="klcal-tip" id="{}" popover role="tooltip">{}</div>'
    doctree["previews"] = "\n".join(tip.format(name, said) for said, name in found.items())


def write_previews(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], doctree: Any) -> None:
    """Put the previews at the end of a page, when it is written: the search does not find them."""
    if doctree is not None:
        context["body"] += doctree.get("previews", "")


def visit_reference(self: HTML5Translator, node: nodes.reference) -> None:
    """Write a link with the name of its preview; one that is a formula has words to be heard, too."""
    HTML5Translator.visit_reference(self, node)
    if "preview" in node:
        self.body[-1] = self.body[-1].replace("<a ", f'<a aria-describedby="{node["preview"]}" ', 1)
    if node.next_node(nodes.math) and all(
        isinstance(each.parent, nodes.math) for each in node.findall(nodes.Text)
    ):
        box = ledger_of(self.builder.app).statements.get(node.get("box"))
        name = box.number if box and box.number else "More"
        self.body.append(f'<span class="visually-hidden">{name}: </span>')
