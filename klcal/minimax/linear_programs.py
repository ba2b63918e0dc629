r"""The same game as linear programs that know nothing of counts and induction, for small instances.

`normal_form_value` lists all deterministic strategies of both players, as in the proof of Theorem 1, and solves the
matrix game of von Neumann's theorem (``thm:von_neumann``). The lists explode: for three rounds on three points there
are 2187 forecasters and 8192 adversaries. `sequence_form_value` has variables for histories in place of strategies.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog
from scipy.sparse import csr_array

from klcal import _checks
from klcal._checks import FloatArray, IntArray
from klcal.grids import Grid
from klcal.losses import LOSSES
from klcal.measures.cells import Cells

# Larger programs take minutes.
_ENTRIES = 10**6

_LOSS_OF = {"kl": LOSSES["log"], "squared": LOSSES["squared"]}


class BothSides(NamedTuple):
    """What each player can guarantee: the forecaster pays at most, the adversary earns at least."""

    forecaster: float
    adversary: float


def _final_costs(grid: Grid, T: int, measure: str) -> FloatArray:
    """Return the cost of all histories, one axis per round; forecast i and outcome y are entry 2i + y."""
    loss = _LOSS_OF[_checks.choice("measure", measure, _LOSS_OF)]
    costs = np.empty((2 * len(grid),) * T)
    for history in np.ndindex(costs.shape):
        moves = np.array(history)
        cells = Cells.from_forecasts(grid.points[moves // 2], moves % 2)
        costs[history] = np.sum(cells.mass * loss.divergence(cells.means, cells.points))
    if not np.isfinite(costs).all():
        raise ValueError(f"grid must lie strictly inside (0, 1) for measure 'kl'; got {grid.points.tolist()}")
    return costs


def _plays(points: int, T: int) -> IntArray:
    """Return which history each pair of deterministic strategies leads to, with rounds as digits in base 2m.

    A forecaster is a first point and, for each outcome, what it does next; an adversary is a first outcome and, for
    each point, what it does next.
    """
    if T == 0:
        return np.zeros((1, 1), dtype=np.int64)
    later = _plays(points, T - 1)
    forecasters, adversaries = (np.arange(n) for n in later.shape)
    blocks = []
    for i in range(points):
        row = []
        for y in range(2):
            after = np.array(list(product(forecasters, repeat=2)))[:, y]
            answer = np.array(list(product(adversaries, repeat=points)))[:, i]
            row.append((2 * i + y) * (2 * points) ** (T - 1) + later[np.ix_(after, answer)])
        blocks.append(row)
    return np.block(blocks)


def _strategies(points: int, T: int) -> tuple[int, int]:
    """Return how many deterministic strategies both players have."""
    forecasters, adversaries = 1, 1
    for _ in range(T):
        forecasters, adversaries = points * forecasters**2, 2 * adversaries**points
    return forecasters, adversaries


def _require_small(name: str, entries: int) -> None:
    if entries > _ENTRIES:
        raise ValueError(f"the {name} must have at most {_ENTRIES} entries; got {entries}")


def _optimum(cost: npt.ArrayLike, **constraints: object) -> float:
    """Return the smallest cost; every failure of the solver is an error."""
    result = linprog(cost, method="highs", **constraints)
    if result.status != 0:
        raise ArithmeticError(f"the linear program was not solved: {result.message}")
    return float(result.fun)


def _guarantee(payoff: FloatArray) -> float:
    """Return the least number that some mixture of the rows keeps all columns below."""
    rows, columns = payoff.shape
    return _optimum(
        np.append(np.zeros(rows), 1.0),
        A_ub=np.column_stack([payoff.T, -np.ones(columns)]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[np.newaxis],
        b_eq=[1.0],
        bounds=[(0.0, None)] * rows + [(None, None)],
    )


def normal_form_value(grid: Grid, T: int, measure: str = "kl") -> BothSides:
    """Return the value of the game in normal form, by one linear program for each player.

    Parameters
    ----------
    grid : Grid
        Where forecasts live, strictly inside (0, 1) under ``"kl"``.
    T : int
        Horizon; with m points there are :math:`m^{2^T-1}` forecasters: three rounds on two points are near the limit.
    measure : {"kl", "squared"}
        What the game is played for.

    Returns
    -------
    BothSides
        The least worst case over mixed forecasters, and the largest sure gain over mixed adversaries. By von Neumann's
        theorem they are equal.

    Notes
    -----
    Strategies that differ only where they themselves never lead are listed once. Solved by HiGHS in float64.

    Examples
    --------
    >>> from klcal.grids import inner_grid
    >>> values = normal_form_value(inner_grid(3), 2)
    >>> round(values.forecaster, 9) == round(values.adversary, 9)
    True
    """
    T = _checks.integer("T", T, least=1)
    forecasters, adversaries = _strategies(len(grid), T)
    _require_small("matrix of the game", forecasters * adversaries)
    matrix = _final_costs(grid, T, measure).ravel()[_plays(len(grid), T)]
    return BothSides(_guarantee(matrix), -_guarantee(-matrix.T))


class _Rows:
    """Linear constraints, entry by entry."""

    def __init__(self) -> None:
        self.entries: list[tuple[float, int, int]] = []
        self.right: list[float] = []

    def add(self, entries: list[tuple[float, int]], right: float = 0.0) -> None:
        self.entries += [(number, len(self.right), variable) for number, variable in entries]
        self.right.append(right)

    def matrix(self, variables: int) -> csr_array:
        numbers, rows, columns = zip(*self.entries, strict=True)
        return csr_array((numbers, (rows, columns)), shape=(len(self.right), variables))


def _best_plan(costs: FloatArray) -> float:
    """Return what the best plan of the minimiser guarantees; axes are its move and the opponent's, round by round."""
    own, other = costs.shape[:2]
    width, T = own * other, costs.ndim // 2
    final = costs.ravel().tolist()
    # Histories are numbered round by round; history h is followed by 1 + width h + (move), its plan starts after all.
    histories = sum(width**t for t in range(T))
    last = histories - width ** (T - 1)
    plans, caps = _Rows(), _Rows()
    for h in range(histories):
        shares = [(1.0, histories + own * h + k) for k in range(own)]
        if h == 0:
            plans.add(shares, 1.0)
        else:
            before, moves = divmod(h - 1, width)
            plans.add([*shares, (-1.0, histories + own * before + moves // other)])
        for o in range(other):
            follow = [width * h + 1 + k * other + o for k in range(own)]
            if h < last:
                worth = [(1.0, g) for g in follow]
            else:
                worth = [(final[g - histories], plan) for g, (_, plan) in zip(follow, shares, strict=True)]
            caps.add([*worth, (-1.0, h)])
    variables = histories * (1 + own)
    return _optimum(
        np.eye(1, variables).ravel(),
        A_ub=caps.matrix(variables),
        b_ub=caps.right,
        A_eq=plans.matrix(variables),
        b_eq=plans.right,
        bounds=[(None, None)] * histories + [(0.0, None)] * (own * histories),
    )


def sequence_form_value(grid: Grid, T: int, measure: str = "kl") -> BothSides:
    """Return the value of the game in sequence form, by one linear program for each player.

    Parameters
    ----------
    grid : Grid
        Where forecasts live, strictly inside (0, 1) under ``"kl"``.
    T : int
        Horizon; the programs have about :math:`(m+1)(2m)^{T-1}` variables.
    measure : {"kl", "squared"}
        What the game is played for.

    Returns
    -------
    BothSides
        As `normal_form_value`.

    Notes
    -----
    A player's plan gives each history the product of the probabilities of its own moves. For every history h there is
    a second variable: the most the opponent can make of h and what follows, weighted by the plan. One inequality per
    history and opponent's move ties them together [1]_.

    References
    ----------
    .. [1] B. von Stengel, "Efficient computation of behavior strategies", Games and Economic Behavior 14 (1996).

    Examples
    --------
    >>> from klcal.grids import inner_grid
    >>> [round(side, 9) for side in sequence_form_value(inner_grid(2), 3)]
    [2.079441542, 2.079441542]
    """
    T = _checks.integer("T", T, least=1)
    _require_small("tree of histories", (2 * len(grid)) ** T)
    by_forecaster = _final_costs(grid, T, measure).reshape((len(grid), 2) * T)
    by_adversary = by_forecaster.transpose([axis ^ 1 for axis in range(2 * T)])
    return BothSides(_best_plan(by_forecaster), -_best_plan(-by_adversary))
