"""Plain formulas of the ledger as HTML: signs, Greek letters, exponents and indices."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

_SIGNS = (("<=", "\u2264"), (">=", "\u2265"), ("!=", "\u2260"), ("->", "\u2192"), ("sqrt", "\u221a"))
_GREEK = {
    "alpha": "\u03b1",
    "gamma": "\u03b3",
    "chi": "\u03c7",
    "delta": "\u03b4",
    "theta": "\u03b8",
    "kappa": "\u03ba",
    "mu": "\u03bc",
    "pi": "\u03c0",
    "rho~": "\u03c1\u0303",
    "rho": "\u03c1",
    "sigma": "\u03c3",
    "Gamma": "\u0393",
    "Theta": "\u0398",
}
_GREEK_WORD = re.compile(rf"(?<![A-Za-z])({'|'.join(_GREEK)})(?![A-Za-z])")
_GROUP = r"\(((?:[^()]|\([^()]*\))*)\)"
_POWER = re.compile(rf"\^(?:(-?){_GROUP}|(-?\d+(?:\.\d+)?|-?[^\W\d_]+|\+))")
# An index is a letter or a number, or stands in brackets; names of functions with underscores are left alone.
_INDEX = re.compile(
    rf"(?<![\w.])([^\W\d_]\w{{0,7}}\u0303?)_(?:\{{([^{{}}]*)\}}|{_GROUP}|([^\W\d_]|\d+))(?!\w)"
)
_LABEL = re.compile(r"\b(?:alg|appB|cor|eq|lem|new|prop|rem|sec\d?|thm):[\w\-/]+(?:\[0,1\][\w]*)?")


_RAISED = str.maketrans("0123456789", "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079")


def symbols(text: str) -> str:
    """Return a sentence of the ledger with signs, Greek letters and single raised or lowered digits, as plain text.

    Parameters
    ----------
    text : str
        Plain text such as ``"Cal_2 <= T^2"``.

    Returns
    -------
    str
        For places where no HTML can stand.

    Examples
    --------
    >>> symbols("Cal_2 <= T^2")
    'Cal\u2082 \u2264 T\u00b2'
    """
    text = re.sub(r"\^(\d)(?!\d)", lambda found: found[1].translate(_RAISED), _replaced(text))
    return re.sub(r"(?<=[A-Za-z])_(\d)(?!\w)", lambda found: chr(0x2080 + int(found[1])), text)


def markup(text: str, link: Callable[[str], str] | None = None) -> str:
    """Return a sentence of the ledger as HTML.

    Parameters
    ----------
    text : str
        Plain text such as ``"T^(1/3) <= z_i"``.
    link : callable, optional
        Takes a label that the text names and returns the address it is linked to.

    Returns
    -------
    str
        Escaped HTML.

    Examples
    --------
    >>> markup("rho~_p <= T^(1/3), not bounds.cal2_from_kl")
    '\u03c1\u0303<sub>p</sub> \u2264 T<sup>1/3</sup>, not bounds.cal2_from_kl'
    >>> markup("see lem:rounding", lambda label: "#there")
    'see <a href="#there">lem:rounding</a>'
    """
    pieces, start = [], 0
    for found in _LABEL.finditer(text):
        label = html.escape(found[0])
        pieces.append(_formulas(text[start : found.start()]))
        pieces.append(label if link is None else f'<a href="{html.escape(link(found[0]))}">{label}</a>')
        start = found.end()
    return "".join([*pieces, _formulas(text[start:])])


def _replaced(text: str) -> str:
    for plain, sign in _SIGNS:
        text = text.replace(plain, sign)
    return _GREEK_WORD.sub(lambda found: _GREEK[found[1]], text).replace("p~", "p\u0303")


def _formulas(text: str) -> str:
    return _raised(_INDEX.sub(_lowered, html.escape(_replaced(text), quote=False)))


def _lowered(found: re.Match[str]) -> str:
    return f"{found[1]}<sub>{found[2] or found[3] or found[4]}</sub>"


def _raised(text: str) -> str:
    def power(found: re.Match[str]) -> str:
        inner = found[3] or (f"-({found[2]})" if found[1] else found[2])
        return f"<sup>{_raised(inner)}</sup>"

    return _POWER.sub(power, text)
