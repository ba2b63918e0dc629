"""Claims on all losses at once: suprema over classes of losses, and Corollary 2 term by term."""

from __future__ import annotations

from klcal.claims._legacy import Claim
from klcal.claims.all_losses import corollary, envelope, grid, ladder, smooth

CLAIMS: tuple[Claim, ...] = (
    *envelope.CLAIMS,
    *smooth.CLAIMS,
    *ladder.CLAIMS,
    *grid.CLAIMS,
    *corollary.CLAIMS,
)
