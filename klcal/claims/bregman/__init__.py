"""Claims of Section 3 and Appendix A: swap regret is a Bregman divergence, and what follows from that."""

from __future__ import annotations

# isort: off
# The order is that of the ledger.
from klcal.claims.bregman import swap_regret, growth, smooth, slow_loss, supremum  # noqa: F401
