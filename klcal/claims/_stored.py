"""The stored ledger: what the last full run found, for pages that must not run every check themselves."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote

from klcal.claims._evidence import Evidence
from klcal.claims._ledger import REGISTRY, Verdict, rejected_controls, verdict
from klcal.claims._render import Table, counted
from klcal.claims._words import Seen
from klcal.experiments import tables_folder

_FILE, _HEADINGS = "ledger.csv", "ledger.json"
# A theorem box of a chapter: the directive, its title, its label.
_BOX = re.compile(r"\{prf:\w+\}[^\n]*\n:label: (\S+)")


@dataclass(frozen=True)
class Entry:
    """One line of the stored ledger.

    Parameters
    ----------
    label, number, title, chapter, origin : str
        As in the claim.
    status : str
        What the checks said when the ledger was stored.
    kind, scope : str
        Of the strongest evidence; for the scope also which step or which cases.
    steps : str
        How many steps of the printed proof were checked, such as ``"5 of 7"``; "" if they are not counted.
    controls : int
        How many spoiled statements were rejected then: all of the claim's.
    box : str
        Stem of the chapter with a theorem box of this label, "" if there is none.
    """

    label: str
    number: str
    title: str
    status: str
    kind: str
    scope: str
    steps: str
    chapter: str
    origin: str
    controls: int
    box: str

    @classmethod
    def of(cls, found: Verdict, box: str = "") -> Entry:
        """Return the line for a claim whose checks ran."""
        claim, best = found.claim, found.strongest
        return cls(
            claim.label,
            claim.number,
            claim.title,
            found.status,
            "cited" if best is None else best.kind,
            "" if best is None else str(best.scope),
            f"{found.steps_checked} of {len(claim.steps)}" if claim.steps else "",
            claim.chapter,
            claim.origin,
            sum(len(check.controls) for check in (*claim.checks, *claim.refutations)),
            box,
        )


_COLUMNS = tuple(each.name for each in fields(Entry))


def boxes(chapters: Path) -> dict[str, str]:
    """Find the theorem boxes of the notebooks in a folder.

    Parameters
    ----------
    chapters : Path
        Folder of notebooks.

    Returns
    -------
    dict
        Label of the box -> stem of its chapter.

    Examples
    --------
    >>> boxes(Path("no such folder"))
    {}
    """
    return {label: stem for stem, texts in _prose(chapters) for text in texts for label in _BOX.findall(text)}


def headings(chapters: Path) -> dict[str, str]:
    """Return the title of every notebook in a folder, by stem.

    Parameters
    ----------
    chapters : Path
        Folder of notebooks.

    Returns
    -------
    dict
        Stem -> first heading.

    Examples
    --------
    >>> headings(Path("no such folder"))
    {}
    """
    first = {
        stem: re.search(r"^# (.+)$", texts[0], re.MULTILINE) for stem, texts in _prose(chapters) if texts
    }
    return {stem: heading[1].strip() for stem, heading in first.items() if heading}


def _prose(chapters: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield stem and texts of every notebook in a folder."""
    for path in sorted(chapters.glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        yield path.stem, ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]


def write(entries: Iterable[Entry], path: Path) -> None:
    """Write entries as CSV, one line each."""
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, _COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(asdict, entries))


def read(path: Path) -> Mapping[str, Entry]:
    """Read entries written by `write`; a missing or strange file is an error that names it."""
    with path.open(newline="", encoding="utf-8") as stream:
        reader = csv.DictReader(stream)
        if tuple(reader.fieldnames or ()) != _COLUMNS:
            raise ValueError(
                f"{path.name} must have the columns {', '.join(_COLUMNS)}; got {reader.fieldnames}"
            )
        entries = [Entry(**(row | {"controls": int(row["controls"])})) for row in reader]  # type: ignore[arg-type]
    return MappingProxyType({each.label: each for each in entries})


@cache
def stored() -> Mapping[str, Entry]:
    """Return the stored ledger.

    Returns
    -------
    mapping
        Entries by label: what ``python -m klcal verify --store`` found when it was last run. No check is run.

    Examples
    --------
    >>> stored()["lem:hessian_growth"].status
    'refuted'
    """
    return read(tables_folder() / _FILE)


@cache
def chapter_titles() -> Mapping[str, str]:
    """Return the title of every chapter that has entries, by the stem of its file, in the order of the book.

    Returns
    -------
    mapping
        Stem -> title, as stored with the ledger; a chapter that is newer than the store has its stem as title.

    Examples
    --------
    >>> list(chapter_titles())[0]
    '01_losses_and_calibration'
    """
    told = json.loads((tables_folder() / _HEADINGS).read_text(encoding="utf-8"))["chapters"]
    used = sorted({claim.chapter for claim in REGISTRY.values()})
    return MappingProxyType({stem: told.get(stem, stem) for stem in used})


def place(label: str) -> str:
    """Return the address of the theorem box of an entry, of the whole statement's box, or of its chapter.

    Examples
    --------
    >>> place("lem:discretization/a")
    '03_grids.html#lem:discretization'
    """
    for name in (label, label.partition("/")[0]):
        entry = stored().get(name)
        if entry is not None and entry.box:
            return f"{entry.box}.html#{quote(name, safe=':/,')}"
    return f"{REGISTRY[label].chapter}.html"


