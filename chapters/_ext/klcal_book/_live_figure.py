"""A directive for figures that a reader can change.

The figure is an ES module of the folder ``_live``. Beside it lies its first state: controls, picture and sentence. A
page without scripts shows the picture and the sentence; with scripts the room of the controls is kept until the module
is there, so that nothing moves. The caption is the content of the directive; with ``:stage:`` the figure is as wide as
the page.

A browser refuses to import a module from disk, and the book must work when it is opened from there. So the modules are
joined to one and written between script tags, where nothing has to be imported.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes  # type: ignore[import-untyped]
from docutils.parsers.rst import directives  # type: ignore[import-untyped]
from sphinx.util.docutils import SphinxDirective

_IMPORT = re.compile(r"^import\s*\{[^}]*\}\s*from\s*\"(?P<file>\.{1,2}/[\w./]+)\";\n", re.MULTILINE)
_EXPORT = re.compile(r"^export\s+(?=const|function|class)", re.MULTILINE)


def in_order(entry: Path, done: tuple[Path, ...] = ()) -> tuple[Path, ...]:
    """Return a module and all that it imports, each after what it imports itself."""
    for found in _IMPORT.finditer(entry.read_text(encoding="utf-8")):
        done = in_order((entry.parent / found["file"]).resolve(), done)
    return done if entry in done else (*done, entry)


def joined(entry: Path) -> str:
    r"""Return one module that does what `entry` and everything it imports do.

    Modules import names in braces from files by relative paths. If two of them define the same name, the browser
    refuses the whole.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "one.mjs").write_text("export const one = 1;\n")
    ...     _ = Path(folder, "two.mjs").write_text(
    ...         'import { one } from "./one.mjs";\nconst two = one + one;\n'
    ...     )
    ...     joined(Path(folder, "two.mjs"))
    'const one = 1;\nconst two = one + one;\n'
    """
    sources = (path.read_text(encoding="utf-8") for path in in_order(entry.resolve()))
    return "".join(_EXPORT.sub("", _IMPORT.sub("", source)) for source in sources)


def figure(entry: Path) -> str:
    r"""Return the HTML of a live figure: its first state, which has the ending ``.html``, and its joined module.

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
    box = f'<div class="klcal-live" data-live="{entry.stem}">\n{first}</div>\n'
    return f'{box}<script type="module">\n{joined(entry)}</script>\n'


class LiveFigure(SphinxDirective):
    """Write the first picture of a figure, its module and its caption into the page."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any] | None] = {"stage": directives.flag, "name": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        """Return the parts of the figure."""
        entry = Path(self.env.relfn2path(self.arguments[0])[1])
        caption = nodes.container(classes=["klcal-live-caption"])
        self.state.nested_parse(self.content, self.content_offset, caption)
        # The theme takes its table of contents away where something is this wide.
        box = nodes.container(classes=["klcal-stage", "full-width"] if "stage" in self.options else [])
        box += [nodes.raw("", figure(entry), format="html"), caption]
        self.add_name(box)
        return [box]
