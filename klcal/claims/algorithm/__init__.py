"""Claims of chapter 5: Algorithms 1 and 2, Theorem 2, what rounding does in a game, the horizon, the work.

One module per topic; `CLAIMS` holds them in the order of the chapter.
"""

from __future__ import annotations

from klcal.claims._legacy import Claim
from klcal.claims.algorithm import learner, mixture, observed, schemes, theorem

CLAIMS: tuple[Claim, ...] = (
    *learner.CLAIMS,
    *schemes.CLAIMS,
    *mixture.CLAIMS,
    *theorem.CLAIMS,
    *observed.CLAIMS,
)
