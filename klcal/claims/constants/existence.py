r"""Section 4 and Appendix B: where the constants of Theorem 1 and Corollary 1 come from."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import pairwise, product

import sympy as sp
from flint import arb

from klcal import bounds, grids
from klcal.claims._combinators import closed, jointly, misprinted, repaired, vanishing
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.constants._common import (
    BITS,
    CHAPTER,
    DELTAS,
    GAMES,
    RESOLUTIONS,
    agrees,
    angle,
    full_error,
    inner_error,
    learning,
    loss_range,
    printed_inverse_deviations,
    printed_inverse_variances,
    printed_steepness,
)
from klcal.claims.grids._common import divergence, inner_points, variance
from klcal.exact.balls import ball, lower, precision, upper

Region = tuple[arb, arb, arb]


def regions(K: int) -> Iterator[Region]:
    """Yield each point of the inner grid with both ends of the set of numbers it is nearest to.

    Examples
    --------
    >>> [tuple(round(float(x.mid()), 12) for x in region) for region in regions(3)]
    [(0.25, 0.0, 0.5), (0.75, 0.5, 1.0)]
    """
    points = inner_points(K)
    middles = [(low + high) / 2 for low, high in pairwise(points[1:K])]
    ends = [arb(0), *middles, arb(1)]
    yield from zip(points[1:K], ends[:-1], ends[1:], strict=True)


def _deviation_cases() -> Iterator[tuple[int, float, int, float]]:
    for K, delta in product(RESOLUTIONS, DELTAS):
        for point in grids.inner_grid(K).points[: (K + 1) // 2 : 7]:
            yield from ((count, float(point), K, delta) for count in (0, 1, 30, 10**4))


def _smallest_deviation(count: int, point: float, K: int, delta: float, rates: int) -> arb:
    r"""Return :math:`\mu V + L/\mu` at its smallest over (0, 1], rounded up to 2L where that is at :math:`\mu = 1`."""
    V: arb = count * (variance(ball(point)) + angle(K))
    L = (2 / ball(delta)).log()
    if V < L:
        return rates * L
    mu = (L / V).sqrt()
    return mu * V + (rates - 1) * L / mu


@precision(BITS)
def prefix_deviation(share: float = 1.0, rates: int = 2) -> Evidence:
    r"""Check the three steps behind ``eq:hp_bound_sum_X``: variance, distance to the grid, best :math:`\mu`.

    :math:`\tilde p(1-\tilde p) - z(1-z) = (\tilde p-z)(1-\tilde p-z)`, whose last factor is at most 1 in size, so a
    round adds at most :math:`z(1-z) + |\tilde p - z|` to the variance. A number is within
    :math:`\max(d_i, d_{i+1})` of its nearest point, hence within `share` times :math:`\pi/2K`. And
    :math:`\mu V + L/\mu` is smallest at :math:`\mu = \sqrt{L/V}`, or at 1 if that exceeds 1; :math:`\mu = 0`,
    which the paper admits, has no value.

    Parameters
    ----------
    share : float
        The bound tried on the distance, as a multiple of pi/2K.
    rates : int
        2; another number spoils the minimum over mu.
    """
    ratio, K = max(
        (upper(abs(end - z) / (share * angle(K))), K)
        for K in RESOLUTIONS
        for z, *ends in regions(K)
        for end in ends
    )
    text = "largest distance of a number to its nearest point over pi/2K, K = 2..101"
    return jointly(
        Evidence(ratio, 1, "<=", text, {"K": K}),
        closed("variance-decomposition", "freedman-optimum", "freedman-capped"),
        agrees(
            "the smallest mu V + L/mu, V = n(z(1-z) + pi/2K)",
            bounds.deviation,
            partial(_smallest_deviation, rates=rates),
            _deviation_cases(),
        ),
    )


def _contributions() -> Evidence:
    """Check that the deviation, squared, gives 8L(1 + (pi/2K)/v) for many and 8L^2/(nv) for few rounds."""
    n, v, L, s = sp.symbols("n v L s", positive=True)
    many = 2 * n / v * (2 * sp.sqrt(L * n * s) / n) ** 2 - 8 * L * s / v
    few = 2 * n / v * (2 * L / n) ** 2 - 8 * L**2 / (n * v)
    return vanishing("2n/v times the squared deviation over n^2, both cases", [many, few])


@precision(BITS)
def two_terms(root: Fraction = Fraction(1)) -> Evidence:
    r"""Check Terms I and II in the proof of Theorem 1, cell by cell, and min(x, a/x) <= `root` sqrt(a).

    A cell with many rounds adds :math:`8L(1 + \frac\pi{2K}/v)`, one with few :math:`8L^2/(nv)`, and no more
    than nR; :math:`x\cdot\frac ax = a`, so the smaller factor is at most :math:`\sqrt a`, with equality at
    :math:`x = \sqrt a`. (x = 0 must be excluded; for x < 0 there is nothing to show.) The sums of both over
    all cells are below what the displays behind Lemma 6 (c) and (d) give.
    """
    fractions = [Fraction(i, j) for i in range(1, 13) for j in range(1, 13)]
    worst = max(min(x, a / x) ** 2 / a for x, a in product(fractions, fractions))
    ratio, K = max((_sums_of_terms(K), K) for K in RESOLUTIONS)
    return jointly(
        Evidence(worst, root**2, "<=", "largest min(x, a/x)^2/a over fractions, exactly"),
        closed("min-product"),
        _contributions(),
        Evidence(ratio, 1, "<=", "sums over the cells over the displays of Lemma 6, K = 2..101", {"K": K}),
    )


def _sums_of_terms(K: int) -> float:
    """Return the larger ratio of a sum over cells to its display: 1/v against (c), 1/sqrt(v) against (d)."""
    variances = [variance(z) for z in inner_points(K)[1:K]]
    many = sum((1 / v for v in variances), arb(0)) / printed_inverse_variances(K)
    few = sum((1 / v.sqrt() for v in variances), arb(0)) / printed_inverse_deviations(K)
    return max(upper(many), upper(few))


def _likely(T: int, K: int, L: arb, gaps: int = 2) -> arb:
    """Return Equation 8 with its constants: the gaps, Term II's and Term I's part; L = log(2/delta)."""
    many = 8 * L * (angle(K) * printed_inverse_variances(K) + (K - 1))
    few = L * (8 * loss_range(K)).sqrt() * printed_inverse_deviations(K)
    return gaps * T * printed_steepness(K) + many + few


def minimax_bound(gaps: int = 2) -> Evidence:
    r"""Check that Equation 8 is `gaps` times T times Lemma 6 (b), plus Terms I and II summed over all cells."""
    cases = [(T, K, delta) for T, K in GAMES for delta in DELTAS]
    return agrees(
        "2bT + 8L((pi/2K)c + K - 1) + L sqrt(8R) d",
        bounds.theorem_1_high_probability,
        lambda T, K, delta: _likely(T, K, (2 / ball(delta)).log(), gaps),
        cases,
    )


def _printed(T: int, K: int, power: int = 2) -> arb:
    """Return Theorem 1's right-hand side: Equation 8 at delta = 1/T^power, and K T delta times T R."""
    return _likely(T, K, (2 * ball(T) ** power).log()) + K * ball(T) ** (2 - power) * loss_range(K)


