"""Claims of chapter 1: calibration errors and proper losses."""

from __future__ import annotations

from klcal.claims.losses_and_calibration import calibration, proper_losses

__all__ = ["calibration", "proper_losses"]
