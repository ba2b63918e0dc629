"""Who announces in the dual game: four sequences written beforehand, and one that looks at the counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from klcal import _checks
from klcal._checks import FloatArray, IntArray
from klcal.adversaries.adaptive import Player, log_regret, rises
from klcal.games.dual_game._answers import answers, borders
from klcal.grids import Grid
from klcal.grids.points import _sine_square


def menu(grid: Grid, nearest: str) -> FloatArray:
    """Return both ends of the set of numbers that each grid point answers, increasing.

    A border itself is answered by the lower point, so the lower end of the next set is the float after it.
    """
    inner = borders(grid, nearest)
    return np.sort(np.concatenate([[0.0, 1.0], inner, np.nextafter(inner, 1.0)]))


def at_end(grid: Grid, T: int, nearest: str = "kl") -> FloatArray:
    """Announce 0 in every round, the number farthest from the inner grid.

    Parameters
    ----------
    grid : Grid
        The forecasts.
    T : int
        Number of rounds, at least 1.
    nearest : str
        Not used: 0 is answered with the first point in any case.

    Returns
    -------
    ndarray, shape (T,)
        The announcements.

    Examples
    --------
    >>> from klcal.grids import inner_grid
    >>> at_end(inner_grid(3), 3)
    array([0., 0., 0.])
    """
    del grid, nearest
    return np.zeros(_checks.integer("T", T, least=1))


def in_worst_cell(grid: Grid, T: int, nearest: str = "kl") -> FloatArray:
    """Announce in every round the border with the largest divergence to its answer.

    Parameters
    ----------
    grid : Grid
        The forecasts, at least two.
    T : int
        Number of rounds, at least 1.
    nearest : {"euclid", "kl", "chi-square"}
        How the forecaster answers.

    Returns
    -------
    ndarray, shape (T,)
        The announcements.

    Examples
    --------
    >>> from klcal.grids import inner_grid
    >>> in_worst_cell(inner_grid(3), 3)
    array([0.5, 0.5, 0.5])
    """
    inner = _some_borders(grid, nearest)
    points = grid.points[answers(inner, grid, nearest)]
    pairs = zip(points.tolist(), inner.tolist(), strict=True)
    divergence = [log_regret(point, p, 1.0 - p) for point, p in pairs]
    return np.full(_checks.integer("T", T, least=1), inner[np.argmax(divergence)])


def round_the_borders(grid: Grid, T: int, nearest: str = "kl") -> FloatArray:
    """Announce the borders one after the other, and again.

    Parameters
    ----------
    grid, T, nearest
        As in `in_worst_cell`.

    Returns
    -------
    ndarray, shape (T,)

    Examples
    --------
    >>> from klcal.grids import Grid
    >>> round_the_borders(Grid([0.25, 0.5, 0.75]), 3, "euclid")
    array([0.375, 0.625, 0.375])
    """
    inner = _some_borders(grid, nearest)
    return inner[np.arange(_checks.integer("T", T, least=1)) % len(inner)]


def sweep(grid: Grid, T: int, nearest: str = "kl") -> FloatArray:
    r"""Announce :math:`\sin^2` of angles that go once from 0 to :math:`\pi/2`: all cells are visited equally often.

    Parameters
    ----------
    grid : Grid
        Not used.
    T : int
        Number of rounds, at least 1.
    nearest : str
        Not used.

    Returns
    -------
    ndarray, shape (T,)
        The announcements, at the middles of T equal steps.

    Examples
    --------
    >>> from klcal.grids import inner_grid
    >>> sweep(inner_grid(3), 3).round(6)
    array([0.066987, 0.5     , 0.933013])
    """
    del grid, nearest
    T = _checks.integer("T", T, least=1)
    return np.array([_sine_square(2 * t + 1, 2 * T) for t in range(T)])


def _some_borders(grid: Grid, nearest: str) -> FloatArray:
    if len(grid) < 2:
        raise ValueError(f"grid must have at least two points to have a border; got {len(grid)}")
    return borders(grid, nearest)


#: Announcements written before the game, by name: functions of the grid, the horizon and the rule.
ANNOUNCERS: Mapping[str, Callable[[Grid, int, str], FloatArray]] = MappingProxyType(
    {
        "at the end": at_end,
        "in the worst cell": in_worst_cell,
        "round the borders": round_the_borders,
        "sweep": sweep,
    }
)


@dataclass(frozen=True)
class Greedy(Player):
    """Announces what raises KL-calibration most in expectation: an end of some point's set of answers.

    The expected gain is linear in the announcement as long as the answer stays the same, so ends suffice. The lowest
    of several best announcements is taken.

    Parameters
    ----------
    horizon : int
        Number of rounds.

    Examples
    --------
    >>> Greedy(10).horizon
    10
    """

    def announce(self, menu: FloatArray, indices: IntArray, points: FloatArray, counts: IntArray) -> float:
        """Return one entry of `menu`; `indices` are the answers to them, `counts` the past by outcome and point."""
        best, largest = 0.0, -1.0
        for p, i in zip(menu.tolist(), indices.tolist(), strict=True):
            zeros, ones = counts[:, i].tolist()
            with_zero, with_one = rises(float(points[i]), ones, zeros)
            gain = p * with_one + (1.0 - p) * with_zero
            if gain > largest:
                best, largest = p, gain
        return best
