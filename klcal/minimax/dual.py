r"""The dual game of Section 4: the adversary reveals the conditional mean, the forecaster plays the nearest point."""

from __future__ import annotations

import numpy as np

from klcal import _checks
from klcal._checks import FloatArray
from klcal._kernels import minimax as kernels
from klcal.grids import Grid
from klcal.minimax.induction import induce, last_layer
from klcal.minimax.states import MEMORY


def nearest_cells(grid: Grid, nearest: str = "kl") -> FloatArray:
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
    low, high = grid.points[:-1], grid.points[1:]
    if _checks.choice("nearest", nearest, ("kl", "euclid")) == "euclid":
        borders = (low + high) / 2.0
    else:
        # A or B is infinite next to a point 0 or 1; on the grid {0, 1} both are, and every border is as good.
        with np.errstate(divide="ignore", invalid="ignore"):
            odds = np.log(high / low) / (np.log1p(-low) - np.log1p(-high))
        borders = np.where((low == 0.0) & (high == 1.0), 0.5, 1.0 / (1.0 + odds))
    return np.column_stack([np.append(0.0, borders), np.append(borders, 1.0)])


def dual_worst_case(
    grid: Grid, T: int, nearest: str = "kl", measure: str = "kl", *, memory: int = MEMORY
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
