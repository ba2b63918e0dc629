"""Citations that show the full reference on hover and on keyboard focus, without any script."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from docutils import nodes  # type: ignore[import-untyped]

from klcal_book._hidden import hidden

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def plain(reference: str) -> str:
    r"""Return the text of a reference without its web address, which the list of references gives.

    Examples
    --------
    >>> plain("A. Turing. On computable numbers. 1936. URL: https://example.org/x.")
    'A. Turing. On computable numbers. 1936.'
    """
    text = re.sub(r"\s*(?:URL:?\s*)?https?://\S+", "", reference)
    text = re.sub(r"\s*doi:\S+", "", text)
    return " ".join(text.split())


def add_tips(app: Sphinx, doctree: nodes.document, page: str) -> None:  # noqa: ARG001
    """Put the reference, which Sphinx has as the title of the link, into the link as an element of its own.

    A title is shown by the mouse only; the element is shown on focus as well, and looks like the book.
    """
    if app.builder.format != "html":
        return
    for cited in doctree.findall(nodes.inline):
        if "bibtex-citation" not in cited["classes"]:
            continue
        for found in cited.findall(nodes.reference):
            text = plain(found.get("reftitle", ""))
            if text:
                del found["reftitle"]
                found["classes"].append("klcal-cite")
                tip = f'<span class="klcal-tip" role="tooltip">{html.escape(text)}</span>'
                found += hidden(tip)


def register(app: Sphinx) -> None:
    """Tell Sphinx to add the tips to every page."""
    app.connect("doctree-resolved", add_tips)
