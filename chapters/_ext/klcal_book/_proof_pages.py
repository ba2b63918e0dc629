"""The Coq sources as pages of the book, and what the kernel said about them: statements, a proof."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes  # type: ignore[import-untyped]
from pygments import highlight  # type: ignore[import-untyped]
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole

from klcal_book._boxes import parse

_SOURCES = Path(__file__).parents[3] / "proofs"
_NAMED = re.compile(
    r"^\s*(?:Theorem|Lemma|Corollary|Remark|Fact|Definition|Fixpoint|Record|Inductive|Notation)\s+([\w']+)"
)


def with_anchors(source: str) -> str:
    """Return Coq source as highlighted HTML, one line per line, each named object with an id.

    Examples
    --------
    >>> '<span id="double">' in with_anchors("Definition double n := n + n.")
    True
    """
    marked = highlight(source, get_lexer_by_name("coq"), HtmlFormatter(nowrap=True))
    lines = []
    for text, line in zip(source.splitlines(), marked.splitlines(), strict=True):
        named = _NAMED.match(text)
        lines.append(f'<span id="{named[1]}">{line}</span>' if named else line)
    return "\n".join(lines)


def pages(_app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield a page for each source file; Sphinx asks once for a build."""
    names = sorted(path.stem for path in _SOURCES.glob("*.v"))
    links = " ".join(f'<a href="{name}.html">{name}</a>' for name in names)
    for name in names:
        source = (_SOURCES / f"{name}.v").read_text(encoding="utf-8")
        title = source.splitlines()[0].lstrip("(* ").removesuffix("*)").split(". ")[0].rstrip(".: ")
        body = (
            f"<section><h1>{name}.v</h1><p>{html.escape(title)}. "
            '<a href="../chapters/proofs.html">About the proofs</a>.</p>'
            f'<details><summary>All source files</summary><nav class="klcal-sources" aria-label="Sources">{links}'
            '</nav></details><div class="highlight-coq notranslate klcal-coq">'
            f'<div class="highlight"><pre tabindex="0">{with_anchors(source)}'
            "</pre></div></div></section>"
        )
        yield f"proofs/{name}", {"title": f"{name}.v", "body": body}, "page.html"


class CoqRole(SphinxRole):
    """``{coq}`Theorem2.theorem2```: a link to an object of the sources, or ``{coq}`Theorem2``` to a file."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the link."""
        module, _, anchor = self.text.partition(".")
        way = self.env.app.builder.get_relative_uri(self.env.docname, f"proofs/{module}")
        first, *rest = re.split("(?<=[._])", self.text) if anchor else [f"{module}.v"]
        name = nodes.literal("", first)
        # A long name may break inside, never before the full stop behind it.
        name += [each for part in rest for each in (nodes.raw("", "<wbr>", format="html"), nodes.Text(part))]
        return [nodes.reference("", "", name, refuri=f"{way}#{anchor}".rstrip("#"), internal=True)], []


def record() -> dict[str, Any]:
    """Return what the last compilation found: version of Coq, digests of the sources, theorems, one proof by steps."""
    return json.loads((_SOURCES / "record.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


class CoqStatementDirective(SphinxDirective):
    """``{coq-statement} Theorem2.theorem2``: a theorem as Coq prints it."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the name, as a link to its proof, and the statement."""
        name = self.arguments[0]
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
