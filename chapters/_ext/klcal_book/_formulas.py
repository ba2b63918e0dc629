r"""Formulas as MathML, which browsers set themselves: nothing moves or vanishes while a page loads, no script runs.

The converter knows what a formula says; the space between its parts is TeX's (The TeXbook, page 170), written out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any
from xml.etree import ElementTree

from docutils import nodes  # type: ignore[import-untyped]
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.util.math import get_node_equation_number

Node = ElementTree.Element

# What the converter does not know, in words that it does; private letters mark names without serifs.
_BEFORE = {
    r"\{(?:aligned|split)\}": "{align*}",
    r"(\\[Bb]igg?[lr]?\s*)\\[lr]?vert": r"\1|",
    r"\\(mathbb|mathcal|mathfrak|mathrm|mathsf) ?([A-Za-z])(?![A-Za-z])": r"\\\1{\2}",
    r"\\(?:mathsf|mathtt|texttt)\{": "\\\\text{\ue000",
    r"\\mathrm\{": "\\\\text{\ue001",
    r"\\mathrel\{(.*?)\}": r"\1",
    r"\\_": "_",
    r"([+-]\s*)\\l?dots": r"\1\\cdots",
}
_KINDS = ("ord", "op", "bin", "rel", "open", "close", "punct", "inner")
# A row for each kind on the left, a column for each on the right: none, thin, medium, thick.
_SPACES = ("01230001", "11030001", "22002002", "33003003", "00000000", "01230001", "11011111", "11231011")
_WIDTHS = {"1": "0.167em", "2": "0.222em", "3": "0.278em"}
_SIGNS = {
    "bin": "+−·×∪∩±∗∘∖",
    "rel": "=<>≤≥∈∉→⊂⊆≠≈∣∝∼~:≡≪≫⇒",
    "op": "∑∏∫",
    "open": "([{⌊⌈⟨",
    "close": ")]}⌋⌉⟩",
    "punct": ",;",
}
_KIND = {sign: kind for kind, signs in _SIGNS.items() for sign in signs}
_FUNCTIONS = {"log", "sin", "cos", "tan", "sec", "csc", "cot", "exp", "arcsin", "sinh", "cosh", "tanh"}
_LIMITS = {"sup", "inf", "max", "min", "lim", "argmin", "lim\u2006sup", "lim\u2006inf"}
_NAMES = {"\ue000": {"class": "klcal-sans"}, "\ue001": {"mathvariant": "normal"}}
_BETTER = {"*": "∗", "~": "∼", "𝕀": "𝟙"}  # the font's 𝕀 is a box, like that of a missing letter
_ACCENTS = {"~": "˜", "^": "ˆ", "¯": "¯"}
_SCRIPTED = {"msub", "msup", "msubsup", "munder", "mover", "munderover"}
_TALL = {"mfrac", "mtable", "msqrt", "∑", "∏", "∫"}
_BRACKETS = r"(<msu[bp]+>)(<mo [^>]*minsize.*?</mo>)", r"\1<mrow>\2</mrow>"  # browsers size them in rows only
_LONG, _SHORT = 24, 4  # a formula with as many letters may break, into parts with as many
_TAG = re.compile(r"\\tag\{(.*?)\}")


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


def kind(node: Node) -> str:
    """Return which of TeX's kinds a part of a formula is."""
    if node.tag in _SCRIPTED:
        return kind(node[0])
    if node.tag == "mrow":
        return "inner" if len(node) and node[0].get("form") == "prefix" else "ord"
    said = node.text or ""
    if said in _FUNCTIONS or (node.tag == "mo" and said[:1].isalpha()):
        return "op"
    return _KIND.get(said, "ord") if node.tag in ("mi", "mo") else "ord"


def kinds_in(row: list[Node]) -> list[str]:
    """Return the kinds of the parts of a row; a sign with nothing on its left or right is an ordinary letter."""
    found = [kind(node) for node in row]
    for at, each in enumerate(found):
        before = found[at - 1] if at else "open"
        after = found[at + 1] if at + 1 < len(found) else "close"
        if each == "bin" and (
            before in ("bin", "op", "rel", "open", "punct") or after in ("rel", "close", "punct")
        ):
            found[at] = "ord"
    return found


