"""PAIR straight from its definition, in sixty decimal digits with linear scans: imports nothing from klcal."""

from __future__ import annotations

from decimal import Decimal, getcontext

getcontext().prec = 60
HALF = Decimal("0.5")
# Closer than this is equal: numbers that differ are never so close, and rounding stays far below.
SAME = Decimal("1e-40")


def pi():
    """Machin's formula."""

    def arctan_of_inverse(n):
        total, power, k = Decimal(0), Decimal(1) / n, 0
        while abs(power) > Decimal("1e-65"):
            total += (-1) ** k * power / (2 * k + 1)
            power, k = power / (n * n), k + 1
        return total

    return 4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239))


def sine(x):
    """Taylor's series."""
    total, term, k = Decimal(0), x, 1
    while abs(term) > Decimal("1e-65"):
        total += term
        term = -term * x * x / ((k + 1) * (k + 2))
        k += 2
    return total


def sine_and_cosine(K):
    """Sine and cosine of pi i / 2K, for i = 1..K-1."""
    step = pi() / (2 * K)
    return [(sine(i * step), sine((K - i) * step)) for i in range(1, K)]


def grid(K):
    """The points z_1, ..., z_{K-1}."""
    return [s * s for s, _ in sine_and_cosine(K)]


def boundaries(K):
    """m_0, ..., m_{K-1}: between two points, the mean weighted by the other's standard deviation."""
    z = grid(K)
    deviation = [s * c for s, c in sine_and_cosine(K)]
    inner = [
        (z[i] * deviation[i + 1] + z[i + 1] * deviation[i]) / (deviation[i] + deviation[i + 1])
        for i in range(K - 2)
    ]
    return [Decimal(0), *inner, Decimal(1)]


def above(a, b):
    return a - b > SAME


def mixture(w, m):
    """The rule: the lowest mean in its closed cell, else the lowest pair around a boundary."""
    n = len(w)
    p = [Decimal(0)] * n
    for i in range(n):
        if not above(m[i], w[i]) and not above(w[i], m[i + 1]):
            p[i] = Decimal(1)
            return p
    for i in range(n - 1):
        if above(w[i], m[i + 1]) and above(m[i + 1], w[i + 1]):
            p[i] = (m[i + 1] - w[i + 1]) / (w[i] - w[i + 1])
            p[i + 1] = 1 - p[i]
            return p
    raise AssertionError("no mean in its cell, and no pair around a boundary")


def leanings(mixtures, draws, outcomes, n, algorithm):
    """Means of all buckets, recomputed from the whole history."""
    means = []
    for i in range(n):
        if algorithm == "pair":
            weights, prior = [Decimal(int(j == i)) for j in draws], HALF
        else:
            weights, prior = [p[i] for p in mixtures], Decimal(1)
        ones = sum((v for v, y in zip(weights, outcomes, strict=True) if y == 1), Decimal(0))
        means.append((ones + prior) / (sum(weights, Decimal(0)) + 2 * prior))
    return means


def play(outcomes, uniforms, K, algorithm):
    """Mixtures and draws of a game, and the smallest distance of a mean from an end of its cell, ties left out."""
    m = boundaries(K)
    mixtures, draws, narrowest = [], [], Decimal(1)
    for t in range(len(outcomes)):
        w = leanings(mixtures, draws, outcomes[:t], K - 1, algorithm)
        gaps = [abs(w[i] - end) for i in range(K - 1) for end in m[i : i + 2]]
        narrowest = min([narrowest, *(gap for gap in gaps if gap > SAME)])
        p = mixture(w, m)
        mixtures.append(p)
        first = next(i for i in range(K - 1) if p[i] > 0)
        draws.append(first if Decimal(float(uniforms[t])) < p[first] else first + 1)
    return mixtures, draws, narrowest
