r"""Algorithm 1 in ball arithmetic: every game of a few rounds, enclosed from the first mixture to the last logarithm.

A learner's point is compared with grid points. Where the two are equal the comparison must be exact, so the points 1/4,
1/2 and 3/4, the only rational ones, are held exactly; everywhere else the balls must decide, or `Undecided` is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from flint import arb, arb_mat

from klcal.claims.grids._common import full_points, variance
from klcal.exact.balls import Undecided, precision

BITS = 128
Row = dict[int, arb]
Rounding = Callable[[arb, Sequence[arb]], Row]


def exact_points(K: int) -> list[arb]:
    """Return the full grid with its rational points held exactly.

    Examples
    --------
    >>> [z.is_exact() for z in exact_points(6)]
    [False, False, True, True, True, False, False]
    """
    rational = {(1, 3): arb(0.25), (1, 2): arb(0.5), (2, 3): arb(0.75)}
    points = full_points(K)
    for i in range(1, K):
        points[i] = next((z for (a, b), z in rational.items() if b * i == a * K), points[i])
    return points


def cell_of(w: arb, points: Sequence[arb]) -> tuple[int, bool]:
    """Return i with z_i <= w < z_{i+1} and whether w is z_i or has no cell; -1 below the grid, K from its end on.

    Examples
    --------
    >>> cell_of(arb(0.5), exact_points(2)), cell_of(arb(0.6), exact_points(2)), cell_of(arb(0), exact_points(2))
    ((1, True), (1, False), (-1, True))
    """
    if w < points[0]:
        return -1, True
    for i, (low, high) in enumerate(pairwise(points)):
        if (w - low).is_zero():
            return i, True
        if low < w and w < high:
            return i, False
    if w > points[-1] or (w - points[-1]).is_zero():
        return len(points) - 1, True
    raise Undecided(f"the cell of {w} is not certain")


def log_rounded(w: arb, points: Sequence[arb]) -> Row:
    """Return the shares of Algorithm 4, ends clamped.

    Examples
    --------
    >>> log_rounded(arb(0.5), exact_points(2)) == {1: 1}, sorted(log_rounded(arb(0.5), exact_points(3)))
    (True, [1, 2])
    """
    i, alone = cell_of(w, points)
    if alone:
        return {max(i, 0): arb(1)}
    low, high = points[i], points[i + 1]
    down, up = (high - w) * variance(low), (w - low) * variance(high)
    return {i: down / (down + up), i + 1: up / (down + up)}


def closed_classes(rows: Sequence[Row]) -> list[tuple[int, ...]]:
    """Return the closed classes of a chain, the one with the smallest member first.

    Examples
    --------
    >>> closed_classes([{0: arb(1)}, {0: arb(1)}, {2: arb(1)}])
    [(0,), (2,)]
    """
    reach = [set(row) for row in rows]
    for _ in rows:
        reach = [ahead.union(*(reach[j] for j in ahead)) for ahead in reach]
    return sorted({tuple(sorted(ahead)) for ahead in reach if all(reach[j] == ahead for j in ahead)})


def fixed_point(rows: Sequence[Row], members: Sequence[int]) -> list[arb]:
    """Return the stationary distribution on a closed class, 0 elsewhere.

    Examples
    --------
    >>> [x.mid() for x in fixed_point([{1: arb(1)}, {0: arb(1)}], (0, 1))]
    [0.500000000000000, 0.500000000000000]
    """
    size = len(members)
    equations = [[rows[j].get(i, arb(0)) - int(i == j) for j in members] for i in members[:-1]]
    right = arb_mat([[arb(int(i == size - 1))] for i in range(size)])
    solution = arb_mat([*equations, [arb(1)] * size]).solve(right)
    mass = [arb(0)] * len(rows)
    for place, i in enumerate(members):
        mass[i] = solution[place, 0]
    return mass


@dataclass(frozen=True)
class Position:
    """A game after some rounds, with what every learner has received, lost, and paid for rounding.

    Parameters
    ----------
    outcomes : tuple of int
        What happened.
    zeros, ones : tuple of arb
        Weights by outcome.
    lost : tuple of arb
        Sum of p l(w, y): the loss of each EWOO learner.
    paid : tuple of arb
        Sum of p (<q, l> - l(w, y)): what rounding its points cost each learner.
    unfixed : float
        Largest entry of Q p - p over the rounds, an upper bound.
    """

    outcomes: tuple[int, ...]
    zeros: tuple[arb, ...]
    ones: tuple[arb, ...]
    lost: tuple[arb, ...]
    paid: tuple[arb, ...]
    unfixed: arb = field(default_factory=lambda: arb(0))

    @property
    def mass(self) -> tuple[arb, ...]:
        """Expected mass of every grid point."""
        return tuple(zero + one for zero, one in zip(self.zeros, self.ones, strict=True))

    def leanings(self) -> list[arb]:
        """What every learner plays next."""
        return [(one + 1) / (zero + one + 2) for zero, one in zip(self.zeros, self.ones, strict=True)]

    def regrets(self) -> list[arb]:
        """Regret of every EWOO learner against its best fixed point."""
        best = [
            _times_log(z, z + o) + _times_log(o, z + o) for z, o in zip(self.zeros, self.ones, strict=True)
        ]
        return [lost - least for lost, least in zip(self.lost, best, strict=True)]

    def error(self, points: Sequence[arb]) -> arb:
        """Pseudo KL-calibration."""
        cells = zip(self.zeros, self.ones, points, strict=True)
        parts = (-_times_log(o, (z + o) * p) - _times_log(z, (z + o) * (1 - p)) for z, o, p in cells)
        return sum(parts, arb(0))


def _times_log(weight: arb, whole: arb) -> arb:
    """Return weight log(whole/weight), 0 for an exact 0."""
    return arb(0) if weight.is_zero() else weight * (whole / weight).log()


def start(K: int) -> Position:
    """Return the position before the first round."""
    nothing = (arb(0),) * (K + 1)
    return Position((), nothing, nothing, nothing, nothing)


def step(
    position: Position,
    points: Sequence[arb],
    *,
    rounding: Rounding = log_rounded,
    stationary: bool = True,
) -> tuple[Position, Position]:
    """Return the positions after outcome 0 and after outcome 1; without `stationary` the mixture is uniform."""
    plays = position.leanings()
    rows = [rounding(w, points) for w in plays]
    mixture = [arb(1) / len(rows)] * len(rows)
    if stationary:
        mixture = fixed_point(rows, closed_classes(rows)[0])
    moved = [
        sum((mixture[i] * row.get(j, 0) for i, row in enumerate(rows)), arb(0)) for j in range(len(rows))
    ]
    unfixed = position.unfixed
    for p, q in zip(mixture, moved, strict=True):
        unfixed = unfixed.max(abs(q - p))
    after = []
    for outcome in (0, 1):
        zeros, ones = (
            tuple(w + p for w, p in zip(weights, mixture, strict=True)) if fed else weights
            for weights, fed in ((position.zeros, outcome == 0), (position.ones, outcome == 1))
        )
        lost, paid = list(position.lost), list(position.paid)
        for i, (p, w, row) in enumerate(zip(mixture, plays, rows, strict=True)):
            if not p.is_zero():
                own = -(w if outcome else 1 - w).log()
                drawn = sum(
                    (-q * (points[j] if outcome else 1 - points[j]).log() for j, q in row.items()), arb(0)
                )
                lost[i], paid[i] = lost[i] + p * own, paid[i] + p * (drawn - own)
        past = (*position.outcomes, outcome)
        after.append(Position(past, zeros, ones, tuple(lost), tuple(paid), unfixed))
    return after[0], after[1]


def _walk(position: Position, points: Sequence[arb], left: int, stationary: bool) -> Iterator[Position]:
    for after in step(position, points, stationary=stationary):
        yield after
        if left > 1:
            yield from _walk(after, points, left - 1, stationary)


@cache
def all_positions(K: int, T: int, stationary: bool = True) -> tuple[Position, ...]:
    """Return the ends of all games of 1 to T rounds, each game before those that continue it.

    Examples
    --------
    >>> [position.outcomes for position in all_positions(2, 2)]
    [(0,), (0, 0), (0, 1), (1,), (1, 0), (1, 1)]
    """
    with precision(BITS):
        return tuple(_walk(start(K), exact_points(K), T, stationary))
