"""Machine-checked proofs: the record is about these sources, no axiom is smuggled in, the pages show the files."""

from __future__ import annotations

import re
import shutil
from html.parser import HTMLParser

import check_proofs
import gallina
import pytest
from klcal_book import _proof_pages

SOURCES = check_proofs.SOURCES
RECORD = _proof_pages.record()
CITED = sorted(check_proofs.cited_theorems())
FILES = sorted(path.stem for path in SOURCES.glob("*.v"))
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


@pytest.mark.parametrize("word", ["Admitted.", "Axiom a : False.", "Parameter x : nat.", "admit."])
def test_an_unfinished_proof_is_noticed_and_a_word_in_a_comment_is_not(word, monkeypatch, tmp_path):
    (tmp_path / "A.v").write_text(f"(* {word} (* nested *) *) Lemma a : True. Proof. exact I. Qed.\n")
    monkeypatch.setattr(check_proofs, "SOURCES", tmp_path)
    assert check_proofs.problems() == []
    (tmp_path / "B.v").write_text(f"Lemma b : True. Proof. {word}\n")
    assert check_proofs.problems() == [f"B.v says {word.split()[0].rstrip('.')}"]


def test_definitions_contain_no_proof():
    for name in ("Definitions.v", "LossDefinitions.v", "TreeDefinitions.v"):
        code = gallina.without_comments((SOURCES / name).read_text(encoding="utf-8"))
        assert not re.search(r"\b(Proof|Theorem|Lemma|Qed|Defined)\b", code), name


def test_the_proofs_compile_and_say_what_is_stored(monkeypatch, capsys):
    if shutil.which("coqc") is None:
        pytest.skip(check_proofs.MISSING)
    if check_proofs.last_time().get("sources") != check_proofs.digest_of_sources():
        pytest.skip("The proofs were not recompiled: make proofs does that, in about three minutes.")
    monkeypatch.setattr("sys.argv", ["check_proofs"])
    assert check_proofs.main() == 0
    assert "theorems as stored" in capsys.readouterr().out


class Page(HTMLParser):
    """The open elements, the ids and the text of the source, as a browser reads them."""

    def __init__(self, body: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.text = ""
        self.feed(body)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.ids += [value for name, value in attrs if name == "id"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "pre" in self.open:
            self.text += data


def test_source_pages_are_well_formed_and_show_every_character_of_their_files():
    bodies = {page: context["body"] for page, context, _ in _proof_pages.pages(None)}
    assert len(bodies) == len(FILES)
    for name in FILES:
        found = Page(bodies[f"{_proof_pages.FOLDER}/{name}"])
        assert found.open == []
        assert found.text == (SOURCES / f"{name}.v").read_text(encoding="utf-8").rstrip("\n")
        assert len(set(found.ids)) == len(found.ids)
        assert {each.partition(".")[2] for each in CITED if each.startswith(f"{name}.")} <= set(found.ids)
