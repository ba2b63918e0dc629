"""Compile the proofs from nothing, ask the kernel what each cited theorem says and assumes, and compare.

``make proofs`` runs it; ``--store`` writes what it found to ``proofs/record.json``, which the book shows.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from gallina import without_comments

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "proofs"
RECORD = SOURCES / "record.json"
BUILD = ROOT / "_build" / "proofs"
STAMP = BUILD / "checked.json"
MISSING = "The proofs were not recompiled: there is no coqc here (Debian and Ubuntu: apt-get install coq)."
# Words that would let a file compile without a proof.
# What is printed between two answers, and how Coq shows it.
MARK = 'Eval cbv in "@@@"%string.'
SHOWN = r'\s*= "@@@"%string\s*: string\s*'
UNFINISHED = re.compile(r"\b(Admitted|admit|Axiom|Axioms|Parameter|Parameters|Conjecture|Abort)\b")


def run(*command: str) -> str:
    """Run a program among the sources and return what it printed; its complaint is the error."""
    done = subprocess.run(command, cwd=BUILD, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def digest_of_sources() -> dict[str, str]:
    """Return the digest of every source file."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(SOURCES.glob("*.v"))}


def cited_theorems() -> set[str]:
    """Return the theorems that the book cites: those of ``cited.toml`` and those that a page prints."""
    cited = tomllib.loads((SOURCES / "cited.toml").read_text(encoding="utf-8"))
    page = (ROOT / "chapters" / "proofs.md").read_text(encoding="utf-8")
    return {each["name"] for entry in cited.values() for each in entry["theorems"]} | set(
        re.findall(r"\{coq-statement\} (\S+)", page)
    )


def files() -> list[str]:
    """Return the names of all source files."""
    return sorted(path.name for path in SOURCES.glob("*.v"))


def problems() -> list[str]:
    """Return what is wrong with the sources before anything is compiled."""
    found = []
    for name in files():
        code = without_comments((SOURCES / name).read_text(encoding="utf-8"))
        found += [f"{name} says {word}" for word in sorted(set(UNFINISHED.findall(code)))]
    return found


def compile_all() -> None:
    """Compile every file from nothing."""
    shutil.rmtree(BUILD, ignore_errors=True)
    BUILD.mkdir(parents=True)
    for name in files():
        shutil.copy(SOURCES / name, BUILD)
    run("coq_makefile", "-Q", ".", "KLCal", *files(), "-o", "CoqMakefile")
    run("make", "-f", "CoqMakefile", f"-j{os.cpu_count()}")


def check_again() -> None:
    """Let the independent checker read what was compiled."""
    run("coqchk", "-silent", "-Q", ".", "KLCal", *(f"KLCal.{Path(name).stem}" for name in files()))


def ask(theorems: list[str], part: int = 0, parts: int = 1) -> dict[str, dict[str, object]]:
    """Return statement and assumptions of each theorem of one part of the list, as Coq prints them."""
    lines = ["Set Printing Width 100.", "From Coq Require Import Reals List String.", "Import ListNotations."]
    modules = sorted({theorem.partition(".")[0] for theorem in theorems})
    lines += [f"From KLCal Require {module}." for module in ("Definitions", "Bounds", *modules)]
    lines += ["Import Definitions Bounds.", "Open Scope R_scope."]
    chosen = theorems[part::parts]
    for theorem in chosen:
        lines += [MARK, f"Check KLCal.{theorem}.", MARK, f"Print Assumptions KLCal.{theorem}."]
    (BUILD / f"Audit{part}.v").write_text("\n".join(lines) + "\n", encoding="utf-8")
    pieces = re.split(SHOWN, run("coqc", "-q", "-Q", ".", "KLCal", f"Audit{part}.v"))[1:]
    found = {}
    for theorem, statement, assumed in zip(chosen, pieces[::2], pieces[1::2], strict=True):
        axioms = re.findall(r"^(?!Axioms)([\w.]+)\s*:", assumed, re.MULTILINE)
        _, _, printed = statement.partition("\n")
        told = textwrap.dedent(printed.replace(":", " ", 1)).strip()
        found[theorem] = {"statement": told, "assumes": sorted(name.rpartition(".")[2] for name in axioms)}
    return found


def ask_all(theorems: list[str], *, check: bool) -> dict[str, dict[str, object]]:
    """Ask about theorems, in several processes; if wanted beside the independent checker."""
    parts = min(os.cpu_count() or 1, len(theorems))
    with ThreadPoolExecutor(parts) as pool:
        checker = pool.submit(check_again) if check else None
        answers = list(pool.map(lambda part: ask(theorems, part, parts), range(parts)))
        if checker is not None:
            checker.result()
    return {name: told for answer in answers for name, told in answer.items()}


def walkthrough() -> dict[str, Any]:
    """Return the proof that the book walks through: what each step says and does, and what is left after it."""
    source = (SOURCES / "Walkthrough.v").read_text(encoding="utf-8")
    head, proof = source.split("Proof.\n")
    steps = re.findall(r"\(\*\s*(.*?)\s*\*\)\s*(.*?)(?=\s*\(\*|\s*Qed)", proof, re.DOTALL)
    marked = "\n".join(f"{does}\n{MARK} Show." for _, does in steps)
    script = f"From Coq Require Import String.\nSet Printing Width 90.\n{head}Proof.\n{MARK} Show.\n{marked}\nQed.\n"
    (BUILD / "Steps.v").write_text(script, encoding="utf-8")
    goals = re.split(SHOWN, run("coqc", "-q", "-Q", ".", "KLCal", "Steps.v"))[1:]
    return {
        "statement": " ".join(head[head.rindex("\nTheorem") :].split()),
        "start": goals[0].strip(),
        "steps": [
            {"says": " ".join(says.split()), "does": " ".join(does.split()), "left": left.strip()}
            for (says, does), left in zip(steps, goals[1:], strict=True)
        ],
    }


def last_time() -> dict[str, Any]:
    """Return what the last run on this machine found; empty if there was none."""
    found: dict[str, Any] = json.loads(STAMP.read_text(encoding="utf-8")) if STAMP.exists() else {}
    return found


def main() -> int:
    """Compile, ask, and compare or store."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", action="store_true", help="write what was found instead of comparing")
    options = parser.parse_args()
    wrong = problems()
    if wrong:
        print("\n".join(wrong))
        return 1
    if shutil.which("coqc") is None:
        print(MISSING)
        return 0
    theorems = sorted(cited_theorems())
    found = last_time()
    changed = found.get("sources") != digest_of_sources()
    if changed:
        compile_all()
        version = run("coqc", "--version").split("version ")[1].split()[0]
        found = {"coq": version, "sources": digest_of_sources(), "theorems": {}, "walkthrough": walkthrough()}
    if sorted(found["theorems"]) != theorems:
        known = found["theorems"]
        if asked := [name for name in theorems if name not in known]:
            known |= ask_all(asked, check=changed)
        found["theorems"] = {name: known[name] for name in theorems}
        STAMP.write_text(json.dumps(found), encoding="utf-8")
    text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    if options.store:
        RECORD.write_text(text, encoding="utf-8")
    stored = json.loads(RECORD.read_text(encoding="utf-8"))
    different = [name for name in ("sources", "theorems", "walkthrough") if stored[name] != found[name]]
    if different:
        print(
            f"The stored record has other {' and '.join(different)}: run make proofs STORE=--store and look at it."
        )
        return 1
    print(
        f"{len(files())} files compiled by Coq {found['coq']}, accepted by coqchk; {len(theorems)} theorems as stored."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
