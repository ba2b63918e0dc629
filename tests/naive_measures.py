"""Cells, measures and regrets straight from the definitions: loops, Fractions and linear programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

import mpmath
import numpy as np
from scipy.optimize import linprog

Loss = Callable[[float, int], float]
Rounds = Sequence[tuple[float, int, float]]  # forecast, outcome, probability of this forecast
Cell = tuple[Fraction, Fraction, Fraction]  # point, mass, ones


def realised(forecasts: Iterable[float], outcomes: Iterable[int]) -> Rounds:
    return [(float(p), int(y), 1.0) for p, y in zip(forecasts, outcomes, strict=True)]


def expected(points: Sequence[float], mixtures: Sequence[Sequence[float]], outcomes: Sequence[int]) -> Rounds:
    return [
        (float(p), int(y), float(w))
        for row, y in zip(mixtures, outcomes, strict=True)
        for p, w in zip(points, row, strict=True)
    ]


def cells(rounds: Rounds) -> list[Cell]:
    """Group rounds by forecast, exactly."""
    table: dict[float, list[Fraction]] = {}
    for p, y, weight in rounds:
        mass_and_ones = table.setdefault(p + 0.0, [Fraction(0), Fraction(0)])
        mass_and_ones[0] += Fraction(weight)
        mass_and_ones[1] += Fraction(weight) * y
    return [(Fraction(p), *table[p]) for p in sorted(table)]


def mean(cell: Cell) -> Fraction:
    _, mass, ones = cell
    return ones / mass if mass else Fraction(0)


def kl(rho: Fraction, p: Fraction) -> mpmath.mpf:
    """Bernoulli KL divergence to 60 digits, with 0 log 0 = 0."""
    total = mpmath.mpf(0)
    with mpmath.workdps(60):
        for q, r in ((rho, p), (1 - rho, 1 - p)):
            if q > 0:
                if r == 0:
                    return mpmath.inf
                ratio = q / r
                total += (
                    mpmath.mpf(q.numerator)
                    / q.denominator
                    * mpmath.log(mpmath.mpf(ratio.numerator) / ratio.denominator)
                )
    return total


def kl_calibration(table: Sequence[Cell]) -> float:
    with mpmath.workdps(60):
        terms = [
            mpmath.mpf(mass.numerator) / mass.denominator * kl(ones / mass, p)
            for p, mass, ones in table
            if mass
        ]
        return float(mpmath.fsum(terms))


def calibration_error(table: Sequence[Cell], order: int) -> Fraction:
    return sum((cell[1] * abs(cell[0] - mean(cell)) ** order for cell in table), Fraction(0))


def _total(rounds: Rounds, loss: Loss, forecast: Callable[[float], float]) -> float:
    return float(sum(weight * loss(forecast(p), y) for p, y, weight in rounds if weight > 0))


def swap_regret(rounds: Rounds, loss: Loss, candidates: Sequence[float]) -> float:
    """Return what the best swap of each forecast, to a candidate or to its own mean, would have gained."""
    regret = 0.0
    for p in {p for p, _, weight in rounds if weight > 0}:
        mine = [row for row in rounds if row[0] == p]
        own_mean = float(mean(cells(mine)[0]))
        swapped = min(_total(mine, loss, lambda _, q=q: q) for q in (*candidates, own_mean))
        regret += _total(mine, loss, lambda q: q) - swapped
    return regret


def external_regret(rounds: Rounds, loss: Loss, candidates: Sequence[float]) -> float:
    """Return what the best constant among the candidates and the overall mean would have gained."""
    mass = sum(Fraction(weight) for _, _, weight in rounds)
    ones = sum(Fraction(weight) * y for _, y, weight in rounds)
    constants = (*candidates, float(ones / mass))
    return _total(rounds, loss, lambda p: p) - min(_total(rounds, loss, lambda _, q=q: q) for q in constants)


def v_regret(table: Sequence[Cell], u: Fraction, tie_is_above: bool, regret: str) -> Fraction:
    """Return the regret of the loss that pays -(y - u) for forecasts above u and nothing for those below.

    Its univariate form -(p - u)^+ has one kink, of size 1, at u. A forecast amounts to "above" or "below":
    swap regret chooses one for each forecast, external regret one for all.
    """
    own = Fraction(0)
    best_each = Fraction(0)
    everything = Fraction(0)
    for p, mass, ones in table:
        above = -(ones - mass * u)
        own += above if p > u or (p == u and tie_is_above) else 0
        best_each += min(above, Fraction(0))
        everything += above
    return own - (best_each if regret == "swap" else min(everything, Fraction(0)))


def profile(table: Sequence[Cell], u: Fraction, regret: str) -> Fraction:
    return max(v_regret(table, u, tie, regret) for tie in (False, True))


def breaks(table: Sequence[Cell]) -> list[Fraction]:
    used = [cell for cell in table if cell[1]]
    ones, mass = sum(cell[2] for cell in used), sum(cell[1] for cell in used)
    overall = [Fraction(ones, mass)] if mass else []
    return sorted({Fraction(0), Fraction(1), *(cell[0] for cell in used), *map(mean, used), *overall})


def supremum(table: Sequence[Cell], regret: str) -> Fraction:
    """Return four times the concave envelope of the profile at 1/2, over all pairs of break points."""
    half = Fraction(1, 2)
    heights = [(u, profile(table, u, regret)) for u in breaks(table)]
    best = max((value for u, value in heights if u == half), default=Fraction(0))
    for u, low in heights:
        for v, high in heights:
            if u < half < v:
                best = max(best, (low * (v - half) + high * (half - u)) / (v - u))
    return 4 * best


def supremum_by_program(table: Sequence[Cell], regret: str, mesh: int) -> float:
    """Solve the linear program over measures on a mesh that contains the break points."""
    places = sorted({*breaks(table), *(Fraction(k, mesh) for k in range(mesh + 1))})
    values = np.array([float(profile(table, u, regret)) for u in places])
    u = np.array([float(x) for x in places])
    result = linprog(-values, A_ub=np.array([1 - u, u]), b_ub=[2, 2])
    return float(-result.fun)


def pieces(table: Sequence[Cell]) -> list[tuple[float, float, float, float]]:
    """Return the linear pieces of the swap profile: begin, end, and the limits of the profile there."""
    found = []
    for begin, end in pairwise(breaks(table)):
        # Two inner values determine a linear function; at the ends themselves the profile may jump.
        third = (end - begin) / 3
        first, second = (profile(table, begin + k * third, "swap") for k in (1, 2))
        found.append((begin, end, 2 * first - second, 2 * second - first))
    return [tuple(map(float, piece)) for piece in found]


def capped_primal(table: Sequence[Cell], cap: float, mesh: int) -> float:
    """Solve the linear program over densities of at most `cap`, constant on a mesh: a lower bound.

    The profile is linear on each cell of the mesh, where a constant density earns its midpoint value.
    """
    edges = np.unique([*(float(u) for u in breaks(table)), *np.linspace(0, 1, mesh + 1)])
    middle, width = (edges[1:] + edges[:-1]) / 2, np.diff(edges)
    gain = width * [float(profile(table, Fraction(u), "swap")) for u in middle]
    usage = np.array([(1 - middle) * width, middle * width])
    return float(-linprog(-gain, A_ub=usage, b_ub=[2, 2], bounds=(0, cap)).fun)


def capped_dual(linear: Sequence[tuple[float, float, float, float]], cap: float, a: float, b: float) -> float:
    """Return 2a + 2b + cap * integral of (profile - a(1-u) - bu)^+: for a, b >= 0 an upper bound."""
    total = 0.0
    for begin, end, at_begin, at_end in linear:
        gaps = at_begin - a * (1 - begin) - b * begin, at_end - a * (1 - end) - b * end
        low, high = sorted(gaps)
        if low >= 0:
            total += (low + high) / 2 * (end - begin)
        elif high > 0:
            total += high * high / (high - low) / 2 * (end - begin)
    return 2 * a + 2 * b + cap * total


def increasing_fits(mass: Sequence[float], ones: Sequence[float]) -> list[Fraction]:
    """The isotonic regression of each cell by its formula: the largest of least means to the right."""
    w, k = [Fraction(x) for x in mass], [Fraction(x) for x in ones]
    n = len(w)
    return [
        max(min(sum(k[a:b]) / sum(w[a:b]) for b in range(i + 1, n + 1)) for a in range(i + 1))
        for i in range(n)
    ]


def best_increasing_loss(mass: Sequence[float], ones: Sequence[float], loss: Loss) -> float:
    """The least total loss of all functions that are constant on blocks and increase, over all ways to cut blocks."""
    found, n = float("inf"), len(mass)
    for cuts in range(2 ** (n - 1)):
        ends = [0, *(i + 1 for i in range(n - 1) if cuts >> i & 1), n]
        blocks = [(sum(mass[a:b]), sum(ones[a:b])) for a, b in pairwise(ends)]
        means = [k / w for w, k in blocks]
        if all(q <= r for q, r in pairwise(means)):
            found = min(found, sum(_suffered(w, k, k / w, loss) for w, k in blocks))
    return found


def _suffered(mass: float, ones: float, q: float, loss: Loss) -> float:
    return (ones * loss(q, 1) if ones else 0.0) + ((mass - ones) * loss(q, 0) if ones < mass else 0.0)
