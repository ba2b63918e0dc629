"""The number of a chapter: before its title in the sidebar, and in the grey line under its opening."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from docutils import nodes  # type: ignore[import-untyped]

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


def complete_line(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Put the number of the chapter before the grey line, and the notebook behind it."""
    for line in doctree.findall(nodes.container):
        if app.builder.name == "html" and "klcal-paper" in line["classes"]:
            notebook = html.escape(f"{'../' * page.count('/')}_sources/{page}.ipynb")
            line[0].insert(0, nodes.strong("", f"Chapter {number(page)} · "))
            line[0] += nodes.raw("", f' · <a href="{notebook}" download>notebook</a>', format="html")


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
    """Tell Sphinx to add the line and the numbers."""
    app.connect("env-updated", number_titles)
    app.connect("doctree-resolved", complete_line)
