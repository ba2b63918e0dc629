r"""What the claims on all losses at once share: kinked losses, their regret, and the envelope, all in fractions.

Nothing here calls `klcal.measures`: regrets are computed from outcomes, losses and comparators, and the
envelope by trying every pair of break points.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from klcal.claims.losses_and_calibration.calibration import expected_cells, realised_cells
from klcal.exact.counterexamples import ExactCells

CHAPTER = "06_all_losses_at_once"
HALF = Fraction(1, 2)
REGRETS = ("swap", "external")


@dataclass(frozen=True)
class Kink:
    """One unit of loss per forecast: -(y - place) above the kink, nothing below, times `mass`.

    A forecast on the kink counts as above with the share `above`.

    Examples
    --------
    >>> Kink(HALF, Fraction(2)).loss(Fraction(3, 4), 1), Kink(HALF, Fraction(2), HALF).loss(HALF, 0)
    (Fraction(-1, 1), Fraction(1, 2))
    """

    place: Fraction
    mass: Fraction
    above: Fraction = Fraction(0)

    def loss(self, p: Fraction, y: int) -> Fraction:
        """Return the loss of forecast `p` at outcome `y`."""
        share = self.above if p == self.place else Fraction(int(p > self.place))
        return -self.mass * share * (y - self.place)


def loss_of(kinks: Sequence[Kink], p: Fraction, y: int) -> Fraction:
    """Return the loss with all these kinks.

    Examples
    --------
    >>> loss_of([Kink(Fraction(1, 4), Fraction(1)), Kink(HALF, Fraction(1))], Fraction(1), 0)
    Fraction(3, 4)
    """
    return sum((kink.loss(p, y) for kink in kinks), Fraction(0))


def _total(cells: ExactCells, kinks: Sequence[Kink], forecast: Fraction | None = None) -> Fraction:
    """Return the loss of all rounds, with the forecasts made or with one forecast throughout."""
    total = Fraction(0)
    for p, mass, rho in cells:
        q = p if forecast is None else forecast
        total += mass * (rho * loss_of(kinks, q, 1) + (1 - rho) * loss_of(kinks, q, 0))
    return total


def regret_of(cells: ExactCells, kinks: Sequence[Kink], regret: str) -> Fraction:
    """Return swap or external regret by trying comparators: every place that matters and one in between.

    A loss with kinks takes finitely many values, so these comparators are all there are.

    Examples
    --------
    >>> cells = ExactCells((Fraction(1, 4),), (Fraction(4),), (Fraction(3),))
    >>> regret_of(cells, [Kink(HALF, Fraction(4))], "swap")
    Fraction(4, 1)
    """
    marks = sorted({Fraction(0), Fraction(1), *(kink.place for kink in kinks)})
    candidates = [*marks, *((low + high) / 2 for low, high in itertools.pairwise(marks))]
    if regret == "external":
        return _total(cells, kinks) - min(_total(cells, kinks, q) for q in candidates)
    parts = [
        ExactCells((p,), (m,), (k,)) for p, m, k in zip(cells.points, cells.mass, cells.ones, strict=True)
    ]
    return sum((regret_of(part, kinks, "external") for part in parts), Fraction(0))


def profile(cells: ExactCells, u: Fraction, regret: str, above: Fraction | None = None) -> Fraction:
    r"""Return :math:`\varphi(u)`: the regret of one unit of kink at u, at the worse tie or at the one given.

    To such a loss a forecast is either above u or below; above, n rounds with mean rho lose n(u - rho), and
    below nothing. Swap regret picks the better side for each forecast, external regret one side for all.

    Examples
    --------
    >>> cells = ExactCells((Fraction(1, 4),), (Fraction(4),), (Fraction(3),))
    >>> profile(cells, Fraction(1, 4), "swap"), profile(cells, Fraction(1, 4), "swap", Fraction(1))
    (Fraction(2, 1), Fraction(0, 1))
    """
    if above is None:
        return max(profile(cells, u, regret, Fraction(tie)) for tie in (0, 1))
    if_above = [mass * u - ones for mass, ones in zip(cells.mass, cells.ones, strict=True)]
    shares = [above if p == u else int(p > u) for p in cells.points]
    made = sum((share * loss for share, loss in zip(shares, if_above, strict=True)), Fraction(0))
    if regret == "external":
        return made - min(sum(if_above, Fraction(0)), Fraction(0))
    return made - sum((min(loss, Fraction(0)) for loss in if_above), Fraction(0))


def break_points(cells: ExactCells) -> list[Fraction]:
    """Return 0, 1, the forecasts, their means and the overall mean, increasing.

    Examples
    --------
    >>> break_points(ExactCells((HALF,), (Fraction(4),), (Fraction(1),)))
    [Fraction(0, 1), Fraction(1, 4), Fraction(1, 2), Fraction(1, 1)]
    """
    overall = sum(cells.ones, Fraction(0)) / sum(cells.mass, Fraction(0))
    return sorted({Fraction(0), Fraction(1), overall, *cells.points, *(rho for _, _, rho in cells)})


@dataclass(frozen=True)
class Optimum:
    """Solutions of the linear program and of its dual.

    Parameters
    ----------
    kinks : tuple of Kink
        The primal solution: where the loss bends and by how much.
    ends : (Fraction, Fraction)
        The dual solution: heights at 0 and 1 of a line.
    heights : dict
        The profile at the break points.
    """

    kinks: tuple[Kink, ...]
    ends: tuple[Fraction, Fraction]
    heights: dict[Fraction, Fraction]

    @property
    def value(self) -> Fraction:
        """The regret that the kinks add up to."""
        return sum((kink.mass * self.heights[kink.place] for kink in self.kinks), Fraction(0))

    @property
    def ranges(self) -> tuple[Fraction, Fraction]:
        """How far the losses of the outcomes 0 and 1 extend."""
        zero = sum((kink.mass * kink.place for kink in self.kinks), Fraction(0))
        one = sum((kink.mass * (1 - kink.place) for kink in self.kinks), Fraction(0))
        return zero, one

    @property
    def excess(self) -> Fraction:
        """How far the profile rises above the line; a dual solution has none."""
        a, b = self.ends
        return max(height - a * (1 - u) - b * u for u, height in self.heights.items())


@cache
def optimum(cells: ExactCells, regret: str, centre: Fraction = HALF) -> Optimum:
    """Return the highest chord over `centre` as a loss and as a line; both are optimal at 1/2 and nowhere else.

    Examples
    --------
    >>> cells = ExactCells((Fraction(1, 4),), (Fraction(4),), (Fraction(3),))
    >>> best = optimum(cells, "swap")
    >>> best.value, 2 * sum(best.ends), best.ranges, best.excess
    (Fraction(16, 3), Fraction(16, 3), (Fraction(2, 1), Fraction(2, 1)), Fraction(0, 1))
    """
    heights = {u: profile(cells, u, regret) for u in break_points(cells)}
    pairs = [(u, v) for u in heights for v in heights if u < centre < v]

    def at_centre(pair: tuple[Fraction, Fraction]) -> Fraction:
        u, v = pair
        return (heights[u] * (v - centre) + heights[v] * (centre - u)) / (v - u)

    u, v = max(pairs, key=at_centre)
    slope = (heights[v] - heights[u]) / (v - u)
    level = at_centre((u, v))
    masses = {u: 4 * (v - centre) / (v - u), v: 4 * (centre - u) / (v - u)}
    if heights.get(centre, Fraction(-1)) >= level:
        level, masses = heights[centre], {centre: Fraction(4)}
        # Between the steepest chords to the left and to the right every slope supports the corner.
        slope = max((heights[w] - level) / (w - centre) for w in heights if w > centre)
    kinks = tuple(_worse_tie(cells, place, mass, regret) for place, mass in masses.items())
    return Optimum(kinks, (level - slope * centre, level + slope * (1 - centre)), heights)


def _worse_tie(cells: ExactCells, place: Fraction, mass: Fraction, regret: str) -> Kink:
    ties = (Fraction(0), Fraction(1))
    return Kink(place, mass, max(ties, key=lambda tie: profile(cells, place, regret, tie)))


@cache
def small_games() -> tuple[ExactCells, ...]:
    """Return realised and expected cells of small games, with forecasts at 0, at 1/2, and on either side.

    Examples
    --------
    >>> len(small_games())
    154
    """
    realised = realised_cells((Fraction(0), Fraction(1, 3), HALF, Fraction(7, 8)), 3)
    return tuple(dict.fromkeys(itertools.chain(realised, expected_cells(Fraction(2, 5), Fraction(3, 5), 2))))
