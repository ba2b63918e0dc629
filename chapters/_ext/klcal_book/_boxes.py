"""Theorem boxes with a line of evidence, errata beside them, the pages of the ledger, and status words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

from docutils import nodes  # type: ignore[import-untyped]
from docutils.parsers.rst import directives  # type: ignore[import-untyped]
from docutils.statemachine import StringList  # type: ignore[import-untyped]
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole
from sphinx_design.shared import is_component

from klcal_book import _graph, _sentences
from klcal_book._folds import Fold, folded
from klcal_book.ledger import KINDS, WHOLE, Evidence, Ledger, pages_of, slug

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
        badges = " ".join(_sentences.badges(statement))
        said = " ".join(_sentences.sentences(statement, self.env.docname, ledger.titles))
        if len(said) > 40:  # else the sentence is no longer than the words that would hide it
            line = parse(self, [f"{badges} what was checked"], nodes.container())[0]
            box += folded("klcal-line", line.children, parse(self, [said], nodes.container()))
        elif badges or said:
            box += parse(self, [f"{badges} {said}"], nodes.container(classes=["klcal-line"]))
        return [box]


class ErratumDirective(SphinxDirective):
    """``{erratum} lem:rounding``: a quotation, and what is wrong with it."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any] | None] = dict.fromkeys(
        ("severity", "where", "read", "cause"), directives.unchanged
    )

    def run(self) -> list[nodes.Node]:
        """Return the erratum as a box of its own, or as one line that leads to the page of errata."""
        severity, where = self.options["severity"], self.options["where"]
        if severity != "false":
            entries = [each.where for each in ledger_of(self.env.app).statements[self.arguments[0]].errata]
            place = f"erratum-{slug(self.arguments[0])}-{entries.index(where)}"
            anchor, said = (
                ("misprints", f"read {self.options['read']}") if severity == "misprint" else (place, severity)
            )
            mark = nodes.container(classes=["klcal-erratum-mark"])
            return [parse(self, [f"[Erratum](#{anchor}) · {where}: {said}."], mark)]
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


def status_word(word: str) -> nodes.Node:
    """Return a status word that says what it means when asked."""
    meaning = _sentences.MEANINGS[word]
    return nodes.abbreviation("", word, explanation=meaning, classes=["klcal-word", f"klcal-{slug(word)}"])


class StatusRole(SphinxRole):
    """``{status}`proved here```: a status word; ``{status}`thm:bound_pkcal```: those of a statement."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the words."""
        box = ledger_of(self.env.app).statements.get(self.text)
        words = _sentences.words(box) if box else [self.text]
        parts = [part for word in words for part in (nodes.Text(" "), status_word(word))]
        return parts[1:], []


def mark_cells(app: Sphinx, doctree: nodes.document) -> None:
    """Fold the checks of a page, name their places, and tell proofs from other dropdowns."""
    page, ledger = app.env.docname, ledger_of(app)
    found: dict[str, list[Evidence]] = {}
    for each in (each for box in ledger.statements.values() for each in box.evidence):
        found.setdefault(each.cell, []).append(each)
    for cell in list(doctree.findall(nodes.container)):
        if is_component(cell, "dropdown") and cell["has_title"] and cell[0].astext().startswith("Proof"):
            cell["container_classes"].append("klcal-proof")
        place = ledger.checks.get((page, cell.get("cell_index", -1)))
        if place and cell.get("nb_element") == "cell_code":
            cell["ids"].append(place)
            cell["classes"].append("klcal-checked")
            records = found[f"{page}#{place}"]
            if all(each.refutes for each in records):
                cell["classes"].append("klcal-refuted")
            _gather(cell, records)
    for checks in [each for each in doctree.findall(Fold) if "klcal-checks" in each["classes"]]:
        _stand_beside_proof(checks)


def _stand_beside_proof(checks: Fold) -> None:
    """Put checks that follow a proof into one row with it."""
    parent, at = checks.parent, checks.parent.index(checks)
    proof = parent[at - 1] if at else None
    if isinstance(proof, nodes.container) and "klcal-proof" in proof.get("container_classes", ()):
        parent[at - 1 : at + 1] = [nodes.container("", proof, checks, classes=["klcal-row"])]


def _gather(cell: nodes.container, records: list[Evidence]) -> None:
    """Put a check into the fold of those directly before it, or into a new one; its line says what they cover."""
    parent, at = cell.parent, cell.parent.index(cell)
    group = parent[at - 1] if at else None
    if not (isinstance(group, Fold) and "klcal-checks" in group["classes"]):
        group = folded("klcal-checks", [nodes.strong()])
        parent.insert(at, group)
    parent.remove(cell)
    group += cell
    count, line = len(group) - 1, group[0]
    line[0].children = [nodes.Text(f"{count} checks:" if count > 1 else "Check:")]
    for each in records:
        line += nodes.Text(" · " if len(line) > 1 else " ")
        how = f", {_sentences.BY[each.kind]}" if each.covers == WHOLE else ""
        line += nodes.inline("", each.covers + how, classes=["klcal-refuting"] if each.refutes else [])


def link_to(app: Sphinx, target: str, *words: nodes.Node, classes: Iterable[str] = ()) -> nodes.reference:
    """Return a link from the page that is read to a box or a check."""
    where = address(app, ledger_of(app).places[target], quote(target, safe=":"))
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
