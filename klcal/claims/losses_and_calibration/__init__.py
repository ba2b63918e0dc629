"""Claims of chapter 1: calibration errors and proper losses.

One module per topic; `CLAIMS` holds them in the order of the chapter.
"""

from __future__ import annotations

from klcal.claims._legacy import Claim
from klcal.claims.losses_and_calibration import calibration, proper_losses

CLAIMS: tuple[Claim, ...] = (*calibration.CLAIMS, *proper_losses.CLAIMS)
