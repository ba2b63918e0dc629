"""Many games, and the tables of what was measured in them; every seed is spawned here.

`stored` reads a committed table, `recompute` plays some of its rows again, `sweep` makes new ones: in one process, in
several, or on a Dask cluster, resumable, with the same result everywhere.

Every table has the columns of its games: ``algorithm``, ``adversary``, ``T``, ``K``, ``doubling`` and ``seed``, from
which `Game.from_row` makes the same game again. The measured columns are those of the study's measure: `play_game`,
`watch_game`, `measure_regrets` or another.
"""

from __future__ import annotations

from collections.abc import Iterable

from klcal import _checks
from klcal.experiments.game import Game, games, seeds
from klcal.experiments.measuring import costs, learner_costs, play_game, watch_game
from klcal.experiments.regrets import measure_regrets
from klcal.experiments.staircase import play_staircase, staircase_table
from klcal.experiments.studies import STUDIES
from klcal.experiments.study import Study, differences, replayed, stored, tables_folder
from klcal.experiments.sweeping import GameFailed, available_cores, process_pool, sweep
from klcal.experiments.table import Table

__all__ = [
    "STUDIES",
    "Game",
    "GameFailed",
    "Study",
    "Table",
    "available_cores",
    "costs",
    "differences",
    "games",
    "learner_costs",
    "measure_regrets",
    "play_game",
    "play_staircase",
    "process_pool",
    "recompute",
    "replayed",
    "seeds",
    "staircase_table",
    "stored",
    "sweep",
    "tables_folder",
    "watch_game",
]


def recompute(name: str, rows: Iterable[int]) -> Table:
    """Play the games of some rows of a stored table again.

    Parameters
    ----------
    name : str
        A name in `STUDIES`.
    rows : iterable of int
        Numbers of rows.

    Returns
    -------
    Table
        To be compared with ``stored(name).take(rows)``.

    Examples
    --------
    >>> recompute("rate", [0, 20]) == stored("rate").take([0, 20])
    True
    """
    study = STUDIES[_checks.choice("name", name, STUDIES)]
    return replayed(stored(name), rows, study.measure)
