"""Sentences of the ledger as HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable
from itertools import cycle

from klcal.claims._ledger import REGISTRY

Link = Callable[[str], str]

_LABEL = r"\b(?:alg|appB|cor|eq|lem|new|prop|rem|sec\d?|thm):[\w\-/]+(?:\[0,1\][\w]*)?|\bpinsker\b"
# A formula in dollar signs, a piece of code in backticks, a label.
_MARKED = re.compile(rf"\$([^$]+)\$|`([^`]+)`|({_LABEL})")
# What a terminal shows as it is typed, and how a page shows it.
_GREEK = {"alpha": "α", "gamma": "γ", "delta": "δ", "lambda": "λ", "mu": "μ", "pi": "π", "rho": "ρ"}
_TYPED: dict[str, str | Callable[[re.Match[str]], str]] = {
    rf"\b(?:{'|'.join(_GREEK)})(?![a-z])": lambda found: _GREEK[found[0]],
    r"\bsqrt(?=\()": "√",
    r"\bl(?=_\w\b)": "ℓ",
    r"\b1e-(\d+)": r"10<sup>-\1</sup>",
    r"(?<=\d) \* (?=\d)": " · ",
    r"&lt;=": "≤",
    r"&gt;=": "≥",
    r"\b([A-Za-zℓ]|P?Cal)_(?:\{([^}]+)\}|(\w)\b)": r"\1<sub>\2\3</sub>",  # not in names of functions
    r"\^(?:\(([\w/]+)\)|\{(\w+)\}|(-?\d+(?:\.\d+)?|\w+\b))": r"<sup>\1\2\3</sup>",
}


def anchor(label: str) -> str:
    """Return the id of an entry on the page of claims.

    Examples
    --------
    >>> anchor("eq:psreg_[0,1]_to_psreg_Z")
    'claim-eq-psreg_-0-1-_to_psreg_Z'
    """
    return "claim-" + re.sub(r"[^A-Za-z0-9_-]", "-", label)


def plain(text: str) -> str:
    """Return words with typed signs as HTML.

    Examples
    --------
    >>> plain("a T^(1/3) rate for Cal_2 <= pi/2K")
    'a T<sup>1/3</sup> rate for Cal<sub>2</sub> ≤ π/2K'
    >>> plain("larger by 1e-9 at 2 * 10^9"), plain("theorem_1")
    ('larger by 10<sup>-9</sup> at 2 · 10<sup>9</sup>', 'theorem_1')
    """
    shown = html.escape(text, quote=False)
    for typed, sign in _TYPED.items():
        shown = re.sub(typed, sign, shown)
    return shown


def breakable(text: str) -> str:
    """Return a label or a piece of code as HTML, with places where a line may break.

    Examples
    --------
    >>> breakable("prop:swap_reg/a")
    'prop:swap_<wbr>reg/<wbr>a'
    """
    return re.sub(r"[_/]|(?<=\w)\.(?=\w)", r"\g<0><wbr>", html.escape(text, quote=False))


def markup(text: str, link: Link | None = None) -> str:
    r"""Return a sentence of the ledger as HTML.

    Parameters
    ----------
    text : str
        Formulas in dollar signs, code in backticks, labels as they are, quotations in typewriter's quotation marks.
    link : callable, optional
        Takes a label that the text names and returns the address it is linked to.

    Returns
    -------
    str
        Escaped HTML.

    Examples
    --------
    >>> print(markup("see `run` and $x < 1$"))
    see <code>run</code> and <span class="math">\(x &lt; 1\)</span>
    >>> markup("see lem:rounding", lambda label: "#there")
    'see <a href="#there">lem:rounding</a>'
    >>> print(markup('they say "for all $x$" there'))
    they say “for all <span class="math">\(x\)</span>” there
    """
    marks = cycle("“”")

    def words(typed: str) -> str:
        return re.sub('"', lambda _: next(marks), plain(typed))

    def replaced(found: re.Match[str]) -> str:
        formula, code, label = found.groups(default="")
        if formula:
            return rf'<span class="math">\({html.escape(formula, quote=False)}\)</span>'
        if code:
            return f"<code>{breakable(code)}</code>"
        known = link is not None and label in REGISTRY
        return (
            f'<a href="{html.escape(link(label))}">{breakable(label)}</a>'
            if link and known
            else breakable(label)
        )

    pieces, start = [], 0
    for found in _MARKED.finditer(text):
        pieces += [words(text[start : found.start()]), replaced(found)]
        start = found.end()
    return "".join([*pieces, words(text[start:])])


def definitions(pairs: Iterable[tuple[str, str]], link: Link | None = None) -> str:
    """Return names and texts as an HTML list."""
    marked_up = [[markup(each, link) for each in pair] for pair in pairs]
    return "<dl>" + "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in marked_up) + "</dl>"


def css(status: str) -> str:
    """Return the class of a status in the style sheets."""
    return f"klcal-{status.replace(' ', '-')}"


def badge(status: str) -> str:
    """Return a status as a small coloured word."""
    return f'<span class="klcal-status {css(status)}">{html.escape(status)}</span>'
