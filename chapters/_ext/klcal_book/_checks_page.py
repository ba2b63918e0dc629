"""The page of checks: for each claim of a chapter the function that decides it, with its source."""

from __future__ import annotations

import html
import inspect
import textwrap
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from docutils import nodes  # type: ignore[import-untyped]
from pygments.lexers.python import PythonLexer  # type: ignore[import-untyped]
from pygments.token import Comment, Keyword, Literal, Name, _TokenType  # type: ignore[import-untyped]
from sphinx.util.docutils import SphinxDirective

from klcal.claims import REGISTRY, Claim
from klcal.claims._markup import plain
from klcal.claims._words import title
from klcal_book import _links
from klcal_book._entries import checker, deciding

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# Only what helps the eye is coloured, which keeps a page of two hundred functions small.
_COLOURS: tuple[tuple[_TokenType, str], ...] = (
    (Comment, "c1"),
    (Keyword, "k"),
    (Literal.String, "s1"),
    (Literal.Number, "mi"),
    (Name.Function, "nf"),
)


def highlighted(source: str) -> str:
    """Return Python source as HTML.

    Examples
    --------
    >>> highlighted("return 1 < x")
    '<span class="k">return</span> <span class="mi">1</span> &lt; x'
    """
    pieces = []
    for token, text in PythonLexer(stripnl=True, ensurenl=False).get_tokens(source):
        colour = next((name for kind, name in _COLOURS if token in kind), "")
        plain = html.escape(text, quote=False)
        pieces.append(f'<span class="{colour}">{plain}</span>' if colour else plain)
    return "".join(pieces)


def source_of(function: Callable[..., Any]) -> str:
    """Return the source of a function, flush left."""
    return textwrap.dedent(inspect.getsource(function)).rstrip()


def item(claim: Claim) -> Iterator[nodes.Node]:
    """Yield label, title, deciding function and its source, folded."""
    function = deciding(claim)
    if function is None:
        return
    head = nodes.paragraph("", "", classes=["klcal-check"], ids=[_links.check_anchor(claim.label)])
    head += nodes.literal("", claim.label)
    head += nodes.raw("", f" {plain(title(claim))}. ", format="html")
    head += nodes.literal("", checker(claim), classes=["klcal-checker"])
    yield head
    summary = f"<summary>Source <small>{function.__module__}</small></summary>"
    code = f'<div class="highlight"><pre tabindex="0">{highlighted(source_of(function))}</pre></div>'
    text = f'<details class="klcal-source">{summary}{code}</details>'
    yield nodes.raw("", text, format="html")


class ChecksDirective(SphinxDirective):
    """``{klcal-checks} 03_grids``: the checks of one chapter, in the order of the ledger."""

    required_arguments = 1
    has_content = False

    def run(self) -> list[nodes.Node]:
        """Return the items of all claims of the chapter."""
        chapter = self.arguments[0]
        claims = [claim for claim in REGISTRY.values() if claim.chapter == chapter]
        if not claims:
            raise self.error(f"klcal-checks must name a chapter with claims; got {chapter!r}")
        found = nodes.container(classes=["klcal-checks"])
        for claim in claims:
            found.extend(item(claim))
        return [found]


def register(app: Sphinx) -> None:
    """Tell Sphinx about the directive."""
    app.add_directive("klcal-checks", ChecksDirective)
