r"""The three grids of forecasts, four ways to round a number to a distribution over one, and random borders.

The sine grids of Sections 4 and 5 put :math:`z = \sin^2\theta` at equally spaced angles, which makes cells near 0 and 1
narrow (``lem:discretization``, ``lem:discretization_II``); the uniform grid is what they replace. `log_rounding` is the
paper's Algorithm 4 (``alg:rounding_alg``), repaired at the ends; `log_odds_rounding` is the best there is
(``log-odds-rounding``); the other two are the schemes of Remark 1 (``rem:rounding``).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray


@dataclass(frozen=True, eq=False)
class Grid:
    r"""A finite set of forecasts :math:`\mathcal Z \subset [0, 1]`.

    Parameters
    ----------
    points : array_like, shape (n,)
        Strictly increasing numbers in [0, 1], at least one.
    name : str
        How the grid was made; shown by ``repr`` and otherwise unused.

    Examples
    --------
    >>> Grid([0.25, 0.5, 0.75])
    Grid(3 points, 'custom')
    >>> Grid([0.5, 0.5])
    Traceback (most recent call last):
        ...
    ValueError: points must increase strictly; got 0.5 at index 1
    """

    points: FloatArray
    name: str = "custom"

    def __init__(self, points: npt.ArrayLike, name: str = "custom") -> None:
        array = _checks.probabilities("points", points, ndim=1)
        _checks.nonempty("points", array)
        _checks.increasing("points", array)
        object.__setattr__(self, "points", _checks.frozen(array))
        object.__setattr__(self, "name", name)

    def __len__(self) -> int:
        return len(self.points)

    def radius(self) -> float:
        r"""Return the largest divergence of a rate from the nearest point (``log-odds-rounding``).

        .. math:: \kappa = \max_{\rho\in[0,1]}\ \min_{z\in\mathcal Z}\ \mathsf{KL}(\rho, z)

        No forecaster on the grid guarantees a smaller KL-calibration error than :math:`\kappa` a round, and
        ``algorithm="half-counts"`` comes within :math:`\frac n2\log(1 + \frac{4T}n)` of it.

        Returns
        -------
        float
            The radius of points strictly inside (0, 1).

        Notes
        -----
        The maximum is attained at 0, at 1, or at a rate that is as far from two neighbours :math:`l < u`:
        :math:`\rho = \frac b{a + b}` with :math:`a = \log\frac ul`, :math:`b = \log\frac{1-l}{1-u}`.

        Examples
        --------
        >>> 3 / 4 * np.exp(Grid([0.25, 0.75]).radius())  # log(4/3), at the ends
        np.float64(1.0)
        """
        require_interior(self)
        left, right = self.points[:-1], self.points[1:]
        ones, zeros = np.log1p((right - left) / left), np.log1p((right - left) / (1.0 - right))
        rate = zeros / (ones + zeros)
        off = rate - left
        inside = rate * np.log1p(off / left) + (1.0 - rate) * np.log1p(-off / (1.0 - left))
        ends = -np.log1p(-self.points[0]), -np.log(self.points[-1])
        return float(np.max([*ends, *inside]))

    def __repr__(self) -> str:
        return f"Grid({len(self)} points, {self.name!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Grid):
            return NotImplemented
        return np.array_equal(self.points, other.points)

    def __hash__(self) -> int:
        return hash(self.points.tobytes())


def as_grid(grid: Grid | npt.ArrayLike) -> Grid:
    """Return a grid as it is, and numbers as the grid of them."""
    return grid if isinstance(grid, Grid) else Grid(grid)


def require_interior(grid: Grid | npt.ArrayLike) -> Grid:
    """Return a grid, or raise unless all its points lie strictly between 0 and 1.

    Parameters
    ----------
    grid : Grid or array_like
        The grid.

    Examples
    --------
    >>> require_interior(Grid([0.5, 1.0]))
    Traceback (most recent call last):
        ...
    ValueError: grid must have its points strictly inside (0, 1); got 1.0 at index 1
    """
    points = as_grid(grid).points
    _checks.refuse(
        "grid", "have its points strictly inside (0, 1)", points, (points == 0.0) | (points == 1.0)
    )
    return as_grid(grid)


# Enough to round correctly to 53 bits after the cancellation in 1 - cos, up to a million cells.
_BITS = 192
#: The number one, in the unit in which `cosine` counts.
ONE = 1 << _BITS
_PI = 0x3243F6A8885A308D313198A2E03707344A4093822299F31D0  # in the same unit, rounded down


def cosine(a: int, b: int) -> int:
    r"""Return :math:`\cos(\pi a/b)` in units of 1/ONE, off by less than 100 of them; for 0 <= a <= b.

    A float cosine would put the grid point 1/2 beside 1/2, which turns a learner that sits *on* it into one that sits
    beside it, and its last digit depends on the machine. A quotient of such integers is rounded once, correctly.

    Examples
    --------
    >>> cosine(1, 3) / ONE, cosine(0, 1) == ONE, cosine(1, 1) == -ONE
    (0.5, True, True)
    """
    if 2 * a > b:
        return -cosine(b - a, b)
    square = (_PI * a // b) ** 2 >> _BITS
    total, term, k = 0, ONE, 0
    while term:
        total += term if k % 4 == 0 else -term
        term, k = (term * square >> _BITS) // ((k + 1) * (k + 2)), k + 2
    return total


def _sine_square(a: int, b: int) -> float:
    r"""Return :math:`\sin^2(\pi a / 2b) = (1 - \cos(\pi a / b))/2`, correctly rounded.

    By Niven's theorem 0, 1/4, 1/2, 3/4 and 1 are the only rational values; they come out exactly.
    """
    return (ONE - cosine(a, b)) / (2 * ONE)


def _sine_squares(K: int) -> list[float]:
    """Return sin^2(pi i / 2K) for i = 0..K."""
    return [_sine_square(i, K) for i in range(K + 1)]


def full_grid(K: int) -> Grid:
    r"""Return the K + 1 points of Section 5.

    .. math:: z_0 = \sin^2\tfrac{\pi}{4K},\quad z_i = \sin^2\tfrac{\pi i}{2K}\ (0 < i < K),\quad
              z_K = \cos^2\tfrac{\pi}{4K}

    Parameters
    ----------
    K : int
        Number of cells, at least 2.

    Returns
    -------
    Grid
        K + 1 increasing points, none of them 0 or 1.

    Notes
    -----
    The paper chooses the real number :math:`K = (T/\log T)^{1/3}`; a grid needs an integer, see `resolution`.

    Examples
    --------
    >>> full_grid(3).points[1:3]
    array([0.25, 0.75])
    >>> full_grid(2).points[1]
    np.float64(0.5)
    """
    K = _checks.integer("K", K, least=2)
    points = _sine_squares(K)
    points[0] = _sine_square(1, 2 * K)
    points[K] = _sine_square(2 * K - 1, 2 * K)
    return Grid(points, f"full, K={K}")


def inner_grid(K: int) -> Grid:
    r"""Return the K - 1 points of Section 4, :math:`z_i = \sin^2\frac{\pi i}{2K}` for :math:`0 < i < K`.

    Parameters
    ----------
    K : int
        Number of cells of [0, 1], at least 2.

    Returns
    -------
    Grid
        K - 1 increasing points.

    Examples
    --------
    >>> inner_grid(3).points
    array([0.25, 0.75])
    """
    K = _checks.integer("K", K, least=2)
    return Grid(_sine_squares(K)[1:K], f"inner, K={K}")


def uniform_grid(K: int) -> Grid:
    """Return the K + 1 points 0, 1/K, ..., 1.

    Parameters
    ----------
    K : int
        Number of cells, at least 2.

    Returns
    -------
    Grid
        K + 1 equally spaced points; the ends 0 and 1 make the log loss infinite.

    Examples
    --------
    >>> uniform_grid(4).points
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    K = _checks.integer("K", K, least=2)
    return Grid(np.arange(K + 1) / K, f"uniform, K={K}")


