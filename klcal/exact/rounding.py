"""Ways to round a number to two neighbours of a grid, in fractions or balls.

Every function takes the number and the points and returns the probabilities of the points by their indices. Outside
the grid all probability is on the nearest end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from klcal.exact.arithmetic import Exact, Mixture, compare, quotient, total
from klcal.exact.grids import border, variance

Rounding = Callable[[Any, Sequence[Any]], Mixture]


def locate(w: Exact, points: Sequence[Exact]) -> tuple[int, bool]:
    """Return the index of the nearest point at or below w, and whether w lies strictly inside a cell.

    Parameters
    ----------
    w : Fraction or arb
        A number in [0, 1].
    points : sequence of Fraction or arb
        The grid.

    Returns
    -------
    int, bool
        The index is 0 also below the grid.

    Raises
    ------
    Undecided
        If the balls do not say on which side of a point w lies.

    Examples
    --------
    >>> from fractions import Fraction
    >>> grid = (Fraction(1, 4), Fraction(1, 2))
    >>> [locate(Fraction(k, 8), grid) for k in (1, 2, 3, 4, 5)]
    [(0, False), (0, False), (0, True), (1, False), (1, False)]
    """
    if compare(w, points[0]) <= 0:
        return 0, False
    for i, _ in enumerate(pairwise(points)):
        side = compare(w, points[i + 1])
        if side <= 0:
            return (i + 1, False) if side == 0 else (i, True)
    return len(points) - 1, False


def log_rounding(w: Exact, points: Sequence[Exact]) -> Mixture:
    r"""Round as Algorithm 4 does, with clamped ends (``alg:rounding_alg/clamped``).

    .. math:: P(z^-) : P(z^+) = (z^+ - w)\,z^-(1-z^-) : (w - z^-)\,z^+(1-z^+)

    Parameters
    ----------
    w : Fraction or arb
        A number in [0, 1].
    points : sequence of Fraction or arb
        The grid.

    Returns
    -------
    dict
        Probabilities by index.

    Examples
    --------
    >>> from fractions import Fraction
    >>> log_rounding(Fraction(1, 3), (Fraction(1, 4), Fraction(1, 2)))
    {0: Fraction(3, 5), 1: Fraction(2, 5)}
    """
    i, inside = locate(w, points)
    if not inside:
        return {i: 1}
    low, high = points[i], points[i + 1]
    return _shares(i, _gap(w, high) * variance(low), _gap(low, w) * variance(high))


def nearest_rounding(w: Exact, points: Sequence[Exact]) -> Mixture:
    """Round to the nearest point, of two equally near ones to the lower (Remark 1 a).

    Parameters
    ----------
    w, points
        As in `log_rounding`.

    Returns
    -------
    dict

    Examples
    --------
    >>> from fractions import Fraction
    >>> grid = (Fraction(1, 4), Fraction(1, 2))
    >>> nearest_rounding(Fraction(3, 8), grid), nearest_rounding(Fraction(2, 5), grid)
    ({0: 1}, {1: 1})
    """
    i, inside = locate(w, points)
    up = inside and compare(w, border(points[i], points[i + 1], "euclid")) > 0
    return {i + up: 1}


def _gap(low: Exact, high: Exact) -> Any:
    return total((high, -low))


def _shares(i: int, down: Any, up: Any) -> Mixture:
    return {i: quotient(down, down + up), i + 1: quotient(up, down + up)}
