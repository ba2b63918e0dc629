r"""The pair algorithm: the steps of its proof, one claim each."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import pairwise, product

import sympy as sp
from flint import arb

from klcal import bounds
from klcal.claims._combinators import jointly, vanishing
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.constants._common import DELTAS, GAMES, agrees, inner_error
from klcal.claims.explicit._common import (
    BITS,
    CHAPTER,
    boundaries,
    clipped,
    kt_probability,
    log_secant,
    smallest,
    tenths,
    to_cell,
)
from klcal.claims.grids._common import divergence, inner_points
from klcal.exact.balls import ball, precision

_LONGEST = 28


def some_choice(last: bool = True) -> Evidence:
    """Check that a mean lies in its cell or two neighbours straddle their boundary: all patterns of up to 9 buckets.

    A mean is below, in or above its cell; the first cannot be below, the last cannot be above. Take the last mean
    above its cell: the next one is below its own, or it would be the last.

    Parameters
    ----------
    last : bool
        Whether the last cell ends at 1.
    """
    missing = patterns = 0
    for buckets in range(1, 10):
        sides: list[set[str]] = [{"below", "in", "above"} for _ in range(buckets)]
        sides[0].discard("below")
        sides[-1] -= {"above"} if last else set()
        for pattern in product(*sides):
            patterns += 1
            straddle = any(pair == ("above", "below") for pair in pairwise(pattern))
            missing += "in" not in pattern and not straddle
    text = "patterns without a move, all patterns of 1 to 9 buckets"
    return Evidence(missing, 0, "==", text, {"patterns": patterns})


def martingale(tilt: Fraction = Fraction(0)) -> Evidence:
    r"""Check that the factor :math:`w(y)/m(y)` has mean exactly 1, whatever y, when the two means balance at m.

    Parameters
    ----------
    tilt : Fraction
        Added to the probability of the lower point.
    """
    w, v, m = sp.symbols("w v m", positive=True)
    p = (m - v) / (w - v) + sp.Rational(tilt)
    return vanishing(
        "the mean of w(y)/m(y) is 1 for y = 1 and for y = 0, and p, 1 - p are positive for w > m > v",
        [
            p * w / m + (1 - p) * v / m - 1,
            p * (1 - w) / (1 - m) + (1 - p) * (1 - v) / (1 - m) - 1,
            (1 - p) - (w - m) / (w - v),
        ],
    )


def kt_regret(constant: Fraction = Fraction(2)) -> Evidence:
    r"""Check that the KT means give n outcomes at least :math:`e^{-nH(\rho)}/(\texttt{constant}\sqrt n)`.

    Their probability is :math:`\Gamma(k+\frac12)\Gamma(n-k+\frac12)/(\pi n!)`. The function
    :math:`\psi(x) = \log\Gamma(x+\frac12) - x\log x + x` is concave:
    :math:`\psi'' = \sum_j(x+j+\frac12)^{-2} - \frac1x`, and every term is at most
    :math:`\frac1{x+j} - \frac1{x+j+1}`. So :math:`\psi(k)+\psi(n-k)` is least at k = 0, where the quotient of the
    sides is 1 at n = 1 and grows, by a factor whose square is :math:`(n+\frac12)^2/(n(n+1))`.
    """
    x, n = sp.symbols("x n", positive=True)
    psi = sp.loggamma(x + sp.Rational(1, 2)) - x * sp.log(x) + x
    growth = sp.sqrt((n + 1) / n) * (2 * n + 1) / (2 * n + 2)
    worst, where = min(
        ((constant * kt_probability(k, n_ - k)) ** 2 * n_ / _best(k, n_ - k) ** 2, (n_, k))
        for n_ in range(1, 61)
        for k in range(n_ + 1)
    )
    return jointly(
        Evidence(
            worst, 1, ">=", "least square of the quotient, all counts up to n = 60, exact", {"n, k": where}
        ),
        vanishing(
            "the telescoping terms, the second derivative and the growth at k = 0",
            [
                (x + sp.Rational(1, 2)) ** 2 - x * (x + 1) - sp.Rational(1, 4),
                1 / x - 1 / (x + 1) - 1 / (x * (x + 1)),
                sp.diff(psi, x, 2) - sp.polygamma(1, x + sp.Rational(1, 2)) + 1 / x,
                growth**2 - 1 - 1 / (4 * n * (n + 1)),
            ],
        ),
        Evidence(_order_matters(), 0, "==", "the order of the outcomes does not matter, n <= 8"),
    )


def _best(ones: int, zeros: int) -> Fraction:
    """Return the probability that the best constant gives to these outcomes."""
    n = ones + zeros
    return Fraction(ones**ones * zeros**zeros, n**n)


def _order_matters() -> int:
    """Count the outcome sequences whose probability under the KT means depends on their order."""
    wrong = 0
    for n in range(1, 9):
        for outcomes in product((0, 1), repeat=n):
            counts, probability = [0, 0], Fraction(1)
            for t, y in enumerate(outcomes):
                probability *= Fraction(2 * counts[y] + 1, 2 * (t + 1))
                counts[y] += 1
            wrong += probability != kt_probability(counts[1], counts[0])
    return wrong


def _cells() -> Iterator[tuple[arb, arb]]:
    """Yield the cells of K = 2, ..., 5 up to symmetry, and three others."""
    for K in range(2, 6):
        yield from list(pairwise(boundaries(K)))[: K // 2]
    for low, high in (("0", "1/100"), ("1/10", "1/5"), ("1/3", "1/3")):
        yield ball(Fraction(low)), ball(Fraction(high))


def _least_wealth(low: arb, high: arb, prior: Fraction, constant: arb) -> Iterator[arb]:
    """Yield, for n up to 28 and all k, the least wealth over all orders minus what the lemma promises."""
    paths = {0: arb(0)}
    for n in range(_LONGEST):
        longer: dict[int, arb] = {}
        for k, wealth in paths.items():
            w = ball((k + prior) / (n + 2 * prior))
            q = clipped(w, low, high)
            for y, gain in ((1, (w / q).log()), (0, ((1 - w) / (1 - q)).log())):
                arrived = wealth + gain
                longer[k + y] = arrived.min(longer[k + y]) if k + y in longer else arrived
        paths = longer
        for k, wealth in paths.items():
            rho = ball(Fraction(k, n + 1))
            yield wealth - (n + 1) * to_cell(rho, low, high) + (constant * ball(n + 1).sqrt()).log()


@precision(BITS)
def clipped_leader(constant: float = 2.0, prior: Fraction = Fraction(1, 2)) -> Evidence:
    r"""Check :math:`\sum\log\frac{w_j(y_j)}{q_j(y_j)} \ge n\mathsf{KL}(\rho, C) - \log(2\sqrt n)` over all sequences.

    The least sum over all orders of the same counts is a shortest path in the lattice of (n, k), so n = 28 covers
    :math:`2^{28}` sequences. The proof: :math:`F_n(m) = \frac12\ell(m,0)+\frac12\ell(m,1)+\sum_{j\le n}\ell(m,y_j)` is
    convex and least at :math:`w_{n+1}`, on C therefore at :math:`q_{n+1}`, so
    :math:`\min_CF_{n+1} \le F_{n+1}(q_{n+1}) = \min_CF_n + \ell(q_{n+1},y_{n+1})`.

    Parameters
    ----------
    constant : float
        In place of 2.
    prior : Fraction
        What the means add to the counts; the KT means add 1/2.
    """
    n, k, m = sp.symbols("n k m", positive=True)
    slope = -(k + sp.Rational(1, 2)) / m + (n - k + sp.Rational(1, 2)) / (1 - m)
    return jointly(
        smallest(
            f"wealth minus promise, least over all sequences up to n = {_LONGEST} and 9 cells",
            (gap for cell in _cells() for gap in _least_wealth(*cell, prior, ball(constant))),
        ),
        vanishing(
            "F_n falls up to the KT mean and rises after it",
            [slope - (n + 1) * (m - (k + sp.Rational(1, 2)) / (n + 1)) / (m * (1 - m))],
        ),
    )


def boundary_identity(cosines: int = 2) -> Evidence:
    r"""Check :math:`\mathsf{KL}(\rho,z) + \mathsf{KL}(\rho,z') = 2\mathsf{KL}(\rho,m) + 2\log\sec(b-a)` for every rho.

    Here :math:`m = \sin a\sin b/\cos(b-a)` lies between :math:`z = \sin^2a` and :math:`z' = \sin^2b`; its logit is
    the mean of theirs, :math:`(m-z)/s = (z'-m)/s' = \tan(b-a)` with :math:`s^2 = z(1-z)`, and it is the point
    where the lines through neighbouring points weighted by s meet.
    """
    a, b, rho = sp.symbols("a b rho", positive=True)
    z, y = sp.sin(a) ** 2, sp.sin(b) ** 2
    s, t = sp.sin(a) * sp.cos(a), sp.sin(b) * sp.cos(b)
    m = sp.sin(a) * sp.sin(b) / sp.cos(b - a)
    other = sp.cos(a) * sp.cos(b) / sp.cos(b - a)

    def cross_entropy(ones: sp.Expr, zeros: sp.Expr) -> sp.Expr:
        return -rho * sp.log(ones) - (1 - rho) * sp.log(zeros)

    apart = cross_entropy(z, sp.cos(a) ** 2) + cross_entropy(y, sp.cos(b) ** 2)
    together = 2 * cross_entropy(m, other)
    return vanishing(
        "1 - m, the tangent, the weighted mean and the sum of the two divergences",
        [
            1 - m - other,
            (m - z) / s - sp.tan(b - a),
            (y - m) / t - sp.tan(b - a),
            m - (z * t + y * s) / (s + t),
            sp.expand_log(apart - together + cosines * sp.log(sp.cos(b - a)), force=True),
        ],
    )


def _cell_gaps(K: int, factor: int, cost: arb) -> Iterator[arb]:
    points, ends = inner_points(K), boundaries(K)
    for i in range(1, K):
        for rho in (*tenths(), *points, *ends):
            yield factor * to_cell(rho, ends[i - 1], ends[i]) + cost - divergence(rho, points[i])


@precision(BITS)
def cell_to_point(factor: int = 2, share: float = 1.0) -> Evidence:
    r"""Check :math:`\mathsf{KL}(\rho, z_i) \le 2\mathsf{KL}(\rho, C_i) + 2\log\sec\frac\pi{2K}` for all rho.

    Outside the cell this is `boundary_identity` without the divergence to the neighbour, with equality when rho is
    the neighbour. Inside, the left side is convex in rho: at an inner end the identity again, at 0 and 1
    :math:`-\log(1-z_1) = 2\log\sec\frac\pi{2K}`, with equality.
    """
    gaps = (
        gap for K in (2, 3, 4, 5, 8, 13, 32) for gap in _cell_gaps(K, factor, ball(share) * log_secant(K))
    )
    return jointly(
        smallest(
            "right minus left side in balls, all cells of seven K, the points of equality included", gaps
        ),
        boundary_identity(),
    )


def used_buckets(scale: int = 4) -> Evidence:
    r"""Check :math:`\sum_{n_i\ge1}\log(4n_i) \le N\log\frac{4t}N`, N = min(t, buckets), over all counts up to t = 12.

    For all t: the logarithm is concave, and :math:`\frac{d}{dN}N\log\frac{4t}N = \log\frac{4t}N - 1 > 0` for
    :math:`N \le t`, as 4 > e.
    """
    N, t = sp.symbols("N t", positive=True)
    worst = Fraction(0)
    for rounds, buckets in product(range(1, 13), range(1, 5)):
        used = min(rounds, buckets)
        for counts in _compositions(rounds, buckets):
            bets = Fraction(1)
            for n in counts:
                bets *= scale * n if n else 1
            worst = max(worst, bets / Fraction(scale * rounds, used) ** used)
    return jointly(
        Evidence(worst, 1, "<=", "largest quotient of the products, up to 12 rounds in 4 buckets, exact"),
        vanishing(
            "slope and curvature of N log(4t/N)",
            [
                sp.diff(N * sp.log(4 * t / N), N) - sp.log(4 * t / N) + 1,
                sp.diff(N * sp.log(4 * t / N), N, 2) + 1 / N,
            ],
        ),
    )


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield all tuples of `parts` nonnegative integers with this sum."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        yield from ((first, *rest) for rest in _compositions(total - first, parts - 1))


def most_bets(T: int, buckets: int) -> arb:
    """Return the largest N log(4T/N) over all N up to min(T, buckets), by looking at every N.

    Examples
    --------
    >>> most_bets(1, 3).overlaps(arb(4).log())
    True
    """
    largest = arb(0)
    for used in range(1, min(T, buckets) + 1):
        largest = largest.max(used * (ball(4 * T) / used).log())
    return largest


_COUNTS = (((0, 0), 3), ((5, 0), 3), ((7, 2), 3), ((1,), 2), ((3, 0, 1, 10**6), 5))


def explicit(tail: int = 2) -> Evidence:
    """Check the right-hand sides: bets of the used buckets, plus T times KL(0, z_1), plus 2 log(1/delta)."""

    def exact(T: int, K: int) -> arb:
        return most_bets(T, K - 1) + T * inner_error(K)

    def with_tail(T: int, K: int, delta: float) -> arb:
        return exact(T, K) - tail * ball(delta).log()

    def of_counts(counts: tuple[int, ...], K: int, delta: float) -> arb:
        bets = sum((ball(4 * n).log() for n in counts if n), arb(0))
        return bets + sum(counts) * inner_error(K) - tail * ball(delta).log()

    return jointly(
        agrees("the most that N buckets bet, plus T KL(0, z_1)", bounds.pair, exact),
        agrees(
            "the same plus 2 log(1/delta)",
            bounds.pair,
            with_tail,
            [(T, K, delta) for T, K in GAMES for delta in DELTAS],
        ),
        agrees(
            "the sum over the counts",
            bounds.pair_from_counts,
            of_counts,
            [(counts, K, delta) for counts, K in _COUNTS for delta in DELTAS],
        ),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="new:pair/choice",
        number="Theorem A, step 0",
        title="there is always a move",
        kind="exact",
        chapter=CHAPTER,
        statement="If no mean lies in its cell, some neighbours have w_i > m_i > w_(i+1): all patterns of "
        "up to 9 buckets, and for every number by taking the last mean above its cell.",
        check=some_choice,
        spoil=(partial(some_choice, False),),
    ),
    Claim(
        label="new:pair/martingale",
        number="Theorem A, step 1",
        title="the wealth is a martingale",
        kind="symbolic",
        chapter=CHAPTER,
        statement="If z_i and z_(i+1) are drawn with probabilities p and 1 - p such that p w_i + (1-p) "
        "w_(i+1) = m_i, the factor w(y)/m_i(y) has conditional mean 1 for both outcomes.",
        check=martingale,
        spoil=(partial(martingale, Fraction(1, 1000)),),
    ),
    Claim(
        label="new:pair/kt",
        number="Theorem A, step 2a",
        title="regret of the KT means",
        kind="symbolic",
        chapter=CHAPTER,
        statement="The means (k + 1/2)/(n + 1) give any n outcomes with k ones a probability of at least "
        "e^(-nH(k/n))/(2 sqrt n), for all n >= 1, with equality at n = 1.",
        check=kt_regret,
        spoil=(partial(kt_regret, Fraction(199, 100)),),
    ),
    Claim(
        label="new:pair/clipped-leader",
        number="Theorem A, step 2b",
        title="wealth of one bucket",
        kind="certified",
        chapter=CHAPTER,
        statement="For every cell C and every sequence, the sum of log(w_j(y_j)/q_j(y_j)), q the KT mean "
        "clipped to C, is at least n KL(rho, C) - log(2 sqrt n); all sequences of up to 28 "
        "outcomes and 9 cells in balls (equality occurs, so up to 1e-30), and the minimiser of "
        "F_n for all n.",
        uses=("new:pair/kt",),
        check=clipped_leader,
        spoil=(partial(clipped_leader, 1.99), partial(clipped_leader, prior=Fraction(1))),
    ),
    Claim(
        label="new:pair/boundary",
        number="Theorem A, step 3a",
        title="the boundary between two points",
        kind="symbolic",
        chapter=CHAPTER,
        statement="For z = sin^2 a, z' = sin^2 b and m = sin a sin b/cos(b-a): KL(rho, z) + KL(rho, z') = 2 "
        "KL(rho, m) + 2 log sec(b-a) for every rho.",
        check=boundary_identity,
        spoil=(partial(boundary_identity, 1),),
    ),
    Claim(
        label="new:pair/cell-to-point",
        number="Theorem A, step 3b",
        title="from the cell to its point",
        kind="certified",
        chapter=CHAPTER,
        statement="KL(rho, z_i) <= 2 KL(rho, C_i) + 2 log sec(pi/2K) for all rho in [0, 1] and all K >= 2, "
        "by the identity; in balls at seven K, the points of equality included (up to 1e-30).",
        uses=("new:pair/boundary",),
        check=cell_to_point,
        spoil=(partial(cell_to_point, 1), partial(cell_to_point, share=0.999)),
    ),
    Claim(
        label="new:pair/used-buckets",
        number="Theorem A, step 4",
        title="unused buckets cost nothing",
        kind="symbolic",
        chapter=CHAPTER,
        statement="The sum of log(4 n_i) over used buckets is at most N log(4t/N) with N = min(t, K-1).",
        check=used_buckets,
        spoil=(partial(used_buckets, 1),),
    ),
    Claim(
        label="new:pair/explicit",
        number="Theorem A, constants",
        title="the bound of the pair algorithm",
        kind="certified",
        chapter=CHAPTER,
        statement="The right-hand side is the largest sum of log(4 n_i) over counts that add up to T, plus "
        "T KL(0, z_1) = 2T log sec(pi/2K), plus 2 log(1/delta) where a probability is asked for.",
        uses=(
            "new:pair/choice",
            "new:pair/martingale",
            "new:pair/clipped-leader",
            "new:pair/cell-to-point",
            "new:pair/used-buckets",
        ),
        check=explicit,
        spoil=(partial(explicit, 1),),
    ),
)
