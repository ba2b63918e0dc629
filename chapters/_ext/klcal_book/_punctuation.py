"""What stays on one line: a formula with the sign behind it, short code, and an option of a command."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from docutils import nodes  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_SIGNS = re.compile(r"[.,;:!?)\]\N{RIGHT SINGLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}]+")


# Letters of code that fits into a line even on a phone.
_SHORT = 20
_FORMULA = re.compile(rf'<span class="(?:math|klcal-later)">[^<]*</span>{_SIGNS.pattern}')
_CONSOLE = re.compile(r'(?<=<div class="highlight-console).*?</pre>', re.DOTALL)


def join(doctree: nodes.Element) -> None:
    """Put each formula of a text together with the signs that follow it.

    Examples
    --------
    >>> text = nodes.paragraph("", "", nodes.math("", "T"), nodes.Text(", and more."))
    >>> join(text)
    >>> [child.astext() for child in text]
    ['T,', ' and more.']

    Texts that are equal are still two: the sign behind the code stays where it is.

    >>> text = nodes.paragraph(
    ...     "",
    ...     "",
    ...     nodes.literal("", "T"),
    ...     nodes.Text(", "),
    ...     nodes.math("", "K"),
    ...     nodes.Text(", "),
    ... )
    >>> join(text)
    >>> [child.astext() for child in text]
    ['T', ', ', 'K,', ' ']
    """
    for formula in list(doctree.findall(nodes.math)):
        behind = formula.next_node(descend=False, siblings=True)
        signs = _SIGNS.match(behind.astext()) if isinstance(behind, nodes.Text) else None
        if signs is None:
            continue
        parent, rest = formula.parent, behind.astext()[signs.end() :]
        joined = nodes.inline("", "", classes=["klcal-joined"])
        parent.replace(formula, joined)
        joined += [formula, nodes.Text(signs[0])]
        place = next(i for i, child in enumerate(parent) if child is behind)
        parent[place : place + 1] = [nodes.Text(rest)] if rest else []


def mark_short(doctree: nodes.Element) -> None:
    """Give short code a class, with which the style sheet keeps it whole.

    Examples
    --------
    >>> text = nodes.paragraph(
    ...     "", "", nodes.literal("", "p @ Q"), nodes.literal("", "p @ Q" * 9)
    ... )
    >>> mark_short(text)
    >>> [child["classes"] for child in text]
    [['klcal-short'], []]
    """
    for code in doctree.findall(nodes.literal):
        if len(code.astext()) <= _SHORT:
            code["classes"].append("klcal-short")


def join_ledger(body: str) -> str:
    r"""Do as `join` with the formulas of the ledger, which are HTML already.

    Examples
    --------
    >>> join_ledger(r'<span class="math">\(T\)</span>, and')
    '<span class="klcal-joined"><span class="math">\\(T\\)</span>,</span> and'
    """
    return _FORMULA.sub(r'<span class="klcal-joined">\g<0></span>', body)


def keep_options(body: str) -> str:
    """Return a page whose commands do not break within an option, after its hyphens.

    Examples
    --------
    >>> keep_options('<div class="highlight-console"><pre>run --bins 9</pre> a --b')
    '<div class="highlight-console"><pre>run <span class="klcal-short">--bins</span> 9</pre> a --b'
    """
    option = re.compile(r"(?<=\s)--?\w[\w-]*")
    return _CONSOLE.sub(lambda block: option.sub(r'<span class="klcal-short">\g<0></span>', block[0]), body)


def _on_page(app: Sphinx, doctree: nodes.document, page: str) -> None:
    del page
    if app.builder.format == "html":
        join(doctree)
        mark_short(doctree)


def _on_body(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    del app, page, template, doctree
    if "body" in context:
        context["body"] = join_ledger(keep_options(context["body"]))


def register(app: Sphinx) -> None:
    """Tell Sphinx to do so on every page."""
    app.connect("doctree-resolved", _on_page, priority=900)
    app.connect("html-page-context", _on_body)