def resolution(T: int) -> int:
    r"""Return the grid size of Theorem 2 (``thm:bound_pkcal``) as an integer.

    .. math:: K = \max\bigl(2, \lceil (T/\log T)^{1/3} \rceil\bigr)

    with the natural logarithm, and K = 2 for T = 1, where the formula has no value.

    Parameters
    ----------
    T : int
        Horizon, at least 1.

    Returns
    -------
    int
        Number of cells K, at least 2.

    Examples
    --------
    >>> [resolution(T) for T in (1, 100, 10**6, 10**8)]
    [2, 3, 42, 176]
    """
    T = _checks.integer("T", T, least=1)
    _checks.real("T", T)  # an integer may be too large for a float
    if T == 1:
        return 2
    return max(2, math.ceil(math.cbrt(T / math.log(T))))


# From numbers and the grid points left and right of them to the shares of both.
Shares = Callable[[FloatArray, FloatArray, FloatArray], tuple[FloatArray, FloatArray]]


def spread(values: FloatArray, grid: Grid, shares_of: Shares) -> FloatArray:
    """Put the shares of the two neighbours of each value into a (..., n) array; outside the grid, the end takes all."""
    points, last = grid.points, len(grid) - 1
    if last == 0:
        return np.ones((*values.shape, 1))
    flat = np.minimum(np.maximum(values.reshape(-1), points[0]), points[last])
    # z_i <= w < z_{i+1}; the last point belongs to the cell below it
    above = np.minimum(points.searchsorted(flat, side="right"), last)
    i, shares, rows = above - 1, np.zeros((len(flat), last + 1)), np.arange(len(flat))
    shares[rows, i], shares[rows, above] = shares_of(flat, points[i], points[above])
    return shares.reshape(*values.shape, last + 1)


