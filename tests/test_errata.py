"""The errata: every refuted print has a severity and a truth, and the page shows all of them once."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from klcal.claims import REGISTRY, SEVERITIES, errata, errata_counts, slips
from klcal.claims._errata import printed_wrongly
from klcal.claims._markup import _LABEL, anchor

CHAPTERS = Path(__file__).resolve().parents[1] / "chapters"
REFUTED = [claim for claim in REGISTRY.values() if claim.refutations]


@pytest.mark.parametrize("claim", REFUTED, ids=lambda claim: claim.label)
def test_what_is_refuted_as_printed_has_a_severity_and_a_truth(claim):
    assert claim.severity in SEVERITIES
    assert claim.repair or claim.instead
    assert all(label in REGISTRY for label in re.findall(_LABEL, claim.instead))


@pytest.mark.parametrize("claim", REGISTRY.values(), ids=lambda claim: claim.label)
def test_what_is_not_refuted_has_nothing_true_instead(claim):
    if not claim.refutations:
        assert not claim.instead


def test_errata_are_sorted_by_severity_and_then_by_their_place_in_the_paper():
    found = printed_wrongly()
    assert sorted(c.label for c in found) == sorted(c.label for c in REFUTED)
    order = list(SEVERITIES)
    keys = [(order.index(claim.severity), min(claim.rows, default=0)) for claim in found]
    assert keys == sorted(keys)
    assert found[-1].severity == "misprint" and found[0].severity == "statement"
    with pytest.raises(ValueError, match="severity must be one of statement"):
        printed_wrongly("grave")


def test_counts_are_those_of_the_ledger():
    counts = {row[0]: int(row[2]) for row in errata_counts().rows}
    assert list(counts) == list(SEVERITIES)
    assert sum(counts.values()) == len(REFUTED)


def test_a_card_shows_what_is_printed_what_is_true_and_the_counterexample():
    shown = errata("misprint")
    text, html = repr(shown), shown._repr_html_()
    for claim in printed_wrongly("misprint"):
        assert claim.statement in text and (claim.repair or claim.instead) in text
        assert f'href="claims.html#{anchor(claim.label)}"' in html
    assert "counterexample: " in text and "against the print" in html


def test_quotation_marks_are_of_one_kind_and_in_pairs():
    page = "".join(shown._repr_html_() for shown in (*map(errata, SEVERITIES), slips()))
    read = re.sub(r"<code>.*?</code>|\\\(.*?\\\)|<[^>]*>", "", page)
    assert re.findall("[“”]", read) == ["“", "”"] * read.count("“") and read.count("“") > 5
    assert not re.findall(r"\"|(?<!\w)'.{,9}", read)


def test_a_card_first_says_what_fails_and_then_what_is_true():
    for line in repr(errata("misprint")).split("\n  printed: ")[1:]:
        truth = "\n  repaired: " if "\n  repaired: " in line else "\n  true instead: "
        assert line.index("\n  counterexample: ") < line.index(truth)


def test_a_refuted_statement_without_repair_says_what_is_true_instead():
    supremum = REGISTRY["prop:breg_div_decomposable/supremum"]
    shown = errata(supremum.severity)
    assert supremum.instead in repr(shown)
    assert 'href="claims.html#claim-new-msr_L2_lower_bound"' in shown._repr_html_()


def test_slips_name_entries_of_the_ledger():
    for slip in slips().entries:
        assert slip.label in REGISTRY
        assert f'href="claims.html#{anchor(slip.label)}"' in slips()._repr_html_()


def test_the_page_shows_every_severity_once_and_nothing_else():
    notebook = json.loads((CHAPTERS / "errata.ipynb").read_text())
    code = "\n".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code")
    assert [code.count(f'claims.errata("{severity}")') for severity in SEVERITIES] == [1] * len(SEVERITIES)
    shown = json.dumps([cell.get("outputs") for cell in notebook["cells"]])
    assert all(anchor(claim.label) in shown for claim in REFUTED)
