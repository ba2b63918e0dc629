"""Every entry of the ledger on one page: a table that can be searched, with all that its check saw."""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass

from klcal.claims._ledger import KINDS, REGISTRY, STATUSES, Evidence, Verdict
from klcal.claims._report import aligned, comparison, number_text, verdict
from klcal.claims._stored import anchor, chapter_titles, place, stored
from klcal.claims._typeset import markup


@dataclass(frozen=True)
class Catalogue:
    """Verdicts as a table; in a notebook it shows itself."""

    found: tuple[Verdict, ...]

    def __repr__(self) -> str:
        return aligned(
            (each.claim.label, each.claim.number, each.claim.kind, each.status) for each in self.found
        )

    def _repr_html_(self) -> str:
        rows = "".join(map(_row, self.found))
        heads = "".join(f'<th scope="col">{name}</th>' for name in ("statement", "evidence", "status"))
        return (
            f'<div class="klcal-catalogue">{_filters()}<table class="klcal-entries">'
            f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
        )


def catalogue(*labels: str) -> Catalogue:
    """Run the whole ledger, or some entries, and return each with all that its check saw.

    Parameters
    ----------
    *labels : str
        Entries to run; all of them by default.

    Returns
    -------
    Catalogue
        Raises `ClaimFailed` if a check fails.

    Examples
    --------
    >>> [found.status for found in catalogue("lem:hessian_growth", "new:murphy").found]
    ['refuted as stated', 'holds']
    """
    found = tuple(verdict(label) for label in labels or REGISTRY)
    for each in found:
        each.require()
    return Catalogue(found)


def facts(found: Verdict, link: Callable[[str], str]) -> list[tuple[str, str]]:
    """Return name and HTML of everything that is known about one entry.

    Parameters
    ----------
    found : Verdict
        The entry after its checks ran.
    link : callable
        Label -> address on the page of claims.

    Returns
    -------
    list of pairs
        Statement, repair, evidence, control, what it builds on, how to run it again.
    """
    claim = found.claim
    told = [("statement", markup(claim.statement, link))]
    if claim.repair:
        told.append(("repaired", markup(claim.repair, link)))
    if claim.instead:
        told.append(("true instead", markup(claim.instead, link)))
    for name, evidence in (("evidence", found.evidence), ("against the print", found.refutation)):
        if evidence is not None:
            told += evidence_facts(name, evidence, link)
    if claim.reason:
        told.append(("not checked", markup(claim.reason, link)))
    entry = stored().get(claim.label)
    if claim.spoil and entry is not None:
        told.append(("control", f"{entry.controls} of {len(claim.spoil)} spoiled statements rejected"))
    if claim.uses:
        links = (f'<a href="{html.escape(link(used))}">{html.escape(used)}</a>' for used in claim.uses)
        told.append(("builds on", ", ".join(links)))
    told.append(("run again", f"<code>python -m klcal verify --claim '{html.escape(claim.label)}'</code>"))
    return told


def evidence_facts(name: str, evidence: Evidence, link: Callable[[str], str]) -> list[tuple[str, str]]:
    """Return name and HTML of both sides, the method and the counterexample of some evidence."""
    sides = f"{html.escape(comparison(evidence))} (margin {html.escape(number_text(evidence.margin))})"
    told = [(name, sides), ("method", markup(evidence.method, link))]
    if evidence.counterexample:
        told.append(("counterexample", markup(evidence.counterexample, link)))
    return told


def badge(status: str) -> str:
    """Return a status as a small coloured word."""
    return f'<span class="klcal-status klcal-{status.replace(" ", "-")}">{html.escape(status)}</span>'


def _here(label: str) -> str:
    return f"#{anchor(label)}"


def _row(found: Verdict) -> str:
    claim = found.claim
    title = f"<b>{html.escape(claim.number)}</b> {markup(claim.title)}"
    body = "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in facts(found, _here))
    where = place(claim.label)
    target = "Go to the box" if "#" in where else "Go to the chapter"
    return (
        f'<tr id="{anchor(claim.label)}" data-status="{found.status}" data-kind="{claim.kind}" '
        f'data-chapter="{claim.chapter}"><td><details><summary>{title} '
        f"<code>{html.escape(claim.label)}</code></summary><dl>{body}</dl>"
        f'<p><a class="klcal-go" href="{html.escape(where)}">{target}</a></p></details></td>'
        f"<td>{claim.kind}</td><td>{badge(found.status)}</td></tr>"
    )


def _filters() -> str:
    """Return the search box and three choices; without scripts they stay hidden and the table is whole."""
    choices = {
        "status": [(status, status) for status in STATUSES if status != "fails"],
        "kind": [(kind, kind) for kind in KINDS],
        "chapter": list(chapter_titles().items()),
    }
    every = {"status": "every status", "kind": "every kind of evidence", "chapter": "every chapter"}
    lists = "".join(
        f'<select data-filter="{name}" aria-label="{name}"><option value="">{every[name]}</option>'
        + "".join(f'<option value="{html.escape(v)}">{html.escape(t)}</option>' for v, t in options)
        + "</select>"
        for name, options in choices.items()
    )
    return (
        '<form class="klcal-filters" hidden><input type="search" aria-label="Search the entries" '
        f'placeholder="Search: words, labels, numbers">{lists}<output></output></form>'
    )
