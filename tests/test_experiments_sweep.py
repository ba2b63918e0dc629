"""Sweeps: the same table from every executor, nothing lost when killed, nothing stale from the cache."""

from __future__ import annotations

import functools
import importlib
import os
import pickle
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil
import pytest
import sweep_samples as samples
from sweep_samples import same

from klcal.book.experiments import Game, GameFailed, _cache, games, play_game, process_pool, seeds, sweep
from klcal.book.experiments._cache import Cache
from klcal.book.experiments.sweeping import available_cores

FEW = games(
    adversary=["fair coin", "border"], T=[300, 13, 50], algorithm=["paper", "realised"], seed=seeds(2, root=7)
)
LINE = games(adversary="fair coin", T=range(10, 20))


@pytest.fixture(scope="module", autouse=True)
def logfile(tmp_path_factory):
    """Where measures note what they play; workers must know it before they start."""
    file = tmp_path_factory.mktemp("log") / "log"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KLCAL_TEST_LOG", str(file))
        yield file


@pytest.fixture
def log(logfile):
    """Return a function that tells which horizons were played since the last call."""
    logfile.write_text("")

    def read():
        played = [int(line.split()[1]) for line in logfile.read_text().splitlines()]
        logfile.write_text("")
        return played

    return read


@pytest.fixture(scope="module")
def pool():
    with process_pool(2) as processes:
        yield processes


@pytest.fixture(scope="module")
def serial():
    return sweep(FEW, executor="serial")


# --- executors --------------------------------------------------------------------------------------------


def test_rows_stand_in_the_order_of_the_games(serial):
    assert [Game.from_row(row) for row in serial.to_dict("records")] == list(FEW)
    for row, game in zip(serial.to_dict("records"), FEW, strict=True):
        assert row == {**game.row(), **play_game(game)}


def test_processes_give_the_same_bits_and_a_given_pool_stays_open(serial, pool):
    assert same(sweep(FEW, executor=pool), serial)
    assert pool.submit(abs, -1).result() == 1


def test_a_dask_cluster_gives_the_same_bits(serial):
    distributed = pytest.importorskip(
        "distributed",
        reason="NOT RUN: Dask is not installed (the extra dask brings it), clusters are untested",
    )
    settings = {
        "n_workers": 2,
        "threads_per_worker": 1,
        "processes": True,
        "dashboard_address": "127.0.0.1:0",
    }
    with distributed.LocalCluster(**settings) as cluster, distributed.Client(cluster) as client:
        assert same(sweep(FEW, executor=client.get_executor()), serial)
        with pytest.raises(GameFailed, match=r"Game\(.*T=13.*failed: ArithmeticError: thirteen"):
            sweep(LINE, executor=client.get_executor(), measure=samples.unlucky)


def test_equal_games_are_played_once(log):
    table = sweep([LINE[0], LINE[1], LINE[0]], executor="serial", measure=samples.logged)
    assert table["T"].tolist() == [10, 11, 10] and sorted(log()) == [10, 11]


def test_long_measures_give_several_rows_per_game(pool):
    table = sweep(games(adversary="zeros", T=[123, 45]), executor=pool, measure=samples.long)
    assert table["T"].tolist() == [123, 123, 123, 45, 45]
    assert table["digit"].tolist() == [1, 2, 3, 4, 5] and table["place"].tolist() == [0, 1, 2, 0, 1]


# --- errors -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["serial", "pool"])
def test_an_error_names_its_game_and_keeps_what_was_finished(where, pool, log, tmp_path):
    executor = "serial" if where == "serial" else pool
    with pytest.raises(GameFailed, match=r"Game\(.*T=13.*\) failed: ArithmeticError: thirteen") as caught:
        sweep(LINE, executor=executor, cache=tmp_path / "cache", measure=samples.unlucky)
    assert caught.value.game == LINE[3] and isinstance(caught.value.__cause__, ArithmeticError)
    finished = log()
    assert 19 in finished and 13 not in finished
    assert len(list((tmp_path / "cache").iterdir())) == len(finished)
    rest = [game for game in LINE if game.T != 13]
    table = sweep(rest, executor="serial", cache=tmp_path / "cache", measure=samples.unlucky)
    assert sorted(log() + finished) == [game.T for game in rest]
    assert same(table, sweep(rest, executor="serial"))


