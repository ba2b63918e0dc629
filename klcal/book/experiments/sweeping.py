"""Many games: in one process, in several, or on a cluster, with the same result."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from klcal import _checks
from klcal.book.experiments._cache import Cache, identity
from klcal.book.experiments.game import Game
from klcal.book.experiments.measuring import play_game

if TYPE_CHECKING:
    import pandas as pd

#: What is measured in a game: one row, or several.
Measure = Callable[[Game], Mapping[str, Any] | list[dict[str, Any]]]
#: Rows of one game, and the seconds it took.
Result = dict[str, Any]


class GameFailed(RuntimeError):
    """A game of a sweep raised an error; `game` says which. What had finished is in the cache."""

    def __init__(self, game: Game, error: BaseException) -> None:
        reason = f"{type(error).__name__}: {error}"
        died = isinstance(error, BrokenExecutor)
        super().__init__(
            f"a worker died, perhaps not because of {game}: {reason}; a script that sweeps needs "
            'if __name__ == "__main__":'
            if died
            else f"{game} failed: {reason}"
        )
        self.game, self.error = game, error

    def __reduce__(self) -> tuple[type[GameFailed], tuple[Game, BaseException]]:
        return GameFailed, (self.game, self.error)


def sweep(
    games: Iterable[Game],
    *,
    executor: Executor | str | None = None,
    cache: str | os.PathLike[str] | None = None,
    progress: bool | str = True,
    measure: Measure = play_game,
) -> pd.DataFrame:
    """Play games and return a tidy table: the columns of each game, then what was measured.

    The table does not depend on the executor, on the order in which games finish, or on the cache.

    Parameters
    ----------
    games : iterable of Game
        What to play, at least one game; see `klcal.book.experiments.games`.
    executor : None, "serial" or concurrent.futures.Executor
        Where to play. By default in a pool of processes, one per available core; "serial" is this process. A Dask
        cluster offers its own: ``distributed.Client(...).get_executor()``. An executor that is given stays open.
    cache : path, optional
        A folder in which every finished game is stored at once. Another sweep, after an error or a kill, starts from
        there. A result is used again only if the game, the measure, this package, the versions of Python and of the
        numerical libraries, and the Python files in the folders of your own players and measures are the same.
    progress : bool or str
        Show a progress bar on stderr if that is a terminal; a text is its label.
    measure : callable
        A function of one game that returns a dictionary, or a list of them for several rows, or a
        ``functools.partial`` of one. It must be importable by its name, except in "serial" sweeps without a cache. By
        default `play_game`.

    Returns
    -------
    pandas.DataFrame
        Rows in the order of `games`; ``attrs["seconds"]`` is the time that the games took.

    Examples
    --------
    >>> from klcal.book.experiments import games
    >>> table = sweep(games(adversary="zeros", T=[10, 100]), executor="serial")
    >>> table[["T", "K", "points", "used"]]
         T  K  points  used
    0   10  2       3     2
    1  100  3       4     3
    """
    import pandas as pd

    wanted = list(games)
    if not wanted or not all(isinstance(game, Game) for game in wanted):
        raise _checks.complaint("games", "hold at least one Game, and nothing else", wanted[:3])
    store = None if cache is None else Cache(cache, measure)
    results: dict[Game, Result] = {}
    if store is not None:
        found = {game: store.load(game) for game in dict.fromkeys(wanted)}
        results = {game: result for game, result in found.items() if result is not None}
    # The longest first, so that no core waits for one long game at the end.
    missing = sorted((g for g in dict.fromkeys(wanted) if g not in results), key=lambda g: -g.T)
    label, hidden = progress if isinstance(progress, str) else "games", True if progress is False else None
    with tqdm(
        total=len(missing) + len(results), initial=len(results), desc=label, unit="game", disable=hidden
    ) as bar:
        for game, result in _finished(missing, executor, measure):
            if store is not None:
                store.save(game, result)
            results[game] = result
            bar.update()
    rows = [{**game.row(), **row} for game in wanted for row in results[game]["rows"]]
    for row in rows:
        if list(row) != list(rows[0]):
            raise _checks.complaint("measure", f"always return the columns {list(rows[0])}", list(row))
    table = pd.DataFrame(rows)
    table.attrs["seconds"] = round(sum(results[game]["seconds"] for game in wanted), 1)
    return table


def process_pool(jobs: int | None = None) -> ProcessPoolExecutor:
    """Return a pool of fresh processes that end with this one, even if it is killed.

    Parameters
    ----------
    jobs : int, optional
        Number of processes; by default one per core that this process may use.

    Returns
    -------
    concurrent.futures.ProcessPoolExecutor

    Examples
    --------
    >>> with process_pool(2) as pool:
    ...     pool.submit(abs, -1).result()
    1
    """
    jobs = available_cores() if jobs is None else _checks.integer("jobs", jobs, least=1)
    fresh = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(jobs, mp_context=fresh, initializer=_end_with_parent)


def available_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def measured_rows(measure: Measure, game: Game) -> list[dict[str, Any]]:
    """Return what a measure says of a game, as rows of plain Python values."""
    found = measure(game)
    rows = [found] if isinstance(found, Mapping) else found
    return [{key: _scalar(key, value) for key, value in row.items()} for row in rows]


def _scalar(key: str, value: Any) -> int | float | bool | str:
    scalar = value.item() if hasattr(value, "item") else value
    if not isinstance(scalar, (int, float, str)):
        raise TypeError(f"measure must return numbers, truth values and text; got {scalar!r} for {key!r}")
    return scalar


def _end_with_parent() -> None:
    """Let a worker end when its parent is gone: a killed parent cannot say goodbye."""
    parent = multiprocessing.parent_process()

    def stay() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=stay, daemon=True).start()


def _finished(
    games: list[Game], executor: Executor | str | None, measure: Measure
) -> Iterator[tuple[Game, Result]]:
    """Yield games with their results as they finish."""
    if executor == "serial":
        for game in games:
            try:
                result = _timed(measure, game)
            except Exception as error:
                raise GameFailed(game, error) from error
            yield game, result
        return
    if executor is not None and not isinstance(executor, Executor):
        raise _checks.complaint("executor", "be None, 'serial' or an Executor", executor)
    for game in games:
        identity(measure, game)  # other processes import what they play
    if not games:
        return
    if executor is not None:
        yield from _collected(games, executor, measure)
        return
    with process_pool(min(available_cores(), len(games))) as pool:
        yield from _collected(games, pool, measure)


def _collected(games: list[Game], pool: Executor, measure: Measure) -> Iterator[tuple[Game, Result]]:
    """Yield results of a pool; after an error, those of games that run already, and then raise it."""
    waiting: dict[Future[Result], Game] = {}
    failure: GameFailed | None = None
    try:
        waiting = {pool.submit(_timed, measure, game): game for game in games}
        pending = set(waiting)
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                error = future.exception()
                if error is None:
                    yield waiting[future], future.result()
                else:
                    failure = failure or GameFailed(waiting[future], error)
            if failure is not None:
                # Not every executor reports what it cancelled, so none of these is waited for.
                pending = {future for future in pending if not future.cancel()}
    finally:
        for future in waiting:
            future.cancel()
    if failure is not None:
        raise failure from failure.error


def _timed(measure: Measure, game: Game) -> Result:
    start = time.process_time()  # of this process alone: what else runs on the machine does not count
    rows = measured_rows(measure, game)
    return {"rows": rows, "seconds": time.process_time() - start}
