"""How the ledger is shown: the facts about a claim, once; then as text, as HTML, as a row of a table."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from klcal.claims._evidence import KINDS, SCOPES, Evidence, Number
from klcal.claims._ledger import REGISTRY, STATUSES, Claim, Verdict, rejected_controls, verdict

Link = Callable[[str], str]

_SIGNS = {"<=": "\u2264", ">=": "\u2265", "==": "="}
_RAISED = str.maketrans("-0123456789", "\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079")
_LABEL = r"\b(?:alg|appB|cor|eq|lem|new|prop|rem|sec\d?|thm):[\w\-/]+(?:\[0,1\][\w]*)?"
# A formula in dollar signs, a piece of code in backticks, a label.
_MARKED = re.compile(rf"\$([^$]+)\$|`([^`]+)`|({_LABEL})")


def number_text(value: Number) -> str:
    """Write a number with six significant digits, short fractions exactly.

    Parameters
    ----------
    value : int, float or Fraction
        A side of some evidence.

    Returns
    -------
    str
        Its text.

    Examples
    --------
    >>> number_text(Fraction(1, 3)), number_text(2.0), number_text(1 / 3), number_text(3.14159e-16)
    ('1/3', '2', '0.333333', '3.1\u00b710\u207b\u00b9\u2076')
    """
    if isinstance(value, Fraction) and len(str(value)) > 14:
        digits = len(str(abs(value.numerator))) - len(str(value.denominator))
        if digits > 300:
            return f"about 10^{digits}"
        value = float(value)
    if isinstance(value, float):
        if math.isfinite(value) and value == int(value) and abs(value) < 1e6:
            return str(int(value))
        mantissa, e, power = f"{value:.6g}".partition("e")
        return f"{float(mantissa):.2g}\u00b710{str(int(power)).translate(_RAISED)}" if e else mantissa
    if isinstance(value, int) and abs(value) >= 10**14:
        return f"about 10^{len(str(abs(value))) - 1}"
    return str(value)


def sides(evidence: Evidence) -> str:
    """Write what was measured and what was promised; nothing where the method says it all.

    Parameters
    ----------
    evidence : Evidence
        What a check saw.

    Returns
    -------
    str
        Its text.

    Examples
    --------
    >>> sides(Evidence(1, 2, "<=", "counted"))
    '1 \u2264 2'
    >>> sides(Evidence(0, 0, "==", "enumerated", {"cases": 64})), sides(Evidence(0, 0, "==", "closed"))
    ('none of 64', '')
    >>> sides(Evidence(4, 4, "<=", "attained")), sides(Evidence(2, 2, "==", "equal"))
    ('4, the bound itself', '')
    """
    if evidence.relation == "==" and evidence.bound == 0:
        count = evidence.parameters.get("cases")
        if evidence.measured == 0:
            return f"none of {count}" if count else ""
        return (
            f"{number_text(evidence.measured)} of {count}"
            if count
            else f"{number_text(evidence.measured)} left"
        )
    if evidence.measured == evidence.bound:
        if evidence.relation == "==":
            return ""
        return number_text(evidence.measured) + (", the bound itself" if evidence.bound else "")
    if number_text(evidence.measured) == number_text(evidence.bound):
        return f"{number_text(evidence.measured)}, the bound to six digits"
    relation = _SIGNS.get(evidence.relation, evidence.relation)
    text = f"{number_text(evidence.measured)} {relation} {number_text(evidence.bound)}"
    if evidence.kind == "statistical" and evidence.relation == "<=" and evidence.bound > 0:
        text += f", at most {number_text(float(evidence.measured / evidence.bound))} of the bound"
    return text


def sentence(evidence: Evidence) -> str:
    """Write the method and both sides of some evidence, part by part.

    Parameters
    ----------
    evidence : Evidence
        What a check saw.

    Returns
    -------
    str
        With formulas in dollar signs.

    Examples
    --------
    >>> sentence(Evidence(1, 2, "<=", "counted"))
    'counted (1 \u2264 2)'
    """
    pieces = dict.fromkeys(map(sentence, evidence.parts)) if evidence.parts else [evidence.method]
    text = "; ".join(pieces)
    return f"{text} ({found})" if not evidence.parts and (found := sides(evidence)) else text


def strength(evidence: Evidence | None) -> str:
    """Write kind and scope of some evidence, both axes.

    Parameters
    ----------
    evidence : Evidence or None
        What a check saw; None for a cited statement.

    Returns
    -------
    str
        Such as ``"exact, cases: K = 3"``.

    Examples
    --------
    >>> strength(Evidence(1, 2, "<=", "counted", kind="exact"))
    'exact, whole'
    """
    return "cited" if evidence is None else f"{evidence.kind}, {evidence.scope}"


@dataclass(frozen=True)
class Seen:
    """What one check saw, in words.

    Parameters
    ----------
    kind, scope : str
        Both axes of its strength, such as "exact" and "cases: K = 3".
    text : str
        The method and what came out, with formulas in dollar signs.
    counterexample : str
        For a refutation: the object that shows the printed statement false.
    """

    kind: str
    scope: str
    text: str
    counterexample: str = ""

    @classmethod
    def of(cls, evidence: Evidence) -> Seen:
        """Return the words for some evidence."""
        return cls(evidence.kind, str(evidence.scope), sentence(evidence), evidence.counterexample)


def facts(found: Verdict) -> list[tuple[str, str]]:
    """Return everything that is known about one claim after its checks ran.

    Parameters
    ----------
    found : Verdict
        The claim and its evidence.

    Returns
    -------
    list of pairs
        What it is about, and the text: formulas in dollar signs, code in backticks, labels as they are.
    """
    seen = [Seen.of(each) for each in sorted(found.evidence, key=lambda e: e.strength)]
    told = [(f"{each.kind}, {each.scope}", each.text) for each in seen]
    for against in map(Seen.of, found.refutations):
        told += [
            ("counterexample", against.counterexample),
            (f"against the print, {against.kind}, {against.scope}", against.text),
        ]
    before, after = about(found.claim, found.steps_checked)
    return [*before, *((name, text) for name, text in told if text), *after]


def about(claim: Claim, steps_checked: int | str = "") -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return what an entry itself says: the statements before the evidence, and the rest behind it."""
    before = [("statement", claim.statement), ("repaired", claim.repair), ("true instead", claim.instead)]
    steps = f"; {steps_checked} of {len(claim.steps)} steps checked" if claim.steps and claim.proof else ""
    checked = {check.scope.text for check in claim.checks}
    by_hand = ", ".join(name for name in claim.steps if name not in checked and name not in REGISTRY)
    steps += f"; in print only: {by_hand}" if by_hand else ""
    distances = [distance for check in (*claim.checks, *claim.refutations) for distance in check.controls]
    after = [
        ("printed proof", f"{claim.proof}{steps}"),
        ("not checked", claim.reason),
        ("due to", claim.credit),
        ("near misses rejected", "; ".join(dict.fromkeys(distances))),
        ("builds on", ", ".join(claim.builds_on)),
        ("run again", f"`python -m klcal verify --claim '{claim.label}'`"),
    ]
    return [pair for pair in before if pair[1]], [pair for pair in after if pair[1]]


