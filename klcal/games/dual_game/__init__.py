r"""The dual game of Section 4: the adversary first announces the probability of outcome 1, then the forecast is made.

Von Neumann's theorem (``thm:von_neumann``) exchanges the players, so the forecaster of the proof of
``thm:log_loss_swap_reg`` knows :math:`\tilde p_t = \mathbb E_t[y_t]` and answers with the nearest grid point. The paper
measures nearness by distance; two other ways to measure it are here beside it.
"""

from __future__ import annotations

from klcal.bounds import theorem_1_paper_K as resolution
from klcal.games.dual_game._announcers import (
    ANNOUNCERS,
    Greedy,
    at_end,
    in_worst_cell,
    round_the_borders,
    sweep,
)
from klcal.games.dual_game._answers import NEAREST, answers, borders
from klcal.games.dual_game._games import DualGames, announcer_costs, expected_kl_calibration, play

__all__ = [
    "ANNOUNCERS",
    "NEAREST",
    "DualGames",
    "Greedy",
    "announcer_costs",
    "answers",
    "at_end",
    "borders",
    "expected_kl_calibration",
    "in_worst_cell",
    "play",
    "resolution",
    "round_the_borders",
    "sweep",
]
