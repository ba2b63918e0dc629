r"""Losses with kinks, in fractions: their regret by trying comparators, and the largest regret as a concave envelope.

Nothing here calls `klcal.measures`. A loss with kinks is a sum of threshold losses; its regret is computed from
outcomes, losses and comparators, and the envelope by trying every pair of break points.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from klcal.exact.cells import ExactCells, all_expected_cells, all_realised_cells
from klcal.exact.counterexamples.losses import Tent, TentLoss

HALF = Fraction(1, 2)
REGRETS = ("swap", "external")


@dataclass(frozen=True)
class Kink:
    """The loss -(y - place) for forecasts above `place` and 0 below, times `mass`.

    Parameters
    ----------
    place, mass : Fraction
        Where the loss bends, and by how much.
    above : Fraction
        The share with which a forecast on the kink counts as above.

    Examples
    --------
    >>> (
    ...     Kink(HALF, Fraction(2)).loss(Fraction(3, 4), 1),
    ...     Kink(HALF, Fraction(2), HALF).loss(HALF, 0),
    ... )
    (Fraction(-1, 1), Fraction(1, 2))
    """

    place: Fraction
    mass: Fraction
    above: Fraction = Fraction(0)

    def loss(self, p: Fraction, y: int) -> Fraction:
        """Return the loss of forecast `p` at outcome `y`."""
        share = self.above if p == self.place else Fraction(int(p > self.place))
        return -self.mass * share * (y - self.place)


Kinks = Sequence[Kink]


def loss_of(kinks: Kinks, p: Fraction, y: int) -> Fraction:
    """Return the loss with all these kinks.

    Parameters
    ----------
    kinks : sequence of Kink
        The loss.
    p : Fraction
        The forecast.
    y : {0, 1}
        The outcome.

    Returns
    -------
    Fraction

    Examples
    --------
    >>> loss_of(
    ...     [Kink(Fraction(1, 4), Fraction(1)), Kink(HALF, Fraction(1))],
    ...     Fraction(1),
    ...     0,
    ... )
    Fraction(3, 4)
    """
    return sum((kink.loss(p, y) for kink in kinks), Fraction(0))


def divergence_of(kinks: Kinks, rho: Fraction, p: Fraction) -> Fraction:
    """Return what forecast p costs more than rho if the outcome is 1 with probability rho.

    Parameters
    ----------
    kinks : sequence of Kink
        The loss.
    rho, p : Fraction
        Probability and forecast.

    Returns
    -------
    Fraction

    Examples
    --------
    >>> divergence_of([Kink(HALF, Fraction(4))], Fraction(3, 4), Fraction(1, 4))
    Fraction(1, 1)
    """
    return _mean(kinks, rho, p) - _mean(kinks, rho, rho)


def _mean(kinks: Kinks, rho: Fraction, p: Fraction) -> Fraction:
    return rho * loss_of(kinks, p, 1) + (1 - rho) * loss_of(kinks, p, 0)


def extents(kinks: Kinks) -> tuple[Fraction, Fraction]:
    """Return how far the losses of the outcomes 0 and 1 extend; the loss fits into [-1, 1] if both are at most 2.

    Parameters
    ----------
    kinks : sequence of Kink
        The loss.

    Returns
    -------
    (Fraction, Fraction)

    Examples
    --------
    >>> extents([Kink(Fraction(1, 4), Fraction(2))])
    (Fraction(1, 2), Fraction(3, 2))
    """
    zero = sum((kink.mass * kink.place for kink in kinks), Fraction(0))
    one = sum((kink.mass * (1 - kink.place) for kink in kinks), Fraction(0))
    return zero, one


def regret_of(cells: ExactCells, kinks: Kinks, regret: str) -> Fraction:
    """Return swap or external regret by trying comparators: every kink, the ends, and one place between each two.

    A loss with kinks takes finitely many values, so these comparators are all there are.

    Parameters
    ----------
    cells : ExactCells
        The cells.
    kinks : sequence of Kink
        The loss.
    regret : {"swap", "external"}
        Which regret.

    Returns
    -------
    Fraction

    Examples
    --------
    >>> cells = ExactCells((Fraction(1, 4),), (Fraction(4),), (Fraction(3),))
    >>> regret_of(cells, [Kink(HALF, Fraction(4))], "swap")
    Fraction(4, 1)
    """
    marks = sorted({Fraction(0), Fraction(1), *(kink.place for kink in kinks)})
    candidates = [*marks, *((low + high) / 2 for low, high in itertools.pairwise(marks))]
    paid = [mass * _mean(kinks, rho, p) for p, mass, rho in cells]
    costs = [[mass * _mean(kinks, rho, q) for q in candidates] for _, mass, rho in cells]
    if regret == "external":
        return sum(paid, Fraction(0)) - min(map(sum, zip(*costs, strict=True)))
    return sum(paid, Fraction(0)) - sum(map(min, costs), Fraction(0))


def profile(cells: ExactCells, u: Fraction, regret: str, above: Fraction | None = None) -> Fraction:
    r"""Return :math:`\varphi(u)`: the regret of one unit of kink at u, at the worse tie or at the one given.

    To such a loss a forecast is either above u or below; above, n rounds with mean :math:`\rho` lose
    :math:`n(u - \rho)`, and below nothing. Swap regret picks the better side for each forecast, external regret one
    side for all.

    Parameters
    ----------
    cells : ExactCells
        The cells.
    u : Fraction
        Where the kink is.
    regret : {"swap", "external"}
        Which regret.
    above : Fraction, optional
        The share with which a forecast on the kink counts as above; the worse of 0 and 1 if not given.

    Returns
    -------
    Fraction

    Examples
    --------
    >>> cells = ExactCells((Fraction(1, 4),), (Fraction(4),), (Fraction(3),))
    >>> (
    ...     profile(cells, Fraction(1, 4), "swap"),
    ...     profile(cells, Fraction(1, 4), "swap", Fraction(1)),
    ... )
    (Fraction(2, 1), Fraction(0, 1))
    """
    if above is None:
        return max(profile(cells, u, regret, Fraction(tie)) for tie in (0, 1))
    if_above = [mass * u - ones for mass, ones in zip(cells.mass, cells.ones, strict=True)]
    shares = [above if p == u else int(p > u) for p in cells.points]
    paid = sum((share * loss for share, loss in zip(shares, if_above, strict=True)), Fraction(0))
    if regret == "external":
        return paid - min(sum(if_above, Fraction(0)), Fraction(0))
    return paid - sum((min(loss, Fraction(0)) for loss in if_above), Fraction(0))


def break_points(cells: ExactCells) -> list[Fraction]:
    """Return 0, 1, the forecasts, their means and the overall mean, increasing.

    Parameters
    ----------
    cells : ExactCells
        The cells.

    Returns
    -------
    list of Fraction

    Examples
    --------
    >>> break_points(ExactCells((HALF,), (Fraction(4),), (Fraction(1),)))
    [Fraction(0, 1), Fraction(1, 4), Fraction(1, 2), Fraction(1, 1)]
    """
    overall = sum(cells.ones, Fraction(0)) / sum(cells.mass, Fraction(0))
    return sorted({Fraction(0), Fraction(1), overall, *cells.points, *(rho for _, _, rho in cells)})


@dataclass(frozen=True)
class Optimum:
    """A loss with the largest regret.

    Parameters
    ----------
    kinks : tuple of Kink
        Where the loss bends and by how much.
    heights : dict
        The profile at the break points.
    """

    kinks: tuple[Kink, ...]
    heights: dict[Fraction, Fraction]

    @property
    def value(self) -> Fraction:
        """The regret that the kinks add up to."""
        return sum((kink.mass * self.heights[kink.place] for kink in self.kinks), Fraction(0))


@cache
def optimum(cells: ExactCells, regret: str) -> Optimum:
    """Return the highest chord over 1/2 as a loss (``new:msr_is_an_envelope``, ``new:ucal_is_an_envelope``).

    Parameters
    ----------
    cells : ExactCells
        The cells.
    regret : {"swap", "external"}
        Which regret.

    Returns
    -------
    Optimum

    Examples
    --------
    >>> cells = ExactCells((Fraction(1, 4),), (Fraction(4),), (Fraction(3),))
    >>> best = optimum(cells, "swap")
    >>> best.value, extents(best.kinks)
    (Fraction(16, 3), (Fraction(2, 1), Fraction(2, 1)))
    """
    heights = {u: profile(cells, u, regret) for u in break_points(cells)}
    # Of equals the first counts: one kink at 1/2, if that is as good as two.
    choices = [{HALF: Fraction(4)}] if HALF in heights else []
    for u, v in itertools.product(heights, repeat=2):
        if u < HALF < v:
            choices.append({u: 4 * (v - HALF) / (v - u), v: 4 * (HALF - u) / (v - u)})
    masses = max(choices, key=lambda choice: sum(mass * heights[u] for u, mass in choice.items()))
    return Optimum(tuple(_worse_tie(cells, u, mass, regret) for u, mass in masses.items()), heights)


def _worse_tie(cells: ExactCells, place: Fraction, mass: Fraction, regret: str) -> Kink:
    ties = (Fraction(0), Fraction(1))
    return Kink(place, mass, max(ties, key=lambda tie: profile(cells, place, regret, tie)))


def smooth_twin(kinks: Kinks, half_width: Fraction, *, inside: bool = True) -> TentLoss:
    r"""Return a loss in :math:`\mathcal L_2` with a tent beside each kink, on the side on which the kink was counted.

    Parameters
    ----------
    kinks : sequence of Kink
        A loss in [-1, 1] with kinks that use up the whole range, each tie 0 or 1.
    half_width : Fraction
        Of the tents; small enough that they are disjoint.
    inside : bool
        Whether to put the tents on that side, or on the other one.

    Returns
    -------
    TentLoss
        Scaled by 1 / (1 + 2 half_width), which makes room for the shift by one half-width.

    Examples
    --------
    >>> loss = smooth_twin((Kink(HALF, Fraction(4)),), Fraction(1, 8))
    >>> (
    ...     loss.curvature(Fraction(5, 8)),
    ...     loss.curvature(HALF),
    ...     loss(Fraction(1), 0),
    ...     loss(Fraction(0), 0),
    ... )
    (Fraction(128, 5), Fraction(0, 1), Fraction(1, 1), Fraction(-1, 1))
    """
    w, scale = half_width, 1 / (1 + 2 * half_width)

    def tent(kink: Kink) -> Tent:
        leftwards = kink.place == 1 or (kink.place > 0 and (kink.above == 1) == inside)
        return Tent(kink.place - w if leftwards else kink.place + w, w, scale * kink.mass)

    tents = sorted((tent(kink) for kink in kinks if kink.mass > 0), key=lambda each: -each.centre)
    return TentLoss(lambda n: tents[n - 1], Fraction(-1), Fraction(-2), count=len(tents))


def straddling_mass(cells: ExactCells) -> Fraction:
    """Return the largest mass of cells with forecast and mean on different sides of a point.

    Parameters
    ----------
    cells : ExactCells
        The cells.

    Returns
    -------
    Fraction

    Examples
    --------
    >>> straddling_mass(
    ...     ExactCells(
    ...         (Fraction(1, 4), HALF),
    ...         (Fraction(4), Fraction(8)),
    ...         (Fraction(3), Fraction(4)),
    ...     )
    ... )
    Fraction(4, 1)
    """
    middles = [(u + v) / 2 for u, v in itertools.pairwise(break_points(cells))]
    return max(
        sum((mass for p, mass, rho in cells if min(p, rho) < u < max(p, rho)), Fraction(0)) for u in middles
    )


def unlucky_coins(points: Sequence[Fraction]) -> list[tuple[Fraction, tuple[Kink, ...]]]:
    """Return every coin halfway between neighbouring points or at an end, with a loss that has kinks at the neighbours.

    Parameters
    ----------
    points : sequence of Fraction
        The forecasts, increasing.

    Returns
    -------
    list of (Fraction, tuple of Kink)
        The coin's probability, and a loss as large as [-1, 1] allows.

    Examples
    --------
    >>> coin, kinks = unlucky_coins((Fraction(1, 4), Fraction(3, 4)))[0]
    >>> (
    ...     coin,
    ...     [divergence_of(kinks, coin, z) for z in (Fraction(1, 4), Fraction(3, 4))],
    ... )
    (Fraction(1, 2), [Fraction(1, 2), Fraction(1, 2)])
    """
    coins: list[tuple[Fraction, tuple[Kink, ...]]] = []
    for low, high in itertools.pairwise(points):
        mass = 2 / max(low + high, 2 - low - high)
        coins.append(((low + high) / 2, (Kink(low, mass), Kink(high, mass, Fraction(1)))))
    for coin, end in ((Fraction(0), points[0]), (Fraction(1), points[-1])):
        coins.append((coin, (Kink(end, 2 / max(end, 1 - end), 1 - coin),)))
    return coins


@cache
def small_games() -> tuple[ExactCells, ...]:
    """Return realised and expected cells of small games, with forecasts at 0, at 1/2, and on either side.

    Returns
    -------
    tuple of ExactCells
        Three rounds with forecasts 0, 1/3, 1/2, 7/8, and two rounds of mixtures of 2/5 and 3/5.

    Examples
    --------
    >>> len(small_games())
    154
    """
    realised = all_realised_cells((Fraction(0), Fraction(1, 3), HALF, Fraction(7, 8)), 3)
    expected = all_expected_cells(Fraction(2, 5), Fraction(3, 5), 2)
    return tuple(dict.fromkeys(itertools.chain(realised, expected)))
