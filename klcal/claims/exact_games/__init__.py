"""Claims of chapter 9: the finite game solved exactly. `as_table` shows its values."""

from __future__ import annotations

# isort: off
# The order is that of the ledger.
from klcal.claims.exact_games import matrix_games, enclosures, algorithms, observed  # noqa: F401
from klcal.claims.exact_games.tables import as_table

__all__ = ["as_table"]
