"""What the book adds to Sphinx: evidence in theorem boxes, errata, citations on hover, the pages about the code.

The book's settings name this package among the extensions. Nothing here computes: statuses are read off the pages,
texts from docstrings and from the bibliography.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from klcal_book import (
    _api,
    _boxes,
    _chapters,
    _citations,
    _hidden,
    _icons,
    _inline_module,
    _live_figure,
    _parameters,
    _pictures,
    _previews,
    _proof_pages,
    _punctuation,
    _static_math,
    _switch,
)

if TYPE_CHECKING:
    from sphinx.application import Sphinx

__all__ = ["setup"]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register everything with Sphinx; called once for each build.

    Parameters
    ----------
    app : sphinx.application.Sphinx
        The build.

    Returns
    -------
    dict
        What Sphinx asks of an extension: version, and that pages may be read and written in parallel.

    Examples
    --------
    >>> class Build:
    ...     def __getattr__(self, name):
    ...         return lambda *arguments, **options: None
    >>> setup(Build())["parallel_write_safe"]
    True
    """
    for part in (
        _inline_module,
        _live_figure,
        _boxes,
        _chapters,
        _citations,
        _hidden,
        _icons,
        _pictures,
        _previews,
        _api,
        _parameters,
        _proof_pages,
        _punctuation,
        _static_math,
        _switch,
    ):
        part.register(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
