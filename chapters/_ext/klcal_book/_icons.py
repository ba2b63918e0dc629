"""Icons by their font alone: the theme brings a script of 1.5 MB too, which would draw them once more on every page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_ICON = re.compile(r'<(i|span) (?=class="[^"]*\bfa[bs]?[ -])')
_SCRIPT = re.compile(r'<script[^>]* src="[^"]*/fontawesome\.js[^"]*"></script>\s*')


def without_script(page: str) -> str:
    """Return a page that does not load the script; nor is a letter of the font read aloud.

    Examples
    --------
    >>> without_script(
    ...     '<script defer src="../scripts/fontawesome.js?digest=5"></script><i class="fa-bars"></i>'
    ... )
    '<i aria-hidden="true" class="fa-bars"></i>'
    """
    return _ICON.sub(r'<\1 aria-hidden="true" ', _SCRIPT.sub("", page))


def drop_script(app: Sphinx, exception: Exception | None) -> None:
    """Take the script out of the finished book; it comes from a template of the theme."""
    if exception is not None or app.builder.format != "html":
        return
    for path in Path(app.outdir).rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        if "fontawesome.js" in page:
            path.write_text(without_script(page), encoding="utf-8")
    for path in Path(app.outdir, "_static", "scripts").glob("fontawesome.js*"):
        path.unlink()


def without_ways_back(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Take the links back out of pages of source: they know one page for each module, and a module may be on two."""
    del app, template, doctree
    if page.startswith("_modules/"):
        context["body"] = re.sub(r'<a class="viewcode-back"[^>]*>\[docs\]</a>', "", context["body"])


def register(app: Sphinx) -> None:
    """Tell Sphinx to do so when all pages are written."""
    app.connect("build-finished", drop_script)
    app.connect("html-page-context", without_ways_back)
