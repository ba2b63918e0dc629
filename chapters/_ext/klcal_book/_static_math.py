r"""Formulas for readers without scripts: behind each one, in a noscript element, the same as MathML.

With scripts nothing of it is parsed, and MathJax sets the formulas as ever.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from latex2mathml.converter import convert

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_SCRIPT_OR_FORMULA = re.compile(
    r"<script.*?</script>"
    r'|<(?P<tag>span|div) class="math[^>]*>(?:\s*<span class="eqno">.*?</span>)?\s*'
    r"\\[\[(](?P<tex>[^<]*)\\[\])]\s*</(?P=tag)>",
    re.DOTALL,
)
# The number of an equation stays.
_STYLE = (
    "<noscript><style>.math { display: none !important; } .klcal-said { display: none; } "
    "div.math:has(.eqno) { display: block !important; font-size: 0; } .eqno { font-size: 1rem; } "
    "math { font-size: 1.1em; } math[display='block'] { margin: 1rem 0; overflow-x: auto; } "
    "mtd[columnalign='left'] { text-align: left; } mtd[columnalign='right'] { text-align: right; padding-right: 0; } "
    "mtd[columnalign='right'] + mtd { padding-left: 0; }</style></noscript>"
)
# What the converter does not know, in words that it does.
_BEFORE = {
    r"(?s)\A\\begin\{split\}(.*\\begin.*)\\end\{split\}\Z": r"\1",
    r"\{(?:aligned|split)\}": "{align*}",
    r"(\\\\)\[\w+\]": r"\1",
    r"(\\[Bb]igg?[lr]?\s*)\\[lr]?vert": r"\1|",
    r"\\(mathbb|mathcal|mathfrak|mathrm|mathsf) ?([A-Za-z])(?![A-Za-z])": r"\\\1{\2}",
    r"\\(?:mathsf|mathrm|mathtt|texttt)\{": r"\\text{",
    r"\\_": "_",
}
_NAMES = "log|sin|cos|tan|sec|csc|cot|exp|arcsin|sinh|cosh|tanh"
# Shorter; and to a browser words are space, names of functions need room, bold letters are letters of their own.
_AFTER: dict[str, str | Callable[[re.Match[str]], str]] = {
    r' xmlns="[^"]*"': "",
    r"&#x(?!0003C|00026)([0-9A-F]+);": lambda found: chr(int(found[1], 16)),
    r"<mtext>([A-Za-z]{2,})</mtext>": r"<mi>\1</mi>",
    rf"<mi>({_NAMES})</mi>": r'<mo lspace="0.17em" rspace="0.17em">\1</mo>',
    r'<mi mathvariant="bold-italic">([a-z])</mi>': lambda found: (
        f"<mi>{chr(0x1D482 + ord(found[1]) - ord('a'))}</mi>"
    ),
}


def expanded(tex: str, macros: Mapping[str, Any]) -> str:
    r"""Return a formula with the macros of the book written out.

    Examples
    --------
    >>> print(
    ...     expanded(
    ...         r"\KL_t + \KLx + \ind{a_{b}}",
    ...         {"KL": r"\mathsf{KL}", "ind": [r"\left[#1\right]", 1]},
    ...     )
    ... )
    {\mathsf{KL}}_t + \KLx + \left[a_{b}\right]
    """
    for name, meaning in macros.items():
        if isinstance(meaning, str):
            place, said = r"(?![A-Za-z])", f"{{{meaning}}}"
        else:
            place, said = r"\{((?:[^{}]|\{[^{}]*\})*)\}", meaning[0]
        tex = re.sub(rf"\\{name}{place}", said.replace("\\", r"\\").replace("#1", r"\1"), tex)
    return tex


@cache
def mathml(tex: str, is_display: bool) -> str:
    r"""Return a formula without macros as MathML.

    Examples
    --------
    >>> "<mo>" in mathml("a < b", False), mathml(r"\sin x", True).count("lspace")
    (True, 1)
    """
    for said, instead in _BEFORE.items():
        tex = re.sub(said, instead, tex)
    found: str = convert(tex, display="block" if is_display else "inline")
    for written, sign in _AFTER.items():
        found = re.sub(written, sign, found)
    unknown = re.search(r"\\\w*|&(?!#?\w+;)|mathvariant", found)
    if unknown:
        raise ValueError(f"a formula must have a form without scripts; got {unknown[0]!r} from {tex!r}")
    return found


def with_mathml(body: str, macros: Mapping[str, Any]) -> str:
    """Return the text of a page with MathML behind each formula."""

    def added(found: re.Match[str]) -> str:
        if found["tex"] is None:
            return found[0]
        tex = expanded(html.unescape(found["tex"]), macros).strip()
        return f"{found[0]}<noscript>{mathml(tex, found['tag'] == 'div')}</noscript>"

    return _SCRIPT_OR_FORMULA.sub(added, body)


def _on_body(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    del page, template, doctree
    if 'class="math' in context.get("body", ""):
        macros = (app.config.mathjax3_config or {}).get("tex", {}).get("macros", {})
        context["body"] = with_mathml(context["body"], macros)
        context["metatags"] = context.get("metatags", "") + _STYLE


def register(app: Sphinx) -> None:
    """Tell Sphinx to do so when everything else is in its place."""
    app.connect("html-page-context", _on_body, priority=900)
