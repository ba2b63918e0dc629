"""The bounds on explicit algorithms a second time, in 30 digits, from the definitions of their parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from naive_bounds import full, inner, learning, mp, mpf, resolution, rounding

# For every bound: arguments at which it is computed twice.
CASES: dict[str, list[tuple]] = {
    "pair_from_counts": [([0, 3], 3, 0.5), ([7, 1, 0, 100], 5, 1e-9)],
    "pair": [(1, 2, 1.0), (2, 7, 0.5), (1000, 3, 0.05), (10**6, 42, 1e-12)],
    "pair_rate": [(2, 1.0), (26, 0.1), (10**6, 1e-9)],
    "pair_experts": [(4, 2, 1.0), (2, 7, 0.5), (1000, 10, 0.05), (10**9, 200, 1e-12)],
    "pair_expected": [(1, 2), (2, 7), (10**6, 42)],
    "pair_anytime": [(1, 1.0), (2, 0.5), (37, 0.1), (10**5, 1e-6)],
    "pair_anytime_rate": [(2, 1.0), (10**6, 1e-9)],
    "realised_kt": [(1, 2), (2, 7), (1000, 3), (10**6, 42)],
    "kl_from_pseudo": [(0.0, 1, 2, 1.0), (3.5, 32, 3, 0.05), (100.0, 10**6, 42, 1e-9)],
    "algorithm_1_high_probability": [(1, 2, 1.0), (10**4, 11, 1e-3), (10**6, 42, 1e-9)],
    "realised_high_probability": [(1, 2, 1.0), (10**4, 11, 1e-3), (10**6, 42, 1e-9)],
    "fixed_grid_lower_bound": [(1, 1), (1000, 7), (10**9, 101)],
    "tree": [(2, 1.0), (66, 0.1), (10**6, 1e-9)],
    "tree_from_counts": [([0, 3], [1, 2], 0.5), ([1, 2, 0, 100], [0, 1, 1, 4], 1e-9)],
    "squares_log_lower_bound": [(1,), (1000,), (10**9,)],
    "squares_lower_bound": [(1,), (1000,), (10**9,)],
    "tree_swap": [(2, 1.0), (66, 0.1), (10**6, 1e-9)],
    "tree_expected_from_masses": [([0.0, 3.0], [1, 2]), ([1.0, 2.25, 0.5, 100.0], [0, 1, 1, 4])],
    "tree_expected": [(2,), (66,), (10**6,)],
    "tree_expected_swap": [(2,), (66,), (10**6,)],
    "tail_lower_bound": [(1, 1.0), (5, 0.3), (100, 2.0**-10), (100, 1e-9)],
}
# Their first argument is not a number, or they take time.
NOT_BY_COLUMNS = {"pair_from_counts", "tree_from_counts", "tree_expected_from_masses"}


def grid_cost(K: int) -> Any:
    """Return the largest divergence from 0 or a boundary to the point of its cell: KL(0, z_1)."""
    return -mp.log(1 - inner(K)[0])


def bets(T: int, buckets: int) -> Any:
    """Return the largest sum of log(4 n_i): equal counts, and every number of used buckets tried."""
    return max(N * mp.log(mpf(4 * T) / N) for N in range(1, min(T, buckets) + 1))


def pair(T: int, K: int, delta: Any = 1) -> Any:
    return bets(T, K - 1) + T * grid_cost(K) + 2 * mp.log(1 / mpf(delta))


def from_counts(counts: list[int], K: int, delta: float) -> Any:
    return mp.fsum(mp.log(4 * n) for n in counts if n) + sum(counts) * grid_cost(K) - 2 * mp.log(delta)


def rate(T: int) -> Any:
    return mp.cbrt(T) * mp.log(T) ** (mpf(2) / 3)


def experts(T: int, K: int, delta: float) -> Any:
    number = 3 + mp.log(max(T, K * K), 2)
    return (K - 1) * (2 + 4 * mp.log(number)) + T * grid_cost(K) - 4 * mp.log(delta)


def anytime(T: int, delta: float) -> Any:
    """Play the rounds one by one and remember where a phase ends."""
    played, length, phases = 0, 1, []
    for _ in range(T):
        if played == 0:
            phases.append([0, length])
        phases[-1][0] += 1
        played += 1
        if played == length:
            played, length = 0, 2 * length
    later = mp.fsum(pair(rounds, resolution(whole)) for rounds, whole in phases[1:])
    return mp.log(2) + later - 2 * mp.log(delta)


def tree_counts(counts: list[int], levels: list[int], delta: float) -> Any:
    """Add up log(4n) and n log(1 + sin^2 w) over the nodes that were used."""
    used = [(n, mp.pi / 2 ** (level + 1)) for n, level in zip(counts, levels, strict=True) if n]
    return mp.fsum(mp.log(4 * n) + n * mp.log(1 + mp.sin(w) ** 2) for n, w in used) + 2 * mp.log(
        2 / mpf(delta)
    )


def tree_masses(masses: list[float], levels: list[int]) -> Any:
    """Add up 2 log(1 + S) and S log(1 + sin^2 w) over all nodes."""
    nodes = [(mpf(S), mp.pi / 2 ** (level + 1)) for S, level in zip(masses, levels, strict=True)]
    return mp.fsum(2 * mp.log(1 + S) + S * mp.log(1 + mp.sin(w) ** 2) for S, w in nodes) + mp.log(4)


def exponents(T: int, K: int, delta: float) -> int:
    """Count 0, the powers -2, -1, -1/2, ... and the halves of X, each list down to sqrt(2/T)."""
    smallest = mp.sqrt(mpf(2) / T)
    number = 1
    for start in (mpf(2), mp.log(2 * mpf(T) ** 2 * (K + 1) / mpf(delta))):
        x = start
        number += 1
        while x > smallest * (1 + mpf(10) ** -25):
            x /= 2
            number += 1
    return number


def weights(K: int) -> list[Any]:
    return [3 - mp.log(side) for z in full(K) for side in (z, 1 - z)]


def transfer(pseudo: Any, T: int, K: int, delta: float, version: str) -> Any:
    if version == "best":
        total, largest = mp.fsum(weights(K)), max(weights(K))
    else:
        total = mpf("8.78") * (K + 1) + 2 * mp.log(K)
        largest = mpf("3.7") + 2 * mp.log(K)
    J = exponents(T, K, delta)
    return (mp.e - 1) * pseudo + (1 + 2 * mp.log(J)) * total + 2 * largest * mp.log(2 / mpf(delta))


def algorithm_1(T: int, K: int, delta: float, version: str) -> Any:
    cost = rounding(K) if version == "sharpened" else mp.log(1 + rounding(K))
    return transfer(learning(T, K + 1) + T * cost, T, K, delta, version)


def realised_tail(T: int, K: int, delta: float, cost: Any) -> Any:
    A = mpf("2.7") + 2 * mp.log(K)
    lam = 1 / (4 * A * (1 + mp.log(T)) * (K + 1))
    return 2 * (learning(T, K + 1) + T * cost + 1 + mp.log(1 / mpf(delta)) / lam)


def fair_coins(T: int, delta: float) -> Any:
    m = 0
    while m < T and mpf(2) ** -(m + 1) >= delta:
        m += 1
    return m * mp.log(2)


ORACLES: dict[tuple[str, str | None], Callable[..., Any]] = {
    ("pair_from_counts", None): from_counts,
    ("pair", None): pair,
    ("pair_rate", None): lambda T, d: mpf("3.52") * rate(T) - 2 * mp.log(d),
    ("pair_experts", None): experts,
    ("pair_expected", None): lambda T, K: 2 * learning(T, K - 1) + T * grid_cost(K),
    ("pair_anytime", None): anytime,
    ("pair_anytime_rate", None): lambda T, d: mpf("17.1") * rate(T) + mp.log(2) - 2 * mp.log(d),
    ("realised_kt", "sharpened"): lambda T, K: bets(T, K + 1) / 2 + T * rounding(K),
    ("realised_kt", "best"): lambda T, K: bets(T, K + 1) / 2 + T * mp.log(1 + rounding(K)),
    ("kl_from_pseudo", "sharpened"): lambda p, T, K, d: transfer(p, T, K, d, "sharpened"),
    ("kl_from_pseudo", "best"): lambda p, T, K, d: transfer(p, T, K, d, "best"),
    ("algorithm_1_high_probability", "sharpened"): lambda T, K, d: algorithm_1(T, K, d, "sharpened"),
    ("algorithm_1_high_probability", "best"): lambda T, K, d: algorithm_1(T, K, d, "best"),
    ("realised_high_probability", "sharpened"): lambda T, K, d: realised_tail(T, K, d, rounding(K)),
    ("realised_high_probability", "best"): lambda T, K, d: realised_tail(T, K, d, mp.log(1 + rounding(K))),
    ("fixed_grid_lower_bound", None): lambda T, N: 2 * T * mp.log(mp.sec(mp.pi / (4 * N))),
    ("tail_lower_bound", None): fair_coins,
    ("tree", None): lambda T, d: 11 * rate(T) + 2 * mp.log(2 / mpf(d)),
    ("tree_from_counts", None): tree_counts,
    ("tree_expected_from_masses", None): tree_masses,
    ("tree_expected", None): lambda T: mpf("17.4") * rate(T) + mp.log(4),
    ("tree_expected_swap", None): lambda T: 62 * mp.sqrt(T * mp.log(T)),
    ("tree_swap", "proved"): lambda T, d: 90 * mp.sqrt(T / mp.log(T)) * mp.log(T / mpf(d)),
    ("tree_swap", "certified"): lambda T, d: 48 * mp.sqrt(T / mp.log(T)) * mp.log(T / mpf(d)),
    ("squares_log_lower_bound", None): lambda T: mp.log(T + 2) / 6,
    ("squares_lower_bound", None): lambda T: 5 * mpf(10) ** -8 * mp.root(T, 6),
}


# ----- objects the bounds are about ------------------------------------------------------------------------
def boundaries(K: int) -> list[Any]:
    """Return the cells' ends by the weighted mean of neighbouring points."""
    z = inner(K)
    s = [mp.sqrt(p * (1 - p)) for p in z]
    inside = [(z[i] * s[i + 1] + z[i + 1] * s[i]) / (s[i] + s[i + 1]) for i in range(K - 2)]
    return [mpf(0), *inside, mpf(1)]


