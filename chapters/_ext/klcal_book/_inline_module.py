"""A directive that writes small ES modules into the page itself.

A browser refuses to import a module from disk, and the book must work when it is opened from there. So the modules are
joined to one and written between script tags, where nothing has to be imported.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes  # type: ignore[import-untyped]
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

_IMPORT = re.compile(r"^import\s*\{[^}]*\}\s*from\s*\"(?P<file>\.{1,2}/[\w./]+)\";\n", re.MULTILINE)
_EXPORT = re.compile(r"^export\s+(?=const|function|class)", re.MULTILINE)
_DEFINED = re.compile(r"^(?:export\s+)?(?:const|function|class)\s+(?P<name>\w+)", re.MULTILINE)


def joined(entry: Path) -> str:
    r"""Return one module that does what `entry` and everything it imports do.

    Parameters
    ----------
    entry : Path
        An ES module. It may import names in braces from other files by relative paths, and so may these.

    Returns
    -------
    str
        The sources, each once and after what it imports, without import and export.

    Raises
    ------
    ValueError
        If two of the files define the same name, which would be one and the same in the joined module.

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
    sources = {path: path.read_text(encoding="utf-8") for path in _in_order(entry.resolve())}
    owner: dict[str, Path] = {}
    for path, source in sources.items():
        for found in _DEFINED.finditer(source):
            if owner.setdefault(found["name"], path) != path:
                raise ValueError(
                    f"modules must define different names; got {found['name']!r} in {owner[found['name']].name} "
                    f"and {path.name}"
                )
    return "".join(_EXPORT.sub("", _IMPORT.sub("", source)) for source in sources.values())


def _in_order(entry: Path, done: tuple[Path, ...] = ()) -> tuple[Path, ...]:
    """Return `entry` and all that it imports, each after what it imports itself."""
    for found in _IMPORT.finditer(entry.read_text(encoding="utf-8")):
        done = _in_order((entry.parent / found["file"]).resolve(), done)
    return done if entry in done else (*done, entry)


def script(entry: Path) -> str:
    r"""Return the joined module of `entry` between script tags.

    Parameters
    ----------
    entry : Path
        See `joined`.

    Returns
    -------
    str
        HTML that needs no other file.

    Raises
    ------
    ValueError
        If the module would end its own script.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.mjs").write_text("const a = 1;\n")
    ...     script(Path(folder, "a.mjs"))
    '<script type="module">\nconst a = 1;\n</script>\n'
    """
    module = joined(entry)
    if "</script" in module:
        raise ValueError(f"a module inside a page must not contain '</script'; got it below {entry.name}")
    return f'<script type="module">\n{module}</script>\n'


def note_files(env: BuildEnvironment, other: Path, entry: Path) -> None:
    """Have the page built anew when `other`, `entry` or a file that it imports changes."""
    for path in (other, *_in_order(entry.resolve())):
        env.note_dependency(str(path))


class InlineModule(SphinxDirective):
    """Write an HTML fragment and a joined module into the page; the files lie next to each other."""

    required_arguments = 2
    has_content = False
    option_spec: ClassVar[dict[str, Any] | None] = {}

    def run(self) -> list[nodes.Node]:
        """Return one piece of raw HTML, and rebuild the page when one of its files changes."""
        fragment, entry = (Path(self.env.relfn2path(name)[1]) for name in self.arguments)
        note_files(self.env, fragment, entry)
        return [nodes.raw("", page_part(fragment, entry), format="html")]


def page_part(fragment: Path, entry: Path) -> str:
    r"""Return the HTML of `fragment`, followed by the joined module of `entry`.

    Parameters
    ----------
    fragment : Path
        A piece of HTML.
    entry : Path
        See `joined`.

    Returns
    -------
    str
        HTML that needs no other file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.html").write_text("<p>a</p>\n")
    ...     _ = Path(folder, "b.mjs").write_text("const b = 1;\n")
    ...     page_part(Path(folder, "a.html"), Path(folder, "b.mjs"))
    '<p>a</p>\n<script type="module">\nconst b = 1;\n</script>\n'
    """
    return fragment.read_text(encoding="utf-8") + script(entry)


def register(app: Sphinx) -> None:
    """Register the directive ``inline-module``."""
    app.add_directive("inline-module", InlineModule)
