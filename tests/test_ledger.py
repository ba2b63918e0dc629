"""The ledger that is read off the pages: it is complete, and pages that contradict each other are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from klcal_book.ledger import WHOLE, Ledger, LedgerError, pages_of

from klcal.book import verify

ROOT = Path(__file__).parents[1]
BOOK = Ledger(ROOT, pages_of(ROOT / "_toc.yml"))
# All numbered statements of the paper, by its own labels.
NUMBERED = """
    lem:characterization_proper_loss lem:relate_breg_vbreg lem:hessian_growth lem:EWOO_regret_bound
    lem:rounding lem:discretization lem:discretization_II lem:Freedman prop:swap_reg_breg_div
    prop:breg_div_decomposable prop:bound_breg_div_quadratically thm:log_loss_swap_reg thm:bound_pkcal
    thm:high_prob_bound thm:von_neumann cor:simutaneous_bounds_msr cor:simultaneous_bounds_psreg
    cor:cal_2_hp_bound rem:rounding alg:BM_log_loss alg:A_i alg:EWOO alg:rounding_alg
"""
OURS = "pair pair-experts kl-from-pseudo realised-tail tree tree-swap tree-expected tree-loglog lower"


def test_the_pages_of_the_book_agree_with_each_other():
    BOOK.check()


@pytest.mark.parametrize("label", [*NUMBERED.split(), *OURS.split()])
def test_every_numbered_statement_and_every_theorem_of_ours_has_a_box_with_evidence(label):
    box = BOOK.statements[label]
    assert box.evidence or box.theorems or box.status == "cited"


def test_what_fails_as_printed_carries_an_erratum():
    broken = "lem:hessian_growth", "prop:breg_div_decomposable", "thm:high_prob_bound", "alg:rounding_alg"
    for label in broken:
        assert BOOK.statements[label].errata


def test_the_word_for_everything_is_that_of_verify():
    assert WHOLE == verify.WHOLE


# --- contradictions ---------------------------------------------------------------------------------------

LEMMA = """
:::{prf:lemma} A lemma
:label: a

True.
:::
"""
PROOF = ":::{dropdown} Proof\nClear. $\\square$\n:::\n"
ERRATUM = ":::{erratum} a\n:severity: false\n:where: Lemma 1\n\n> printed\n\nNo.\n:::\n"


def book(folder: Path, *texts: str, records: tuple[str, ...] = ("a",), cited: str = "") -> Ledger:
    """Write a book of one page and read its ledger."""
    about = {"kind": "exact", "covers": "n = 1", "control": "", "refutes": False}
    outputs = [{"metadata": {"klcal": {"label": label, **about}}} for label in records]
    cells = [{"cell_type": "markdown", "source": text} for text in ("# Page", *texts)]
    cells.append({"cell_type": "code", "source": "verify", "outputs": outputs})
    (folder / "page.ipynb").write_text(json.dumps({"cells": cells}))
    (folder / "proofs").mkdir(exist_ok=True)
    (folder / "proofs" / "cited.toml").write_text(cited)
    return Ledger(folder, ["page"])


def test_a_small_book_is_read(tmp_path):
    cited = '[a]\ntheorems = [{name = "A.a", covers = "the case n = 2"}]\n'
    found = book(tmp_path, LEMMA, PROOF, ERRATUM, cited=cited).statements["a"]
    assert found.status == "proved here" and found.errata[0].printed == "printed"
    assert found.evidence[0].cell == "page#check-a-1" and found.theorems[0].covers == "the case n = 2"


@pytest.mark.parametrize(
    ("texts", "records", "cited", "said"),
    [
        ([LEMMA], ("b",), "", "names 'b', which has no box"),
        ([LEMMA], (), "", "the box a has no evidence"),
        ([LEMMA, LEMMA], ("a",), "", "a label of its own"),
        ([LEMMA, ERRATUM.replace("} a", "} b")], ("a",), "", "names 'b', which has no box"),
        ([LEMMA, ERRATUM.replace("> printed", "")], ("a",), "", "needs a place, a quotation"),
        ([LEMMA, ERRATUM.replace("false", "awful")], ("a",), "", "needs a place, a quotation"),
        ([LEMMA], ("a",), '[b]\ntheorems = [{name = "A.a", covers = "x"}]\n', "names 'b', which has no box"),
    ],
)
def test_a_contradiction_is_refused(texts, records, cited, said, tmp_path):
    with pytest.raises(LedgerError, match=said):
        book(tmp_path, *texts, records=records, cited=cited).check()


@pytest.mark.parametrize(
    ("box", "status"),
    [
        (LEMMA.replace(":label: a", ":label: a\n:class: cited"), "cited"),
        (LEMMA.replace(":label: a", ":label: a\n:class: proved") + PROOF, "proved here"),
        (LEMMA.replace("lemma", "definition"), "definition"),
    ],
)
def test_a_box_may_say_why_it_has_no_evidence(box, status, tmp_path):
    found = book(tmp_path, box, records=())
    found.check()
    assert found.statements["a"].status == status
