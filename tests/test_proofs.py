"""Machine-checked proofs: the record is about these sources, no axiom is smuggled in, the pages show the files."""

from __future__ import annotations

import shutil

import check_proofs
import pytest
from klcal_book import _proof_pages

SOURCES = check_proofs.SOURCES
RECORD = _proof_pages.record()
CITED = sorted(check_proofs.cited_theorems())
# What the real numbers of Coq's library rest on.
AXIOMS = {"sig_not_dec", "sig_forall_dec", "functional_extensionality_dep", "classic"}


def test_the_record_was_made_from_the_present_sources():
    told = "the sources changed since they were compiled: make proofs STORE=--store"
    assert RECORD["sources"] == check_proofs.digest_of_sources(), told


def test_the_record_has_exactly_the_theorems_that_the_book_cites():
    assert sorted(RECORD["theorems"]) == CITED, "make proofs STORE=--store"


def test_only_the_axioms_of_the_real_numbers_are_used_and_the_page_names_them():
    assert {axiom for name in CITED for axiom in RECORD["theorems"][name]["assumes"]} == AXIOMS
    page = (SOURCES.parent / "chapters" / "proofs.md").read_text(encoding="utf-8")
    assert all(f"`{axiom}`" in page for axiom in AXIOMS)


def test_nothing_is_left_unproved():
    assert check_proofs.problems() == []


def test_the_proofs_compile_and_say_what_is_stored(monkeypatch, capsys):
    if shutil.which("coqc") is None:
        pytest.skip(check_proofs.MISSING)
    if check_proofs.last_time().get("sources") != check_proofs.digest_of_sources():
        pytest.skip("The proofs were not recompiled: make proofs does that, in three to four minutes.")
    monkeypatch.setattr("sys.argv", ["check_proofs"])
    assert check_proofs.main() == 0
    assert "theorems as stored" in capsys.readouterr().out
