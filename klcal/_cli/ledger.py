"""``python -m klcal verify``: run the checks of the ledger, or their controls."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from itertools import repeat
from pathlib import Path
from typing import Any

from tqdm import tqdm

from klcal._cli.files import check_target, plain, write_json
from klcal._text import aligned
from klcal.claims import REGISTRY, ClaimFailed, Evidence, Verdict, store, verdict
from klcal.claims._ledger import Check
from klcal.claims._render import ROW, row


def add_options(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command understands."""
    parser.add_argument("--claim", metavar="LABEL", action="append", help="only this claim (may be repeated)")
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the results to FILE")
    parser.add_argument(
        "--controls", action="store_true", help="run the spoiled checks instead: all must fail"
    )
    parser.add_argument(
        "--store", action="store_true", help="run all checks and controls and store the ledger for the book"
    )
    parser.set_defaults(command=_verify)


def _labels(chosen: list[str] | None) -> list[str]:
    for label in chosen or ():
        if label not in REGISTRY:
            raise ValueError(f"--claim must be a label of the ledger; got {label!r}")
    return chosen or list(REGISTRY)


def _progress(labels: Iterable[str], what: str) -> Iterable[str]:
    bar: Iterable[str] = tqdm(
        list(labels), desc=what, unit="claim", file=sys.stderr, disable=not sys.stderr.isatty()
    )
    return bar


def _verify(options: argparse.Namespace) -> int:
    check_target("--json", options.json)
    labels = _labels(options.claim)
    if options.controls:
        return _controls(labels)
    if options.store:
        return _store(options)
    found = [verdict(label) for label in _progress(labels, "checking")]
    if options.json:
        write_json(options.json, [_record(each) for each in found])
    lines = [(*row(each), f"{each.seconds:.2f}") for each in found]
    sys.stdout.write(aligned([(*ROW, "seconds"), *lines]) + "\n\n")
    counts = {
        status: sum(each.status == status for each in found)
        for status in dict.fromkeys(v.status for v in found)
    }
    noun = "claim" if len(found) == 1 else "claims"
    summary = ", ".join(f"{n} {status}" for status, n in counts.items())
    sys.stdout.write(f"{len(found)} {noun}: {summary}\n")
    return int(any(each.status == "fails" for each in found))


def _store(options: argparse.Namespace) -> int:
    if options.claim or options.json:
        raise ValueError("--store must stand alone: it runs the whole ledger")
    try:
        store(_progress(REGISTRY, "storing"))
    except ClaimFailed as problem:
        sys.stdout.write(f"nothing is stored: {problem}\n")
        return 1
    sys.stdout.write(f"{len(REGISTRY)} claims stored\n")
    return 0


def _record(found: Verdict) -> dict[str, Any]:
    claim, best = found.claim, found.strongest
    pieces = [
        *map(_piece, claim.checks, found.evidence, repeat(False)),
        *map(_piece, claim.refutations, found.refutations, repeat(True)),
    ]
    return {
        "label": claim.label,
        "number": claim.number,
        "title": claim.title,
        "chapter": claim.chapter,
        "status": found.status,
        "kind": "cited" if best is None else best.kind,
        "scope": "" if best is None else str(best.scope),
        "evidence": pieces,
    }


def _piece(check: Check, evidence: Evidence, against_the_print: bool) -> dict[str, Any]:
    return {
        "kind": evidence.kind,
        "scope": str(evidence.scope),
        **{name: plain(getattr(evidence, name)) for name in ("measured", "relation", "bound", "margin")},
        "method": f"against the print: {evidence.method}" if against_the_print else evidence.method,
        "controls": [{"distance": distance} for distance in check.controls],
        "seconds": round(evidence.seconds, 3),
    }


def _controls(labels: list[str]) -> int:
    missed, total = [], 0
    for label in _progress(labels, "spoiling"):
        for distance, evidence in REGISTRY[label].controls():
            total += 1
            if evidence.holds:
                missed.append((label, distance, evidence.method))
    if missed:
        sys.stdout.write(aligned(missed) + "\n\n")
    sys.stdout.write(f"{total - len(missed)} of {total} spoiled checks were caught\n")
    return int(bool(missed))
