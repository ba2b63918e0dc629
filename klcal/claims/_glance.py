"""The stored ledger at a glance: a few large numbers, how strong the evidence is, and a bar for every chapter."""

from __future__ import annotations

import html
from collections import Counter
from dataclasses import dataclass

from klcal._text import aligned
from klcal.claims._evidence import KINDS, SCOPES
from klcal.claims._ledger import STATUSES
from klcal.claims._markup import css
from klcal.claims._render import Table
from klcal.claims._stored import Entry, chapter_titles, stored

# Status, what a tile says below the number, the page that it leads to.
_TILES = (
    ("established", "established: the machine checked the whole statement", "claims.html"),
    ("proved in print", "proved in print: the machine checked steps and cases", "claims.html"),
    ("observed", "observed: no proof, only the cases that are named", "claims.html"),
    ("repaired", "repaired: the print fails somewhere, a mended form was checked", "errata.html"),
    ("refuted", "refuted as printed, by a counterexample", "errata.html"),
    ("cited", "cited: somebody else's theorem, not checked here", "claims.html"),
)


@dataclass(frozen=True)
class Glance:
    """How many entries have each status; in a notebook it shows itself as tiles.

    Parameters
    ----------
    entries : int
        How many there are.
    statuses : Counter
        How many have each status.
    proved : int
        For how many a machine-checked proof covers the statement, its repair or its refutation as a whole.
    outside, credited : int
        How many are not in the paper, and how many of these name their source.
    controls : int
        How many spoiled checks were run; all of them failed, or nothing would be stored.
    """

    entries: int
    statuses: Counter[str]
    proved: int
    outside: int
    credited: int
    controls: int

    @property
    def sentence(self) -> str:
        """What the tiles do not say."""
        return (
            f"{self.entries} entries in all. For {self.proved} of them a machine-checked proof covers the whole: the "
            f"statement, its repaired form, or its refutation. {self.outside} are not in the paper: {self.credited} of "
            f"these are due to others; the other {self.outside - self.credited}, many of them steps of proofs, are new "
            f"to our knowledge. {self.controls} controls, most of them the same check on a slightly wrong statement, "
            "were all rejected."
        )

    def __repr__(self) -> str:
        lines = [f"{self.statuses[status]} {text}" for status, text, _ in _TILES]
        return "\n".join([*lines, self.sentence])

    def _repr_html_(self) -> str:
        tiles = "".join(
            f'<a class="klcal-tile {css(status)}" href="{page}">'
            f"<b>{self.statuses[status]}</b><span>{html.escape(text)}</span></a>"
            for status, text, page in _TILES
        )
        return f'<div class="klcal-tiles">{tiles}</div><p class="klcal-note">{html.escape(self.sentence)}</p>'


def at_a_glance() -> Glance:
    """Count the stored ledger in a few large numbers; no check is run.

    Returns
    -------
    Glance
        Entries by status, how many rest on a machine-checked proof, how many are not in the paper, and the controls.

    Examples
    --------
    >>> at_a_glance().statuses["fails"]
    0
    """
    entries = list(stored().values())
    return Glance(
        entries=len(entries),
        statuses=Counter(each.status for each in entries),
        proved=sum((each.kind, _scope(each)) == ("proved", "whole") for each in entries),
        outside=sum(each.origin != "the paper" for each in entries),
        credited=sum(each.origin not in ("the paper", "this book") for each in entries),
        controls=sum(each.controls for each in entries),
    )


def by_evidence() -> Table:
    """Count the stored ledger by kind and scope of the strongest evidence; no check is run.

    Returns
    -------
    Table
        One row per kind, strongest first; one column per scope. Cited statements have no evidence and are left out.

    Examples
    --------
    >>> by_evidence().columns
    ('strongest evidence', 'whole', 'step', 'cases', 'formula')
    """
    found = Counter((each.kind, _scope(each)) for each in stored().values())
    kinds = [kind for kind in KINDS if kind != "cited"]
    rows = ((kind, *(str(found[kind, scope] or "") for scope in SCOPES)) for kind in kinds)
    return Table(("strongest evidence", *SCOPES), tuple(rows), right=True)


@dataclass(frozen=True)
class ChapterMap:
    """Entries by chapter and status; in a notebook it shows itself as bars that lead to the chapters."""

    chapters: dict[str, Counter[str]]

    def __repr__(self) -> str:
        shown = [status for status in STATUSES if status != "fails"]
        rows = [
            (chapter_titles()[stem], *(str(found[s]) for s in shown)) for stem, found in self.chapters.items()
        ]
        return aligned([("chapter", *shown), *rows])

    def _repr_html_(self) -> str:
        longest = max(found.total() for found in self.chapters.values())
        rows = "".join(_bar(stem, found, longest) for stem, found in self.chapters.items())
        return f'<div class="klcal-map">{rows}</div>'


def by_chapter() -> ChapterMap:
    """Count the stored ledger by chapter and status; no check is run.

    Returns
    -------
    ChapterMap
        Chapters in the order of the book.

    Examples
    --------
    >>> "01_losses_and_calibration" in by_chapter().chapters
    True
    """
    entries = list(stored().values())
    counted = {
        stem: Counter(each.status for each in entries if each.chapter == stem) for stem in chapter_titles()
    }
    return ChapterMap({stem: found for stem, found in counted.items() if found})


def _scope(entry: Entry) -> str:
    return entry.scope.partition(":")[0]


def _bar(stem: str, found: Counter[str], longest: int) -> str:
    shown = [status for status in STATUSES if found[status]]
    told = ", ".join(f"{found[status]} {status}" for status in shown)
    title = chapter_titles()[stem]
    number = str(int(stem[:2])) if stem[:2].isdigit() else ""
    pieces = "".join(
        f'<i class="{css(status)}" style="width:{100 * found[status] / longest:.2f}%"></i>'
        for status in shown
    )
    return (
        f'<a href="{stem}.html" title="{html.escape(told)}" aria-label="{html.escape(f"{title}: {told}")}">'
        f"<span>{number}</span><span>{html.escape(title)}</span><span>{pieces}</span>"
        f"<span>{found.total()}</span></a>"
    )
