"""Claims of chapter 11: the tree, one forecaster without a horizon for KL-calibration and for all bounded losses."""

from __future__ import annotations

# isort: off
# The order is that of the ledger.
from klcal.claims.tree import theorems, plain_coin, steps, expected, loglog, observed  # noqa: F401
