"""The stored tables: whole, within their bounds, and made again bit for bit, another part every day."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import re
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from klcal import bounds
from klcal.book.experiments import STUDIES, Game, play_game, stored, studies
from klcal.book.experiments.measuring import measure_arena, watch_game
from klcal.book.experiments.studies import ROOT, TABLES, arithmetic, differences, read_table, write_table
from klcal.book.experiments.sweeping import measured_rows
from klcal.forecasters.baselines import FORECASTERS
from klcal.losses import LOSSES

# Which part is made again: another one every day. To repeat a failure: KLCAL_TABLES_DAY=<number> pytest ...
DAY = int(os.environ.get("KLCAL_TABLES_DAY", datetime.date.today().toordinal()))
# How many rows, and of which horizons: games that take at most about a second each.
ROWS = {"arena": 2, "explicit": 1}
LONGEST = {"arena": 4**6, "high-probability": 10**4, "explicit": 10**4}
# In the arena one forecaster takes nearly all the time, and those without a grid the rest.
SLOW = ("internal regret",)

# Logarithms, sines and powers may differ in the last digit between processors and versions of NumPy. Measures are sums
# of nonnegative terms and inherit that relative error; regrets are differences of such sums, and the cost of rounding
# is a sum over rounds, at T <= 10^6 of at most a million terms that each err by some 1e-16.
TOLERANCE = {"rel": 1e-10, "abs": 1e-9}

WATCHED = ("rate", "rate-realised")
MEASURED = [name for name, study in STUDIES.items() if study.measure in (play_game, watch_game)]


@cache
def table(name):
    return stored(name)


def require_equal(before, after, same_arithmetic):
    """Compare bit for bit; on a machine with other logarithms floats up to the tolerance, all else exactly."""
    if same_arithmetic:
        assert differences(before, after) == []
        return
    assert list(before) == list(after)
    for column in before:
        if before[column].dtype.kind == "f":
            expected = pytest.approx(before[column].to_numpy(), nan_ok=True, **TOLERANCE)
            assert after[column].to_numpy() == expected
        else:
            assert after[column].tolist() == before[column].tolist(), column


def part_of_the_day(name):
    """Choose some rows at random, of games that are not too long."""
    rows = table(name)
    short = rows["T"] <= LONGEST.get(name, 10**5)
    if name == "arena":
        short &= ~rows["forecaster"].isin(SLOW) | (rows["T"] == min(rows["T"]))
    rng = np.random.default_rng([DAY, *name.encode()])
    return sorted(rng.choice(np.flatnonzero(short), ROWS.get(name, 4), replace=False).tolist())


def made_again(name, chosen):
    """Play the games of some rows again; in the arena only the forecasters of these rows play."""
    rows = table(name).to_dict("records")
    played, found = [Game.from_row(row) for row in rows], []
    for index in chosen:
        game = played[index]
        if name == "arena":
            who = rows[index]["forecaster"]
            measured = measure_arena(game, {who: FORECASTERS[who]})[0]
        else:  # rows of one game stand together
            measured = measured_rows(STUDIES[name].measure, game)[index - played.index(game)]
        found.append({**game.row(), **measured})
    return pd.DataFrame(found, index=chosen)


@pytest.mark.parametrize("name", STUDIES)
def test_a_part_of_the_table_is_made_again_bit_for_bit(name):
    """`make reproduce` makes all again."""
    rows, chosen = table(name), part_of_the_day(name)
    # Shown when the test fails.
    sys.stdout.write(f"KLCAL_TABLES_DAY={DAY} chose the rows {chosen} of {name}\n")
    require_equal(rows.iloc[chosen], made_again(name, chosen), rows.attrs["arithmetic"] == arithmetic())


@pytest.mark.parametrize("name", STUDIES)
def test_a_table_that_is_read_and_written_is_the_same_file_byte_for_byte(name, tmp_path):
    write_table(read_table(TABLES / f"{name}.csv"), tmp_path / "a.csv")
    text = (tmp_path / "a.csv").read_bytes()
    assert text == (TABLES / f"{name}.csv").read_bytes()
    told = json.loads((TABLES / f"{name}.json").read_text())
    assert told["sha256"] == hashlib.sha256(text).hexdigest() and told["rows"] == len(table(name))


@pytest.mark.parametrize("damage", ["a digit", "a row", "everything", "{}", "[]", ""])
def test_a_table_that_is_not_what_was_written_is_refused(damage, tmp_path, monkeypatch):
    monkeypatch.setattr(studies, "TABLES", tmp_path)
    lines = (TABLES / "tree-wealth.csv").read_bytes().splitlines(keepends=True)
    if damage == "a digit":
        lines[1] = lines[1].replace(b"1", b"2")
    kept = lines[: {"a row": -1, "everything": 0}.get(damage)]
    (tmp_path / "tree-wealth.csv").write_bytes(b"".join(kept))
    told = (TABLES / "tree-wealth.json").read_text() if damage.startswith(("a ", "every")) else damage
    (tmp_path / "tree-wealth.json").write_text(told)
    with pytest.raises(ValueError, match=r"tree-wealth.csv is not the table that tree-wealth.json describes"):
        stored("tree-wealth")


def test_a_table_is_written_whole_with_its_description_or_not_at_all(tmp_path, monkeypatch):
    old, target = table("tree-wealth"), tmp_path / "a.csv"
    write_table(old, target)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    write = Path.write_text

    def full(path, text, **options):
        if path.suffix == ".json":
            raise OSError(28, "No space left on device")
        return write(path, text, **options)

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space"):
        write_table(old.iloc[:3], target)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_floats_keep_their_bits_in_a_file(tmp_path):
    values = [0.1 + 0.2, np.inf, -np.inf, np.nan, 5e-324, -0.0, 1e22, 1 / 3]
    before = pd.DataFrame({"x": values, "n": range(8), "word": [*"abcdefg", "a, b"], "so": [True, False] * 4})
    write_table(before, tmp_path / "a.csv")
    assert differences(before, read_table(tmp_path / "a.csv")) == []


@pytest.mark.parametrize("name", STUDIES)
def test_the_table_holds_the_games_of_its_study_in_their_order(name):
    played = dict.fromkeys(Game.from_row(row) for row in table(name).to_dict("records"))
    assert tuple(played) == STUDIES[name].games
    assert {game.seed[0] for game in played} == {ROOT}


@pytest.mark.parametrize("name", STUDIES)
def test_the_table_says_where_it_comes_from_and_names_no_machine(name):
    told, study = table(name).attrs, STUDIES[name]
    assert told["study"] == name and told["description"] == study.description
    assert told["root"] == ROOT and told["command"] == f"python -m klcal tables {name}"
    assert {"klcal", "python", "numpy", "numba", "platform", "arithmetic", "sha256", "seconds"} <= set(told)
    assert not any("/" in str(value) for value in told.values())
    assert re.fullmatch(r"\w+ \w+", told["platform"])
    assert (TABLES / f"{name}.csv").stat().st_size < 300_000 and "seconds" not in table(name)


def test_there_are_no_tables_without_a_study():
    assert {path.stem for path in TABLES.iterdir()} == {*STUDIES}
    with pytest.raises(ValueError, match=r"name must be one of .*; got 'nothing'"):
        stored("nothing")


# --- what the numbers must satisfy, in every row ----------------------------------------------------------


@pytest.mark.parametrize("name", MEASURED)
def test_calibration_errors_keep_their_order_in_every_row(name):
    rows = table(name)
    for kl, cal2, cal1 in (("kl", "cal2", "cal1"), ("pkl", "pcal2", "pcal1")):
        assert (rows[cal2] <= rows[kl] / 2).all()  # Pinsker
        assert (rows[cal1] <= np.sqrt(rows["T"] * rows[cal2]) * (1 + 1e-12)).all()  # Cauchy and Schwarz
    assert (rows["used"] <= rows["points"]).all() and (rows["ones"] <= rows["T"]).all()


@pytest.mark.parametrize("name", MEASURED)
def test_no_row_of_algorithm_1_exceeds_theorem_2(name):
    rows = table(name)
    rows = rows[(rows["algorithm"] == "paper") & ~rows["doubling"]]
    T, K = rows["T"].to_numpy(), rows["K"].to_numpy()
    assert (rows["pkl"] <= bounds.theorem_2(T, K)).all()
    assert (rows["pkl"] <= rows["log_mass"] + T * bounds.rounding_cost(K)).all()


def test_no_row_of_the_doubling_trick_exceeds_its_bound_and_both_ways_meet_the_same_outcomes():
    rows = table("doubling")
    doubled = rows[rows["doubling"]]
    assert (doubled["pkl"] <= [bounds.doubling_trick(T) for T in doubled["T"].tolist()]).all()
    for _, pair in rows.groupby(["adversary", "T"]):
        assert pair["doubling"].tolist() == [False, True]
        assert pair["ones"].nunique() == pair["seed"].nunique() == 1


@pytest.mark.parametrize("name", WATCHED)
def test_the_parts_of_the_error_keep_their_bounds_in_every_row(name):
    rows = table(name)
    paid, learned = ("pkl", "log_mass") if name == "rate" else ("kl", "log_count")
    # Compensated sums of T terms that each err by a few 1e-16.
    slack = 1e-15 * rows["T"] + 1e-9
    assert (np.abs(rows["regret"] + rows["rounding"] + rows["noise"] - rows[paid]) <= slack).all()
    assert (rows["regret"] <= rows[learned] + slack).all()
    assert (rows["rounding"] <= rows["T"] * bounds.rounding_cost(rows["K"].to_numpy())).all()
    assert (rows["noise"] == 0.0).all() == (name == "rate")
    assert (rows["class_mean"] >= 1.0).all() and (rows["class_mean"] <= rows["class_max"]).all()
    assert (rows["class_max"] <= rows["used"]).all()


def test_regrets_of_the_losses_keep_their_order_in_every_game():
    rows = table("losses")
    assert list(rows["loss"].unique()) == [*LOSSES, "bounded", "smooth-1", "smooth-4", "smooth-16"]
    for kind in ("swap", "pseudo"):
        by_loss = {name: part[kind].to_numpy() for name, part in rows.groupby("loss")}
        slack = 1 + 1e-9
        for name, loss in LOSSES.items():
            assert (by_loss[name] <= loss.kl_constant * by_loss["log"] * slack).all()
            assert (by_loss[name] <= loss.quadratic_constant * by_loss["squared"] * slack).all()
            if loss.lower >= -1.0 and loss.upper <= 1.0:
                assert (by_loss[name] <= by_loss["bounded"] * slack + 1e-9).all()
        for G in (1, 4):  # an equality up to 4
            np.testing.assert_allclose(by_loss[f"smooth-{G}"], G / 2 * by_loss["squared"], rtol=1e-12)
        assert (by_loss["smooth-16"] <= np.minimum(8 * by_loss["squared"], by_loss["bounded"]) * slack).all()
    for swap, external in (("swap", "external"), ("pseudo", "pexternal")):
        known = rows[external].notna()
        assert (rows[external] <= rows[swap] * (1 + 1e-9) + 1e-9)[known].all()
        assert (known == ~rows["loss"].str.startswith("smooth")).all()
