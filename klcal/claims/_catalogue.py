"""Every entry of the ledger on one page: a table that can be searched, with all that its checks saw."""

from __future__ import annotations

import html
from dataclasses import dataclass

from klcal._text import aligned
from klcal.claims._evidence import KINDS, SCOPES
from klcal.claims._ledger import REGISTRY, STATUSES, Verdict
from klcal.claims._markup import anchor, badge, breakable, definitions, markup
from klcal.claims._stored import chapter_titles, place, recalled
from klcal.claims._words import facts, strength


@dataclass(frozen=True)
class Catalogue:
    """Verdicts as a table; in a notebook it shows itself."""

    found: tuple[Verdict, ...]

    def __repr__(self) -> str:
        rows = (
            (each.claim.label, each.claim.number, strength(each.strongest), each.status)
            for each in self.found
        )
        return aligned([("label", "number", "strongest evidence", "status"), *rows])

    def _repr_html_(self) -> str:
        rows = "".join(map(_row, self.found))
        heads = "".join(
            f'<th scope="col">{name}</th>' for name in ("statement", "strongest evidence", "status")
        )
        return (
            f'<div class="klcal-catalogue">{_filters()}<table class="klcal-entries">'
            f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
        )


def catalogue(*labels: str) -> Catalogue:
    """Return the whole ledger, or some entries, each with all that its checks saw when it was stored.

    Parameters
    ----------
    *labels : str
        Entries to show; all of them by default.

    Returns
    -------
    Catalogue
        Entries that are not stored yet are run.

    Examples
    --------
    >>> [found.status for found in catalogue("lem:hessian_growth").found]
    ['refuted']
    """
    return Catalogue(tuple(recalled(label) for label in labels or REGISTRY))


def _here(label: str) -> str:
    return f"#{anchor(label)}"


def _row(found: Verdict) -> str:
    claim, best = found.claim, found.strongest
    kind, scope = ("cited", "") if best is None else (best.kind, best.scope.name)
    title = f"<b>{html.escape(claim.number)}</b> {markup(claim.title)}"
    where = place(claim.label)
    target = "Go to the box" if "#" in where else "Go to the chapter"
    return (
        f'<tr id="{anchor(claim.label)}" data-status="{found.status}" data-kind="{kind}" data-scope="{scope}" '
        f'data-chapter="{claim.chapter}"><td><details><summary>{title} '
        f"<code>{breakable(claim.label)}</code></summary>{definitions(facts(found), _here)}"
        f'<p><a class="klcal-go" href="{html.escape(where)}">{target}</a></p></details></td>'
        f"<td>{markup(strength(best))}</td><td>{badge(found.status)}</td></tr>"
    )


def _filters() -> str:
    """Return the search box and the choices; without scripts they stay hidden and the table is whole."""
    choices = {
        "status": [(status, status) for status in STATUSES if status != "fails"],
        "kind": [(kind, kind) for kind in KINDS],
        "scope": [(scope, scope) for scope in SCOPES],
        "chapter": list(chapter_titles().items()),
    }
    lists = "".join(
        f'<select data-filter="{name}" aria-label="{name}"><option value="">every {name}</option>'
        + "".join(f'<option value="{html.escape(v)}">{html.escape(t)}</option>' for v, t in options)
        + "</select>"
        for name, options in choices.items()
    )
    return (
        '<form class="klcal-filters" hidden><input type="search" aria-label="Search the entries" '
        f'placeholder="Search: words, labels, numbers">{lists}<output></output></form>'
    )
