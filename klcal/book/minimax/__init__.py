r"""The finite game solved exactly by backward induction over realised counts.

The forecaster mixes over a finite grid, the adversary is adaptive: before each round it sees all earlier draws and
names an outcome without seeing the present one. After T rounds the forecaster pays the KL-calibration error of what
was drawn.

- `value` is what the best forecaster pays against the best adversary; `solve` keeps both players' moves;
  `values` makes a table.
- `worst_case` is what an explicit algorithm pays.
- `dual_worst_case` is what the forecaster in the proof of Theorem 1 (``thm:log_loss_swap_reg``) pays in the dual game.

All numbers are float64: correct up to rounding, not certified.
"""

from __future__ import annotations

from klcal.book.minimax.game import StateSpace as StateSpace
from klcal.book.minimax.game import solve as solve
from klcal.book.minimax.game import value as value
from klcal.book.minimax.game import values as values
from klcal.book.minimax.worst_cases import dual_worst_case as dual_worst_case
from klcal.book.minimax.worst_cases import worst_case as worst_case
