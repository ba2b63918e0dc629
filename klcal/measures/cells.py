r"""`Cells`, all that a calibration measure needs to know about a game, a row per distinct forecast; and the measures.

A cell is a forecast p together with its mass :math:`n_p` and its ones :math:`k_p`. Realised cells count the
rounds in which p was drawn; expected cells add up the probabilities :math:`\mathcal P_t(p)`. Every measure of
the paper, with and without the prefix "pseudo", is the same functional of the two. Forecasts may be moved before they
are counted: to the points of a grid, or to the means of bins. Suprema over losses are in `suprema`, chance in `chance`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, overload

import numpy as np
import numpy.typing as npt
from scipy.special import rel_entr

from klcal import _checks
from klcal._checks import FloatArray
from klcal.grids import Grid
from klcal.losses import ProperLoss, log, named
from klcal.losses.forms import Log

_P = ParamSpec("_P")
_R = TypeVar("_R", covariant=True)
#: The Kullback-Leibler divergence between two coins.
KL = Log().divergence


@dataclass(frozen=True, eq=False)
class Cells:
    r"""Mass and ones of each forecast, the one input of every measure in `klcal.measures`.

    Parameters
    ----------
    points : array_like, shape (n,)
        The forecasts p, strictly increasing, in [0, 1].
    mass : array_like, shape (n,)
        How often, or with which total probability, each was made (:math:`n_p`); finite and at least 0.
    ones : array_like, shape (n,)
        The part of the mass that met outcome 1 (:math:`\rho_p n_p`); between 0 and the mass.

    Notes
    -----
    The arrays are stored read-only as float64. Two `Cells` are equal when all three arrays are.

    Examples
    --------
    >>> cells = Cells(points=[0.25, 0.5], mass=[4, 2], ones=[1, 2])
    >>> cells.means
    array([0.25, 1.  ])
    >>> Cells([0.25, 0.5], [4, 2], [1, 3])
    Traceback (most recent call last):
        ...
    ValueError: ones must not exceed mass (2.0); got 3.0 at index 1
    """

    points: FloatArray
    mass: FloatArray
    ones: FloatArray

    def __init__(self, points: npt.ArrayLike, mass: npt.ArrayLike, ones: npt.ArrayLike) -> None:
        points_ = _checks.probabilities("points", points, ndim=1)
        _checks.increasing("points", points_)
        mass_ = _checks.nonnegative("mass", mass, ndim=1)
        _checks.same_length("mass", mass_, "points", points_)
        ones_ = _checks.nonnegative("ones", ones, ndim=1)
        _checks.same_length("ones", ones_, "points", points_)
        _require_ones_within_mass(ones_, mass_)
        # Adding zero copies, and turns -0.0 into 0.0, so that equal cells also have equal bytes.
        self._store(points_ + 0.0, mass_ + 0.0, ones_ + 0.0)

    def _store(self, points: FloatArray, mass: FloatArray, ones: FloatArray) -> None:
        for name, array in (("points", points), ("mass", mass), ("ones", ones)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    @classmethod
    def from_forecasts(cls, forecasts: npt.ArrayLike, outcomes: npt.ArrayLike) -> Cells:
        """Return the realised cells: exact counts of rounds for each distinct forecast.

        Parameters
        ----------
        forecasts : array_like, shape (T,)
            The forecast of each round, in [0, 1]. Equal numbers share a cell; no two different floats do.
        outcomes : array_like, shape (T,)
            The outcome of each round, 0 or 1. Two Series of pandas must have the same index.

        Returns
        -------
        Cells
            One cell per distinct forecast, each with positive mass.

        Examples
        --------
        >>> Cells.from_forecasts([0.5, 0.25, 0.5], [1, 0, 1])
        Cells(points=array([0.25, 0.5 ]), mass=array([1., 2.]), ones=array([0., 2.]))
        """
        p, y = _checks.rounds(forecasts, outcomes)
        # As bit patterns floats in [0, 1] keep their order.
        values, mass, ones = _group(p.view(np.uint64), y)
        cells = cls.__new__(cls)  # counts obey the rules: checking a million cells again would only take time
        cells._store(values.view(np.float64), mass, ones)
        return cells

    @classmethod
    def from_mixtures(
        cls, grid: Grid | npt.ArrayLike, mixtures: npt.ArrayLike, outcomes: npt.ArrayLike
    ) -> Cells:
        r"""Return the expected cells: :math:`n_p = \sum_t \mathcal P_t(p)` and the part of it with outcome 1.

        Parameters
        ----------
        grid : Grid or array_like, shape (n,)
            The forecasts the mixtures are over.
        mixtures : array_like, shape (T, n)
            Row t is the distribution :math:`\mathcal P_t` of the forecast of round t.
        outcomes : array_like, shape (T,)
            The outcome of each round, 0 or 1.

        Returns
        -------
        Cells
            One cell per grid point; points that never got probability have mass 0.

        Examples
        --------
        >>> mixtures = [[0.5, 0.5], [1.0, 0.0]]
        >>> Cells.from_mixtures(
        ...     [0.25, 0.75], mixtures, [1, 0]
        ... )  # doctest: +NORMALIZE_WHITESPACE
        Cells(points=array([0.25, 0.75]),
              mass=array([1.5, 0.5]), ones=array([0.5, 0.5]))
        """
        points = grid.points if isinstance(grid, Grid) else _checks.probabilities("grid", grid, ndim=1)
        _checks.increasing("grid", points)
        rows = _checks.mixtures("mixtures", mixtures, len(points))
        y = _checks.outcomes("outcomes", outcomes)
        _checks.same_length("outcomes", y, "mixtures", rows)
        # Ones and zeros are summed apart: a rounded sum of both is never below either.
        ones = y.astype(np.float64) @ rows
        zeros = (1.0 - y) @ rows
        return cls(points, ones + zeros, ones)

    @classmethod
    def from_weights(cls, points: npt.ArrayLike, weights: npt.ArrayLike) -> Cells:
        """Return the cells of weights by outcome.

        Parameters
        ----------
        points : array_like, shape (n,)
            The forecasts, strictly increasing, in [0, 1].
        weights : array_like, shape (2, n)
            What each forecast has met with outcome 0 (first row) and with outcome 1 (second row).

        Returns
        -------
        Cells
            One cell per forecast.

        Examples
        --------
        >>> Cells.from_weights([0.25, 0.5], [[1, 2], [3, 0]])
        Cells(points=array([0.25, 0.5 ]), mass=array([4., 2.]), ones=array([3., 0.]))
        """
        zeros, ones = _checks.by_outcome("weights", weights)
        return cls(points, ones + zeros, ones)

    @classmethod
    def merged(cls, *parts: Cells) -> Cells:
        """Return the cells of several games taken as one: masses and ones added point by point.

        Parameters
        ----------
        *parts : Cells
            Any number of cells, on the same or on different points.

        Returns
        -------
        Cells
            Cells over the union of the points.

        Examples
        --------
        >>> Cells.merged(Cells([0.5], [1], [1]), Cells([0.25, 0.5], [2, 2], [1, 0]))
        Cells(points=array([0.25, 0.5 ]), mass=array([2., 3.]), ones=array([1., 1.]))
        """
        if not parts:
            return cls([], [], [])
        points, place = np.unique(np.concatenate([part.points for part in parts]), return_inverse=True)
        mass, ones = (
            np.bincount(place, np.concatenate(arrays), len(points))
            for arrays in ([part.mass for part in parts], [part.ones for part in parts])
        )
        return cls(points, mass, ones)

    def restricted(self) -> Cells:
        """Return the cells with positive mass only, which have the same value under every measure.

        Examples
        --------
        >>> Cells([0.25, 0.75], [0, 2], [0, 1]).restricted()
        Cells(points=array([0.75]), mass=array([2.]), ones=array([1.]))
        """
        used = self.mass > 0.0
        if used.all():
            return self  # read-only, so it can be shared
        return Cells(self.points[used], self.mass[used], self.ones[used])

    @cached_property
    def means(self) -> FloatArray:
        r"""The conditional means :math:`\rho_p = k_p / n_p`; 0 where the mass is 0, the paper's 0/0."""
        found = np.divide(self.ones, self.mass, out=np.zeros(len(self)), where=self.mass > 0.0)
        found.flags.writeable = False
        return found

    @cached_property
    def distinct_means(self) -> tuple[FloatArray, npt.NDArray[np.intp]]:
        """The distinct means, and where that of each cell is among them; many small cells have few."""
        found = np.unique(self.means)
        return found, np.searchsorted(found, self.means)

    @property
    def zeros(self) -> FloatArray:
        """The part of each mass that met outcome 0."""
        return self.mass - self.ones

    @property
    def total(self) -> float:
        """The total mass; the number of rounds T when the cells come from a game."""
        return float(self.mass.sum())

    @property
    def base_rate(self) -> float:
        """The overall mean of the outcomes; 0 if there is no mass."""
        return float(self.ones.sum()) / self.total if self.total > 0.0 else 0.0

    def __len__(self) -> int:
        return len(self.points)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cells):
            return NotImplemented
        return all(
            np.array_equal(mine, theirs) for mine, theirs in zip(self._key(), other._key(), strict=True)
        )

    def __hash__(self) -> int:
        return hash(tuple(array.tobytes() for array in self._key()))

    def __reduce__(self) -> tuple[type[Cells], tuple[FloatArray, FloatArray, FloatArray]]:
        return Cells, self._key()  # a plain pickle would bring the arrays back writeable

    def _key(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        return self.points, self.mass, self.ones


class Measure(Protocol, Generic[_P, _R]):
    """A function of cells, or of forecasts and outcomes, and perhaps of more."""

    @overload
    def __call__(self, cells: Cells, /, *args: _P.args, **kwargs: _P.kwargs) -> _R: ...
    @overload
    def __call__(
        self, forecasts: npt.ArrayLike, outcomes: npt.ArrayLike, /, *args: _P.args, **kwargs: _P.kwargs
    ) -> _R: ...


def measure_of_cells(measure: Callable[Concatenate[Cells, _P], _R]) -> Measure[_P, _R]:
    """Let a measure of cells also take forecasts and outcomes, of which it makes the realised cells.

    Parameters
    ----------
    measure : callable
        A function whose first argument is `Cells`.

    Returns
    -------
    callable
        With ``measure(forecasts, outcomes, ...)`` besides ``measure(cells, ...)``; both are lists, arrays or Series.

    Examples
    --------
    >>> measure_of_cells(lambda cells: cells.total)([0.5, 0.25], [1, 0])
    2.0
    """

    @wraps(measure)
    def either(first: Any, *args: Any, **kwargs: Any) -> _R:
        if isinstance(first, Cells):
            return measure(first, *args, **kwargs)
        _refuse_games(first)
        if "outcomes" in kwargs:
            args = (kwargs.pop("outcomes"), *args)
        if not args:
            raise ValueError(
                f"cells must be Cells, or forecasts followed by their outcomes; got {first!r} alone"
            )
        return measure(Cells.from_forecasts(first, args[0]), *args[1:], **kwargs)

    return either  # type: ignore[return-value]


def _refuse_games(first: object) -> None:
    """Say what to do with a game, a stream or a table in place of cells."""
    if isinstance(getattr(first, "realised", None), Cells):
        rule = "be those of the draws, .realised, or of the mixtures, .expected"
    elif hasattr(first, "columns"):
        rule = "be Cells, or two columns: table['forecast'], table['outcome']"
    else:
        return
    raise ValueError(f"cells must {rule}; got a {type(first).__name__}")


def _require_ones_within_mass(ones: FloatArray, mass: FloatArray) -> None:
    bad = ones > mass
    if bad.any():
        i = int(np.argmax(bad))
        raise ValueError(f"ones must not exceed mass ({mass[i].item()}); got {ones[i].item()} at index {i}")


def _group(
    keys: npt.NDArray[np.uint64], outcomes: _checks.OutcomeArray
) -> tuple[npt.NDArray[np.uint64], FloatArray, FloatArray]:
    """Return the distinct keys, increasing, how often each occurs, and how often with outcome 1."""
    one = np.uint64(1)
    # One fast sort of plain integers: numbers in [0, 1] do not need the two highest bits. The sign, that of -0.0, is
    # shifted away, and the outcome takes the place at the other end.
    packed = np.sort((keys << one) | outcomes)
    values = packed >> one
    starts = np.flatnonzero(np.append(True, values[1:] != values[:-1]))
    mass = np.diff(starts, append=len(values))
    ones = np.add.reduceat(packed & one, starts)
    return values[starts], mass.astype(np.float64), ones.astype(np.float64)


def round_to_grid(forecasts: npt.ArrayLike, grid: Grid) -> FloatArray:
    r"""Move each forecast to the grid point whose angle :math:`\arcsin\sqrt p` is nearest.

    Parameters
    ----------
    forecasts : array_like, shape (T,)
        Numbers in [0, 1].
    grid : Grid
        Where they go. On the sine grids the angles are equally spaced, and so are the bins.

    Returns
    -------
    ndarray, shape (T,)
        Points of the grid.

    Examples
    --------
    >>> round_to_grid([0.0, 0.3, 1.0], Grid([0.25, 0.5]))
    array([0.25, 0.25, 0.5 ])
    """
    p = _checks.probabilities("forecasts", forecasts, ndim=1)
    angles = np.arcsin(np.sqrt(grid.points))
    middles = (angles[1:] + angles[:-1]) / 2.0
    return np.asarray(grid.points[np.searchsorted(middles, np.arcsin(np.sqrt(p)))])


#: How bins are cut.
SPACINGS = ("tails", "angle", "uniform", "quantile")
# Where the tails are cut, besides at 0 and 1. A forecast on a cut belongs to its side of 1/2.
_CUTS = np.array([1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2])
# More bins than these are forecasts as they are, and take memory.
_MOST_BINS = 10**6


def bin_places(forecasts: npt.ArrayLike, bins: int, spacing: str = "angle") -> npt.NDArray[np.int64]:
    r"""Sort forecasts into bins.

    Parameters
    ----------
    forecasts : array_like, shape (T,)
        Numbers in [0, 1].
    bins : int
        How many bins, from 1 to a million.
    spacing : {"angle", "tails", "uniform", "quantile"}
        Bins that are equally wide in the angle :math:`\arcsin\sqrt p`, so finer near 0 and 1; the same, but also cut at
        0.01, 0.001, ..., 1e-9 and at their mirrors 0.99, ..., with 0 and 1 alone; bins that are equally wide; or bins
        between quantiles of the forecasts. The last two are those of scikit-learn's ``calibration_curve``: a forecast
        on a boundary belongs below it.

    Returns
    -------
    ndarray, shape (T,)
        The number of the bin of each forecast, from 0 to ``bins - 1``, with tails to ``bins + 17``.

    Examples
    --------
    >>> bin_places([0.1, 0.5, 1.0], 2), bin_places([0.1, 0.5, 1.0], 2, "uniform")
    (array([0, 1, 1]), array([0, 0, 1]))
    >>> bin_places([0.0, 1e-12, 0.002, 0.5, 1.0], 1, "tails")
    array([ 0,  1,  8,  9, 18])
    """
    p = _checks.probabilities("forecasts", forecasts, ndim=1)
    _checks.nonempty("forecasts", p)
    number = _checks.integer("bins", bins, least=1)
    if number > _MOST_BINS:
        raise ValueError(f"bins must be at most {_MOST_BINS}; got {number}")
    _checks.choice("spacing", spacing, SPACINGS)
    if spacing in ("angle", "tails"):
        places = np.minimum((np.arcsin(np.sqrt(p)) * (2.0 * number / np.pi)).astype(np.int64), number - 1)
        if spacing == "tails":  # both numbers increase with p, so their sum is a number of a bin, too
            places += np.searchsorted(_CUTS, p, "right") + np.searchsorted(1.0 - _CUTS[::-1], p)
            places += (p > 0.0).astype(np.int64) + (p == 1.0)
        return places
    shares = np.linspace(0.0, 1.0, number + 1)
    ends = shares if spacing == "uniform" else np.percentile(p, 100.0 * shares)
    return np.searchsorted(ends[1:-1], p)


def move_to_bin_means(forecasts: npt.ArrayLike, bins: int, spacing: str = "angle") -> FloatArray:
    """Sort forecasts into bins, and move each to the mean forecast of its bin.

    Parameters
    ----------
    forecasts : array_like, shape (T,)
        Numbers in [0, 1].
    bins, spacing
        As for `bin_places`.

    Returns
    -------
    ndarray, shape (T,)
        At most `bins` different numbers. The mean of all forecasts is kept, so calibrated forecasts stay so.

    Examples
    --------
    Two bins meet at 1/2.

    >>> move_to_bin_means([0.25, 0.75, 0.125, 1.0], 2)
    array([0.1875, 0.875 , 0.1875, 0.875 ])
    """
    p = _checks.probabilities("forecasts", forecasts, ndim=1)
    places = bin_places(p, bins, spacing)
    bins = int(places.max()) + 1
    mass = np.bincount(places)
    lowest, highest = np.ones(bins), np.zeros(bins)
    np.minimum.at(lowest, places, p)
    np.maximum.at(highest, places, p)
    means = np.bincount(places, p, bins) / np.maximum(mass, 1)
    # A mean lies between the forecasts; its rounded sum may miss that by a last digit.
    return np.asarray(np.minimum(np.maximum(means, lowest), highest)[places])


# ----- calibration errors, and the regrets against one loss -----------------------------------------------------------


@measure_of_cells
def kl_calibration(cells: Cells) -> float:
    r"""Return the KL-calibration :math:`\sum_p n_p\,\mathsf{KL}(\rho_p, p)` (``eq:KLCal_PKLCal_def``).

    By ``prop:swap_reg_breg_div`` it is the swap regret of the log loss.

    Parameters
    ----------
    cells : Cells
        Realised cells give KLCal, expected cells PKLCal.

    Returns
    -------
    float
        Infinite if a forecast 0 met an outcome 1 or a forecast 1 an outcome 0.

    Examples
    --------
    >>> kl_calibration(Cells([0.5], [3], [3]))  # 3 log 2
    2.0794415416798357
    >>> kl_calibration(Cells([0.0, 0.5], [1, 2], [1, 1]))
    inf

    Forecasts and outcomes will do as well, here as in every measure:

    >>> kl_calibration([0.5, 0.5, 0.5], [1, 1, 1])
    2.0794415416798357
    """
    used = cells.restricted()
    return float(np.sum(used.mass * KL(used.means, used.points)))


def cell_regrets(points: npt.ArrayLike, ones: npt.ArrayLike, zeros: npt.ArrayLike) -> FloatArray:
    r"""Return :math:`n\,\mathsf{KL}(k/n, z)`, what each cell adds to KL-calibration, for arrays of any shape.

    Parameters
    ----------
    points : array_like
        The forecasts z, in [0, 1].
    ones, zeros : array_like
        Mass that met outcome 1, k, and outcome 0, n - k.

    Returns
    -------
    ndarray
        Of the common shape; 0 for a cell without mass, infinite if a forecast 0 met a one or a forecast 1 a zero.

    Examples
    --------
    >>> cell_regrets([0.5, 0.0], [1, 0], [1, 5])
    array([0., 0.])
    """
    k, rest = _checks.nonnegative("ones", ones), _checks.nonnegative("zeros", zeros)
    z = _checks.probabilities("points", points)
    try:
        np.broadcast_shapes(z.shape, k.shape, rest.shape)
    except ValueError:
        raise ValueError(
            f"points, ones and zeros must have shapes that fit together; got {z.shape}, {k.shape} and {rest.shape}"
        ) from None
    mass = k + rest
    return np.asarray(rel_entr(k, mass * z) + rel_entr(rest, mass * (1.0 - z)))


@measure_of_cells
def calibration_error(cells: Cells, order: float = 2.0) -> float:
    r"""Return the calibration error :math:`\mathsf{Cal}_q = \sum_p n_p\,|p - \rho_p|^q`.

    ``eq:ell_2_cal`` and ``eq:pseudo_ell_2_cal`` print no absolute value; without it odd orders cancel.

    Parameters
    ----------
    cells : Cells
        Realised cells give Cal, expected cells PCal.
    order : float, optional
        The exponent q, a finite number that is at least 1.

    Returns
    -------
    float
        Between 0 and the total mass.

    Examples
    --------
    >>> cells = Cells([0.25, 0.75], [4, 4], [2, 2])
    >>> calibration_error(cells), calibration_error(cells, order=1)
    (0.5, 2.0)
    """
    exponent = _checks.real("order", order, least=1.0)
    return float(np.sum(cells.mass * np.abs(cells.points - cells.means) ** exponent))


@measure_of_cells
def swap_regret(cells: Cells, loss: ProperLoss | str) -> float:
    r"""Return the swap regret of `loss`, in the form of ``prop:swap_reg_breg_div``.

    .. math:: \mathsf{SReg}^\ell = \sum_p n_p\,\mathsf{BREG}_{-\ell}(\rho_p, p)

    Parameters
    ----------
    cells : Cells
        Realised cells give SReg, expected cells PSReg.
    loss : ProperLoss or str
        The loss :math:`\ell`, or its name in `klcal.LOSSES`.

    Returns
    -------
    float
        What the best swap function, p to :math:`\rho_p`, would have gained: at least 0, possibly infinite.

    Examples
    --------
    >>> from klcal.losses import squared
    >>> swap_regret(Cells([0.25, 0.75], [4, 4], [2, 2]), squared)
    0.5
    >>> swap_regret([0.25, 0.75, 0.25], [1, 1, 0], "squared")
    0.1875
    """
    used = cells.restricted()
    return float(np.sum(used.mass * named(loss).divergence(used.means, used.points)))


@measure_of_cells
def external_regret(cells: Cells, loss: ProperLoss | str) -> float:
    r"""Return the external regret of `loss`: against the best constant, the overall mean :math:`\bar y`.

    .. math:: \mathsf{Reg}^\ell = \sum_p n_p\,\mathsf{BREG}_{-\ell}(\rho_p, p)
              - \sum_p n_p\,\mathsf{BREG}_{-\ell}(\rho_p, \bar y)

    Both sums measure from the losses at the :math:`\rho_p`, so no large totals cancel.

    Parameters
    ----------
    cells : Cells
        The cells.
    loss : ProperLoss or str
        The loss :math:`\ell`, or its name in `klcal.LOSSES`.

    Returns
    -------
    float
        Negative when the forecasts did better than every constant; possibly infinite.

    Examples
    --------
    >>> from klcal.losses import squared
    >>> external_regret(Cells([0.25, 0.75], [4, 4], [2, 2]), squared)
    0.5
    >>> external_regret(Cells([0.25, 0.75], [4, 4], [1, 3]), squared)
    -0.5
    """
    return swap_regret(cells, loss) - murphy_resolution(cells, loss)


@measure_of_cells
def murphy_resolution(cells: Cells, loss: ProperLoss | str) -> float:
    r"""Return the resolution :math:`\sum_p n_p\,\mathsf{BREG}_{-\ell}(\rho_p, \bar y)` (``murphy``).

    It is what knowing the mean of each cell is worth against knowing the overall mean :math:`\bar y`: the total loss is
    swap regret minus resolution plus the loss of the best constant.

    Parameters
    ----------
    cells : Cells
        The cells.
    loss : ProperLoss or str
        The loss :math:`\ell`, or its name in `klcal.LOSSES`.

    Returns
    -------
    float
        At least 0, up to rounding.

    Examples
    --------
    >>> from klcal.losses import squared
    >>> murphy_resolution(Cells([0.25, 0.75], [2, 2], [0, 2]), squared)
    1.0
    """
    used = cells.restricted()
    mean = used.base_rate
    means, place = used.distinct_means
    loss = named(loss)
    gained = float(np.sum(used.mass * loss.divergence(means, mean)[place]))
    if np.isfinite(gained):
        return gained
    # Both outcomes occur, but so unequally that their mean was rounded to 0 or 1.
    return float(used.total * loss.entropy(mean) - np.sum(used.mass * loss.entropy(used.means)))


@measure_of_cells
def total_loss(cells: Cells, loss: ProperLoss | str = log) -> float:
    r"""Return the total loss of all rounds, :math:`\sum_p k_p\,\ell(p, 1) + (n_p - k_p)\,\ell(p, 0)`.

    Parameters
    ----------
    cells : Cells
        Realised cells give the loss of the draws, expected cells its mean over the draws.
    loss : ProperLoss or str
        The loss, or its name in `klcal.LOSSES`; by default the log loss.

    Returns
    -------
    float
        A sum over rounds; infinite if a forecast 0 or 1 was wrong, under the log loss.

    Examples
    --------
    >>> from klcal.losses import squared
    >>> total_loss(Cells([0.25], [4], [1]), squared)
    0.75
    """
    used, loss = cells.restricted(), named(loss)
    # An infinite loss that nobody suffered counts nothing.
    suffered = (
        (mass[mass > 0.0], used.points[mass > 0.0], y) for mass, y in ((used.ones, 1), (used.zeros, 0))
    )
    return float(sum(np.sum(mass * loss(points, y)) for mass, points, y in suffered))
