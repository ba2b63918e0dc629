"""Readable twins of what the package plays compiled, one method per line of the algorithm; and other slow truths."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt
from scipy.special import bdtr

from klcal import _checks
from klcal._checks import FloatArray, IntArray
from klcal._kernels.bank import REALISED
from klcal._kernels.elementary import exp, ln
from klcal.forecasters.algorithm_1 import BlumMansour, beta_mean, weighted_mean
from klcal.forecasters.baselines import (
    _learning_rate,
    _points,
    _require_ends,
    _require_uniform,
    neighbour_mixture,
)
from klcal.forecasters.pair import PAIRS, _boundaries_of, kt_means
from klcal.forecasters.rounds import CountingReduction, PlainReduction, Sums
from klcal.forecasters.stream import reduction_for
from klcal.forecasters.tree import TREES, Everything, FastTree, Growing, TreeNode, _active_grid, tree_node
from klcal.grids import Grid, inner_grid, linear_rounding, log_odds_rounding
from klcal.measures.cells import Cells
from klcal.measures.chance import Band, _tail

ENGINES = ("fast", "reference")


def pair_rule(means: FloatArray, boundaries: FloatArray) -> FloatArray:
    r"""Return the mixture that PAIR plays when its buckets have the given means.

    (a) If some :math:`w_i` lies in its cell :math:`[m_{i-1}, m_i]`, the lowest such point has probability 1.
    (b) Otherwise :math:`w_1 > m_1` and :math:`w_{K-1} < m_{K-2}`, so there is a lowest i with
    :math:`w_i > m_i > w_{i+1}`. The points i and i + 1 are mixed with :math:`p\,w_i + (1-p)\,w_{i+1} = m_i`.

    Parameters
    ----------
    means : ndarray, shape (n,)
        The means :math:`w_i`, in [0, 1].
    boundaries : ndarray, shape (n + 1,)
        Ends of the cells, increasing from 0 to 1; see `pair_boundaries`.

    Returns
    -------
    ndarray, shape (n,)
        A distribution on one point or two neighbours.

    Examples
    --------
    >>> from klcal.forecasters.pair import pair_boundaries
    >>> pair_rule(np.array([0.5, 0.5]), pair_boundaries(3))
    array([1., 0.])
    >>> pair_rule(np.array([0.75, 0.25]), pair_boundaries(3))
    array([0.5, 0.5])
    """
    mixture = np.zeros(len(means))
    inside = np.flatnonzero((boundaries[:-1] <= means) & (means <= boundaries[1:]))
    if len(inside):
        mixture[inside[0]] = 1.0
        return mixture
    between = boundaries[1:-1]
    i = int(np.flatnonzero((means[:-1] > between) & (between > means[1:]))[0])
    up, down = between[i] - means[i + 1], means[i] - between[i]
    mixture[i], mixture[i + 1] = up / (up + down), down / (up + down)
    return mixture


class Pair(CountingReduction):
    r"""PAIR in plain NumPy, one method per line of the algorithm.

    Parameters
    ----------
    grid : Grid
        ``inner_grid(K)``.
    algorithm : {"pair", "pair-expected"}
        "pair" counts the drawn forecasts and leans to :math:`(k + \frac12)/(n + 1)`. "pair-expected" gives each
        point its probability as weight and leans to :math:`(A + 1)/(S + 2)`.

    Examples
    --------
    >>> pair = Pair(inner_grid(3))
    >>> pair.mixture()
    array([1., 0.])
    >>> pair.update(0, 1)
    >>> pair.leanings(), pair.mixture()
    (array([0.75, 0.5 ]), array([0., 1.]))
    """

    def __init__(self, grid: Grid, algorithm: str = "pair") -> None:
        _checks.choice("algorithm", algorithm, PAIRS)
        self.boundaries = _boundaries_of(grid)
        super().__init__(grid)
        self.learns_from_draws = PAIRS[algorithm] == REALISED

    def leanings(self) -> FloatArray:
        """Return the mean :math:`w_i` of each bucket."""
        if self.learns_from_draws:
            return kt_means(self.counts())
        zeros, ones = self.weights()
        return beta_mean(ones, zeros)

    def _new_mixture(self) -> FloatArray:
        """Return one point, or two neighbours."""
        return pair_rule(self.leanings(), self.boundaries)


@dataclass
class _Bucket:
    """A node in a game: its rounds and its wealth."""

    node: TreeNode
    number: int
    by_mixture: Sums = field(default_factory=lambda: Sums(1))
    by_draw: Sums = field(default_factory=lambda: Sums(1))
    log_wealth: float = 0.0


def _both(learner: Sums) -> tuple[float, float]:
    return float(learner.zeros[0]), float(learner.ones[0])


class Tree(Growing, PlainReduction):
    r"""The tree in plain Python, one method per line of the algorithm.

    Parameters
    ----------
    algorithm : {"tree", "tree-plain", "tree-expected"}
        "tree" counts drawn forecasts, leans to :math:`(k + \frac12)/(n + 1)` and weighs its coin by wealths. The coin
        of "tree-plain" has no weights. "tree-expected" gives each node its probability as weight and leans to
        :math:`(A + 1)/(S + 2)`.

    Examples
    --------
    >>> tree = Tree()
    >>> tree.grid.points, tree.mixture()
    (array([0.5]), array([1.]))
    >>> tree.update(0, 1)
    >>> tree.grid.points, tree.mixture(), tree.leanings()
    (array([0.25, 0.75]), array([1., 0.]), array([0.5, 0.5]))
    """

    def __init__(self, algorithm: str = "tree") -> None:
        self.version = TREES[_checks.choice("algorithm", algorithm, TREES)]
        self.learns_from_draws = self.version.feedback == REALISED
        self._active = [_Bucket(tree_node(0, 0), 0)]
        self._full: list[_Bucket] = []
        self._log_total = 0.0
        super().__init__(_active_grid([self._active[0].node.point]))

    def _new_mixture(self) -> FloatArray:
        """Return one active node, or two neighbours."""
        mixture = np.zeros(len(self._active))
        means = self.leanings().tolist()
        cells = [(bucket.node.lower, bucket.node.upper) for bucket in self._active]
        for i, (lower, upper) in enumerate(cells):
            if lower <= means[i] <= upper:
                mixture[i] = 1.0
                return mixture
        i = next(j for j, (_, end) in enumerate(cells) if means[j] > end > means[j + 1])
        boundary = cells[i][1]
        stake, next_stake = self._stakes(i)
        down = (means[i] - boundary) * stake
        up = (boundary - means[i + 1]) * next_stake
        mixture[i], mixture[i + 1] = up / (up + down), down / (up + down)
        return mixture

    def _stakes(self, i: int) -> tuple[float, float]:
        r"""Return the weights :math:`A_b = \Pi + \pi_bW_b` of nodes i and i + 1, both divided by the same number."""
        if not self.version.weighted:
            return 1.0, 1.0
        below, above = (bucket.node.log_prior + bucket.log_wealth for bucket in self._active[i : i + 2])
        top = max(self._log_total, below, above)
        shared = exp(self._log_total - top)
        return shared + exp(below - top), shared + exp(above - top)

    def update(self, index: int, outcome: int) -> None:
        """End the round: bet, count the drawn forecast and the mixture, split full nodes."""
        mixture = self.mixture()
        drawn = np.zeros(len(mixture))
        drawn[index] = 1.0
        self._bet(drawn if self.learns_from_draws else mixture, outcome)
        for i in np.flatnonzero(mixture).tolist():
            self._active[i].by_mixture.update(mixture[i : i + 1], outcome)
        self._active[index].by_draw.update([1.0], outcome)
        self._split()
        self._mixture = None

    def _bet(self, weights: FloatArray, outcome: int) -> None:
        """Multiply the wealths of a pair by mean over boundary, to the power of their weights."""
        pair = np.flatnonzero(self.mixture())
        if len(pair) < 2:
            return
        boundary, means = self._active[pair[0]].node.upper, self.leanings()
        for i in pair.tolist():
            mean = float(means[i])
            quotient = mean / boundary if outcome == 1 else (1.0 - mean) / (1.0 - boundary)
            gain = float(weights[i]) * ln(quotient)
            self._active[i].log_wealth += gain
            self._log_total += gain

    def _split(self) -> None:
        """Replace every full node by its children."""
        masses = (self.counts() if self.learns_from_draws else self.weights()).sum(axis=0)
        full = [
            bucket for bucket, mass in zip(self._active, masses, strict=True) if mass >= bucket.node.capacity
        ]
        for bucket in full:
            at, new = self._active.index(bucket), len(self._active) + len(self._full)
            left, right = bucket.node.children()
            self._active[at : at + 1] = [_Bucket(left, new), _Bucket(right, new + 1)]
            self._full.append(bucket)
        if full:
            self.grid = _active_grid([bucket.node.point for bucket in self._active])

    def leanings(self) -> FloatArray:
        """Return the mean of each active node."""
        prior = 0.5 if self.learns_from_draws else 1.0
        zeros, ones = self.counts() if self.learns_from_draws else self.weights()
        return np.asarray((ones + prior) / ((ones + zeros) + 2.0 * prior))

    def weights(self) -> FloatArray:
        """Return the expected mass by outcome and active node."""
        return np.array([_both(bucket.by_mixture) for bucket in self._active]).T

    def counts(self) -> FloatArray:
        """Return the drawn forecasts by outcome and active node."""
        return np.array([_both(bucket.by_draw) for bucket in self._active]).T

    def numbers(self) -> IntArray:
        """Return the number of each active node."""
        return np.array([bucket.number for bucket in self._active])

    def everything(self) -> Everything:
        """Return all nodes so far."""
        buckets = sorted([*self._active, *self._full], key=lambda bucket: bucket.number)
        return Everything(
            np.array([bucket.node.point for bucket in buckets]),
            np.array([_both(bucket.by_mixture) for bucket in buckets]).T,
            np.array([_both(bucket.by_draw) for bucket in buckets]).T,
            np.array([bucket.log_wealth for bucket in buckets]),
        )

    def log_wealths(self) -> FloatArray:
        """Return the logarithms of the wealths of the active nodes."""
        return np.array([bucket.log_wealth for bucket in self._active])

    def log_total_wealth(self) -> float:
        """Return the logarithm of the product of all wealths."""
        return self._log_total

    def nodes(self) -> list[TreeNode]:
        """Return the active nodes from left to right."""
        return [bucket.node for bucket in self._active]


class SquaredBlumMansour(BlumMansour):
    r"""Blum-Mansour for the squared loss in plain NumPy, the algorithm of Fishelson and others.

    Parameters
    ----------
    grid : Grid
        Where forecasts live, from 0 to 1, usually ``uniform_grid(K)``; one learner per point.

    Examples
    --------
    >>> from klcal.grids import uniform_grid
    >>> algorithm = SquaredBlumMansour(uniform_grid(2))
    >>> algorithm.mixture()
    array([0., 1., 0.])
    >>> algorithm.update(1, 1)
    >>> algorithm.leanings(), algorithm.mixture()
    (array([0.5, 1. , 0.5]), array([0. , 0.5, 0.5]))
    """

    def __init__(self, grid: Grid) -> None:
        _require_ends(grid)
        super().__init__(grid, rounding=linear_rounding, learner=weighted_mean)


class TwoNeighbours(CountingReduction):
    r"""Foster's two-neighbour forecaster in plain NumPy.

    Parameters
    ----------
    grid : Grid
        ``uniform_grid(K)``.

    Examples
    --------
    >>> from klcal.grids import uniform_grid
    >>> algorithm = TwoNeighbours(uniform_grid(2))
    >>> algorithm.mixture()
    array([1., 0., 0.])
    >>> algorithm.update(0, 1)
    >>> algorithm.leanings(), algorithm.mixture()
    (array([1. , 0.5, 1. ]), array([0., 1., 0.]))
    """

    learns_from_draws = True

    def __init__(self, grid: Grid) -> None:
        _require_uniform(grid)
        super().__init__(grid)

    def leanings(self) -> FloatArray:
        """Return the mean outcome of each point, and the point itself if it was never forecast."""
        zeros, ones = self.counts()
        return weighted_mean(ones, zeros, empty=self.grid.points)

    def _new_mixture(self) -> FloatArray:
        """Return one point, or two neighbours."""
        return neighbour_mixture(self.counts())


def internal_regrets(weights: npt.ArrayLike, grid: Grid) -> FloatArray:
    r"""Return the regrets :math:`R_{ij} = \sum_t P_{t,i}\bigl((z_i - y_t)^2 - (z_j - y_t)^2\bigr)`.

    Parameters
    ----------
    weights : array_like, shape (2, n)
        Expected mass of each grid point with outcome 0 (first row) and 1 (second row).
    grid : Grid
        The n points.

    Returns
    -------
    ndarray, shape (n, n)
        Row i, column j: what would have been saved by saying j whenever i was said.

    Examples
    --------
    >>> internal_regrets([[1, 0], [0, 2]], Grid([0.0, 1.0]))
    array([[ 0., -1.],
           [-2.,  0.]])
    """
    zeros, ones = _checks.nonnegative("weights", weights, ndim=2)[:, :, None]
    z = grid.points
    with_ones = (1.0 - z)[:, None] ** 2 - (1.0 - z) ** 2
    return np.asarray(ones * with_ones + zeros * (z[:, None] ** 2 - z**2))


def balanced_mixture(log_rates: FloatArray) -> FloatArray:
    r"""Return the distribution p with :math:`p_i \sum_j r_{ij} = \sum_j p_j r_{ji}`, from the logarithms of the rates.

    Parameters
    ----------
    log_rates : ndarray, shape (n, n)
        Logarithms of positive rates; the diagonal is not used.

    Returns
    -------
    ndarray, shape (n,)
        The stationary distribution. This is the elimination of Grassmann, Taksar and Heyman with sums, products and
        quotients of logarithms, so nothing underflows on the way.

    Examples
    --------
    >>> balanced_mixture(np.log([[1.0, 3.0], [1.0, 1.0]]))
    array([0.25, 0.75])
    """
    rates = np.array(log_rates, dtype=np.float64)
    n = len(rates)
    for k in range(n - 1, 0, -1):
        leaving = np.logaddexp.reduce(rates[k, :k])
        rates[:k, k] -= leaving
        rates[:k, :k] = np.logaddexp(rates[:k, :k], rates[:k, k, None] + rates[k, :k])
    logs = np.zeros(n)
    for k in range(1, n):
        logs[k] = np.logaddexp.reduce(logs[:k] + rates[:k, k])
    return np.asarray(np.exp(logs - np.logaddexp.reduce(logs)))


class InternalRegret(CountingReduction):
    r"""Exponential weights on the internal regrets of the squared loss, in plain NumPy.

    Parameters
    ----------
    grid : Grid
        Where forecasts live, at least two points.
    horizon : int
        Number of rounds T that the learning rate is made for.

    Examples
    --------
    >>> from klcal.grids import uniform_grid
    >>> algorithm = InternalRegret(uniform_grid(2), horizon=100)
    >>> algorithm.mixture().round(12)
    array([0.33333333, 0.33333333, 0.33333333])
    >>> algorithm.update(2, 0)
    >>> bool(algorithm.mixture()[0] > 1 / 3 > algorithm.mixture()[2])
    True
    """

    learns_from_draws = False

    def __init__(self, grid: Grid, horizon: int) -> None:
        self._rate = _learning_rate(_checks.integer("horizon", horizon, least=1), _points(grid))
        super().__init__(grid)

    def leanings(self) -> FloatArray:
        """Return the mean outcome of each point, weighted, and the point itself before it got any weight."""
        zeros, ones = self.weights()
        return weighted_mean(ones, zeros, empty=self.grid.points)

    def _new_mixture(self) -> FloatArray:
        """Return the distribution under which the weighted pairs balance."""
        return balanced_mixture(self._rate * internal_regrets(self.weights(), self.grid))


def consistency_band(cells: Cells, level: float = 0.95) -> Band:
    r"""Return for each cell the central interval of :math:`\mathrm{Bin}(n_p, p)/n_p`.

    If each of the :math:`n_p` outcomes were a coin flip with bias p, the frequency of ones would lie in the interval
    with probability at least `level`, and beyond either end with at most half of the rest. The interval is
    that of one cell with a given count, not of all cells at once.

    Parameters
    ----------
    cells : Cells
        Realised cells: every mass is a whole number.
    level : float
        Probability of the interval, strictly between 0 and 1.

    Returns
    -------
    Band
        Both ends are possible frequencies :math:`k/n_p`; a cell without mass has [0, 1].

    Examples
    --------
    Ten fair coins show fewer than two ones with probability 11/1024, fewer than three with 56/1024, which is over 5%:

    >>> band = consistency_band(Cells([0.5], [10], [0]), 0.9)
    >>> band.lower, band.upper
    (array([0.2]), array([0.8]))
    """
    tail = _tail(level)
    _checks.whole("mass", cells.mass)
    seen = cells.mass > 0.0
    n, p = cells.mass[seen].astype(np.int64), cells.points[seen]
    lower, upper = np.zeros(len(cells)), np.ones(len(cells))
    lower[seen] = _binomial_quantile(tail, n, p) / n
    # The upper end by symmetry: zeros of bias 1 - p.
    upper[seen] = (n - _binomial_quantile(tail, n, 1.0 - p)) / n
    return Band(lower, upper)


def _binomial_quantile(tail: float, n: IntArray, p: FloatArray) -> IntArray:
    """Return the largest k with P(Bin(n, p) < k) <= tail, by bisection on the distribution function."""
    low, high = np.zeros_like(n), n.copy()
    while (low < high).any():
        middle = (low + high + 1) // 2
        # P(X < k) = P(X <= k - 1) increases with k; k = 0 always qualifies. Cells that are done ask about k = 0 or n.
        rare = bdtr(np.maximum(middle - 1, 0), n, p) <= tail
        rare |= middle == 0
        low, high = np.where(rare, middle, low), np.where(rare, high, middle - 1)
    return low


class Readable(BlumMansour):
    """Algorithm 1 that is not exchanged for its compiled twin."""


def by(algorithm, engine):
    """Return what `klcal.run` takes as the algorithm, to play it with an engine."""
    return algorithm if engine == "fast" else partial(readable, algorithm=algorithm)


def readable(grid, algorithm):
    """Return the readable reduction on a full grid, or on the grid that its algorithm has in its place."""
    if algorithm in PAIRS:
        grid = inner_grid(len(grid) - 1)
    return made(grid, algorithm, "reference")


def made(grid, algorithm, engine):
    """Return a new reduction of an engine."""
    if algorithm in TREES:
        return FastTree(algorithm) if engine == "fast" else Tree(algorithm)
    if engine == "fast":
        return reduction_for(algorithm, None, 2, grid)
    if algorithm == "half-counts":
        return Readable(grid, rounding=log_odds_rounding, prior=0.5)
    return Pair(grid, algorithm) if algorithm in PAIRS else Readable(grid, algorithm)
