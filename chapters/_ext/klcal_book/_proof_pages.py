"""The Coq sources as pages of the book, highlighted, with an anchor for every named object."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from docutils import nodes  # type: ignore[import-untyped]
from pygments import highlight  # type: ignore[import-untyped]
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
from sphinx.util.docutils import SphinxRole

from klcal.claims import _proofs
from klcal_book import _links

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FOLDER = "proofs"
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
    names = sorted(path.stem for path in _proofs.SOURCES.glob("*.v"))
    links = " ".join(f'<a href="{name}.html">{name}</a>' for name in names)
    for name in names:
        source = (_proofs.SOURCES / f"{name}.v").read_text(encoding="utf-8")
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
        if not (_proofs.SOURCES / f"{self.text.partition('.')[0]}.v").is_file():
            raise ValueError(f"coq must name a file of proofs/; got {self.text!r}")
        name = self.text if anchor else f"{self.text}.v"
        target = _links.address(self.env.app.builder, self.env.docname, page, anchor).rstrip("#")
        return [nodes.reference("", "", nodes.literal("", name), refuri=target, internal=True)], []


def register(app: Sphinx) -> None:
    """Tell Sphinx about the pages and the links to them."""
    app.add_role("coq", CoqRole())
    app.connect("html-collect-pages", pages)