def space(row: Node, is_small: bool) -> None:
    """Put the space between the parts of a row; in exponents and indices there is hardly any."""
    atoms = [node for node in row if node.tag != "mspace"]
    kinds = kinds_in(atoms)
    for left, right, node in zip(kinds, kinds[1:], atoms[1:], strict=False):
        width = _SPACES[_KINDS.index(left)][_KINDS.index(right)]
        is_kept = "op" in (left, right) and {left, right} <= {"ord", "op", "close", "inner"}
        if width != "0" and (is_kept or not is_small):
            row.insert([*row].index(node), ElementTree.Element("mspace", width=_WIDTHS[width]))


def mend(node: Node) -> None:
    """Make one part of a formula what TeX would: its form, its letters, its limits."""
    said = node.text or ""
    if node.tag == "mo" and said in "∞∂∃∀⊤!*…⋯.":
        node.tag = "mi"
        node.attrib.clear()
    if node.tag == "mo":
        node.attrib |= {"lspace": "0", "rspace": "0"}
        if said in "|∣" and "fence" not in node.attrib:
            node.set("stretchy", "false")
        if node.get("minsize") == "2.047em":  # of a binomial: as large as what stands between
            del node.attrib["minsize"], node.attrib["maxsize"]
    if node.tag == "mi" and said in _BETTER:
        node.text = _BETTER[said]
    if node.tag == "mtext" and said[:1] in _NAMES:
        node.tag, node.text = "mi", said[1:]
        node.attrib |= _NAMES[said[0]]
    if node.tag == "mi" and len(said) == 1 and "Α" <= said <= "Ω":
        node.set("mathvariant", "normal")
    if node.get("mathvariant") == "bold-italic":
        node.text = chr(0x1D482 + ord(said) - ord("a"))
        del node.attrib["mathvariant"]
    if node.tag == "msub" and node[0].text in _LIMITS:
        node.tag = "munder"
        node[0].set("movablelimits", "true")
    if node.tag == "msup" and node[1].text in {"′", "″", "‴"}:
        node.tag = "mrow"
    if node.tag == "mover" and node[1].text in _ACCENTS:
        node.set("accent", "true")
        node[1].text = _ACCENTS[node[1].text]


def finish(node: Node, style: int) -> None:
    """Mend a formula from the inside; `style` is 0 for display, 1 for text, larger for what is small."""
    for at, child in enumerate(node):
        inner = style + 1 if node.tag == "mfrac" else style
        if node.tag in _SCRIPTED and at > 0:
            inner = max(style, 1) + 1
        if "displaystyle" in child.attrib:
            inner = int(child.get("displaystyle") == "false")
        finish(child, inner)
    mend(node)
    # Brackets grow around what is tall; Chromium keeps room for the widest bracket beside each that may.
    is_bracketed = node.tag == "mrow" and kind(node) == "inner"
    if is_bracketed and not any({each.tag, each.text} & _TALL for each in node.iter()):
        node[0].attrib["stretchy"] = node[-1].attrib["stretchy"] = "false"
    if node.tag in {"mrow", "mtd", "msqrt", "mstyle"}:
        space(node, style > 1)
    if node.tag == "msqrt" and style:  # a low letter would pull the root below its line
        node.insert(0, ElementTree.Element("mspace", height="0.72em"))


def letters(row: Iterable[Node]) -> int:
    """Return how many letters and signs a formula has."""
    return sum(len(text) for node in row for text in node.itertext())


def lines(row: Node) -> Iterator[list[Node]]:
    """Yield the parts between which a long formula may break: behind relations, sums, commas outside all brackets."""
    atoms = [node for node in row if node.tag != "mspace"]
    kinds = dict(zip(atoms, kinds_in(atoms), strict=True))
    start, depth, is_end, is_long = 0, 0, False, letters(row) >= _LONG
    for at, node in enumerate(row):
        if found := kinds.get(node):
            if is_end and found != "rel" and min(letters(row[start:at]), letters(row[at:])) >= _SHORT:
                yield row[start:at]
                start = at
            depth += (found == "open") - (found == "close")
            is_sign = found in ("rel", "punct") or (found == "bin" and node.text in ("+", "−"))
            is_end = is_long and depth == 0 and is_sign
    yield row[start:]