def title(claim: Claim) -> str:
    """Return number and title of a claim on one line."""
    return claim.title if claim.number == "new" else f"{claim.number}: {claim.title}"


def heading(found: Verdict) -> str:
    """Return number, title and label of a claim on one line."""
    return f"{title(found.claim)} [{found.claim.label}]"


def anchor(label: str) -> str:
    """Return the id of an entry on the page of claims.

    Examples
    --------
    >>> anchor("eq:psreg_[0,1]_to_psreg_Z")
    'claim-eq-psreg_-0-1-_to_psreg_Z'
    """
    return "claim-" + re.sub(r"[^A-Za-z0-9_-]", "-", label)


def markup(text: str, link: Link | None = None, *, typeset: bool = True) -> str:
    r"""Return a sentence of the ledger as HTML.

    Parameters
    ----------
    text : str
        Formulas in dollar signs, code in backticks, labels as they are.
    link : callable, optional
        Takes a label that the text names and returns the address it is linked to.
    typeset : bool
        Whether MathJax is to set the formulas; a page with thousands of them shows their source instead.

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
    """

    def replaced(found: re.Match[str]) -> str:
        formula, code, label = (html.escape(each or "", quote=False) for each in found.groups())
        if formula and not typeset:
            return f"<code>{formula}</code>"
        if formula:
            return rf'<span class="math">\({formula}\)</span>'
        if code:
            return f"<code>{code}</code>"
        known = link is not None and found[3] in REGISTRY
        return f'<a href="{html.escape(link(found[3]))}">{label}</a>' if link and known else label

    pieces, start = [], 0
    for found in _MARKED.finditer(text):
        pieces += [html.escape(text[start : found.start()], quote=False), replaced(found)]
        start = found.end()
    return "".join([*pieces, html.escape(text[start:], quote=False)])


