"""The ledger of claims: every checkable statement of the paper, its evidence and its control.

A status is derived from running the check, never typed. See `Claim`.
"""

from __future__ import annotations

from klcal.claims import (
    algorithm,
    all_losses,
    bregman,
    constants,
    exact_games,
    existence,
    explicit,
    grids,
    high_probability,
    losses_and_calibration,
)
from klcal.claims._ledger import KINDS, REGISTRY, STATUSES, Claim, ClaimFailed, Evidence, Verdict
from klcal.claims._report import counts, show, table, verdict

for _module in (
    losses_and_calibration,
    bregman,
    grids,
    existence,
    constants,
    algorithm,
    all_losses,
    high_probability,
    exact_games,
    explicit,
):
    REGISTRY.add(*_module.CLAIMS)

__all__ = [
    "KINDS",
    "REGISTRY",
    "STATUSES",
    "Claim",
    "ClaimFailed",
    "Evidence",
    "Verdict",
    "counts",
    "show",
    "table",
    "verdict",
]
