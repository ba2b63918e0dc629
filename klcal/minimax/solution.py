r"""The game solved: values of all states, and from them both players' optimal moves."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from klcal._checks import FloatArray, IntArray
from klcal._kernels import minimax as kernels
from klcal.adversaries import Seed, View
from klcal.forecasters import CountingReduction, GridForecaster
from klcal.grids import Grid
from klcal.minimax.induction import terminal_values
from klcal.minimax.states import MEMORY, StateSpace, cost_table

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

    def value_at(self, counts: npt.ArrayLike) -> float:
        """Return what the game will have cost in the end, when both play well from this state on."""
        state = self.space.checked(counts)
        return float(self.layers[int(state.sum())][self.space.rank(state)])

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

    def forecaster(self, rng: Seed = None) -> OptimalForecaster:
        """Return the optimal forecaster, before its first round."""
        return OptimalForecaster(self, rng)

    def adversary(self, rng: Seed = None) -> OptimalAdversary:
        """Return the optimal adversary, ready for `klcal.run`."""
        return OptimalAdversary(self, rng)


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


def solve(grid: Grid, T: int, measure: str = "kl", *, memory: int = MEMORY) -> Solution:
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
    >>> from klcal.minimax.induction import value
    >>> solve(inner_grid(3), 2).value == value(inner_grid(3), 2)
    True
    """
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


class _OptimalReduction(CountingReduction):
    """The optimal mixtures as those of a reduction, which counts its draws."""

    learns_from_draws = True

    def __init__(self, solution: Solution) -> None:
        super().__init__(solution.grid)
        self._solution = solution

    def leanings(self) -> FloatArray:
        """Return the grid points: there are no learners."""
        return self.grid.points

    def _new_mixture(self) -> FloatArray:
        return self._solution.mixture(self.counts())


class OptimalForecaster(GridForecaster):
    """A forecaster that mixes optimally over its grid; the verbs of `klcal.Forecaster`.

    Asking it for more than T rounds raises ``ValueError``.

    Parameters
    ----------
    solution : Solution
        The solved game.
    rng : None, int, Generator, ...
        Source of the draws, for ``numpy.random.default_rng``.

    Examples
    --------
    >>> from klcal.grids import inner_grid
    >>> forecaster = solve(inner_grid(2), 2).forecaster(rng=0)
    >>> forecaster.predict(), forecaster.update(1), forecaster.counts.tolist()
    (0.5, None, [[0], [1]])
    """

    def __init__(self, solution: Solution, rng: Seed = None) -> None:
        super().__init__(_OptimalReduction(solution), rng)
        self.solution = solution

    @property
    def counts(self) -> IntArray:
        """Drawn forecasts so far, by outcome and grid point."""
        return self.reduction.counts().astype(np.int64)


class OptimalAdversary:
    """The adversary that makes every forecaster on this grid pay at least the value, in expectation.

    Its moves depend on the draws so far, so it can be given to `klcal.run` as outcomes.

    Parameters
    ----------
    solution : Solution
        The solved game.
    rng : None, int, Generator, ...
        Source of the outcomes; a child of it is used, so that the same seed may be given to `klcal.run`.

    Examples
    --------
    >>> from klcal.games import play
    >>> from klcal.grids import full_grid
    >>> adversary = solve(full_grid(2), 4).adversary(rng=0)
    >>> play.run(adversary, K=2, algorithm="realised", rng=0).horizon
    4
    """

    def __init__(self, solution: Solution, rng: Seed = None) -> None:
        self.solution = solution
        self._rng = np.random.default_rng(rng).spawn(1)[0]

    @property
    def horizon(self) -> int:
        """Number of rounds it will play."""
        return self.solution.horizon

    def choose(self, view: View) -> int:
        """Return the outcome of this round, drawn from its optimal probability."""
        if view.grid != self.solution.grid:
            raise ValueError(f"the forecaster must play on {self.solution.grid!r}; got {view.grid!r}")
        return int(self._rng.random() < self.solution.outcome_probability(view.counts))
