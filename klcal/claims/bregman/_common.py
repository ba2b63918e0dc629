"""What the claims on Bregman divergences share: exact losses that remember their values."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Protocol

from klcal.exact.counterexamples import BoundaryLoss, SharpV, smoothed_v, spike_loss

CHAPTER = "02_swap_regret_is_bregman"
HALF = Fraction(1, 2)


class ExactLoss(Protocol):
    """A proper loss that can be evaluated in fractions."""

    def __call__(self, p: Fraction, y: int, /) -> Fraction: ...

    def divergence(self, rho: Fraction, p: Fraction, /) -> Fraction: ...


class Remembered:
    """An exact loss that computes each value once: exhaustive searches ask for the same few again and again.

    Examples
    --------
    >>> loss = Remembered(SharpV(Fraction(0)))
    >>> loss(HALF, 1), loss.divergence(Fraction(1), HALF)
    (Fraction(0, 1), Fraction(1, 1))
    """

    def __init__(self, loss: ExactLoss) -> None:
        self._value = cache(loss.__call__)
        self._divergence = cache(loss.divergence)

    def __call__(self, p: Fraction, y: int, /) -> Fraction:
        """Return the loss of forecast `p` at outcome `y`."""
        return self._value(p, y)

    def divergence(self, rho: Fraction, p: Fraction, /) -> Fraction:
        """Return BREG(rho, p)."""
        return self._divergence(rho, p)


def exact_losses() -> tuple[Remembered, ...]:
    """Return five proper losses: squared, wrong slope at 0, a kink, a smoothed kink, and eight spikes.

    Examples
    --------
    >>> [loss.divergence(Fraction(1), HALF) for loss in exact_losses()][:3]
    [Fraction(1, 4), Fraction(1, 8), Fraction(3, 2)]
    """
    return tuple(
        Remembered(loss)
        for loss in (
            BoundaryLoss(Fraction(2), Fraction(1)),
            BoundaryLoss(Fraction(1), Fraction(1)),
            SharpV(Fraction(1)),
            smoothed_v(Fraction(1, 8)),
            replace(spike_loss(), count=8),
        )
    )
