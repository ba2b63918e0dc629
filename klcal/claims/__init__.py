"""The ledger of claims: every checkable statement of the paper, its evidence and its control.

A status is derived from running the check, never typed. See `Claim`.
"""

from __future__ import annotations

from klcal.claims import (
    algorithm,
    all_losses,
    bregman,
    comparisons,
    constants,
    exact_games,
    existence,
    explicit,
    grids,
    high_probability,
    losses_and_calibration,
    recalibration,
)
from klcal.claims._catalogue import catalogue
from klcal.claims._errata import errata, errata_counts, slips
from klcal.claims._glance import at_a_glance, by_chapter
from klcal.claims._graph import graph, legend
from klcal.claims._ledger import (
    KINDS,
    REGISTRY,
    SEVERITIES,
    STATUSES,
    Claim,
    ClaimFailed,
    Evidence,
    Verdict,
)
from klcal.claims._report import counts, show, table, verdict
from klcal.claims._stored import drift, store, stored, stored_counts

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
    comparisons,
    recalibration,
):
    REGISTRY.add(*_module.CLAIMS)

__all__ = [
    "KINDS",
    "REGISTRY",
    "SEVERITIES",
    "STATUSES",
    "Claim",
    "ClaimFailed",
    "Evidence",
    "Verdict",
    "at_a_glance",
    "by_chapter",
    "catalogue",
    "counts",
    "drift",
    "errata",
    "errata_counts",
    "graph",
    "legend",
    "show",
    "slips",
    "store",
    "stored",
    "stored_counts",
    "table",
    "verdict",
]
