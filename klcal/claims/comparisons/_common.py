"""What the claims of chapter 10 share."""

from __future__ import annotations

from fractions import Fraction

CHAPTER = "10_comparisons"


def harmonic(n: int) -> Fraction:
    """Return 1 + 1/2 + ... + 1/n.

    Examples
    --------
    >>> harmonic(0), harmonic(3)
    (Fraction(0, 1), Fraction(11, 6))
    """
    return sum((Fraction(1, j) for j in range(1, n + 1)), Fraction(0))
