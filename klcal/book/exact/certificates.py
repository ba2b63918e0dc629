r"""Certificates about the functions of `klcal.bounds`, for every horizon T: proved, refuted, or `Undecided`.

A statement "bound at K(T) over rate is at most c for all integers :math:`T \ge T_0`" has two parts. Up to some
:math:`T_1` balls cover the horizons; in the real numbers between two integers nothing happens but the jumps of K, and
boxes that hold one are cut, if need be down to single integers. From :math:`T_1` on one evaluation over a `Growth`
bounds the ratio for all T, where :math:`x \le K \le x + 1` is all that is used of K.

A `Growth` stands for every function f with :math:`f(T) = c(T)\,T^a(\log T)^b(\log\log T)^d` for all
:math:`T \ge T_0`, whose coefficient c(T) stays in a ball. Sums, products, roots, logarithms and, of what tends to 0,
sines and tangents are again of this kind, so the functions of `klcal.bounds` run over it. What cannot be enclosed this
way raises `Undecided`.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from klcal.book.exact.balls import Enclosure, Number, Undecided, arb, ball, hull, lower, precision, upper

# Of T and K, of balls and of growths alike: the ratio of two bounds, as a rule.
Ratio = Callable[[Any, Any], Any]

_LATEST_START = 10**12
Powers = tuple[Fraction, Fraction, Fraction]

_CONSTANT: Powers = (Fraction(0), Fraction(0), Fraction(0))


def largest_over_integers(
    function: Callable[[arb], arb],
    first: int,
    last: int,
    *,
    below: float | None = None,
    tolerance: float = 0.0,
    limit: int = 20_000,
) -> Enclosure:
    """Enclose the largest value of `function` at the integers from `first` to `last`.

    Parameters
    ----------
    function : callable
        Takes a ball, returns a ball that holds the values at all integers in it. One that is not finite means "not
        known".
    first, last : int
        Ends of the range, both included.
    below : float, optional
        Stop as soon as the maximum is known to be at most this, or a value that is greater was met.
    tolerance : float
        Stop when the enclosure is at most this wide.
    limit : int
        Largest number of boxes to look at.

    Returns
    -------
    Enclosure
        ``upper`` bounds the function at all these integers, ``lower`` one of its values.

    Raises
    ------
    Undecided
        If `limit` boxes answered neither question.

    Examples
    --------
    >>> largest_over_integers(lambda n: n * (100 - n), 1, 1000).upper
    2500.0
    """
    queue: list[tuple[float, int, int]] = []

    def look(low: int, high: int) -> float:
        box = ball(low) if low == high else hull(low, high)
        heapq.heappush(queue, (-upper(function(box)), low, high))
        return lower(function(ball((low + high) // 2)))

    best, boxes = look(first, last), 1
    while True:
        bound = max(-queue[0][0], best)
        if bound - best <= tolerance or (below is not None and (bound <= below or best > below)):
            return Enclosure(best, bound, boxes)
        _, low, high = heapq.heappop(queue)
        if boxes >= limit or low == high:
            raise Undecided(f"{boxes} boxes leave the largest value in [{best}, {bound}], next at {low}")
        middle = (low + high) // 2
        best, boxes = max(best, look(low, middle), look(middle + 1, high)), boxes + 2


def resolutions(x: arb) -> range:
    """Return all K = max(2, ceil(x)) that the numbers in the ball x are rounded up to.

    Parameters
    ----------
    x : flint.arb
        Finite.

    Returns
    -------
    range

    Examples
    --------
    >>> (
    ...     list(resolutions(arb(1))),
    ...     list(resolutions(arb(3))),
    ...     list(resolutions(hull(2.5, 3.5))),
    ... )
    ([2], [3], [3, 4])
    """
    ends = math.ceil(lower(x)), math.ceil(upper(x))
    return range(max(2, ends[0]), max(2, ends[1]) + 1)


def _at_resolution(ratio: Ratio, real_resolution: Callable[[Any], Any], T: arb) -> arb:
    """Return the ratio at all T in a ball, each at its own K; not known if there are more than two K."""
    try:
        x = real_resolution(T)
        possible = resolutions(x) if x.is_finite() else range(0)
        if len(possible) not in (1, 2):
            return arb.nan()
        value: arb = ratio(T, arb(possible[0])).union(ratio(T, arb(possible[-1])))
        return value
    except ValueError:
        # A hull is rounded outwards and may leave open whether an argument keeps its rule. A single T must keep it.
        if T.is_exact():
            raise
        return arb.nan()


def _from(start: int, ratio: Ratio, real_resolution: Callable[[Any], Any]) -> arb:
    """Return a ball that holds the ratio at all T >= start; not finite if the ratio may grow for ever."""
    T = horizons(start)
    x = real_resolution(T)
    if not x >= 2:
        raise Undecided(f"the resolution at T = {start} may be smaller than 2")
    far: arb = ratio(T, x.union(x + 1)).bound()
    return far


def largest_ratio(
    ratio: Ratio,
    real_resolution: Callable[[Any], Any],
    *,
    first: int = 2,
    below: Number = 1,
    tolerance: float = 0.0,
    limit: int = 20_000,
) -> Enclosure:
    r"""Decide whether ratio(T, K(T)) is at most a number for all integers T from `first` on.

    Parameters
    ----------
    ratio : callable
        Of T and K, such as ``lambda T, K: bounds.theorem_2(T, K) / bounds.theorem_2_rate(T)``.
    real_resolution : callable
        Of T; its value x is rounded up to K = max(2, ceil(x)), as :math:`(T/\log T)^{1/3}` in ``klcal.resolution``.
    first : int
        The first horizon.
    below : number
        The number in question.
    tolerance : float
        With 0 the boxes stop when the question is answered; else the largest ratio is enclosed that well, as long as
        it is not one of the far horizons.
    limit : int
        Largest number of boxes.

    Returns
    -------
    Enclosure
        ``upper`` bounds the ratio at all T, ``lower`` one of its values: proved if ``upper <= below``, refuted if
        ``lower > below``, and nothing else is returned.

    Raises
    ------
    Undecided
        If neither could be shown.

    Examples
    --------
    >>> from klcal import bounds
    >>> ratio = lambda T, K: bounds.theorem_2(T, K) / bounds.theorem_2_rate(T)
    >>> largest_ratio(ratio, lambda T: (T / T.log()).root(3)).upper <= 1
    True
    """
    with precision(64):
        number = ball(below)
        start, far = _start(ratio, real_resolution, first, number)
        near = largest_over_integers(
            lambda T: _at_resolution(ratio, real_resolution, T),
            first,
            start,
            below=None if tolerance > 0.0 else lower(number),
            tolerance=tolerance,
            limit=limit,
        )
        largest = Enclosure(max(near.lower, lower(far)), max(near.upper, upper(far)), near.boxes + 1)
        if not (ball(largest.upper) <= number or ball(largest.lower) > number):
            raise Undecided(
                f"the largest ratio lies in [{largest.lower}, {largest.upper}], above {below} or not"
            )
        return largest


def _start(ratio: Ratio, real_resolution: Callable[[Any], Any], first: int, number: arb) -> tuple[int, arb]:
    """Return a horizon from which on one evaluation answers the question, and its ball; not finite if none does."""
    start = max(16, 2 * first)
    while True:
        try:
            far = _from(start, ratio, real_resolution)
        except Undecided:
            far = arb.nan()
        if far <= number or far > number or start > _LATEST_START:
            return start, far
        start *= 4


# ----- functions on a half-line ---------------------------------------------------------------------------------------


def horizons(start: Number) -> Growth:
    """Return T itself, for all T from `start` on.

    Parameters
    ----------
    start : number
        The first T; its logarithm must be greater than 1.

    Returns
    -------
    Growth

    Examples
    --------
    >>> T = horizons(100)
    >>> ((T + 1).log() / T.log()).bound() < 1.01
    True
    """
    log = ball(start).log()
    if not log > 1:
        raise ValueError(f"start must be greater than e; got {start!r}")
    return Growth(arb(1), (Fraction(1), Fraction(0), Fraction(0)), log)


@dataclass(frozen=True, eq=False)
class Growth:
    """A ball times powers of T, log T and log log T, for all T from a start on; see `horizons`.

    Attributes
    ----------
    coefficient : flint.arb
        Holds the coefficient at every T.
    powers : tuple of Fraction
        Of T, log T and log log T.
    log_start : flint.arb
        Logarithm of the first T, greater than 1.

    Examples
    --------
    >>> T = horizons(1000)
    >>> root = (T * T.log()).root(3)
    >>> root.powers[:2], root.coefficient
    ((Fraction(1, 3), Fraction(1, 3)), 1.00000000000000)
    """

    coefficient: arb
    powers: Powers
    log_start: arb

    def bound(self) -> arb:
        """Return a ball that holds all values of a function that does not grow."""
        return self.coefficient * self._share(self.powers)

    def _share(self, powers: Powers) -> arb:
        """Return a ball that holds the values of these powers: 1, or from 0 to that at the start if they fall."""
        if powers == _CONSTANT:
            return arb(1)
        a, b, d = (ball(power) for power in powers)
        log, log_log = self.log_start, self.log_start.log()
        # The derivative of a L + b log L + d log log L, times L, for all larger L.
        slope = a * log + _positive(b) + _positive(d) / log_log if powers[0] < 0 else a
        slope = b + _positive(d) / log_log if powers[0] == 0 and powers[1] < 0 else slope
        slope = d if powers[:2] == _CONSTANT[:2] else slope
        if not slope < 0:
            raise Undecided(
                f"powers {tuple(map(str, powers))} do not fall from log T = {log} on; start later"
            )
        return hull(0, 1) * (a * log + b * log_log + d * log_log.log()).exp()

    def _alike(self, other: Any) -> Growth:
        return (
            other if isinstance(other, Growth) else replace(self, coefficient=ball(other), powers=_CONSTANT)
        )

    def __add__(self, other: Any) -> Growth:
        term = self._alike(other)
        # 0 has every power; as a constant it would hide the sign of what falls.
        if term.coefficient.is_zero():
            return self
        if term.powers > self.powers or self.coefficient.is_zero():
            return term + self
        a, b, d = (q - p for p, q in zip(self.powers, term.powers, strict=True))
        return replace(self, coefficient=self.coefficient + term.coefficient * self._share((a, b, d)))

    def __neg__(self) -> Growth:
        return replace(self, coefficient=-self.coefficient)

    def __sub__(self, other: Any) -> Growth:
        return self + -self._alike(other)

    def __mul__(self, other: Any) -> Growth:
        factor = self._alike(other)
        a, b, d = (p + q for p, q in zip(self.powers, factor.powers, strict=True))
        return replace(self, coefficient=self.coefficient * factor.coefficient, powers=(a, b, d))

    def __pow__(self, exponent: float | Fraction) -> Growth:
        n = Fraction(exponent)
        a, b, d = (n * p for p in self.powers)
        power = self.coefficient ** (n.numerator if n.denominator == 1 else ball(n))
        return replace(self, coefficient=power, powers=(a, b, d))

    def __truediv__(self, other: Any) -> Growth:
        return self * self._alike(other) ** -1

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other: Any) -> Growth:
        return self._alike(other) - self

    def __rtruediv__(self, other: Any) -> Growth:
        return self._alike(other) / self

    def __ge__(self, other: Any) -> bool:
        return bool((self - other).coefficient >= 0)

    def __gt__(self, other: Any) -> bool:
        return bool((self - other).coefficient > 0)

    def __le__(self, other: Any) -> bool:
        return bool((self - other).coefficient <= 0)

    def __lt__(self, other: Any) -> bool:
        return bool((self - other).coefficient < 0)

    def union(self, other: Any) -> Growth:
        """Return all functions between two with the same powers."""
        end = self._alike(other)
        if end.powers != self.powers:
            raise Undecided("functions with different powers have no union")
        return replace(self, coefficient=self.coefficient.union(end.coefficient))

    def max(self, other: Any) -> Growth:
        """Return the larger function, if it is the larger one at every T."""
        if self >= other:
            return self
        if self <= other:
            return self._alike(other)
        raise Undecided(f"the larger one of two functions is not known from log T = {self.log_start} on")

    def root(self, n: int) -> Growth:
        """Return the n-th root."""
        a, b, d = (p / n for p in self.powers)
        return replace(self, coefficient=self.coefficient.root(n), powers=(a, b, d))

    def sqrt(self) -> Growth:
        """Return the square root."""
        return self.root(2)

    def log(self) -> Growth:
        """Return the logarithm, of functions without powers of log log T."""
        a, b, d = self.powers
        if d != 0:
            raise Undecided("log log log T is not among the powers")
        logs = replace(self, coefficient=ball(a), powers=(Fraction(0), Fraction(1), Fraction(0)))
        log_logs = replace(self, coefficient=ball(b), powers=(Fraction(0), Fraction(0), Fraction(1)))
        total = self._alike(self.coefficient.log())
        total = total + log_logs if b != 0 else total
        return total + logs if a != 0 else total

    def log1p(self) -> Growth:
        r"""Return :math:`\log(1 + f)`."""
        if self.powers > _CONSTANT:
            return self.log() + (1 / self).log1p()
        if self.powers == _CONSTANT:
            return self._alike(self.coefficient.log1p())
        return self._from_zero(lambda x: 1 / (1 + x))

    def _from_zero(self, slope: Callable[[arb], arb]) -> Growth:
        """Return g(f) for g(0) = 0, which is f times the derivative `slope` of g somewhere between 0 and f."""
        return self * slope(self.bound().union(arb(0)))

    def sin(self) -> Growth:
        """Return the sine of a function that does not grow."""
        return self._from_zero(lambda x: x.cos())

    def tan(self) -> Growth:
        """Return the tangent of a function that does not grow."""
        return self._from_zero(lambda x: 1 / x.cos() ** 2)

    def cos(self) -> Growth:
        """Return the cosine of a function that does not grow."""
        return self._alike(self.bound().cos())


def _positive(number: arb) -> arb:
    return number.max(arb(0))
