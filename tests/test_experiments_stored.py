"""The stored tables: complete, whole, within their bounds, and made again bit for bit, another part every day."""

from __future__ import annotations

import datetime
import json
import os
import re
import sys
from functools import cache

import numpy as np
import pytest

from klcal import bounds
from klcal.adversaries import ADAPTIVE, OBLIVIOUS
from klcal.experiments import (
    STUDIES,
    Game,
    Study,
    Table,
    differences,
    games,
    play_game,
    recompute,
    stored,
    tables_folder,
    watch_game,
)
from klcal.experiments import study as study_module
from klcal.experiments._sources import arithmetic
from klcal.experiments.arena import measure_arena
from klcal.forecasters.baselines import FORECASTERS
from klcal.losses import LOSSES

# Which part is made again: another one every day. To repeat a failure: KLCAL_TABLES_DAY=<number> pytest ...
DAY = int(os.environ.get("KLCAL_TABLES_DAY", datetime.date.today().toordinal()))
# Games that took up to so many seconds are quick; a few of these, and one that took longer, are played again.
QUICK, QUICK_TOGETHER, LONG = 0.2, 1.0, 2.0
# In the arena nearly all the time goes to one forecaster: 1 second for a row of 4^7 rounds, 2.5 at 4^8, 8 at 4^9. The
# others take less than 0.1 at any horizon, or up to 2 without a grid, at most 4^6 rounds. So its longest games have
# every sixth day for themselves, which makes 1.5 seconds a day in the mean.
SLOW, SLOW_BEYOND, SLOW_EVERY = "internal regret", 4**7, 6

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
        assert after == before, differences(before, after)
        return
    assert before.columns == after.columns
    for column in before.columns:
        if before[column].dtype.kind == "f":
            assert after[column] == pytest.approx(before[column], nan_ok=True, **TOLERANCE), column
        else:
            assert after[column].tolist() == before[column].tolist(), column


def part_of_the_day(name):
    """Choose rows at random: up to eight of quick games, one of a longer game; the quickest of all if none is."""
    if name == "arena":
        return part_of_the_arena()
    rng = np.random.default_rng([DAY, *name.encode()])
    assert "seconds_per_game" in table(name).provenance, f"make it again: python -m klcal tables {name}"
    played = dict.fromkeys(Game.from_row(row) for row in table(name))
    seconds = dict(zip(played, table(name).provenance["seconds_per_game"], strict=True))
    cost = np.array([seconds[Game.from_row(row)] for row in table(name)])
    order = rng.permutation(len(cost))
    quick = order[cost[order] <= QUICK][:8]
    chosen = quick[np.cumsum(cost[quick]) <= QUICK_TOGETHER].tolist()
    chosen += order[(cost[order] > QUICK) & (cost[order] <= LONG)][:1].tolist()
    return sorted(chosen) or [int(np.argmin(cost))]


def part_of_the_arena(day=DAY):
    """Choose rows of the longest games in turn, and two of others at random; or a long row of the slowest."""
    slow, found = [], {}
    for index, row in enumerate(table("arena")):
        if row["forecaster"] == SLOW and row["T"] > SLOW_BEYOND:
            slow.append(index)
        else:
            found.setdefault(row["T"], {}).setdefault(row["forecaster"], []).append(index)
    turn, rest = divmod(day, SLOW_EVERY)
    if rest == 0:
        return [slow[turn % len(slow)]]
    *others, longest = sorted(found)
    chosen = [rows[(day + k) % len(rows)] for k, rows in enumerate(found[longest].values())]
    rng = np.random.default_rng([day, *b"arena"])
    other = list(found[others[rng.integers(len(others))]].values())
    chosen += [int(rng.choice(other[k])) for k in rng.permutation(len(other))[:2]]
    return sorted(chosen)


def made_again(name, chosen):
    """Play the games of some rows again; in the arena only the forecasters of these rows play."""
    if name != "arena":
        return recompute(name, chosen)
    rows = [(Game.from_row(row), row["forecaster"]) for row in table(name).take(chosen)]
    return Table.from_rows(
        [{**game.row(), **measure_arena(game, {who: FORECASTERS[who]})[0]} for game, who in rows]
    )