def pair_mixture(counts: list[list[int]], K: int) -> list[tuple[int, float]]:
    """Return index and probability of the points that the pair algorithm may draw; counts[i] = zeros, ones."""
    ends = [float(m) for m in boundaries(K)]
    means = [(ones + 0.5) / (zeros + ones + 1) for zeros, ones in counts]
    for i, w in enumerate(means):
        if ends[i] <= w <= ends[i + 1]:
            return [(i, 1.0)]
    for i in range(K - 2):
        m = ends[i + 1]
        if means[i] > m > means[i + 1]:
            p = (m - means[i + 1]) / (means[i] - means[i + 1])
            return [(i, p), (i + 1, 1 - p)]
    raise ArithmeticError("no move")


def pair_game(
    outcomes: Callable[[list[list[int]]], int], T: int, K: int, draw: Callable[[], float]
) -> list[list[int]]:
    """Play the pair algorithm for T rounds; the outcome may depend on the counts."""
    counts = [[0, 0] for _ in range(K - 1)]
    for _ in range(T):
        y = outcomes(counts)
        moves = pair_mixture(counts, K)
        i = moves[0][0] if draw() < moves[0][1] else moves[-1][0]
        counts[i][y] += 1
    return counts


def kl_calibration(counts: list[list[int]], K: int) -> float:
    total = mpf(0)
    for (zeros, ones), z in zip(counts, inner(K), strict=True):
        n = zeros + ones
        total += ones * mp.log(mpf(ones) / (n * z)) if ones else 0
        total += zeros * mp.log(mpf(zeros) / (n * (1 - z))) if zeros else 0
    return float(total)