def definitions(pairs: Iterable[tuple[str, str]], link: Link | None = None, *, typeset: bool = True) -> str:
    """Return names and texts as an HTML list."""
    marked_up = [[markup(each, link, typeset=typeset) for each in pair] for pair in pairs]
    return "<dl>" + "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in marked_up) + "</dl>"


def css(status: str) -> str:
    """Return the class of a status in the style sheets."""
    return f"klcal-{status.replace(' ', '-')}"


def badge(status: str) -> str:
    """Return a status as a small coloured word."""
    return f'<span class="klcal-status {css(status)}">{html.escape(status)}</span>'


@dataclass(frozen=True)
class Card:
    """One claim with everything its checks saw; in a notebook it shows itself."""

    found: Verdict

    def __repr__(self) -> str:
        lines = (f"  {name}: {text}" for name, text in facts(self.found))
        return "\n".join([f"{heading(self.found)}: {self.found.status}", *lines])

    def _repr_html_(self) -> str:
        status = self.found.status
        return (
            f'<div class="klcal-card {css(status)}"><p><span>{markup(heading(self.found))}</span> {badge(status)}</p>'
            f"{definitions(facts(self.found))}</div>"
        )


@dataclass(frozen=True)
class Table:
    """Rows of text under a heading, as plain text or HTML."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    link: Link | None = None

    def __repr__(self) -> str:
        return aligned([self.columns, *self.rows])

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{markup(name)}</th>" for name in self.columns)
        body = "".join("<tr>" + "".join(map(self._cell, self.columns, row)) + "</tr>" for row in self.rows)
        return f'<table class="klcal-claims"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'

    def _cell(self, column: str, text: str) -> str:
        if column == "status" and text in STATUSES:
            return f"<td>{badge(text)}</td>"
        return f"<td>{markup(text, self.link)}</td>"


def aligned(rows: Iterable[Sequence[str]]) -> str:
    r"""Set rows of cells in columns.

    Parameters
    ----------
    rows : iterable of sequences of str
        Cells; every row has the same number of them.

    Returns
    -------
    str
        One line per row, columns two spaces apart.

    Examples
    --------
    >>> aligned([("a", "b"), ("long", "c")])
    'a     b\nlong  c'
    """
    lines = [tuple(row) for row in rows]
    widths = [max(len(cell) for cell in column) for column in zip(*lines, strict=True)]
    text = ("  ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)) for line in lines)
    return "\n".join(line.rstrip() for line in text)


ROW = ("label", "number", "kind", "scope", "measured", "bound", "status")


def row(found: Verdict) -> tuple[str, ...]:
    """Return a claim as a row of a table with the columns `ROW`."""
    claim, evidence = found.claim, found.strongest
    if evidence is None:
        return (claim.label, claim.number, "cited", "", "", "", found.status)
    relation = _SIGNS.get(evidence.relation, evidence.relation)
    numbers = (number_text(evidence.measured), f"{relation} {number_text(evidence.bound)}")
    return (claim.label, claim.number, evidence.kind, str(evidence.scope), *numbers, found.status)


def table(chapter: str | None = None) -> Table:
    """Run the claims of one chapter, or all, and return them as a table.

    Parameters
    ----------
    chapter : str, optional
        Stem of the chapter's file.

    Returns
    -------
    Table
        One row per claim: what it says, its label, kind and scope of the strongest evidence, status.

    Examples
    --------
    >>> table("no such chapter")
    Traceback (most recent call last):
        ...
    ValueError: chapter must have claims in the ledger; got 'no such chapter'
    """
    labels = [label for label, claim in REGISTRY.items() if chapter in (None, claim.chapter)]
    if not labels:
        raise ValueError(f"chapter must have claims in the ledger; got {chapter!r}")
    rows = tuple(
        (title(each.claim), each.claim.label, strength(each.strongest), each.status)
        for each in verdicts(labels)
    )
    return Table(("statement", "label", "strongest evidence", "status"), rows, on_the_page_of_claims)


def on_the_page_of_claims(label: str) -> str:
    """Return the address of an entry, as seen from another page of the book."""
    return f"claims.html#{anchor(label)}"


def verdicts(labels: Iterable[str]) -> tuple[Verdict, ...]:
    """Run some claims and return them; raises `ClaimFailed` if a check fails."""
    found = tuple(verdict(label) for label in labels)
    for each in found:
        each.require()
    return found


def counts(*labels: str) -> Table:
    """Run the whole ledger, or some entries, and count them by status and by the strongest evidence.

    Parameters
    ----------
    *labels : str
        Entries to run; all of them by default.

    Returns
    -------
    Table
        One row per status; one column per scope, then one per kind, and the number of entries.

    Examples
    --------
    >>> [row[0] for row in counts("lem:hessian_growth").rows]
    ['refuted', 'all']
    """
    return counted(
        (found.status, "cited" if best is None else best.kind, "" if best is None else best.scope.name)
        for found in verdicts(labels or REGISTRY)
        for best in (found.strongest,)
    )


def counted(entries: Iterable[tuple[str, str, str]]) -> Table:
    """Count triples of status, kind and scope.

    Parameters
    ----------
    entries : iterable of triples
        Status, kind and scope of each entry.

    Returns
    -------
    Table
        One row per status that occurs; one column per scope, then one per kind, and the sums.

    Examples
    --------
    >>> counted([("established", "exact", "whole"), ("observed", "exact", "cases")]).rows[0][:4]
    ('established', '1', '0', '0')
    """
    found = list(entries)
    rows = []
    for status in (*STATUSES, "all"):
        chosen = [each for each in found if status in ("all", each[0])]
        if chosen:
            scopes = (sum(scope == name for *_, scope in chosen) for name in SCOPES)
            kinds = (sum(kind == name for _, kind, _ in chosen) for name in KINDS)
            rows.append((status, *map(str, scopes), *map(str, kinds), str(len(chosen))))
    return Table(("status", *SCOPES, *KINDS, "entries"), tuple(rows))


def show(label: str) -> Card:
    """Run one claim and its controls and return everything they saw.

    Parameters
    ----------
    label : str
        A label of the ledger.

    Returns
    -------
    Card
        Raises `ClaimFailed` if a check fails or a control holds.

    Examples
    --------
    >>> show("eq:nothing")
    Traceback (most recent call last):
        ...
    ValueError: label must be one of the ledger; got 'eq:nothing'
    """
    (found,) = verdicts([label])
    rejected_controls(found.claim)
    return Card(found)
