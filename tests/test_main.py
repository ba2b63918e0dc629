"""The command line: verify, its JSON and its controls; measure, run and tables on files; useful errors."""

from __future__ import annotations

import json

import numpy as np
import pytest

import klcal
from klcal import __main__ as command_line
from klcal import experiments
from klcal.__main__ import main
from klcal.claims import REGISTRY, Claim, Evidence, _report

FIELDS = ["label", "number", "title", "kind", "status", "measured", "bound", "margin", "seconds"]


@pytest.fixture
def broken(monkeypatch):
    """A ledger with one more entry, whose check fails and whose control passes."""
    claim = Claim(
        label="test:broken",
        number="Lemma 0",
        title="two is at most one",
        kind="exact",
        chapter="none",
        statement="2 <= 1",
        check=lambda: Evidence(2, 1, "<=", "counted"),
        spoil=(lambda: Evidence(1, 1, "<=", "counted"),),
    )
    monkeypatch.setitem(REGISTRY._claims, claim.label, claim)
    yield claim.label
    _report.verdict.cache_clear()


def test_verify_prints_one_line_per_claim_and_writes_json(capsys, tmp_path):
    labels = ["eq:ell_2_cal", "lem:relate_breg_vbreg", "sec7:first_bounds"]
    words = [word for label in labels for word in ("--claim", label)]
    assert main(["verify", *words, "--json", str(tmp_path / "a.json")]) == 0
    printed = capsys.readouterr().out
    records = json.loads((tmp_path / "a.json").read_text())
    assert [record["label"] for record in records] == labels
    assert [record["status"] for record in records] == ["holds as repaired", "holds", "cited"]
    assert all(list(record) == FIELDS for record in records)
    assert all(label in printed for label in labels)
    assert "3 claims: 1 holds as repaired, 1 holds, 1 cited" in printed


def test_verify_exits_with_one_when_a_claim_fails(broken, capsys):
    assert main(["verify", "--claim", broken]) == 1
    assert "fails" in capsys.readouterr().out


def test_controls_exit_with_one_when_a_spoiled_check_passes(broken, capsys):
    assert main(["verify", "--controls", "--claim", broken, "--claim", "eq:ell_2_cal"]) == 1
    printed = capsys.readouterr().out
    assert "test:broken" in printed and "1 of 2 spoiled checks were caught" in printed


def test_controls_count_what_they_caught(capsys):
    assert main(["verify", "--controls", "--claim", "eq:ell_2_cal"]) == 0
    assert "1 of 1 spoiled checks were caught" in capsys.readouterr().out


def test_an_unknown_claim_is_named(capsys):
    assert main(["verify", "--claim", "lem:none"]) == 2
    assert "--claim must be a label of the ledger; got 'lem:none'" in capsys.readouterr().err


def test_measure_reads_forecasts_and_outcomes(capsys, tmp_path):
    file = tmp_path / "a.csv"
    file.write_text("day,forecast,outcome\n1,0.25,0\n2,0.25,1\n3,0.5,1\n")
    assert main(["measure", str(file), "--plot", str(tmp_path / "a.png")]) == 0
    printed = dict(line.rsplit(None, 1) for line in capsys.readouterr().out.splitlines())
    cells = klcal.Cells([0.25, 0.5], [2, 1], [1, 1])
    assert float(printed["KL-calibration"]) == pytest.approx(klcal.kl_calibration(cells), rel=1e-5)
    assert printed["rounds"] == "3" and printed["distinct forecasts"] == "2"
    assert (tmp_path / "a.png").stat().st_size > 1000


