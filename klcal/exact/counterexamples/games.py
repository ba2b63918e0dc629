"""Games that break a statement, in exact rationals: cells without rounding and a tree of draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

Mixture = Mapping[Fraction, Fraction]


@dataclass(frozen=True)
class ExactCells:
    """Points, mass and ones like `klcal.Cells`, in fractions.

    Examples
    --------
    >>> cells = ExactCells.from_rounds(point_masses(*SIGNED_CANCELLATION[0]), SIGNED_CANCELLATION[1])
    >>> cells.signed_error(1), cells.calibration_error(1)
    (Fraction(0, 1), Fraction(6, 5))
    """

    points: tuple[Fraction, ...]
    mass: tuple[Fraction, ...]
    ones: tuple[Fraction, ...]

    @classmethod
    def from_rounds(cls, mixtures: Sequence[Mixture], outcomes: Sequence[int]) -> ExactCells:
        """Sum over rounds the weight, and the weight on outcome 1, of every point that has any."""
        if len(mixtures) != len(outcomes):
            raise ValueError(
                f"mixtures must have the length of outcomes ({len(outcomes)}); got {len(mixtures)}"
            )
        mass: dict[Fraction, Fraction] = {}
        ones: dict[Fraction, Fraction] = {}
        for mixture, y in zip(mixtures, outcomes, strict=True):
            for point, weight in mixture.items():
                mass[point] = mass.get(point, Fraction(0)) + weight
                ones[point] = ones.get(point, Fraction(0)) + weight * y
        kept = sorted(point for point, total in mass.items() if total > 0)
        return cls(tuple(kept), tuple(mass[p] for p in kept), tuple(ones[p] for p in kept))

    def __iter__(self) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
        """Yield (point, mass, mean outcome) of every cell."""
        for point, mass, ones in zip(self.points, self.mass, self.ones, strict=True):
            yield point, mass, ones / mass

    def signed_error(self, order: int) -> Fraction:
        """Return the sum of mass (p - rho)^order, as equation 1 prints it."""
        return sum((mass * (p - rho) ** order for p, mass, rho in self), Fraction(0))

    def calibration_error(self, order: int) -> Fraction:
        """Return the sum of mass |p - rho|^order."""
        return sum((mass * abs(p - rho) ** order for p, mass, rho in self), Fraction(0))

    def swap_regret(self, divergence: Callable[[Fraction, Fraction], Fraction]) -> Fraction:
        """Return the sum of mass BREG(rho, p) for an exact `divergence` (``prop:swap_reg_breg_div``)."""
        return sum((mass * divergence(rho, p) for p, mass, rho in self), Fraction(0))


# Forecasts 1/5, 1/5, 4/5, 4/5 and outcomes 0, 1, 0, 1: both cells are off by 3/10, in opposite directions.
SIGNED_CANCELLATION: tuple[tuple[Fraction, ...], tuple[int, ...]] = (
    (Fraction(1, 5), Fraction(1, 5), Fraction(4, 5), Fraction(4, 5)),
    (0, 1, 0, 1),
)


def point_masses(*forecasts: Fraction) -> tuple[Mixture, ...]:
    """Return the mixtures of a forecaster that does not randomise.

    Parameters
    ----------
    *forecasts : Fraction
        One forecast per round.

    Returns
    -------
    tuple of mappings
        All weight on the forecast, in every round.

    Examples
    --------
    >>> point_masses(Fraction(1, 2))
    ({Fraction(1, 2): Fraction(1, 1)},)
    """
    return tuple({forecast: Fraction(1)} for forecast in forecasts)


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
