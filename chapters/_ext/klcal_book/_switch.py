"""The switch Story, Proofs, Checks in the header: how much of a page is unfolded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_HERE = Path(__file__).parent


def add_script(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Put the script into the head, where it runs before anything is painted."""
    del app, page, template, doctree
    script = (_HERE / "switch.js").read_text(encoding="utf-8")
    context["metatags"] = context.get("metatags", "") + f"<script>{script}</script>"


def register(app: Sphinx) -> None:
    """Tell Sphinx about the template of the switch and its script."""
    app.config.templates_path.append(str(_HERE))
    app.connect("html-page-context", add_script)
