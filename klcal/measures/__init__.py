r"""Calibration measures and regrets, each one functional of `Cells`.

Realised cells give KLCal, Cal and SReg, expected cells PKLCal, PCal and PSReg. All are sums over rounds, as
in the paper, not averages.
"""

from __future__ import annotations

from klcal.measures.bands import Band, consistency_band
from klcal.measures.cells import Cells
from klcal.measures.coins import Coins
from klcal.measures.errors import (
    calibration_bounds,
    calibration_error,
    cell_regrets,
    external_regret,
    kl_calibration,
    murphy_resolution,
    swap_regret,
    swap_savings,
    total_loss,
)
from klcal.measures.profiles import VProfile, v_profile
from klcal.measures.suprema import (
    max_external_regret,
    max_swap_regret,
    regret_ladder,
    straddling_mass,
    worst_external_loss,
    worst_swap_loss,
)

__all__ = [
    "Band",
    "Cells",
    "Coins",
    "VProfile",
    "calibration_bounds",
    "calibration_error",
    "cell_regrets",
    "consistency_band",
    "external_regret",
    "kl_calibration",
    "max_external_regret",
    "max_swap_regret",
    "murphy_resolution",
    "regret_ladder",
    "straddling_mass",
    "swap_regret",
    "swap_savings",
    "total_loss",
    "v_profile",
    "worst_external_loss",
    "worst_swap_loss",
]
