"""Claims on explicit constants: every right-hand side of Sections 4 to 6 rebuilt from the steps of its proof.

One module per section; `CLAIMS` holds them in the order of the chapter. `of_resolution`, `of_horizon` and `vacuous`
evaluate the right-hand sides for it.
"""

from __future__ import annotations

from klcal.claims._legacy import Claim
from klcal.claims.constants import algorithm, existence, fine_print, high_probability
from klcal.claims.constants.evaluated import last_vacuous, of_horizon, of_resolution, vacuous

CLAIMS: tuple[Claim, ...] = (
    *existence.CLAIMS,
    *algorithm.CLAIMS,
    *fine_print.CLAIMS,
    *high_probability.CLAIMS,
)

__all__ = ["CLAIMS", "last_vacuous", "of_horizon", "of_resolution", "vacuous"]
