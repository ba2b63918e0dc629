r"""Concave univariate forms, one class per family of losses, in closed forms that do not cancel."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import entr, logit, xlog1py

from klcal._checks import FloatArray

# artanh(s) = s + s^3 A(s^2), A(z) = sum_k z^k / (2k + 3); for s^2 <= 1/9 the terms left out are below 1e-17.
_ARTANH_TAIL = 1.0 / np.arange(3.0, 37.0, 2.0)
# A divergence that is further below zero than this part of its terms is no rounding error.
_ROUNDING = 1e-9
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)


class UnivariateForm(ABC):
    r"""A concave :math:`f` on [0, 1] with a supergradient :math:`g`: what a `ProperLoss` is built from.

    Subclass it to make a loss of your own: state `entropy` and `slope`, and the two constants if you know them. The
    default of `divergence` subtracts, and loses digits where :math:`\rho` is close to p. All methods take checked
    float64 arrays of one shape. Make the subclass a frozen dataclass, so that losses can be compared and pickled, and
    let `klcal.losses.check` look at it.
    """

    @abstractmethod
    def entropy(self, p: FloatArray) -> FloatArray:
        """Return f(p)."""

    @abstractmethod
    def slope(self, p: FloatArray) -> FloatArray:
        """Return g(p)."""

    def curvature(self, p: FloatArray) -> FloatArray | None:  # noqa: ARG002
        """Return :math:`|f''(p)|`, or None if f is not twice differentiable on (0, 1)."""
        return None

    def loss(self, p: FloatArray, y: FloatArray) -> FloatArray:
        """Return :math:`f(p) + g(p)(y - p)`, with infinity times zero read as zero."""
        with np.errstate(invalid="ignore"):
            return np.where(y == p, self.entropy(p), self.entropy(p) + self.slope(p) * (y - p))

    def divergence(self, rho: FloatArray, p: FloatArray) -> FloatArray:
        r"""Return :math:`f(p) + g(p)(\rho - p) - f(\rho)`; what rounding takes it below zero counts as zero."""
        tangent, value = self.loss(p, rho), self.entropy(rho)
        found = tangent - value
        size = np.abs(self.entropy(p)) + np.abs(tangent) + np.abs(value)
        bad = np.atleast_1d(~(found >= -_ROUNDING * np.where(np.isfinite(size), size, 0.0)))
        if bad.any():
            first = np.unravel_index(int(np.argmax(bad)), bad.shape)
            at = ", ".join(
                f"{name} = {float(np.atleast_1d(x)[first])!r}" for name, x in (("rho", rho), ("p", p))
            )
            raise ValueError(
                f"{self!r} must be concave and its slope a supergradient; "
                f"the divergence is {float(np.atleast_1d(found)[first])!r} at {at}"
            )
        return np.maximum(found, 0.0)

    @property
    def kl_constant(self) -> float:
        """The supremum of BREG over KL; infinite, which is never wrong, unless a subclass knows better."""
        return math.inf

    @property
    def quadratic_constant(self) -> float:
        """The supremum of BREG over the squared distance; infinite unless a subclass knows better."""
        return math.inf


def _either(
    first: npt.NDArray[np.bool_],
    one: Callable[..., FloatArray],
    its: tuple[FloatArray, ...],
    other: Callable[..., FloatArray],
    others: tuple[FloatArray, ...],
) -> FloatArray:
    """Return ``one(*its)`` where `first` holds and ``other(*others)`` elsewhere; nothing is computed in vain."""
    found = np.empty(np.shape(first))
    found[first] = one(*(np.asarray(x)[first] for x in its))
    found[~first] = other(*(np.asarray(x)[~first] for x in others))
    return found


def _log_ratio(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return log(a/b), also where the quotient overflows or is too small to keep its digits."""
    quotient = a / b
    normal = (quotient >= np.finfo(float).tiny) & (quotient < np.inf)
    return _either(normal, np.log, (quotient,), lambda a, b: np.log(a) - np.log(b), (a, b))


