"""The Coq sources as pages of the book, and what the kernel said about them: statements, a proof, a table."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes  # type: ignore[import-untyped]
from pygments import highlight  # type: ignore[import-untyped]
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
from sphinx.util.docutils import SphinxDirective, SphinxRole

from klcal_book import _sentences
from klcal_book._boxes import ledger_of, parse

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FOLDER = "proofs"
_SOURCES = Path(__file__).parents[3] / FOLDER
_NAMED = re.compile(
    r"^\s*(?:Theorem|Lemma|Corollary|Remark|Fact|Definition|Fixpoint|Record|Inductive|Notation)\s+([\w']+)"
)
_COMMENT = re.compile(r"^\(\*\*?\s*(?:\*\s*)?(.+?)\s*(?:\*\))?$")


def place(theorem: str) -> tuple[str, str]:
    """Return page and anchor of a theorem.

    Examples
    --------
    >>> place("Theorem2.theorem2")
    ('proofs/Theorem2', 'theorem2')
    """
    module, _, name = theorem.partition(".")
    return f"{FOLDER}/{module}", name


def with_anchors(source: str) -> str:
    """Return Coq source as highlighted HTML, one line per line, each named object with an id.

    Examples
    --------
    >>> '<span id="double">' in with_anchors("Definition double n := n + n.")
    True
    """
    formatter = HtmlFormatter(nowrap=True)
    plain = source.rstrip("\n").split("\n")
    marked = highlight(source, get_lexer_by_name("coq", stripnl=False), formatter).rstrip("\n").split("\n")
    lines, seen = [], set()
    for text, line in zip(plain, marked, strict=True):
        named = _NAMED.match(text)
        if named and named[1] not in seen:
            seen.add(named[1])
            line = f'<span id="{html.escape(named[1])}">{line}</span>'
        lines.append(line)
    return "\n".join(lines)


def title(source: str) -> str:
    """Return the first sentence of the opening comment of a file.

    Examples
    --------
    >>> title("(** * Sums. And more. *)")
    'Sums'
    """
    first = _COMMENT.match(source.split("\n", 1)[0])
    return first[1].split(". ")[0].rstrip(".: ") if first else ""


def pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield a page for each source file; Sphinx asks once for a build."""
    del app
    names = sorted(path.stem for path in _SOURCES.glob("*.v"))
    links = " ".join(f'<a href="{name}.html">{name}</a>' for name in names)
    for name in names:
        source = (_SOURCES / f"{name}.v").read_text(encoding="utf-8")
        body = (
            f"<section><h1>{name}.v</h1><p>{html.escape(title(source))}. "
            '<a href="../chapters/proofs.html">About the proofs</a>.</p>'
            f'<details><summary>All source files</summary><nav class="klcal-sources" aria-label="Sources">{links}'
            '</nav></details><div class="highlight-coq notranslate klcal-coq">'
            f'<div class="highlight"><pre tabindex="0">{with_anchors(source)}'
            "</pre></div></div></section>"
        )
        yield f"{FOLDER}/{name}", {"title": f"{name}.v", "body": body}, "page.html"


class CoqRole(SphinxRole):
    """``{coq}`Theorem2.theorem2```: a link to an object of the sources, or ``{coq}`Theorem2``` to a file."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the link; a file that does not exist is an error of the build."""
        page, anchor = place(self.text)
        if not (_SOURCES / f"{self.text.partition('.')[0]}.v").is_file():
            raise ValueError(f"coq must name a file of proofs/; got {self.text!r}")
        name = self.text if anchor else f"{self.text}.v"
        target = f"{self.env.app.builder.get_relative_uri(self.env.docname, page)}#{anchor}".rstrip("#")
        return [nodes.reference("", "", nodes.literal("", name), refuri=target, internal=True)], []


def record() -> dict[str, Any]:
    """Return what the last compilation found: version of Coq, digests of the sources, theorems, one proof by steps."""
    found: dict[str, Any] = json.loads((_SOURCES / "record.json").read_text(encoding="utf-8"))
    return found


class CoqStatementDirective(SphinxDirective):
    """``{coq-statement} Theorem2.theorem2``: a theorem as Coq prints it."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the name, as a link to its proof, and the statement."""
        name = self.arguments[0]
        if name not in record()["theorems"]:
            raise self.error(f"coq-statement must name a theorem of proofs/record.json; got {name!r}")
        place = parse(self, [f"{{coq}}`{name}`"], nodes.container(classes=["klcal-theorem"]))
        place += nodes.literal_block("", record()["theorems"][name]["statement"], language="coq")
        return [place]


class CoqStepsDirective(SphinxDirective):
    """``{coq-steps}``: the proof of ``Walkthrough.v`` step by step, with what is left to prove after each."""

    def run(self) -> list[nodes.Node]:
        """Return the steps as a list."""
        told = record()["walkthrough"]
        steps = nodes.enumerated_list(classes=["klcal-walkthrough"])
        start = {"says": "What is to be proved.", "does": told["statement"], "left": told["start"]}
        for each in (start, *told["steps"]):
            blocks = (nodes.literal_block("", each[part], language="text") for part in ("does", "left"))
            steps += nodes.list_item("", nodes.paragraph("", each["says"]), *blocks)
        return [steps]


class CoqTableDirective(SphinxDirective):
    """``{coq-table}``: which box rests on which theorems, and how much of it they say."""

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        lines = ["```{list-table}", ":header-rows: 1", "", "* - Statement", "  - Theorems", "  - They say"]
        for box in ledger_of(self.env.app).statements.values():
            for covers in dict.fromkeys((each.covers, each.refutes) for each in box.theorems):
                chosen = [each for each in box.theorems if (each.covers, each.refutes) == covers]
                names = _sentences.joined(f"{{coq}}`{each.name}`" for each in chosen)
                said = "the print is false" if covers[1] else covers[0]
                lines += [f"* - {_sentences.link(box)}", f"  - {names}", f"  - {said}"]
        return [parse(self, [*lines, "```"], nodes.container(classes=["klcal-coq-table"]))]


def register(app: Sphinx) -> None:
    """Tell Sphinx about the pages, the links to them and the directives."""
    app.add_role("coq", CoqRole())
    app.add_directive("coq-statement", CoqStatementDirective)
    app.add_directive("coq-steps", CoqStepsDirective)
    app.add_directive("coq-table", CoqTableDirective)
    app.connect("html-collect-pages", pages)
