"""Folds that need no script: one line that is seen, and what it opens to, as details and summary of HTML."""

from __future__ import annotations

from collections.abc import Iterable

from docutils import nodes  # type: ignore[import-untyped]
from sphinx.writers.html5 import HTML5Translator


class Fold(nodes.General, nodes.Element):  # type: ignore[misc]
    """What is folded; its first child is its line."""


class Line(nodes.TextElement):  # type: ignore[misc]
    """The line of a fold."""


def folded(name: str, line: Iterable[nodes.Node], *rest: nodes.Node) -> Fold:
    """Return a fold with a line of its own."""
    return Fold("", Line("", "", *line), *rest, classes=[name])


def visit_fold(self: HTML5Translator, node: Fold) -> None:
    """Write the beginning of a fold."""
    self.body.append(self.starttag(node, "details"))


def depart_fold(self: HTML5Translator, _node: Fold) -> None:
    """Write its end."""
    self.body.append("</details>\n")


def visit_line(self: HTML5Translator, node: Line) -> None:
    """Write the beginning of its line."""
    self.body.append(self.starttag(node, "summary", ""))


def depart_line(self: HTML5Translator, _node: Line) -> None:
    """Write the end of its line."""
    self.body.append("</summary>\n")
