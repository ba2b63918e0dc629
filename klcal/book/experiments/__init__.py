"""Many games, and the tables of what was measured in them; every seed is spawned here.

`stored` reads a stored table, `sweep` makes new ones: in one process, in several, or on a Dask cluster, resumable, with
the same result everywhere. Tables are data frames of pandas, one row per game, or several.
"""

from __future__ import annotations

from klcal import _checks

with _checks.extra("figures"):
    from klcal.book.experiments.game import Game, games, seeds
    from klcal.book.experiments.measuring import measure_regrets, play_game
    from klcal.book.experiments.studies import STUDIES, stored
    from klcal.book.experiments.sweeping import GameFailed, process_pool, sweep