@pytest.mark.parametrize("name", STUDIES)
def test_a_part_of_the_table_is_made_again_bit_for_bit(name):
    """Of games that took up to two seconds, and of the longest in the arena; `make reproduce` makes all again."""
    rows, chosen = table(name), part_of_the_day(name)
    # Shown when the test fails.
    sys.stdout.write(f"KLCAL_TABLES_DAY={DAY} chose the rows {chosen} of {name}\n")
    require_equal(rows.take(chosen), made_again(name, chosen), rows.provenance["arithmetic"] == arithmetic())


def test_every_row_of_the_longest_games_of_the_arena_is_made_again_within_156_days():
    rows = table("arena")
    seen = [index for day in range(DAY, DAY + 156) for index in part_of_the_arena(day)]
    longest = np.flatnonzero(rows["T"] == max(rows["T"]))
    assert max(rows["T"]) == 4**9 and {*longest} <= {*seen}
    assert {*np.flatnonzero((rows["forecaster"] == SLOW) & (rows["T"] > SLOW_BEYOND))} <= {*seen}


def test_another_machine_may_differ_in_the_last_digits_only():
    before = table("doubling").take([5, 6])
    last_digit = before.with_column("pkl", np.nextafter(before["pkl"], np.inf))
    require_equal(before, last_digit, same_arithmetic=False)
    with pytest.raises(AssertionError, match="pkl differs in 2 of 2 rows"):
        require_equal(before, last_digit, same_arithmetic=True)
    for wrong in (
        before.with_column("pkl", before["pkl"] * (1 + 1e-6)),
        before.with_column("ones", before["ones"] + 1),
    ):
        with pytest.raises(AssertionError):
            require_equal(before, wrong, same_arithmetic=False)


@pytest.mark.parametrize("name", STUDIES)
def test_the_table_holds_the_games_of_its_study_in_their_order(name):
    played = dict.fromkeys(Game.from_row(row) for row in table(name))
    assert tuple(played) == STUDIES[name].games


@pytest.mark.parametrize("name", STUDIES)
def test_the_table_says_where_it_comes_from_and_names_no_machine(name):
    told = json.loads((tables_folder() / f"{name}.json").read_text())
    study = STUDIES[name]
    assert told["study"] == name and told["description"] == study.description
    assert told["root"] == study.root and told["command"] == f"python -m klcal tables {name}"
    assert told["measure"] == f"{study.measure.__module__}.{study.measure.__qualname__}"
    assert told["rows"] == len(table(name))
    assert {"klcal", "python", "numpy", "numba", "platform", "arithmetic", "sha256"} <= set(told)
    assert not any("/" in str(value) for value in told.values())
    assert re.fullmatch(r"\w+ \w+", told["platform"])


@pytest.mark.parametrize("name", STUDIES)
def test_the_table_is_small_and_has_no_seconds_in_it(name):
    assert (tables_folder() / f"{name}.csv").stat().st_size < 300_000
    assert "seconds" not in table(name).columns and "seconds" in table(name).provenance


def test_there_are_no_tables_without_a_study_beside_the_stored_ledger():
    assert {path.stem for path in tables_folder().iterdir()} == {*STUDIES, "ledger"}


def test_a_changed_or_missing_table_is_an_error(monkeypatch, tmp_path):
    (tmp_path / "tables").mkdir()
    for kind in ("csv", "json"):
        text = (tables_folder() / f"doubling.{kind}").read_text()
        (tmp_path / "tables" / f"doubling.{kind}").write_text(text)
    monkeypatch.setattr(study_module.resources, "files", lambda package: tmp_path)
    assert stored("doubling") == table("doubling")
    path = tmp_path / "tables" / "doubling.csv"
    text = path.read_text()
    path.write_text(text.replace("1", "2", 1))
    with pytest.raises(ValueError, match="the sha256 of the CSV must be that of its provenance"):
        stored("doubling")
    with pytest.raises(ValueError, match="name must be that of a stored table; got 'rate'"):
        stored("rate")


def test_names_without_a_study_are_refused():
    with pytest.raises(ValueError, match=r"name must be one of .*; got 'nothing'"):
        recompute("nothing", [0])


def test_a_study_owns_the_root_of_its_seeds():
    with pytest.raises(ValueError, match="games must have seeds spawned from 7; got Game"):
        Study("a", "b", games(adversary="zeros", T=10, seed=(8, 0)), 7)


