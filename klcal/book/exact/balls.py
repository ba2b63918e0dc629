r"""Rigorous extrema of functions on boxes, by ball arithmetic and bisection.

A ball (`flint.arb`) is an interval that holds the true value for certain, so one evaluation on a box bounds a
function on all of it. `infimum` and `supremum` cut the box until the bound is good enough and return an
`Enclosure`; when it cannot be made good enough they raise `Undecided` and never guess.

A function that vanishes at 0 cannot be shown positive by boxes that touch 0. `infimum_of_quotient` divides
the zero out: its order comes from the Taylor series over the rationals, exactly, and Lagrange's remainder
:math:`f(x) = x^n f^{(n)}(\xi)/n!` bounds the quotient near 0.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from klcal import _checks

with _checks.extra("verify"):
    from flint import arb as arb
    from flint import arb_series, ctx, fmpq, fmpq_series

Number = int | float | Fraction | arb
# The same formula is read over balls, over ball series and over rational series.
Formula = Callable[[Any], Any]

# Series longer than this are not a zero that a reader would call removable.
_LONGEST_SERIES = 24
# Working precision of the searches.
_BITS = 64


class Undecided(ArithmeticError):
    """The allowed number of boxes did not suffice; the question is open, not answered."""


@dataclass(frozen=True)
class Enclosure:
    """Floats between which an extremum lies for certain, and the number of boxes that were looked at.

    Examples
    --------
    >>> Enclosure(1.0, 1.5, 8).width
    0.5
    """

    lower: float
    upper: float
    boxes: int

    @property
    def width(self) -> float:
        """How much is not known."""
        return self.upper - self.lower


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Work with `bits` bits inside the block and put the old precision back, also after an error.

    Parameters
    ----------
    bits : int
        Bits of the mantissa; 53 is what floats have.

    Examples
    --------
    >>> with precision(200):
    ...     inside = ctx.prec
    >>> inside, ctx.prec
    (200, 53)
    """
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


def ball(number: Number) -> arb:
    """Return a ball that holds `number`; a float or an integer that fits is held exactly.

    Parameters
    ----------
    number : int, float, Fraction or arb
        What the ball holds.

    Examples
    --------
    >>> ball(Fraction(1, 3)) * 3 - 1 < 1e-15, ball(0.5).is_exact()
    (True, True)
    """
    return arb(fmpq(number.numerator, number.denominator)) if isinstance(number, Fraction) else arb(number)


def hull(low: Number, high: Number) -> arb:
    """Return a ball that holds every number from `low` to `high`.

    Parameters
    ----------
    low, high : int, float, Fraction or arb
        The two ends.

    Examples
    --------
    >>> third = hull(0, Fraction(1, 3))
    >>> third.contains(arb(0)), third.contains(arb(1) / 3), third.contains(arb(0.34))
    (True, True, False)
    """
    return ball(low).union(ball(high))


def lower(number: arb) -> float:
    """Return a float that is at most every number in the ball; -inf if the ball is not finite.

    Parameters
    ----------
    number : arb
        A ball.

    Examples
    --------
    >>> lower(arb(1) / 3) < Fraction(1, 3), lower(arb(2)), lower(arb.nan())
    (True, 2.0, -inf)
    """
    if not number.is_finite():
        return -math.inf
    end = number.lower()
    value = float(end.mid())
    while not arb(value) <= end:
        value = math.nextafter(value, -math.inf)
    return value


def upper(number: arb) -> float:
    """Return a float that is at least every number in the ball; inf if the ball is not finite.

    Parameters
    ----------
    number : arb
        A ball.

    Examples
    --------
    >>> upper(arb(1) / 3) > Fraction(1, 3), upper(arb(2)), upper(arb.nan())
    (True, 2.0, inf)
    """
    return 0.0 - lower(-number)


