"""The ledger, read off the pages: which statements the book has, what stands behind each, what the print gets wrong.

Nothing is declared here. A box gives label, title and kind; the dropdown below it the proof, and with it what the
proof uses; a stored output with a record of `klcal.book.verify` gives evidence; an ``{erratum}`` a correction;
``proofs/cited.toml`` the theorems of Coq. ``make ledger`` runs this file, which needs nothing but Python: it checks
that all of it fits together and writes ``_build/ledger.json``.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

STATUSES = ("machine-checked", "checked", "proved here", "observed", "cited", "definition")
SEVERITIES = ("false", "harmless", "convention", "misprint")
WHOLE = "the whole statement"  # as `klcal.book.verify` has it
ERRATA = "chapters/errata"  # where what is no mistake in substance is told
# These claim nothing by themselves; everything else in a box does.
_NO_CLAIM = {"algorithm", "definition", "notation", "example"}
_RIGOROUS = {"symbolic", "certified", "exact"}
# A fenced directive of MyST with what stands in it, other directives too.
_DIRECTIVE = re.compile(
    r"^(?P<fence>:{3,}|`{3,})\{(?P<name>[\w:-]+)\} *(?P<title>.*)\n(?P<options>(?::[\w-]+:.*\n)*)"
    r"(?P<body>(?s:.*?))^(?P=fence)[:`]*\s*$",
    re.MULTILINE,
)
_OPTION = re.compile(r"^:([\w-]+): *(.*)$", re.MULTILINE)
# What has a number, the paper's or a letter of ours.
KINDS = ("Algorithm", "Corollary", "Equation", "Lemma", "Proposition", "Remark", "Theorem")
_NUMBER = re.compile(rf"(?:{'|'.join(KINDS)}) (?:\d+|[A-Z])\b")
_LINKED = re.compile(r"\]\(#([^)]+)\)")


class LedgerError(ValueError):
    """The pages contradict themselves; the message has a line for each place."""


@dataclass(frozen=True)
class Evidence:
    """What one cell found out: a record of `klcal.book.verify`, and where it stands."""

    kind: str
    covers: str
    control: str
    refutes: bool
    cell: str


@dataclass(frozen=True)
class Theorem:
    """A theorem of Coq and how much of the statement it says; those that cover the same do so together."""

    name: str
    covers: str
    refutes: bool = False


@dataclass(frozen=True)
class Erratum:
    """A passage of the paper that is corrected; `cause` is the label of the erratum that it follows from."""

    severity: str
    where: str
    printed: str
    read: str
    reason: str
    cause: str
    page: str


@dataclass
class Statement:
    """A box of the book with all that stands behind it."""

    label: str
    kind: str
    title: str
    page: str
    words: tuple[str, ...]
    proof: str = ""
    uses: tuple[str, ...] = ()
    evidence: list[Evidence] = field(default_factory=list)
    theorems: list[Theorem] = field(default_factory=list)
    errata: list[Erratum] = field(default_factory=list)

    @property
    def status(self) -> str:
        """The best that can be said of this statement by itself.

        Examples
        --------
        >>> box = Statement("a", "lemma", "A", "page", (), proof="clear")
        >>> box.evidence.append(Evidence("exact", "n = 2", "", False, ""))
        >>> box.status
        'proved here'
        >>> box.theorems.append(Theorem("A.a", WHOLE))
        >>> box.status
        'machine-checked'
        """
        if any(each.covers == WHOLE and not each.refutes for each in self.theorems):
            return "machine-checked"
        whole = [each for each in self.evidence if each.covers == WHOLE and not each.refutes]
        if any(each.kind in _RIGOROUS for each in whole):
            return "checked"
        if self.proof:
            return "proved here"
        if "cited" in self.words:
            return "cited"
        return "definition" if self.kind in _NO_CLAIM else "observed"

    @property
    def number(self) -> str:
        """The number that the title begins with, such as ``Lemma 5``."""
        found = _NUMBER.match(self.title)
        return found[0] if found else ""

    @property
    def is_bare(self) -> bool:
        """Whether nothing says why it is true: no evidence, no theorem, not `cited`, not `proved` with a proof."""
        is_said = "cited" in self.words or ("proved" in self.words and bool(self.proof))
        refuting = [each.refutes for each in self.theorems] + [each.refutes for each in self.evidence]
        return not (self.kind in _NO_CLAIM or not all(refuting) or is_said)

    def as_json(self) -> dict[str, Any]:
        """Return the entry of ``ledger.json``; of several errata the gravest, with the others under ``also``."""
        found = asdict(self)
        errata = sorted(found.pop("errata"), key=lambda each: SEVERITIES.index(each["severity"]))
        erratum = errata[0] | {"also": errata[1:]} if errata else None
        del found["proof"], found["words"]
        return found | {"status": self.status, "is_proved": bool(self.proof), "erratum": erratum}


def slug(label: str) -> str:
    """Return a label as it may stand in an address.

    Examples
    --------
    >>> slug("eq:psreg_[0,1]_to_psreg_Z")
    'eq-psreg-0-1-to-psreg-z'
    """
    return re.sub(r"[^a-z0-9]+", "-", label.lower()).strip("-")


class Ledger:
    """All statements of a book, in its order.

    Parameters
    ----------
    root : Path
        Folder of the project.
    pages : iterable of str
        Its pages, without ending, in their order; those that are no notebooks are passed over.
    """

    def __init__(self, root: Path, pages: Iterable[str]) -> None:
        self.statements: dict[str, Statement] = {}
        self.titles: dict[str, str] = {}
        self.checks: dict[tuple[str, int], str] = {}  # page and number of a cell -> anchor of its check
        self.problems: list[str] = []
        self._counts = defaultdict[str, Iterator[int]](
            lambda: count(1)
        )  # over all pages: places are told apart
        self._found: list[tuple[str, str, Evidence | Theorem | Erratum]] = []  # source, label, what it says
        for page in pages:
            if (path := root / f"{page}.ipynb").exists():
                self._read(page, json.loads(path.read_text(encoding="utf-8"))["cells"])
        self._cite(root / "proofs" / "cited.toml")
        self.places = {label: each.page for label, each in self.statements.items()}
        self.places |= {anchor: page for (page, _), anchor in self.checks.items()}
        self._sort()
        errata = [(box.label, n) for box in self.statements.values() for n in range(len(box.errata))]
        self.places |= {"misprints": ERRATA, **{f"erratum-{slug(label)}-{n}": ERRATA for label, n in errata}}
        self.problems += (
            f"{box.page}: the box {box.label} has no evidence and does not say why"
            for box in self.statements.values()
            if box.is_bare
        )

    def _read(self, page: str, cells: Sequence[Mapping[str, Any]]) -> None:
        self.titles[page] = "".join(cells[0]["source"]).removeprefix("# ").partition("\n")[0]
        current: Statement | None = None
        for index, cell in enumerate(cells):
            for output in cell.get("outputs", ()):
                if record := output.get("metadata", {}).get("klcal"):
                    anchor = f"check-{slug(record['label'])}-{next(self._counts[record['label']])}"
                    place = self.checks.setdefault((page, index), anchor)
                    kept = {name: record[name] for name in ("kind", "covers", "control", "refutes")}
                    found = Evidence(**kept, cell=f"{page}#{place}")
                    self._found.append((f"a record on {page}", record["label"], found))
            text = "".join(cell["source"]) if cell["cell_type"] == "markdown" else ""
            for part in _DIRECTIVE.finditer(text):
                if part["name"] == "dropdown" and part["title"].startswith("Proof") and current:
                    current.proof += part["body"].strip()
                elif part["name"].startswith("prf:"):
                    current = self._box(page, part)
                elif part["name"] == "erratum":
                    self._erratum(page, part)

    def _box(self, page: str, part: re.Match[str]) -> Statement:
        options = dict(_OPTION.findall(part["options"]))
        label, title = options.get("label", ""), part["title"].strip()
        if not label or label in self.statements:
            self.problems.append(f"{page}: a box needs a label of its own; got {label!r} for {title!r}")
        words = tuple(options.get("class", "").split())
        self.statements[label] = Statement(label, part["name"].removeprefix("prf:"), title, page, words)
        return self.statements[label]

    def _erratum(self, page: str, part: re.Match[str]) -> None:
        options = dict(_OPTION.findall(part["options"]))
        told = {"severity": "", "where": "", "read": "", "cause": ""} | options
        lines = part["body"].splitlines()
        printed = " ".join(line[1:].strip() for line in lines if line.startswith(">"))
        reason = "\n".join(line for line in lines if not line.startswith(">")).strip()
        explained = told["read"] if told["severity"] == "misprint" else reason
        if told["severity"] not in SEVERITIES or not (printed and told["where"] and explained):
            self.problems.append(
                f"{page}: the erratum of {part['title']} needs a place, a quotation, a known severity and a reason "
                "(a misprint: what to read)"
            )
        found = Erratum(**told, printed=printed, reason=reason, page=page)
        self._found.append((f"an erratum on {page}", part["title"].strip(), found))

    def _cite(self, path: Path) -> None:
        for label, entry in tomllib.loads(path.read_text(encoding="utf-8")).items():
            for each in entry["theorems"]:
                self._found.append((path.name, label, Theorem(**each)))

    def _sort(self) -> None:
        rooms = {Evidence: "evidence", Theorem: "theorems", Erratum: "errata"}
        for source, label, each in self._found:
            if label in self.statements:
                getattr(self.statements[label], rooms[type(each)]).append(each)
            else:
                self.problems.append(f"{source} names {label!r}, which has no box")
        # What a proof uses: the boxes that it links.
        for box in self.statements.values():
            linked = dict.fromkeys(_LINKED.findall(box.proof))
            box.uses = tuple(used for used in linked if used in self.statements and used != box.label)

    def check(self) -> None:
        """Raise unless the pages agree with each other."""
        if self.problems:
            raise LedgerError("\n".join(self.problems))


def pages_of(toc: Path) -> list[str]:
    """Return the pages of a table of contents in their order, without a parser of YAML."""
    return re.findall(r"^\s*(?:- )?(?:root|file): *(\S+)", toc.read_text(encoding="utf-8"), re.MULTILINE)


def main() -> int:
    """Write the ledger of the book in this folder; return the exit status."""
    ledger = Ledger(Path(), pages_of(Path("_toc.yml")))
    target = Path("_build", "ledger.json")
    target.parent.mkdir(exist_ok=True)
    said = [each.as_json() for each in ledger.statements.values()]
    target.write_text(json.dumps(said, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    counts = Counter(each["status"] for each in said)
    told = ", ".join(f"{counts[status]} {status}" for status in STATUSES if counts[status])
    checks = sum(len(each["evidence"]) for each in said)
    sys.stdout.write(f"{target}: {len(said)} boxes ({told}), {checks} checks\n")
    sys.stderr.write("".join(f"{problem}\n" for problem in ledger.problems))
    return int(bool(ledger.problems))


if __name__ == "__main__":
    sys.exit(main())
