"""Machine-checked proofs: the record is about these sources, no axiom is smuggled in, the pages show the files."""

from __future__ import annotations

import re
import shutil
from html.parser import HTMLParser

import check_proofs
import gallina
import pytest
from klcal_book import _proof_pages

from klcal.claims import REGISTRY, _proofs, theorem

CITED = sorted(_proofs.cited_theorems())
FILES = sorted(path.stem for path in _proofs.SOURCES.glob("*.v"))


def test_the_record_was_made_from_the_present_sources():
    told = "the sources changed since they were compiled: make proofs STORE=--store"
    assert _proofs.record()["sources"] == _proofs.digest_of_sources(), told


def test_the_record_has_exactly_the_theorems_that_the_ledger_cites():
    assert sorted(_proofs.record()["theorems"]) == CITED


def test_only_the_axioms_of_the_real_numbers_are_used():
    assert {axiom for name in CITED for axiom in theorem(name).assumes} <= set(_proofs.AXIOMS)


def test_nothing_is_left_unproved():
    assert check_proofs.problems() == []


@pytest.mark.parametrize(
    "word", ["Admitted.", "Axiom a : False.", "Parameter x : nat.", "admit.", "Conjecture c : False."]
)
def test_an_unfinished_proof_is_noticed_and_a_word_in_a_comment_is_not(word, monkeypatch, tmp_path):
    (tmp_path / "A.v").write_text(f"(* {word} (* nested *) *) Lemma a : True. Proof. exact I. Qed.\n")
    monkeypatch.setattr(check_proofs, "SOURCES", tmp_path)
    assert check_proofs.problems() == []
    (tmp_path / "B.v").write_text(f"Lemma b : True. Proof. {word}\n")
    assert check_proofs.problems() == [f"B.v says {word.split()[0].rstrip('.')}"]


def test_a_changed_a_missing_and_a_new_source_turn_the_evidence_red():
    name, stored = CITED[0], dict(_proofs.record()["sources"])
    assert _proofs.compiled(name).holds and _proofs.compiled(name, sources=stored).holds
    assert not _proofs.compiled(name, sources={**stored, "Definitions.v": "changed"}).holds
    assert not _proofs.compiled(name, sources={**stored, "New.v": "new"}).holds
    del stored["Definitions.v"]
    assert not _proofs.compiled(name, sources=stored).holds
    assert _proofs.compiled(name, sources={}).holds, "an installed package has no sources beside it"


def test_an_axiom_beyond_the_allowed_turns_the_evidence_red():
    assert not _proofs.compiled(CITED[0], allowed=_proofs.AXIOMS[:1]).holds
    with pytest.raises(ValueError, match="name must be a theorem of the stored record"):
        theorem("Theorem2.none")


def test_a_theorem_is_cited_before_it_is_recorded_and_is_no_evidence_until_then(monkeypatch):
    claim = REGISTRY["new:murphy"]
    monkeypatch.setattr(claim, "checks", list(claim.checks))
    _proofs.proved("new:murphy", "Theorem2.none")
    assert _proofs.cited_theorems()["Theorem2.none"] == ["new:murphy"]
    with pytest.raises(ValueError, match="name must be a theorem of the stored record"):
        claim.verify()


def test_definitions_contain_no_proof():
    for name in ("Definitions.v", "LossDefinitions.v", "TreeDefinitions.v"):
        code = gallina.without_comments((_proofs.SOURCES / name).read_text(encoding="utf-8"))
        assert not re.search(r"\b(Proof|Theorem|Lemma|Qed|Defined)\b", code), name


def test_a_claim_that_rests_on_a_proof_says_so_in_its_evidence():
    for label in {label for labels in _proofs.cited_theorems().values() for label in labels}:
        claim = REGISTRY[label]
        assert any(check.kind == "proved" for check in (*claim.checks, *claim.refutations))


def test_the_proofs_compile_and_say_what_is_stored(monkeypatch, capsys):
    if shutil.which("coqc") is None:
        pytest.skip(check_proofs.MISSING)
    if check_proofs.last_time().get("sources") != _proofs.digest_of_sources():
        pytest.skip("The proofs were not recompiled: make proofs does that, in about three minutes.")
    monkeypatch.setattr("sys.argv", ["check_proofs"])
    assert check_proofs.main() == 0
    assert "theorems as stored" in capsys.readouterr().out


def test_without_coq_one_line_says_so(monkeypatch, capsys):
    monkeypatch.setattr(shutil, "which", lambda program: None)
    monkeypatch.setattr("sys.argv", ["check_proofs"])
    assert check_proofs.main() == 0
    assert capsys.readouterr().out == check_proofs.MISSING + "\n"


# --- the sources as pages of the book ---------------------------------------------------------------------


class Page(HTMLParser):
    """The open elements, the ids, the local links and the text of the source, as a browser reads them."""

    def __init__(self, body: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.text = ""
        self.feed(body)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.ids += [value for name, value in attrs if name == "id"]
        self.links += [value for name, value in attrs if name == "href"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "pre" in self.open:
            self.text += data


@pytest.fixture(scope="module")
def bodies():
    return {page: context["body"] for page, context, _ in _proof_pages.pages(None)}


@pytest.mark.parametrize("name", FILES)
def test_a_source_page_is_well_formed_and_shows_every_character_of_its_file(name, bodies):
    found = Page(bodies[f"{_proof_pages.FOLDER}/{name}"])
    assert found.open == []
    assert found.text == (_proofs.SOURCES / f"{name}.v").read_text(encoding="utf-8").rstrip("\n")
    assert len(set(found.ids)) == len(found.ids)
    stated = set(re.findall(r"^ *(?:Theorem|Lemma|Corollary) ([\w']+)", found.text, re.MULTILINE))
    objects = set(
        re.findall(r"^ *(?:Definition|Fixpoint|Inductive|Record|Notation) ([\w']+)", found.text, re.MULTILINE)
    )
    assert set(found.ids) == stated | objects
    assert {each.partition(".")[2] for each in CITED if each.startswith(f"{name}.")} <= stated
    assert {link for link in found.links if not link.startswith("../chapters/")} == {
        f"{other}.html" for other in FILES
    }


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("</pre>", ""),
        ('<span id="', '<span name="'),
        ("&lt;", "&amp;lt;"),
        ("Qed", "Qee"),
        ('id="theorem2"', 'id="sum"'),
    ],
)
def test_a_damaged_source_page_is_noticed(text, changed, bodies):
    body = bodies["proofs/Theorem2"]
    assert text in body
    damaged = {"proofs/Theorem2": body.replace(text, changed)}
    with pytest.raises(AssertionError):
        test_a_source_page_is_well_formed_and_shows_every_character_of_its_file("Theorem2", damaged)
