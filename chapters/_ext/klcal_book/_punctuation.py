"""A formula and the sign behind it stay on one line; on their own, the line could break before a full stop."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docutils import nodes  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_SIGNS = re.compile(r"[.,;:!?)\]\N{RIGHT SINGLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}]+")


def join(doctree: nodes.Element) -> None:
    """Put each formula of a text together with the signs that follow it.

    Examples
    --------
    >>> text = nodes.paragraph("", "", nodes.math("", "T"), nodes.Text(", and more."))
    >>> join(text)
    >>> [child.astext() for child in text]
    ['T,', ' and more.']
    """
    for formula in list(doctree.findall(nodes.math)):
        behind = formula.next_node(descend=False, siblings=True)
        signs = _SIGNS.match(behind.astext()) if isinstance(behind, nodes.Text) else None
        if signs is None:
            continue
        parent, rest = formula.parent, behind.astext()[signs.end() :]
        joined = nodes.inline("", "", classes=["klcal-joined"])
        parent.replace(formula, joined)
        joined += [formula, nodes.Text(signs[0])]
        parent.replace(behind, nodes.Text(rest)) if rest else parent.remove(behind)


def _on_page(app: Sphinx, doctree: nodes.document, page: str) -> None:
    del page
    if app.builder.format == "html":
        join(doctree)


def register(app: Sphinx) -> None:
    """Tell Sphinx to do so on every page."""
    app.connect("doctree-resolved", _on_page, priority=900)
