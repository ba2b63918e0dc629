"""What the book adds to Sphinx: evidence in theorem boxes, errata, citations on hover, live figures.

The book's settings name this package among the extensions. Nothing here computes: statuses are read off the pages,
texts from the bibliography.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from klcal_book import (
    _boxes,
    _chapters,
    _citations,
    _hidden,
    _icons,
    _live_figure,
    _pictures,
    _previews,
    _proof_pages,
    _static_math,
    _switch,
)

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Register everything with Sphinx; called once for each build."""
    for part in (
        _live_figure,
        _boxes,
        _chapters,
        _citations,
        _hidden,
        _icons,
        _pictures,
        _previews,
        _proof_pages,
        _static_math,
        _switch,
    ):
        part.register(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
