"""The ledger: every claim holds, every control fails, labels and chapters fit together."""

from __future__ import annotations

import ast
import inspect
import json
import re
import textwrap
from fractions import Fraction
from pathlib import Path

import pytest
from flint import arb

from klcal.claims import (
    REGISTRY,
    SCOPES,
    STATUSES,
    Chapter,
    Check,
    Claim,
    ClaimFailed,
    Evidence,
    drift,
    show,
    stored,
    stored_evidence,
    table,
    verdict,
)
from klcal.claims._combinators import at_least, at_most, jointly, none_of, smallest, worst
from klcal.claims._evidence import FORMULA, WHOLE, Scope, all_cases, cases, step
from klcal.claims._ledger import Registry
from klcal.claims._words import Seen

CHAPTERS = Path(__file__).resolve().parents[1] / "chapters"
LABELS = list(REGISTRY)
CHECKED = [label for label in LABELS if not REGISTRY[label].reason]

# Written by hand: what is known of the paper's statements. All other entries hold.
REFUTED = {"lem:hessian_growth", "prop:breg_div_decomposable/supremum", "sec1:follow_the_leader"}
REPAIRED = {
    "alg:A_i",
    "alg:BM_log_loss/power-iteration",
    "alg:EWOO/gamma",
    "alg:rounding_alg",
    "cor:simultaneous_bounds_psreg",
    "cor:simultaneous_bounds_psreg/pcal1_rate",
    "cor:simultaneous_bounds_psreg/pcal2",
    "cor:simutaneous_bounds_msr",
    "cor:simutaneous_bounds_msr/cal1_rate",
    "eq:bound_diff/sine",
    "eq:convexity/expectation",
    "eq:ell_2_cal",
    "eq:pseudo_ell_2_cal",
    "lem:discretization",
    "prop:bound_breg_div_quadratically",
    "prop:breg_div_decomposable",
    "sec1:for_each_loss_in_L_2",
    "sec2:smooth",
    "sec3:pseudo_below_expected",
    "thm:high_prob_bound",
    "thm:log_loss_swap_reg/delta",
}
CITED = {
    "sec1:cal1_lower_bounds",
    "sec1:first_high_probability",
    "sec1:rates_of_others",
    "sec7:first_bounds",
    "thm:von_neumann",
}


@pytest.mark.parametrize("label", LABELS)
def test_a_fresh_run_holds_and_is_the_stored_one(label):
    verdict(label).require()
    found, told = verdict(label), "python -m klcal verify --store writes the ledger anew"
    assert drift([label]) == (), told
    assert stored_evidence()[label] == tuple(map(Seen.of, (*found.evidence, *found.refutations))), told


@pytest.mark.parametrize("label", LABELS)
def test_entry_is_complete(label):
    assert list(REGISTRY[label].complaints()) == []


@pytest.mark.parametrize("label", CHECKED)
def test_every_control_fails(label):
    for distance, evidence in REGISTRY[label].controls():
        assert not evidence.holds, f"control {distance!r} of {label} was not rejected: {evidence}"


def test_exactly_these_entries_are_false_as_printed_or_cited():
    found = {label: row.status for label, row in stored().items()}
    assert list(found) == LABELS and set(found.values()) <= set(STATUSES) - {"fails"}
    assert {label for label, status in found.items() if status == "refuted"} == REFUTED
    assert {label for label, status in found.items() if status == "repaired"} == REPAIRED
    assert {label for label, status in found.items() if status == "cited"} == CITED


# Words with which a method speaks of finitely many cases.
FEW = "two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|hundred|thousand|some|several|many|few"
FINITE = re.compile(
    r"\ball (pairs|sequences|games|paths|histories) of\b|\b[KTNn]\$? (<=|=|\\le|\u2264|up to) ?\d|random|sampl|seed"
    rf"|\b({FEW}|\d+) (games|horizons|grids|arguments|resolutions|values|examples|places)\b|\bmesh\b|lattice"
)
# Checks of whole statements that go through a list, and why the list is all there is.
LISTS = {
    "sec2:named_losses": "the three losses that the statement names",
    "alg:EWOO/exp-concave": "both ends of the range of a convex function",
    "thm:bound_pkcal/rate": "the two right-hand sides that the statement names",
    "thm:high_prob_bound/feasible": "a linear function is known from two values",
    "new:pair-experts/gain": "both outcomes",
}