class _Search:
    """Branch and bound for the infimum of one function over one box."""

    def __init__(self, function: Callable[..., arb], box: Sequence[tuple[Number, Number]]) -> None:
        self.function = function
        root = tuple((ball(low), ball(high)) for low, high in box)
        self.sizes = [float((high - low).mid()) for low, high in root]
        self.best = math.inf
        self.boxes = 0
        self.queue: list[tuple[float, int, tuple[tuple[arb, arb], ...]]] = []
        self.look(root)

    @property
    def bound(self) -> float:
        """A lower bound on the whole box: the smallest over the boxes not yet cut."""
        return min(self.queue[0][0], self.best)

    def look(self, sides: tuple[tuple[arb, arb], ...]) -> None:
        """Bound the function on a box and take its value in the middle."""
        self.boxes += 1
        bound = lower(self.function(*(low.union(high) for low, high in sides)))
        self.best = min(self.best, upper(self.function(*(_middle(low, high) for low, high in sides))))
        heapq.heappush(self.queue, (bound, self.boxes, sides))

    def cut(self) -> None:
        """Halve the box with the smallest bound across its relatively longest side."""
        _, _, sides = heapq.heappop(self.queue)
        lengths = [
            float((high - low).mid()) / size for (low, high), size in zip(sides, self.sizes, strict=True)
        ]
        axis = lengths.index(max(lengths))
        low, high = sides[axis]
        middle = _middle(low, high)
        for half in ((low, middle), (middle, high)):
            self.look((*sides[:axis], half, *sides[axis + 1 :]))


def _middle(low: arb, high: arb) -> arb:
    """Return an exact number between the two."""
    return ((low + high) / 2).mid()


def infimum(
    function: Callable[..., arb],
    box: Sequence[tuple[Number, Number]],
    *,
    above: float | None = None,
    tolerance: float = 0.0,
    limit: int = 20_000,
) -> Enclosure:
    """Enclose the infimum of `function` over a closed box by branch and bound.

    Parameters
    ----------
    function : callable
        Takes one ball per axis, returns a ball that holds all values there. A ball that is not finite means
        "not known" and makes the search cut further.
    box : sequence of (low, high)
        One closed interval of positive length per axis.
    above : float, optional
        Stop as soon as the infimum is known to be greater than this, or a value that is not was met.
    tolerance : float
        Stop when the enclosure is at most this wide.
    limit : int
        Largest number of boxes to look at.

    Returns
    -------
    Enclosure
        ``lower`` bounds the function on the whole box; ``upper`` bounds one of its values.

    Raises
    ------
    Undecided
        If `limit` boxes answered neither question.

    Notes
    -----
    The two halves of a box share their common face, so the boxes not yet cut always cover the whole box.

    Examples
    --------
    >>> infimum(lambda x: x * x - x, [(0, 1)], tolerance=1e-3).width < 1e-3
    True
    >>> infimum(lambda x: x * x - x + 0.125, [(0, 1)], above=0.0).upper
    -0.125
    >>> square = lambda x: (x - 0.3) * (x - 0.3)
    >>> infimum(square, [(0, 1)], above=0.0, limit=1)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    klcal.book.exact.balls.Undecided: 1 boxes leave the infimum in [-0.41..., 0.04...], above 0.0 or not
    """
    with precision(_BITS):
        search = _Search(function, box)
        while True:
            bound, best = search.bound, search.best
            if best - bound <= tolerance or (above is not None and (bound > above or best <= above)):
                return Enclosure(bound, best, search.boxes)
            if search.boxes >= limit:
                question = f"{tolerance} apart" if above is None else f"above {above} or not"
                raise Undecided(f"{search.boxes} boxes leave the infimum in [{bound}, {best}], {question}")
            search.cut()


