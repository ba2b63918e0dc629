"""Citations: no two works look the same, and the full reference is shown on hover and on focus, without any script."""

from __future__ import annotations

import html
import re
import string
from typing import TYPE_CHECKING, Any

from docutils import nodes  # type: ignore[import-untyped]

from klcal_book._hidden import hidden

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment


def label(entry: Any) -> tuple[tuple[str, ...], str]:
    """Return what a citation shows of a work: the first name of three or more, one or both of fewer; and the year.

    The letter that `tell_apart` may have put behind the year is left out.
    """
    persons = entry.persons.get("author") or entry.persons.get("editor") or []
    names = [" ".join(person.prelast_names + person.last_names) for person in persons]
    return tuple(names if len(names) < 3 else [names[0], "et al."]), entry.fields["year"][:4]


def tell_apart(entries: Iterable[Any]) -> None:
    """Put a letter behind the year of works that would be cited alike, in the order of the list of references.

    The list is sorted by authors, then by year; works of the same authors keep the order they are given in.
    """
    alike: dict[tuple[tuple[str, ...], str], list[Any]] = {}
    for entry in entries:
        alike.setdefault(label(entry), []).append(entry)
    for (_, year), works in alike.items():
        works.sort(key=lambda work: [str(person).lower() for person in work.persons.get("author", [])])
        for letter, work in zip(string.ascii_lowercase, works, strict=False):
            work.fields["year"] = year + letter if len(works) > 1 else year


def tell_cited_apart(app: Sphinx, env: BuildEnvironment) -> None:  # noqa: ARG001
    """Do that for the works that the book cites; runs before citations and references are written."""
    domain: Any = env.get_domain("cite")
    cited = {target.key for found in domain.citation_refs for target in found.targets}
    tell_apart(entry for key, entry in domain.bibdata.data.entries.items() if key in cited)


def plain(reference: str) -> str:
    r"""Return the text of a reference without its web address, which the list of references gives.

    Examples
    --------
    >>> plain("A. Turing. On computable numbers. 1936. URL: https://example.org/x.")
    'A. Turing. On computable numbers. 1936.'
    """
    text = re.sub(r"\s*(?:URL:?\s*)?https?://\S+", "", reference)
    text = re.sub(r"\s*doi:\S+", "", text)
    return " ".join(text.split())


def add_tips(app: Sphinx, doctree: nodes.document, page: str) -> None:  # noqa: ARG001
    """Put the reference, which Sphinx has as the title of the link, into the link as an element of its own.

    A title is shown by the mouse only; the element is shown on focus as well, and looks like the book.
    """
    if app.builder.format != "html":
        return
    for cited in doctree.findall(nodes.inline):
        if "bibtex-citation" not in cited["classes"]:
            continue
        for found in cited.findall(nodes.reference):
            text = plain(found.get("reftitle", ""))
            if text:
                del found["reftitle"]
                found["classes"].append("klcal-cite")
                tip = f'<span class="klcal-tip" role="tooltip">{html.escape(text)}</span>'
                found += hidden(tip)


def register(app: Sphinx) -> None:
    """Tell Sphinx to tell works apart and to add the tips to every page."""
    app.connect("env-updated", tell_cited_apart, priority=400)
    app.connect("doctree-resolved", add_tips)
