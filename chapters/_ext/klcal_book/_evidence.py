"""The evidence of a box: one line that is always seen, and folded below it everything the ledger holds.

All of it is HTML made when the book is built, from the stored ledger; it needs no script and runs no check.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from klcal.claims import KINDS, REGISTRY, STATUSES
from klcal.claims._errata import erratum
from klcal.claims._markup import badge, breakable, markup
from klcal.claims._words import Seen, about, title
from klcal_book import _links, _proof_pages
from klcal_book._entries import Entry, checker, theorems

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_SCOPES = {"whole": "the whole statement", "formula": "the formula as the program has it"}
# A scope that has details, without them; "whole" has some where a statement is about finitely many cases.
_NAMED = {**_SCOPES, "whole": "all its cases", "step": "one step", "cases": "some cases"}
# A line that would be longer tells in the folded part only which step or which cases.
_LONG = 110
_COQ = "no axiom beyond those of the real numbers in Coq's library"

Page = tuple["Sphinx", str]


def strength(kind: str, scope: str, *, room: int | None = None) -> str:
    """Return both axes of some evidence in words; if these are more letters than `room`, without the details.

    Examples
    --------
    >>> strength("proved", "whole"), strength("exact", "cases: K = 3")
    ('machine-checked, the whole statement', 'exact, cases: K = 3')
    >>> strength("exact", "cases: " + "K, " * 40, room=80)
    'exact, some cases'

    A statement that is about finitely many cases can be checked as a whole:

    >>> (
    ...     strength("exact", "whole: K = 38"),
    ...     strength("exact", "whole: K = 38", room=20),
    ... )
    ('exact, all its cases: K = 38', 'exact, all its cases')
    """
    name, _, text = scope.partition(":")
    word = "machine-checked" if kind == "proved" else kind
    if not text:
        return f"{word}, {_SCOPES.get(name, scope)}"
    full = f"{word}, {_NAMED[name] if name == 'whole' else name}:{text}"
    return full if room is None or len(full) <= room else f"{word}, {_NAMED[name]}"


def link(page: Page, target: str, anchor: str, text: str, hint: str = "") -> str:
    """Return a link to a place of the book; `text` is HTML already."""
    app, here = page
    uri = html.escape(_links.address(app.builder, here, target, anchor))
    told = f' title="{html.escape(hint)}"' if hint else ""
    return f'<a class="klcal-link" href="{uri}"{told}>{text}</a>'


def coq(page: Page, name: str) -> str:
    """Return the name of a theorem in Coq, as a link where the book has its source."""
    text = f"<code>{breakable(name)}</code>"
    return link(page, *_proof_pages.place(name), text) if page[0].builder.name == "html" else text


def line(told: Entry, more: int, page: Page, name: str = "") -> str:
    """Return what is seen of an entry without unfolding: its name, status, strongest evidence, a mark for Coq."""
    pieces = [f"<b>{markup(name)}</b>"] if name else []
    pieces.append(badge(told.status))
    if told.kind and told.kind != told.status:
        hint = html.escape(KINDS.get(told.kind, ""))
        others = (name, told.status, "and 9 more" if more else "", "\u2713 Coq" if told.theorem else "")
        room = _LONG - sum(len(text) + 1 for text in others if text)
        pieces.append(f'<span title="{hint}">{markup(strength(told.kind, told.scope, room=room))}</span>')
    if told.theorem:
        part = "" if told.kind == "proved" and told.scope.startswith("whole") else ", of a part"
        mark = '<span class="klcal-coq-mark">\u2713 Coq</span>'
        hint = f"a proof that the Coq kernel has checked{part}: {told.theorem}"
        if page[0].builder.name == "html":
            mark = link(page, *_proof_pages.place(told.theorem), mark, hint)
        pieces.append(mark)
    if more:
        pieces.append(f'<span class="klcal-more">and {more} more</span>')
    return " ".join(pieces)


def summary(own: Entry | None, entries: Sequence[Entry], page: Page, name: str = "") -> str:
    """Return the line that is always seen: that of the box's own entry, or how many there are of each status."""
    if own is not None:
        return line(own, len(entries) - 1, page, name)
    counted = Counter(told.status for told in entries)
    known = [status for status in (*STATUSES, *counted) if status in counted]
    if len(entries) == 1:
        return line(entries[0], 0, page)
    return " ".join(f"{badge(status)} \u00d7 {counted[status]}" for status in dict.fromkeys(known))


