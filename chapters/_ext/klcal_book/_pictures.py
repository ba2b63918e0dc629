"""Figures in two variants: as drawn for a light page, and with every colour exchanged for its partner on a dark one.

The style sheet shows one of the two; no filter is involved, so captions that name colours or shades stay true.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes  # type: ignore[import-untyped]

from klcal.figures.palette import PARTNERS, on_dark

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_COLOUR = re.compile(r"\b(fill|stroke|stop-color)(: ?|=\")(#[0-9a-fA-F]{6})\b")
LIGHT, DARK = "klcal-light", "klcal-dark"


def darkened(drawing: str) -> str:
    """Return an SVG with every colour exchanged for its partner; what has no colour is black, and becomes light.

    Examples
    --------
    >>> print(darkened('<svg><path style="fill: #2a6f97; stroke: #ffffff"/></svg>'))
    <svg fill="#e6e9ec"><path style="fill: #7fbce0; stroke: #121212"/></svg>
    """
    ink = PARTNERS["#000000"]
    exchanged = _COLOUR.sub(lambda found: f"{found[1]}{found[2]}{on_dark(found[3])}", drawing)
    return exchanged.replace("<svg", f'<svg fill="{ink}"', 1)


def add_dark_variants(app: Sphinx, doctree: nodes.document) -> None:
    """Put a dark variant beside each drawing that a notebook has stored.

    Sphinx has not collected the pictures of the page yet, so the new file is copied like the others.
    """
    for image in list(doctree.findall(nodes.image)):
        # A notebook's pictures are named relative to the folder of the sources, with a slash in front.
        path = Path(app.srcdir) / image["uri"].lstrip("/")
        if path.suffix != ".svg" or "jupyter_execute" not in path.parts:
            continue
        twin = path.with_name(f"{path.stem}-dark.svg")
        twin.write_text(darkened(path.read_text(encoding="utf-8")), encoding="utf-8")
        copy = image.deepcopy()
        copy["uri"] = image["uri"].removesuffix(".svg") + "-dark.svg"
        # "dark-light" tells the theme to leave a picture alone in the dark.
        image["classes"] += [LIGHT, "dark-light"]
        copy["classes"] += [DARK, "dark-light"]
        image.parent.insert(image.parent.index(image) + 1, copy)


def register(app: Any) -> None:
    """Tell Sphinx to add the variants before it collects the pictures."""
    app.connect("doctree-read", add_dark_variants, priority=100)
