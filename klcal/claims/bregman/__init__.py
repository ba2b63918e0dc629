"""Claims of Section 3 and Appendix A: swap regret is a Bregman divergence, and what follows from that."""

from __future__ import annotations

from klcal.claims._legacy import Claim
from klcal.claims.bregman import growth, slow_loss, smooth, supremum, swap_regret  # noqa: F401

CLAIMS: tuple[Claim, ...] = (
    *swap_regret.CLAIMS,
    *growth.CLAIMS,
    *slow_loss.CLAIMS,
    *supremum.CLAIMS,
)
