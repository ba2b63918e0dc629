"""Claims of chapter 3: the grids, the rounding, the comparator error and the learner EWOO.

One module per topic; `CLAIMS` holds them in the order of the chapter.
"""

from __future__ import annotations

from klcal.claims._legacy import Claim
from klcal.claims.grids import comparator, discretization, ewoo, remark, rounding

CLAIMS: tuple[Claim, ...] = (
    *discretization.CLAIMS,
    *comparator.CLAIMS,
    *ewoo.CLAIMS,
    *rounding.CLAIMS,
    *remark.CLAIMS,
)
