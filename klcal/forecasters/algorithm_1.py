r"""Algorithm 1: Blum-Mansour for the log loss. Learners, rounding and a stationary mixture become a forecaster.

`BlumMansour` follows the pseudo-code (``alg:BM_log_loss``) line by line, with a grid, a rounding and a learner of your
own if you like; `FastBlumMansour` is its compiled twin, for those of the package. One
convention throughout: matrices are row-stochastic, ``Q[i, j]`` is the probability to go from i to j, and a stationary
distribution is a row vector with ``p = p @ Q``. (The paper stacks the same distributions as columns.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from klcal import _checks, grids
from klcal._checks import FloatArray, IntArray
from klcal._kernels import blum_mansour
from klcal._kernels.bank import EXPECTED, REALISED
from klcal.forecasters.rounds import CompiledReduction, CountingReduction, Reduction
from klcal.grids import (
    Grid,
    as_grid,
    linear_rounding,
    log_odds_rounding,
    log_rounding,
    nearest_rounding,
    require_interior,
)

# What the learners are fed: the mixture's weights (the paper) or the drawn forecast.
FEEDBACK = {"paper": EXPECTED, "realised": REALISED}
#: Algorithm 1 with the two lines of `half_counts` changed (``half-counts``), fed the mixture's weights.
HALF_COUNTS = "half-counts"

#: From numbers w and a grid to one distribution over the grid for each w, a row each.
Rounding = Callable[[FloatArray, Grid], FloatArray]


@runtime_checkable
class Learners(Protocol):
    """Learners that remember more than two sums: one object stands for those of all grid points."""

    def answers(self) -> FloatArray:
        """Return the point in [0, 1] of each learner for the round to come."""

    def learn(self, weights: FloatArray, outcome: int) -> None:
        """End a round in which learner i had the weight ``weights[i]``."""


#: From weights received with outcome 1 and with outcome 0, an entry per learner, to their plays in [0, 1].
Learner = Callable[[FloatArray, FloatArray], FloatArray] | Learners
#: From a row-stochastic matrix Q to a distribution p with ``p = p @ Q``.
Stationary = Callable[[FloatArray], FloatArray]


def beta_mean(ones: npt.ArrayLike, zeros: npt.ArrayLike, *, prior: float = 1.0) -> FloatArray:
    r"""Return what EWOO plays after weights `ones` of outcome 1 and `zeros` of outcome 0.

    The weight function of ``alg:EWOO`` is :math:`w^{\gamma}(1-w)^{\delta}`, so its mean is that of a Beta distribution,

    .. math:: w = \frac{\gamma + 1}{\gamma + \delta + 2}.

    Parameters
    ----------
    ones, zeros : array_like
        :math:`\gamma = \sum_t p_{t,i} y_t` and :math:`\delta = \sum_t p_{t,i}(1 - y_t)`, at least 0.
    prior : float
        How many ones, and as many zeros, are imagined in place of 1: 1/2 gives the half counts of Krichevsky and
        Trofimov. More than 0.

    Returns
    -------
    ndarray
        Means in (0, 1); with unit weights this is Laplace's rule.

    Examples
    --------
    >>> beta_mean([0, 1, 0.5], [0, 0, 0.5])
    array([0.5       , 0.66666667, 0.5       ])
    >>> beta_mean([0, 1, 0.5], [0, 0, 0.5], prior=0.5)
    array([0.5 , 0.75, 0.5 ])
    """
    hits, misses = _checks.nonnegative("ones", ones), _checks.nonnegative("zeros", zeros)
    return _beta_mean(hits, misses, _require_prior(prior))


def _beta_mean(ones: FloatArray, zeros: FloatArray, prior: float) -> FloatArray:
    return np.asarray((ones + prior) / ((ones + zeros) + 2.0 * prior))


def _require_prior(prior: float) -> float:
    value = _checks.real("prior", prior, least=0.0)
    if value == 0.0:
        raise _checks.complaint("prior", "be greater than 0", prior)
    return value


def weighted_mean(ones: npt.ArrayLike, zeros: npt.ArrayLike, *, empty: npt.ArrayLike = 0.5) -> FloatArray:
    r"""Return the point that minimises :math:`\sum_s p_s (w - y_s)^2`.

    Parameters
    ----------
    ones, zeros : array_like
        Weights received with outcome 1 and with outcome 0, at least 0.
    empty : array_like
        What stands in for the mean before the first weight.

    Returns
    -------
    ndarray
        Means in [0, 1].

    Notes
    -----
    This is gradient descent: with :math:`S_t = p_1 + \dots + p_t`,

    .. math:: w_{t+1} = w_t - \frac{1}{2S_t}\,\nabla f_t(w_t), \qquad f_t(w) = p_t\,(w - y_t)^2,

    is the mean of all outcomes so far, weighted, because both sides move by :math:`\frac{p_t}{S_t}(y_t - w_t)`. It
    never leaves [0, 1], so nothing has to be projected.

    Examples
    --------
    >>> weighted_mean([0, 1, 0.5], [0, 0, 1.5])
    array([0.5 , 1.  , 0.25])
    """
    hits, misses = _checks.nonnegative("ones", ones), _checks.nonnegative("zeros", zeros)
    mass = hits + misses
    return np.asarray(np.divide(hits, mass, out=np.full(np.shape(mass), empty), where=mass > 0.0))


def stationary(Q: npt.ArrayLike) -> FloatArray:
    """Return the stationary distribution of `Q` that lives on its lowest closed class.

    Where several classes are closed, the one with the smallest member is taken: a rule that depends on `Q` alone.
    The chain may be periodic; no iteration is involved. Up to three states have a closed form, more are eliminated one
    by one (Grassmann, Taksar and Heyman); neither subtracts.

    Parameters
    ----------
    Q : array_like, shape (n, n)
        Row-stochastic matrix.

    Returns
    -------
    ndarray, shape (n,)
        ``p`` with ``p = p @ Q``, zero outside the class.

    Examples
    --------
    A chain of period two, on which power iteration never settles:

    >>> stationary([[0.0, 1.0], [1.0, 0.0]])
    array([0.5, 0.5])
    """
    matrix = _stochastic(Q)
    return _stationary(matrix, np.array(_closed_classes(matrix, range(len(matrix)))[0]))


def _stationary(matrix: FloatArray, members: IntArray) -> FloatArray:
    block = matrix[members[:, None], members].tolist()
    weights = _by_trees(block) if len(block) <= 3 else _by_elimination(block)
    if max(weights) < 1e-200:  # products of tiny numbers; quotients lose nothing
        weights = _by_elimination(block)
    distribution = np.zeros(len(matrix))
    distribution[members] = np.array(weights) / _total(weights)
    return distribution


def _stochastic(Q: npt.ArrayLike) -> FloatArray:
    matrix = _checks.real_array("Q", Q, ndim=2)
    return _checks.mixtures("Q", matrix, len(matrix))


def _closed_classes(matrix: FloatArray, roots: Iterable[int]) -> list[list[int]]:
    """Return the closed classes that can be reached from `roots`, by smallest member.

    A state is in one if whatever it reaches reaches it.
    """
    following: dict[int, list[int]] = {}
    waiting = list(roots)
    while waiting:
        i = waiting.pop()
        if i not in following:
            following[i] = matrix[i].nonzero()[0].tolist()
            waiting += following[i]
    reached = {i: _reached_from(i, following) for i in following}
    closed = {min(found): found for i, found in reached.items() if all(i in reached[j] for j in found)}
    return [sorted(closed[lowest]) for lowest in sorted(closed)]


def _reached_from(start: int, following: dict[int, list[int]]) -> set[int]:
    """Return `start` and all states that can be reached from it."""
    found, waiting = {start}, [start]
    while waiting:
        for j in following[waiting.pop()]:
            if j not in found:
                found.add(j)
                waiting.append(j)
    return found


def _by_trees(matrix: list[list[float]]) -> list[float]:
    """Return unnormalised weights of up to three states by the Markov chain tree theorem.

    The weight of a state is the sum over all trees that lead into it of the product of their edges: no subtractions
    either, and no divisions.
    """
    if len(matrix) == 1:
        return [1.0]
    if len(matrix) == 2:
        return [matrix[1][0], matrix[0][1]]
    (_, ab, ac), (ba, _, bc), (ca, cb, _) = matrix
    return [ba * ca + ba * cb + ca * bc, ab * cb + ab * ca + cb * ac, ac * bc + ac * ba + bc * ab]


def _by_elimination(matrix: list[list[float]]) -> list[float]:
    """Return unnormalised weights of the states of an irreducible chain by Grassmann-Taksar-Heyman elimination.

    States are eliminated from the last to the first. Nothing is subtracted, so every entry is accurate to a small
    multiple of machine precision, however close the chain is to falling apart (Operations Research 33, 1985). Sums run
    from left to right, as in the compiled twin `_kernels.blum_mansour._eliminate`. Classes are small: plain lists are
    faster than arrays.
    """
    rates = [list(row) for row in matrix]
    for k in range(len(rates) - 1, 0, -1):
        last = rates[k][:k]
        leaving = _total(last)
        for row in rates[:k]:
            if row[k] > 0.0:
                row[k] = share = row[k] / leaving
                row[:k] = [rate + share * onwards for rate, onwards in zip(row[:k], last, strict=True)]
    weights = [1.0]
    for k in range(1, len(rates)):
        weights.append(_total([weight * rates[i][k] for i, weight in enumerate(weights)]))
    return weights


def _total(numbers: list[float]) -> float:
    """Return the sum from left to right; the built-in one compensates from Python 3.12 on."""
    total = numbers[0]
    for number in numbers[1:]:
        total += number
    return total


class BlumMansour(CountingReduction):
    r"""Algorithm 1 in plain NumPy, on any grid, with any rounding and any learner.

    Parameters
    ----------
    grid : Grid or array_like
        Where forecasts live; one learner per point.
    algorithm : {"paper", "realised"}
        "paper" feeds learner i the weight :math:`p_{t,i}`; "realised" feeds the drawn learner the weight 1.
    rounding : callable, optional
        A function ``(w, grid)`` of an array of m numbers in [0, 1] that returns m distributions over the grid, shape
        (m, n); by default `klcal.log_rounding`, the paper's Algorithm 4.
    learner : callable or Learners, optional
        A function ``(ones, zeros)`` of the weights that learners have received with outcome 1 and with outcome 0, an
        entry for each point of the grid, that returns their plays in [0, 1]; by default `beta_mean`, EWOO. It must be
        pure: equal weights, equal plays. Learners that remember more are an object with ``answers()``, their plays, and
        ``learn(weights, outcome)``, which ends the round.
    prior : float
        How many ones, and as many zeros, `beta_mean` imagines; another learner has no use for it.
    stationary : callable, optional
        A function of the row-stochastic matrix Q whose row i is the advice of learner i, that returns a distribution p
        with ``p = p @ Q``; by default `klcal.forecasters.stationary`, the one on the lowest closed class.

    Notes
    -----
    Rows of the matrix change only where a learner moves; `beta_mean` does if it was fed, and only learners with
    probability are. The closed class can change only when one of these rows gets other zeros.

    Examples
    --------
    >>> from klcal.grids import full_grid
    >>> reduction = BlumMansour(full_grid(2))
    >>> reduction.mixture()
    array([0., 1., 0.])
    >>> reduction.update(1, 1)
    >>> reduction.leanings()
    array([0.5       , 0.66666667, 0.5       ])

    Learners that say (k + 2)/(n + 4), on three points of your own:

    >>> def timid(ones, zeros):
    ...     return (ones + 2) / (ones + zeros + 4)
    >>> own = BlumMansour([0.25, 0.5, 0.75], learner=timid)
    >>> own.update(1, 1)
    >>> own.leanings()
    array([0.5, 0.6, 0.5])

    The same, and it is compiled: ``BlumMansour([0.25, 0.5, 0.75], prior=2)``.
    """

    def __init__(
        self,
        grid: Grid | npt.ArrayLike,
        algorithm: str = "paper",
        *,
        rounding: Rounding = log_rounding,
        learner: Learner = beta_mean,
        prior: float = 1.0,
        stationary: Stationary = stationary,
    ) -> None:
        _checks.choice("algorithm", algorithm, FEEDBACK)
        if not callable(rounding):
            raise _checks.complaint("rounding", "be a function of two arguments", rounding)
        if isinstance(learner, type) or not (callable(learner) or isinstance(learner, Learners)):
            rule = "be a function of two arguments or an object with answers() and learn(weights, outcome)"
            raise _checks.complaint("learner", rule, learner)
        if not callable(stationary):
            raise _checks.complaint("stationary", "be a function of a matrix", stationary)
        super().__init__(as_grid(grid))
        self.algorithm, self.rounding, self.learner = algorithm, rounding, learner
        self.prior, self.stationary = _require_prior(prior), stationary
        self._knows_rounding = _is_one_of(rounding, SCHEMES)
        self._memory = learner if isinstance(learner, Learners) else None
        if _is_one_of(rounding, NEED_INTERIOR):
            require_interior(self.grid)
        # What the package's own functions are given and give needs no checks, round after round.
        self._round = (
            partial(grids.spread, shares_of=SCHEMES[rounding][1]) if self._knows_rounding else rounding
        )
        self.learns_from_draws = FEEDBACK[algorithm] == REALISED
        points = len(self.grid)
        self._leanings, self._advice = np.full(points, np.nan), np.zeros((points, points))
        self._members, self._is_only = np.arange(points), False
        self._listen()

    def leanings(self) -> FloatArray:
        """Return the point :math:`w_{t,i}` of each learner."""
        return self._leanings.copy()

    def update(self, index: int, outcome: int) -> None:
        """End the round: count the drawn forecast and the mixture, and let learners learn."""
        weights = np.eye(len(self.grid))[index] if self.learns_from_draws else self.mixture()
        super().update(index, outcome)
        if self._memory is not None:
            self._memory.learn(weights, outcome)
        self._listen()

    def _plays(self) -> FloatArray:
        """Ask all learners for their points."""
        zeros, ones = self.counts() if self.learns_from_draws else self.weights()
        if self.learner is beta_mean:
            return _beta_mean(ones, zeros, self.prior)
        if self._memory is not None:
            name, plays = "learner.answers()", self._memory.answers()
        else:
            name, plays = "learner(ones, zeros)", self.learner(ones, zeros)  # type: ignore[operator]
        plays = _checks.probabilities(name, plays)
        _require_shape(name, plays, self._leanings.shape)
        return plays

    def _listen(self) -> None:
        """Round the points that have moved to the grid: row i of the matrix Q is the advice of learner i."""
        plays = self._plays()
        learners = np.flatnonzero(plays != self._leanings)
        if not len(learners):
            return
        rows = self._round(plays[learners], self.grid)
        if not self._knows_rounding:
            rows = _checks.real_array("rounding(w, grid)", rows)
            _require_shape("rounding(w, grid)", rows, (len(learners), len(self.grid)))
            rows = _checks.mixtures("rounding(w, grid)", rows, len(self.grid))
        moved = np.logical_xor(rows, self._advice[learners]).any()
        self._leanings[:], self._advice[learners] = plays, rows
        if moved:
            # All others stood still: if one class was closed, each that is now has a state of it or one that moved.
            roots = {*self._members.tolist(), *learners.tolist()} if self._is_only else range(len(self.grid))
            classes = _closed_classes(self._advice, roots)
            self._members, self._is_only = np.array(classes[0]), len(classes) == 1

    def _new_mixture(self) -> FloatArray:
        """Return the stationary distribution of the matrix whose row i is learner i's rounded point."""
        if self.stationary is stationary:
            return _stationary(self._advice, self._members)
        mixture = _checks.real_array("stationary(Q)", self.stationary(self._advice.copy()))
        _require_shape("stationary(Q)", mixture, (len(self.grid),))
        _checks.mixtures("stationary(Q)", mixture[None], len(self.grid))
        return mixture