def printed_theorem_1(power: int = 2) -> Evidence:
    r"""Check Theorem 1 by the paper's constants: Equation 8 at :math:`\delta = T^{-p}` plus the failure term."""
    return jointly(
        agrees(
            "Equation 8 at delta = 1/T^2 plus K T delta times T R",
            partial(bounds.theorem_1, version="paper"),
            partial(_printed, power=power),
        ),
        closed("theorem-1-grid-term", "theorem-1-log-term", "theorem-1-failure-term"),
    )


@precision(BITS)
def failure_term_swallows() -> Evidence:
    """Show that with delta = 1/T the failure term K T R alone exceeds T log 2, for every K >= 2.

    T log 2 is what the forecast 1/2 in every round costs at most. As z_1 falls in K, R = -log z_1 grows, so
    K R is smallest at K = 2.
    """
    smallest, K = min((lower(K * loss_range(K)), K) for K in RESOLUTIONS)
    witness = "K = 2: the failure term is 2 T log 2, the forecast 1/2 in every round costs at most T log 2"
    text = "failure term over T at delta = 1/T, K = 2..101, against log 2"
    return jointly(
        Evidence(smallest, upper(arb(2).log()), ">", text, {"K": K}, counterexample=witness),
        misprinted("failure-probability"),
    )


