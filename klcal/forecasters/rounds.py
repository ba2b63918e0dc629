"""What a forecaster must be able to do in one round, whatever its algorithm."""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import deepcopy
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray, IntArray, OutcomeArray
from klcal._kernels import bank
from klcal._kernels.bank import Game
from klcal.grids import Grid
from klcal.measures.cells import Cells

# What is written into where draws and mixtures are not recorded.
NO_DRAWS, NO_MIXTURES = np.zeros(0, dtype=np.int64), np.zeros((0, 0))


class Reduction(ABC):
    """What a round needs: a mixture over the grid, then the drawn index and the outcome."""

    grid: Grid
    #: Whether the mixtures depend on earlier draws, and not on the outcomes alone.
    learns_from_draws: bool

    @abstractmethod
    def mixture(self) -> FloatArray:
        """Return this round's distribution over the grid."""

    @abstractmethod
    def draw(self, uniform: float) -> int:
        """Return the grid index that a uniform number in [0, 1) selects."""

    @abstractmethod
    def update(self, index: int, outcome: int) -> None:
        """End the round: `index` was forecast, `outcome` happened."""

    @abstractmethod
    def leanings(self) -> FloatArray:
        """Return the point each learner leans to."""

    @abstractmethod
    def weights(self) -> FloatArray:
        """Return the (2, n) array of expected mass by outcome and grid point."""

    @abstractmethod
    def counts(self) -> FloatArray:
        """Return the (2, n) array of drawn forecasts by outcome and grid point."""

    @property
    def expected(self) -> Cells:
        """Cells of the mixtures so far."""
        return Cells.from_weights(self.grid.points, self.weights())

    @property
    def realised(self) -> Cells:
        """Cells of the drawn forecasts so far."""
        return Cells.from_weights(self.grid.points, self.counts())


def fresh_copy(reduction: Reduction, name: str) -> Reduction:
    """Return a copy to play with, if no round has been played yet; `name` is that of the argument."""
    rounds = round(reduction.weights().sum())
    if rounds > 0:
        raise ValueError(f"{name} must be before its first round; got one after {rounds}")
    return deepcopy(reduction)


class Sums:
    """Weights that `size` grid points have received, by outcome.

    The sums are compensated (Kahan): after a hundred million rounds they are still right to the last digits, and a
    point that receives weight 0 is left untouched.

    Examples
    --------
    >>> sums = Sums(2)
    >>> sums.update([1.0, 0.0], 1)
    >>> sums.ones, sums.zeros
    (array([1., 0.]), array([0., 0.]))
    """

    def __init__(self, size: int) -> None:
        # Row y holds the weights of outcome y, and what their running sums have lost to rounding.
        self._sums = np.zeros((2, size))
        self._carry = np.zeros((2, size))

    @property
    def ones(self) -> FloatArray:
        """Weights received with outcome 1."""
        return np.array(self._sums[1])

    @property
    def zeros(self) -> FloatArray:
        """Weights received with outcome 0."""
        return np.array(self._sums[0])

    def both(self) -> FloatArray:
        """Return the (2, size) array of weights by outcome and point."""
        return self._sums.copy()

    def update(self, weights: npt.ArrayLike, outcome: int) -> None:
        """Add ``weights[i]`` to point i in the row of the outcome."""
        y, added = _checks.outcome("outcome", outcome), np.asarray(weights, dtype=np.float64)
        sums, carry, fed = self._sums[y], self._carry[y], added.nonzero()[0]
        before, corrected = sums[fed], added[fed] - carry[fed]
        sums[fed] = total = before + corrected
        carry[fed] = (total - before) - corrected


class PlainReduction(Reduction):
    """A reduction in plain NumPy: it computes a mixture once a round, and draws from it."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self._mixture: FloatArray | None = None

    @abstractmethod
    def _new_mixture(self) -> FloatArray:
        """Compute the mixture of this round."""

    def mixture(self) -> FloatArray:
        """Return this round's distribution over the grid."""
        return self._current().copy()

    def _current(self) -> FloatArray:
        if self._mixture is None:
            self._mixture = self._new_mixture()
        return self._mixture

    def draw(self, uniform: float) -> int:
        """Return the grid index that `uniform` selects from the mixture."""
        return select(self._current(), uniform)


