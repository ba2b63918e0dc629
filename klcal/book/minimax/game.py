r"""The game on a finite grid, solved by backward induction over its states.

What a forecaster on m points will owe at the end depends on the past only through the 2m counts of zeros and ones per
point. After t rounds there are :math:`\binom{t+2m-1}{2m-1}` of them, as `klcal.book._kernels.minimax` numbers them.
At each state the two players move at once: the forecaster draws a point, the adversary names an outcome. That is a
matrix game with one row per point and two columns, and what it pays are the values of the states it leads to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import comb
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray, IntArray
from klcal.book._kernels import minimax as kernels
from klcal.grids import Grid, as_grid, inner_grid
from klcal.measures import cell_regrets

# What one call may spend on the values of states, unless told otherwise: 2 GiB.
MEMORY = 2**31


@dataclass(frozen=True)
class StateSpace:
    r"""All count vectors of up to `horizon` rounds on `points` grid points.

    Parameters
    ----------
    points : int
        Number m of grid points, at least 1.
    horizon : int
        Number T of rounds, at least 1.

    Examples
    --------
    >>> space = StateSpace(points=3, horizon=24)
    >>> space.size(1), space.size(24), space.total
    (6, 118755, 593775)
    """

    points: int
    horizon: int

    def __post_init__(self) -> None:
        _checks.integer("points", self.points, least=1)
        _checks.integer("T", self.horizon, least=1)

    def size(self, rounds: int) -> int:
        """Return the number of states after this many rounds."""
        return comb(rounds + 2 * self.points - 1, rounds)

    @property
    def total(self) -> int:
        """The number of states of all layers together."""
        return comb(self.horizon + 2 * self.points, self.horizon)

    @cached_property
    def steps(self) -> IntArray:
        r"""How far the rank moves with each partial sum of the counts: entry (j, s) is :math:`\binom{s+j}j`."""
        rows = range(2 * self.points - 1)
        return np.array([[comb(s + j, j) for s in range(self.horizon + 1)] for j in rows], dtype=np.int64)

    def require(self, states: int, memory: int) -> None:
        """Raise unless `states` values of eight bytes each fit into `memory` bytes."""
        memory = _checks.integer("memory", memory, least=1)
        if 8 * states > memory:
            raise ValueError(
                f"memory must hold the values of {states} states ({8 * states} bytes) "
                f"for {self.points} points and {self.horizon} rounds; got {memory}"
            )

    def checked(self, counts: npt.ArrayLike, *, most: int) -> IntArray:
        """Return counts by outcome and point, shape (2, m), as integers that add up to at most `most` rounds."""
        array = _checks.nonnegative("counts", counts, ndim=2)
        if array.shape != (2, self.points):
            raise ValueError(f"counts must have shape (2, {self.points}); got {array.shape}")
        whole = _checks.whole("counts", array)
        if whole.sum() > most:
            raise ValueError(f"counts must add up to at most {most} rounds; got {int(whole.sum())}")
        return whole

    def rank(self, counts: IntArray) -> int:
        """Return the number of a state within its layer; `counts` has shape (2, m)."""
        sums = np.cumsum(counts.T.ravel())[:-1].tolist()
        return sum(comb(s + j, j + 1) for j, s in enumerate(sums))

    def children(self, counts: IntArray) -> IntArray:
        """Return the ranks of the states that follow, shape (m, 2): entry (i, y) after point i met outcome y."""
        sums = np.cumsum(counts.T.ravel())[:-1]
        moved = np.cumsum(self.steps[np.arange(len(sums)), sums][::-1])[::-1]
        return (self.rank(counts) + np.append(moved, 0)).reshape(self.points, 2)


def _kl(zeros: FloatArray, ones: FloatArray, z: float) -> FloatArray:
    return cell_regrets(z, ones, zeros)


def _squared(zeros: FloatArray, ones: FloatArray, z: float) -> FloatArray:
    mass = zeros + ones
    return np.asarray((mass * z - ones) ** 2 / np.maximum(mass, 1.0))


#: What can be played for: KL-calibration, or l2 calibration, which is the swap regret of the squared loss.
MEASURES: Mapping[str, Callable[[FloatArray, FloatArray, float], FloatArray]] = MappingProxyType(
    {"kl": _kl, "squared": _squared}
)


def cost_table(grid_points: FloatArray, horizon: int, measure: str) -> FloatArray:
    r"""Return what each grid point adds to the measure, by its counts of zeros and ones.

    Parameters
    ----------
    grid_points : ndarray, shape (m,)
        The forecasts z.
    horizon : int
        Largest count.
    measure : {"kl", "squared"}
        :math:`n\,\mathsf{KL}(\rho, z)` or :math:`n(\rho - z)^2`, with n rounds of mean :math:`\rho`.

    Returns
    -------
    ndarray, shape (m, horizon + 1, horizon + 1)
        Entry (i, a, b) after a zeros and b ones; infinite where a forecast 0 met a one or a forecast 1 a zero.

    Examples
    --------
    >>> cost_table(np.array([0.5]), 1, "squared")
    array([[[0.  , 0.25],
            [0.25, 0.  ]]])
    """
    cost = MEASURES[_checks.choice("measure", measure, MEASURES)]
    zeros, ones = np.arange(horizon + 1.0)[:, np.newaxis], np.arange(horizon + 1.0)
    return np.stack([cost(zeros, ones, float(z)) for z in grid_points])


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


def last_layer(
    grid: Grid | npt.ArrayLike, T: int, measure: str, memory: int
) -> tuple[FloatArray, StateSpace]:
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
    grid = as_grid(grid)
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


def value(grid: Grid | npt.ArrayLike, T: int, measure: str = "kl", *, memory: int = MEMORY) -> float:
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


def values(
    resolutions: Sequence[int], horizons: Sequence[int], measure: str = "kl", *, states: int = 6_000_000
) -> FloatArray:
    """Return the minimax values on inner grids, one row per horizon.

    Parameters
    ----------
    resolutions, horizons : sequence of int
        K and T.
    measure : {"kl", "squared"}
        What the games are played for.
    states : int
        Games with more states than this are not solved.

    Returns
    -------
    ndarray, shape (horizons, resolutions)
        NaN where a game was too large.

    Examples
    --------
    >>> values([2, 3], [1, 2], "squared").round(4)
    array([[0.25  , 0.3125],
           [0.5   , 0.4583]])
    """
    table = np.full((len(horizons), len(resolutions)), np.nan)
    for row, column in np.ndindex(table.shape):
        K, T = resolutions[column], horizons[row]
        if StateSpace(K - 1, T).total <= states:
            table[row, column] = value(inner_grid(K), T, measure)
    return table


# What rounding may have done to a value, relatively.
_SLACK = 16 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class Solution:
    """Values of all states of one game. Moves are recovered from them state by state.

    A state is an array of counts, shape (2, m): how often each grid point was drawn and 0 happened (first row), and 1
    happened (second row). This is the convention of `klcal.adversaries.View.counts`.

    Parameters
    ----------
    grid : Grid
        Where forecasts live.
    horizon : int
        Number of rounds T.
    measure : {"kl", "squared"}
        What the game is played for.
    layers : tuple of ndarray
        Values after 0, 1, ..., T rounds, by rank.

    Examples
    --------
    >>> from klcal.grids import inner_grid
    >>> game = solve(inner_grid(3), 2)
    >>> start = np.zeros((2, 2))
    >>> game.mixture(start), game.outcome_probability(start)
    (array([0.5, 0.5]), 0.5)
    """

    grid: Grid
    horizon: int
    measure: str
    layers: tuple[FloatArray, ...] = field(repr=False)

    @property
    def value(self) -> float:
        """What the game costs the forecaster from the start."""
        return float(self.layers[0][0])

    @cached_property
    def space(self) -> StateSpace:
        """The states."""
        return StateSpace(len(self.grid), self.horizon)

    def payoffs(self, counts: npt.ArrayLike) -> FloatArray:
        """Return the matrix game at a state: entry (i, y) is the value after forecast i and outcome y."""
        state = self.space.checked(counts, most=self.horizon - 1)
        return self.layers[int(state.sum()) + 1][self.space.children(state)]

    def mixture(self, counts: npt.ArrayLike) -> FloatArray:
        """Return an optimal distribution over the grid; at most two points have a share.

        Where several mixtures are optimal a single point is preferred, then the pair found first. At a state that is
        already infinitely bad every mixture is optimal, and the first point is named.
        """
        _, i, j, weight = kernels.matrix_game(self.payoffs(counts))
        shares = np.zeros(len(self.grid))
        shares[i] += weight
        shares[j] += 1.0 - weight
        return shares

    def outcome_probability(self, counts: npt.ArrayLike) -> float:
        """Return the adversary's optimal probability of outcome 1; the middle one where an interval is optimal.

        On a grid with 0 or 1 and ``measure="kl"`` the adversary may have no optimal move, only better and better ones.
        Then this is their limit: it keeps the value if the forecaster never plays a point that risks infinity.
        """
        payoff = self.payoffs(counts)
        return _middle_chance(payoff, kernels.matrix_game(payoff)[0])

    def after_one_point(self, index: int) -> tuple[FloatArray, FloatArray]:
        """Return both players' moves at the states in which only one grid point has been drawn.

        Entry (a, b) of the first array is the mean of the forecaster's mixture after a zeros and b ones at point
        `index`, entry (a, b) of the second the adversary's chance of outcome 1; NaN from the last round on.
        """
        means, chances = (np.full((self.horizon, self.horizon), np.nan) for _ in range(2))
        for a, b in zip(*np.triu_indices(self.horizon), strict=True):
            state = np.zeros((2, len(self.grid)), dtype=np.int64)
            state[:, index] = a, b - a
            means[a, b - a] = self.mixture(state) @ self.grid.points
            chances[a, b - a] = self.outcome_probability(state)
        return means, chances


def _middle_chance(payoff: FloatArray, value: float) -> float:
    """Return the middle of the chances of outcome 1 at which every finite row costs at least the value.

    Rounding may have left none: it breaks ties, and a row that costs the same for both outcomes, up to its last digit,
    seems to ask for 0 or 1. Then the value less a rounding error has to do.
    """
    finite = payoff[np.isfinite(payoff).all(axis=1)]
    if len(finite) == 0:
        return 0.5
    low, high = _chances(finite, value)
    if low > high:
        low, high = _chances(finite, value - _SLACK * float(finite.max()))
    return (low + high) / 2.0


def _chances(payoff: FloatArray, least: float) -> tuple[float, float]:
    """Return the ends of the chances in [0, 1] at which no row costs less than `least`."""
    low, high = 0.0, 1.0
    for zero, one in payoff.tolist():
        if one > zero:
            low = max(low, (least - zero) / (one - zero))
        elif one < zero:
            high = min(high, (zero - least) / (zero - one))
    return min(low, 1.0), max(high, 0.0)


def solve(grid: Grid | npt.ArrayLike, T: int, measure: str = "kl", *, memory: int = MEMORY) -> Solution:
    """Solve the game and keep the values of all its states.

    Parameters
    ----------
    grid : Grid
        Where forecasts live; any grid.
    T : int
        Horizon, at least 1.
    measure : {"kl", "squared"}
        What the game is played for.
    memory : int
        Bytes that the values of all states may take. More raises ``ValueError`` before anything is allocated.

    Returns
    -------
    Solution
        Value, optimal mixtures, optimal outcomes.

    Examples
    --------
    >>> from klcal.grids import inner_grid
    >>> solve(inner_grid(3), 2)
    Solution(grid=Grid(2 points, 'inner, K=3'), horizon=2, measure='kl')
    >>> from klcal.book.minimax.game import value
    >>> solve(inner_grid(3), 2).value == value(inner_grid(3), 2)
    True
    """
    grid = as_grid(grid)
    space = StateSpace(len(grid), T)
    space.require(space.total, memory)
    layers = [terminal_values(cost_table(grid.points, T, measure), space)]
    for t in range(T - 1, -1, -1):
        before = np.empty(space.size(t))
        kernels.play_back(layers[-1], t, space.points, space.steps, before)
        layers.append(before)
    for layer in layers:
        layer.flags.writeable = False
    return Solution(grid, T, measure, tuple(reversed(layers)))
