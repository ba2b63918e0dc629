"""Arithmetic that fractions and balls share: certain comparisons, quotients, expectations, extrema.

The same algorithm is read over fractions, where everything is decided, and over balls, where a comparison that is not
certain raises `Undecided`. A fraction that meets a ball becomes a ball.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import reduce
from typing import Any

from flint import arb

from klcal.exact.balls import Undecided, ball

#: An integer, a fraction or a ball; which operations are allowed, mypy cannot know.
Exact = Any
#: Probabilities of grid points by their indices; points that are never drawn are left out.
Mixture = Mapping[int, Exact]


def compare(x: Exact, y: Exact) -> int:
    """Return -1, 0 or 1 as x is less than, equal to or greater than y, for certain.

    Parameters
    ----------
    x, y : int, Fraction or arb
        Two numbers; two balls are equal only if both are exact.

    Returns
    -------
    int

    Raises
    ------
    Undecided
        If the balls overlap.

    Examples
    --------
    >>> (
    ...     compare(Fraction(1, 3), arb(0.5)),
    ...     compare(arb(0.5), Fraction(1, 2)),
    ...     compare(2, 1),
    ... )
    (-1, 0, 1)
    >>> compare(Fraction(1, 3), arb(1) / 3)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    klcal.exact.balls.Undecided: 1/3 and [0.333...] cannot be told apart
    """
    a, b = (ball(x), ball(y)) if isinstance(x, arb) or isinstance(y, arb) else (x, y)
    if a < b:
        return -1
    if a > b:
        return 1
    if a == b:
        return 0
    raise Undecided(f"{x} and {y} cannot be told apart")


def quotient(x: Exact, y: Exact) -> Any:
    """Return x / y as a fraction, or as a ball if one of the two is a ball.

    Parameters
    ----------
    x, y : int, Fraction or arb
        Numerator and denominator.

    Returns
    -------
    Fraction or arb

    Examples
    --------
    >>> quotient(1, 3), quotient(arb(1), Fraction(1, 2)) == 2
    (Fraction(1, 3), True)
    """
    if isinstance(x, arb) or isinstance(y, arb):
        return ball(x) / ball(y)
    return Fraction(x) / y


def product(x: Exact, y: Exact) -> Any:
    """Return x y, as a ball if one of the two is a ball.

    Parameters
    ----------
    x, y : int, Fraction or arb
        The factors.

    Returns
    -------
    int, Fraction or arb

    Examples
    --------
    >>> product(Fraction(1, 2), 3), product(Fraction(1, 2), arb(3)) == 1.5
    (Fraction(3, 2), True)
    """
    try:
        return x * y
    except TypeError:  # a fraction and a ball
        return ball(x) * ball(y)


def expectation(weighted: Iterable[tuple[Exact, Exact]]) -> Any:
    """Return the sum of weight times value.

    Parameters
    ----------
    weighted : iterable of (weight, value)
        At least one pair.

    Returns
    -------
    Fraction or arb

    Examples
    --------
    >>> expectation([(Fraction(1, 3), 6), (Fraction(2, 3), Fraction(3, 2))])
    Fraction(3, 1)
    """
    return total(product(weight, value) for weight, value in weighted)


def total(numbers: Iterable[Exact]) -> Any:
    """Return the sum, as a ball as soon as one of the numbers is a ball.

    Parameters
    ----------
    numbers : iterable of int, Fraction or arb
        The summands.

    Returns
    -------
    int, Fraction or arb

    Examples
    --------
    >>> total([1, Fraction(1, 2)]), total([]), total([Fraction(1, 2), arb(1)]) == 1.5
    (Fraction(3, 2), 0, True)
    """
    result: Any = 0
    for number in numbers:
        try:
            result = result + number
        except TypeError:  # a fraction and a ball
            result = ball(result) + ball(number)
    return result


def maximum(numbers: Iterable[Exact]) -> Any:
    """Return the largest number; of balls, a ball that holds it even if they overlap.

    Parameters
    ----------
    numbers : iterable of int, Fraction or arb
        At least one.

    Returns
    -------
    int, Fraction or arb

    Examples
    --------
    >>> maximum([Fraction(1, 3), Fraction(1, 2)]), maximum([arb(1), arb(2)]) == 2
    (Fraction(1, 2), True)
    """
    return reduce(_larger, numbers)


def _larger(x: Exact, y: Exact) -> Exact:
    return ball(x).max(ball(y)) if isinstance(x, arb) or isinstance(y, arb) else max(x, y)


def minimum(numbers: Iterable[Exact]) -> Any:
    """Return the smallest number; of balls, a ball that holds it even if they overlap.

    Parameters
    ----------
    numbers : iterable of int, Fraction or arb
        At least one.

    Returns
    -------
    int, Fraction or arb

    Examples
    --------
    >>> minimum([Fraction(1, 3), Fraction(1, 2)]), minimum([arb(1), 2]) == 1
    (Fraction(1, 3), True)
    """
    return reduce(_smaller, numbers)


def _smaller(x: Exact, y: Exact) -> Exact:
    return ball(x).min(ball(y)) if isinstance(x, arb) or isinstance(y, arb) else min(x, y)


def harmonic(n: int) -> Fraction:
    """Return 1 + 1/2 + ... + 1/n.

    Parameters
    ----------
    n : int
        Number of terms.

    Examples
    --------
    >>> harmonic(3)
    Fraction(11, 6)
    """
    return sum((Fraction(1, j) for j in range(1, n + 1)), Fraction(0))