class CountingReduction(PlainReduction):
    """One whose mixture is a function of its weights and counts; subclasses say which.

    Parameters
    ----------
    grid : Grid
        Where forecasts live.
    """

    def __init__(self, grid: Grid) -> None:
        super().__init__(grid)
        self._by_mixture, self._counts = Sums(len(grid)), np.zeros((2, len(grid)))

    def update(self, index: int, outcome: int) -> None:
        """End the round: count the drawn forecast, and the mixture."""
        self._by_mixture.update(self._current(), outcome)
        self._counts[outcome, index] += 1.0
        self._mixture = None

    def weights(self) -> FloatArray:
        """Return the expected mass by outcome and grid point."""
        return self._by_mixture.both()

    def counts(self) -> FloatArray:
        """Return the drawn forecasts by outcome and grid point."""
        return self._counts.copy()


class CompiledReduction(Reduction):
    """A reduction whose state is a bank of arrays, which can also play many rounds in one compiled call.

    Parameters
    ----------
    grid : Grid
        Where forecasts live.
    new : Bank
        The state before the first round; see `klcal._kernels.bank`.
    """

    #: The module of the compiled steps: `begin`, `end` and `play_rounds`.
    _kernels: ModuleType

    def __init__(self, grid: Grid, new: bank.Bank) -> None:
        self.grid = grid
        self._keep(new)
        self._solved = False

    def _keep(self, new: bank.Bank) -> None:
        """Make this the state; what a single round passes to the compiler are its bytes."""
        self.bank = new
        learners, mixture, control = map(bank.as_bytes, new[:3])
        self._round = learners, mixture, control, new.rates
        self._rest = learners, mixture, control

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_round", "_rest")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._keep(self.bank)

    def _solve(self) -> None:
        """Make sure that the bank holds the mixture of the current round."""
        if not self._solved:
            self._kernels.begin(*self._round, 0.0)
            self._solved = True

    def update(self, index: int, outcome: int) -> None:
        """End the round: count the drawn forecast, and the mixture."""
        if not self._solved:
            self._solve()
        more = self._kernels.end(*self._rest, index, outcome)
        self._solved = False
        if more:
            self._split()

    def _split(self) -> None:
        """Do what a round has left to be done; only the tree has something."""

    def play_rounds(
        self,
        outcomes: OutcomeArray,
        uniforms: FloatArray,
        adversary: int,
        draws: IntArray = NO_DRAWS,
        mixtures: FloatArray = NO_MIXTURES,
    ) -> None:
        """Play ``len(uniforms)`` rounds against the compiled adversary with the code `adversary`.

        `outcomes` is filled in unless the outcomes are given, `draws` and `mixtures` unless they are empty.
        """
        self._kernels.play_rounds(self.bank, Game(outcomes, uniforms, adversary, draws, mixtures), 0)
        self._solved = False

    def leanings(self) -> FloatArray:
        """Return the point of each learner."""
        return np.array(self.bank.learners["leaning"])

    def mixture(self) -> FloatArray:
        """Return this round's distribution over the grid."""
        self._solve()
        entries = self.bank.mixture[: self.bank.control["members"].item()]
        dense = np.zeros(len(self.grid))
        dense[entries["member"]] = entries["share"]
        return dense

    def draw(self, uniform: float) -> int:
        """Return the grid index that `uniform` selects from the mixture."""
        if not self._solved:
            index = self._kernels.begin(*self._round, uniform)
            self._solved = True
            return int(index)
        return int(bank.draw_again(self.bank.mixture, self.bank.control, uniform))

    def weights(self) -> FloatArray:
        """Return the expected mass by outcome and grid point."""
        return np.array(self.bank.learners["weight"].T)

    def counts(self) -> FloatArray:
        """Return the drawn forecasts by outcome and grid point."""
        return np.array(self.bank.learners["count"].T, dtype=np.float64)


def select(mixture: FloatArray, uniform: float) -> int:
    """Return the first index whose cumulative probability exceeds `uniform`.

    Parameters
    ----------
    mixture : ndarray, shape (n,)
        A distribution.
    uniform : float
        A number in [0, 1).

    Returns
    -------
    int
        An index of positive probability, also where the probabilities add up to a little less than one.

    Examples
    --------
    >>> select(np.array([0.25, 0.0, 0.75]), 0.25)
    2
    """
    support, cumulative = mixture.nonzero()[0].tolist(), 0.0
    for i in support:
        cumulative += mixture.item(i)
        if uniform < cumulative:
            break
    return int(i)
