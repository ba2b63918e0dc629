"""Claims of chapter 10: the other forecasters, what they promise and where they break.

One module per topic; `CLAIMS` holds them in the order of the chapter.
"""

from __future__ import annotations

from klcal.claims._legacy import Claim
from klcal.claims.comparisons import arena, breaking, decomposition, followers, neighbours

CLAIMS: tuple[Claim, ...] = (
    *decomposition.CLAIMS,
    *followers.CLAIMS,
    *neighbours.CLAIMS,
    *breaking.CLAIMS,
    *arena.CLAIMS,
)
