r"""Cells in fractions and balls: what a forecast met, and the errors that are sums over cells.

Two forms are used. On a fixed grid, `Counts` holds the weights of the outcomes 0 and 1 at every point, integers if
forecasts are drawn and numbers if mixtures are counted; what a cell costs is a function of its point and its two
weights. `ExactCells` is the twin of `klcal.Cells` for any points, in fractions.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from klcal.exact.arithmetic import Exact, Mixture, product, quotient, total
from klcal.exact.balls import ball
from klcal.measures.cells import Cells

#: Weights of the outcomes 0 and 1 at every grid point.
Counts = tuple[tuple[Exact, Exact], ...]
#: What a cell costs, as a function of its point, its zeros and its ones.
Cost = Callable[[Any, Any, Any], Any]


def no_counts(points: int) -> Counts:
    """Return the counts before the first round.

    Parameters
    ----------
    points : int
        How many grid points there are.

    Returns
    -------
    tuple of (int, int)

    Examples
    --------
    >>> no_counts(2)
    ((0, 0), (0, 0))
    """
    return ((0, 0),) * points


def add_draw(counts: Counts, i: int, y: int) -> Counts:
    """Return the counts after point i was drawn and y happened.

    Parameters
    ----------
    counts : tuple of (int, int)
        Zeros and ones of every point.
    i : int
        Index of the point.
    y : {0, 1}
        The outcome.

    Returns
    -------
    tuple of (int, int)

    Examples
    --------
    >>> add_draw(((0, 0), (1, 0)), 1, 1)
    ((0, 0), (1, 1))
    """
    zeros, ones = counts[i]
    return (*counts[:i], (zeros + 1 - y, ones + y), *counts[i + 1 :])


def add_mixture(counts: Counts, mixture: Mixture, y: int) -> Counts:
    """Return the weights after a mixture was played and y happened: every point receives its probability.

    Parameters
    ----------
    counts : tuple of (weight, weight)
        Weights of zeros and ones at every point.
    mixture : dict
        Probabilities by index.
    y : {0, 1}
        The outcome.

    Returns
    -------
    tuple of (weight, weight)

    Examples
    --------
    >>> add_mixture(((0, 0), (1, 0)), {0: Fraction(1, 3), 1: Fraction(2, 3)}, 1)
    ((0, Fraction(1, 3)), (1, Fraction(2, 3)))
    """
    after = list(counts)
    for i, share in mixture.items():
        zeros, ones = after[i]
        after[i] = (zeros, total((ones, share))) if y else (total((zeros, share)), ones)
    return tuple(after)


# ----- what a cell costs --------------------------------------------------------------------------------------------


def divergence(rho: Exact, p: Exact) -> arb:
    r"""Return :math:`\mathsf{KL}(\rho, p)` as a ball, :math:`0\log0 = 0` for an exact 0 (``eq:KLCal_PKLCal_def``).

    Parameters
    ----------
    rho : int, Fraction or arb
        In [0, 1].
    p : int, Fraction or arb
        Strictly inside (0, 1).

    Returns
    -------
    arb

    Examples
    --------
    >>> (
    ...     divergence(0, Fraction(1, 2)).overlaps(arb(2).log()),
    ...     divergence(arb(0.5), arb(0.5)).contains(arb(0)),
    ... )
    (True, True)
    """
    return _surprise(rho, p) + _surprise(1 - rho, 1 - p)


def kl_cost(z: Exact, zeros: Exact, ones: Exact) -> arb:
    r"""Return :math:`n\,\mathsf{KL}(k/n, z)`, the cell's part of KLCal, as a ball.

    .. math:: k\log\frac k{nz} + (n-k)\log\frac{n-k}{n(1-z)}

    Parameters
    ----------
    z : Fraction or arb
        The point, strictly inside (0, 1).
    zeros, ones : int, Fraction or arb
        The weights n - k and k; :math:`0\log0 = 0` for an exact 0.

    Returns
    -------
    arb

    Examples
    --------
    >>> (
    ...     kl_cost(Fraction(1, 2), 0, 2).overlaps(2 * arb(2).log()),
    ...     kl_cost(arb(0.5), 0, 0) == 0,
    ... )
    (True, True)
    """
    mass = total((zeros, ones))
    return _surprise(ones, product(mass, z)) + _surprise(zeros, product(mass, 1 - z))


def _surprise(weight: Exact, expected: Exact) -> arb:
    """Return weight log(weight / expected)."""
    return arb(0) if weight == 0 else ball(weight) * ball(quotient(weight, expected)).log()


def square_cost(z: Exact, zeros: Exact, ones: Exact) -> Any:
    r"""Return :math:`n(k/n - z)^2`, the cell's part of Cal_2.

    Parameters
    ----------
    z : Fraction or arb
        The point.
    zeros, ones : int, Fraction or arb
        The weights n - k and k.

    Returns
    -------
    Fraction or arb

    Examples
    --------
    >>> square_cost(Fraction(1, 4), 1, 1), square_cost(Fraction(1, 4), 0, 0)
    (Fraction(1, 8), Fraction(0, 1))
    """
    mass = total((zeros, ones))
    if mass == 0:
        return Fraction(0)
    return quotient(total((ones, -product(mass, z))) ** 2, mass)


def error(points: Sequence[Exact], counts: Counts, cost: Cost = kl_cost) -> Any:
    """Return the sum of the costs of all cells: KLCal, Cal_2 or Cal_1, of draws or of mixtures.

    Parameters
    ----------
    points : sequence of Fraction or arb
        The grid.
    counts : tuple of (weight, weight)
        Weights of zeros and ones at every point.
    cost : callable
        `kl_cost` or `square_cost`.

    Returns
    -------
    Fraction or arb

    Examples
    --------
    >>> error([Fraction(1, 4), Fraction(3, 4)], ((1, 1), (0, 2)), square_cost)
    Fraction(1, 4)
    >>> error([Fraction(1, 4)], ((0, 1),)).overlaps(arb(4).log())
    True
    """
    return total(cost(z, zeros, ones) for z, (zeros, ones) in zip(points, counts, strict=True))


# ----- cells with any points, in fractions ----------------------------------------------------------------------------

#: Probabilities of forecasts.
Forecast = Mapping[Fraction, Fraction]


@dataclass(frozen=True)
class ExactCells:
    """Points, mass and ones like `klcal.Cells`, in fractions.

    Parameters
    ----------
    points, mass, ones : tuple of Fraction
        Of every cell: the forecast, its weight, its weight on outcome 1.

    Examples
    --------
    >>> forecasts = [Fraction(k, 5) for k in (1, 1, 4, 4)]
    >>> cells = ExactCells.from_rounds(point_masses(*forecasts), (0, 1, 0, 1))
    >>> cells.signed_error(1), cells.calibration_error(1)
    (Fraction(0, 1), Fraction(6, 5))
    """

    points: tuple[Fraction, ...]
    mass: tuple[Fraction, ...]
    ones: tuple[Fraction, ...]

    @classmethod
    def from_rounds(cls, mixtures: Sequence[Forecast], outcomes: Sequence[int]) -> ExactCells:
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
        kept = sorted(point for point, weight in mass.items() if weight > 0)
        return cls(tuple(kept), tuple(mass[p] for p in kept), tuple(ones[p] for p in kept))

    def __iter__(self) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
        """Yield (point, mass, mean outcome) of every cell."""
        for point, mass, ones in zip(self.points, self.mass, self.ones, strict=True):
            yield point, mass, ones / mass

    def signed_error(self, order: int) -> Fraction:
        r"""Return the sum of mass times :math:`(p-\rho)^q`, q the `order`, as equation 1 prints it."""
        return sum((mass * (p - rho) ** order for p, mass, rho in self), Fraction(0))

    def calibration_error(self, order: int) -> Fraction:
        r"""Return the sum of mass times :math:`|p-\rho|^q`, q the `order`."""
        return sum((mass * abs(p - rho) ** order for p, mass, rho in self), Fraction(0))

    def kl_calibration(self) -> arb:
        r"""Return the sum of mass times :math:`\mathsf{KL}(\rho, p)`, as a ball."""
        counts = tuple((mass - ones, ones) for mass, ones in zip(self.mass, self.ones, strict=True))
        return ball(error(self.points, counts))

    def swap_regret(self, divergence: Callable[[Fraction, Fraction], Fraction]) -> Fraction:
        r"""Return the sum of mass times an exact `divergence` of :math:`(\rho, p)` (``prop:swap_reg_breg_div``)."""
        return sum((mass * divergence(rho, p) for p, mass, rho in self), Fraction(0))

    def as_floats(self) -> Cells:
        """Return the same cells in float64, for `klcal.measures`."""
        columns = (self.points, self.mass, self.ones)
        return Cells(*([float(number) for number in column] for column in columns))


def point_masses(*forecasts: Fraction) -> tuple[Forecast, ...]:
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


def all_realised_cells(points: Sequence[Fraction], T: int) -> Iterator[ExactCells]:
    """Yield the cells of every sequence of T forecasts out of `points` with every sequence of outcomes.

    Parameters
    ----------
    points : sequence of Fraction
        What may be forecast.
    T : int
        Number of rounds.

    Yields
    ------
    ExactCells

    Examples
    --------
    >>> sum(1 for _ in all_realised_cells((Fraction(0), Fraction(1)), 2))
    16
    """
    for forecasts in itertools.product(points, repeat=T):
        for outcomes in itertools.product((0, 1), repeat=T):
            yield ExactCells.from_rounds(point_masses(*forecasts), outcomes)


def all_expected_cells(low: Fraction, high: Fraction, T: int) -> Iterator[ExactCells]:
    """Yield the cells of all mixtures of two points with weights 0, 1/3, 1/2, 1 on the upper one, over all outcomes.

    Parameters
    ----------
    low, high : Fraction
        The points.
    T : int
        Number of rounds.

    Yields
    ------
    ExactCells

    Examples
    --------
    >>> sum(1 for _ in all_expected_cells(Fraction(0), Fraction(1), 2))
    64
    """
    weights = (Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1))
    for chosen in itertools.product(weights, repeat=T):
        mixtures = [{low: 1 - weight, high: weight} for weight in chosen]
        for outcomes in itertools.product((0, 1), repeat=T):
            yield ExactCells.from_rounds(mixtures, outcomes)