def overstated(evidence):
    """The sentences of some evidence for the whole statement that speak of finitely many cases."""
    parts = evidence.parts or (evidence,)
    if evidence.scope != WHOLE:
        return []
    enumerated = [evidence.kind] if evidence.kind in ("exact", "statistical", "numeric") else []
    return enumerated + [p.method for p in parts if "cases" in p.parameters or FINITE.search(p.method)]


def goes_through_a_list(function):
    """Whether the source of a check has a loop or an enumeration in it."""
    loops = (ast.For, ast.While, ast.comprehension)
    names = {"worst", "smallest", "none_of", "range", "product", "linspace", "arange", "any", "all"}
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    called = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return any(isinstance(node, loops) for node in ast.walk(tree)) or any(
        getattr(each, "id", getattr(each, "attr", "")) in names for each in called
    )


def unnamed_cases(claim, scope):
    """The numbers of the finitely many cases of a whole statement that the statement does not name."""
    named = set(re.findall(r"\d+", claim.statement + claim.repair))
    return sorted(set(re.findall(r"\d+", scope.text)) - named) if scope.name == "whole" else []


@pytest.mark.parametrize("label", CHECKED)
def test_a_whole_statement_about_finitely_many_cases_names_them(label):
    for check in REGISTRY[label].checks:
        assert unnamed_cases(REGISTRY[label], check.scope) == []


@pytest.mark.parametrize("label", CHECKED)
def test_a_check_of_a_whole_statement_goes_through_no_list_that_is_not_all_there_is(label):
    checks = [check for check in REGISTRY[label].checks if check.scope == WHOLE and check.kind != "proved"]
    assert any(goes_through_a_list(check.function) for check in checks) == (label in LISTS)


@pytest.mark.parametrize("label", CHECKED)
def test_evidence_for_the_whole_statement_does_not_rest_on_finitely_many_cases(label):
    for evidence in verdict(label).evidence:
        assert overstated(evidence) == []


def test_finitely_many_cases_are_noticed_in_words_and_in_counts():
    assert overstated(Evidence(0, 0, "==", "all sequences of length 3"))
    assert overstated(Evidence(0, 0, "==", "every game with T <= 12"))
    assert overstated(none_of("squares", range(3), lambda n: n < 0))
    assert overstated(jointly(Evidence(0, 0, "==", "closed"), none_of("squares", range(3), lambda n: n < 0)))
    assert overstated(Evidence(0, 0, "==", "the largest of twelve horizons"))
    assert overstated(Evidence(0, 0, "==", "largest quotient", kind="exact"))
    assert goes_through_a_list(lambda: Evidence(max(n for n in (1, 2)), 2, "<=", "largest number"))
    assert unnamed_cases(Claim("a", "1", "t", "c", "For all $K$.", checks=[]), all_cases("K = 3")) == ["3"]
    assert not overstated(Evidence(0, 0, "==", "sympy closes it"))
    assert not overstated(Evidence(0, 0, "==", "T <= 12", scope=cases("T <= 12")))
    assert not overstated(Evidence(0, 0, "==", "T <= 12", scope=all_cases("T <= 12")))


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
    assert [
        (label, used) for label in LABELS for used in REGISTRY[label].builds_on if used not in REGISTRY
    ] == []


def test_uses_are_acyclic():
    done: set[str] = set()

    def visit(label: str, path: tuple[str, ...]) -> None:
        assert label not in path, f"circle: {' -> '.join((*path, label))}"
        if label in done or label not in REGISTRY:
            return
        for used in REGISTRY[label].builds_on:
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


TRUE, FALSE = Evidence(1, 2, "<=", "counted"), Evidence(3, 2, "<=", "counted")


