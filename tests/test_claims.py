"""The ledger: every claim holds, every control fails, labels and chapters fit together."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from klcal.claims import (
    KINDS,
    REGISTRY,
    STATUSES,
    Claim,
    ClaimFailed,
    Evidence,
    counts,
    show,
    stored,
    table,
    verdict,
)

CHAPTERS = Path(__file__).resolve().parents[1] / "chapters"
LABELS = list(REGISTRY)
CHECKED = [label for label in LABELS if REGISTRY[label].kind != "cited"]

# Written by hand: what is known of the paper's statements. All other entries hold.
REFUTED = {"lem:hessian_growth", "prop:breg_div_decomposable/supremum", "sec1:follow_the_leader"}
REPAIRED = {
    "alg:A_i",
    "alg:BM_log_loss/power-iteration",
    "alg:BM_log_loss/start",
    "alg:BM_log_loss/stationary",
    "alg:EWOO/gamma",
    "alg:rounding_alg",
    "cor:simultaneous_bounds_psreg",
    "cor:simultaneous_bounds_psreg/L_2",
    "cor:simultaneous_bounds_psreg/pcal1_rate",
    "cor:simultaneous_bounds_psreg/pcal2",
    "cor:simutaneous_bounds_msr",
    "cor:simutaneous_bounds_msr/L_2",
    "cor:simutaneous_bounds_msr/cal1_rate",
    "eq:bound_diff/sine",
    "eq:convexity/expectation",
    "eq:ell_2_cal",
    "eq:pseudo_ell_2_cal",
    "lem:characterization_proper_loss",
    "lem:discretization",
    "lem:rounding",
    "prop:bound_breg_div_quadratically",
    "prop:breg_div_decomposable",
    "sec2:smooth",
    "sec3:pseudo_below_expected",
    "thm:high_prob_bound",
    "thm:log_loss_swap_reg/delta",
}
CITED = {"sec1:cal1_lower_bounds", "sec1:rates_of_others", "sec7:first_bounds", "thm:von_neumann"}


@pytest.mark.parametrize("label", LABELS)
def test_claim_has_a_status_that_may_be_printed(label):
    found = verdict(label)
    found.require()
    assert found.status in STATUSES and found.status != "fails"


def test_statuses_of_a_fresh_run_are_the_stored_ones():
    fresh = {label: verdict(label).status for label in LABELS}
    kept = {label: row.status for label, row in stored().items()}
    assert kept == fresh, "python -m klcal verify --store writes the ledger anew"


@pytest.mark.parametrize("label", CHECKED)
def test_every_control_fails(label):
    controls = REGISTRY[label].controls()
    assert controls
    for number, evidence in enumerate(controls):
        assert not evidence.holds, f"control {number} of {label} was not rejected: {evidence}"


def test_exactly_these_entries_do_not_simply_hold():
    found = {label: verdict(label).status for label in LABELS}
    assert {label for label, status in found.items() if status == "refuted as stated"} == REFUTED
    assert {label for label, status in found.items() if status == "holds as repaired"} == REPAIRED
    assert {label for label, status in found.items() if status == "cited"} == CITED


def test_numbered_statements_of_sections_2_and_3_and_of_the_grids_are_entered():
    needed = {
        *(f"lem:{name}" for name in ("characterization_proper_loss", "relate_breg_vbreg", "hessian_growth")),
        *(f"lem:{name}" for name in ("EWOO_regret_bound", "rounding", "discretization_II")),
        *(f"lem:discretization/{part}" for part in "abcd"),
        *(f"prop:{name}" for name in ("breg_div_decomposable", "bound_breg_div_quadratically")),
        *("rem:rounding/a", "rem:rounding/b", "alg:EWOO", "alg:rounding_alg"),
        *(f"eq:{name}" for name in ("ell_2_cal", "pseudo_ell_2_cal", "KLCal_PKLCal_def")),
    }
    present = set(LABELS) | {label.split("/")[0] for label in LABELS}
    assert needed <= present, sorted(needed - present)


def test_inventory_rows_are_numbers_of_the_inventory():
    rows = {row for claim in REGISTRY.values() for row in claim.rows}
    assert rows <= set(range(1, 103))
    wanted = {*range(1, 31), *range(47, 56), 61, *range(68, 81), 85, 86}
    assert wanted <= rows, sorted(wanted - rows)


def test_labels_that_claims_use_exist():
    assert [(label, used) for label in LABELS for used in REGISTRY[label].uses if used not in REGISTRY] == []


def test_uses_are_acyclic():
    done: set[str] = set()

    def visit(label: str, path: tuple[str, ...]) -> None:
        assert label not in path, f"circle: {' -> '.join((*path, label))}"
        if label in done or label not in REGISTRY:
            return
        for used in REGISTRY[label].uses:
            visit(used, (*path, label))
        done.add(label)

    for label in LABELS:
        visit(label, ())


@pytest.mark.parametrize("chapter", sorted({claim.chapter for claim in REGISTRY.values()}))
def test_the_chapter_of_a_claim_exists_and_shows_its_table(chapter):
    notebook = json.loads((CHAPTERS / f"{chapter}.ipynb").read_text())
    code = "\n".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code")
    assert f'claims.table("{chapter}")' in code


def test_theorem_boxes_and_cards_of_the_chapters_name_entries():
    for path in sorted(CHAPTERS.glob("*.ipynb")):
        notebook = json.loads(path.read_text())
        for cell in notebook["cells"]:
            source = "".join(cell["source"])
            for label in re.findall(r'claims\.show\("([^"]+)"\)', source):
                assert label in REGISTRY, f"{path.name} shows {label}"
            for kind, label in re.findall(r"\{prf:(\w+)\}[^\n]*\n:label: (\S+)", source):
                if kind in ("lemma", "proposition", "theorem", "corollary", "remark", "algorithm"):
                    known = label in REGISTRY or any(entry.startswith(f"{label}/") for entry in LABELS)
                    assert known, f"{path.name} has a box {label} without an entry"


def test_kinds_are_the_six_of_the_book():
    assert {claim.kind for claim in REGISTRY.values()} <= set(KINDS)


def test_evidence_has_no_truth_value_and_says_what_it_saw():
    evidence = Evidence(Fraction(3, 2), 1, "<=", "by hand", {"n": 1})
    with pytest.raises(TypeError, match="its truth value is not defined"):
        bool(evidence)
    with pytest.raises(ClaimFailed, match=r"3/2 <= 1 is not true \(by hand"):
        evidence.require()
    assert evidence.margin == Fraction(-1, 2)


@pytest.mark.parametrize(
    ("relation", "measured", "bound", "holds", "margin"),
    [
        ("<=", 1, 1, True, 0),
        ("<", 1, 1, False, 0),
        (">=", 1, 2, False, -1),
        (">", 3, 2, True, 1),
        ("==", 1, 1, True, 0),
        ("==", 1, 2, False, -1),
        ("<=", float("nan"), 1, False, None),
        (">=", float("nan"), 1, False, None),
    ],
)
def test_relations_compare_as_they_read(relation, measured, bound, holds, margin):
    evidence = Evidence(measured, bound, relation, "by hand")
    assert evidence.holds is holds
    if margin is not None:
        assert evidence.margin == margin


def claim(**changes):
    fields = {
        "label": "test:a",
        "number": "Lemma 0",
        "title": "a test",
        "kind": "exact",
        "chapter": "none",
        "statement": "1 <= 2",
        "check": lambda: Evidence(1, 2, "<=", "counted"),
        "spoil": (lambda: Evidence(3, 2, "<=", "counted"),),
    }
    return Claim(**(fields | changes))


TRUE, FALSE = Evidence(1, 2, "<=", "counted"), Evidence(3, 2, "<=", "counted")


@pytest.mark.parametrize(
    ("check", "refute", "repair", "status"),
    [
        (TRUE, None, "", "holds"),
        (FALSE, None, "", "fails"),
        (TRUE, TRUE, "repaired", "holds as repaired"),
        (TRUE, FALSE, "repaired", "fails"),
        (FALSE, TRUE, "repaired", "fails"),
        (None, TRUE, "", "refuted as stated"),
        (None, FALSE, "", "fails"),
    ],
)
def test_status_is_derived_from_the_evidence(check, refute, repair, status):
    entry = claim(
        check=None if check is None else lambda: check,
        refute=None if refute is None else lambda: refute,
        repair=repair,
    )
    found = entry.verify()
    assert found.status == status
    if status == "fails":
        with pytest.raises(ClaimFailed):
            found.require()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "guess"}, r"kind of test:a must be one of symbolic"),
        ({"spoil": ()}, r"test:a must have a control that fails"),
        ({"check": None}, r"test:a must have a check exactly if"),
        ({"kind": "cited"}, r"test:a must have a check exactly if"),
        ({"kind": "cited", "check": None}, r"test:a is cited and must say why"),
        ({"repair": "better"}, r"test:a has a repair and must refute the print"),
    ],
)
def test_entries_that_could_not_fail_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        claim(**changes)


def test_a_label_is_entered_once():
    with pytest.raises(ValueError, match="label must be new to the ledger"):
        REGISTRY.add(REGISTRY[LABELS[0]])


def test_counts_add_up_to_the_ledger():
    rows = {row[0]: [int(cell) for cell in row[1:]] for row in counts().rows}
    assert rows["all"][-1] == len(REGISTRY)
    assert "fails" not in rows
    for column in range(len(KINDS) + 1):
        assert sum(row[column] for status, row in rows.items() if status != "all") == rows["all"][column]
    assert all(row[-1] == sum(row[:-1]) for row in rows.values())
    assert rows["refuted as stated"][-1] == sum(
        verdict(label).status == "refuted as stated" for label in LABELS
    )


def test_cards_and_tables_show_what_was_measured():
    card = show("eq:ell_2_cal")
    assert "holds as repaired" in repr(card) and "1 of 1 spoiled statements rejected" in repr(card)
    assert "<dt>statement</dt>" in card._repr_html_()
    rows = table("01_losses_and_calibration")
    assert len(rows.rows) == sum(c.chapter == "01_losses_and_calibration" for c in REGISTRY.values())
    assert "eq:ell_2_cal" in repr(rows) and "<table" in rows._repr_html_()


def test_exact_evidence_is_not_computed_in_floating_point():
    for label in (label for label in CHECKED if REGISTRY[label].kind == "exact"):
        for evidence in (verdict(label).evidence, verdict(label).refutation):
            if evidence is not None:
                assert "float" not in REGISTRY[label].statement + evidence.method, label
