"""What a forecast costs: proper losses, their univariate forms and divergences (Sections 2 and 3)."""

from __future__ import annotations

from klcal.losses._forms import UnivariateForm
from klcal.losses.checking import check
from klcal.losses.proper import (
    LOSSES,
    ProperLoss,
    log,
    mixture_of_v,
    random_proper_loss,
    spherical,
    squared,
    stepped,
    tsallis,
    v_shaped,
)

__all__ = [
    "LOSSES",
    "ProperLoss",
    "UnivariateForm",
    "check",
    "log",
    "mixture_of_v",
    "random_proper_loss",
    "spherical",
    "squared",
    "stepped",
    "tsallis",
    "v_shaped",
]