def _seen(label: str, evidence: Mapping[str, Sequence[Seen]]) -> Iterable[tuple[Any, Seen | None, bool]]:
    """Yield each check, what it saw when the ledger was stored, and whether it is against the print."""
    claim = REGISTRY[label]
    checks = [*claim.checks, *claim.refutations]
    stored = evidence.get(label, ())
    # An entry that changed since it was stored is told without what its checks saw.
    words = stored if len(stored) == len(checks) else [None] * len(checks)
    against = [False] * len(claim.checks) + [True] * len(claim.refutations)
    yield from zip(checks, words, against, strict=True)


def _rows(label: str, evidence: Mapping[str, Sequence[Seen]], page: Page) -> Iterable[tuple[str, str]]:
    for check, seen, is_against in sorted(
        _seen(label, evidence), key=lambda each: (each[2], each[0].kind != "proved")
    ):
        name = strength(check.kind, str(check.scope))
        if is_against:
            name = f"against the print, {'machine-checked' if check.kind == 'proved' else check.kind}"
            if seen and seen.counterexample:
                yield "counterexample", markup(seen.counterexample)
        proved = theorems(check)
        if proved:
            yield name, f"{', '.join(coq(page, each) for each in proved)}; {_COQ}"
        elif seen:
            yield name, markup(seen.text)
        else:
            yield name, "not yet run"


def entry(told: Entry, evidence: Mapping[str, Sequence[Seen]], page: Page, steps: str, *, named: bool) -> str:
    """Return everything about one entry of the ledger, with links to its sources; if asked, `named` at its head."""
    claim = REGISTRY[told.label]

    def to(label: str) -> str:
        return _links.address(page[0].builder, page[1], _links.CLAIMS_PAGE, _links.claim_anchor(label))

    before, after = about(claim, steps.partition(" of ")[0])
    rows = [
        *((name, markup(text, to)) for name, text in before),
        *_rows(told.label, evidence, page),
        *((name, markup(text, to)) for name, text in after if name != "run again"),
    ]
    places = [link(page, _links.CLAIMS_PAGE, _links.claim_anchor(told.label), "in the ledger")]
    if checker(claim):
        anchor = _links.check_anchor(told.label)
        text = f"source of the check <code>{html.escape(checker(claim))}</code>"
        places.append(link(page, _links.CHECKS_PAGE, anchor, text))
    if claim.refutations:
        places.append(link(page, _links.ERRATA_PAGE, erratum(told.label), "in the errata"))
    listed = "".join(f"<dt>{markup(name)}</dt><dd>{text}</dd>" for name, text in rows)
    where = " \u00b7 ".join(places)
    label = f"<code>{breakable(told.label)}</code>"
    head = f"<b>{markup(title(claim))}</b> {label} {badge(told.status)}" if named else label
    return f'<section class="klcal-entry"><p>{head}</p><dl>{listed}</dl><p class="klcal-places">{where}</p></section>'


def command(labels: Sequence[str]) -> str:
    """Return what to type to run the checks of these entries again."""
    return "python -m klcal verify " + " ".join(f"--claim {label}" for label in labels)


def folded(
    own: Entry | None,
    entries: Sequence[Entry],
    evidence: Mapping[str, Sequence[Seen]],
    page: Page,
    name: str = "",
) -> str:
    """Return the visible line with all entries folded below it.

    Parameters
    ----------
    own : Entry or None
        The entry whose label the box has.
    entries : sequence of Entry
        All that the box stands for.
    evidence : mapping
        Label -> what its checks saw, from the stored ledger.
    page : pair
        The build and the page on which it stands.
    name : str
        The name of the entry, for one that stands by itself: it is in the line then, and not repeated below.
    """
    checked = [
        told.label for told in entries if REGISTRY[told.label].checks or REGISTRY[told.label].refutations
    ]
    again = ""
    if checked:
        again = f'<p class="klcal-command">Run again: <code>{html.escape(command(checked))}</code></p>'
    told = "".join(entry(each, evidence, page, each.steps, named=not name) for each in entries)
    return (
        f'<details class="klcal-evidence"><summary>{summary(own, entries, page, name)}</summary>'
        f"{told}{again}</details>"
    )
