"""Sweeps: the same table from every executor, nothing lost when killed, nothing stale from the cache."""

from __future__ import annotations

import functools
import importlib
import io
import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import psutil
import pytest
import sweep_samples as samples

from klcal import experiments
from klcal.experiments import (
    STUDIES,
    Game,
    GameFailed,
    Table,
    games,
    play_game,
    process_pool,
    seeds,
    sweep,
    sweeping,
)
from klcal.experiments import _sources as sources
from klcal.experiments._cache import Cache

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
    assert [Game.from_row(row) for row in serial] == list(FEW)
    assert serial.columns == (*FEW[0].row(), *play_game(FEW[0]))
    for row, game in zip(serial.rows(), FEW, strict=True):
        assert row == {**game.row(), **play_game(game)}


def test_processes_give_the_same_bits(serial, pool):
    assert sweep(FEW, executor=pool) == serial


def test_a_dask_cluster_gives_the_same_bits(serial):
    distributed = pytest.importorskip(
        "distributed",
        reason="NOT RUN: Dask is not installed (pip install klcal[dask]), clusters are untested",
    )
    settings = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**settings) as cluster, distributed.Client(cluster) as client:
        assert sweep(FEW, executor=client.get_executor()) == serial
        with pytest.raises(GameFailed, match=r"Game\(.*T=13.*failed: ArithmeticError: thirteen"):
            sweep(LINE, executor=client.get_executor(), measure=samples.unlucky)


def test_a_given_pool_stays_open(pool):
    sweep(LINE[:1], executor=pool)
    assert pool.submit(abs, -1).result() == 1


def test_equal_games_are_played_once(log):
    table = sweep([LINE[0], LINE[1], LINE[0]], executor="serial", measure=samples.logged)
    assert table["T"].tolist() == [10, 11, 10] and sorted(log()) == [10, 11]


def test_long_measures_give_several_rows_per_game(pool):
    table = sweep(games(adversary="zeros", T=[123, 45]), executor=pool, measure=samples.long)
    assert table["T"].tolist() == [123, 123, 123, 45, 45]
    assert table["digit"].tolist() == [1, 2, 3, 4, 5] and table["place"].tolist() == [0, 1, 2, 0, 1]
    again = experiments.replayed(table, [4, 1], samples.long)
    assert again == table.take([4, 1])


def test_one_row_alone_can_be_played_again_from_its_file(serial, tmp_path):
    serial.write(tmp_path / "a.csv")
    row = Table.read(tmp_path / "a.csv").rows()[11]
    assert {**row, **play_game(Game.from_row(row))} == row


def test_the_bar_is_shown_on_terminals_only(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    shown = []
    for stream, progress in ((Terminal(), "label"), (Terminal(), False), (io.StringIO(), True)):
        monkeypatch.setattr(sys, "stderr", stream)
        sweep(LINE[:2], executor="serial", progress=progress)
        shown.append(stream.getvalue())
    assert "label" in shown[0] and "2/2" in shown[0]
    assert shown[1:] == ["", ""]


def test_cores_are_those_this_process_may_use():
    assert experiments.available_cores() == len(os.sched_getaffinity(0))


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
    assert table == sweep(rest, executor="serial")


def test_a_worker_that_dies_is_reported():
    """In the pool that is used when none is given."""
    with pytest.raises(GameFailed, match=r"a worker died, perhaps not because of Game\("):
        sweep(LINE[:4], measure=samples.deadly)


def test_failures_can_be_pickled():
    failure = pickle.loads(pickle.dumps(GameFailed(LINE[0], ValueError("x"))))
    assert failure.game == LINE[0] and str(failure) == f"{LINE[0]} failed: ValueError: x"


def test_a_worker_with_other_sources_refuses():
    with pytest.raises(RuntimeError, match="other sources or versions"):
        sweeping._work(play_game, "0" * 64, LINE[0])


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"games": []}, ValueError, "games must hold at least one game"),
        (
            {"executor": "cluster"},
            ValueError,
            "executor must be None, 'serial' or an Executor; got 'cluster'",
        ),
        (
            {"measure": samples.odd, "executor": "serial"},
            GameFailed,
            "numbers, truth values and text; got Game",
        ),
        ({"measure": samples.ragged, "executor": "serial"}, ValueError, "rows must have the columns"),
        ({"measure": lambda game: {}}, ValueError, "can be imported from a module"),
        ({"measure": functools.partial(lambda game: {})}, ValueError, "can be imported from a module"),
    ],
)
def test_bad_sweeps_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        sweep(**{"games": LINE[:2], **options})


def test_in_this_process_and_without_a_cache_any_function_will_do(tmp_path):
    def rounds(game):
        return {"rounds": np.int64(game.T), "half": np.float64(game.T / 2), "odd": np.bool_(game.T % 2)}

    table = sweep(LINE[:2], executor="serial", measure=rounds)
    assert [table[name].tolist() for name in ("rounds", "half", "odd")] == [
        [10, 11],
        [5.0, 5.5],
        [False, True],
    ]
    with pytest.raises(ValueError, match="can be imported from a module"):
        sweep(LINE[:2], executor="serial", measure=rounds, cache=tmp_path)


