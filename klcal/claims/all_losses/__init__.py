"""Claims on all losses at once: suprema over classes of losses, and Corollary 2 term by term."""

from __future__ import annotations

# isort: off
# The order is that of the ledger.
from klcal.claims.all_losses import envelope, smooth, ladder, grid, corollary  # noqa: F401