def check(evidence=TRUE, kind="exact", scope=WHOLE):
    return Check(lambda: evidence, kind, scope, {"3 for 1": lambda: FALSE})


def claim(**changes):
    fields = {
        "label": "test:a",
        "number": "Lemma 0",
        "title": "a test",
        "chapter": "none",
        "statement": "$1 \\le 2$",
        "checks": [check()],
    }
    return Claim(**(fields | changes))


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({}, "established"),
        ({"checks": [check(FALSE)]}, "fails"),
        ({"checks": [check(), check(FALSE)]}, "fails"),
        ({"checks": [check(kind="numeric")]}, "observed"),
        ({"checks": [check(kind="statistical")], "proof": "here"}, "proved in print"),
        ({"checks": [check(scope=cases("one"))]}, "observed"),
        ({"checks": [check(scope=cases("one"))], "proof": "here"}, "proved in print"),
        ({"checks": [check(scope=FORMULA)], "proof": "here"}, "proved in print"),
        ({"checks": [check(scope=cases("one")), check(kind="proved")]}, "established"),
        ({"refutations": [check()]}, "repaired"),
        ({"refutations": [check(FALSE)]}, "fails"),
        ({"checks": [check(FALSE)], "refutations": [check()]}, "fails"),
        ({"checks": [], "refutations": [check()]}, "refuted"),
        ({"checks": [], "reason": "a theorem of others"}, "cited"),
    ],
)
def test_status_is_derived_from_the_evidence(changes, status):
    found = claim(**changes).verify()
    assert found.status == status
    if status == "fails":
        with pytest.raises(ClaimFailed):
            found.require()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"checks": [check(kind="guess")]}, "kind must be one of proved"),
        ({"checks": [check(kind="cited")]}, "kind must be one of proved"),
        ({"checks": [Check(lambda: TRUE, "exact", WHOLE, {})]}, "there must be a control that fails"),
        ({"checks": [check(scope=step("Ville"))]}, "the step must be one of the claim's steps; got 'Ville'"),
        ({"checks": []}, "must have either checks or a reason"),
        ({"reason": "cited"}, "must have either checks or a reason"),
        ({"repair": "better"}, "has a repair and must refute the print"),
        ({"severity": "proof"}, "must have a severity"),
        ({"refutations": [check()]}, "must have a severity"),
        ({"refutations": [check()], "severity": "grave"}, "must have a severity"),
        ({"steps": ("Ville",)}, "must say where the proof is printed"),
    ],
)
def test_entries_that_could_not_fail_or_contradict_themselves_are_noticed(changes, message):
    assert any(message in complaint for complaint in claim(**changes).complaints())


def test_a_sound_entry_has_no_complaints():
    assert list(claim(proof="here", steps=("Ville",), checks=[check(scope=step("Ville"))]).complaints()) == []


def test_strongest_evidence_is_that_of_the_widest_scope_and_then_of_the_strongest_kind():
    pieces = [check(kind="symbolic", scope=cases("one")), check(kind="numeric"), check(kind="exact")]
    assert claim(checks=pieces).verify().strongest.kind == "exact"
    assert claim(checks=pieces[:1]).verify().strongest.scope == cases("one")


def test_steps_count_own_evidence_and_entries_that_are_established():
    whole = next(label for label in LABELS if verdict(label).status == "established")
    entry = claim(
        proof="here",
        steps=("Ville", whole, "lem:none"),
        checks=[check(scope=step("Ville"))],
        label="test:steps",
    )
    assert entry.verify().steps_checked == 2


