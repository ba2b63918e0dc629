"""Claims of Section 4 and Appendix B: the minimax step, Lemma 8, the dual game, Theorem 1 and Corollary 1."""

from __future__ import annotations

# isort: off
# The order is that of the ledger.
from klcal.claims.existence import minmax, freedman, printed, answers, dual, tail, theorem  # noqa: F401
