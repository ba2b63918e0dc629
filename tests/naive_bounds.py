"""Every bound a second time, in 30 digits, from sums and maxima over the grid where there is a definition."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from mpmath import mp, mpf

mp.dps = 30
KAPPA = mp.e - 2


# ----- the grids -------------------------------------------------------------------------------------------
def inner(K: int) -> list[Any]:
    return [mp.sin(mp.pi * i / (2 * K)) ** 2 for i in range(1, K)]


def inner_with_ends(K: int) -> list[Any]:
    return [mpf(0), *inner(K), mpf(1)]


def full(K: int) -> list[Any]:
    return [mp.sin(mp.pi / (4 * K)) ** 2, *inner(K), mp.cos(mp.pi / (4 * K)) ** 2]


def kl(rho: Any, p: Any) -> Any:
    total = mpf(0)
    if rho > 0:
        total += rho * mp.log(rho / p)
    if rho < 1:
        total += (1 - rho) * mp.log((1 - rho) / (1 - p))
    return total


def variance(z: Any) -> Any:
    return z * (1 - z)


# ----- Sections 1 to 3 -------------------------------------------------------------------------------------
def chi_square(rho: float, p: float) -> Any:
    rho, p = mpf(rho), mpf(p)
    return (rho - p) ** 2 / p + ((1 - rho) - (1 - p)) ** 2 / (1 - p)


# ----- Lemmas 6 and 7 --------------------------------------------------------------------------------------
def lemma_6a(K: int) -> Any:
    z = inner_with_ends(K)
    return max(b - a for a, b in pairwise(z))


def lemma_6b(K: int) -> Any:
    z = inner_with_ends(K)
    return max(max(z[i] - z[i - 1], z[i + 1] - z[i]) ** 2 / variance(z[i]) for i in range(1, K))


def lemma_6b_paper(K: int) -> Any:
    x = mp.pi / (2 * K)
    return 4 * mp.sin(x) ** 2 * (1 + mp.sin(x) / mp.sin(2 * x)) ** 2


def lemma_6c(K: int) -> Any:
    return mp.fsum(1 / variance(z) for z in inner(K))


def lemma_6c_paper(K: int) -> Any:
    x = mp.pi / K
    return 8 * (mp.csc(x) ** 2 + mp.cot(x) * K / mp.pi)


def lemma_6d_paper(K: int) -> Any:
    x = mp.pi / K
    return 4 * (mp.csc(x) + mp.log(mp.csc(x) + mp.cot(x)) * K / mp.pi)


def lemma_7(K: int) -> Any:
    z = full(K)
    return max((b - a) ** 2 / min(variance(a), variance(b)) for a, b in pairwise(z))


def lemma_7_ends(K: int) -> Any:
    z = full(K)
    return (z[1] - z[0]) ** 2 / min(variance(z[0]), variance(z[1]))


# ----- rounding --------------------------------------------------------------------------------------------
def rounding_cell(a: Any, b: Any) -> Any:
    a, b = mpf(a), mpf(b)
    return (b - a) ** 2 / (mp.sqrt(variance(a)) + mp.sqrt(variance(b))) ** 2


@cache
def rounding(K: int) -> Any:
    z = full(K)
    return max(rounding_cell(a, b) for a, b in pairwise(z))


def comparator(points: list[Any]) -> Any:
    """Solve KL(rho, a) = KL(rho, b) in every cell by bisection, without its closed form."""
    worst = [kl(mpf(0), points[0]), kl(mpf(1), points[-1])]
    for a, b in pairwise(points):
        low, high = a, b
        for _ in range(110):
            middle = (low + high) / 2
            low, high = (middle, high) if kl(middle, a) < kl(middle, b) else (low, middle)
        worst.append(kl(low, a))
    return max(worst)


@cache
def comparator_full(K: int) -> Any:
    return comparator(full(K))


@cache
def comparator_inner(K: int) -> Any:
    return comparator(inner(K))


def remark_nearest(K: int) -> Any:
    z = full(K)
    return mp.log((z[0] + z[1]) / 2) - mp.log(z[0])


def remark_linear(K: int) -> Any:
    z = full(K)
    return mp.log((z[0] + z[1]) / 2) - (mp.log(z[0]) + mp.log(z[1])) / 2


# ----- Sections 4 and 5 ------------------------------------------------------------------------------------
def log_loss_range(K: int) -> Any:
    return max(-mp.log(z) for z in inner(K))


def deviation(n: float, z: float, K: int, delta: float) -> Any:
    log_term, spread = mp.log(2 / mpf(delta)), variance(mpf(z)) + mp.pi / (2 * K)
    return max(2 * mp.sqrt(n * spread * log_term), 2 * log_term)


def theorem_1_high_probability(T: int, K: int, delta: Any) -> Any:
    log_term = mp.log(2 / mpf(delta))
    gaps = 2 * T * lemma_6b_paper(K)
    term_2 = 8 * log_term * (mp.pi / (2 * K) * lemma_6c_paper(K) + (K - 1))
    term_1 = log_term * mp.sqrt(8 * log_loss_range(K)) * lemma_6d_paper(K)
    return gaps + term_1 + term_2


def theorem_1_paper(T: int, K: int) -> Any:
    return theorem_1_high_probability(T, K, mpf(1) / T**2) + K * log_loss_range(K)


def learning(T: int, m: int) -> Any:
    return m * mp.log(mpf(T + m) / m)


def theorem_1(T: int, K: int) -> Any:
    return learning(T, K - 1) + T * comparator_inner(K)


def theorem_1_nearest(T: int, K: int) -> Any:
    """Take the largest chi-square over nearest-point cells: half a gap inside, all the way at the ends."""
    z = inner_with_ends(K)
    edges = [mpf(0), *((a + b) / 2 for a, b in pairwise(z[1:-1])), mpf(1)]
    worst = max(
        max(abs(edges[i - 1] - z[i]), abs(edges[i] - z[i])) ** 2 / variance(z[i]) for i in range(1, K)
    )
    return learning(T, K - 1) + T * mp.log(1 + worst)


def theorem_1_nearest_best(T: int, K: int) -> Any:
    """Take the largest KL over nearest-point cells; it is convex, so their ends are enough."""
    z = inner_with_ends(K)
    edges = [mpf(0), *((a + b) / 2 for a, b in pairwise(z[1:-1])), mpf(1)]
    worst = max(kl(end, z[i]) for i in range(1, K) for end in (edges[i - 1], edges[i]))
    return learning(T, K - 1) + T * worst


def theorem_2_paper(T: int, K: int) -> Any:
    rounds = T * (lemma_6b_paper(K) + (2 - mp.sqrt(2)) * mp.pi**2 / K**2)
    return (K + 1) * mp.log(T + 1) + rounds


def theorem_2(T: int, K: int) -> Any:
    return learning(T, K + 1) + T * rounding(K)


def theorem_2_best(T: int, K: int) -> Any:
    return learning(T, K + 1) + T * mp.log(1 + rounding(K))


def from_masses(masses: list[float], cost: Any) -> Any:
    return mp.fsum(mp.log(1 + mpf(s)) + mpf(s) * cost for s in masses)


def initialisation(K: int) -> Any:
    z = full(K)
    return mp.fsum(-mp.log(1 - x) for x in z) / len(z) - mp.log(2)


def resolution(T: int) -> int:
    return 2 if T == 1 else max(2, int(mp.ceil(mp.cbrt(T / mp.log(T)))))


def doubling(T: int, bound: Callable[[int, int], Any]) -> Any:
    total, epoch = mpf(0), 0
    while T > 0:
        total += bound(min(T, 2**epoch), resolution(2**epoch))
        T, epoch = T - 2**epoch, epoch + 1
    return total


# ----- Section 6 -------------------------------------------------------------------------------------------
def freedman(V: float, mu: float, delta: float, c: Any) -> Any:
    return c * mpf(mu) * mpf(V) + mp.log(2 / mpf(delta)) / mpf(mu)


def phi(x: Any) -> Any:
    with mp.workdps(60):
        x = mpf(x)
        return (mp.exp(x) - 1 - x) / x**2


def least_over_rates(S: Any, log_term: Any) -> Any:
    """Minimise mu S + L / mu over (0, 1]."""
    mu = min(mpf(1), mp.sqrt(log_term / mpf(S))) if S > 0 else mpf(1)
    return mu * mpf(S) + log_term / mu


def tails(points: int, delta: float, number: Any) -> Any:
    return mp.log(number * points / mpf(delta))


def rate_deviation(S: float, points: int, delta: float) -> Any:
    log_term = tails(points, delta, 4)
    return mpf(1) if mpf(S) < log_term else (2 * least_over_rates(S, log_term) / mpf(S)) ** 2


def powers_of_half(T: int) -> int:
    """Count 1, 1/2, 1/4, ... down to the first one that is at most 1 / sqrt(T)."""
    j = 0
    while 4**j < T:
        j += 1
    return 1 + j


def theorem_3_repaired(pcal2: Any, points: int, delta: float, T: int) -> Any:
    return 3 * mpf(pcal2) + 27 * KAPPA * points * tails(points, delta, 4 * powers_of_half(T))


def theorem_3_sharpened(pcal2: Any, points: int, delta: Any) -> Any:
    return 3 * mpf(pcal2) + 24 * KAPPA * points * tails(points, delta, 3)


def theorem_3_paper(pcal2: Any, points: int, delta: Any) -> Any:
    return 6 * mpf(pcal2) + 96 * points * tails(points, delta, 4)


def squared_loss_pcal2(T: int, K: int) -> Any:
    """Each learner regrets the integral of min(1, 1/s) up to its mass; a rounded point has variance up to (1/2K)^2."""
    regret = mp.quad(lambda s: min(mpf(1), 1 / s), [0, 1, mpf(T) / (K + 1)])
    return (K + 1) * regret + T * (mpf(1) / (2 * K)) ** 2


ORACLES: dict[tuple[str, str | None], Callable[..., Any]] = {
    ("pinsker", "paper"): lambda rho, p: (mpf(rho) - mpf(p)) ** 2,
    ("pinsker", "sharpened"): lambda rho, p: 2 * (mpf(rho) - mpf(p)) ** 2,
    ("cal2_from_kl", "paper"): lambda x: mpf(x),
    ("cal2_from_kl", "sharpened"): lambda x: mpf(x) / 2,
    ("chi_square", None): chi_square,
    ("log_chi_square", None): lambda rho, p: mp.log(1 + chi_square(rho, p)),
    ("proposition_2", None): lambda loss, x: mpf(loss.kl_constant) * x,
    ("proposition_3", "paper"): lambda G, x: mpf(G) * x,
    ("proposition_3", "sharpened"): lambda G, x: mpf(G) * x / 2,
    ("proposition_3_from_kl", "paper"): lambda G, x: mpf(G) * x,
    ("proposition_3_from_kl", "sharpened"): lambda G, x: mpf(G) * x / 4,
    ("cal1_from_cal2", None): lambda T, x: mp.sqrt(T * mpf(x)),
    ("swap_regret_from_cal1", None): lambda x: 4 * mpf(x),
    ("lemma_6a", "paper"): lambda K: mp.pi / (2 * K),
    ("lemma_6a", "sharpened"): lemma_6a,
    ("lemma_6b", "paper"): lemma_6b_paper,
    ("lemma_6b", "sharpened"): lambda K: 9 * mp.pi**2 / (4 * K**2),
    ("lemma_6b", "best"): lemma_6b,
    ("lemma_6c", "paper"): lemma_6c_paper,
    ("lemma_6c", "sharpened"): lemma_6c,
    ("lemma_6d", "paper"): lemma_6d_paper,
    ("lemma_6d", "sharpened"): lambda K: 4 * K / mp.pi * (mp.log(2 * K / mp.pi) + mp.euler),
    ("lemma_7", "paper"): lemma_6b_paper,
    ("lemma_7", "sharpened"): lambda K: 9 * mp.pi**2 / (4 * K**2),
    ("lemma_7", "best"): lemma_7,
    ("lemma_7_ends", "paper"): lambda K: 4 * mp.sin(mp.pi / (2 * K)) ** 2,
    ("lemma_7_ends", "sharpened"): lemma_7_ends,
    ("rounding_cost_cell", "paper"): lambda a, b: (
        (mpf(b) - mpf(a)) ** 2 * max(1 / variance(mpf(a)), 1 / variance(mpf(b)))
    ),
    ("rounding_cost_cell", "sharpened"): rounding_cell,
    ("rounding_cost_cell", "best"): lambda a, b: mp.log(1 + rounding_cell(a, b)),
    ("rounding_cost", "paper"): lemma_6b_paper,
    ("rounding_cost", "sharpened"): rounding,
    ("rounding_cost", "best"): lambda K: mp.log(1 + rounding(K)),
    ("clamp_cost", None): lambda K: kl(mpf(0), mp.sin(mp.pi / (4 * K)) ** 2),
    ("comparator_error", "paper"): lambda K: (2 - mp.sqrt(2)) * mp.pi**2 / K**2,
    ("comparator_error", "sharpened"): lambda K: -2 * mp.log(mp.cos(mp.pi / (2 * K))),
    ("comparator_error", "best"): comparator_full,
    ("comparator_error_inner", None): comparator_inner,
    ("remark_1_nearest", None): remark_nearest,
    ("remark_1_linear", None): remark_linear,
    ("log_loss_range", None): log_loss_range,
    ("deviation", None): deviation,
    ("theorem_1_high_probability", None): theorem_1_high_probability,
    ("theorem_1", "paper"): theorem_1_paper,
    ("theorem_1", "sharpened"): theorem_1,
    ("theorem_1_full_grid", "sharpened"): lambda T, K: (
        learning(T, K + 1) - 2 * T * mp.log(mp.cos(mp.pi / (2 * K)))
    ),
    ("theorem_1_full_grid", "best"): lambda T, K: learning(T, K + 1) + T * comparator_full(K),
    ("theorem_1_nearest", "sharpened"): theorem_1_nearest,
    ("theorem_1_nearest", "best"): theorem_1_nearest_best,
    ("theorem_1_tail", None): lambda T, K, delta: theorem_1(T, K) + mp.log(mpf(delta) ** -2),
    ("corollary_1", "paper"): lambda T, K: 4 * mp.sqrt(T * theorem_1_paper(T, K)),
    ("corollary_1", "sharpened"): lambda T, K: 4 * mp.sqrt(T * theorem_1(T, K) / 2),
    ("ewoo_regret", "paper"): lambda T, S: mp.log(T + 1),
    ("ewoo_regret", "sharpened"): lambda T, S: mp.log(1 + mpf(S)),
    ("initialisation_cost", None): initialisation,
    ("theorem_2", "paper"): theorem_2_paper,
    ("theorem_2", "sharpened"): theorem_2,
    ("theorem_2", "best"): theorem_2_best,
    ("theorem_2_from_masses", "sharpened"): lambda S, K: from_masses(S, rounding(K)),
    ("theorem_2_from_masses", "best"): lambda S, K: from_masses(S, mp.log(1 + rounding(K))),
    ("theorem_1_paper_K", None): lambda T: max(2, int(mp.ceil(mp.cbrt(T) / mp.log(T) ** (mpf(5) / 6)))),
    ("theorem_1_rate", "paper"): lambda T: 51 * mp.cbrt(T) * mp.log(T) ** (mpf(5) / 3),
    ("theorem_1_rate", "sharpened"): lambda T: mpf("3.28") * mp.cbrt(T) * mp.log(T) ** (mpf(2) / 3),
    ("theorem_2_rate", "sharpened"): lambda T: mpf("3.96") * mp.cbrt(T) * mp.log(T) ** (mpf(2) / 3),
    ("theorem_2_rate", "best"): lambda T: mpf("3.56") * mp.cbrt(T) * mp.log(T) ** (mpf(2) / 3),
    ("theorem_2_best_K", "sharpened"): lambda T: min(range(2, 80), key=lambda K: theorem_2(T, K)),
    ("theorem_2_best_K", "best"): lambda T: min(range(2, 80), key=lambda K: theorem_2_best(T, K)),
    ("realised_in_expectation", "sharpened"): theorem_2,
    ("realised_in_expectation", "best"): theorem_2_best,
    ("doubling_trick", "paper"): lambda T: doubling(T, theorem_2_paper),
    ("doubling_trick", "sharpened"): lambda T: doubling(T, theorem_2),
    ("doubling_trick", "best"): lambda T: doubling(T, theorem_2_best),
    ("corollary_2", "paper"): lambda T, K: 4 * mp.sqrt(T * theorem_2_paper(T, K)),
    ("corollary_2", "sharpened"): lambda T, K: 4 * mp.sqrt(T * theorem_2(T, K) / 2),
    ("freedman", "paper"): lambda V, mu, d: freedman(V, mu, d, 1),
    ("freedman", "sharpened"): lambda V, mu, d: freedman(V, mu, d, KAPPA),
    ("freedman", "best"): lambda V, mu, d: freedman(V, mu, d, phi(mu)),
    ("rate_deviation", None): rate_deviation,
    ("count_deviation", None): lambda S, m, d: least_over_rates(S, tails(m, d, 4)),
    ("theorem_3", "paper"): theorem_3_paper,
    ("theorem_3", "sharpened"): theorem_3_sharpened,
    ("corollary_3", "paper"): lambda T, K, d: theorem_3_paper(theorem_2_paper(T, K), K + 1, d),
    ("corollary_3", "repaired"): lambda T, K, d: theorem_3_repaired(theorem_2(T, K) / 2, K + 1, d, T),
    ("corollary_3", "sharpened"): lambda T, K, d: theorem_3_sharpened(theorem_2(T, K) / 2, K + 1, d),
    ("corollary_3_expectation", "paper"): lambda T, K: (
        1 + theorem_3_paper(theorem_2_paper(T, K), K + 1, mpf(1) / T)
    ),
    ("corollary_3_expectation", "sharpened"): lambda T, K: (
        3 * theorem_2(T, K) / 2 + 24 * KAPPA * (K + 1) * (mp.log(3 * (K + 1)) + 1)
    ),
    ("squared_loss_pcal2", None): squared_loss_pcal2,
}


# ----- objects the bounds are about ------------------------------------------------------------------------
def rounded(w: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return the rows of RROUND, clamped."""
    rows = np.zeros((len(w), len(points)))
    for row, p in zip(rows, w, strict=True):
        i = int(np.searchsorted(points, p, side="right")) - 1
        if i < 0 or i >= len(points) - 1:
            row[max(i, 0)] = 1.0
            continue
        a, b = points[i], points[i + 1]
        left, right = (b - p) / (b * (1 - b)), (p - a) / (a * (1 - a))
        row[i], row[i + 1] = left / (left + right), right / (left + right)
    return rows


def algorithm_1(outcomes: list[int], K: int) -> tuple[np.ndarray, float]:
    """Return the masses and PKLCal of Algorithm 1; the stationary mixture is a Cesaro mean, then polished."""
    points = np.array([float(z) for z in full(K)])
    ones, zeros = np.zeros(K + 1), np.zeros(K + 1)
    for y in outcomes:
        matrix = rounded((ones + 1) / (ones + zeros + 2), points)
        lazy = np.linalg.matrix_power((matrix + np.eye(K + 1)) / 2, 4096)
        mixture = np.full(K + 1, 1 / (K + 1)) @ lazy
        mixture /= mixture.sum()
        ones, zeros = ones + mixture * y, zeros + mixture * (1 - y)
    mass = ones + zeros
    rates = np.divide(ones, mass, out=np.zeros(K + 1), where=mass > 0)
    divergences = [float(kl(mpf(r), mpf(p))) for r, p in zip(np.clip(rates, 0, 1), points, strict=True)]
    return mass, float(mass @ divergences)