def test_a_worker_that_dies_is_reported():
    """In the pool that is used when none is given."""
    with pytest.raises(GameFailed, match=r"a worker died, perhaps not because of Game\("):
        sweep(LINE[:4], measure=samples.deadly)


def test_failures_can_be_pickled():
    failure = pickle.loads(pickle.dumps(GameFailed(LINE[0], ValueError("x"))))
    assert failure.game == LINE[0] and str(failure) == f"{LINE[0]} failed: ValueError: x"


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"games": []}, ValueError, "games must hold at least one Game"),
        ({"executor": "cluster"}, ValueError, "executor must be None, 'serial' or an .*; got 'cluster'"),
        ({"measure": samples.odd}, GameFailed, "numbers, truth values and text; got Game"),
        ({"measure": samples.ragged}, ValueError, "measure must always return the columns"),
        ({"measure": lambda game: {}, "executor": None}, ValueError, "can be imported from a module"),
        ({"measure": functools.partial(lambda game: {}), "executor": None}, ValueError, "can be imported"),
    ],
)
def test_bad_sweeps_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        sweep(**{"games": LINE[:2], "executor": "serial", **options})


def test_in_this_process_and_without_a_cache_any_function_will_do(tmp_path):
    def rounds(game):
        return {"rounds": np.int64(game.T), "half": np.float64(game.T / 2), "odd": np.bool_(game.T % 2)}

    table = sweep(LINE[:2], executor="serial", measure=rounds)
    assert table[["rounds", "half", "odd"]].values.tolist() == [[10, 5.0, False], [11, 5.5, True]]
    with pytest.raises(ValueError, match="can be imported from a module"):
        sweep(LINE[:2], executor="serial", measure=rounds, cache=tmp_path)


# --- the cache --------------------------------------------------------------------------------------------


def test_a_second_sweep_plays_nothing_and_a_larger_one_only_what_is_new(log, tmp_path):
    first = sweep(LINE[:3], executor="serial", cache=tmp_path / "c", measure=samples.logged)
    assert log() == [12, 11, 10]  # the longest first
    assert same(sweep(LINE[:3], cache=tmp_path / "c", measure=samples.logged), first)
    assert log() == []
    more = sweep(LINE[:4], executor="serial", cache=tmp_path / "c", measure=samples.logged)
    assert same(more.iloc[:3], first)
    assert log() == [13]


def test_a_file_is_named_by_all_that_its_result_depends_on(monkeypatch, tmp_path):
    cache, base = Cache(tmp_path, play_game), Game("paper", "zeros", 10, K=2)
    changes = [{"algorithm": "realised"}, {"adversary": "blocks"}, {"T": 11}, {"K": 3}, {"seed": (0, 0)}]
    names = {cache.path(replace(base, **change)) for change in [{}, *changes, {"doubling": True, "K": None}]}
    names.add(Cache(tmp_path, samples.logged).path(base))
    for part, other in (("versions", {"numpy": "another"}), ("package", "another")):
        with monkeypatch.context() as patch:
            patch.setattr(_cache, part, lambda other=other: other)
            names.add(cache.path(base))
    assert len(names) == 10