def _relative_entropy(a: FloatArray, b: FloatArray, gap: FloatArray) -> FloatArray:
    """Return a log(a/b) - a + b >= 0, given gap = a - b.

    With s = (a - b)/(a + b) the logarithm is 2 artanh(s), and for a and b within a factor of two the leading
    terms are cancelled on paper: gap s (1 + s (1 + s) A(s^2)). Further apart nothing much cancels.
    """

    def nearby(gap: FloatArray, s: FloatArray) -> FloatArray:
        return gap * s * (1.0 + s * (1.0 + s) * np.polynomial.polynomial.polyval(s * s, _ARTANH_TAIL))

    def apart(a: FloatArray, b: FloatArray, gap: FloatArray) -> FloatArray:
        return np.where(a == 0.0, 0.0, a * _log_ratio(a, b)) - gap

    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        s = gap / (a + b)
        return _either(np.abs(s) <= 1.0 / 3.0, nearby, (gap, s), apart, (a, b, gap))


@dataclass(frozen=True)
class Squared(UnivariateForm):
    """f(p) = p(1 - p), f'' = -2: constants 1/4 * 2 and 2/2."""

    kl_constant = 0.5
    quadratic_constant = 1.0

    def entropy(self, p: FloatArray) -> FloatArray:
        """Return :math:`p(1-p)`."""
        return p * (1.0 - p)

    def slope(self, p: FloatArray) -> FloatArray:
        """Return :math:`1 - 2p`."""
        return 1.0 - 2.0 * p

    def curvature(self, p: FloatArray) -> FloatArray:
        """Return 2."""
        return np.full(p.shape, 2.0)

    def loss(self, p: FloatArray, y: FloatArray) -> FloatArray:
        """Return :math:`(p-y)^2`."""
        return (p - y) ** 2

    def divergence(self, rho: FloatArray, p: FloatArray) -> FloatArray:
        r"""Return :math:`(\rho-p)^2`."""
        return (rho - p) ** 2


@dataclass(frozen=True)
class Log(UnivariateForm):
    """f(p) = -p log p - (1 - p) log(1 - p), f'' = -1/(p(1 - p)): constants 1 and infinity."""

    kl_constant = 1.0
    quadratic_constant = math.inf

    def entropy(self, p: FloatArray) -> FloatArray:
        r"""Return :math:`-p\log p - (1-p)\log(1-p)`."""
        return np.asarray(entr(p) - xlog1py(1.0 - p, -p))

    def slope(self, p: FloatArray) -> FloatArray:
        r"""Return :math:`\log\frac{1-p}p`."""
        return np.asarray(-logit(p))

    def curvature(self, p: FloatArray) -> FloatArray:
        r"""Return :math:`\frac1{p(1-p)}`."""
        with np.errstate(divide="ignore", over="ignore"):
            return 1.0 / (p * (1.0 - p))

    def loss(self, p: FloatArray, y: FloatArray) -> FloatArray:
        r"""Return :math:`-\log p` for the outcome 1 and :math:`-\log(1-p)` for 0."""
        with np.errstate(divide="ignore"):
            return -_either(y == 1.0, np.log, (p,), np.log1p, (-p,))

    def divergence(self, rho: FloatArray, p: FloatArray) -> FloatArray:
        r"""Return :math:`\mathsf{KL}(\rho, p)`."""
        # The linear parts of the two relative entropies cancel, and both are nonnegative.
        gap = rho - p
        return _relative_entropy(rho, p, gap) + _relative_entropy(1.0 - rho, 1.0 - p, -gap)


