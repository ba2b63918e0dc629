r"""Losses that break a statement, in exact rationals: sums of tents, and losses bent at an end or a kink."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, fmpz

from klcal import _checks
from klcal.exact.balls import ball, precision

# A float is taken as the rational number it is; nothing is rounded.
Exact = Fraction | int | float


def _unit(name: str, value: Exact) -> Fraction:
    number = Fraction(value)
    if not 0 <= number <= 1:
        raise ValueError(f"{name} must lie in [0, 1]; got {value!r}")
    return number


class _ConcaveForm:
    """What follows from a univariate form and its supergradient (``lem:characterization_proper_loss``)."""

    def entropy(self, p: Exact) -> Fraction:
        """Return the univariate form at `p`."""
        raise NotImplementedError

    def slope(self, p: Exact) -> Fraction:
        """Return the supergradient at `p`."""
        raise NotImplementedError

    def __call__(self, p: Exact, y: int) -> Fraction:
        """Return the loss of forecast `p` at outcome `y`."""
        p = _unit("p", p)
        return self.entropy(p) + self.slope(p) * (_checks.outcome("y", y) - p)

    def divergence(self, rho: Exact, p: Exact) -> Fraction:
        r"""Return :math:`\mathsf{BREG}_{-f}(\rho, p) = f(p) - f(\rho) + f'(p)(\rho - p)`."""
        rho, p = _unit("rho", rho), _unit("p", p)
        return self.entropy(p) - self.entropy(rho) + self.slope(p) * (rho - p)


@dataclass(frozen=True)
class Tent:
    """A triangular density: linear on both sides of its centre, zero beyond the half-width.

    Parameters
    ----------
    centre, half_width, mass : Fraction
        Where it stands, how wide it is and what it integrates to; it must fit into [0, 1].

    Examples
    --------
    >>> tent = Tent(Fraction(1, 2), Fraction(1, 4), Fraction(1))
    >>> (
    ...     tent.density(Fraction(1, 2)),
    ...     tent.density(Fraction(3, 8)),
    ...     tent.mass_above(Fraction(1, 2)),
    ... )
    (Fraction(4, 1), Fraction(2, 1), Fraction(1, 2))
    """

    centre: Fraction
    half_width: Fraction
    mass: Fraction

    def __post_init__(self) -> None:
        if not self.half_width > 0:
            raise ValueError(f"half_width must be positive; got {self.half_width!r}")
        if not self.mass > 0:
            raise ValueError(f"mass must be positive; got {self.mass!r}")
        if self.left < 0 or self.right > 1:
            raise ValueError(f"centre must lie at least half_width inside [0, 1]; got {self.centre!r}")

    @property
    def left(self) -> Fraction:
        """Where the tent starts."""
        return self.centre - self.half_width

    @property
    def right(self) -> Fraction:
        """Where the tent ends."""
        return self.centre + self.half_width

    def _place(self, p: Fraction) -> Fraction:
        return max(Fraction(-1), min(Fraction(1), (p - self.centre) / self.half_width))

    def density(self, p: Fraction) -> Fraction:
        """Return the density at `p`; its peak is mass / half_width."""
        return self.mass / self.half_width * (1 - abs(self._place(p)))

    def mass_above(self, p: Fraction) -> Fraction:
        """Return the mass to the right of `p`."""
        s = self._place(p)
        return self.mass * ((1 - s) ** 2 / 2 if s >= 0 else 1 - (1 + s) ** 2 / 2)

    def excess_above(self, p: Fraction) -> Fraction:
        r"""Return :math:`\int (u - p)_+` over the tent."""
        if p <= self.left:
            return self.mass * (self.centre - p)
        s = self._place(p)
        piece = (1 - s) ** 3 / 6 if s >= 0 else (1 + s) ** 3 / 6 - s
        return self.mass * self.half_width * piece


@dataclass(frozen=True)
class TentLoss(_ConcaveForm):
    r"""A proper loss whose univariate form has :math:`-f''` equal to a sum of disjoint tents.

    The tents are numbered 1, 2, ... from right to left. If they never end they may pile up at 0 only, so that
    :math:`f \in C^2(0, 1]` and every value at p > 0 is a finite sum:

    .. math:: f'(p) = f'(1) + \mu(p, 1], \qquad f(p) = f(1) - f'(1)(1 - p) - \int_p^1 (u - p)\,d\mu(u).

    Parameters
    ----------
    tent : callable
        Number of a tent (from 1) -> `Tent`.
    value_at_one, slope_at_one : Fraction
        :math:`f(1)` and :math:`f'(1)`.
    count : int or None
        How many tents there are; None if they never end.

    Examples
    --------
    >>> loss = smoothed_v(Fraction(1, 8))
    >>> loss.slope(0), loss.slope(Fraction(1, 2)), loss.slope(1)
    (Fraction(2, 1), Fraction(0, 1), Fraction(-2, 1))
    >>> loss(Fraction(1, 4), 0), loss.divergence(1, Fraction(1, 4))
    (Fraction(-1, 1), Fraction(2, 1))
    """

    tent: Callable[[int], Tent]
    value_at_one: Fraction
    slope_at_one: Fraction
    count: int | None = None

    def tents_above(self, p: Fraction) -> Iterator[Tent]:
        """Yield, from right to left, the tents that reach beyond `p`."""
        if self.count is None and p <= 0:
            raise ValueError(f"p must be positive where infinitely many tents pile up at 0; got {p!r}")
        number = 1
        while self.count is None or number <= self.count:
            tent = self.tent(number)
            if tent.right <= p:
                return
            yield tent
            number += 1

    def curvature(self, p: Exact) -> Fraction:
        """Return the absolute second derivative of the univariate form at `p`."""
        p = _unit("p", p)
        return sum((tent.density(p) for tent in self.tents_above(p)), Fraction(0))

    def slope(self, p: Exact) -> Fraction:
        """Return the derivative of the univariate form at `p`."""
        p = _unit("p", p)
        return sum((tent.mass_above(p) for tent in self.tents_above(p)), self.slope_at_one)

    def entropy(self, p: Exact) -> Fraction:
        """Return the univariate form at `p`."""
        p = _unit("p", p)
        tail = sum((tent.excess_above(p) for tent in self.tents_above(p)), Fraction(0))
        return self.value_at_one - self.slope_at_one * (1 - p) - tail


def spike_loss(sharpness: int = 3) -> TentLoss:
    r"""Return the loss that refutes ``lem:hessian_growth``: spikes at :math:`2^{-n}`, ever steeper.

    .. math:: p_n = m_n = 2^{-n}, \qquad w_n = 2^{-(sn + 2)}, \qquad f(0) = 0, \quad f'(0) = \tfrac12

    The total mass is 1, so :math:`|f'| \le 1/2` and the induced loss stays in [-1/6, 1/2]. At the peaks
    :math:`p_n |f''(p_n)| = 2^{(s-2)n + 2}`: unbounded for s = 3; equal to 4 for s = 2, which obeys it.

    Parameters
    ----------
    sharpness : int
        The s of the formula, at least 2 (less and neighbouring tents would overlap).

    Returns
    -------
    TentLoss
        A member of the class of bounded proper losses with continuous second derivative on (0, 1).

    Examples
    --------
    >>> [int(spike_loss().curvature(Fraction(1, 2**n)) / 2**n) for n in (1, 2, 3)]
    [8, 16, 32]
    """
    s = _checks.integer("sharpness", sharpness, least=2)

    def tent(n: int) -> Tent:
        return Tent(Fraction(1, 2**n), Fraction(1, 2 ** (s * n + 2)), Fraction(1, 2**n))

    # f(1) = f'(0) - sum of (1 - p_n) m_n = 1/2 - 1 + 1/3.
    return TentLoss(tent, Fraction(-1, 6), Fraction(-1, 2))


def slow_loss() -> TentLoss:
    r"""Return the loss whose regret no forecaster keeps below :math:`T^{1/3}`: heavy spikes, absurdly narrow.

    .. math:: p_n = \frac{1}{n+1}, \qquad m_n = \frac{1}{n(n+1)}, \qquad w_n = 10^{-10^n},

    with :math:`f(1) = 0` and :math:`f'(1) = -\frac12`. The total mass is again 1 and the loss stays in
    [0, 1]. See `slow_loss_regret` for what it does.

    Returns
    -------
    TentLoss
        Exact, but the denominators have :math:`10^n` digits: the first four spikes are practical.

    Examples
    --------
    >>> loss = slow_loss()
    >>> loss.slope(Fraction(1, 2)), loss.slope(Fraction(2, 5))
    (Fraction(-1, 4), Fraction(0, 1))
    """

    def tent(n: int) -> Tent:
        return Tent(Fraction(1, n + 1), Fraction(1, 10 ** (10**n)), Fraction(1, n * (n + 1)))

    return TentLoss(tent, Fraction(0), Fraction(-1, 2))


def smoothed_v(half_width: Fraction) -> TentLoss:
    r"""Return the V-shaped loss :math:`f(p) = -|1 - 2p|` with its kink rounded off by one tent.

    Parameters
    ----------
    half_width : Fraction
        In (0, 1/2]; outside :math:`1/2 \pm` `half_width` nothing changes.

    Returns
    -------
    TentLoss
        A loss in [-1, 1], smooth with constant 4 / `half_width`.

    Examples
    --------
    >>> (
    ...     smoothed_v(Fraction(1, 4)).entropy(Fraction(1, 2)),
    ...     smoothed_v(Fraction(1, 4)).entropy(0),
    ... )
    (Fraction(-1, 6), Fraction(-1, 1))
    """
    kink = Tent(Fraction(1, 2), Fraction(half_width), Fraction(4))
    return TentLoss(lambda _: kink, Fraction(-1), Fraction(-2), count=1)


def mean_absolute_deviation(T: int, p: Fraction) -> Fraction:
    r"""Return :math:`E|\mathrm{Bin}(T, p) - Tp|` by de Moivre's formula.

    .. math:: E|\mathrm{Bin}(T,p) - Tp| = 2\nu \binom{T}{\nu} p^\nu (1-p)^{T-\nu+1},
              \qquad \nu = \lfloor Tp \rfloor + 1

    Parameters
    ----------
    T : int
        Number of trials, at least 1.
    p : Fraction
        Probability of a one.

    Returns
    -------
    Fraction
        Exact.

    Examples
    --------
    >>> (
    ...     mean_absolute_deviation(2, Fraction(1, 2)),
    ...     mean_absolute_deviation(3, Fraction(1, 3)),
    ... )
    (Fraction(1, 2), Fraction(16, 27))
    """
    T, p = _checks.integer("T", T, least=1), _unit("p", p)
    if p == 1:
        return Fraction(0)
    nu = math.floor(T * p) + 1
    return 2 * nu * math.comb(T, nu) * p**nu * (1 - p) ** (T - nu + 1)


def mean_absolute_deviation_ball(T: int, p: Fraction) -> arb:
    r"""Return a ball around `mean_absolute_deviation`, also for T far beyond exact binomials.

    Parameters
    ----------
    T : int
        Number of trials, at least 1.
    p : Fraction
        Probability of a one, in (0, 1).

    Returns
    -------
    arb
        The logarithms of the factorials are of the size :math:`T\log T` and cancel down to :math:`\log T`, so the
        work is done with three times as many bits as T has.

    Examples
    --------
    >>> mean_absolute_deviation_ball(3, Fraction(1, 3)).overlaps(arb(16) / 27)
    True
    """
    nu = math.floor(T * p) + 1

    def log_factorial(k: int) -> arb:
        return arb(fmpz(k + 1)).lgamma()

    with precision(3 * T.bit_length() + 64):
        log_term = log_factorial(T) - log_factorial(nu) - log_factorial(T - nu)
        log_term += nu * ball(p).log() + (T - nu + 1) * ball(1 - p).log()
        return 2 * nu * log_term.exp()


def slow_loss_regret(T: int, n: int) -> Fraction:
    r"""Return what every forecaster must expect to regret with `slow_loss` if y is iid Bernoulli(1/(n+1)).

    .. math:: E\,\mathsf{Reg} \ge T\, E\,\mathsf{BREG}(\bar y, p_n)
              \ge \tfrac{m_n}{2}\bigl(E|\mathrm{Bin}(T,p_n) - Tp_n| - T w_n\bigr)

    No forecaster expects to lose less than :math:`T f(p_n)` against such outcomes, the best constant in
    hindsight loses :math:`T f(\bar y)`, and half a tent stands on either side of its centre.

    Parameters
    ----------
    T : int
        Horizon, at least 1.
    n : int
        Number of the spike, at least 1.

    Returns
    -------
    Fraction
        Exact. Of the order :math:`\sqrt T / n^{5/2}` while :math:`T \ll w_n^{-2}`, hence
        :math:`\Omega(\sqrt T / (\log\log T)^{5/2})` with the best n for each T.

    Examples
    --------
    >>> float(slow_loss_regret(100, 1))
    0.9948654648397345
    """
    spike = slow_loss().tent(_checks.integer("n", n, least=1))
    return spike.mass / 2 * (mean_absolute_deviation(T, spike.centre) - T * spike.half_width)


@dataclass(frozen=True)
class BoundaryLoss(_ConcaveForm):
    r"""A smooth loss whose supergradient at 0 is not the derivative (``prop:bound_breg_div_quadratically``).

    .. math:: f(p) = \tfrac{G}{2}p(1-p), \qquad g_0 \ge f'(0) = \tfrac{G}{2}, \qquad g_p = f'(p)\ (p > 0)

    Every such :math:`g_0` keeps the loss proper, but if it is not G/2 the divergence from 0 grows linearly:
    :math:`\mathsf{BREG}(\rho, 0) = \frac G2 \rho^2 + (g_0 - \frac G2)\rho`.

    Parameters
    ----------
    smoothness : Fraction
        The G of the formula.
    slope_at_zero : Fraction
        The supergradient chosen at 0, at least G/2.

    Examples
    --------
    >>> loss = BoundaryLoss(Fraction(1), Fraction(1))
    >>> (
    ...     loss.divergence(Fraction(1, 10), Fraction(0)),
    ...     loss.smoothness * Fraction(1, 10) ** 2,
    ... )
    (Fraction(11, 200), Fraction(1, 100))
    """

    smoothness: Fraction
    slope_at_zero: Fraction

    def __post_init__(self) -> None:
        if self.slope_at_zero < self.smoothness / 2:
            raise ValueError(f"slope_at_zero must be at least smoothness / 2; got {self.slope_at_zero!r}")

    def entropy(self, p: Exact) -> Fraction:
        """Return the univariate form at `p`."""
        p = _unit("p", p)
        return self.smoothness / 2 * p * (1 - p)

    def slope(self, p: Exact) -> Fraction:
        """Return the supergradient that the loss uses at `p`."""
        p = _unit("p", p)
        return self.slope_at_zero if p == 0 else self.smoothness / 2 * (1 - 2 * p)


@dataclass(frozen=True)
class SharpV(_ConcaveForm):
    r"""The V-shaped loss :math:`f(p) = -|1 - 2p|` itself, with a chosen supergradient at its kink.

    It fills [-1, 1] and lies in none of the smooth classes; `smoothed_v` comes as close to it as one likes.

    Parameters
    ----------
    slope_at_kink : Fraction
        The supergradient at 1/2, in [-2, 2].

    Examples
    --------
    >>> loss = SharpV(Fraction(2))
    >>> (
    ...     loss.divergence(1, Fraction(1, 2)) / (1 - Fraction(1, 2)),
    ...     loss.divergence(0, Fraction(1, 2)),
    ... )
    (Fraction(4, 1), Fraction(0, 1))
    """

    slope_at_kink: Fraction

    def __post_init__(self) -> None:
        if abs(self.slope_at_kink) > 2:
            raise ValueError(f"slope_at_kink must lie in [-2, 2]; got {self.slope_at_kink!r}")

    def entropy(self, p: Exact) -> Fraction:
        """Return the univariate form at `p`."""
        return -abs(1 - 2 * _unit("p", p))

    def slope(self, p: Exact) -> Fraction:
        """Return the supergradient that the loss uses at `p`."""
        p = _unit("p", p)
        if p == Fraction(1, 2):
            return self.slope_at_kink
        return Fraction(2) if p < Fraction(1, 2) else Fraction(-2)
