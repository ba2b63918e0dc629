"""`Study`: a named sweep whose table is part of the package, can be read in a moment and made again from nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from klcal.experiments.game import Game
from klcal.experiments.measuring import play_game
from klcal.experiments.sweeping import Measure, _measure_game, sweep
from klcal.experiments.table import Table


@dataclass(frozen=True)
class Study:
    """A list of games and what to measure in each.

    Parameters
    ----------
    name : str
        Name of its table.
    description : str
        One sentence: what varies, what is measured.
    games : tuple of Game
        What is played, in the order of the rows.
    root : int
        Entropy of all seeds.
    measure : callable
        What is measured, as for `sweep`.

    Examples
    --------
    >>> from klcal.experiments import games, seeds
    >>> study = Study(
    ...     "tiny",
    ...     "Two coins.",
    ...     games(adversary="fair coin", T=10, seed=seeds(2, root=7)),
    ...     7,
    ... )
    >>> study.play(executor="serial")["seed"]
    array(['7/0', '7/1'], dtype='<U3')
    """

    name: str
    description: str
    games: tuple[Game, ...]
    root: int
    measure: Measure = play_game

    def __post_init__(self) -> None:
        for game in self.games:
            if game.seed[0] != self.root:
                raise ValueError(f"games must have seeds spawned from {self.root}; got {game}")

    def play(
        self, *, executor: Executor | str | None = None, cache: str | os.PathLike[str] | None = None
    ) -> Table:
        """Play all games and return the table with its provenance; see `sweep`.

        Parameters
        ----------
        executor, cache
            As for `sweep`.

        Returns
        -------
        Table
        """
        table = sweep(self.games, executor=executor, cache=cache, progress=self.name, measure=self.measure)
        origin = {
            "study": self.name,
            "description": self.description,
            "command": f"python -m klcal tables {self.name}",
            "root": self.root,
        }
        return Table(table.data, {**origin, **table.provenance})


def stored(name: str) -> Table:
    """Return the committed table of a study; its checksum is compared first.

    Parameters
    ----------
    name : str
        A name in `STUDIES`.

    Returns
    -------
    Table
        Its ``provenance`` says how and with which versions it was made.

    Examples
    --------
    >>> stored("rate").where(adversary="zeros", T=1000).unique("K")
    [6]
    """
    folder = resources.files("klcal.experiments") / "tables"
    if not (folder / f"{name}.csv").is_file():
        raise ValueError(f"name must be that of a stored table; got {name!r}")
    text, provenance = ((folder / f"{name}.{kind}").read_bytes().decode() for kind in ("csv", "json"))
    return Table.from_csv(text, json.loads(provenance))


def tables_folder() -> Path:
    """Return the folder of the committed tables.

    Examples
    --------
    >>> tables_folder().name
    'tables'
    """
    return Path(str(resources.files("klcal.experiments"))) / "tables"


def replayed(table: Table, rows: Iterable[int], measure: Measure) -> Table:
    """Play the games of some rows again, each from what its row says about it.

    Parameters
    ----------
    table : Table
        A table of `sweep`.
    rows : iterable of int
        Numbers of rows.
    measure : callable
        What was measured.

    Returns
    -------
    Table
        The same rows, computed anew: equal to ``table.take(rows)`` if all is well.

    Examples
    --------
    >>> from klcal.experiments import games
    >>> table = sweep(
    ...     games(adversary=["fair coin", "border"], T=[10, 100]), executor="serial"
    ... )
    >>> replayed(table, [3, 0], play_game) == table.take([3, 0])
    True
    """
    everything = table.rows()
    results: dict[Game, list[dict[str, Any]]] = {}
    found = []
    for index in rows:
        game = Game.from_row(everything[index])
        if game not in results:
            results[game] = _measure_game(measure, game).rows
        found.append({**game.row(), **results[game][_offset(everything, index)]})
    return Table.from_rows(found)


def differences(old: Table, new: Table) -> list[str]:
    """Say in which columns two tables differ, how far and where first; nothing if they are equal bit for bit.

    Parameters
    ----------
    old, new : Table
        What is stored, and what was computed now.

    Returns
    -------
    list of str
        One sentence per column that differs.

    Examples
    --------
    >>> old = Table({"T": [10, 20], "kl": [1.0, 2.0]})
    >>> differences(old, Table({"T": [10, 20], "kl": [1.0, 2.5]}))
    ['kl differs in 1 of 2 rows, first in row 1: 2.0 became 2.5']
    >>> differences(old, old.take([0]))
    ['2 rows became 1']
    """
    if old.columns != new.columns:
        return [f"columns {old.columns} became {new.columns}"]
    if len(old) != len(new):
        return [f"{len(old)} rows became {len(new)}"]
    found = []
    for name in old.columns:
        if old.select(name) == new.select(name):
            continue
        pairs = list(zip(map(repr, old[name].tolist()), map(repr, new[name].tolist()), strict=True))
        bad = [index for index, (before, after) in enumerate(pairs) if before != after]
        before, after = pairs[bad[0]]
        rows = f"{len(bad)} of {len(old)} rows, first in row {bad[0]}"
        found.append(f"{name} differs in {rows}: {before} became {after}")
    return found


def _offset(rows: list[Mapping[str, Any]] | list[dict[str, Any]], index: int) -> int:
    """Return which of the rows of its game a row is: rows of one game stand together."""
    game, first = Game.from_row(rows[index]), index
    while first > 0 and Game.from_row(rows[first - 1]) == game:
        first -= 1
    return index - first