def supremum(
    function: Callable[..., arb], box: Sequence[tuple[Number, Number]], *, tolerance: float
) -> Enclosure:
    """Enclose the supremum of `function` over a closed box: `infimum` of its negative.

    Parameters
    ----------
    function, box, tolerance
        As for `infimum`.

    Returns
    -------
    Enclosure
        ``upper`` bounds the function on the whole box; ``lower`` bounds one of its values.

    Examples
    --------
    >>> 0.25 < supremum(lambda x: x - x * x, [(0, 1)], tolerance=1e-3).upper < 0.251
    True
    """
    mirrored = infimum(lambda *x: -function(*x), box, tolerance=tolerance)
    return Enclosure(-mirrored.upper, -mirrored.lower, mirrored.boxes)


def _coefficient(formula: Formula, x: arb, n: int) -> arb:
    """Return the n-th Taylor coefficient of the formula at every point of x; NaN where it divides by 0."""
    try:
        coefficient: arb = formula(arb_series([x, 1], prec=n + 1))[n]
    except ValueError as error:
        # Ball series do not know "1/0 is any number", as balls do.
        if "leading term" not in str(error):
            raise
        return arb.nan()
    return coefficient


def taylor_start(formula: Formula) -> tuple[int, Fraction]:
    """Return order and coefficient of the first term of the Taylor series of `formula` at 0, exactly.

    Parameters
    ----------
    formula : callable
        Built from arithmetic with integers and methods such as ``sin``, ``tan``, ``exp``, ``log``, ``sqrt``.

    Returns
    -------
    int, Fraction

    Raises
    ------
    Undecided
        If the first 24 coefficients are 0.

    Examples
    --------
    >>> taylor_start(lambda x: x - x.sin()), taylor_start(lambda x: x.cos())
    ((3, Fraction(1, 6)), (0, Fraction(1, 1)))
    """
    series = formula(fmpq_series([0, 1], prec=_LONGEST_SERIES))
    for n in range(_LONGEST_SERIES):
        if series[n] != 0:
            return n, Fraction(int(series[n].p), int(series[n].q))
    raise Undecided(f"the first {_LONGEST_SERIES} Taylor coefficients are 0")


def infimum_of_quotient(formula: Formula, right: Number, *, above: float, switch: float = 0.25) -> Enclosure:
    r"""Decide whether :math:`f(x)/x^n` stays above a number on (0, right], for a zero of order n of f at 0.

    Parameters
    ----------
    formula : callable
        f, readable over balls, ball series and rational series; see `taylor_start`.
    right : number or ball
        Right end of the interval.
    above : float
        The number in question; 0 asks whether f is positive.
    switch : float
        Up to here the quotient is bounded by :math:`f^{(n)}(\xi)/n!`, :math:`\xi \in [0, x]`; beyond directly.

    Returns
    -------
    Enclosure
        Of the infimum; ``upper`` is the limit of the quotient at 0 or one of its values.

    Raises
    ------
    Undecided
        If the boxes do not suffice, or if :math:`f^{(n)}/n!` is not above that number up to `switch`.

    Examples
    --------
    >>> infimum_of_quotient(lambda x: x - x.sin(), 2, above=0.0).lower > 0
    True
    >>> infimum_of_quotient(lambda x: 100 * x.sin() - 101 * x, 1, above=0.0).upper
    -1.0
    """
    n, first = taylor_start(formula)
    with precision(_BITS):
        at_zero = upper(ball(first))
        split = ball(switch) if ball(right) > switch else ball(right)
    if at_zero <= above:
        return Enclosure(-math.inf, at_zero, 0)

    near = infimum(lambda x: _coefficient(formula, x, n), [(0, split)], above=above)
    if near.upper <= above:
        raise Undecided(f"the Taylor remainder is not above {above} up to {switch}; choose a smaller switch")
    if not ball(right) > switch:
        return Enclosure(near.lower, at_zero, near.boxes)
    far = infimum(lambda x: formula(x) / x**n, [(split, right)], above=above)
    return Enclosure(min(near.lower, far.lower), min(at_zero, far.upper), near.boxes + far.boxes)
