"""The adversary of the lower bound with small constants against the forecasters of the book. Nothing here is proved."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from klcal.adversaries import Constants, Staircase
from klcal.experiments.table import Table
from klcal.forecasters.reduction import Forecaster
from klcal.games import TruthGame, play_against_truths
from klcal.measures import calibration_error, kl_calibration


class StaircaseGame(NamedTuple):
    """A finished game and the adversary as it is at the end."""

    game: TruthGame
    adversary: Staircase

    @property
    def signs(self) -> list[tuple[int, float, str]]:
        """When each sign was counted, the middle of its cell, and the sign; erased ones included."""
        borders = self.adversary.constants.borders()
        marks = {"plus": "+", "minus": "-"}
        return [
            (event.rounds, (borders[event.cell - 1] + borders[event.cell]) / 2.0, marks[event.kind])
            for event in self.adversary.events
            if event.kind in marks
        ]


def play_staircase(constants: Constants, T: int, algorithm: str, *, rng: int = 0) -> StaircaseGame:
    """Play T rounds of the adversary against one algorithm, tuned to T where it needs a horizon.

    Parameters
    ----------
    constants : Constants
        Of the adversary.
    T : int
        Number of rounds.
    algorithm : str
        As in `klcal.Forecaster`.
    rng : int
        Seed, from which both players get one of their own.

    Returns
    -------
    StaircaseGame
        Game and adversary.

    Examples
    --------
    >>> result = play_staircase(
    ...     Constants(k=1, windows=2, theta=2.0, patience=50, freeze=9.0), 40, "tree"
    ... )
    >>> result.adversary.state, result.signs
    ('finished', [(13, 0.3125, '+')])
    """
    forecaster_seed, outcome_seed = np.random.SeedSequence(rng).spawn(2)
    horizon = None if algorithm.startswith("tree") else T
    forecaster = Forecaster(horizon, algorithm=algorithm, rng=np.random.default_rng(forecaster_seed))
    adversary = Staircase(constants)
    game = play_against_truths(forecaster, adversary, T, rng=np.random.default_rng(outcome_seed))
    return StaircaseGame(game, adversary)


def staircase_table(
    constants: Sequence[Constants],
    T: int,
    algorithms: Sequence[str] = ("paper", "pair", "tree"),
    *,
    rng: int = 0,
) -> Table:
    """Return what happened in one game of every algorithm against every adversary.

    Parameters
    ----------
    constants : sequence of Constants
        One adversary each.
    T : int
        Number of rounds.
    algorithms : sequence of str
        As in `klcal.Forecaster`.
    rng : int
        Seed of every game.

    Returns
    -------
    Table
        ``k``, ``freeze`` (the level), ``algorithm``, ``end`` (how it ended), ``rounds`` (until then), ``signs``
        (counted at the end), ``share`` (what their cells cost at the end), ``cal_2`` and ``klcal``.

    Examples
    --------
    >>> table = staircase_table(
    ...     [Constants(k=1, windows=2, theta=2.0, patience=50, freeze=9.0)],
    ...     40,
    ...     ["tree"],
    ... )
    >>> table["end"].tolist(), table["signs"].tolist()
    (['finished'], [1])
    """
    return Table.from_rows(
        _row(each, algorithm, play_staircase(each, T, algorithm, rng=rng))
        for each in constants
        for algorithm in algorithms
    )


def _row(constants: Constants, algorithm: str, result: StaircaseGame) -> dict[str, object]:
    adversary, cells = result.adversary, result.game.cells
    counted = [*adversary.pluses, *adversary.minuses]
    return {
        "k": constants.k,
        "freeze": constants.freeze,
        "algorithm": algorithm,
        "end": adversary.state,
        "rounds": adversary.events[-1].rounds if adversary.state != "running" else len(result.game.truths),
        "signs": len(counted),
        "share": math.fsum(adversary.cost(cell) for cell in counted),
        "cal_2": calibration_error(cells, 2),
        "klcal": kl_calibration(cells),
    }
