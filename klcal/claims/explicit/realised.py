r"""Algorithm 1 fed with its own draws: E[KLCal] with better means, and a bound with high probability."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product

import sympy as sp
from flint import arb

from klcal import bounds
from klcal.claims._combinators import jointly, vanishing
from klcal.claims._evidence import Evidence
from klcal.claims._legacy import Claim
from klcal.claims.constants._common import DELTAS, GAMES, agrees, learning, rounding
from klcal.claims.explicit._common import BITS, CHAPTER, smallest
from klcal.claims.explicit.betting import most_bets
from klcal.claims.grids._common import decided, divergence, full_points
from klcal.exact.balls import ball, infimum_of_quotient, lower, precision, upper

VERSIONS = ("sharpened", "best")
_POINTS = tuple(Fraction(z) for z in ("1/10000", "1/50", "1/6", "1/3", "1/2"))


def kt_means(share: Fraction = Fraction(1, 2)) -> Evidence:
    """Check the right-hand side with the KT means: half of the bets of K + 1 buckets, plus T times the rounding."""
    return jointly(
        *(
            agrees(
                f"half of the most that K + 1 buckets bet, plus rounding, {version}",
                partial(bounds.realised_kt, version=version),
                lambda T, K, v=version: ball(share) * most_bets(T, K + 1) + T * rounding(K, v),
                GAMES,
            )
            for version in VERSIONS
        )
    )


def drawn_loss(stationary: bool = True) -> Evidence:
    """Check that the mean of the drawn point's loss is the mean of the rounded losses, for a stationary mixture.

    Parameters
    ----------
    stationary : bool
        False takes the uniform mixture instead.
    """
    q, r, x, y = sp.symbols("q r x y", positive=True)
    # Two points; row i of Q is what learner i's mean is rounded to, and P solves P = PQ.
    first = r / (q + r) if stationary else sp.Rational(1, 2)
    drawn = first * x + (1 - first) * y
    rounded = first * ((1 - q) * x + q * y) + (1 - first) * (r * x + (1 - r) * y)
    return vanishing(
        "sum P_i l_i = sum P_j <q_j, l> for a stationary mixture of two points", [drawn - rounded]
    )


def _logarithm(y: int, w: Fraction, z: Fraction) -> arb:
    return (ball(w if y else 1 - w) / ball(z if y else 1 - z)).log()


def _pointwise(longest: int, scale: float) -> Iterator[arb]:
    for z, n in product(_POINTS, range(longest)):
        b = -(4 * ball(z) * (1 - ball(z))).log()
        for k, y in product(range(n + 1), (0, 1)):
            w = Fraction(k + 1, n + 2)
            x = _logarithm(y, w, z)
            error = n * divergence(ball(Fraction(k, n)), ball(z)) if n else arb(0)
            weight = k + 1 if y else n - k + 1
            yield ball(scale) * (2 + x.max(arb(0))) * (error + b) - weight * x * x


@precision(BITS)
def pointwise(scale: float = 1.0) -> Evidence:
    r"""Check :math:`c(y)X(y)^2 \le (2+X(y)^+)(n\mathsf{KL}(\frac kn,z) + b)`, all n < 40 at five points, in balls.

    Here :math:`w = \frac{k+1}{n+2}`, :math:`X(y) = \log\frac{w(y)}{z(y)}`, c(1) = k + 1, c(0) = n - k + 1 and
    :math:`b = \log\frac1{4z(1-z)}`. For all n: ``new:square-of-logarithm`` at r = w/z, then
    :math:`w\log\frac wz - w + z \le \mathsf{KL}(w,z)` by :math:`\log x \ge 1-\frac1x`, then convexity:
    :math:`(n+2)w = n\frac kn + 2\cdot\frac12` and :math:`2\mathsf{KL}(\frac12,z) = b`.
    """
    z = sp.Symbol("z", positive=True)
    half = sp.Rational(1, 2)
    at_half = half * sp.log(half / z) + half * sp.log(half / (1 - z))
    return jointly(
        smallest("right minus left side, all counts with n < 40 at five points", _pointwise(40, scale)),
        vanishing("2 KL(1/2, z) = log(1/(4z(1-z)))", [2 * at_half + sp.log(4 * z * (1 - z))]),
    )


def _longest_path(z: Fraction, rounds: int, scale: float) -> Iterator[arb]:
    r"""Yield the bound on :math:`\sum X^2` minus its largest value over orders, by counts, for one largest error."""
    A = 2 - ball(min(z, 1 - z)).log()
    b = -(4 * ball(z) * (1 - ball(z))).log()
    for cap in (Fraction(1), Fraction(8)):
        paths: dict[int, arb] = {0: arb(0)}
        for n in range(rounds):
            longer: dict[int, arb] = {}
            for (k, total), y in product(paths.items(), (0, 1)):
                if n and not n * divergence(ball(Fraction(k, n)), ball(z)) <= ball(cap):
                    continue
                x = _logarithm(y, Fraction(k + 1, n + 2), z)
                arrived = total + x * x
                longer[k + y] = arrived.max(longer[k + y]) if k + y in longer else arrived
            paths = longer
            for total in paths.values():
                yield ball(scale) * 2 * A * (1 + ball(n + 1).log()) * (ball(cap) + b) - total


@precision(BITS)
def squares(scale: float = 1.0) -> Evidence:
    r"""Check :math:`\sum X_j^2 \le 2A(1+\log n)(\max_mm\mathsf{KL}(\rho_m,z) + b)` over all orders, n <= 30.

    The largest sum over all orders is a longest path in the lattice of (n, k). In the proof each outcome's weight
    c runs through 1, 2, 3, ..., and harmonic numbers are at most :math:`1+\log n`.
    """
    gaps = (gap for z in (Fraction(1, 50), Fraction(1, 3)) for gap in _longest_path(z, 30, scale))
    harmonic = [
        1 + ball(n).log() - ball(sum((Fraction(1, j) for j in range(1, n + 1)), Fraction(0)))
        for n in range(1, 60)
    ]
    return jointly(
        smallest("bound minus the largest sum of squares, two points, errors up to 1 and 8", gaps),
        smallest("1 + log n minus the harmonic number, n < 60", harmonic),
    )


def _tangent(x: arb) -> arb:
    """Return log(1 + x) - x + x^2."""
    value: arb = (1 + x).log() - x + x * x
    return value


@precision(BITS)
def scalar(constant: float = -0.5) -> Evidence:
    r"""Check :math:`e^{x-x^2} \le 1+x` for :math:`x \ge -\frac12`.

    The difference of the logarithms has slope :math:`x(1+2x)/(1+x)`: it falls up to 0, where it is 0, and rises after.

    Parameters
    ----------
    constant : float
        In place of -1/2, the left end at which the value is looked at.
    """
    x = sp.Symbol("x", positive=True)
    slope = sp.diff(sp.log(1 + x) - x + x**2, x)
    mirrored = sp.diff(sp.log(1 - x) + x + x**2, x)
    return jointly(
        Evidence(lower(_tangent(ball(constant))), 0, ">", f"log(1+x) - x + x^2 at x = {constant}"),
        vanishing(
            "the slope is x(1+2x)/(1+x), also with -x for x",
            [slope - x * (1 + 2 * x) / (1 + x), mirrored + (-x) * (1 - 2 * x) / (1 - x)],
        ),
        decided(
            infimum_of_quotient(lambda v: (1 + v).log() - v + v * v, 4, above=0.0, bits=BITS),
            "the same above 0 on (0, 4], covered by balls",
        ),
        decided(
            infimum_of_quotient(lambda v: (1 - v).log() + v + v * v, ball(0.5), above=0.0, bits=BITS),
            "and on [-1/2, 0)",
        ),
    )


@precision(BITS)
def high_probability(scale: int = 8) -> Evidence:
    r"""Check the right-hand side: twice the mean bound, plus 2, plus :math:`\frac2\lambda\log\frac1\delta`.

    :math:`\frac1\lambda = 4A(1+\log T)(K+1)` with :math:`A = 2.7+2\log K \ge 2+\log\frac1{z_0}`; it is at least
    :math:`2\log(T+1)`, and :math:`\sum b_i \le 2K` makes :math:`\lambda V \le \frac12R + 1`.
    """

    def exact(T: int, K: int, delta: float, version: str) -> arb:
        inverse_rate = (
            ball(scale) / 2 * (ball(Fraction(27, 10)) + 2 * ball(K).log()) * (1 + ball(T).log()) * (K + 1)
        )
        return 2 * (learning(T, K + 1) + T * rounding(K, version)) + 2 - 2 * inverse_rate * ball(delta).log()

    spreads, largest = [], []
    for K in range(2, 65):
        points = full_points(K)
        spreads.append(2 * K + sum(((4 * z * (1 - z)).log() for z in points), arb(0)))
        largest.append(ball(2.7) + 2 * ball(K).log() - (2 - points[0].log()))
    # 2(K-1) log 2 + 2 log K <= 2K - 1: the left side's slope 2 log 2 + 2/K is below 2 from K = 4 on.
    start = 2 * 3 * ball(2).log() + 2 * ball(4).log()
    slope = 2 * ball(2).log() + ball(Fraction(1, 2))
    return jointly(
        *(
            agrees(
                f"2 main + 2 + (2/lambda) log(1/delta), {version}",
                partial(bounds.realised_high_probability, version=version),
                partial(exact, version=version),
                [(T, K, delta) for T, K in GAMES for delta in DELTAS],
            )
            for version in VERSIONS
        ),
        smallest("2K minus the sum of log(1/(4z(1-z))), K = 2..64", spreads),
        smallest("2.7 + 2 log K minus 2 + log(1/z_0), K = 2..64", largest),
        Evidence(upper(start), 7, "<=", "2(K-1) log 2 + 2 log K at K = 4, against 2K - 1"),
        Evidence(upper(slope), 2, "<", "its slope in K from K = 4 on, against 2"),
        smallest(
            "4A(1 + log T)(K+1) minus 2 log(T+1): lambda is admissible",
            [4 * ball(2.7) * (1 + ball(T).log()) * 3 - 2 * ball(T + 1).log() for T in (1, 2, 10, 10**9)],
        ),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        label="new:realised-kt",
        number="new",
        title="realised feedback with the KT means",
        kind="certified",
        chapter=CHAPTER,
        statement="For Algorithm 1 fed with its own draws and means (k + 1/2)/(n + 1), E[KLCal] <= (N/2) "
        "log(4T/N) + T tan^2, N = min(T, K+1): the right-hand side; half of the logarithmic term "
        "of Laplace's rule.",
        uses=("new:pair/kt", "new:pair/used-buckets", "lem:rounding/supremum", "new:rounding-log-secant"),
        check=kt_means,
        spoil=(partial(kt_means, Fraction(1)),),
    ),
    Claim(
        label="new:realised",
        number="new",
        title="the drawn loss is the rounded loss",
        kind="symbolic",
        chapter=CHAPTER,
        statement="For a stationary mixture P = PQ the mean loss of the drawn point is the mean of the "
        "rounded losses; with Laplace's rule in every bucket this gives E[KLCal] <= sum log(1 + "
        "n_i) + T times the cost of rounding.",
        uses=("new:laplace-in-buckets", "new:realised-explicit", "lem:rounding/supremum"),
        check=drawn_loss,
        spoil=(partial(drawn_loss, False),),
    ),
    Claim(
        label="new:realised-tail/pointwise",
        number="Theorem D, step 1",
        title="one round's square",
        kind="certified",
        chapter=CHAPTER,
        statement="c(y) X(y)^2 <= (2 + X(y)^+)(n KL(k/n, z) + log(1/(4z(1-z)))) for Laplace's w, X = "
        "log(w/z), c(1) = k + 1, c(0) = n - k + 1; all n < 40 at five points in balls, and the "
        "steps for all n.",
        uses=("new:square-of-logarithm",),
        check=pointwise,
        spoil=(partial(pointwise, 0.85),),
    ),
    Claim(
        label="new:realised-tail/squares",
        number="Theorem D, step 2",
        title="the sum of the squares",
        kind="certified",
        chapter=CHAPTER,
        statement="Over any order of outcomes the sum of X^2 is at most 2A(1 + log n)(max of m KL(rho_m, "
        "z), plus b), A = 2 + log(1/min(z, 1-z)); longest paths up to n = 30 in balls.",
        uses=("new:realised-tail/pointwise",),
        check=squares,
        spoil=(partial(squares, 0.2),),
    ),
    Claim(
        label="new:realised-tail/scalar",
        number="Theorem D, step 3",
        title="the exponential inequality",
        kind="certified",
        chapter=CHAPTER,
        statement="e^(x - x^2) <= 1 + x for all x >= -1/2.",
        check=scalar,
        spoil=(partial(scalar, -0.7),),
    ),
    Claim(
        label="new:realised-tail",
        number="Theorem D",
        title="realised feedback with high probability",
        kind="certified",
        chapter=CHAPTER,
        statement="max KLCal_t up to T is at most 2[(K+1) log(1 + T/(K+1)) + T tan^2] + 2 + 8(K+1)(2.7 + 2 "
        "log K)(1 + log T) log(1/delta) with probability at least 1 - delta: the right-hand side "
        "and the admissible rate.",
        uses=("new:realised-tail/squares", "new:realised-tail/scalar", "new:realised"),
        check=high_probability,
        spoil=(partial(high_probability, 4),),
    ),
)