def _laplace(ones: int, zeros: int) -> Fraction:
    """Return the probability that Laplace's rule gives to any one order of these outcomes."""
    probability = Fraction(1)
    for k in range(ones):
        probability *= Fraction(k + 1, k + 2)
    for k in range(zeros):
        probability *= Fraction(k + 1, ones + k + 2)
    return probability


def laplace_in_buckets(extra: int = 1) -> Evidence:
    r"""Check that Laplace's rule loses at most :math:`\log(n + \texttt{extra})` to the best constant, n <= 100.

    Its probability for k ones of n, in any order, is :math:`1/((n+1)\binom nk)`; the best constant has
    :math:`(k/n)^k((n-k)/n)^{n-k}`. That :math:`\binom nk k^k(n-k)^{n-k} \le n^n` holds for all n, as the left
    side is one term of :math:`(k + (n-k))^n`.
    """
    worst = Fraction(0)
    misses = 0
    for n in range(1, 101):
        for k in range(n + 1):
            paths = math.comb(n, k)
            misses += n <= 40 and _laplace(k, n - k) != Fraction(1, (n + 1) * paths)
            worst = max(worst, Fraction((n + 1) * paths * k**k * (n - k) ** (n - k), (n + extra) * n**n))
    text = "largest e^regret/(n + 1) over all counts n <= 100, as an exact fraction"
    return jointly(
        Evidence(worst, 1, "<=", text),
        Evidence(misses, 0, "==", "the product of the forecasts is 1/((n + 1) C(n, k)), n <= 40"),
        Evidence(_orders(), 0, "==", "it does not depend on the order: all outcome sequences up to n = 8"),
    )


def _orders() -> int:
    """Count the outcome sequences whose probability under Laplace's rule depends on their order."""
    wrong = 0
    for n in range(1, 9):
        for outcomes in product((0, 1), repeat=n):
            counts, probability = [0, 0], Fraction(1)
            for t, y in enumerate(outcomes):
                probability *= Fraction(counts[y] + 1, t + 2)
                counts[y] += 1
            wrong += probability != _laplace(counts[1], counts[0])
    return wrong


def _nearest_error(K: int) -> tuple[int, arb]:
    r"""Return how often KL to the Euclid-nearest point exceeds :math:`\log(1 + \chi^2)`, and the largest of these.

    Both KL and :math:`\chi^2` are convex in the number, so the ends of the regions are enough. At 0 and 1 the two
    sides are equal; elsewhere KL must be smaller for certain.
    """
    misses, worst = 0, arb(0)
    for z, *ends in regions(K):
        for end in ends:
            chi = (end - z) ** 2 / variance(z)
            kl, above = divergence(end, z), (1 + chi).log()
            equal = end.is_zero() or (1 - end).is_zero()
            misses += not (kl.overlaps(above) if equal else kl < above)
            worst = worst.max(chi)
    return misses, worst


