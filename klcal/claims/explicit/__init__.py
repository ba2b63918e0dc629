"""Claims of chapter 8: explicit algorithms for KLCal, in expectation and with high probability.

One module per theorem; `CLAIMS` holds them in the order of the chapter.
"""

from __future__ import annotations

from klcal.claims._legacy import Claim
from klcal.claims.explicit import betting, experts, games, limits, measured, rates, realised, transfer

CLAIMS: tuple[Claim, ...] = (
    *realised.CLAIMS[:2],
    *betting.CLAIMS,
    *games.CLAIMS[:1],
    *rates.CLAIMS,
    *games.CLAIMS[1:2],
    *experts.CLAIMS,
    *transfer.CLAIMS,
    *realised.CLAIMS[2:],
    *limits.CLAIMS,
    *games.CLAIMS[2:],
    *measured.CLAIMS,
)