@cache
def mathml(tex: str, is_display: bool = False) -> str:
    r"""Return a formula without macros as MathML; a long one in a line as several, between which it may break.

    Examples
    --------
    >>> mathml("a < b").count("mspace"), mathml("-a").count("mspace")
    (2, 0)
    >>> (
    ...     mathml("a + b := c").count("<wbr>"),
    ...     mathml("abcdefgh := 12345678 + 5 \\cdot 10^{-8}").count("<wbr>"),
    ... )
    (0, 2)
    """
    for said, instead in _BEFORE.items():
        tex = re.sub(said, instead, tex)
    converted = convert(tex, display="block" if is_display else "inline")
    root = ElementTree.fromstring(re.sub(' xmlns="[^"]*"', "", converted))
    finish(root, 0 if is_display else 1)
    parts = [[*root[0]]] if is_display else [*lines(root[0])]
    found = []
    for part in parts:
        formula = ElementTree.Element("math", display="block" if is_display else "inline")
        formula.extend(part)
        said = ElementTree.tostring(formula, encoding="unicode")
        found.append(re.sub(*_BRACKETS, said))
    if unknown := re.search(r'\\\w*|mathvariant="(?!normal)', "".join(found)):
        raise ValueError(f"a formula must have a form in MathML; got {unknown[0]!r} from {tex!r}")
    return "<wbr>".join(found)


def formula(node: nodes.Element, macros: Mapping[str, Any]) -> str:
    """Return a formula of a page as MathML."""
    tex = _TAG.sub("", expanded(node.astext(), macros)).strip()
    is_display = isinstance(node, nodes.math_block)
    if is_display and r"\\" in tex and r"\begin" not in tex:
        tex = rf"\begin{{align*}}{tex}\end{{align*}}"
    return mathml(tex, is_display)


def visit_inline(translator: Any, node: nodes.math) -> None:
    """Write a formula of a line; what keeps it beside its comma ends where a long one may break."""
    said = f'<span class="math">{formula(node, translator.config.klcal_macros)}</span>'
    if isinstance(node.parent, nodes.inline) and "klcal-kept" in node.parent["classes"]:
        said = said.replace("<wbr>", '</span></span><wbr><span class="klcal-kept"><span class="math">')
    translator.body.append(said)
    raise nodes.SkipNode


def visit_display(translator: Any, node: nodes.math_block) -> None:
    """Write a formula that stands by itself, with its number."""
    translator.body.append(translator.starttag(node, "div", CLASS="math"))
    translator.body.append(formula(node, translator.config.klcal_macros))
    tag = _TAG.search(node.astext())
    if tag or node["number"]:
        number = tag[1] if tag else get_node_equation_number(translator, node)
        translator.body.append(f'<span class="eqno">({number})</span>')
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def keep(_app: Sphinx, page: nodes.document, _name: str) -> None:
    """Keep what touches a formula in its line; Chromium breaks even at a word joiner."""
    for node in [*page.findall(nodes.math)]:
        parent, at = node.parent, node.parent.index(node)
        words = [str(part) if isinstance(part, nodes.Text) else "" for part in ("", *parent, "")]
        before, after = words[at], words[at + 2]
        head = "".join(re.findall(r"\S*\s*$" if node.astext() == r"\square" else r"\S*[(“‘]$", before))
        tail = "".join(re.findall(r"^[-.,;:)?!”’]+", after))
        if head or tail:
            both = nodes.inline("", "", nodes.Text(head), node, nodes.Text(tail), classes=["klcal-kept"])
            around = nodes.Text(before.removesuffix(head)), both, nodes.Text(after.removeprefix(tail))
            parent[at - bool(before) : at + 1 + bool(after)] = around
