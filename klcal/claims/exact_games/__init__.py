"""Claims of chapter 9: the finite game solved exactly.

One module per topic; `CLAIMS` holds them in the order of the chapter. `values` and `as_table` make its tables.
"""

from __future__ import annotations

from klcal.claims._legacy import Claim
from klcal.claims.exact_games import enclosures, matrix_games, observed, pair, realised
from klcal.claims.exact_games.tables import as_table, values

CLAIMS: tuple[Claim, ...] = (
    *matrix_games.CLAIMS,
    *enclosures.CLAIMS,
    *realised.CLAIMS,
    *pair.CLAIMS,
    *observed.CLAIMS,
)

__all__ = ["CLAIMS", "as_table", "values"]
