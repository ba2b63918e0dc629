"""Above the text of a notebook its number and how to run it; below it the way to its part of the graph."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from docutils import nodes  # type: ignore[import-untyped]

from klcal.claims import REGISTRY
from klcal_book import _links

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

_NUMBER = re.compile(r"chapters/(\d+)_")


def number(page: str) -> str:
    """Return the number of a chapter, "" for other pages.

    Examples
    --------
    >>> number("chapters/05_the_algorithm"), number("chapters/errata")
    ('5', '')
    """
    found = _NUMBER.match(page)
    return str(int(found[1])) if found else ""


def line(page: str, notebook: str) -> str:
    """Return the line above the text; `notebook` is the address of the notebook, as seen from the page."""
    name = f"<b>Chapter {number(page)}</b> \u00b7 " if number(page) else ""
    return (
        f'<p class="klcal-above">{name}This page is a <a href="{html.escape(notebook)}" download>notebook</a>: '
        "<code>make lab</code> opens it where every cell can be changed and run.</p>"
    )


def add_line(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Put the line below the title of each notebook."""
    if app.builder.name != "html" or app.env.doc2path(page, base=False).rpartition(".")[2] != "ipynb":
        return
    title = doctree.next_node(nodes.title)
    if title is None:
        return
    up = "../" * page.count("/")
    raw = nodes.raw("", line(page, f"{up}_sources/{page}.ipynb"), format="html")
    title.parent.insert(title.parent.index(title) + 1, raw)


def below(page: str, graph: str) -> str:
    """Return the line below the text; `graph` is the address of the chapter's statements in the graph."""
    name = "chapter" if number(page) else "page"
    return (
        f'<p class="klcal-below">The statements of this {name} and how they build on each other: '
        f'<a href="{html.escape(graph)}">their part of the graph</a>.</p>'
    )


def add_graph(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Let each page that has entries in the ledger end with a link to them in the graph of all statements."""
    stem = page.rpartition("/")[2]
    has_entries = any(claim.chapter == stem for claim in REGISTRY.values())
    if app.builder.name != "html" or not has_entries or _links.CLAIMS_PAGE not in app.env.found_docs:
        return
    uri = _links.address(app.builder, page, _links.CLAIMS_PAGE, _links.graph_anchor(stem))
    sections = [each for each in doctree.findall(nodes.section) if each.parent in (doctree, doctree[0])]
    (sections[-1] if sections else doctree).append(nodes.raw("", below(page, uri), format="html"))


def number_titles(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Put the number of a chapter before its title in the sidebar and in links that show titles.

    The heading of the page stays as it is. Titles that have their number from an earlier build are left alone.
    """
    for page, title in env.titles.items():
        mark = f"{number(page)}. "
        entry = env.tocs[page].next_node(nodes.reference) if number(page) and page in env.tocs else None
        for place in (title, entry):
            if place is not None and number(page) and not place.astext().startswith(mark):
                place.insert(0, nodes.Text(mark))
    del app
    return []


def register(app: Sphinx) -> None:
    """Tell Sphinx to add the lines and the numbers."""
    app.connect("env-updated", number_titles)
    app.connect("doctree-resolved", add_line)
    app.connect("doctree-resolved", add_graph)
