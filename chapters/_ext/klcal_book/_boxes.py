"""Theorem boxes: a title without stutter, the colour of the status, and the evidence of the ledger, folded."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from docutils import nodes  # type: ignore[import-untyped]
from sphinx.util.docutils import SphinxDirective
from sphinx_proof.nodes import NODE_TYPES, unenumerable_node  # type: ignore[import-untyped]

from klcal.claims import REGISTRY, stored, stored_evidence
from klcal.claims._markup import plain
from klcal.claims._nodes import least_favourable
from klcal.claims._words import title
from klcal_book import _evidence, _links
from klcal_book._entries import Entry, entry

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_BOXES = (unenumerable_node, *NODE_TYPES.values())
# Titles that say themselves what they are: "Lemma 3 of the paper", "Equations 11 to 13", "Step 0".
_NAMED = re.compile(
    r"(Algorithm|Corollary|Definition|Equations?|Lemma|Proposition|Remark|Step|Theorem) [A-Z0-9]"
)


class evidence_node(nodes.General, nodes.Element):  # type: ignore[misc]
    """A place where the evidence of some labels is shown: at the end of the box it stands in, or as a line."""


class EvidenceDirective(SphinxDirective):
    """``{klcal-evidence} sec1:kl_bounds_cal2``: entries that have no box of their own."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = False

    def run(self) -> list[nodes.Node]:
        """Return a place for the labels; an unknown one is an error of the build."""
        labels = self.arguments[0].split()
        for label in labels:
            if label not in REGISTRY:
                raise self.error(f"klcal-evidence must name labels of the ledger; got {label!r}")
        return [evidence_node(labels=labels)]


def link(text: nodes.Node, uri: str, title: str) -> nodes.reference:
    """Return a link within the book."""
    return nodes.reference("", "", text, refuri=uri, internal=True, reftitle=title, classes=["klcal-link"])


def prefix(title: str, kind: str) -> str:
    """Return what a title lacks to say what it is the title of.

    Examples
    --------
    >>> (
    ...     prefix("Lemma 3 of the paper", "lemma"),
    ...     prefix("after Lemma 3", "remark"),
    ...     prefix("Two points", "lemma"),
    ... )
    ('', 'Remark ', 'Lemma. ')
    """
    if _NAMED.match(title):
        return ""
    return f"{kind.title()} " if title[:1].islower() else f"{kind.title()}. "


def suffix(title: str, label: str) -> str:
    """Return the few words of the ledger for a title that is a bare number.

    Examples
    --------
    >>> (
    ...     suffix("Lemma 2 of the paper", "lem:relate_breg_vbreg"),
    ...     suffix("Two points", "lem:relate_breg_vbreg"),
    ... )
    (': the divergence as an integral', '')
    """
    is_bare = (_NAMED.match(title) or title[:1].islower()) and ":" not in title
    return f": {REGISTRY[label].title}" if is_bare and label in REGISTRY else ""


def complete_title(box: nodes.Element) -> None:
    """Let the title of a box say what it is, once, and what it is about."""
    title = box.next_node(nodes.title)
    if title is None or not isinstance(box, unenumerable_node):
        return
    said = title.astext()
    title.insert(0, nodes.inline("", prefix(said, box["realtype"]), classes=["caption-number"]))
    for words, tag, inner in re.findall(
        r"([^<]*)(?:<(su[bp])>(.*?)</su[bp]>)?", plain(suffix(said, box["label"]))
    ):
        title += nodes.Text(html.unescape(words))
        if tag:
            title += (nodes.subscript if tag == "sub" else nodes.superscript)("", inner)


def _raw(text: str) -> nodes.raw:
    return nodes.raw("", text, format="html")


def add_evidence(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Give each box the evidence for its label and its parts, and the colour of its status."""
    if app.builder.format != "html":
        for place in list(doctree.findall(evidence_node)):
            place.parent.remove(place)
        return
    table: Mapping[str, Any] = app.config.klcal_ledger or stored()
    evidence = stored_evidence()
    boxes = _links.boxes_of(app.env)
    for box in list(doctree.findall(lambda node: isinstance(node, _BOXES))):
        complete_title(box)
        labels = list(_links.parts(box["label"], REGISTRY, boxes))
        for place in list(box.findall(evidence_node)):
            labels += [label for label in place["labels"] if label not in labels]
            place.parent.remove(place)
        # The box's own entry first, then its parts in the order of the ledger.
        labels.sort(key=lambda label: label != box["label"])
        entries = [entry(label, table) for label in labels]
        own = next((told for told in entries if told.label == box["label"]), None)
        if entries:
            # A box of several entries is as good as the least favourable of them.
            status = own.status if own else least_favourable(told.status for told in entries)
            box["classes"].append(f"klcal-{_links.slug(status)}")
            box += _raw(_evidence.folded(own, entries, evidence, (app, page)))
    for place in list(doctree.findall(evidence_node)):
        told = [entry(label, table) for label in place["labels"]]
        place.replace_self(_raw("".join(_line(each, evidence, (app, page)) for each in told)))


def _line(told: Entry, evidence: Mapping[str, Any], page: tuple[Sphinx, str]) -> str:
    """Return the folded evidence of an entry that stands by itself, with its title in front."""
    text = _evidence.folded(told, [told], evidence, page, title(REGISTRY[told.label]))
    return f'<div class="klcal-alone klcal-{_links.slug(told.status)}">{text}</div>'


def link_labels(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Turn each label of the ledger that is set as code into a link to the box that treats it.

    A label without a box leads to the page of all claims, a label of which only parts are entries to the first.
    """
    if app.builder.format != "html":
        return
    boxes = _links.boxes_of(app.env)
    for literal in list(doctree.findall(nodes.literal)):
        label = literal.astext()
        if label not in REGISTRY:
            label = next(iter(_links.parts(label, REGISTRY)), "")
        if not label or _is_linked(literal):
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


def _depart_box(translator: Any, node: nodes.Element) -> None:  # noqa: ARG001
    translator.body.append("</div>")


def register(app: Sphinx) -> None:
    """Tell Sphinx about the evidence, the links and the markup of boxes."""
    # The stored ledger of the package, unless a test brings its own.
    app.add_config_value("klcal_ledger", None, "html")
    app.add_node(unenumerable_node, override=True, html=(visit_box, _depart_box))
    app.add_node(evidence_node)
    app.add_directive("klcal-evidence", EvidenceDirective)
    # Labels first: those in the evidence are links already.
    app.connect("doctree-resolved", link_labels, priority=600)
    app.connect("doctree-resolved", add_evidence, priority=700)