def _rounded(w: npt.ArrayLike, grid: Grid | npt.ArrayLike, shares_of: Shares) -> FloatArray:
    return spread(_checks.probabilities("w", w, ndim=(0, 1)), as_grid(grid), shares_of)


def log_shares(w: FloatArray, left: FloatArray, right: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the shares of `log_rounding`."""
    low = (right - w) * (left * (1.0 - left))
    high = (w - left) * (right * (1.0 - right))
    total = low + high
    return low / total, high / total


def _log_odds(p: FloatArray) -> FloatArray:
    """Return log p/(1 - p), with the same bits as the compiled kernels."""
    from klcal._kernels.elementary import ln  # only who rounds like this needs the compiler

    return np.array([ln(odds) for odds in (p / (1.0 - p)).tolist()])


def log_odds_shares(w: FloatArray, left: FloatArray, right: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the shares of `log_odds_rounding`; all to the left where the log-odds are too close to tell apart."""
    at, a, b = _log_odds(w), _log_odds(left), _log_odds(right)
    low, high = np.maximum(b - at, 0.0), np.maximum(at - a, 0.0)
    total = low + high
    same = total == 0.0
    return np.where(same, 1.0, low / np.where(same, 1.0, total)), np.where(
        same, 0.0, high / np.where(same, 1.0, total)
    )


def linear_shares(w: FloatArray, left: FloatArray, right: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the shares of `linear_rounding`."""
    width = right - left
    return (right - w) / width, (w - left) / width


def nearest_shares(w: FloatArray, left: FloatArray, right: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the shares of `nearest_rounding`."""
    to_left = w - left <= right - w
    return np.where(to_left, 1.0, 0.0), np.where(to_left, 0.0, 1.0)


def log_rounding(w: npt.ArrayLike, grid: Grid | npt.ArrayLike) -> FloatArray:
    r"""Return RROUND of `w`, the randomised rounding for the log loss (``alg:rounding_alg``).

    For :math:`z_i \le w < z_{i+1}` the two neighbours get

    .. math:: q_i \propto \frac{z_{i+1} - w}{z_{i+1}(1 - z_{i+1})}, \qquad
              q_{i+1} \propto \frac{w - z_i}{z_i(1 - z_i)},

    computed after multiplying both by :math:`z_i(1-z_i)z_{i+1}(1-z_{i+1})`, which saves two divisions.

    Parameters
    ----------
    w : float or array_like, shape (m,)
        Numbers in [0, 1].
    grid : Grid or array_like
        Points strictly inside (0, 1).

    Returns
    -------
    ndarray, shape (n,) or (m, n)
        Distributions over the grid. A `w` on a grid point gives exactly that point.

    Notes
    -----
    The paper leaves the rounding undefined below the first point and from the last point on. EWOO does go there, so
    those `w` are rounded to the end point; the extra cost is at most :math:`-2\log\cos\frac{\pi}{4K}` on the grid of
    Section 5.

    Examples
    --------
    >>> log_rounding(0.5, Grid([0.25, 0.5, 0.75]))
    array([0., 1., 0.])
    >>> log_rounding([0.1, 0.625], Grid([0.25, 0.5, 0.75]))
    array([[1.        , 0.        , 0.        ],
           [0.        , 0.57142857, 0.42857143]])
    """
    points = require_interior(grid).points
    # Products of variances of two such points would not be floats.
    _checks.refuse("grid", "have no points below 1e-150", points, points < 1e-150)
    return _rounded(w, grid, log_shares)


def log_odds_rounding(w: npt.ArrayLike, grid: Grid | npt.ArrayLike) -> FloatArray:
    r"""Return the rounding of `w` to its two neighbours that keeps the log-odds (``log-odds-rounding``).

    With :math:`\lambda(p) = \log\frac p{1-p}` and :math:`z_i \le w < z_{i+1}`

    .. math:: q_i = \frac{\lambda(z_{i+1}) - \lambda(w)}{\lambda(z_{i+1}) - \lambda(z_i)}, \qquad
              q_{i+1} = \frac{\lambda(w) - \lambda(z_i)}{\lambda(z_{i+1}) - \lambda(z_i)}.

    It costs the same log loss for both outcomes, at most ``grid.radius()``; no rounding has a smaller bound.

    Parameters
    ----------
    w : float or array_like, shape (m,)
        Numbers in [0, 1]; outside the grid the end point takes all.
    grid : Grid or array_like
        Points strictly inside (0, 1).

    Returns
    -------
    ndarray, shape (n,) or (m, n)
        Distributions over the grid.

    Examples
    --------
    The odds 1/3, 1 and 9 have the logarithms of 3 in the proportion -1, 0, 2:

    >>> log_odds_rounding(0.5, Grid([0.25, 0.9])) * 3
    array([2., 1.])
    """
    return _rounded(w, require_interior(grid), log_odds_shares)


def linear_rounding(w: npt.ArrayLike, grid: Grid | npt.ArrayLike) -> FloatArray:
    r"""Return the mean-preserving rounding of `w` to its two neighbours (scheme (b) of ``rem:rounding``).

    .. math:: q_i = \frac{z_{i+1} - w}{z_{i+1} - z_i}, \qquad q_{i+1} = \frac{w - z_i}{z_{i+1} - z_i}

    Parameters
    ----------
    w : float or array_like, shape (m,)
        Numbers in [0, 1]; outside the grid the end point takes all.
    grid : Grid or array_like
        Any grid.

    Returns
    -------
    ndarray, shape (n,) or (m, n)
        Distributions over the grid.

    Examples
    --------
    >>> linear_rounding(0.625, Grid([0.25, 0.5, 1.0]))
    array([0.  , 0.75, 0.25])
    """
    return _rounded(w, grid, linear_shares)


def nearest_rounding(w: npt.ArrayLike, grid: Grid | npt.ArrayLike) -> FloatArray:
    """Return all mass on the grid point nearest to `w` (scheme (a) of ``rem:rounding``); ties go to the lower point.

    Parameters
    ----------
    w : float or array_like, shape (m,)
        Numbers in [0, 1].
    grid : Grid or array_like
        Any grid.

    Returns
    -------
    ndarray, shape (n,) or (m, n)
        Distributions over the grid.

    Examples
    --------
    >>> nearest_rounding([0.375, 0.8], Grid([0.25, 0.5, 0.75]))
    array([[1., 0., 0.],
           [0., 0., 1.]])
    """
    return _rounded(w, grid, nearest_shares)


def random_borders(grid: Grid | npt.ArrayLike, rng: Any = None) -> FloatArray:
    r"""Return a border between each two neighbours, drawn uniformly in log-odds (``random-borders``).

    With :math:`\lambda(p) = \log\frac p{1-p}` and independent uniform :math:`U_i`

    .. math:: \lambda(\beta_i) = (1 - U_i)\,\lambda(z_i) + U_i\,\lambda(z_{i+1}).

    A forecast falls into the bin of a point as often as `log_odds_rounding` rounds it there. Draw once, sort all
    forecasts into these bins, and let each bin say (ones + 1)/(rows + 2).

    Parameters
    ----------
    grid : Grid or array_like
        Points strictly inside (0, 1).
    rng : int, Generator or None
        Seed or source of the draws.

    Returns
    -------
    ndarray, shape (n - 1,)
        Increasing; ``numpy.searchsorted(borders, p, side="right")`` is the bin of the forecast p.

    Examples
    --------
    >>> borders = random_borders(Grid([0.25, 0.5, 0.75]), rng=0)
    >>> len(borders), bool(0.25 <= borders[0] <= 0.5 <= borders[1] <= 0.75)
    (2, True)
    """
    where = as_grid(grid)
    require_interior(where)
    points = where.points
    log_odds, U = np.log(points) - np.log1p(-points), _checks.draws(rng).random(len(points) - 1)
    drawn: FloatArray = 1.0 / (1.0 + np.exp(-((1.0 - U) * log_odds[:-1] + U * log_odds[1:])))
    return drawn


#: The roundings by their names.
ROUNDINGS = {
    "log": log_rounding,
    "log-odds": log_odds_rounding,
    "linear": linear_rounding,
    "nearest": nearest_rounding,
}