@cache
def stored_evidence() -> Mapping[str, tuple[Seen, ...]]:
    """Return what the checks saw when the ledger was stored; no check is run.

    Returns
    -------
    mapping
        Label -> one `Seen` for each check and then for each refutation, in the order of the ledger.

    Examples
    --------
    >>> stored_evidence()["lem:hessian_growth"][0].kind
    'exact'
    """
    told = json.loads((tables_folder() / _HEADINGS).read_text(encoding="utf-8")).get("evidence", {})
    return MappingProxyType({label: tuple(Seen(**each) for each in seen) for label, seen in told.items()})


class Recalled(Verdict):
    """A claim as it was stored: what its checks saw in words, without numbers."""

    @property
    def steps_checked(self) -> int:
        """How many steps of the printed proof were checked."""
        return int(stored()[self.claim.label].steps.partition(" ")[0] or 0)


def recalled(label: str) -> Verdict:
    """Return a claim as it was when the ledger was stored; only one that changed since then is run.

    Parameters
    ----------
    label : str
        A label of the ledger.

    Returns
    -------
    Verdict
        Its evidence is told by the stored sentences.

    Examples
    --------
    >>> recalled("lem:hessian_growth").status
    'refuted'
    """
    claim, seen = REGISTRY[label], stored_evidence().get(label, ())
    checks = (*claim.checks, *claim.refutations)
    if label not in stored() or [(each.kind, str(each.scope)) for each in checks] != [
        (each.kind, each.scope) for each in seen
    ]:
        return verdict(label)
    told = tuple(
        Evidence(
            0, 0, "==", each.text, counterexample=each.counterexample, kind=check.kind, scope=check.scope
        )
        for check, each in zip(checks, seen, strict=True)
    )
    return Recalled(claim, told[: len(claim.checks)], told[len(claim.checks) :])


def counts() -> Table:
    """Count the entries of the stored ledger by status and by the strongest evidence; no check is run.

    Returns
    -------
    Table
        One row per status; one column per scope, then one per kind, and the number of entries.

    Examples
    --------
    >>> counts().columns[:5]
    ('status', 'whole', 'step', 'cases', 'formula')
    """
    return counted((each.status, each.kind, each.scope.partition(":")[0]) for each in stored().values())


def drift(fresh: Iterable[str] | None = None) -> tuple[str, ...]:
    """Run checks and tell where the stored ledger says something else.

    Parameters
    ----------
    fresh : iterable of str, optional
        Labels to run; the whole ledger by default.

    Returns
    -------
    tuple of str
        One sentence per difference; empty if the stored ledger is up to date.

    Examples
    --------
    >>> drift(["eq:ell_2_cal"])
    ()
    """
    known = stored()
    told = [f"{label} is stored and not in the ledger" for label in known if label not in REGISTRY]
    for label in REGISTRY if fresh is None else fresh:
        if label not in known:
            told.append(f"{label} is not stored")
            continue
        then, now = asdict(known[label]), asdict(Entry.of(verdict(label), known[label].box))
        told += [
            f"{label}: {then[name]!r} is stored, a run says {now[name]!r}"
            for name in now
            if then[name] != now[name]
        ]
    return tuple(told)


def store(
    labels: Iterable[str] | None = None, *, chapters: Path | None = None, out: Path | None = None
) -> Path:
    """Run every check and every control and write the stored ledger.

    Parameters
    ----------
    labels : iterable of str, optional
        The labels of the ledger, perhaps wrapped by a progress bar.
    chapters : Path, optional
        Where the theorem boxes are looked for; beside the package by default.
    out : Path, optional
        The file to write; that of the package by default.

    Returns
    -------
    Path
        The file. Raises `ClaimFailed`, and writes nothing, if a check fails or a control passes.

    Examples
    --------
    >>> store(chapters=Path("nowhere"))
    Traceback (most recent call last):
        ...
    ValueError: chapters must be a folder beside the package; got 'nowhere'
    """
    folder = chapters or tables_folder().parents[2] / "chapters"
    if not folder.is_dir():
        raise ValueError(f"chapters must be a folder beside the package; got {folder.name!r}")
    box = boxes(folder)
    entries, evidence = [], {}
    for label in REGISTRY if labels is None else labels:
        found = verdict(label)
        found.require()
        rejected_controls(found.claim)
        entries.append(Entry.of(found, box.get(label, "")))
        evidence[label] = [asdict(Seen.of(each)) for each in (*found.evidence, *found.refutations)]
    path = out or tables_folder() / _FILE
    write(entries, path)
    used = {each.chapter for each in entries}
    titles = {stem: title for stem, title in headings(folder).items() if stem in used}
    told = {"command": "python -m klcal verify --store", "chapters": titles, "evidence": evidence}
    path.with_suffix(".json").write_text(
        json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    for cached in (stored, stored_evidence, chapter_titles):
        cached.cache_clear()
    return path
