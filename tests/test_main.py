"""The command line: measure, run and tables on files; useful errors."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import klcal
from klcal.__main__ import main
from klcal._cli import files
from klcal.book import experiments
from klcal.book.experiments import studies
from klcal.book.experiments.studies import Study, differences, read_table, write_table
from klcal.forecasters.tree import tree_levels

GOOD = "day,forecast,outcome\n1,0.25,0\n2,0.25,1\n3,0.5,1\n"


def table_of(printed: str) -> dict[str, str]:
    return dict(re.split("  +", line, maxsplit=1) for line in printed.splitlines())


@pytest.fixture
def good(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text(GOOD)
    return file


def test_the_command_prints_and_stores_the_report(capsys, good, tmp_path):
    numbers, picture = tmp_path / "a.json", tmp_path / "a.png"
    words = ["measure", str(good), "--bins", "2", "--spacing", "uniform"]
    assert main([*words, "--plot", str(picture), "--json", str(numbers)]) == 0
    report = klcal.measure([0.25, 0.25, 0.5], [0, 1, 1], 2, "uniform")
    assert capsys.readouterr().out == f"{report}\n"
    assert json.loads(numbers.read_text()) == report.numbers()
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "a.json", "a.png"]

    assert main([*words, "--all"]) == 0
    first, listed, bins = capsys.readouterr().out.removeprefix(f"{report}").split("\n\n")
    assert first == "" and list(table_of(listed)) == list(report.numbers())
    assert bins.splitlines()[1].split() == ["0.3333", "3", "0.6667", "0", "1"]


def test_columns_may_have_other_names_and_stand_anywhere(capsys, tmp_path):
    file = tmp_path / "a.csv"
    file.write_text('"rain?", note,p\n1,"a, b",0.25\n\n0,x,0.25\n', encoding="utf-8-sig")
    assert main(["measure", str(file), "--forecast", "p", "--outcome", "rain?"]) == 0
    assert capsys.readouterr().out.startswith("2 rounds, 1 of them with outcome 1\n")


def test_an_infinite_loss_is_explained_and_bins_are_finite(capsys, tmp_path):
    file, numbers = tmp_path / "a.csv", tmp_path / "a.json"
    file.write_text("forecast,outcome\n0,1\n0.01,0\n")
    assert main(["measure", str(file), "--bins", "none", "--json", str(numbers)]) == 0
    assert "A forecast of 0 met outcome 1 in 1 round. Perfect forecasts never do." in capsys.readouterr().out
    assert json.loads(numbers.read_text())["KL-calibration, sum over rounds"] == "inf"
    assert main(["measure", str(file), "--spacing", "angle", "--json", str(numbers)]) == 0
    assert "A forecast of 0 met outcome 1" in capsys.readouterr().out
    found = json.loads(numbers.read_text())["KL-calibration, sum over rounds"]
    assert found == pytest.approx(np.log(0.25 / (0.005 * 0.995)))  # two rounds at 0.005, one of them a one


@pytest.mark.parametrize("algorithm", ["paper", "realised", "pair", "tree"])
def test_run_forecasts_the_outcomes_of_a_file_and_measure_reads_them_back(capsys, tmp_path, algorithm):
    outcomes = klcal.adversaries.bernoulli(300, 0.2, rng=0)
    file, drawn = tmp_path / "a.csv", tmp_path / "drawn.csv"
    file.write_text("outcome\n" + "\n".join(map(str, outcomes)) + "\n")
    words = ["--algorithm", algorithm, "--seed", "3", "--forecasts", str(drawn)]
    assert main(["run", str(file), *words, "--json", str(tmp_path / "a.json")]) == 0
    printed = table_of(capsys.readouterr().out)
    game = klcal.run(outcomes, algorithm=algorithm, rng=3)
    record = json.loads((tmp_path / "a.json").read_text())
    assert list(printed) == list(record)
    assert record["pseudo KL-calibration"] == klcal.kl_calibration(game.expected)
    assert record["KL-calibration of the draws"] == klcal.kl_calibration(game.realised)
    used = game.realised.restricted()
    (promise,) = [name for name in record if name.startswith("bound")]
    if algorithm == "tree":
        bound = klcal.bounds.tree_from_counts(used.mass.astype(int), tree_levels(used.points), 0.05)
        assert promise.endswith("95% sure") and record[promise] == bound
        assert record["cells used"] == len(used)
    else:
        assert record["cells K"] == klcal.resolution(300)
    promised = "pseudo KL-calibration" if "pseudo" in promise else "KL-calibration of the draws"
    assert record[promise] > record[promised] > 0

    assert main(["measure", str(drawn), "--bins", "none", "--json", str(tmp_path / "b.json")]) == 0
    again = json.loads((tmp_path / "b.json").read_text())["KL-calibration, sum over rounds"]
    assert again == pytest.approx(record["KL-calibration of the draws"], rel=1e-13)


ODD_BUT_FINE = {
    "plain": b"forecast,outcome\n0.25,1\n1e-3,0\n-0.0,0\n",
    "windows": b"forecast,outcome\r\n0.25,1\r\n1e-3,0\r\n-0.0,0\r\n",
    "a mark": b"\xef\xbb\xbfforecast,outcome\n0.25,1\n1e-3,0\n-0.0,0",
    "spaces": b" forecast , outcome\n 0.25 ,1 \n\t1e-3, 0\n-0.0,0.0\n",
    "quotes": b'"forecast","outcome"\n0.25,"1"\n1e-3,0\n-0.0,0\n',
    "empty lines": b"forecast,outcome\n\n0.25,1\n\n1e-3,0\n-0.0,0\n\n\n",
    "semicolons": b"forecast;outcome\n0.25;1\n1e-3;0\n-0.0;0\n",
    "tabs": b'"forecast"\toutcome\n0.25\t1\n1e-3\t0\n-0.0\t0\n',
    "words": b"forecast,outcome\n0.25,True\n1e-3,false\n-0.0, False\n",
    "yes and no": b"forecast,outcome\n0.25,yes\n1e-3,No\n-0.0, NO\n",
    "percent": b"forecast,outcome\n25%,1\n0.1 %,0\n-0%,0\n",
    "decimal commas": b"forecast;outcome\n0,25;1,0\n1e-3;0,0\n-0,0;0\n",
    "both, in quotes": b'forecast,outcome\n"25,0 %",1\n"0,001","0,0"\n-0.0,0\n',
    "gzipped": gzip.compress(b"forecast,outcome\n0.25,1\n1e-3,0\n-0.0,0\n"),
    "more columns": b"date,outcome,note,forecast\n1 May,1,#a,0.25\n2 May,0,,1e-3\n3 May,0,x y,-0.0\n",
    "other letters": "Datum,outcome,forecast\nMärz,1,0.25\n,0,1e-3\n,0,-0.0\n".encode(),
}


READERS = {"forecast": files.forecast, "outcome": files.outcome}


@pytest.mark.parametrize("name", ODD_BUT_FINE)
def test_odd_files_are_read(tmp_path, name):
    file = tmp_path / "a.csv"
    file.write_bytes(ODD_BUT_FINE[name])
    found = files.columns(file, READERS)
    assert [column.tolist() for column in found] == [[0.25, 0.001, -0.0], [1.0, 0.0, 0.0]]


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from([0, 1])), min_size=1, max_size=30))
def test_every_float_comes_back_from_a_file_to_the_last_bit(rows):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "a.csv")
        file.write_text("forecast,outcome\n" + "".join(f"{p!r},{y}\n" for p, y in rows))
        found = files.columns(file, READERS)
    assert found[0].tobytes() == np.array([p for p, _ in rows]).tobytes()
    assert found[1].tolist() == [y for _, y in rows]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "a.csv is empty; it must begin with a header line that names 'forecast' and 'outcome'"),
        (b"forecast,outcome\n", "a.csv has a header line and no rows below it"),
        (
            b"forecast\n0.5\n",
            "a.csv has no column 'outcome'; line 1 must name the columns and has 'forecast' (--sep",
        ),
        (b"forecast|outcome\n0.5|1\n", "(--sep says what separates them)"),
        (
            b"forecast,outcome\n1_0e-1,1\n",
            "a forecast must be a number in [0, 1], or one in [0, 100] with a percent sign; got '1_0e-1'",
        ),
        (b"outcome,forecast,outcome\n0,1,1\n", "a.csv has 2 columns 'outcome'; their names must differ"),
        (
            b"forecast,outcome\n0.5,1\n0.5,x\n",
            "a.csv, line 3, column 'outcome': an outcome must be 0 or 1; got 'x'",
        ),
        (b"forecast,outcome\n0.5,2\n", "line 2, column 'outcome': an outcome must be 0 or 1; got '2'"),
        (
            b"forecast,outcome\n0.5,nan\n",
            "line 2, column 'outcome': a value is missing, got 'nan'; --skip-missing",
        ),
        (b"forecast,outcome\n1_0%,1\n", "with a percent sign; got '1_0%'"),
        (b"forecast,outcome\n%,1\n", "with a percent sign; got '%'"),
        (b"forecast,outcome\n100.1%,1\n", "with a percent sign; got '100.1%'"),
        (b"forecast,outcome\n37,1\n", "or one in [0, 100] with a percent sign; got '37'"),
        (b"forecast;outcome\n0,2,5;1\n", "line 2, column 'forecast': a forecast must be"),
        (b"forecast,outcome\n0.5,maybe\n", "an outcome must be 0 or 1; got 'maybe'"),
        (
            b"0.5,1\n0.5,0\n",
            "a.csv has no column 'forecast'; line 1 must name the columns and has '0.5', '1'\n",
        ),
        (
            b"forecast,outcome\n1.5,1\n",
            "line 2, column 'forecast': a forecast must be a number in [0, 1], or one",
        ),
        (
            b"forecast,outcome\nNaN,1\n",
            "line 2, column 'forecast': a value is missing, got 'NaN'; --skip-missing leaves such rows out",
        ),
        (
            b"forecast,outcome\n,1\n",
            "line 2, column 'forecast': a value is missing, got ''; --skip-missing",
        ),
        (b"forecast,outcome\n0.5,1\n\n0.5\n", "a.csv, line 4: expected 2 cells, as in the header; got 1"),
        (b'forecast,outcome\n0.5,"1\n', "a.csv, line 2: unexpected end of data"),
        (b"forecast,outcome\r0.5,1\r", "a.csv, line 1: a carriage return inside a line"),
        (b"forecast,outcome,t\n0.5,1,\xfc\n", "a.csv, line 2: byte 0xfc is not UTF-8 text"),
        (
            "forecast,outcome\n0.5,1\n".encode("utf-16"),
            "a.csv is UTF-16, a zip archive, a spreadsheet or Parquet; save",
        ),
    ],
)
def test_bad_files_are_named_with_line_and_column_and_nothing_is_written(capsys, tmp_path, content, message):
    file = tmp_path / "a.csv"
    file.write_bytes(content)
    assert main(["measure", str(file), "--json", str(tmp_path / "a.json")]) == 2
    streams = capsys.readouterr()
    assert message in streams.err and streams.err.startswith("klcal: ") and streams.err.count("\n") == 1
    assert streams.out == "" and list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("header", "hint"),
    [
        ("y_prob,y_true", "perhaps --forecast 'y_prob' --outcome 'y_true'"),
        ("day;y_pred;y_prob;label", "perhaps --forecast 'y_prob' --outcome 'label'"),
        ("Forecast\toutcome", "perhaps --forecast 'Forecast'"),
        ("forecasts,outcomes", "perhaps --forecast 'forecasts' --outcome 'outcomes'"),
        ("forecast,rain?", "line 1 must name the columns and has 'forecast', 'rain?'"),
    ],
)
def test_other_names_are_answered_by_a_hint_whatever_separates_them(capsys, tmp_path, header, hint):
    file = tmp_path / "a.csv"
    file.write_text(f"{header}\n")
    assert main(["measure", str(file)]) == 2
    assert capsys.readouterr().err.endswith(f"{hint}\n")


def test_rows_without_a_value_are_left_out_and_counted_if_that_was_asked(capsys, tmp_path):
    file, numbers = tmp_path / "a.csv", tmp_path / "a.json"
    file.write_text("forecast,outcome\n0.25,0\nNA,1\n0.25,1\n0.5,\n0.5,1\n nan , .\n")
    words = ["measure", str(file), "--skip-missing", "--json", str(numbers)]
    assert main(words) == 0
    report, told = klcal.measure([0.25, 0.25, 0.5], [0, 1, 1]), "rows skipped, a value is missing"
    assert capsys.readouterr().out == f"{report}\n\n{told}  3\n"
    assert json.loads(numbers.read_text()) == {told: 3} | report.numbers()

    file.write_text("forecast,outcome\nNA,1\n")
    assert main(words) == 2
    assert "a.csv has no row without a missing value" in capsys.readouterr().err
    file.write_text("forecast,outcome\nNA,maybe\n")  # no number, but not missing either
    assert main(words) == 2
    assert (
        "a.csv, line 2, column 'outcome': an outcome must be 0 or 1; got 'maybe'" in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            gzip.compress(GOOD.encode(), mtime=0)[:-9],
            "a.csv is a damaged gzip file: Compressed file ended before",
        ),
        (b"\x1f\x8b rubbish, not packed", "a.csv is a damaged gzip file: "),
        (gzip.compress(GOOD.encode(), mtime=0) + b"more", "a.csv is a damaged gzip file: "),
        (
            gzip.compress(b"forecast,outcome\n0.5,1\n7,1\n", mtime=0),
            "a.csv, line 3, column 'forecast': a forecast must",
        ),
        (b"PAR1....PAR1", "a.csv is UTF-16, a zip archive, a spreadsheet or Parquet; save"),
        (b"PK\x03\x04....", "a.csv is UTF-16, a zip archive, a spreadsheet or Parquet; save"),
    ],
)
def test_damaged_and_foreign_files_are_told_in_a_line(capsys, tmp_path, content, message):
    file = tmp_path / "a.csv"
    file.write_bytes(content)
    assert main(["measure", str(file)]) == 2
    streams = capsys.readouterr()
    assert message in streams.err and streams.err.count("\n") == 1 and streams.out == ""


@pytest.mark.parametrize("command", ["measure", "run"])
def test_a_missing_file_and_a_folder_are_errors_not_tracebacks(capsys, tmp_path, command):
    assert main([command, str(tmp_path / "none.csv")]) == 2
    assert f"there is no file {tmp_path / 'none.csv'}" in capsys.readouterr().err
    assert main([command, str(tmp_path)]) == 2
    assert "is a folder, not a file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["measure", "--plot", "a"], "--plot must name a file that ends in .png or .svg or .pdf; got"),
        (["measure", "--plot", "none/a.png"], "--plot must name a file in a folder that exists; there is no"),
        (["measure", "--json", ""], "--json must name a file;"),
        (["measure", "--bins", "0"], "--bins must be an integer that is at least 1, or none; got '0'"),
        (["measure", "--bins", "1000000000"], "bins must be at most 1000000; got 1000000000"),
        (
            ["measure", "--spacing", "even"],
            "--spacing must be one of 'tails', 'angle', 'uniform', 'quantile'; got 'even'",
        ),
        (["measure", "--sep", "::"], "--sep must be a single character; got '::'"),
        (["measure", "--forecast", "outcome"], "--forecast and --outcome must name different columns"),
        (
            ["run", "--algorithm", "best"],
            "--algorithm must be one of 'tree', 'paper', 'realised', 'pair'; got 'best'",
        ),
        (["run", "--cells", "1"], "--cells must be an integer that is at least 2; got 1"),
        (["run", "--cells", "100000"], "--cells must be at most 10000; got 100000"),
        (["run", "--seed", "-1"], "--seed must be an integer that is at least 0; got -1"),
        (["run", "--forecasts", "a.csv"], "--forecasts must not be the file that is read; got"),
        (["run", "--json", "a.csv"], "--json must not be the file that is read; got"),
        (["measure", "--json", "a.csv"], "--json must not be the file that is read; got"),
        (["run", "--forecasts", "a.txt"], "--forecasts must name a file that ends in .csv; got"),
    ],
)
def test_bad_options_are_named_before_any_work(capsys, good, tmp_path, words, message):
    command, option, value = words
    if option in ("--plot", "--json", "--forecasts"):
        value = str(tmp_path / value)
    assert main([command, str(good), option, value]) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [good] and good.read_text() == GOOD


def test_a_picture_that_fails_leaves_the_old_files_alone(good, tmp_path, monkeypatch, capsys):
    def half_drawn(_, path):
        path.write_bytes(b"half")
        raise OSError("no space left")

    monkeypatch.setattr("matplotlib.figure.Figure.savefig", half_drawn)
    picture, numbers = tmp_path / "a.png", tmp_path / "a.json"
    picture.write_bytes(b"old picture")
    numbers.write_text("old numbers")
    assert main(["measure", str(good), "--plot", str(picture), "--json", str(numbers)]) == 2
    assert "no space left" in capsys.readouterr().err
    assert picture.read_bytes() == b"old picture" and numbers.read_text() == "old numbers"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "a.json", "a.png"]


def in_a_shell(*words: str, folder) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "klcal", *words], cwd=folder, capture_output=True, text=True, timeout=600
    )


@pytest.mark.usefixtures("good")
def test_the_command_works_from_a_shell(tmp_path):
    done = in_a_shell("measure", "a.csv", "--plot", "a.svg", folder=tmp_path)
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.startswith("3 rounds, ")
    assert (tmp_path / "a.svg").read_text().startswith("<?xml")
    refused = in_a_shell("run", "a.csv", "--algorithm", "tree", "--cells", "5", folder=tmp_path)
    assert refused.stderr == "klcal: --cells must be left out with 'tree', which makes its own; got 5\n"
    failed = in_a_shell("run", "b.csv", folder=tmp_path)
    assert (failed.returncode, failed.stdout) == (2, "")
    assert failed.stderr == "klcal: there is no file b.csv\n"


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_a_pipe_is_read_once_and_bad_files_are_told_there_too(name):
    command = [sys.executable, "-m", "klcal", "measure", name]
    fine = subprocess.run(command, input='"forecast",outcome\n0.5,1\n', capture_output=True, text=True)
    assert fine.stdout.startswith("1 rounds, "), fine.stderr
    bad = subprocess.run(command, input="forecast,outcome\n1.5,1\n", capture_output=True, text=True)
    assert "line 2, column 'forecast': a forecast must be a number in [0, 1], or one" in bad.stderr


def test_a_reader_that_stops_early_gets_no_complaint(good):
    command = [sys.executable, "-m", "klcal", "measure", str(good)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert (process.stderr.read(), process.wait(timeout=600)) == (b"", 141)


def test_measuring_does_not_load_the_compiler_or_draw(good):
    code = (
        "import sys; from klcal.__main__ import main; status = main(['measure', sys.argv[1]]);"
        "sys.exit(status or bool({'numba', 'matplotlib', 'pandas', 'sympy', 'sklearn'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(good)], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture
def tiny(monkeypatch):
    """One small study in place of the real ones."""
    found = experiments.games(adversary="fair coin", T=[10, 20], seed=experiments.seeds(2, root=7))
    study = Study("tiny", "Four coins.", found)
    monkeypatch.setattr(studies, "STUDIES", {"tiny": study})
    return study


def test_tables_are_written_and_checked(capsys, tmp_path, tiny):
    place = ["--out", str(tmp_path / "out"), "--jobs", "1"]
    assert main(["tables", *place, "--cache", str(tmp_path / "games")]) == 0
    assert "tiny: 4 rows, 4 games in" in capsys.readouterr().out
    assert len(list((tmp_path / "games").iterdir())) == 4
    table = read_table(tmp_path / "out" / "tiny.csv")
    assert differences(table, experiments.sweep(tiny.games, executor="serial")) == []
    told = json.loads((tmp_path / "out" / "tiny.json").read_text())
    assert told["command"] == "python -m klcal tables tiny" and told["rows"] == 4

    before = (tmp_path / "out" / "tiny.csv").read_bytes()
    assert main(["tables", "tiny", *place, "--check"]) == 0
    assert "tiny: 4 rows, the same, bit for bit" in capsys.readouterr().out
    assert (tmp_path / "out" / "tiny.csv").read_bytes() == before

    write_table(table.assign(pkl=table["pkl"] + 1.0), tmp_path / "out" / "tiny.csv")
    assert main(["tables", *place, "--check"]) == 1
    assert "pkl differs in 4 of 4 rows, first in row 0" in capsys.readouterr().out


@pytest.mark.usefixtures("tiny")
def test_an_unknown_table_is_named(capsys):
    assert main(["tables", "huge"]) == 2
    assert "NAME must be one of 'tiny'; got 'huge'" in capsys.readouterr().err
