"""How the ledger is shown: one claim as a card, many as a table, in a chapter or a terminal."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from klcal.claims._ledger import KINDS, REGISTRY, STATUSES, ClaimFailed, Evidence, Number, Verdict


@cache
def verdict(label: str) -> Verdict:
    """Run the checks of one claim, once per process.

    Parameters
    ----------
    label : str
        A label of the ledger.

    Returns
    -------
    Verdict
        The claim with its evidence; raises ``ValueError`` for an unknown label.

    Examples
    --------
    >>> verdict("eq:nothing")
    Traceback (most recent call last):
        ...
    ValueError: label must be one of the ledger; got 'eq:nothing'
    """
    if label not in REGISTRY:
        raise ValueError(f"label must be one of the ledger; got {label!r}")
    return REGISTRY[label].verify()


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
    >>> number_text(Fraction(1, 3)), number_text(2.0), number_text(1 / 3)
    ('1/3', '2', '0.333333')
    """
    if isinstance(value, Fraction) and len(str(value)) > 14:
        digits = len(str(abs(value.numerator))) - len(str(value.denominator))
        if digits > 300:
            return f"about 10^{digits}"
        value = float(value)
    if isinstance(value, float):
        if math.isfinite(value) and value == int(value) and abs(value) < 1e6:
            return str(int(value))
        return f"{value:.6g}"
    if isinstance(value, int) and abs(value) >= 10**14:
        return f"about 10^{len(str(abs(value))) - 1}"
    return str(value)


_SIGNS = {"<=": "\u2264", ">=": "\u2265", "==": "="}
_COLUMNS = ("label", "statement", "evidence", "measured", "", "bound", "margin", "status")


def comparison(evidence: Evidence) -> str:
    """Write both sides of some evidence and how they compare.

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
    >>> comparison(Evidence(1, 2, "<=", "counted"))
    '1 \u2264 2'
    """
    relation = _SIGNS.get(evidence.relation, evidence.relation)
    return f"{number_text(evidence.measured)} {relation} {number_text(evidence.bound)}"


def _row(found: Verdict) -> tuple[str, ...]:
    claim, evidence = found.claim, found.decisive
    if evidence is None:
        return (claim.label, claim.number, claim.kind, "", "", "", "", found.status)
    return (
        claim.label,
        claim.number,
        claim.kind,
        number_text(evidence.measured),
        _SIGNS.get(evidence.relation, evidence.relation),
        number_text(evidence.bound),
        number_text(evidence.margin),
        found.status,
    )


@dataclass(frozen=True)
class Table:
    """Rows of text under a heading, as plain text or HTML."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __repr__(self) -> str:
        return aligned([self.columns, *self.rows])

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in self.rows
        )
        return f'<table class="klcal-claims"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


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


def table(chapter: str | None = None) -> Table:
    """Run the claims of one chapter, or all, and return them as a table.

    Parameters
    ----------
    chapter : str, optional
        Stem of the chapter's file.

    Returns
    -------
    Table
        One row per claim: label, number, kind of evidence, both sides, margin, status.

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
    found = [verdict(label) for label in labels]
    for each in found:
        each.require()
    return Table(_COLUMNS, tuple(_row(each) for each in found))


def counts(*labels: str) -> Table:
    """Run the whole ledger, or some entries, and count them by status and kind of evidence.

    Parameters
    ----------
    *labels : str
        Entries to run; all of them by default.

    Returns
    -------
    Table
        One row per status, one column per kind, and the sums.

    Examples
    --------
    >>> counts("new:murphy", "new:end-prices")
    status  symbolic  certified  exact  statistical  numeric  cited  all
    holds   1         1          0      0            0        0      2
    all     1         1          0      0            0        0      2
    """
    return counted((verdict(label).status, REGISTRY[label].kind) for label in labels or REGISTRY)


def counted(entries: Iterable[tuple[str, str]]) -> Table:
    """Count pairs of status and kind.

    Parameters
    ----------
    entries : iterable of pairs
        Status and kind of each entry.

    Returns
    -------
    Table
        One row per status that occurs, one column per kind, and the sums.

    Examples
    --------
    >>> counted([("holds", "exact"), ("holds", "cited")]).rows[0]
    ('holds', '0', '0', '1', '0', '0', '1', '2')
    """
    found = list(entries)
    rows = []
    for status in (*STATUSES, "all"):
        kinds = [kind for each, kind in found if status in ("all", each)]
        if kinds:
            rows.append((status, *(str(kinds.count(kind)) for kind in KINDS), str(len(kinds))))
    return Table(("status", *KINDS, "all"), tuple(rows))


@dataclass(frozen=True)
class Card:
    """One claim with everything its check saw."""

    found: Verdict
    controls: tuple[bool, ...]

    def _lines(self) -> list[tuple[str, str]]:
        claim, found = self.found.claim, self.found
        lines = [("statement", claim.statement)]
        if claim.repair:
            lines.append(("repaired", claim.repair))
        for name, evidence in (("evidence", found.evidence), ("against the print", found.refutation)):
            if evidence is not None:
                sides = comparison(evidence)
                lines.append((name, f"{claim.kind}: {sides} (margin {number_text(evidence.margin)})"))
                lines.append(("method", evidence.method))
                if evidence.counterexample:
                    lines.append(("counterexample", evidence.counterexample))
        if claim.reason:
            lines.append(("not checked", claim.reason))
        if self.controls:
            caught = sum(not held for held in self.controls)
            lines.append(("control", f"{caught} of {len(self.controls)} spoiled statements rejected"))
        lines.append(("run again", f"python -m klcal verify --claim {claim.label}"))
        return lines

    def _title(self) -> str:
        claim = self.found.claim
        return f"{claim.number}, {claim.title} [{claim.label}]: {self.found.status}"

    def __repr__(self) -> str:
        return "\n".join([self._title(), *(f"  {name}: {text}" for name, text in self._lines())])

    def _repr_html_(self) -> str:
        status = self.found.status.replace(" ", "-")
        body = "".join(
            f"<dt>{html.escape(name)}</dt><dd>{html.escape(text)}</dd>" for name, text in self._lines()
        )
        return (
            f'<div class="klcal-card klcal-{status}"><p>{html.escape(self._title())}</p><dl>{body}</dl></div>'
        )


def show(label: str) -> Card:
    """Run one claim and its controls and return everything they saw.

    Parameters
    ----------
    label : str
        A label of the ledger.

    Returns
    -------
    Card
        Raises `ClaimFailed` if the check fails or a control passes.

    Examples
    --------
    >>> show("eq:nothing")
    Traceback (most recent call last):
        ...
    ValueError: label must be one of the ledger; got 'eq:nothing'
    """
    found = verdict(label)
    found.require()
    controls = tuple(evidence.holds for evidence in found.claim.controls())
    if any(controls):
        raise ClaimFailed(f"control {controls.index(True)} of {label} was not rejected")
    return Card(found, controls)
