r"""Functions of T on a whole half-line, enclosed: a ball times powers of T, log T and log log T.

A `Growth` stands for every function f with :math:`f(T) = c(T)\,T^a(\log T)^b(\log\log T)^d` for all
:math:`T \ge T_0`, whose coefficient c(T) stays in a ball. Sums, products, roots, logarithms and, of what tends to 0,
sines and tangents are again of this kind, so the functions of `klcal.bounds` run over it, and one evaluation bounds
them for all horizons from :math:`T_0` to infinity. What cannot be enclosed this way raises `Undecided`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from flint import arb

from klcal.exact.balls import Number, Undecided, ball, hull

Powers = tuple[Fraction, Fraction, Fraction]

_CONSTANT: Powers = (Fraction(0), Fraction(0), Fraction(0))


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

    def __radd__(self, other: Any) -> Growth:
        return self._alike(other) + self

    def __rsub__(self, other: Any) -> Growth:
        return self._alike(other) - self

    def __rmul__(self, other: Any) -> Growth:
        return self._alike(other) * self

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