# --- the cache --------------------------------------------------------------------------------------------


def test_a_second_sweep_plays_nothing_and_a_larger_one_only_what_is_new(log, tmp_path):
    first = sweep(LINE[:3], executor="serial", cache=tmp_path / "c", measure=samples.logged)
    assert log() == [12, 11, 10]  # the longest first
    assert sweep(LINE[:3], cache=tmp_path / "c", measure=samples.logged) == first
    assert log() == []
    assert (
        sweep(LINE[:4], executor="serial", cache=tmp_path / "c", measure=samples.logged).take([0, 1, 2])
        == first
    )
    assert log() == [13]


def test_games_differ_in_the_cache_if_anything_about_them_differs(tmp_path):
    cache = Cache(tmp_path, play_game)
    base = {"algorithm": "paper", "adversary": "zeros", "T": 10, "K": 2, "seed": (0,), "doubling": False}
    others = [
        {**base, **change}
        for change in (
            {},
            {"algorithm": "realised"},
            {"adversary": "blocks"},
            {"T": 11},
            {"K": 3},
            {"seed": (0, 0)},
            {"doubling": True, "K": None},
        )
    ]
    assert len({cache.path(Game(**each)) for each in others}) == len(others)
    assert cache.path(Game(**base)) != Cache(tmp_path, samples.logged).path(Game(**base))


def test_games_differ_in_the_cache_on_a_machine_with_other_arithmetic(monkeypatch, tmp_path):
    game = Game("paper", "zeros", 10)
    here = Cache(tmp_path, play_game).path(game)
    monkeypatch.setattr(sources, "arithmetic", lambda: "another machine's")
    assert Cache(tmp_path, play_game).path(game) != here


