"""Many games, and the tables of what was measured in them; every seed is spawned here.

`stored` reads a stored table, `sweep` makes new ones: in one process, in several, or on a Dask cluster, resumable, with
the same result everywhere. Tables are data frames of pandas, one row per game, or several.
"""

from __future__ import annotations

from klcal import _checks

with _checks.extra("figures"):
    from klcal.book.experiments.game import Game as Game
    from klcal.book.experiments.game import games as games
    from klcal.book.experiments.game import seeds as seeds
    from klcal.book.experiments.measuring import measure_regrets as measure_regrets
    from klcal.book.experiments.measuring import play_game as play_game
    from klcal.book.experiments.studies import STUDIES as STUDIES
    from klcal.book.experiments.studies import stored as stored
    from klcal.book.experiments.sweeping import GameFailed as GameFailed
    from klcal.book.experiments.sweeping import process_pool as process_pool
    from klcal.book.experiments.sweeping import sweep as sweep