@precision(BITS)
def sharpened_theorem_1(buckets: int = -1) -> Evidence:
    r"""Check the three sharper forms of Theorem 1: n log(1 + T/n) for n points, plus T times the worst KL.

    `laplace_in_buckets` and Jensen give the first term, the conditional mean of the rounds the second: KL from
    :math:`\tilde p_t` to the point that is played. That is at most :math:`\mathsf{KL}(0, z_1)` on the inner
    grid, the comparator error on the full grid, and for the Euclid-nearest point
    :math:`\log(1 + \chi^2)`, computed here from the grid.

    Parameters
    ----------
    buckets : int
        Number of points of the inner grid minus K.
    """
    nearest = {K: _nearest_error(K) for K in RESOLUTIONS}
    misses = sum(missed for missed, _ in nearest.values())
    return jointly(
        agrees(
            "(K-1) log(1 + T/(K-1)) + T KL(0, z_1)",
            bounds.theorem_1,
            lambda T, K: learning(T, K + buckets) + T * inner_error(K),
        ),
        Evidence(
            misses, 0, "==", "KL to the nearest point is at most log(1 + chi^2), all regions, K = 2..101"
        ),
        agrees(
            "(K-1) log(1 + T/(K-1)) + T log(1 + chi^2)",
            partial(bounds.theorem_1_nearest, version="sharpened"),
            lambda T, K: learning(T, K + buckets) + T * (1 + nearest[K][1]).log(),
        ),
        *(
            agrees(
                f"(K+1) log(1 + T/(K+1)) + T times the comparator error, {version}",
                partial(bounds.theorem_1_full_grid, version=version),
                partial(_on_full_grid, version=version),
            )
            for version in ("sharpened", "best")
        ),
        closed("theorem-2-grid-term", "theorem-2-log-term"),
    )


def _on_full_grid(T: int, K: int, version: str) -> arb:
    return learning(T, K + 1) + T * full_error(K, version)