@pytest.mark.parametrize(
    "damage",
    [
        lambda data, other: b"",
        lambda data, other: data[: len(data) // 2],
        lambda data, other: data[:-1],
        lambda data, other: data.replace(b'"points": 3', b'"points": 4'),
        lambda data, other: other,
    ],
    ids=["empty", "half", "cut", "altered", "another game's"],
)
def test_a_damaged_file_counts_as_none(damage, log, tmp_path):
    whole = sweep(LINE[:2], executor="serial", cache=tmp_path / "c", measure=samples.logged)
    cache = Cache(tmp_path / "c", samples.logged)
    paths = [cache.path(game) for game in LINE[:2]]
    before = paths[0].read_bytes()
    paths[0].write_bytes(damage(before, paths[1].read_bytes()))
    assert paths[0].read_bytes() != before
    log()
    assert sweep(LINE[:2], executor="serial", cache=tmp_path / "c", measure=samples.logged) == whole
    assert log() == [10] and cache.load(LINE[0]) is not None


def test_cached_floats_keep_their_bits(tmp_path):
    values = {
        "a": 0.1 + 0.2,
        "b": np.inf,
        "c": np.nan,
        "d": 5e-324,
        "e": -0.0,
        "f": 2**62,
        "g": True,
        "h": "ü",
    }
    result = sweeping.Result([values], 0.5)
    cache = Cache(tmp_path, play_game)
    cache.save(LINE[0], result)
    assert Table.from_rows(cache.load(LINE[0]).rows) == Table.from_rows([values])


def test_killing_a_sweep_loses_nothing_finished_and_leaves_no_worker(log, logfile, tmp_path):
    """A real process, really killed in the middle, then another sweep on what it left behind."""
    cache, many = tmp_path / "cache", games(adversary="fair coin", T=range(10, 22))
    code = (
        "import sweep_samples as s; from klcal.experiments import *;"
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
    assert 1 <= len(workers) <= experiments.available_cores()
    wait_until(lambda: not any(is_alive(worker) for worker in workers))
    kept = len(finished(cache))
    assert 4 <= kept < len(many)
    log()
    table = sweep(many, executor="serial", cache=cache, measure=samples.slow)
    assert len(log()) == len(many) - kept
    assert table == sweep(many, executor="serial")


def finished(cache):
    return list(cache.glob("[0-9a-f]*.json"))


def is_alive(pid):
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def wait_until(condition, seconds=60.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


# --- what a result depends on -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*STUDIES, "play_game"])
def test_every_file_of_the_package_that_runs_in_a_game_is_behind_the_fingerprint(name):
    measure = STUDIES[name].measure if name in STUDIES else play_game
    behind = {path.resolve() for path in sources.source_files(measure.__module__).values()}
    ran = set()

    def note(frame, _event, _argument):
        ran.add(frame.f_code.co_filename)

    for adversary in ("fair coin", "greedy"):
        game = Game("tree" if name.startswith("tree") else "realised", adversary, 40, seed=(1,))
        sys.setprofile(note)
        try:
            measure(game)
        finally:
            sys.setprofile(None)
    inside = {Path(file) for file in ran if Path(file).is_relative_to(sources.PACKAGE)}
    assert len(inside) > 8
    assert inside <= behind


def test_the_kernels_are_behind_the_fingerprint_and_the_ledger_is_not():
    names = set(sources.source_files(play_game.__module__))
    assert {
        "klcal._kernels.blum_mansour",
        "klcal._kernels.compiling",
        "klcal.measures",
        "klcal.losses._forms",
    } <= names
    assert not any(name.startswith(("klcal.claims", "klcal.figures", "numpy")) for name in names)


def test_one_changed_byte_in_a_source_changes_the_fingerprint(monkeypatch, tmp_path):
    copies = {}
    for name, path in sources.source_files(play_game.__module__).items():
        copies[name] = tmp_path / f"{name}.py"
        copies[name].write_bytes(path.read_bytes())
    monkeypatch.setattr(sources, "source_files", lambda module: copies)
    fresh = sources.fingerprint.__wrapped__
    before = fresh(play_game.__module__)
    assert fresh(play_game.__module__) == before == sources.fingerprint(play_game.__module__)
    for path in copies.values():
        whole = path.read_bytes()
        path.write_bytes(whole + b"#")
        assert fresh(play_game.__module__) != before
        path.write_bytes(whole)


@pytest.mark.parametrize("part", ["python", "numpy", "numba", "platform"])
def test_another_version_changes_the_fingerprint(monkeypatch, part):
    before = sources.fingerprint(play_game.__module__)
    other = {**sources.versions(), part: "another"}
    monkeypatch.setattr(sources, "versions", lambda: other)
    assert sources.fingerprint.__wrapped__(play_game.__module__) != before


def test_a_package_edited_after_loading_is_noticed(monkeypatch):
    path = Path(importlib.import_module("klcal.measures").__file__).resolve()
    monkeypatch.setitem(sources._LOADED, path, "another")
    with pytest.raises(RuntimeError, match=r"klcal\.measures changed on disk after it was loaded"):
        sources.fingerprint.__wrapped__(play_game.__module__)


@pytest.fixture
def outside(monkeypatch, tmp_path):
    """A measure outside the package, with a helper; edit a file and start anew as another process would."""
    (tmp_path / "outer_helper.py").write_text("def offset():\n    return 1\n")
    (tmp_path / "outer_measure.py").write_text(
        "import outer_helper\n\ndef measure(game):\n    return {'x': game.T + outer_helper.offset()}\n"
    )
    monkeypatch.syspath_prepend(tmp_path)

    def load(restart=True):
        if restart:
            for name in ("outer_helper", "outer_measure"):
                sys.modules.pop(name, None)
        importlib.invalidate_caches()
        sources.fingerprint.cache_clear()
        return importlib.import_module("outer_measure").measure

    yield load
    for name in ("outer_helper", "outer_measure"):
        sys.modules.pop(name, None)
    sources.fingerprint.cache_clear()
    sources._is_library.cache_clear()


@pytest.mark.parametrize("restart", [True, False], ids=["new process", "same process"])
def test_no_stale_result_comes_back_after_a_helper_has_changed(outside, tmp_path, restart):
    cache = tmp_path / "cache"
    assert sweep(LINE[:1], executor="serial", cache=cache, measure=outside())["x"][0] == 11
    (tmp_path / "outer_helper.py").write_text("def offset():\n    return 22222\n")
    # A process that has loaded the old helper still runs it, and must not store that under the new source.
    expected = 22232 if restart else 11
    assert sweep(LINE[:1], executor="serial", cache=cache, measure=outside(restart))["x"][0] == expected
    assert sweep(LINE[:1], executor="serial", cache=cache, measure=outside())["x"][0] == 22232


def test_fingerprints_follow_relative_imports(monkeypatch, tmp_path):
    package = tmp_path / "outer_package"
    package.mkdir()
    (package / "__init__.py").write_text("from . import two\n")
    (package / "one.py").write_text(
        "from .two import x\nfrom . import three\nimport numpy.linalg\nimport json\n"
    )
    (package / "two.py").write_text("x = 1\n")
    (package / "three.py").write_text("import nothing_of_that_name\n")
    monkeypatch.syspath_prepend(tmp_path)
    found = set(sources.source_files("outer_package.one"))
    assert found == {"outer_package", "outer_package.one", "outer_package.two", "outer_package.three"}


def test_loaded_code_is_seen_through_nested_functions_and_constants():
    def make(text):
        scope = {}
        exec(text, scope)
        return sources._code_parts(scope["f"].__code__)

    base = "def f(x):\n    def g(): return {}\n    return x in {{1, 2}} and g()"
    assert make(base.format(1)) == make("\n\n" + base.format(1))  # another line, the same code
    assert make(base.format(1)) != make(base.format(2))


def test_the_arithmetic_of_a_machine_is_one_short_word():
    assert sources.arithmetic() == sources.arithmetic.__wrapped__()
    assert len(sources.arithmetic()) == 16
