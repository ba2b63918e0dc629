r"""The grids of the paper in balls, rational points held exactly, and the borders between their points.

A learner's point or an announced probability is compared with grid points and borders. Where the two are equal the
comparison must see it, so :math:`\frac14`, :math:`\frac12` and :math:`\frac34`, the only rational points, and the
border :math:`\frac12` of a symmetric cell are exact. Everything is computed at the precision in force.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from flint import arb, fmpq

from klcal import _checks
from klcal.exact.arithmetic import Exact, maximum
from klcal.exact.balls import ball
from klcal.exact.cells import divergence

NEAREST = ("euclid", "kl", "chi-square")

# sin^2(pi x) for the x in [0, 1/2] where it is rational.
_RATIONAL = {
    Fraction(0): 0.0,
    Fraction(1, 6): 0.25,
    Fraction(1, 4): 0.5,
    Fraction(1, 3): 0.75,
    Fraction(1, 2): 1.0,
}


def sine_squared(numerator: int, denominator: int) -> arb:
    r"""Return the ball of :math:`\sin^2(\pi x)`, x = `numerator` / `denominator`, exact where that is rational.

    Parameters
    ----------
    numerator, denominator : int
        The fraction x.

    Returns
    -------
    arb

    Examples
    --------
    >>> (
    ...     sine_squared(1, 6) == 0.25,
    ...     sine_squared(5, 6) == 0.25,
    ...     sine_squared(1, 8).is_exact(),
    ... )
    (True, True, False)
    """
    x = Fraction(numerator, denominator) % 1
    x = min(x, 1 - x)
    return arb(_RATIONAL[x]) if x in _RATIONAL else arb.sin_pi_fmpq(fmpq(x.numerator, x.denominator)) ** 2


def sine_points(K: int) -> tuple[arb, ...]:
    r"""Return :math:`\sin^2\frac{\pi i}{2K}` for i = 0, ..., K: the inner grid with 0 and 1 (``lem:discretization``).

    Parameters
    ----------
    K : int
        Resolution.

    Returns
    -------
    tuple of arb

    Examples
    --------
    >>> [float(z) for z in sine_points(3)]
    [0.0, 0.25, 0.75, 1.0]
    """
    return tuple(sine_squared(i, 2 * K) for i in range(K + 1))


def inner_grid(K: int) -> tuple[arb, ...]:
    r"""Return the K - 1 points of Section 4, :math:`\sin^2\frac{\pi i}{2K}` for i = 1, ..., K - 1.

    Parameters
    ----------
    K
        As in `sine_points`.

    Returns
    -------
    tuple of arb

    Examples
    --------
    >>> [float(z) for z in inner_grid(3)]
    [0.25, 0.75]
    """
    return sine_points(K)[1:K]


def full_grid(K: int) -> tuple[arb, ...]:
    r"""Return the K + 1 points of Section 5: the inner grid between :math:`\sin^2\frac\pi{4K}` and its mirror image.

    Parameters
    ----------
    K
        As in `sine_points`.

    Returns
    -------
    tuple of arb

    Examples
    --------
    >>> [z.is_exact() for z in full_grid(2)]
    [False, True, False]
    """
    return (sine_squared(1, 4 * K), *inner_grid(K), sine_squared(2 * K - 1, 4 * K))


def uniform_grid(K: int) -> tuple[Fraction, ...]:
    """Return 0, 1/K, ..., 1.

    Parameters
    ----------
    K : int
        Resolution.

    Returns
    -------
    tuple of Fraction

    Examples
    --------
    >>> uniform_grid(2)
    (Fraction(0, 1), Fraction(1, 2), Fraction(1, 1))
    """
    return tuple(Fraction(i, K) for i in range(K + 1))


def variance(z: Any) -> Any:
    """Return z(1 - z).

    Parameters
    ----------
    z : number
        Of any kind: fraction, ball, series, array.

    Returns
    -------
    number

    Examples
    --------
    >>> variance(Fraction(1, 4))
    Fraction(3, 16)
    """
    return z * (1 - z)


def gaps(points: Sequence[Any]) -> list[Any]:
    r"""Return the differences :math:`d_i = z_i - z_{i-1}` of neighbouring points.

    Parameters
    ----------
    points : sequence of numbers
        Increasing.

    Returns
    -------
    list of numbers

    Examples
    --------
    >>> gaps([0, Fraction(1, 4), 1])
    [Fraction(1, 4), Fraction(3, 4)]
    """
    return [high - low for low, high in pairwise(points)]


def steepness(points: Sequence[Any]) -> list[Any]:
    r"""Return :math:`d_i^2/(z_i(1-z_i))` and :math:`d_{i+1}^2/(z_i(1-z_i))` for every inner point (Lemma 6 b).

    Parameters
    ----------
    points : sequence of numbers
        Increasing; floats will do.

    Returns
    -------
    list of numbers
        Two for each point but the first and the last.

    Examples
    --------
    >>> steepness([0, Fraction(1, 4), Fraction(3, 4), 1])[1]
    Fraction(4, 3)
    """
    width = gaps(points)
    inner = range(1, len(points) - 1)
    return [width[i + side] ** 2 / variance(points[i]) for i in inner for side in (-1, 0)]


def border(low: Exact, high: Exact, nearest: str) -> Any:
    r"""Return the number that is equally far from two neighbouring points, in one of three senses.

    .. math:: \frac{z + z'}2, \qquad \frac{B}{A + B}, \qquad \frac{z s' + z' s}{s + s'}

    with :math:`A = \log\frac{z'}z`, :math:`B = \log\frac{1-z}{1-z'}` and :math:`s = \sqrt{z(1-z)}`, likewise
    :math:`s'`. Points whose sum may be 1 are taken for mirror images, as on all symmetric grids; their border is
    exactly 1/2.

    Parameters
    ----------
    low, high : Fraction or arb
        The points z < z'.
    nearest : {"euclid", "kl", "chi-square"}
        What is equal: :math:`|p - z|`, :math:`\mathsf{KL}(p, z)` or :math:`(p-z)^2/z(1-z)`. The last one has the cells
        of PAIR.

    Returns
    -------
    Fraction or arb

    Examples
    --------
    >>> [border(Fraction(1, 4), Fraction(3, 4), rule) for rule in NEAREST]
    [Fraction(1, 2), Fraction(1, 2), Fraction(1, 2)]
    >>> border(Fraction(1, 10), Fraction(1, 2), "chi-square").overlaps(arb(0.25))
    True
    """
    _checks.choice("nearest", nearest, NEAREST)
    if isinstance(low, Fraction) and isinstance(high, Fraction):
        if nearest == "euclid" or low + high == 1:
            return (low + high) / 2
    elif (ball(low) + ball(high)).contains(arb(1)):
        return arb(0.5)
    z, y = ball(low), ball(high)
    if nearest == "euclid":
        return (z + y) / 2
    if nearest == "kl":
        ones, zeros = (y / z).log(), ((1 - z) / (1 - y)).log()
        return zeros / (ones + zeros)
    s, t = variance(z).sqrt(), variance(y).sqrt()
    return (z * t + y * s) / (s + t)


def borders(points: Sequence[Exact], nearest: str) -> list[Any]:
    r"""Return the ends of the cells of all points: 0, the borders between neighbours, 1.

    Parameters
    ----------
    points : sequence of Fraction or arb
        The grid, strictly inside (0, 1) unless `nearest` is ``"euclid"``.
    nearest : {"euclid", "kl", "chi-square"}
        See `border`.

    Returns
    -------
    list
        One more than there are points.

    Examples
    --------
    >>> [float(m) for m in borders(inner_grid(3), "chi-square")]
    [0.0, 0.5, 1.0]
    """
    return [0, *(border(low, high, nearest) for low, high in pairwise(points)), 1]


def worst_divergence(points: Sequence[Exact]) -> arb:
    r"""Return :math:`\max_\rho\min_z\mathsf{KL}(\rho, z)`, how well a grid competes with [0, 1] (Equation 4).

    Between neighbours the divergence to the lower point rises and that to the upper one falls, so their border is
    worst; beyond the last points 0 and 1 are.

    Parameters
    ----------
    points : sequence of Fraction or arb
        Increasing, strictly inside (0, 1).

    Returns
    -------
    arb

    Examples
    --------
    >>> worst_divergence(inner_grid(3)).overlaps((arb(4) / 3).log())
    True
    """
    ends = borders(points, "kl")
    return ball(maximum(divergence(ends[i + side], z) for i, z in enumerate(points) for side in (0, 1)))
