"""What the book adds to Sphinx: evidence in theorem boxes, errata, previews, formulas as MathML, live figures.

The book's settings name this package among the extensions. Nothing here computes: statuses are read off the pages,
texts from the bibliography.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from klcal_book import (
    _boxes,
    _chapters,
    _formulas,
    _live_figure,
    _pages,
    _pictures,
    _previews,
    _proof_pages,
)

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Register everything with Sphinx; called once for each build."""
    for part in (
        _live_figure,
        _boxes,
        _chapters,
        _formulas,
        _pages,
        _pictures,
        _previews,
        _proof_pages,
    ):
        part.register(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
