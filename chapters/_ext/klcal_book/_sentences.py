"""What the ledger says, as MyST: the line in a box, the page of statements, the page of errata, the counts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby

from klcal_book.ledger import STATUSES, Erratum, Evidence, Ledger, Statement, slug

BY = {
    "symbolic": "by sympy",
    "certified": "in interval arithmetic",
    "exact": "in exact arithmetic",
    "statistical": "in repeated trials",
    "numeric": "in floating point",
}
MEANINGS = {
    "machine-checked": "A theorem in Coq says all of it.",
    "checked": "A symbolic, certified or exact computation on the page covers all of it.",
    "proved here": "The proof is printed; what was computed are steps or cases of it.",
    "observed": "It was computed in the cases named, and not proved.",
    "cited": "It is taken from the literature.",
    "corrected": "The paper prints something else.",
}
_GROUPS = {
    "false": "What is false",
    "harmless": "What is wrong and does no harm",
    "convention": "Conventions",
}
# What a reader of the paper mends in passing.
_ASIDE = "misprints and the ends of Algorithm 4 aside"


def joined(words: Iterable[str]) -> str:
    """Return words as a list in a sentence.

    Examples
    --------
    >>> joined(["a", "b", "c"]), joined(["a"])
    ('a, b and c', 'a')
    """
    *most, end = words
    return f"{', '.join(most)} and {end}" if most else end


def table(classes: str, *rows: tuple[str, ...]) -> list[str]:
    """Return rows as a table; pipes would break on absolute values."""
    lines = ["```{list-table}", ":header-rows: 1", f":class: {classes}", ""]
    for row in rows:
        lines += [f"{' ' if n else '*'} - {cell}" for n, cell in enumerate(row)]
    return [*lines, "```"]


def link(statement: Statement, words: str = "") -> str:
    """Return a link to the box of a statement."""
    return f"[{words or statement.title}](#{statement.label})"


def _checked(found: list[Evidence]) -> str:
    """Return what was covered, each as a link to its cell, and how."""
    parts = []
    ordered = sorted(found, key=lambda each: [*BY].index(each.kind))
    for kind, group in groupby(ordered, key=lambda each: each.kind):
        links = [f"[{_kept(each.covers)}](#{each.cell.partition('#')[2]})" for each in group]
        parts.append(f"{joined(links)}, {BY[kind]}")
    return "; ".join(parts)


def _kept(words: str) -> str:
    """Return words in which no line ends beside a relation."""
    return re.sub(r" ([=≤≥<>]) (?=\S)", "\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", words)


def _theorems(statement: Statement) -> Iterator[tuple[bool, str, str]]:
    """Yield whether theorems of Coq refute the print, what they cover, and their names."""
    for (refutes, covers), group in groupby(statement.theorems, key=lambda each: (each.refutes, each.covers)):
        yield refutes, covers, joined(f"{{coq}}`{each.name}`" for each in group)


def words(statement: Statement) -> list[str]:
    """Return the status words of a statement."""
    said = [] if statement.status == "definition" else [statement.status]
    return said + (["corrected"] if statement.errata else [])


def badges(statement: Statement) -> list[str]:
    """Return them as MyST."""
    return [f"{{status}}`{word}`" for word in words(statement)]


def sentences(statement: Statement, page: str, titles: dict[str, str]) -> list[str]:
    """Return the evidence of a statement, as seen from a page."""
    said = []
    for refutes, covers, names in _theorems(statement):
        said.append(
            f"Coq {'shows that the printed statement fails,' if refutes else 'checked'} {covers}: {names}."
        )
    for (refutes, where), checks in groupby(
        statement.evidence, key=lambda each: (each.refutes, each.cell.partition("#")[0])
    ):
        there = {statement.page: "", page: " on this page"}.get(where, f" in {titles[where]}")
        said.append(
            f"{'The printed statement fails' if refutes else f'Checked{there}'}: {_checked([*checks])}."
        )
    if statement.status == "cited":
        said.append("It is not proved here.")
    elif statement.status == "proved here" and not statement.theorems and not statement.evidence:
        said.append("Nothing is computed.")
    return said


def statements(ledger: Ledger) -> Iterator[tuple[str, list[str]]]:
    """Yield the sections of the page of statements: title, lines."""
    for page, group in groupby(ledger.statements.values(), key=lambda each: each.page):
        lines = []
        for each in group:
            used = [link(known, known.number) for known in map(ledger.statements.__getitem__, each.uses)]
            said = [*badges(each), *sentences(each, "", ledger.titles)]
            said += [f"Its proof uses {joined(used)}."] if used else []
            if said:  # an algorithm may claim nothing
                lines += [link(each), f": {' '.join(said)}", ""]
        yield ledger.titles[page], lines


def counts(ledger: Ledger) -> Iterator[tuple[str, list[str]]]:
    """Yield a paragraph without title with the numbers of statements by status, and of checks by kind."""
    boxes = [each for each in ledger.statements.values() if each.status != "definition"]
    by_status = Counter(each.status for each in boxes)
    told = [f"{by_status[status]} {{status}}`{status}`" for status in STATUSES if by_status[status]]
    kinds = Counter(found.kind for each in ledger.statements.values() for found in each.evidence)
    shown = [f"{kinds[kind]} {BY[kind]}" for kind in BY if kinds[kind]]
    said = f"The book has {len(boxes)} statements: {joined(told)}."
    checks = f"It contains {sum(kinds.values())} checks: {joined(shown)}."
    yield "", [said, checks, "", corrections(ledger)]


def coq_table(ledger: Ledger) -> Iterator[tuple[str, list[str]]]:
    """Yield a table without title: which box rests on which theorems, and how much of it they say."""
    rows = [
        (link(box), names, "the printed statement fails: " * refutes + covers)
        for box in ledger.statements.values()
        for refutes, covers, names in _theorems(box)
    ]
    yield "", table("klcal-theorems", ("Statement", "Theorems", "They say"), *rows)


def _standing(ledger: Ledger) -> list[Statement]:
    """Return the numbered statements of the paper that are right as printed, misprints aside."""
    printed = [each for each in ledger.statements.values() if "of the paper" in each.title and each.number]
    right = [each for each in printed if all(one.severity == "misprint" for one in each.errata)]
    return [each for each in right if each.kind != "algorithm"]  # these claim nothing


def corrections(ledger: Ledger) -> str:
    """Return what stands of the paper, and how many of its passages are corrected, in two sentences."""
    by_kind = {kind: number for number, kind in enumerate(("Theorem", "Corollary", "Proposition", "Lemma"))}
    own = [each for each in _standing(ledger) if each.number.split()[0] in by_kind and each.status != "cited"]
    own.sort(key=lambda each: (by_kind[each.number.split()[0]], each.number))
    found = [(each, box) for box in ledger.statements.values() for each in box.errata]
    causes = [each.cause or box.label for each, box in found if each.severity != "misprint"]
    ((cause, size),) = Counter(causes).most_common(1)
    return (
        f"These hold as the paper prints them, {_ASIDE}: {joined(link(each, each.number) for each in own)}. "
        f"{len(found)} of its passages are corrected, {len(found) - len(causes)} of them misprints; {size} of the "
        f"other {len(causes)} have one cause, {link(ledger.statements[cause], ledger.statements[cause].number)}."
    )


def errata(ledger: Ledger) -> Iterator[tuple[str, list[str]]]:
    """Yield the sections of the page of errata: what stands, what is wrong by degree and cause, misprints."""
    found = [(each, box) for box in ledger.statements.values() for each in box.errata]
    misprints = [(each, box) for each, box in found if each.severity == "misprint"]
    standing = joined(link(each, each.number) for each in _standing(ledger))
    counted = (
        f"{len(found)} passages are corrected below. {len(misprints)} of them are misprints, and "
        f"{sum(bool(each.cause) for each, _ in found)} follow from another one."
    )
    yield "", [f"**What stands as printed**, {_ASIDE}: {standing}.", "", counted]
    places = {label: place for place, label in enumerate(ledger.statements)}
    by_cause = sorted(found, key=lambda pair: (places[pair[0].cause or pair[1].label], bool(pair[0].cause)))
    for severity, title in _GROUPS.items():
        if chosen := [(each, box) for each, box in by_cause if each.severity == severity]:
            yield title, [part for each, box in chosen for part in _entry(each, box, ledger)]
    rows = [
        (link(box, each.where), each.printed, " ".join([each.read, *each.reason.split()]))
        for each, box in misprints
    ]
    yield "Misprints", table("klcal-misprints", ("Where", "Printed", "Read"), *rows)


def _entry(each: Erratum, box: Statement, ledger: Ledger) -> list[str]:
    cause = ledger.statements.get(each.cause)
    follows = f" Follows from {link(cause, cause.number)}." if cause else ""
    anchor = f"(erratum-{slug(box.label)}-{box.errata.index(each)})="
    return [anchor, f"**{link(box, each.where)}.**{follows}", "", f"> {each.printed}", "", each.reason, ""]
