"""Claims of chapter 10: the other forecasters, what they promise and where they break."""

from __future__ import annotations

# isort: off
# The order is that of the ledger.
from klcal.claims.comparisons import followers, neighbours, breaking, arena  # noqa: F401
