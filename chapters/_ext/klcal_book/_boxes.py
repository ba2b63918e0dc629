"""Theorem boxes with a line of evidence, errata beside them, the pages of the ledger, and status words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes  # type: ignore[import-untyped]
from docutils.parsers.rst import directives  # type: ignore[import-untyped]
from docutils.statemachine import StringList  # type: ignore[import-untyped]
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective, SphinxRole
from sphinx_design.shared import is_component
from sphinx_proof.domain import ProofDomain  # type: ignore[import-untyped]
from sphinx_proof.nodes import unenumerable_node  # type: ignore[import-untyped]

from klcal_book import _graph, _sentences
from klcal_book.ledger import SEVERITIES, Ledger, pages_of, slug

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# Titles that say themselves what they are: "Lemma 3 of the paper", "Equations 11 to 13".
_NAMED = re.compile(
    r"(Algorithm|Corollary|Definition|Equations?|Lemma|Proposition|Remark|Step|Theorem) [A-Z0-9]"
)


def ledger_of(app: Any) -> Ledger:
    """Return the ledger of this build."""
    found: Ledger = app.klcal_ledger
    return found


def read_ledger(app: Sphinx) -> None:
    """Read the pages before Sphinx does; what does not fit together ends the build."""
    found = Ledger(Path(app.srcdir), pages_of(Path(app.srcdir, app.config.external_toc_path)))
    app.klcal_ledger = found  # type: ignore[attr-defined]
    if app.config.klcal_is_strict:
        found.check()


def parse(directive: SphinxDirective, lines: Iterable[str], node: nodes.Element) -> nodes.Element:
    """Let MyST read lines into a node."""
    directive.state.nested_parse(StringList([*lines], source="ledger"), 0, node)
    return node


def prefix(title: str, kind: str) -> str:
    """Return what a title lacks to say what it is the title of.

    Examples
    --------
    >>> prefix("Lemma 3 of the paper", "lemma"), prefix("Two points", "lemma")
    ('', 'Lemma. ')
    """
    return "" if _NAMED.match(title) else f"{kind.title()}. "


class Evidenced:
    """What a box of sphinx-proof gets: the class of its status, a line of evidence, a place that links can name."""

    def run(self: Any) -> list[nodes.Node]:
        """Return the box with its line."""
        (box,) = super().run()  # type: ignore[misc]
        title = box.next_node(nodes.title)
        title.insert(0, nodes.inline("", prefix(title.astext(), box["realtype"]), classes=["caption-number"]))
        statement = ledger_of(self.env.app).statements.get(box["label"])
        if statement is not None:
            box["classes"] += [f"klcal-{slug(statement.status)}"]
            said = _sentences.line(statement, self.env.docname, ledger_of(self.env.app).titles)
            if said:
                box += parse(self, [said], nodes.container(classes=["klcal-line"]))
        return [box]


class ErratumDirective(SphinxDirective):
    """``{erratum} lem:rounding``: a quotation, and what is wrong with it."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any] | None] = {
        "severity": lambda said: directives.choice(said, SEVERITIES),
        "where": directives.unchanged_required,
        "read": directives.unchanged,
        "cause": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        """Return the erratum as a box of its own."""
        severity, where = self.options["severity"], self.options["where"]
        body = nodes.container("", classes=["klcal-erratum", f"klcal-{severity}"])
        body += nodes.paragraph("", f"Erratum · {severity} · {where}", classes=["klcal-erratum-title"])
        read = [f"**Read** {self.options['read']}", ""] if self.options.get("read") else []
        return [parse(self, [*self.content, "", *read], body)]


