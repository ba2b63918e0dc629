r"""What the claims on Section 4 share: the dual game solved in balls, and exact binomial thresholds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from types import MappingProxyType

from flint import arb

from klcal.claims.grids._common import divergence, full_points, inner_points, variance
from klcal.exact.balls import ball

CHAPTER = "04_existence"
BITS = 128

Region = tuple[arb, arb]
Counts = tuple[int, ...]


def border(low: arb, high: arb, nearest: str) -> arb:
    """Return the number equally far from two neighbouring points, in one of three senses (`klcal.games.dual_game`).

    Examples
    --------
    >>> all(border(arb(0.25), arb(0.75), rule).overlaps(arb(0.5)) for rule in ("euclid", "kl", "chi-square"))
    True
    """
    if nearest == "euclid":
        return (low + high) / 2
    if nearest == "kl":
        ones, zeros = (high / low).log(), ((1 - low) / (1 - high)).log()
        return zeros / (ones + zeros)
    s, t = variance(low).sqrt(), variance(high).sqrt()
    middle: arb = (low * t + high * s) / (s + t)
    return middle


def regions(points: Sequence[arb], nearest: str) -> list[Region]:
    """Return for each point the lowest and the highest announcement that it answers.

    Examples
    --------
    >>> [low.is_zero() and (high - 1).is_zero() for low, high in regions(inner(2), "kl")]
    [True]
    """
    inner_ends = [border(low, high, nearest) for low, high in pairwise(points)]
    return list(pairwise([arb(0), *inner_ends, arb(1)]))


def inner(K: int) -> list[arb]:
    """Return the K - 1 points of Section 4.

    Examples
    --------
    >>> len(inner(5))
    4
    """
    return inner_points(K)[1:K]


GRIDS: Mapping[str, Callable[[int], list[arb]]] = MappingProxyType({"inner": inner, "full": full_points})


def kl_cost(z: arb, zeros: int, ones: int) -> arb:
    """Return n KL(k/n, z) of a bucket.

    Examples
    --------
    >>> kl_cost(arb(0.5), 0, 2).overlaps(2 * arb(2).log()), kl_cost(arb(0.5), 0, 0).is_zero()
    (True, True)
    """
    mass = zeros + ones
    if mass == 0:
        return arb(0)
    if zeros == 0 or ones == 0:
        return -mass * (z if ones else 1 - z).log()
    return mass * divergence(ball(Fraction(ones, mass)), z)


def square_cost(z: arb, zeros: int, ones: int) -> arb:
    """Return n (k/n - z)^2 of a bucket.

    Examples
    --------
    >>> square_cost(arb(0.5), 0, 2).overlaps(arb(0.5))
    True
    """
    mass = zeros + ones
    return arb(0) if mass == 0 else (ones - mass * z) ** 2 / mass


def absolute_cost(z: arb, zeros: int, ones: int) -> arb:
    """Return n |k/n - z| of a bucket.

    Examples
    --------
    >>> absolute_cost(arb(0.5), 0, 2).overlaps(arb(1))
    True
    """
    return abs(ones - (zeros + ones) * z)


def exponential_cost(z: arb, zeros: int, ones: int) -> arb:
    r"""Return :math:`\exp\frac12(n\,\mathsf{KL}(k/n, z) - \log(1+n))` of a bucket; its costs are multiplied.

    Examples
    --------
    >>> exponential_cost(arb(0.5), 0, 2).overlaps(2 / arb(3).sqrt())
    True
    """
    return (kl_cost(z, zeros, ones) / 2).exp() / arb(1 + zeros + ones).sqrt()


def states(buckets: int, rounds: int) -> Iterator[Counts]:
    """Yield all counts after so many rounds: zeros and ones of each bucket, one after the other.

    Examples
    --------
    >>> list(states(1, 2))
    [(0, 2), (1, 1), (2, 0)]
    """
    places = rounds + 2 * buckets - 1
    for bars in combinations(range(places), 2 * buckets - 1):
        edges = (-1, *bars, places)
        yield tuple(high - low - 1 for low, high in pairwise(edges))


def worst_case(
    points: Sequence[arb],
    nearest: str,
    T: int,
    cost: Callable[[arb, int, int], arb] = kl_cost,
    *,
    multiplied: bool = False,
) -> arb:
    r"""Return the largest expected cost over all adversaries of the dual game, in balls.

    After T rounds the cost is a sum (or product) over buckets. Before, the adversary announces any number in [0, 1]. As
    long as the answer stays the same the expected value is linear in it, so the ends of the regions suffice. A border
    may be answered by either point, whatever the forecaster's rule for ties.

    Examples
    --------
    >>> worst_case(inner(2), "kl", 3).overlaps(3 * arb(2).log())
    True
    """
    buckets = len(points)
    table = {
        (i, zeros, ones): cost(points[i], zeros, ones)
        for i in range(buckets)
        for zeros in range(T + 1)
        for ones in range(T + 1 - zeros)
    }
    values = {}
    for state in states(buckets, T):
        parts = [table[i, state[2 * i], state[2 * i + 1]] for i in range(buckets)]
        values[state] = math.prod(parts, start=arb(1)) if multiplied else sum(parts, arb(0))
    ends = regions(points, nearest)
    for t in range(T - 1, -1, -1):
        values = {state: _best_announcement(state, ends, values) for state in states(buckets, t)}
    return values[(0,) * 2 * buckets]


def _best_announcement(state: Counts, ends: Sequence[Region], values: Mapping[Counts, arb]) -> arb:
    best = arb("-inf")
    for i, region in enumerate(ends):
        before, (zeros, ones), after = state[: 2 * i], state[2 * i : 2 * i + 2], state[2 * i + 2 :]
        down, up = values[(*before, zeros + 1, ones, *after)], values[(*before, zeros, ones + 1, *after)]
        for p in region:
            best = best.max(p * up + (1 - p) * down)
    return best


def most_failures(trials: int, chance: Fraction, level: Fraction = Fraction(1, 10**6)) -> int:
    """Return the largest count that is not too many: more have probability below `level` if each has `chance`.

    The binomial tail is summed exactly.

    Examples
    --------
    >>> most_failures(10, Fraction(1, 2), Fraction(1, 1000))
    9
    """
    p, q = chance.numerator, chance.denominator - chance.numerator
    whole, tail = chance.denominator**trials, 0
    for k in range(trials, -1, -1):
        tail += math.comb(trials, k) * p**k * q ** (trials - k)
        if Fraction(tail, whole) >= level:
            return k
    return -1
