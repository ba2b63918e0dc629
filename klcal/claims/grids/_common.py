"""Old names that other chapters' claims still import; goes with the last of them."""

from __future__ import annotations

from flint import arb

from klcal.claims._combinators import less_on
from klcal.claims._evidence import Evidence
from klcal.exact.balls import Enclosure, Formula, Number
from klcal.exact.cells import divergence
from klcal.exact.grids import full_grid, sine_points, sine_squared, variance

__all__ = ["decided", "divergence", "full_points", "inner_points", "positive", "sine_squared", "variance"]


def inner_points(K: int) -> list[arb]:
    """Return the inner grid with 0 and 1."""
    return list(sine_points(K))


def full_points(K: int) -> list[arb]:
    """Return the full grid."""
    return list(full_grid(K))


def decided(enclosure: Enclosure, method: str) -> Evidence:
    """Return the evidence that an infimum is positive."""
    measured = enclosure.lower if enclosure.lower > 0 else enclosure.upper
    return Evidence(measured, 0, ">", method, {"boxes": enclosure.boxes})


def positive(text: str, formula: Formula, right: Number, *, switch: float = 0.25) -> Evidence:
    """Certify formula(x) > 0 on (0, right]."""
    return less_on(text, lambda x: x - x, formula, right, switch=switch)