def _require_shape(name: str, array: FloatArray, shape: tuple[int, ...]) -> None:
    if array.shape != shape:
        raise _checks.complaint(name, f"have the shape {shape}", array.shape)


# What the compiled twin knows: roundings with their codes, beside the shares they give, and learners.
SCHEMES: dict[Rounding, tuple[int, grids.Shares]] = {
    log_rounding: (blum_mansour.LOG, grids.log_shares),
    log_odds_rounding: (blum_mansour.LOG_ODDS, grids.log_odds_shares),
    linear_rounding: (blum_mansour.LINEAR, grids.linear_shares),
    nearest_rounding: (blum_mansour.NEAREST, grids.nearest_shares),
}
LEARNERS: tuple[Learner, ...] = (beta_mean, weighted_mean)
# Roundings for which no point may be 0 or 1.
NEED_INTERIOR: tuple[Rounding, ...] = (log_rounding, log_odds_rounding)


def _is_one_of(function: object, known: Iterable[object]) -> bool:
    return any(function is each for each in known)


class FastBlumMansour(CompiledReduction):
    """The compiled twin of `BlumMansour`: same verbs, same numbers to the last bit.

    What makes it fast: a learner's point is a mean; each learner touches two grid points; the closed class has a
    handful of members and can change only when a member's rounding cell does, because all others stand still.

    Parameters
    ----------
    grid, algorithm
        See `BlumMansour`.
    rounding : {log_rounding, log_odds_rounding, linear_rounding, nearest_rounding}
        One of the roundings of the package.
    learner : {beta_mean, weighted_mean}
        One of the learners of the package.
    prior : float
        See `BlumMansour`.

    Examples
    --------
    >>> from klcal.grids import full_grid
    >>> FastBlumMansour(full_grid(2)).mixture()
    array([0., 1., 0.])
    """

    _kernels = blum_mansour

    def __init__(
        self,
        grid: Grid | npt.ArrayLike,
        algorithm: str = "paper",
        *,
        rounding: Rounding = log_rounding,
        learner: Learner = beta_mean,
        prior: float = 1.0,
    ) -> None:
        _checks.choice("algorithm", algorithm, FEEDBACK)
        for name, function, known in (("rounding", rounding, SCHEMES), ("learner", learner, LEARNERS)):
            if not _is_one_of(function, known):
                raise _checks.complaint(name, "be one of the package to be compiled", function)
        where, imagined = as_grid(grid), _require_prior(prior) if learner is beta_mean else 0.0
        if _is_one_of(rounding, NEED_INTERIOR):
            require_interior(where)
        super().__init__(
            where, blum_mansour.new_bank(where.points, FEEDBACK[algorithm], SCHEMES[rounding][0], imagined)
        )
        self.learns_from_draws = FEEDBACK[algorithm] == REALISED


def compiled_if_known(reduction: Reduction) -> Reduction:
    """Return the compiled twin of a new `BlumMansour` of known rounding and learner, and anything else as it is."""
    if type(reduction) is not BlumMansour or reduction.stationary is not stationary:
        return reduction
    if not (reduction._knows_rounding and _is_one_of(reduction.learner, LEARNERS)):
        return reduction
    return FastBlumMansour(
        reduction.grid,
        reduction.algorithm,
        rounding=reduction.rounding,
        learner=reduction.learner,
        prior=reduction.prior,
    )