class PageDirective(SphinxDirective):
    """``{statements}`` and ``{errata}``: a page of the ledger."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        ledger = ledger_of(self.env.app)
        for page in ledger.titles:
            self.env.note_dependency(self.env.doc2path(page))
        found: list[nodes.Node] = []
        for title, lines in getattr(_sentences, self.name)(ledger):
            # Sections by hand: those that MyST makes of headings would stand before everything else.
            heading = (
                nodes.section("", nodes.title("", title), ids=[slug(title)]) if title else nodes.container()
            )
            found.append(parse(self, lines, heading))
        return found


class CountsDirective(SphinxDirective):
    """``{counts}``: how many statements and checks the book has, as a paragraph."""

    def run(self) -> list[nodes.Node]:
        """Return the paragraph."""
        return [parse(self, _sentences.counts(ledger_of(self.env.app)), nodes.container())]


class graph_node(nodes.General, nodes.Element):  # type: ignore[misc]
    """The place of the graph; it is drawn when addresses are known."""


class GraphDirective(SphinxDirective):
    """``{statement-graph}``: the main statements and what their proofs use."""

    def run(self) -> list[nodes.Node]:
        """Return the place."""
        return [graph_node()]


class StatusRole(SphinxRole):
    """A status word that says what it means when asked."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the word."""
        classes = ["klcal-word", f"klcal-{slug(self.text)}"]
        meaning = _sentences.MEANINGS[self.text]
        return [nodes.abbreviation("", self.text, explanation=meaning, classes=classes)], []


def mark(app: Sphinx, doctree: nodes.document) -> None:
    """Fold the checks of a page, name their places, and tell proofs from other dropdowns."""
    page = app.env.docname
    for cell in doctree.findall(nodes.container):
        if is_component(cell, "dropdown") and cell["has_title"] and cell[0].astext().startswith("Proof"):
            cell["container_classes"].append("klcal-proof")
        place = ledger_of(app).checks.get((page, cell.get("cell_index", -1)))
        if place and cell.get("nb_element") == "cell_code":
            cell["ids"].append(place)
            cell["classes"].append("klcal-checked")
            cell["hide_mode"] = "input"
            cell["prompt_show"], cell["prompt_hide"] = "Show the check", "Hide the check"


def find_links(app: Sphinx, doctree: nodes.document) -> None:
    """Take links to boxes and checks out of MyST's hands: it knows neither, and Python names that are spelt alike."""
    ledger = ledger_of(app)
    places = {label: (each.page, label) for label, each in ledger.statements.items()}
    places |= {anchor: (page, anchor) for (page, _), anchor in ledger.checks.items()}
    for found in list(doctree.findall(addnodes.pending_xref)):
        if found.get("reftype") == "myst" and (target := found["reftarget"]) in places:
            page, anchor = places[target]
            link = nodes.reference("", "", *found.children, internal=True, klcal_place=(page, anchor))
            if not found.get("refexplicit", True) and target in ledger.statements:
                link.children = [nodes.inline("", ledger.statements[target].title)]
            found.replace_self(link)


def resolve_links(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Write the addresses of these links, as seen from their page."""
    for link in doctree.findall(nodes.reference):
        if "klcal_place" in link:
            there, anchor = link["klcal_place"]
            way = "" if there == page else app.builder.get_relative_uri(page, there)
            link["refuri"] = f"{way}#{anchor}"


def draw(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Put the graph into its place."""
    for place in list(doctree.findall(graph_node)):
        boxes = [*ledger_of(app).statements.values()]
        found = _graph.svg(boxes, lambda box: f"{app.builder.get_relative_uri(page, box.page)}#{box.label}")
        place.replace_self(nodes.raw("", found, format="html"))


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
    """Tell Sphinx about boxes, errata, pages and words."""
    app.setup_extension("sphinx_proof")
    # A preview of one page may go on where pages do not fit together.
    app.add_config_value("klcal_is_strict", True, "env")
    for name, kind in ProofDomain.directives.items():
        if name != "proof":
            box = type(kind.__name__, (Evidenced, kind), {})
            app.add_directive_to_domain("prf", name, box, override=True)
    app.add_node(unenumerable_node, override=True, html=(visit_box, _depart_box))
    app.add_node(graph_node)
    app.add_role("status", StatusRole())
    app.add_directive("erratum", ErratumDirective)
    for name in ("statements", "errata"):
        app.add_directive(name, PageDirective)
    app.add_directive("counts", CountsDirective)
    app.add_directive("statement-graph", GraphDirective)
    app.connect("builder-inited", read_ledger)
    app.connect("doctree-read", mark)
    app.connect("doctree-read", find_links)
    app.connect("doctree-resolved", resolve_links, priority=400)
    app.connect("doctree-resolved", draw)
