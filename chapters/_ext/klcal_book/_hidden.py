"""What a page has for its reader on demand, a copy of what stands elsewhere: the search does not find it here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from sphinx.application import Sphinx


class hidden_node(nodes.General, nodes.Inline, nodes.Element):  # type: ignore[misc]
    """HTML that has no words, as far as Sphinx can see."""


def hidden(html: str) -> hidden_node:
    """Return a node that is written as this HTML.

    Examples
    --------
    >>> hidden("<span>words</span>").astext()
    ''
    """
    return hidden_node(html=html)


def _visit(translator: Any, node: hidden_node) -> None:
    translator.body.append(node["html"])
    raise nodes.SkipNode


def register(app: Sphinx) -> None:
    """Tell Sphinx how it is written."""
    app.add_node(hidden_node, html=(_visit, None))
