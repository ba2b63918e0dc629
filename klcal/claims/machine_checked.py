"""Which claims rest on a machine-checked proof, and on which theorem of ``proofs/``."""

from __future__ import annotations

from klcal.claims._proofs import proved

proved("lem:EWOO_regret_bound", "Lemma4.lemma4")
proved("thm:bound_pkcal", "Theorem2.theorem2")
proved("new:pair", "TheoremA.theoremA")
