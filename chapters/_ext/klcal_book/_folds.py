"""Folds that need no script: one line that is seen, and what it opens to, as details and summary of HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from docutils import nodes  # type: ignore[import-untyped]


class Fold(nodes.General, nodes.Element):  # type: ignore[misc]
    """What is folded; its first child is its line."""


class Line(nodes.TextElement):  # type: ignore[misc]
    """The line of a fold."""


def folded(name: str, line: Iterable[nodes.Node], *rest: nodes.Node) -> Fold:
    """Return a fold with a line of its own."""
    return Fold("", Line("", "", *line), *rest, classes=[name])


def written(tag: str) -> tuple[Callable[[Any, Any], None], Callable[[Any, Any], None]]:
    """Return how the beginning and the end of a node are written that is one tag."""
    return (
        lambda self, node: self.body.append(self.starttag(node, tag, "")),
        lambda self, _node: self.body.append(f"</{tag}>\n"),
    )
