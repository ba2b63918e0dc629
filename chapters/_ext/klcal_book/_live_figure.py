"""A directive for figures that a reader can change.

The figure is an ES module of the folder ``_live``. Beside it lies its first state: controls, picture and sentence. A
page without scripts shows the picture and the sentence; with scripts the room of the controls is kept until the module
is there, so that nothing moves. The caption is the content of the directive; with ``:stage:`` the figure is as wide as
the page.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes  # type: ignore[import-untyped]
from docutils.parsers.rst import directives  # type: ignore[import-untyped]
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from klcal_book._inline_module import note_files, script


class LiveFigure(SphinxDirective):
    """Write the first picture of a figure, its module and its caption into the page."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any] | None] = {"stage": directives.flag, "name": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        """Return the parts of the figure, and rebuild the page when one of its files changes."""
        entry = Path(self.env.relfn2path(self.arguments[0])[1])
        note_files(self.env, entry.with_suffix(".html"), entry)
        caption = nodes.container(classes=["klcal-live-caption"])
        self.state.nested_parse(self.content, self.content_offset, caption)
        # The theme takes its table of contents away where something is this wide.
        box = nodes.container(classes=["klcal-stage", "full-width"] if "stage" in self.options else [])
        box += [nodes.raw("", figure(entry), format="html"), caption]
        self.add_name(box)
        return [box]


def figure(entry: Path) -> str:
    r"""Return the HTML of a live figure: its first state and its joined module.

    Parameters
    ----------
    entry : Path
        The module; its first state has the same name and the ending ``.html``.

    Returns
    -------
    str
        HTML that needs no other file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.html").write_text("<p></p>\n")
    ...     _ = Path(folder, "a.mjs").write_text("const a = 1;\n")
    ...     print(figure(Path(folder, "a.mjs")))
    <div class="klcal-live" data-live="a">
    <p></p>
    </div>
    <script type="module">
    const a = 1;
    </script>
    <BLANKLINE>
    """
    first = entry.with_suffix(".html").read_text(encoding="utf-8")
    return f'<div class="klcal-live" data-live="{entry.stem}">\n{first}</div>\n{script(entry)}'


def register(app: Sphinx) -> None:
    """Register the directive ``live-figure``."""
    app.add_directive("live-figure", LiveFigure)
