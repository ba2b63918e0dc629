"""Claims on Section 4: Freedman's inequality, the minimax step, the dual game, Theorem 1 and Corollary 1.

One module per step of the proof; `CLAIMS` holds them in the order of the chapter. `parts_table` evaluates the summands
of Theorem 1 for it, `tail_curve` an exact tail, `moment_over_bound` an exponential moment, and `value_between` what
both players of a tiny game can guarantee.
"""

from __future__ import annotations

from klcal.claims._legacy import Claim
from klcal.claims.existence import answers, dual, freedman, minmax, printed, steps, tail, theorem
from klcal.claims.existence.freedman import tail_curve
from klcal.claims.existence.minmax import value_between
from klcal.claims.existence.printed import parts, parts_table
from klcal.claims.existence.tail import moment_over_bound

CLAIMS: tuple[Claim, ...] = (
    *minmax.CLAIMS,
    *freedman.CLAIMS,
    *steps.CLAIMS,
    *printed.CLAIMS,
    *answers.CLAIMS,
    *dual.CLAIMS,
    *tail.CLAIMS,
    *theorem.CLAIMS,
)

__all__ = ["CLAIMS", "moment_over_bound", "parts", "parts_table", "tail_curve", "value_between"]
