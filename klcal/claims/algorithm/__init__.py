"""Claims of chapter 5: Algorithms 1 and 2, Theorem 2, what rounding does in a game, the horizon, the work."""

from __future__ import annotations

from klcal.claims.algorithm import games, linear_rounding, observed

__all__ = ["games", "linear_rounding", "observed"]
