"""Claims of Section 6 and Appendix D: Theorem 3, its proof line by line, Corollary 3, the squared-loss algorithm."""

from __future__ import annotations

# isort: off
# The order is that of the ledger.
from klcal.claims.high_probability import equations, theorem, corollary, squared_loss  # noqa: F401