@dataclass(frozen=True)
class Spherical(UnivariateForm):
    """f(p) = -|(p, 1 - p)|, f'' = -1/|f|^3, largest at 1/2: constants sqrt(1/2) and sqrt(2)."""

    kl_constant = math.sqrt(0.5)
    quadratic_constant = math.sqrt(2.0)

    def entropy(self, p: FloatArray) -> FloatArray:
        """Return :math:`-|(p, 1-p)|`."""
        return -np.hypot(p, 1.0 - p)

    def slope(self, p: FloatArray) -> FloatArray:
        """Return :math:`(1-2p)/|(p, 1-p)|`."""
        return (1.0 - 2.0 * p) / np.hypot(p, 1.0 - p)

    def curvature(self, p: FloatArray) -> FloatArray:
        """Return :math:`|(p, 1-p)|^{-3}`."""
        return np.hypot(p, 1.0 - p) ** -3.0

    def loss(self, p: FloatArray, y: FloatArray) -> FloatArray:
        """Return :math:`-p/|(p, 1-p)|` for the outcome 1 and :math:`-(1-p)/|(p, 1-p)|` for 0."""
        return -np.where(y == 1.0, p, 1.0 - p) / np.hypot(p, 1.0 - p)

    def divergence(self, rho: FloatArray, p: FloatArray) -> FloatArray:
        r"""Return :math:`|r|(1-\cos)` for the angle between :math:`r = (\rho, 1-\rho)` and :math:`(p, 1-p)`."""
        # |r| (1 - cos) = |r| sin^2 / (1 + cos), for the angle between r = (rho, 1 - rho) and q = (p, 1 - p),
        # whose cross product is rho - p.
        r, q = np.hypot(rho, 1.0 - rho), np.hypot(p, 1.0 - p)
        return (rho - p) ** 2 / (q * (r * q + rho * p + (1.0 - rho) * (1.0 - p)))


@dataclass(frozen=True)
class Tsallis(UnivariateForm):
    """f(p) = -c p^a, f'' = -c a (a - 1) p^(a - 2); p(1 - p)|f''| is largest at p = (a - 1)/a."""

    alpha: float
    scale: float

    @property
    def rise(self) -> float:
        """The loss c(a - 1) of forecasting 1 when the outcome is 0."""
        return self.scale * (self.alpha - 1.0)

    @property
    def kl_constant(self) -> float:
        r"""The largest value :math:`c(a-1)(1-\frac1a)^{a-1}` of :math:`p(1-p)|f''(p)|`."""
        return self.rise * math.exp((self.alpha - 1.0) * math.log1p(-1.0 / self.alpha))

    @property
    def quadratic_constant(self) -> float:
        r"""Half of the curvature at 1, :math:`\frac c2a(a-1)`; infinite for a < 2."""
        return self.rise * self.alpha / 2.0 if self.alpha >= 2.0 else math.inf

    def entropy(self, p: FloatArray) -> FloatArray:
        """Return :math:`-cp^a`."""
        return -self.scale * p**self.alpha

    def slope(self, p: FloatArray) -> FloatArray:
        """Return :math:`-cap^{a-1}`."""
        return -self.scale * self.alpha * p ** (self.alpha - 1.0)

    def curvature(self, p: FloatArray) -> FloatArray:
        """Return :math:`ca(a-1)p^{a-2}`."""
        with np.errstate(divide="ignore", over="ignore"):
            return self.rise * self.alpha * p ** (self.alpha - 2.0)

    def loss(self, p: FloatArray, y: FloatArray) -> FloatArray:
        """Return :math:`c(a-1)p^a - cap^{a-1}y`."""
        power = p ** (self.alpha - 1.0)
        return power * np.where(y == 1.0, -(self.scale + self.rise * (1.0 - p)), self.rise * p)

    def divergence(self, rho: FloatArray, p: FloatArray) -> FloatArray:
        r"""Return :math:`c\rho^a + c(a-1)p^a - ca\rho p^{a-1}`."""
        gap = rho - p
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            x = gap / p
            near = (x >= -0.5) & (x <= 1.0) & (np.abs(x) * (self.alpha - 1.0) <= 1.0)
            values = _either(near, self._near, (gap, x, p), self._far, (rho, p, gap))
        return np.where(gap == 0.0, 0.0, values)

    def _near(self, gap: FloatArray, x: FloatArray, p: FloatArray) -> FloatArray:
        """Evaluate the integral of ``lem:relate_breg_vbreg`` by Gauss: a positive integrand cannot cancel."""
        integral = np.zeros_like(x)
        for s, weight in zip((1.0 + _NODES) / 2.0, _WEIGHTS / 2.0, strict=True):
            integral += weight * (1.0 - s) * np.exp((self.alpha - 2.0) * np.log1p(s * x))
        return self.rise * (self.alpha * x) * gap * p ** (self.alpha - 1.0) * integral

    def _far(self, rho: FloatArray, p: FloatArray, gap: FloatArray) -> FloatArray:
        """Return c rho (rho^(a-1) - p^(a-1)) - c (a-1) p^(a-1) (rho - p), its first difference by expm1."""
        power, top = self.alpha - 1.0, np.maximum(rho, p)
        close = np.abs(gap) <= top / 2.0
        decay = np.where(close, np.log1p(-np.abs(gap) / top), -np.abs(_log_ratio(rho, p)))
        difference = -np.sign(gap) * top**power * np.expm1(power * decay)
        return self.scale * rho * difference - self.rise * p**power * gap


