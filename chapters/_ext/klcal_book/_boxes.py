"""Theorem boxes with a line of evidence, errata beside them, the pages of the ledger, and status words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes  # type: ignore[import-untyped]
from docutils.parsers.rst import directives  # type: ignore[import-untyped]
from docutils.statemachine import StringList  # type: ignore[import-untyped]
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole
from sphinx_design.shared import is_component

from klcal_book import _graph, _sentences
from klcal_book.ledger import KINDS, Ledger, pages_of, slug

# Titles that say themselves what they are: "Lemma 3 of the paper", "Equations 11 to 13".
_NAMED = re.compile(rf"({'|'.join(KINDS)}|Equations|Step) [A-Z0-9]")


@cache
def ledger_of(app: Sphinx) -> Ledger:
    """Return the ledger of this build; what does not fit together ends it."""
    found = Ledger(Path(app.srcdir), pages_of(Path(app.srcdir, app.config.external_toc_path)))
    found.check()
    return found


def address(app: Sphinx, page: str, anchor: str) -> str:
    """Return the address of a place in the book, as seen from the page that is read."""
    return f"{app.builder.get_relative_uri(app.env.docname, page)}#{anchor}"


def parse(directive: SphinxDirective, lines: Iterable[str], node: nodes.Element) -> nodes.Element:
    """Let MyST read lines into a node."""
    directive.state.nested_parse(StringList([*lines], source="ledger"), 0, node)
    return node


class Evidenced:
    """What a box of sphinx-proof gets: the class of its status, a line of evidence, a place that links can name."""

    def run(self: Any) -> list[nodes.Node]:
        """Return the box with its line."""
        (found,) = super().run()  # type: ignore[misc]
        title, text = found.children
        # A plain box: sphinx-proof would write the id of the title twice, one more that all boxes share, and "Lemma"
        # before every title.
        text["ids"] = [f"{found['label']}-text"]
        box = nodes.admonition("", title, text, **found.attributes | {"ids": []})
        kind = "" if _NAMED.match(title.astext()) else f"{box['realtype'].title()}. "
        title.insert(0, nodes.inline("", kind, classes=["caption-number"]))
        ledger = ledger_of(self.env.app)
        statement = ledger.statements[box["label"]]
        box["classes"] += [f"klcal-{slug(statement.status)}"]
        if said := _sentences.line(statement, self.env.docname, ledger.titles):
            box += parse(self, [said], nodes.container(classes=["klcal-line"]))
        return [box]


class ErratumDirective(SphinxDirective):
    """``{erratum} lem:rounding``: a quotation, and what is wrong with it."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any] | None] = dict.fromkeys(
        ("severity", "where", "read", "cause"), directives.unchanged
    )

    def run(self) -> list[nodes.Node]:
        """Return the erratum as a box of its own."""
        severity, where = self.options["severity"], self.options["where"]
        body = nodes.container("", classes=["klcal-erratum", f"klcal-{severity}"])
        body += nodes.paragraph("", f"Erratum · {severity} · {where}", classes=["klcal-erratum-title"])
        read = [f"**Read** {self.options['read']}", ""] if self.options.get("read") else []
        return [parse(self, [*self.content, "", *read], body)]


class PageDirective(SphinxDirective):
    """``{counts}``, ``{statements}``, ``{errata}``, ``{coq-table}``: what the ledger says, by their name."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        sections = getattr(_sentences, self.name.replace("-", "_"))
        found: list[nodes.Node] = []
        for title, lines in sections(ledger_of(self.env.app)):
            # Sections by hand: those that MyST makes of headings would stand before everything else.
            part = (
                nodes.section("", nodes.title("", title), ids=[slug(title)]) if title else nodes.container()
            )
            found.append(parse(self, lines, part))
        return found


class GraphDirective(SphinxDirective):
    """``{statement-graph}``: the main statements and what their proofs use."""

    def run(self) -> list[nodes.Node]:
        """Return the drawing."""
        app = self.env.app
        drawn = _graph.svg(ledger_of(app).statements, lambda box: address(app, box.page, box.label))
        return [nodes.raw("", drawn, format="html")]


class StatusRole(SphinxRole):
    """A status word that says what it means when asked."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the word."""
        classes = ["klcal-word", f"klcal-{slug(self.text)}"]
        meaning = _sentences.MEANINGS[self.text]
        return [nodes.abbreviation("", self.text, explanation=meaning, classes=classes)], []


def mark_cells(app: Sphinx, doctree: nodes.document) -> None:
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


def link_to(app: Sphinx, target: str, *words: nodes.Node, classes: Iterable[str] = ()) -> nodes.reference:
    """Return a link from the page that is read to a box or a check."""
    where = address(app, ledger_of(app).places[target], target)
    kept = ["klcal-kept"] if sum(len(each.astext()) for each in words) < 16 else []  # "Proposition 1"
    return nodes.reference("", "", *words, internal=True, refuri=where, box=target, classes=[*classes, *kept])


def link_boxes(app: Sphinx, doctree: nodes.document) -> None:
    """Take links to boxes and checks out of MyST's hands: it knows neither, and Python names that are spelt alike."""
    for found in list(doctree.findall(addnodes.pending_xref)):
        if found.get("reftype") == "myst" and found["reftarget"] in ledger_of(app).places:
            found.replace_self(link_to(app, found["reftarget"], *found.children))
    for name in list(doctree.findall(nodes.literal)):  # a label of the paper, as docstrings have them
        if ":" in name.astext() and name.astext() in ledger_of(app).statements:
            name.replace_self(link_to(app, name.astext(), name.deepcopy()))
