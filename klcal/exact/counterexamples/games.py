"""Games that break a statement, in exact rationals: errors that cancel, and a tree of draws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from klcal.exact.cells import ExactCells as ExactCells
from klcal.exact.cells import Forecast as Mixture
from klcal.exact.cells import point_masses as point_masses

#: Forecasts 1/5, 1/5, 4/5, 4/5 and outcomes 0, 1, 0, 1: both cells are off by 3/10, in opposite directions.
SIGNED_CANCELLATION: tuple[tuple[Fraction, ...], tuple[int, ...]] = (
    (Fraction(1, 5), Fraction(1, 5), Fraction(4, 5), Fraction(4, 5)),
    (0, 1, 0, 1),
)


@dataclass(frozen=True)
class Branch:
    """One path of draws: its probability, the mixtures announced along it, the forecasts drawn."""

    probability: Fraction
    mixtures: tuple[Mixture, ...]
    forecasts: tuple[Fraction, ...]


@dataclass(frozen=True)
class DrawTree:
    """All that a randomised forecaster can do against fixed outcomes: every path of draws.

    Examples
    --------
    >>> tree = two_round_tree()
    >>> tree.expected_swap_regret(), tree.expected_pseudo_swap_regret()
    (Fraction(1, 10000), Fraction(5003, 30000))
    """

    outcomes: tuple[int, ...]
    branches: tuple[Branch, ...]

    @classmethod
    def grow(cls, rule: Callable[[tuple[Fraction, ...]], Mixture], outcomes: Sequence[int]) -> DrawTree:
        """Follow `rule` (forecasts drawn so far -> next mixture) along every draw of positive probability."""
        paths = [Branch(Fraction(1), (), ())]
        for _ in outcomes:
            paths = [
                Branch(path.probability * weight, (*path.mixtures, mixture), (*path.forecasts, point))
                for path in paths
                for mixture in (rule(path.forecasts),)
                for point, weight in mixture.items()
                if weight > 0
            ]
        return cls(tuple(outcomes), tuple(paths))

    def expected_swap_regret(self) -> Fraction:
        """Return E[SReg] for the squared loss: realised cells, averaged over the branches."""
        return sum(
            (b.probability * self._squared(point_masses(*b.forecasts)) for b in self.branches), Fraction(0)
        )

    def expected_pseudo_swap_regret(self) -> Fraction:
        """Return E[PSReg] for the squared loss: expected cells, averaged over the branches."""
        return sum((b.probability * self._squared(b.mixtures) for b in self.branches), Fraction(0))

    def _squared(self, mixtures: Sequence[Mixture]) -> Fraction:
        return ExactCells.from_rounds(mixtures, self.outcomes).calibration_error(2)


def two_round_tree() -> DrawTree:
    """Return the forecaster whose pseudo swap regret is a thousand times its expected swap regret.

    Outcomes (1, 0). The first forecast is 1/2 or 51/100, each with probability 1/2; the second repeats it.
    Realised, both rounds fall into one cell with mean 1/2; expected, they are spread over both cells.

    Returns
    -------
    DrawTree
        Two branches.

    Examples
    --------
    >>> len(two_round_tree().branches)
    2
    """
    half, beside = Fraction(1, 2), Fraction(51, 100)

    def rule(drawn: tuple[Fraction, ...]) -> Mixture:
        return {half: Fraction(1, 2), beside: Fraction(1, 2)} if not drawn else {drawn[0]: Fraction(1)}

    return DrawTree.grow(rule, (1, 0))