@dataclass(frozen=True)
class Hinges(UnivariateForm):
    """f(p) = -sum_j h_j |p - v_j|: the measure -f'' puts mass 2 h_j on v_j."""

    kinks: tuple[float, ...]
    heights: tuple[float, ...]
    ties: tuple[float, ...]

    @property
    def kl_constant(self) -> float:
        """Infinite with a kink inside (0, 1), otherwise 0."""
        inside = any(h > 0.0 and 0.0 < v < 1.0 for v, h in zip(self.kinks, self.heights, strict=True))
        return math.inf if inside else 0.0

    @property
    def quadratic_constant(self) -> float:
        """Infinite, or 0 if every kink is at an end and has the one-sided slope there."""
        one_sided = {0.0: 1.0, 1.0: -1.0}
        jumps = zip(self.kinks, self.heights, self.ties, strict=True)
        return math.inf if any(h > 0.0 and one_sided.get(v) != tie for v, h, tie in jumps) else 0.0

    def _offsets(self, p: FloatArray) -> FloatArray:
        return np.asarray(p[..., np.newaxis] - np.array(self.kinks))

    def _sides(self, p: FloatArray) -> FloatArray:
        offsets = self._offsets(p)
        return np.where(offsets == 0.0, self.ties, np.sign(offsets))

    def entropy(self, p: FloatArray) -> FloatArray:
        r"""Return :math:`-\sum_j h_j|p - v_j|`."""
        return np.asarray(-np.abs(self._offsets(p)) @ np.array(self.heights))

    def slope(self, p: FloatArray) -> FloatArray:
        r"""Return :math:`-\sum_j h_js_j`: the sign of :math:`p - v_j`, at the kink its tie."""
        return np.asarray(-self._sides(p) @ np.array(self.heights))

    def loss(self, p: FloatArray, y: FloatArray) -> FloatArray:
        r"""Return :math:`-\sum_j h_js_j(y - v_j)`."""
        return np.asarray((-self._sides(p) * self._offsets(y)) @ np.array(self.heights))

    def divergence(self, rho: FloatArray, p: FloatArray) -> FloatArray:
        r"""Return :math:`\sum_j h_j(|\rho - v_j| - s_j(\rho - v_j))`, the signs those of p."""
        # Zero while rho and p lie on the same side of the kink, twice the height times |rho - v| otherwise.
        offsets = self._offsets(rho)
        return np.asarray((np.abs(offsets) - self._sides(p) * offsets) @ np.array(self.heights))
