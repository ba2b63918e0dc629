"""Claims of chapter 8: explicit algorithms for KLCal, in expectation and with high probability."""

from __future__ import annotations

# isort: off
# The order is that of the ledger.
from klcal.claims.explicit import betting, rates, experts, transfer, realised, limits  # noqa: F401
