r"""Exact worst cases of forecasters whose mixture is a function of their realised counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray, IntArray
from klcal._kernels import blum_mansour
from klcal._kernels import minimax as kernels
from klcal._kernels import pair as pair_kernels
from klcal._kernels.bank import REALISED
from klcal.forecasters.learners import beta_mean
from klcal.forecasters.pair import kt_means, pair_boundaries
from klcal.grids import Grid, full_grid, inner_grid
from klcal.grids.rounding import log_rounding
from klcal.minimax.induction import induce, last_layer
from klcal.minimax.states import MEMORY, StateSpace

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


def worst_expectation(
    terminal: FloatArray, grid: Grid, T: int, algorithm: str, *, outcomes: npt.ArrayLike | None = None
) -> float:
    r"""Return the largest expectation of any function of the final counts, over all adaptive adversaries.

    Parameters
    ----------
    terminal : ndarray
        The function at the states after T rounds, by rank; it is overwritten. `terminal_values` makes sums over the
        points, and any function of such sums will do.
    grid : Grid
        Where the forecaster plays.
    T : int
        Horizon.
    algorithm : str
        A name in `RULES`.
    outcomes : array_like of {0, 1}, shape (T,), optional
        Outcomes written in advance, in place of the adversary's.

    Returns
    -------
    float

    Notes
    -----
    :math:`W_t(c) = \max_y \sum_i P_i(c)\,W_{t+1}(c + e_{i,y})`: the adversary sees counts and mixture, not the draw. An
    adversary that randomises, or remembers more than the counts, does no better.

    Examples
    --------
    The largest probability that the point 1/2 is drawn in both of two rounds at K = 2. After the first its learner
    leans to 1/3 or 2/3, and the mixture has 0.764 on it either way:

    >>> from klcal.minimax.induction import terminal_values
    >>> grid, space = full_grid(2), StateSpace(points=3, horizon=2)
    >>> elsewhere = np.ones((3, 3, 3)) * [[[1]], [[0]], [[1]]]
    >>> elsewhere[:, 0, 0] = 0
    >>> stayed = (terminal_values(elsewhere, space) == 0).astype(float)
    >>> round(worst_expectation(stayed, grid, 2, "realised"), 6)
    0.764298
    """
    rule = RULES[_checks.choice("algorithm", algorithm, RULES)]
    space = StateSpace(len(grid), T)
    mixtures = rule.mixtures(grid, T)
    moves = np.full(T, kernels.ANY) if outcomes is None else _checks.outcomes("outcomes", outcomes)
    _checks.same_length("outcomes", moves, "the game", np.empty(T))

    def step_back(values: FloatArray, t: int, before: FloatArray) -> None:
        counts, offsets = kernels.first_state(2 * space.points, t)
        for start in range(0, len(before), _PIECE):
            states = np.empty((min(_PIECE, len(before) - start), 2 * space.points), dtype=np.int64)
            kernels.list_states(counts, offsets, space.steps, states)
            kernels.average_back(values, start, states, mixtures(states), int(moves[t]), space.steps, before)

    return induce(terminal, space, step_back)


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

    Examples
    --------
    The first forecast is 1/2, and costs :math:`\log 2` whatever happens:

    >>> round(worst_case(2, 1), 6)
    0.693147
    >>> round(worst_case(2, 24), 6)
    6.405681
    """
    terminal, grid = _last_layer(K, T, algorithm, measure, memory)
    return worst_expectation(terminal, grid, T, algorithm)


def fixed_case(
    K: int,
    outcomes: npt.ArrayLike,
    algorithm: str = "realised",
    measure: str = "kl",
    *,
    memory: int = MEMORY,
) -> float:
    """Return E[KLCal] of an explicit forecaster on outcomes written in advance, exactly: all draws are averaged.

    Parameters
    ----------
    K : int
        Resolution, at least 2.
    outcomes : array_like of {0, 1}
        The sequence.
    algorithm, measure, memory
        As for `worst_case`.

    Returns
    -------
    float
        At most `worst_case` at the same horizon.

    Examples
    --------
    >>> round(fixed_case(2, [1, 1, 1, 1]), 6), round(worst_case(2, 4), 6)
    (2.232987, 2.232987)
    """
    sequence = _checks.outcomes("outcomes", outcomes)
    terminal, grid = _last_layer(K, len(sequence), algorithm, measure, memory)
    return worst_expectation(terminal, grid, len(sequence), algorithm, outcomes=sequence)


def _last_layer(K: int, T: int, algorithm: str, measure: str, memory: int) -> tuple[FloatArray, Grid]:
    """Return what the game pays at its end, and the grid of the algorithm."""
    grid = RULES[_checks.choice("algorithm", algorithm, RULES)].grid(K)
    return last_layer(grid, T, measure, memory)[0], grid
