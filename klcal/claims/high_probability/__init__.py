r"""Claims of Section 6 and Appendix D: Theorem 3, its proof line by line, Corollary 3."""

from __future__ import annotations

from klcal.claims._legacy import Claim
from klcal.claims.high_probability import corollary, equations, theorem
from klcal.claims.high_probability._common import allowed_failures

CLAIMS: tuple[Claim, ...] = (*equations.CLAIMS, *theorem.CLAIMS, *corollary.CLAIMS)

__all__ = ["CLAIMS", "allowed_failures"]
