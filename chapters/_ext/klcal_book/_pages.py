"""What every page has: a head with a description, a number, and none of what the theme loads for nothing."""

from __future__ import annotations

import html
import re
import subprocess
from functools import cache
from importlib.metadata import version
from pathlib import Path
from textwrap import shorten
from typing import Any

from docutils import nodes  # type: ignore[import-untyped]
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

_NUMBER = re.compile(r"chapters/(\d+)_")
_WIDTH = '<meta name="viewport"[^>]*>'
_CODE = re.compile("<pre>.*?</pre>", re.DOTALL)  # where a function begins and ends is marked in it
_ICON = r'<(i|span) (?=class="[^"]*\bfa[bs]?[ -])'
# What a screen reader hears of a fold or a field is what is seen; the arrow in the contents has nothing to be seen. The
# title above the contents belongs to them, the empty corner of a table names nothing, and the roles in the list of
# references are no longer any. Tables have the style of the book, not that of pandas; a page without a title has no
# empty one on paper.
_MENDED = {
    r'<summary aria-label="Toggle hidden content">': "<summary>",
    r'<p class="(collapsed|expanded) admonition-title">(.*?)</p>': r'<span class="\1">\2</span>',
    r'<summary>(?=<span class="toctree-toggle")': '<summary aria-label="Pages of this part">',
    r'(search-button-field[^>]*?) aria-label="Search"': r"\1",
    r'(?<!The book" )(?=class="bd-sidebar-primary )': 'role="region" aria-label="The book" ',
    r'<th( class="[^"]*")?>(?:<p></p>)?</th>': r"<td\1></td>",
    r' role="(?:list|doc-biblioentry)"': "",
    r'<style scoped>(?s:.*?)</style>\n?| [hv]align="[a-z]+"| border="1"(?= class="dataframe)': "",
    "<h1></h1>": "",
    _ICON: r'<\1 aria-hidden="true" ',
}


def number(page: str) -> str:
    """Return the number of a chapter, "" for other pages.

    Examples
    --------
    >>> number("chapters/05_the_algorithm"), number("chapters/errata")
    ('5', '')
    """
    found = _NUMBER.match(page)
    return str(int(found[1])) if found else ""


def complete_line(app: Sphinx, doctree: nodes.document, page: str) -> None:  # noqa: ARG001
    """Put the number of the chapter before the grey line under its opening, and the notebook behind it."""
    for line in doctree.findall(nodes.container):
        if "klcal-paper" in line["classes"]:
            notebook = html.escape(f"{'../' * page.count('/')}_sources/{page}.ipynb")
            line[0].insert(0, nodes.strong("", f"Chapter {number(page)} · "))
            line[0] += nodes.raw("", f' · <a href="{notebook}" download>notebook</a>', format="html")


def number_titles(app: Sphinx, env: BuildEnvironment) -> None:  # noqa: ARG001
    """Put the number of a chapter before its title in the sidebar and in links that show titles.

    The heading of the page stays as it is.
    """
    for page in filter(number, env.titles):
        said = f"{number(page)}. "
        for place in (env.titles[page], env.tocs[page].next_node(nodes.reference)):
            if not place.astext().startswith(said):  # a page that did not change has it from the last build
                place.insert(0, nodes.Text(said))


def described(doctree: nodes.document) -> str:
    """Return the first sentences of a page that have no formula to speak of."""
    paragraphs = (each for each in doctree.findall(nodes.paragraph) if isinstance(each.parent, nodes.section))
    sentences = re.split(r"(?<=[.?!])\s", " ".join(each.astext() for each in paragraphs))
    said = " ".join(each for each in sentences if not set("\\{") & set(each))
    return shorten(said, 200, placeholder=" …")


@cache
def _git(root: Path, *command: str) -> str:
    """Return what git says, "" where there is none: an archive has no history."""
    try:
        done = subprocess.run(["git", *command], cwd=root, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()


def complete_foot(app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Say which version of the book this is, of which commit, and when the page was changed: no clock is asked."""
    root = Path(app.srcdir)
    commit = _git(root, "describe", "--always", "--dirty", "--abbrev=10")
    source = Path(app.env.doc2path(page)) if page in app.env.found_docs else None
    changed = source and _git(root, "log", "-1", "--format=%cs", "--", str(source))
    said = f"Version {version('klcal')}" + f", commit {commit}" * bool(commit)
    context["klcal_version"] = said + f", this page changed {changed}" * bool(changed)


def complete_head(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], doctree: Any) -> None:
    """Describe the page to whom it is sent."""
    if doctree is not None and (said := described(doctree)):
        title = html.unescape(re.sub("<[^>]*>", "", context["title"]))
        told = {'property="og:title"': title, 'property="og:description"': said, 'name="description"': said}
        tags = (f'<meta {name} content="{html.escape(words)}">' for name, words in told.items())
        context["metatags"] += "\n".join(tags)


def lighten(page: str, is_search: bool) -> str:
    """Return a page without what it loads for nothing; nor is a letter of the font read aloud.

    Icons are letters of a font, so no script of 1.5 MB need draw them; the index is needed where one searches; one
    tag for the width of the window is enough. A module may be on two pages, and the way back from its source knows one.
    The source of a module that did not change stays from the last build, so nothing is added twice.

    Examples
    --------
    >>> script = '<script defer src="../fontawesome.js?digest=5"></script>'
    >>> lighten(
    ...     f'<meta name="viewport"><meta name="viewport">{script}<i class="fa-bars"></i>',
    ...     False,
    ... )
    '<meta name="viewport"><i aria-hidden="true" class="fa-bars"></i>'
    >>> once = lighten(
    ...     '<div class="bd-sidebar-primary "><pre><div>f</div></pre>', False
    ... )
    >>> once, lighten(once, False) == once
    ('<div role="region" aria-label="The book" class="bd-sidebar-primary "><pre><span>f</span></pre>', True)
    """
    dropped = "fontawesome" if is_search else "fontawesome|searchindex|searchtools|language_data"
    script = rf'<script[^>]* src="[^"]*/?(?:{dropped})\.js[^"]*"></script>\s*'
    useless = rf'{script}|<a class="viewcode-back".*?</a>|{_WIDTH}(?=.*{_WIDTH})'
    page = re.sub(useless, "", page, flags=re.DOTALL)
    for written, instead in _MENDED.items():
        page = re.sub(written, instead, page)
    return _CODE.sub(lambda code: re.sub(r"(</?)div\b", r"\1span", code[0]), page)


def finish(app: Sphinx, exception: Exception | None) -> None:
    """Take out of the finished book what comes from templates of the theme."""
    if exception is not None:
        return
    for path in Path(app.outdir).rglob("*.html"):
        page = lighten(path.read_text(encoding="utf-8"), path.name == "search.html")
        path.write_text(page, encoding="utf-8")
    for path in Path(app.outdir, "_static", "scripts").glob("fontawesome.js*"):
        path.unlink()
