r"""Proper losses, each built from its concave univariate form.

By ``lem:characterization_proper_loss`` a loss is proper exactly when :math:`\ell(p, y) = f(p) + g(p)(y - p)`
with :math:`f` concave and :math:`g(p)` a supergradient of :math:`f` at :math:`p`. Everything else follows
from the pair :math:`(f, g)`; the named losses restate it in closed forms that do not cancel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._checks import FloatArray
from klcal.losses.forms import Hinges, Log, Spherical, Squared, Tsallis, UnivariateForm

# Long arrays are taken in pieces that stay in the cache.
_PIECE = 2**14
# Where a loss of one's own is looked at: even steps, and close to both ends.
_CLOSE = np.geomspace(1e-6, 1e-3, 7)
_POINTS_OF_CHECK = np.unique(np.concatenate([np.linspace(0.0, 1.0, 129), _CLOSE, 1.0 - _CLOSE]))
# Rounding errors may add up to this part of the numbers involved.
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class ProperLoss:
    r"""A proper loss :math:`\ell(p, y) = f(p) + g(p)(y - p)` (``lem:characterization_proper_loss``).

    Call it for the loss itself. All methods broadcast: scalars give a float, arrays keep their shape.
    Infinity is a value: the log loss of the forecast 0 is infinite when the outcome is 1, and exactly 0 when
    the outcome is 0.

    Parameters
    ----------
    name : str
        The name shown in tables.
    form : UnivariateForm
        The concave function :math:`f` and its supergradient :math:`g`.

    Examples
    --------
    >>> (
    ...     squared(0.25, 1),
    ...     squared.entropy(0.25),
    ...     squared.slope(0.25),
    ...     squared.divergence(1, 0.25),
    ... )
    (0.5625, 0.1875, 0.5, 0.5625)
    >>> log([0, 0.5, 1], 1)
    array([       inf, 0.69314718, 0.        ])
    >>> tsallis(3)
    ProperLoss(name='tsallis-3', form=Tsallis(alpha=3.0, scale=0.5))
    """

    name: str
    form: UnivariateForm

    def __call__(self, p: npt.ArrayLike, y: npt.ArrayLike) -> Any:
        r"""Return :math:`\ell(p, y)` for forecasts `p` in [0, 1] and outcomes `y` in {0, 1}."""
        outcomes = _checks.real_array("y", y)
        _checks.refuse("y", "be 0 or 1", outcomes, ~((outcomes == 0.0) | (outcomes == 1.0)))
        return _unboxed(self.form.loss(*_broadcast("p", _points("p", p), "y", outcomes)))

    def entropy(self, p: npt.ArrayLike) -> Any:
        r"""Return the univariate form :math:`f(p) = \mathbb E_{y \sim p}\,\ell(p, y)`, a concave function."""
        return _unboxed(self.form.entropy(_points("p", p)))

    def slope(self, p: npt.ArrayLike) -> Any:
        """Return the derivative of the univariate form; at a kink, the supergradient that the loss uses."""
        return _unboxed(self.form.slope(_points("p", p)))

    def curvature(self, p: npt.ArrayLike) -> Any:
        """Return :math:`|f''(p)|`, infinite where it diverges at an end; None for losses with kinks."""
        values = self.form.curvature(_points("p", p))
        return None if values is None else _unboxed(values)

    def divergence(self, rho: npt.ArrayLike, p: npt.ArrayLike) -> Any:
        r"""Return the Bregman divergence, the cost of forecasting p for :math:`\rho` (``prop:swap_reg_breg_div``).

        .. math:: \mathsf{BREG}_{-f}(\rho, p) = f(p) + g(p)(\rho - p) - f(\rho)
                  = \mathbb E_{y \sim \rho}[\ell(p, y) - \ell(\rho, y)] \ge 0

        Parameters
        ----------
        rho, p : array_like
            Numbers in [0, 1] that broadcast.

        Returns
        -------
        float or ndarray
            Never negative, never NaN. For the losses of this module the relative error is a few units in the
            last place, also where `rho` and `p` nearly agree or lie next to 0 or 1.

        Examples
        --------
        >>> log.divergence([0, 0.5, 1], [0, 0.25, 0])  # KL(rho, p)
        array([0.        , 0.14384104,        inf])
        """
        pair = _broadcast("rho", _points("rho", rho), "p", _points("p", p))
        if pair[0].ndim != 1 or len(pair[0]) <= _PIECE:
            return _unboxed(self.form.divergence(*pair))
        starts = range(0, len(pair[0]), _PIECE)
        return np.concatenate([self.form.divergence(*(x[i : i + _PIECE] for x in pair)) for i in starts])

    @property
    def lower(self) -> float:
        r"""Infimum of all values, :math:`\min(\ell(0, 0), \ell(1, 1))`.

        As p grows, :math:`\ell(p, 0) = f(p) - p\,g(p)` never decreases and
        :math:`\ell(p, 1) = f(p) + (1 - p)g(p)` never increases, because g never increases.
        """
        return float(min(self(0.0, 0), self(1.0, 1)))

    @property
    def upper(self) -> float:
        r"""Supremum of all values, :math:`\max(\ell(1, 0), \ell(0, 1))`; see `lower`."""
        return float(max(self(1.0, 0), self(0.0, 1)))

    @property
    def kl_constant(self) -> float:
        r"""Return the smallest c with :math:`\mathsf{BREG}_{-f} \le c\,\mathsf{KL}`, :math:`\sup_p p(1-p)|f''(p)|`.

        By ``lem:relate_breg_vbreg`` both divergences integrate :math:`|\rho - u|` between p and :math:`\rho`, against
        :math:`|f''(u)|` and :math:`1/(u(1-u))`. Their ratio is a mean of :math:`u(1-u)|f''(u)|`: it cannot
        exceed the supremum, and tends to the value at p as :math:`\rho` tends to p. This is
        ``prop:breg_div_decomposable`` under the growth condition it needs. A kink inside (0, 1) makes the
        constant infinite; a kink at an end has no effect, because KL is infinite there.
        """
        return self.form.kl_constant

    @property
    def quadratic_constant(self) -> float:
        r"""Return the smallest c with :math:`\mathsf{BREG}_{-f} \le c(\rho - p)^2`, :math:`\frac12 \sup_p|f''(p)|`.

        As for `kl_constant`, with the weight 2 of the squared distance in place of :math:`1/(u(1-u))`. It is
        ``prop:bound_breg_div_quadratically`` with its sharp constant G/2. A kink makes it infinite, also at
        an end, unless the supergradient there is the one-sided derivative.
        """
        return self.form.quadratic_constant


def _points(name: str, value: npt.ArrayLike) -> FloatArray:
    # Adding zero turns -0.0, a legal forecast, into 0.0: dividing by it must give +inf.
    return np.asarray(_checks.probabilities(name, value) + 0.0)


def _broadcast(name: str, a: FloatArray, other: str, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    try:
        first, second = np.broadcast_arrays(a, b)
    except ValueError:
        raise _checks.complaint(other, f"broadcast with {name} of shape {a.shape}", b.shape) from None
    return first, second


def _unboxed(values: FloatArray) -> Any:
    # Adding zero turns -0.0 into 0.0.
    return float(values) + 0.0 if np.ndim(values) == 0 else values + 0.0


def tsallis(alpha: float, *, scale: float | None = None) -> ProperLoss:
    r"""Return the Tsallis loss of Section 3.1, with univariate form :math:`f(p) = -c\,p^\alpha`.

    .. math:: \ell(p, y) = c(\alpha - 1)p^\alpha - c\,\alpha\,p^{\alpha - 1}y

    Its values fill :math:`[-c, c(\alpha - 1)]`, so it fits into [-1, 1] exactly when
    :math:`c \le \min(1, 1/(\alpha - 1))`. The constants of `ProperLoss` are
    :math:`c(\alpha-1)^\alpha/\alpha^{\alpha-1}` and :math:`c\,\alpha(\alpha-1)/2`, the latter infinite for
    :math:`\alpha < 2`, where the curvature diverges at 0 (the slope does not).

    Parameters
    ----------
    alpha : float
        Exponent, greater than 1.
    scale : float, optional
        The constant :math:`c > 0`; by default the largest one that keeps the loss in [-1, 1].

    Returns
    -------
    ProperLoss
        Named ``tsallis-<alpha>``, with ``-scale-<c>`` appended if `scale` was given.

    Examples
    --------
    >>> loss = tsallis(3)
    >>> (
    ...     loss(1.0, 0),
    ...     loss(1.0, 1),
    ...     round(loss.divergence(1.0, 0.5), 12),
    ...     loss.quadratic_constant,
    ... )
    (1.0, -0.5, 0.25, 1.5)
    """
    exponent = _checks.real("alpha", alpha, above=1.0)
    name = f"tsallis-{_short(exponent)}"
    if scale is None:
        return ProperLoss(name, Tsallis(exponent, min(1.0, 1.0 / (exponent - 1.0))))
    constant = _checks.real("scale", scale, above=0.0)
    return ProperLoss(f"{name}-scale-{_short(constant)}", Tsallis(exponent, constant))


def v_shaped(v: float, *, tie: float = 0.0) -> ProperLoss:
    r"""Return the extreme bounded loss with a single kink, at `v`.

    .. math:: f(u) = -\frac{|u - v|}{\max(v, 1 - v)}, \qquad
              \ell(p, y) = \operatorname{sign}(p - v)\,\frac{v - y}{\max(v, 1 - v)}

    Bounded proper losses are mixtures of these, up to a term a + b y that no forecast can change. In [-1, 1]
    no loss has a larger kink at v: across it :math:`\ell(p, 0)` jumps by v times the mass of :math:`-f''`
    and :math:`\ell(p, 1)` by 1 - v times it, so the mass is at most :math:`2/\max(v, 1 - v)`, as here.

    Parameters
    ----------
    v : float
        Place of the kink, in [0, 1].
    tie : float, optional
        What sign(0) means, in [-1, 1]. The supergradient at the kink is free; the default 0 takes the middle
        one, so that the loss of forecasting v is 0 for both outcomes.

    Returns
    -------
    ProperLoss
        Named ``v-<v>``, with ``-tie-<tie>`` appended unless `tie` is 0.

    Examples
    --------
    >>> loss = v_shaped(0.5)
    >>> loss([0.25, 0.5, 0.75], 1)
    array([ 1.,  0., -1.])
    >>> (
    ...     loss.divergence(0.75, [0.25, 0.5, 0.625]),
    ...     v_shaped(0.5, tie=-1).divergence(0.75, 0.5),
    ... )
    (array([1. , 0.5, 0. ]), 1.0)
    """
    kink = _checks.probability("v", v) + 0.0
    side = _ties("tie", tie, ndim=0).item()
    name = f"v-{_short(kink)}" + (f"-tie-{_short(side)}" if side != 0.0 else "")
    return mixture_of_v([kink], [1.0], ties=[side], name=name)


def mixture_of_v(
    kinks: npt.ArrayLike,
    weights: npt.ArrayLike,
    *,
    ties: npt.ArrayLike | None = None,
    name: str = "v-mixture",
) -> ProperLoss:
    r"""Return a loss with finitely many kinks, as large as [-1, 1] allows.

    .. math:: f(u) = -\sum_j h_j|u - v_j|, \qquad
              h_j = m_j \Big/ \max\Bigl(\sum_i m_i v_i, \sum_i m_i(1 - v_i)\Bigr)

    The weights :math:`m_j` are the masses of :math:`-f''` up to a common factor. With kinks inside (0, 1),
    :math:`\ell(p, 0)` climbs from :math:`-\sum_j h_j v_j` to its negative and :math:`\ell(p, 1)` falls from
    :math:`\sum_j h_j(1 - v_j)` to its negative, so that -1 and 1 are both attained and never exceeded.

    Parameters
    ----------
    kinks : array_like, shape (m,)
        Places :math:`v_j` in [0, 1], at least one, in any order.
    weights : array_like, shape (m,)
        Nonnegative, not all zero.
    ties : array_like, shape (m,), optional
        As in `v_shaped`, one per kink; zero by default.
    name : str, optional
        The name of the loss.

    Returns
    -------
    ProperLoss
        With values in [-1, 1], up to rounding.

    Examples
    --------
    >>> loss = mixture_of_v([0.25, 0.75], [1, 1])
    >>> loss([0, 0.5, 1], 1), loss.divergence(0.5, 0)
    (array([ 1. , -0.5, -1. ]), 0.5)
    """
    places = _checks.probabilities("kinks", kinks, ndim=1) + 0.0
    _checks.nonempty("kinks", places)
    masses = _checks.nonnegative("weights", weights, ndim=1)
    _checks.same_length("weights", masses, "kinks", places)
    if not masses.any():
        raise _checks.complaint("weights", "not all be 0", masses.tolist())
    sides = np.zeros_like(places) if ties is None else _ties("ties", ties, ndim=1)
    _checks.same_length("ties", sides, "kinks", places)
    masses = masses / masses.max()
    heights = masses / max(masses @ places, masses @ (1.0 - places))
    return ProperLoss(name, Hinges(tuple(places.tolist()), tuple(heights.tolist()), tuple(sides.tolist())))


def _ties(name: str, value: npt.ArrayLike, ndim: int) -> FloatArray:
    array = _checks.real_array(name, value, ndim)
    _checks.refuse(name, "lie in [-1, 1]", array, np.abs(array) > 1.0)
    return array + 0.0


def _short(number: float) -> str:
    return np.format_float_positional(number, trim="-")


#: The squared loss :math:`(p - y)^2`.
squared = ProperLoss("squared", Squared())
#: The log loss: :math:`-\log p` if the outcome is 1, :math:`-\log(1 - p)` if it is 0. Its divergence is :math:`\KL`.
log = ProperLoss("log", Log())
#: The spherical loss: :math:`-p/r` if the outcome is 1, :math:`-(1 - p)/r` if it is 0, :math:`r^2 = p^2 + (1 - p)^2`.
spherical = ProperLoss("spherical", Spherical())

_ZOO = (squared, log, spherical, tsallis(1.5), tsallis(2.0), tsallis(3.0), v_shaped(0.25), v_shaped(0.5))
#: The losses that the book plays with, by name.
LOSSES: Mapping[str, ProperLoss] = MappingProxyType({loss.name: loss for loss in _ZOO})


def named(loss: ProperLoss | str) -> ProperLoss:
    """Return a loss, or the one of `LOSSES` that has this name.

    Parameters
    ----------
    loss : ProperLoss or str
        A loss or its name.

    Examples
    --------
    >>> named("log") is log
    True
    """
    if isinstance(loss, str):
        return LOSSES[_checks.choice("loss", loss, LOSSES)]
    if not isinstance(loss, ProperLoss):
        raise ValueError(f"loss must be a ProperLoss or the name of one; got {loss!r}")
    return loss


def check(loss: ProperLoss) -> ProperLoss:
    r"""Return `loss` if it is proper and consistent at some hundred points, and else say where it is not.

    Parameters
    ----------
    loss : ProperLoss
        A loss of your own. Its parts must fit together: the univariate form f is finite, and g is a supergradient,
        :math:`f(\rho) \le f(p) + g(p)(\rho - p)`, infinite at most at 0 and 1, which makes f concave;
        :math:`\ell(p, y) = f(p) + g(p)(y - p)`; `divergence` is the difference of the two sides; `curvature` is not
        negative; and no divergence exceeds its two constants.

    Returns
    -------
    ProperLoss
        The same object. A loss that passes can still be improper between the points.

    Examples
    --------
    >>> check(squared) is squared
    True

    A convex form belongs to no proper loss:

    >>> class Convex(Squared):
    ...     def entropy(self, p):
    ...         return -p * (1.0 - p)
    >>> check(ProperLoss("mine", Convex()))
    Traceback (most recent call last):
        ...
    ValueError: loss 'mine' must have a supergradient of a concave form as slope; at 1e-06, 0 it does not
    """
    if not isinstance(loss, ProperLoss):
        raise ValueError(f"loss must be a ProperLoss; got {loss!r}")
    p, (rho, q) = _POINTS_OF_CHECK, np.meshgrid(_POINTS_OF_CHECK, _POINTS_OF_CHECK)
    f, g = np.asarray(loss.entropy(p)), np.asarray(loss.slope(p))
    if f.shape != p.shape or g.shape != p.shape:
        raise ValueError(
            f"loss {loss.name!r} must give one number per point; got shapes {f.shape} and {g.shape}"
        )
    inside = (p > 0.0) & (p < 1.0)
    _refuse(loss, "have a finite univariate form", ~np.isfinite(f), p)
    _refuse(loss, "have a slope, finite inside (0, 1)", np.isnan(g) | (inside & ~np.isfinite(g)), p)
    above, truth = _tangent(loss, q, rho), np.asarray(loss.entropy(rho))
    size = np.abs(loss.entropy(q)) + np.abs(truth) + np.where(np.isfinite(above), np.abs(above - truth), 0.0)
    rule = "have a supergradient of a concave form as slope"
    _refuse(loss, rule, above - truth < -_TOLERANCE * size, q, rho)
    for y in (0, 1):
        _refuse(
            loss, f"be f(p) + g(p)({y} - p)", _differs(loss(p, y), _tangent(loss, p, np.full(p.shape, y))), p
        )
    cost = np.asarray(loss.divergence(rho, q))
    _refuse(loss, "have the divergence f(p) + g(p)(rho - p) - f(rho)", _differs(cost, above - truth), q, rho)
    bend = loss.curvature(p)
    if bend is not None:
        _refuse(loss, "have a curvature |f''|, not below 0", ~(bend >= 0.0), p)
    for constant, other in ((loss.kl_constant, log), (loss.quadratic_constant, squared)):
        if not constant >= 0.0:
            raise ValueError(f"loss {loss.name!r} must have constants that are at least 0; got {constant!r}")
        if np.isfinite(constant):
            rule = f"have a divergence of at most {constant:.6g} times that of the {other.name} loss"
            _refuse(loss, rule, cost > constant * other.divergence(rho, q) + _TOLERANCE, q, rho)
    return loss


def _tangent(loss: ProperLoss, p: FloatArray, rho: npt.NDArray[Any]) -> FloatArray:
    """Return the tangent at p, at rho: f(p) + g(p)(rho - p), with infinity times zero read as zero."""
    with np.errstate(invalid="ignore"):
        return np.asarray(loss.entropy(p) + np.where(rho == p, 0.0, loss.slope(p) * (rho - p)))


def _differs(found: FloatArray, wanted: FloatArray) -> npt.NDArray[np.bool_]:
    with np.errstate(invalid="ignore"):
        apart = np.abs(found - wanted) > _TOLERANCE * (1.0 + np.abs(wanted))
    return np.where(np.isfinite(wanted), ~np.isfinite(found) | apart, found != wanted)


def _refuse(loss: ProperLoss, rule: str, bad: npt.NDArray[np.bool_], *places: FloatArray) -> None:
    """Raise with the first place that is bad."""
    if bad.any():
        first = np.unravel_index(int(np.argmax(bad)), bad.shape)
        at = ", ".join(f"{place[first]:.6g}" for place in places)
        raise ValueError(f"loss {loss.name!r} must {rule}; at {at} it does not")
