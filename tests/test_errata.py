"""The errata: every refuted print has a severity and a truth, and the page shows all of them once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from klcal.claims import REGISTRY, SEVERITIES, Claim, Evidence, errata, errata_counts, slips
from klcal.claims._errata import printed_wrongly
from klcal.claims._stored import anchor
from klcal.claims._typeset import _LABEL

CHAPTERS = Path(__file__).resolve().parents[1] / "chapters"
REFUTED = [claim for claim in REGISTRY.values() if claim.refute is not None]


def test_what_is_refuted_as_printed_has_a_severity_and_a_truth():
    for claim in REFUTED:
        assert claim.severity in SEVERITIES, claim.label
        assert claim.repair or claim.instead, claim.label
        assert all(label in REGISTRY for label in _LABEL.findall(claim.instead)), claim.label


def test_what_is_not_refuted_has_no_severity():
    others = [claim for claim in REGISTRY.values() if claim.refute is None]
    assert others and [claim.label for claim in others if claim.severity or claim.instead] == []


def entry(**changes):
    true = Evidence(1, 2, "<=", "counted")
    fields = {
        "label": "test:a",
        "number": "Lemma 0",
        "title": "a test",
        "kind": "exact",
        "chapter": "none",
        "statement": "1 <= 2",
        "check": lambda: true,
        "spoil": (lambda: Evidence(3, 2, "<=", "counted"),),
    }
    return Claim(**(fields | changes))


@pytest.mark.parametrize(
    "changes",
    [{"severity": "proof"}, {"severity": "grave", "refute": lambda: Evidence(1, 2, "<=", "counted")}],
)
def test_a_severity_must_be_known_and_belong_to_a_refutation(changes):
    with pytest.raises(
        ValueError, match="severity of test:a must be one of statement, proof, constant, misprint"
    ):
        entry(**changes)


def test_errata_are_sorted_by_severity_and_then_by_their_place_in_the_paper():
    found = printed_wrongly()
    assert len(found) == len(REFUTED) == len(set(found))
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
    shown = errata("constant")
    text, html = repr(shown), shown._repr_html_()
    for claim in printed_wrongly("constant"):
        assert claim.statement in text and claim.repair in text
        assert f'href="claims.html#{anchor(claim.label)}"' in html
    assert "counterexample: K = 2: the failure term is 2 T log 2" in text
    assert "the repair was checked" in html and "K = 2..1000" in html


def test_a_refuted_statement_without_repair_says_what_is_true_instead():
    shown = errata("proof")
    (supremum,) = (v.claim for v in shown.found if v.claim.label == "prop:breg_div_decomposable/supremum")
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
