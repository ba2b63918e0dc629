"""Claims on explicit constants: every right-hand side of Sections 4 to 6 rebuilt from the steps of its proof.

One module per section; `CLAIMS` holds them in the order of the chapter.
"""

from __future__ import annotations

from klcal.claims._ledger import Claim
from klcal.claims.constants import algorithm, existence, fine_print, high_probability

CLAIMS: tuple[Claim, ...] = (
    *existence.CLAIMS,
    *algorithm.CLAIMS,
    *fine_print.CLAIMS,
    *high_probability.CLAIMS,
)