def test_cached_floats_keep_their_bits(tmp_path):
    values = dict(zip("abcdefgh", [0.1 + 0.2, np.inf, np.nan, 5e-324, -0.0, 2**62, True, "ü"], strict=True))
    cache = Cache(tmp_path, play_game)
    cache.save(LINE[0], {"rows": [values], "seconds": 0.5})
    assert repr(cache.load(LINE[0])) == repr({"rows": [values], "seconds": 0.5})


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: b"\xff" + data,
        lambda data: data.replace(b'"T": 10', b'"T": 11').replace(b"1", b"2", 1),
        lambda data: b'{"rows": [], "seconds": 1}',
        lambda data: b"[" * 100_000,
    ],
    ids=["empty", "half", "altered", "a digit", "other JSON", "deep"],
)
def test_a_damaged_file_counts_as_none(damage, log, tmp_path):
    whole = sweep(LINE[:2], executor="serial", cache=tmp_path / "c", measure=samples.logged)
    cache = Cache(tmp_path / "c", samples.logged)
    paths = [cache.path(game) for game in LINE[:2]]
    before = paths[0].read_bytes()
    paths[0].write_bytes(damage(before))
    assert paths[0].read_bytes() != before
    log()
    assert same(sweep(LINE[:2], executor="serial", cache=tmp_path / "c", measure=samples.logged), whole)
    assert log() == [10] and cache.load(LINE[0]) is not None


def test_killing_a_sweep_loses_nothing_finished_and_leaves_no_worker(log, logfile, tmp_path):
    """A real process, really killed in the middle, then another sweep on what it left behind."""
    cache, many = tmp_path / "cache", games(adversary="fair coin", T=range(10, 22))
    code = (
        "import sweep_samples as s; from klcal.book.experiments import *;"
        "sweep(games(adversary='fair coin', T=range(10, 22)),"
        f"cache={str(cache)!r}, measure=s.slow)"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    process = subprocess.Popen([sys.executable, "-c", code], env=environment, stderr=subprocess.PIPE)
    wait_until(lambda: process.poll() is not None or (cache.exists() and len(finished(cache)) >= 4))
    still_running = process.poll() is None
    process.kill()
    process.wait()
    assert still_running, process.stderr.read().decode()
    process.stderr.close()
    workers = {int(line.split()[0]) for line in logfile.read_text().splitlines()}
    assert 1 <= len(workers) <= available_cores()
    wait_until(lambda: not any(is_alive(worker) for worker in workers))
    kept = len(finished(cache))
    assert 4 <= kept < len(many)
    log()
    table = sweep(many, executor="serial", cache=cache, measure=samples.slow)
    assert len(log()) == len(many) - kept
    assert same(table, sweep(many, executor="serial"))


def finished(cache):
    return list(cache.glob("[0-9a-f]*.json"))


def is_alive(pid):
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def wait_until(condition, seconds=600.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


# --- what a result depends on -----------------------------------------------------------------------------


def test_no_stale_result_comes_back_after_a_helper_has_changed(monkeypatch, tmp_path):
    """A measure outside the package, with a helper beside it; leaving the modules is a new process."""
    helper, names = tmp_path / "outer_helper.py", ("outer_helper", "outer_measure")
    (tmp_path / "outer_measure.py").write_text(
        "import outer_helper\n\ndef measure(game):\n    return {'x': game.T + outer_helper.offset()}\n"
    )
    monkeypatch.syspath_prepend(tmp_path)

    def found(offset, restart):
        helper.write_text(f"def offset():\n    return {offset}\n")
        importlib.invalidate_caches()
        for name in names if restart else ():
            _cache._SEEN.clear()
            sys.modules.pop(name, None)
        measure = importlib.import_module("outer_measure").measure
        return sweep(LINE[:1], measure=measure, executor="serial", cache=tmp_path / "cache")["x"][0]

    assert found(1, restart=True) == 11
    # A process that has loaded the old helper still runs it, and must not store that under the new source.
    with pytest.raises(RuntimeError, match="changed after it was loaded: start Python again"):
        found(22222, restart=False)
    assert found(22222, restart=True) == 22232
    for name in names:
        sys.modules.pop(name)
