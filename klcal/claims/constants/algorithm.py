"""For modules that are not converted yet."""

from __future__ import annotations

from klcal.bounds.rates import real_resolution
from klcal.exact import certificates


def last_horizon(K: int) -> int:
    """Return the largest T whose resolution is K."""
    return certificates.last_horizon(real_resolution, K)
