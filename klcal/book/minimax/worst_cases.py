r"""Exact worst cases of forecasters whose mixture is a function of their realised counts; and the dual game.

In the dual game of Section 4 the adversary reveals the conditional mean, and the forecaster plays the nearest point.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray, IntArray
from klcal._kernels import blum_mansour
from klcal._kernels import tree as pair_kernels
from klcal._kernels.bank import REALISED
from klcal.book._kernels import minimax as kernels
from klcal.book.minimax.game import MEMORY, induce, last_layer
from klcal.forecasters.algorithm_1 import beta_mean
from klcal.forecasters.pair import kt_means, pair_boundaries
from klcal.grids import Grid, as_grid, full_grid, inner_grid, log_rounding

# How many states get their mixtures at a time.
_PIECE = 1 << 16

#: From states, shape (n, 2m) with zeros and ones of each point side by side, to mixtures, shape (n, m).
Mixtures = Callable[[IntArray], FloatArray]


@dataclass(frozen=True)
class Rule:
    """A forecaster as a function of its realised counts.

    Parameters
    ----------
    grid : callable
        From the resolution K to the grid.
    mixtures : callable
        From grid and horizon to the function from states to mixtures.

    Examples
    --------
    >>> mixtures = RULES["realised"].mixtures(full_grid(2), 1)
    >>> # point 1/2 met a one: its learner leans to 2/3
    >>> mixtures(np.array([[0, 0, 0, 1, 0, 0]])).round(6)
    array([[0.      , 0.764298, 0.235702]])
    """

    grid: Callable[[int], Grid]
    mixtures: Callable[[Grid, int], Mixtures]


def _realised(grid: Grid, T: int) -> Mixtures:
    """Return the mixtures of Algorithm 1 fed with its own draws: learner i leans to Laplace's rule on bucket i."""
    zeros, ones = (counts.ravel() for counts in np.indices((T + 1, T + 1), dtype=np.float64))
    shares = log_rounding(beta_mean(ones, zeros), grid)
    cells = (shares > 0.0).argmax(axis=1)
    everyone = np.arange(len(cells))
    low = shares[everyone, cells]
    high = np.where(cells + 1 < len(grid), shares[everyone, np.minimum(cells + 1, len(grid) - 1)], 0.0)
    square = (T + 1, T + 1)
    cells, low, high = cells.reshape(square), low.reshape(square), high.reshape(square)
    bank = blum_mansour.new_bank(grid.points, REALISED)

    def mixtures(states: IntArray) -> FloatArray:
        shares = np.empty((len(states), len(grid)))
        kernels.stationary_mixtures(states, cells, low, high, *bank, shares)
        return shares

    return mixtures


def _pair(grid: Grid, T: int) -> Mixtures:
    """Return the mixtures of PAIR: one bucket whose mean lies in its cell, or two whose means lie around a boundary."""
    zeros, ones = np.indices((T + 1, T + 1), dtype=np.float64)
    means = kt_means(np.stack([zeros.ravel(), ones.ravel()])).reshape(zeros.shape)
    bank = pair_kernels.new_bank(grid.points, pair_boundaries(len(grid) + 1), REALISED)

    def mixtures(states: IntArray) -> FloatArray:
        shares = np.empty((len(states), len(grid)))
        kernels.pair_mixtures(states, means, *bank, shares)
        return shares

    return mixtures


#: Forecasters with an exact worst case. A new one needs a grid and a function from states to mixtures, no more.
RULES: Mapping[str, Rule] = MappingProxyType(
    {"realised": Rule(full_grid, _realised), "pair": Rule(inner_grid, _pair)}
)


def worst_case(
    K: int, T: int, algorithm: str = "realised", measure: str = "kl", *, memory: int = MEMORY
) -> float:
    r"""Return the exact worst case of E[KLCal] of an explicit forecaster against adaptive adversaries.

    Parameters
    ----------
    K : int
        Resolution, at least 2; the grid is the one on which the algorithm plays.
    T : int
        Horizon, at least 1.
    algorithm : {"realised", "pair"}
        Algorithm 1 (``alg:BM_log_loss``) whose learners are fed the drawn forecasts, on the full grid; or PAIR
        (`klcal.forecasters.pair`), on the inner grid.
    measure : {"kl", "squared"}
        KLCal, or Cal_2 of the same forecaster.
    memory : int
        Bytes the values of one layer of states may take.

    Returns
    -------
    float
        At least `value` on the same grid, at most `klcal.bounds.realised_in_expectation` or `klcal.bounds.pair`.

    Notes
    -----
    :math:`W_t(c) = \max_y \sum_i P_i(c)\,W_{t+1}(c + e_{i,y})`: the adversary sees counts and mixture, not the draw. An
    adversary that randomises, or remembers more than the counts, does no better.

    Examples
    --------
    The first forecast is 1/2, and costs :math:`\log 2` whatever happens:

    >>> round(worst_case(2, 1), 6)
    0.693147
    >>> round(worst_case(2, 24), 6)
    6.405681
    """
    rule = RULES[_checks.choice("algorithm", algorithm, RULES)]
    grid = rule.grid(K)
    terminal, space = last_layer(grid, T, measure, memory)
    mixtures = rule.mixtures(grid, T)

    def step_back(values: FloatArray, t: int, before: FloatArray) -> None:
        counts, offsets = kernels.first_state(2 * space.points, t)
        for start in range(0, len(before), _PIECE):
            states = np.empty((min(_PIECE, len(before) - start), 2 * space.points), dtype=np.int64)
            kernels.list_states(counts, offsets, space.steps, states)
            kernels.average_back(values, start, states, mixtures(states), space.steps, before)

    return induce(terminal, space, step_back)


