"""The ledger, read off the pages: which statements the book has, what stands behind each, what the print gets wrong.

Nothing is declared here. A box gives label, title and kind; the dropdown below it the proof, and with it what the
proof uses; a stored output with a record of `klcal.verify` gives evidence; an ``{erratum}`` a correction;
``proofs/cited.toml`` the theorems of Coq. ``make ledger`` runs this file, which needs nothing but Python: it checks
that all of it fits together and writes ``_build/ledger.json``.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

STATUSES = ("machine-checked", "checked", "proved here", "observed", "cited", "definition")
SEVERITIES = ("false", "harmless", "convention", "misprint")
WHOLE = "the whole statement"  # as `klcal.verify` has it
# These claim nothing by themselves; everything else in a box does.
_NO_CLAIM = {"algorithm", "definition", "notation", "example"}
_RIGOROUS = {"symbolic", "certified", "exact"}
_OPEN = re.compile(r"^(?P<fence>:{3,}|`{3,})\{(?P<name>[\w:-]+)\} *(?P<title>.*)$")
_OPTION = re.compile(r"^:([\w-]+): *(.*)$")
_LINKED = re.compile(r"\]\(#([^)]+)\)")
_NUMBER = re.compile(r"(?:Algorithm|Corollary|Equation|Lemma|Proposition|Remark|Theorem) (?:\d+|[A-Z])\b")


class LedgerError(ValueError):
    """The pages contradict themselves; the message has a line for each place."""


@dataclass(frozen=True)
class Evidence:
    """What one cell found out: a record of `klcal.verify`, and where it stands."""

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
        if any(
            each.covers == WHOLE and each.kind in _RIGOROUS and not each.refutes for each in self.evidence
        ):
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


class Directive(NamedTuple):
    """A fenced directive of MyST."""

    name: str
    title: str
    options: Mapping[str, str]
    body: str


def directives(text: str) -> Iterator[Directive | str]:
    r"""Yield the outermost directives of a text, and the lines between them.

    Examples
    --------
    >>> [*directives(":::{note} Hear\n:label: a\n\n$x$\n:::\nafter")]
    [Directive(name='note', title='Hear', options={'label': 'a'}, body='$x$'), 'after']
    """
    lines = iter(text.splitlines())
    for line in lines:
        if (opened := _OPEN.match(line)) is None:
            yield line
            continue
        fence, inside = opened["fence"], []
        for line in lines:
            if set(line.rstrip()) == {fence[0]} and len(line.rstrip()) >= len(fence):
                break
            inside.append(line)
        start = next((n for n, each in enumerate(inside) if not _OPTION.match(each)), len(inside))
        options = dict(pair for each in inside[:start] for pair in _OPTION.findall(each))
        yield Directive(opened["name"], opened["title"].strip(), options, "\n".join(inside[start:]).strip())


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
        self._found: list[tuple[str, str, Evidence | Theorem | Erratum]] = []  # source, label, what it says
        for page in pages:
            if (path := root / f"{page}.ipynb").exists():
                self._read(page, json.loads(path.read_text(encoding="utf-8"))["cells"])
        self._cite(root / "proofs")
        self._sort()
        self._link()
        self.problems += (
            f"{box.page}: the box {box.label} has no evidence and does not say why"
            for box in self.statements.values()
            if box.is_bare
        )

    def _read(self, page: str, cells: Sequence[Mapping[str, Any]]) -> None:
        title = re.search(r"^# (.*)", "".join(cells[0]["source"]), re.MULTILINE)
        self.titles[page] = title[1] if title else page
        counts: Counter[str] = Counter()
        current: Statement | None = None
        for index, cell in enumerate(cells):
            for output in cell.get("outputs", ()):
                if record := output.get("metadata", {}).get("klcal"):
                    counts[record["label"]] += 1
                    anchor = f"check-{slug(record['label'])}-{counts[record['label']]}"
                    place = self.checks.setdefault((page, index), anchor)
                    kept = {name: record[name] for name in ("kind", "covers", "control", "refutes")}
                    found = Evidence(**kept, cell=f"{page}#{place}")
                    self._found.append((f"a record on {page}", record["label"], found))
            for part in directives("".join(cell["source"])) if cell["cell_type"] == "markdown" else ():
                if isinstance(part, str):
                    continue
                if part.name == "dropdown" and part.title.startswith("Proof"):
                    if current:
                        current.proof += part.body
                elif part.name.startswith("prf:"):
                    current = self._box(page, part)
                elif part.name == "erratum":
                    self._erratum(page, part)

    def _box(self, page: str, box: Directive) -> Statement:
        label = box.options.get("label", "")
        if not label or label in self.statements:
            self.problems.append(f"{page}: a box needs a label of its own; got {label!r} for {box.title!r}")
        words = tuple(box.options.get("class", "").split())
        self.statements[label] = Statement(label, box.name.removeprefix("prf:"), box.title, page, words)
        return self.statements[label]

    def _erratum(self, page: str, part: Directive) -> None:
        lines = part.body.splitlines()
        printed = " ".join(line[1:].strip() for line in lines if line.startswith(">"))
        reason = "\n".join(line for line in lines if not line.startswith(">")).strip()
        told = {name: part.options.get(name, "") for name in ("severity", "where", "read", "cause")}
        explained = told["read"] if told["severity"] == "misprint" else reason
        if told["severity"] in SEVERITIES and printed and told["where"] and explained:
            found = Erratum(**told, printed=printed, reason=reason, page=page)
            self._found.append((f"an erratum on {page}", part.title, found))
        else:
            self.problems.append(
                f"{page}: the erratum of {part.title} needs a place, a quotation, a known severity and a reason "
                "(a misprint: what to read)"
            )

    def _cite(self, proofs: Path) -> None:
        """Read which theorems of Coq are cited; each must be in its file."""
        if not (path := proofs / "cited.toml").exists():
            return
        for label, entry in tomllib.loads(path.read_text(encoding="utf-8")).items():
            for each in entry["theorems"]:
                theorem = Theorem(**each)
                self._found.append(("proofs/cited.toml", label, theorem))
                file, _, name = theorem.name.partition(".")
                source = proofs / f"{file}.v"
                stated = rf"^\s*(?:Theorem|Lemma|Corollary)\s+{re.escape(name)}\b"
                if not source.exists() or not re.search(
                    stated, source.read_text(encoding="utf-8"), re.MULTILINE
                ):
                    self.problems.append(
                        f"proofs/cited.toml cites {theorem.name} for {label}, which is no theorem"
                    )

    def _sort(self) -> None:
        rooms = {Evidence: "evidence", Theorem: "theorems", Erratum: "errata"}
        for source, label, each in self._found:
            if label in self.statements:
                getattr(self.statements[label], rooms[type(each)]).append(each)
            else:
                self.problems.append(f"{source} names {label!r}, which has no box")

    def _link(self) -> None:
        """Find out what each proof uses: the boxes that it links."""
        for each in self.statements.values():
            linked = dict.fromkeys(_LINKED.findall(each.proof))
            known = [label for label in linked if label in self.statements or label.startswith("check-")]
            self.problems += (
                f"{each.page}: the proof of {each.label} links {label!r}, which has no box"
                for label in linked
                if label not in known
            )
            each.uses = tuple(label for label in known if label in self.statements and label != each.label)

    def check(self) -> None:
        """Raise unless the pages agree with each other."""
        if self.problems:
            raise LedgerError("\n".join(self.problems))


def pages_of(toc: Path) -> list[str]:
    """Return the pages of a table of contents in their order, without a parser of YAML."""
    return re.findall(r"^\s*(?:- )?(?:root|file): *(\S+)", toc.read_text(encoding="utf-8"), re.MULTILINE)


def main(toc: str = "_toc.yml", target: str = "_build/ledger.json") -> int:
    """Write the ledger of the book in this folder; return the exit status."""
    ledger = Ledger(Path(toc).parent, pages_of(Path(toc)))
    Path(target).parent.mkdir(exist_ok=True)
    said = [each.as_json() for each in ledger.statements.values()]
    Path(target).write_text(json.dumps(said, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    counts = Counter(each.status for each in ledger.statements.values())
    told = ", ".join(f"{counts[status]} {status}" for status in STATUSES if counts[status])
    checks = sum(len(each.evidence) for each in ledger.statements.values())
    sys.stdout.write(f"{target}: {len(said)} boxes ({told}), {checks} checks\n")
    sys.stderr.write("".join(f"{problem}\n" for problem in ledger.problems))
    return int(bool(ledger.problems))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
