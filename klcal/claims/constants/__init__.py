"""Claims on explicit constants: every right-hand side of Sections 4 to 6, and the steps that its constants come from."""

from __future__ import annotations

from klcal.claims.constants import fine_print, theorem_1, theorem_2, theorem_3

__all__ = ["fine_print", "theorem_1", "theorem_2", "theorem_3"]
