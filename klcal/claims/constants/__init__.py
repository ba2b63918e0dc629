"""Claims on explicit constants: every right-hand side of Sections 4 to 6, and where its constants come from.

`of_resolution`, `of_horizon` and `vacuous` set the right-hand sides in tables for the chapter.
"""

from __future__ import annotations

from klcal.claims.constants import fine_print, theorem_1, theorem_2, theorem_3
from klcal.claims.constants.evaluated import of_horizon, of_resolution, vacuous

__all__ = ["fine_print", "of_horizon", "of_resolution", "theorem_1", "theorem_2", "theorem_3", "vacuous"]