def test_a_row_that_was_tampered_with_is_caught_by_playing_it_again():
    rows = table("doubling").take([5])
    wrong = rows.with_column("pkl", np.nextafter(rows["pkl"], np.inf))
    again = study_module.replayed(wrong, [0], play_game)
    assert again == rows and again != wrong
    assert differences(wrong, again) == [
        f"pkl differs in 1 of 1 rows, first in row 0: {wrong['pkl'][0].item()} became {rows['pkl'][0].item()}"
    ]
    assert differences(wrong, rows.select("T")) == [f"columns {wrong.columns} became ('T',)"]


# --- what the numbers must satisfy, in every row ----------------------------------------------------------


def test_the_rate_study_has_every_adversary_up_to_a_hundred_million_rounds():
    rows = table("rate")
    everyone = [*OBLIVIOUS, *ADAPTIVE]
    assert rows.unique("adversary") == everyone
    assert set(rows.unique("T")) >= {10**k for k in range(2, 9)}
    for T in rows.unique("T"):
        missing = set(everyone) - set(rows.where(T=T).unique("adversary"))
        assert missing == ({"greedy exp 0.5", "greedy exp 2"} if T > 10**6 else set())


@pytest.mark.parametrize("name", MEASURED)
def test_calibration_errors_keep_their_order_in_every_row(name):
    rows = table(name)
    for kl, cal2, cal1 in (("kl", "cal2", "cal1"), ("pkl", "pcal2", "pcal1")):
        assert (rows[cal2] <= bounds.cal2_from_kl(rows[kl])).all()
        assert (rows[cal1] <= bounds.cal1_from_cal2(rows["T"], rows[cal2]) * (1 + 1e-12)).all()
    assert (rows["used"] <= rows["points"]).all() and (rows["ones"] <= rows["T"]).all()


@pytest.mark.parametrize("name", MEASURED)
def test_no_row_of_algorithm_1_exceeds_theorem_2(name):
    rows = table(name)
    rows = rows.take((rows["algorithm"] == "paper") & ~rows["doubling"])
    assert (rows["pkl"] <= bounds.theorem_2(rows["T"], rows["K"])).all()
    assert (rows["pkl"] <= rows["log_mass"] + rows["T"] * bounds.rounding_cost(rows["K"])).all()


def test_no_row_of_the_doubling_trick_exceeds_its_bound():
    rows = table("doubling").where(doubling=True)
    assert all(row["pkl"] <= bounds.doubling_trick(row["T"]) for row in rows)


def test_both_ways_of_a_doubling_study_meet_the_same_outcomes():
    for pair in table("doubling").groups("adversary", "T").values():
        assert pair["doubling"].tolist() == [False, True]
        assert pair["ones"][0] == pair["ones"][1] and pair["seed"][0] == pair["seed"][1]


@pytest.mark.parametrize("name", WATCHED)
def test_the_parts_of_the_error_keep_their_bounds_in_every_row(name):
    rows = table(name)
    paid, learned = ("pkl", "log_mass") if name == "rate" else ("kl", "log_count")
    # Compensated sums of T terms that each err by a few 1e-16.
    slack = 1e-15 * rows["T"] + 1e-9
    assert (np.abs(rows["regret"] + rows["rounding"] + rows["noise"] - rows[paid]) <= slack).all()
    assert (rows["regret"] <= rows[learned] + slack).all()
    assert (rows["rounding"] <= rows["T"] * bounds.rounding_cost(rows["K"])).all()
    assert (rows["noise"] == 0.0).all() == (name == "rate")
    assert (rows["class_mean"] >= 1.0).all() and (rows["class_mean"] <= rows["class_max"]).all()
    assert (rows["class_max"] <= rows["used"]).all()


def test_regrets_of_the_losses_keep_their_order_in_every_game():
    rows = table("losses")
    assert rows.unique("loss") == [*LOSSES, "bounded", "smooth-1", "smooth-4", "smooth-16"]
    for kind in ("swap", "pseudo"):
        by_loss = {name: part[kind] for name, part in rows.groups("loss").items()}
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
        known = ~np.isnan(rows[external])
        assert (rows[external] <= rows[swap] * (1 + 1e-9) + 1e-9)[known].all()
        assert (known == ~np.char.startswith(rows["loss"], "smooth")).all()


def test_tables_read_from_their_files_are_what_stored_returns():
    assert Table.read(tables_folder() / "rate.csv") == table("rate")
