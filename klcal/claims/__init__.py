"""The ledger of claims: every checkable statement of the paper, its evidence and its control.

A status is derived from running the check, never typed. See `Claim`.
"""

from __future__ import annotations

from importlib import import_module

from klcal.claims._catalogue import catalogue
from klcal.claims._errata import errata, errata_counts, slips
from klcal.claims._evidence import KINDS, SCOPES, ClaimFailed, Evidence, Scope
from klcal.claims._glance import at_a_glance, by_chapter, by_evidence
from klcal.claims._graph import graph, legend
from klcal.claims._ledger import REGISTRY, SEVERITIES, STATUSES, Chapter, Check, Claim, Verdict, verdict
from klcal.claims._proofs import machine_checked, theorem, walkthrough
from klcal.claims._render import show, table
from klcal.claims._stored import counts, drift, recalled, store, stored, stored_evidence

# Each enters its claims; the order is that of the ledger.
for _chapter in (
    "losses_and_calibration",
    "bregman",
    "grids",
    "existence",
    "constants",
    "algorithm",
    "all_losses",
    "high_probability",
    "exact_games",
    "explicit",
    "comparisons",
    "tree",
    "lower",
    "real_data",
    "_cited_proofs",
):
    import_module(f"klcal.claims.{_chapter}")

__all__ = [
    "KINDS",
    "REGISTRY",
    "SCOPES",
    "SEVERITIES",
    "STATUSES",
    "Chapter",
    "Check",
    "Claim",
    "ClaimFailed",
    "Evidence",
    "Scope",
    "Verdict",
    "at_a_glance",
    "by_chapter",
    "by_evidence",
    "catalogue",
    "counts",
    "drift",
    "errata",
    "errata_counts",
    "graph",
    "legend",
    "machine_checked",
    "recalled",
    "show",
    "slips",
    "store",
    "stored",
    "stored_evidence",
    "table",
    "theorem",
    "verdict",
    "walkthrough",
]
