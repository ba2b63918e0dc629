"""The stored ledger at a glance: a few large numbers, and a bar for every chapter."""

from __future__ import annotations

import html
from collections import Counter
from dataclasses import dataclass

from klcal.claims._ledger import STATUSES
from klcal.claims._render import aligned, css
from klcal.claims._stored import chapter_titles, stored

# Status, what a tile says below the number, the page that it leads to.
_TILES = (
    ("established", "established by machine, as a whole", "claims.html"),
    ("proved in print", "proved in print, with steps and cases checked", "claims.html"),
    ("observed", "only observed, in the cases named", "claims.html"),
    ("repaired", "hold after a repair", "errata.html"),
    ("refuted", "refuted as stated", "errata.html"),
    ("cited", "cited, not checked", "claims.html"),
)


@dataclass(frozen=True)
class Glance:
    """How many entries have each status; in a notebook it shows itself as tiles."""

    entries: int
    statuses: Counter[str]
    proved: int
    outside: int
    ours: int
    controls: int

    @property
    def sentence(self) -> str:
        """What the tiles do not say."""
        return (
            f"{self.entries} entries in all; {self.proved} rest on a machine-checked proof. {self.outside} are not in "
            f"the paper, {self.ours} of them new to our knowledge. {self.controls} slightly wrong statements were "
            "put to the same checks; all were rejected."
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
        Entries by status, how many are not in the paper, how many controls were rejected.

    Examples
    --------
    >>> at_a_glance().statuses["fails"]
    0
    """
    entries = list(stored().values())
    return Glance(
        entries=len(entries),
        statuses=Counter(each.status for each in entries),
        proved=sum(each.kind == "proved" for each in entries),
        outside=sum(each.origin != "the paper" for each in entries),
        ours=sum(each.origin == "this book" for each in entries),
        controls=sum(each.controls for each in entries),
    )


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
