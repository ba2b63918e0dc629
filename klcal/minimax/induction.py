r"""The value of the game on a finite grid, by backward induction.

At each state the two players move at once: the forecaster draws a point, the adversary names an outcome. That is a
matrix game with one row per point and two columns, and what it pays are the values of the states it leads to.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from klcal._checks import FloatArray
from klcal._kernels import minimax as kernels
from klcal.grids import Grid
from klcal.minimax.states import MEMORY, StateSpace, cost_table

#: Fills a layer (the last argument) from the one after it; both may share their memory.
StepBack = Callable[[FloatArray, int, FloatArray], None]


def terminal_values(costs: FloatArray, space: StateSpace) -> FloatArray:
    """Return the layer after the last round: costs by point and counts, added up over the points.

    Parameters
    ----------
    costs : ndarray, shape (m, T + 1, T + 1)
        Such as `cost_table` returns.
    space : StateSpace
        The states.

    Returns
    -------
    ndarray
        One number per state of the last layer, by rank.

    Examples
    --------
    >>> space = StateSpace(points=1, horizon=2)
    >>> terminal_values(cost_table(np.array([0.5]), 2, "squared"), space)
    array([0.5, 0. , 0.5])
    """
    values = np.empty(space.size(space.horizon))
    kernels.terminal(costs, space.horizon, space.steps, values)
    return values


def last_layer(grid: Grid, T: int, measure: str, memory: int) -> tuple[FloatArray, StateSpace]:
    """Return what a game costs in the end, by rank, and its states; raise if the largest layer is too large.

    Parameters
    ----------
    grid : Grid
        Where forecasts live.
    T : int
        Number of rounds, at least 1.
    measure : {"kl", "squared"}
        What is played for.
    memory : int
        How many bytes the values of one layer may take.

    Returns
    -------
    tuple of ndarray and StateSpace

    Examples
    --------
    >>> last_layer(Grid([0.5]), 2, "squared", MEMORY)
    (array([0.5, 0. , 0.5]), StateSpace(points=1, horizon=2))
    """
    space = StateSpace(len(grid), T)
    space.require(space.size(T), memory)
    return terminal_values(cost_table(grid.points, T, measure), space), space


def induce(terminal: FloatArray, space: StateSpace, step_back: StepBack) -> float:
    """Return the value of the empty state; `terminal` is overwritten layer by layer, so no other memory is needed.

    Parameters
    ----------
    terminal : ndarray
        What the game pays at each state of the last layer, by rank.
    space : StateSpace
        The states.
    step_back : callable
        ``step_back(values, t, before)`` fills layer t, `before`, from layer t + 1.

    Returns
    -------
    float

    Examples
    --------
    With no choice at all, one point and always the outcome 1, the last state is the one of two ones:

    >>> space = StateSpace(points=1, horizon=2)
    >>> def ones(values, t, before):
    ...     before[:] = values[: len(before)]
    >>> induce(np.array([1.0, 0.0, 0.5]), space, ones)
    1.0
    """
    for t in range(space.horizon - 1, -1, -1):
        step_back(terminal, t, terminal[: space.size(t)])
    return float(terminal[0])


def value(grid: Grid, T: int, measure: str = "kl", *, memory: int = MEMORY) -> float:
    r"""Return the minimax value of E[KLCal], or of E[Cal_2], on a finite grid.

    .. math:: V_t(c) &= \min_{P \in \Delta(\mathcal Z)} \max_{y \in \{0,1\}} \sum_i P_i\,V_{t+1}(c + e_{i,y}), \\
              V_T(c) &= \sum_i n_i\,\mathsf{KL}(\rho_i, z_i), \qquad \text{value} = V_0(0)

    Parameters
    ----------
    grid : Grid
        Where forecasts live; any grid.
    T : int
        Horizon, at least 1.
    measure : {"kl", "squared"}
        What the game is played for (``eq:KLCal_PKLCal_def``, ``eq:ell_2_cal``).
    memory : int
        Bytes the values of one layer of states may take. A larger layer raises ``ValueError`` before anything is
        allocated.

    Returns
    -------
    float
        What the best randomised forecaster on the grid pays in expectation against the worst adaptive adversary,
        which sees all draws but the present one. Infinite if no point lies strictly inside (0, 1) (``"kl"`` only).

    Notes
    -----
    Float64, so correct to rounding; the book certifies some of these numbers with ball arithmetic. With more points
    to choose from the value cannot rise. Points 0 and 1 never help under ``"kl"``: a positive weight on them risks an
    infinite error in every round.

    Examples
    --------
    One round on the single point 1/2 costs :math:`\log 2`, and T rounds cost :math:`T\log 2`:

    >>> from klcal.grids import inner_grid
    >>> round(value(inner_grid(2), 1), 6), round(value(inner_grid(2), 10), 6)
    (0.693147, 6.931472)
    >>> round(value(inner_grid(4), 24), 6)
    4.595465
    >>> value(inner_grid(4), 24, memory=10**5)
    Traceback (most recent call last):
        ...
    ValueError: memory must hold the values of 118755 states (950040 bytes) for 3 points and 24 rounds; got 100000
    """
    terminal, space = last_layer(grid, T, measure, memory)

    def step_back(values: FloatArray, t: int, before: FloatArray) -> None:
        kernels.play_back(values, t, space.points, space.steps, before)

    return induce(terminal, space, step_back)