def test_decorators_enter_the_docstring_as_statement_and_the_function_stays_itself():
    registry = Registry()
    chapter = Chapter("none", registry)

    @chapter.claim("test:a", "Lemma 0", "a test", kind="exact", controls={"0.99 of it": {"bound": 0.99}})
    def one_is_at_most(bound=1.0):
        r"""$1 \le 1$ indeed.

        More words.
        """
        return at_most(1, bound, "counted")

    @chapter.evidence("test:a", kind="numeric", scope=cases("one"), controls={"0.9": {"bound": 0.9}})
    @chapter.refutation("test:a", kind="exact", controls={"0.9": {"bound": 0.9}})
    def another(bound=1.0):
        return one_is_at_most(bound)

    entry = registry["test:a"]
    assert entry.statement == r"$1 \le 1$ indeed." and entry.chapter == "none"
    assert [each.kind for each in entry.checks] == ["exact", "numeric"]
    assert [distance for distance, found in entry.controls() if not found.holds] == [
        "0.99 of it",
        "0.9",
        "0.9",
    ]
    with pytest.raises(ValueError, match="label must be new to the ledger"):
        chapter.claim("test:a", "", "", kind="exact", controls={})(one_is_at_most)


def test_a_scope_says_which_step_or_which_cases():
    assert str(cases("K = 3")) == "cases: K = 3" and str(WHOLE) == "whole"
    with pytest.raises(ValueError, match="scope 'cases' must say which"):
        cases("")
    with pytest.raises(ValueError, match="scope must be one of whole"):
        Scope("most")
    assert {each.scope.name for label in CHECKED for each in verdict(label).evidence} <= set(SCOPES)


def test_the_worst_of_many_cases_is_the_largest_and_a_nan_fails():
    assert worst("", [1, 3, 2], float, 3).holds and worst("", [1, 3, 2], float, 3).parameters["at"] == 3
    assert not worst("", [1, 3, 2], float, 2.9).holds
    assert not worst("", [1.0, float("nan"), 2.0], float, 3).holds
    assert not worst("", [arb.nan()], lambda ball: ball, 3).holds
    assert not worst("", [arb(1, 3)], lambda ball: ball, 3).holds
    assert smallest("", [1, 3], float, 1).holds and not smallest("", [1, 3], float, 1.1).holds
    assert smallest("", [1, 3], float, 1).margin == 0
    with pytest.raises(ValueError, match="there must be a case"):
        worst("", [], float, 3)
    with pytest.raises(ValueError, match="there must be a case"):
        none_of("", [], bool)


def test_comparisons_of_balls_are_rigorous():
    root = arb(2).sqrt()
    assert not at_most(root, root, "").holds and not at_least(root, root, "").holds
    assert at_most(root, 1.42, "").holds and at_least(root, 1.41, "").holds


def test_jointly_keeps_its_parts_and_fails_with_the_first():
    both = jointly(TRUE, FALSE)
    assert both.parts == (TRUE, FALSE) and both.measured == 3 and not both.holds
    with pytest.raises(ClaimFailed, match="3 <= 2 is not true"):
        both.require()


def test_cards_and_tables_show_what_was_measured_and_how_near_the_controls_are():
    card = show("sec1:caldist_below_cal1")
    assert "near misses rejected: 0.99 of the constant" in repr(card)
    assert "<dt>statement</dt>" in card._repr_html_()
    rows = table("01_losses_and_calibration")
    assert len(rows.rows) == sum(c.chapter == "01_losses_and_calibration" for c in REGISTRY.values())
    assert "eq:ell_2_cal" in repr(rows) and "<table" in rows._repr_html_()


def test_every_label_in_the_table_of_a_chapter_is_a_link():
    shown = table("03_grids")._repr_html_().replace("<wbr>", "")
    assert all(f">{label}</a></td>" in shown for label in ("pinsker", "eq:psreg_[0,1]_to_psreg_Z"))


@pytest.mark.parametrize("label", CHECKED)
def test_rigorous_evidence_is_not_computed_in_floating_point(label):
    for evidence in (*verdict(label).evidence, *verdict(label).refutations):
        if evidence.kind in ("symbolic", "certified", "exact"):
            assert "float" not in evidence.method


def test_a_claim_builds_on_its_steps_and_on_what_it_uses_besides():
    claim = Claim("a", "1", "a", "03_grids", "s", steps=("lem:rounding", "a step"), uses=("pinsker",))
    assert claim.builds_on == ("lem:rounding", "pinsker")
    assert claim.proof == "Chapter 3"
    assert Claim("b", "1", "b", "constants", "s", steps=("lem:rounding",)).proof == ""
