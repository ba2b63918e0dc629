"""The stored ledger: it is the ledger, it can be stale, and the first page counts it."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from klcal.__main__ import main
from klcal.claims import (
    KINDS,
    REGISTRY,
    SCOPES,
    STATUSES,
    Check,
    Claim,
    ClaimFailed,
    Evidence,
    _stored,
    at_a_glance,
    by_chapter,
    by_evidence,
    counts,
    drift,
    recalled,
    store,
    stored,
    stored_evidence,
    verdict,
)
from klcal.claims._evidence import WHOLE
from klcal.claims._stored import Entry, boxes, chapter_titles, headings, place
from klcal.claims._words import Seen

CHAPTERS = Path(__file__).resolve().parents[1] / "chapters"
QUICK = ["eq:KLCal_PKLCal_def", "lem:hessian_growth", "sec7:first_bounds"]


@pytest.fixture(autouse=True)
def forget():
    yield
    for cached in (_stored.stored, _stored.chapter_titles):
        cached.cache_clear()


def test_every_entry_is_stored_as_the_ledger_has_it():
    assert list(stored()) == list(REGISTRY), "run python -m klcal verify --store"
    for label, entry in stored().items():
        claim = REGISTRY[label]
        controls = sum(len(check.controls) for check in (*claim.checks, *claim.refutations))
        facts = (claim.number, claim.title, claim.chapter, claim.origin, controls)
        assert (entry.number, entry.title, entry.chapter, entry.origin, entry.controls) == facts
        assert entry.status != "fails" and (entry.status == "cited") == (entry.kind == "cited")


def test_statuses_of_some_quick_entries_are_those_of_a_fresh_run():
    assert drift(QUICK) == ()


def test_a_recalled_claim_is_the_stored_one_and_no_check_is_run(monkeypatch):
    monkeypatch.setattr(Claim, "verify", lambda claim: pytest.fail("a check was run"))
    for label, entry in stored().items():
        found = recalled(label)
        assert Entry.of(found, entry.box) == entry
        assert tuple(map(Seen.of, (*found.evidence, *found.refutations))) == stored_evidence()[label]


def test_a_claim_that_changed_since_it_was_stored_is_run(monkeypatch):
    claim = replace(REGISTRY["eq:ell_2_cal"], label="new:unstored")
    monkeypatch.setitem(REGISTRY, claim.label, claim)
    assert recalled(claim.label).evidence[0].seconds > 0
    monkeypatch.setattr(_stored, "stored_evidence", lambda: {"eq:ell_2_cal": ()})
    assert recalled("eq:ell_2_cal").evidence[0].seconds > 0


def test_theorem_boxes_and_titles_are_those_of_the_notebooks():
    box = boxes(CHAPTERS)
    assert {label: entry.box for label, entry in stored().items()} == {
        label: box.get(label, "") for label in REGISTRY
    }
    titles = headings(CHAPTERS)
    assert dict(chapter_titles()) == {s: titles[s] for s in sorted({c.chapter for c in REGISTRY.values()})}


def test_an_entry_is_found_in_its_box_in_that_of_the_whole_or_in_its_chapter():
    assert place("lem:rounding") == "03_grids.html#lem:rounding"
    assert place("lem:rounding/explicit") == "03_grids.html#lem:rounding"
    assert place("eq:psreg_[0,1]_to_psreg_Z") == "03_grids.html#eq:psreg_%5B0,1%5D_to_psreg_Z"
    assert place("sec7:first_bounds") == "01_losses_and_calibration.html"


@pytest.mark.parametrize(
    ("column", "value", "sentence"),
    [
        ("status", "observed", "lem:hessian_growth: 'observed' is stored, a run says 'refuted'"),
        ("kind", "numeric", "lem:hessian_growth: 'numeric' is stored, a run says 'proved'"),
        ("controls", "77", "lem:hessian_growth: 77 is stored, a run says"),
        ("label", "lem:other", "lem:other is stored and not in the ledger"),
    ],
)
def test_a_stale_line_is_told(monkeypatch, tmp_path, column, value, sentence):
    with (_stored.tables_folder() / "ledger.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        if row["label"] == "lem:hessian_growth":
            row[column] = value
    with (tmp_path / "ledger.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    monkeypatch.setattr(_stored, "tables_folder", lambda: tmp_path)
    stored.cache_clear()
    assert any(told.startswith(sentence) for told in drift(QUICK))


def test_a_missing_line_is_told(monkeypatch):
    rest = {label: entry for label, entry in stored().items() if label != "lem:hessian_growth"}
    monkeypatch.setattr(_stored, "stored", lambda: rest)
    assert drift(QUICK) == ("lem:hessian_growth is not stored",)


def test_a_file_with_other_columns_is_refused(tmp_path):
    (tmp_path / "a.csv").write_text("label,status\n")
    with pytest.raises(ValueError, match=r"a.csv must have the columns label, number"):
        _stored.read(tmp_path / "a.csv")


def test_storing_writes_what_it_ran_and_reading_gives_it_back(tmp_path):
    path = store(QUICK, chapters=CHAPTERS, out=tmp_path / "ledger.csv")
    found = _stored.read(path)
    assert found == {label: stored()[label] for label in QUICK}
    with pytest.raises(ValueError, match="chapters must be a folder beside the package; got 'none'"):
        store(QUICK, chapters=tmp_path / "none", out=path)


@pytest.fixture
def broken(monkeypatch):
    def enter(measured, spoiled):
        check = Check(
            lambda: Evidence(measured, 1, "<=", "counted"),
            "exact",
            WHOLE,
            {"too much": lambda: Evidence(spoiled, 1, "<=", "counted")},
        )
        claim = Claim("test:broken", "Lemma 0", "a test", "none", "$m \\le 1$", checks=[check])
        monkeypatch.setitem(REGISTRY, claim.label, claim)

    yield enter
    verdict.cache_clear()


@pytest.mark.parametrize(("measured", "spoiled"), [(2, 3), (1, 1)])
def test_nothing_is_stored_when_a_check_fails_or_a_control_passes(broken, tmp_path, measured, spoiled):
    broken(measured, spoiled)
    with pytest.raises(ClaimFailed):
        store(["test:broken"], chapters=CHAPTERS, out=tmp_path / "ledger.csv")
    assert not list(tmp_path.iterdir())


def test_the_command_stores_the_whole_ledger_and_nothing_less(monkeypatch, capsys):
    assert main(["verify", "--store", "--claim", QUICK[0]]) == 2
    assert "--store must stand alone" in capsys.readouterr().err
    asked = []
    monkeypatch.setattr("klcal._cli.ledger.store", lambda labels: asked.extend(labels))
    assert main(["verify", "--store"]) == 0
    assert asked == list(REGISTRY)


def test_the_counts_add_up():
    rows = {row[0]: [int(cell) for cell in row[1:]] for row in counts().rows}
    assert rows["all"][-1] == len(stored()) == at_a_glance().entries
    for column in range(len(SCOPES) + len(KINDS) + 1):
        assert sum(row[column] for status, row in rows.items() if status != "all") == rows["all"][column]
    assert all(row[-1] == sum(row[len(SCOPES) : -1]) for row in rows.values())
    assert all(rows[status][-1] == number for status, number in at_a_glance().statuses.items())
    assert at_a_glance().outside == sum(label.startswith("new:") for label in REGISTRY)
    credited = [c for c in REGISTRY.values() if c.credit and c.label.startswith("new:")]
    assert at_a_glance().credited == len(credited)
    total = sum(found.total() for found in by_chapter().chapters.values())
    assert total == len(stored())


def test_kinds_and_scopes_are_counted_once_per_entry_that_is_not_cited():
    cells = {row[0]: dict(zip(SCOPES, row[1:], strict=True)) for row in by_evidence().rows}
    cited = at_a_glance().statuses["cited"]
    assert sum(int(n or 0) for row in cells.values() for n in row.values()) == len(stored()) - cited
    assert int(cells["proved"]["whole"] or 0) == at_a_glance().proved


def test_the_first_page_explains_every_status_kind_and_scope():
    cells = json.loads((CHAPTERS / "intro.ipynb").read_text())["cells"]
    text = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    assert all(f"\n{name}\n: " in text for name in (*KINDS, *SCOPES))
    assert all(f"**{status}**" in text for status in STATUSES if status != "fails")


def test_the_first_page_shows_numbers_and_bars():
    shown = at_a_glance()._repr_html_()
    assert f"<b>{at_a_glance().statuses['refuted']}</b>" in shown
    assert repr(at_a_glance()).splitlines()[-1] == at_a_glance().sentence
    bars = by_chapter()._repr_html_()
    assert all(f'href="{stem}.html"' in bars for stem in by_chapter().chapters)
    longest = max(by_chapter().chapters.values(), key=lambda found: found.total())
    assert f"width:{100 * longest['repaired'] / longest.total():.2f}%" in bars
