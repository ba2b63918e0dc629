"""Claims of chapter 9: the finite game solved exactly."""

from __future__ import annotations

# isort: off
# The order is that of the ledger.
from klcal.claims.exact_games import matrix_games, enclosures, algorithms, observed

__all__ = ["algorithms", "enclosures", "matrix_games", "observed"]
