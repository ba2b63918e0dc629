"""Claims of chapter 12: how small calibration can be. None of them is in the paper."""

from __future__ import annotations

# isort: off
# The order is that of the ledger.
from klcal.claims.lower import signs, steps, theorem  # noqa: F401
