r"""The finite game solved exactly by backward induction over realised counts.

The forecaster mixes over a finite grid, the adversary is adaptive: before each round it sees all earlier draws and
names an outcome without seeing the present one. After T rounds the forecaster pays the KL-calibration error of what
was drawn.

- `value` is what the best forecaster pays against the best adversary; `solve` keeps both players' moves;
  `values` makes a table.
- `worst_case` is what an explicit algorithm pays, `fixed_case` what it pays on one sequence of outcomes.
- `dual_worst_case` is what the forecaster in the proof of Theorem 1 (``thm:log_loss_swap_reg``) pays in the dual game.
- `normal_form_value` and `sequence_form_value` compute the value again, as linear programs.
- `sign_game` is another game, the skeleton of a lower bound; it is solved in integers.

All other numbers are float64: correct up to rounding, not certified.
"""

from __future__ import annotations

from klcal.minimax import sign_game
from klcal.minimax.algorithms import RULES, Rule, fixed_case, worst_case, worst_expectation
from klcal.minimax.dual import dual_worst_case, nearest_cells
from klcal.minimax.induction import terminal_values, value
from klcal.minimax.linear_programs import BothSides, normal_form_value, sequence_form_value
from klcal.minimax.solution import OptimalAdversary, OptimalForecaster, Solution, solve
from klcal.minimax.states import StateSpace, cost_table
from klcal.minimax.table import values

__all__ = [
    "RULES",
    "BothSides",
    "OptimalAdversary",
    "OptimalForecaster",
    "Rule",
    "Solution",
    "StateSpace",
    "cost_table",
    "dual_worst_case",
    "fixed_case",
    "nearest_cells",
    "normal_form_value",
    "sequence_form_value",
    "sign_game",
    "solve",
    "terminal_values",
    "value",
    "values",
    "worst_case",
    "worst_expectation",
]
