"""Which claims rest on a machine-checked proof, and on which theorem of ``proofs/``."""

from __future__ import annotations

from klcal.claims._proofs import proved

proved("thm:bound_pkcal", "Theorem2.theorem2")
