r"""Certificates about the functions of `klcal.bounds`, for every horizon T: proved, refuted, or `Undecided`.

A statement "bound at K(T) over rate is at most c for all integers :math:`T \ge T_0`" has two parts. Up to some
:math:`T_1` balls cover the horizons; in the real numbers between two integers nothing happens but the jumps of K, and
boxes that hold one are cut, if need be down to single integers. From :math:`T_1` on one evaluation over a `Growth`
bounds the ratio for all T, where :math:`x \le K \le x + 1` is all that is used of K.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable
from typing import Any

from flint import arb, ctx

from klcal.exact.balls import Enclosure, Number, Undecided, ball, hull, lower, precision, upper
from klcal.exact.growth import horizons

# Of T and K, of balls and of growths alike: the ratio of two bounds, as a rule.
Ratio = Callable[[Any, Any], Any]

_LATEST_START = 10**12


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


def largest_over_resolutions(function: Callable[[Any], Any], *, first: int = 2) -> Enclosure:
    """Enclose the largest value of `function` at all integers K from `first` on.

    Parameters
    ----------
    function : callable
        Of K, readable over balls and growths, such as a quotient of two functions of `klcal.bounds`.
    first : int
        Up to 64 every K is computed; from there on one evaluation bounds all of them.

    Returns
    -------
    Enclosure
        ``upper`` bounds the function at all K, ``lower`` one of its values.

    Examples
    --------
    >>> largest_over_resolutions(lambda K: 1 / K + 2).upper
    2.5
    """
    with precision(128):
        values = [function(arb(K)) for K in range(first, 65)]
        beyond: arb = function(horizons(64)).bound()
    return Enclosure(max(map(lower, values)), max(map(upper, [*values, beyond])), len(values) + 1)


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
        Of T; its value x is rounded up to K = max(2, ceil(x)), as that of ``klcal.bounds.rates.real_resolution``.
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
    >>> from klcal.bounds.rates import real_resolution
    >>> ratio = lambda T, K: bounds.theorem_2(T, K) / bounds.theorem_2_rate(T)
    >>> largest_ratio(ratio, real_resolution).upper <= 1
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


def last_horizon(real_resolution: Callable[[Any], Any], K: int) -> int:
    """Return the largest T whose x = real_resolution(T) is at most K, for an x that increases from T = 13 on.

    Parameters
    ----------
    real_resolution : callable
        Of a ball.
    K : int
        At least 2.

    Returns
    -------
    int

    Raises
    ------
    Undecided
        If x is too near to K to say on which side it lies.

    Examples
    --------
    >>> from klcal.bounds.rates import real_resolution
    >>> [last_horizon(real_resolution, K) for K in (2, 3, 4)]
    [26, 131, 380]
    """

    def beyond(T: int) -> bool:
        x = real_resolution(ball(T))
        if not (x <= K or x > K):
            raise Undecided(f"the resolution at T = {T} may be {K} or {K + 1}")
        return bool(x > K)

    low, high = 13, 26
    while not beyond(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if beyond(middle) else (middle, high)
    return low


def doubling_factor(rate: Callable[[Any], Any]) -> arb:
    r"""Return F with rate(2) + rate(4) + ... + :math:`\mathrm{rate}(2^J)` at most F rate(T) if :math:`2^J \le T`.

    Parameters
    ----------
    rate : callable
        Of T, equal to :math:`c\,T^a(\log T)^b` with :math:`c, a > 0` and :math:`b \ge 0` for all :math:`T \ge 2`.

    Returns
    -------
    flint.arb
        :math:`1/(1-2^{-a})`.

    Raises
    ------
    ValueError
        If `rate` is not of this form.

    Notes
    -----
    :math:`2^{ja}(j\log2)^b \le 2^{-(J-j)a}\cdot2^{Ja}(J\log2)^b`, and the powers of :math:`2^{-a}` are a geometric
    series. The form of `rate` is read off its `Growth`, in which powers do not mix with rounding.

    Examples
    --------
    >>> doubling_factor(lambda T: 3 * T * T.log())
    2.00000000000000
    """
    form = rate(horizons(3))
    a, b, d = form.powers
    at_two = form.coefficient * arb(2) ** ball(a) * arb(2).log() ** ball(b)
    exact = form.coefficient.rel_accuracy_bits() > ctx.prec // 2 and at_two.overlaps(rate(arb(2)))
    if not (exact and form.coefficient > 0 and a > 0 and b >= 0 and d == 0):
        raise ValueError(f"rate must be c T^a (log T)^b with c, a > 0 and b >= 0; got {form!r}")
    return 1 / (1 - arb(2) ** -ball(a))


def disagreements(
    bound: Callable[..., Any],
    formula: Callable[..., arb],
    cases: Iterable[tuple[Any, ...]],
    *,
    bits: int = 256,
) -> list[tuple[Any, ...]]:
    """Return the cases at which a bound is not the formula, to three quarters of the working precision.

    Parameters
    ----------
    bound, formula : callable
        Both of balls.
    cases : iterable of tuple
        Arguments: numbers, which become balls of radius 0.
    bits : int
        Working precision.

    Returns
    -------
    list of tuple

    Notes
    -----
    Beside balls a bound may take any real T and K. Two formulas that agree to 58 digits at arguments without a pattern
    are the same formula; to 13 digits at round numbers they need not be.

    Examples
    --------
    >>> disagreements(lambda T, K: T / K, lambda T, K: T * (1 / K), [(2, 3), (5, 7)])
    []
    >>> disagreements(
    ...     lambda x: x + 1e-60 * (x - 2), lambda x: x, [(2,), (3,)], bits=300
    ... )
    [(3,)]
    """
    with precision(bits):
        return [case for case in cases if not _same(bound, formula, tuple(map(ball, case)))]


def _same(bound: Callable[..., Any], formula: Callable[..., arb], arguments: tuple[arb, ...]) -> bool:
    left, right = bound(*arguments), formula(*arguments)
    if right.is_zero():
        return bool(left.is_zero())
    return bool(upper(abs(left - right) / abs(right)) <= 2.0 ** (-0.75 * ctx.prec))
