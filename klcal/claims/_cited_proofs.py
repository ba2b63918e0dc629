"""Which claims rest on a machine-checked proof, and on which theorem of ``proofs/``."""

from __future__ import annotations

from klcal.claims._proofs import proved

proved("thm:bound_pkcal", "Theorem2.theorem2")
proved("alg:BM_log_loss", "Theorem2.algorithm1_is_causal")
proved("new:pair", "TheoremA.theoremA")