def nearest_cells(grid: Grid | npt.ArrayLike, nearest: str = "kl") -> FloatArray:
    r"""Return the closed cell of each grid point: the means that are nearest to it.

    Between neighbours z and z' the border is :math:`\frac{z+z'}2`, or, where both divergences are equal,

    .. math:: p = \frac{B}{A+B}, \qquad A = \log\frac{z'}z, \quad B = \log\frac{1-z}{1-z'}.

    Parameters
    ----------
    grid : Grid
        The points.
    nearest : {"kl", "euclid"}
        The smallest :math:`\mathsf{KL}(p, z)` or the smallest :math:`|p - z|`.

    Returns
    -------
    ndarray, shape (m, 2)
        Both ends of each cell. Under ``"kl"`` the cell of a point 0 or 1 is that point alone.

    Examples
    --------
    >>> nearest_cells(Grid([0.25, 0.75]), "kl")
    array([[0. , 0.5],
           [0.5, 1. ]])
    >>> nearest_cells(Grid([0.0, 0.5, 0.75]), "euclid")
    array([[0.   , 0.25 ],
           [0.25 , 0.625],
           [0.625, 1.   ]])
    """
    points = as_grid(grid).points
    low, high = points[:-1], points[1:]
    if _checks.choice("nearest", nearest, ("kl", "euclid")) == "euclid":
        borders = (low + high) / 2.0
    else:
        # A or B is infinite next to a point 0 or 1; on the grid {0, 1} both are, and every border is as good.
        with np.errstate(divide="ignore", invalid="ignore"):
            odds = np.log(high / low) / (np.log1p(-low) - np.log1p(-high))
        borders = np.where((low == 0.0) & (high == 1.0), 0.5, 1.0 / (1.0 + odds))
    return np.column_stack([np.append(0.0, borders), np.append(borders, 1.0)])


def dual_worst_case(
    grid: Grid | npt.ArrayLike, T: int, nearest: str = "kl", measure: str = "kl", *, memory: int = MEMORY
) -> float:
    r"""Return the exact worst case of E[KLCal] in the dual game (proof of ``thm:log_loss_swap_reg``, Step I).

    In each round the adversary announces :math:`\tilde p_t = \mathbb E_t[y_t]`, the forecaster plays the grid point
    nearest to it, and y\ :sub:`t` is drawn. The adversary maximises.

    Parameters
    ----------
    grid : Grid
        Where forecasts live.
    T : int
        Horizon, at least 1.
    nearest : {"kl", "euclid"}
        What nearest means; the paper's forecaster is ``"euclid"``.
    measure : {"kl", "squared"}
        What the game is played for.
    memory : int
        Bytes the values of one layer of states may take.

    Returns
    -------
    float
        A supremum. At least `value` on the same grid, for the forecaster could answer better than by the nearest
        point; on the inner grid at most `klcal.bounds.theorem_1`, with either meaning.

    Notes
    -----
    While the announced mean stays in one cell, the expected cost is linear in it, so it is largest at an end of the
    cell: 2m candidates per state. On the border of two cells the forecaster's answer depends on how it breaks ties.
    Both answers are admitted here, which changes nothing: the cost of either is a limit of costs inside its cell. So
    the result is the supremum for every rule of breaking ties, and it need not be attained.

    Examples
    --------
    >>> from klcal.grids import inner_grid
    >>> round(dual_worst_case(inner_grid(2), 3), 6), round(3 * float(np.log(2)), 6)
    (2.079442, 2.079442)
    >>> round(dual_worst_case(inner_grid(4), 24), 6)
    5.527487
    """
    cells = nearest_cells(grid, nearest)
    terminal, space = last_layer(grid, T, measure, memory)

    def step_back(values: FloatArray, t: int, before: FloatArray) -> None:
        kernels.respond_back(values, t, cells, space.steps, before)

    return induce(terminal, space, step_back)
