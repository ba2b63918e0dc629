"""Small ES modules inside the page itself.

A browser refuses to import a module from disk, and the book must work when it is opened from there. So the modules are
joined to one and written between script tags, where nothing has to be imported.
"""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.environment import BuildEnvironment

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