def corollary_1(pinsker: int = 2) -> Evidence:
    r"""Check Corollary 1's last part: :math:`4\sqrt{T\,\mathsf{KLCal}/c}`, c = 1 in print, c = 2 sharpened."""

    def sharpened(T: int, K: int) -> arb:
        return 4 * (T * (learning(T, K - 1) + T * inner_error(K)) / pinsker).sqrt()

    return jointly(
        agrees("4 sqrt(T KLCal/2), KLCal by the sharpened Theorem 1", bounds.corollary_1, sharpened),
        agrees(
            "4 sqrt(T KLCal), KLCal by the printed Theorem 1",
            partial(bounds.corollary_1, version="paper"),
            lambda T, K: 4 * (T * _printed(T, K)).sqrt(),
        ),
        closed("corollary-1-rest"),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="eq:hp_bound_sum_X/explicit",
        number="Equation 6",
        title="the deviation of one cell",
        kind="certified",
        chapter=CHAPTER,
        statement="The right-hand side 2 sqrt(L) max(sqrt(n(z(1-z) + pi/2K)), sqrt(L)), L = log(2/delta), is "
        "the smallest mu V + L/mu over mu in (0, 1] (at most 2L where mu = 1), V = n(z(1-z) + pi/2K) bounding "
        "the variance of n rounds whose means are nearest to z. The probability is not checked here.",
        uses=("lem:discretization/a", "lem:Freedman/scalar"),
        check=prefix_deviation,
        spoil=(
            partial(prefix_deviation, 0.6),
            partial(prefix_deviation, rates=3),
            partial(closed, "variance-decomposition", factor=2),
        ),
        rows=(38, 39, 40),
    ),
    Claim(
        label="thm:log_loss_swap_reg/terms",
        number="Theorem 1, Terms I and II",
        title="what one cell contributes",
        kind="certified",
        chapter=CHAPTER,
        statement="On the event of Equation 6 a cell adds, beyond its gap, 8L(1 + (pi/2K)/v) if it has many "
        "rounds and min(nR, 8L^2/(nv)) <= L sqrt(8R/v) if it has few, v = z(1-z); min(x, a/x) <= sqrt(a) for "
        "all x > 0.",
        uses=("eq:hp_bound_sum_X/explicit", "lem:discretization/c-display", "lem:discretization/d-display"),
        check=two_terms,
        spoil=(partial(two_terms, Fraction(99, 100)), partial(closed, "min-product", factor=2)),
        rows=(43, 45),
    ),
    Claim(
        label="eq:bound_sreg_minimax/explicit",
        number="Equation 8",
        title="Theorem 1's bound before the expectation",
        kind="certified",
        chapter=CHAPTER,
        statement="The explicit right-hand side is the sum of 2bT for the gaps, 8L((pi/2K)c + K - 1) for "
        "Term II and L sqrt(8R) d for Term I, with the displays b, c, d behind Lemma 6 and L = log(2/delta).",
        uses=("thm:log_loss_swap_reg/terms", "lem:discretization/b", "eq:range_log_loss"),
        check=minimax_bound,
        spoil=(partial(minimax_bound, 1),),
        rows=(46,),
    ),
    Claim(
        label="thm:log_loss_swap_reg/explicit",
        number="Theorem 1, constants",
        title="the paper's bound on E[KLCal]",
        kind="certified",
        chapter=CHAPTER,
        statement="The explicit right-hand side is Equation 8 at delta = 1/T^2 plus K T delta times the "
        "largest possible T R; with K = T^(1/3)/(log T)^(5/6) both parts are of order "
        "T^(1/3) (log T)^(5/3).",
        uses=("eq:bound_sreg_minimax/explicit", "eq:range_log_loss"),
        check=printed_theorem_1,
        spoil=(partial(printed_theorem_1, 1),),
        rows=(46,),
    ),
    Claim(
        label="thm:log_loss_swap_reg/delta",
        number="Theorem 1, Step III",
        title="the failure probability",
        kind="certified",
        chapter=CHAPTER,
        statement="The expectation follows with delta = 1/T.",
        repair="delta = 1/T^2, as the appendix has it: then the failure term (K log K) T^2 delta is K log K.",
        uses=("eq:range_log_loss",),
        check=partial(repaired, "failure-probability"),
        refute=failure_term_swallows,
        severity="constant",
        spoil=(partial(repaired, "failure-probability", factor=2),),
        rows=(34,),
    ),
    Claim(
        label="new:laplace-in-buckets",
        number="new",
        title="Laplace's rule inside a bucket",
        kind="exact",
        chapter=CHAPTER,
        statement="On a bucket with n outcomes Laplace's rule loses at most log(n + 1) more than the best "
        "constant, with equality for constant outcomes; so KLCal <= sum of log(1 + n_i) + sum over rounds of "
        "l(z, y) - l(m, y), m being Laplace's forecast.",
        check=laplace_in_buckets,
        spoil=(partial(laplace_in_buckets, 0),),
    ),
    Claim(
        label="new:theorem-1-sharpened",
        number="Theorem 1, sharpened",
        title="Theorem 1 with the better exponent",
        kind="certified",
        chapter=CHAPTER,
        statement="The three explicit right-hand sides are n log(1 + T/n), n the number of grid points, plus T "
        "times the worst KL from a number to the point played for it: KL-nearest on either grid, or "
        "Euclid-nearest on the inner one.",
        uses=(
            "new:laplace-in-buckets",
            "new:comparator-log-secant",
            "new:comparator-constant",
            "thm:log_loss_swap_reg/chi-square",
        ),
        check=sharpened_theorem_1,
        spoil=(partial(sharpened_theorem_1, 0),),
    ),
    Claim(
        label="cor:simutaneous_bounds_msr/explicit",
        number="Corollary 1, fourth bound",
        title="all bounded proper losses, in expectation",
        kind="certified",
        chapter=CHAPTER,
        statement="The explicit right-hand side is 4 sqrt(T Cal_2) with Cal_2 <= KLCal (in print) or KLCal/2 "
        "(sharpened), KLCal bounded by Theorem 1; its order is T^(2/3) (log T)^(5/6) in print.",
        uses=(
            "thm:log_loss_swap_reg/explicit",
            "new:theorem-1-sharpened",
            "pinsker",
            "appB:swap_regret_below_4_cal1",
            "sec1:cal1_below_cal2",
        ),
        check=corollary_1,
        spoil=(partial(corollary_1, 1), partial(closed, "corollary-1-rest", factor=2)),
        rows=(58,),
    ),
)
