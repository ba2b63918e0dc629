"""How the ledger is shown: a card for a claim, rows of a table for many; as text and as HTML."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass

from klcal._text import aligned
from klcal.claims._evidence import KINDS, SCOPES
from klcal.claims._ledger import REGISTRY, STATUSES, Verdict, rejected_controls, verdict
from klcal.claims._markup import Link, anchor, badge, breakable, css, definitions, markup
from klcal.claims._words import SIGNS, both_sides, facts, heading, is_rounding, paragraph, strength, title


@dataclass(frozen=True)
class Card:
    """One claim with everything its checks saw; in a notebook it shows itself."""

    found: Verdict

    def __repr__(self) -> str:
        return paragraph(self.found, facts(self.found))

    def _repr_html_(self) -> str:
        status = self.found.status
        return (
            f'<div class="klcal-card {css(status)}"><p><span>{markup(heading(self.found))}</span> {badge(status)}</p>'
            f"{definitions(facts(self.found))}</div>"
        )


@dataclass(frozen=True)
class Table:
    """Rows of text under a heading, as plain text or HTML; on request all columns but the first flush right."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    link: Link | None = None
    right: bool = False

    def __repr__(self) -> str:
        return aligned([self.columns, *self.rows])

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{markup(name)}</th>" for name in self.columns)
        body = "".join("<tr>" + "".join(map(self._cell, self.columns, row)) + "</tr>" for row in self.rows)
        return f'<table class="klcal-claims"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'

    def _cell(self, column: str, text: str) -> str:
        if column == "status" and text in STATUSES:
            return f"<td>{badge(text)}</td>"
        kind = ' class="klcal-number"' if self.right and column != self.columns[0] else ""
        # A cell that is a label needs no sign in it that says so: "pinsker" has none.
        if self.link and text in REGISTRY:
            return f'<td{kind}><a href="{html.escape(self.link(text))}">{breakable(text)}</a></td>'
        return f"<td{kind}>{markup(text, self.link)}</td>"


ROW = ("label", "number", "kind", "scope", "measured", "bound", "status")


def row(found: Verdict) -> tuple[str, ...]:
    """Return a claim as a row of a table with the columns `ROW`; of a rounding error it has the bound alone."""
    claim, evidence = found.claim, found.strongest
    if evidence is None:
        return (claim.label, claim.number, "cited", "", "", "", found.status)
    relation = SIGNS.get(evidence.relation, evidence.relation)
    measured, bound = both_sides(evidence)
    numbers = ("rounding" if is_rounding(evidence) else measured, f"{relation} {bound}")
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
    >>> entries = [("established", "exact", "whole"), ("observed", "exact", "cases")]
    >>> counted(entries).rows[0][:4]
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