@pytest.mark.parametrize("algorithm", ["paper", "realised"])
def test_run_forecasts_the_outcomes_of_a_file(capsys, tmp_path, algorithm):
    outcomes = klcal.adversaries.bernoulli(300, 0.2, rng=0)
    file = tmp_path / "a.csv"
    file.write_text("outcome\n" + "\n".join(map(str, outcomes)) + "\n")
    assert main(["run", str(file), "--algorithm", algorithm, "--seed", "3"]) == 0
    printed = dict(line.rsplit(None, 1) for line in capsys.readouterr().out.splitlines())
    game = klcal.run(outcomes, algorithm=algorithm, rng=3)
    assert float(printed["pseudo KL-calibration"]) == pytest.approx(
        klcal.kl_calibration(game.expected), rel=1e-5
    )
    assert float(printed["KL-calibration of the draws"]) == pytest.approx(
        klcal.kl_calibration(game.realised), rel=1e-5
    )
    assert any("bound" in name for name in printed)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("forecast\n0.5\n", "must have a column 'outcome'"),
        ("forecast,outcome\n0.5,x\n", "outcome must be a number; got 'x' in line 2"),
        ("forecast,outcome\n1.5,1\n", "forecasts must lie in [0, 1]; got 1.5 at index 0"),
        ("forecast,outcome\n0.5,2\n", "outcomes must be 0 or 1; got 2.0 at index 0"),
        ("forecast,outcome\n", "must not be empty"),
        ("forecast,outcome\n0.5\n", "outcome must be a number; got None in line 2"),
    ],
)
def test_bad_files_are_named_with_their_line(capsys, tmp_path, text, message):
    file = tmp_path / "a.csv"
    file.write_text(text)
    assert main(["measure", str(file)]) == 2
    assert message in capsys.readouterr().err


def test_a_missing_file_is_an_error_not_a_traceback(capsys, tmp_path):
    assert main(["run", str(tmp_path / "none.csv")]) == 2
    assert "none.csv" in capsys.readouterr().err


def test_json_keeps_exact_numbers(tmp_path):
    main(["verify", "--claim", "eq:ell_2_cal", "--json", str(tmp_path / "a.json")])
    (record,) = json.loads((tmp_path / "a.json").read_text())
    assert isinstance(record["measured"], (int, float, str))
    assert not (isinstance(record["measured"], float) and np.isnan(record["measured"]))


@pytest.fixture
def tiny(monkeypatch):
    """One small study in place of the real ones."""
    found = experiments.games(adversary="fair coin", T=[10, 20], seed=experiments.seeds(2, root=7))
    study = experiments.Study("tiny", "Four coins.", found, 7)
    monkeypatch.setattr(command_line, "STUDIES", {"tiny": study})
    return study


def test_tables_are_written_and_checked(capsys, tmp_path, tiny):
    place = ["--out", str(tmp_path / "out"), "--jobs", "1"]
    assert main(["tables", *place, "--cache", str(tmp_path / "games")]) == 0
    assert "tiny: 4 rows, 4 games in" in capsys.readouterr().out
    assert len(list((tmp_path / "games").iterdir())) == 4
    table = experiments.Table.read(tmp_path / "out" / "tiny.csv")
    assert table == experiments.sweep(tiny.games, executor="serial")
    assert table.provenance["command"] == "python -m klcal tables tiny" and table.provenance["root"] == 7

    before = (tmp_path / "out" / "tiny.csv").read_bytes()
    assert main(["tables", "tiny", *place, "--check"]) == 0
    assert "tiny: 4 rows, the same, bit for bit" in capsys.readouterr().out
    assert (tmp_path / "out" / "tiny.csv").read_bytes() == before

    table.with_column("pkl", table["pkl"] + 1.0).write(tmp_path / "out" / "tiny.csv")
    assert main(["tables", *place, "--check"]) == 1
    assert "pkl differs in 4 of 4 rows, first in row 0" in capsys.readouterr().out


@pytest.mark.usefixtures("tiny")
def test_an_unknown_table_is_named(capsys):
    assert main(["tables", "huge"]) == 2
    assert "NAME must be one of 'tiny'; got 'huge'" in capsys.readouterr().err


@pytest.mark.usefixtures("tiny")
def test_checking_a_table_that_is_not_there_is_an_error(capsys, tmp_path):
    assert main(["tables", "--check", "--jobs", "1", "--out", str(tmp_path)]) == 2
    assert "tiny.csv" in capsys.readouterr().err
